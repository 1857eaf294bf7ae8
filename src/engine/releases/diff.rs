//! Two days of a local feed, side by side: which days, and what was added, removed and changed between them, as it is found.
//!
//! It must never send anything, and never call what it could not compare unchanged.

use std::{
    mem,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::sync::mpsc;

use super::{
    OpenRelease, Releases,
    directory::newest_of,
    ranked_diff::RankedDays,
    unusable::{how_to_download, no_release},
};
use crate::{
    contract::Feed,
    engine::{
        error::{Error, Kind, Result},
        threads::off_thread,
    },
    model::{Day, Document, compare::Difference},
    store::{
        Cache, Filter, Index, Moment, NoRelease, ReleasePlace, StopFlag,
        diff::{self, ChangeCounts, ChangedRecord, Diff, ListedChanges, RankedCounts, Summary},
        index::QueryError,
    },
};

/// Records that are handed over together, at most.
const PAGE: usize = 256;
/// Bytes of them at which fewer are handed over.
const PAGE_BYTES: usize = 1 << 20;
/// Pages that wait to be taken.
const PAGES: usize = 2;

/// Two days of a feed.
#[derive(Clone, Debug)]
pub struct DiffDays {
    pub before: OpenRelease,
    pub after: OpenRelease,
}

/// A record that is not the same in both days.
#[derive(Clone, Debug)]
pub struct DiffRecord {
    pub kind: diff::ChangeKind,
    /// What the old day says.
    pub before: Option<Document>,
    /// What the new day says.
    pub after: Option<Document>,
    /// Where they differ.
    pub differences: Vec<Difference>,
}

/// Which records of two releases are compared.
#[derive(Clone, Debug)]
enum DiffScope {
    /// Those that match in either day.
    Days(Filter),
    /// Two sets, each with its own filter.
    Sets([Filter; 2]),
}

impl DiffScope {
    fn diff<'i>(
        &self,
        [before, after]: [&'i Index; 2],
        stop: &StopFlag,
    ) -> Result<Diff<'i>, QueryError> {
        match self {
            Self::Days(filter) => Diff::between(before, after, filter, stop),
            Self::Sets(filters) => Diff::of_sets([before, after], filters.each_ref(), stop),
        }
    }
}

/// Some of the changes by worth, and the numbers of all.
#[derive(Clone, Debug)]
pub struct DiffPage {
    pub records: Vec<DiffRecord>,
    pub counts: RankedCounts,
    /// Where the days are.
    pub place: ReleasePlace,
}

impl Releases {
    /// Opens two days of a feed: those that are named, else the newest local one and the one before it.
    ///
    /// # Errors
    /// [`Kind::NotFound`] when one is not downloaded, with how to download it; as
    /// [`Releases::open_local`] otherwise.
    pub async fn open_days(
        &self,
        feed: Feed,
        from: Option<Day>,
        to: Option<Day>,
    ) -> Result<DiffDays> {
        let after = self.open_local(feed, to).await?;
        let last = after.release.manifest.moment.day();
        let from = match from {
            Some(day) => day,
            None => self.day_before(feed, last).await?,
        };
        let before = self.open_local(feed, Some(from)).await?;
        Ok(DiffDays { before, after })
    }

    /// The newest local day before this one. Its release must be usable.
    async fn day_before(&self, feed: Feed, last: Day) -> Result<Day> {
        let before = move |cache: &Cache| -> std::result::Result<Option<Day>, NoRelease> {
            // Days are compared, so the order in which they were pulled does not matter.
            let moments = cache.moments(feed).map_err(NoRelease::Io);
            let days = moments?.into_iter().map(Moment::day);
            for day in days.filter(|day| *day < last) {
                if newest_of(cache, feed, Some(day))?.is_some() {
                    return Ok(Some(day));
                }
            }
            Ok(None)
        };
        let cache = self.cache();
        let before =
            off_thread(move || before(&cache).map_err(|why| no_release(&cache, feed, &why)))
                .await?;
        before.ok_or_else(|| {
            Error::new(
                Kind::NotFound,
                format!("no release of {feed} before {} is local", last.dashed()),
            )
            .hint(how_to_download(feed, Some(last.plus(-1))))
        })
    }

    /// Hands over what is not the same in both days, as far as a filter goes, page by page in the order of addresses,
    /// and no more than `limit`. What `visit` fails with ends it.
    ///
    /// # Errors
    /// What `visit` fails with; [`Kind::Integrity`] when an index is damaged and cannot be
    /// rebuilt.
    pub async fn diff<E: From<Error>>(
        &self,
        days: &DiffDays,
        filter: &Filter,
        limit: Option<u64>,
        visit: impl FnMut(Vec<DiffRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        let scope = DiffScope::Days(filter.clone());
        self.hand_over(days, limit, scope, visit).await
    }

    /// The same for two sets of records, each of a release and its own filter; the first is the old one.
    ///
    /// # Errors
    /// As [`Releases::diff`].
    pub async fn diff_of_sets<E: From<Error>>(
        &self,
        sets: &DiffDays,
        filters: [&Filter; 2],
        visit: impl FnMut(Vec<DiffRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        let scope = DiffScope::Sets(filters.map(Filter::clone));
        self.hand_over(sets, None, scope, visit).await
    }

    async fn hand_over<E: From<Error>>(
        &self,
        days: &DiffDays,
        limit: Option<u64>,
        scope: DiffScope,
        mut visit: impl FnMut(Vec<DiffRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        let (to, mut pages) = mpsc::channel(PAGES);
        let post = RecordSender {
            to,
            limit: limit.unwrap_or(u64::MAX),
            handed: Arc::default(),
        };
        let work = self.on_both(days, move |before, after, stop| {
            post.all_of(&scope.diff([before, after], stop)?, stop)
        });
        let visits = async move {
            while let Some(page) = pages.recv().await {
                visit(page)?;
            }
            Ok::<(), E>(())
        };
        let (compared, visited) = tokio::join!(work, visits);
        visited?;
        Ok(compared?)
    }

    /// Those changes of a list that are at these positions, the worthiest first: the same verdict in both days is worth least.
    /// All changes are looked at once; what is asked next of the same days comes without a wait.
    ///
    /// # Errors
    /// As [`Releases::diff`].
    pub async fn diff_page(
        &self,
        days: &DiffDays,
        filter: &Filter,
        listed: ListedChanges,
        positions: Range<u64>,
    ) -> Result<DiffPage> {
        let key = RankedDays {
            releases: [&days.before, &days.after].map(|release| release.release.clone()),
            filter: filter.clone(),
        };
        let kept = Arc::clone(&self.ranked);
        let place = days.after.release.manifest.place();
        self.on_both(days, move |before, after, stop| {
            let ranking = if let Some(ranking) = kept.find(&key) {
                ranking
            } else {
                let diff = Diff::between(before, after, &key.filter, stop)?;
                kept.keep(&key, diff.ranking(stop)?)
            };
            let diff = Diff::between(before, after, &Filter::default(), stop)?;
            let page = ranking.page(listed, positions.clone()).into_iter();
            Ok(DiffPage {
                records: page
                    .map(|changed| record(&diff, changed))
                    .collect::<Result<_, _>>()?,
                counts: ranking.counts,
                place,
            })
        })
        .await
    }

    /// How many records were added, removed and changed.
    ///
    /// # Errors
    /// As [`Releases::diff`].
    pub async fn diff_totals(&self, days: &DiffDays, filter: &Filter) -> Result<ChangeCounts> {
        let filter = filter.clone();
        self.on_both(days, move |before, after, stop| {
            Diff::between(before, after, &filter, stop)?.totals(stop)
        })
        .await
    }

    /// The same by operator and country, and who took over from whom.
    ///
    /// # Errors
    /// As [`Releases::diff`].
    pub async fn diff_summary(&self, days: &DiffDays, filter: &Filter) -> Result<Summary> {
        let filter = filter.clone();
        self.on_both(days, move |before, after, stop| {
            Diff::between(before, after, &filter, stop)?.summary(stop)
        })
        .await
    }

    /// Works on both days; when an index turns out to be damaged, both are checked and rebuilt where they must be, and
    /// the work is done once more from its beginning.
    async fn on_both<T: Send + 'static>(
        &self,
        days: &DiffDays,
        work: impl Fn(&Index, &Index, &StopFlag) -> Result<T, QueryError> + Send + Sync + 'static,
    ) -> Result<T> {
        let work = Arc::new(work);
        let run = |days: DiffDays| {
            let (work, before) = (Arc::clone(&work), days.before.index);
            // Damage is no failure here: it is not known of which day it is.
            self.with_local(days.after, move |after, stop| {
                match work(&before, &after.index, stop) {
                    Err(QueryError::Damaged(why)) => Ok(Err(why)),
                    ended => ended.map(Ok),
                }
            })
        };
        if let Ok(done) = run(days.clone()).await? {
            return Ok(done);
        }
        let before = self.sound(&days.before).await?;
        let after = self.sound(&days.after).await?;
        run(DiffDays { before, after }).await?.map_err(|why| {
            let feed = days.after.release.manifest.feed;
            Error::new(
                Kind::Integrity,
                format!("an index of the feed {feed} is damaged: {why}"),
            )
            .hint(format!("`ipspect feeds reindex {feed}` rebuilds it"))
        })
    }

    /// The same release with an index whose every part is sound.
    async fn sound(&self, opened: &OpenRelease) -> Result<OpenRelease> {
        self.with_local(opened.clone(), |opened, stop| {
            opened.index.check(stop).map(|()| opened.clone())
        })
        .await
    }
}

/// Sends records, each once, also after a restart.
struct RecordSender {
    to: mpsc::Sender<Vec<DiffRecord>>,
    limit: u64,
    /// Records handed over by any try.
    handed: Arc<AtomicU64>,
}

impl RecordSender {
    fn all_of(&self, diff: &Diff<'_>, stop: &StopFlag) -> Result<(), QueryError> {
        let (mut page, mut size, mut passed) = (Vec::new(), 0, 0);
        diff.each(stop, &mut |changed: ChangedRecord| {
            if passed == self.limit || self.to.is_closed() {
                return Ok(false);
            }
            passed += 1;
            if passed <= self.handed.load(Ordering::Relaxed) {
                return Ok(true);
            }
            let record = record(diff, changed)?;
            let length =
                |side: &Option<Document>| side.as_ref().map_or(0, |document| document.text().len());
            size += length(&record.before) + length(&record.after);
            page.push(record);
            if page.len() < PAGE && size < PAGE_BYTES {
                return Ok(true);
            }
            size = 0;
            Ok(self.hand_over(mem::take(&mut page), passed))
        })?;
        self.hand_over(page, passed);
        Ok(())
    }

    /// Returns whether anyone takes more.
    fn hand_over(&self, page: Vec<DiffRecord>, passed: u64) -> bool {
        let taken = page.is_empty() || self.to.blocking_send(page).is_ok();
        self.handed.fetch_max(passed, Ordering::Relaxed);
        taken
    }
}

fn record(diff: &Diff<'_>, changed: ChangedRecord) -> Result<DiffRecord, QueryError> {
    if let Some(compared) = diff.compared(&changed)? {
        return Ok(DiffRecord {
            kind: changed.kind,
            before: Some(compared.before),
            after: Some(compared.after),
            differences: compared.differences,
        });
    }
    let ChangedRecord {
        kind,
        before,
        after,
    } = changed;
    let before = before.map(|row| diff.document_before(row)).transpose()?;
    let after = after.map(|row| diff.document_after(row)).transpose()?;
    Ok(DiffRecord {
        kind,
        before: before.flatten(),
        after: after.flatten(),
        differences: Vec::new(),
    })
}
