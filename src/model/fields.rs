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
    lenient::{Field, ObjectReader},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Text,
    Whole,
    Decimal,
    /// A truth value.
    Flag,
    /// A value whose fields the contract does not show.
    Json,
    Texts,
    /// Keys that are no fields, each with a text.
    Named,
    /// An object.
    Group(&'static [Member]),
    /// A list of objects.
    Groups(&'static [Member]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: &'static str,
    /// Another spelling of the key.
    pub also: Option<&'static str>,
    pub kind: FieldKind,
    /// The word of the filter language under which it is searched.
    pub keyword: Option<Keyword>,
}

/// Whether objects of these fields have a word of the filter language.
#[must_use]
pub fn have(members: &[Member], keyword: Keyword) -> bool {
    members.iter().any(|member| {
        let inner = match member.kind {
            FieldKind::Group(inner) | FieldKind::Groups(inner) => have(inner, keyword),
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
        if let FieldKind::Group(inner) | FieldKind::Groups(inner) = member.kind {
            let inner = paths(inner);
            all.extend(inner.iter().map(|path| format!("{}.{path}", member.name)));
        }
    }
    all
}

/// An object of the contract, with the table of its fields in the contract's order.
pub trait Object: Sized {
    const MEMBERS: &'static [Member];

    /// Reads them all.
    fn read(reader: &mut ObjectReader<'_>) -> Self;
}

/// What a field may hold.
pub trait FieldType: Sized {
    const KIND: FieldKind;

    fn read_at(reader: &mut ObjectReader<'_>, key: &'static str) -> Field<Self>;
}

impl<T: Object> FieldType for T {
    const KIND: FieldKind = FieldKind::Group(T::MEMBERS);

    fn read_at(reader: &mut ObjectReader<'_>, key: &'static str) -> Field<Self> {
        reader.object(key, T::read)
    }
}

impl<T: Object> FieldType for Vec<T> {
    const KIND: FieldKind = FieldKind::Groups(T::MEMBERS);

    fn read_at(reader: &mut ObjectReader<'_>, key: &'static str) -> Field<Self> {
        reader.objects(key, T::read)
    }
}

macro_rules! held {
    ($($type:ty: $kind:ident by $read:ident,)+) => {
        $(impl FieldType for $type {
            const KIND: FieldKind = FieldKind::$kind;

            fn read_at(reader: &mut ObjectReader<'_>, key: &'static str) -> Field<Self> {
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
/// which it is searched. Behind `..` are the lists of keys that the contract does not name and of fields that cannot be read.
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
                    kind: <$type as $crate::model::fields::FieldType>::KIND,
                    keyword: $crate::model::fields::object!(@option $($crate::model::Keyword::$keyword)?),
                },
            )+];

            fn read(reader: &mut $crate::model::lenient::ObjectReader<'_>) -> Self {
                use $crate::model::fields::FieldType;
                Self {
                    $($field: <$type as FieldType>::read_at(reader, $key)$(.or(<$type as FieldType>::read_at(reader, $also)))?,)+
                    $($unknown: reader.unknown(), $odd: reader.odd(),)?
                }
            }
        }
    };
    (@option) => { None };
    (@option $value:expr) => { Some($value) };
}

pub(super) use object;
