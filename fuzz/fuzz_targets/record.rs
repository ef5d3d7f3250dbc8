#![no_main]

use zeitnot::correspondence::schedule::{calendar, lines, page, schedule, table};
use zeitnot::correspondence::{Rulebook, notices, reckon, record};

// A record of a stranger: refused with places, or reckoned, explained and written again without a panic.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let find = |name: &str| Rulebook::built_in(name).ok_or_else(|| "no such rulebook".to_owned());
    let Ok(read) = record::read("record.toml", text, find) else { return };
    let reckoning = reckon(&read);
    for by in zeitnot::clock::side::Colour::BOTH {
        let sum: i32 = reckoning.entries.iter().filter(|entry| entry.by == by).map(|entry| entry.days).sum();
        assert_eq!(sum, reckoning.totals[by]);
    }
    assert!(reckoning.entries.iter().all(|entry| entry.days >= 0 || entry.cause.is_correction()));
    let schedule = schedule(&read, &reckoning, "2025-06-01".parse().ok());
    assert!(table(&schedule).lines().all(|line| line.chars().count() <= 100));
    let _ = (page(&schedule), lines(&read, &reckoning, schedule.on.as_ref()), calendar(&read, &reckoning));
    let _ = notices::all(&read, &reckoning);
    let base = Rulebook::built_in(&read.named).expect("it was found before");
    let again = record::read("again.toml", &record::write(&read, &base), |_| Ok(base.clone()));
    assert_eq!(again.as_ref().ok(), Some(&read));
});
