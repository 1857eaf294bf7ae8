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
pub fn explanation_rows(own: &Explanation) -> Vec<ExplanationRow<'_>> {
    let fields = own.fields.iter().copied().map(ExplanationRow::Field);
    let values = own.values.iter().copied().map(ExplanationRow::Value);
    let uses = own.uses.found.iter();
    let uses = uses.map(|found| ExplanationRow::Use(&own.word, found));
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
            Self::Field(own) | Self::Value(own) => Some(*own),
            Self::Use(..) => None,
        }
    }

    fn used(&self) -> Option<&ValueUse> {
        match self {
            Self::Use(_, own) => Some(own),
            _ => None,
        }
    }

    fn filter(&self) -> Option<String> {
        let Self::Use(word, own) = self else {
            return None;
        };
        let test = Test::Is(own.field, vec![(*word).to_owned()]);
        let filter: Filter = [test].into_iter().collect();
        Some(filter.to_string())
    }

    /// The part of the contract and the field, or the local feed and the field.
    #[must_use]
    pub fn place(&self) -> String {
        match self {
            Self::Field(own) | Self::Value(own) => {
                format!("contract {}: {}", own.field.part, own.field.path)
            }
            Self::Use(_, own) => {
                let (feed, day) = (own.feed, own.moment.dashed());
                format!("local {feed} {day}: {}", own.field.name())
            }
        }
    }

    /// What it is, in a sentence.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Field(own) => {
                let values = match own.field.values {
                    [] => String::new(),
                    values => format!("; named values: {}", each(values.iter().copied(), ", ")),
                };
                format!("{}{values}", own.field.about)
            }
            Self::Value(own) => format!("a value that is named there: {}", own.field.about),
            Self::Use(_, own) => {
                let earlier = if own.or_earlier { " or earlier" } else { "" };
                let (number, all) = (count(own.count), count(own.records));
                let since = own.since.dashed();
                format!("{number} of {all} records, since {since}{earlier}")
            }
        }
    }
}

/// The columns of what is known of a word.
pub fn explanation_columns<'a>() -> Columns<ExplanationRow<'a>> {
    Columns::<ExplanationRow<'a>>::default()
        .data("kind", ExplanationRow::kind)
        .data("part", |own| {
            Cell::some(own.named().map(|own| own.field.part))
        })
        .data("object", |own| {
            Cell::some(own.named().map(|own| own.object.name))
        })
        .data("path", |own| {
            Cell::some(own.named().map(|own| own.field.path))
        })
        .data("about", |own| {
            Cell::some(own.named().map(|own| own.field.about))
        })
        .csv("values", |own| {
            Cell::some(own.named().map(|own| own.field.values.join(" ")))
        })
        .json("values", |own| {
            own.named()
                .map_or(Cell::Absent, |own| Cell::json(own.field.values))
        })
        .data("filter", |own| Cell::some(own.filter()))
        .data("feed", |own| {
            Cell::some(own.used().map(|own| own.feed.name()))
        })
        .data("day", |own| Cell::some(own.used().map(|own| own.moment)))
        .data("count", |own| Cell::some(own.used().map(|own| own.count)))
        .data("records", |own| {
            Cell::some(own.used().map(|own| own.records))
        })
        .data("since", |own| {
            Cell::some(own.used().map(|own| own.since.to_string()))
        })
        .data("or_earlier", |own| {
            Cell::some(own.used().map(|own| own.or_earlier))
        })
        .words("where", |own| match own {
            ExplanationRow::Field(own) | ExplanationRow::Value(own) => {
                format!("contract {}, {}", own.field.part, own.object.name)
            }
            ExplanationRow::Use(_, own) => format!("{} {}", own.feed, own.moment.dashed()),
        })
        .words("field", |own| match own {
            ExplanationRow::Field(own) | ExplanationRow::Value(own) => own.field.path.to_owned(),
            ExplanationRow::Use(_, own) => own.field.name().to_owned(),
        })
        .words("what", ExplanationRow::words)
}
