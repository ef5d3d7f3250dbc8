// Commands to the clock, each with the version that was on the screen and a name of its own, so that a repeat of it,
// after an answer that got lost, acts once.

import { Preview } from "./sheet.js";
import { actText, meanwhile, refused, word, wordOf } from "./words.js";
import { byId, element } from "./view.js";

const PATIENCE = 4000;
const REPEATS = 3;
// An act can be taken back by the bar that tells of it for so long.
const UNDO = 12000;
// What an arbiter means by these does not depend on the last press: after a stale answer they are sent anew.
const ANY_VERSION = ["pause", "call_flag", "claim_flag", "acknowledge", "close_call", "arrived", "message", "undo"];

function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Commands {
  #live;
  #last = Promise.resolve();
  #waiting = new Set();
  #fades = 0;

  constructor(live) {
    this.#live = live;
  }

  get live() {
    return this.#live;
  }

  // Sends one command after those before it and says what became of it; true if it was done. A second click on what is
  // on its way already is no second command.
  async send(command) {
    const name = JSON.stringify(command);
    if (this.#live.stale || this.#waiting.has(name)) return false;
    this.#waiting.add(name);
    document.body.classList.add("busy");
    const sent = this.#last.then(() => this.#decide(command));
    this.#last = sent;
    const done = await sent;
    this.#waiting.delete(name);
    document.body.classList.toggle("busy", this.#waiting.size > 0);
    return done;
  }

  async #decide(command) {
    try {
      for (let tries = REPEATS; ; tries -= 1) {
        const known = this.#live.state;
        const { status, body } = await this.#post({ ...command, version: known.version, request_id: newId() });
        if (status === 200) {
          this.#live.take(body);
          const correction = body.corrections?.at(-1);
          const undoable = correction && correction.version > known.version && command.command !== "undo" ? correction : null;
          const what = undoable ? actText(undoable) : wordOf("done", command.command, {}, wordOf("act", command.command));
          this.#say(word(body.durable === false ? "done-in-memory" : "done", { what }), false, undoable);
          return true;
        }
        if (body.state) this.#live.take(body.state);
        const stale = status === 409 && body.error.field === "version";
        if (stale && ANY_VERSION.includes(command.command) && tries > 1) continue;
        this.#say((stale && meanwhile(known, body.state)) || refused(body.error), true);
        return false;
      }
    } catch {
      this.#say(word("no-answer"), true);
      return false;
    }
  }

  // What the command would do, or why it cannot be done; the panels show it too. Nothing is done.
  async preview(command) {
    if (this.#live.stale) return { problem: word("not-now") };
    try {
      const { status, body } = await this.#post({ ...command, preview: true, show: true });
      return status === 200 ? { state: body } : { problem: status === 503 ? word("busy") : refused(body.error) };
    } catch {
      return { problem: word("not-now") };
    }
  }

  async #post(command) {
    // Which clock is meant: another one that answers at this address now does not act.
    const body = { ...command, device: this.#live.device ?? undefined };
    for (let tries = REPEATS; ; tries -= 1) {
      try {
        const response = await fetch("/api/v1/commands", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(PATIENCE),
        });
        return { status: response.status, body: await response.json() };
      } catch (error) {
        if (tries <= 1) throw error;
      }
    }
  }

  #say(text, bad, undoable = null) {
    const answer = byId("answer");
    clearTimeout(this.#fades);
    if (!bad) this.#fades = setTimeout(() => (answer.hidden = true), undoable ? UNDO : PATIENCE);
    answer.hidden = false;
    answer.className = bad ? "bad" : "good";
    answer.setAttribute("role", bad ? "alert" : "status");
    const said = element("span", { id: "answer-text" }, text.charAt(0).toUpperCase() + text.slice(1));
    const undo = element("button", { type: "button", className: "act undo", textContent: word("undo") });
    undo.onclick = () => this.send({ command: "undo", of: undoable.number });
    answer.replaceChildren(said, ...(undoable ? [undo] : []));
  }
}

// A dialog of fields that makes one command. `fields` are {name, label, type, number, options, value, required, hint}; a
// field left empty is left out; "settings.x" goes into settings. With `preview`, (commands, make) where `make` makes the
// command of the fields, the form shows what it would do.
export function openForm({ title, text = "", apply, fields = [], danger = false, preview = null }, send) {
  const dialog = byId("form");
  const shown = preview && new Preview(preview.commands, byId("form-preview"));
  byId("form-preview").replaceChildren();
  byId("form-preview").classList.toggle("awaited", Boolean(preview));
  const form = dialog.querySelector("form");
  byId("form-title").textContent = title;
  byId("form-text").textContent = text;
  byId("form-text").hidden = !text;
  byId("form-problem").textContent = "";
  byId("form-apply").textContent = apply;
  byId("form-apply").classList.toggle("danger", danger);
  byId("form-fields").replaceChildren(...fields.map(fieldOf));
  byId("form-cancel").onclick = () => dialog.close();
  const read = () => {
    const command = {};
    for (const { name, type, number, empty } of fields) {
      const input = form.querySelector(`[name="${name}"]`);
      const value = type === "choice" ? form.querySelector(`[name="${name}"]:checked`)?.value : input.value.trim();
      if (value || empty) put(command, name, number ? Number(value) : value);
    }
    return command;
  };
  const missing = () => fields.some(({ name, required }) => required && !read()[name] && name !== "reason");
  const tryIt = () => shown?.show(missing() ? null : preview.make(read()));
  byId("form-fields").oninput = tryIt;
  dialog.onclose = () => shown?.end();
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (await send(read())) dialog.close();
    else byId("form-problem").textContent = byId("answer-text")?.textContent ?? "";
  };
  dialog.showModal();
  tryIt();
}

function put(command, name, value) {
  const [group, inner] = name.split(".");
  if (inner) (command[group] ??= {})[inner] = value;
  else command[group] = value;
}

function fieldOf({ name, label, type = "text", number = false, options = [], value = "", required = false, hint = "", onchange }) {
  if (type === "choice") {
    const choices = options.map(([key, text]) =>
      element("label", { className: "choice" }, element("input", { type: "radio", name, value: key, checked: key === value, required }), text),
    );
    return element("fieldset", {}, element("legend", {}, label), ...choices);
  }
  let input;
  if (type === "select") {
    input = element("select", { name }, ...options.map(([key, text]) => element("option", { value: key, selected: key === value }, text)));
  } else {
    input = element("input", { name, type, value, required, placeholder: hint, autocomplete: "off", maxLength: 120 });
    if (number) input.inputMode = "numeric";
  }
  if (onchange) input.oninput = () => onchange(input);
  return element("label", {}, label, " ", input);
}
