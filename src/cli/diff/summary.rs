//! A diff in numbers, in the four formats.

use super::inputs::DiffInputs;
use crate::{
    report::{Cell, Columns, Results, TextCell, TextStyle, Ticket},
    store::diff::{ChangeCounts, Summary},
};

/// What is shown of a summary: at most so many rows of each list.
pub(super) struct ShownSummary<'a> {
    asked: &'a DiffInputs<'a>,
    totals: ChangeCounts,
    rows: Vec<SummaryRow>,
}

/// Changes in all, of an operator or of a country, or records that moved.
pub(super) struct SummaryRow {
    by: &'static str,
    value: String,
    count: SummaryCount,
}

enum SummaryCount {
    Changes(ChangeCounts),
    /// To which operator, and how many records.
    Moved(String, u64),
}

impl SummaryRow {
    fn changes(&self, number: fn(&ChangeCounts) -> u64) -> Cell {
        match &self.count {
            SummaryCount::Changes(counts) => number(counts).into(),
            SummaryCount::Moved(..) => Cell::Absent,
        }
    }

    fn moved(&self) -> Option<(&str, u64)> {
        match &self.count {
            SummaryCount::Changes(_) => None,
            SummaryCount::Moved(to, count) => Some((to, *count)),
        }
    }
}

impl<'a> ShownSummary<'a> {
    pub(super) fn of(asked: &'a DiffInputs<'a>, summary: &'a Summary, limit: Option<u64>) -> Self {
        let most = limit.and_then(|limit| usize::try_from(limit).ok());
        let most = most.unwrap_or(usize::MAX);
        let row = |by, value: &str, count| SummaryRow {
            by,
            value: value.to_owned(),
            count,
        };
        let mut rows = vec![row("total", "", SummaryCount::Changes(summary.totals))];
        for (by, list) in [
            ("operator", &summary.operators),
            ("country", &summary.countries),
        ] {
            let list = list.iter().take(most);
            rows.extend(list.map(|own| row(by, &own.value, SummaryCount::Changes(own.counts))));
        }
        rows.extend(summary.moves.iter().take(most).map(|own| {
            let count = SummaryCount::Moved(own.to.clone(), own.count);
            row("move", &own.from, count)
        }));
        Self {
            asked,
            totals: summary.totals,
            rows,
        }
    }

    /// A table for each kind of row, in the columns that people read of it.
    fn tables(&self, draw: impl Fn(&Columns<SummaryRow>, &[SummaryRow]) -> String) -> String {
        let tables = self.rows.chunk_by(|one, other| one.by == other.by);
        let tables = tables.map(|rows| {
            let columns = Self::columns();
            let columns = match rows[0].by {
                "move" => columns
                    .without(&["added", "removed", "changed"])
                    .labelled("value", "from"),
                by => columns.without(&["to", "records"]).labelled("value", by),
            };
            "\n".to_owned() + &draw(&columns, rows)
        });
        tables.collect()
    }
}

impl Results for ShownSummary<'_> {
    type Row = SummaryRow;

    fn columns() -> Columns<SummaryRow> {
        let is_total = |own: &SummaryRow| own.by == "total";
        Columns::<SummaryRow>::new()
            .data("by", |own| own.by)
            .json("value", move |own| match own.count {
                SummaryCount::Changes(_) if is_total(own) => Cell::Null,
                SummaryCount::Changes(_) => own.value.clone().into(),
                SummaryCount::Moved(..) => Cell::Absent,
            })
            .json("from", |own| {
                Cell::some(own.moved().map(|_| own.value.clone()))
            })
            .column("value", "value", |own| own.value.clone())
            .but_json()
            .shown(move |own| TextCell::known(if is_total(own) { "records" } else { &own.value }))
            .column("to", "to", |own| Cell::some(own.moved().map(|(to, _)| to)))
            .json("count", |own| {
                Cell::some(own.moved().map(|(_, count)| count))
            })
            .column("appeared", "added", |own| {
                own.changes(|counts| counts.added)
            })
            .column("left", "removed", |own| {
                own.changes(|counts| counts.removed)
            })
            .json("changed", |own| own.changes(|counts| counts.changed))
            .words("changed", |own| own.changes(|counts| counts.changed))
            .column("changed", "records", |own| match own.moved() {
                Some((_, count)) => count.into(),
                None => own.changes(|counts| counts.changed),
            })
            .but_json()
    }

    fn rows(&self) -> impl Iterator<Item = &SummaryRow> {
        self.rows.iter()
    }

    fn ticket(&self) -> Ticket {
        self.asked.ticket(Some(self.totals))
    }

    fn text(&self, style: TextStyle) -> String {
        let tables = self.tables(|columns, rows| columns.table(rows, style));
        tables.trim_start_matches('\n').to_owned()
    }

    fn markdown(&self) -> String {
        self.ticket().end() + &self.tables(|columns, rows| columns.markdown(rows))
    }
}
