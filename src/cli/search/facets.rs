//! The values of a field with how many records have each, in the four formats.

use super::inputs::SearchInputs;
use crate::{
    cli::{
        args::{
            fields::{is_documented, path_instead_of},
            value::usage,
        },
        console::{CommandResult, Console},
    },
    engine::{Engine, OpenRelease, Result},
    report::{Csv, Line, Paint, PrintedResults, TextCell, Ticket, count, each, table},
    store::index::{Facet, FacetBy},
};

/// Counts values and prints them, the most frequent first.
///
/// # Errors
/// What the index cannot answer.
pub(super) async fn show(
    asked: &SearchInputs<'_>,
    by: FacetBy,
    limit: Option<usize>,
) -> CommandResult<()> {
    let (filter, field) = (asked.filter.clone(), by.clone());
    let work = move |opened: &OpenRelease, stop: &_| {
        let selection = opened.index.select(&filter, stop)?;
        let facets = opened.index.facets(&selection, &field, stop)?;
        Ok((selection.count(), facets))
    };
    let (number, facets) = asked.ask(work).await?;
    let shown = FacetResults {
        values: &facets[..facets.len().min(limit.unwrap_or(usize::MAX))],
        number,
        counted: "RECORDS",
        ticket: asked.ticket(number),
    };
    asked.console.show(&shown)?;
    asked.console.note(&asked.said(number));
    note_values(asked.console, &by, number, facets.len(), shown.values.len());
    Ok(())
}

/// Refuses to count values at a path that neither the contract nor a record of these releases has.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) with the path that was most likely meant; what keeps a release from being read.
pub(in crate::cli) async fn check_path(
    engine: &Engine,
    opened: &[OpenRelease],
    by: &FacetBy,
) -> Result<()> {
    let FacetBy::Path(path) = by else {
        return Ok(());
    };
    if is_documented(path) || engine.releases.have_path(opened, path).await? {
        return Ok(());
    }
    let feeds = each(
        opened.iter().map(|own| own.release.manifest.feed.name()),
        " and ",
    );
    let error = usage(format!("records of {feeds} have no {path}"));
    Err(match path_instead_of(path) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("write a field such as tag, or a path such as location.city"),
    })
}

/// Values of a field, of a number of records.
pub(in crate::cli) struct FacetResults<'a> {
    pub(in crate::cli) values: &'a [Facet],
    pub(in crate::cli) number: u64,
    /// What is counted, as a heading.
    pub(in crate::cli) counted: &'static str,
    pub(in crate::cli) ticket: Ticket,
}

impl FacetResults<'_> {
    fn columns(&self) -> [&'static str; 3] {
        ["VALUE", self.counted, "SHARE"]
    }

    fn cells(&self) -> Vec<Vec<TextCell>> {
        let row = |facet: &Facet| {
            vec![
                TextCell::known(&facet.value),
                TextCell::known(count(facet.count)),
                TextCell::known(format!("{:.2} %", share(facet, self.number) * 100.0)),
            ]
        };
        self.values.iter().map(row).collect()
    }
}

impl PrintedResults for FacetResults<'_> {
    const CSV: Csv = Csv::of(&[&["value", "count", "share"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |facet: &Facet| {
            let share = share(facet, self.number);
            Line::new()
                .key("value", &facet.value)
                .key("count", facet.count)
                .key("share", share)
                .cell("share", share.to_string())
        };
        self.values.iter().map(line).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.values.is_empty() {
            return String::new();
        }
        table(&self.columns(), &self.cells(), paint)
    }

    fn markdown(&self) -> String {
        self.ticket.clone().table(&self.columns(), &self.cells())
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
        let near = match by {
            FacetBy::Path(path) => path_instead_of(path),
            FacetBy::Keyword(_) => None,
        };
        let near = near.map_or_else(String::new, |near| format!(": did you mean {near}?"));
        console.note(&format!("none of them has a value at {}{near}", name(by)));
    }
    if shown < all {
        console.note(&format!("{} values, {shown} shown", count(all as u64)));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ResultFormat;

    #[test]
    fn a_share_is_a_part_of_all_that_match() {
        let facet = |count| Facet {
            value: "NL\u{1b}".to_owned(),
            count,
        };
        let shown = |count, format| {
            let facets = FacetResults {
                values: &[facet(count)],
                number: 3,
                counted: "RECORDS",
                ticket: Ticket::about("x"),
            };
            facets.in_format(format, Paint::PLAIN)
        };
        assert_eq!(
            shown(1, ResultFormat::Json),
            "{\"value\":\"NL\\u001b\",\"count\":1,\"share\":0.333333}\n"
        );
        assert!(shown(3, ResultFormat::Csv).ends_with("\r\nNL\\x1b,3,1\r\n"));
        assert!(shown(2, ResultFormat::Text).ends_with("66.67 %\n"));
        assert!((share(&facet(u64::MAX), u64::MAX) - 1.0).abs() < f64::EPSILON);
        assert!(share(&facet(0), 0).abs() < f64::EPSILON);
    }
}
