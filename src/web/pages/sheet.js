// What a command would do, told before it is given: old and new of both sides, in a dialog's own box. While the box is
// open the panels on the table show it too.

import { TITLE, of, others, word, wordOf } from "./words.js";
import { element } from "./view.js";

// The panels forget a preview after five seconds.
const AGAIN = 3000;
const SETTLE = 150;

export class Preview {
  #commands;
  #box;
  #command = null;
  #timer = 0;
  #asked = 0;
  #told;
  #live;
  #known = null;

  // `told` is called with each answer: {state} or {problem}.
  constructor(commands, box, told = () => {}) {
    this.#commands = commands;
    this.#live = commands.live;
    // What somebody else does meanwhile is seen at once, and said.
    this.#live.addEventListener("state", () => this.#command && this.show(this.#command));
    this.#box = box;
    this.#told = told;
  }

  // Shows what this command would do; null: nothing is chosen yet.
  show(command) {
    if (!this.#command || !command) this.#known = this.#live.state;
    this.#command = command;
    clearTimeout(this.#timer);
    if (command) this.#timer = setTimeout(() => this.#ask(), SETTLE);
    else this.#box.replaceChildren();
  }

  end() {
    this.show(null);
  }

  async #ask() {
    const turn = ++this.#asked;
    const command = this.#command;
    const { state, problem } = await this.#commands.preview(command);
    if (turn !== this.#asked || command !== this.#command || !command) return;
    const meanwhile = others(this.#known, this.#live.state);
    const told = state ? lines(state) : [element("p", { className: "problem" }, problem)];
    this.#box.replaceChildren(...told, ...(meanwhile ? [element("p", { className: "problem" }, meanwhile)] : []));
    this.#told({ state, problem });
    this.#timer = setTimeout(() => this.#ask(), problem === word("busy") ? SETTLE : AGAIN);
  }
}

// One line for each side, and one for what else changes.
function lines(state) {
  const { before } = state;
  const rows = ["white", "black"].map((colour) => {
    const row = element("p", { className: "change" }, element("span", { className: "who" }, TITLE[colour]));
    row.dataset.side = colour;
    const [old, next] = [before.texts[colour], state.texts[colour]];
    row.append(element("bdi", {}, old), ...(old === next ? [] : [` ${word("arrow")} `, element("strong", {}, element("bdi", {}, next))]));
    const [moves, then] = [before[colour].moves, state[colour].moves];
    if (moves !== then && then !== null) row.append(element("small", {}, ` ${word("preview-moves", { from: moves, to: then })}`));
    const flag = Boolean(before[colour].flag) !== Boolean(state[colour].flag);
    if (flag) row.append(element("small", {}, ` ${word(state[colour].flag ? "preview-flag-down" : "preview-flag-lifted")}`));
    row.classList.toggle("same", old === next && !row.querySelector("small"));
    return row;
  });
  const also = [];
  if (before.state !== state.state) also.push(wordOf("then", state.state));
  if (before.to_move !== state.to_move) also.push(word("side-to-move", of(state.to_move)));
  if (before.left !== state.left) also.push(word("sits-left", of(state.left)));
  if (state.proposed_result && state.event === "ruling") also.push(word("proposed", { result: state.proposed_result }));
  if (state.can_mate) also.push(...["white", "black"].map((colour) => word(state.can_mate[colour] ? "can-mate" : "cannot-mate", of(colour))));
  const same = rows.every((row) => row.classList.contains("same"));
  if (same && !also.length) also.push(word("nothing-would-change"));
  return [...rows, ...(also.length ? [element("p", { className: "also" }, also.join(" · "))] : [])];
}
