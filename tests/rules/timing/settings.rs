//! Settings: an unknown one is refused with the nearest name, one without meaning for a control is accepted.

use crate::common::{check, replay_text};

#[test]
fn unknown_and_out_of_bounds_settings_are_refused() {
    for (setting, part) in [
        (r#""advence":"moves""#, "`advance`"),
        (r#""advance":"press""#, "moves, expiry, expiry_both"),
        (r#""on_flag":"stop""#, "freeze, play_on"),
        (r#""first_bonus":"never""#, "before, after"),
        (r#""start":"white_press""#, "black_press"),
        (r#""settle_ms":4"#, "from 5 to 100"),
        (r#""settle_ms":101"#, "from 5 to 100"),
        (r#""debounce_ms":"20""#, "whole number"),
        (r#""profile":"fide-1999""#, "fide-2023"),
    ] {
        let (printed, error) =
            replay_text(&format!(r#"{{"at":"0","setup":{{"control":"5m","settings":{{{setting}}}}}}}"#), None);
        let error = error.expect("refused").to_string();
        assert!(printed.is_empty() && error.starts_with("line 1:") && error.contains(part), "{setting}: {error}");
    }
}

#[test]
fn settings_without_meaning_for_a_control_are_accepted() {
    check(
        "
        [gong 10s] advance=expiry first_bonus=after default_time=15m tenths_below=5s
        0 read | read
    ",
    );
}

/// Profiles: what differs between the rule books shows in what the clock does; explicit settings win.
#[test]
fn profiles_differ() {
    for (settings, state) in [
        ("profile=fide-2001", "running"),
        ("profile=fide-2023", "ended"),
        ("profile=us-chess", "running"),
        ("profile=us-chess on_flag=freeze", "ended"),
        ("on_flag=play_on profile=fide-2023", "running"),
    ] {
        check(&format!(
            "
        [60] {settings}
            0 black
            61 read | flag ; read state={state}
        "
        ));
    }
    for (profile, limit) in [("fide-2001", "1:00:00"), ("us-chess", "1:00:00"), ("fide-2023", "0:00:00")] {
        check(&format!(
            "
        [2h] profile={profile}
            0 start
            3601 read | incident incident.kind=default_time incident.at={limit} ; incident ; read
        "
        ));
    }
    for (profile, white, black) in [("fide-2001", "0:01:00", "0:02:00"), ("us-chess", "0:01:30", "0:01:30")] {
        check(&format!(
            "
        [2m] profile={profile}
            0 start
            60 arrived black | arrived w={white} b={black}
        "
        ));
    }
}

/// Profiles: who may call a flag.
#[test]
fn profiles_who_may_call_a_flag() {
    for (profile, call) in [
        ("fide-2001", "call_flag w.flag.seen=0:01:10"),
        ("fide-2023", "call_flag"),
        ("us-chess", "refused w.flag.seen=null"),
    ] {
        check(&format!(
            "
        [60] profile={profile}
            0 black
            70 call_flag white  | {call}
            75 claim_flag white | claim_flag w.flag.claimed=0:01:15 w.flag.at=0:01:00
        "
        ));
    }
}

/// Profiles: the time of a penalty for an illegal move, where none is named.
#[test]
fn profiles_penalty_time() {
    check(
        "
        [90m] profile=fide-2001
        0 black
        0 penalty white kind=time_to_opponent         | refused reason~time b=1:30:00
        0 penalty white kind=time_to_opponent time=3m | penalty b=1:33:00
    ",
    );
    for (control, profile, black) in [
        ("90m", "fide-2023", "1:32:00"),
        ("5m", "fide-2023", "0:06:00"),
        ("90m", "us-chess", "1:32:00"),
        ("5m", "us-chess", "0:07:00"),
    ] {
        check(&format!(
            "
        [{control}] profile={profile}
            0 black
            0 penalty white kind=time_to_opponent | penalty b={black}
        "
        ));
    }
}
