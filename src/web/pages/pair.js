// Pairing: the code on the clock (or in the address, which the QR code carries behind its #), a name, one button.

import { boardOf, word } from "./words.js";

const byId = (id) => document.getElementById(id);
const KEPT_NAME = "zeitnot-name";

// Only this page reads the fragment: no browser sends it anywhere. It goes from the address at once.
const carried = decodeURIComponent(location.hash.slice(1)).replaceAll(/[^0-9]/g, "").slice(0, 8);
if (location.hash) history.replaceState(null, "", location.pathname);

const grouped = (digits) => (digits.length > 4 ? `${digits.slice(0, 4)} ${digits.slice(4)}` : digits);
const digits = () => byId("code").value.replaceAll(/[^0-9]/g, "").slice(0, 8);

async function post(path, body) {
  const answer = await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

// Lets this device in by `path`, and goes where it may go; what is wrong stands at `problem`.
async function enter(path, body, problem, button) {
  problem.textContent = "";
  button.disabled = true;
  try {
    const answer = await post(path, body);
    if (answer.status === 200) {
      try {
        localStorage.setItem(KEPT_NAME, body.name);
      } catch {
        // A browser that keeps nothing asks for the name again.
      }
      location.replace(answer.body.role === "assistant" ? "/assistant" : "/");
      return;
    }
    problem.textContent = answer.body.error.sentence;
    if (answer.body.error.field === "name") byId("name").focus();
  } catch {
    problem.textContent = word("pair-no-answer");
  }
  button.disabled = false;
}

const name = () => byId("name").value.trim();

byId("code").addEventListener("input", () => {
  byId("code").value = grouped(digits());
});

byId("pair").addEventListener("submit", (event) => {
  event.preventDefault();
  const problem = byId("problem");
  if (digits().length < 8) {
    problem.textContent = word("pair-eight-digits");
    byId("code").focus();
  } else if (!name()) {
    problem.textContent = word("pair-who");
    byId("name").focus();
  } else enter("/api/v1/access/pair", { code: digits(), name: name() }, problem, byId("enter"));
});

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  const problem = byId("login-problem");
  if (!name()) {
    problem.textContent = word("pair-who-above");
    byId("name").focus();
  } else enter("/api/v1/access/login", { password: byId("password").value, name: name() }, problem, event.submitter);
});

byId("code").value = grouped(carried);
try {
  byId("name").value = localStorage.getItem(KEPT_NAME) ?? "";
} catch {
  // As above.
}
byId(carried ? "name" : "code").focus();

try {
  byId("watch").hidden = !(await fetch("/watch", { method: "HEAD" })).ok;
} catch {
  // Whoever cannot be reached cannot be watched.
}
try {
  const { device } = await (await fetch("/api/v1/state")).json();
  const known = device?.name ? word("pair-board-named", device) : boardOf(device);
  byId("clock").textContent = device?.id ? `${known} · ${device.id}` : known;
} catch {
  // Its name is not needed.
}
