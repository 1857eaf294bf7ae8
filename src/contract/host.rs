//! The three hosts and the addresses at which they are reached (contract, part 1).

use std::{fmt, str::FromStr};

use url::Url;

/// One of the service's three hosts. All three take the same token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Host {
    /// Live lookups, tag metadata, token status.
    Context,
    /// Bulk files.
    Feeds,
    /// Filtered subsets.
    Exports,
}

impl Host {
    /// All hosts, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Context, Self::Feeds, Self::Exports];

    /// The word for the host on screens and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Context => "context",
            Self::Feeds => "feeds",
            Self::Exports => "exports",
        }
    }

    /// The key of the host's address in a profile.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Context => "base_url",
            Self::Feeds => "feeds_url",
            Self::Exports => "exports_url",
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where a host is reached: http(s), no credentials, plain http only on loopback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Scheme, host and port: what the token is sent to.
    #[must_use]
    pub fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// The full URL of a request target that begins with `/`.
    ///
    /// # Errors
    /// When the two do not make a URL, which no [`super::Endpoint`] brings about.
    pub fn join(&self, target: &str) -> Result<Url, url::ParseError> {
        Url::parse(&format!(
            "{}{target}",
            self.0.as_str().trim_end_matches('/')
        ))
    }
}

/// Whether a URL's host is on this machine.
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

/// Why a text is not the address of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadBaseUrl(&'static str);

impl FromStr for BaseUrl {
    type Err = BadBaseUrl;

    fn from_str(text: &str) -> Result<Self, BadBaseUrl> {
        let url =
            Url::parse(text.trim()).map_err(|_| BadBaseUrl("not a URL: write https://HOST"))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(BadBaseUrl("a host's URL begins with http or https"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BadBaseUrl(
                "a URL with a user name or password is refused: what logs in does not belong there",
            ));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BadBaseUrl("a host's URL has no query and no fragment"));
        }
        if url.scheme() == "http" && !is_loopback(&url) {
            return Err(BadBaseUrl(
                "plain http would show the token or password to the network: use https (http is for loopback)",
            ));
        }
        Ok(Self(url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_keeps_its_path_and_joins_targets() {
        for (base, expected) in [
            (
                "https://context.example",
                "https://context.example/v2/x?dt=1",
            ),
            (
                "https://context.example/",
                "https://context.example/v2/x?dt=1",
            ),
            (
                "https://gate.example/intel/",
                "https://gate.example/intel/v2/x?dt=1",
            ),
            ("http://127.0.0.1:4321", "http://127.0.0.1:4321/v2/x?dt=1"),
        ] {
            let base: BaseUrl = base.parse().expect(base);
            assert_eq!(
                base.join("/v2/x?dt=1").map(String::from),
                Ok(expected.to_owned())
            );
        }
    }

    #[test]
    fn unsafe_addresses_are_refused() {
        for text in [
            "",
            "context.example",
            "ftp://context.example",
            "http://context.example",
            "https://me:secret@context.example",
            "https://context.example/?Token=x",
            "https://context.example/#x",
            "file:///etc",
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text:?}");
        }
        for text in ["http://localhost:1", "http://[::1]:1", "http://127.0.0.9"] {
            assert!(text.parse::<BaseUrl>().is_ok(), "{text:?}");
        }
    }
}
