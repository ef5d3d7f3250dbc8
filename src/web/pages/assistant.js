// The assistant's page: one button, which presses for his side alone, and how the game stands (F6.8d).

import { Live } from "./live.js";
import { formOf, parseSpan, reading, readingsAt } from "./reading.js";
import { deviceOf, of, refused, word, wordOf } from "./words.js";

const byId = (id) => document.getElementById(id);
const live = new Live();
let side = null;
let pressing = false;
// What became of the last press, where that is to be known until the next.
let problem = "";
let timer = 0;

function say(text, bad) {
  byId("said").textContent = text;
  byId("said").classList.toggle("bad", bad);
}

function count() {
  clearTimeout(timer);
  if (!live.state || live.stale) return;
  const { state } = live;
  const sides = readingsAt(state, live.now());
  for (const colour of ["white", "black"]) {
    const { remaining, delay } = sides[colour];
    const shown = reading(formOf(state.control, colour), remaining, delay, parseSpan(state.settings.tenths_below));
    byId(colour).querySelector("b").textContent = shown.text;
  }
  timer = setTimeout(count, 100);
}

function show() {
  const { state } = live;
  if (!state) return;
  if (state.device) document.title = word("assistant-page-title", { clock: deviceOf(state) });
  const mine = state.running === side || (state.state === "ready" && state.settings.start === "any_press") ||
    (state.state === "ready" && state.settings.start === "black_press" && side === "black");
  const registered = Boolean(state.assistants?.[side]);
  for (const colour of ["white", "black"]) byId(colour).classList.toggle("runs", state.running === colour);
  const press = byId("press");
  press.disabled = live.stale || pressing || !registered || !mine;
  press.classList.toggle("mine", mine);
  const what = state.running ? word("assistant-running", of(state.running)) : wordOf("assistant-state", state.state);
  press.replaceChildren(word("assistant-press-for", of(side)), Object.assign(document.createElement("small"), { textContent: what }));
  const wrong = (live.another && live.reason) || problem || (registered ? "" : word("assistant-not-registered"));
  if (wrong) say(wrong, true);
  else if (byId("said").classList.contains("bad")) say("", false);
  byId("link").dataset.link = live.stale ? "stale" : "live";
  byId("link").textContent = word(live.stale ? "no-connection" : "live");
  count();
}

async function press() {
  pressing = true;
  problem = "";
  show();
  // Sent again, after an answer that got lost, it is the same press.
  const id = [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  try {
    const answer = await fetch("/api/v1/commands", {
      method: "POST", headers: { "content-type": "application/json" },
      body: JSON.stringify({ command: "assistant_press", side, request_id: id, device: live.device ?? undefined }),
    });
    const body = await answer.json();
    if (answer.status === 401) location.replace("/pair");
    else if (answer.ok) {
      live.take(body);
      say(word("assistant-pressed"), false);
    } else problem = refused(body.error);
  } catch {
    problem = word("assistant-no-answer");
  }
  pressing = false;
  show();
}

try {
  const me = await (await fetch("/api/v1/access/me")).json();
  side = me.side ?? null;
} catch {
  // Said below.
}
if (side) {
  byId("title").textContent = word("assistant-of-side", of(side));
  byId("press").addEventListener("click", press);
  live.addEventListener("state", show);
  live.addEventListener("trust", show);
  live.addEventListener("beat", count);
  document.addEventListener("visibilitychange", count);
  live.begin();
} else {
  say(word("assistant-nobodys"), true);
  byId("link").textContent = "";
}
