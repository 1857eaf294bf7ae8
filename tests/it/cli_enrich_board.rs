//! `enrich --group`, and its filters about what stands beside the addresses of a text.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use serde_json::Value;

use crate::{home::Here, service::Service};

const FEED: &str = "anonymous";

/// A table of sign-ins with many users, every address of it; and what each line says.
fn sign_ins(here: &Here) -> Vec<(String, String)> {
    let mut addresses = here.some_addresses(200);
    addresses.extend((1..40).map(|host| format!("192.0.2.{host}")));
    let mut seed = 5_u32;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as usize % below
    };
    let line = |_| {
        let address = addresses[random(addresses.len())].clone();
        (address, format!("user{}", random(7)))
    };
    let lines: Vec<(String, String)> = (0..2000).map(line).collect();
    let rows = lines
        .iter()
        .map(|(address, user)| format!("2026-11-20T03:58:07Z,{user},{address}\n"));
    let text: String = ["time,user,address\n".to_owned()]
        .into_iter()
        .chain(rows)
        .collect();
    fs::write(here.home.path("log"), text).expect("write");
    lines
}

/// What is known of an address: its record, if there is one, how often it occurs, and beside whom.
#[derive(Default)]
struct Known {
    address: String,
    record: Value,
    lines: u64,
    users: BTreeMap<String, u64>,
}

/// The values of a field of an address.
type FieldValues = fn(&Known) -> Vec<String>;

impl Known {
    fn tunnels(&self) -> impl Iterator<Item = &Value> {
        self.record["tunnels"].as_array().into_iter().flatten()
    }

    fn has_type(&self, kind: &str) -> bool {
        self.tunnels().any(|value| value["type"] == kind)
    }

    fn has_user(&self, user: &str) -> bool {
        self.users.contains_key(user)
    }

    fn operators(&self) -> Vec<String> {
        let names = self
            .tunnels()
            .filter_map(|value| value["operator"].as_str());
        let names: BTreeSet<&str> = names.collect();
        names.into_iter().map(str::to_owned).collect()
    }

    fn risks(&self) -> Vec<String> {
        let risks = self.record["risks"].as_array().into_iter().flatten();
        risks
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect()
    }

    fn network(&self) -> Vec<String> {
        let (three, _) = self.address.rsplit_once('.').expect("an IPv4 address");
        vec![format!("{three}.0/24")]
    }

    fn country(&self) -> Vec<String> {
        let country = self.record["location"]["country"].as_str();
        country.map(str::to_owned).into_iter().collect()
    }
}

/// Value, addresses, lines and clients of each group.
fn groups(here: &Here, options: &str) -> BTreeMap<Option<String>, (u64, u64, u64)> {
    let line = format!("enrich log --feed {FEED} --format json {options}");
    let lines = here.home.run(&line).ends(0).lines();
    let number = |line: &Value, key: &str| line[key].as_u64().expect("a number");
    let group = |line: Value| {
        let value = line["value"].as_str().map(str::to_owned);
        let counts = (
            number(&line, "addresses"),
            number(&line, "lines"),
            number(&line, "clients"),
        );
        (value, counts)
    };
    lines.into_iter().map(group).collect()
}

/// Every address, counted by hand.
fn by_hand(here: &Here, lines: &[(String, String)]) -> BTreeMap<String, Known> {
    let line = format!("enrich log --feed {FEED} --format json");
    let answers = here.home.run(&line).ends(0).lines();
    let record = |line: Value| {
        let address = line["query"].as_str().expect("a query").to_owned();
        (address, line["record"].clone())
    };
    let mut found: BTreeMap<String, Known> = BTreeMap::new();
    for (address, record) in answers.into_iter().map(record) {
        let known = Known {
            address: address.clone(),
            record,
            ..Known::default()
        };
        found.insert(address, known);
    }
    for (address, user) in lines {
        let known = found.get_mut(address).expect("every address is answered");
        known.lines += 1;
        *known.users.entry(user.clone()).or_default() += 1;
    }
    found
}

#[test]
fn groups_equal_a_count_by_hand() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let lines = sign_ins(&here);
    let known = by_hand(&here, &lines);
    let fields: [(&str, FieldValues); 5] = [
        ("net", Known::network),
        ("user", |known| known.users.keys().cloned().collect()),
        ("risk", Known::risks),
        ("country", Known::country),
        ("operator", Known::operators),
    ];
    for (field, values) in fields {
        let mut expected: BTreeMap<Option<String>, (u64, u64, u64)> = BTreeMap::new();
        for own in known.values() {
            let clients = own.record["client"]["count"].as_u64().unwrap_or_default();
            let mut of_address: Vec<Option<String>> = values(own).into_iter().map(Some).collect();
            if of_address.is_empty() {
                of_address.push(None);
            }
            for value in of_address {
                let of_user = value.as_ref().and_then(|name| own.users.get(name));
                let lines = of_user.filter(|_| field == "user").unwrap_or(&own.lines);
                let group = expected.entry(value).or_default();
                *group = (group.0 + 1, group.1 + lines, group.2 + clients);
            }
        }
        assert_eq!(
            groups(&here, &format!("--group {field}")),
            expected,
            "{field}"
        );
    }
    let most = groups(&here, "--group user --top 2");
    assert_eq!(most.len(), 2);
    assert!(service.paid().is_empty());
}

#[test]
fn what_addresses_are_adds_up_and_filters_take_columns() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let lines = sign_ins(&here);
    let known = by_hand(&here, &lines);
    let standings = groups(&here, "--group is");
    let of = |word: &str| {
        standings
            .get(&Some(word.to_owned()))
            .map_or(0, |parts| parts.0)
    };
    let unknown = known
        .values()
        .filter(|known| known.record.is_null())
        .count() as u64;
    assert_eq!(of("unknown"), unknown);
    for (word, kind) in [("vpn", "VPN"), ("tor", "TOR")] {
        let by_hand = known.values().filter(|known| known.has_type(kind)).count() as u64;
        assert_eq!(of(word), by_hand, "{word}");
    }
    let ids = |filter: &str| {
        let args = [
            "enrich", "log", "--feed", FEED, "--format", "ids", "--filter", filter,
        ];
        let mut ids: Vec<String> = here
            .home
            .run_words(&args)
            .ends(0)
            .out
            .lines()
            .map(str::to_owned)
            .collect();
        ids.sort_unstable();
        ids
    };
    let expected = |matches: fn(&Known) -> bool| {
        let own = known.iter().filter(|(_, known)| matches(known));
        let mut ids: Vec<String> = own.map(|(address, _)| address.clone()).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(ids("user:user3"), expected(|known| known.has_user("user3")));
    assert_eq!(
        ids("user:user3 is:vpn"),
        expected(|known| known.has_user("user3") && known.has_type("VPN"))
    );
    assert_eq!(
        ids("is:unknown -user:user3"),
        expected(|known| known.record.is_null() && !known.has_user("user3"))
    );
    assert_eq!(ids("lines>12"), expected(|known| known.lines > 12));
    let wrong = here.home.run("enrich log --filter usr:alice");
    wrong.ends(2).says("there is no field \"usr\"");
    let wrong = here.home.run("enrich log --group usr");
    wrong.ends(2).says("the text has user; is, net, tag");
    assert!(service.paid().is_empty());
}

/// A time is a term like others, of the events of an address and not of all that is between its first and its last one.
#[test]
fn addresses_are_filtered_by_the_times_of_their_events() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let addresses = here.some_addresses(3);
    let [early, both, late] = [&addresses[0], &addresses[1], &addresses[2]];
    let log = [
        ("2026-11-25T02:59:59Z", early),
        ("2026-11-25T03:00:00Z", both),
        // Written in another zone it is the same time.
        ("2026-11-25T07:10:00+02:00", late),
        ("2026-11-25T09:00:00Z", both),
        ("2026-11-26T00:30:00+01:00", late),
    ];
    let log = log.map(|(time, address)| format!("{time} login from {address}\n"));
    std::fs::write(here.home.path("log"), log.concat()).expect("write");
    let ids = |filter: &str| {
        let args = [
            "enrich", "log", "--feed", FEED, "--format", "ids", "--filter", filter,
        ];
        let ids = here.home.run_words(&args).ends(0).out.clone();
        let mut ids: Vec<String> = ids.lines().map(str::to_owned).collect();
        ids.sort_unstable();
        ids
    };
    for (filter, expected) in [
        ("time:2026-11-25T02", &[early][..]),
        ("time:2026-11-25T03..04", &[both]),
        ("time:2026-11-25T05:10", &[late]),
        ("time:2026-11-25T04..08", &[late]),
        ("time:2026-11-25T06..08", &[]),
        ("time:2026-11-25T23..", &[late]),
        ("-time:2026-11-25T03..", &[early]),
        ("time:2026-11-25T02,2026-11-25T09", &[early, both]),
        ("time:2026-11-25", &[early, both, late]),
        ("time:2026-11-26..27", &[]),
    ] {
        let mut expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        expected.sort_unstable();
        assert_eq!(ids(filter), expected, "{filter}");
    }
    for (filter, why) in [
        ("time:soon", "write time:2026-11-25T03..05, in UTC"),
        ("time:2026-11-25T05..03", "ends before it begins"),
    ] {
        let refused = here.home.run(&format!("enrich log --filter {filter}"));
        refused.ends(2).says(why);
    }
    assert!(service.paid().is_empty());
}
