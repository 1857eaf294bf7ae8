//! Arguments of `history`.

use clap::Args as Group;

use super::{
    global::ColumnArgs,
    value::{feed, subject, usage},
    warehouse::{DayRange, PlaceArg},
};
use crate::{
    contract::Feed,
    engine::{DayPlace, Result, answers::replaces_a_query},
    investigation::history::HistoryQuery,
    model::{Admission, Day, Subject},
};

/// Arguments of `history`
#[derive(Debug, Group)]
#[command(
    after_help = "Follows the verdict (types, operators and anonymity of the tunnels) over days: one stretch ends where another verdict begins. A day is known with a record, \
    known without one, unknown (not local, not loaded, not read, no answer) or unreadable; an unknown day is never one without a record.\n\
    Days come from local releases and cached answers, with --at warehouse also from loaded days; where the warehouse does not answer, days that may be there are unread. Without --spend nothing is sent.\n\
    --spend N sends queries about days between two known days whose verdicts differ, to find the day of the change: at most N, and no more than halving the days takes, which \
    is printed first. What changes there and back between two days with one verdict is not found.\n\
    JSON: {\"query\",\"from\",\"to\",\"days\",\"known\",\"why\",\"source\",\"verdict\",\"operators\",\"types\",\"record\"} a stretch, the oldest first; record, verdict and source as of its \
    newest day; why (no-record, not-local, not-loaded, unread, not-answered, unreadable) where there is no record. The last line is {\"cost\",\"unknown_days\",\"recent\":{\"days\",\"seen\",\"first\",\"last\",\"types\",\"operators\"}}: \
    on how many of the last 10 known days a tunnel or proxy was seen\n\
    CSV, a row a day: query,day,known,why,source,verdict,tunnel_types,operators\n\n\
    Examples:\n  ipspect history 198.51.100.231 --demo\n  ipspect history 198.51.100.77 --from -30d --spend 10 --demo\n  \
    ipspect history 198.51.100.0/24 --feed anonymous --format json\n  ipspect history 198.51.100.77 --at warehouse --from -365d"
)]
pub struct HistoryArgs {
    /// An address or a network
    #[arg(value_name = "ADDRESS|NETWORK")]
    pub subject: String,
    /// The first day: 2026-11-01, -7d, yesterday; else the oldest that is known, 400 days back at most
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub from: Option<String>,
    /// The last day; else today
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub to: Option<String>,
    /// Send at most N queries to find the days of changes
    #[arg(long, value_name = "N")]
    pub spend: Option<u64>,
    /// Where the releases are: local, or also in the warehouse of the profile
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub at: PlaceArg,
    /// Ask this feed only; repeatable. Default: the feeds of IP contexts at hand
    #[arg(long = "feed", value_name = "NAME")]
    pub feed: Vec<String>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl HistoryArgs {
    /// Of what a history is wanted.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid subject, feed or day, and for queries about a network.
    pub fn query(&self, today: Day, admission: &Admission) -> Result<HistoryQuery> {
        let subject = subject(&self.subject, admission)?;
        if matches!(subject, Subject::Network(_)) && self.spend.is_some() {
            let message =
                "--spend asks the service, which answers for addresses only: nothing was sent";
            return Err(usage(message).hint("leave it out: a network is answered locally"));
        }
        let range = DayRange::read(self.from.as_deref(), self.to.as_deref(), today)?;
        let to = range.to.unwrap_or(today);
        Ok(HistoryQuery {
            subject,
            feeds: self
                .feed
                .iter()
                .map(|text| context_feed(text))
                .collect::<Result<_>>()?,
            from: range.from,
            to,
            place: match self.at {
                PlaceArg::Local => DayPlace::Disk,
                PlaceArg::Warehouse => DayPlace::DiskThenWarehouse,
            },
        })
    }
}

/// A feed whose records have a verdict, and which has no record of an address only where there is none.
fn context_feed(name: &str) -> Result<Feed> {
    let feed = feed(name)?;
    if replaces_a_query(feed) {
        return Ok(feed);
    }
    Err(usage(format!("history does not follow {feed}"))
        .hint("it follows the feeds of IP contexts, such as anonymous"))
}
