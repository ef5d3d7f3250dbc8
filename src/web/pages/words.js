// The words of the pages: messages of the clock's language, their gaps filled, and what is said in more than one place.

import { DIRECTION, LANGUAGE, MESSAGES } from "./messages.js";
import { parseSpan, reading } from "./reading.js";

const rules = new Intl.PluralRules(LANGUAGE);
// In a sentence from right to left a name or a time keeps its own direction.
const apart = DIRECTION === "rtl" ? (text) => `\u2068${text}\u2069` : (text) => text;

// The message `id`, with `given` in its gaps. One that is not there is shown by its id, like a gap that nothing fills.
export function word(id, given = {}) {
  const message = MESSAGES[id] ?? `{ ${id} }`;
  return typeof message === "string" ? message : filled(message, given);
}

// The message of a name that the clock has for something, `call_flag` of the family `act`; for one that is new the name
// itself, or `otherwise`.
export function wordOf(family, name, given = {}, otherwise = name.replaceAll("_", " ")) {
  const id = `${family}-${name.replaceAll("_", "-")}`;
  return Object.hasOwn(MESSAGES, id) ? word(id, given) : otherwise;
}

function filled(parts, given) {
  return parts.map((part) => (typeof part === "string" ? part : gap(part, given))).join("");
}

function gap({ argument, by, of, otherwise }, given) {
  if (argument) return apart(String(given[argument] ?? `{ $${argument} }`));
  const value = given[by];
  const category = typeof value === "number" ? rules.select(value) : "";
  return filled(of[value] ?? of[category] ?? otherwise, given);
}

export const TITLE = { white: word("white"), black: word("black") };
export const OTHER = { white: "black", black: "white" };

// What fills a sentence about a side.
export function of(colour) {
  return { side: TITLE[colour], colour };
}

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

// Which clock this is, as people call it.
export function boardOf(device) {
  if (device?.name) return device.name;
  return device?.number === undefined ? word("board-unknown") : word("board", { number: device.number });
}

// The same with its number in any case.
export function calledOf({ name, number }) {
  return name ? word("board-named", { name, number }) : word("board", { number });
}

// The same with the id that no other has.
export function deviceOf({ device }) {
  if (!device) return word("chess-clock");
  return device.id ? `${boardOf(device)} · ${device.id}` : boardOf(device);
}

// An act with the readings that it changed: "Adjusted White: 5:00 → 6:00".
export function actText({ command, side, before, after }) {
  const act = side ? word("act-of-side", { act: wordOf("act", command), ...of(side) }) : wordOf("act", command);
  const changed = ["white", "black"]
    .filter((colour) => before?.[colour] !== after?.[colour])
    .map((colour) => {
      const change = { old: shown(before[colour]), new: shown(after[colour]) };
      return colour === side ? word("reading-changed", change) : word("reading-of-side-changed", { ...change, ...of(colour) });
    });
  return changed.length ? word("act-changed", { act, changes: changed.join(", ") }) : act;
}

// Why the clock does not do something: in the page's words where it has a name for it, else as the clock says it.
export function refused({ because, sentence }) {
  if (!because) return sentence;
  const { code, side, command, ...given } = because;
  return wordOf("refusal", code, { ...given, ...(side && of(side)), ...(command && { act: wordOf("act", command) }) }, sentence);
}

// Who did it, and why. A program of the clock's own machine stands at the board.
export function signature({ who, source = "", reason }) {
  const host = source.replace(/:\d+$/, "");
  const place = /^(127\.|\[::1\])/.test(host) ? "socket" : host;
  return [who ?? wordOf("source", place, {}, place), reason].filter(Boolean);
}

function actsSince(old, state) {
  const seen = old?.corrections?.at(-1)?.number ?? 0;
  const acts = (state.corrections ?? []).filter(({ number }) => number > seen);
  return acts.map((act) => {
    const by = signature(act).join(", ");
    return by ? word("act-signed", { act: actText(act), by }) : actText(act);
  });
}

// What another arbiter did since a state.
export function others(old, state) {
  const told = actsSince(old, state);
  return told.length ? word("meanwhile", { what: told.join("; ") }) : "";
}

// What changed between two states, for somebody who decided on the older one.
export function meanwhile(old, state) {
  const told = actsSince(old, state);
  for (const colour of ["white", "black"]) {
    const [before, after] = [old?.[colour]?.moves, state[colour].moves];
    if (before !== undefined && before !== null && after !== null && after > before) told.push(word("side-pressed", of(colour)));
  }
  if (old && old.state !== state.state) told.push(wordOf("now", state.state));
  return told.length ? word("meanwhile-decide", { what: told.join("; ") }) : "";
}
