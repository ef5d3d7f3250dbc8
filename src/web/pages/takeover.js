// A game that goes over to another clock: here it is offered, chosen and taken; there its code is shown, and that it was
// replaced is said. What is decided is decided by the clock.

import { openForm } from "./commands.js";
import { button, byId, element } from "./view.js";
import { of, word, wordOf } from "./words.js";

const SIDES = ["white", "black"];
// Where readings come from that are no file: the clock tells it back as a name.
const [CODE, TYPED] = ["code", "typed in"];
const SOURCES = { [CODE]: word("takeover-by-code"), [TYPED]: word("takeover-typed-in") };
// A longer one the clock refuses unread.
const LONGEST = 8 * 1024 * 1024;
let send = async () => false;
let state = null;

// `command` sends one command and tells whether it was done.
export function begin(command) {
  send = command;
  byId("takeover-file").onchange = async ({ target }) => {
    const [file] = target.files;
    if (file && file.size > LONGEST) say(word("takeover-too-long"));
    else if (file) await offer(file, file.name);
    target.value = "";
  };
  byId("takeover-code-add").onclick = async () => {
    const text = byId("takeover-code").value.trim();
    if (text && (await offer(text, CODE))) byId("takeover-code").value = "";
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
    await offer(JSON.stringify(typed), TYPED);
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
  if (!codes && name !== "running") acts.push(button(word("takeover-show-code"), () => send({ command: "show_code" })));
  if (codes) acts.push(button(word("takeover-hide-code"), () => send({ command: "hide_code" })));
  if (replaced) acts.push(button(word("takeover-go-on"), reinstate));
  else acts.push(button(word("takeover-replaced"), replace));
  const made = acts.map((node) => node.textContent).join();
  if (byId("takeover-acts").dataset.made !== made) {
    byId("takeover-acts").dataset.made = made;
    byId("takeover-acts").replaceChildren(...acts);
  }
  byId("takeover-codes").hidden = !codes;
  byId("takeover-codes").textContent = (codes ?? []).join("\n");
}

function replace() {
  const fields = [{ name: "by", label: word("replaced-by"), required: true, hint: word("replaced-hint") }];
  const text = word("replaced-text");
  openForm({ title: word("replaced-title"), text, apply: word("replaced-apply"), fields, danger: true }, (said) => send({ command: "replaced", ...said }));
}

function reinstate() {
  const fields = [{ name: "reason", label: word("reason"), required: true }];
  const text = word("reinstate-text");
  openForm({ title: word("reinstate-title"), text, apply: word("reinstate-apply"), fields }, (said) => send({ command: "reinstate", ...said }));
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
    say(word("takeover-no-answer"));
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
  const from = [device, SOURCES[name] ? "" : name].filter(Boolean).join(", ");
  const old = age ? word("takeover-old", { age: age.replace(/\.\d+$/, "") }) : word("takeover-age-unknown");
  const ran = running ? word("takeover-ran", of(running)) : word("takeover-none-ran", of(mover));
  item.append(element("p", {}, element("strong", {}, [SOURCES[name] ?? wordOf("takeover-kind", kind), from].filter(Boolean).join(" · ")), element("small", {}, [who, old, ran].filter(Boolean).join(" · "))));
  for (const sentence of [uncertain, broken && word("takeover-log-breaks", { why: broken }), replaced && word("takeover-taken-before", { by: replaced })]) {
    if (sentence) item.append(element("p", {}, sentence));
  }
  const fields = SIDES.map((side) => {
    const input = element("input", { value: candidate[side].remaining, autocomplete: "off", inputMode: "text" });
    input.dataset.side = side;
    return element("label", { className: "half" }, `${word("takeover-side-moves", { ...of(side), count: candidate[side].moves })} `, input);
  });
  const reason = element("input", { autocomplete: "off", maxLength: 120, placeholder: word("takeover-why-hint") });
  item.append(element("div", { className: "fields" }, ...fields, element("label", {}, `${word("reason")} `, reason)));
  item.append(element("div", { className: "row" }, button(word("takeover-take"), () => take(candidate, item, reason.value.trim()), "main")));
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
