//! In the container: the package is installed, the units run, are tried, upgraded and removed.
//!
//! Three boots: the first ends with a game in play, the second is switched off by the clock, the third begins with the game.
//! A machine without a GPIO chip is one whose
//! devices come late (B56): the clock runs, and waits for them.

use zeitnot_bench::told;

mod boot;
mod hardening;
mod machine;
mod package;
mod probe;
mod watchdog;
mod web;

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words.first().is_some_and(|program| program.ends_with("/raise")) {
        return println!("{}", rustix::process::geteuid().as_raw());
    }
    if words.get(1).is_some_and(|word| word == "probe") {
        return probe::try_everything();
    }
    let boot = std::env::var("BENCH").expect("which boot it is");
    match boot.as_str() {
        "first" => {
            package::is_installed();
            boot::b56_ready_without_devices();
            boot::b28_rights();
            web::is_started_by_its_socket();
            hardening::what_must_be_denied_is_denied();
            watchdog::b28_a_clock_that_stands_is_restarted();
            watchdog::b46_a_killed_clock_comes_back();
            package::b46_an_upgrade_keeps_the_game();
        }
        // That it goes off is told by a unit that is stopped then.
        "off" => return boot::is_switched_off(),
        "second" => {
            boot::b56_before_the_network();
            package::is_removed_and_the_games_stay();
        }
        other => panic!("no such boot: {other}"),
    }
    told("units", &format!("the {boot} boot"));
    println!("BENCH-OK {boot}");
}
