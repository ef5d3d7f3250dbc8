// What was: the readings after every move, to be restored; what was done, to be undone; the games of these days.

import { Preview } from "./sheet.js";
import { TITLE, actText, brief, shown, signature, word } from "./words.js";
import { byId, element } from "./view.js";

export class Past {
  #live;
  #commands;
  #preview;
  #command = null;

  constructor(live, commands) {
    this.#live = live;
    this.#commands = commands;
    this.#preview = new Preview(commands, byId("past-preview"), ({ problem }) => (byId("past-apply").disabled = Boolean(problem)));
    byId("past-cancel").onclick = () => byId("past").close();
    byId("past").onclose = () => this.#preview.end();
    byId("past-apply").onclick = () => this.#apply();
    byId("past").querySelector("form").onsubmit = (event) => event.preventDefault();
  }

  // The list of readings; the one that is tapped is shown as it would be.
  async restore() {
    this.#open(word("restore-title"), word("restore-text"), word("restore-apply"));
    const { moves } = await this.#get("moves");
    const rows = moves.toReversed().map((reading) => {
      const { side, move, at, white, black } = reading;
      const name = side ? `${TITLE[side]} ${move}` : word("restore-start");
      const node = element("button", { type: "button", className: "row-button" });
      node.append(element("strong", {}, name), element("span", {}, `${shown(white)} · ${shown(black)}`), element("small", {}, brief(at)));
      node.onclick = () => this.#choose(node, { command: "restore", side: side ?? "white", move });
      return node;
    });
    this.#fill(rows, word("no-moves"));
  }

  // Everything that can be undone, the last first.
  undo() {
    this.#open(word("undo-title"), word("undo-text"), word("undo"));
    const rows = (this.#live.state.corrections ?? []).toReversed().map((correction) => {
      const node = element("button", { type: "button", className: "row-button" });
      node.append(element("strong", {}, actText(correction)), element("small", {}, brief(correction.at)));
      const by = signature(correction).flatMap((part) => [" · ", element("bdi", {}, part)]);
      if (by.length) node.append(element("small", {}, ...by.slice(1)));
      node.onclick = () => this.#choose(node, { command: "undo", of: correction.number });
      return node;
    });
    this.#fill(rows, word("no-corrections"));
  }

  async games() {
    this.#open(word("games-title"), word("games-text"), "");
    const { games } = await this.#get("games");
    const rows = games.map((game) => {
      const names = ["white", "black"].map((colour) => game[colour]?.name || TITLE[colour]).join(" – ");
      const times = game.white ? `${shown(game.white.remaining)} · ${shown(game.black.remaining)}` : (game.trouble ?? "");
      const when = game.began ? new Date(game.began).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : game.log;
      const result = game.on ? word("game-on") : [game.result ?? word("game-no-result"), game.reason].filter(Boolean).join(", ");
      return element("div", { className: "row-button" }, element("strong", {}, names), element("span", {}, times), element("small", {}, `${when} · ${game.control ?? ""} · ${result}`));
    });
    this.#fill(rows, word("no-games"));
  }

  async #get(what) {
    try {
      const response = await fetch(`/api/v1/${what}`);
      const body = await response.json();
      if (response.ok) return body;
      byId("past-problem").textContent = body.error.sentence;
    } catch {
      byId("past-problem").textContent = word("not-now");
    }
    return { moves: [], games: [] };
  }

  #open(title, text, apply) {
    this.#command = null;
    byId("past-title").textContent = title;
    byId("past-text").textContent = text;
    byId("past-problem").textContent = "";
    byId("past-list").replaceChildren();
    byId("past-apply").hidden = !apply;
    byId("past-apply").textContent = apply;
    byId("past-apply").disabled = true;
    byId("past").showModal();
  }

  #fill(rows, none) {
    byId("past-list").replaceChildren(...(rows.length ? rows : [element("p", {}, none)]));
    byId("past-list").scrollTop = 0;
  }

  #choose(node, command) {
    this.#command = command;
    for (const other of byId("past-list").children) other.ariaPressed = String(other === node);
    byId("past-problem").textContent = "";
    this.#preview.show(command);
  }

  async #apply() {
    if (await this.#commands.send(this.#command)) byId("past").close();
    else byId("past-problem").textContent = byId("answer-text").textContent;
  }
}
