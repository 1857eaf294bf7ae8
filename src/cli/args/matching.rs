//! Arguments of `match`.

use clap::Args as Group;

use super::{
    fields::check_filter,
    global::ColumnArgs,
    value::{bad_address, usage},
};
use crate::{
    engine::Result,
    investigation::address_set::{SetName, SetOperation},
    model::{Admission, BadAddress, Day, parse_subject},
};

/// Arguments of `match`
#[derive(Debug, Group)]
#[command(
    after_help = "A and B are each ADDRESS, NETWORK, FILE or FEED:FILTER, with @DAY behind a feed for its local release of that day. FILE is a list: an address, a network or a range \
    (first-last) in each line, # and ; begin comments; - is standard input. Zeros in front of a number and bits behind the length of a network are refused with their line: programs \
    read them differently. `ipspect enrich FILE --format ids` makes a list of any text. FILTER is that of `search`. Nothing is sent.\n\
    The result is the fewest networks that cover exactly these addresses, IPv4 first, by number: a list again.\n\
    JSON: {\"network\",\"addresses\"}; addresses is null where they are more than a number of 64 bits counts\n\
    CSV: network,addresses\n\n\
    Examples:\n  ipspect match anonymous:type:VPN 198.51.100.0/24 --demo\n  ipspect match block.txt ours.txt\n  ipspect match anonymous:type:VPN office.txt --subtract > block.txt\n  \
    ipspect match anonymous@-7d:type:TOR anonymous:type:TOR --format csv --demo"
)]
pub struct MatchArgs {
    /// A set
    #[arg(value_name = "A", allow_hyphen_values = true)]
    pub a: String,
    /// Another set
    #[arg(value_name = "B", allow_hyphen_values = true)]
    pub b: String,
    /// What is in A or in B
    #[arg(long)]
    pub union: bool,
    /// What is in A and in B, as without an option
    #[arg(long, conflicts_with = "union")]
    pub intersect: bool,
    /// What is in A and not in B
    #[arg(long, conflicts_with_all = ["union", "intersect"])]
    pub subtract: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl MatchArgs {
    /// The two sets.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage).
    pub fn sets(&self, today: Day, admission: &Admission) -> Result<[SetName; 2]> {
        let read = |text| -> Result<SetName> {
            let set = SetName::read(text, today).map_err(|error| match parse_subject(text) {
                Ok(_) | Err(BadAddress::Malformed(_) | BadAddress::Tag(_)) => error,
                Err(bad) => bad_address(text, &bad, admission),
            })?;
            if let SetName::Records(records) = &set {
                check_filter(&[records.feed], &records.filter)?;
            }
            Ok(set)
        };
        let sets = [read(&self.a)?, read(&self.b)?];
        let is_input = |set: &SetName| matches!(set, SetName::List(path) if path == "-");
        if sets.iter().all(is_input) {
            return Err(usage("standard input is read once").hint("name a file for the other set"));
        }
        Ok(sets)
    }

    #[must_use]
    pub fn operation(&self) -> SetOperation {
        match (self.union, self.subtract) {
            (true, _) => SetOperation::Union,
            (_, true) => SetOperation::Subtract,
            _ => SetOperation::Intersect,
        }
    }
}
