// Commands to the clock, each with the version that was on the screen and a name of its own, so that a repeat of it,
// after an answer that got lost, acts once.

import { byId, element } from "./view.js";

const PATIENCE = 4000;
const REPEATS = 3;
// What an arbiter means by these does not depend on the last press: after a stale answer they are sent anew.
const ANY_VERSION = ["pause", "call_flag", "claim_flag", "acknowledge", "close_call", "arrived"];

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
        const { status, body } = await this.#post({ ...command, version: this.#live.state.version, request_id: newId() });
        if (status === 200) {
          this.#live.take(body);
          const kept = body.durable === false ? " (in memory only: no disk takes the log)" : "";
          this.#say(`Done: ${command.command.replaceAll("_", " ")}${kept}`, false);
          return true;
        }
        if (body.state) this.#live.take(body.state);
        const stale = status === 409 && body.error.field === "version";
        if (stale && ANY_VERSION.includes(command.command) && tries > 1) continue;
        this.#say(body.error.sentence, true);
        return false;
      }
    } catch {
      this.#say("No answer from the clock: look at the readings before you do it again.", true);
      return false;
    }
  }

  async #post(body) {
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

  #say(text, bad) {
    const answer = byId("answer");
    clearTimeout(this.#fades);
    if (!bad) this.#fades = setTimeout(() => (answer.hidden = true), PATIENCE);
    answer.hidden = false;
    answer.className = bad ? "bad" : "good";
    answer.setAttribute("role", bad ? "alert" : "status");
    answer.textContent = text.charAt(0).toUpperCase() + text.slice(1);
  }
}

// A dialog of fields that makes one command. `fields` are {name, label, type, number, options, value, required, hint}; a
// field left empty is left out; "settings.x" goes into settings.
export function openForm({ title, text = "", apply, fields = [], danger = false }, send) {
  const dialog = byId("form");
  const form = dialog.querySelector("form");
  byId("form-title").textContent = title;
  byId("form-text").textContent = text;
  byId("form-text").hidden = !text;
  byId("form-problem").textContent = "";
  byId("form-apply").textContent = apply;
  byId("form-apply").classList.toggle("danger", danger);
  byId("form-fields").replaceChildren(...fields.map(fieldOf));
  byId("form-cancel").onclick = () => dialog.close();
  form.onsubmit = async (event) => {
    event.preventDefault();
    const command = {};
    for (const { name, type, number } of fields) {
      const input = form.querySelector(`[name="${name}"]`);
      const value = type === "choice" ? form.querySelector(`[name="${name}"]:checked`)?.value : input.value.trim();
      if (value) put(command, name, number ? Number(value) : value);
    }
    if (await send(command)) dialog.close();
    else byId("form-problem").textContent = byId("answer").textContent;
  };
  dialog.showModal();
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
