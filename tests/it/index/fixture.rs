//! A feed with its index and its naive twin, and the runs of properties.

use ipspect::store::{
    Filter, Index, RowId, StopFlag,
    index::{
        QueryError,
        build::{Building, Built},
    },
};
use proptest::{
    strategy::Strategy,
    test_runner::{Config, TestCaseError, TestRunner},
};
use tempfile::TempDir;

use super::{feeds::Feed, naive::Naive};

/// Draws in the usual run and in the long one.
pub(crate) const FEW: u32 = 12;
pub(crate) const MANY: u32 = 3000;

/// The length of index files goes by this.
pub(crate) const FILE: &str = "feed.index";

/// What a property says of one draw.
pub(crate) type Holds = Result<(), TestCaseError>;

/// A feed that was indexed.
pub(crate) struct Fixture {
    pub(crate) index: Index,
    pub(crate) built: Built,
    pub(crate) naive: Naive,
    /// The rows of its records, in the order of the feed.
    pub(crate) rows: Vec<RowId>,
    /// Where the index lies.
    pub(crate) dir: TempDir,
}

impl Fixture {
    /// Hands a feed over in blocks of so many lines.
    pub(crate) fn of(feed: &Feed) -> Self {
        let lines = feed.lines();
        let mut blocks = lines
            .chunks(feed.block.max(1))
            .map(<[Vec<u8>]>::concat)
            .filter(|block| !block.is_empty());
        Self::of_blocks(&mut blocks)
    }

    /// Hands these blocks of whole lines over.
    pub(crate) fn of_blocks(blocks: &mut dyn Iterator<Item = Vec<u8>>) -> Self {
        let dir = TempDir::new().expect("directory");
        let file = dir.path().join(FILE);
        let mut building = Building::begin(&file).expect("a new file");
        let mut all = Vec::new();
        for block in blocks {
            all.extend_from_slice(&block);
            building.lines(block).expect("room");
        }
        let built = building.finish(&mut |_, _| ()).expect("room");
        let index = Index::open(&file).expect("an index");
        let every = index.select(&Filter::default(), &StopFlag::default());
        Self {
            rows: every.expect("all rows").rows().collect(),
            index,
            built,
            naive: Naive::read(&all),
            dir,
        }
    }

    /// The line of a row.
    pub(crate) fn line(&self, row: RowId) -> Result<Vec<u8>, QueryError> {
        let mut line = Vec::new();
        self.index.line(row, &mut line).map(|()| line)
    }

    /// The places in the feed of the records of these rows.
    #[track_caller]
    pub(crate) fn places(&self, rows: impl IntoIterator<Item = RowId>) -> Vec<usize> {
        let place = |row| self.rows.binary_search(&row).expect("a row of a record");
        rows.into_iter().map(place).collect()
    }
}

/// Draws so often, and fails with the smallest draw of which the property does not hold.
#[track_caller]
pub(crate) fn draw<S: Strategy>(times: u32, from: &S, holds: impl Fn(S::Value) -> Holds) {
    let config = Config {
        cases: times,
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    if let Err(failure) = TestRunner::new(config).run(from, holds) {
        panic!("{failure}");
    }
}
