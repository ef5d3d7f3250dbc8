//! A client that says exactly what a test wants it to say, plain or over TLS, from whichever loopback address.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use serde_json::Value;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{self, ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(15);

/// What came back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON; null where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The one sentence of an error.
    pub(crate) fn sentence(&self) -> String {
        self.json()["error"]["sentence"].as_str().unwrap_or_default().to_owned()
    }

    /// A header's values.
    pub(crate) fn headers(&self, name: &str) -> Vec<String> {
        let pairs = self.head.lines().skip(1).filter_map(|line| line.split_once(": "));
        pairs.filter(|(named, _)| named.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).collect()
    }

    /// The token of the cookie that it sets.
    pub(crate) fn token(&self) -> String {
        let cookies = self.headers("set-cookie");
        let [cookie] = &cookies[..] else { panic!("one cookie: {}", self.head) };
        let (pair, rest) = cookie.split_once("; ").unwrap();
        assert_eq!(rest, "Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=1209600", "ASVS 3.3.1 to 3.3.4");
        pair.strip_prefix("__Host-zeitnot=").unwrap().to_owned()
    }
}

/// A browser or a program in the hall.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) tls: bool,
    pub(crate) from: Ipv4Addr,
    pub(crate) token: Option<String>,
}

impl Client {
    pub(crate) fn plain(address: SocketAddr) -> Self {
        Self { address, tls: false, from: Ipv4Addr::LOCALHOST, token: None }
    }

    pub(crate) fn secure(address: SocketAddr) -> Self {
        Self { tls: true, ..Self::plain(address) }
    }

    /// The same from another place on the network: 127.0.0.n.
    pub(crate) fn from(self, last: u8) -> Self {
        Self { from: Ipv4Addr::new(127, 0, 0, last), ..self }
    }

    /// The same with this token.
    pub(crate) fn with(self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self }
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path} HTTP/1.1\r\n"), "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(&format!("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\n"), &body.to_string())
    }

    /// Sends a request whose head is completed with host, cookie and length.
    pub(crate) fn send(&self, head: &str, body: &str) -> Answer {
        let cookie = self.token.as_ref().map(|token| format!("Cookie: __Host-zeitnot={token}\r\n")).unwrap_or_default();
        let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        let host = self.address;
        self.raw(format!("{head}Host: {host}\r\n{cookie}{length}Connection: close\r\n\r\n{body}").as_bytes())
    }

    /// Sends these bytes and reads until the end.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.open();
        // An answer may come before everything was sent: the server has heard enough.
        let _ = stream.write_all(bytes).and_then(|()| stream.flush());
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// A connection.
    pub(crate) fn open(&self) -> Box<dyn ReadWrite> {
        let stream = self.connect().unwrap();
        if !self.tls {
            return Box::new(stream);
        }
        let provider = Arc::new(ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anybody))
            .with_no_client_auth();
        let name = ServerName::try_from("localhost").unwrap();
        let connection = ClientConnection::new(Arc::new(config), name).unwrap();
        Box::new(StreamOwned::new(connection, stream))
    }

    pub(crate) fn connect(&self) -> io::Result<TcpStream> {
        let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
        bind(&socket, &SocketAddrV4::new(self.from, 0))?;
        connect(&socket, &self.address)?;
        let stream = TcpStream::from(socket);
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }
}

pub(crate) trait ReadWrite: Read + Write {}
impl<T: Read + Write> ReadWrite for T {}

/// The certificate is compared by its fingerprint where a test is about it.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        ring::default_provider().signature_verification_algorithms.supported_schemes()
    }
}
