//! The reader gives back what was indexed.

use std::{cmp::Reverse, collections::BTreeMap, fs, net::IpAddr};

use serde_json::Value;

use super::{Reader, orders::Network};
use crate::index::{
    feeds::Feed,
    fixture::{FILE, Fixture},
    generator::{About, Generator},
    golden::{GOLDEN, LINES},
    many::{self, MANY, RECORDS},
};

#[test]
fn a_stranger_reads_the_golden_file() {
    let file = fs::read(GOLDEN).expect("the golden file");
    let file = Reader::open(&file).expect("an index");
    assert_eq!(file.records, 12);
    let lines = file.lines().expect("lines");
    assert_eq!(lines, LINES.map(|line| line.as_bytes().to_vec()));

    let address = |text: &str| text.parse().expect(text);
    for (rows, right) in [
        (file.postings("tag", "ACME_VPN"), vec![0, 8, 10]),
        (file.postings("cc", "NL"), vec![0, 2, 3]),
        (file.postings("cc", "BE"), vec![]),
        (file.postings("org", "Second"), vec![1]),
        (file.attributed(), vec![0, 8]),
        (file.rows_of_entry(address("198.51.100.70")), vec![0]),
        (file.rows_of_unindexed("entry", "2001:DB8::1"), vec![8]),
        (file.rows_of_address(address("198.51.100.7")), vec![0, 11]),
        (file.rows_of_address(address("198.51.100.6")), vec![]),
        (file.rows_of_address(address("192.0.2.1")), vec![4]),
    ] {
        assert_eq!(rows, Some(right));
    }

    let network = |first: &str, length, parent, row| Network {
        first: first.parse().expect(first),
        length,
        is_address: length == 128,
        parent,
        row,
    };
    let networks = vec![
        network("198.51.100.0", 24, None, 5),
        network("2001:db8::", 32, None, 6),
        network("2001:db8:1::", 48, Some(1), 7),
        network("2001:db8:1::5", 128, Some(2), 8),
    ];
    assert_eq!(file.networks(), Some(networks));

    let by_address = [4, 5, 0, 11, 9, 1, 2, 3, 6, 7, 8, 10];
    assert_eq!(file.rows_by_address(), Some(by_address.to_vec()));
    let runs = vec![(14, vec![0]), (3, vec![2, 3, 4])];
    assert_eq!(file.rows_by_clients(0), Some(runs));
    let order = [(14, 2), (3, 0), (3, 6), (3, 7)];
    let order = order
        .into_iter()
        .chain([1, 3, 4, 5, 8, 9, 10, 11].map(|place| (0, place)));
    for (position, (clients, place)) in (0..).zip(order) {
        assert_eq!(file.at_position(position), Some((clients, place)));
        assert_eq!(file.position(clients, place), Some(position));
    }
    assert_eq!(file.at_position(12), None);
    assert_eq!(file.position(3, 1), None);
    hashes_are_of_the_lines(&file);
}

#[test]
fn checksums_cover_every_byte() {
    let mut file = fs::read(GOLDEN).expect("the golden file");
    for place in 0..file.len() {
        file[place] ^= 1;
        assert!(Reader::open(&file).is_none(), "byte {place}");
        file[place] ^= 1;
        assert!(Reader::open(&file[..place]).is_none(), "cut at {place}");
    }
    assert!(Reader::open(&file).is_some());
}

/// Addresses, networks and records about neither. Some addresses and networks have several records, networks nest, and numbers of clients
/// repeat.
fn feed() -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    for number in 0..2_500_u32 {
        let [upper, lower] = [number * 7 % 53, number * 11 % 13];
        let clients = match number % 19 {
            18 => String::new(),
            count => format!(r#","client":{{"count":{count}}}"#),
        };
        let about = match number % 100 {
            97 => format!(r#""tag":"TAG_{number}""#),
            98 => format!(
                r#""network":"198.18.{}.0/{}""#,
                upper & 0xf0,
                20 + lower % 5
            ),
            99 => format!(r#""network":"198.18.{upper}.{lower}/32""#),
            _ => format!(r#""ip":"198.18.{upper}.{lower}""#),
        };
        let tunnels = match number % 10 {
            3 => r#","tunnels":[{"operator":"ACME_VPN","type":"VPN","entries":["203.0.113.9"]}]"#,
            _ => "",
        };
        let line = format!(r#"{{{about}{clients},"location":{{"country":"NL"}}{tunnels}}}"#);
        lines.push(line.into_bytes());
    }
    for (about, count) in [(About::Addresses, 300), (About::Networks, 200)] {
        let generator = Generator::new(about, 8, count);
        for number in generator.numbers() {
            let mut line = Vec::new();
            generator.line(number, &mut line);
            line.pop();
            lines.push(line);
        }
    }
    lines.push(br#"{"ip":"198.18.0.1","ip":"198.18.0.1","text":"\u0041"}"#.to_vec());
    let mut shuffled: Vec<_> = (0_usize..).zip(lines).collect();
    shuffled.sort_by_key(|(number, _)| number * 1_299_709 % 3_001);
    shuffled.into_iter().map(|(_, line)| line).collect()
}

/// What a record is about. Records about nothing come last.
fn about(line: &Value) -> (bool, Option<(IpAddr, u8)>) {
    let text = line["ip"].as_str().or(line["network"].as_str());
    let about = text.map(|text| {
        let (first, length) = text.split_once('/').unwrap_or((text, ""));
        let first: IpAddr = first.parse().expect(text);
        let whole = if first.is_ipv4() { 32 } else { 128 };
        (first, length.parse().unwrap_or(whole))
    });
    (about.is_none(), about)
}

#[test]
fn a_stranger_reads_a_generated_feed() {
    let lines = feed();
    let fixture = Fixture::of(&Feed::plain(lines.clone()));
    let file = fs::read(fixture.dir.path().join(FILE)).expect("the index");
    let file = Reader::open(&file).expect("an index");
    assert!(file.lines().expect("lines") == lines);

    let values: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_slice(line).expect("JSON"))
        .collect();
    let rows = |wanted: &dyn Fn(&Value) -> bool| -> Vec<u32> {
        let rows = (0..).zip(&values).filter(|(_, line)| wanted(line));
        rows.map(|(row, _)| row).collect()
    };
    let operators = |line: &Value, name: &str| {
        let tunnels = line["tunnels"].as_array().map(Vec::as_slice);
        tunnels
            .unwrap_or_default()
            .iter()
            .any(|tunnel| tunnel["operator"] == name)
    };
    let in_country = rows(&|line| line["location"]["country"] == "NL");
    assert!(in_country.len() > 2_048, "kept as bits");
    assert_eq!(file.postings("cc", "NL"), Some(in_country));
    let tagged = rows(&|line| operators(line, "ACME_VPN"));
    assert_eq!(tagged.len(), 250);
    assert_eq!(file.postings("tag", "ACME_VPN"), Some(tagged.clone()));
    assert_eq!(file.rows_of_entry([203, 0, 113, 9].into()), Some(tagged));

    let mut by_address = rows(&|_| true);
    let about: Vec<_> = values.iter().map(about).collect();
    by_address.sort_by_key(|row| (about[*row as usize], *row));
    assert_eq!(file.rows_by_address(), Some(by_address));
    for (_, about) in about.iter().step_by(7) {
        if let Some((IpAddr::V4(address), 32)) = about {
            let ip = Value::from(address.to_string());
            assert_eq!(
                file.rows_of_address(*address),
                Some(rows(&|line| line["ip"] == ip))
            );
        }
    }
    hashes_are_of_the_lines(&file);
    networks_have_their_parents(&file, &values);
    networks_that_cover_are_found(&file);
    clients_are_in_order(&file, &values);
}

#[test]
fn a_stranger_reads_several_chunks_and_pieces() {
    let file = fs::read(MANY.1.path().join(FILE)).expect("the index");
    let file = Reader::open(&file).expect("an index");
    for row in (0..RECORDS).step_by(1_499) {
        let line = file.line(row).expect("a record");
        assert_eq!(String::from_utf8_lossy(&line), many::line(row));
        if let IpAddr::V4(address) = many::address(row) {
            assert_eq!(file.rows_of_address(address), Some(vec![row]));
        }
    }
    let in_belgium: Vec<u32> = (1..RECORDS).step_by(3).collect();
    assert_eq!(file.postings("cc", "BE"), Some(in_belgium));

    let mut by_address: Vec<u32> = (0..RECORDS).collect();
    by_address.sort_by_key(|row| many::address(*row));
    assert!(file.rows_by_address().as_ref() == Some(&by_address));
    let mut by_clients: Vec<u32> = by_address.clone();
    by_clients.sort_by_key(|row| Reverse(many::clients(*row)));
    for (position, row) in (0..).zip(by_clients).step_by(1_499) {
        let (clients, place) = file.at_position(position).expect("a record");
        let found = (clients, by_address[place as usize]);
        assert_eq!(found, (many::clients(row).into(), row));
        assert_eq!(file.position(clients, place), Some(position));
    }
}

fn hashes_are_of_the_lines(file: &Reader) {
    let hashes = file.hashes().expect("hashes");
    assert_eq!(hashes.len() as u64, file.records);
    for (row, hash, bits) in hashes {
        let expected = file.hash(row).expect("a record");
        assert_eq!(hash, expected & bits, "row {row}");
    }
}

fn networks_have_their_parents(file: &Reader, values: &[Value]) {
    let networks = file.networks().expect("networks");
    let alike =
        |pair: &[Network]| (pair[0].first, pair[0].length) == (pair[1].first, pair[1].length);
    assert!(networks.windows(2).any(alike), "one network, two records");
    let has_address = |network: &Network| match network.first {
        IpAddr::V4(first) if network.length == 32 => file.rows_of_address(first) != Some(vec![]),
        _ => false,
    };
    assert!(networks.iter().any(has_address), "an address and its /32");
    for network in &networks {
        let larger = |(_, other): &(u32, &Network)| {
            other.length < network.length && other.covers(network.first)
        };
        let covering = (0..).zip(&networks).filter(larger);
        let nearest = covering.max_by_key(|(place, other)| (other.length, Reverse(*place)));
        assert_eq!(
            network.parent,
            nearest.map(|(place, _)| place),
            "{network:?}"
        );
        let is_address = values[network.row as usize]["ip"]
            .as_str()
            .is_some_and(|ip| !ip.contains('/'));
        assert_eq!(network.is_address, is_address, "{network:?}");
    }
}

fn networks_that_cover_are_found(file: &Reader) {
    let networks = file.networks().expect("networks");
    let firsts = networks.iter().step_by(9).map(|network| network.first);
    let others = [
        "198.18.35.200",
        "198.18.255.1",
        "192.0.2.1",
        "2001:db8::1",
        "::",
    ];
    for address in firsts.chain(others.map(|text| text.parse().expect(text))) {
        let covering = networks.iter().filter(|network| network.covers(address));
        let mut covering: Vec<_> = covering.cloned().collect();
        covering.sort_by_key(|network| Reverse(network.length));
        assert_eq!(file.covering(address), Some(covering), "{address}");
    }
}

fn clients_are_in_order(file: &Reader, values: &[Value]) {
    let clients = |row: u32| values[row as usize]["client"]["count"].as_u64();
    let rows = 0..u32::try_from(values.len()).expect("few");
    let mut runs: BTreeMap<_, Vec<u16>> = BTreeMap::new();
    for row in rows.clone() {
        if let Some(clients) = clients(row) {
            let row = row.try_into().expect("one chunk");
            runs.entry(clients).or_default().push(row);
        }
    }
    let runs = runs.into_iter().rev().collect();
    assert_eq!(file.rows_by_clients(0), Some(runs));

    let about: Vec<_> = values.iter().map(about).collect();
    let mut sorted: Vec<u32> = rows.collect();
    let key = |row: u32| (Reverse(clients(row).unwrap_or(0)), about[row as usize], row);
    sorted.sort_by_key(|row| key(*row));
    let by_address = file.rows_by_address().expect("rows");
    for (position, row) in (0..).zip(sorted) {
        let (clients, place) = file.at_position(position).expect("a record");
        assert_eq!(
            (Reverse(clients), by_address[place as usize]),
            (key(row).0, row)
        );
        if position % 17 == 0 {
            assert_eq!(file.position(clients, place), Some(position));
        }
    }
}
