//! No word of a page or a panel stands in the code: each is a message, every message is said somewhere, and what panels
//! show fits on them in every language.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use zeitnot::clock::command::{Refusal, because};
use zeitnot::clock::side::Colour;
use zeitnot::clock::snapshot::State;
use zeitnot::panel::lettering;
use zeitnot::panel::words::Words;
use zeitnot::panel::words::menu::MenuWords;
use zeitnot::words::Language;

/// Letters in a line of the smallest panel.
const LINE: usize = 13;

/// Texts of the scripts that look like words and are none: what they are for a browser.
const NO_WORDS: [&str; 8] = [
    // Headers.
    "Content-Type",
    // Kinds of a button: classes of the style sheet.
    "main go",
    "main stop",
    "act undo",
    // Where a key is, and where something is heard.
    "Space",
    "Enter",
    "T",
    // What the clock calls readings that were typed in.
    "typed in",
];

fn page_files(extension: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/web/pages");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the pages")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    files.sort();
    assert!(files.len() >= 5, "there are pages and scripts");
    files
}

/// A text that stands in a script, in the words of its writer, and the code right before it.
struct Literal {
    line: usize,
    before: String,
    text: String,
}

/// Every text of a script; the fixed pieces of a template each by itself, what stands in its gaps as code.
fn literals(script: &str) -> Vec<Literal> {
    let characters: Vec<char> = script.chars().collect();
    let (mut found, mut code, mut line, mut at) = (Vec::new(), String::new(), 1, 0);
    // The gaps of templates that are open, each with its depth of braces.
    let mut gaps: Vec<u32> = Vec::new();
    while let Some(&c) = characters.get(at) {
        let rest = |len: usize| characters[at..characters.len().min(at + len)].iter().collect::<String>();
        let closes_gap = c == '}' && gaps.last() == Some(&0);
        if rest(2) == "//" {
            at += characters[at..].iter().position(|c| *c == '\n').unwrap_or(characters.len() - at);
        } else if c == '/' && code.trim_end().ends_with(['(', ',', '=', ':', '!', '&', '|', '?']) {
            // A pattern: to its end, which no bracket hides in these scripts.
            at += 1;
            while characters[at] != '/' {
                at += if characters[at] == '\\' { 2 } else { 1 };
            }
            at += 1;
        } else if matches!(c, '"' | '\'' | '`') || closes_gap {
            if closes_gap {
                gaps.pop();
            }
            let end = if closes_gap { '`' } else { c };
            let (mut text, began) = (String::new(), line);
            at += 1;
            while characters[at] != end {
                if end == '`' && characters[at] == '$' && characters[at + 1] == '{' {
                    gaps.push(0);
                    at += 1;
                    break;
                }
                if characters[at] == '\\' {
                    at += 1;
                }
                line += usize::from(characters[at] == '\n');
                text.push(characters[at]);
                at += 1;
            }
            at += 1;
            found.push(Literal { line: began, before: code.clone(), text });
            code.push('"');
        } else {
            match (c, gaps.last_mut()) {
                ('{', Some(depth)) => *depth += 1,
                ('}', Some(depth)) => *depth -= 1,
                _ => {}
            }
            if c == '\n' {
                line += 1;
                code.clear();
            } else {
                code.push(c);
            }
            at += 1;
        }
    }
    found
}

/// Two words side by side, or one that begins as a sentence does.
fn reads_like_words(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').collect();
    let letters =
        |word: &str| word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic() || "',.:;…".contains(c));
    let sentence = |word: &str| {
        let mut characters = word.chars();
        characters.next().is_some_and(char::is_uppercase) && characters.next().is_none_or(char::is_lowercase)
    };
    words.windows(2).any(|pair| pair.iter().all(|word| letters(word))) || words.iter().any(|word| sentence(word))
}

/// What puts a text where it is read: whatever is given to it as it stands would be a word.
const SHOWS: [&str; 12] = [
    // A child of an element.
    "{}, ",
    "textContent = ",
    "textContent: ",
    "ariaLabel = ",
    "title = ",
    "title: ",
    "text: ",
    "label: ",
    "hint: ",
    "placeholder: ",
    "apply: ",
    "button(",
];

#[test]
fn no_word_stands_in_a_script() {
    let (mut wrong, mut met) = (Vec::new(), BTreeSet::<&str>::new());
    for (file, script) in page_files("js") {
        for Literal { line, before, text } in literals(&script) {
            // A selector is given to its call, whatever it reads like.
            let selects = before.ends_with("querySelector(")
                || before.ends_with("querySelectorAll(")
                || before.ends_with("closest(");
            let shown = SHOWS.iter().any(|shows| before.ends_with(shows))
                || (before.ends_with(", ") && before.contains("setText("));
            if selects || !(shown && !is_example(&text) || reads_like_words(&text)) {
                continue;
            }
            match NO_WORDS.iter().find(|no_word| **no_word == text) {
                Some(no_word) => drop(met.insert(*no_word)),
                None => wrong.push(format!("{file}:{line}: {text:?} is a word: let a message say it")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let stale: Vec<_> = NO_WORDS.iter().filter(|no_word| !met.contains(*no_word)).collect();
    assert!(stale.is_empty(), "no script has {stale:?} any more");
}

/// A notation or a position is no word: it has no two letters side by side.
fn is_example(text: &str) -> bool {
    let letters: Vec<bool> = text.chars().map(char::is_alphabetic).collect();
    !letters.windows(2).any(|pair| pair == [true, true])
}

/// The scanner itself: what it must find, it finds.
#[test]
fn words_are_found_where_they_stand() {
    let script = "const a = `${b ? \"One two\" : `in ${c} side`} end`; // \"not this one\"\nx(/\"no\\//, 'Three');\nd.title = \"four\";";
    let found: Vec<_> = literals(script).into_iter().map(|literal| (literal.line, literal.text)).collect();
    let expected = [(1, ""), (1, "One two"), (1, "in "), (1, " side"), (1, " end"), (2, "Three"), (3, "four")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    for words in ["One two", "Three", "no connection", "Board ", "it is over."] {
        assert!(reads_like_words(words), "{words}");
    }
    for no_words in
        ["aria-pressed", "#rule-list .ruling", "request_id", "0 0", "·", "POST", "application/json", "/api/v1/state"]
    {
        assert!(!reads_like_words(no_words), "{no_words}");
    }
}

/// The text of a page between its tags, and what its tags say to a reader.
#[test]
fn no_word_stands_in_a_page() {
    let mut wrong = Vec::new();
    for (file, page) in page_files("html") {
        let mut rest = page.as_str();
        while let Some((text, tag)) = rest.split_once('<') {
            let (tag, after) = tag.split_once('>').expect("a tag ends");
            let said = ["aria-label=\"", "title=\"", "placeholder=\"", "alt=\""].iter().filter_map(|name| {
                let (_, value) = tag.split_once(&format!(" {name}"))?;
                value.split('"').next()
            });
            for text in [text].into_iter().chain(said) {
                let mut own = String::new();
                let mut parts = text.split("{{");
                own.push_str(parts.next().unwrap_or_default());
                parts.for_each(|part| own.push_str(part.split_once("}}").map_or(part, |(_, own)| own)));
                if !is_example(&own) {
                    wrong.push(format!("{file}: {:?} is a word: let a message say it", own.trim()));
                }
            }
            rest = after;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The ids that the pages name, and the families of which they name one by what the clock says.
fn named() -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut ids, mut families) = (BTreeSet::from(["direction".to_owned()]), BTreeSet::new());
    for (_, page) in page_files("html") {
        let parts = page.split("{{").skip(1).map(|part| part.split_once("}}").expect("it ends").0.to_owned());
        ids.extend(parts.filter(|id| id != "language"));
    }
    for (file, script) in page_files("js") {
        for Literal { before, text, line } in literals(&script) {
            // The call in whose brackets it stands; `word(a ? "one" : "two")` names two.
            let open = before.char_indices().rev().scan(0, |depth, (index, c)| {
                *depth += match c {
                    ')' | '}' | ']' => 1,
                    '(' | '{' | '[' => -1,
                    _ => 0,
                };
                Some((index, *depth))
            });
            let Some((index, _)) = open.into_iter().find(|(_, depth)| *depth < 0) else { continue };
            let (call, given) = (&before[..index], &before[index + 1..]);
            let compared = given.trim_end().ends_with("===");
            if call.ends_with("wordOf") && given.is_empty() {
                families.insert(format!("{text}-"));
            } else if call.ends_with("word") && before[index..].starts_with('(') && !compared && !given.contains(',') {
                assert!(!text.is_empty(), "{file}:{line}: a message is named whole");
                ids.insert(text);
            } else if before.contains("word({") && given.contains(": ") {
                ids.insert(text);
            }
        }
    }
    (ids, families)
}

#[test]
fn every_message_is_there_and_is_said() {
    let (ids, families) = named();
    let english = Language::default().catalogue();
    for id in &ids {
        assert!(english.get(id).is_some(), "no message `{id}`, which a page names");
    }
    for family in &families {
        assert!(english.of_pages().any(|(id, _)| id.starts_with(&**family)), "no message of `{family}…`");
    }
    let of_family = |id: &str| families.iter().any(|family| id.starts_with(&**family));
    let unsaid: Vec<_> =
        english.of_pages().map(|(id, _)| id).filter(|id| !ids.contains(*id) && !of_family(id)).collect();
    assert!(unsaid.is_empty(), "nothing says {unsaid:?}");
}

/// What the clock has names for, and the page tells by a message: none is told by its name alone.
#[test]
fn what_the_clock_names_has_a_message() {
    let described: Value = serde_json::from_str(include_str!("../src/web/openapi.json")).expect("JSON");
    let schemas = described["components"]["schemas"].as_object().expect("schemas");
    let names = |schema: &str, property: &str| -> Vec<String> {
        let names = schemas[schema]["properties"][property]["enum"].as_array().expect("names");
        names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let commands = schemas.values().filter_map(|schema| schema["properties"]["command"]["const"].as_str());
    // An assistant's page has words of its own for a press, and no page switches the board off.
    let commands =
        commands.filter(|name| !["assistant_press", "power_off"].contains(name)).map(str::to_owned).collect();
    let english = Language::default().catalogue();
    let of_games = ["ready", "running", "paused", "ended"].map(str::to_owned).to_vec();
    for (families, names) in [
        (&["kind"][..], names("Incident", "kind")),
        (&["refusal"], names("Because", "code")),
        (&["offence"], names("CommandRuling", "article")),
        (&["done", "act"], commands),
        (&["then"], of_games.clone()),
        (&["now"], of_games),
    ] {
        assert!(names.len() >= 4, "{families:?}");
        for name in names {
            let id = |family: &&str| format!("{family}-{}", name.replace('_', "-"));
            assert!(
                families.iter().any(|family| english.get(&id(family)).is_some()),
                "no message of {families:?} for {name}"
            );
        }
    }
}

/// Why a command is refused is said on the page with what the clock tells of it: no gap stays open.
#[test]
fn what_a_refusal_names_is_told_with_it() {
    let english = Language::default().catalogue();
    let of_games = || [State::Ready, State::Running, State::Paused, State::Ended].into_iter();
    let refusals = of_games().map(|state| Refusal::State { command: "pause", state, needs: "running" });
    let white = Colour::White;
    let further = [
        Refusal::GameOn(State::Paused),
        Refusal::FlagDown(white),
        Refusal::NoFlag(white),
        Refusal::BelowZero(white),
        Refusal::AboveMost(white),
        Refusal::NoPeriod { side: white, period: 3, last: 2 },
        Refusal::NoSuchMove { side: white, number: 9 },
        Refusal::NoIncident(4),
        Refusal::NoMark(white),
        Refusal::NoAssistant(white),
        Refusal::NoCorrection(5),
        Refusal::UndoLater("adjust"),
        Refusal::PlayWentOn("adjust"),
        Refusal::WouldHaveFlagged(white),
    ];
    for refusal in refusals.chain(further) {
        let told = because(refusal);
        let id = format!("refusal-{}", told["code"].as_str().expect("a name").replace('_', "-"));
        let message = english.get(&id).unwrap_or_else(|| panic!("no {id}"));
        for argument in message.arguments() {
            let named = if argument == "act" { "command" } else { argument };
            assert!(!told[named].is_null(), "{id} wants {argument}: {told}");
        }
    }
}

/// A page's own text has no gaps: nothing would fill them.
#[test]
fn what_a_page_says_itself_is_plain_text() {
    let english = Language::default().catalogue();
    for (file, page) in page_files("html") {
        for id in page.split("{{").skip(1).map(|part| part.split_once("}}").expect("it ends").0) {
            assert!(
                id == "language" || english.get(id).is_some_and(|message| message.text().is_some()),
                "{file}: {id}"
            );
        }
    }
}

#[test]
fn no_language_says_what_english_does_not() {
    let english = Language::default().catalogue();
    for language in Language::all() {
        let own = zeitnot::words::Catalogue::read(language.name(), language.files()).expect("a catalogue");
        for (id, message) in own.messages() {
            let Some(said) = english.get(id) else { panic!("{}: English has no `{id}`", language.name()) };
            let known: BTreeSet<&str> = said.arguments().into_iter().collect();
            for argument in message.arguments() {
                // Where a side is named, its colour is there to choose by.
                let chosen = argument == "colour" && known.contains("side");
                assert!(chosen || known.contains(argument), "{}: `{id}` has no {{ ${argument} }}", language.name());
            }
        }
    }
}

/// The ids of the panels' words, as a catalogue has them.
fn of_panels() -> impl Iterator<Item = String> {
    Words::IDS.iter().chain(MenuWords::IDS).map(|id| id.replace('_', "-"))
}

/// Two lines of thirteen letters at most, broken at a blank, and each letter has a glyph.
#[test]
fn panel_words_fit_on_a_small_panel_in_every_language() {
    for language in Language::all() {
        let catalogue = language.catalogue();
        for id in of_panels() {
            let name = format!("{}: panel-{id}", language.name());
            let word = catalogue.on_panel(&id).unwrap_or_else(|| panic!("{name} is one line of text"));
            assert!(!word.is_empty() && word.trim() == word, "{name}");
            let letters = |text: &str| text.chars().count();
            let broken =
                word.match_indices(' ').map(|(blank, _)| (letters(&word[..blank]), letters(&word[blank + 1..])));
            let fits = letters(word) <= LINE || broken.into_iter().any(|(first, second)| first.max(second) <= LINE);
            assert!(fits, "{name}: {word:?} needs more than two lines of {LINE} letters");
            for letter in word.chars() {
                assert!(lettering::SMALL.has(letter), "{name}: no panel has the letter {letter:?}");
            }
        }
        let known: BTreeSet<String> = of_panels().map(|id| format!("panel-{id}")).collect();
        for (id, _) in catalogue.messages().filter(|(id, _)| id.starts_with("panel-")) {
            assert!(known.contains(id), "{}: no panel shows `{id}`", language.name());
        }
    }
}
