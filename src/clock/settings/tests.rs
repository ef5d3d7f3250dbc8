use super::*;
use serde_json::json;

fn of(object: Value) -> Result<Settings, SettingError> {
    Settings::from_object(Settings::default(), object.as_object().expect("an object"))
}

#[test]
fn explicit_settings_win_over_the_profile_in_any_order() {
    let settings = of(json!({"default_time": "5m", "profile": "us-chess"})).expect("good");
    assert_eq!(settings.on_flag, OnFlag::PlayOn);
    assert_eq!(settings.default_time, Span::from_secs(300));
}

#[test]
fn what_is_refused_says_where_and_what_instead() {
    for (object, sentence) in [
        (json!({"advence": "moves"}), "there is no setting `advence`; the nearest is `advance`"),
        (json!({"settle_ms": 4}), "`settle_ms` does not take 4: it is a whole number of milliseconds from 5 to 100"),
        (json!({"on_flag": "stop"}), "`on_flag` does not take \"stop\": it is one of freeze, play_on"),
        (json!({"glitch_ms": 30}), "`glitch_ms` does not take 30: it is at most debounce_ms, 20"),
    ] {
        assert_eq!(of(object).expect_err("bad").to_string(), sentence);
    }
}

#[test]
fn written_out_and_read_again_they_are_the_same() {
    for profile in [Profile::Fide2001, Profile::Fide2023, Profile::UsChess] {
        let settings = Settings::of_profile(profile);
        let Value::Object(object) = serde_json::to_value(settings).expect("an object") else { panic!("an object") };
        assert_eq!(Settings::from_object(Settings::default(), &object), Ok(settings));
    }
}
