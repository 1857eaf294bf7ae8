//! A list that is written to a file: what was asked for, and what the worker writes.

use std::{path::PathBuf, sync::Arc};

use crate::{
    engine::views::{RecordName, ViewQuery},
    report::ListStyle,
};

/// Which rows of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichRows {
    Marked,
    Shown,
    All,
}

/// How many rows of a list can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNumbers {
    /// What a row is called.
    pub noun: &'static str,
    pub marked: u64,
    /// Not known while they are read.
    pub shown: Option<u64>,
    /// All rows, where some are not shown.
    pub all: Option<u64>,
    /// The choice of columns, in words; the second is all of them.
    pub columns: &'static [&'static str],
}

/// What of a list is written, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPart {
    pub rows: WhichRows,
    /// Whether with the columns that are not shown.
    pub has_all_columns: bool,
    pub style: ListStyle,
}

/// A list for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFile {
    pub path: PathBuf,
    /// Whether a file with this name is replaced.
    pub force: bool,
    pub list: ListContent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListContent {
    /// So many rows, as they are written.
    Text(Arc<str>, u64),
    /// The records of a view that are marked; where none is named, all of them.
    Records(ViewQuery, Arc<[RecordName]>, ListStyle),
}
