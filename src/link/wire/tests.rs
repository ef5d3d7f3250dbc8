//! The lines as they go over the socket.

use super::*;

#[test]
fn a_line_that_cannot_be_taken_says_why_and_keeps_its_name() {
    for (line, id, status, field, sentence) in [
        ("", Value::Null, 400, None, "This line is not JSON (column 0); it takes one object."),
        ("[1]", Value::Null, 400, None, "A line is one JSON object, such as {\"get\":\"state\"}."),
        (
            "{\"id\":7}",
            json!(7),
            400,
            None,
            "A line asks for one thing: \"get\", \"watch\", \"command\" or \"access\".",
        ),
        (
            "{\"id\":7,\"get\":\"state\",\"watch\":true}",
            json!(7),
            400,
            None,
            "A line asks for one thing: \"get\", \"watch\", \"command\" or \"access\".",
        ),
        (
            "{\"id\":\"x\",\"get\":\"time\"}",
            json!("x"),
            422,
            Some("get"),
            "Only \"state\", \"log\", \"moves\", \"games\", \"metrics\" and \"candidates\" can be got.",
        ),
        (
            "{\"watch\":false}",
            Value::Null,
            422,
            Some("watch"),
            "\"watch\" takes true; to end it, close the connection.",
        ),
        (
            "{\"command\":\"pause\"}",
            Value::Null,
            422,
            Some("command"),
            "\"command\" takes an object, such as {\"command\":\"pause\"}.",
        ),
        (
            "{\"command\":{},\"version\":-1}",
            Value::Null,
            422,
            Some("version"),
            "\"version\" takes the whole number of a state.",
        ),
        (
            "{\"command\":{},\"request_id\":\"\"}",
            Value::Null,
            422,
            Some("request_id"),
            "\"request_id\" takes a text of 1 to 128 bytes.",
        ),
    ] {
        let (read_id, read) = read_ask(line.as_bytes());
        let fault = read.expect_err(line);
        assert_eq!((read_id, fault.status, fault.field.as_deref()), (id, status, field), "{line}");
        assert_eq!(fault.sentence, sentence, "{line}");
    }
}

#[test]
fn what_one_side_asks_the_other_reads() {
    let request = Request {
        command: json!({"command": "adjust", "side": "white", "by": "+60s"}),
        version: Some(7),
        request_id: Some("x".to_owned()),
        source: Source::Web {
            peer: "127.0.0.1:5000".to_owned(),
            who: Some(Who { name: "Riga".to_owned(), role: Role::Assistant(crate::clock::side::Colour::White) }),
        },
    };
    let (id, read) = read_ask(ask_command(3, &request).as_bytes());
    assert_eq!((id, read), (json!(3), Ok(Ask::Command(Box::new(request)))));
    assert_eq!(read_ask(ask_state(4).as_bytes()), (json!(4), Ok(Ask::State)));
    assert_eq!(read_ask(ask_metrics(6).as_bytes()), (json!(6), Ok(Ask::Metrics)));
    let counted = answer_metrics(&json!(6), "a 1\n".to_owned());
    assert_eq!((read_metrics(6, &counted).as_deref(), read_metrics(7, &counted)), (Some("a 1\n"), None));
    assert_eq!(read_ask(ask_log(5, "csv").as_bytes()), (json!(5), Ok(Ask::Log("csv".to_owned()))));
    let text = "a\n\"b\"\u{1}".to_owned();
    assert_eq!(read_log(5, &answer_log(&json!(5), Ok(text.clone()))), Some(Ok(text)));
    assert!(read_log(5, &answer_log(&json!(5), Ok("x".repeat(limits::LOG + 1)))).is_some_and(|read| read.is_err()));
    assert_eq!(read_ask(ask_watch().as_bytes()), (Value::Null, Ok(Ask::Watch)));
}

#[test]
fn a_state_is_passed_on_to_the_letter() {
    let state = r#"{"version":3,  "at":"0:00:17.250","odd":1.0e2}"#;
    let line = answer_command(&json!(5), None, &Answer::Done(state.to_owned()));
    assert_eq!(read_reply(5, &line), Some(Reply::Done(state.to_owned())));
    assert_eq!(read_reply(6, &line), None, "the answer to another line");
    let line = answer_command(&json!(5), Some(2), &Answer::Stale(state.to_owned()));
    let Some(Reply::Failed { fault, state: Some(kept) }) = read_reply(5, &line) else { panic!("{line}") };
    assert_eq!((fault.status, fault.field.as_deref(), kept.as_str()), (409, Some("version"), state));
}
