//! The printed object, the names of events, the order of decision, versions.

use serde_json::{Value, json};

use crate::common::{check, replay_text};

fn printed(log: &str) -> Vec<Value> {
    let (printed, error) = replay_text(log, None);
    assert!(error.is_none(), "{error:?}");
    printed.into_iter().map(Value::Object).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// The object as it stands in the description of the log, every field of it.
#[test]
fn the_printed_object() {
    let log = r#"
        {"at":"0:00:00","setup":{"control":"40/90m+30s:30m+30s","left":"white","settings":{"advance":"expiry"}}}
        {"at":"0:00:05","press":"black"}
        {"at":"0:00:17.25","press":"white"}
    "#;
    let printed = printed(log);
    let side = |remaining: &str, moves: u32| {
        json!({
            "remaining": remaining, "delay_left": "0:00:00", "moves": moves, "period": 1, "spells_left": null,
            "block_moves_left": null, "flag": null, "control_mark": null,
        })
    };
    let mut expected = json!({
        "at": "0:00:17.25", "event": "press", "state": "running", "running": "black", "to_move": "black",
        "left": "white", "version": 3,
    });
    expected["white"] = side("1:30:47.75", 1);
    expected["black"] = side("1:30:30", 0);
    let mut press = printed[2].clone();
    press.as_object_mut().expect("an object").remove("side");
    assert_eq!(press, expected);
    let order = ["at", "event", "state", "running", "to_move", "left", "version", "white", "black"];
    assert_eq!(keys(&printed[2])[..9], order);
    assert_eq!(keys(&printed[0]), order);
    assert_eq!(printed[0]["event"], "setup");
    assert_eq!(printed[1]["event"], "start");
}

#[test]
fn a_flag_and_a_mark_as_objects() {
    let log = r#"
        {"at":"0","setup":{"control":"1/60:30","settings":{"advance":"expiry"}}}
        {"at":"0","press":"black"}
        {"at":"0:02:00","read":true}
    "#;
    let printed = printed(log);
    let read = printed.last().expect("a read");
    assert_eq!(read["white"]["control_mark"], json!({"period": 1, "at": "0:01:00", "moves": 0, "demanded": 1}));
    assert_eq!(read["white"]["flag"], json!({"at": "0:01:30", "first": true, "seen": null, "claimed": null}));
    let period = printed.iter().find(|object| object["event"] == "period").expect("a period");
    assert_eq!((&period["moves"], &period["demanded"], &period["demand_met"]), (&json!(0), &json!(1), &json!(false)));
    let incident = printed.iter().find(|object| object["event"] == "incident").expect("an incident");
    assert_eq!(
        incident["incident"],
        json!({
            "id": 1, "kind": "moves_not_made", "at": "0:01:00", "side": "white", "to_move": "white",
            "readings": {"white": "0:00:30", "black": "0:01:00"}, "moves": 0, "demanded": 1,
        })
    );
}

/// One object for every line read, and for what happens by itself, in the order of decision.
#[test]
fn order_of_decision() {
    check(
        "
        [10] on_flag=play_on
        0 black                | start
        10 white               | flag at=0:00:10 ; press at=0:00:10
        11 left_button down    | edge at=0:00:11
        11.5 right_button down | ignored at=0:00:11 side=white ; edge at=0:00:11.5
        12 read                | press at=0:00:11.5 side=black ; read at=0:00:12
    ",
    );
}

/// A line shows also what an earlier line of that same instant made due.
#[test]
fn due_at_the_same_instant() {
    check(
        "
        [10]
        0 black
        3 set white remaining=0 | set state=running w=0:00:00 w.flag=null
        3 read                  | flag at=0:00:03 ; read state=ended

        [10]
        0 black
        3 set white remaining=0 | set
        3 white                 | flag ; ignored
    ",
    );
}

/// At the end of the log what the last line made due happens too.
#[test]
fn time_ends_at_the_last_line() {
    check(
        "
        [10]
        0 black
        3 set white remaining=0 | set w.flag=null
        end | flag at=0:00:03

        [10]
        0 black
        9 read
        end | -
    ",
    );
}

/// The version is 1 at the setup, one more with each change, none for a read, an edge or what is refused.
#[test]
fn versions() {
    check(
        "
        [60]
        0 read             | read version=1
        0 resume           | refused version=1
        0 white            | ignored version=1
        0 black            | start version=2
        1 left_button down | edge version=2
        1.01 read          | press version=3 ; read version=3
        2 pause            | pause version=4
        2 adjust white by=-900s | refused version=4
        3 result result=*  | result version=5
        4 new_game         | new_game version=6 state=ready w=0:01:00 w.moves=0
        4 setup control=5m | setup version=7 w=0:05:00
    ",
    );
    check(
        "
        [60]
        0 black                | start version=2
        9 restart 5 1m         | restart version=3 ; incident version=4
        9 restore white move=0 | restore version=5
    ",
    );
}

/// `delay_left` is zero unless on move in a running or paused game, and zero under a fallen flag.
#[test]
fn delay_left_where_it_is_zero() {
    check(
        "
        [5 d5s]
        0 read   | read w.delay_left=0:00:00 b.delay_left=0:00:00
        0 black  | start w.delay_left=0:00:05 b.delay_left=0:00:00
        1 pause  | pause w.delay_left=0:00:04 b.delay_left=0:00:00
        1 result result=1-0 | result w.delay_left=0:00:00
    ",
    );
}

/// `spells_left` and `block_moves_left` stand from the setup on, null in other forms; `period` is 1 in these.
#[test]
fn spells_and_block_moves_from_the_setup_on() {
    for (control, spells, block) in [
        ("30m byo 5x30s", "5", "null"),
        ("60m can 25/10m", "null", "25"),
        ("5m", "null", "null"),
        ("*3m", "null", "null"),
        ("gong 10s", "null", "null"),
        ("up", "null", "null"),
        ("25m over", "null", "null"),
    ] {
        check(&format!(
            "
            [{control}]
            0 read | read w.spells_left={spells} b.spells_left={spells} w.block_moves_left={block} w.period=1 b.period=1
        "
        ));
    }
}

/// `--at`: one read there, and reading stops; it may lie after the last line.
#[test]
fn the_at_option() {
    let log = concat!(
        r#"{"at":"0","setup":{"control":"60"}}"#,
        "\n",
        r#"{"at":"0","press":"black"}"#,
        "\n",
        r#"{"at":"5","press":"white"}"#,
        "\n",
        r#"{"at":"9","press":"black"}"#,
        "\n",
    );
    for (until, count, event_before, white, black) in [
        ("0", 3, "start", "0:01:00", "0:01:00"),
        ("4.5", 3, "start", "0:00:55.5", "0:01:00"),
        ("5", 4, "press", "0:00:55", "0:01:00"),
        ("8.999999999", 4, "press", "0:00:55", "0:00:56.000000001"),
        ("9", 5, "press", "0:00:55", "0:00:56"),
        ("0:00:19", 5, "press", "0:00:45", "0:00:56"),
        ("1h", 6, "flag", "0:00:00", "0:00:56"),
    ] {
        let (printed, error) = replay_text(log, Some(until));
        assert!(error.is_none());
        assert_eq!(printed.len(), count, "{until}");
        assert_eq!(printed[count - 2]["event"], event_before, "{until}");
        let read = &printed[count - 1];
        assert_eq!(
            (&read["event"], &read["white"]["remaining"], &read["black"]["remaining"]),
            (&json!("read"), &json!(white), &json!(black)),
            "{until}"
        );
    }
}

/// A line with `event` is an observation, not an input; unknown fields are ignored.
#[test]
fn observations_and_unknown_fields() {
    let plain = concat!(
        r#"{"at":"0:00:00","setup":{"control":"60"}}"#,
        "\n",
        r#"{"at":"0:00:00","press":"black"}"#,
        "\n",
        r#"{"at":"0:00:05","command":{"command":"pause"}}"#,
        "\n",
    );
    let more = concat!(
        r#"{"at":"0:00:00","setup":{"control":"60","hall":"B"},"seq":1,"crc":"aa"}"#,
        "\n",
        "\n",
        r#"{"at":"0:00:00","press":"black","wall":"2027-03-01T18:00:00Z","seq":2}"#,
        "\n",
        r#"{"at":"0:00:03","event":"press","press":"white"}"#,
        "\n",
        r#"{"at":"0:00:05","command":{"command":"pause","by":"anna","x":[1]}}"#,
        "\n",
    );
    assert_eq!(replay_text(plain, None).0, replay_text(more, None).0);
}
