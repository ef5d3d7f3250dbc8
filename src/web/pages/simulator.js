// The simulated clock: both buttons as raw edges, the tilt sensor, and what the panels show.

import { byId } from "./view.js";
import { word } from "./words.js";

const KEYS = { ShiftLeft: "left", ShiftRight: "right" };
const SIDES = ["left", "right"];
// A picture that is on its way for so long (in milliseconds) got lost.
const LOST = 3000;

export class Simulator {
  #down = { left: false, right: false };
  #last = Promise.resolve();
  #tilted = false;
  #live;
  #toggle;

  // `toggle` pauses or resumes.
  constructor(live, toggle) {
    this.#live = live;
    this.#toggle = toggle;
  }

  begin() {
    for (const side of SIDES) this.#button(side);
    addEventListener("keydown", (event) => this.#key(event, true));
    addEventListener("keyup", (event) => this.#key(event, false));
    // A key that is let go in another window is not heard here.
    addEventListener("blur", () => SIDES.forEach((side) => this.#edge(side, false)));
    byId("tilt").onclick = () => this.#post("tilt", { tilted: byId("tilt").ariaPressed !== "true" });
    setInterval(() => this.draw(), 1000);
    this.draw();
  }

  // Fetches both pictures anew; one that is still on its way is not asked for again.
  draw() {
    byId("simulator").hidden = !this.#live.state?.simulated;
    if (document.hidden || byId("simulator").hidden) return;
    for (const side of SIDES) {
      const image = byId(`panel-${side}`);
      const now = performance.now();
      if (now - Number(image.dataset.loading ?? -LOST) < LOST) continue;
      image.dataset.loading = now;
      image.onload = image.onerror = () => delete image.dataset.loading;
      image.src = `/sim/v1/panel/${side}.png?${Math.round(now)}`;
    }
    // The sensor's level is ours until the clock says that it fell or stands again.
    const tilted = Boolean(this.#live.state?.tilted);
    if (tilted !== this.#tilted) this.#showTilt(tilted);
    this.#tilted = tilted;
  }

  #button(side) {
    const node = byId(`button-${side}`);
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      this.#edge(side, true);
    });
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) node.addEventListener(name, () => this.#edge(side, false));
    // Long presses are presses here, not menus.
    node.addEventListener("contextmenu", (event) => event.preventDefault());
    const holds = (event) => event.code === "Space" || event.code === "Enter";
    node.addEventListener("keydown", (event) => holds(event) && !event.repeat && this.#edge(side, true));
    node.addEventListener("keyup", (event) => holds(event) && this.#edge(side, false));
  }

  #key(event, active) {
    if (event.repeat || document.querySelector("dialog[open]")) return;
    if (KEYS[event.code]) this.#edge(KEYS[event.code], active);
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea, button, summary");
    if (event.code === "Space" && active && !typing) {
      event.preventDefault();
      this.#toggle();
    }
  }

  #edge(side, active) {
    if (this.#down[side] === active) return;
    this.#down[side] = active;
    byId(`button-${side}`).classList.toggle("down", active);
    this.#post("edge", { line: `${side}_button`, active });
  }

  // One after the other: a release must not overtake its press.
  #post(what, body) {
    this.#last = this.#last.then(() => this.#send(what, body));
  }

  async #send(what, body) {
    const headers = { "Content-Type": "application/json" };
    try {
      const response = await fetch(`/sim/v1/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (response.ok && what === "tilt") this.#showTilt(body.tilted);
    } catch {
      // The page is about to be stale and says so itself.
    }
    this.draw();
  }

  #showTilt(tilted) {
    byId("tilt").ariaPressed = String(tilted);
    byId("tilt").textContent = word(tilted ? "set-upright" : "knock-over");
  }
}
