//! Who may speak to the arbiter port: requests that name it by its own address, and from a page only its own.
//!
//! A page elsewhere that the arbiter's browser shows cannot read the state (a name that was made to point to loopback
//! is not in the list) and cannot send a command (its origin is another).

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;

use super::{App, fault};

/// The authorities under which the arbiter port may be addressed.
pub(super) struct Hosts {
    port: u16,
    further: Vec<String>,
}

impl Hosts {
    pub(super) fn new(port: u16, further: Vec<String>) -> Self {
        Self { port, further }
    }

    /// Whether `authority` (a Host header) is the arbiter port: a loopback name or address with its port, or one of
    /// the further authorities.
    fn allow(&self, authority: &str) -> bool {
        self.further.iter().any(|further| further.eq_ignore_ascii_case(authority)) || self.is_loopback(authority)
    }

    fn is_loopback(&self, authority: &str) -> bool {
        let bracket = authority.rfind(']').unwrap_or(0);
        let (host, port) = match authority[bracket..].rfind(':') {
            Some(colon) => (&authority[..bracket + colon], &authority[bracket + colon + 1..]),
            None => (authority, "80"),
        };
        let loopback = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(address) => address.parse::<Ipv6Addr>().is_ok_and(|address| address.is_loopback()),
            None => {
                host.eq_ignore_ascii_case("localhost")
                    || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            }
        };
        loopback && port.parse() == Ok(self.port)
    }
}

/// The checks before every request and the headers on every answer.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match admit(&app.hosts, &request) {
        Ok(()) => next.run(request).await,
        Err((status, sentence)) => fault::sentence(status, sentence),
    };
    let headers = response.headers_mut();
    for (name, value) in SECURITY {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

const SECURITY: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

fn admit(hosts: &Hosts, request: &Request) -> Result<(), (StatusCode, String)> {
    let host = one(request.headers(), header::HOST);
    let target = request.uri().authority().map(|authority| authority.as_str());
    if !host.is_some_and(|host| hosts.allow(host)) || target.is_some_and(|target| !hosts.allow(target)) {
        let sentence =
            format!("The arbiter port answers only under its own address, such as http://127.0.0.1:{}.", hosts.port);
        return Err((StatusCode::MISDIRECTED_REQUEST, sentence));
    }
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let foreign = match one(request.headers(), header::ORIGIN) {
        Some(origin) => origin.strip_prefix("http://") != host,
        // A program sends no origin; a browser that leaves it out says at least where the page is from.
        None if request.headers().contains_key(header::ORIGIN) => true,
        None => one(request.headers(), HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| !matches!(site, "same-origin" | "none")),
    };
    if foreign {
        let sentence = "Commands are taken from the arbiter port's own page or from a program, not from another page.";
        return Err((StatusCode::FORBIDDEN, sentence.to_owned()));
    }
    Ok(())
}

/// A header's value if it is there once and is text.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_with_its_own_port_and_named_authorities_are_allowed() {
        let hosts = Hosts::new(8080, vec!["board7.local:8080".to_owned()]);
        for (authority, allowed) in [
            ("127.0.0.1:8080", true),
            ("127.8.0.1:8080", true),
            ("localhost:8080", true),
            ("LocalHost:8080", true),
            ("[::1]:8080", true),
            ("board7.local:8080", true),
            ("127.0.0.1", false),
            ("127.0.0.1:80", false),
            ("localhost:8081", false),
            ("::1:8080", false),
            ("[127.0.0.1]:8080", false),
            ("192.168.1.7:8080", false),
            ("evil.example:8080", false),
            ("localhost.evil.example:8080", false),
            ("evil.example#@127.0.0.1:8080", false),
            ("]", false),
            ("", false),
        ] {
            assert_eq!(hosts.allow(authority), allowed, "{authority}");
        }
        assert!(Hosts::new(80, Vec::new()).allow("127.0.0.1"));
    }
}
