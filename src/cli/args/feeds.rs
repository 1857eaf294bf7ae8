//! Arguments of `feeds` and its subcommands.

use std::path::PathBuf;

use clap::{Args as Group, Subcommand};
use jiff::Timestamp;

use super::{
    global::ColumnArgs,
    value::{day, feed, usage},
};
use crate::{
    contract::{Feed, Format},
    engine::{Error, Kind, PullQuery, Result, WantedRelease},
    model::{Day, Window},
};

/// Arguments of `feeds`
#[derive(Debug, Group)]
#[command(
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND",
    after_help = "JSON: one object a feed: the catalogue's row, the metadata as sent under \"metadata\", what is local under \"local\"\n\
    CSV: feed,records,maturity,release,freshness,filesize,local_releases,newest_local,error,index_bytes,age_s; age_s: seconds since the newest local release was generated, in JSON too\n\n\
    Examples:\n  ipspect feeds\n  ipspect feeds --offline --format json"
)]
pub struct FeedsArgs {
    /// What to do with one feed; without it all feeds are listed
    #[command(subcommand)]
    pub command: Option<FeedsCommand>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// What to do with one feed
#[derive(Debug, Subcommand)]
pub enum FeedsCommand {
    /// All about one feed: catalogue, metadata, local releases
    #[command(
        after_help = "Examples:\n  ipspect feeds info anonymous\n  ipspect feeds info dch --format json"
    )]
    Info {
        /// The feed
        feed: String,
    },
    /// Download, verify, index and publish a release
    Pull(PullArgs),
    /// The days that the service has; needs historical access
    #[command(
        after_help = "JSON: {\"name\",\"size\",\"modified\"}, as the service lists them\nCSV: name, size, modified\n\n\
        Examples:\n  ipspect feeds runs anonymous\n  ipspect feeds runs anonymous-ipv6 --format json"
    )]
    Runs {
        /// The feed
        feed: String,
    },
    /// The files of a day; needs historical access
    #[command(
        after_help = "JSON: {\"name\",\"size\",\"modified\"}, as the service lists them\nCSV: name, size, modified\n\n\
        Examples:\n  ipspect feeds files anonymous --date 2026-11-20\n  ipspect feeds files realtime --date 20261120 --format csv"
    )]
    Files {
        /// The feed
        feed: String,
        /// The day: 2026-11-01, -7d, yesterday or today
        #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
        date: String,
    },
    /// Save the documentation of a feed, a PDF
    #[command(
        after_help = "Examples:\n  ipspect feeds readme anonymous -o README.pdf\n  ipspect feeds readme anonymous-ipv6 -o -"
    )]
    Readme {
        /// The feed
        feed: String,
        /// Where to; `-` is standard output
        #[arg(short, long, value_name = "FILE")]
        output_file: PathBuf,
        /// Replace an existing file
        #[arg(long)]
        force: bool,
    },
    /// Check a local release: its file, its index, and that both hold the same records
    #[command(
        after_help = "JSON: {\"feed\",\"release\",\"day\",\"form\",\"records\",\"rejected\",\"bytes\",\"file\",\"index\"}; file and index are true, or null where there is none\n\n\
        Examples:\n  ipspect feeds verify anonymous\n  ipspect feeds verify dch --day 2026-11-20 --format json"
    )]
    Verify {
        /// The feed
        feed: String,
        /// The release of this day: 2026-11-01, -7d, yesterday; else the latest
        #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
        day: Option<String>,
    },
    /// The releases of a feed over the last days, with what is out of the ordinary; ends with 11 where something is
    #[command(
        after_help = "Kept since they were pulled, whether they are still local or not. Noted is: a fifth more or fewer records, or bytes a record, than the median of the seven days before; \
        more than twice the usual changes; more than two hours late (due is 05:00 UTC); lines that are no records; keys and values that the contract does not name and no day before had. Nothing is sent.\n\
        JSON: {\"feed\",\"day\",\"records\",\"bytes\",\"late_s\",\"changed\",\"notes\"}\n\n\
        Examples:\n  ipspect feeds health anonymous\n  ipspect feeds health --days 7 --format json"
    )]
    Health {
        /// The feed; all that are known without it
        feed: Option<String>,
        /// How many days
        #[arg(long, value_name = "N", default_value_t = 30)]
        days: usize,
    },
    /// Remove local releases, with their indexes
    Rm(RmArgs),
    /// Rebuild the index of a release from its feed file
    #[command(
        after_help = "JSON: {\"feed\",\"release\",\"day\",\"records\",\"rejected\",\"index\",\"index_bytes\"}\n\n\
        Examples:\n  ipspect feeds reindex anonymous\n  ipspect feeds reindex dch --day 2026-11-20 --wait"
    )]
    Reindex {
        /// The feed
        feed: String,
        /// The release of this day: 2026-11-01, -7d, yesterday; else the latest
        #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
        day: Option<String>,
        /// Wait for another instance that writes this feed
        #[arg(long)]
        wait: bool,
    },
}

/// Arguments of `feeds rm`
#[derive(Debug, Group)]
#[command(
    after_help = "Removes the named releases, even the last one and pinned days. With one local release, naming the feed is enough.\n\
    JSON: {\"feed\",\"release\",\"day\",\"form\",\"bytes\"}, one object a release and form\n\n\
    Examples:\n  ipspect feeds rm anonymous --day 2026-11-01\n  ipspect feeds rm realtime --all"
)]
pub struct RmArgs {
    /// The feed
    pub feed: String,
    /// The release of this day: 2026-11-01, -7d, yesterday or latest; of realtime all windows of it
    #[arg(
        long,
        value_name = "DAY",
        allow_hyphen_values = true,
        conflicts_with = "all"
    )]
    pub day: Option<String>,
    /// All releases and partial downloads
    #[arg(long)]
    pub all: bool,
    /// Wait for another instance that writes this feed
    #[arg(long)]
    pub wait: bool,
}

/// Arguments of `feeds pull`
#[derive(Debug, Group)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(
    after_help = "Resumes an interrupted run. The last release stays until the new one is complete.\n\
    JSON: {\"feed\",\"day\",\"window\",\"day_source\",\"form\",\"records\",\"rejected\",\"bytes\",\"sha256\",\"file\",\"was_here\",\"resumed_from\",\"index\",\"index_bytes\",\"removed\"}\n\n\
    Examples:\n  ipspect feeds pull anonymous\n  ipspect feeds pull anonymous dch\n  ipspect feeds pull --stale --wait -q\n  \
    ipspect feeds pull realtime --date 20261120 --at 2310\n  ipspect feeds pull realtime --from 1200 --to 1400"
)]
pub struct PullArgs {
    /// The feeds, one after the other
    #[arg(required_unless_present = "stale", value_name = "FEED")]
    pub feeds: Vec<String>,
    /// Every local feed that is behind its cadence, in each form that is local
    #[arg(long, conflicts_with_all = ["feeds", "date", "at", "from", "to", "mmdb"])]
    pub stale: bool,
    /// The release of this day: 2026-11-01, -7d or yesterday; needs historical access
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub date: Option<String>,
    /// The realtime window that begins at this time, UTC; of today without --date
    #[arg(long, value_name = "HHMM")]
    pub at: Option<String>,
    /// With --to: the realtime windows of a day from this time on, UTC; of today without --date
    #[arg(long, value_name = "HHMM", requires = "to", conflicts_with = "at")]
    pub from: Option<String>,
    /// With --from: up to this time; the window that begins then is not downloaded
    #[arg(long, value_name = "HHMM", requires = "from")]
    pub to: Option<String>,
    /// Download the MMDB form
    #[arg(long)]
    pub mmdb: bool,
    /// Accept a release with less than half the records of the last one
    #[arg(long)]
    pub allow_shrink: bool,
    /// Wait for another instance that writes this feed
    #[arg(long)]
    pub wait: bool,
}

impl FeedsCommand {
    /// The feed, as it was typed, of what is about one.
    #[must_use]
    pub fn feed(&self) -> Option<&str> {
        match self {
            Self::Pull(args) => args.feeds.last().map(String::as_str),
            Self::Rm(args) => Some(&args.feed),
            Self::Health { feed, .. } => feed.as_deref(),
            Self::Info { feed }
            | Self::Runs { feed }
            | Self::Files { feed, .. }
            | Self::Readme { feed, .. }
            | Self::Verify { feed, .. }
            | Self::Reindex { feed, .. } => Some(feed),
        }
    }
}

impl PullArgs {
    /// The downloads that are asked for, each once.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid feed, day or time, and for what a feed does not have.
    pub fn queries(&self, now: Timestamp) -> Result<Vec<PullQuery>> {
        let mut queries = Vec::new();
        for name in &self.feeds {
            let of_feed = self.query(name, now)?;
            for wanted in self.windows(&of_feed, now)? {
                let query = PullQuery { wanted, ..of_feed };
                if !queries.contains(&query) {
                    queries.push(query);
                }
            }
        }
        Ok(queries)
    }

    /// The windows between two times, or the one release.
    fn windows(&self, query: &PullQuery, now: Timestamp) -> Result<Vec<WantedRelease>> {
        let (Some(from), Some(to)) = (&self.from, &self.to) else {
            return Ok(vec![query.wanted]);
        };
        let day = match query.wanted {
            WantedRelease::Window(window) => window.day,
            _ => Day::of(now),
        };
        let (first, end) = (minute_of(day, from)?, minute_of(day, to)?);
        if first >= end {
            let error = usage(format!("--from {from} is not before --to {to}"));
            return Err(error.hint("the windows are of one day: for more, run it for each --date"));
        }
        let step = u16::from(Window::MINUTES);
        // The window in which the first time lies holds it, too.
        let begins = (first - first % step..end).step_by(usize::from(step));
        let windows = begins.filter_map(|minute| {
            let name = format!("{:02}{:02}", minute / 60, minute % 60);
            Window::new(day, &name)
        });
        Ok(windows.map(WantedRelease::Window).collect())
    }

    fn query(&self, name: &str, now: Timestamp) -> Result<PullQuery> {
        let feed = feed(name)?;
        let today = Day::of(now);
        let date = self.date.as_deref().map(|text| day(text, today));
        let date = date.transpose()?;
        let at = self.at.as_deref().or(self.from.as_deref());
        let wanted = match (date, at) {
            (None, None) => WantedRelease::Latest,
            (Some(_), None) if feed == Feed::Realtime => {
                return Err(Error::new(
                    Kind::Usage,
                    "realtime has windows of five minutes: a day alone names none",
                )
                .hint("add the window's time, UTC: --at HHMM, or --from HHMM --to HHMM"));
            }
            (Some(day), None) => WantedRelease::Day(day),
            (_, Some(_)) if feed != Feed::Realtime => {
                return Err(Error::new(
                    Kind::Usage,
                    format!("the feed {feed} has no windows of five minutes"),
                )
                .hint("--at, --from and --to are for realtime; leave them out"));
            }
            (date, Some(at)) => WantedRelease::Window(window(date.unwrap_or(today), at)?),
        };
        let form = if self.mmdb {
            Format::Mmdb
        } else {
            Format::Json
        };
        Ok(PullQuery {
            feed,
            wanted,
            form,
            allow_shrink: self.allow_shrink,
            wait: self.wait,
        })
    }
}

/// The minute of the day at this time, the end of the day included.
fn minute_of(day: Day, at: &str) -> Result<u16> {
    let digits = at.replace(':', "");
    if digits == "2400" {
        return Ok(24 * 60);
    }
    let name = window(day, at)?.hhmm();
    let (hour, minute) = name.split_at(2);
    let number = |digits: &str| digits.parse::<u16>().map_err(usage);
    Ok(number(hour)? * 60 + number(minute)?)
}

fn window(day: Day, at: &str) -> Result<Window> {
    let digits = at.replace(':', "");
    Window::new(day, &digits).ok_or_else(|| {
        usage(format!("{at:?} is not a time of day"))
            .hint("write HHMM, UTC, in steps of five minutes: --at 2310")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(line: &str) -> Result<Vec<PullQuery>> {
        let args = |word: &str| {
            line.split_whitespace()
                .skip_while(|other| *other != word)
                .nth(1)
                .map(str::to_owned)
        };
        let now: Timestamp = "2026-11-20T23:14:00Z".parse().expect("timestamp");
        let args = PullArgs {
            feeds: line
                .split(' ')
                .next()
                .map(str::to_owned)
                .into_iter()
                .collect(),
            stale: false,
            date: args("--date"),
            at: args("--at"),
            from: args("--from"),
            to: args("--to"),
            mmdb: false,
            allow_shrink: false,
            wait: false,
        };
        args.queries(now)
    }

    #[test]
    fn day_and_time_name_a_release() {
        let day = Day::new(2026, 11, 20).expect("day");
        let wanted = |line: &str| match queries(line).expect(line)[..] {
            [query] => query.wanted,
            _ => panic!("one release: {line}"),
        };
        assert_eq!(wanted("anonymous"), WantedRelease::Latest);
        assert_eq!(
            wanted("anonymous --date 2026-11-20"),
            WantedRelease::Day(day)
        );
        assert_eq!(
            wanted("anonymous --date -7d"),
            WantedRelease::Day(day.plus(-7))
        );
        assert_eq!(
            wanted("anonymous --date yesterday"),
            WantedRelease::Day(day.plus(-1))
        );
        let window = WantedRelease::Window(Window::new(day, "2310").expect("window"));
        assert_eq!(wanted("realtime --date 20261120 --at 2310"), window);
        assert_eq!(wanted("realtime --at 23:10"), window);
    }

    #[test]
    fn two_times_name_the_windows_between_them() {
        let windows = |line: &str| -> Vec<String> {
            let queries = queries(line).expect(line).into_iter();
            let names = queries.map(|query| match query.wanted {
                WantedRelease::Window(window) => window.to_string(),
                wanted => panic!("{wanted:?}"),
            });
            names.collect()
        };
        assert_eq!(
            windows("realtime --from 1202 --to 12:11"),
            ["20261120/1200", "20261120/1205", "20261120/1210"]
        );
        assert_eq!(
            windows("realtime --date 20261119 --from 2350 --to 2400"),
            ["20261119/2350", "20261119/2355"]
        );
        assert_eq!(windows("realtime --from 0000 --to 2400").len(), 288);
    }

    #[test]
    fn what_names_no_release_is_refused() {
        for (line, expected) in [
            ("anonymus", "did you mean anonymous?"),
            ("anonymous --date 20261131", "is not a day"),
            ("anonymous --date latest", "leave the day out"),
            ("anonymous --date 20261122", "is in the future"),
            ("anonymous --at 2310", "no windows"),
            ("realtime --date 20261120", "--at HHMM"),
            ("realtime --at 2460", "not a time of day"),
            ("realtime --from 1200 --to 12:00", "is not before"),
            ("realtime --from 1200 --to 2460", "not a time of day"),
            ("anonymous --from 1200 --to 1400", "no windows"),
        ] {
            let error = queries(line).expect_err(line);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
