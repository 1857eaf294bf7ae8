//! The one table of the fields of records: what the contract calls each, what it holds, and under which word it is searched.
//!
//! `object!` takes a row for each field of an object and makes of it the plain struct, its reading and the table of its
//! [members](Object::MEMBERS), so that a field is named once. From the table come the paths that are searched and the columns of
//! Parquet files; `report` labels fields by their dotted paths, such as `client.concentration.city`.

use std::net::IpAddr;

use ipnet::IpNet;
use serde_json::Value;

use super::{
    Keyword,
    lenient::{Field, Reader},
};

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Decimal,
    /// A truth value.
    Flag,
    /// A value whose fields the contract does not show.
    Json,
    /// A list of texts.
    Texts,
    /// Keys that are no fields, each with a text.
    Named,
    /// An object.
    Group(&'static [Member]),
    /// A list of objects.
    Groups(&'static [Member]),
}

/// A field of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its key.
    pub name: &'static str,
    /// Another spelling of the key.
    pub also: Option<&'static str>,
    /// What it holds.
    pub kind: Kind,
    /// The word of the filter language under which it is searched.
    pub keyword: Option<Keyword>,
}

/// Whether objects of these fields have a word of the filter language.
#[must_use]
pub fn have(members: &[Member], keyword: Keyword) -> bool {
    members.iter().any(|member| {
        let inner = match member.kind {
            Kind::Group(inner) | Kind::Groups(inner) => have(inner, keyword),
            _ => false,
        };
        inner || member.keyword == Some(keyword)
    })
}

/// The dotted paths of the fields of objects, those of inner objects behind their own.
#[must_use]
pub fn paths(members: &[Member]) -> Vec<String> {
    let mut all = Vec::new();
    for member in members {
        all.push(member.name.to_owned());
        if let Kind::Group(inner) | Kind::Groups(inner) = member.kind {
            let inner = paths(inner);
            all.extend(inner.iter().map(|path| format!("{}.{path}", member.name)));
        }
    }
    all
}

/// An object of the contract, with the table of its fields in the contract's order.
pub trait Object: Sized {
    /// Its fields.
    const MEMBERS: &'static [Member];

    /// Reads them all.
    fn read(reader: &mut Reader<'_>) -> Self;
}

/// What a field may hold.
pub trait Held: Sized {
    /// Its kind.
    const KIND: Kind;

    /// Reads the field of this key.
    fn read_at(reader: &mut Reader<'_>, key: &'static str) -> Field<Self>;
}

impl<T: Object> Held for T {
    const KIND: Kind = Kind::Group(T::MEMBERS);

    fn read_at(reader: &mut Reader<'_>, key: &'static str) -> Field<Self> {
        reader.object(key, T::read)
    }
}

impl<T: Object> Held for Vec<T> {
    const KIND: Kind = Kind::Groups(T::MEMBERS);

    fn read_at(reader: &mut Reader<'_>, key: &'static str) -> Field<Self> {
        reader.objects(key, T::read)
    }
}

macro_rules! held {
    ($($type:ty: $kind:ident by $read:ident,)+) => {
        $(impl Held for $type {
            const KIND: Kind = Kind::$kind;

            fn read_at(reader: &mut Reader<'_>, key: &'static str) -> Field<Self> {
                reader.$read(key)
            }
        })+
    };
}

held! {
    String: Text by text,
    IpAddr: Text by address,
    IpNet: Text by network,
    u32: Whole by count,
    u64: Whole by count,
    i64: Whole by count,
    f64: Decimal by decimal,
    bool: Flag by flag,
    Value: Json by value,
    Vec<Value>: Json by values,
    Vec<String>: Texts by texts,
}

/// An object of the contract by its rows: `field: type = key`, with `or` another spelling of the key, and `=>` the word under
/// which it is searched. Behind `..` stand the lists of keys that the contract does not name and of fields that cannot be read.
macro_rules! object {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $(
                $(#[$doc:meta])*
                $field:ident: $type:ty = $key:literal $(or $also:literal)? $(=> $keyword:ident)?,
            )+
            $(.. $unknown:ident, $odd:ident)?
        }
    ) => {
        $(#[$meta])*
        pub struct $name {
            $(
                $(#[$doc])*
                pub $field: $crate::model::Field<$type>,
            )+
            $(
                /// Paths of keys that the contract does not name.
                pub $unknown: Vec<String>,
                /// Paths of fields that could not be read.
                pub $odd: Vec<String>,
            )?
        }

        impl $crate::model::fields::Object for $name {
            const MEMBERS: &'static [$crate::model::fields::Member] = &[$(
                $crate::model::fields::Member {
                    name: $key,
                    also: $crate::model::fields::object!(@option $($also)?),
                    kind: <$type as $crate::model::fields::Held>::KIND,
                    keyword: $crate::model::fields::object!(@option $($crate::model::Keyword::$keyword)?),
                },
            )+];

            fn read(reader: &mut $crate::model::lenient::Reader<'_>) -> Self {
                use $crate::model::fields::Held;
                Self {
                    $($field: <$type as Held>::read_at(reader, $key)$(.or(<$type as Held>::read_at(reader, $also)))?,)+
                    $($unknown: reader.unknown(), $odd: reader.odd(),)?
                }
            }
        }
    };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
}

pub(super) use object;
