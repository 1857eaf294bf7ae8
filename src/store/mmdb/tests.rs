use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use maxminddb::Reader;
use proptest::{collection::vec, prelude::*};
use serde_json::{Value, json};

use super::*;

type NetworkValue = (IpNet, Value);

fn about() -> About<'static> {
    About {
        kind: "proof",
        description: "Invented data",
        built: "2026-11-20T12:00:00Z".parse().expect("instant"),
    }
}

fn put(values: &mut ValueWriter, value: &Value) -> Offset {
    let mut known = |value: &Value| {
        let mut spelt = Vec::new();
        match value {
            Value::String(text) => spell_text(text, &mut spelt),
            texts => {
                let texts = texts.as_array()?.iter();
                let texts: Vec<&str> = texts.map(|text| text.as_str().expect("text")).collect();
                spell_texts(&texts, &mut spelt);
            }
        }
        Some(values.known(&spelt).expect("room"))
    };
    let fields = value.as_object().expect("a map").iter();
    let fields: Vec<_> = fields
        .map(|(key, value)| (known(&key.as_str().into()), known(value), value))
        .collect();
    let mut map = values.map();
    for (key, known, value) in &fields {
        let key = key.as_ref().expect("a text");
        match known {
            Some(known) => map.known(key, known),
            None => map.number(key, value.as_u64().expect("a number")),
        }
    }
    map.end().expect("room")
}

fn written(told: &[NetworkValue]) -> Reader<Vec<u8>> {
    let mut database = Database::default();
    for (network, value) in told {
        let value = put(&mut database.values, value);
        database.insert(*network, value);
    }
    let mut bytes = Vec::new();
    database.write(&about(), &mut bytes).expect("in memory");
    let reader = Reader::from_source(bytes).expect("a database");
    reader.verify().expect("by the letter");
    reader
}

fn said(reader: &Reader<Vec<u8>>, address: IpAddr) -> Option<Value> {
    let found = reader.lookup(address).expect("a lookup");
    found.decode().expect("a value")
}

/// The value of the most specific network; the later one of two equal networks.
fn expected(told: &[NetworkValue], address: IpAddr) -> Option<Value> {
    told.iter()
        .filter(|(network, _)| network.contains(&address))
        .max_by_key(|(network, _)| network.prefix_len())
        .map(|(_, value)| value.clone())
}

/// All networks, as a reader lists them.
fn listed(reader: &Reader<Vec<u8>>) -> BTreeMap<String, Value> {
    let networks = reader.networks(maxminddb::WithinOptions::default());
    networks
        .expect("networks")
        .map(|found| {
            let found = found.expect("a network");
            let value = found.decode().expect("a value").expect("there");
            (found.network().expect("a network").to_string(), value)
        })
        .collect()
}

fn net(text: &str) -> IpNet {
    text.parse().expect(text)
}

#[test]
fn every_address_is_told_what_the_most_specific_network_says() {
    let told = [
        (net("2001:db8::/32"), json!({"n": 1})),
        (
            net("2001:db8:0:8000::/49"),
            json!({"n": 2, "t": "ACME_VPN"}),
        ),
        (net("2001:db8:0:8000::1/128"), json!({})),
        (
            net("198.51.100.0/24"),
            json!({"l": ["IPSEC", "OPENVPN"], "t": "ACME_VPN"}),
        ),
        (
            net("198.51.100.77/32"),
            json!({"l": [], "n": 5_000_000_000_u64}),
        ),
    ];
    let reader = written(&told);
    for (address, value) in [
        ("2001:db8::1", json!({"n": 1})),
        ("2001:db8:0:8000::", json!({"n": 2, "t": "ACME_VPN"})),
        ("2001:db8:0:8000::1", json!({})),
        (
            "198.51.100.78",
            json!({"l": ["IPSEC", "OPENVPN"], "t": "ACME_VPN"}),
        ),
        ("198.51.100.77", json!({"l": [], "n": 5_000_000_000_u64})),
        (
            "::ffff:198.51.100.77",
            json!({"l": [], "n": 5_000_000_000_u64}),
        ),
        (
            "2002:c633:644d::1",
            json!({"l": [], "n": 5_000_000_000_u64}),
        ),
    ] {
        let address = address.parse().expect(address);
        assert_eq!(said(&reader, address), Some(value), "{address}");
    }
    // A Teredo address has the server where 6to4 has the address.
    for address in [
        "2001:db9::",
        "198.51.101.0",
        "::",
        "2002:c633:6500::",
        "2001:0:c633:644d::1",
    ] {
        assert_eq!(said(&reader, address.parse().expect(address)), None);
    }
    let metadata = reader.metadata();
    assert_eq!(
        (
            metadata.database_type.as_str(),
            metadata.ip_version,
            metadata.record_size
        ),
        ("proof", 6, 24)
    );
    assert_eq!(metadata.build_epoch, 1_795_176_000);
    assert_eq!(metadata.description["en"], "Invented data");
    assert_eq!(metadata.languages, ["en"]);
}

#[test]
fn an_empty_database_and_one_of_everything_can_be_read() {
    assert_eq!(listed(&written(&[])), BTreeMap::new());
    let all = written(&[(net("::/0"), json!({"n": 0}))]);
    assert_eq!(
        said(&all, IpAddr::V6(Ipv6Addr::UNSPECIFIED)),
        Some(json!({"n": 0}))
    );
    assert_eq!(
        said(&all, IpAddr::V4(Ipv4Addr::BROADCAST)),
        Some(json!({"n": 0}))
    );
    let v4 = written(&[(net("0.0.0.0/0"), json!({"n": 7}))]);
    assert_eq!(
        said(&v4, "::ffff:192.0.2.1".parse().expect("address")),
        Some(json!({"n": 7}))
    );
    assert_eq!(said(&v4, "2001:db8::".parse().expect("address")), None);
}

#[test]
fn networks_of_the_database_go_before_other_spellings_of_ipv4() {
    let reader = written(&[
        (net("192.0.2.0/24"), json!({"n": 4})),
        (net("2002:c000:0200::/40"), json!({"n": 6})),
        (net("2001::/16"), json!({"n": 16})),
    ]);
    for (address, number) in [
        ("2002:c000:201::", 6),
        ("2001:0:c000:0201::", 16),
        ("::ffff:192.0.2.1", 4),
    ] {
        assert_eq!(
            said(&reader, address.parse().expect(address)),
            Some(json!({"n": number})),
            "{address}"
        );
    }
}

#[test]
fn texts_of_every_length_and_far_pointers_are_read_back() {
    let lengths = [0, 1, 2, 3, 28, 29, 284, 285, 65_820, 65_821, 600_000];
    let told: Vec<NetworkValue> = (0_u32..)
        .zip(lengths)
        .chain([(100, 3)])
        .map(|(number, length)| {
            let network = IpNet::from(IpAddr::from(Ipv4Addr::from(0xc612_0000 + number)));
            // The texts differ from each other, and the last map points beyond all of them.
            let text = format!("{number}").repeat(length);
            (
                network,
                json!({"text": text[..length], "again": "ACME_VPN"}),
            )
        })
        .collect();
    let reader = written(&told);
    for (network, value) in &told {
        assert_eq!(said(&reader, network.addr()).as_ref(), Some(value));
    }
}

/// The record size depends on the size of the database; the values must not.
#[test]
fn larger_records_say_the_same() {
    for (bits, length) in [(24, 0), (28, 20 << 20), (32, 270 << 20)] {
        let mut values = ValueWriter::default();
        // Never read: this part only increases the offsets.
        let far = put(&mut values, &json!({"tag": "ACME_VPN"}));
        let mut entries = vec![
            NetworkEntry::of(net("198.51.100.0/25"), far),
            NetworkEntry::of(net("2001:db8::/48"), far),
        ];
        let tree = Tree::of(&mut entries);
        let [inner, maps] = values.parts();
        let mut bytes = Vec::new();
        assert_eq!(
            tree.write(inner.len() + maps.len() + length, inner.len(), &mut bytes)
                .expect("in memory"),
            Some(bits)
        );
        bytes.extend(SEPARATOR);
        bytes.extend([inner, maps].concat());
        bytes.extend(MARKER);
        bytes.extend(metadata(&about(), tree.nodes(), bits));
        let reader = Reader::from_source(bytes).expect("a database");
        reader.verify().expect("by the letter");
        for address in ["198.51.100.127", "2001:db8::ffff", "::ffff:198.51.100.0"] {
            assert_eq!(
                said(&reader, address.parse().expect(address)),
                Some(json!({"tag": "ACME_VPN"})),
                "{bits} {address}"
            );
        }
        assert_eq!(
            said(&reader, "198.51.100.128".parse().expect("address")),
            None
        );
    }
    let tree = Tree::of(&mut Vec::new());
    assert_eq!(
        tree.write(1 << 32, 0, &mut Vec::new()).expect("in memory"),
        None
    );
}

/// The value in the types of the other writer.
fn foreign(value: &Value) -> mmdb_writer::Value {
    match value {
        Value::String(text) => text.clone().into(),
        Value::Array(items) => items.iter().map(foreign).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, field)| (key.clone(), foreign(field)))
            .collect(),
        number => u32::try_from(number.as_u64().expect("a number"))
            .expect("a small one")
            .into(),
    }
}

/// Few bits vary, so that networks overlap, touch and repeat.
fn some_network() -> impl Strategy<Value = IpNet> {
    let v4 = (any::<u8>(), any::<u8>(), 14..=32_u8).prop_map(|(high, low, length)| {
        let address = Ipv4Addr::new(198, 18 + (high & 1), high & 0xc0, low & 0x87);
        IpNet::new(address.into(), length)
            .expect("a length")
            .trunc()
    });
    let v6 = (any::<u16>(), 30..=128_u8).prop_map(|(low, length)| {
        let (high, low) = (low & 0xc000, low & 3);
        let address = Ipv6Addr::new(0x2001, 0xdb8, high, 0, 0, 0, 0, low);
        IpNet::new(address.into(), length)
            .expect("a length")
            .trunc()
    });
    prop_oneof![v4, v6]
}

fn some_value() -> impl Strategy<Value = Value> {
    (0..4_u64, "[A-Z]{0,4}", vec("[A-Z]{1,3}", 0..3))
        .prop_map(|(number, text, list)| json!({"n": number, "t": text, "l": list}))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn it_says_what_a_plain_search_says(told in vec((some_network(), some_value()), 0..24)) {
        let reader = written(&told);
        let edges = told.iter().flat_map(|(network, _)| {
            let (first, last) = (network.network(), network.broadcast());
            let next = match last {
                IpAddr::V4(last) => IpAddr::V4((u32::from(last).wrapping_add(1)).into()),
                IpAddr::V6(last) => IpAddr::V6((u128::from(last).wrapping_add(1)).into()),
            };
            [first, last, next]
        });
        for address in edges {
            prop_assert_eq!(said(&reader, address), expected(&told, address), "{}", address);
        }
    }

    /// The other writer, which the embedded service uses, yields the same networks.
    #[test]
    fn it_lists_what_another_writer_lists(told in vec((some_network(), some_value()), 0..24)) {
        let aliasing = mmdb_writer::Ipv4Aliasing::Disabled;
        let mut other = mmdb_writer::Writer::builder("proof").ipv4_aliasing(aliasing).build();
        let mut ordered = told.clone();
        ordered.sort_by_key(|(network, _)| network.prefix_len());
        for (network, value) in ordered {
            other.insert_value(network, foreign(&value)).expect("a value");
        }
        let other = Reader::from_source(other.to_bytes().expect("bytes")).expect("a database");
        prop_assert_eq!(listed(&written(&told)), listed(&other));
    }
}
