// Every word of the arbiter's page that is no fixed label of its HTML, in one place.

import { parseSpan, reading } from "./reading.js";

export const TITLE = { white: "White", black: "Black" };
export const OTHER = { white: "black", black: "white" };

export const KINDS = {
  taken_over: "The game came from another clock: judge both readings, and see that the old clock knows it was replaced",
  knock: "The clock was knocked over",
  held: "A button is held too long",
  stuck: "A button was down at start-up",
  doubtful_press: "A press near a knock is doubtful",
  late_edge: "A press came too late to be placed in its order; it was not applied",
  both_pressed: "Both buttons were pressed at once; one press did not count",
  glitches: "A button line keeps bouncing",
  moves_not_made: "The moves demanded were not made in time",
  default_time: "Later than the default time",
  call: "A player calls for the arbiter",
  order_unknown: "Both flags are down and their order is not known",
  restart: "The clock was without power",
  hardware: "Something is wrong with the hardware",
  press_missing: "A press may be missing: this clock runs on and on",
  sums: "Two reckonings of this game differ: check both readings",
};

// What was done wrong: how it is called, and how it is told.
export const OFFENCES = {
  illegal_move: ["Illegal move", "completed, or a press without a move, or with two hands"],
  second_illegal_move: ["Second illegal move", "the game is lost, unless the opponent cannot mate"],
  wrong_claim: ["Wrong claim of a draw", ""],
  stopped_without_reason: ["Stopped the clock without reason", ""],
  clock_misused: ["Clock hit, lifted or knocked over", ""],
  pieces_displaced: ["Pieces displaced", ""],
  disturbance: ["Disturbed the opponent", ""],
  device: ["Telephone or other device", "the game is lost"],
};

export const MINUTES = { warning: "warning", usual: "time to the opponent", by_judgement: "time by judgement" };

// What an act is called in the list of corrections.
export const ACTS = {
  set: "Set", adjust: "Adjusted", change_control: "Control changed", swap_sides: "Sides swapped", call_flag: "Flag seen",
  claim_flag: "Flag claimed", penalty: "Penalty", ruling: "Ruling", acknowledge: "Acknowledged", close_call: "Call closed",
  take_back: "Press taken back", restore: "Restored", result: "Result", assistant: "Assistant", schedule: "Start scheduled",
  message: "Message",
};

export const SAID = {
  noAnswer: "No answer from the clock: look at the readings before you do it again.",
  notNow: "No connection: it can be done when that is back.",
  meanwhile: "Meanwhile",
  decideAgain: "Look again and decide.",
  nothing: "Nothing would change on the clocks.",
  busy: "The clock is deciding something; wait a moment.",
  noMoves: "No move has been made yet.",
  noCorrections: "Nothing that can be undone has been done.",
  noGames: "No game yet.",
};

// What a game would be in then.
export const THEN = { ready: "The game is ready again", running: "A clock runs", paused: "Both clocks stop", ended: "The game is closed" };

// "0:05:12.4" as a reading is read aloud: 5:12.
export function shortly(reading) {
  return reading.split(".")[0].replace(/^(-?)0:0?/, "$1");
}

// "0:12:03.25" as a time of the log is read aloud: to the second.
export function brief(at) {
  return at.split(".")[0];
}

// "0:05:12.4" as the clocks show it, whole seconds rounded up: 5:13.
export function shown(span) {
  const nanos = parseSpan(span);
  return reading(nanos < 0 ? "over" : "down", nanos, 0, 0).text;
}

// An act with the readings that it changed: "Adjusted White: 5:00 → 6:00".
export function actText({ command, side, before, after }) {
  const name = [ACTS[command] ?? command.replaceAll("_", " "), side && TITLE[side]].filter(Boolean).join(" ");
  const changed = ["white", "black"]
    .filter((colour) => before?.[colour] !== after?.[colour])
    .map((colour) => `${colour === side ? "" : `${TITLE[colour]} `}${shown(before[colour])} → ${shown(after[colour])}`);
  return changed.length ? `${name}: ${changed.join(", ")}` : name;
}

// What another arbiter did since a state.
export function others(old, state) {
  const seen = old?.corrections?.at(-1)?.number ?? 0;
  const told = (state.corrections ?? []).filter(({ number }) => number > seen).map(actText);
  return told.length ? `${SAID.meanwhile}: ${told.join("; ")}.` : "";
}

// What changed between two states, for somebody who decided on the older one.
export function meanwhile(old, state) {
  const told = [others(old, state).replace(`${SAID.meanwhile}: `, "").replace(/\.$/, "")].filter(Boolean);
  for (const colour of ["white", "black"]) {
    const [before, after] = [old?.[colour]?.moves, state[colour].moves];
    if (before !== undefined && before !== null && after !== null && after > before) told.push(`${TITLE[colour]} pressed`);
  }
  if (old && old.state !== state.state) told.push(`now ${state.state}`);
  return told.length ? `${SAID.meanwhile}: ${told.join("; ")}. ${SAID.decideAgain}` : "";
}
