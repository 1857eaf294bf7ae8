//! Records about one address or network, from releases that are open. It must never take a record that cannot be read for
//! one that is not there: such records are given beside the others.

use std::cmp::Reverse;

use ipnet::IpNet;

use super::{OpenRelease, Releases};
use crate::{
    contract::Feed,
    engine::error::Result,
    model::{Document, Subject, terms},
    store::{Filter, StopFlag, filter::Test, index::QueryError, layout::Release},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRecord {
    pub release: Release,
    pub document: Document,
}

impl LocalRecord {
    /// The length of the network that it is about.
    #[must_use]
    pub fn length(&self) -> u8 {
        let subject = self.document.value().as_object().and_then(terms::subject);
        subject.map_or(0, |subject| subject.network().prefix_len())
    }
}

/// The records of some releases about an address or network.
#[derive(Clone, Debug, Default)]
pub struct LocalLookup {
    /// The most specific first; of equally specific ones in the order of the releases.
    pub records: Vec<LocalRecord>,
    /// Records about it that cannot be read.
    pub unread: Vec<Unread>,
}

/// A record that cannot be read.
#[derive(Clone, Debug)]
pub struct Unread {
    pub release: Release,
    /// Why it cannot be read.
    pub why: String,
}

impl Releases {
    /// The records of these releases about an address or network.
    ///
    /// # Errors
    /// As [`Releases::with_local`].
    pub async fn lookup_local(
        &self,
        subject: Subject,
        opened: &[OpenRelease],
    ) -> Result<LocalLookup> {
        let network = subject.network();
        let mut found = LocalLookup::default();
        for opened in opened {
            let release = &opened.release;
            let find =
                move |opened: &OpenRelease, _: &StopFlag| -> Result<Vec<Vec<u8>>, QueryError> {
                    let rows = opened.index.covering(network)?;
                    let line = |row| {
                        let mut line = Vec::new();
                        opened.index.line(row, &mut line).map(|()| line)
                    };
                    rows.into_iter().map(line).collect()
                };
            for line in self.with_local(opened.clone(), find).await? {
                let release = release.clone();
                match Document::read(&line) {
                    Ok(document) => found.records.push(LocalRecord { release, document }),
                    Err(why) => found.unread.push(Unread {
                        release,
                        why: why.to_string(),
                    }),
                }
            }
        }
        found.records.sort_by_key(|record| Reverse(record.length()));
        Ok(found)
    }

    /// How many records of a release are about addresses and networks within this network, that of the network itself
    /// included: as many as the filter `net:NETWORK` finds.
    ///
    /// # Errors
    /// As [`Releases::with_local`].
    pub async fn records_inside(&self, opened: &OpenRelease, network: IpNet) -> Result<u64> {
        let filter: Filter = [Test::Within(vec![network])].into_iter().collect();
        let count = move |opened: &OpenRelease, stop: &StopFlag| {
            Ok(opened.index.select(&filter, stop)?.count())
        };
        self.with_local(opened.clone(), count).await
    }

    /// Whether a release has a record about an address or network of this family.
    ///
    /// # Errors
    /// As [`Releases::with_local`].
    pub async fn holds_family(&self, opened: &OpenRelease, family: Family) -> Result<bool> {
        let everything = family.everything();
        let has = move |opened: &OpenRelease, _: &StopFlag| opened.index.has_within(everything);
        self.with_local(opened.clone(), has).await
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6.
    V6,
}

impl Family {
    /// Both.
    pub const ALL: [Self; 2] = [Self::V4, Self::V6];

    /// The record of an address or network.
    #[must_use]
    pub fn of(subject: Subject) -> Self {
        match subject.network() {
            IpNet::V4(_) => Self::V4,
            IpNet::V6(_) => Self::V6,
        }
    }

    /// Whether a feed may have records of this family: those for IPv6 have no others.
    #[must_use]
    pub fn is_of(self, feed: Feed) -> bool {
        self == Self::V6 || !feed.is_ipv6()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::V4 => "IPv4",
            Self::V6 => "IPv6",
        }
    }

    /// The network of all its addresses.
    fn everything(self) -> IpNet {
        match self {
            Self::V4 => IpNet::V4(ipnet::Ipv4Net::default()),
            Self::V6 => IpNet::V6(ipnet::Ipv6Net::default()),
        }
    }
}
