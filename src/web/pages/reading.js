// What a reading looks like, and what it is at an instant: whole nanoseconds, no clock, no page (timing rule 17).

const SECOND = 1_000_000_000;
const TENTH = 100_000_000;

// "[-]H:MM:SS[.fraction]" to nanoseconds. 999:59:59 is 3.6e15 of them: exact in a number.
export function parseSpan(text) {
  const [, sign, hours, minutes, seconds, fraction = ""] = /^(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/.exec(text);
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const nanos = whole * SECOND + Number(fraction.padEnd(9, "0"));
  return sign ? -nanos : nanos;
}

// Nanoseconds to "[-]H:MM:SS[.fraction]", as commands take it.
export function formatSpan(nanos) {
  const size = Math.abs(nanos);
  const seconds = Math.floor(size / SECOND);
  const fraction = size % SECOND ? `.${String(size % SECOND).padStart(9, "0").replace(/0+$/, "")}` : "";
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${nanos < 0 ? "-" : ""}${h}:${two(m)}:${two(s)}${fraction}`;
}

// What an arbiter types: "4:52" as it is shown, "1:04:52", "5m30s", "90s". Null if it is none of these.
export function readTyped(text) {
  const typed = text.trim();
  const shown = /^(?:(\d{1,3}):)?(\d{1,3}):(\d\d)(?:\.(\d{1,9}))?$/.exec(typed);
  if (shown) {
    const [, hours = "0", minutes, seconds, fraction = ""] = shown;
    if (Number(seconds) > 59 || (shown[1] && Number(minutes) > 59)) return null;
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return whole * SECOND + Number(fraction.padEnd(9, "0"));
  }
  const units = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,7})(?:\.(\d{1,9}))?s)?$/.exec(typed);
  if (!units || typed === "") return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = ""] = units;
  const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return whole * SECOND + Number(fraction.padEnd(9, "0"));
}

// How a side's clock counts, from its control's notation: "up", "over", "hourglass" or "down".
export function formOf(control, colour) {
  const sides = control.split("|").map((side) => side.trim());
  const side = (colour === "black" && sides[1]) || sides[0];
  if (side === "up") return "up";
  if (/\sover$/.test(side)) return "over";
  return side.startsWith("*") ? "hourglass" : "down";
}

// The text of a reading, and for how many nanoseconds it stays right on a running clock (null: it does not change).
export function reading(form, remaining, delayLeft, tenthsBelow) {
  const nanos = remaining === 0 && delayLeft > 0 ? delayLeft : remaining;
  if (form === "up") {
    const seconds = Math.floor(nanos / SECOND);
    return shown(whole(seconds, ""), (seconds + 1) * SECOND - nanos);
  }
  if (form === "over" && nanos < 0) {
    const seconds = -Math.floor(nanos / SECOND);
    return shown(whole(seconds, "-"), nanos + seconds * SECOND + 1);
  }
  if (nanos < tenthsBelow) {
    const tenths = Math.max(Math.floor(nanos / TENTH), nanos > 0 ? 1 : 0);
    // In "over" zero is not the end: what follows is below it.
    const last = form === "over" && nanos === 0 ? 1 : nanos;
    return shown(withTenths(tenths), tenths > 1 ? nanos - tenths * TENTH + 1 : last);
  }
  const seconds = Math.ceil(nanos / SECOND);
  const toNextSecond = nanos - (seconds - 1) * SECOND;
  const toTenths = nanos - tenthsBelow + 1;
  return shown(whole(seconds, ""), tenthsBelow > 0 ? Math.min(toNextSecond, toTenths) : toNextSecond);
}

function shown(text, stays) {
  return { text, stays: stays > 0 ? stays : null };
}

function whole(seconds, sign) {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${sign}${h}:${two(m)}:${two(s)}` : `${sign}${m}:${two(s)}`;
}

function withTenths(tenths) {
  const [m, s, t] = [Math.floor(tenths / 600), Math.floor(tenths / 10) % 60, tenths % 10];
  if (m >= 60) return `${Math.floor(m / 60)}:${two(m % 60)}:${two(s)}.${t}`;
  return m > 0 ? `${m}:${two(s)}.${t}` : `${s}.${t}`;
}

function two(number) {
  return String(number).padStart(2, "0");
}

// Both sides' remaining time and delay at the instant `now` of the clock, where nothing more has happened: a clock that
// is due stands at zero until the clock itself has said what that means.
export function readingsAt(state, now) {
  const sides = {};
  for (const colour of ["white", "black"]) {
    sides[colour] = { remaining: parseSpan(state[colour].remaining), delay: parseSpan(state[colour].delay_left) };
  }
  const mover = state.running;
  if (!mover) return sides;
  const passed = Math.max(0, now - parseSpan(state.at));
  const side = sides[mover];
  const used = Math.max(0, passed - side.delay);
  side.delay = Math.max(0, side.delay - passed);
  switch (formOf(state.control, mover)) {
    case "up":
      side.remaining += used;
      break;
    case "over":
      side.remaining -= used;
      break;
    case "hourglass": {
      const flows = Math.min(used, side.remaining);
      const other = mover === "white" ? "black" : "white";
      side.remaining -= flows;
      if (!state[other].flag && !state[mover].flag) sides[other].remaining += flows;
      break;
    }
    default:
      side.remaining = Math.max(0, side.remaining - used);
  }
  return sides;
}
