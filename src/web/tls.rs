//! Encryption with the clock's own certificate, made at the first start, or with one that was given.
//!
//! The certificate is good at any date, because a board without a battery does not know it; what it is known by is its
//! fingerprint, which the clock's panels show beside the code. It stays the same when the board's address changes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, KeyPair};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};

use super::access::password::replace;

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// One that was given is not good.
    #[error("{path}: {why}; it takes a PEM file, see web.certificate and web.key")]
    Given {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The two do not fit.
    #[error("the certificate cannot be used: {0}")]
    Unfit(#[from] rustls::Error),
    /// Its own could not be made.
    #[error("the clock's own certificate cannot be made: {0}")]
    Own(#[from] rcgen::Error),
    /// Its own could not be kept.
    #[error("{0}: the clock's own certificate cannot be kept here: {1}")]
    Kept(PathBuf, io::Error),
}

/// A certificate in use.
pub(super) struct Tls {
    pub(super) acceptor: TlsAcceptor,
    /// SHA-256, `AB:CD:…`.
    pub(super) fingerprint: String,
}

/// The one that was given, or the clock's own of the folder `state` (in memory alone where there is none), made for
/// `names`.
pub(super) fn load(
    given: Option<&(PathBuf, PathBuf)>,
    state: Option<&Path>,
    names: &[String],
) -> Result<Tls, TlsError> {
    if let Some((certificate, key)) = given {
        let read = |path: &PathBuf| {
            fs::read(path).map_err(|error| TlsError::Given { path: path.clone(), why: error.to_string() })
        };
        let (chain, secret) = (read(certificate)?, read(key)?);
        let chain = chain_of(&chain).map_err(|why| TlsError::Given { path: certificate.clone(), why })?;
        let secret = key_of(&secret).map_err(|why| TlsError::Given { path: key.clone(), why })?;
        return serve(chain, secret);
    }
    let Some(state) = state else {
        let (certificate, key) = make(names)?;
        return own(certificate.as_bytes(), key.as_bytes());
    };
    let (certificate, key) = (state.join("certificate.pem"), state.join("key.pem"));
    if let (Ok(chain), Ok(secret)) = (fs::read(&certificate), fs::read(&key)) {
        match own(&chain, &secret) {
            Ok(tls) => return Ok(tls),
            Err(error) => tracing::warn!("{}: {error}; a new one is made", certificate.display()),
        }
    }
    let (made, secret) = make(names)?;
    let keep = |path: &Path, text: &str| {
        replace(path, text.as_bytes()).map_err(|error| TlsError::Kept(path.to_owned(), error))
    };
    keep(&key, &secret)?;
    keep(&certificate, &made)?;
    own(made.as_bytes(), secret.as_bytes())
}

fn own(certificate: &[u8], key: &[u8]) -> Result<Tls, TlsError> {
    let unfit = |why: String| TlsError::Unfit(rustls::Error::General(why));
    serve(chain_of(certificate).map_err(unfit)?, key_of(key).map_err(unfit)?)
}

fn chain_of(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match chain {
        Ok(chain) if !chain.is_empty() => Ok(chain),
        Ok(_) => Err("there is no certificate in it".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn key_of(pem: &[u8]) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|_| "there is no private key in it".to_owned())
}

/// A certificate that its own key signed (P-256), and the key, both as PEM.
fn make(names: &[String]) -> Result<(String, String), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::new(names)?;
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, format!("zeitnot {}", names.first().map_or("clock", String::as_str)));
    params.distinguished_name = name;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok((params.self_signed(&key)?.pem(), key.serialize_pem()))
}

fn serve(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Result<Tls, TlsError> {
    let fingerprint = chain.first().map(|first| fingerprint(first)).unwrap_or_default();
    let provider = Arc::new(ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Tls { acceptor: TlsAcceptor::from(Arc::new(config)), fingerprint })
}

/// What a certificate is known by: its SHA-256 in pairs, as browsers show it.
pub fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    let digest = Sha256::digest(certificate.as_ref());
    digest.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_clocks_own_certificate_is_made_once_and_its_key_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["table7.local".to_owned(), "192.168.1.7".to_owned()];
        let first = load(None, Some(folder.path()), &names).unwrap();
        assert_eq!((first.fingerprint.len(), first.fingerprint.matches(':').count()), (95, 31));
        let mode = fs::metadata(folder.path().join("key.pem")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = load(None, Some(folder.path()), &["another.local".to_owned()]).unwrap();
        assert_eq!(again.fingerprint, first.fingerprint, "a new address is no new certificate");
        fs::write(folder.path().join("certificate.pem"), "half a").unwrap();
        assert_ne!(load(None, Some(folder.path()), &names).unwrap().fingerprint, first.fingerprint);
    }

    #[test]
    fn files_that_were_given_are_taken_or_named() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = make(&["club.example".to_owned()]).unwrap();
        let (_, other) = make(&["club.example".to_owned()]).unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, text) in [("c.pem", &certificate), ("k.pem", &key), ("other.pem", &other)] {
            fs::write(path(name), text).unwrap();
        }
        assert!(load(Some(&(path("c.pem"), path("k.pem"))), None, &[]).is_ok());
        for (chain, secret, named) in [
            ("none.pem", "k.pem", "none.pem"),
            ("k.pem", "k.pem", "no certificate"),
            ("c.pem", "c.pem", "no private key"),
            ("c.pem", "other.pem", "cannot be used"),
        ] {
            let Err(error) = load(Some(&(path(chain), path(secret))), None, &[]) else { panic!("{chain} {secret}") };
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
