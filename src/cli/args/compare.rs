//! Arguments of `compare`.

use clap::Args as Group;

use super::{fields::check_filter, global::ColumnArgs};
use crate::{
    engine::Result,
    investigation::comparison::{RecordSet, SideName},
    model::Day,
};

/// Arguments of `compare`
#[derive(Debug, Group)]
#[command(
    after_help = "A and B are each ADDRESS, FILE or FEED:FILTER, with @DAY behind an address, a file or a feed for the local release of that day. \
    A FILE is any text with addresses, as for `enrich`, or the JSON of `enrich` and `lookup`, which keeps its answers unless a day is named; \
    - is standard input. FILTER is that of `search`.\n\
    Texts are sets of addresses, answered from the local feeds and the cache; two addresses are compared with each other. Nothing is sent.\n\
    Shown is what matters: addresses and records that one side lacks, and those with another verdict (types, operators and anonymity of the tunnels). Those that \
    differ in other fields only, and of texts those that are equal or unknown, are counted, and shown with --all.\n\
    JSON: {\"diff\":\"add|del|change|other|equal|unknown\",\"query\",\"other\",\"event_day\",\"unknown\",\"record\",\"before\"}: the record of B and that of A, as sent, or \
    null; unknown names the sides (A, B, A B) of which it is not known whether there is a record; other is the address of B where it is another one, event_day where both sides are runs of --at-time\n\
    CSV: diff,query,event_day,unknown,tunnel_types_a,operators_a,tunnel_types_b,operators_b,changes\n\n\
    Examples:\n  ipspect compare 198.51.100.77@2026-11-20 198.51.100.77\n  ipspect compare monday.log tuesday.log\n  \
    ipspect compare access.log@-7d access.log\n  ipspect compare first.jsonl second.jsonl --format csv\n  \
    ipspect compare anonymous:tag:ACME_VPN anonymous:type:PROXY"
)]
pub struct CompareArgs {
    /// One side
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub a: String,
    /// The other side
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub b: String,
    /// Show what differs in other fields only, what is equal and what is unknown, too
    #[arg(long)]
    pub all: bool,
    /// End with 11 where something is shown that differs, else with 10 where something is unknown
    #[arg(long)]
    pub exit_code: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl CompareArgs {
    /// What names the two sides.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage).
    pub fn sides(&self, today: Day) -> Result<[SideName; 2]> {
        let read = |text| -> Result<SideName> {
            let name = SideName::read(text, today)?;
            if let SideName::Records(RecordSet { feed, filter, .. }) = &name {
                check_filter(&[*feed], filter)?;
            }
            Ok(name)
        };
        Ok([read(&self.a)?, read(&self.b)?])
    }
}
