use super::message::{Message, Part};
use super::*;

fn read(text: &'static str) -> Result<Catalogue, Vec<String>> {
    let told = |errors: Vec<WordsError>| errors.iter().map(ToString::to_string).collect();
    Catalogue::read("xx", &[("xx/page.ftl", text)]).map_err(told)
}

fn json(text: &'static str, id: &str) -> String {
    serde_json::to_string(read(text).expect("a catalogue").get(id).expect("a message")).expect("JSON")
}

/// A language that somebody adds with a fault is found here, with file and place.
#[test]
fn every_catalogue_is_read_whole() {
    for language in Language::all() {
        if let Err(errors) = Catalogue::read(language.name(), language.files()) {
            panic!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"));
        }
        assert_eq!(language.catalogue().language(), language.name());
        assert_eq!(Language::from_name(language.name()), Some(language));
    }
    assert_eq!(Language::default().name(), "en");
    assert_eq!(Language::from_name("tlh"), None);
}

#[test]
fn what_no_reader_knows_is_refused_with_file_and_message() {
    for (text, told) in [
        ("a = { $n -> \n   *[other] { NUMBER($n) }\n }\n", "xx/page.ftl: `a`: functions are not known here"),
        ("b = b\na = { b }\n", "xx/page.ftl: `a`: a message does not name another one; write the words themselves"),
        (
            "a = { -name }\n-name = x\n",
            "xx/page.ftl: `a`: a message does not name another one; write the words themselves",
        ),
        ("-name = x\n", "xx/page.ftl: `-name`: terms are not known here"),
        ("a = x\n    .title = y\n", "xx/page.ftl: `a`: attributes are not known here"),
        ("a =\n    .title = y\n", "xx/page.ftl: `a`: attributes are not known here"),
        ("a = { 5 }\n", "xx/page.ftl: `a`: a number stands in the text itself, without braces"),
        ("a = { { $n } }\n", "xx/page.ftl: `a`: one pair of braces is enough"),
        (
            "a = { NUMBER($n) ->\n   *[other] x\n }\n",
            "xx/page.ftl: `a`: a choice is made by an argument, `{ $name -> … }`",
        ),
        ("a = x\na = y\n", "xx/page.ftl: `a`: it is here a second time"),
        ("direction = up\n", "xx/page.ftl: `direction`: it is ltr or rtl"),
    ] {
        let errors = read(text).expect_err(text);
        assert!(errors.iter().any(|error| error == told), "{text}: {errors:?}");
    }
    let errors = read("a = x\nb = { $n\nc = y\n").expect_err("no Fluent");
    assert!(errors[0].starts_with("xx/page.ftl:2: this is no Fluent message: "), "{errors:?}");
}

#[test]
fn messages_become_text_gaps_and_choices() {
    assert_eq!(json("a = Chess clock\n", "a"), r#""Chess clock""#);
    assert_eq!(json("a = Board { $number }{\" \"}\n", "a"), r#"["Board ",{"argument":"number"}," "]"#);
    assert_eq!(json("a = one\n    two\n", "a"), r#""one\ntwo""#);
    assert_eq!(
        json("a = { $count ->\n    [0] none\n    [one] { $count } move\n   *[other] { $count } moves\n }\n", "a"),
        r#"[{"by":"count","of":{"0":["none"],"one":[{"argument":"count"}," move"]},"otherwise":[{"argument":"count"}," moves"]}]"#
    );
    let catalogue = read("a = { $n ->\n   *[other] { $what }\n }\n").expect("a catalogue");
    assert_eq!(catalogue.get("a").map(Message::arguments), Some(vec!["n", "what"]));
}

/// A message that a language lacks is English; its direction is its own.
#[test]
fn what_a_language_lacks_is_english() {
    let own = read("direction = rtl\nwhite = ⟦White⟧\n").expect("a catalogue");
    assert_eq!(own.on_panel("white"), None);
    let whole = own.over(&Language::default().catalogue());
    assert_eq!((whole.language(), whole.direction()), ("xx", Direction::Rtl));
    assert_eq!(whole.get("white"), Some(&Message(vec![Part::Text("⟦White⟧".into())])));
    assert_eq!(whole.on_panel("white"), Some("WHITE"));
    assert_eq!(whole.messages().count(), Language::default().catalogue().messages().count());
    assert_eq!(whole.of_pages().find(|(id, _)| id.starts_with("panel-")), None);
}
