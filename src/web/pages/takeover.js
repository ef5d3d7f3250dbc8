// A game that goes over to another clock: here it is offered, chosen and taken; there its code is shown, and that it was
// replaced is said. What is decided is decided by the clock.

import { openForm } from "./commands.js";
import { button, byId, element } from "./view.js";
import { TITLE } from "./words.js";

const SIDES = ["white", "black"];
let send = async () => false;
let state = null;

// `command` sends one command and tells whether it was done.
export function begin(command) {
  send = command;
  byId("takeover-file").onchange = async ({ target }) => {
    const [file] = target.files;
    if (file) await offer(file, file.name);
    target.value = "";
  };
  byId("takeover-code-add").onclick = async () => {
    const text = byId("takeover-code").value.trim();
    if (text && (await offer(text, "code"))) byId("takeover-code").value = "";
  };
  byId("takeover-typed").onsubmit = async (event) => {
    event.preventDefault();
    const field = (name) => byId("takeover-typed").querySelector(`[name="${name}"]`).value.trim();
    const typed = { control: field("control"), to_move: field("to_move"), state: "paused" };
    for (const side of SIDES) {
      typed[side] = { remaining: reading(field(`${side}.remaining`)) };
      for (const name of ["moves", "period"]) {
        if (field(`${side}.${name}`)) typed[side][name] = Number(field(`${side}.${name}`));
      }
    }
    await offer(JSON.stringify(typed), "typed in");
  };
  byId("takeover").ontoggle = () => byId("takeover").open && list();
}

// "4:52" as a clock shows it is four minutes here, not four hours.
function reading(text) {
  const shown = /^(\d{1,3}):(\d\d(?:\.\d+)?)$/.exec(text);
  return shown ? `0:${shown[1].padStart(2, "0")}:${shown[2]}` : text;
}

// What the section offers in this state.
export function show(next) {
  state = next;
  const { state: name, replaced, codes } = next;
  const over = name === "ready" || name === "ended";
  byId("takeover-in").hidden = !over;
  byId("takeover-out").hidden = false;
  const acts = [];
  if (!codes && name !== "running") acts.push(button("Show the code on the panels", () => send({ command: "show_code" })));
  if (codes) acts.push(button("Show the readings again", () => send({ command: "hide_code" })));
  if (replaced) acts.push(button("Let it go on here…", reinstate));
  else acts.push(button("Replaced by another clock…", replace));
  const made = acts.map((node) => node.textContent).join();
  if (byId("takeover-acts").dataset.made !== made) {
    byId("takeover-acts").dataset.made = made;
    byId("takeover-acts").replaceChildren(...acts);
  }
  byId("takeover-codes").hidden = !codes;
  byId("takeover-codes").textContent = (codes ?? []).join("\n");
}

function replace() {
  const fields = [{ name: "by", label: "Which clock has the game now", required: true, hint: "Table 9" }];
  const text = "Both clocks stop, and nothing runs here until an arbiter lets it.";
  openForm({ title: "Replaced by another clock", text, apply: "It was replaced", fields, danger: true }, (said) => send({ command: "replaced", ...said }));
}

function reinstate() {
  const fields = [{ name: "reason", label: "Reason", required: true }];
  const text = "The game is this clock's again: see that the other one does not go on with it.";
  openForm({ title: "Let it go on here", text, apply: "This clock has the game", fields }, (said) => send({ command: "reinstate", ...said }));
}

function say(text) {
  byId("takeover-problem").textContent = text;
}

async function ask(url, options) {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(30_000) });
    const body = await response.json();
    if (response.ok) return body;
    say(body.error.sentence);
  } catch {
    say("No answer from the clock; offer it again.");
  }
  return null;
}

async function offer(body, name) {
  say("");
  const url = `/api/v1/take-over?name=${encodeURIComponent(name)}`;
  const candidates = await ask(url, { method: "POST", body, headers: { "Content-Type": "text/plain" } });
  if (candidates) draw(candidates);
  return candidates !== null;
}

async function list() {
  const candidates = await ask("/api/v1/take-over", {});
  if (candidates) draw(candidates);
}

function draw(candidates) {
  byId("takeover-candidates").replaceChildren(...candidates.map(card));
}

function card(candidate) {
  const { id, kind, name, device, age, running, to_move: mover, uncertain, broken, replaced, names } = candidate;
  const item = element("li", {});
  item.dataset.id = String(id);
  const who = [names.white, names.black].filter(Boolean).join(" – ");
  const from = [device, name === "typed in" || name === "code" ? "" : name].filter(Boolean).join(", ");
  const old = age ? `${age.replace(/\.\d+$/, "")} old` : "age not known";
  const ran = running ? `${TITLE[running]}'s clock ran` : `no clock ran, ${TITLE[mover]} to move`;
  item.append(element("p", {}, element("strong", {}, [kind === "readings" ? name : kind, from].filter(Boolean).join(" · ")), element("small", {}, [who, old, ran].filter(Boolean).join(" · "))));
  for (const sentence of [uncertain, broken && `The log breaks: ${broken}; what stands before is taken.`, replaced && `It was taken over before, by ${replaced}.`]) {
    if (sentence) item.append(element("p", {}, sentence));
  }
  const fields = SIDES.map((side) => {
    const input = element("input", { value: candidate[side].remaining, autocomplete: "off", inputMode: "text" });
    input.dataset.side = side;
    return element("label", { className: "half" }, `${TITLE[side]}, ${candidate[side].moves} moves `, input);
  });
  const reason = element("input", { autocomplete: "off", maxLength: 120, placeholder: "what is wrong with the old clock" });
  item.append(element("div", { className: "fields" }, ...fields, element("label", {}, "Reason ", reason)));
  item.append(element("div", { className: "row" }, button("Take it over, paused", () => take(candidate, item, reason.value.trim()), "main")));
  return item;
}

// Readings that were not changed stay what the candidate says, to the nanosecond.
async function take(candidate, item, reason) {
  const command = { command: "take_over", candidate: candidate.id };
  if (reason) command.reason = reason;
  for (const input of item.querySelectorAll("input[data-side]")) {
    const { side } = input.dataset;
    if (input.value.trim() !== candidate[side].remaining) command[side] = reading(input.value.trim());
  }
  if (await send(command)) {
    byId("takeover").open = false;
    draw([]);
  } else say(byId("answer").textContent);
}
