//! `search`: what a filter selects is what reading all records by hand finds, in the same order, and nothing is sent.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    io::{BufRead, BufReader, Read},
    net::IpAddr,
};

use flate2::read::MultiGzDecoder;
use ipspect::demo::DemoRole;
use serde_json::Value;

use crate::{
    home::{Here, subject},
    service::{Home, Ran, Service, files_below},
};

/// The texts at a path of keys, through lists.
fn texts<'a>(record: &'a Value, path: &[&str]) -> Vec<&'a str> {
    match (record, path) {
        (Value::Array(items), _) => items.iter().flat_map(|item| texts(item, path)).collect(),
        (_, []) => record.as_str().into_iter().collect(),
        (_, [key, rest @ ..]) => texts(&record[key], rest),
    }
}

fn has(record: &Value, path: &[&str], text: &str) -> bool {
    texts(record, path).contains(&text)
}

fn clients(record: &Value) -> Option<u64> {
    record["client"]["count"].as_u64()
}

/// A text that some records have at a path, and some have not.
fn some(records: &[Value], path: &[&str]) -> String {
    let mut all = records.iter().flat_map(|record| texts(record, path));
    let some = all.find(|text| records.iter().any(|record| !has(record, path, text)));
    some.expect("a text").to_owned()
}

fn search(home: &Home, words: &[&str]) -> Ran {
    home.run_words(&[&["search"], words].concat())
}

/// Holds what a filter gives against the records that are meant: how many, and themselves in the order of the file.
#[track_caller]
fn means(here: &Here, feed: &str, filter: &str, meant: impl Fn(&Value) -> bool) {
    let expected: Vec<&Value> = here
        .records(feed)
        .iter()
        .filter(|record| meant(record))
        .collect();
    let all = here.records(feed).len();
    assert!(
        !expected.is_empty() && expected.len() < all,
        "{filter}: {} of {all} tell nothing",
        expected.len()
    );
    let counted = search(&here.home, &[feed, filter, "--count"]);
    assert_eq!(
        counted.ends(0).out,
        format!("{}\n", expected.len()),
        "{filter}"
    );
    let found = search(&here.home, &[feed, filter, "--format", "json"]);
    let found = found.ends(0).lines();
    assert!(found.iter().eq(expected), "{filter}");
}

#[test]
fn every_field_means_what_reading_all_records_by_hand_finds() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous-residential"]);
    let asked = service.demo.requests().len();
    let feed = "anonymous-residential";
    let records = here.records(feed);
    for (field, path) in [
        ("tag", &["tunnels", "operator"][..]),
        ("type", &["tunnels", "type"]),
        ("cc", &["location", "country"]),
        ("infra", &["infrastructure"]),
        ("risk", &["risks"]),
        ("service", &["services"]),
        ("behavior", &["client", "behaviors"]),
        ("proxy", &["client", "proxies"]),
        ("device", &["client", "types"]),
    ] {
        let text = some(records, path);
        let lower = text.to_lowercase();
        means(&here, feed, &format!("{field}:{lower}"), |record| {
            has(record, path, &text)
        });
        means(&here, feed, &format!("-{field}:{text}"), |record| {
            !has(record, path, &text)
        });
    }
    let (tag, cc) = (&["tunnels", "operator"], &["location", "country"]);
    let (one, country) = (some(records, tag), some(records, cc));
    means(
        &here,
        feed,
        &format!("tag:NO_SUCH_VPN,{one} -cc:{country}"),
        |record| has(record, tag, &one) && !has(record, cc, &country),
    );
    let beginning = &one[..4];
    means(
        &here,
        feed,
        &format!("tag:{}*", beginning.to_lowercase()),
        |record| {
            texts(record, tag)
                .iter()
                .any(|text| text.starts_with(beginning))
        },
    );
    means(&here, feed, "clients>=5 clients<40", |record| {
        clients(record).is_some_and(|clients| (5..40).contains(&clients))
    });
    means(&here, feed, "-clients>5", |record| {
        clients(record).is_none_or(|clients| clients <= 5)
    });
    means(&here, feed, "attributed:yes", |record| {
        let tunnels = record["tunnels"].as_array();
        tunnels.is_some_and(|tunnels| {
            tunnels
                .iter()
                .any(|tunnel| tunnel["type"] == "VPN" && tunnel["operator"].is_string())
        })
    });
    let number = records
        .iter()
        .find_map(|record| record["as"]["number"].as_u64())
        .expect("system");
    means(&here, feed, &format!("asn:AS{number}"), |record| {
        record["as"]["number"] == number
    });
    let within = "198.51.100.0/24".parse::<ipnet::IpNet>().expect("network");
    means(&here, feed, &format!("net:{within}"), |record| {
        subject(record).is_some_and(|network| within.contains(&network))
    });
    means(&here, feed, "org:\"HOSTING bv\"", |record| {
        let named = [
            texts(record, &["organization"]),
            texts(record, &["as", "organization"]),
        ]
        .concat();
        named
            .iter()
            .any(|name| name.to_lowercase().contains("hosting bv"))
    });
    assert_eq!(service.demo.requests().len(), asked);
}

#[test]
fn other_feeds_are_searched_by_the_same_words() {
    let service = Service::start();
    let here = Here::with(
        &service,
        &["dch", "ipgeo", "anonymous-ipv6", "service-metrics"],
    );
    let system = here
        .records("dch")
        .iter()
        .find_map(|record| record["asn"].as_u64());
    let system = system.expect("system");
    means(&here, "dch", &format!("asn:{system}"), |record| {
        record["asn"] == system
    });
    let country = some(here.records("ipgeo"), &["country", "iso_code"]);
    means(&here, "ipgeo", &format!("cc:{country}"), |record| {
        has(record, &["country", "iso_code"], &country)
    });
    let networks: Vec<_> = here
        .records("anonymous-ipv6")
        .iter()
        .filter_map(subject)
        .collect();
    let wide = ipnet::IpNet::new(networks[0].addr(), 36)
        .expect("network")
        .trunc();
    means(&here, "anonymous-ipv6", &format!("net:{wide}"), |record| {
        subject(record).is_some_and(|network| wide.contains(&network))
    });
    means(&here, "service-metrics", "tag:ACME_VPN", |record| {
        record["tag"] == "ACME_VPN"
    });
    let ran = search(&here.home, &["service-metrics", "tag:ACME_VPN"]);
    ran.ends(0).shows("TAG ").shows("ACME_VPN  Acme");
    search(&here.home, &["dch", "--limit", "1"])
        .ends(0)
        .shows("198.");
}

#[test]
fn values_are_counted_once_a_record() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let meant: Vec<&Value> = here
        .records("anonymous")
        .iter()
        .filter(|record| clients(record).is_some_and(|clients| clients > 3))
        .collect();
    for (field, path) in [
        ("tag", &["tunnels", "operator"][..]),
        ("service", &["services"]),
        ("location.city", &["location", "city"]),
        (
            "client.concentration.country",
            &["client", "concentration", "country"],
        ),
    ] {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for record in &meant {
            for text in texts(record, path).into_iter().collect::<HashSet<_>>() {
                *counts.entry(text).or_default() += 1;
            }
        }
        let mut expected: Vec<(&str, u64)> = counts.into_iter().collect();
        // Those of one count stay by value.
        expected.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        assert!(expected.len() > 1, "{field}: {expected:?}");
        let ran = search(
            &here.home,
            &[
                "anonymous",
                "clients>3",
                "--facet",
                field,
                "--format",
                "json",
            ],
        );
        let lines = ran.ends(0).lines();
        let found: Vec<(&str, u64)> = lines
            .iter()
            .map(|line| {
                (
                    line["value"].as_str().expect("value"),
                    line["count"].as_u64().expect("count"),
                )
            })
            .collect();
        assert_eq!(found, expected, "{field}");
        for line in &lines {
            let (share, count) = (line["share"].as_f64(), line["count"].as_f64());
            let part = count.expect("count") / f64::from(u32::try_from(meant.len()).expect("few"));
            assert!((share.expect("share") - part).abs() < 1e-6, "{line}");
        }
        let cut = search(
            &here.home,
            &[
                "anonymous",
                "clients>3",
                "--facet",
                field,
                "--limit",
                "2",
                "--format",
                "csv",
            ],
        );
        assert_eq!(cut.ends(0).out.lines().count(), 3, "{cut:?}");
    }
    let none = search(&here.home, &["anonymous", "--facet", "no.such.path"]);
    none.ends(2)
        .says("records of anonymous have no no.such.path");
    assert_eq!(none.out, "");
}

#[test]
fn the_busiest_come_first_and_then_by_address() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let busy = |record: &Value| std::cmp::Reverse(clients(record).unwrap_or_default());
    let address = |record: &Value| {
        record["ip"]
            .as_str()
            .and_then(|text| text.parse::<IpAddr>().ok())
    };
    let mut expected: Vec<&Value> = here.records("anonymous").iter().collect();
    expected.sort_by_key(|record| (busy(record), address(record)));
    for most in [0, 1, 25, expected.len(), expected.len() + 1] {
        let ran = search(
            &here.home,
            &["anonymous", "--top", &most.to_string(), "--format", "json"],
        );
        let found = ran.ends(0).lines();
        assert!(
            found.iter().eq(expected.iter().take(most).copied()),
            "{most}"
        );
    }
    let cut = search(
        &here.home,
        &["anonymous", "--limit", "7", "--format", "json"],
    );
    assert!(
        cut.ends(0)
            .lines()
            .iter()
            .eq(&here.records("anonymous")[..7])
    );
    cut.says("7 shown");
}

#[test]
fn every_format_has_the_records_and_steers_nothing() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let one = ["anonymous", "net:198.51.100.77"];
    let words = |more: &[&'static str]| search(&here.home, &[&one, more].concat());
    words(&[])
        .ends(0)
        .shows("ADDRESS ")
        .shows("198.51.100.77 ")
        .says("1 record matches");
    words(&["--format", "csv"])
        .ends(0)
        .shows("ip,network,as_number")
        .shows("\r\n198.51.100.77,,");
    words(&["--format", "md"])
        .ends(0)
        .shows("### Search of anonymous")
        .shows("| 198[.]51[.]100[.]77 |");
    words(&["--count", "--format", "json"])
        .ends(0)
        .shows("{\"count\":1}\n");
    words(&["--count", "--format", "csv"])
        .ends(0)
        .shows("count\r\n1\r\n");
    let day = here.day("anonymous");
    let of_day = here
        .home
        .run(&format!("search anonymous --day {day} --count"));
    assert_eq!(
        of_day.ends(0).out.trim(),
        here.records("anonymous").len().to_string()
    );
    let none = here.home.run("search anonymous tag:NO_SUCH_VPN");
    assert_eq!(none.ends(0).says("no record matches").out, "");
    assert_eq!(
        here.home
            .run("search anonymous tag:NO_SUCH_VPN --count")
            .ends(0)
            .out,
        "0\n"
    );
}

#[test]
fn options_may_stand_anywhere_beside_terms() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let lines = [
        "search anonymous -cc:NL clients>3 --count",
        "search anonymous --count -cc:NL clients>3",
        "search anonymous clients>3 --count -cc:NL",
        "search --count anonymous clients>3 -cc:NL -q",
    ];
    let counts: HashSet<String> = lines
        .iter()
        .map(|line| here.home.run(line).ends(0).out.clone())
        .collect();
    assert_eq!(counts.len(), 1, "{counts:?}");
}

#[test]
fn what_cannot_be_searched_says_why() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("search anonymous --count")
        .ends(10)
        .says("is not downloaded")
        .says("ipspect feeds pull anonymous");
    let bad = home.run("search anonymous cc:NL operator:ACME_VPN");
    bad.ends(2)
        .says("\n    cc:NL operator:ACME_VPN\n          ^^^^^^^^\n")
        .says("did you mean tag:ACME_VPN?");
    assert!(bad.err.lines().count() <= 5);
    let line = home
        .run("search anonymous clients>many --format json")
        .ends(2)
        .line();
    assert_eq!(
        (&line["query"], &line["error"]["kind"]),
        (&"anonymous".into(), &"usage".into())
    );
    home.run("search anonymus").ends(2).says("no feed");
    home.run("search anonymous --facet clients")
        .ends(2)
        .says("client.count");
    home.run("search anonymous --count --top 3").ends(2);
    home.run("search anonymous --day 20261131").ends(2);
    assert!(service.demo.requests().is_empty());
}

/// The world of `--demo` is large enough for several pages, and for more than a pipe holds.
#[test]
fn many_pages_come_whole_and_a_reader_may_have_enough() {
    let home = Home::empty();
    home.run("feeds pull anonymous --demo").ends(0);
    let files = files_below(&home.path("cache"));
    let file = files
        .iter()
        .find(|file| file.to_string_lossy().ends_with(".json.gz"));
    let file = fs::File::open(file.expect("a feed file")).expect("file");
    let mut sent = String::new();
    MultiGzDecoder::new(file)
        .read_to_string(&mut sent)
        .expect("text");
    let records = sent.lines().count();
    assert!(records > 3000, "{records}");
    let found = home.run("search anonymous --demo --format json");
    assert!(found.ends(0).out == sent, "not as sent");
    let table = home.run("search anonymous --demo").ends(0).out.clone();
    assert_eq!(table.lines().count(), records + 1);
    assert_eq!(table.matches("ADDRESS").count(), 1);

    for format in ["json", "text", "csv"] {
        let mut child = home.start(&format!("search anonymous --demo --format {format}"));
        let mut out = BufReader::new(child.stdout.take().expect("pipe"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        drop(out);
        let mut said = String::new();
        let mut err = child.stderr.take().expect("pipe");
        err.read_to_string(&mut said).expect("text");
        let ended = child.wait().expect("wait");
        assert_eq!(
            (ended.code(), said.as_str()),
            (Some(0), ""),
            "{format} {line}"
        );
        assert!(!line.is_empty());
    }
}

/// More of a record goes into CSV where it is named, and into no CSV where nothing is.
#[test]
fn columns_beyond_the_usual_ones_are_there_by_name() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    let named = home.run(
        "search anonymous net:198.51.100.77 --format csv --fields ip,tunnels,concentration_city",
    );
    let expected = "ip,tunnels,concentration_city\r\n198.51.100.77,VPN:ACME_VPN:true";
    assert!(named.ends(0).out.starts_with(expected), "{}", named.out);
    for line in [
        "search anonymous net:198.51.100.77 --format csv",
        "search anonymous net:198.51.100.77 --format csv --spreadsheet-safe",
        "lookup 198.51.100.77 --source local --format csv",
    ] {
        let ran = home.run(line);
        assert!(!ran.ends(0).out.contains("concentration"), "{line}");
    }
    home.run("lookup 198.51.100.77 --source local --format csv --fields query,client_behaviors")
        .ends(0)
        .shows("TOR_PROXY_USER");
}
