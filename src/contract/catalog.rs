//! The catalogue of feeds as one table (contract, parts 4.2 and 9.3).
//!
//! It drives request paths, cache folders, command line names, the Feeds tab and the embedded service. What the contract
//! states of a feed is [`Offer::Stated`]; what only "follows the pattern" is [`Offer::Tried`], and a 404 then means
//! "not offered", not a fault.

use std::{fmt, str::FromStr};

use crate::model::{
    Context, Geo, Hosting, Tag,
    fields::{Member, Object},
    instead_of,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feed {
    /// VPNs, datacenter and ISP proxies, virtual desktops (contract, part 4.2 rule 1).
    Anonymous,
    /// Anonymous plus residential, malware, peer-to-peer and blockchain proxies (rule 2).
    AnonymousResidential,
    /// The Anonymous feed for IPv6 networks (rule 3).
    AnonymousIpv6,
    /// The Anonymous +Residential feed for IPv6 networks.
    AnonymousResidentialIpv6,
    /// New detections in windows of five minutes (rule 4).
    Realtime,
    /// Metadata of every tracked service, string-valued.
    ServiceMetrics,
    /// Netblocks of datacenter hosting.
    Dch,
    /// Geolocation by netblock.
    Ipgeo,
    /// All addresses with notable activity.
    Ipsummary,
}

/// The form of a feed's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Newline-separated JSON, gzip-compressed.
    Json,
    /// A database indexed by address.
    Mmdb,
}

/// What one line of a feed is (contract, part 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// IP Context Objects (2.1).
    Context,
    /// IPv6 Context Objects, by network (2.5).
    Ipv6Context,
    /// Tag Metadata Objects, string-valued (2.6).
    Tags,
    /// DCH Objects (2.9).
    Hosting,
    /// IP Geo Objects (2.10).
    Geo,
}

impl RecordKind {
    /// Whether a record says something about anonymization.
    #[must_use]
    pub fn has_verdict(self) -> bool {
        matches!(self, Self::Context | Self::Ipv6Context)
    }

    /// The fields of a record.
    #[must_use]
    pub fn members(self) -> &'static [Member] {
        match self {
            Self::Context | Self::Ipv6Context => Context::MEMBERS,
            Self::Tags => Tag::MEMBERS,
            Self::Hosting => Hosting::MEMBERS,
            Self::Geo => Geo::MEMBERS,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Context => "IP context",
            Self::Ipv6Context => "IPv6 context",
            Self::Tags => "tags",
            Self::Hosting => "netblocks",
            Self::Geo => "geo blocks",
        }
    }
}

/// How firmly the contract speaks of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Offer {
    Stated,
    /// The contract only says that it follows the pattern: asked for, and a 404 means "not offered".
    Tried,
    /// There is no such resource.
    No,
}

/// Where the MMDB form of a feed is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MmdbForm {
    /// `mmdb.location` of the feed's metadata (2.8).
    ByMetadata,
    /// `latest.mmdb`, stated beside the JSON.
    Latest,
    No,
}

/// How settled a feed is (contract, part 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Maturity {
    /// Nothing said.
    Settled,
    Beta,
    /// Early release or beta.
    Early,
}

impl Maturity {
    /// The mark behind the feed's name, empty for a settled one.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Settled => "",
            Self::Beta => "beta",
            Self::Early => "early",
        }
    }
}

#[derive(Debug)]
pub struct CatalogRow {
    pub feed: Feed,
    /// Its name on the command line, in cache folders and on screens.
    pub name: &'static str,
    /// The path below the feeds host that its resources share.
    pub base: &'static str,
    pub records: RecordKind,
    pub maturity: Maturity,
    /// `latest`, the metadata of the current release.
    pub metadata: Offer,
    /// Dated files, runs and files of a day.
    pub history: Offer,
    pub mmdb: MmdbForm,
    /// `README.pdf`.
    pub readme: Offer,
    /// What it covers, in one line.
    pub covers: &'static str,
}

impl CatalogRow {
    const DAILY: Self = Self {
        feed: Feed::Anonymous,
        name: "",
        base: "",
        records: RecordKind::Context,
        maturity: Maturity::Settled,
        metadata: Offer::Stated,
        history: Offer::Stated,
        mmdb: MmdbForm::ByMetadata,
        readme: Offer::Stated,
        covers: "",
    };
    const SPECIAL: Self = Self {
        metadata: Offer::Tried,
        history: Offer::Tried,
        readme: Offer::Tried,
        ..Self::DAILY
    };
}

/// The catalogue, in the order in which feeds are listed.
pub const CATALOG: [CatalogRow; 9] = [
    CatalogRow {
        feed: Feed::Anonymous,
        name: "anonymous",
        base: "/v2/anonymous",
        covers: "anonymous VPNs, datacenter and ISP proxies, virtual desktops",
        ..CatalogRow::DAILY
    },
    CatalogRow {
        feed: Feed::AnonymousResidential,
        name: "anonymous-residential",
        base: "/v2/anonymous-residential",
        covers: "all of anonymous, and residential, malware, peer-to-peer and blockchain proxies, zero-trust access",
        ..CatalogRow::DAILY
    },
    CatalogRow {
        feed: Feed::AnonymousIpv6,
        name: "anonymous-ipv6",
        base: "/v2/anonymous-ipv6",
        records: RecordKind::Ipv6Context,
        maturity: Maturity::Beta,
        covers: "the anonymous feed for IPv6 networks of mixed sizes",
        ..CatalogRow::DAILY
    },
    CatalogRow {
        feed: Feed::AnonymousResidentialIpv6,
        name: "anonymous-residential-ipv6",
        base: "/v2/anonymous-residential-ipv6",
        records: RecordKind::Ipv6Context,
        maturity: Maturity::Beta,
        covers: "the anonymous-residential feed for IPv6 networks of mixed sizes",
        ..CatalogRow::DAILY
    },
    CatalogRow {
        feed: Feed::Realtime,
        name: "realtime",
        base: "/v2/anonymous-residential/realtime",
        mmdb: MmdbForm::No,
        readme: Offer::No,
        covers: "new detections in windows of five minutes; records may lack fields of the daily feed",
        ..CatalogRow::DAILY
    },
    CatalogRow {
        feed: Feed::ServiceMetrics,
        name: "service-metrics",
        base: "/v2/service-metrics",
        records: RecordKind::Tags,
        mmdb: MmdbForm::No,
        covers: "metadata of every tracked service",
        ..CatalogRow::SPECIAL
    },
    CatalogRow {
        feed: Feed::Dch,
        name: "dch",
        base: "/v2/dch",
        records: RecordKind::Hosting,
        covers: "collapsed netblocks of datacenter hosting, not filtered for activity",
        ..CatalogRow::SPECIAL
    },
    CatalogRow {
        feed: Feed::Ipgeo,
        name: "ipgeo",
        base: "/v2/ipgeo",
        records: RecordKind::Geo,
        maturity: Maturity::Early,
        mmdb: MmdbForm::Latest,
        covers: "geolocation by netblock",
        ..CatalogRow::SPECIAL
    },
    CatalogRow {
        feed: Feed::Ipsummary,
        name: "ipsummary",
        base: "/v2/ipsummary",
        mmdb: MmdbForm::No,
        covers: "all addresses with notable activity, a superset of anonymous-residential",
        ..CatalogRow::SPECIAL
    },
];

impl Feed {
    /// All feeds, in the catalogue's order.
    pub fn all() -> impl Iterator<Item = Self> {
        CATALOG.iter().map(|row| row.feed)
    }

    /// Those that hold addresses or networks.
    pub fn of_subjects() -> impl Iterator<Item = Self> {
        Self::all().filter(|feed| feed.row().records != RecordKind::Tags)
    }

    /// The feeds that the exports host filters (contract, part 4.3).
    pub const EXPORTED: [Self; 5] = [
        Self::Anonymous,
        Self::AnonymousResidential,
        Self::AnonymousIpv6,
        Self::AnonymousResidentialIpv6,
        Self::Dch,
    ];

    /// The feed's row of the catalogue.
    #[must_use]
    pub fn row(self) -> &'static CatalogRow {
        // The table lists each feed once, which a test holds.
        CATALOG
            .iter()
            .find(|row| row.feed == self)
            .unwrap_or(&CATALOG[0])
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether the feed is one of the residential types, on which some export rules depend.
    #[must_use]
    pub fn is_residential(self) -> bool {
        matches!(
            self,
            Self::AnonymousResidential | Self::AnonymousResidentialIpv6
        )
    }

    /// Whether records are IP contexts, which have tunnels and clients.
    #[must_use]
    pub fn holds_contexts(self) -> bool {
        matches!(
            self.row().records,
            RecordKind::Context | RecordKind::Ipv6Context
        )
    }

    /// Whether records are identified by an IPv6 network.
    #[must_use]
    pub fn is_ipv6(self) -> bool {
        self.row().records == RecordKind::Ipv6Context
    }
}

impl fmt::Display for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no feed {0:?}")]
pub struct UnknownFeed(String);

impl UnknownFeed {
    /// What people call feeds whose names are others.
    const ALIASES: [(&str, Feed); 4] = [
        ("tags", Feed::ServiceMetrics),
        ("vpn", Feed::Anonymous),
        ("datacenter", Feed::Dch),
        ("hosting", Feed::Dch),
    ];

    /// The feed that was most likely meant, else all of them.
    #[must_use]
    pub fn instead(&self) -> String {
        let alias = Self::ALIASES
            .into_iter()
            .find(|(alias, _)| *alias == self.0);
        match alias {
            Some((_, feed)) => format!("did you mean {feed}?"),
            None => instead_of(&self.0, &CATALOG.each_ref().map(|row| row.name)),
        }
    }
}

impl FromStr for Feed {
    type Err = UnknownFeed;

    fn from_str(text: &str) -> Result<Self, UnknownFeed> {
        let found = CATALOG.iter().find(|row| row.name == text.trim());
        found
            .map(|row| row.feed)
            .ok_or_else(|| UnknownFeed(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_feed_has_one_row_and_one_name() {
        let feeds: BTreeSet<Feed> = Feed::all().collect();
        let names: BTreeSet<&str> = CATALOG.iter().map(|row| row.name).collect();
        assert_eq!((feeds.len(), names.len()), (CATALOG.len(), CATALOG.len()));
        for feed in Feed::all() {
            assert_eq!(feed.row().feed, feed);
            assert_eq!(feed.name().parse(), Ok(feed));
        }
    }

    #[test]
    fn an_unknown_name_leads_to_a_near_one_or_to_all() {
        let instead = |name: &str| name.parse::<Feed>().expect_err(name).instead();
        assert_eq!(instead("anonymus"), "did you mean anonymous?");
        assert_eq!(instead("tags"), "did you mean service-metrics?");
        assert!(instead("x").contains("anonymous-residential-ipv6"));
    }
}
