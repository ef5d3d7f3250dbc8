//! The clock that a game is taken from, spoken to over the network as an arbiter's device: let in by the code that its
//! panel shows, known by its certificate's fingerprint, and gone again when all is said (F6.11).
//!
//! Each request has its own connection and [`ANSWER`] to be answered in.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, COOKIE, HOST, SET_COOKIE};
use hyper::http::uri::Authority;
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, DigitallySignedStruct, SignatureScheme};

use crate::panel::invite::GROUPS;
use crate::takeover::limits;
use crate::web::fingerprint;

/// A clock in the hall answers so soon, or is away.
const ANSWER: Duration = Duration::from_secs(5);
/// What somebody at the old clock has read off its panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LetIn {
    /// The code that lets an arbiter in.
    pub(super) code: Option<String>,
    /// The first pairs of the certificate's fingerprint.
    pub(super) fingerprint: Option<String>,
}

/// Why nothing came of a request.
#[derive(Debug)]
pub(super) enum Failure {
    /// It is away, or busy.
    Away(String),
    /// It is another clock, or refuses.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Away(sentence) | Self::Refused(sentence)) = self;
        formatter.write_str(sentence)
    }
}

/// Whether a source is an address.
pub(super) fn is_address(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// An old clock.
pub(super) struct OldClock {
    runtime: Runtime,
    authority: Authority,
    tls: Option<Tls>,
    let_in: LetIn,
    cookie: Option<String>,
}

impl OldClock {
    /// The clock at `url`, `http://HOST:PORT` or `https://HOST:PORT`; `name`: how this one is called among its devices.
    ///
    /// # Errors
    /// It is no such address, it does not answer, or it does not let this clock in.
    pub(super) fn open(url: &str, let_in: &LetIn, name: &str) -> Result<Self, Failure> {
        let wrong =
            || Failure::Refused(format!("`{url}` is no address: it takes http://HOST:PORT or https://HOST:PORT"));
        let uri: Uri = url.trim_end_matches('/').parse().map_err(|_| wrong())?;
        let has_scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let authority = uri.authority().cloned().filter(|_| has_scheme).ok_or_else(wrong)?;
        let tls = (uri.scheme_str() == Some("https")).then(|| Tls::new(let_in.fingerprint.as_deref())).transpose()?;
        let away = |error: io::Error| Failure::Away(error.to_string());
        let runtime = Builder::new_current_thread().enable_all().build().map_err(away)?;
        let mut clock = Self { runtime, authority, tls, let_in: let_in.clone(), cookie: None };
        clock.enter(name)?;
        Ok(clock)
    }

    /// Gives in the code, if there is one.
    fn enter(&mut self, name: &str) -> Result<(), Failure> {
        let Some(code) = self.let_in.code.clone() else { return Ok(()) };
        if self.tls.is_none() {
            return Err(Failure::Refused(
                "the code is for https:// alone; without it the address is enough".to_owned(),
            ));
        }
        let answer = self.ask(Method::POST, "/api/v1/access/pair", Some(&json!({"code": code, "name": name})))?;
        let cookies = answer.cookie.as_deref().and_then(|cookie| cookie.split(';').next());
        self.cookie = cookies.map(str::to_owned);
        Ok(())
    }

    /// What stands at a path.
    ///
    /// # Errors
    /// It is away, refuses, or tells more than [`limits::BYTES`].
    pub(super) fn get(&self, path: &str) -> Result<Bytes, Failure> {
        self.ask(Method::GET, path, None).map(|answer| answer.bytes)
    }

    /// Gives it a command.
    ///
    /// # Errors
    /// It is away, or refuses.
    pub(super) fn command(&self, command: &Value) -> Result<(), Failure> {
        self.ask(Method::POST, "/api/v1/commands", Some(command)).map(drop)
    }

    fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Answer, Failure> {
        let mut request = Request::builder().method(method).uri(path).header(HOST, self.authority.as_str());
        if let Some(cookie) = &self.cookie {
            request = request.header(COOKIE, cookie);
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let request = request.body(body).map_err(|error| Failure::Refused(error.to_string()))?;
        let asked = self.runtime.block_on(async { timeout(ANSWER, self.exchange(request)).await });
        let answer = asked.unwrap_or_else(|_| Err(Failure::Away("it does not answer in time".to_owned())))?;
        match answer.status {
            200..=299 => Ok(answer),
            503 => Err(Failure::Away(answer.sentence())),
            401 if self.tls.is_none() => Err(Failure::Refused(format!(
                "it lets arbiters in alone: give https://{} and code=, the code that it shows when both buttons are held",
                self.authority
            ))),
            401 => Err(Failure::Refused(
                "it lets arbiters in alone: give code=, the code that it shows when both buttons are held".to_owned(),
            )),
            _ => Err(Failure::Refused(answer.sentence())),
        }
    }

    async fn exchange(&self, request: Request<Body>) -> Result<Answer, Failure> {
        let away = |error: io::Error| Failure::Away(error.to_string());
        let (host, port) = (self.authority.host().trim_matches(['[', ']']), self.authority.port_u16());
        let port = port.unwrap_or(if self.tls.is_some() { 443 } else { 80 });
        let stream = TcpStream::connect((host, port)).await.map_err(away)?;
        let Some(tls) = &self.tls else { return over(stream, request).await };
        let name = ServerName::try_from(host.to_owned()).map_err(|error| Failure::Refused(error.to_string()))?;
        let connected = tls.connector.connect(name, stream).await;
        over(connected.map_err(|error| tls.failure(&error, &self.authority))?, request).await
    }
}

impl Drop for OldClock {
    /// Its token is good no longer.
    fn drop(&mut self) {
        if self.cookie.is_some() {
            // An arbiter can throw it out, too.
            let _ = self.ask(Method::POST, "/api/v1/access/logout", Some(&json!({})));
        }
    }
}

/// What was answered.
struct Answer {
    status: u16,
    cookie: Option<String>,
    bytes: Bytes,
}

impl Answer {
    fn sentence(&self) -> String {
        let said: Value = serde_json::from_slice(&self.bytes).unwrap_or_default();
        let sentence = said.pointer("/error/sentence").and_then(Value::as_str).unwrap_or("it does not say why");
        format!("it answers {}: {sentence}", self.status)
    }
}

/// One request on one connection.
async fn over<S>(stream: S, request: Request<Body>) -> Result<Answer, Failure>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let away = |error: hyper::Error| Failure::Away(error.to_string());
    let (mut sender, connection): (SendRequest<Body>, _) = handshake(TokioIo::new(stream)).await.map_err(away)?;
    // It ends with the answer.
    tokio::spawn(connection);
    let response: Response<_> = sender.send_request(request).await.map_err(away)?;
    let status = response.status().as_u16();
    let cookie = response.headers().get(SET_COOKIE).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let read = to_bytes(Body::new(response.into_body()), limits::BYTES).await;
    let bytes = read.map_err(|error| Failure::Refused(format!("what it tells cannot be read: {error}")))?;
    Ok(Answer { status, cookie, bytes })
}

/// Encryption to a clock whose certificate nobody but its panel vouches for.
struct Tls {
    connector: TlsConnector,
    known: Arc<Known>,
}

impl Tls {
    fn new(wanted: Option<&str>) -> Result<Self, Failure> {
        let wanted = wanted.map(digits_of).transpose().map_err(Failure::Refused)?;
        let provider = Arc::new(ring::default_provider());
        let known = Arc::new(Known { wanted, seen: Mutex::default(), provider: Arc::clone(&provider) });
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::Refused(error.to_string()))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::<Known>::clone(&known))
            .with_no_client_auth();
        Ok(Self { connector: TlsConnector::from(Arc::new(config)), known })
    }

    /// Why there is no connection.
    fn failure(&self, error: &io::Error, authority: &Authority) -> Failure {
        let seen = self.known.seen.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (seen, &self.known.wanted) {
            (Some(seen), None) => Failure::Refused(format!(
                "the fingerprint of {authority} begins with {seen}: if its panel shows the same beside the code, give \
                 fingerprint={seen}"
            )),
            (Some(seen), Some(_)) => Failure::Refused(format!(
                "the fingerprint of {authority} begins with {seen} and not as was given: it is another clock, or somebody \
                 stands between"
            )),
            (None, _) => Failure::Away(error.to_string()),
        }
    }
}

/// `AB:CD:…` as digits alone, at least [`GROUPS`] pairs.
fn digits_of(fingerprint: &str) -> Result<String, String> {
    let digits: String = fingerprint.chars().filter(|letter| *letter != ':').collect();
    let good = (GROUPS * 2..=64).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let wrong = || format!("fingerprint= takes what the panel shows below the code: {GROUPS} pairs of digits or more");
    good.then(|| digits.to_ascii_uppercase()).ok_or_else(wrong)
}

/// Takes the certificate with the wanted fingerprint, and no other.
#[derive(Debug)]
struct Known {
    wanted: Option<String>,
    /// The beginning of the one that was not taken.
    seen: Mutex<Option<String>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Known {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let shown = fingerprint(certificate);
        let is_it = |wanted: &String| shown.replace(':', "").starts_with(wanted.as_str());
        if self.wanted.as_ref().is_some_and(is_it) {
            return Ok(ServerCertVerified::assertion());
        }
        let begin = shown.chars().take(GROUPS * 3 - 1).collect();
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(begin);
        Err(rustls::CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f6_11_a_fingerprint_is_eight_pairs_or_more() {
        for (given, digits) in [
            ("AB:CD:EF:01:23:45:67:89", Some("ABCDEF0123456789")),
            ("abcdef0123456789", Some("ABCDEF0123456789")),
            ("AB:CD:EF:01:23:45:67", None),
            ("AB:CD:EF:01:23:45:67:8G", None),
            ("", None),
            (&"AB:".repeat(40), None),
        ] {
            assert_eq!(digits_of(given).ok().as_deref(), digits, "{given}");
        }
    }

    #[test]
    fn f6_11_what_is_no_address_or_no_fingerprint_is_refused_before_anything_is_sent() {
        let let_in = |fingerprint: &str| LetIn { code: None, fingerprint: Some(fingerprint.to_owned()) };
        for (url, let_in, said) in [
            ("http://", LetIn::default(), "no address"),
            ("https://a b", LetIn::default(), "no address"),
            ("https://127.0.0.1:9", let_in("AB"), "8 pairs"),
        ] {
            let Err(failure) = OldClock::open(url, &let_in, "Board 2") else { panic!("{url}") };
            assert!(failure.to_string().contains(said), "{failure}");
        }
    }
}
