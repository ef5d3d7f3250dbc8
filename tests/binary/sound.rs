//! What is heard, at the real program: a tone on the kernel's modulation, for which a folder with its files stands here.

use std::fs;
use std::thread;

use crate::hardware::{Hardware, NOTHING, wait_for};

/// A clock without hardware but for a loudspeaker on this channel, with a game of a second that wants to be heard.
fn clock_with(channel: &std::path::Path) -> Hardware {
    let game = "[game]\ncontrol = \"1s\"\n[game.settings]\nsound = true\nsound_low_time = false\n";
    Hardware::start(&format!("{NOTHING}[tone]\npwm = \"{}\"\nhz = 2000\n{game}", channel.display()), |_| {})
}

/// A clock that finds its loudspeaker sounding silences it; a flag is a tone of half its period; then it is silent again,
/// also where the program ends in the middle of a tone.
#[test]
fn a_flag_is_a_tone_on_the_modulation() {
    let folder = tempfile::tempdir().unwrap();
    let channel = folder.path().join("pwm1");
    fs::create_dir(&channel).unwrap();
    fs::write(channel.join("duty_cycle"), "250000").unwrap();
    let read = |name: &str| fs::read_to_string(channel.join(name)).unwrap_or_default();
    let sounds = |high: &str| wait_for(high, || (read("duty_cycle") == high).then_some(()));
    let clock = clock_with(&channel);
    // The files are written one after the other; the last is the switch.
    wait_for("the channel switched on", || (read("enable") == "1").then_some(()));
    assert_eq!((read("period").as_str(), read("duty_cycle").as_str()), ("500000", "0"));
    // It is listened for from before the start: a slow machine may tell of that only when the tone is over.
    let flag_is_heard = || {
        thread::scope(|scope| {
            let tone = scope.spawn(|| sounds("250000"));
            clock.ctl(&["start"]);
            tone.join().unwrap();
        });
    };
    flag_is_heard();
    sounds("0");
    assert!(!clock.warnings().contains("buzzer"), "{}", clock.warnings());
    clock.ctl(&["setup", "control=1s"]);
    flag_is_heard();
    assert_eq!(clock.end().0, Some(0));
    assert_eq!(read("duty_cycle"), "0");
}

/// A channel that is not there is asked for, and told with its cure; the clock runs all the same.
#[test]
fn a_modulation_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock_with(&folder.path().join("pwm1"));
    let told = wait_for("the warning", || Some(clock.warnings()).filter(|told| told.contains("buzzer: ")));
    assert!(told.contains("/pwm1/period: No such file") && told.contains("dtoverlay=pwm-2chan"), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("export")).unwrap(), "1");
    clock.ctl(&["start"]);
    assert_eq!(clock.end().0, Some(0));
}
