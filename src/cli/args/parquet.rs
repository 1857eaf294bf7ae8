//! Arguments of `parquet`.

use std::path::{Path, PathBuf};

use clap::Args as Group;

use super::{
    diff::filter,
    fields::check_filter,
    global::ColumnArgs,
    value::{check_extension, feed, picked_day},
};
use crate::{
    engine::{ParquetRun, Result},
    model::Day,
    store::parquet::ParquetForm,
};

/// Arguments of `parquet`
#[derive(Debug, Group)]
#[command(
    after_help = "Columns have the names of the contract, nested as there: tunnels is a list of structs. `first` and `last` are the range of \
    addresses as text that sorts (4:c6336407 is 198.51.100.7); `other` is JSON of the keys and values that fit no column.\n\
    --flat: row (the place in the feed), hash (of the content), subject, family, prefix, first and last (32 hexadecimal digits), a list of words in lower case for each field of \
    filters (tag, type, cc and so on; org_text for parts of names), has_clients, clients, attributed, record.\n\
    Rows are sorted by address. Statements for DuckDB, ClickHouse, Spark, Trino and Elasticsearch: assets/engines.md.\n\
    FILTER is that of `search`.\n\
    JSON: {\"feed\",\"day\",\"file\",\"bytes\",\"records\"}\n\
    CSV: feed,day,file,bytes,records\n\n\
    Examples:\n  ipspect parquet anonymous -o anonymous.parquet\n  \
    ipspect parquet anonymous --day 2026-11-20 --filter cc:NL -o nl.parquet"
)]
pub struct ParquetArgs {
    /// The feed; it must be downloaded
    pub feed: String,
    /// Where to; `-` is standard output
    #[arg(short = 'o', long = "output-file", value_name = "FILE")]
    pub file: PathBuf,
    /// The release of this day, instead of the latest: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
    /// Only these records
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// Add a column `record` with each record as it was sent
    #[arg(long)]
    pub raw: bool,
    /// Flat columns without nulls, over which the statements of `search --sql` select, and each record as it was sent
    #[arg(long, conflicts_with = "raw")]
    pub flat: bool,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

impl ParquetArgs {
    /// Whether the file goes to standard output.
    #[must_use]
    pub fn is_to_output(&self) -> bool {
        self.file == Path::new("-")
    }

    /// What is asked for.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid feed, day or filter.
    pub fn run(&self, today: Day) -> Result<ParquetRun> {
        let feed = feed(&self.feed)?;
        check_extension(&self.file, &["parquet"], "end FILE with .parquet")?;
        let filter = filter(self.filter.as_deref())?;
        check_filter(&[feed], &filter)?;
        Ok(ParquetRun {
            feed,
            day: picked_day(self.day.as_deref(), today)?,
            filter,
            form: if self.flat {
                ParquetForm::Flat
            } else {
                ParquetForm::Nested { raw: self.raw }
            },
            file: self.file.clone(),
            force: self.force,
        })
    }
}
