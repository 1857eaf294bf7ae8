//! Databases indexed by address, in the `MaxMind` DB format 2.0, from records that are JSON.
//!
//! The store has a writer of its own, for millions of flat rows; this one takes any JSON, so that each checks the other. What both
//! keep to, since readers differ: scalars come before lists and maps, there is no empty list or map, a record without fields is
//! `{"listed": true}`, and IPv4 is also below `::ffff:0:0/96` and `2002::/16`, but not below `2001::/32`, where an address has the
//! relay's and not the client's bits first.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use ipnet::IpNet;
use jiff::Timestamp;
use serde_json::{Value, json};

/// What a database says of itself.
#[derive(Debug)]
pub(crate) struct Description {
    pub(crate) kind: String,
    pub(crate) text: String,
    /// When its data was put together. Readers in C refuse 0, the beginning of 1970.
    pub(crate) built: Timestamp,
}

/// More nodes and values than the format can number.
#[derive(Debug)]
pub(crate) struct TooLarge;

/// Appends a value.
type Put<'a> = &'a dyn Fn(&mut Data) -> Result<(), TooLarge>;

/// The number of bits before an IPv4 address.
const IPV4: u8 = 96;
/// The other prefixes of IPv4, each with its length: IPv4-mapped and 6to4.
const ALIASES: [(u128, u8); 2] = [(0xffff << 32, 96), (0x2002 << 112, 16)];

/// Writes a database. Of networks within networks the most specific answers.
///
/// # Errors
/// [`TooLarge`], far beyond this world.
pub(crate) fn written(
    description: &Description,
    mut entries: Vec<(IpNet, Value)>,
) -> Result<Vec<u8>, TooLarge> {
    // What is inserted later wins, so the large networks come first.
    entries.sort_by_key(|(network, _)| network.prefix_len());
    let (mut tree, mut data) = (Tree::default(), Data::default());
    for (network, record) in entries {
        let place = data.record(record)?;
        let (bits, length) = match network {
            IpNet::V4(network) => (
                u32::from(network.network()).into(),
                IPV4 + network.prefix_len(),
            ),
            IpNet::V6(network) => (network.network().into(), network.prefix_len()),
        };
        tree.insert(bits, length, Record::Data(place));
    }
    let mut tree = tree.merged();
    let ipv4 = tree.at(0, IPV4);
    for (bits, length) in ALIASES {
        if tree.at(bits, length) == Record::Nothing {
            tree.insert(bits, length, ipv4);
        }
    }
    let nodes = u32::try_from(tree.0.len()).map_err(|_| TooLarge)?;
    let (mut bytes, record_size) = tree.bytes(nodes, data.bytes.len())?;
    bytes.extend([0; 16]);
    bytes.extend(data.bytes);
    bytes.extend(b"\xab\xcd\xefMaxMind.com");
    bytes.extend(description.metadata(nodes, record_size)?);
    Ok(bytes)
}

impl Description {
    fn metadata(&self, nodes: u32, record_size: u16) -> Result<Vec<u8>, TooLarge> {
        let mut all = Data::default();
        all.begin(MAP, 9)?;
        let fields: [(&str, Put<'_>); 9] = [
            ("node_count", &|all| all.unsigned(U32, nodes.into())),
            ("record_size", &|all| all.unsigned(U16, record_size.into())),
            ("ip_version", &|all| all.unsigned(U16, 6)),
            ("database_type", &|all| all.inline_text(&self.kind)),
            ("languages", &|all| {
                all.begin(LIST, 1)?;
                all.inline_text("en")
            }),
            ("binary_format_major_version", &|all| all.unsigned(U16, 2)),
            ("binary_format_minor_version", &|all| all.unsigned(U16, 0)),
            ("build_epoch", &|all| {
                let seconds = u64::try_from(self.built.as_second()).unwrap_or(0);
                all.unsigned(U64, seconds)
            }),
            ("description", &|all| {
                all.begin(MAP, 1)?;
                all.inline_text("en")?;
                all.inline_text(&self.text)
            }),
        ];
        for (name, put) in fields {
            all.inline_text(name)?;
            put(&mut all)?;
        }
        Ok(all.bytes)
    }
}

/// One half of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Record {
    #[default]
    Nothing,
    Node(usize),
    /// A place in the data section.
    Data(u32),
}

/// The search tree: nodes of two records each, the root first.
#[derive(Debug)]
struct Tree(Vec<[Record; 2]>);

impl Default for Tree {
    fn default() -> Self {
        Self(vec![[Record::Nothing; 2]])
    }
}

impl Tree {
    /// Sets the record of a prefix, and with it that of everything below.
    fn insert(&mut self, bits: u128, length: u8, record: Record) {
        if length == 0 {
            self.0[0] = [record; 2];
            return;
        }
        let mut node = 0;
        for depth in 0..length - 1 {
            let half = half(bits, depth);
            node = match self.0[node][half] {
                Record::Node(below) => below,
                above => {
                    self.0.push([above; 2]);
                    let below = self.0.len() - 1;
                    self.0[node][half] = Record::Node(below);
                    below
                }
            };
        }
        self.0[node][half(bits, length - 1)] = record;
    }

    /// The record of a prefix, or that of the larger network around it.
    fn at(&self, bits: u128, length: u8) -> Record {
        let mut record = Record::Node(0);
        for depth in 0..length {
            let Record::Node(node) = record else { break };
            record = self.0[node][half(bits, depth)];
        }
        record
    }

    /// The same with one record for two halves of a network that are equal.
    fn merged(&self) -> Self {
        let mut merged = Self(Vec::new());
        let root = self.merge(0, &mut merged.0);
        if merged.0.is_empty() {
            merged.0.push([root; 2]);
        }
        merged
    }

    fn merge(&self, node: usize, into: &mut Vec<[Record; 2]>) -> Record {
        let place = into.len();
        into.push([Record::Nothing; 2]);
        let halves = self.0[node].map(|record| match record {
            Record::Node(below) => self.merge(below, into),
            other => other,
        });
        if halves[0] == halves[1] {
            into.truncate(place);
            return halves[0];
        }
        into[place] = halves;
        Record::Node(place)
    }

    /// The nodes as bytes, and the bits of a record.
    fn bytes(&self, nodes: u32, data: usize) -> Result<(Vec<u8>, u16), TooLarge> {
        let last = u64::from(nodes) + 16 + data as u64;
        let (bits, skipped) = if last < 1 << 24 { (24, 1) } else { (32, 0) };
        u32::try_from(last).map_err(|_| TooLarge)?;
        let mut bytes = Vec::with_capacity(self.0.len() * 8);
        for record in self.0.iter().flatten() {
            let number = match record {
                Record::Nothing => nodes,
                Record::Node(node) => u32::try_from(*node).map_err(|_| TooLarge)?,
                Record::Data(place) => nodes + 16 + place,
            };
            bytes.extend_from_slice(&number.to_be_bytes()[skipped..]);
        }
        Ok((bytes, bits))
    }
}

/// Which half of a node the bit at this depth chooses.
fn half(bits: u128, depth: u8) -> usize {
    usize::from(bits & (1 << (127 - depth)) != 0)
}

const POINTER: u8 = 1;
const TEXT: u8 = 2;
const DOUBLE: u8 = 3;
const U16: u8 = 5;
const U32: u8 = 6;
const MAP: u8 = 7;
const U64: u8 = 9;
const LIST: u8 = 11;
const TRUTH: u8 = 14;

/// The data section. Equal records are there once, and a text that was written before is pointed at.
#[derive(Debug, Default)]
struct Data {
    bytes: Vec<u8>,
    records: HashMap<String, u32, RandomState>,
    texts: HashMap<String, u32, RandomState>,
}

impl Data {
    /// The place of a record.
    fn record(&mut self, mut record: Value) -> Result<u32, TooLarge> {
        if !keep_something(&mut record) {
            record = json!({"listed": true});
        }
        let spelt = record.to_string();
        if let Some(place) = self.records.get(&spelt) {
            return Ok(*place);
        }
        let place = self.place()?;
        self.value(None, &record)?;
        self.records.insert(spelt, place);
        Ok(place)
    }

    fn place(&self) -> Result<u32, TooLarge> {
        u32::try_from(self.bytes.len()).map_err(|_| TooLarge)
    }

    /// A value, in the type that readers with fixed types expect of a field of this name.
    fn value(&mut self, field: Option<&str>, value: &Value) -> Result<(), TooLarge> {
        match value {
            Value::Null => Ok(()),
            Value::Bool(truth) => self.begin(TRUTH, usize::from(*truth)),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                self.begin(LIST, items.len())?;
                items.iter().try_for_each(|item| self.value(None, item))
            }
            Value::Object(fields) => {
                self.begin(MAP, fields.len())?;
                let is_scalar =
                    |(_, value): &(&String, &Value)| !value.is_array() && !value.is_object();
                let (scalars, others): (Vec<_>, Vec<_>) = fields.iter().partition(is_scalar);
                scalars
                    .into_iter()
                    .chain(others)
                    .try_for_each(|(name, value)| {
                        self.text(name)?;
                        self.value(Some(name), value)
                    })
            }
            Value::Number(number) => {
                let is_fraction = matches!(field, Some("density" | "latitude" | "longitude"));
                let is_short = matches!(field, Some("accuracy_radius"));
                match number.as_u64().filter(|_| !is_fraction) {
                    Some(short) if is_short && u16::try_from(short).is_ok() => {
                        self.unsigned(U16, short)
                    }
                    Some(usual) if u32::try_from(usual).is_ok() => self.unsigned(U32, usual),
                    Some(long) => self.unsigned(U64, long),
                    None => {
                        self.begin(DOUBLE, 8)?;
                        let number = number.as_f64().ok_or(TooLarge)?;
                        self.bytes.extend(number.to_be_bytes());
                        Ok(())
                    }
                }
            }
        }
    }

    fn text(&mut self, text: &str) -> Result<(), TooLarge> {
        if let Some(place) = self.texts.get(text) {
            // The longest form of a pointer, with all of it in four bytes.
            self.bytes.push(POINTER << 5 | 3 << 3);
            self.bytes.extend(place.to_be_bytes());
            return Ok(());
        }
        let place = self.place()?;
        if text.len() > 4 {
            self.texts.insert(text.to_owned(), place);
        }
        self.inline_text(text)
    }

    fn inline_text(&mut self, text: &str) -> Result<(), TooLarge> {
        self.begin(TEXT, text.len())?;
        self.bytes.extend(text.as_bytes());
        Ok(())
    }

    fn unsigned(&mut self, kind: u8, number: u64) -> Result<(), TooLarge> {
        let bytes = number.to_be_bytes();
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        self.begin(kind, bytes.len() - zeros)?;
        self.bytes.extend(&bytes[zeros..]);
        Ok(())
    }

    /// The type of a value and its size, which for lists and maps is the number of their items.
    fn begin(&mut self, kind: u8, size: usize) -> Result<(), TooLarge> {
        let (first, second) = if kind < 8 {
            (kind << 5, None)
        } else {
            (0, Some(kind - 7))
        };
        let size = u32::try_from(size).map_err(|_| TooLarge)?;
        let (form, rest, bytes) = match size {
            0..29 => (size, 0, 0),
            29..285 => (29, size - 29, 1),
            285..65_821 => (30, size - 285, 2),
            65_821..16_843_037 => (31, size - 65_821, 3),
            _ => return Err(TooLarge),
        };
        self.bytes.push(first | form.to_be_bytes()[3]);
        self.bytes.extend(second);
        self.bytes.extend(&rest.to_be_bytes()[4 - bytes..]);
        Ok(())
    }
}

/// Takes nulls out of a value, which the format does not have, and lists and maps that hold nothing; returns whether it holds something.
fn keep_something(value: &mut Value) -> bool {
    match value {
        Value::Null => false,
        Value::Array(items) => {
            items.retain_mut(keep_something);
            !items.is_empty()
        }
        Value::Object(fields) => {
            fields.retain(|_, value| keep_something(value));
            !fields.is_empty()
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use maxminddb::{Reader, WithinOptions};
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn read(entries: &[(&str, Value)]) -> Reader<Vec<u8>> {
        let description = Description {
            kind: "demo".to_owned(),
            text: "Invented data".to_owned(),
            built: "2026-11-20T03:00:00Z".parse().expect("an instant"),
        };
        let entries = entries.iter().map(|(network, record)| {
            let network = network.parse().expect("a network");
            (network, record.clone())
        });
        let entries: Vec<(IpNet, Value)> = entries.collect();
        let bytes = written(&description, entries.clone()).expect("small");
        // The same input gives the same bytes.
        assert_eq!(written(&description, entries).expect("small"), bytes);
        let reader = Reader::from_source(bytes).expect("a database");
        reader.verify().expect("by the letter");
        reader
    }

    fn found(reader: &Reader<Vec<u8>>, address: &str) -> Option<Value> {
        let found = reader.lookup(address.parse().expect(address));
        found.expect("a lookup").decode().expect("a value")
    }

    #[test]
    fn the_most_specific_network_answers_and_ipv4_is_not_below_teredo() {
        let reader = read(&[
            ("198.51.100.0/24", json!({"n": 1})),
            ("198.51.100.77/32", json!({"n": 2})),
            ("2001:db8::/32", json!({"n": 3})),
            ("2001:db8:0:1::/64", json!({"n": 4})),
        ]);
        for (address, number) in [
            ("198.51.100.78", Some(1)),
            ("198.51.100.77", Some(2)),
            ("::ffff:198.51.100.77", Some(2)),
            ("2002:c633:644d::", Some(2)),
            ("2001:0:c633:644d::", None),
            ("2001:db8::1", Some(3)),
            ("2001:db8:0:1::9", Some(4)),
            ("203.0.113.1", None),
        ] {
            let expected = number.map(|number| json!({"n": number}));
            assert_eq!(found(&reader, address), expected, "{address}");
        }
        assert_eq!(reader.metadata().build_epoch, 1_795_143_600);
        assert_eq!(reader.metadata().description["en"], "Invented data");
    }

    #[test]
    fn no_reader_meets_what_it_stumbles_over() {
        let reader = read(&[
            (
                "192.0.2.1/32",
                json!({"services": [], "as": {"o": null}, "tunnels": [{"exits": []}], "tag": "ACME_VPN"}),
            ),
            ("192.0.2.2/32", json!({"client": {}})),
        ]);
        assert_eq!(
            found(&reader, "192.0.2.1"),
            Some(json!({"tag": "ACME_VPN"}))
        );
        assert_eq!(found(&reader, "192.0.2.2"), Some(json!({"listed": true})));
        let all = json!({"risks": ["TUNNEL"], "as": {"names": ["x"], "number": 1}, "z": "scalar"});
        let mut data = Data::default();
        data.record(all).expect("small");
        let at = |text: &str| {
            let mut places = data.bytes.windows(text.len());
            places.position(|window| window == text.as_bytes())
        };
        assert!(at("scalar") < at("risks") && at("number") < at("names"));
    }

    #[test]
    fn numbers_have_the_width_that_typed_readers_expect() {
        let mut data = Data::default();
        data.record(
            json!({"accuracy_radius": 200, "geoname_id": 200, "density": 1, "latitude": 52.5}),
        )
        .expect("small");
        let kind = |name: &str| {
            let places = data.bytes.windows(name.len());
            let mut ends = places
                .enumerate()
                .filter(|(_, window)| *window == name.as_bytes());
            let end = ends.next().expect("the name").0 + name.len();
            data.bytes[end] >> 5
        };
        assert_eq!(kind("accuracy_radius"), U16);
        assert_eq!(kind("geoname_id"), U32);
        assert_eq!((kind("density"), kind("latitude")), (DOUBLE, DOUBLE));
    }

    proptest! {
        /// Whatever the networks, each listed one says what its most specific entry says.
        #[test]
        fn it_lists_what_was_inserted(told in vec((any::<u8>(), 24..=32_u8, 0..4_u64, any::<bool>()), 0..24)) {
            let entries = told.iter().map(|(last, length, number, is_v6)| {
                let network = if *is_v6 {
                    format!("2001:db8::{last:x}00/{}", length + 88)
                } else {
                    format!("198.18.{}.{last}/{length}", last & 1)
                };
                (network, json!({"n": number, "text": "long enough to point at", "l": ["x", number]}))
            });
            let entries: Vec<(String, Value)> = entries.collect();
            let texts: Vec<(&str, Value)> = entries.iter().map(|(network, record)| (network.as_str(), record.clone())).collect();
            let reader = read(&texts);
            let nets: Vec<(IpNet, &Value)> = entries.iter()
                .map(|(network, record)| (network.parse::<IpNet>().expect("network").trunc(), record))
                .collect();
            let mut listed = 0;
            for network in reader.networks(WithinOptions::default()).expect("networks") {
                let network = network.expect("a network");
                let address = network.network().expect("a network").ip();
                let expected = nets.iter().filter(|(network, _)| network.contains(&address)).max_by_key(|(network, _)| network.prefix_len());
                let said: Option<Value> = network.decode().expect("a value");
                prop_assert_eq!(said.as_ref(), expected.map(|(_, record)| *record));
                listed += 1;
            }
            prop_assert_eq!(listed > 0, !told.is_empty());
        }
    }
}
