// The spectators' page: both clocks, large, and nothing to press. What a profile hides from them is not here (F6.15).

import { Live } from "./live.js";
import { formOf, parseSpan, reading, readingsAt } from "./reading.js";
import { byId, sentence, widthOf } from "./view.js";
import { OTHER, TITLE, deviceOf, word } from "./words.js";

const live = new Live();
const cards = {};
let timer = 0;

for (const colour of ["white", "black"]) {
  const card = byId("side").content.firstElementChild.cloneNode(true);
  card.id = colour;
  card.querySelector(".piece").classList.add(colour);
  cards[colour] = card;
}

function note(state, colour) {
  const side = state[colour];
  if (side.flag) return word(state[OTHER[colour]].flag && side.flag.first === null ? "flag-down-order-unknown" : "flag-down");
  const parts = [];
  if (state.settings?.show_moves && side.moves !== null) parts.push(word("watch-moves", { count: side.moves }));
  if (side.spells_left) parts.push(word("watch-periods-left", { count: side.spells_left }));
  if (state.state === "paused" && state.to_move === colour) parts.push(word("to-move"));
  return parts.join(" · ");
}

function show() {
  const { state } = live;
  document.body.dataset.state = state.state;
  const device = deviceOf(state);
  byId("device").textContent = device;
  byId("state").textContent = sentence(state);
  document.title = word("spectators-title", { clock: device });
  if (byId("clocks").firstElementChild !== cards[state.left]) byId("clocks").replaceChildren(cards[state.left], cards[OTHER[state.left]]);
  for (const colour of ["white", "black"]) {
    const card = cards[colour];
    card.classList.toggle("runs", state.running === colour);
    card.classList.toggle("flagged", Boolean(state[colour].flag));
    card.querySelector(".name").textContent = state.names?.[colour] || TITLE[colour];
    card.querySelector(".note").textContent = note(state, colour);
  }
  trust();
  count();
}

function count() {
  clearTimeout(timer);
  if (!live.state || live.stale) return;
  const { state } = live;
  const sides = readingsAt(state, live.now());
  const below = parseSpan(state.settings?.tenths_below ?? "0:00:20");
  let stays = 500;
  for (const colour of ["white", "black"]) {
    const form = formOf(state.control, colour);
    const shown = reading(form, sides[colour].remaining, sides[colour].delay, below);
    const node = cards[colour].querySelector(".reading");
    if (node.textContent.length !== shown.text.length) node.style.setProperty("--ems", widthOf(shown.text, node));
    if (node.textContent !== shown.text) node.textContent = shown.text;
    const low = parseSpan(state.low_time_below?.[colour] ?? "0:00:00");
    cards[colour].classList.toggle("low", form !== "up" && sides[colour].remaining < low);
    if (state.running === colour && shown.stays) stays = Math.min(stays, shown.stays / 1e6);
  }
  timer = setTimeout(count, Math.max(15, stays));
}

function trust() {
  // Nothing is pressed here: whichever clock answers now is shown.
  if (live.another) location.reload();
  document.body.classList.toggle("stale", live.stale);
  byId("old").hidden = !live.stale || !live.state;
  if (!live.stale) count();
}

live.addEventListener("state", show);
live.addEventListener("trust", trust);
live.addEventListener("beat", count);
document.addEventListener("visibilitychange", count);
live.begin();
