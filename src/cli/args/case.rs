//! Arguments of `case`.

use clap::{Args as Group, Subcommand};

use super::global::ColumnArgs;

/// Arguments of `case`
#[derive(Debug, Group)]
#[command(
    after_help = "A case is an investigation with a name. `--case NAME` on any command, and `:case NAME` in the explorer, put what is remembered into it: addresses and tags that were looked up or opened, \
    answers of the service with what they cost, texts as tables with their filters and marks, notes and pins. What a command only prints, such as a search, a comparison, a history of local days \
    or the addresses of standard input, is not remembered. It belongs to the profile and its service. Nothing is sent.\n\
    JSON, also of forget: {\"case\",\"entries\",\"tables\",\"notes\",\"spent\",\"possibly_spent\",\"first\",\"last\"}\n\
    CSV: case,entries,tables,notes,spent,possibly_spent,first,last\n\
    JSON of show: {\"time\",\"did\",\"about\",\"day\",\"spent\",\"text\",\"file\",\"record\"}: did is looked up, opened, opened tag, pinned, noted or table\n\
    CSV of show: time,did,about,day,spent,text\n\n\
    Examples:\n  ipspect case --demo\n  ipspect case show INC-2041 --format md\n  ipspect lookup 198.51.100.77 --case INC-2041 --demo"
)]
pub struct CaseArgs {
    /// What to do with them; without it, they are listed
    #[command(subcommand)]
    pub command: Option<CaseCommand>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// What to do with cases
#[derive(Debug, Subcommand)]
pub enum CaseCommand {
    /// List the cases
    #[command(
        after_help = "Examples:\n  ipspect case list --demo\n  ipspect case list 198.51.100.77 --demo"
    )]
    List {
        /// Only those with this text in their name, or in anything that was done in them
        #[arg(value_name = "TEXT")]
        text: Option<String>,
    },
    /// What was done in a case, in order, with times and queries
    #[command(
        after_help = "Examples:\n  ipspect case show INC-2041\n  ipspect case show INC-2041 --format json"
    )]
    Show {
        /// The name of the case
        #[arg(value_name = "CASE")]
        name: String,
    },
    /// Delete a case: its trail, tables, notes and the pasted texts that no other case has
    #[command(
        after_help = "Examples:\n  ipspect case forget INC-2041\n  ipspect case forget INC-2041 --profile work"
    )]
    Forget {
        /// The name of the case
        #[arg(value_name = "CASE")]
        name: String,
    },
}
