use super::*;

#[test]
fn the_built_in_rulebooks_are_whole_and_read_back_from_what_they_print() {
    for (name, text) in BUILT_IN {
        let book = read(name, text).unwrap_or_else(|findings| panic!("{findings}"));
        assert_eq!(book.name, name);
        let again = read("printed", &book.to_string()).unwrap_or_else(|findings| panic!("{findings}"));
        assert_eq!(again, book);
        assert!(!book.to_string().contains("\"regulations\""), "a rule of {name} has no clause:\n{book}");
    }
}

#[test]
fn a_club_overrides_what_differs_and_the_rest_keeps_its_clause() {
    let text = "rulebook = \"club\"\nbase = \"ua-postal\"\n[rules]\nrepeat_after = { value = 30, clause = \"ours, 4\" }\n\
                silence_months = \"none\"\n";
    let book = read("club.toml", text).unwrap_or_else(|findings| panic!("{findings}"));
    assert_eq!(
        (book.rules.repeat_after.value, book.rules.repeat_after.clause.to_string()),
        (Some(30), "ours, 4".into())
    );
    assert_eq!(book.rules.silence_months.value, None);
    assert_eq!(book.rules.allowance_days.clause.to_string(), "2.4");
}

#[test]
fn everything_wrong_in_a_rulebook_is_found_with_its_place() {
    for (text, sentence) in [
        (
            "rulebook = \"x\"\n[rules]\ncarry = true\n",
            "x.toml:2:1: a rulebook without `base` sets every rule; missing: ",
        ),
        ("rulebook = \"x\"\nbase = \"uk\"\n", "x.toml:2:8: `base` does not take \"uk\": it is one of ua-postal, "),
        (
            "rulebook = \"x\"\nbase = \"ua-postal\"\n[rules]\nrepeat_after = -1\n",
            "x.toml:4:16: `repeat_after` does not take -1: it is a whole number from 0 to 9999, or \"none\"",
        ),
        (
            "rulebook = \"x\"\nbase = \"ua-postal\"\n[rules]\nrepeat_afer = 1\n",
            "x.toml:4:1: there is no key `repeat_afer` here; the nearest is `repeat_after`",
        ),
        (
            "rulebook = \"x\"\nbase = \"ua-postal\"\ncarry = 1\n",
            "x.toml:3:1: there is no key `carry` here; it belongs below",
        ),
        (
            "rulebook = \"x\"\nbase = \"ua-postal\"\n[rules]\noverstep_days = 60\n",
            "x.toml:4:17: overstep_days 60 is above allowance_days 50",
        ),
    ] {
        let findings = read("x.toml", text).expect_err(text).to_string();
        assert!(findings.starts_with(sentence), "{text}\n{findings}");
    }
}
