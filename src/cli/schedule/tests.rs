use super::*;

/// Status, standard output and standard error.
fn scheduled(path: &Path, options: &Options) -> (Exit, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = run(path, options, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status, text(out), text(err))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("written");
    }
    folder
}

const GAME: &str = "rulebook = \"ua-postal\"\nstart = 2025-01-10\n[[message]]\nby = \"white\"\nmove = 1\n\
                    received = 2025-01-10\nsent = 2025-01-14\n";

#[test]
fn a_game_is_printed_and_written_as_page_and_calendar() {
    let folder = folder(&[("game.toml", GAME)]);
    let (html, ics) = (folder.path().join("page.html"), folder.path().join("dates.ics"));
    let options = Options { html: Some(html.clone()), ics: Some(ics.clone()), ..Options::default() };
    let (status, out, err) = scheduled(&folder.path().join("game.toml"), &options);
    assert_eq!((status, err.as_str()), (Exit::Done, ""));
    assert!(out.contains("   1            2025-01-10 2025-01-14    4     4 |\n"), "{out}");
    assert!(std::fs::read_to_string(html).expect("a page").starts_with("<!DOCTYPE html>"));
    assert!(std::fs::read_to_string(ics).expect("a calendar").starts_with("BEGIN:VCALENDAR\r\n"));
}

#[test]
fn json_is_json_lines_and_nothing_else() {
    let folder = folder(&[("game.toml", GAME)]);
    let options = Options { json: true, on: "2025-02-03".parse().ok(), ..Options::default() };
    let (status, out, _) = scheduled(&folder.path().join("game.toml"), &options);
    assert_eq!(status, Exit::Done);
    let kinds: Vec<String> = out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["kind"].to_string())
        .collect();
    assert_eq!(kinds[..4], ["\"game\"", "\"letter\"", "\"end\"", "\"on\""]);
    assert_eq!(kinds.iter().filter(|kind| *kind == "\"due\"").count(), 1, "the repeat is due: {out}");
}

#[test]
fn a_wrong_record_ends_with_status_1_and_a_player_s_fault_with_0() {
    for (content, status, sentence) in [
        ("rulebook = \"ua-postal\"\nstart = 2025-02-30\n", Exit::WrongFile, ":2:9: this is not TOML"),
        ("rulebook = \"nowhere.toml\"\nstart = 2025-01-01\n", Exit::WrongFile, ":1:12: `rulebook` is \"ua-postal\", "),
        ("rulebook = \"club.toml\"\nstart = 2025-01-01\n", Exit::WrongFile, "club.toml:4:9: `carry` does not take 1"),
        (
            "rulebook = \"ua-postal\"\nstart = 2025-01-01\n[[message]]\nby = \"white\"\nmove = 1\n\
             received = 2025-01-05\nsent = 2025-01-04\n",
            Exit::WrongFile,
            ":3:1: sent 2025-01-04 is before received 2025-01-05",
        ),
        (
            "rulebook = \"ua-postal\"\nstart = 2025-01-01\nnotation = \"en\"\n[[message]]\nby = \"white\"\nmove = 1\n\
             received = 2025-01-01\nsent = 2025-01-04\ntext = \"e5\"\n",
            Exit::Done,
            "",
        ),
    ] {
        let club = "rulebook = \"club\"\nbase = \"ua-postal\"\n[rules]\ncarry = 1\n";
        let folder = folder(&[("game.toml", content), ("club.toml", club)]);
        let (got, _, err) = scheduled(&folder.path().join("game.toml"), &Options::default());
        assert_eq!(got, status, "{content}");
        assert!(err.contains(sentence), "{content}\n{err}");
    }
    let (status, _, err) = scheduled(Path::new("/nowhere/game.toml"), &Options::default());
    assert_eq!(status, Exit::WrongFile);
    assert!(err.starts_with("cannot read `/nowhere/game.toml`: No such file"), "{err}");
}

#[test]
fn a_record_names_a_club_s_rulebook_by_its_path() {
    let club = "rulebook = \"club\"\nbase = \"ua-postal\"\n[rules]\nrepeat_after = 5\n";
    let folder = folder(&[("game.toml", &GAME.replace("\"ua-postal\"", "\"club.toml\"")), ("club.toml", club)]);
    let options = Options { json: true, on: "2025-01-19".parse().ok(), ..Options::default() };
    let (status, out, _) = scheduled(&folder.path().join("game.toml"), &options);
    assert_eq!(status, Exit::Done);
    assert!(out.contains("\"kind\":\"due\",\"at\":\"2025-01-19\",\"matter\":\"repeat\""), "{out}");
}

#[test]
fn an_output_that_cannot_be_written_ends_with_status_2() {
    let folder = folder(&[("game.toml", GAME)]);
    let options = Options { html: Some("/nowhere/page.html".into()), ..Options::default() };
    let (status, _, err) = scheduled(&folder.path().join("game.toml"), &options);
    assert_eq!(status, Exit::WrongArguments);
    assert!(err.starts_with("cannot write `/nowhere/page.html`"), "{err}");
}
