//! A diff in numbers, in the four formats.

use super::inputs::DiffInputs;
use crate::{
    report::{Csv, Line, Paint, PrintedResults, TextCell, count, markdown_table, table},
    store::diff::{ChangeCounts, Move, Summary, Tallied},
};

/// What is shown of a summary: at most so many rows of each list.
pub(super) struct ShownSummary<'a> {
    asked: &'a DiffInputs<'a>,
    totals: ChangeCounts,
    lists: [(&'static str, &'a [Tallied]); 2],
    moves: &'a [Move],
}

impl<'a> ShownSummary<'a> {
    pub(super) fn of(asked: &'a DiffInputs<'a>, summary: &'a Summary, limit: Option<u64>) -> Self {
        let most = limit.and_then(|limit| usize::try_from(limit).ok());
        let most = most.unwrap_or(usize::MAX);
        let first = |list: &'a [Tallied]| &list[..list.len().min(most)];
        Self {
            asked,
            totals: summary.totals,
            lists: [
                ("operator", first(&summary.operators)),
                ("country", first(&summary.countries)),
            ],
            moves: &summary.moves[..summary.moves.len().min(most)],
        }
    }

    fn tables(&self, draw: impl Fn(&[&str], &[Vec<TextCell>]) -> String) -> String {
        let draw = |columns: &[&str], rows: &[Vec<TextCell>]| match rows {
            [] => String::new(),
            rows => "\n".to_owned() + &draw(columns, rows),
        };
        let total = [cells("records", self.totals)];
        let mut text = draw(&["TOTAL", "ADDED", "REMOVED", "CHANGED"], &total);
        for (by, list) in self.lists {
            let rows = list.iter().map(|own| cells(&own.value, own.counts));
            let columns = [&*by.to_uppercase(), "ADDED", "REMOVED", "CHANGED"];
            text += &draw(&columns, &rows.collect::<Vec<_>>());
        }
        let moves = self.moves.iter().map(|own| {
            let [from, to] = [&own.from, &own.to].map(TextCell::known);
            vec![from, to, TextCell::known(count(own.count))]
        });
        text + &draw(&["FROM", "TO", "RECORDS"], &moves.collect::<Vec<_>>())
    }
}

impl PrintedResults for ShownSummary<'_> {
    const CSV: Csv = Csv::of(&[&["by", "value", "to", "appeared", "left", "changed"]]);

    fn lines(&self) -> Vec<Line> {
        let mut lines = vec![line("total", None, self.totals)];
        for (by, list) in self.lists {
            lines.extend(
                list.iter()
                    .map(|own| line(by, Some(&own.value), own.counts)),
            );
        }
        lines.extend(self.moves.iter().map(|own| {
            Line::new()
                .key("by", "move")
                .key("from", &own.from)
                .cell("value", &own.from)
                .key("to", &own.to)
                .key("count", own.count)
                .cell("changed", own.count)
        }));
        lines
    }

    fn text(&self, paint: Paint) -> String {
        let tables = self.tables(|columns, rows| table(columns, rows, paint));
        tables.trim_start_matches('\n').to_owned()
    }

    fn markdown(&self) -> String {
        self.asked.ticket(Some(self.totals)).end() + &self.tables(markdown_table)
    }
}

fn line(by: &str, value: Option<&str>, counts: ChangeCounts) -> Line {
    Line::new()
        .key("by", by)
        .key("value", value)
        .key("appeared", counts.added)
        .key("left", counts.removed)
        .key("changed", counts.changed)
}

fn cells(value: &str, counts: ChangeCounts) -> Vec<TextCell> {
    let numbers = [counts.added, counts.removed, counts.changed];
    let numbers = numbers.map(|number| TextCell::known(count(number)));
    [TextCell::known(value)]
        .into_iter()
        .chain(numbers)
        .collect()
}
