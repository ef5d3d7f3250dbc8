//! What each address needs: one table, and whatever is not in it is the arbiter's.

use axum::http::Method;

use super::pages;
use crate::link::access::Role;

/// Whether an address lets somebody in.
pub(super) fn lets_in(path: &str) -> bool {
    matches!(path, "/api/v1/access/pair" | "/api/v1/access/login")
}

/// What a request needs to be let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Nothing: everybody on the network may look.
    Nobody,
    /// Nothing, and it is a page on which something is entered: over TLS.
    Page,
    /// A device that is let in, as whatever.
    Device,
    /// An arbiter.
    Arbiter,
}

impl Need {
    /// Of a method and a path.
    pub(super) fn of(method: &Method, path: &str) -> Self {
        let reads = matches!(*method, Method::GET | Method::HEAD);
        match path {
            "/" | "/pair" | "/assistant" | "/access" if reads => Self::Page,
            "/api/v1/state"
            | "/api/v1/events"
            | "/api/v1/presets"
            | "/api/v1/access/me"
            | "/api/v1/openapi.json"
            | "/healthz"
            | "/metrics"
            | "/watch"
                if reads =>
            {
                Self::Nobody
            }
            path if lets_in(path) => Self::Nobody,
            "/api/v1/commands" | "/api/v1/access/logout" => Self::Device,
            file if reads && pages::is_file(file) => Self::Nobody,
            _ => Self::Arbiter,
        }
    }

    /// Whether a role is enough.
    pub(super) fn is_met_by(self, role: Role) -> bool {
        match self {
            Self::Nobody | Self::Page => true,
            Self::Device => role != Role::Public,
            Self::Arbiter => role == Role::Arbiter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::side::Colour;

    /// ASVS 5.0, 8.2.1 and 8.3.1: every address has its need, and one that nobody thought of has the greatest.
    #[test]
    fn asvs_8_2_1_what_nobody_thought_of_is_the_arbiters() {
        let assistant = Role::Assistant(Colour::White);
        for (method, path, public, of_assistant) in [
            (Method::GET, "/api/v1/state", true, true),
            (Method::POST, "/api/v1/state", false, false),
            (Method::GET, "/app.js", true, true),
            (Method::GET, "/messages.js", true, true),
            (Method::GET, "/pair", true, true),
            (Method::POST, "/api/v1/access/pair", true, true),
            (Method::POST, "/api/v1/commands", false, true),
            (Method::GET, "/api/v1/log", false, false),
            (Method::GET, "/api/v1/access", false, false),
            (Method::POST, "/api/v1/access/open", false, false),
            (Method::POST, "/api/v1/access/end", false, false),
            (Method::GET, "/sim/v1/panel/left.png", false, false),
            (Method::POST, "/sim/v1/press", false, false),
            (Method::DELETE, "/api/v1/games/1", false, false),
            (Method::GET, "/api/v1/../log", false, false),
            (Method::GET, "/API/V1/STATE", false, false),
        ] {
            let need = Need::of(&method, path);
            assert_eq!(
                (need.is_met_by(Role::Public), need.is_met_by(assistant)),
                (public, of_assistant),
                "{method} {path}"
            );
            assert!(need.is_met_by(Role::Arbiter));
        }
    }
}
