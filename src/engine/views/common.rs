//! What some records of a feed have in common, each value with how often it is among them and in the whole feed.
//!
//! Every value of a field of the filter language, the networks that they are in, and the exits of their tunnels. The index has no exits,
//! so how often one is in the feed is not counted.

use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::Arc,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use super::{OfFeeds, Views, facets::names};
use crate::{
    contract::Feed,
    engine::{
        error::Result,
        releases::{OpenRelease, not_here},
        storage::UnusableFeed,
    },
    model::{Day, Keyword, Subject},
    store::{
        Filter, StopFlag,
        filter::Test,
        index::{FacetBy, Index, QueryError, Selection},
        layout::Release,
    },
};

/// Of more records than this neither networks nor exits are read.
const MOST_READ: u64 = 100_000;

/// Which records are asked what they share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommonQuery {
    /// Those about these addresses, in this feed, else in the one of contexts that has most of them.
    Addresses(Arc<[IpAddr]>, Option<Feed>, Option<Day>),
    /// Those of a feed that match a filter.
    Matching(Feed, Option<Day>, Filter),
}

/// A field of which records share a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedField {
    /// A field of the filter language.
    Keyword(Keyword),
    /// The network of 24 or, of IPv6, 48 bits around a subject.
    Network,
    /// An exit of a tunnel.
    Exit,
}

/// A value that several records have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedCount {
    pub field: SharedField,
    pub value: String,
    /// The records that were asked about and have it.
    pub here: u64,
    /// All records of the feed that have it; `None` where that is not counted.
    pub in_feed: Option<u64>,
}

/// What some records of a release share.
#[derive(Clone, Debug)]
pub struct CommonCounts {
    pub release: Release,
    /// The records of the release.
    pub records: u64,
    /// The records that were asked about.
    pub among: u64,
    /// The addresses that were asked about and have no record in the release.
    pub without: usize,
    /// Whether networks and exits were read: of very many records they are not.
    pub has_read: bool,
    /// The values that two records have at least.
    pub values: Vec<SharedCount>,
}

impl SharedField {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Keyword(field) => field.name(),
            Self::Network => "net",
            Self::Exit => "exit",
        }
    }
}

impl SharedCount {
    /// The filter that selects the records with the value; there is none for an exit.
    #[must_use]
    pub fn filter(&self) -> Option<Filter> {
        let test = match self.field {
            SharedField::Keyword(field) => Test::Is(field, vec![self.value.clone()]),
            SharedField::Network => Test::Within(vec![self.value.parse().ok()?]),
            SharedField::Exit => return None,
        };
        Some([test].into_iter().collect())
    }
}

impl Views {
    /// What records share, and the feeds that are local and could not be read. Sends nothing.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) where no feed that may have them is local; as
    /// [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn common(&self, query: &CommonQuery) -> Result<(CommonCounts, Vec<UnusableFeed>)> {
        let (feed, day, unusable) = match query {
            CommonQuery::Matching(feed, day, _) | CommonQuery::Addresses(_, Some(feed), day) => {
                (*feed, *day, Vec::new())
            }
            CommonQuery::Addresses(addresses, None, day) => {
                let OfFeeds { found, unusable } = self.found_in(addresses, *day).await?;
                // Of feeds with as many the first, which has more of the others.
                let best = found.into_iter().rev().max_by_key(|(_, found)| *found);
                match (best, unusable.first()) {
                    // They may be in the one that cannot be read.
                    (None | Some((_, 0)), Some(feed)) => return Err(feed.why.clone()),
                    (Some((feed, _)), _) => (feed, *day, unusable),
                    (None, None) => return Err(not_here(Feed::Anonymous, *day)),
                }
            }
        };
        let opened = self.releases.open_local(feed, day).await?;
        let query = query.clone();
        let work = move |opened: &OpenRelease, stop: &StopFlag| common(opened, &query, stop);
        Ok((self.releases.with_local(opened, work).await?, unusable))
    }

    /// How many of these addresses each local feed of contexts has a record of.
    async fn found_in(
        &self,
        addresses: &Arc<[IpAddr]>,
        day: Option<Day>,
    ) -> Result<OfFeeds<(Feed, usize)>> {
        let asked = Arc::clone(addresses);
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let (_, without) = opened.index.select_addresses(&asked, stop)?;
            Ok((opened.release.manifest.feed, asked.len() - without))
        };
        self.of_contexts_on(day, Feed::all(), work).await
    }
}

fn common(
    opened: &OpenRelease,
    query: &CommonQuery,
    stop: &StopFlag,
) -> Result<CommonCounts, QueryError> {
    let index = &opened.index;
    let (rows, without) = match query {
        CommonQuery::Addresses(addresses, ..) => index.select_addresses(addresses, stop)?,
        CommonQuery::Matching(_, _, filter) => (index.select(filter, stop)?, 0),
    };
    let mut values = Vec::new();
    let all = index.select(&Filter::default(), stop)?;
    for field in Keyword::ALL {
        shared_words(index, &rows, &all, field, &mut values, stop)?;
    }
    if let CommonQuery::Matching(.., filter) = query {
        // That they have what they were selected by says nothing.
        values.retain(|count| match count.field {
            SharedField::Keyword(field) => !names(filter, &FacetBy::Keyword(field), &count.value),
            SharedField::Network | SharedField::Exit => true,
        });
    }
    let has_read = rows.count() <= MOST_READ;
    if has_read {
        shared_networks(index, &rows, &mut values, stop)?;
        let exits = index.facets(&rows, &FacetBy::Path("tunnels.exits".to_owned()), stop)?;
        let exits = exits.into_iter().take_while(|facet| facet.count > 1);
        values.extend(exits.map(|facet| SharedCount {
            field: SharedField::Exit,
            value: facet.value,
            here: facet.count,
            in_feed: None,
        }));
    }
    Ok(CommonCounts {
        release: opened.release.clone(),
        records: index.records(),
        among: rows.count(),
        without,
        has_read,
        values,
    })
}

/// The values of a field that some of all rows share.
fn shared_words(
    index: &Index,
    rows: &Selection,
    all: &Selection,
    field: Keyword,
    values: &mut Vec<SharedCount>,
    stop: &StopFlag,
) -> Result<(), QueryError> {
    let by = FacetBy::Keyword(field);
    let mut here = index.facets(rows, &by, stop)?;
    here.retain(|facet| facet.count > 1);
    if here.is_empty() {
        return Ok(());
    }
    let everywhere = index.facets(all, &by, stop)?.into_iter();
    let everywhere: HashMap<String, u64> =
        everywhere.map(|facet| (facet.value, facet.count)).collect();
    values.extend(here.into_iter().map(|facet| SharedCount {
        field: SharedField::Keyword(field),
        in_feed: everywhere.get(&facet.value).copied(),
        value: facet.value,
        here: facet.count,
    }));
    Ok(())
}

/// The networks that some rows share.
fn shared_networks(
    index: &Index,
    rows: &Selection,
    values: &mut Vec<SharedCount>,
    stop: &StopFlag,
) -> Result<(), QueryError> {
    let mut networks: BTreeMap<IpNet, u64> = BTreeMap::new();
    for row in rows.rows() {
        stop.check()?;
        if let Some(network) = index.subject(row)?.and_then(network_around) {
            *networks.entry(network).or_default() += 1;
        }
    }
    for (network, here) in networks.into_iter().filter(|(_, here)| *here > 1) {
        values.push(SharedCount {
            field: SharedField::Network,
            value: network.to_string(),
            here,
            in_feed: Some(index.count_within(network)?),
        });
    }
    Ok(())
}

/// The network of a usual size around a subject; `None` where that is larger.
fn network_around(subject: Subject) -> Option<IpNet> {
    let network = subject.network();
    let around = match network.addr() {
        IpAddr::V4(address) => IpNet::V4(Ipv4Net::new_assert(address, 24)),
        IpAddr::V6(address) => IpNet::V6(Ipv6Net::new_assert(address, 48)),
    };
    (network.prefix_len() >= around.prefix_len()).then_some(around.trunc())
}
