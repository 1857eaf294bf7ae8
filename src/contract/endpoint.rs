//! Every request of the service as a value (contract, part 4), in both directions.
//!
//! A client asks with [`Endpoint::host`] and [`Endpoint::target`]; the embedded service reads the target back with
//! [`Endpoint::parse`]. A table of URLs written by hand from the contract keeps the two honest.

use std::net::IpAddr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::{
    Host,
    catalog::{CATALOG, Feed, Format, MmdbForm, Offer},
    export::ExportQuery,
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
    Tag(TagName),
    Status,
    Feed(Feed, Resource),
    /// A filtered subset of a feed.
    Export(ExportQuery),
}

/// A feed has no such resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the feed {0} has no {1}")]
pub struct NotOffered(Feed, &'static str);

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
    Latest(Format),
    /// The JSON file of a day.
    Dated(Day),
    /// A file that the metadata named: the MMDB form.
    Located(FilePath),
    /// A realtime file.
    Window(Window),
    /// The metadata of the latest release.
    Metadata,
    Runs,
    Files(Day),
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
            Self::Latest(Format::Mmdb) => match row.mmdb {
                MmdbForm::Latest => Offer::Stated,
                MmdbForm::ByMetadata => Offer::Tried,
                MmdbForm::No => Offer::No,
            },
            Self::Located(_) if row.mmdb != MmdbForm::No => row.metadata,
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
    /// A resource of a feed, if the catalogue has it.
    ///
    /// # Errors
    /// [`NotOffered`] when it does not.
    pub fn of_feed(feed: Feed, resource: Resource) -> Result<Self, NotOffered> {
        if resource.offer(feed) != Offer::No {
            return Ok(Self::Feed(feed, resource));
        }
        let what = match resource {
            Resource::Runs => "list of days",
            Resource::Files(_) => "list of files",
            Resource::Readme => "README",
            Resource::Window(_) => "windows of five minutes",
            Resource::Dated(_) => "dated files (its files are windows: --at HHMM)",
            Resource::Latest(_) | Resource::Located(_) => "MMDB form",
            Resource::Metadata => "metadata",
        };
        Err(NotOffered(feed, what))
    }

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

    /// Parses a request target. The query parameter `Token` is ignored here.
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
                ExportQuery::parse(feed, &pairs)
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unrouted {
    /// No such path.
    #[error("no such path")]
    NotFound,
    /// A parameter is malformed; says which and why.
    #[error("{0}")]
    BadRequest(String),
}

#[cfg(test)]
mod tests;
