//! The columns for each kind of record: the fields of the contract (parts 2.1 to 2.6, 2.9 and 2.10) by name, in its order, then
//! the additional columns.

use std::sync::Arc;

use ::parquet::{
    basic::{ConvertedType, LogicalType, Repetition, Type as Physical},
    errors::Result,
    schema::types::{Type, TypePtr},
};

use crate::{
    contract::catalog::RecordKind,
    model::{
        Context, Geo, Hosting, Tag,
        fields::{FieldKind, Member, Object},
    },
};

/// The lowest address of the record's subject, then the highest: see [`super`].
pub(super) const FIRST: &str = "first";
pub(super) const LAST: &str = "last";
/// The rest of the record, as JSON text.
pub(super) const OTHER: &str = "other";
/// The record as sent.
pub(super) const RECORD: &str = "record";

/// The fields of the contract for this kind of record.
pub(super) fn members(records: RecordKind) -> &'static [Member] {
    match records {
        RecordKind::Context | RecordKind::Ipv6Context => Context::MEMBERS,
        RecordKind::Tags => Tag::MEMBERS,
        RecordKind::Hosting => Hosting::MEMBERS,
        RecordKind::Geo => Geo::MEMBERS,
    }
}

/// Whether the subjects of these records are addresses or networks.
pub(super) fn has_range(records: RecordKind) -> bool {
    records != RecordKind::Tags
}

/// The additional columns for this kind of record, all of them texts.
pub(super) fn own(records: RecordKind, raw: bool) -> impl Iterator<Item = &'static str> {
    let range = [FIRST, LAST]
        .into_iter()
        .filter(move |_| has_range(records));
    range.chain([OTHER]).chain(raw.then_some(RECORD))
}

/// The schema of a file. Every field is optional.
///
/// # Errors
/// None with the tables above.
pub(super) fn schema(records: RecordKind, raw: bool) -> Result<TypePtr> {
    let members = members(records)
        .iter()
        .map(|member| (member.name, member.kind));
    let members = members.chain(own(records, raw).map(|name| (name, FieldKind::Text)));
    let fields: Vec<TypePtr> = members
        .map(|(name, kind)| node(name, kind))
        .collect::<Result<_>>()?;
    Ok(Arc::new(
        Type::group_type_builder("record")
            .with_fields(fields)
            .build()?,
    ))
}

fn node(name: &str, kind: FieldKind) -> Result<TypePtr> {
    let list = |element| {
        annotated(
            name,
            ConvertedType::LIST,
            LogicalType::List,
            "list",
            vec![element],
        )
    };
    match kind {
        FieldKind::Text | FieldKind::Json => string(name, Repetition::OPTIONAL),
        FieldKind::Whole => plain(name, Physical::INT64),
        FieldKind::Decimal => plain(name, Physical::DOUBLE),
        FieldKind::Flag => plain(name, Physical::BOOLEAN),
        FieldKind::Group(members) => structure(name, members),
        FieldKind::Texts => list(string("element", Repetition::OPTIONAL)?),
        FieldKind::Groups(members) => list(structure("element", members)?),
        FieldKind::Named => {
            let fields = vec![
                string("key", Repetition::REQUIRED)?,
                string("value", Repetition::OPTIONAL)?,
            ];
            annotated(
                name,
                ConvertedType::MAP,
                LogicalType::Map,
                "key_value",
                fields,
            )
        }
    }
}

fn plain(name: &str, physical: Physical) -> Result<TypePtr> {
    let builder = Type::primitive_type_builder(name, physical);
    Ok(Arc::new(
        builder.with_repetition(Repetition::OPTIONAL).build()?,
    ))
}

fn string(name: &str, repetition: Repetition) -> Result<TypePtr> {
    let builder = Type::primitive_type_builder(name, Physical::BYTE_ARRAY);
    let builder = builder
        .with_repetition(repetition)
        .with_converted_type(ConvertedType::UTF8);
    Ok(Arc::new(
        builder
            .with_logical_type(Some(LogicalType::String))
            .build()?,
    ))
}

fn structure(name: &str, members: &[Member]) -> Result<TypePtr> {
    let fields = members.iter().map(|member| node(member.name, member.kind));
    let builder = Type::group_type_builder(name).with_repetition(Repetition::OPTIONAL);
    Ok(Arc::new(
        builder
            .with_fields(fields.collect::<Result<_>>()?)
            .build()?,
    ))
}

/// A list or a map: an optional group around a repeated one.
fn annotated(
    name: &str,
    converted: ConvertedType,
    logical: LogicalType,
    repeated: &str,
    fields: Vec<TypePtr>,
) -> Result<TypePtr> {
    let inner = Type::group_type_builder(repeated).with_repetition(Repetition::REPEATED);
    let inner = Arc::new(inner.with_fields(fields).build()?);
    let outer = Type::group_type_builder(name).with_repetition(Repetition::OPTIONAL);
    let outer = outer
        .with_converted_type(converted)
        .with_logical_type(Some(logical));
    Ok(Arc::new(outer.with_fields(vec![inner]).build()?))
}

#[cfg(test)]
mod tests {
    use ::parquet::schema::types::SchemaDescriptor;

    use super::*;

    const ALL: [RecordKind; 5] = [
        RecordKind::Context,
        RecordKind::Ipv6Context,
        RecordKind::Tags,
        RecordKind::Hosting,
        RecordKind::Geo,
    ];

    #[test]
    fn columns_have_the_names_of_the_contract() {
        let paths = |records| -> Vec<String> {
            let descriptor = SchemaDescriptor::new(schema(records, true).expect("schema"));
            descriptor
                .columns()
                .iter()
                .map(|column| column.path().string())
                .collect()
        };
        let context = paths(RecordKind::Context);
        for path in [
            "ip",
            "as.number",
            "client.concentration.density",
            "client.proxies.list.element",
            "tunnels.list.element.entries.list.element",
            "location.country",
            "first",
            "other",
            "record",
        ] {
            assert!(
                context.iter().any(|text| text == path),
                "{path}: {context:?}"
            );
        }
        assert_eq!(context, paths(RecordKind::Ipv6Context));
        assert_eq!(
            paths(RecordKind::Hosting),
            [
                "network",
                "organization",
                "asn",
                "first",
                "last",
                "other",
                "record"
            ]
        );
        assert!(paths(RecordKind::Geo).contains(&"city.names.key_value.value".to_owned()));
        assert!(!paths(RecordKind::Tags).contains(&"first".to_owned()));
    }

    /// An additional column must not have the name of a field of the contract.
    #[test]
    fn no_name_is_there_twice() {
        for records in ALL {
            let fields = members(records).iter().map(|member| member.name);
            let mut names: Vec<&str> = fields.chain(own(records, true)).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{records:?}");
        }
    }
}
