//! A diff in numbers, in the four formats.

use super::asked::Asked;
use crate::{
    cli::{args::Format, console::Console},
    report::{Cell, Csv, Line, count, markdown_table, table},
    store::diff::{Counts, Move, Summary, Tallied},
};

const CSV: Csv = Csv::of(&["by", "value", "to", "appeared", "left", "changed"]);

/// Lists of at most so many rows each.
pub(super) fn shown(
    asked: &Asked<'_>,
    summary: &Summary,
    limit: Option<u64>,
    console: &Console,
) -> String {
    let most = limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let lists = [
        ("operator", &summary.operators),
        ("country", &summary.countries),
    ];
    let lists = lists.map(|(by, list)| (by, &list[..list.len().min(most)]));
    let moves = &summary.moves[..summary.moves.len().min(most)];
    match console.format() {
        Format::Json => {
            let each = |(by, list): &(&str, &[Tallied])| -> String {
                list.iter()
                    .map(|own| json(by, Some(&own.value), own.counts))
                    .collect()
            };
            json("total", None, summary.totals)
                + &lists.iter().map(each).collect::<String>()
                + &moves.iter().map(json_of_move).collect::<String>()
        }
        Format::Csv => {
            let each = |(by, list): &(&str, &[Tallied])| -> String {
                list.iter()
                    .map(|own| csv(by, &own.value, own.counts))
                    .collect()
            };
            CSV.header()
                + &csv("total", "", summary.totals)
                + &lists.iter().map(each).collect::<String>()
                + &moves.iter().map(csv_of_move).collect::<String>()
        }
        format => {
            let draw = |columns: &[&str], rows: &[Vec<Cell>]| match (format, rows) {
                (_, []) => String::new(),
                (Format::Md, rows) => "\n".to_owned() + &markdown_table(columns, rows),
                (_, rows) => "\n".to_owned() + &table(columns, rows, console.paint()),
            };
            let heading = match format {
                Format::Md => asked.ticket().end(),
                _ => String::new(),
            };
            let total = vec![cells("records", summary.totals)];
            let mut text = heading + &draw(&["TOTAL", "ADDED", "DELETED", "CHANGED"], &total);
            for (by, list) in lists {
                let rows: Vec<_> = list
                    .iter()
                    .map(|own| cells(&own.value, own.counts))
                    .collect();
                text += &draw(&[&by.to_uppercase(), "APPEARED", "LEFT", "CHANGED"], &rows);
            }
            let rows: Vec<_> = moves.iter().map(cells_of_move).collect();
            text += &draw(&["FROM", "TO", "RECORDS"], &rows);
            text.trim_start_matches('\n').to_owned()
        }
    }
}

fn json(by: &str, value: Option<&str>, counts: Counts) -> String {
    Line::new()
        .key("by", by)
        .key("value", value)
        .key("appeared", counts.appeared)
        .key("left", counts.left)
        .key("changed", counts.changed)
        .end()
        + "\n"
}

fn json_of_move(own: &Move) -> String {
    let line = Line::new()
        .key("by", "move")
        .key("from", &own.from)
        .key("to", &own.to);
    line.key("count", own.count).end() + "\n"
}

fn csv(by: &str, value: &str, counts: Counts) -> String {
    let numbers = [counts.appeared, counts.left, counts.changed].map(|number| number.to_string());
    let [appeared, left, changed] = &numbers;
    CSV.row(&[by, value, "", appeared, left, changed])
}

/// A move is a change of that many records.
fn csv_of_move(own: &Move) -> String {
    CSV.row(&["move", &own.from, &own.to, "", "", &own.count.to_string()])
}

fn cells(value: &str, counts: Counts) -> Vec<Cell> {
    let numbers = [counts.appeared, counts.left, counts.changed];
    let numbers = numbers.map(|number| Cell::known(count(number)));
    [Cell::known(value)].into_iter().chain(numbers).collect()
}

fn cells_of_move(own: &Move) -> Vec<Cell> {
    vec![
        Cell::known(&own.from),
        Cell::known(&own.to),
        Cell::known(count(own.count)),
    ]
}
