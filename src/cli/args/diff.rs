//! Arguments of `diff`, and the filter that it and `parquet` take.

use clap::Args as Group;

use super::{
    fields::check_filter,
    global::ColumnArgs,
    value::{feed, local_day, picked_day},
    warehouse::PlaceArg,
};
use crate::{contract::Feed, engine::Result, model::Day, store::Filter};

/// Arguments of `diff`
#[derive(Debug, Group)]
#[command(
    after_help = "Records are compared as data: the order of keys and lists does not count. FILTER is that of `search`; a record counts \
    if it matches in either day.\n\
    JSON: {\"diff\":\"add|del|change\",\"record\",\"before\"}: the record of the new day and that of the old day, as sent, or null; \
    with --count {\"added\",\"deleted\",\"changed\"}; with --summary {\"by\":\"total|operator|country\",\"value\",\"appeared\",\"left\",\
    \"changed\"} and {\"by\":\"move\",\"from\",\"to\",\"count\"} for records that moved between operators\n\
    CSV: diff,subject,tunnel_types,operators,country,client_count,changes; with --count added,deleted,changed; \
    with --summary by,value,to,appeared,left,changed\n\n\
    Examples:\n  ipspect diff anonymous --from 2026-11-19 --to 2026-11-20 --filter tag:ACME_VPN\n  \
    ipspect diff anonymous-residential --summary --limit 20"
)]
pub struct DiffArgs {
    /// The feed; both days must be downloaded
    pub feed: String,
    /// The old day: 2026-11-01, -7d, yesterday; else the local one before the new day
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// The new day; else the latest local one
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// Where the days are: local, or the warehouse of the profile
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub at: PlaceArg,
    /// Only these records
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Only the counts
    #[arg(long, conflicts_with_all = ["summary", "limit"])]
    pub count: bool,
    /// Only counts by operator and country, and moves between operators
    #[arg(long)]
    pub summary: bool,
    /// At most N records, or N rows of each list
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
    /// End with 11 where something changed
    #[arg(long)]
    pub exit_code: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// What is asked of two days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffArguments {
    /// The feed.
    pub feed: Feed,
    /// The old day, if it is named.
    pub from: Option<Day>,
    /// The new day, if it is named.
    pub to: Option<Day>,
    /// Which records.
    pub filter: Filter,
}

impl DiffArgs {
    /// What is asked. `latest` gives the newest local day of a feed.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid feed, day or filter.
    pub fn query(
        &self,
        today: Day,
        latest: impl FnOnce(Feed) -> Result<Option<Day>>,
    ) -> Result<DiffArguments> {
        let feed = feed(&self.feed)?;
        let filter = filter(self.filter.as_deref())?;
        check_filter(&[feed], &filter)?;
        let from = match &self.from {
            None => None,
            // Without a name it would be the day before the new one.
            Some(text) => match local_day(text, today)? {
                None => latest(feed)?,
                day => day,
            },
        };
        Ok(DiffArguments {
            feed,
            from,
            to: picked_day(self.to.as_deref(), today)?,
            filter,
        })
    }
}

/// Reads a filter; without one all records are meant.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) with a picture of the place that is wrong.
pub(super) fn filter(text: Option<&str>) -> Result<Filter> {
    Ok(text.unwrap_or_default().trim().parse::<Filter>()?)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::engine::Kind;

    #[derive(Debug, Parser)]
    struct DiffCommand {
        #[command(flatten)]
        args: DiffArgs,
    }

    fn query(words: &[&str]) -> Result<DiffArguments> {
        let words = ["diff"].iter().chain(words);
        let line = DiffCommand::try_parse_from(words).expect("line");
        let today = Day::new(2026, 11, 20).expect("a day");
        line.args.query(today, |_| Ok(Day::new(2026, 11, 18)))
    }

    #[test]
    fn days_and_filter_are_read() {
        let read = query(&[
            "dch",
            "--from",
            "20261119",
            "--to",
            "2026-11-20",
            "--filter",
            "-asn:64500",
        ]);
        let read = read.expect("query");
        assert_eq!(
            (read.feed, read.from, read.to),
            (Feed::Dch, Day::new(2026, 11, 19), Day::new(2026, 11, 20))
        );
        assert_eq!(read.filter.to_string(), "-asn:64500");
        assert_eq!(query(&["dch"]).expect("query").filter, Filter::default());
        let words = query(&["dch", "--from", "latest", "--to", "-7d"]).expect("query");
        assert_eq!(
            (words.from, words.to),
            (Day::new(2026, 11, 18), Day::new(2026, 11, 13))
        );
    }

    #[test]
    fn what_cannot_be_asked_is_named() {
        for (words, expected) in [
            (["dhc", "--count"], "no feed"),
            (["dch", "--from=20261131"], "not a day"),
            (["dch", "--filter=operator:X"], "^^^^^^^^"),
        ] {
            let error = query(&words).expect_err(words[1]);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
