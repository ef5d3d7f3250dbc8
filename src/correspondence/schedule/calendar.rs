//! Deadlines as iCalendar (RFC 5545): an event for each, so that any calendar program reminds of it.
//!
//! Identifiers and stamps follow from the record, so the same record gives the same file and a calendar that reads it
//! again doubles nothing.

use jiff::Timestamp;

use crate::correspondence::days::{When, after};
use crate::correspondence::notices::{Notice, all};
use crate::correspondence::reckoning::Reckoning;
use crate::correspondence::record::Record;

/// Every deadline of a game, those that are past among them.
pub fn calendar(record: &Record, reckoning: &Reckoning) -> String {
    let mut out = Lines(String::new());
    for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//zeitnot//correspondence//EN", "CALSCALE:GREGORIAN"] {
        out.line(line);
    }
    // A stamp is demanded; the last date of the record is when all of this was known.
    let last = reckoning.lines.iter().filter_map(|line| line.sent).map(|sent| sent.when.instant(&record.zone)).max();
    let stamp = utc(last.unwrap_or_else(|| record.start.instant(&record.zone)));
    let game = format!("{} - {}", record.players.white.name, record.players.black.name);
    let notices = all(record, reckoning);
    for (index, notice) in notices.iter().enumerate() {
        let same =
            |other: &&Notice| (other.matter, other.by, other.number) == (notice.matter, notice.by, notice.number);
        let earlier = notices.get(..index).unwrap_or(&[]).iter().filter(same).count();
        event(&mut out, &identity(record, notice, earlier), notice, &stamp, &game);
    }
    out.line("END:VCALENDAR");
    out.0
}

fn event(out: &mut Lines, identity: &str, notice: &Notice, stamp: &str, game: &str) {
    let what = format!("{} {}", notice.by.name(), notice.matter.name());
    out.line("BEGIN:VEVENT");
    out.line(&format!("UID:{identity}@zeitnot"));
    out.line(&format!("DTSTAMP:{stamp}"));
    match notice.at {
        When::Day(day) => {
            out.line(&format!("DTSTART;VALUE=DATE:{}", day.strftime("%Y%m%d")));
            out.line(&format!("DTEND;VALUE=DATE:{}", after(day, 1).strftime("%Y%m%d")));
        }
        When::At(instant) => {
            out.line(&format!("DTSTART:{}", utc(instant)));
            out.line(&format!("DTEND:{}", utc(instant)));
        }
    }
    out.line(&format!("SUMMARY:{}", escaped(&format!("{game}: move {}, {what}", notice.number))));
    let reading = notice.reading.map(|reading| format!(", {reading}")).unwrap_or_default();
    out.line(&format!("DESCRIPTION:{}", escaped(&format!("{} ({}{reading})", notice.sentence, notice.clause))));
    out.line("TRANSP:TRANSPARENT");
    out.line("END:VEVENT");
}

/// The same for the same deadline of the same game however often the file is made, also where its day has moved.
fn identity(record: &Record, notice: &Notice, earlier: usize) -> String {
    let (white, black) = (&record.players.white.name, &record.players.black.name);
    let (matter, by, number) = (notice.matter.name(), notice.by.name(), notice.number);
    let text = format!("{}|{white}|{black}|{}|{matter}|{by}|{number}|{earlier}", record.event, record.start);
    // FNV-1a: not against anybody, only apart from each other.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("{hash:016x}")
}

fn utc(instant: Timestamp) -> String {
    instant.strftime("%Y%m%dT%H%M%SZ").to_string()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n")
}

/// Lines that end with CR LF and are folded at 75 bytes.
struct Lines(String);

impl Lines {
    fn line(&mut self, content: &str) {
        let mut used = 0;
        for letter in content.chars() {
            if used + letter.len_utf8() > 75 {
                self.0.push_str("\r\n ");
                used = 1;
            }
            self.0.push(letter);
            used += letter.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}
