//! Cases: a row for each, and a row for what was done in one.

use std::path::Path;

use jiff::Timestamp;

use super::{Cell, Columns, TextCell, Verdict, count, each};
use crate::{
    contract::LookupQuery,
    engine::{
        Pastes,
        trail::{TrailEntry, kept_board::KeptBoard},
    },
    investigation::case::{Case, time_of},
    model::Day,
};

/// The cases of a profile and its service.
pub fn cases_columns() -> Columns<Case> {
    let of = |case: &Case| case.times();
    Columns::<Case>::default()
        .column("case", "case", |case| case.name.clone())
        .column("entries", "entries", |case| case.entries.len())
        .column("tables", "tables", |case| case.boards().count())
        .column("notes", "notes", Case::notes)
        .column("spent", "queries", |case| case.spent().0)
        .data("possibly_spent", |case| case.spent().1)
        .column("first", "first", move |case| of(case).map(|pair| pair.0))
        .column("last", "last", move |case| of(case).map(|pair| pair.1))
}

/// What was done in a case.
pub fn case_columns() -> Columns<TrailEntry> {
    Columns::<TrailEntry>::default()
        .column("time", "time", |entry| Cell::from(time_of(entry)))
        .column("did", "did", did)
        .column("about", "about", about)
        .column("day", "day", |entry| {
            query_of(entry)
                .and_then(|query| query.date)
                .map(Day::dashed)
        })
        .column("spent", "queries", |entry| match entry {
            TrailEntry::Looked(_, answer) => Some(u64::from(answer.provenance.cost)),
            TrailEntry::Unkept(..) => Some(1),
            _ => None,
        })
        .column("text", "what", |entry| {
            Some(text(entry)).filter(|text| !text.is_empty())
        })
        .shown(|entry| {
            TextCell::or_dash(Some(text(entry)).filter(|text| !text.is_empty()).as_deref())
        })
        .json("file", |entry| match entry {
            TrailEntry::Board(board) => Cell::Text(board.file.clone()),
            _ => Cell::Absent,
        })
        .json("record", |entry| match entry {
            TrailEntry::Looked(_, answer) => {
                let record = answer.record.as_ref();
                Cell::some(record.map(|record| Cell::Json(record.document.to_line())))
            }
            _ => Cell::Absent,
        })
}

fn did(entry: &TrailEntry) -> &'static str {
    match entry {
        TrailEntry::Looked(..) | TrailEntry::Unkept(..) => "looked up",
        TrailEntry::Visited(..) => "opened",
        TrailEntry::Tagged(..) => "opened tag",
        TrailEntry::Pinned(..) => "pinned",
        TrailEntry::Noted(..) => "noted",
        TrailEntry::Board(_) => "table",
    }
}

fn about(entry: &TrailEntry) -> String {
    match entry {
        TrailEntry::Looked(query, _)
        | TrailEntry::Unkept(query, ..)
        | TrailEntry::Visited(query, _) => query.address.to_string(),
        TrailEntry::Tagged(tag, _) => tag.to_string(),
        TrailEntry::Pinned(address, _) | TrailEntry::Noted(address, ..) => address.to_string(),
        // A ticket tells nobody where a file is.
        TrailEntry::Board(board) if Pastes::is_of(board.file.as_ref()) => "pasted text".to_owned(),
        TrailEntry::Board(board) => match Path::new(&board.file).file_name() {
            Some(name) => name.to_string_lossy().into_owned(),
            None => board.file.clone(),
        },
    }
}

fn query_of(entry: &TrailEntry) -> Option<&LookupQuery> {
    match entry {
        TrailEntry::Looked(query, _)
        | TrailEntry::Unkept(query, ..)
        | TrailEntry::Visited(query, _) => Some(query),
        _ => None,
    }
}

/// The verdict of an answer, the text of a note, or how a table is shown.
fn text(entry: &TrailEntry) -> String {
    match entry {
        TrailEntry::Looked(query, answer) => match &answer.record {
            Some(record) => Verdict::of(&record.context, Some(query.address)).line(),
            None => "no record".to_owned(),
        },
        TrailEntry::Unkept(_, _, bytes) => {
            format!("a record of {} bytes, too large to keep", count(*bytes))
        }
        TrailEntry::Noted(_, _, text) => text.clone(),
        TrailEntry::Board(board) => board_in_words(board),
        TrailEntry::Visited(..) | TrailEntry::Tagged(..) | TrailEntry::Pinned(..) => String::new(),
    }
}

fn board_in_words(KeptBoard { shape, .. }: &KeptBoard) -> String {
    let some = |words: &str, text: &str| (!text.is_empty()).then(|| format!("{words}{text}"));
    let number =
        |words: &str, number: u64| (number > 0).then(|| format!("{words}{}", count(number)));
    let parts = [
        shape.name.clone(),
        number("addresses ", shape.addresses),
        some("", &shape.summary),
        some("filter ", &shape.filter),
        number("marked ", shape.marks),
    ];
    each(parts.into_iter().flatten(), ", ")
}

/// The first and last time of a case in words, for a ticket.
#[must_use]
pub fn case_in_words(case: &Case) -> String {
    let number = |number: u64, one: &str| super::counted(number, one);
    let (spent, possibly) = case.spent();
    let possibly = (possibly > 0).then(|| format!("{} possibly spent", number(possibly, "query")));
    let minute = |at: Timestamp| super::minute(at);
    let times = case
        .times()
        .map(|(first, last)| format!("{} to {}", minute(first), minute(last)));
    let parts = [
        Some(number(case.entries.len() as u64, "entry")),
        Some(number(case.boards().count() as u64, "table")),
        Some(number(case.notes(), "note")),
        Some(format!("{} spent", number(spent, "query"))),
        possibly,
        times,
    ];
    each(parts.into_iter().flatten(), ", ")
}
