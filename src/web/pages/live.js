// The live connection: the state as the clock last told it, what time it is there, and whether that can be trusted.
//
// Time here is performance.now() alone: a phone whose wall clock is wrong shows the same readings. A beat each second
// says that the clock is there; without it the page is stale, and the connection is made anew until it is back.

import { parseSpan } from "./reading.js";
import { calledOf, word } from "./words.js";

const STALE_AFTER = 2500;
const ASLEEP_AFTER = 1500;
const TRY_AGAIN = 2000;
const LOOK = 250;
const SAMPLES = 8;
const STEP_BACK = 5_000_000_000;

// Every event that carries a whole state. A name that is missing here is caught up with at the next beat.
const EVENTS = [
  "state", "setup", "press", "start", "read", "edge", "tilt", "ignored", "both_pressed", "refused", "pairing", "restart", "flag",
  "period", "spell", "gong", "incident", "schedule", "pause", "resume", "set", "adjust", "change_control", "swap_sides",
  "call_flag", "claim_flag", "penalty", "arrived", "assistant", "assistant_press", "call", "close_call", "acknowledge",
  "take_back", "restore", "result", "new_game", "mark", "knock", "upright", "taken_over", "replaced", "reinstate",
  "ruling", "undo", "message",
];

export class Live extends EventTarget {
  state = null;
  // The clock that this page is of, by its id; another one at the same address is told, and not shown (B61). One that got
  // another number or name meanwhile may stand at another table: whoever loads the page again has seen which it is.
  device = null;
  #called = null;
  another = false;
  stale = true;
  reason = "";
  #source = null;
  #heard = -Infinity;
  #tried = -Infinity;
  #offsets = [];
  #lastAt = 0;
  #behind = 0;

  begin() {
    setInterval(() => this.#look(STALE_AFTER), LOOK);
    const wake = () => document.hidden || this.#look(ASLEEP_AFTER);
    document.addEventListener("visibilitychange", wake);
    document.addEventListener("resume", wake);
    addEventListener("pageshow", wake);
    addEventListener("online", wake);
    this.#connect();
  }

  // The clock's own time now, in nanoseconds: the way takes time, so the sample that came quickest is the truest.
  now() {
    return this.#offsets.length ? here() + Math.max(...this.#offsets) : this.#lastAt;
  }

  // Takes the state that a command was answered with, unless a newer one is here already.
  take(state) {
    if (this.#isAnother(state)) return;
    if (!this.state || isAsNew(state, this.state)) this.#show(state, state.event ?? "state");
  }

  #connect() {
    this.#tried = performance.now();
    this.#source?.close();
    const source = new EventSource("/api/v1/events");
    this.#source = source;
    const mine = (listener) => (event) => source === this.#source && listener(event);
    source.addEventListener("open", mine(() => (this.#offsets = [])));
    for (const name of EVENTS) source.addEventListener(name, mine((event) => this.#hear(name, JSON.parse(event.data))));
    source.addEventListener("beat", mine((event) => this.#beat(JSON.parse(event.data))));
    source.addEventListener("lost", mine((event) => this.#lose(JSON.parse(event.data).sentence)));
  }

  #hear(name, state) {
    if (this.#isAnother(state)) return;
    this.#sample(state.at, ["setup", "new_game", "restart", "taken_over"].includes(name));
    this.#behind = 0;
    this.#show(state, name);
    this.#trust();
  }

  #beat({ at, version }) {
    this.#sample(at, false);
    // What time it is there may be news to a page that slept.
    this.dispatchEvent(new Event("beat"));
    // A change whose event was not heard: two beats later the connection is made anew, which brings the whole state.
    this.#behind = this.state?.version === version ? 0 : this.#behind + 1;
    if (this.#behind > 1) {
      this.#behind = 0;
      this.#connect();
    } else if (this.state) this.#trust();
  }

  #sample(at, fresh) {
    const there = parseSpan(at);
    // Another log has begun: its time has nothing to do with the last one's.
    if (fresh || there < this.#lastAt - STEP_BACK) this.#offsets = [];
    this.#lastAt = there;
    this.#offsets = [...this.#offsets.slice(1 - SAMPLES), there - here()];
  }

  #isAnother(state) {
    const { id } = state.device ?? {};
    const called = calledOf(state.device ?? {});
    if (id) [this.device, this.#called] = [this.device ?? id, this.#called ?? called];
    if (!id || (id === this.device && called === this.#called)) return false;
    this.another = true;
    this.#source?.close();
    this.#lose(id === this.device ? word("clock-renamed", { old: this.#called, new: called }) : word("another-clock-answers", { clock: called, id }));
    return true;
  }

  // What the clock waits for stands in its health; what can be done is the same as in any game that is ready.
  #show(state, name) {
    if (state.state === "waiting") state.state = "ready";
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: name }));
  }

  #trust() {
    this.#heard = performance.now();
    if (!this.stale) return;
    this.stale = false;
    this.reason = "";
    this.dispatchEvent(new Event("trust"));
  }

  #lose(reason) {
    if (this.reason === reason && this.stale) return;
    this.reason = reason;
    this.stale = true;
    this.dispatchEvent(new Event("trust"));
  }

  #look(patience) {
    const now = performance.now();
    if (this.another || now - this.#heard < patience) return;
    this.#lose(this.reason);
    if (now - this.#tried >= Math.min(TRY_AGAIN, patience)) this.#connect();
  }
}

// Whoever is not shown versions has the time of the log.
function isAsNew(one, other) {
  return one.version === null ? parseSpan(one.at) >= parseSpan(other.at) : one.version >= other.version;
}

function here() {
  return Math.round(performance.now() * 1_000_000);
}
