use std::{fmt, io::Cursor};

use mmdb_writer::{MetadataPointers, Value, Writer};
use proptest::prelude::*;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

use super::*;

/// A database of so many networks, in which texts are pointed at.
fn database(networks: u32) -> Vec<u8> {
    let mut writer = Writer::builder("proof")
        .description(&[("en", "Invented data")])
        .build();
    for number in 0..networks {
        let address = std::net::Ipv4Addr::from(0xc612_0000 + number);
        let record = [
            ("number", Value::from(number)),
            ("tag", Value::from("ACME_VPN")),
            ("density", Value::from(f64::from(number))),
            ("listed", Value::from(true)),
            (
                "services",
                [format!("service of {number}"), "IPSEC".to_owned()]
                    .map(Value::from)
                    .into_iter()
                    .collect(),
            ),
        ];
        let record = record.map(|(key, value)| (key.to_owned(), value));
        let network = ipnet::IpNet::from(std::net::IpAddr::from(address));
        writer
            .insert_value(network, record.into_iter().collect())
            .expect("a network");
    }
    writer.to_bytes().expect("in memory")
}

/// What is wrong with a file.
fn fault(bytes: &[u8], extent: Extent) -> Option<String> {
    match check(&mut Cursor::new(bytes), extent, &|| false) {
        Ok(()) => None,
        Err(NotWhole::Damaged(why)) => Some(why.to_string()),
        Err(NotWhole::Unread(error)) => panic!("{error}"),
    }
}

const BOTH: [Extent; 2] = [Extent::Sample, Extent::All];

#[test]
fn a_whole_file_is_whole() {
    for networks in [0, 1, 9000] {
        for extent in BOTH {
            assert_eq!(fault(&database(networks), extent), None);
        }
    }
}

#[test]
fn a_file_that_is_cut_at_its_end_is_not_whole() {
    let whole = database(500);
    for cut in (1..=300).chain([whole.len() / 2, whole.len() - 20, whole.len()]) {
        let why = fault(&whole[..whole.len() - cut], Extent::Sample);
        assert!(why.is_some(), "{cut} bytes are missing");
    }
    let mut longer = whole;
    longer.push(0);
    let why = fault(&longer, Extent::Sample);
    assert_eq!(why.as_deref(), Some("its metadata are cut off or damaged"));
}

#[test]
fn a_file_without_a_part_of_its_middle_is_not_whole() {
    let whole = database(9000);
    let hole = 70_000;
    assert!(whole.len() > 6 * hole);
    for begin in (0..whole.len() - hole - 400).step_by(whole.len() / 97) {
        let holed = [&whole[..begin], &whole[begin + hole..]].concat();
        for extent in BOTH {
            assert!(fault(&holed, extent).is_some(), "from {begin} on");
        }
    }
}

/// The metadata of a database of one node without records, with these fields.
fn with_metadata(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = [&[0, 0, 1, 0, 0, 1][..], &[0; 16], MARKER].concat();
    bytes.push(7 << 5 | u8::try_from(fields.len()).expect("few"));
    for (name, value) in fields {
        bytes.extend(text(name));
        bytes.extend(value);
    }
    bytes
}

fn text(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).expect("short");
    assert!(length < 29);
    [&[2 << 5 | length], text.as_bytes()].concat()
}

fn required() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("node_count", vec![6 << 5 | 1, 1]),
        ("record_size", vec![5 << 5 | 1, 24]),
        ("ip_version", vec![5 << 5 | 1, 6]),
        ("database_type", text("proof")),
        ("binary_format_major_version", vec![5 << 5 | 1, 2]),
        ("binary_format_minor_version", vec![5 << 5]),
        ("build_epoch", vec![1, 2, 1]),
    ]
}

#[test]
fn description_and_languages_are_optional_and_the_rest_is_not() {
    let fields = required();
    assert_eq!(fault(&with_metadata(&fields), Extent::All), None);
    for left_out in 0..fields.len() {
        let mut fewer = fields.clone();
        let (name, _) = fewer.remove(left_out);
        assert!(
            fault(&with_metadata(&fewer), Extent::All).is_some(),
            "{name}"
        );
    }
    let (map, list) = (vec![7 << 5], vec![0, 4]);
    for (name, value, is_right) in [
        ("description", map.clone(), true),
        ("languages", list.clone(), true),
        ("description", list.clone(), false),
        ("languages", map, false),
        ("unknown", list, true),
    ] {
        let mut more = fields.clone();
        more.push((name, value));
        let why = fault(&with_metadata(&more), Extent::All);
        assert_eq!(why.is_none(), is_right, "{name}: {why:?}");
    }
    for (number, value) in [
        (0, vec![6 << 5]),
        (1, vec![5 << 5 | 1, 36]),
        (2, vec![5 << 5 | 1, 5]),
    ] {
        let mut other = fields.clone();
        other[number].1 = value;
        assert!(
            fault(&with_metadata(&other), Extent::All).is_some(),
            "{number}"
        );
    }
}

#[test]
fn values_that_lead_in_circles_or_blow_up_are_refused() {
    let with_data = |data: &[u8]| {
        let mut bytes = [&[0, 0, 17, 0, 0, 1][..], &[0; 16], data, MARKER].concat();
        let metadata = with_metadata(&required());
        bytes.extend(&metadata[22 + MARKER.len()..]);
        bytes
    };
    assert_eq!(fault(&with_data(&[2 << 5 | 1, b'x']), Extent::All), None);
    // A pointer to itself, and a list that holds itself.
    assert!(fault(&with_data(&[1 << 5, 0]), Extent::All).is_some());
    assert!(fault(&with_data(&[1, 4, 1 << 5, 0]), Extent::All).is_some());
    // Thirty lists of two pointers each to the next one: 2^30 values.
    let mut doubling = Vec::new();
    for next in 1..=30_u8 {
        doubling.extend([2, 4, 1 << 5, next * 6, 1 << 5, next * 6]);
    }
    doubling.extend([2 << 5 | 1, b'x']);
    let why = fault(&with_data(&doubling), Extent::All);
    assert_eq!(
        why.as_deref(),
        Some("a record in it is larger than readers take")
    );
    for data in [
        &[2 << 5 | 1, 0xff][..],
        &[2 << 5 | 2, b'x'],
        &[3 << 5 | 4, 0, 0, 0, 0],
        &[7 << 5 | 1, 6 << 5, 6 << 5],
    ] {
        assert!(fault(&with_data(data), Extent::All).is_some(), "{data:?}");
    }
}

#[test]
fn a_check_that_is_stopped_ends() {
    let whole = database(1);
    let stopped = check(&mut Cursor::new(whole), Extent::All, &|| true);
    let is_interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
    assert!(matches!(stopped, Err(NotWhole::Unread(error)) if is_interrupted(&error)));
}

#[test]
fn metadata_may_point() {
    let bytes = Writer::builder("proof")
        .description(&[("en", "proof")])
        .metadata_pointers(MetadataPointers::Enabled)
        .build()
        .to_bytes();
    assert_eq!(fault(&bytes.expect("in memory"), Extent::All), None);
}

/// A value of any type of the format, read to its end: JSON has neither bytes nor numbers of 128 bits, and a damaged byte may make either.
struct Anything;

impl<'de> Deserialize<'de> for Anything {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Anything {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self, A::Error> {
        while items.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Self, A::Error> {
        while pairs.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// No bytes make it panic or run for long, and what another reader finds faulty it does not find whole.
    #[test]
    fn no_bytes_are_too_much(
        networks in 0..40_u32,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        cut in 0..60_usize,
    ) {
        let mut bytes = database(networks);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(bytes.len() - cut);
        let found = fault(&bytes, Extent::All);
        if found.is_none() && let Ok(reader) = maxminddb::Reader::from_source(bytes) {
            for network in reader.networks(maxminddb::WithinOptions::default()).expect("networks") {
                // A tree that was damaged into a circle is no matter of values.
                let Ok(network) = network else { break };
                prop_assert!(network.decode::<Anything>().is_ok());
            }
        }
    }

    #[test]
    fn any_bytes_are_taken(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), marked: bool) {
        if marked {
            let middle = bytes.len() / 2;
            bytes.splice(middle..middle, MARKER.iter().copied());
        }
        prop_assert!(fault(&bytes, Extent::All).is_some());
    }
}
