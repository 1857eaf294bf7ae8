//! The generator's feeds are what their documentation says: what is measured and tested on them depends on it.

use std::{
    collections::{HashMap, HashSet},
    net::Ipv4Addr,
};

use ipnet::IpNet;
use ipspect::model::{ByAddress, Document, Keyword, Subject, Terms};

use super::{
    generator::{About, Generator},
    naive::network_of,
};

const RECORDS: u64 = 4000;

fn lines(generator: &Generator) -> Vec<String> {
    let mut bytes = Vec::new();
    let count = generator.write(&mut bytes).expect("memory");
    let text = String::from_utf8(bytes).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len() as u64, count);
    lines
}

fn terms(line: &str) -> Terms {
    Terms::of(Document::read(line.as_bytes()).expect(line).value())
}

/// Lines by what they are about, which no two of them share.
fn by_subject(lines: &[String]) -> HashMap<Subject, &str> {
    let subject = |line: &String| terms(line).subject.expect("a subject");
    let all: HashMap<Subject, &str> = lines
        .iter()
        .map(|line| (subject(line), line.as_str()))
        .collect();
    assert_eq!(all.len(), lines.len());
    all
}

#[test]
fn the_same_seed_and_count_give_the_same_feed() {
    let feed = |seed| lines(&Generator::new(About::Addresses, seed, 300));
    assert!(feed(1) == feed(1));
    assert!(feed(1) != feed(2));
}

#[test]
fn addresses_are_reserved_ones_in_no_order_and_records_are_as_long_as_real_ones() {
    let generator = Generator::new(About::Addresses, 1, RECORDS);
    let lines = lines(&generator);
    let all = by_subject(&lines);
    let reserved: IpNet = "240.0.0.0/4".parse().expect("network");
    assert!(
        all.keys()
            .all(|subject| reserved.contains(&network_of(*subject)))
    );
    let bytes: usize = lines.iter().map(|line| line.len() + 1).sum();
    assert!((430..490).contains(&(bytes / lines.len())), "{bytes}");
    let nested = lines.iter().filter(|line| line.contains("\"entries\""));
    let percent = nested.count() * 100 / lines.len();
    assert!((15..=25).contains(&percent), "{percent} %");
    let ordered = lines.windows(2).filter(|pair| {
        terms(&pair[0]).subject.map(ByAddress) < terms(&pair[1]).subject.map(ByAddress)
    });
    let percent = ordered.count() * 100 / lines.len();
    assert!((45..=55).contains(&percent), "{percent} %");
    assert!(!all.contains_key(&Subject::Address(generator.address(RECORDS).into())));
    let known = Subject::Address(generator.address(RECORDS - 1).into());
    assert!(all.contains_key(&known));
    assert_ne!(generator.address(0), Ipv4Addr::new(240, 0, 0, 0));
}

#[test]
fn words_are_skewed_and_fields_are_absent_as_in_real_records() {
    let lines = lines(&Generator::new(About::Addresses, 1, RECORDS));
    let all: Vec<Terms> = lines.iter().map(|line| terms(line)).collect();
    for field in [Keyword::Tag, Keyword::Cc, Keyword::Asn, Keyword::Proxy] {
        let mut counts = HashMap::<&str, usize>::new();
        for word in all.iter().flat_map(|terms| terms.of_field(field)) {
            *counts.entry(word).or_default() += 1;
        }
        let all: usize = counts.values().sum();
        let mut counts: Vec<usize> = counts.into_values().collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let top: usize = counts.iter().take(counts.len() / 10).sum();
        assert!(top * 10 > all * 3, "{field:?}: {top} of {all}");
    }
    let without = |field| {
        all.iter()
            .filter(move |terms| terms.of_field(field).next().is_none())
    };
    for field in [
        Keyword::Infra,
        Keyword::Service,
        Keyword::Tag,
        Keyword::Risk,
    ] {
        assert!(without(field).count() > 50, "{field:?}");
    }
    assert!(all.iter().any(|terms| terms.clients.is_none()));
}

#[test]
fn networks_nest_eight_deep() {
    let generator = Generator::new(About::Networks, 1, RECORDS);
    let lines = lines(&generator);
    let all: Vec<IpNet> = by_subject(&lines).into_keys().map(network_of).collect();
    let block: IpNet = "2001:db8::/32".parse().expect("network");
    assert!(all.iter().all(|network| block.contains(network)));
    let lengths: HashSet<u8> = all.iter().map(IpNet::prefix_len).collect();
    assert_eq!(lengths, [36, 44, 56, 60, 64, 96, 112, 128].into());
    let depth = |one: &IpNet| all.iter().filter(|network| network.contains(one)).count();
    let deepest = all.iter().filter(|one| one.prefix_len() == 128).map(depth);
    assert!(matches!(deepest.max(), Some(6..=8)));
}

#[test]
fn the_next_day_is_a_little_different() {
    let first = Generator::new(About::Addresses, 1, RECORDS);
    let next = first.next_day();
    let (before, after) = (lines(&first), lines(&next));
    let (old, new) = (by_subject(&before), by_subject(&after));
    let per_mille = |count: usize| count as u64 * 1000 / RECORDS;
    let came = new.keys().filter(|subject| !old.contains_key(subject));
    assert!((20..40).contains(&per_mille(came.count())));
    let went = old.keys().filter(|subject| !new.contains_key(subject));
    assert!((10..30).contains(&per_mille(went.count())));
    let differs = |subject: &&Subject| new.get(subject).is_some_and(|line| *line != old[subject]);
    let changed = old.keys().filter(differs);
    assert!((30..50).contains(&per_mille(changed.count())));
    assert!(lines(&next.next_day()).len() > after.len());
}
