//! Arguments of `explain`.

use clap::Args as Group;

use super::global::ColumnArgs;

/// Arguments of `explain`
#[derive(Debug, Group)]
#[command(
    after_help = "What a field or a value means: what the contract says of it, with its part, and for a value each field of the newest local releases that has it, in how many records, \
    and since which local day without a gap. Nothing is sent.\n\
    A FIELD is a path (client.count), the end of one (spread) or a word of the filter language (infra). Lists of values are open: one that the contract does not name is new, not wrong.\n\
    JSON: {\"kind\",\"part\",\"object\",\"path\",\"about\",\"values\",\"filter\",\"feed\",\"day\",\"count\",\"records\",\"since\",\"or_earlier\"}: kind is field or value with part to values, or local with filter to or_earlier (the day before since is not known)\n\
    CSV: kind,part,object,path,about,values,filter,feed,day,count,records,since,or_earlier\n\n\
    Examples:\n  ipspect explain CALLBACK_PROXY --demo\n  ipspect explain client.spread\n  \
    ipspect explain ACME_VPN --format json --demo"
)]
pub struct ExplainArgs {
    /// A value, or the name of a field
    #[arg(value_name = "WORD")]
    pub word: String,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}
