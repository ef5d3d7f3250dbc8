// The arbiter's page: puts the parts together and says which actions there are in which state.

import { Commands, openForm } from "./commands.js";
import { Correct } from "./correct.js";
import { Live } from "./live.js";
import { Simulator } from "./simulator.js";
import * as takeover from "./takeover.js";
import { Past } from "./past.js";
import { Rulings } from "./rule.js";
import { View, button, byId, element, keep } from "./view.js";
import { OTHER, SAID, TITLE } from "./words.js";

const SIDES = [["white", "White"], ["black", "Black"]];
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

const REASON = { name: "reason", label: "Reason" };
const LATE = "Both have made ten moves: in rapid and blitz the Laws allow it then only if the schedule would suffer otherwise (A.5).";

const late = () => live.state.settings?.profile === "fide-2023" && Math.min(live.state.white.moves, live.state.black.moves) >= 10;

// Opens a form whose fields make the command `name`. What changes clocks shows what it would do.
function form(name, description) {
  const make = (fields) => ({ command: name, ...fields });
  const preview = description.preview ? { commands, make } : null;
  openForm({ ...description, preview }, (fields) => send(make(fields)));
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
      title: "Set up a game",
      apply: "Set up",
      fields: [
        {
          name: "preset", label: "Preset", type: "select", number: true, onchange: take,
          options: [["", "choose, or type below"], ...presets.map(({ number, name }) => [String(number), `${number} · ${name}`])],
        },
        // A control that was typed over is no longer the preset's.
        { name: "control", label: "Time control", value: control, required: true, hint: "40/90m+30s:30m+30s", onchange: () => (field("preset").value = "") },
        { name: "white", label: "White", value: names?.white ?? "" },
        { name: "black", label: "Black", value: names?.black ?? "" },
        { name: "left", label: "Who sits left", type: "choice", options: SIDES, value: left },
        {
          name: "settings.advance", label: "Next period", type: "select",
          options: [["", "as usual for the preset"], ["moves", "when the moves are made"], ["expiry", "at zero, for that side"], ["expiry_both", "at zero, for both"]],
        },
      ],
    });
  },
  new_game: () => form("new_game", {
    title: "New game", text: `Begins a new game with ${live.state.control} and the same players.`, apply: "New game", fields: [REASON],
  }),
  rematch() {
    const { names, left, control } = live.state;
    const fields = { command: "setup", control, white: names.black, black: names.white, left: OTHER[left] };
    openForm(
      { title: "Rematch", text: `Colours change, the players keep their seats: ${names.black || TITLE.black} has White. ${control}.`, apply: "Set up" },
      () => send(Object.fromEntries(Object.entries(fields).filter(([, value]) => value))),
    );
  },
  // The score sheet's word: what both counters are when this side is to make this move.
  counters() {
    openForm(
      {
        title: "Move counters", text: "As the score sheets say: who is to make which move.", apply: "Set both counters",
        fields: [
          { name: "side", label: "To move", type: "choice", required: true, options: SIDES, value: live.state.to_move },
          { name: "number", label: "Move number", type: "number", number: true, required: true },
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
    title: "Assistant", text: "Presses for a player who cannot; every press is logged as the assistant's.", apply: "Register",
    fields: [
      { name: "side", label: "For whom", type: "choice", required: true, options: SIDES },
      { name: "name", label: "Name", required: true },
    ],
  }),
  message: () => form("message", {
    title: "Message to the players", text: "On both panels, until it is taken away by an empty one or a new game.", apply: "Show",
    fields: [{ name: "text", label: "Message", value: live.state.message ?? "", empty: true }],
  }),
  swap_sides: () => form("swap_sides", {
    title: "Swap sides", text: `${TITLE[OTHER[live.state.left]]} will sit left; times stay with their colour.`, apply: "Swap", fields: [], preview: true,
  }),
  take_back: () => form("take_back", {
    title: "Take back the last press", apply: "Take back", preview: true,
    fields: [
      {
        name: "time", label: "The time since then", type: "choice", value: "presser",
        options: [["presser", "runs to the side that pressed"], ["opponent", "stays with the opponent"], ["none", "runs to nobody"]],
      },
      REASON,
    ],
  }),
  result: () => form("result", {
    title: "Result", text: "Stops both clocks and closes the game.", apply: "Close the game", danger: true, preview: true,
    fields: [
      {
        name: "result", label: "Result", type: "choice", required: true, value: live.state.proposed_result ?? "",
        options: [["1-0", "1–0 White wins"], ["1/2-1/2", "½–½ draw"], ["0-1", "0–1 Black wins"]],
      },
      { name: "reason", label: "Reason", required: true, hint: "time, mate, resigned, agreed", value: live.state.proposed_result ? "ruling" : "" },
      { name: "fen", label: "Position (FEN), to see who can still mate", hint: "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1" },
    ],
  }),
  penalty: () => form("penalty", {
    title: "Penalty", apply: "Give the penalty", preview: true,
    fields: [
      { name: "side", label: "Offender", type: "choice", required: true, options: SIDES },
      {
        name: "kind", label: "Penalty", type: "select", value: "time_to_opponent",
        options: [["warning", "warning"], ["time_to_opponent", "time to the opponent"], ["time_off", "time off"], ["both", "both"]],
      },
      { name: "time", label: "Time", hint: "2m; none for a warning" },
      REASON,
    ],
  }),
  ruling: () => rulings.open(),
  restore: () => past.restore(),
  corrections: () => past.undo(),
  games: () => past.games(),
  change_control: () => form("change_control", {
    title: "The setting was wrong", apply: "Change", preview: true,
    text: `Readings become as they would be under the right control; moves stay.${late() ? ` ${LATE}` : ""}`,
    fields: [{ name: "control", label: "Time control", value: live.state.control, required: true }, REASON],
  }),
  schedule: () => form("schedule", {
    title: "Start at a set time", apply: "Schedule", fields: [{ name: "at", label: "Start at", type: "datetime-local", required: true }],
  }),
};

const act = (label, command, kind) => button(label, () => send(command), kind);
const opens = (label, name, kind) => button(label, FORMS[name], kind);

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
      return [button("Start White's clock", start, "main go")];
    case "running":
      return [act("Pause both clocks", { command: "pause" }, "main stop")];
    case "paused":
      return [act(`Resume ${TITLE[mover]}`, { command: "resume", run: mover }, "main go"), act(`Resume ${TITLE[OTHER[mover]]}`, { command: "resume", run: OTHER[mover] })];
    case "ended":
      return state.result ? [opens("New game…", "new_game", "main"), opens("Rematch…", "rematch")] : [opens("Result…", "result", "main")];
    default:
      return [];
  }
}

function secondary(state) {
  switch (state.state) {
    case "ready":
      return [opens("Set up…", "setup"), opens("Swap sides…", "swap_sides")];
    case "running":
    case "paused":
      return [opens("Ruling…", "ruling"), opens("Take back…", "take_back"), opens(state.proposed_result ? `Result ${state.proposed_result}…` : "Result…", "result")];
    case "ended":
      return [opens("Set up…", "setup"), ...(state.result ? [] : [opens("Take back…", "take_back")])];
    default:
      return [];
  }
}

function further(state) {
  const all = [
    "corrections", "setup", "new_game", "rematch", "swap_sides", "ruling", "take_back", "restore", "counters", "change_control", "penalty",
    "schedule", "result", "assistant", "message", "games",
  ];
  const labels = {
    setup: "Set up…", new_game: "New game…", swap_sides: "Swap sides…", take_back: "Take back…", restore: "Restore a move…",
    change_control: "Wrong setting…", penalty: "Penalty…", schedule: "Start at a set time…", result: "Result…",
    ruling: "Ruling…", counters: "Move counters…", rematch: "Rematch…", assistant: "Assistant…", message: "Message…", games: "Games…", corrections: "Undo…",
  };
  const shown = [...primary(state), ...secondary(state)].map((node) => node.textContent.replace(/ [01]-[01]…/, "…"));
  const [open, over] = [["running", "paused"], ["ready", "ended"]];
  const opened = state.result ? open : [...open, "ended"];
  const only = {
    setup: over, new_game: over, schedule: ["ready"], swap_sides: ["ready", "paused"], take_back: opened, result: opened,
    restore: [...open, "ended"], rematch: over, ruling: state.result ? [] : [...open, ...over],
  };
  const possible = all.filter((name) => !shown.includes(labels[name]) && (only[name]?.includes(state.state) ?? true));
  const page = element("a", { className: "button", href: "/watch", target: "_blank", rel: "noopener", textContent: "Spectators' page" });
  return [...possible.map((name) => opens(labels[name], name)), act("Call the arbiter", { command: "call" }), page];
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
  byId("link").textContent = stale ? "no connection" : "live";
  for (const node of document.querySelectorAll("button.act:not([data-own]), button.press, #tilt, #further button")) node.disabled = stale;
  for (const problem of document.querySelectorAll("dialog[open] .problem")) {
    problem.textContent = stale ? SAID.notNow : "";
  }
  byId("stale").hidden = !stale || !live.state;
  if (stale) {
    const why = live.reason ? "The arbiter port does not reach the clock." : "This page does not reach the arbiter port.";
    const trying = `No connection: these readings are old. ${why} It goes on trying.`;
    byId("stale").textContent = live.another ? live.reason : trying;
    byId("stale").title = live.reason;
  } else count();
}

live.addEventListener("state", show);
live.addEventListener("trust", trust);
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
