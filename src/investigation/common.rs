//! What some records share that the rest of their feed does not: how many times as often they have a value, and how many at least.

use crate::{
    engine::{
        Engine, Error, Kind, Result, UnusableFeed,
        views::{CommonCounts, CommonQuery, SharedCount},
    },
    store::layout::Release,
};

/// The quantile of the normal distribution for an interval that holds in 95 of 100 cases.
const QUANTILE: f64 = 1.959_964;

/// A value that some records share.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    pub count: SharedCount,
    /// How much more often it is than in the rest of the feed; `None` where it is not known how often it is there.
    pub more: Option<MoreOften>,
}

/// How many times as often a value is among some records as in the rest of their feed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoreOften {
    pub times: f64,
    /// The lower end of the interval that holds in 95 of 100 cases: few records prove little.
    pub at_least: f64,
}

/// What some records share, what tells them most from the rest of their feed first.
#[derive(Clone, Debug)]
pub struct Common {
    pub release: Release,
    /// The records of the release.
    pub records: u64,
    /// The records that were asked about.
    pub among: u64,
    /// The addresses that were asked about and have no record in the release.
    pub without: usize,
    /// Whether networks and exits were read: of very many records they are not.
    pub has_read: bool,
    pub values: Vec<Shared>,
    /// The feeds that are local and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl Common {
    /// What records share. Sends nothing.
    ///
    /// # Errors
    /// [`Kind::Usage`] where they are all records of the feed; as [`Views::common`](crate::engine::views::Views::common).
    pub async fn of(engine: &Engine, query: &CommonQuery) -> Result<Self> {
        let (counts, unusable) = engine.views.common(query).await?;
        if counts.among > 0 && counts.among == counts.records {
            let feed = counts.release.manifest.feed;
            let message =
                format!("these are all records of {feed}: there is no rest to compare with");
            return Err(Error::new(Kind::Usage, message).hint("narrow the filter, or mark some"));
        }
        Ok(Self {
            unusable,
            ..counts.into()
        })
    }
}

impl From<CommonCounts> for Common {
    fn from(counts: CommonCounts) -> Self {
        let CommonCounts {
            release,
            records,
            among,
            without,
            has_read,
            values,
        } = counts;
        let mut values: Vec<Shared> = values
            .into_iter()
            .map(|count| {
                let rest = count.in_feed.map(|all| all.saturating_sub(count.here));
                let of = [among, records.saturating_sub(among)];
                let more = rest.map(|rest| MoreOften::of([count.here, rest], of));
                Shared { count, more }
            })
            .collect();
        values.sort_by(|a, b| {
            let least = |shared: &Shared| shared.more.map_or(-1.0, |often| often.at_least);
            let order = least(b).total_cmp(&least(a));
            let order = order.then_with(|| b.count.here.cmp(&a.count.here));
            order
                .then_with(|| (a.count.field, &a.count.value).cmp(&(b.count.field, &b.count.value)))
        });
        Self {
            release,
            records,
            among,
            without,
            has_read,
            values,
            unusable: Vec::new(),
        }
    }
}

impl MoreOften {
    /// Of the numbers that have a value here and in the rest, and of all here and in the rest.
    ///
    /// The ratio of the two shares with the interval of its logarithm (Katz, Baptista, Azen and Pike, "Obtaining confidence intervals for
    /// the risk ratio in cohort studies", Biometrics 34, 1978). A half is added to each number, so that a value which the rest never has
    /// is not infinitely more often here.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio of which two digits are shown"
    )]
    pub fn of(have: [u64; 2], of: [u64; 2]) -> Self {
        let [here, rest] = have.map(|number| number as f64 + 0.5);
        let [all_here, all_rest] = of.map(|number| number as f64 + 0.5);
        let times = (here / all_here) / (rest / all_rest);
        let variance = here.recip() - all_here.recip() + rest.recip() - all_rest.recip();
        let at_least = times * (-QUANTILE * variance.max(0.0).sqrt()).exp();
        Self { times, at_least }
    }

    /// Whether it is certain enough that it is more often here.
    #[must_use]
    pub fn is_told(self) -> bool {
        self.at_least > 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(have: [u64; 2], of: [u64; 2]) -> f64 {
        MoreOften::of(have, of).at_least
    }

    #[test]
    fn what_is_rare_elsewhere_tells_more_than_what_all_have() {
        let of = [40, 1_000_000];
        let all_of_one_country = least([40, 400_000], of);
        let nine_on_one_entry = least([9, 12], of);
        assert!(nine_on_one_entry > 100.0 * all_of_one_country);
        assert!(all_of_one_country > 1.0);
        // Three prove less than nine, and as often as elsewhere proves nothing.
        assert!(least([3, 4], of) < nine_on_one_entry);
        assert!(least([4, 100_000], of) < 1.0);
        assert!(!MoreOften::of([1, 20_000], of).is_told());
        // The whole of a feed is not more often than the rest, which is empty.
        assert!(!MoreOften::of([500, 0], [1000, 0]).is_told());
    }

    #[test]
    fn more_records_never_prove_less() {
        for rest in [0, 1, 50, 5000] {
            let of_forty = |have| least([have, rest], [40, 100_000]);
            for have in 2..40 {
                assert!(of_forty(have) < of_forty(have + 1), "{have} {rest}");
            }
            for times in 1..20 {
                let grown = |times: u64| least([3 * times, rest], [10 * times, 100_000]);
                assert!(grown(times) < grown(times + 1), "{times} {rest}");
            }
        }
    }

    #[test]
    fn the_ratio_is_that_of_the_shares() {
        let more = MoreOften::of([200, 1000], [400, 100_000]);
        assert!((more.times - 50.0).abs() < 0.2, "{more:?}");
        assert!((44.0..45.0).contains(&more.at_least), "{more:?}");
    }
}
