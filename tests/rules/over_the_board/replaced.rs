//! F6.11: a defective clock is replaced.

use crate::common::{check, replay_text};

/// F6.11: a clock that was replaced stops, and neither presses nor commands nor a schedule start it; the arbiter may let it
/// go on with a reason, and the next game is its own again.
#[test]
fn f6_11_a_replaced_clock_starts_nothing() {
    check(
        "
        [5m+3s]
        0 black
        10 replaced by=Riga        | replaced state=paused w=0:04:53 running=null
        11 white                   | ignored state=paused
        12 resume                  | refused reason~took
        12 pause                   | refused
        13 set white remaining=60s | set w=0:01:00 state=paused
        14 replaced by=Baku        | replaced state=paused
        15 reinstate reason=wrong  | reinstate state=paused
        15 reinstate reason=again  | refused reason~no
        16 resume                  | resume running=white w=0:01:00
        20 replaced by=Riga
        21 result result=*
        22 new_game                | new_game state=ready
        23 black                   | start running=white

        [5m]
        0 replaced by=Riga         | replaced state=ready
        1 black                    | ignored state=ready
        1 start                    | refused reason~took
        1 schedule at=0:01:00      | refused reason~took
        2 reinstate reason=back    | reinstate
        3 black                    | start running=white

        [5m] start=scheduled absent=off default_time=1h
        0 schedule at=0:00:10
        5 replaced by=Riga
        20 arrived white           | arrived state=ready
        21 read                    | read state=ready

        [5m] third_button=pause third_resumes=true
        0 black
        5 replaced by=Riga
        6 third_button down
        7 third_button up
        8 read                     | read state=paused
    ",
    );
}

/// F6.11: a game that is taken over stands as of the old clock's last word, whatever was due since; its state is told.
#[test]
fn f6_11_a_game_that_comes_stands_as_of_the_last_word() {
    let setup = r#"{"at":"0","setup":{"control":"5m","settings":{"on_flag":"play_on"}}}"#;
    let press = r#"{"at":"1s","press":"black"}"#;
    let came = r#"{"at":"0:20:00","taken_over":{"last":"0:02:01","outage":"0:17:59","from":{"kind":"log"}}}"#;
    let (printed, error) = replay_text(&[setup, press, came].join("\n"), None);
    assert!(error.is_none(), "{error:?}");
    let told: Vec<&str> = printed.iter().map(|object| object["event"].as_str().expect("a name")).collect();
    assert_eq!(told, ["setup", "start", "taken_over", "incident"]);
    let last = printed.last().expect("an incident");
    assert_eq!((last["state"].as_str(), last["white"]["remaining"].as_str()), (Some("paused"), Some("0:03:00")));
    assert_eq!(last["incident"]["kind"], "taken_over");
    assert_eq!((&last["incident"]["at"], &last["incident"]["until"]), (&"0:02:01".into(), &serde_json::Value::Null));
    // Readings alone, with the second flag down and the first before it.
    let record =
        r#"{"at":"10s","taken_over":{"last":"10s","outage":"0","record":{"at":"9s","control":"5m","state":"ended",
        "to_move":"black","white":{"remaining":"0","moves":40,"flag":{"at":"5s","first":true}},
        "black":{"remaining":"0","moves":39,"flag":{"at":"9s","first":false,"seen":"9s"}}}}}"#
            .replace('\n', "");
    let (printed, error) = replay_text(&[setup, &record].join("\n"), None);
    assert!(error.is_none(), "{error:?}");
    let state = &printed[1];
    assert_eq!((state["state"].as_str(), state["black"]["flag"]["first"].as_bool()), (Some("ended"), Some(false)));
    for (wrong, said) in [
        (r#"{"at":"1s","taken_over":{"outage":"1s"}}"#, "`last`"),
        (r#"{"at":"1s","taken_over":{"last":"2s"}}"#, "not after"),
        (r#"{"at":"1s","taken_over":{"last":"1s","record":{"control":"5m"}}}"#, "`white`"),
        (
            r#"{"at":"1s","taken_over":{"last":"1s","record":{"at":"2s","control":"5m","white":{"remaining":"1m"},"black":{"remaining":"1m"}}}}"#,
            "not of an instant after",
        ),
    ] {
        let (_, error) = replay_text(&[setup, wrong].join("\n"), None);
        let sentence = error.expect("a wrong line").to_string();
        assert!(sentence.starts_with("line 2") && sentence.contains(said), "{sentence}");
    }
}
