//! One request, its answer, and the redirects that may be followed. Only this module uses HTTP.
//!
//! The token goes into the `Token` header of requests to the one origin that it was configured for, and nowhere else.
//! Redirects are followed by hand: a client that follows them itself would send the header along and add a Referer, and
//! the redirect itself carries the date of a feed.

use std::{sync::OnceLock, time::Duration};

use reqwest::{
    Response, Url,
    header::{HeaderMap, HeaderName, HeaderValue},
    redirect::Policy,
};

use super::{
    causes::{chain, is_of_untrusted_issuer, no_descriptors},
    headers::{Captured, LONGEST_HEADER},
    proxy::{self, ProxyFailure},
    retry::FailedTry,
    roots,
    trace::Trace,
};
use crate::{
    contract::{Host, Token, host::is_loopback},
    engine::{
        config::RequestLimits,
        error::{Error, Kind, Result},
    },
};

/// The most redirects that are followed for one request.
const MOST_HOPS: usize = 5;

pub(super) const USER_AGENT: &str = concat!("ipspect/", env!("CARGO_PKG_VERSION"));

/// Clients that follow no redirect, decode nothing and add no Referer.
#[derive(Debug, Default)]
pub(super) struct HttpClient {
    /// For http, which is for this machine only.
    plain: OnceLock<reqwest::Client>,
    loopback: OnceLock<reqwest::Client>,
    network: OnceLock<reqwest::Client>,
}

impl HttpClient {
    /// The client for a URL; it is made at first use, since making one takes longer than a frame.
    pub(super) fn client(&self, url: &Url, limits: &RequestLimits) -> Result<&reqwest::Client> {
        // A proxy from the environment must not see what stays on this machine.
        let local = is_loopback(url);
        let plain = local && url.scheme() == "http";
        let cell = match (plain, local) {
            (true, _) => &self.plain,
            (false, true) => &self.loopback,
            (false, false) => &self.network,
        };
        if let Some(client) = cell.get() {
            return Ok(client);
        }
        let mut named = Vec::new();
        if !plain {
            named.extend(
                roots::named(limits)?
                    .into_iter()
                    .flat_map(|(_, roots)| roots),
            );
        }
        // Built-in certificates that the library cannot read are left out.
        let roots = webpki_root_certs::TLS_SERVER_ROOT_CERTS
            .iter()
            .chain(&named);
        let roots = roots.filter_map(|der| reqwest::Certificate::from_der(der).ok());
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .referer(false)
            .connect_timeout(Duration::from_secs(limits.connect_timeout_s))
            .http1_ignore_invalid_headers_in_responses(true)
            .pool_idle_timeout(Duration::from_secs(20));
        if local {
            builder = builder.no_proxy();
        }
        // The built-in certificates serve machines without any; plain HTTP needs none.
        builder = if plain {
            builder.tls_certs_only([])
        } else {
            builder.tls_certs_merge(roots)
        };
        let client = builder.build().map_err(|error| {
            Error::new(
                Kind::Machine,
                format!("could not set up TLS: {}", chain(&error.without_url())),
            )
        })?;
        Ok(cell.get_or_init(|| client))
    }

    /// Sends one GET and waits for the headers.
    async fn get(
        &self,
        url: &Url,
        headers: HeaderMap,
        limits: &RequestLimits,
        wait: Duration,
    ) -> Result<Response, FailedTry> {
        let request = self.client(url, limits)?.get(url.clone()).headers(headers);
        send(request, url, wait).await
    }

    /// Asks a URL of one of the hosts; follows redirects where the contract has them, which is on the feeds host.
    pub(super) async fn ask(&self, call: &Call<'_>) -> Result<UnreadReply, FailedTry> {
        let mut url = call.url.clone();
        let (mut generation, mut date) = (None, None);
        for _ in 0..=MOST_HOPS {
            let trusted = url.origin() == call.url.origin();
            let headers = call.headers(trusted);
            let is_own = url == call.url;
            let mut trace = Trace::of(&url, is_own, &headers, call.token);
            let wait = call.limits.header_timeout(call.host);
            let response = self.get(&url, headers, call.limits, wait).await;
            let response = response.inspect_err(|trouble| trace.failed(&trouble.error.message))?;
            trace.answered(
                response.status().as_u16(),
                response.headers(),
                Some(call.token),
            );
            let captured = Captured::of(response.headers());
            generation = generation.or(captured.generation_date);
            date = date.or(captured.date);
            let moves = matches!(response.status().as_u16(), 301..=303 | 307 | 308);
            if !moves || call.host != Host::Feeds {
                return Ok(UnreadReply {
                    captured: Captured {
                        generation_date: generation,
                        date,
                        ..captured
                    },
                    trusted,
                    response,
                    trace,
                });
            }
            url = next_hop(&url, &call.url, response.headers())?;
        }
        Err(refused_redirect(&format!("it has more than {MOST_HOPS} hops")).into())
    }
}

pub(super) struct Call<'a> {
    pub(super) host: Host,
    pub(super) url: Url,
    pub(super) token: &'a Token,
    pub(super) limits: &'a RequestLimits,
    /// The range of a resumed download.
    pub(super) resume: Option<&'a Resume>,
}

/// The byte from which a download resumes, on condition that the file is the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Resume {
    /// Bytes received so far.
    pub(in crate::engine) from: u64,
    /// The `ETag` or `Last-Modified` that the file had.
    pub(in crate::engine) validator: String,
}

impl Call<'_> {
    fn headers(&self, trusted: bool) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let mut set = |name: &'static str, value: &str, secret: bool| {
            if let Ok(mut value) = HeaderValue::from_str(value) {
                value.set_sensitive(secret);
                headers.insert(HeaderName::from_static(name), value);
            }
        };
        set("user-agent", USER_AGENT, false);
        if trusted {
            set(Token::HEADER, self.token.expose(), true);
        }
        if let Some(resume) = self.resume {
            set("range", &format!("bytes={}-", resume.from), false);
            set("if-range", &resume.validator, false);
        }
        headers
    }
}

/// An answer whose body has not been read.
#[derive(Debug)]
pub(in crate::engine) struct UnreadReply {
    pub(in crate::engine) captured: Captured,
    /// Whether it came from the host itself, not from where that led.
    pub(in crate::engine) trusted: bool,
    pub(in crate::engine) response: Response,
    /// Logs the request when its body was received.
    pub(super) trace: Trace,
}

impl UnreadReply {
    pub(in crate::engine) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    /// Whether the end of its body is announced: a body that only ends with the connection may be cut off unnoticed.
    pub(in crate::engine) fn is_delimited(&self) -> bool {
        let headers = self.response.headers();
        self.response.version() >= reqwest::Version::HTTP_2
            || headers.contains_key("content-length")
            || headers.contains_key("transfer-encoding")
    }
}

/// Sends a request and waits for the headers of its answer.
pub(super) async fn send(
    request: reqwest::RequestBuilder,
    url: &Url,
    wait: Duration,
) -> Result<Response, FailedTry> {
    let place = origin_of(url);
    match tokio::time::timeout(wait, request.send()).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_connect() || error.is_builder() => {
            if let Some(failed) = no_descriptors(&error) {
                return Err(Error::machine(&format!("connect to {place}"), failed).into());
            }
            if is_of_untrusted_issuer(&error) {
                let message =
                    format!("{place} has a certificate of an issuer that is not trusted here");
                return Err(Error::new(Kind::Network, message)
                    .hint(roots::ADVICE)
                    .into());
            }
            Err(match proxy::failure(url, &place, &error) {
                Some(ProxyFailure::Refused(error)) => error.into(),
                Some(ProxyFailure::Unreachable(error)) => FailedTry::not_sent(error),
                None => FailedTry::not_sent(unreachable_host(&place, error)),
            })
        }
        Ok(Err(error)) => Err(FailedTry::broken(
            Error::new(
                Kind::Network,
                format!(
                    "the connection to {place} failed: {}",
                    chain(&error.without_url())
                ),
            )
            .hint("check the network, then try again"),
        )),
        Err(_) => Err(FailedTry::broken(
            Error::new(
                Kind::Network,
                format!("{place} did not answer within {} s", wait.as_secs_f64()),
            )
            .hint("try again; [network] in config.toml sets the limits"),
        )),
    }
}

/// The target of a redirect, if downloads may be redirected there.
fn next_hop(from: &Url, first: &Url, headers: &HeaderMap) -> Result<Url> {
    let location = headers
        .get("location")
        .filter(|value| value.len() <= LONGEST_HEADER)
        .and_then(|value| value.to_str().ok());
    let to = location.ok_or_else(|| refused_redirect("it names no location"))?;
    let to = from
        .join(to)
        .map_err(|_| refused_redirect("its location is not a URL"))?;
    let refuse = |why: &str| Err(refused_redirect(&format!("{} {why}", origin_of(&to))));
    if !matches!(to.scheme(), "http" | "https") || !to.has_host() {
        return refuse("is not http or https");
    }
    if !to.username().is_empty() || to.password().is_some() {
        return refuse("carries a user name or password");
    }
    if to.scheme() == "http" && from.scheme() == "https" {
        return refuse("would drop encryption");
    }
    if is_loopback(&to) != is_loopback(first) && (is_loopback(&to) || to.scheme() == "http") {
        return refuse("is not allowed for downloads of this service");
    }
    Ok(to)
}

fn refused_redirect(why: &str) -> Error {
    Error::new(
        Kind::Contract,
        format!("a redirect of the feeds host was refused: {why}"),
    )
    .hint("the service, or something between here and it, is set up wrongly: tell its operator")
}

/// Scheme, host and port of a URL: all of it that may be shown, since path and query may be signed.
pub(super) fn origin_of(url: &Url) -> String {
    url.origin().ascii_serialization()
}

fn unreachable_host(place: &str, error: reqwest::Error) -> Error {
    Error::new(
        Kind::Network,
        format!(
            "{place} could not be reached: {}",
            chain(&error.without_url())
        ),
    )
    .hint("check the network and the address (`ipspect doctor`)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_lead_only_where_downloads_may_lie() {
        let hop = |from: &str, to: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("location", HeaderValue::from_str(to).expect("value"));
            let from = Url::parse(from).expect("url");
            next_hop(&from, &from, &headers)
                .map(String::from)
                .map_err(|error| error.kind)
        };
        let feeds = "https://feeds.example/v2/x";
        assert_eq!(
            hop(feeds, "https://storage.example/f?sig=1"),
            Ok("https://storage.example/f?sig=1".to_owned())
        );
        assert_eq!(
            hop(feeds, "/other"),
            Ok("https://feeds.example/other".to_owned())
        );
        assert!(hop("http://127.0.0.1:1/x", "http://127.0.0.1:2/y").is_ok());
        for to in [
            "http://storage.example/f",
            "ftp://storage.example/f",
            "file:///etc",
            "https://me:secret@storage.example/",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://localhost/x",
            "javascript:1",
        ] {
            assert_eq!(hop(feeds, to), Err(Kind::Contract), "{to}");
        }
        assert_eq!(
            hop("http://127.0.0.1:1/x", "http://storage.example/f"),
            Err(Kind::Contract)
        );
        assert_eq!(
            next_hop(
                &Url::parse(feeds).expect("url"),
                &Url::parse(feeds).expect("url"),
                &HeaderMap::new()
            )
            .map_err(|error| error.kind),
            Err(Kind::Contract)
        );
    }
}
