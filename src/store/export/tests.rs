//! Compares the formats of rows with the output of common libraries for the same values. The tests of the engine compare the
//! choice of records with the embedded service.

use std::{borrow::Cow, collections::BTreeMap, net::Ipv4Addr};

use ipnet::IpNet;
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Map, Value};

use super::{record::RecordContent, *};
use crate::{
    model::{Hosting, Subject},
    store::index::{ExportRow, FlatLocation, FlatTexts},
};

/// Texts with characters that are special in CSV, JSON or a terminal.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Z]{1,3}",
        2 => "[a\",\r\n\t\\\\&<>'\u{0}-\u{1f}\u{7f}\u{85}é\u{202e}= ]{0,6}",
    ]
}

fn record() -> impl Strategy<Value = (Subject, ExportRow<'static>)> {
    let place = (option::of(text()), option::of(text()), option::of(text()));
    let subject = prop_oneof![
        any::<Ipv4Addr>().prop_map(|address| Subject::Address(address.into())),
        any::<std::net::Ipv6Addr>().prop_map(|address| Subject::Address(address.into())),
        (any::<std::net::Ipv6Addr>(), 0..=128_u8).prop_map(|(address, length)| {
            let network = IpNet::new(address.into(), length).expect("a length");
            Subject::Network(network.trunc())
        }),
    ];
    let words = (option::of(text()), option::of(text()), option::of(text()));
    let numbers = prop_oneof![any::<u64>(), 0..300_u64];
    (
        subject,
        words,
        vec(text(), 0..3),
        option::of(numbers),
        place,
    )
        .prop_map(
            |(subject, (tag, callback_proxy, infrastructure), services, clients, place)| {
                let (city, state, country) = place;
                let own = |text: Option<String>| text.map(Cow::Owned);
                let flat = ExportRow {
                    subject: Some(subject),
                    tag: own(tag),
                    callback_proxy: own(callback_proxy),
                    infrastructure: own(infrastructure),
                    services: FlatTexts::Owned(services.into_iter().map(Cow::Owned).collect()),
                    clients,
                    place: FlatLocation {
                        city: own(city),
                        state: own(state),
                        country: own(country),
                    },
                };
                (subject, flat)
            },
        )
}

/// Records with this content.
fn contexts<'a>(given: &'a [(Subject, ExportRow<'_>)]) -> Vec<ExportRecord<'a>> {
    let records = given.iter().map(|(subject, flat)| ExportRecord {
        subject: *subject,
        says: RecordContent::Context(flat),
    });
    records.collect()
}

fn change() -> impl Strategy<Value = Option<RowChange>> {
    prop_oneof![
        Just(None),
        Just(Some(RowChange::Added)),
        Just(Some(RowChange::Deleted))
    ]
}

fn fields() -> impl Strategy<Value = Vec<ExportField>> {
    let all: Vec<ExportField> = ExportField::ALL[..10].to_vec();
    proptest::sample::subsequence(all, 0..=10).prop_shuffle()
}

fn table(query: &ExportQuery, records: &[ExportRecord<'_>], change: Option<RowChange>) -> String {
    let columns = query.columns();
    let mut bytes = Vec::new();
    let mut table = TableWriter::begin(query, &columns, &mut bytes).expect("in memory");
    for record in records {
        table.row(*record, change).expect("in memory");
    }
    assert_eq!(table.end().expect("in memory"), records.len() as u64);
    String::from_utf8(bytes).expect("text")
}

/// The value of a field in JSON.
fn value(record: &ExportRecord<'_>, field: ExportField) -> Value {
    let RecordContent::Context(flat) = record.says else {
        panic!("only contexts are made here")
    };
    match field {
        ExportField::Ip => record.subject.to_string().into(),
        ExportField::Network => match record.subject {
            Subject::Address(address) => IpNet::from(address).to_string().into(),
            Subject::Network(network) => network.to_string().into(),
        },
        ExportField::Tag => flat.tag.clone().into(),
        ExportField::CallbackProxy => flat.callback_proxy.clone().into(),
        ExportField::Infrastructure => flat.infrastructure.clone().into(),
        ExportField::Services => flat.services.to_vec().into(),
        ExportField::ClientCount => flat.clients.into(),
        ExportField::LocationCity => flat.place.city.clone().into(),
        ExportField::LocationState => flat.place.state.clone().into(),
        ExportField::LocationCountry => flat.place.country.clone().into(),
        ExportField::Organization | ExportField::Asn => panic!("of netblocks"),
    }
}

/// The fields in the order of the contract.
fn in_order(fields: &[ExportField]) -> Vec<ExportField> {
    let words = "ip network tag callbackProxy infrastructure services clientCount locationCity locationState locationCountry";
    let mut named = words.split(' ').map(|word| word.parse().expect(word));
    let by_default: fn(&ExportField) -> bool =
        |field| !matches!(field, ExportField::Network | ExportField::CallbackProxy);
    if fields.is_empty() {
        named.by_ref().filter(by_default).collect()
    } else {
        named
            .by_ref()
            .filter(|field| fields.contains(field))
            .collect()
    }
}

proptest! {
    #[test]
    fn csv_is_what_the_usual_library_writes(
        given in vec(record(), 0..8), fields in fields(), change in change(), header: bool,
    ) {
        let records = contexts(&given);
        let mut query = ExportQuery::all_of(Feed::Anonymous);
        (query.header, query.diff, query.fields) = (header, change.is_some(), fields);
        let fields = in_order(&query.fields);
        let mut expected = ::csv::Writer::from_writer(Vec::new());
        let more = change.map(|change| change.word().to_owned());
        if header {
            let names = fields.iter().map(|field| field.name());
            let names = names.chain(more.as_ref().map(|_| "diff"));
            expected.write_record(names).expect("in memory");
        }
        for record in &records {
            let cells = fields.iter().map(|field| match value(record, *field) {
                Value::Null => String::new(),
                Value::String(text) => text,
                other => other.to_string(),
            });
            expected.write_record(cells.chain(more.clone())).expect("in memory");
        }
        let expected = String::from_utf8(expected.into_inner().expect("in memory")).expect("text");
        prop_assert_eq!(table(&query, &records, change), expected);
    }

    #[test]
    fn json_is_what_a_compact_serializer_writes(
        given in vec(record(), 0..8), fields in fields(), change in change(),
    ) {
        let records = contexts(&given);
        let mut query = ExportQuery::all_of(Feed::Anonymous);
        (query.output, query.header, query.fields) = (Output::Json, true, fields);
        let fields = in_order(&query.fields);
        let object = |record: &ExportRecord<'_>| {
            let cells = fields.iter().map(|field| (field.name().to_owned(), value(record, *field)));
            let more = change.map(|change| ("diff".to_owned(), change.word().into()));
            cells.chain(more).collect::<Map<_, _>>()
        };
        let objects: Vec<_> = records.iter().map(object).collect();
        let expected = serde_json::to_string(&objects).expect("in memory");
        let expected = expected.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e");
        prop_assert_eq!(table(&query, &records, change), expected);
    }

    /// Addresses with equal values share a network, no two networks could be merged, and networks are sorted by address.
    #[test]
    fn collapsed_addresses_are_the_fewest_networks(said in proptest::collection::btree_map(0..64_u8, 0..3_u64, 0..64)) {
        let mut query = ExportQuery::all_of(Feed::Anonymous);
        query.fields = vec![ExportField::ClientCount, ExportField::Network];
        let columns = query.columns();
        let mut collapse = Collapse::of(CellWriter::of(&query), &columns);
        // In a shuffled order.
        for (last, clients) in said.iter().rev() {
            let address = Ipv4Addr::new(203, 0, 113, last.wrapping_mul(3) % 64 + 192);
            let flat = ExportRow { clients: Some(*clients), ..ExportRow::default() };
            let record = ExportRecord { subject: Subject::Address(address.into()), says: RecordContent::Context(&flat) };
            collapse.add(record).expect("in memory");
        }
        let mut bytes = Vec::new();
        let mut table = TableWriter::begin(&query, &columns, &mut bytes).expect("in memory");
        collapse.write(&mut table).expect("in memory");
        table.end().expect("in memory");
        let mut alike: BTreeMap<u64, Vec<IpNet>> = BTreeMap::new();
        for (last, clients) in &said {
            let address = Ipv4Addr::new(203, 0, 113, last.wrapping_mul(3) % 64 + 192);
            alike.entry(*clients).or_default().push(IpNet::V4(address.into()));
        }
        let mut expected: Vec<(IpNet, u64)> = alike
            .iter()
            .flat_map(|(clients, all)| IpNet::aggregate(all).into_iter().map(|network| (network, *clients)))
            .collect();
        expected.sort();
        let lines = expected.iter().map(|(network, clients)| format!("{network},{clients}"));
        let expected: Vec<String> = lines.collect();
        let text = String::from_utf8(bytes).expect("text");
        prop_assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_database_has_what_json_has_but_for_subjects_nulls_and_empty_lists(given in record(), change in change()) {
        let record = contexts(std::slice::from_ref(&given))[0];
        let columns = in_order(&[]);
        let fields = DatabaseFields::Columns(&columns);
        let mut networks = Networks::of(fields).expect("room");
        let mut batch = RowBatch::default();
        batch.add(fields, record).expect("small");
        networks.take(&batch, change).expect("in memory");
        let mut bytes = Vec::new();
        let about = DatabaseAbout {
            generated: "2026-11-20T03:00:00Z".parse().expect("an instant"),
            description: "Invented data".to_owned(),
            layout: DatabaseLayout::Service,
        };
        let count = networks.write(Feed::Anonymous, &about, &mut bytes).expect("in memory");
        prop_assert_eq!(count, 1);
        let reader = maxminddb::Reader::from_source(bytes).expect("a database");
        reader.verify().expect("by the letter");
        let found = reader.lookup(record.network().addr()).expect("a lookup");
        let cells = columns[1..].iter().map(|field| (field.name().to_owned(), value(&record, *field)));
        let more = change.map(|change| ("diff".to_owned(), change.word().into()));
        let is_there = |(_, value): &(String, Value)| !value.is_null() && value != &Value::Array(Vec::new());
        let mut expected: Map<_, _> = cells.chain(more).filter(is_there).collect();
        if expected.is_empty() {
            expected.insert("listed".to_owned(), true.into());
        }
        prop_assert_eq!(found.decode::<Value>().expect("a value"), Some(expected.into()));
    }
}

#[test]
fn netblocks_have_columns_of_their_own() {
    let mut query = ExportQuery::all_of(Feed::Dch);
    let hosting = Hosting::decode(&serde_json::json!({"organization": "Acme & \"Sons\""}));
    let hosting = hosting.expect("a netblock");
    let record = ExportRecord {
        subject: Subject::Network("198.18.0.0/23".parse().expect("network")),
        says: RecordContent::Hosting(&hosting),
    };
    let records = std::slice::from_ref(&record);
    assert_eq!(
        table(&query, records, None),
        "198.18.0.0/23,\"Acme & \"\"Sons\"\"\",\n"
    );
    query.output = Output::Json;
    assert_eq!(
        table(&query, records, None),
        r#"[{"network":"198.18.0.0/23","organization":"Acme \u0026 \"Sons\"","asn":null}]"#
    );
    query.fields = vec![ExportField::Asn, ExportField::Network];
    assert_eq!(
        table(&query, records, None),
        r#"[{"network":"198.18.0.0/23","asn":null}]"#
    );
    assert_eq!(record.cell(ExportField::Tag), cell::ExportCell::Null);
}

#[test]
fn a_network_takes_the_place_of_an_address_on_ipv6_types() {
    let mut query = ExportQuery::all_of(Feed::AnonymousIpv6);
    query.fields = vec![ExportField::Tag, ExportField::Ip];
    assert_eq!(query.columns(), [ExportField::Network, ExportField::Tag]);
    query.fields.clear();
    assert_eq!(query.columns()[0], ExportField::Network);
    assert_eq!(query.columns().len(), 8);
}

#[test]
fn records_of_residential_feeds_name_their_callback_proxy() {
    let named = |feed, output| {
        let mut query = ExportQuery::all_of(feed);
        query.output = output;
        query.columns().contains(&ExportField::CallbackProxy)
    };
    for feed in [Feed::AnonymousResidential, Feed::AnonymousResidentialIpv6] {
        assert!(
            named(feed, Output::Json) && named(feed, Output::Mmdb),
            "{feed}"
        );
        // The contract lists the columns of CSV.
        assert!(!named(feed, Output::Csv), "{feed}");
    }
    assert!(!named(Feed::Anonymous, Output::Json));
}
