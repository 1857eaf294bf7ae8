//! An export run: its request, its checks, and its outcome.

use std::path::PathBuf;

use jiff::Timestamp;

use super::{completeness::guard_cells, output::OutputFile};
use crate::{
    contract::{ExportQuery, Output, Severity},
    engine::{
        error::{Error, Kind, Result},
        threads::off_thread,
    },
    store::{Generation, Moment},
};

/// The action that error messages name for an export.
pub(super) const WRITE: &str = "write the export";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExportRun {
    pub query: ExportQuery,
    /// The output file.
    pub file: PathBuf,
    /// Whether a file that is there may be replaced.
    pub force: bool,
    /// Whether CSV cells that a spreadsheet would take for formulas are guarded.
    pub spreadsheet_safe: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFileRun {
    pub file: PathBuf,
    pub bytes: u64,
    /// Its records, the header row not counted; unknown for MMDB.
    pub records: Option<u64>,
    /// When the export was requested.
    pub asked_at: Timestamp,
    /// Who answered.
    pub origin: ExportOrigin,
}

/// Who answered an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportOrigin {
    Service {
        /// The URL that was asked, without the token.
        url: String,
    },
    Disk {
        /// The release that was read.
        day: Moment,
        /// From when the age of that counts.
        generation: Generation,
        /// The release of the day before, for a diff.
        before: Option<Moment>,
    },
}

impl ExportRun {
    /// Gives the file that holds a whole answer its name.
    pub(super) async fn publish(
        &self,
        mut output: OutputFile,
        asked_at: Timestamp,
        origin: ExportOrigin,
        records: Option<u64>,
    ) -> Result<ExportFileRun> {
        let guarded = self.spreadsheet_safe;
        let publish = move || {
            if guarded {
                output.rewrite(guard_cells)?;
            }
            output.publish()
        };
        Ok(ExportFileRun {
            file: self.file.clone(),
            bytes: off_thread(publish).await?,
            records,
            asked_at,
            origin,
        })
    }
}

/// Refuses what must not be sent.
pub(super) fn check_run(query: &ExportQuery, spreadsheet_safe: bool) -> Result<()> {
    check_export(query)?;
    if spreadsheet_safe && query.output != Output::Csv {
        return Err(Error::new(
            Kind::Usage,
            "--spreadsheet-safe guards cells of CSV, and this export is not CSV",
        )
        .hint("leave it out, or export with --output csv"));
    }
    Ok(())
}

/// Refuses an export that the contract forbids, before anything is sent.
///
/// # Errors
/// [`Kind::Usage`] with the rules and their fixes.
pub fn check_export(query: &ExportQuery) -> Result<()> {
    let refused: Vec<_> = query
        .conflicts()
        .into_iter()
        .filter(|conflict| conflict.severity == Severity::Refused)
        .collect();
    let Some(first) = refused.first() else {
        return Ok(());
    };
    let rules: Vec<String> = refused.iter().map(ToString::to_string).collect();
    let error = Error::new(
        Kind::Usage,
        format!("this export is refused: {}", rules.join("; ")),
    );
    Err(match &first.fix {
        Some(fix) => error.hint(fix.to_string()),
        None => error,
    })
}
