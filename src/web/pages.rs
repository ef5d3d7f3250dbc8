//! The pages and what they load: files of the program itself, so that they work without a network.
//!
//! A page arrives with its words: where its file says `{{id}}` stands the catalogue's message, put in once at start. Its
//! scripts load the messages from `/messages.js`, a module made of the same catalogue; how they fill a message's gaps is
//! in `words.js`.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::get;
use serde_json::json;

use super::App;
use crate::words::Catalogue;

const FILES: [(&str, &str, &str); 25] = [
    ("/", PAGE, include_str!("pages/index.html")),
    ("/pair", PAGE, include_str!("pages/pair.html")),
    ("/pair.js", SCRIPT, include_str!("pages/pair.js")),
    ("/access", PAGE, include_str!("pages/access.html")),
    ("/access.js", SCRIPT, include_str!("pages/access.js")),
    ("/assistant", PAGE, include_str!("pages/assistant.html")),
    ("/assistant.js", SCRIPT, include_str!("pages/assistant.js")),
    ("/access.css", "text/css; charset=utf-8", include_str!("pages/access.css")),
    ("/app.css", "text/css; charset=utf-8", include_str!("pages/app.css")),
    ("/app.js", SCRIPT, include_str!("pages/app.js")),
    ("/reading.js", SCRIPT, include_str!("pages/reading.js")),
    ("/commands.js", SCRIPT, include_str!("pages/commands.js")),
    ("/correct.js", SCRIPT, include_str!("pages/correct.js")),
    ("/words.js", SCRIPT, include_str!("pages/words.js")),
    ("/sheet.js", SCRIPT, include_str!("pages/sheet.js")),
    ("/rule.js", SCRIPT, include_str!("pages/rule.js")),
    ("/past.js", SCRIPT, include_str!("pages/past.js")),
    ("/watch", PAGE, include_str!("pages/watch.html")),
    ("/watch.css", "text/css; charset=utf-8", include_str!("pages/watch.css")),
    ("/watch.js", SCRIPT, include_str!("pages/watch.js")),
    ("/live.js", SCRIPT, include_str!("pages/live.js")),
    ("/view.js", SCRIPT, include_str!("pages/view.js")),
    ("/takeover.js", SCRIPT, include_str!("pages/takeover.js")),
    ("/simulator.js", SCRIPT, include_str!("pages/simulator.js")),
    ("/icon.svg", "image/svg+xml", include_str!("pages/icon.svg")),
];

/// The messages for the pages' scripts.
const MESSAGES: &str = "/messages.js";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PAGE: &str = "text/html; charset=utf-8";

/// Whether a path is a file that the pages load, and no page.
pub(super) fn is_file(path: &str) -> bool {
    path == MESSAGES || (path.contains('.') && FILES.iter().any(|(file, ..)| *file == path))
}

/// Adds a route for each file; the pages are in the language of `words`.
pub(super) fn routes(router: Router<Arc<App>>, words: &Catalogue) -> Router<Arc<App>> {
    let files = FILES.into_iter().map(|(path, content_type, text)| {
        let bytes = if content_type == PAGE { filled(text, words).into() } else { Bytes::from_static(text.as_bytes()) };
        (path, content_type, bytes)
    });
    files.chain([(MESSAGES, SCRIPT, messages(words).into())]).fold(router, |router, (path, content_type, bytes)| {
        // Asked for anew each time: a page of an older version would speak another language.
        let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "no-cache")];
        router.route(path, get(move || async move { (headers, bytes) }))
    })
}

/// A page with its words. A message that is not there, or that has gaps, is shown by its id; a test finds it first.
fn filled(page: &str, words: &Catalogue) -> String {
    let mut parts = page.split("{{");
    let mut made = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (id, rest) = part.split_once("}}").unwrap_or((part, ""));
        match id {
            "language" => made.push_str(&escaped(words.language())),
            "direction" => made.push_str(words.direction().name()),
            id => made.push_str(&escaped(words.get(id).and_then(|message| message.text()).map_or(id, |text| text))),
        }
        made.push_str(rest);
    }
    made
}

/// As text and in quotation marks alike.
fn escaped(text: &str) -> String {
    let sign = |c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        c => String::from(c),
    };
    text.chars().map(sign).collect()
}

fn messages(words: &Catalogue) -> String {
    let all: serde_json::Map<_, _> = words.of_pages().map(|(id, message)| (id.to_owned(), json!(message))).collect();
    format!(
        "export const LANGUAGE = {};\nexport const DIRECTION = {};\nexport const MESSAGES = {};\n",
        json!(words.language()),
        json!(words.direction().name()),
        json!(all),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::access::Reason;
    use crate::words::Language;

    fn catalogue() -> Catalogue {
        let text = "direction = rtl\nboth = \"A\" < B & C\ngap = { $name }\n";
        Catalogue::read("xx", &[("xx/page.ftl", text)]).expect("a catalogue")
    }

    /// A translator's sign is a sign, in a text and in quotation marks; what cannot be said is shown.
    #[test]
    fn a_page_is_filled_once() {
        let page =
            "<html lang=\"{{language}}\" dir=\"{{direction}}\"><p title=\"{{both}}\">{{both}} {{gap}} {{none}}{{";
        let both = "&quot;A&quot; &lt; B &amp; C";
        let made = format!("<html lang=\"xx\" dir=\"rtl\"><p title=\"{both}\">{both} gap none");
        assert_eq!(filled(page, &catalogue()), made);
    }

    #[test]
    fn every_page_is_filled_in_every_language() {
        for language in Language::all() {
            for (path, content_type, text) in FILES {
                let made = filled(text, &language.catalogue());
                assert!(content_type != PAGE || !made.contains("{{"), "{path}");
            }
        }
    }

    /// The devices' page tells why attempts were refused.
    #[test]
    fn every_reason_of_a_refusal_has_a_message() {
        let english = Language::default().catalogue();
        for reason in Reason::ALL {
            assert!(english.get(&format!("refused-by-{}", reason.name())).is_some(), "{}", reason.name());
        }
    }

    #[test]
    fn the_scripts_messages_are_a_module() {
        let module = messages(&catalogue());
        let (head, all) = module.split_once("export const MESSAGES = ").expect("the messages");
        assert_eq!(head, "export const LANGUAGE = \"xx\";\nexport const DIRECTION = \"rtl\";\n");
        let all: serde_json::Value = serde_json::from_str(all.trim_end().trim_end_matches(';')).expect("JSON");
        assert_eq!(all["gap"], json!([{"argument": "name"}]));
        assert!(is_file("/messages.js") && !is_file("/"));
    }
}
