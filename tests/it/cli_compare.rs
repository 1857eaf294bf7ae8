//! `compare`: two sides against plain sets of what `enrich`, `search` and `diff` print about each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use ipspect::{
    demo::{DemoRole, FaultSite},
    model::{Day, compare::differ},
};
use serde_json::Value;

use crate::service::{Home, Ran, Service, files_below};

/// A home with two days of a feed, and these days.
pub(crate) fn two_days(service: &Service) -> (Home, [Day; 2]) {
    let home = service.home(DemoRole::Full);
    let today = Day::of(jiff::Timestamp::now());
    let days = [today.plus(-2), today.plus(-1)];
    for day in days {
        home.run(&format!("feeds pull anonymous --date {day}"))
            .ends(0);
    }
    (home, days)
}

/// The addresses of a local day.
fn addresses(home: &Home, day: Day) -> Vec<String> {
    let ran = home.run(&format!("search anonymous --day {day} --format ids"));
    ran.ends(0).out.lines().map(str::to_owned).collect()
}

/// The kind and both records of each row.
fn rows(lines: &[Value]) -> BTreeMap<String, (String, Value, Value)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let row = |line: &Value| {
        let records = (line["record"].clone(), line["before"].clone());
        (
            text(&line["query"]),
            (text(&line["diff"]), records.0, records.1),
        )
    };
    lines.iter().map(row).collect()
}

/// The order of lists carries no meaning.
fn is_same(a: &Value, b: &Value) -> bool {
    !differ(a.to_string().as_bytes(), b.to_string().as_bytes())
}

/// What a verdict rests on, among other things.
fn tunnels(record: &Value) -> BTreeSet<[String; 3]> {
    let of = |value: &Value| {
        [&value["type"], &value["operator"], &value["anonymous"]].map(Value::to_string)
    };
    let tunnels = record["tunnels"].as_array().into_iter().flatten();
    tunnels.map(of).collect()
}

#[test]
fn two_texts_are_sets_of_addresses() {
    let service = Service::start();
    let (home, [_, to]) = two_days(&service);
    let all = addresses(&home, to);
    let (a, b) = (&all[..40], &all[20..60]);
    // Repeated, in another order, and with what is no public address.
    let text = |texts: &[String]| {
        texts
            .iter()
            .rev()
            .chain(texts)
            .cloned()
            .collect::<Vec<_>>()
            .join(" 10.0.0.1\n")
    };
    fs::write(home.path("a.log"), text(a)).expect("write");
    fs::write(home.path("b.log"), text(b)).expect("write");
    let asked = service.asked(FaultSite::Context).len();
    let ran = home.run("compare a.log b.log --all --format json");
    let told = rows(&ran.ends(0).lines());
    assert_eq!(
        service.asked(FaultSite::Context).len(),
        asked,
        "nothing is sent"
    );
    let union: BTreeSet<&String> = all[..60].iter().collect();
    assert_eq!(told.keys().collect::<BTreeSet<_>>(), union);
    for (address, (kind, record, before)) in &told {
        let expected = match (a.contains(address), b.contains(address)) {
            (true, true) => "equal",
            (true, false) => "del",
            _ => "add",
        };
        assert_eq!(kind, expected, "{address}");
        assert_eq!(record.is_null(), kind == "del");
        assert_eq!(before.is_null(), kind == "add");
    }
    let ran = home.run("compare a.log b.log --exit-code");
    ran.ends(11).says(
        "20 in both, 20 in A only, 20 in B only, 0 with another verdict, 20 equal; --all shows these, too",
    );
    assert_eq!(
        ran.out
            .lines()
            .filter(|line| line.starts_with("+ "))
            .count(),
        20
    );
    assert_eq!(
        ran.out
            .lines()
            .filter(|line| line.starts_with("- "))
            .count(),
        20
    );
    home.run("compare a.log a.log --exit-code")
        .ends(0)
        .says("40 equal");
    let csv = home.run("compare a.log b.log --format csv");
    csv.ends(0).shows(
        "diff,query,event_day,unknown,tunnel_types_a,operators_a,tunnel_types_b,operators_b,changes",
    );
    assert_eq!(csv.out.lines().count(), 41);
    home.run("compare a.log b.log --format md")
        .ends(0)
        .shows("### a[.]log and b[.]log")
        .shows("[.]");
    // A text from standard input is read once.
    let input = fs::File::open(home.path("b.log")).expect("open");
    let output = home
        .command("compare - b.log --exit-code")
        .stdin(input)
        .output();
    Ran::of(output.expect("run")).ends(0);
}

/// A text on two days, and two runs of the same text: what each day says, as `enrich` prints it.
#[test]
fn a_text_on_two_days_is_what_two_runs_of_it_are() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service);
    let mut all = addresses(&home, from);
    all.extend(addresses(&home, to));
    fs::write(home.path("a.log"), all.join("\n")).expect("write");
    let mut records: BTreeMap<String, [Value; 2]> = BTreeMap::new();
    for (at, day) in [from, to].into_iter().enumerate() {
        let ran = home.run(&format!("enrich a.log --day {day} --format json"));
        fs::write(home.path(&format!("run-{at}")), &ran.ends(0).out).expect("write");
        for line in ran.lines() {
            let address = line["query"].as_str().expect("an address").to_owned();
            records.entry(address).or_default()[at] = line["record"].clone();
        }
    }
    let of_days = home.run(&format!(
        "compare a.log@{from} a.log@{to} --all --format json"
    ));
    let told = rows(&of_days.ends(0).lines());
    assert_eq!(told.len(), records.len());
    let mut kinds = BTreeSet::new();
    for (address, [before, record]) in &records {
        let (kind, told_record, told_before) = &told[address];
        assert_eq!((told_record, told_before), (record, before), "{address}");
        // A verdict rests on more than tunnels: where these differ, it does.
        if tunnels(before) != tunnels(record) {
            assert_eq!(kind, "change", "{address}");
        }
        assert_eq!(kind == "equal", is_same(before, record), "{address}");
        kinds.insert(kind.as_str());
    }
    assert_eq!(kinds, BTreeSet::from(["change", "equal", "other"]));
    let of_runs = home.run("compare run-0 run-1 --all --format json");
    assert_eq!(rows(&of_runs.ends(0).lines()), told);
    // A run whose day is named is a text.
    let anew = home.run(&format!("compare run-0@{to} run-1 --all --exit-code"));
    anew.ends(0);
}

#[test]
fn two_filters_are_sets_of_records() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service);
    let of = |day: Day, filter: &str| -> BTreeMap<String, Value> {
        let ran = home.run(&format!(
            "search anonymous {filter} --day {day} --format json"
        ));
        let lines = ran.ends(0).lines().into_iter();
        lines
            .map(|value| (value["ip"].as_str().expect("an address").to_owned(), value))
            .collect()
    };
    for (a, b) in [
        ((from, "type:VPN"), (to, "type:VPN")),
        ((to, "type:PROXY"), (to, "cc:NL")),
        ((to, "cc:NL"), (from, "")),
    ] {
        let side = |(day, filter): (Day, &str)| format!("anonymous@{day}:{filter}");
        let ran = home.run(&format!(
            "compare {} {} --all --format json",
            side(a),
            side(b)
        ));
        let told = rows(&ran.ends(0).lines());
        let (before, after) = (of(a.0, a.1), of(b.0, b.1));
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let mut differ = 0;
        for name in names {
            let (old, new) = (before.get(name), after.get(name));
            if old.zip(new).is_some_and(|(old, new)| is_same(old, new)) {
                assert!(!told.contains_key(name), "{name}");
                continue;
            }
            differ += 1;
            let (kind, record, before) = &told[name];
            assert_eq!(
                (old.unwrap_or(&Value::Null), new.unwrap_or(&Value::Null)),
                (before, record)
            );
            match (old, new) {
                (None, _) => assert_eq!(kind, "add"),
                (_, None) => assert_eq!(kind, "del"),
                (Some(old), Some(new)) if tunnels(old) != tunnels(new) => {
                    assert_eq!(kind, "change");
                }
                _ => assert!(["change", "other"].contains(&kind.as_str())),
            }
        }
        assert!(differ > 3 && told.len() == differ);
    }
    home.run("compare anonymous:operator:X dch")
        .ends(2)
        .says("^^^^^^^^");
    home.run("compare anonymous:type:VPN dch:type:VPN")
        .ends(2)
        .says("have no type");
}

#[test]
fn two_addresses_are_compared_with_each_other() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service);
    // Of another operator, on the day of which both are asked: an address has no record on some days.
    let other = home.run("search anonymous type:VPN -tag:ACME_VPN --format ids --limit 1");
    let other = other.ends(0).out.trim().to_owned();
    let pair = format!("compare 198.51.100.77 {other}");
    let text = home.run(&pair);
    text.ends(0)
        .shows("A  198.51.100.77  VPN ACME_VPN")
        .shows(&format!("B  {other}"))
        .shows("FIELD");
    home.run(&format!("{pair} --format md"))
        .ends(0)
        .shows("| FIELD | A | B |");
    let line = home.run(&format!("{pair} --format json")).ends(0).line();
    assert_eq!(line["before"]["ip"], "198.51.100.77");
    assert_eq!(line["record"]["ip"], *other);
    assert_eq!(
        (&line["query"], &line["other"]),
        (&"198.51.100.77".into(), &other.as_str().into())
    );
    let same = format!("compare 198.51.100.77@{to} 198.51.100.77@{to} --exit-code");
    home.run(&same)
        .ends(0)
        .says(&format!("local releases: {} anonymous", to.dashed()))
        .shows("no field differs")
        .shows("the verdict is the same since 20");
    home.run(&format!(
        "compare 198.51.100.77@{from} {other}@{to} --exit-code"
    ))
    .ends(11);
}

#[test]
fn what_cannot_be_compared_is_said_with_the_way_on() {
    let service = Service::start();
    let (home, _) = two_days(&service);
    fs::write(home.path("a.log"), "198.51.100.77").expect("write");
    home.run("compare a.log anonymous:type:VPN")
        .ends(2)
        .says("two filters");
    home.run("compare a.log 10.0.0.1")
        .ends(2)
        .says("not public");
    home.run("compare a.log no-such.log")
        .ends(2)
        .says("no file");
    home.run("compare a.log@soon a.log")
        .ends(2)
        .says("not a day");
    for line in [
        "compare 198.51.100.77@2020-01-01 198.51.100.77",
        "compare a.log@2020-01-01 a.log",
    ] {
        home.run(line)
            .ends(10)
            .says("ipspect feeds pull anonymous --date 2020-01-01");
    }
    home.run("compare - -").ends(2).says("read once");
    // What is not known is never taken for unchanged, nor for no record.
    fs::write(home.path("b.log"), "198.51.100.78").expect("write");
    let apart = home.run("compare a.log@2020-01-01 b.log --format json --exit-code");
    let told = apart
        .ends(11)
        .says("no release of anonymous of 2020-01-01 is local")
        .lines();
    assert_eq!(
        (&told[0]["diff"], &told[0]["unknown"]),
        (&"del".into(), &"A".into())
    );
    assert_eq!(
        (&told[1]["diff"], &told[1]["unknown"]),
        (&"add".into(), &Value::Null)
    );
    fs::write(home.path("both.log"), "198.51.100.77 2001:db8:77:1::7").expect("write");
    let wide = home.run("compare both.log both.log --all --exit-code --format json");
    wide.ends(10).says("no release of anonymous-ipv6 is local");
    assert_eq!(wide.lines()[1]["unknown"], "A B");
    let fresh = service.home(DemoRole::Full);
    fresh
        .run("compare 198.51.100.77 198.51.100.78")
        .ends(10)
        .says("ipspect feeds pull anonymous");
}

/// A feed that cannot be read is named, and the run ends with its code.
#[test]
fn a_release_that_cannot_be_read_is_not_passed_over() {
    let service = Service::start();
    let (home, [_, to]) = two_days(&service);
    home.run(&format!("feeds pull dch --date {to}")).ends(0);
    fs::write(home.path("a.log"), "198.51.100.77").expect("write");
    for file in files_below(&home.path("cache")) {
        let is_of_dch = file
            .components()
            .any(|component| component.as_os_str() == "dch");
        if is_of_dch && file.extension().is_some_and(|text| text != "json") {
            fs::write(&file, "damaged").expect("write");
        }
    }
    let ran = home.run("compare a.log a.log@latest --exit-code");
    ran.ends(7).says("dch");
}

/// A feed that one of the days does not have says nothing about that day: its record of the other day is no change.
#[test]
fn what_a_feed_of_another_day_says_is_unknown() {
    let service = Service::start();
    let (home, [from, to]) = two_days(&service);
    home.run(&format!("feeds pull dch --date {to}")).ends(0);
    let known: BTreeSet<String> = addresses(&home, from)
        .into_iter()
        .chain(addresses(&home, to))
        .collect();
    let networks = home.run(&format!("search dch --day {to} --format ids"));
    let mut hosts = networks.ends(0).out.lines().flat_map(|network| {
        let (base, _) = network.split_once('/').expect("a network");
        let (three, _) = base.rsplit_once('.').expect("an IPv4 network");
        (1..255).map(move |last| format!("{three}.{last}"))
    });
    let host = hosts
        .find(|text| !known.contains(text))
        .expect("a host of a netblock alone");
    home.run(&format!("compare {host}@{to} {host}@{to} --exit-code"))
        .ends(0);
    let ran = home.run(&format!("compare {host}@{from} {host}@{to} --exit-code"));
    ran.ends(10).says("no release of dch");
}
