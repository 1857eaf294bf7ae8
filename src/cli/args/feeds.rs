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
    Examples:\n  ipspect feeds pull anonymous\n  ipspect feeds pull --stale --wait -q\n  ipspect feeds pull realtime --date 20261120 --at 2310"
)]
pub struct PullArgs {
    /// The feed
    #[arg(required_unless_present = "stale")]
    pub feed: Option<String>,
    /// Every local feed that is behind its cadence, in each form that is local
    #[arg(long, conflicts_with_all = ["feed", "date", "at", "mmdb"])]
    pub stale: bool,
    /// The release of this day: 2026-11-01, -7d or yesterday; needs historical access
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub date: Option<String>,
    /// The realtime window that begins at this time, UTC; of today without --date
    #[arg(long, value_name = "HHMM")]
    pub at: Option<String>,
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
            Self::Pull(args) => args.feed.as_deref(),
            Self::Rm(args) => Some(&args.feed),
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
    /// The download that is asked for.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid feed, day or time, and for what the feed does not have.
    pub fn query(&self, now: Timestamp) -> Result<PullQuery> {
        let feed = feed(self.feed.as_deref().unwrap_or_default())?;
        let today = Day::of(now);
        let date = self.date.as_deref().map(|text| day(text, today));
        let date = date.transpose()?;
        let wanted = match (date, self.at.as_deref()) {
            (None, None) => WantedRelease::Latest,
            (Some(_), None) if feed == Feed::Realtime => {
                return Err(Error::new(
                    Kind::Usage,
                    "realtime has windows of five minutes: a day alone names none",
                )
                .hint("add the window's time, UTC: --at HHMM"));
            }
            (Some(day), None) => WantedRelease::Day(day),
            (_, Some(_)) if feed != Feed::Realtime => {
                return Err(Error::new(
                    Kind::Usage,
                    format!("the feed {feed} has no windows of five minutes"),
                )
                .hint("--at is for realtime; leave it out"));
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

    fn query(line: &str) -> Result<PullQuery> {
        let args = |word: &str| {
            line.split_whitespace()
                .skip_while(|other| *other != word)
                .nth(1)
                .map(str::to_owned)
        };
        let now: Timestamp = "2026-11-20T23:14:00Z".parse().expect("timestamp");
        let args = PullArgs {
            feed: line.split(' ').next().map(str::to_owned),
            stale: false,
            date: args("--date"),
            at: args("--at"),
            mmdb: false,
            allow_shrink: false,
            wait: false,
        };
        args.query(now)
    }

    #[test]
    fn day_and_time_name_a_release() {
        let day = Day::new(2026, 11, 20).expect("day");
        let wanted = |line: &str| query(line).expect(line).wanted;
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
    fn what_names_no_release_is_refused() {
        for (line, expected) in [
            ("anonymus", "did you mean anonymous?"),
            ("anonymous --date 20261131", "is not a day"),
            ("anonymous --date latest", "leave the day out"),
            ("anonymous --date 20261122", "is in the future"),
            ("anonymous --at 2310", "no windows"),
            ("realtime --date 20261120", "--at HHMM"),
            ("realtime --at 2460", "not a time of day"),
        ] {
            let error = query(line).expect_err(line);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
