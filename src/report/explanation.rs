//! What a field or a value means: a row for each place of the contract, and for each local feed that has the value.

use super::{Cell, Columns, count, each};
use crate::{
    engine::views::ValueUse,
    investigation::explanation::{Explanation, NamedField},
    store::Filter,
    store::filter::Test,
};

/// One thing that is known of a word.
#[derive(Clone, Copy, Debug)]
pub enum ExplanationRow<'a> {
    /// A field of this name.
    Field(NamedField),
    /// A field of which the contract names it as a value.
    Value(NamedField),
    /// A field of a local feed that has it, by the word as it was asked.
    Use(&'a str, &'a ValueUse),
}

/// All that is known of a word.
#[must_use]
pub fn explanation_rows(explanation: &Explanation) -> Vec<ExplanationRow<'_>> {
    let fields = explanation
        .fields
        .iter()
        .copied()
        .map(ExplanationRow::Field);
    let values = explanation
        .values
        .iter()
        .copied()
        .map(ExplanationRow::Value);
    let uses = explanation.uses.found.iter();
    let uses = uses.map(|found| ExplanationRow::Use(&explanation.word, found));
    fields.chain(values).chain(uses).collect()
}

impl ExplanationRow<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Field(_) => "field",
            Self::Value(_) => "value",
            Self::Use(..) => "local",
        }
    }

    fn named(&self) -> Option<NamedField> {
        match self {
            Self::Field(field) | Self::Value(field) => Some(*field),
            Self::Use(..) => None,
        }
    }

    fn used(&self) -> Option<&ValueUse> {
        match self {
            Self::Use(_, value_use) => Some(value_use),
            _ => None,
        }
    }

    fn filter(&self) -> Option<String> {
        let Self::Use(word, value_use) = self else {
            return None;
        };
        let test = Test::Is(value_use.field, vec![(*word).to_owned()]);
        let filter: Filter = [test].into_iter().collect();
        Some(filter.to_string())
    }

    /// The part of the contract and the field, or the local feed and the field.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Field(field) | Self::Value(field) => {
                format!("contract {}: {}", field.field.part, field.field.path)
            }
            Self::Use(_, value_use) => {
                let (feed, day) = (value_use.feed, value_use.moment.dashed());
                format!("local {feed} {day}: {}", value_use.field.name())
            }
        }
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Field(field) => {
                let values = match field.field.values {
                    [] => String::new(),
                    values => format!("; named values: {}", each(values.iter().copied(), ", ")),
                };
                format!("{}{values}", field.field.about)
            }
            Self::Value(field) => format!("a value that is named there: {}", field.field.about),
            Self::Use(_, value_use) => {
                let earlier = if value_use.or_earlier {
                    " or earlier"
                } else {
                    ""
                };
                let (number, all) = (count(value_use.count), count(value_use.records));
                let since = value_use.since.dashed();
                format!("{number} of {all} records, since {since}{earlier}")
            }
        }
    }
}

/// The columns of what is known of a word.
pub fn explanation_columns<'a>() -> Columns<ExplanationRow<'a>> {
    Columns::<ExplanationRow<'a>>::default()
        .data("kind", ExplanationRow::kind)
        .data("part", |row| {
            Cell::some(row.named().map(|field| field.field.part))
        })
        .data("object", |row| {
            Cell::some(row.named().map(|field| field.object.name))
        })
        .data("path", |row| {
            Cell::some(row.named().map(|field| field.field.path))
        })
        .data("about", |row| {
            Cell::some(row.named().map(|field| field.field.about))
        })
        .csv("values", |row| {
            Cell::some(row.named().map(|field| field.field.values.join(" ")))
        })
        .json("values", |row| {
            row.named()
                .map_or(Cell::Absent, |field| Cell::json(field.field.values))
        })
        .data("filter", |row| Cell::some(row.filter()))
        .data("feed", |row| {
            Cell::some(row.used().map(|value_use| value_use.feed.name()))
        })
        .data("day", |row| {
            Cell::some(row.used().map(|value_use| value_use.moment))
        })
        .data("count", |row| {
            Cell::some(row.used().map(|value_use| value_use.count))
        })
        .data("records", |row| {
            Cell::some(row.used().map(|value_use| value_use.records))
        })
        .data("since", |row| {
            Cell::some(row.used().map(|value_use| value_use.since.to_string()))
        })
        .data("or_earlier", |row| {
            Cell::some(row.used().map(|value_use| value_use.or_earlier))
        })
        .words("where", |row| match row {
            ExplanationRow::Field(field) | ExplanationRow::Value(field) => {
                format!("contract {}, {}", field.field.part, field.object.name)
            }
            ExplanationRow::Use(_, value_use) => {
                format!("{} {}", value_use.feed, value_use.moment.dashed())
            }
        })
        .words("field", |row| match row {
            ExplanationRow::Field(field) | ExplanationRow::Value(field) => {
                field.field.path.to_owned()
            }
            ExplanationRow::Use(_, value_use) => value_use.field.name().to_owned(),
        })
        .words("what", ExplanationRow::words)
}
