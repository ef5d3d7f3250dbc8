// The assistant's page: one button, which presses for his side alone, and how the game stands (F6.8d).

import { Live } from "./live.js";
import { formOf, parseSpan, reading, readingsAt } from "./reading.js";

const byId = (id) => document.getElementById(id);
const TITLE = { white: "White", black: "Black" };
const live = new Live();
let side = null;
let pressing = false;
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
  if (state.device) document.title = `${state.device.name || `Board ${state.device.number}`} · ${state.device.id} · assistant`;
  if (live.another) say(live.reason, true);
  const mine = state.running === side || (state.state === "ready" && state.settings.start === "any_press") ||
    (state.state === "ready" && state.settings.start === "black_press" && side === "black");
  const registered = Boolean(state.assistants?.[side]);
  for (const colour of ["white", "black"]) byId(colour).classList.toggle("runs", state.running === colour);
  const press = byId("press");
  press.disabled = live.stale || pressing || !registered || !mine;
  press.classList.toggle("mine", mine);
  const what = { ready: "not started", running: state.running ? `${TITLE[state.running]} is on move` : "", paused: "paused", ended: "over" };
  press.replaceChildren(`Press for ${TITLE[side]}`, Object.assign(document.createElement("small"), { textContent: what[state.state] ?? state.state }));
  if (!registered) say("You are not registered for this game: ask the arbiter.", true);
  else if (byId("said").classList.contains("bad")) say("", false);
  byId("link").dataset.link = live.stale ? "stale" : "live";
  byId("link").textContent = live.stale ? "no connection" : "live";
  count();
}

async function press() {
  pressing = true;
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
      say("Pressed", false);
    } else say(body.error.sentence, true);
  } catch {
    say("No answer from the clock: look at the readings before you press again.", true);
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
  byId("title").textContent = `${TITLE[side]}'s assistant`;
  byId("press").addEventListener("click", press);
  live.addEventListener("state", show);
  live.addEventListener("trust", show);
  document.addEventListener("visibilitychange", count);
  live.begin();
} else {
  say("This device is nobody's assistant.", true);
  byId("link").textContent = "";
}
