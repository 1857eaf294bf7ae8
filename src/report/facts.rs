//! What a record says, as labels and values for people: the same list for text and ticket.

mod block;
mod record;
mod tag;

pub(super) use self::block::{english, of_geo, of_hosting, system, unread};
pub use self::{
    record::of_record,
    tag::{of_tag, tag_columns, tag_values},
};

pub(super) use record::{in_words, tunnel_name};

use std::borrow::Cow;

use super::{TextCell, each};
use crate::model::Field;

/// One thing that a record says, or does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Fact {
    pub label: Cow<'static, str>,
    pub cell: TextCell,
}

pub fn fact(label: impl Into<Cow<'static, str>>, cell: TextCell) -> Fact {
    let label = label.into();
    Fact { label, cell }
}

/// Keys beyond the contract, and fields that could not be read: both are whole in the JSON form.
pub fn remainder<'a>(
    unknown: &'a [String],
    odd: &'a [String],
) -> impl Iterator<Item = Fact> + use<'a> {
    let named = [("other keys", unknown), ("unreadable", odd)];
    named
        .into_iter()
        .filter(|(_, paths)| !paths.is_empty())
        .map(|(label, paths)| fact(label, TextCell::known(each(paths, " "))))
}

/// How many of those there are, where their paths would say nothing.
pub(super) fn counted_remainder(unknown: &[String], odd: &[String]) -> impl Iterator<Item = Fact> {
    let counted = [
        ("other keys", unknown.len()),
        ("unreadable fields", odd.len()),
    ];
    let some = counted.into_iter().filter(|(_, number)| *number > 0);
    some.map(|(label, number)| fact(label, TextCell::known(format!("{number}, in the JSON"))))
}

/// What a flag says of a tunnel, or of all those of a tag.
pub(super) fn anonymity(anonymous: Field<bool>) -> &'static str {
    match anonymous {
        Field::Is(true) => "anonymous",
        Field::Is(false) => "not anonymous",
        _ => "anonymity unknown",
    }
}

/// A value inside of an object that may not be there itself.
fn within<T>(object: &Field<T>, inner: impl FnOnce(&T) -> TextCell) -> TextCell {
    object
        .is()
        .map_or_else(|| TextCell::of(object, |_| ""), inner)
}
