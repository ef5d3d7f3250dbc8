// The dialog that changes one side's clock: steps or a typed time, moves and period; old and new stand side by side
// before anything is sent.

import { formOf, formatSpan, parseSpan, readTyped, reading, readingsAt } from "./reading.js";
import { Preview } from "./sheet.js";
import { of, word } from "./words.js";
import { byId, button } from "./view.js";

const SECOND = 1_000_000_000;
const STEPS = [-300, -120, -60, -10, 300, 120, 60, 10];

function stepText(seconds) {
  const [sign, size] = [seconds < 0 ? "−" : "+", Math.abs(seconds)];
  return size < 60 ? word("step-seconds", { step: `${sign}${size}` }) : word("step-minutes", { step: `${sign}${size / 60}` });
}

export class Correct {
  #live;
  #send;
  #colour = "white";
  #by = 0;
  #begun = {};
  #preview;

  constructor(live, commands) {
    this.#live = live;
    this.#send = (command) => commands.send(command);
    this.#preview = new Preview(commands, byId("correct-preview"));
    byId("correct").onclose = () => this.#preview.end();
    for (const id of ["correct-moves", "correct-period"]) byId(id).oninput = () => this.#try();
    byId("steps").append(...STEPS.map((seconds) => button(stepText(seconds), () => this.#step(seconds * SECOND))));
    byId("correct-cancel").onclick = () => byId("correct").close();
    byId("correct-apply").onclick = () => this.#apply();
    byId("correct-time").oninput = () => {
      this.#by = 0;
      this.count();
      this.#try();
    };
    byId("correct").querySelector("form").onsubmit = (event) => {
      event.preventDefault();
      this.#apply();
    };
  }

  open(colour) {
    this.#colour = colour;
    this.#by = 0;
    const { moves, period } = this.#live.state[colour];
    this.#begun = { moves, period };
    byId("correct-title").textContent = word("correct-title", of(colour));
    byId("correct-time").value = "";
    byId("correct-reason").value = "";
    byId("correct-moves").value = moves ?? "";
    byId("correct-period").value = period;
    byId("correct-problem").textContent = "";
    this.count();
    this.#try();
    byId("correct").showModal();
  }

  // Shows old and new as of now; called whenever a reading may have changed.
  count() {
    const { remaining } = readingsAt(this.#live.state, this.#live.now())[this.#colour];
    const next = this.#next(remaining);
    setText("correct-old", this.#text(remaining));
    setText("correct-new", next === null ? "?" : this.#text(next));
  }

  #text(nanos) {
    const state = this.#live.state;
    const below = parseSpan(state.settings?.tenths_below ?? "0:00:20");
    const form = formOf(state.control, this.#colour);
    // What is below zero in a clock that stops there is shown as such: the clock will refuse it.
    return reading(nanos < 0 ? "over" : form, nanos, 0, below).text;
  }

  #typed() {
    return byId("correct-time").value.trim();
  }

  #next(remaining) {
    return this.#typed() ? readTyped(this.#typed()) : remaining + this.#by;
  }

  #step(nanos) {
    byId("correct-time").value = "";
    this.#by += nanos;
    this.count();
    this.#try();
  }

  // The clock's own word on it, also on the panels: of the first thing that would be sent.
  #try() {
    this.#preview.show(this.#typed() && readTyped(this.#typed()) === null ? null : (this.#commands()[0] ?? null));
  }

  #commands() {
    const reason = byId("correct-reason").value.trim();
    const common = { side: this.#colour, ...(reason && { reason }) };
    const set = {};
    if (this.#typed()) set.remaining = formatSpan(readTyped(this.#typed()));
    for (const field of ["moves", "period"]) {
      const value = byId(`correct-${field}`).value;
      if (value !== "" && Number(value) !== this.#begun[field]) set[field] = Number(value);
    }
    const commands = [];
    if (this.#by) commands.push({ command: "adjust", ...common, by: (this.#by > 0 ? "+" : "") + formatSpan(this.#by) });
    if (Object.keys(set).length) commands.push({ command: "set", ...common, ...set });
    return commands;
  }

  async #apply() {
    if (this.#typed() && readTyped(this.#typed()) === null) {
      byId("correct-problem").textContent = word("correct-wrong-time");
      byId("correct-time").focus();
      return;
    }
    for (const command of this.#commands()) {
      if (!(await this.#send(command))) {
        byId("correct-problem").textContent = byId("answer-text").textContent;
        return;
      }
      this.#by = 0;
    }
    byId("correct").close();
  }
}

function setText(id, text) {
  if (byId(id).textContent !== text) byId(id).textContent = text;
}
