//! The page and what it loads: files of the program itself, so that it works without a network.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::routing::get;

use super::App;

const FILES: [(&str, &str, &str); 25] = [
    ("/", "text/html; charset=utf-8", include_str!("pages/index.html")),
    ("/pair", "text/html; charset=utf-8", include_str!("pages/pair.html")),
    ("/pair.js", "text/javascript; charset=utf-8", include_str!("pages/pair.js")),
    ("/access", "text/html; charset=utf-8", include_str!("pages/access.html")),
    ("/access.js", "text/javascript; charset=utf-8", include_str!("pages/access.js")),
    ("/assistant", "text/html; charset=utf-8", include_str!("pages/assistant.html")),
    ("/assistant.js", "text/javascript; charset=utf-8", include_str!("pages/assistant.js")),
    ("/access.css", "text/css; charset=utf-8", include_str!("pages/access.css")),
    ("/app.css", "text/css; charset=utf-8", include_str!("pages/app.css")),
    ("/app.js", "text/javascript; charset=utf-8", include_str!("pages/app.js")),
    ("/reading.js", "text/javascript; charset=utf-8", include_str!("pages/reading.js")),
    ("/commands.js", "text/javascript; charset=utf-8", include_str!("pages/commands.js")),
    ("/correct.js", "text/javascript; charset=utf-8", include_str!("pages/correct.js")),
    ("/words.js", "text/javascript; charset=utf-8", include_str!("pages/words.js")),
    ("/sheet.js", "text/javascript; charset=utf-8", include_str!("pages/sheet.js")),
    ("/rule.js", "text/javascript; charset=utf-8", include_str!("pages/rule.js")),
    ("/past.js", "text/javascript; charset=utf-8", include_str!("pages/past.js")),
    ("/watch", "text/html; charset=utf-8", include_str!("pages/watch.html")),
    ("/watch.css", "text/css; charset=utf-8", include_str!("pages/watch.css")),
    ("/watch.js", "text/javascript; charset=utf-8", include_str!("pages/watch.js")),
    ("/live.js", "text/javascript; charset=utf-8", include_str!("pages/live.js")),
    ("/view.js", "text/javascript; charset=utf-8", include_str!("pages/view.js")),
    ("/takeover.js", "text/javascript; charset=utf-8", include_str!("pages/takeover.js")),
    ("/simulator.js", "text/javascript; charset=utf-8", include_str!("pages/simulator.js")),
    ("/icon.svg", "image/svg+xml", include_str!("pages/icon.svg")),
];

/// Whether a path is a file that the pages load, and no page.
pub(super) fn is_file(path: &str) -> bool {
    path.contains('.') && FILES.iter().any(|(file, ..)| *file == path)
}

/// Adds a route for each file.
pub(super) fn routes(router: Router<Arc<App>>) -> Router<Arc<App>> {
    FILES.into_iter().fold(router, |router, (path, content_type, text)| {
        // Asked for anew each time: a page of an older version would speak another language.
        let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "no-cache")];
        router.route(path, get(move || async move { (headers, text) }))
    })
}
