//! `enrich --spend` and `--resume`: what it promises is what the service counts, and no query that was answered is sent twice, however a
//! run ends.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Write,
    net::IpAddr,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use ipnet::IpNet;
use ipspect::{demo::DemoRole, model::Day};
use serde_json::Value;

use crate::{
    home::{Here, subject},
    service::{Home, Ran, Service},
};

const FEED: &str = "anonymous";

/// Addresses without a record in the feed, of which the service may know.
fn unknown(here: &Here, most: usize) -> Vec<String> {
    let records = here.records(FEED).iter();
    let known: BTreeSet<IpNet> = records.filter_map(subject).collect();
    let is_wide = |net: &&IpNet| net.prefix_len() < net.max_prefix_len();
    let wide: Vec<IpNet> = known.iter().filter(is_wide).copied().collect();
    let hosts = (0..=255).map(|host| format!("203.0.113.{host}"));
    let others = (0..4096).map(|host| format!("198.18.{}.{}", 64 + host / 256, host % 256));
    let mut all: Vec<String> = hosts.chain(others).collect();
    all.retain(|address| {
        let address: IpAddr = address.parse().expect("an address");
        !known.contains(&address.into()) && !wide.iter().any(|net| net.contains(&address))
    });
    assert!(all.len() >= most, "{}", all.len());
    all.truncate(most);
    all
}

/// A log with each of these addresses on as many lines as its place from the end.
fn write_log(home: &Home, addresses: &[String]) {
    let line = |(place, address): (usize, &String)| {
        format!("2026-11-20T10:00:00Z deny {address}\n").repeat(1 + place % 3)
    };
    let log: String = addresses.iter().enumerate().map(line).collect();
    fs::write(home.path("log"), log).expect("write");
}

/// The addresses that the service was asked about, each time.
fn asked(service: &Service) -> Vec<String> {
    let address = |target: String| {
        let rest = target.strip_prefix("/v2/context/").expect("a lookup");
        rest.to_owned()
    };
    service.paid().into_iter().map(address).collect()
}

fn by_query(lines: Vec<Value>) -> BTreeMap<String, Value> {
    let query = |line: &Value| line["query"].as_str().expect("a query").to_owned();
    lines.into_iter().map(|line| (query(&line), line)).collect()
}

#[test]
fn what_is_unknown_is_answered_at_the_promised_cost_and_never_again() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let local = here.some_addresses(20);
    let local: Vec<String> = local
        .into_iter()
        .filter(|text| !here.known(text).is_empty())
        .collect();
    let unknown = unknown(&here, 30);
    let all: Vec<String> = unknown.iter().chain(&local).cloned().collect();
    write_log(home, &all);
    let plan = |more: &str| {
        let line = format!("enrich log --plan {more} --format json");
        home.run(&line).ends(0).line()
    };
    assert_eq!(plan("")["live"], 30);
    assert_eq!(plan("")["cost"], 0);
    assert_eq!(plan("--spend 12")["cost"], 12);
    assert_eq!(asked(&service), [""; 0]);

    // The addresses with most lines come first, then those that come first in the text.
    let ran = home.run("enrich log --spend 12 --format json");
    ran.ends(1)
        .says("30 unanswered, 0 cached; sending 12 queries, for the addresses with most lines")
        .says("12 queries spent")
        .says("18 queries not sent");
    let mut wanted: Vec<(usize, &String)> = unknown.iter().enumerate().collect();
    wanted.sort_by_key(|(place, _)| std::cmp::Reverse(place % 3));
    let wanted: BTreeSet<String> = wanted[..12]
        .iter()
        .map(|(_, text)| (*text).clone())
        .collect();
    assert_eq!(asked(&service).len(), 12);
    assert_eq!(asked(&service).into_iter().collect::<BTreeSet<_>>(), wanted);
    let lines = ran.lines();
    let order: Vec<&str> = lines
        .iter()
        .map(|line| line["query"].as_str().expect("text"))
        .collect();
    assert_eq!(order, all, "each address once, in the order of the text");
    let by_address = by_query(lines);
    for address in &unknown {
        let line = &by_address[address];
        let is_sent = wanted.contains(address);
        let source = if is_sent { "live" } else { "local" };
        assert_eq!(line["source"], source, "{line}");
        assert_eq!(line["cost"], u64::from(is_sent), "{line}");
        assert_eq!(line["left_out"].as_bool(), (!is_sent).then_some(true));
        assert_eq!(line["searched"].is_array(), !is_sent, "{line}");
    }
    for address in &local {
        let line = &by_address[address];
        assert_eq!(
            (&line["source"], &line["feed"]),
            (&"local".into(), &FEED.into())
        );
    }

    // The rest, and then nothing: cached answers are free.
    let plan = plan("--spend 99");
    assert_eq!(
        (&plan["cached"], &plan["live"], &plan["cost"]),
        (&12.into(), &18.into(), &18.into())
    );
    assert!(plan["balance"].is_u64(), "{plan}");
    let ran = home.run("enrich log --spend 99 --format json");
    ran.ends(0).says("18 queries spent");
    assert_eq!(asked(&service).len(), 30);
    let again = home.run("enrich log --spend 99 --format json");
    again.ends(0).says("0 queries spent");
    let free = home.run("enrich log --spend 0 --format json");
    free.ends(0);
    assert_eq!(asked(&service).len(), 30);
    assert_eq!(
        asked(&service).into_iter().collect::<BTreeSet<_>>().len(),
        30
    );
    let record = |ran: &Ran| -> BTreeMap<String, Value> {
        let lines = by_query(ran.lines()).into_iter();
        lines
            .map(|(query, line)| (query, line["record"].clone()))
            .collect()
    };
    assert_eq!(record(&ran), record(&again));
    assert_eq!(record(&ran), record(&free));
    // As lookup answers.
    let line = format!("lookup {} --format json", unknown.join(" "));
    let ran = home.run_words(&format!("{line} --yes").split(' ').collect::<Vec<_>>());
    for (address, line) in by_query(ran.ends(0).lines()) {
        assert_eq!(line["record"], record(&again)[&address], "{address}");
    }
    // The answers are counted like others.
    let groups = home.run("enrich log --spend 0 --group is --format json");
    let total: u64 = groups
        .ends(0)
        .lines()
        .iter()
        .map(|value| value["lines"].as_u64().expect("a number"))
        .sum();
    assert!(total >= all.len() as u64);
    assert!(!groups.all().contains("\"unknown\""), "{groups:?}");
}

#[test]
fn what_stops_every_query_stops_them_and_the_next_run_goes_on() {
    let service = Service::with(&["context:429@5"]);
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let unknown = unknown(&here, 20);
    write_log(home, &unknown);
    let out = home.path("out");
    let mut command = home.command("enrich log --spend 99 --format json");
    let output = command.stdin(Stdio::null()).output().expect("run");
    fs::write(&out, &output.stdout).expect("write");
    let ran = Ran::of(output);
    ran.ends(1).says("429").says("not sent");
    let lines = by_query(ran.lines());
    assert_eq!(lines.len(), 20, "a line for each address");
    let answered: BTreeSet<String> = lines
        .iter()
        .filter(|(_, line)| line["source"] == "live")
        .map(|(query, _)| query.clone())
        .collect();
    assert_eq!(answered.len(), 5);
    assert_eq!(service.demo.spent(DemoRole::Full), 5);

    service.demo.faults().clear();
    let ran = home.run("enrich log --spend 99 --format json --resume out");
    let rest: BTreeSet<String> = by_query(ran.ends(0).lines()).into_keys().collect();
    let all: BTreeSet<String> = unknown.iter().cloned().collect();
    assert_eq!(rest, all.difference(&answered).cloned().collect());
    assert_eq!(service.demo.spent(DemoRole::Full), 20);
    home.run("enrich log --spend 99 --resume out")
        .ends(2)
        .says("--format json");
    home.run("enrich log --spend 99 --format json --resume log")
        .ends(2);
}

#[test]
fn what_is_not_local_needs_no_local_feed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    fs::write(home.path("log"), "deny 198.51.100.77\ndeny 10.0.0.1\n").expect("write");
    let line = home
        .run("enrich log --spend 5 --format json")
        .ends(0)
        .line();
    assert_eq!(
        (&line["source"], &line["cost"]),
        (&"live".into(), &1.into())
    );
    assert!(line["record"].is_object(), "{line}");
    assert_eq!(line["day"].as_str().map(str::len), Some(8));
    // Nothing can be sent: that is said once, and what is cached answers.
    let mut offline = home.command("enrich log --spend 5 --format json --offline");
    let ran = Ran::of(offline.stdin(Stdio::null()).output().expect("run"));
    assert_eq!(ran.ends(0).line()["source"], "cache");
    fs::write(home.path("log"), "deny 198.51.100.78 198.51.100.79\n").expect("write");
    let ran = home.run("enrich log --spend 5 --format json --offline");
    ran.ends(2).says("--offline");
    assert!(ran.lines().iter().all(|line| line["left_out"] == true));
    assert_eq!(asked(&service).len(), 1);
}

#[test]
fn the_days_of_events_cost_one_query_for_each_address_and_day() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let newest: Day = here.day(FEED).parse().expect("a day");
    let addresses = here.some_addresses(6);
    let mut log = String::new();
    let mut events = BTreeSet::new();
    for (place, address) in addresses.iter().enumerate() {
        for back in 0..4 {
            let day = newest.plus(-back);
            let line = format!("{}T1{place}:00:00Z deny {address}\n", day.dashed());
            log += &line.repeat(2);
            events.insert((address.clone(), day.to_string()));
        }
    }
    fs::write(home.path("log"), log).expect("write");
    home.run(&format!("feeds pull {FEED} --date {}", newest.plus(-1)))
        .ends(0);
    let plan = home.run("enrich log --at-time --plan --spend 99 --format json");
    let plan = plan.ends(0).line();
    let promised = plan["cost"].as_u64().expect("a cost");
    let without = |back: i32| {
        let day = newest.plus(-back);
        let line = format!(
            "lookup {} --source local --day {day} --format json",
            addresses.join(" ")
        );
        let lines = home.run(&line).ends(0).lines();
        lines.iter().filter(|line| line["record"].is_null()).count()
    };
    // In the first hours of a day the newest release is of the day before, which is over.
    let is_over = newest < Day::of(jiff::Timestamp::now());
    let of_newest = if is_over { without(0) } else { 0 };
    assert_eq!(
        promised,
        (2 * addresses.len() + without(1) + of_newest) as u64,
        "two of the three days before are not local, and the third has no record of some"
    );
    let ran = home.run("enrich log --at-time --spend 99 --format json");
    let lines = ran.ends(0).lines();
    assert_eq!(service.demo.spent(DemoRole::Full), promised);
    assert_eq!(lines.len(), events.len());
    for line in &lines {
        let (query, day) = (
            line["query"].as_str().expect("text"),
            line["event_day"].as_str().expect("text"),
        );
        assert!(
            events.contains(&(query.to_owned(), day.to_owned())),
            "{line}"
        );
        let then = &line["then"];
        assert_eq!(then["known"], true, "{line}");
        let is_local = then["source"] == "local";
        let is_pulled = [newest, newest.plus(-1)]
            .iter()
            .any(|other| other.to_string() == day);
        assert!(is_pulled || !is_local, "{line}");
        let source = if is_local { "local" } else { "live" };
        assert_eq!(then["source"], source, "{line}");
        assert_eq!(line["cost"], u64::from(!is_local), "{line}");
        if is_local {
            continue;
        }
        let looked_up = format!("lookup {query} --date {day} --source auto --format json");
        let looked_up = home.run(&looked_up).ends(0).lines();
        assert_eq!(then["record"], looked_up[0]["record"], "{line}");
    }
    assert_eq!(service.demo.spent(DemoRole::Full), promised);
    let again = home.run("enrich log --at-time --spend 99 --format json");
    again.ends(0).says("0 queries spent");
    assert_eq!(service.demo.spent(DemoRole::Full), promised);
}

/// An answer that could not be kept may be paid for again, so it is possibly spent: it is printed, and not asked for again unasked.
#[test]
fn an_answer_that_cannot_be_kept_is_possibly_spent() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    write_log(home, &unknown(&here, 3));
    // Nothing can be written into a folder that is a file.
    let answers = home.path("cache/answers");
    let _ = fs::remove_dir_all(&answers);
    fs::write(&answers, "").expect("write");
    let ran = home.run("enrich log --spend 9 --format json");
    ran.ends(0).says("answers");
    assert!(ran.lines().iter().all(|line| line["source"] == "live"));
    assert_eq!(asked(&service).len(), 3);
    fs::remove_file(&answers).expect("remove");
    let again = home.run("enrich log --spend 9 --format json");
    again.ends(1).says("possibly spent");
    assert_eq!(
        asked(&service).len(),
        3,
        "nothing is sent again without consent"
    );
    home.run("enrich log --spend 9 --yes").ends(0);
    assert_eq!(asked(&service).len(), 6);
}

/// Starts the run that goes on where the last one ended, behind its rows.
fn go_on(home: &Home, more: &str) -> Child {
    let output = File::options()
        .create(true)
        .append(true)
        .open(home.path("out"))
        .expect("output");
    let line = format!("enrich log --spend 9999 --format json --resume out {more}");
    let mut command: Command = home.command(&line);
    command
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(Stdio::null());
    command.spawn().expect("start")
}

/// Kills a run so often at random moments, then lets it end: no answered query is sent twice, and what was under way is not repeated before
/// it is allowed.
fn killed_runs(kills: usize, addresses: usize) {
    let service = Service::with(&["context:delay=2"]);
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let unknown = unknown(&here, addresses);
    write_log(home, &unknown);
    let mut seed = 77_u64;
    let (mut hits, mut done) = (0, 0);
    while hits < kills {
        let before = asked(&service).len();
        let mut child = go_on(home, "");
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // After so many further requests, and a random part of one.
        let after = usize::try_from(seed >> 33).unwrap_or(0) % 3;
        let is_there = || asked(&service).len() >= before + after;
        while !is_there() && child.try_wait().expect("a child").is_none() {
            std::thread::yield_now();
        }
        // On a busy machine a yield may take as long as all that is left to send.
        let until = Instant::now() + Duration::from_micros((seed >> 40) % 2_000);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        let has_ended = child.try_wait().expect("a child").is_some();
        child.kill().expect("kill");
        child.wait().expect("wait");
        hits += usize::from(!has_ended);
        done += usize::from(has_ended);
        assert!(
            done < 20,
            "there was nothing left to send after {hits} kills"
        );
    }
    let mut child = go_on(home, "");
    let code = child.wait().expect("wait").code();
    let sent = asked(&service);
    let once: BTreeSet<&String> = sent.iter().collect();
    assert_eq!(
        once.len(),
        sent.len(),
        "no query is sent twice without consent"
    );
    let text = fs::read_to_string(home.path("out")).expect("output");
    assert!(text.ends_with('\n'));
    let mut answered: BTreeMap<String, u64> = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("a whole line");
        if line.get("left_out").is_none() {
            let query = line["query"].as_str().expect("a query").to_owned();
            *answered.entry(query).or_default() += 1;
        }
    }
    assert!(
        answered.values().all(|times| *times == 1),
        "each answer once"
    );
    let lost = unknown.len() - answered.len();
    assert_eq!(code, Some(i32::from(lost > 0)));
    // Of those some were only about to be sent.
    let unsent = unknown.len() - once.len();
    assert!(unsent <= lost && lost <= 4 * kills, "{unsent} {lost}");
    let queries = sent.len();
    let text = format!("{kills} kills, {done} after the end: {queries} queries, {lost} lost\n");
    std::io::stderr().write_all(text.as_bytes()).expect("write");

    // What was under way is sent again once that is allowed.
    let plan = home
        .run("enrich log --plan --spend 9999 --format json")
        .ends(0)
        .line();
    assert_eq!(plan["possibly_spent"], lost, "{plan}");
    assert_eq!(plan["cost"], 0, "{plan}");
    let code = go_on(home, "--yes").wait().expect("wait").code();
    assert_eq!(code, Some(0));
    assert_eq!(asked(&service).len(), sent.len() + lost);
    let text = fs::read_to_string(home.path("out")).expect("output");
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line"));
    let rows: Vec<Value> = rows.collect();
    let known: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.get("left_out").is_none())
        .filter_map(|row| row["query"].as_str())
        .collect();
    assert_eq!(known.len(), unknown.len());
}

#[test]
fn killed_runs_pay_for_no_answer_twice() {
    killed_runs(6, 300);
}

#[test]
#[ignore = "minutes long: see CONTRIBUTING.md"]
fn two_hundred_killed_runs_pay_for_no_answer_twice() {
    killed_runs(200, 2_000);
}
