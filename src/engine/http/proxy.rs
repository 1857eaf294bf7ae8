//! The proxies that environment and system name: which one stands before a host, and what it refused.

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Url;

use super::causes::innermost;
use crate::{
    contract::host::is_loopback,
    engine::error::{Error, Kind},
};

/// The proxy before a URL, as `HOST:PORT`; none where the connection is direct. Nothing else of its address is kept: it may hold a
/// password.
#[must_use]
pub fn proxy_before(url: &str) -> Option<String> {
    let parsed = Url::parse(url).ok()?;
    if is_loopback(&parsed) {
        return None;
    }
    let before = Matcher::from_system().intercept(&url.parse().ok()?)?;
    let proxy = before.uri();
    let port = proxy.port_u16().unwrap_or(match proxy.scheme_str() {
        Some("https") => 443,
        Some(scheme) if scheme.starts_with("socks") => 1080,
        _ => 80,
    });
    Some(format!("{}:{port}", proxy.host()?))
}

/// What a proxy did in place of opening a connection.
pub(super) enum ProxyFailure {
    /// It answered and refused: asking again changes nothing.
    Refused(Error),
    Unreachable(Error),
}

/// The failure of the proxy before this URL, if it is one.
pub(super) fn failure(url: &Url, place: &str, error: &reqwest::Error) -> Option<ProxyFailure> {
    const TUNNEL: &str = "tunnel error: ";
    let proxy = proxy_before(url.as_str())?;
    let first = error as &(dyn std::error::Error + 'static);
    let mut sources = std::iter::successors(Some(first), |error| error.source());
    let said = sources.find_map(|error| Some(error.to_string().strip_prefix(TUNNEL)?.to_owned()));
    let environment =
        "HTTPS_PROXY names it, NO_PROXY the hosts that need none; `ipspect doctor` shows both";
    let refused = |why: &str, hint: &str| {
        let error = Error::new(
            Kind::Network,
            format!("the proxy at {proxy} refused: {why}"),
        );
        Some(ProxyFailure::Refused(error.hint(hint)))
    };
    match said.as_deref() {
        Some("proxy authorization required") => refused(
            "407, it wants a user name and a password",
            "put them into HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT), or name the host in NO_PROXY",
        ),
        Some("unsuccessful") => refused(
            &format!("it opens no connection to {place}"),
            "let its operator allow the host, or name the host in NO_PROXY",
        ),
        said => {
            let is_tcp = said == Some("failed to create underlying connection");
            let why = match said {
                Some(said) if !is_tcp => said.to_owned(),
                _ => innermost(error),
            };
            let message =
                format!("{place} could not be reached through the proxy at {proxy}: {why}");
            let error = Error::new(Kind::Network, message).hint(environment);
            Some(ProxyFailure::Unreachable(error))
        }
    }
}
