//! What records share: a row a value, and the sentence above them.

use super::{Cell, Columns, TextCell, count, counted};
use crate::investigation::common::{Common, MoreOften, Shared};

/// A value that records share, among what they share.
#[derive(Clone, Copy, Debug)]
pub struct SharedRow<'a> {
    pub common: &'a Common,
    pub shared: &'a Shared,
}

/// Which records were asked what they share, in words.
#[must_use]
pub fn common_in_words(common: &Common) -> String {
    let manifest = &common.release.manifest;
    let (feed, day) = (manifest.feed, manifest.moment.dashed());
    let (among, all) = (counted(common.among, "record"), count(common.records));
    let without = match common.without {
        0 => String::new(),
        many => {
            let addresses = counted(many as u64, "address");
            format!("; {addresses} without a record there")
        }
    };
    format!("{among} beside all {all} of {feed} {day}{without}")
}

/// The values that are certain enough to be more often than elsewhere, or all.
#[must_use]
pub fn shared_rows(common: &Common, all: bool) -> Vec<SharedRow<'_>> {
    let is_told = |shared: &&Shared| all || shared.more.is_some_and(MoreOften::is_told);
    let shown = common.values.iter().filter(is_told);
    shown.map(|shared| SharedRow { common, shared }).collect()
}

impl SharedRow<'_> {
    /// A part of a whole, as people read it: `9 of 40`.
    fn part(part: u64, whole: u64) -> String {
        format!("{} of {}", count(part), count(whole))
    }

    /// How often the value is here and in the feed, and how much more often at least.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Shared { count, more } = self.shared;
        let here = Self::part(count.here, self.common.among);
        match (count.in_feed, more) {
            (Some(all), Some(more)) => {
                let all = Self::part(all, self.common.records);
                format!("x{} at least: {here}, feed {all}", in_words(more.at_least))
            }
            _ => format!("{here}, not counted in the feed"),
        }
    }
}

/// The columns of what records share.
pub fn common_columns<'a>() -> Columns<SharedRow<'a>> {
    Columns::<SharedRow<'a>>::default()
        .data("field", |row| row.shared.count.field.name())
        .data("value", |row| row.shared.count.value.clone())
        .data("here", |row| row.shared.count.here)
        .data("among", |row| row.common.among)
        .data("in_feed", |row| {
            row.shared.count.in_feed.map_or(Cell::Null, Cell::Count)
        })
        .data("records", |row| row.common.records)
        .data("times", |row| {
            number(row.shared.more.map(|more| more.times))
        })
        .data("at_least", |row| {
            number(row.shared.more.map(|more| more.at_least))
        })
        .data("filter", |row| {
            let filter = row.shared.count.filter();
            filter.map_or(Cell::Null, |filter| Cell::Text(filter.to_string()))
        })
        .data("feed", |row| row.common.release.manifest.feed.name())
        .data("day", |row| row.common.release.manifest.moment)
        .words("field", |row| row.shared.count.field.name())
        .words("value", |row| row.shared.count.value.clone())
        .words("here", |row| {
            SharedRow::part(row.shared.count.here, row.common.among)
        })
        .words("feed", |row| match row.shared.count.in_feed {
            Some(all) => TextCell::known(SharedRow::part(all, row.common.records)),
            None => TextCell::unknown("not counted"),
        })
        .words("times", |row| {
            TextCell::or_dash(row.shared.more.map(|more| in_words(more.times)))
        })
        .words("at least", |row| {
            TextCell::or_dash(row.shared.more.map(|more| in_words(more.at_least)))
        })
}

/// A ratio with two decimals, or null.
fn number(ratio: Option<f64>) -> Cell {
    ratio.map_or(Cell::Null, |number| {
        Cell::json((number * 100.0).round() / 100.0)
    })
}

/// A ratio as people read it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a ratio of numbers that are not negative, at most that of all records"
)]
fn in_words(ratio: f64) -> String {
    match ratio {
        number if number >= 10.0 => count(number.round() as u64),
        number if number >= 2.0 => format!("{number:.1}"),
        number => format!("{number:.2}"),
    }
}
