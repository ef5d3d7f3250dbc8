//! The package: installed, upgraded, removed, purged.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;

use zeitnot_bench::told;

use crate::machine::{CLOCK, SOCKET, WEB, assert_kept, is_active, play, property, run, state_when_back};

const FILES: &[&str] = &[
    "/usr/bin/zeitnot",
    "/usr/lib/systemd/system/zeitnot.service",
    "/usr/lib/systemd/system/zeitnot-web.service",
    "/usr/lib/systemd/system/zeitnot-web.socket",
    "/usr/lib/sysusers.d/zeitnot.conf",
    "/usr/lib/tmpfiles.d/zeitnot.conf",
    "/usr/lib/udev/rules.d/60-zeitnot.rules",
    "/usr/share/doc/zeitnot/README.md",
    "/usr/share/doc/zeitnot/copyright",
];
const CONFIG: &str = "/etc/zeitnot/zeitnot.toml";
const GAMES: &str = "/var/lib/zeitnot/games";

/// User and groups, folders and their rights; nothing runs before somebody has wired it.
pub(crate) fn is_installed() {
    run("dpkg", &["--install", "/bench/zeitnot-1.deb"]);
    for file in FILES {
        assert!(Path::new(file).exists(), "{file}");
    }
    let groups = run("id", &["-nG", "zeitnot"]);
    for group in ["zeitnot", "gpio", "spi"] {
        assert!(groups.split_whitespace().any(|word| word == group), "{group}: {groups}");
    }
    let folder = fs::metadata("/var/lib/zeitnot").expect("the folder of the games");
    assert_eq!(folder.permissions().mode() & 0o7777, 0o750);
    assert_eq!(folder.uid().to_string(), run("id", &["-u", "zeitnot"]).trim());
    let conffiles = run("dpkg-query", &["--show", "--showformat", "${Conffiles}", "zeitnot"]);
    assert!(conffiles.contains(CONFIG), "{conffiles}");
    run("/usr/bin/zeitnot", &["check-config", CONFIG]);
    for unit in [CLOCK, WEB, SOCKET] {
        assert!(!is_active(unit), "{unit} was started by the installation");
    }
    // Again: an installation that was broken off is repeated.
    run("dpkg", &["--install", "/bench/zeitnot-1.deb"]);
    run("systemd-analyze", &["verify", "--man=no", CLOCK, WEB, SOCKET]);
    told("package", "installed twice, nothing started, units as systemd-analyze wants them");
}

/// B46: a game in play comes back paused, and the club's configuration stays.
pub(crate) fn b46_an_upgrade_keeps_the_game() {
    let theirs = format!("{}\n[board]\nname = \"Riga\"\n", fs::read_to_string(CONFIG).expect("a configuration"));
    fs::write(CONFIG, &theirs).expect("written");
    let before = play(2);
    let process = property(CLOCK, "MainPID");
    run("dpkg", &["--install", "/bench/zeitnot-2.deb"]);
    let after = state_when_back();
    assert_kept(&before, &after, "the upgrade");
    assert_eq!(after["device"]["name"], "Riga");
    assert_ne!(property(CLOCK, "MainPID"), process, "the new program runs");
    assert_eq!(fs::read_to_string(CONFIG).expect("a configuration"), theirs);
    play(1);
    told("B46", "upgraded during a game: it came back paused");
}

/// Nothing is left running; the games stay, after a purge too, and a new installation finds them.
pub(crate) fn is_removed_and_the_games_stay() {
    let before = state_when_back();
    run("dpkg", &["--remove", "zeitnot"]);
    for unit in [CLOCK, WEB, SOCKET] {
        assert!(!is_active(unit), "{unit} runs after its removal");
    }
    assert!(!Path::new(FILES[0]).exists() && Path::new(CONFIG).exists());
    let said = run("dpkg", &["--purge", "zeitnot"]);
    assert!(said.contains("The games stay in /var/lib/zeitnot"), "{said}");
    assert!(!Path::new(CONFIG).exists());
    let games = fs::read_dir(GAMES).expect("the games").count();
    assert!(games > 0);
    for file in FILES {
        assert!(!Path::new(file).exists(), "{file} is left");
    }
    run("dpkg", &["--install", "/bench/zeitnot-2.deb"]);
    run("systemctl", &["start", CLOCK]);
    let after = state_when_back();
    assert_eq!((&after["white"], &after["black"]), (&before["white"], &before["black"]));
    run("dpkg", &["--purge", "zeitnot"]);
    told("package", &format!("removed, purged, and {games} files of games still there for the next installation"));
}
