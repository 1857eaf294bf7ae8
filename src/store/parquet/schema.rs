//! Which columns there are for each kind of record: the fields of the contract (parts 2.1 to 2.6, 2.9 and 2.10) by their
//! names, in its order, and columns of our own behind them.

use std::sync::Arc;

use ::parquet::{
    basic::{ConvertedType, LogicalType, Repetition, Type as Physical},
    errors::Result,
    schema::types::{Type, TypePtr},
};

use crate::contract::catalog::Records;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A text.
    Text,
    /// A whole number.
    Whole,
    /// A number.
    Decimal,
    /// A truth value.
    Flag,
    /// A value whose fields the contract does not show, as JSON text.
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
pub(super) struct Member {
    /// The name of the column.
    pub(super) name: &'static str,
    /// Another spelling of the key.
    pub(super) also: Option<&'static str>,
    /// What it holds.
    pub(super) shape: Shape,
}

/// The lowest address that a record is about, then the highest: see [`super`].
pub(super) const FIRST: &str = "first";
pub(super) const LAST: &str = "last";
/// What no other column says, as JSON text.
pub(super) const OTHER: &str = "other";
/// The record as it was sent.
pub(super) const RECORD: &str = "record";

const fn of(name: &'static str, shape: Shape) -> Member {
    Member {
        name,
        also: None,
        shape,
    }
}

const fn text(name: &'static str) -> Member {
    of(name, Shape::Text)
}

const fn whole(name: &'static str) -> Member {
    of(name, Shape::Whole)
}

const fn decimal(name: &'static str) -> Member {
    of(name, Shape::Decimal)
}

const fn flag(name: &'static str) -> Member {
    of(name, Shape::Flag)
}

const fn texts(name: &'static str) -> Member {
    of(name, Shape::Texts)
}

const fn group(name: &'static str, members: &'static [Member]) -> Member {
    of(name, Shape::Group(members))
}

/// Part 2.2; the organization was spelt with a capital letter before 2023-04-20.
const SYSTEM: &[Member] = &[
    whole("number"),
    Member {
        name: "organization",
        also: Some("Organization"),
        shape: Shape::Text,
    },
];

/// Part 2.3.
const CLIENT: &[Member] = &[
    texts("behaviors"),
    group(
        "concentration",
        &[
            text("city"),
            text("country"),
            decimal("density"),
            text("geohash"),
            whole("skew"),
            text("state"),
        ],
    ),
    whole("count"),
    whole("countries"),
    texts("proxies"),
    whole("spread"),
    texts("types"),
];

/// Part 2.4.
const TUNNEL: &[Member] = &[
    flag("anonymous"),
    texts("entries"),
    texts("exits"),
    text("operator"),
    text("type"),
];

/// Parts 2.1 and 2.5: one set of columns, so that feeds can be read together.
const CONTEXT: &[Member] = &[
    text("ip"),
    text("network"),
    of("ai", Shape::Json),
    group("as", SYSTEM),
    group("client", CLIENT),
    text("infrastructure"),
    group("location", &[text("city"), text("state"), text("country")]),
    text("organization"),
    texts("risks"),
    texts("services"),
    of("tunnels", Shape::Groups(TUNNEL)),
];

/// Part 2.6.
const TAG: &[Member] = &[
    text("tag"),
    text("name"),
    text("description"),
    text("website"),
    texts("categories"),
    texts("platforms"),
    texts("protocols"),
    texts("targetingTypes"),
    flag("allowsWhiteLabel"),
    flag("isAnonymous"),
    flag("isCallbackProxy"),
    flag("isNoLog"),
    group(
        "metrics",
        &[
            decimal("averageDeviceCount"),
            decimal("churnRate"),
            whole("distinctASNs"),
            whole("distinctCountries"),
            whole("distinctIPs"),
            whole("distinctISPs"),
        ],
    ),
    flag("isTracked"),
    decimal("maxAgeDays"),
    texts("allTags"),
    texts("aliases"),
    text("aliasOf"),
    texts("resoldBy"),
    of("resells", Shape::Json),
    flag("allowsLocalNetworkAccess"),
    flag("isEnterprise"),
    flag("isInactive"),
    flag("allowsCrypto"),
    flag("allowsFreeAccess"),
    flag("allowsMultihop"),
    flag("allowsTorrents"),
];

/// Part 2.9.
const HOSTING: &[Member] = &[text("network"), text("organization"), whole("asn")];

const NAMES: Member = of("names", Shape::Named);
const COUNTRY: &[Member] = &[whole("geoname_id"), text("iso_code"), NAMES];
const CITY: &[Member] = &[whole("geoname_id"), NAMES];

/// Part 2.10.
const GEO: &[Member] = &[
    text("prefix"),
    group("city", CITY),
    group("continent", &[text("code"), whole("geoname_id"), NAMES]),
    group("country", COUNTRY),
    group("registered_country", COUNTRY),
    group(
        "location",
        &[
            whole("accuracy_radius"),
            decimal("latitude"),
            decimal("longitude"),
            text("time_zone"),
        ],
    ),
    group("vendor", &[group("as", SYSTEM)]),
    of("subdivisions", Shape::Groups(CITY)),
];

/// The fields that the contract names for this kind of record.
pub(super) fn members(records: Records) -> &'static [Member] {
    match records {
        Records::Context | Records::Ipv6Context => CONTEXT,
        Records::Tags => TAG,
        Records::Hosting => HOSTING,
        Records::Geo => GEO,
    }
}

/// Whether records of this kind are about addresses.
pub(super) fn has_range(records: Records) -> bool {
    records != Records::Tags
}

/// The columns of our own for this kind of record, all of them texts.
pub(super) fn own(records: Records, raw: bool) -> impl Iterator<Item = &'static str> {
    let range = [FIRST, LAST]
        .into_iter()
        .filter(move |_| has_range(records));
    range.chain([OTHER]).chain(raw.then_some(RECORD))
}

/// The schema of a file. Everything may be missing.
///
/// # Errors
/// None that the tables above allow.
pub(super) fn schema(records: Records, raw: bool) -> Result<TypePtr> {
    let members = members(records).iter().copied();
    let members = members.chain(own(records, raw).map(text));
    let fields: Vec<TypePtr> = members
        .map(|member| node(member.name, member.shape))
        .collect::<Result<_>>()?;
    Ok(Arc::new(
        Type::group_type_builder("record")
            .with_fields(fields)
            .build()?,
    ))
}

fn node(name: &str, shape: Shape) -> Result<TypePtr> {
    let list = |element| {
        annotated(
            name,
            ConvertedType::LIST,
            LogicalType::List,
            "list",
            vec![element],
        )
    };
    match shape {
        Shape::Text | Shape::Json => string(name, Repetition::OPTIONAL),
        Shape::Whole => plain(name, Physical::INT64),
        Shape::Decimal => plain(name, Physical::DOUBLE),
        Shape::Flag => plain(name, Physical::BOOLEAN),
        Shape::Group(members) => structure(name, members),
        Shape::Texts => list(string("element", Repetition::OPTIONAL)?),
        Shape::Groups(members) => list(structure("element", members)?),
        Shape::Named => {
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
    let fields = members.iter().map(|member| node(member.name, member.shape));
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

    const ALL: [Records; 5] = [
        Records::Context,
        Records::Ipv6Context,
        Records::Tags,
        Records::Hosting,
        Records::Geo,
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
        let context = paths(Records::Context);
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
            assert!(context.iter().any(|own| own == path), "{path}: {context:?}");
        }
        assert_eq!(context, paths(Records::Ipv6Context));
        assert_eq!(
            paths(Records::Hosting),
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
        assert!(paths(Records::Geo).contains(&"city.names.key_value.value".to_owned()));
        assert!(!paths(Records::Tags).contains(&"first".to_owned()));
    }

    /// A column of our own must not hide a field of the contract.
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
