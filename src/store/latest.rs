//! The order of the local releases of a feed, and the newest of them, which answers queries without a day.
//!
//! A day may be wrong, and would keep older data in front for good. So releases are ordered by how they came here: pulls of `latest`
//! by when they were generated, and by when they were pulled where that is unknown or equal. Those pulled by their day come after all
//! of them, and those of an impossible day ([`super::Manifest::is_ahead`]) last. The newest release, the lists, and what the keep rule
//! removes first follow from this order alone.
//!
//! It must never skip an unusable release silently, since an older one would answer unnoticed.

use std::{cmp::Reverse, io};

use jiff::{SignedDuration, Timestamp};

use super::{Cache, Manifest, Moment, layout::Release, manifest::Unusable};
use crate::contract::{Feed, Format};

/// Why the newest release is unknown or unusable.
#[derive(Debug, thiserror::Error)]
pub enum NoRelease {
    /// The newest release cannot be used.
    #[error("{0}")]
    Unusable(Box<Unusable>),
    /// The cache cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

/// A release of the cache in one form, or why it cannot be used.
type Found = Result<Release, Unusable>;

impl Cache {
    /// The newest release of a feed in one form.
    ///
    /// # Errors
    /// As [`Cache::newest`].
    pub fn latest(&self, feed: Feed, form: Format) -> Result<Option<Release>, NoRelease> {
        self.newest(feed, form, |_| true)
    }

    /// The newest release of a feed in one form, among those that `is_meant` accepts.
    ///
    /// # Errors
    /// [`NoRelease::Unusable`] if that release cannot be used, even if older ones can.
    pub fn newest(
        &self,
        feed: Feed,
        form: Format,
        is_meant: impl Fn(Moment) -> bool,
    ) -> Result<Option<Release>, NoRelease> {
        let found = self.newest_first(feed, form, is_meant);
        let newest = found.map_err(NoRelease::Io)?.into_iter().next();
        let newest = newest.transpose();
        newest.map_err(|why| NoRelease::Unusable(Box::new(why)))
    }

    /// The newest usable release of a feed in one form, and why newer ones cannot be used. For callers that may fall back to an
    /// older release and report the newer ones.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn newest_usable(
        &self,
        feed: Feed,
        form: Format,
    ) -> io::Result<(Option<Release>, Vec<Unusable>)> {
        let mut unusable = Vec::new();
        for found in self.newest_first(feed, form, |_| true)? {
            match found {
                Ok(release) => return Ok((Some(release), unusable)),
                Err(why) => unusable.push(why),
            }
        }
        Ok((None, unusable))
    }

    /// The releases of a feed in one form, newest first. A folder without a manifest is not a release; one with an unusable
    /// manifest is returned separately.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn releases(&self, feed: Feed, form: Format) -> io::Result<(Vec<Release>, Vec<Unusable>)> {
        let (mut releases, mut unusable) = (Vec::new(), Vec::new());
        for found in self.newest_first(feed, form, |_| true)? {
            match found {
                Ok(release) => releases.push(release),
                Err(why) => unusable.push(why),
            }
        }
        Ok((releases, unusable))
    }

    /// The time to note for a pull of `latest` that ends at `now`.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn next_pull(&self, feed: Feed, form: Format, now: Timestamp) -> io::Result<Timestamp> {
        let found = self.newest_first(feed, form, |_| true)?;
        Ok(next_pull(&found, now))
    }

    /// All of a feed in one form that `is_meant` accepts, newest first: each release, or why it cannot be used. What has no readable
    /// manifest comes before the first release that is certainly of an earlier day: it may be newer than that.
    ///
    /// # Errors
    /// A failure to read the cache.
    pub fn newest_first(
        &self,
        feed: Feed,
        form: Format,
        is_meant: impl Fn(Moment) -> bool,
    ) -> io::Result<Vec<Result<Release, Unusable>>> {
        let found = self.moments_if(feed, is_meant)?.into_iter();
        let found = found.filter_map(|moment| self.release(feed, form, moment).transpose());
        let (ranked, unranked): (Vec<Found>, Vec<Found>) =
            found.partition(|found| manifest(found).is_some());
        let mut ranked = sort(ranked);
        for result in unranked {
            let moment = result.as_ref().err().map(|unusable| unusable.moment);
            let is_earlier = |found: &Found| {
                manifest(found)
                    .is_some_and(|other| other.is_ahead() || Some(other.surest_moment()) < moment)
            };
            let at = ranked.iter().position(is_earlier);
            ranked.insert(at.unwrap_or(ranked.len()), result);
        }
        Ok(ranked)
    }
}

fn next_pull(found: &[Found], now: Timestamp) -> Timestamp {
    let pulls = found.iter().filter_map(|found| manifest(found)?.latest_at);
    let last = pulls.max();
    last.map_or(now, |last| now.max(last + SignedDuration::from_nanos(1)))
}

fn manifest(found: &Found) -> Option<&Manifest> {
    match found {
        Ok(release) => Some(&release.manifest),
        Err(why) => why.manifest.as_deref(),
    }
}

/// The place of a release in the order; the greatest is the newest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    is_possible: bool,
    /// When it was generated, and pulled as `latest`.
    pull: Option<(Option<Timestamp>, Timestamp)>,
    moment: Moment,
}

/// Sorts what has a manifest, newest first. A pull whose generation is unknown ranks as if it were generated with the newest of the
/// pulls before it.
fn sort(found: Vec<Found>) -> Vec<Found> {
    let mut found = found;
    found
        .sort_by_key(|found| manifest(found).map(|manifest| (manifest.latest_at, manifest.moment)));
    let mut newest = None;
    let mut ranked: Vec<(Option<Rank>, Found)> = Vec::new();
    for found in found {
        let rank = manifest(&found).map(|manifest| Rank {
            is_possible: !manifest.is_ahead(),
            pull: manifest.latest_at.map(|at| {
                let known = manifest.known_generation();
                newest = newest.max(known.filter(|_| !manifest.is_ahead()));
                (known.or(newest), at)
            }),
            moment: manifest.moment,
        });
        ranked.push((rank, found));
    }
    ranked.sort_by_key(|(rank, _)| Reverse(*rank));
    ranked.into_iter().map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use jiff::Timestamp;

    use super::*;
    use crate::store::{
        DaySource, Manifest,
        retention::{KeepRule, KeptRelease},
    };

    const FEED: Feed = Feed::Anonymous;

    fn moment(day: &str) -> Moment {
        Moment::parse(day).expect("moment")
    }

    fn release(cache: &Cache, day: &str) -> Manifest {
        let dir = cache.release_dir(FEED, moment(day));
        fs::create_dir_all(&dir).expect("directory");
        let manifest = manifest_of(day);
        fs::write(dir.join(&manifest.file), day).expect("data");
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        manifest
    }

    fn manifest_of(day: &str) -> Manifest {
        Manifest::new(
            FEED,
            moment(day),
            DaySource::Header,
            false,
            "feed-1.json.gz".to_owned(),
            8,
            "00".to_owned(),
            "/v2/anonymous/latest.json.gz".to_owned(),
            Timestamp::UNIX_EPOCH,
        )
    }

    #[test]
    fn an_unusable_newest_release_is_named_and_never_replaced_by_an_older_one() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let old = release(&cache, "20261119");
        let new = release(&cache, "20261120");
        let latest = cache.latest(FEED, Format::Json).expect("newest");
        assert_eq!(latest.expect("one").manifest, new);
        let dir = cache.release_dir(FEED, new.moment);
        let (text, older) = (new.text(), old.text());
        let mut other_feed = new.clone();
        other_feed.feed = Feed::Dch;
        let other_feed = other_feed.text();
        for (what, manifest) in [
            ("cut", &text[..text.len() / 2]),
            ("empty", ""),
            ("of another day", &older),
            ("of another feed", &other_feed),
        ] {
            fs::write(dir.join("feed.json"), manifest).expect(what);
            match cache.latest(FEED, Format::Json) {
                Err(NoRelease::Unusable(unusable)) => {
                    assert_eq!(
                        (unusable.feed, unusable.moment),
                        (FEED, new.moment),
                        "{what}"
                    );
                }
                other => panic!("{what}: {other:?}"),
            }
            let (usable, unusable) = cache.newest_usable(FEED, Format::Json).expect(what);
            assert_eq!(usable.expect(what).manifest, old);
            assert_eq!(unusable.len(), 1, "{what}");
            let older = cache.newest(FEED, Format::Json, |moment| moment == old.moment);
            assert_eq!(older.expect(what).expect(what).manifest, old);
        }
        fs::remove_file(dir.join("feed.json")).expect("manifest");
        fs::create_dir(dir.join("feed.json")).expect("in the way");
        assert!(cache.latest(FEED, Format::Json).is_err());
        fs::remove_dir(dir.join("feed.json")).expect("in the way");
        let latest = cache.latest(FEED, Format::Json).expect("newest");
        assert_eq!(
            latest.expect("one").manifest,
            old,
            "data alone is no release"
        );
    }

    fn keep(cache: &Cache, manifest: &Manifest) {
        let dir = cache.release_dir(FEED, manifest.moment);
        fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
    }

    /// Notes a pull of `latest` of this day. The SHA-256 names the pull.
    fn pull(cache: &Cache, day: &str, generated: Option<Timestamp>, now: Timestamp, name: &str) {
        let mut manifest = release(cache, day);
        manifest.pulled_at = now;
        manifest.generated_at = generated;
        let next = cache.next_pull(FEED, Format::Json, now);
        manifest.latest_at = Some(next.expect("cache"));
        name.clone_into(&mut manifest.sha256);
        keep(cache, &manifest);
    }

    fn newest(cache: &Cache) -> String {
        let latest = cache.latest(FEED, Format::Json).expect("cache");
        latest.expect("one").manifest.sha256
    }

    /// Pseudorandom numbers, the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: i32) -> i32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
            self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
            i32::try_from(self.0 >> 33).expect("31 bits") % limit
        }
    }

    /// Dates between the true day and the clock, metadata that is missing or of another day, a clock that goes back, and releases that
    /// were removed: of the pulls of `latest` the last one always answers.
    #[test]
    fn the_last_pull_of_latest_is_the_newest_whatever_day_it_bears() {
        let first: crate::model::Day = "20200101".parse().expect("day");
        let (mut numbers, mut today, mut truth) = (Numbers(14), 0, -9);
        let rule = KeepRule {
            releases: 4,
            windows: 1,
            bytes: u64::MAX,
        };
        let (mut wrong, mut held) = (0, Vec::<Found>::new());
        for _ in 0..1000 {
            today += numbers.below(3);
            truth = (truth + numbers.below(3)).clamp(today - 9, today);
            let named = truth + numbers.below(today - truth + 1);
            wrong += i32::from(named != truth);
            let mut pulled = manifest_of(&first.plus(named).to_string());
            // The metadata is of the true day, if there is any.
            let is_known = named == truth && numbers.below(3) > 0;
            pulled.generated_at = is_known.then(|| first.plus(truth).at(3, 41));
            // The clock of the service, and that of this machine.
            pulled.service_clock = Some(first.plus(today).at(12, 0));
            pulled.pulled_at = first.plus(today - numbers.below(2) * 30).at(12, 0);
            pulled.latest_at = Some(next_pull(&held, pulled.pulled_at));
            held.retain(|result| {
                manifest(result).is_some_and(|manifest| manifest.moment != pulled.moment)
            });
            held.push(Ok(Release {
                manifest: pulled.clone(),
                data: std::path::PathBuf::new(),
            }));
            held = sort(held);
            assert_eq!(manifest(&held[0]), Some(&pulled));
            let places = held.iter().flatten().enumerate();
            let places = places.map(|(at, release)| KeptRelease::of(release, Format::Json, at));
            let surplus = rule.surplus(&places.collect::<Vec<_>>(), 0);
            let removed: Vec<usize> = surplus.into_iter().map(|(at, _)| at).collect();
            assert_eq!(removed, (4..held.len()).rev().collect::<Vec<_>>());
            held.truncate(4);
        }
        assert!(wrong > 300, "{wrong}");
    }

    #[test]
    fn a_later_generation_wins_and_a_day_that_was_asked_for_stands_back() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let at = |text: &str| text.parse::<Timestamp>().expect(text);
        let now = at("2026-11-20T12:00:00Z");
        let mut asked = release(&cache, "20261125");
        asked.latest_at = None;
        asked.pulled_at = at("2026-11-25T12:00:00Z");
        "asked".clone_into(&mut asked.sha256);
        keep(&cache, &asked);
        assert_eq!(newest(&cache), "asked", "nothing else is local");
        let generated = Some(at("2026-11-20T03:41:00Z"));
        pull(&cache, "20261120", generated, now, "later");
        assert_eq!(newest(&cache), "later");
        let generated = Some(at("2026-11-19T03:41:00Z"));
        pull(&cache, "20261121", generated, now, "earlier");
        assert_eq!(newest(&cache), "later", "an older file came after it");
        pull(&cache, "20261118", None, now, "unknown");
        assert_eq!(newest(&cache), "unknown");
        let generated = Some(at("2026-11-20T03:41:00Z"));
        pull(&cache, "20261119", generated, now, "equal");
        assert_eq!(newest(&cache), "equal");
        let order = cache.releases(FEED, Format::Json).expect("cache").0;
        let order = order.iter().map(|release| release.manifest.sha256.as_str());
        assert_eq!(
            order.collect::<Vec<_>>(),
            ["equal", "unknown", "later", "earlier", "asked"]
        );
    }

    #[test]
    fn a_manifest_that_cannot_be_read_may_be_newer_than_a_wrong_day() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let mut wrong = release(&cache, "20261122");
        wrong.service_clock = Some(wrong.moment.begins());
        let next = cache.next_pull(FEED, Format::Json, wrong.pulled_at);
        wrong.latest_at = Some(next.expect("cache"));
        keep(&cache, &wrong);
        release(&cache, "20261121");
        let damaged = cache.release_dir(FEED, moment("20261121"));
        fs::write(damaged.join("feed.json"), "damaged").expect("damaged");
        assert!(cache.latest(FEED, Format::Json).is_ok());
        wrong.metadata_day = "20261120".parse().ok();
        keep(&cache, &wrong);
        assert!(cache.latest(FEED, Format::Json).is_err());
        // Of what only lacks its data the manifest says where it stands.
        let mut missing = release(&cache, "20261121");
        missing.service_clock = wrong.service_clock;
        keep(&cache, &missing);
        fs::remove_file(damaged.join(&missing.file)).expect("data");
        let (usable, unusable) = cache.newest_usable(FEED, Format::Json).expect("cache");
        assert_eq!((usable.expect("one").manifest, unusable), (wrong, vec![]));
    }

    #[test]
    fn a_day_that_cannot_have_been_is_never_the_newest_beside_others() {
        let root = tempfile::tempdir().expect("directory");
        let cache = Cache::new(root.path());
        let clock = |manifest: &mut Manifest, day: &str| {
            manifest.service_clock = Some(moment(day).begins());
            let dir = cache.release_dir(FEED, manifest.moment);
            fs::write(dir.join("feed.json"), manifest.text()).expect("manifest");
        };
        for day in ["20991230", "20991231"] {
            clock(&mut release(&cache, day), "20261120");
        }
        let days = || {
            let releases = cache.releases(FEED, Format::Json).expect("cache").0;
            let days = releases.iter().map(|one| one.manifest.moment.to_string());
            days.collect::<Vec<_>>()
        };
        let latest = || {
            let latest = cache.latest(FEED, Format::Json).expect("cache");
            latest.expect("one").manifest.moment.to_string()
        };
        assert_eq!(
            (latest(), days().len()),
            ("20991231".to_owned(), 2),
            "there is no other"
        );
        clock(&mut release(&cache, "20261119"), "20261119");
        clock(&mut release(&cache, "20261120"), "20261120");
        assert_eq!(latest(), "20261120");
        assert_eq!(days(), ["20261120", "20261119", "20991231", "20991230"]);
        let usable = cache.newest_usable(FEED, Format::Json).expect("cache").0;
        assert_eq!(usable.expect("one").manifest.moment, moment("20261120"));
        let named = cache.newest(FEED, Format::Json, |one| one == moment("20991230"));
        assert!(named.expect("cache").is_some(), "its day names it");
    }
}
