//! The worked examples of the correspondence rules, each against the functions that the reckoning uses.
//!
//! Reads `tests/data/correspondence-examples.json`, or the file that `ZEITNOT_EXAMPLES` names. An unknown kind, input,
//! value or expected key fails: nothing is skipped.

#[path = "correspondence/inputs.rs"]
mod inputs;
#[path = "correspondence/post.rs"]
mod post;
#[path = "correspondence/server.rs"]
mod server;

use std::path::PathBuf;

use inputs::Inputs;
use serde_json::{Map, Value};
use zeitnot::correspondence::Rulebook;

/// What a kind answers: every key that it knows, in any order.
pub(crate) type Answer = Result<Map<String, Value>, String>;

fn answer(kind: &str, rulebook: &Rulebook, inputs: &Inputs<'_>) -> Answer {
    let rules = &rulebook.rules;
    match kind {
        "reflection" => post::reflection(rules, inputs),
        "effective_start" => post::effective_start(rules, inputs),
        "first_move" => post::first_move(rules, inputs),
        "postmark" => post::postmark(inputs),
        "reflection_from_stamps" => post::reflection_from_stamps(inputs),
        "exempt_reply" => post::exempt_reply(rules, inputs),
        "penalties" => post::penalties(rules, inputs),
        "penalties_ru" => post::penalties_ru(rules, inputs),
        "fraction" => post::fraction(inputs),
        "repeat" => post::repeat(rules, inputs),
        "first_move_query" => post::first_move_query(rules, inputs),
        "silence_two_months" => post::silence(rules, inputs),
        "variant_booking" => post::variant_booking(inputs),
        "overstep" => post::overstep(rules, inputs),
        "overstep_variant" => post::overstep_variant(rules, inputs),
        "standing" => post::standing(rules, inputs),
        "registered_needed" => post::registered_needed(rules, inputs),
        "leave_credit" => post::leave_credit(rules, inputs),
        "claim" => post::claim(rules, inputs),
        "first_date_correction" => post::first_date_correction(inputs),
        "missing_receipt" => post::missing_receipt(inputs),
        "deadline" => post::deadline(rules, inputs),
        "server_charge" => server::charge(rules, inputs),
        "server_clock" => server::clock(rules, inputs),
        "server_flag" => server::flag(rules, inputs),
        "server_reminders" => server::reminders(rules, inputs),
        "server_forfeit" => server::forfeit(rules, inputs),
        "server_access_loss" => server::access_loss(rules, inputs),
        "server_action" => server::action(rules, inputs),
        other => Err(format!("the kind {other} is unknown")),
    }
}

/// What is wrong with one example; the number of keys compared.
fn compare(example: &Value) -> Result<usize, String> {
    let text = |key: &str| example.get(key).and_then(Value::as_str).ok_or(format!("no {key}"));
    let known = ["id", "ruleset", "clause", "kind", "title", "inputs", "expected", "readings", "note", "alternatives"];
    let object = example.as_object().ok_or("no object")?;
    if let Some(key) = object.keys().find(|key| !known.contains(&key.as_str())) {
        return Err(format!("the key {key} is unknown"));
    }
    let rulebook = Rulebook::built_in(text("ruleset")?).ok_or("no such ruleset")?;
    let inputs = Inputs::new(example.get("inputs").ok_or("no inputs")?)?;
    let got = answer(text("kind")?, &rulebook, &inputs)?;
    inputs.all_read()?;
    let expected = example.get("expected").and_then(Value::as_object).ok_or("no expected")?;
    for (key, value) in expected {
        match got.get(key) {
            Some(found) if found == value => {}
            Some(found) => return Err(format!("{key}: expected {value}, got {found}")),
            None => return Err(format!("the expected key {key} is unknown here; got {got:?}")),
        }
    }
    if let (None, Some(warning)) = (expected.get("warning"), got.get("warning")) {
        return Err(format!("a warning that is not expected: {warning}"));
    }
    Ok(expected.len())
}

#[test]
fn the_worked_examples_hold() {
    let path = std::env::var_os("ZEITNOT_EXAMPLES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/correspondence-examples.json"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let list = file.as_array().or_else(|| file.get("examples").and_then(Value::as_array)).expect("a list of examples");
    let mut keys = 0;
    let mut wrong = Vec::new();
    for example in list {
        match compare(example) {
            Ok(compared) => keys += compared,
            Err(error) => wrong.push(format!("{}: {error}", example.get("id").unwrap_or(&Value::Null))),
        }
    }
    println!("{} examples compared, {keys} keys, {} wrong, from {}", list.len(), wrong.len(), path.display());
    assert!(!list.is_empty() && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_adapter_fails_on_what_it_does_not_know() {
    let example = serde_json::json!({"id": "X", "ruleset": "ua-postal", "clause": "2.4", "kind": "reflection", "title": "",
        "inputs": {"received": "2024-05-03", "sent": "2024-05-07"}, "expected": {"days": 4}});
    assert_eq!(compare(&example), Ok(1));
    for (pointer, key, value) in [
        ("/inputs", "leeves", Value::Null),
        ("/expected", "daze", 4.into()),
        ("/expected", "days", 5.into()),
        ("", "kind", "reflexion".into()),
        ("", "ruleset", "xx".into()),
        ("", "rulesets", "xx".into()),
        ("/inputs", "sent", "2024-02-30".into()),
    ] {
        let mut broken = example.clone();
        broken.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object").insert(key.into(), value);
        assert!(compare(&broken).is_err(), "{broken}");
    }
}
