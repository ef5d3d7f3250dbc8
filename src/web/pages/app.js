// The arbiter's page: puts the parts together and says which actions there are in which state.

import { Commands, openForm } from "./commands.js";
import { Correct } from "./correct.js";
import { Live } from "./live.js";
import { Simulator } from "./simulator.js";
import * as takeover from "./takeover.js";
import { Past } from "./past.js";
import { Rulings } from "./rule.js";
import { View, button, byId, element, keep } from "./view.js";
import { OTHER, TITLE, of, word, wordOf } from "./words.js";

const SIDES = Object.entries(TITLE);
const live = new Live();
const commands = new Commands(live);
const send = (command) => commands.send(command);
const correct = new Correct(live, commands);
const rulings = new Rulings(live, commands);
const past = new Past(live, commands);
const simulator = new Simulator(live, () => {
  if (live.state?.state === "running") send({ command: "pause" });
  else if (live.state?.state === "paused") send({ command: "resume" });
});
const view = new View({
  correct: (colour) => correct.open(colour),
  flag: (side) => send({ command: "call_flag", side }),
  claim: (side) => send({ command: "claim_flag", side }),
  arrived: (side) => send({ command: "arrived", side }),
  acknowledge: (incident) => send({ command: "acknowledge", incident }),
  acknowledgeMark: (side) => send({ command: "acknowledge", side }),
  closeCall: (justified) => send({ command: "close_call", justified }),
});
let presets = [];
let timer = 0;
let simulated = false;

const REASON = { name: "reason", label: word("reason") };

const late = () => live.state.settings?.profile === "fide-2023" && Math.min(live.state.white.moves, live.state.black.moves) >= 10;

// Opens a form whose fields make the command `name`. What changes clocks shows what it would do.
function form(name, description) {
  const make = (fields) => ({ command: name, ...fields });
  const preview = description.preview ? { commands, make } : null;
  openForm({ ...description, preview }, (fields) => send(make(fields)));
}

// A setting that stays as it would be unless it is chosen.
function setting(name, options) {
  return { name: `settings.${name}`, label: wordOf("setting", name), type: "select", options: [["", word("setting-usual")], ...options] };
}

const FORMS = {
  setup() {
    const { control, left, names } = live.state;
    const field = (name) => byId("form").querySelector(`[name="${name}"]`);
    const take = ({ value }) => {
      const preset = presets.find(({ number }) => String(number) === value);
      if (preset) field("control").value = preset.control;
    };
    form("setup", {
      title: word("set-up-title"),
      apply: word("set-up"),
      fields: [
        {
          name: "preset", label: word("preset"), type: "select", number: true, onchange: take,
          options: [["", word("preset-choose")], ...presets.map(({ number, name }) => [String(number), `${number} · ${name}`])],
        },
        // A control that was typed over is no longer the preset's.
        { name: "control", label: word("time-control"), value: control, required: true, hint: "40/90m+30s:30m+30s", onchange: () => (field("preset").value = "") },
        { name: "white", label: word("white"), value: names?.white ?? "" },
        { name: "black", label: word("black"), value: names?.black ?? "" },
        { name: "left", label: word("who-sits-left"), type: "choice", options: SIDES, value: left },
        setting("advance", [["moves", word("next-moves")], ["expiry", word("next-expiry")], ["expiry_both", word("next-expiry-both")]]),
        setting("start", [
          ["black_press", word("start-black-press")], ["any_press", word("start-any-press")],
          ["arbiter", word("start-arbiter")], ["scheduled", word("start-scheduled")],
        ]),
        { name: "settings.default_time", label: word("setting-default-time"), hint: "30m" },
        setting("absent", [["white_pays", word("absent-white-pays")], ["split", word("absent-split")], ["off", word("absent-off")]]),
      ],
    });
  },
  new_game: () => form("new_game", {
    title: word("new-game"), text: word("new-game-text", { control: live.state.control }), apply: word("new-game"), fields: [REASON],
  }),
  rematch() {
    const { names, left, control, settings } = live.state;
    const fields = { command: "setup", control, settings, white: names.black, black: names.white, left: OTHER[left] };
    openForm(
      { title: word("rematch"), text: word("rematch-text", { name: names.black || TITLE.black, control }), apply: word("set-up") },
      () => send(Object.fromEntries(Object.entries(fields).filter(([, value]) => value))),
    );
  },
  // The score sheet's word: what both counters are when this side is to make this move.
  counters() {
    openForm(
      {
        title: word("counters-title"), text: word("counters-text"), apply: word("counters-apply"),
        fields: [
          { name: "side", label: word("counters-side"), type: "choice", required: true, options: SIDES, value: live.state.to_move },
          { name: "number", label: word("counters-number"), type: "number", number: true, required: true },
        ],
      },
      async ({ side, number }) => {
        const counters = { white: side === "white" ? number - 1 : number, black: number - 1 };
        for (const [colour] of SIDES) {
          if (live.state[colour].moves !== counters[colour] && !(await send({ command: "set", side: colour, moves: counters[colour] }))) return false;
        }
        return true;
      },
    );
  },
  assistant: () => form("assistant", {
    title: word("assistant"), text: word("assistant-text"), apply: word("assistant-apply"),
    fields: [
      { name: "side", label: word("for-whom"), type: "choice", required: true, options: SIDES },
      { name: "name", label: word("name"), required: true },
    ],
  }),
  message: () => form("message", {
    title: word("message-title"), text: word("message-text"), apply: word("message-apply"),
    fields: [{ name: "text", label: word("message"), value: live.state.message ?? "", empty: true }],
  }),
  swap_sides: () => form("swap_sides", {
    title: word("swap-title"), text: word("swap-text", of(OTHER[live.state.left])), apply: word("swap-apply"), fields: [], preview: true,
  }),
  take_back: () => form("take_back", {
    title: word("take-back-title"), apply: word("take-back-apply"), preview: true,
    fields: [
      {
        name: "time", label: word("take-back-time"), type: "choice", value: "presser",
        options: [["presser", word("take-back-presser")], ["opponent", word("take-back-opponent")], ["none", word("take-back-none")]],
      },
      REASON,
    ],
  }),
  result: () => form("result", {
    title: word("result"), text: word("result-text"), apply: word("result-apply"), danger: true, preview: true,
    fields: [
      {
        name: "result", label: word("result"), type: "choice", required: true, value: live.state.proposed_result ?? "",
        options: [["1-0", word("result-white")], ["1/2-1/2", word("result-draw")], ["0-1", word("result-black")]],
      },
      { name: "reason", label: word("reason"), required: true, hint: word("result-hint"), value: live.state.proposed_result ? word("result-by-ruling") : "" },
      { name: "fen", label: word("result-fen"), hint: "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1" },
    ],
  }),
  penalty: () => form("penalty", {
    title: word("penalty"), apply: word("penalty-apply"), preview: true,
    fields: [
      { name: "side", label: word("offender"), type: "choice", required: true, options: SIDES },
      {
        name: "kind", label: word("penalty"), type: "select", value: "time_to_opponent",
        options: [
          ["warning", word("penalty-warning")], ["time_to_opponent", word("penalty-to-opponent")],
          ["time_off", word("penalty-off")], ["both", word("penalty-both")],
        ],
      },
      { name: "time", label: word("time"), hint: word("penalty-hint") },
      REASON,
    ],
  }),
  ruling: () => rulings.open(),
  restore: () => past.restore(),
  corrections: () => past.undo(),
  games: () => past.games(),
  change_control: () => form("change_control", {
    title: word("setting-title"), apply: word("setting-apply"), preview: true,
    text: [word("setting-text"), late() ? word("setting-late") : ""].join(" "),
    fields: [{ name: "control", label: word("time-control"), value: live.state.control, required: true }, REASON],
  }),
  // The time of the day where the phone is, which is how the start is shown on it.
  schedule: () => openForm(
    { title: word("schedule-title"), apply: word("schedule-apply"), fields: [{ name: "at", label: word("schedule-at"), type: "datetime-local", required: true }] },
    ({ at }) => send({ command: "schedule", at: new Date(at).toISOString() }),
  ),
};

const act = (label, command, kind) => button(label, () => send(command), kind);
const opens = (name, kind) => named(name, button(wordOf("open", name), FORMS[name], kind));
const proposed = (result) => named("result", button(word("open-result-proposed", { result }), FORMS.result));

// A button knows which form it opens.
function named(name, node) {
  node.dataset.opens = name;
  return node;
}

// Who is there is said first: with a default time of zero whoever is not there at the start is late.
async function start() {
  for (const [side] of SIDES) {
    const missing = byId("both-here").checked && !live.state.arrived?.[side];
    if (missing && !(await send({ command: "arrived", side }))) return;
  }
  send({ command: "start" });
}

function askWhoIsHere({ state, arrived }) {
  byId("here").hidden = state !== "ready" || Boolean(arrived?.white && arrived?.black);
  if (state !== "ready") byId("both-here").checked = true;
}

// What the arbiter is likely to do next, under the thumb.
function primary(state) {
  const mover = state.to_move;
  switch (state.state) {
    case "ready":
      return [button(word("start-white"), start, "main go")];
    case "running":
      return [act(word("pause-both"), { command: "pause" }, "main stop")];
    case "paused":
      return [act(word("resume-side", of(mover)), { command: "resume", run: mover }, "main go"), act(word("resume-side", of(OTHER[mover])), { command: "resume", run: OTHER[mover] })];
    case "ended":
      return state.result ? [opens("new_game", "main"), opens("rematch")] : [opens("result", "main")];
    default:
      return [];
  }
}

function secondary(state) {
  switch (state.state) {
    case "ready":
      return [opens("setup"), opens("swap_sides")];
    case "running":
    case "paused":
      return [opens("ruling"), opens("take_back"), state.proposed_result ? proposed(state.proposed_result) : opens("result")];
    case "ended":
      return [opens("setup"), ...(state.result ? [] : [opens("take_back")])];
    default:
      return [];
  }
}

function further(state) {
  const all = [
    "corrections", "setup", "new_game", "rematch", "swap_sides", "ruling", "take_back", "restore", "counters", "change_control", "penalty",
    "schedule", "result", "assistant", "message", "games",
  ];
  const shown = [...primary(state), ...secondary(state)].map((node) => node.dataset.opens);
  const [open, over] = [["running", "paused"], ["ready", "ended"]];
  const opened = state.result ? open : [...open, "ended"];
  const only = {
    setup: over, new_game: over, schedule: ["ready"], swap_sides: ["ready", "paused"], take_back: opened, result: opened,
    restore: [...open, "ended"], rematch: over, ruling: state.result ? [] : [...open, ...over],
  };
  const possible = all.filter((name) => !shown.includes(name) && (only[name]?.includes(state.state) ?? true));
  const page = element("a", { className: "button", href: "/watch", target: "_blank", rel: "noopener", textContent: word("spectators-page") });
  return [...possible.map((name) => opens(name)), act(word("call-arbiter"), { command: "call" }), page];
}

function show() {
  const { state } = live;
  view.show(state);
  takeover.show(state);
  askWhoIsHere(state);
  keep(byId("primary"), primary(state));
  keep(byId("secondary"), secondary(state));
  keep(byId("further"), further(state));
  if (state.simulated && !simulated) {
    simulated = true;
    simulator.begin();
  }
  if (simulated) simulator.draw();
  trust();
  count();
}

// The readings, and again when the next of them changes. A stale page counts nothing on.
function count() {
  clearTimeout(timer);
  if (!live.state || (live.stale && byId("clocks").dataset.counted)) return;
  byId("clocks").dataset.counted = "yes";
  const stays = view.count(live.state, live.now());
  if (byId("correct").open) correct.count();
  timer = setTimeout(count, Math.min(500, Math.max(15, stays / 1e6)));
}

function trust() {
  const { stale } = live;
  document.body.classList.toggle("stale", stale);
  byId("link").dataset.link = stale ? "stale" : "live";
  byId("link").textContent = word(stale ? "no-connection" : "live");
  for (const node of document.querySelectorAll("button.act:not([data-own]), button.press, #tilt, #further button")) node.disabled = stale;
  for (const problem of document.querySelectorAll("dialog[open] .problem")) {
    if (stale || problem.textContent === word("not-now")) problem.textContent = stale ? word("not-now") : "";
  }
  byId("stale").hidden = !stale || !live.state;
  if (stale) {
    const why = word(live.reason ? "clock-not-reached" : "port-not-reached");
    const trying = word("old-readings", { why });
    byId("stale").textContent = live.another ? live.reason : trying;
    byId("stale").title = live.reason;
  } else count();
}

live.addEventListener("state", show);
live.addEventListener("trust", trust);
live.addEventListener("beat", count);
document.addEventListener("visibilitychange", count);
// After a click the space bar is free for pausing; after a key the focus stays where it was.
document.addEventListener("click", (event) => event.detail > 0 && !document.querySelector("dialog[open]") && event.target.closest("button")?.blur());
takeover.begin(send);
live.begin();

try {
  await rulings.begin();
  presets = await (await fetch("/api/v1/presets")).json();
} catch {
  // Without them a control is typed, and a penalty takes the place of a ruling.
}
