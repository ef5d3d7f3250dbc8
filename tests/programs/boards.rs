//! Two boards of one name: who acts on one does not act on the other (B61).

use serde_json::json;

use crate::service::Clock;

/// B61: two boards with the same number and name. A command that was meant for the other one changes nothing, and says
/// which board it came to; each state and each answer says which board it is of.
#[test]
fn b61_a_command_for_the_board_beside_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("zeitnot.toml");
    std::fs::write(&config, "[board]\nnumber = 7\nname = \"Havana\"\n").unwrap();
    let further = ["--config", config.to_str().unwrap()];
    let [here, beside] = ["a", "b"].map(|name| Clock::with(&folder.path().join(name), &further));
    let (own, other) = (here.state()["device"].clone(), beside.state()["device"].clone());
    assert_eq!((&own["name"], &own["number"]), (&other["name"], &other["number"]));
    assert_ne!(own["id"], other["id"]);
    let adjust =
        |device: &serde_json::Value| json!({"command": "adjust", "side": "white", "by": "+60s", "device": device});
    let before = here.state();
    for preview in [false, true] {
        let mut command = adjust(&other["id"]);
        command["preview"] = preview.into();
        let (status, answer) = here.command(&command);
        assert_eq!((status, &answer["error"]["field"]), (409, &json!("device")), "{answer}");
        let sentence = answer["error"]["sentence"].as_str().unwrap();
        for id in [&own["id"], &other["id"]] {
            assert!(sentence.contains(id.as_str().unwrap()), "{sentence}");
        }
        assert_eq!(answer["state"]["device"], own);
    }
    let after = here.state();
    assert_eq!((&after["version"], &after["white"]), (&before["version"], &before["white"]));
    let done = here.done(adjust(&own["id"]));
    assert_eq!((&done["device"], &done["white"]["remaining"]), (&own, &json!("0:06:00")));
    // The id stays, whatever the board is called.
    let data = here.data.clone();
    drop(here);
    assert_eq!(Clock::at(&data).state()["device"]["id"], own["id"]);
}
