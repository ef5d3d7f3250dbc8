// The devices that are let in: thrown out, registered as assistants, and a code for another one.

import { calledOf, deviceOf, word, wordOf } from "./words.js";

const byId = (id) => document.getElementById(id);

async function ask(path, body) {
  const options = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  const answer = await fetch(path, options);
  if (answer.status === 401) location.replace("/pair");
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.sentence);
  return told;
}

// Does it, shows the list anew, and says what went wrong. A clock that was renamed meanwhile may stand at another table.
async function act(path, body) {
  byId("problem").textContent = "";
  try {
    const { device } = await ask("/api/v1/state");
    const [was, is] = [clock ?? device, device].map(calledOf);
    if (was !== is || device.id !== (clock ?? device).id) throw new Error(word("clock-renamed", { old: was, new: is }));
    const told = await ask(path, body);
    await show();
    return told;
  } catch (error) {
    byId("problem").textContent = error.message;
    return null;
  }
}

function ago(seconds) {
  if (seconds < 90) return word("ago-now");
  if (seconds < 5400) return word("ago-minutes", { count: Math.round(seconds / 60) });
  return word("ago-hours", { count: Math.round(seconds / 3600) });
}

function button(text, onclick, kind = "") {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", textContent: text, onclick, className: kind });
  return node;
}

const ROLE = { white: word("access-of-white"), black: word("access-of-black") };

function item(device) {
  const node = document.createElement("li");
  const who = document.createElement("strong");
  who.textContent = device.this_device ? word("access-this-device", device) : device.name;
  const what = document.createElement("small");
  const role = device.role === "assistant" ? ROLE[device.side] : word("access-arbiter");
  what.textContent = word("access-told", { role, from: device.from, paired: ago(device.paired_seconds_ago), seen: ago(device.idle_seconds) });
  const row = document.createElement("div");
  row.className = "row";
  if (device.role === "assistant") {
    // A new game knows no assistants: he is registered for it here.
    const command = { command: "assistant", side: device.side, name: device.name };
    row.append(button(word("access-for-this-game"), () => act("/api/v1/commands", { ...command, device: clock?.id })));
  }
  row.append(button(word("access-throw-out"), () => act("/api/v1/access/end", { id: device.id }), "bad"));
  node.append(who, what, row);
  return node;
}

let clock = null;

async function show() {
  // The clock whose page this is: another one at the same address later does not act.
  if (!clock) ({ device: clock } = await ask("/api/v1/state"));
  document.title = word("access-title-of", { clock: deviceOf({ device: clock }) });
  const { devices, fingerprint, refused } = await ask("/api/v1/access");
  const reasons = Object.entries(refused.by_reason).map(([reason, count]) => word("refused-of", { reason: wordOf("refused-by", reason), count }));
  const attempts = word("refused", { count: refused.total, hours: refused.hours });
  byId("refused").textContent = reasons.length ? word("refused-for", { attempts, reasons: reasons.join(", ") }) : attempts;
  byId("devices").replaceChildren(...devices.map(item));
  byId("certificate").textContent = word("access-certificate", { fingerprint });
}

for (const node of document.querySelectorAll("[data-role]")) {
  node.addEventListener("click", async () => {
    const opened = await act("/api/v1/access/open", { ...node.dataset });
    if (!opened) return;
    byId("code").hidden = false;
    byId("code").textContent = `${opened.code.slice(0, 4)} ${opened.code.slice(4)}`;
    const address = `${opened.addresses[0] ?? location.origin}/pair`;
    byId("code-text").textContent = word("access-code-good", { count: Math.round(opened.seconds / 60), address });
  });
}

byId("logout").addEventListener("click", async () => {
  if (await act("/api/v1/access/logout", {})) location.replace("/pair");
});

try {
  await show();
} catch (error) {
  byId("problem").textContent = error.message;
}
