//! The index of one release (API first).

use std::{
    fmt, io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use ipnet::IpNet;

use super::Filter;
use crate::model::{Keyword, Subject};

pub mod build;

/// The number of a record within its release, from 0, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row(pub u32);

/// A flag that ends a long search from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends what runs with this flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was ended.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Why a file cannot be used as an index.
#[derive(Debug)]
pub enum NotOpened {
    /// It cannot be read.
    Io(io::Error),
    /// It is of an older format, or no index at all, or damaged: it is to be built anew.
    Unfit(String),
    /// It is of a newer version than this program: left alone.
    Newer(u32),
}

/// Why a question to an index has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It was stopped.
    Stopped,
    /// A part of the index is not as it was written: it is to be built anew.
    Damaged(String),
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stopped => f.write_str("the search was stopped"),
            Self::Damaged(what) => write!(f, "the index is damaged: {what}"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// An open index: mapped, cheap to clone, usable from several threads.
#[derive(Clone, Debug)]
pub struct Index(Arc<()>);

/// The rows that a filter means.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    count: u64,
}

impl Selection {
    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The rows in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = Row> + '_ {
        std::iter::empty()
    }

    /// Whether a row is among them.
    #[must_use]
    pub fn contains(&self, _row: Row) -> bool {
        unimplemented!()
    }
}

/// What facets are counted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FacetBy {
    /// A field of the filter language.
    Keyword(Keyword),
    /// Any path of the records, arrays transparent, such as `location.city`: slower, the records are read.
    Path(String),
}

/// One value of a field and how many of the selected records have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// The value.
    pub value: String,
    /// Records that have it.
    pub count: u64,
}

/// What the record of a row says, as an export needs it, read without building a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// `ip` or `network` as the record is about.
    pub subject: Option<Subject>,
    /// Operator of the first tunnel that has one.
    pub tag: Option<String>,
    /// The first of client.proxies.
    pub callback_proxy: Option<String>,
    /// Kind of infrastructure.
    pub infrastructure: Option<String>,
    /// Listening services.
    pub services: Vec<String>,
    /// Clients per day.
    pub clients: Option<u64>,
    /// City.
    pub city: Option<String>,
    /// State.
    pub state: Option<String>,
    /// Country.
    pub country: Option<String>,
}

impl Index {
    /// Opens an index: checks that it is one, whole and of this version, and maps it. Its parts are checked at first use.
    ///
    /// # Errors
    /// [`NotOpened`].
    pub fn open(_path: &Path) -> Result<Self, NotOpened> {
        unimplemented!()
    }

    /// How many records it holds.
    #[must_use]
    pub fn records(&self) -> u64 {
        unimplemented!()
    }

    /// Appends the line of a record, byte for byte as the feed had it, without its line end.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn line(&self, _row: Row, _into: &mut Vec<u8>) -> Result<(), NoAnswer> {
        unimplemented!()
    }

    /// What the record of a row is about.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn subject(&self, _row: Row) -> Result<Option<Subject>, NoAnswer> {
        unimplemented!()
    }

    /// The records of exactly this address or network, in the order of the file, then those of networks that cover it,
    /// most specific first.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn covering(&self, _network: IpNet) -> Result<Vec<Row>, NoAnswer> {
        unimplemented!()
    }

    /// The rows that a filter means.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn select(&self, _filter: &Filter, _stop: &Stop) -> Result<Selection, NoAnswer> {
        unimplemented!()
    }

    /// The values of a field among these rows with their counts, the most frequent first, then by value.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn facets(
        &self,
        _of: &Selection,
        _by: &FacetBy,
        _stop: &Stop,
    ) -> Result<Vec<Facet>, NoAnswer> {
        unimplemented!()
    }

    /// At most `most` of these rows, the busiest first: by clients descending (unknown counts as 0), then by address.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn busiest(
        &self,
        _of: &Selection,
        _most: usize,
        _stop: &Stop,
    ) -> Result<Vec<Row>, NoAnswer> {
        unimplemented!()
    }

    /// These rows by address: IPv4 before IPv6, by first address, then the larger network first, then by row; at the end
    /// those that are about nothing that can be read.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn by_address(&self, _of: &Selection, _stop: &Stop) -> Result<Vec<Row>, NoAnswer> {
        unimplemented!()
    }

    /// Every subject with its row and the hash of its line (equal hashes: equal lines), in the order of
    /// [`Index::by_address`]. For comparing two days.
    pub fn subjects(&self) -> impl Iterator<Item = Result<(Subject, Row, u64), NoAnswer>> + '_ {
        std::iter::empty()
    }

    /// What the record of a row says in the fields of an export.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn flat(&self, _row: Row) -> Result<Flat, NoAnswer> {
        unimplemented!()
    }

    /// Checks every part of it.
    ///
    /// # Errors
    /// [`NoAnswer`].
    pub fn check(&self, _stop: &Stop) -> Result<(), NoAnswer> {
        unimplemented!()
    }
}
