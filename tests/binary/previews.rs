//! What a command would do, asked over HTTP and from the shell: nothing is done and nothing logged. And what was: readings
//! of moves, the games, the log read again.

use serde_json::{Value, json};
use zeitnot::engine::replay::Replay;

use crate::service::{Clock, moves, remaining, run, span};

/// F6.14, B22: old and new, and afterwards everything is as it was.
#[test]
fn f6_14_b22_a_preview_changes_nothing() {
    let clock = Clock::new();
    clock.set_up("5m+3s", json!({}));
    clock.start();
    clock.press("white");
    let paused = clock.done(json!({"command": "pause"}));
    let shown = clock.done(json!({"command": "adjust", "side": "white", "by": "+60s", "preview": true}));
    assert_eq!(
        (&shown["preview"], shown["before"]["white"]["remaining"].clone()),
        (&json!(true), paused["white"]["remaining"].clone())
    );
    assert_eq!((remaining(&shown, "white") - remaining(&paused, "white")).as_secs(), 60);
    let told = run(&["ctl", "--socket", &clock.socket(), "take_back", "preview=true"]);
    assert_eq!(told.status, Some(0), "{}", told.err);
    assert_eq!(moves(&told.objects()[0]), (0, 0));
    for (command, status, word) in [
        (json!({"command": "adjust", "side": "white", "by": "-10m", "preview": true}), 422, "below zero"),
        (json!({"command": "start", "preview": true}), 409, "ready"),
        (json!({"command": "pause", "preview": 1}), 422, "true or false"),
        (json!({"command": "undo", "of": 7, "preview": true}), 422, "no correction 7"),
        (json!({"command": "pause", "preview": true, "version": 1}), 409, "moved on"),
    ] {
        let (got, answer) = clock.command(&command);
        assert_eq!(got, status, "{command}: {answer}");
        assert!(answer["error"]["sentence"].as_str().unwrap().contains(word), "{command}: {answer}");
    }
    let state = clock.state();
    assert_eq!((&state["version"], &state["white"]), (&paused["version"], &paused["white"]));
    let log = std::fs::read_to_string(clock.log(2)).unwrap();
    assert!(!log.contains("\"adjust\"") && !log.contains("preview"), "{log}");
}

/// F6.14, F6.13d: rulings and undos stand in the log; read again it gives the same game.
#[test]
fn f6_14_the_log_of_corrections_reads_the_same() {
    let clock = Clock::new();
    clock.set_up("5m+3s", json!({}));
    clock.start();
    for side in ["white", "black", "white"] {
        clock.press(side);
    }
    clock.done(json!({"command": "ruling", "side": "white", "article": "illegal_move", "reason": "two hands"}));
    clock.done(json!({"command": "message", "text": "Riga to the stage"}));
    clock.done(json!({"command": "adjust", "side": "black", "by": "+10s"}));
    let state = clock.done(json!({"command": "undo", "of": 1}));
    assert_eq!(state["corrections"].as_array().unwrap().len(), 2, "{state}");
    assert_eq!((moves(&state), &state["message"]), ((2, 1), &json!("Riga to the stage")));
    let (_, told) = clock.get("/api/v1/moves");
    let told: Vec<&Value> = told["moves"].as_array().unwrap().iter().collect();
    assert_eq!(told.len(), 4, "the start and three presses: {told:?}");
    assert_eq!(
        (&told[3]["side"], &told[3]["move"], &told[3]["white"]),
        (&json!("white"), &json!(2), &state["white"]["remaining"])
    );
    let (_, games) = clock.get("/api/v1/games");
    assert_eq!((games["games"].as_array().unwrap().len(), &games["games"][0]["on"]), (2, &json!(true)));
    let mut replay = Replay::silent();
    for (number, line) in std::fs::read_to_string(clock.log(2)).unwrap().lines().enumerate() {
        replay.line(number + 1, line).unwrap();
    }
    let engine = replay.engine().unwrap();
    let view = engine.view(replay.last());
    for (side, read) in [("white", view.sides.white), ("black", view.sides.black)] {
        assert_eq!(
            (read.remaining, u64::from(read.moves)),
            (span(&state[side]["remaining"]), state[side]["moves"].as_u64().unwrap())
        );
    }
}
