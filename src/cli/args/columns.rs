//! Which columns are printed: the same words for every command that prints tables and CSV.

use clap::Args as Group;

/// Which columns are printed
#[derive(Clone, Debug, Default, PartialEq, Eq, Group)]
pub struct ColumnArgs {
    /// Print only these columns of the table or the CSV, by their names in CSV, separated by commas
    #[arg(
        long,
        global = true,
        value_name = "COLUMNS",
        value_delimiter = ',',
        help_heading = "Columns"
    )]
    pub fields: Vec<String>,
    /// Guard CSV cells that a spreadsheet would take for formulas
    #[arg(long, global = true, help_heading = "Columns")]
    pub spreadsheet_safe: bool,
}
