//! An export to run, the checks before it, and what became of it.

use std::{io, path::PathBuf};

use jiff::Timestamp;

use crate::{
    contract::{ExportQuery, Output, Severity},
    engine::error::{Error, Kind, Result},
    store::Moment,
};

/// An export to run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExportRun {
    /// What is asked for.
    pub query: ExportQuery,
    /// Where it goes.
    pub file: PathBuf,
    /// Whether a file that is there may be replaced.
    pub force: bool,
    /// Whether CSV cells that a spreadsheet would take for formulas are guarded.
    pub spreadsheet_safe: bool,
}

/// An export that is on this disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The file.
    pub file: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// Its records, the header row not counted; unknown for MMDB.
    pub records: Option<u64>,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// Who answered.
    pub origin: Origin,
}

/// Who answered an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The service.
    Service {
        /// The URL that was asked, without the token.
        url: String,
    },
    /// This disk.
    Disk {
        /// The release that was read.
        day: Moment,
        /// That of the day before, for a diff.
        before: Option<Moment>,
    },
}

/// Refuses what must not be sent.
pub(super) fn check_run(query: &ExportQuery, spreadsheet_safe: bool) -> Result<()> {
    check_export(query)?;
    if spreadsheet_safe && query.output != Output::Csv {
        return Err(Error::new(
            Kind::Usage,
            "spreadsheet-safe cells exist in CSV only: nothing was sent",
        ));
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

pub(super) fn unwritten(error: &io::Error) -> Error {
    Error::machine("write the export", error)
}

pub(super) fn unkept(error: &io::Error) -> Error {
    Error::machine("keep the export", error)
}
