//! Who may speak to the arbiter port: requests that name it by its own address, from a page only its own, and of each
//! address only those to whom it belongs.
//!
//! A page elsewhere that the arbiter's browser shows cannot read the state (a name that was made to point here is not in
//! the list: DNS rebinding) and cannot send a command (its origin is another, and the cookie is not sent along).

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;

use super::access::{Caller, Reason};
use super::needs::{Need, lets_in};
use super::{App, api, fault};
use crate::link::access::Role;
use crate::link::wire::Fault;

/// The cookie with a device's token; its prefix binds it to this host, to TLS and to the whole of the port.
pub(super) const COOKIE: &str = "__Host-zeitnot";

/// How a request came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Via {
    /// From where.
    pub(super) peer: SocketAddr,
    /// To which of the addresses here.
    pub(super) local: SocketAddr,
    /// Encrypted.
    pub(super) tls: bool,
}

impl Via {
    /// Whether it came from the clock's own machine.
    fn is_of_this_machine(self) -> bool {
        self.peer.ip().to_canonical().is_loopback() && self.local.ip().to_canonical().is_loopback()
    }
}

/// The authorities under which the arbiter port may be addressed.
pub(super) struct Hosts {
    port: u16,
    further: Vec<String>,
}

impl Hosts {
    pub(super) fn new(port: u16, further: Vec<String>) -> Self {
        Self { port, further }
    }

    /// Whether `authority` (a Host header) is the arbiter port: the address at which the request came in, with its port;
    /// a loopback name or address where it came in there; or one of the further authorities.
    fn allow(&self, authority: &str, via: Via) -> bool {
        let port = self.port;
        let named = |further: &String| {
            further.eq_ignore_ascii_case(authority) || format!("{further}:{port}").eq_ignore_ascii_case(authority)
        };
        self.further.iter().any(named) || self.is_address(authority, via)
    }

    fn is_address(&self, authority: &str, via: Via) -> bool {
        let bracket = authority.rfind(']').unwrap_or(0);
        let (host, port) = match authority[bracket..].rfind(':') {
            Some(colon) => (&authority[..bracket + colon], &authority[bracket + colon + 1..]),
            None => (authority, if via.tls { "443" } else { "80" }),
        };
        let local = via.local.ip().to_canonical();
        let own = |address: IpAddr| address == local || local.is_loopback() && address.is_loopback();
        let known = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
            Some(address) => address.parse().is_ok_and(|address| own(IpAddr::V6(address))),
            None => {
                local.is_loopback() && host.eq_ignore_ascii_case("localhost")
                    || host.parse().is_ok_and(|address| own(IpAddr::V4(address)))
            }
        };
        known && port.parse() == Ok(self.port)
    }
}

/// Answers a request: the checks before it, what stands at its address, and the headers on every answer.
pub(super) async fn answer(app: Arc<App>, via: Via, mut request: Request<Incoming>, router: Router) -> Response {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let admitted = admit(&app, via, &request);
    let role = admitted.as_ref().map_or(Role::Public, |caller| caller.role);
    let refused_for = match &admitted {
        Err(Refused::Fault(_, reason)) => Some(*reason),
        _ => None,
    };
    let mut response = match admitted {
        // All pages and programs ask for this, all the time: it is not looked up first.
        Ok(caller) if method == Method::GET && uri.path() == STATE => api::told(&app, &caller).await,
        Ok(caller) => {
            request.extensions_mut().insert(via);
            request.extensions_mut().insert(caller);
            let Ok(response) = TowerToHyperService::new(router).call(request).await;
            response
        }
        Err(refused) => refused.into_response(),
    };
    let status = response.status();
    app.answers.count(status);
    // What an arbiter mistypes is no attack.
    let of_known = matches!(status.as_u16(), 404 | 405 | 409 | 422 | 503) && role == Role::Arbiter;
    if status.is_client_error() && status != StatusCode::CONFLICT && !of_known {
        let reason = || Reason::of_answer(status.as_u16(), lets_in(uri.path()));
        let what = format_args!("{method} {}", uri.path());
        app.access.refusals.note(via.peer.ip(), status.as_u16(), refused_for.unwrap_or_else(reason), &what);
    }
    let own = std::mem::replace(response.headers_mut(), ON_EVERY_ANSWER.clone());
    response.headers_mut().extend(own);
    response
}

/// The headers on every answer, below its own.
static ON_EVERY_ANSWER: LazyLock<HeaderMap> = LazyLock::new(|| {
    let all = SECURITY.into_iter().chain([(header::CACHE_CONTROL, "no-store")]);
    all.map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
});

const STATE: &str = "/api/v1/state";
const SECURITY: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Why a request goes no further.
enum Refused {
    Fault(Fault, Reason),
    /// It is to be asked for there.
    Elsewhere(String),
}

impl Refused {
    fn new(status: StatusCode, reason: Reason, sentence: impl Into<String>) -> Self {
        Self::Fault(Fault::new(status.as_u16(), sentence), reason)
    }

    fn into_response(self) -> Response {
        match self {
            Self::Fault(refused, _) => {
                let mut response = fault::refuse(&refused, None);
                if refused.status == 401 {
                    let scheme = HeaderValue::from_static("Pairing realm=\"zeitnot\"");
                    response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
                }
                response
            }
            Self::Elsewhere(to) => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response(),
        }
    }
}

fn admit<B>(app: &App, via: Via, request: &Request<B>) -> Result<Caller, Refused> {
    let host = one(request.headers(), header::HOST);
    let target = request.uri().authority().map(|authority| authority.as_str());
    let Some(host) = host.filter(|host| app.hosts.allow(host, via)) else {
        return Err(misdirected(&app.hosts));
    };
    if target.is_some_and(|target| !target.eq_ignore_ascii_case(host)) {
        return Err(misdirected(&app.hosts));
    }
    if request.headers().contains_key(header::TRANSFER_ENCODING) {
        // RFC 9112, 6.3: where a length stands beside chunks, two readers may see two requests. What comes here is short,
        // so it has a length, and one alone.
        let sentence = "A body comes with its Content-Length, not in chunks.";
        return Err(Refused::new(StatusCode::LENGTH_REQUIRED, Reason::Body, sentence));
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && is_of_another_page(request.headers(), host, via) {
        let sentence = "Commands are taken from the arbiter port's own page or from a program, not from another page.";
        return Err(Refused::new(StatusCode::FORBIDDEN, Reason::Origin, sentence));
    }
    let caller = caller(app, via, request.headers());
    let path = request.uri().path();
    let need = Need::of(request.method(), path);
    let plain = !via.tls && caller.role == Role::Public;
    if need == Need::Page && plain {
        return Err(Refused::Elsewhere(format!("https://{host}{path}")));
    }
    if plain && !reads {
        let sentence = format!("Without encryption this port is for reading alone: use https://{host}.");
        return Err(Refused::new(StatusCode::FORBIDDEN, Reason::Plain, sentence));
    }
    if !via.tls && !reads && lets_in(path) {
        let sentence = "A device is let in over https alone: open the same address with https://.";
        return Err(Refused::new(StatusCode::FORBIDDEN, Reason::Plain, sentence));
    }
    if path == "/" && caller.role != Role::Arbiter {
        let page = if caller.role == Role::Public { "/pair" } else { "/assistant" };
        return Err(Refused::Elsewhere(page.to_owned()));
    }
    match need.is_met_by(caller.role) {
        true => Ok(caller),
        false if caller.role == Role::Public => {
            let sentence = "This device is not let in: open /pair over https and enter the code that the clock shows.";
            Err(Refused::new(StatusCode::UNAUTHORIZED, Reason::Stranger, sentence))
        }
        false => {
            let sentence = "This is the arbiter's: an assistant presses for his side alone.";
            Err(Refused::new(StatusCode::FORBIDDEN, Reason::Assistant, sentence))
        }
    }
}

fn misdirected(hosts: &Hosts) -> Refused {
    let sentence =
        format!("The arbiter port answers only under its own address, such as http://127.0.0.1:{}.", hosts.port);
    Refused::new(StatusCode::MISDIRECTED_REQUEST, Reason::Host, sentence)
}

fn is_of_another_page(headers: &HeaderMap, host: &str, via: Via) -> bool {
    let scheme = if via.tls { "https://" } else { "http://" };
    match one(headers, header::ORIGIN) {
        Some(origin) => origin.strip_prefix(scheme) != Some(host),
        // A program sends no origin; a browser that leaves it out says at least where the page is from.
        None if headers.contains_key(header::ORIGIN) => true,
        None => one(headers, HeaderName::from_static("sec-fetch-site"))
            .is_some_and(|site| !matches!(site, "same-origin" | "none")),
    }
}

/// What a proxy adds to a request that it passes on.
const PASSED_ON: [HeaderName; 4] =
    [header::FORWARDED, HeaderName::from_static("x-forwarded-for"), HeaderName::from_static("x-real-ip"), header::VIA];

/// Over TLS whoever has a device's token; without it whoever is on the clock's own machine, if that is the arbiter's, and
/// no proxy passes somebody else's request on.
fn caller(app: &App, via: Via, headers: &HeaderMap) -> Caller {
    if via.tls {
        return token(headers).and_then(|token| app.access.find(token)).map(Caller::from).unwrap_or_default();
    }
    let passed_on = PASSED_ON.iter().any(|name| headers.contains_key(name));
    let local = app.access.local_arbiter && via.is_of_this_machine() && !passed_on;
    Caller { role: if local { Role::Arbiter } else { Role::Public }, ..Caller::default() }
}

/// The token of the one cookie of that name; with two of them somebody else may have put one there.
fn token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut own = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, token)| token);
    match (own.next(), own.next()) {
        (Some(token), None) => Some(token),
        _ => None,
    }
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

    fn via(local: &str, tls: bool) -> Via {
        Via { peer: "127.0.0.1:50000".parse().unwrap(), local: local.parse().unwrap(), tls }
    }

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
            assert_eq!(hosts.allow(authority, via("127.0.0.1:8080", false)), allowed, "{authority}");
        }
        assert!(Hosts::new(80, Vec::new()).allow("127.0.0.1", via("127.0.0.1:80", false)));
        assert!(Hosts::new(443, Vec::new()).allow("127.0.0.1", via("127.0.0.1:443", true)));
    }

    #[test]
    fn in_a_network_only_the_address_at_which_it_came_in_and_named_authorities_are_allowed() {
        let hosts = Hosts::new(8080, vec!["board7.local".to_owned()]);
        for (local, authority, allowed) in [
            ("192.168.1.7:8080", "192.168.1.7:8080", true),
            ("192.168.1.7:8080", "board7.local:8080", true),
            ("192.168.1.7:8080", "board7.local", true),
            ("192.168.1.7:8080", "192.168.1.8:8080", false),
            ("192.168.1.7:8080", "192.168.1.7:80", false),
            ("192.168.1.7:8080", "127.0.0.1:8080", false),
            ("192.168.1.7:8080", "localhost:8080", false),
            ("192.168.1.7:8080", "board7.local.evil.example:8080", false),
            ("192.168.1.7:8080", "192.168.1.7.evil.example:8080", false),
            ("[::ffff:192.168.1.7]:8080", "192.168.1.7:8080", true),
            ("[fd00::7]:8080", "[fd00::7]:8080", true),
            ("[fd00::7]:8080", "[fd00:0:0::7]:8080", true),
            ("[fd00::7]:8080", "[fd00::8]:8080", false),
        ] {
            assert_eq!(hosts.allow(authority, via(local, false)), allowed, "{authority} at {local}");
        }
    }

    /// ASVS 5.0, 3.3.1 and 3.3.4; a cookie that somebody else put there beside ours is none.
    #[test]
    fn asvs_3_3_1_one_cookie_of_that_name_is_a_token() {
        for (cookies, wanted) in [
            (&["__Host-zeitnot=abc"][..], Some("abc")),
            (&["a=b; __Host-zeitnot=abc; c=d"], Some("abc")),
            (&["__Host-zeitnot=abc; __Host-zeitnot=def"], None),
            (&["__Host-zeitnot=abc", "__Host-zeitnot=def"], None),
            (&["zeitnot=abc"], None),
            (&["__host-zeitnot=abc"], None),
            (&["__Host-zeitnot"], None),
        ] {
            let mut headers = HeaderMap::new();
            for cookie in cookies {
                headers.append(header::COOKIE, HeaderValue::from_static(cookie));
            }
            assert_eq!(token(&headers), wanted, "{cookies:?}");
        }
    }
}
