// The sheet of rulings: who, what, and what it will do; one more tap and it is done.

import { Preview } from "./sheet.js";
import { OTHER, of, word, wordOf } from "./words.js";
import { byId, element } from "./view.js";

export class Rulings {
  #live;
  #commands;
  #preview;
  #tables = {};
  #side = "white";
  #chosen = null;

  constructor(live, commands) {
    this.#live = live;
    this.#commands = commands;
    this.#preview = new Preview(commands, byId("rule-preview"), ({ problem }) => this.#may(!problem));
    byId("rule-cancel").onclick = () => byId("rule").close();
    byId("rule").onclose = () => this.#preview.end();
    byId("rule-apply").onclick = () => this.#apply();
    byId("rule-time").oninput = () => this.#try();
    byId("rule").querySelector("form").onsubmit = (event) => {
      event.preventDefault();
      if (!byId("rule-apply").disabled) this.#apply();
    };
    for (const colour of ["white", "black"]) byId(`rule-${colour}`).onclick = () => this.#choose(colour, this.#chosen);
  }

  async begin() {
    this.#tables = await (await fetch("/api/v1/rulings")).json();
  }

  open() {
    const state = this.#live.state;
    // Who pressed last is the likely offender.
    byId("rule-time").value = byId("rule-reason").value = "";
    byId("rule-problem").textContent = "";
    this.#choose(OTHER[state.to_move], null);
    byId("rule").showModal();
    byId("rule").scrollTop = 0;
  }

  #list() {
    return this.#tables[this.#live.state.settings?.profile] ?? [];
  }

  #choose(side, article) {
    this.#side = side;
    this.#chosen = article;
    for (const colour of ["white", "black"]) byId(`rule-${colour}`).ariaPressed = String(colour === side);
    const done = this.#live.state.offences?.[side]?.illegal_moves ?? 0;
    const rows = this.#list().map((ruling) => {
      const counted = done > 0 && /illegal/.test(ruling.article) ? word("ruling-so-far", { count: done }) : "";
      const minutes = ruling.loses || !ruling.minutes ? "" : wordOf("minutes", ruling.minutes);
      const more = wordOf("offence-more", ruling.article, {}, "");
      const details = [word("ruling-article", { clause: ruling.clause }), minutes, more, counted].filter(Boolean).join(" · ");
      const node = element("button", { type: "button", className: "ruling", onclick: () => this.#choose(side, ruling) });
      node.ariaPressed = String(ruling.article === article?.article);
      node.append(element("strong", {}, wordOf("offence", ruling.article)), element("small", {}, details));
      return node;
    });
    byId("rule-list").replaceChildren(...rows);
    byId("rule-apply").textContent = article ? word("ruling-apply", of(side)) : word("ruling-choose");
    byId("rule-more").hidden = !article;
    this.#may(false);
    this.#try();
    if (article) byId("rule-preview").scrollIntoView({ block: "nearest" });
  }

  #command() {
    const time = byId("rule-time").value.trim();
    const reason = byId("rule-reason").value.trim();
    return { command: "ruling", side: this.#side, article: this.#chosen.article, ...(time && { time }), ...(reason && { reason }) };
  }

  #try() {
    this.#preview.show(this.#chosen ? this.#command() : null);
  }

  #may(may) {
    byId("rule-apply").disabled = !may;
  }

  async #apply() {
    if (await this.#commands.send(this.#command())) byId("rule").close();
    else byId("rule-problem").textContent = byId("answer-text").textContent;
  }
}
