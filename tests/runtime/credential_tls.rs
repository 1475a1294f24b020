//! The certificate that the API is shown: real handshakes with a server that asks for one, and files that are no good.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;
use rcgen::{BasicConstraints, CertificateParams, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::PrivateKeyDer;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::credential_sample::fault;
use crate::runtime::catalog::ClientCertificate;
use crate::runtime::client::{Client, Failure, Limits};
use crate::runtime::credential::client_certificate::{Identity, Roots, config};
use crate::runtime::hooks::{ApiAnswer, ApiRequest};

const FILES: ClientCertificate = ClientCertificate {
    certificate_file: "CERT_FILE",
    key_file: "KEY_FILE",
};

/// An authority that signs certificates.
struct Authority {
    issuer: Issuer<'static, KeyPair>,
    roots: RootCertStore,
}

/// A certificate and its key as PEM.
struct Pair {
    certificate: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.self_signed(&key).expect("a certificate");
        let mut roots = RootCertStore::empty();
        roots.add(certificate.der().clone()).expect("a root");
        Self {
            issuer: Issuer::new(params, key),
            roots,
        }
    }

    fn sign(&self, usage: ExtendedKeyUsagePurpose) -> (rcgen::Certificate, KeyPair) {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).expect("parameters");
        params.extended_key_usages = vec![usage];
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer);
        (certificate.expect("a certificate"), key)
    }

    fn client(&self) -> Pair {
        let (certificate, key) = self.sign(ExtendedKeyUsagePurpose::ClientAuth);
        Pair {
            certificate: certificate.pem(),
            key: key.serialize_pem(),
        }
    }

    /// A server that refuses whoever shows no certificate of this authority; its address.
    async fn serve(&self) -> String {
        let (certificate, key) = self.sign(ExtendedKeyUsagePurpose::ServerAuth);
        let provider = Arc::new(default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(
            self.roots.clone().into(),
            provider.clone(),
        );
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_client_cert_verifier(verifier.build().expect("a verifier"))
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a configuration");
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    // Whoever fails the handshake gets no answer.
                    let Ok(mut stream) = acceptor.accept(stream).await else {
                        return;
                    };
                    let shown = stream.get_ref().1.peer_certificates().map_or(0, <[_]>::len);
                    let _ = stream.read(&mut [0; 4096]).await;
                    let body = format!("{shown} shown");
                    let answer = format!(
                        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        format!("https://localhost:{port}/")
    }
}

impl Pair {
    /// Writes both into a folder, and reads them as a server does.
    fn identity(&self) -> Result<Identity, String> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("cert.pem"), &self.certificate).expect("written");
        std::fs::write(folder.path().join("key.pem"), &self.key).expect("written");
        Identity::read(FILES, &|name| file(folder.path(), name))
    }
}

fn file(folder: &Path, name: &str) -> Option<String> {
    let file = match name {
        "CERT_FILE" => "cert.pem",
        "KEY_FILE" => "key.pem",
        _ => return None,
    };
    folder.join(file).to_str().map(str::to_owned)
}

async fn ask(
    url: &str,
    roots: &RootCertStore,
    identity: Option<Identity>,
) -> Result<ApiAnswer, Failure> {
    let tls = config(Roots::Own(roots.clone()), identity).expect("a configuration");
    let request = ApiRequest {
        method: "GET",
        uri: url.parse().expect("an address"),
        headers: HeaderMap::new(),
        body: None,
    };
    let limits = Limits {
        timeout: Duration::from_secs(5),
        max_answer_bytes: 1000,
        retries: 0,
    };
    Client::with_tls(tls).send(&request, limits).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_asks_for_a_certificate_is_shown_it() {
    let authority = Authority::new();
    let url = authority.serve().await;
    let identity = authority.client().identity().expect("an identity");
    let answer = ask(&url, &authority.roots, Some(identity)).await;
    assert_eq!(answer.expect("an answer").body.as_ref(), b"1 shown");
    // Without one, with one of another authority, and by a server that is not trusted.
    assert!(ask(&url, &authority.roots, None).await.is_err());
    let other = Authority::new();
    let foreign = other.client().identity().expect("an identity");
    assert!(ask(&url, &authority.roots, Some(foreign)).await.is_err());
    let identity = authority.client().identity().expect("an identity");
    assert!(ask(&url, &other.roots, Some(identity)).await.is_err());
}

#[test]
fn files_that_are_no_good_stop_the_start() {
    let authority = Authority::new();
    let (one, other) = (authority.client(), authority.client());
    let broken = one.certificate.replace("MII", "M!I");
    let encrypted =
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n";
    let certificate = |text: &str| text.to_owned();
    for (certificate, key, expected) in [
        (
            String::new(),
            one.key.clone(),
            "CERT_FILE names holds no valid PEM certificate",
        ),
        (
            one.key.clone(),
            one.key.clone(),
            "CERT_FILE names holds no valid PEM certificate",
        ),
        (
            broken,
            one.key.clone(),
            "CERT_FILE names holds no valid PEM certificate",
        ),
        (
            certificate(&one.certificate),
            String::new(),
            "KEY_FILE names holds no valid PEM private key",
        ),
        (
            certificate(&one.certificate),
            one.certificate.clone(),
            "KEY_FILE names holds no valid PEM private key",
        ),
        (
            certificate(&one.certificate),
            encrypted.to_owned(),
            "KEY_FILE names holds no valid PEM private key",
        ),
        (
            certificate(&one.certificate),
            other.key.clone(),
            "cannot be used together",
        ),
    ] {
        let pair = Pair { certificate, key };
        let sentence = pair.identity().err().expect("a fault");
        assert!(sentence.contains(expected), "{sentence}");
        assert!(
            !sentence.contains("MII") && !sentence.contains('/'),
            "{sentence}"
        );
    }
}

#[test]
fn variables_and_files_that_are_missing_are_named() {
    let sentence = fault(|upstream| upstream.client_certificate = Some(FILES));
    assert_eq!(sentence, "the environment variable CERT_FILE is not set");
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| file(folder.path(), name);
    let sentence = Identity::read(FILES, &read).err().expect("a fault");
    assert_eq!(
        sentence,
        "the file that CERT_FILE names cannot be read: entity not found"
    );
    let read = |_: &str| folder.path().to_str().map(str::to_owned);
    let sentence = Identity::read(FILES, &read).err().expect("a fault");
    assert_eq!(
        sentence,
        "the file that CERT_FILE names cannot be read: is a directory"
    );
}
