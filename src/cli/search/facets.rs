//! The values of a field with how many records have each, in the four formats.

use crate::{
    cli::{
        args::{
            fields::{is_documented, path_instead_of},
            value::usage,
        },
        console::Console,
    },
    engine::{Engine, OpenRelease, Result},
    report::{Cell, Columns, count, each},
    store::index::{Facet, FacetBy},
};

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
        opened
            .iter()
            .map(|release| release.release.manifest.feed.name()),
        " and ",
    );
    let error = usage(format!("records of {feeds} have no {path}"));
    Err(match path_instead_of(path) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint("write a field such as tag, or a path such as location.city"),
    })
}

/// A value of a field, and which part of all it is.
pub(in crate::cli) struct FacetRow {
    facet: Facet,
    share: f64,
}

/// The first of these values, at most so many, of so many records.
pub(in crate::cli) fn facet_rows(
    facets: Vec<Facet>,
    limit: Option<usize>,
    number: u64,
) -> Vec<FacetRow> {
    let facets = facets.into_iter().take(limit.unwrap_or(usize::MAX));
    let row = |facet: Facet| FacetRow {
        share: share(&facet, number),
        facet,
    };
    facets.map(row).collect()
}

pub(in crate::cli) fn facet_columns() -> Columns<FacetRow> {
    Columns::<FacetRow>::default()
        .column("value", "value", |row| row.facet.value.clone())
        .column("count", "records", |row| row.facet.count)
        .column("share", "share", |row| Cell::Share(row.share))
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
    use crate::report::{ResultFormat, Results, RowWriter, TextStyle, Ticket};

    #[test]
    fn a_share_is_a_part_of_all_that_match() {
        let facet = |count| Facet {
            value: "NL\u{1b}".to_owned(),
            count,
        };
        let shown = |count, format| {
            let rows = facet_rows(vec![facet(count)], None, 3);
            let results = Results::table(facet_columns(), &rows, Ticket::about("x"));
            RowWriter::of(format, TextStyle::PLAIN).results(results)
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
