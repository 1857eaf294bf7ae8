//! Arguments of `common`.

use clap::Args as Group;

use super::{
    fields::check_filter,
    global::ColumnArgs,
    value::{feed, usage},
};
use crate::{
    contract::Feed,
    engine::Result,
    investigation::comparison::{RecordSet, SideName},
    model::Day,
};

/// Arguments of `common`
#[derive(Debug, Group)]
#[command(
    after_help = "What the records about some addresses share, and the rest of their feed does not: every field of a filter, the /24 and /48 around them, exits of tunnels. \
    Answered from one local release; nothing is sent.\n\
    SET is FILE or FEED:FILTER, as for `compare`: any text with addresses, - for standard input, or the records of a filter; @DAY behind a file or a feed names the local release of that day.\n\
    TIMES is how much more often a value is here than in the rest of the feed, AT LEAST the lower end of its interval of 95 %, by which rows are sorted: few records prove little. \
    Half a record is added to each number, so that one that is nowhere else is not infinitely more often; of hundreds of values some pass by chance. \
    Values that are not certain to be more often, and exits, whose number in the feed is not counted, are shown with --all; of more than 100,000 records neither networks nor exits are read.\n\
    JSON: {\"field\",\"value\",\"here\",\"among\",\"in_feed\",\"records\",\"times\",\"at_least\",\"filter\",\"feed\",\"day\"} a value; here of the among records that were asked about, in_feed of all \
    records of the release, filter for `search`; null where it is not known\n\
    CSV: field,value,here,among,in_feed,records,times,at_least,filter,feed,day\n\n\
    Examples:\n  ipspect common anonymous:tag:ACME_VPN --demo\n  ipspect common access.log@yesterday\n  \
    ipspect search anonymous tag:ACME_VPN --format ids | ipspect common -"
)]
pub struct CommonArgs {
    /// Any text with addresses, - for standard input, or FEED:FILTER
    #[arg(value_name = "SET", allow_hyphen_values = true)]
    pub set: String,
    /// The feed that answers about the addresses of a text; else the local one with most of them
    #[arg(long, value_name = "NAME")]
    pub feed: Option<String>,
    /// Print at most N values; else 25 in text, and all in JSON and CSV
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Show values that are not certain to be more often than elsewhere, too
    #[arg(long)]
    pub all: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl CommonArgs {
    /// What names the records, and the feed that is asked about them.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage).
    pub fn set(&self, today: Day) -> Result<(SideName, Option<Feed>)> {
        let named = self.feed.as_deref().map(feed).transpose()?;
        if let Some(own) = named.filter(|named| !Feed::of_subjects().any(|feed| feed == *named)) {
            let message = format!("{own} has no records about addresses");
            return Err(usage(message).hint("`ipspect feeds --offline` lists local feeds"));
        }
        let set = SideName::read(&self.set, today)?;
        match &set {
            SideName::Address(address, _) => {
                let message = format!("{address} is one address, which shares nothing with others");
                let hint = format!(
                    "name a file with addresses, or FEED:FILTER; `ipspect lookup {address}` says what is known of it"
                );
                return Err(usage(message).hint(hint));
            }
            SideName::Records(RecordSet { feed, filter, .. }) => {
                check_filter(&[*feed], filter)?;
                if named.is_some() {
                    let message =
                        format!("--feed is for the addresses of a text; this is a set of {feed}");
                    return Err(usage(message).hint("leave --feed out"));
                }
            }
            SideName::Text(..) => {}
        }
        Ok((set, named))
    }
}
