//! TLS to the API: PEM files of the operator → a client configuration that shows a certificate.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::sync::Arc;

use hyper_rustls::ConfigBuilderExt;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore};

use crate::runtime::catalog::ClientCertificate;
use crate::runtime::secret::Secret;
use crate::runtime::setting::{self, Variables};

/// Largest PEM file that is read.
const MAX_PEM: u64 = 1 << 20;

/// Whose certificates are believed.
pub enum Roots {
    /// Mozilla's list, as `webpki-roots` has it.
    Public,
    /// These.
    Own(RootCertStore),
}

/// A certificate chain and its key.
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Identity {
    /// Reads the files that the operator's variables name.
    ///
    /// # Errors
    /// A sentence for the operator that names the variable; nothing of a file is in it.
    pub fn read(certificate: ClientCertificate, variables: Variables<'_>) -> Result<Self, String> {
        let (certificate_file, key_file) = (certificate.certificate_file, certificate.key_file);
        let pem = pem(certificate_file, variables)?;
        let chain =
            CertificateDer::pem_slice_iter(pem.expose().as_bytes()).collect::<Result<Vec<_>, _>>();
        let chain = chain.unwrap_or_default();
        if chain.is_empty() {
            return Err(format!(
                "the file that {certificate_file} names holds no valid PEM certificate"
            ));
        }
        let pem = self::pem(key_file, variables)?;
        let key = PrivateKeyDer::from_pem_slice(pem.expose().as_bytes());
        let key = key.map_err(|_| {
            format!("the file that {key_file} names holds no valid PEM private key; an encrypted one is not read")
        })?;
        let identity = Self { chain, key };
        match config(Roots::Public, Some(identity.clone())) {
            Ok(_) => Ok(identity),
            Err(_) => Err(format!(
                "the certificate that {certificate_file} names and the key that {key_file} names cannot be used together"
            )),
        }
    }
}

impl Clone for Identity {
    fn clone(&self) -> Self {
        Self {
            chain: self.chain.clone(),
            key: self.key.clone_key(),
        }
    }
}

/// The TLS configuration of a client, with or without a certificate to show.
///
/// # Errors
/// A sentence for the operator when TLS cannot be set up.
pub fn config(roots: Roots, identity: Option<Identity>) -> Result<ClientConfig, String> {
    let fault = |error: rustls::Error| format!("TLS cannot be set up: {error}");
    let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let builder = builder.with_safe_default_protocol_versions();
    let builder = builder.map_err(fault)?;
    let builder = match roots {
        Roots::Public => builder.with_webpki_roots(),
        Roots::Own(roots) => builder.with_root_certificates(roots),
    };
    match identity {
        None => Ok(builder.with_no_client_auth()),
        Some(Identity { chain, key }) => builder.with_client_auth_cert(chain, key).map_err(fault),
    }
}

/// The text of the file that a variable names.
fn pem(name: &str, variables: Variables<'_>) -> Result<Secret, String> {
    let path = setting::variable(name, variables)?;
    let fault = |kind: ErrorKind| format!("the file that {name} names cannot be read: {kind}");
    let file = File::open(path).map_err(|error| fault(error.kind()))?;
    let mut text = String::new();
    let read = file.take(MAX_PEM).read_to_string(&mut text);
    read.map_err(|error| fault(error.kind()))?;
    Ok(Secret::new(text))
}
