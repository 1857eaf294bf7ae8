//! `watch`: what it tells against plain comparisons of the same days, each once, and what happens to who is interrupted.

use std::{collections::BTreeMap, fs, process::Stdio, time::Duration};

use ipspect::{demo::DemoRole, model::Day};
use serde_json::{Value, json};

use crate::service::{Home, Service};

fn days_ago(days: i32) -> Day {
    Day::of(jiff::Timestamp::now()).plus(-days)
}

fn pull(home: &Home, days: i32) -> String {
    let day = days_ago(days);
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0)
        .err
        .clone()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect(line))
        .collect()
}

/// What `diff` says of two days, by subject: whether it is new or gone, the operators and the clients.
fn plain(home: &Home, filter: &str, [from, to]: [Day; 2]) -> BTreeMap<(String, String), Value> {
    let out = home
        .run(&format!(
            "diff anonymous --from {from} --to {to} --format json"
        ))
        .out;
    let matching = |day: Day| {
        let out = home
            .run(&format!(
                "search anonymous {filter} --day {day} --format ids"
            ))
            .out;
        out.lines()
            .map(str::to_owned)
            .collect::<std::collections::HashSet<_>>()
    };
    let (before, after) = (matching(from), matching(to));
    let mut found = BTreeMap::new();
    let operators = |record: &Value| {
        let named = |list: &Value, key: Option<&str>| {
            let items = list.as_array().cloned().unwrap_or_default();
            let name = |item: &Value| key.map_or(Some(item.clone()), |key| item.get(key).cloned());
            let mut names: Vec<Value> = items.iter().filter_map(name).collect();
            names.sort_by_key(ToString::to_string);
            names.dedup();
            names
        };
        let tunnels = named(&record["tunnels"], Some("operator"));
        let proxies = || named(&record["client"]["proxies"], None);
        Value::from(if tunnels.is_empty() {
            proxies()
        } else {
            tunnels
        })
    };
    for line in lines(&out) {
        let (was, is) = (&line["before"], &line["record"]);
        let subject = is["ip"].as_str().or(was["ip"].as_str());
        let subject = subject.expect("an address").to_owned();
        let mut add = |kind: &str, before: Value, after: Value| {
            found.insert((subject.clone(), kind.to_owned()), json!([before, after]));
        };
        match (before.contains(&subject), after.contains(&subject)) {
            (false, true) => add("added", Value::Null, operators(is)),
            (true, false) => add("removed", operators(was), Value::Null),
            (true, true) => {
                if operators(was) != operators(is) {
                    add("operator", operators(was), operators(is));
                }
                let clients = |record: &Value| record["client"]["count"].as_u64();
                if let (Some(was), Some(is)) = (clients(was), clients(is))
                    && was > 0
                    && is >= 2 * was
                {
                    add("clients", was.into(), is.into());
                }
            }
            (false, false) => {}
        }
    }
    found
}

fn told(lines: &[Value], watch: &str, [from, to]: [Day; 2]) -> BTreeMap<(String, String), Value> {
    let is_own = |line: &&Value| {
        line["watch"] == watch
            && line["from"] == from.dashed()
            && line["to"] == to.dashed()
            && !line["subject"].is_null()
    };
    let text = |line: &Value, key: &str| line[key].as_str().expect(key).to_owned();
    let own = lines.iter().filter(is_own);
    own.map(|line| {
        let key = (text(line, "subject"), text(line, "kind"));
        (key, json!([line["before"], line["after"]]))
    })
    .collect()
}

#[test]
fn each_change_is_told_once_with_the_days_that_were_compared() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let handed = home.path("handed.jsonl");
    let config = fs::read_to_string(home.path("config/config.toml")).expect("the configuration");
    let command = format!("cat >> '{}'", handed.display());
    let command = json!(["sh", "-c", command]);
    fs::write(
        home.path("config/config.toml"),
        format!("{config}\n[watch]\non_change = {command}\n"),
    )
    .expect("write");
    home.run("watch add vpn --filter type:VPN --feed anonymous")
        .ends(0)
        .says("is not local");
    pull(&home, 6);
    home.run("watch add nl --filter cc:NL --at-most 3 --feed anonymous")
        .ends(0)
        .says("beyond the bounds already");
    home.run("watch check").ends(0).says("nothing changed");
    // The day between is not local.
    let said = pull(&home, 4);
    assert!(
        said.contains("nl: from ") && said.contains(" unknown, not local"),
        "{said}"
    );
    pull(&home, 3);
    home.run("watch check").ends(0).says("nothing changed");
    let handed = lines(&fs::read_to_string(&handed).expect("what was handed over"));
    for [from, to] in [[6, 4], [4, 3]] {
        let days = [days_ago(from), days_ago(to)];
        for (watch, filter) in [("vpn", "type:VPN"), ("nl", "cc:NL")] {
            let expected = plain(&home, filter, days);
            assert!(!expected.is_empty(), "{watch}");
            assert_eq!(told(&handed, watch, days), expected, "{watch} {days:?}");
        }
    }
    let unknown: Vec<&Value> = handed
        .iter()
        .filter(|line| line["kind"] == "unknown")
        .collect();
    let gap = days_ago(5).dashed();
    assert_eq!(unknown.len(), 2);
    assert!(
        unknown
            .iter()
            .all(|line| line["from"] == gap && line["to"] == gap)
    );
    // What was pulled while nobody watched is looked at day by day.
    home.run("watch rm vpn nl").ends(0).shows("2 watches ended");
    home.run("watch check").ends(0).says("nothing is watched");
    home.run("watch check vpn").ends(10);
}

#[test]
fn addresses_networks_systems_tags_and_lists_are_watched() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    pull(&home, 3);
    let all = home
        .run("search anonymous type:VPN tag:ACME_VPN --format json")
        .out;
    let first = lines(&all).swap_remove(0);
    let record = first.get("record").unwrap_or(&first);
    let address = record["ip"].as_str().expect("an address");
    let tag = record["tunnels"][0]["operator"]
        .as_str()
        .expect("an operator");
    let system = &record["as"]["number"];
    fs::write(
        home.path("ours.txt"),
        format!("{address}\n203.0.113.0/24\n"),
    )
    .expect("write");
    for (name, what) in [
        ("one", format!("--address {address}")),
        ("block", "--network 198.51.100.0/24".to_owned()),
        ("system", format!("--as AS{system}")),
        ("tag", format!("--tag {tag}")),
        ("list", "--file ours.txt".to_owned()),
    ] {
        home.run(&format!("watch add {name} {what} --feed anonymous"))
            .ends(0);
    }
    let listed = home.run("watch list --format json").out;
    for (line, filter) in lines(&listed).iter().zip([
        "net:198.51.100.0/24".to_owned(),
        format!("net:{address},203.0.113.0/24"),
        format!("net:{address}"),
        format!("asn:{system}"),
        format!("tag:{tag}"),
    ]) {
        let count = home.run(&format!("search anonymous {filter} --count")).out;
        assert_eq!(line["count"].to_string(), count.trim(), "{line}");
    }
    // A count that leaves its bounds is told when it does.
    let all: u64 = home
        .run("search anonymous --count")
        .out
        .trim()
        .parse()
        .expect("a number");
    home.run(&format!(
        "watch add all --filter clients>=0 --at-most {all} --feed anonymous"
    ))
    .ends(0);
    fs::remove_file(home.path("ours.txt")).expect("remove");
    let said = pull(&home, 2);
    assert!(said.contains("watch list: "), "{said}");
    // Of another feed nothing is looked at.
    let ran = home.run("feeds pull dch");
    assert!(!ran.ends(0).err.contains("watch"));
}

/// The changes that a watch of all records has to tell, and the state in which it has not told them.
fn untold(service: &Service) -> (Home, Vec<u8>) {
    let home = service.home(DemoRole::Full);
    pull(&home, 6);
    home.run("watch add all --filter clients>5 --feed anonymous")
        .ends(0);
    let log = fs::read(home.path("state/log")).expect("the log");
    for day in [5, 3, 2] {
        pull(&home, day);
    }
    (home, log)
}

#[test]
fn who_is_killed_is_told_once_more_and_nothing_is_lost() {
    // IPSPECT_KILLS=200 as the goal has it.
    let kills = std::env::var("IPSPECT_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(12_u32);
    let service = Service::start();
    let (home, log) = untold(&service);
    let restore = || fs::write(home.path("state/log"), &log).expect("write");
    restore();
    let begun = std::time::Instant::now();
    let all = home.run("watch check --format json").ends(11).out.clone();
    let took = begun.elapsed();
    home.run("watch check --format json").ends(0);
    assert!(lines(&all).len() > 20);
    for kill in 0..kills {
        restore();
        let mut child = home
            .command("watch check --format json")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("start");
        let until = took * kill / kills + Duration::from_micros(u64::from(kill % 7) * 100);
        let begun = std::time::Instant::now();
        while begun.elapsed() < until && child.try_wait().expect("wait").is_none() {
            std::thread::yield_now();
        }
        child.kill().expect("kill");
        let first =
            String::from_utf8(child.wait_with_output().expect("wait").stdout).expect("text");
        let ran = home.run("watch check --format json");
        let second = ran.out.clone();
        // All of it is told, now or before; a line that was cut off is told whole.
        let whole = first
            .lines()
            .filter(|line| serde_json::from_str::<Value>(line).is_ok());
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for line in whole.chain(second.lines()) {
            *seen.entry(line).or_default() += 1;
        }
        let expected: BTreeMap<&str, u32> = all.lines().map(|line| (line, 0)).collect();
        assert_eq!(
            seen.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "{kill}"
        );
        assert!(seen.values().all(|count| (1..=2).contains(count)), "{kill}");
        home.run("watch check").ends(0);
    }
}

#[test]
fn a_log_is_looked_back_at() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("watch check --file nothing.log").ends(2);
    fs::write(home.path("access.log"), "").expect("write");
    home.run("watch check --file access.log")
        .ends(0)
        .says("access.log has no addresses");
    for feed in ["anonymous", "anonymous-residential"] {
        for day in [6, 2] {
            let day = days_ago(day);
            home.run(&format!("feeds pull {feed} --date {day}")).ends(0);
        }
    }
    let ids = |day: i32| {
        let day = days_ago(day);
        let out = home
            .run(&format!(
                "search anonymous-residential --day {day} --format ids"
            ))
            .out;
        out.lines()
            .map(str::to_owned)
            .collect::<std::collections::BTreeSet<String>>()
    };
    let (before, after) = (ids(6), ids(2));
    let became: Vec<&String> = after.difference(&before).take(5).collect();
    let both: Vec<&String> = after.intersection(&before).take(5).collect();
    let line = |address: &String, days: i32| {
        format!(
            "{}T10:00:00Z src={address} user=alice\n",
            days_ago(days).dashed()
        )
    };
    let mut log = String::new();
    for address in became.iter().chain(&both) {
        log += &line(address, 6);
    }
    // Of its day nothing is local.
    log += &line(became[0], 4).replace(became[0], "203.0.113.250");
    fs::write(home.path("access.log"), log).expect("write");
    let ran = home.run("watch check --file access.log --format json");
    let found: Vec<String> = lines(&ran.ends(11).out)
        .iter()
        .map(|line| {
            assert_eq!(
                (&line["kind"], &line["from"]),
                (&json!("known"), &json!(days_ago(6).dashed()))
            );
            line["subject"].as_str().expect("an address").to_owned()
        })
        .collect();
    let mut expected: Vec<String> = became.into_iter().cloned().collect();
    expected.sort_by_key(|text| text.parse::<std::net::Ipv4Addr>().expect("an address"));
    assert_eq!(found, expected);
    assert!(ran.err.contains("of 1 it is unknown"), "{}", ran.err);
}

#[test]
fn releases_are_remembered_day_by_day_when_they_are_gone() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds health")
        .ends(0)
        .says("no release was pulled");
    for day in [6, 5, 4, 3, 2] {
        pull(&home, day);
    }
    let records = |day: Day| -> u64 {
        let count = home
            .run(&format!("search anonymous --day {day} --count"))
            .out;
        count.trim().parse().expect("a number")
    };
    let expected: Vec<u64> = [6, 5, 4, 3, 2].map(|day| records(days_ago(day))).to_vec();
    let changed = home
        .run(&format!(
            "diff anonymous --from {} --to {} --count --format json",
            days_ago(3),
            days_ago(2)
        ))
        .line();
    let listed = || lines(&home.run("feeds health anonymous --format json").out);
    let days = listed();
    let own: Vec<u64> = days
        .iter()
        .filter_map(|line| line["records"].as_u64())
        .collect();
    assert_eq!(own, expected);
    let sum = ["added", "deleted", "changed"]
        .map(|key| changed[key].as_u64().expect(key))
        .iter()
        .sum::<u64>();
    assert_eq!(days[4]["changed"], sum);
    assert!(days[0]["changed"].is_null());
    home.run("feeds rm anonymous --all").ends(0);
    assert_eq!(listed(), days);
    let two = home.run("feeds health anonymous --days 2 --format json");
    assert_eq!(lines(&two.out), days[3..]);
}

#[test]
fn what_a_command_did_not_take_is_handed_to_it_again() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let handed = home.path("handed.jsonl");
    let config = fs::read_to_string(home.path("config/config.toml")).expect("the configuration");
    let on_change = |words: &[&str]| {
        let text = format!("{config}\n[watch]\non_change = {}\n", json!(words));
        fs::write(home.path("config/config.toml"), text).expect("write");
    };
    pull(&home, 4);
    home.run("watch add nl --filter cc:NL --feed anonymous")
        .ends(0);
    on_change(&["false"]);
    let said = pull(&home, 3);
    assert!(
        said.contains("the next check hands the changes to it again"),
        "{said}"
    );
    on_change(&["sh", "-c", &format!("cat >> '{}'", handed.display())]);
    home.run("watch check").ends(0).says("nothing changed");
    let all = lines(&fs::read_to_string(&handed).expect("what was handed over"));
    assert!(!all.is_empty());
    let told = home.run("watch check --told --format json").out;
    assert_eq!(lines(&told), all);
    home.run("watch check").ends(0);
    assert_eq!(
        lines(&fs::read_to_string(&handed).expect("the same")).len(),
        all.len()
    );
    // A watch that has nothing to look at yet keeps nothing from being told.
    home.run("watch add later --tag ACME_VPN --feed anonymous-residential")
        .ends(0)
        .says("begins with its first release");
    home.run("watch check")
        .ends(0)
        .says("anonymous-residential is not local");
    home.run("watch add nl --filter cc:DE --feed anonymous")
        .ends(0)
        .says("nl was filter cc:NL of anonymous so far");
}

#[test]
fn a_watch_that_cannot_be_read_is_not_passed_over_in_silence() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("watch add acme --tag ACME_VPN --feed anonymous")
        .ends(0);
    let log = fs::read_to_string(home.path("state/log")).expect("the log");
    let later: Vec<String> = log
        .lines()
        .map(|line| {
            let text = line.replace("\"tag\":\"ACME_VPN\"", "\"later\":\"ACME_VPN\"");
            let object: serde_json::Map<String, Value> =
                serde_json::from_str(&text).expect("a line");
            if object.contains_key("checksum") {
                ipspect::store::checksum::sign(object).to_string()
            } else {
                text
            }
        })
        .collect();
    fs::write(home.path("state/log"), later.join("\n") + "\n").expect("write");
    home.run("watch list")
        .ends(0)
        .says("1 watch of another version cannot be read");
    assert!(pull(&home, 3).contains("1 watch of another version cannot be read"));
}
