//! The values of a field with how many records have each, in the four formats.

use super::asked::Asked;
use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
    },
    report::{Cell, Csv, Line, Ticket, count, markdown_table, table},
    store::index::{Facet, FacetBy},
};

const CSV: Csv = Csv::of(&["value", "count", "share"]);
const CSV_OF_COUNT: Csv = Csv::of(&["count"]);
const COLUMNS: [&str; 3] = ["VALUE", "RECORDS", "SHARE"];

/// Counts values and prints them, the most frequent first.
///
/// # Errors
/// What the index cannot answer.
pub(super) async fn show(asked: &Asked<'_>, by: FacetBy, limit: Option<usize>) -> Outcome<()> {
    let (filter, field) = (asked.filter.clone(), by.clone());
    let work = move |opened: &crate::engine::Opened, stop: &_| {
        let selection = opened.index.select(&filter, stop)?;
        let facets = opened.index.facets(&selection, &field, stop)?;
        Ok((selection.count(), facets))
    };
    let (number, facets) = asked.ask(work).await?;
    let shown = &facets[..facets.len().min(limit.unwrap_or(usize::MAX))];
    let ticket = || asked.ticket().line("records", &count(number));
    let text = in_format(shown, number, asked.console, ticket);
    asked.console.results(&text)?;
    asked.console.note(&asked.said(number));
    note_values(asked.console, &by, number, facets.len(), shown.len());
    Ok(())
}

/// Values with their counts among so many records.
pub(in crate::cli) fn in_format(
    facets: &[Facet],
    number: u64,
    console: &Console,
    ticket: impl FnOnce() -> Ticket,
) -> String {
    match console.format() {
        Format::Json => facets.iter().map(|facet| json(facet, number)).collect(),
        Format::Csv => {
            let rows = facets.iter().map(|facet| csv(facet, number));
            CSV.header() + &rows.collect::<String>()
        }
        Format::Text if facets.is_empty() => String::new(),
        Format::Text => table(&COLUMNS, &cells(facets, number), console.paint()),
        Format::Md => ticket().end() + "\n" + &markdown_table(&COLUMNS, &cells(facets, number)),
    }
}

/// Notes that there are no values, or more than are shown.
pub(in crate::cli) fn note_values(
    console: &Console,
    by: &FacetBy,
    number: u64,
    all: usize,
    shown: usize,
) {
    if all == 0 && number > 0 {
        console.note(&format!("none of them has a value at {}", name(by)));
    }
    if shown < all {
        console.note(&format!("{} values, {shown} shown", count(all as u64)));
    }
}

/// A count as CSV.
pub(super) fn counted(number: u64) -> String {
    CSV_OF_COUNT.header() + &CSV_OF_COUNT.row(&[number.to_string()])
}

fn name(by: &FacetBy) -> &str {
    match by {
        FacetBy::Keyword(field) => field.name(),
        FacetBy::Path(path) => path,
    }
}

/// The part of all records that has a value, 0 to 1, to six digits.
fn share(facet: &Facet, of: u64) -> f64 {
    const PARTS: u64 = 1_000_000;
    let parts = (u128::from(facet.count) * u128::from(PARTS) + u128::from(of / 2))
        .checked_div(u128::from(of))
        .unwrap_or_default();
    // Parts are no more than all of them.
    let parts = u32::try_from(parts).unwrap_or(u32::MAX);
    f64::from(parts) / 1e6
}

fn json(facet: &Facet, of: u64) -> String {
    let line = Line::new()
        .key("value", &facet.value)
        .key("count", facet.count)
        .key("share", share(facet, of));
    line.end() + "\n"
}

fn csv(facet: &Facet, of: u64) -> String {
    CSV.row(&[
        facet.value.clone(),
        facet.count.to_string(),
        share(facet, of).to_string(),
    ])
}

fn cells(facets: &[Facet], of: u64) -> Vec<Vec<Cell>> {
    let row = |facet: &Facet| {
        vec![
            Cell::known(&facet.value),
            Cell::known(count(facet.count)),
            Cell::known(format!("{:.2} %", share(facet, of) * 100.0)),
        ]
    };
    facets.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_part_of_all_that_match() {
        let facet = |count| Facet {
            value: "NL\u{1b}".to_owned(),
            count,
        };
        assert_eq!(
            json(&facet(1), 3),
            "{\"value\":\"NL\\u001b\",\"count\":1,\"share\":0.333333}\n"
        );
        assert_eq!(csv(&facet(3), 3), "NL\\x1b,3,1\r\n");
        assert_eq!(cells(&[facet(2)], 3)[0][2].text, "66.67 %");
        assert!((share(&facet(u64::MAX), u64::MAX) - 1.0).abs() < f64::EPSILON);
        assert!(share(&facet(0), 0).abs() < f64::EPSILON);
    }
}
