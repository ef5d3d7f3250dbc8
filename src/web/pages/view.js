// The state as an arbiter sees it: both clocks as they stand on the table, who runs, and what needs somebody.

import { formOf, parseSpan, reading, readingsAt } from "./reading.js";
import { OTHER, TITLE, brief, deviceOf, of, shortly, word, wordOf } from "./words.js";

export function byId(id) {
  return document.getElementById(id);
}

export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function button(label, act, kind = "") {
  return element("button", { type: "button", className: `act ${kind}`, textContent: label, onclick: act });
}

// How wide a text is in its font, in ems: digits are all of one width, so it follows from the text's pattern.
export function widthOf(text, node) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `700 100px ${getComputedStyle(node).fontFamily}`;
  return (pen.measureText(text.replace(/\d/g, "0")).width / 100).toFixed(2);
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export class View {
  #cards = {};
  #acts;

  // `acts` are the callbacks of the buttons inside: correct, flag, claim, arrived, acknowledge, acknowledgeMark,
  // closeCall.
  constructor(acts) {
    this.#acts = acts;
    for (const colour of ["white", "black"]) {
      const card = byId("side").content.firstElementChild.cloneNode(true);
      card.id = colour;
      card.querySelector(".colour").textContent = TITLE[colour];
      card.querySelector(".piece").classList.add(colour);
      this.#cards[colour] = card;
    }
  }

  // All but the readings.
  show(state) {
    const left = state.left;
    const clocks = byId("clocks");
    if (clocks.firstElementChild !== this.#cards[left]) clocks.replaceChildren(this.#cards[left], this.#cards[OTHER[left]]);
    const device = deviceOf(state);
    setText(byId("device"), device);
    setText(byId("control"), state.control);
    byId("control").title = state.control_text ?? "";
    setText(byId("state"), sentence(state));
    document.title = `${device} · ${sentence(state)}`;
    document.body.dataset.state = state.state;
    byId("tilted").hidden = !state.tilted;
    byId("message").hidden = !state.message;
    setText(byId("message"), state.message ? word("message-to-players", { text: state.message }) : "");
    this.#warnings(state.health);
    for (const colour of ["white", "black"]) this.#side(state, colour);
    this.#incidents(state);
  }

  // The readings at an instant of the clock; returns for how many nanoseconds they stay right.
  count(state, now) {
    const sides = readingsAt(state, now);
    const tenthsBelow = parseSpan(state.settings?.tenths_below ?? "0:00:20");
    let stays = 1_000_000_000;
    if (state.starts_in) setText(byId("state"), word("starts-in", { sentence: sentence(state), time: countdown(state, now) }));
    for (const colour of ["white", "black"]) {
      const { remaining, delay } = sides[colour];
      const form = formOf(state.control, colour);
      // A side that waits shows the delay to come where it has no other time.
      const waits = state.state === "ready" || state.to_move !== colour;
      const comes = waits && !state[colour].flag && state.state !== "ended";
      const toCome = parseSpan(state.delay_to_come?.[colour] ?? "0:00:00");
      const shown = reading(form, remaining, comes ? toCome : delay, tenthsBelow);
      const lowBelow = parseSpan(state.low_time_below?.[colour] ?? "0:00:00");
      const card = this.#cards[colour];
      const node = card.querySelector(".reading");
      if (node.textContent.length !== shown.text.length) node.style.setProperty("--ems", widthOf(shown.text, node));
      setText(node, shown.text);
      card.classList.toggle("low", form !== "up" && remaining < lowBelow);
      const delaying = card.querySelector(".delay");
      if (delaying) setText(delaying, reading("down", delay, 0, tenthsBelow).text);
      const due = delay > 0 ? Math.min(delay, shown.stays ?? delay) : shown.stays;
      if (state.running && due) stays = Math.min(stays, due);
    }
    return stays;
  }

  #side(state, colour) {
    const side = state[colour];
    const card = this.#cards[colour];
    const runs = state.running === colour;
    card.classList.toggle("runs", runs);
    card.classList.toggle("to-move", state.to_move === colour && state.state !== "ended");
    card.classList.toggle("flagged", Boolean(side.flag));
    setText(card.querySelector(".name"), state.names?.[colour] ?? "");
    setText(card.querySelector(".seat"), word(state.left === colour ? "seat-left" : "seat-right"));
    setText(card.querySelector(".turn"), turn(state, colour));
    card.querySelector(".facts").replaceChildren(...facts(side, state, state.offences?.[colour], state.assistants?.[colour]));
    this.#mark(card, colour, side.control_mark);
    this.#flag(card, colour, side.flag);
    const acts = [button(word("change"), () => this.#acts.correct(colour))];
    acts[0].ariaLabel = word("change-of-side", of(colour));
    const waited = state.state === "ready" || (state.state === "running" && side.moves === 0);
    if (waited && state.arrived && !state.arrived[colour]) acts.push(button(word("arrived"), () => this.#acts.arrived(colour)));
    keep(card.querySelector(".side-actions"), acts);
  }

  // A mark of moves that were not made goes with its incident; one of a control that was met has a button of its own.
  #mark(card, colour, mark) {
    const box = card.querySelector(".mark");
    box.hidden = !mark;
    if (!mark) return;
    const unmet = mark.moves < (mark.demanded ?? 0);
    setText(card.querySelector(".mark-text"), markText(mark));
    box.classList.toggle("unmet", unmet);
    const seen = button(word("seen"), () => this.#acts.acknowledgeMark(colour));
    seen.ariaLabel = word("seen-what", { what: markText(mark) });
    keep(card.querySelector(".mark-actions"), unmet ? [] : [seen]);
  }

  #flag(card, colour, flag) {
    const box = card.querySelector(".flag");
    box.hidden = !flag;
    if (!flag) return;
    const order = word({ true: "fell-first", false: "fell-second" }[flag.first] ?? "order-unknown");
    const facts = [word("flag-told", { order, at: brief(flag.at) })];
    if (flag.seen) facts.push(word("flag-seen", { at: brief(flag.seen) }));
    if (flag.claimed) facts.push(word("flag-claimed", { at: brief(flag.claimed) }));
    setText(card.querySelector(".flag-text"), facts.join(" · "));
    const acts = [];
    if (!flag.seen) acts.push(button(word("saw-it"), () => this.#acts.flag(colour)));
    if (!flag.claimed) acts.push(button(word("side-claims", of(OTHER[colour])), () => this.#acts.claim(colour)));
    keep(card.querySelector(".flag-actions"), acts);
  }

  #warnings(health) {
    const warnings = [...(health?.warnings ?? [])];
    if (health && health.realtime === false && !warnings.length) warnings.push(word("no-realtime"));
    byId("warnings").hidden = !warnings.length;
    const texts = warnings.map((warning) => (typeof warning === "string" ? warning : (warning.sentence ?? JSON.stringify(warning))));
    if (byId("warnings").textContent !== texts.join("")) byId("warnings").replaceChildren(...texts.map((text) => element("li", {}, text)));
  }

  #incidents(state) {
    const incidents = state.incidents ?? [];
    byId("attention").hidden = !incidents.length;
    const list = byId("incidents");
    const known = new Map([...list.children].map((item) => [item.dataset.id, item]));
    const items = incidents.map((incident) => known.get(nameOf(incident)) ?? this.#incident(incident));
    keep(list, items, (item) => item.dataset.id);
  }

  #incident(incident) {
    const item = element("li", {});
    item.dataset.id = nameOf(incident);
    item.dataset.kind = incident.kind;
    const title = titleOf(incident);
    const at = brief(incident.at);
    const details = [incident.until ? word("from-to", { from: at, to: brief(incident.until) }) : word("at", { at })];
    if (incident.used) details.push(word("on-this-move", { time: shortly(incident.used) }));
    if (incident.moves !== undefined) details.push(word("moves-of", { count: incident.moves, demanded: incident.demanded }));
    if (incident.readings) details.push(word("readings-then", { white: shortly(incident.readings.white), black: shortly(incident.readings.black) }));
    item.append(element("p", {}, element("strong", {}, title), element("small", {}, details.join(" · "))));
    const acts = element("div", { className: "row" });
    if (incident.kind === "call") {
      acts.append(button(word("justified"), () => this.#acts.closeCall(true)), button(word("not-justified"), () => this.#acts.closeCall(false)));
    } else {
      const acknowledge = button(word("acknowledge"), () => this.#acts.acknowledge(incident.id));
      acknowledge.ariaLabel = word("acknowledge-what", { what: title });
      acts.append(acknowledge);
    }
    item.append(acts);
    return item;
  }
}

function titleOf({ kind, side }) {
  return wordOf("kind", kind, side ? of(side) : { colour: "nobody" });
}

// An incident that is over says so: it is drawn anew then.
function nameOf({ id, kind, at, until }) {
  return [id, kind, at, until ?? ""].join(" ");
}

// Puts `made` into `box` unless it holds the same already: a button that is being pressed is not taken away.
export function keep(box, made, name = (node) => node.textContent + node.className) {
  const same = box.children.length === made.length && made.every((node, index) => name(node) === name(box.children[index]));
  if (!same) box.replaceChildren(...made);
}

export function sentence(state) {
  if (state.state === "ready" && state.health?.hardware === "waiting") return word("waiting-for-hardware");
  if (state.state === "running") return word("clock-runs", of(state.running));
  if (state.state === "paused") return word("paused-to-move", of(state.to_move));
  if (state.state === "ready") return state.scheduled ? word("ready-at", { when: scheduled(state.scheduled) }) : word("ready");
  return ended(state);
}

// An instant of the log as it is, one of the wall clock in the reader's own zone.
function scheduled(when) {
  return when.includes("T") ? new Date(when).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : brief(when);
}

// How long until a scheduled start, by the clock's own time.
function countdown(state, now) {
  const left = Math.max(0, parseSpan(state.starts_in) - (now - parseSpan(state.at)));
  return reading("down", Math.ceil(left / 1e9) * 1e9, 0, 0).text;
}

function ended(state) {
  const result = state.result;
  if (result) return word("ended-result", { result: [result.result ?? result, result.reason].filter(Boolean).join(" · ") });
  const flagged = ["white", "black"].filter((colour) => state[colour].flag);
  if (flagged.length === 2) return word("ended-both-flags");
  return flagged.length ? word("ended-flag", of(flagged[0])) : word("ended");
}

function turn(state, colour) {
  if (state.running === colour) return word("runs");
  if (state[colour].flag) return word("flag-down");
  if (state.state === "paused") return word(state.to_move === colour ? "to-move" : "stopped");
  if (state.state === "ready") return word(state.arrived?.[colour] ? "here" : "not-seen-yet");
  return word(state.state === "ended" ? "stopped" : "waits");
}

function facts(side, state, offences, assistant) {
  const rows = [];
  if (side.moves !== null && side.moves !== undefined) rows.push([word("fact-moves"), String(side.moves)]);
  if (/[:/]/.test(state.control.replace(/\d+:\d\d:\d\d/g, ""))) rows.push([word("fact-period"), String(side.period)]);
  if (side.spells_left !== null && side.spells_left !== undefined) rows.push([word("fact-spells"), String(side.spells_left)]);
  if (side.block_moves_left !== null && side.block_moves_left !== undefined) rows.push([word("fact-to-go"), String(side.block_moves_left)]);
  if (assistant) rows.push([word("fact-assistant"), assistant]);
  const done = offences ?? {};
  if (done.illegal_moves) rows.push([word("fact-illegal"), String(done.illegal_moves)]);
  if (done.others) rows.push([word("fact-offences"), String(done.others)]);
  const facts = rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  if (parseSpan(side.delay_left) > 0) facts.push(element("div", {}, element("dt", {}, word("fact-delay")), element("dd", { className: "delay" })));
  return facts;
}

function markText({ period, at, moves, demanded }) {
  const mark = { period, at: brief(at), count: moves, demanded };
  if (!demanded) return word("mark-free", mark);
  return word(moves < demanded ? "mark-unmet" : "mark-met", mark);
}
