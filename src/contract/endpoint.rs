//! Every request of the service as a value (contract, part 4), in both directions.
//!
//! A client asks with [`Endpoint::host`] and [`Endpoint::target`]; the embedded service reads the target back with
//! [`Endpoint::parse`]. A table of URLs written by hand from the contract keeps the two honest.

use std::{fmt, net::IpAddr};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{
    Host,
    catalog::{CATALOG, Feed, Format, MmdbForm, Offer},
    export::{self, ExportQuery},
};
use crate::model::{Day, FilePath, TagName, Window, parse_address};

/// Everything that stands for itself in a path segment or a query value here; the comma separates lists.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b',');

/// A request. All are HTTP GET (contract, part 4).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The record of one address; costs a query.
    Context(LookupQuery),
    /// The metadata of one tag.
    Tag(TagName),
    /// The status of the token.
    Status,
    /// A resource of a feed.
    Feed(Feed, Resource),
    /// A filtered subset of a feed.
    Export(ExportQuery),
}

/// A live lookup of one address (contract, part 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LookupQuery {
    /// The address asked about.
    pub address: IpAddr,
    /// `dt`: the day whose data is asked for; today's without it. Needs historical access.
    pub date: Option<Day>,
    /// `mmgeo`: whose geolocation fills `location`.
    pub geolocation: Geolocation,
}

impl LookupQuery {
    /// The current record of an address.
    #[must_use]
    pub fn now(address: IpAddr) -> Self {
        Self {
            address,
            date: None,
            geolocation: Geolocation::Service,
        }
    }
}

/// Whose geolocation a lookup's `location` holds (contract, part 4.1, `mmgeo`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Geolocation {
    /// The service's own.
    #[default]
    Service,
    /// A third-party database's.
    Mmgeo,
}

impl Geolocation {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Service => Self::Mmgeo,
            Self::Mmgeo => Self::Service,
        }
    }

    /// The word for it on screens.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Mmgeo => "mmgeo",
        }
    }
}

/// A resource of a feed, below its base path (contract, part 4.2).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// The latest release.
    Latest(Format),
    /// The JSON file of a day.
    Dated(Day),
    /// A file that the metadata named: the MMDB form.
    Located(FilePath),
    /// A realtime file.
    Window(Window),
    /// The metadata of the latest release.
    Metadata,
    /// The days there are.
    Runs,
    /// The files of a day.
    Files(Day),
    /// The documentation.
    Readme,
}

impl Resource {
    /// How firmly the contract speaks of this resource of `feed`.
    #[must_use]
    pub fn offer(&self, feed: Feed) -> Offer {
        let row = feed.row();
        let realtime = feed == Feed::Realtime;
        match self {
            Self::Latest(Format::Json) => Offer::Stated,
            Self::Latest(Format::Mmdb) if row.mmdb == MmdbForm::Latest => Offer::Stated,
            Self::Located(_) if row.mmdb == MmdbForm::ByMetadata => row.metadata,
            Self::Window(_) if realtime => Offer::Stated,
            Self::Dated(_) | Self::Runs if !realtime => row.history,
            Self::Files(_) => row.history,
            Self::Metadata => row.metadata,
            Self::Readme => row.readme,
            _ => Offer::No,
        }
    }

    fn path(&self) -> String {
        match self {
            Self::Latest(Format::Json) => "latest.json.gz".to_owned(),
            Self::Latest(Format::Mmdb) => "latest.mmdb".to_owned(),
            Self::Dated(day) => format!("{day}/feed.json.gz"),
            Self::Located(location) => location.to_string(),
            Self::Window(window) => format!("{window}.json.gz"),
            Self::Metadata => "latest".to_owned(),
            Self::Runs => String::new(),
            Self::Files(day) => format!("{day}/"),
            Self::Readme => "README.pdf".to_owned(),
        }
    }

    fn parse(feed: Feed, path: &str) -> Option<Self> {
        let resource = match path {
            "" => Self::Runs,
            "latest" => Self::Metadata,
            "latest.json.gz" => Self::Latest(Format::Json),
            "latest.mmdb" => Self::Latest(Format::Mmdb),
            "README.pdf" => Self::Readme,
            _ => match path.split_once('/')? {
                (day, "") => Self::Files(Day::from_compact(day)?),
                (day, "feed.json.gz") if feed != Feed::Realtime => {
                    Self::Dated(Day::from_compact(day)?)
                }
                (day, file) if feed == Feed::Realtime => Self::Window(Window::new(
                    Day::from_compact(day)?,
                    file.strip_suffix(".json.gz")?,
                )?),
                _ => Self::Located(FilePath::parse(path)?),
            },
        };
        (resource.offer(feed) != Offer::No).then_some(resource)
    }
}

impl Endpoint {
    /// The host that answers.
    #[must_use]
    pub fn host(&self) -> Host {
        match self {
            Self::Context(_) | Self::Tag(_) | Self::Status => Host::Context,
            Self::Feed(..) => Host::Feeds,
            Self::Export(_) => Host::Exports,
        }
    }

    /// Path and query below the host's address, beginning with `/`.
    #[must_use]
    pub fn target(&self) -> String {
        match self {
            Self::Context(query) => {
                let date = query.date.map(|day| format!("dt={day}"));
                let mmgeo = (query.geolocation == Geolocation::Mmgeo).then(|| "mmgeo=1".to_owned());
                let pairs: Vec<String> = date.into_iter().chain(mmgeo).collect();
                let mark = if pairs.is_empty() { "" } else { "?" };
                format!("/v2/context/{}{mark}{}", query.address, pairs.join("&"))
            }
            Self::Tag(tag) => format!("/v2/metadata/tags/{}", encode(tag.as_str())),
            Self::Status => "/status".to_owned(),
            Self::Feed(feed, resource) => format!("{}/{}", feed.row().base, resource.path()),
            Self::Export(query) => {
                let pairs = query.parameters();
                let pairs: Vec<String> = pairs
                    .iter()
                    .map(|(param, value)| format!("{}={}", param.name(), encode(value)))
                    .collect();
                format!("/v1/feeds/{}?{}", query.feed, pairs.join("&"))
            }
        }
    }

    /// What the request costs: a lookup consumes one query (contract, part 8.1).
    #[must_use]
    pub fn cost(&self) -> u32 {
        u32::from(matches!(self, Self::Context(_)))
    }

    /// Reads a request target back. The query parameter `Token` is left to whoever checks tokens.
    ///
    /// # Errors
    /// [`Unrouted::NotFound`] where the contract has no such path, [`Unrouted::BadRequest`] where a parameter is not of
    /// the form that it states.
    pub fn parse(host: Host, target: &str) -> Result<Self, Unrouted> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let pairs: Vec<(String, String)> = query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
            .map(|(name, value)| (decode(name), decode(value)))
            .filter(|(name, _)| name != "Token")
            .collect();
        match host {
            Host::Context if path == "/status" => Ok(Self::Status),
            Host::Context => {
                if let Some(tag) = path.strip_prefix("/v2/metadata/tags/") {
                    return TagName::new(&decode(tag))
                        .map(Self::Tag)
                        .map_err(|_| Unrouted::NotFound);
                }
                let address = path
                    .strip_prefix("/v2/context/")
                    .filter(|rest| !rest.contains('/'))
                    .ok_or(Unrouted::NotFound)?;
                parse_lookup(&decode(address), &pairs).map(Self::Context)
            }
            Host::Feeds => {
                // The realtime base lies below that of a feed type: the longest base that fits is meant.
                let fits = |base: &str| {
                    path.strip_prefix(base)
                        .and_then(|rest| rest.strip_prefix('/'))
                };
                let row = CATALOG
                    .iter()
                    .filter(|row| fits(row.base).is_some())
                    .max_by_key(|row| row.base.len());
                let row = row.ok_or(Unrouted::NotFound)?;
                let rest = fits(row.base).unwrap_or_default();
                Resource::parse(row.feed, rest)
                    .map(|resource| Self::Feed(row.feed, resource))
                    .ok_or(Unrouted::NotFound)
            }
            Host::Exports => {
                let name = path.strip_prefix("/v1/feeds/").ok_or(Unrouted::NotFound)?;
                let feed = Feed::EXPORTED
                    .into_iter()
                    .find(|feed| feed.name() == name)
                    .ok_or(Unrouted::NotFound)?;
                export::parse(feed, &pairs)
                    .map(Self::Export)
                    .map_err(Unrouted::BadRequest)
            }
        }
    }
}

fn parse_lookup(address: &str, pairs: &[(String, String)]) -> Result<LookupQuery, Unrouted> {
    let bad = |text: String| Unrouted::BadRequest(text);
    let mut query =
        LookupQuery::now(parse_address(address).map_err(|error| bad(error.to_string()))?);
    for (name, value) in pairs {
        match (name.as_str(), value.as_str()) {
            ("dt", _) => {
                query.date = Some(
                    Day::from_compact(value)
                        .ok_or_else(|| bad(format!("dt={value} is not YYYYmmdd")))?,
                )
            }
            ("mmgeo", "1" | "true") => query.geolocation = Geolocation::Mmgeo,
            ("mmgeo", "0" | "false" | "") => query.geolocation = Geolocation::Service,
            ("mmgeo", _) => return Err(bad(format!("mmgeo={value} is not a boolean"))),
            _ => {}
        }
    }
    Ok(query)
}

fn encode(value: &str) -> String {
    utf8_percent_encode(value, ENCODED).to_string()
}

fn decode(value: &str) -> String {
    percent_decode_str(&value.replace('+', " "))
        .decode_utf8_lossy()
        .into_owned()
}

/// Why a request target is not a request of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unrouted {
    /// No such path.
    NotFound,
    /// A parameter is malformed; says which and why.
    BadRequest(String),
}

impl fmt::Display for Unrouted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("no such path"),
            Self::BadRequest(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Unrouted {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{ExportField, Output};

    fn day() -> Day {
        Day::new(2026, 11, 20).expect("day")
    }

    fn lookup(address: &str, date: Option<Day>, geolocation: Geolocation) -> Endpoint {
        Endpoint::Context(LookupQuery {
            address: address.parse().expect(address),
            date,
            geolocation,
        })
    }

    fn export(feed: Feed, change: impl FnOnce(&mut ExportQuery)) -> Endpoint {
        let mut query = ExportQuery::all_of(feed);
        change(&mut query);
        Endpoint::Export(query)
    }

    /// Written by hand from part 4 of the contract, not from the code.
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn table() -> Vec<(Endpoint, Host, &'static str)> {
        let mmdb = FilePath::parse("20261119/feed.mmdb").expect("path");
        let window = Window::new(day(), "2310").expect("window");
        let mut table = vec![
            (
                lookup("198.51.100.7", None, Geolocation::Service),
                Host::Context,
                "/v2/context/198.51.100.7",
            ),
            (
                lookup("198.51.100.7", Some(day()), Geolocation::Service),
                Host::Context,
                "/v2/context/198.51.100.7?dt=20261120",
            ),
            (
                lookup("198.51.100.7", None, Geolocation::Mmgeo),
                Host::Context,
                "/v2/context/198.51.100.7?mmgeo=1",
            ),
            (
                lookup("2001:db8::1", Some(day()), Geolocation::Mmgeo),
                Host::Context,
                "/v2/context/2001:db8::1?dt=20261120&mmgeo=1",
            ),
            (
                Endpoint::Tag("ACME_VPN".parse().expect("tag")),
                Host::Context,
                "/v2/metadata/tags/ACME_VPN",
            ),
            (
                Endpoint::Tag(TagName::new("A%B&C").expect("tag")),
                Host::Context,
                "/v2/metadata/tags/A%25B%26C",
            ),
            (Endpoint::Status, Host::Context, "/status"),
        ];
        let feeds: &[(Feed, Resource, &str)] = &[
            (
                Feed::Anonymous,
                Resource::Latest(Format::Json),
                "/v2/anonymous/latest.json.gz",
            ),
            (Feed::Anonymous, Resource::Metadata, "/v2/anonymous/latest"),
            (
                Feed::Anonymous,
                Resource::Dated(day()),
                "/v2/anonymous/20261120/feed.json.gz",
            ),
            (Feed::Anonymous, Resource::Runs, "/v2/anonymous/"),
            (
                Feed::Anonymous,
                Resource::Files(day()),
                "/v2/anonymous/20261120/",
            ),
            (
                Feed::Anonymous,
                Resource::Readme,
                "/v2/anonymous/README.pdf",
            ),
            (
                Feed::Anonymous,
                Resource::Located(mmdb.clone()),
                "/v2/anonymous/20261119/feed.mmdb",
            ),
            (
                Feed::AnonymousIpv6,
                Resource::Latest(Format::Json),
                "/v2/anonymous-ipv6/latest.json.gz",
            ),
            (
                Feed::AnonymousIpv6,
                Resource::Metadata,
                "/v2/anonymous-ipv6/latest",
            ),
            (
                Feed::AnonymousResidential,
                Resource::Metadata,
                "/v2/anonymous-residential/latest",
            ),
            (
                Feed::AnonymousResidential,
                Resource::Files(day()),
                "/v2/anonymous-residential/20261120/",
            ),
            (
                Feed::AnonymousResidentialIpv6,
                Resource::Dated(day()),
                "/v2/anonymous-residential-ipv6/20261120/feed.json.gz",
            ),
            (
                Feed::Realtime,
                Resource::Latest(Format::Json),
                "/v2/anonymous-residential/realtime/latest.json.gz",
            ),
            (
                Feed::Realtime,
                Resource::Metadata,
                "/v2/anonymous-residential/realtime/latest",
            ),
            (
                Feed::Realtime,
                Resource::Window(window),
                "/v2/anonymous-residential/realtime/20261120/2310.json.gz",
            ),
            (
                Feed::Realtime,
                Resource::Files(day()),
                "/v2/anonymous-residential/realtime/20261120/",
            ),
            (
                Feed::ServiceMetrics,
                Resource::Latest(Format::Json),
                "/v2/service-metrics/latest.json.gz",
            ),
            (
                Feed::ServiceMetrics,
                Resource::Metadata,
                "/v2/service-metrics/latest",
            ),
            (
                Feed::Dch,
                Resource::Latest(Format::Json),
                "/v2/dch/latest.json.gz",
            ),
            (
                Feed::Ipgeo,
                Resource::Latest(Format::Mmdb),
                "/v2/ipgeo/latest.mmdb",
            ),
            (
                Feed::Ipgeo,
                Resource::Latest(Format::Json),
                "/v2/ipgeo/latest.json.gz",
            ),
            (
                Feed::Ipsummary,
                Resource::Latest(Format::Json),
                "/v2/ipsummary/latest.json.gz",
            ),
        ];
        table.extend(feeds.iter().map(|(feed, resource, target)| {
            (
                Endpoint::Feed(*feed, resource.clone()),
                Host::Feeds,
                *target,
            )
        }));
        table.extend([
            (export(Feed::Anonymous, |_| ()), Host::Exports, "/v1/feeds/anonymous?output=csv"),
            (
                export(Feed::Anonymous, |q| {
                    q.header = true;
                    q.fields = vec![ExportField::Ip, ExportField::Tag, ExportField::ClientCount];
                    q.limit = Some(100_000);
                    q.tags = vec!["ACME_VPN".parse().expect("tag"), "CARGO_VPN".parse().expect("tag")];
                    q.ccs = vec!["NL".into(), "DE".into()];
                    q.attributed = true;
                }),
                Host::Exports,
                "/v1/feeds/anonymous?output=csv&includeCSVHeader=true&fields=ip,tag,clientCount&limit=100000\
                 &tags=ACME_VPN,CARGO_VPN&ccs=NL,DE&attributed=true",
            ),
            (
                export(Feed::AnonymousIpv6, |q| {
                    q.output = Output::Json;
                    q.diff = true;
                    q.diff_date = Some(day());
                }),
                Host::Exports,
                "/v1/feeds/anonymous-ipv6?output=json&diff=true&diffDate=2026-11-20",
            ),
            (
                export(Feed::AnonymousResidential, |q| {
                    q.output = Output::Mmdb;
                    q.callback_proxies = vec!["WIDGET_PROXY".parse().expect("tag")];
                }),
                Host::Exports,
                "/v1/feeds/anonymous-residential?output=mmdb&callbackProxies=WIDGET_PROXY",
            ),
            (
                export(Feed::Dch, |q| {
                    q.output = Output::Json;
                    q.fields = vec![ExportField::Network, ExportField::Organization, ExportField::Asn];
                }),
                Host::Exports,
                "/v1/feeds/dch?output=json&fields=network,organization,asn",
            ),
        ]);
        table
    }

    #[test]
    fn endpoints_are_the_urls_of_the_contract_and_back() {
        for (endpoint, host, target) in table() {
            assert_eq!(
                (endpoint.host(), endpoint.target().as_str()),
                (host, target)
            );
            assert_eq!(Endpoint::parse(host, target), Ok(endpoint), "{target}");
        }
    }

    #[test]
    fn a_token_in_the_query_does_not_change_the_route() {
        let with = Endpoint::parse(Host::Feeds, "/v2/dch/latest.json.gz?Token=x");
        assert_eq!(
            with,
            Ok(Endpoint::Feed(Feed::Dch, Resource::Latest(Format::Json)))
        );
    }

    #[test]
    fn what_the_contract_does_not_have_is_not_routed() {
        for (host, target) in [
            (Host::Context, "/"),
            (Host::Context, "/v1/context/198.51.100.7"),
            (Host::Context, "/v2/context/198.51.100.7/x"),
            (Host::Context, "/v2/metadata/tags/"),
            (Host::Feeds, "/v2/nothing/latest"),
            (Host::Feeds, "/v2/anonymous"),
            (Host::Feeds, "/v2/anonymous/latest.mmdb"),
            (Host::Feeds, "/v2/anonymous/../dch/latest"),
            (Host::Feeds, "/v2/anonymous/20261320/feed.json.gz"),
            (Host::Feeds, "/v2/anonymous-residential/realtime/"),
            (
                Host::Feeds,
                "/v2/anonymous-residential/realtime/20261120/2460.json.gz",
            ),
            (Host::Feeds, "/v2/anonymous-residential/realtime/README.pdf"),
            (Host::Feeds, "/v2/service-metrics/latest.mmdb"),
            (Host::Exports, "/v1/feeds/ipsummary"),
            (Host::Exports, "/v2/feeds/anonymous"),
        ] {
            assert_eq!(
                Endpoint::parse(host, target),
                Err(Unrouted::NotFound),
                "{target}"
            );
        }
        for (host, target) in [
            (Host::Context, "/v2/context/example"),
            (Host::Context, "/v2/context/198.51.100.7?dt=2026-11-20"),
            (Host::Context, "/v2/context/198.51.100.7?mmgeo=maybe"),
            (Host::Exports, "/v1/feeds/anonymous?limit=many"),
            (Host::Exports, "/v1/feeds/anonymous?output=xml"),
            (Host::Exports, "/v1/feeds/anonymous?fields=ip,nothing"),
            (Host::Exports, "/v1/feeds/anonymous?diffDate=20261120"),
            (Host::Exports, "/v1/feeds/anonymous?diff=perhaps"),
        ] {
            assert!(
                matches!(Endpoint::parse(host, target), Err(Unrouted::BadRequest(_))),
                "{target}"
            );
        }
    }
}
