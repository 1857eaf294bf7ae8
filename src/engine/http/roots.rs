//! The certificates of issuers that are trusted beside the built-in ones and the system's, such as that of a company whose proxy
//! inspects TLS: what `SSL_CERT_FILE` and `SSL_CERT_DIR` name, as for other programs, and `ca_file` of the configuration.
//!
//! A place that was named and has no certificate is an error: to go on without it would fail later, with another reason.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use rustls::{
    RootCertStore,
    pki_types::{CertificateDer, pem::PemObject},
};

use crate::engine::{
    config::RequestLimits,
    error::{Error, ErrorContext, Kind, Result},
};

/// The variable that names a file of certificates.
const FILE: &str = "SSL_CERT_FILE";
/// The variable that names folders of certificates, a file each.
const FOLDERS: &str = "SSL_CERT_DIR";
/// The key of the configuration.
const KEY: &str = "[network] ca_file";

/// What to do where an issuer is not trusted.
pub(super) const ADVICE: &str = "if this network inspects TLS, name the certificate of its issuer: SSL_CERT_FILE=FILE, or ca_file under \
    [network] in config.toml; `ipspect doctor` lists what is trusted";

/// Where certificates come from that were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRoots {
    /// What named the place.
    pub named_by: &'static str,
    /// The place, or places.
    pub place: String,
    /// How many certificates are there.
    pub count: usize,
}

/// The places that were named, with their certificates.
///
/// # Errors
/// For a place that cannot be read or has no certificate.
pub(super) fn named(
    limits: &RequestLimits,
) -> Result<Vec<(NamedRoots, Vec<CertificateDer<'static>>)>> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let mut all = Vec::new();
    if let Some(file) = set(FILE) {
        all.push(of_file(FILE, Path::new(&file))?);
    }
    if let Some(folders) = set(FOLDERS) {
        let folders = env::split_paths(&folders).filter(|path| !path.as_os_str().is_empty());
        all.push(of_folders(&folders.collect::<Vec<_>>())?);
    }
    if let Some(file) = &limits.ca_file {
        all.push(of_file(KEY, file)?);
    }
    Ok(all)
}

/// The same for `doctor`.
///
/// # Errors
/// For a place that cannot be read or has no certificate.
pub fn named_roots(limits: &RequestLimits) -> Result<Vec<NamedRoots>> {
    Ok(named(limits)?.into_iter().map(|(named, _)| named).collect())
}

fn of_file(
    named_by: &'static str,
    file: &Path,
) -> Result<(NamedRoots, Vec<CertificateDer<'static>>)> {
    let bytes = fs::read(file).at("read", file);
    let bytes = bytes.map_err(|error| error.hint(format!("{named_by} names it")))?;
    let roots = certificates(&bytes);
    found(named_by, file.display().to_string(), roots)
}

/// A folder may be missing where another one has certificates: distributions differ in theirs.
fn of_folders(folders: &[PathBuf]) -> Result<(NamedRoots, Vec<CertificateDer<'static>>)> {
    let mut roots = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).at("read", folder)? {
            files.push(entry.at("read", folder)?.path());
        }
        files.sort();
        for file in files.iter().filter(|file| file.is_file()) {
            // The same certificate is often there by its name and by its hash.
            for root in certificates(&fs::read(file).at("read", file)?) {
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
    }
    let names: Vec<String> = folders
        .iter()
        .map(|folder| folder.display().to_string())
        .collect();
    found(FOLDERS, names.join(":"), roots)
}

fn found(
    named_by: &'static str,
    place: String,
    roots: Vec<CertificateDer<'static>>,
) -> Result<(NamedRoots, Vec<CertificateDer<'static>>)> {
    if roots.is_empty() {
        let message = format!("{named_by} names {place}, where no certificate can be read");
        return Err(Error::new(Kind::Usage, message)
            .hint("name a file of certificates in the PEM form, or leave it out"));
    }
    let count = roots.len();
    Ok((
        NamedRoots {
            named_by,
            place,
            count,
        },
        roots,
    ))
}

/// The certificates in a file, without those that TLS cannot use: bundles of systems have some.
fn certificates(pem: &[u8]) -> Vec<CertificateDer<'static>> {
    let parsed = CertificateDer::pem_slice_iter(pem);
    let usable = |der: &CertificateDer<'static>| RootCertStore::empty().add(der.clone()).is_ok();
    parsed.filter_map(Result::ok).filter(usable).collect()
}
