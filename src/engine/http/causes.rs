//! What is behind the error of a request.

use std::io;

use crate::engine::error::has_no_descriptors;

/// The failure of this machine to open a connection at all, if that is what is behind an error.
pub(super) fn no_descriptors(error: &reqwest::Error) -> Option<&io::Error> {
    let mut sources =
        std::iter::successors(Some(error as &(dyn std::error::Error + 'static)), |error| {
            error.source()
        });
    sources.find_map(|error| {
        let error = error.downcast_ref::<io::Error>()?;
        has_no_descriptors(error).then_some(error)
    })
}

/// Whether the certificate of the other side could not be traced to an issuer that is trusted.
pub(super) fn is_of_untrusted_issuer(error: &reqwest::Error) -> bool {
    use rustls::{CertificateError, Error as TlsError};
    let is_own = |error: &TlsError| {
        let TlsError::InvalidCertificate(why) = error else {
            return false;
        };
        // Systems with a verifier of their own give an error of their own.
        matches!(
            why,
            CertificateError::UnknownIssuer | CertificateError::Other(_)
        )
    };
    let first = error as &(dyn std::error::Error + 'static);
    let mut sources = std::iter::successors(Some(first), |error| within(*error));
    sources.any(|error| error.downcast_ref().is_some_and(is_own))
}

/// The error behind an error; behind one of I/O the error that is in it, which its source passes over.
fn within<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a (dyn std::error::Error + 'static)> {
    let inner = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref);
    match inner {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

/// The innermost source of an error of a request.
pub(super) fn innermost(error: &reqwest::Error) -> String {
    // Its own words hold the URL, those of its source do not.
    let source = std::error::Error::source(error);
    source.map_or_else(|| "no reason given".to_owned(), chain)
}

/// The innermost source of an error, which has the details.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}
