//! Two clocks in a hall: the old one lets nobody in but by its code, and is known by its fingerprint.

use serde_json::{Value, json};

use crate::service::{Clock, Ran, run};

fn ctl(clock: &Clock, words: &[&str]) -> Ran {
    run(&[&["ctl", "--socket", &clock.socket()], words].concat())
}

/// A clock that trusts not even its own machine, as no clock trusts the hall; a game of it is paused.
fn old() -> (tempfile::TempDir, Clock, String) {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("zeitnot.toml");
    std::fs::write(&config, "[access]\nlocal_arbiter = false\n").unwrap();
    let old = Clock::with(&folder.path().join("data"), &["--config", config.to_str().unwrap()]);
    for words in [&["setup", "control=5m+3s", "white=Baku", "black=Riga"][..], &["start"], &["pause"]] {
        assert_eq!(ctl(&old, words).status, Some(0));
    }
    let url = old.address.replace("http://", "https://");
    (folder, old, url)
}

/// The code that its panel shows, and the beginning of its fingerprint there.
fn shown(clock: &Clock) -> (String, String) {
    // The arbiter port says where it is as soon as it is there: a code that came sooner is replaced.
    let pair = || ctl(clock, &["pair"]).out;
    let said = (0..50).map(|_| pair()).find(|said| said.contains("https://")).expect("where the arbiter port is");
    let line = |what: &str| said.lines().find_map(|line| line.strip_prefix(what)).unwrap_or_else(|| panic!("{said}"));
    let code: String = line("Code").chars().take_while(|letter| *letter != '(').filter(char::is_ascii_digit).collect();
    let fingerprint = line("Certificate  SHA-256 ").chars().take(23).collect();
    (code, fingerprint)
}

/// F6.11: over the hall's network the old clock is asked for its log and told of its end with its own code, and nothing is
/// said to one that is not known by its fingerprint.
#[test]
fn f6_11_a_clock_of_the_hall_is_let_in_by_the_code_on_the_panel() {
    let (_folder, old, url) = old();
    let spare = Clock::new();
    let (code, fingerprint) = shown(&old);
    let (code, fingerprint) = (format!("code={code}"), format!("fingerprint={fingerprint}"));

    let stranger = "fingerprint=00:11:22:33:44:55:66:77";
    for (words, said) in [
        (&[old.address.as_str()][..], "give https://"),
        (&[&url], fingerprint.as_str()),
        (&[&url, &code], &fingerprint),
        (&[&url, &code, stranger], "somebody stands between"),
        (&[&url, &fingerprint], "give code="),
        (&[&url, &fingerprint, "code=12345678"], "403"),
    ] {
        let refused = ctl(&spare, &[&["take-over"], words].concat());
        assert_eq!((refused.status, refused.err.lines().count()), (Some(3), 1), "{words:?}: {}", refused.err);
        assert!(refused.err.contains(said), "{words:?}: {}", refused.err);
    }
    assert_eq!(spare.state()["state"], "ready");

    // A game of another table that was offered before and is newer is not what is meant.
    let other = Clock::new();
    for words in [&["setup", "control=3m", "white=Tartu"][..], &["start"], &["pause"]] {
        assert_eq!(ctl(&other, words).status, Some(0));
    }
    let offered = ctl(&spare, &["take-over", &other.address]);
    assert_eq!((offered.status, offered.objects().len()), (Some(0), 1), "{}", offered.err);
    let taken = ctl(&spare, &["take-over", &url, &code, &fingerprint, "take=newest", "as=Board 9"]);
    assert_eq!(taken.status, Some(0), "{}", taken.err);
    assert!(taken.err.contains("knows that it was replaced by Board 9"), "{}", taken.err);
    let state = &taken.objects()[0];
    assert_eq!((&state["state"], &state["names"]["white"]), (&json!("paused"), &json!("Baku")));
    let told = old.state();
    assert_eq!((&told["replaced"], &told["state"]), (&json!("Board 9"), &json!("paused")));
    let log = std::fs::read_to_string(old.log(2)).unwrap();
    let line = log.lines().find(|line| line.contains("\"replaced\"")).unwrap_or_else(|| panic!("{log}"));
    let line: Value = serde_json::from_str(line).unwrap();
    assert_eq!(
        (&line["who"], &line["role"]),
        (&json!("Board 9"), &json!("arbiter")),
        "the old log says who told it: {line}"
    );
}

/// F6.11: the file is taken, and the clock that comes back is told with a code of its own; the code is good once.
#[test]
fn f6_11_a_clock_that_comes_back_is_told_with_its_code() {
    let (_folder, old, url) = old();
    let (code, fingerprint) = shown(&old);
    let (code, fingerprint) = (format!("code={code}"), format!("fingerprint={fingerprint}"));
    let told = run(&["ctl", "tell-replaced", &url, &code, &fingerprint, "as=Board 4"]);
    assert_eq!((told.status, told.err.as_str()), (Some(0), ""), "{}", told.err);
    assert_eq!(old.state()["replaced"], "Board 4");
    let again = run(&["ctl", "tell-replaced", &url, &code, &fingerprint, "as=Board 5"]);
    assert_eq!((again.status, again.err.lines().count()), (Some(3), 1), "{}", again.err);
    assert_eq!(old.state()["replaced"], "Board 4");
}
