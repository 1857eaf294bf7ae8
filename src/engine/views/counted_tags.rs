//! Counts of tags by release, each kept until another release of its feed is counted.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use crate::{
    contract::Feed,
    engine::threads::lock,
    store::{Generation, Moment, layout::Release},
};

/// The records of a release that name one tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TagCount {
    /// The records in which the tag is an operator of a tunnel.
    pub as_operator: u64,
    /// The records in which it is a callback proxy.
    pub as_proxy: u64,
}

/// The tags of one local release, with the records that name each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCounts {
    pub feed: Feed,
    /// Its newest local release.
    pub moment: Moment,
    /// From when the age of that counts.
    pub generated: Generation,
    pub tags: Arc<HashMap<String, TagCount>>,
}

/// The counts of the release that each feed was counted in last.
#[derive(Debug, Default)]
pub(super) struct CountedTags(Mutex<BTreeMap<Feed, (Release, TagCounts)>>);

impl CountedTags {
    /// The counts of a release, which are made where none of it are kept.
    ///
    /// # Errors
    /// The errors of making them.
    pub(super) fn of<E>(
        &self,
        release: &Release,
        count: impl FnOnce() -> Result<HashMap<String, TagCount>, E>,
    ) -> Result<TagCounts, E> {
        let (feed, moment) = (release.manifest.feed, release.manifest.moment);
        if let Some((same, counts)) = lock(&self.0).get(&feed)
            && same == release
        {
            return Ok(counts.clone());
        }
        let counts = TagCounts {
            feed,
            moment,
            generated: release.manifest.generation(),
            tags: Arc::new(count()?),
        };
        lock(&self.0).insert(feed, (release.clone(), counts.clone()));
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::store::{DaySource, Manifest};

    fn release(day: &str, sha256: &str) -> Release {
        let file = "feed-1.json.gz".to_owned();
        let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
        let moment = Moment::parse(day).expect(day);
        Release {
            manifest: Manifest::new(
                Feed::Anonymous,
                moment,
                DaySource::Header,
                false,
                file.clone(),
                9,
                sha256.to_owned(),
                String::new(),
                at,
            ),
            data: file.into(),
        }
    }

    #[test]
    fn a_release_is_counted_again_only_when_another_takes_its_place() {
        let kept = CountedTags::default();
        let mut times = 0;
        let mut count = |release: &Release| {
            let counts = kept.of(release, || {
                times += 1;
                Ok::<_, Infallible>(HashMap::new())
            });
            let Ok(counts) = counts;
            (counts.moment.to_string(), times)
        };
        let first = release("20261119", "a");
        assert_eq!(count(&first), ("20261119".to_owned(), 1));
        assert_eq!(count(&first), ("20261119".to_owned(), 1));
        assert_eq!(count(&release("20261119", "b")).1, 2, "other data");
        assert_eq!(count(&release("20261120", "b")), ("20261120".to_owned(), 3));
    }
}
