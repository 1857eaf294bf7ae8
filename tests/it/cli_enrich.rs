//! `enrich`: every address of a text once, in order, answered from local feeds, and nothing sent.

use std::{
    fs,
    io::{Read, Write},
    process::{Command, Stdio},
};

use ipspect::demo::DemoRole;
use serde_json::{Value, json};

use crate::{
    home::{Here, subject},
    service::{Ran, Service, signal, until},
};

const FEEDS: [&str; 3] = ["anonymous", "dch", "ipgeo"];

fn fed(mut command: Command, text: impl AsRef<[u8]>) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let mut input = child.stdin.take().expect("input");
    let text = text.as_ref().to_owned();
    let writer = std::thread::spawn(move || input.write_all(&text));
    let ran = Ran::of(child.wait_with_output().expect("wait"));
    let _ = writer.join();
    ran
}

/// What an answer says of the text, which is known at its end only, and the first one of the run.
const OF_TEXT: [&str; 8] = [
    "count",
    "lines",
    "role",
    "first_line",
    "first_time",
    "last_time",
    "columns",
    "run",
];

#[test]
fn every_address_of_a_text_is_answered_once_as_a_search_by_hand_answers() {
    let service = Service::start();
    let here = Here::with(&service, &FEEDS);
    let asked = service.demo.requests().len();
    let addresses = here.some_addresses(200);
    let log: String = addresses
        .iter()
        .chain(&addresses)
        .enumerate()
        .map(|(number, address)| match number % 3 {
            0 if address.contains(':') => format!("12:30:45 src=[{address}]:443 {address}/64\n"),
            0 => format!(
                "12:30:45 v1.2.3.4.5 10.0.0.{} src={address}:443, ok\n",
                number % 5
            ),
            1 => format!("{{\"ip\":\"{address}\",\"mac\":\"00:11:22:33:44:55\"}}\r\n"),
            _ => format!("hxxp://{}/ was seen\n", address.replace('.', "[.]")),
        })
        .collect();
    fs::write(here.home.path("access.log"), &log).expect("write");
    let ran = here.home.run("enrich access.log --all --format json");
    let lines = ran.ends(0).says("set aside: ").says(" private").lines();
    let mut lines = lines.iter().peekable();
    for address in &addresses {
        let mut found: Vec<String> = Vec::new();
        while let Some(line) = lines.next_if(|line| line["query"] == address.as_str()) {
            assert_eq!(
                (&line["source"], &line["cost"], &line["balance"]),
                (&"local".into(), &0.into(), &Value::Null)
            );
            found.push(format!(
                "{} {}",
                line["feed"].as_str().unwrap_or_default(),
                line["record"]
            ));
        }
        let known = here.known(address);
        let mut expected: Vec<String> = known
            .iter()
            .map(|(feed, record)| format!("{feed} {record}"))
            .collect();
        if expected.is_empty() {
            expected.push(" null".to_owned());
        }
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{address}");
    }
    assert!(lines.next().is_none());

    let piped = fed(here.home.command("enrich - --all --format json"), &log);
    let uncounted = |ran: &Ran| -> Vec<Value> {
        let uncounted = |mut line: Value| {
            let line = line.as_object_mut().expect("an object");
            for of_text in OF_TEXT {
                line.shift_remove(of_text);
            }
            line.clone().into()
        };
        ran.ends(0).lines().into_iter().map(uncounted).collect()
    };
    assert_eq!(uncounted(&piped), uncounted(&ran));
    assert!(!piped.out.contains("\"count\":2,\"first_line\""));
    assert_eq!(
        fed(here.home.command("enrich --format json -q"), &log)
            .ends(0)
            .err,
        ""
    );
    assert_eq!(service.demo.requests().len(), asked);
}

#[test]
fn the_same_answers_come_from_lookup() {
    let service = Service::start();
    let here = Here::with(&service, &FEEDS);
    let addresses = here.some_addresses(30);
    fs::write(here.home.path("list"), addresses.join("\n")).expect("write");
    let strip = |ran: &Ran| -> Vec<Value> {
        let timed = |mut line: Value| {
            line["elapsed_ms"] = 0.into();
            let line = line.as_object_mut().expect("an object");
            for of_text in OF_TEXT {
                line.shift_remove(of_text);
            }
            line.clone().into()
        };
        ran.ends(0).lines().into_iter().map(timed).collect()
    };
    let enriched = here.home.run("enrich list --all --format json");
    let looked = here.home.run(&format!(
        "lookup {} --source local --format json",
        addresses.join(" ")
    ));
    assert_eq!(strip(&enriched), strip(&looked));
    let enriched = here.home.run("enrich list --all --format csv");
    let looked = here.home.run(&format!(
        "lookup {} --source local --format csv",
        addresses.join(" ")
    ));
    let rows = |ran: &Ran| -> Vec<Vec<String>> {
        let mut rows = csv::ReaderBuilder::new();
        let mut rows = rows
            .has_headers(false)
            .from_reader(ran.ends(0).out.as_bytes());
        let cells = |row: csv::StringRecord| row.iter().map(str::to_owned).collect();
        rows.records().map(|row| cells(row.expect("row"))).collect()
    };
    let (mut enriched, looked) = (rows(&enriched), rows(&looked));
    assert_eq!(
        enriched[0][looked[0].len()..],
        [
            "also",
            "count",
            "first_line",
            "first_time",
            "last_time",
            "columns",
            "lines",
            "role"
        ]
    );
    for row in &mut enriched {
        row.truncate(looked[0].len());
    }
    assert_eq!(enriched, looked);
}

/// Whether a record of a feed is better than others, the better the less.
fn merit(feed: &str, record: &Value, feeds: &[&str]) -> (bool, u8, bool, usize) {
    let length = subject(record).map_or(0, |network| network.prefix_len());
    (
        matches!(feed, "dch" | "ipgeo"),
        u8::MAX - length,
        feed == "realtime",
        feeds.iter().position(|text| *text == feed).expect("a feed"),
    )
}

#[test]
fn each_address_has_one_line_with_its_best_record_and_names_the_others() {
    const ALL: [&str; 7] = [
        "anonymous",
        "anonymous-residential",
        "anonymous-ipv6",
        "realtime",
        "dch",
        "ipgeo",
        "ipsummary",
    ];
    let service = Service::start();
    let here = Here::with(&service, &ALL);
    let addresses = here.some_addresses(150);
    let realtime = here.records("realtime").iter().take(20);
    let realtime = realtime.filter_map(|record| record["ip"].as_str().map(str::to_owned));
    let mut wanted: Vec<String> = Vec::new();
    for address in addresses.into_iter().chain(realtime) {
        if !wanted.contains(&address) {
            wanted.push(address);
        }
    }
    let mut text = String::new();
    for (number, address) in wanted.iter().enumerate() {
        text += "x\n";
        text += &format!("{address} ").repeat(number % 3 + 1);
    }
    fs::write(here.home.path("log"), text).expect("write");
    let ran = here.home.run("enrich log --format json");
    let lines = ran.ends(0).lines();
    assert_eq!(lines.len(), wanted.len());
    let mut several = 0;
    for (number, (line, address)) in lines.iter().zip(&wanted).enumerate() {
        assert_eq!(line["query"], address.as_str());
        assert_eq!(
            (&line["count"], &line["first_line"]),
            (&(number % 3 + 1).into(), &(number + 2).into())
        );
        let mut known = here.known(address);
        known.sort_by_key(|(feed, record)| merit(feed, record, &ALL));
        let Some((feed, record)) = known.first() else {
            assert_eq!(
                (&line["record"], &line["also"]),
                (&Value::Null, &Value::Array(Vec::new()))
            );
            continue;
        };
        assert_eq!(
            (&line["feed"], &line["record"]),
            (&feed.as_str().into(), record)
        );
        let name = |feed: &str, subject: &str| format!("{feed} {subject}");
        let about = |record: &Value| {
            let keys = ["ip", "network", "prefix"];
            let text = keys.iter().find_map(|key| record[key].as_str());
            text.expect("a subject").to_owned()
        };
        let mut others: Vec<String> = known[1..]
            .iter()
            .map(|(feed, record)| name(feed, &about(record)))
            .collect();
        let also = line["also"].as_array().expect("a list");
        let mut named: Vec<String> = also
            .iter()
            .map(|other| {
                assert_eq!(other["day"].as_str().map(str::len), Some(8));
                let text = |key: &str| other[key].as_str().expect(key);
                name(text("feed"), text("subject"))
            })
            .collect();
        several += usize::from(others.len() > 1);
        others.sort();
        // A feed that lists one network twice is named once.
        others.dedup();
        named.sort();
        assert_eq!(named, others, "{address}");
    }
    assert!(several > 5, "{several}");
    let text = here.home.run("enrich log");
    assert_eq!(text.ends(0).out.lines().count(), wanted.len() + 1);
    text.shows("; also ");
    let csv = here.home.run("enrich log --format csv");
    assert_eq!(csv.ends(0).out.lines().count(), wanted.len() + 1);
}

#[test]
fn answers_are_filtered_counted_and_ranked() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch"]);
    let addresses = here.some_addresses(120);
    let text = addresses.join("\n");
    fs::write(here.home.path("list"), &text).expect("write");
    let best: Vec<(String, Value)> = addresses
        .iter()
        .filter_map(|address| {
            let mut known = here.known(address);
            known.sort_by_key(|(feed, record)| merit(feed, record, &["anonymous", "dch"]));
            let (_, record) = known.into_iter().next()?;
            Some((address.clone(), record))
        })
        .collect();
    let operators = |record: &Value| -> Vec<String> {
        let tunnels = record["tunnels"].as_array().cloned().unwrap_or_default();
        let mut names: Vec<String> = tunnels
            .iter()
            .filter_map(|tunnel| tunnel["operator"].as_str().map(str::to_owned))
            .collect();
        names.sort();
        names.dedup();
        names
    };
    let mut counts: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for (_, record) in &best {
        for operator in operators(record) {
            *counts.entry(operator).or_default() += 1;
        }
    }
    let (most, times) = counts
        .iter()
        .max_by_key(|(_, count)| **count)
        .expect("an operator");
    let facets = here.home.run("enrich list --facet tag --format json");
    let facets = facets.ends(0).lines();
    assert_eq!(facets.len(), counts.len());
    assert_eq!(facets[0]["count"], *times);
    for facet in &facets {
        let value = facet["value"].as_str().expect("value");
        assert_eq!(facet["count"], counts[value], "{value}");
    }
    let piped = fed(
        here.home
            .command("enrich - --facet tag --top 1 --format json"),
        &text,
    );
    assert_eq!(piped.ends(0).lines()[..], facets[..1]);

    let filter = format!("tag:{most}");
    let line = ["enrich", "list", "--filter", &filter, "--format", "json"];
    let ran = here.home.run_words(&line);
    let found: Vec<String> = ran
        .ends(0)
        .says("addresses match")
        .lines()
        .iter()
        .filter_map(|line| line["query"].as_str().map(str::to_owned))
        .collect();
    let expected: Vec<String> = best
        .iter()
        .filter(|(_, record)| operators(record).contains(most))
        .map(|(address, _)| address.clone())
        .collect();
    assert_eq!(found, expected);
    let line = ["enrich", "list", "--filter", "-cc:NL", "--facet", "cc"];
    let others = here.home.run_words(&line);
    assert!(!others.ends(0).out.contains("NL "), "{others:?}");

    let clients = |record: &Value| record["client"]["count"].as_u64();
    let mut busiest: Vec<Option<u64>> = best.iter().map(|(_, record)| clients(record)).collect();
    busiest.sort_by(|a, b| b.cmp(a));
    let top = here.home.run("enrich list --top 5 --format json");
    let top = top.ends(0).lines();
    let found: Vec<Option<u64>> = top.iter().map(|line| clients(&line["record"])).collect();
    assert_eq!(found, busiest[..5]);
    assert_eq!(top[0]["count"], 1);
    for (line, says) in [
        ("enrich list --filter operator:X", "there is no field"),
        ("enrich list --facet net", "no values to count"),
        (
            "enrich list --feed dch --filter cc:NL",
            "records of dch have no cc",
        ),
    ] {
        here.home.run(line).ends(2).says(says);
    }
}

#[test]
fn a_field_that_no_feed_has_which_answers_is_refused() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    fs::write(home.path("list"), "198.51.100.77").expect("write");
    home.run("feeds pull dch").ends(0);
    for line in [
        "enrich list --filter cc:NL",
        "enrich list --facet cc",
        "enrich list --facet location.city",
    ] {
        home.run(line)
            .ends(2)
            .says("records of dch have no ")
            .says("they are searched by asn, org, net");
    }
    home.run("feeds pull anonymous").ends(0);
    home.run("enrich list --filter cc:NL").ends(0);
    home.run("enrich list --facet location.city").ends(0);
    home.run("export dch --local --filter cc:NL -o -")
        .ends(2)
        .says("records of dch have no cc");
    home.run("search dch --facet location.city")
        .ends(2)
        .says("records of dch have no location.city");
}

/// What is none of the addresses can be seen, too: one that is taken for a version by mistake would be lost in silence.
#[test]
fn what_is_set_aside_can_be_listed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let log = "198.51.100.7 \"Chrome/130.0.0.0\" 10.0.0.1\n\n10.0.0.1 192.0.2.0/24 198.051.100.7 Chrome/130.0.0.0\n";
    fs::write(home.path("a.log"), log).expect("write");
    fs::write(home.path("b.log"), "OpenSSH_9.6.0.1 10.0.0.1\n").expect("write");
    let listed = home.run("enrich a.log b.log --set-aside --format json");
    let expected = [
        ("130.0.0.0", "version", 1, "a.log"),
        ("10.0.0.1", "private", 1, "a.log"),
        ("192.0.2.0/24", "network", 3, "a.log"),
        ("198.051.100.7", "zero-padded", 3, "a.log"),
        ("9.6.0.1", "version", 1, "b.log"),
    ];
    let expected = expected.map(|(text, reason, line, file)| {
        json!({"text": text, "reason": reason, "first_line": line, "first_file": file})
    });
    assert_eq!(listed.ends(0).lines(), expected);
    let table = home.run("enrich a.log --set-aside");
    let expected = [
        "TEXT",
        "130.0.0.0",
        "10.0.0.1",
        "192.0.2.0/24",
        "198.051.100.7",
    ];
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let texts: Vec<String> = table.ends(0).out.lines().filter_map(first).collect();
    assert_eq!(texts, expected);
    home.run("enrich a.log --set-aside --facet cc").ends(2);
}

#[test]
fn a_defanged_address_keeps_its_spelling() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    fs::write(
        here.home.path("note"),
        "198[.]51[.]100[.]77 198.51.100.77\n203.0.113.255",
    )
    .expect("write");
    let lines = here.home.run("enrich note --format json").ends(0).lines();
    assert_eq!(lines[0]["input"], "198[.]51[.]100[.]77");
    assert_eq!(
        (&lines[0]["count"], lines[1].get("input")),
        (&2.into(), None)
    );
}

#[test]
fn text_and_ticket_have_a_line_for_each_record() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    fs::write(
        here.home.path("note"),
        "198.51.100.77 and 203.0.113.255, 198.51.100.0/24, 198.051.100.7",
    )
    .expect("write");
    let text = here.home.run("enrich note");
    text.ends(0)
        .shows("ADDRESS")
        .shows("ACME_VPN")
        .shows("no record")
        .says("1 network, 1 zero-padded");
    assert_eq!(text.out.lines().count(), 3);
    let ticket = here.home.run("enrich note --format md");
    ticket
        .ends(0)
        .shows("| 198[.]51[.]100[.]77 | anonymous |")
        .shows("**data:** anonymous of ");
    assert!(!ticket.out.contains("198.51"), "{ticket:?}");
    let none = fed(
        here.home.command("enrich --format json"),
        "nothing at 12:30:45",
    );
    assert_eq!(none.ends(0).says("the text has no address").out, "");
}

#[test]
fn a_plan_counts_and_answers_nothing() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch"]);
    let unknown = here.unknown_address("198.18");
    let text = format!("198.51.100.77 {unknown} 198.51.100.77 10.0.0.1 127.0.0.1 10.0.0.2");
    fs::write(here.home.path("text"), &text).expect("write");
    let plan = here
        .home
        .run("enrich text --plan --format json")
        .ends(0)
        .line();
    let known = |feed: &str| {
        here.known("198.51.100.77")
            .iter()
            .any(|(text, _)| text == feed)
    };
    assert_eq!(
        (&plan["found"], &plan["unique"], &plan["public"]),
        (&6.into(), &5.into(), &2.into())
    );
    assert_eq!(
        plan["set_aside"],
        serde_json::json!({"private": 2, "loopback": 1})
    );
    assert_eq!(
        (&plan["answered"], &plan["unknown"], &plan["cost"]),
        (&1.into(), &1.into(), &0.into())
    );
    assert_eq!(plan["feeds"][0]["answered"], u8::from(known("anonymous")));
    assert_eq!(plan["feeds"][1]["answered"], u8::from(known("dch")));
    here.home
        .run("enrich text --plan")
        .ends(0)
        .shows("set aside private")
        .shows("answered by anonymous of");
    here.home
        .run("enrich text --plan --format csv")
        .ends(0)
        .shows("what,detail,count")
        .shows("set aside,private,2");
    here.home
        .run("enrich text --plan --format md")
        .ends(0)
        .shows("**unique:** 5");

    let empty = service.home(ipspect::demo::DemoRole::Full);
    fs::write(empty.path("text"), &text).expect("write");
    let plan = empty.run("enrich text --plan --format json");
    assert_eq!(
        plan.ends(0).says("no feed is downloaded").line()["unknown"],
        2
    );
    empty
        .run("enrich text")
        .ends(10)
        .says("no feed is downloaded");
}

#[test]
fn what_cannot_be_read_or_picked_is_said() {
    let service = Service::start();
    let here = Here::with(&service, &["dch"]);
    fs::create_dir(here.home.path("folder")).expect("folder");
    for (line, code, says) in [
        ("enrich missing", 2, "there is no file missing"),
        ("enrich folder", 2, "folder is a folder"),
        ("enrich missing --feed anonymous", 10, "not downloaded"),
        ("enrich missing --feed service-metrics", 2, "holds tags"),
        ("enrich missing --day 2026-02-30", 2, "not a day"),
    ] {
        here.home.run(line).ends(code).says(says);
    }
}

#[test]
fn a_file_that_is_missing_keeps_no_other_from_being_answered() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    fs::write(here.home.path("good"), "198.51.100.77\n").expect("write");
    fs::create_dir(here.home.path("folder")).expect("folder");
    for line in ["enrich missing good folder", "enrich good missing"] {
        let ran = here.home.run(&format!("{line} --format json"));
        let lines = ran.ends(1).says("there is no file missing").lines();
        assert_eq!(lines[0]["query"], "missing");
        assert_eq!(lines[0]["error"]["kind"], "usage");
        let line = lines.last().expect("an answer");
        assert_eq!(
            (&line["query"], &line["first_file"]),
            (&"198.51.100.77".into(), &"good".into())
        );
    }
    let none = here.home.run("enrich missing folder other");
    none.ends(2).says("folder is a folder");
    assert_eq!(none.err.matches("error: ").count(), 3);
    let plan = here.home.run("enrich missing good --plan --format json");
    assert_eq!(plan.ends(1).lines()[1]["unique"], 1);
}

#[test]
fn bare_names_of_a_text_are_its_addresses() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch"]);
    let text = "a 198.51.100.77 b 192.0.2.255\n198.51.100.77 198[.]18[.]0[.]7\n";
    fs::write(here.home.path("text"), text).expect("write");
    let known = "198.51.100.77\n";
    let all = "198.51.100.77\n192.0.2.255\n198.18.0.7\n";
    for (options, expected) in [
        ("", all),
        ("--all", all),
        ("--feed dch", all),
        ("--filter type:VPN", known),
        ("--top 5", known),
    ] {
        let line = format!("enrich text --format ids {options}");
        assert_eq!(here.home.run(&line).ends(0).out, expected, "{line}");
        let piped = fed(here.home.command(&line.replace(" text", "")), text);
        assert_eq!(piped.ends(0).out, expected, "{line}");
    }
}

#[test]
fn what_is_no_text_is_refused_and_never_called_a_text_without_addresses() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let line = b"198.51.100.77\n";
    let zip = [b"PK\x03\x04", &line[..]].concat();
    let packed = |text: &[u8]| {
        let level = flate2::Compression::fast();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(text).expect("write");
        encoder.finish().expect("finish")
    };
    let torn = packed(&line.repeat(1000));
    for (name, bytes) in [
        ("logs.zip", &zip[..]),
        ("torn.gz", &torn[..torn.len() - 9]),
        ("good.gz", &packed(line)),
        ("good.log", line),
    ] {
        fs::write(here.home.path(name), bytes).expect("write");
    }
    let unzip = "`unzip -p logs.zip | ipspect enrich -`";
    for (line, code, says) in [
        ("enrich logs.zip", 2, unzip),
        ("enrich logs.zip --plan", 2, unzip),
        ("enrich logs.zip missing", 2, "there is no file missing"),
        ("enrich logs.zip good.log", 1, unzip),
        ("enrich good.gz logs.zip missing", 1, unzip),
        ("enrich missing good.log", 1, "there is no file missing"),
        ("enrich torn.gz", 7, "torn.gz is not a whole gzip file"),
        (
            "enrich torn.gz good.log",
            1,
            "torn.gz is not a whole gzip file",
        ),
        (
            "enrich good.log torn.gz --facet tag",
            1,
            "torn.gz is not a whole gzip file",
        ),
        (
            "enrich torn.gz --facet tag",
            7,
            "torn.gz is not a whole gzip file",
        ),
    ] {
        let ran = here.home.run(line);
        ran.ends(code).says(says);
        assert!(!ran.err.contains("has no address"), "{line}: {ran:?}");
        let is_answered = ran.out.contains("198.51.100.77") || ran.out.contains("ACME_VPN");
        let is_of_nothing = code == 2 || line == "enrich torn.gz --facet tag";
        assert_eq!(is_answered, !is_of_nothing, "{line}: {ran:?}");
    }
    let lines = here.home.run("enrich logs.zip good.log --format json");
    let lines = lines.ends(1).lines();
    assert_eq!(lines[0]["query"], "logs.zip");
    assert_eq!(lines[0]["error"]["kind"], "usage");
    assert_eq!(lines[1]["query"], "198.51.100.77");
    let piped = fed(here.home.command("enrich -"), &zip);
    piped
        .ends(2)
        .says("standard input is a zip archive, not text");
    let piped = fed(here.home.command("enrich - good.log"), &zip);
    piped.ends(1).shows("198.51.100.77");
}

#[test]
fn answers_come_while_the_text_goes_on_and_an_interruption_keeps_them() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let out = here.home.path("out");
    let mut command = here.home.command("enrich --format json");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(fs::File::create(&out).expect("file"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let mut input = child.stdin.take().expect("input");
    input.write_all(b"198.51.100.77\n203.0.113").expect("write");
    until("the first answer", || here.home.read("out").ends_with('\n'));
    signal(&child, "INT");
    let ran = Ran::of(child.wait_with_output().expect("wait"));
    ran.ends(130).says("1 addresses are answered");
    assert_eq!(here.home.read("out").lines().count(), 1);
    drop(input);
}

#[test]
fn a_reader_that_leaves_ends_it_quietly() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let line = |host: u32| format!("198.18.{}.{}\n", host / 256, host % 256);
    let text: String = (0..60_000).map(line).collect();
    fs::write(here.home.path("text"), text).expect("write");
    let mut child = here.home.start("enrich text --format json");
    let mut first = [0; 100];
    child
        .stdout
        .take()
        .expect("output")
        .read_exact(&mut first)
        .expect("an answer");
    let ran = Ran::of(child.wait_with_output().expect("wait"));
    assert_eq!(ran.ends(0).err, "");
}

#[test]
fn what_stands_beside_an_address_and_when_comes_with_its_answer() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let address = here.some_addresses(1).remove(0);
    let write = |text: String| fs::write(here.home.path("log"), text).expect("write");
    let line = |options: &str| -> Value {
        let ran = here
            .home
            .run(&format!("enrich log --format json {options}"));
        ran.ends(0).lines().remove(0)
    };
    write(format!(
        "time,ip,user\n2026-11-20 10:15:30,{address},alice\n2026-11-19 09:00:00,{address},bob\n\
         2026-11-21 09:00:00+01:00,{address},alice\n"
    ));
    let answer = line("");
    assert_eq!(answer["first_time"], "2026-11-19T09:00:00Z");
    assert_eq!(answer["last_time"], "2026-11-21T08:00:00Z");
    assert_eq!(
        answer["columns"]["user"],
        serde_json::json!([{"value": "alice", "count": 2}, {"value": "bob", "count": 1}])
    );
    assert_eq!(line("--zone +02:00")["first_time"], "2026-11-19T07:00:00Z");
    write(format!("20.11.2026 10:15 SRC={address} DPT=22\n"));
    assert_eq!(line("")["first_time"], Value::Null);
    let answer = line("--dates eu");
    assert_eq!(answer["first_time"], "2026-11-20T10:15:00Z");
    assert_eq!(answer["columns"]["DPT"][0]["value"], "22");
    assert_eq!(answer["columns"]["SRC"], Value::Null, "that is the address");
    let csv = here.home.run("enrich log --dates eu --format csv");
    let csv = &csv.ends(0).out;
    assert!(
        csv.lines()
            .next()
            .is_some_and(|head| head.ends_with("first_time,last_time,columns,lines,role"))
    );
    assert!(
        csv.contains("2026-11-20T10:15:00Z,2026-11-20T10:15:00Z,DPT=22"),
        "{csv}"
    );
}
