//! `history` against a walk by hand over the releases, and its queries as the service counts them.

use std::{collections::BTreeMap, fs, io::Read};

use flate2::read::MultiGzDecoder;
use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
};
use serde_json::Value;

use crate::service::{Home, Service, files_below};

/// A proxy that is seen every second day.
const EVERY_OTHER: &str = "198.51.100.231";
/// An exit that changed hands, within ten days.
const CHANGED: &str = "198.51.100.77";

/// The day so many days ago.
fn ago(days: i32) -> Day {
    Day::of(jiff::Timestamp::now()).plus(-days)
}

/// A home with the releases of these days, as so many days ago.
fn with_days(service: &Service, days: impl IntoIterator<Item = i32>) -> Home {
    let home = service.home(DemoRole::Full);
    for day in days {
        pull(&home, ago(day));
    }
    home
}

fn pull(home: &Home, day: Day) {
    home.run(&format!("feeds pull anonymous --date {day}"))
        .ends(0);
}

/// The file with a release's records.
fn file_of(home: &Home, day: Day) -> std::path::PathBuf {
    let files = files_below(&home.path(&format!("cache/feeds/anonymous/{day}")));
    let mut files = files.into_iter();
    let is_data = |file: &std::path::PathBuf| file.to_string_lossy().ends_with(".json.gz");
    files.find(is_data).expect("a feed file")
}

/// The records of some addresses on a local day, found by reading all lines.
fn walked(home: &Home, day: Day, addresses: &[String]) -> BTreeMap<String, Value> {
    let mut text = String::new();
    MultiGzDecoder::new(fs::File::open(file_of(home, day)).expect("file"))
        .read_to_string(&mut text)
        .expect("text");
    let records = text.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("record");
        (record["ip"].as_str().unwrap_or_default().to_owned(), record)
    });
    records.filter(|(ip, _)| addresses.contains(ip)).collect()
}

/// What tells one verdict from another.
fn verdict(record: &Value) -> Vec<[String; 3]> {
    let of = |value: &Value| {
        [&value["type"], &value["operator"], &value["anonymous"]].map(Value::to_string)
    };
    let tunnels = record["tunnels"].as_array().into_iter().flatten();
    let mut tunnels: Vec<_> = tunnels.map(of).collect();
    tunnels.sort();
    tunnels.dedup();
    tunnels
}

/// Whether a record names a tunnel or a proxy.
pub(crate) fn is_seen(record: &Value) -> bool {
    let has = |list: &Value, wanted: &[&str]| {
        let items = list.as_array().into_iter().flatten();
        let mut items = items.filter_map(Value::as_str);
        items.any(|text| wanted.is_empty() || wanted.contains(&text))
    };
    !verdict(record).is_empty()
        || has(&record["client"]["proxies"], &[])
        || has(&record["risks"], &["TUNNEL", "CALLBACK_PROXY"])
}

/// The stretch of each day, and the last line.
fn by_day(mut lines: Vec<Value>) -> (BTreeMap<Day, Value>, Value) {
    let last = lines.pop().expect("a last line");
    let mut days = BTreeMap::new();
    for line in lines {
        let day = |key: &str| -> Day { line[key].as_str().expect(key).parse().expect(key) };
        let (mut day, to, begins) = (day("from"), day("to"), days.len());
        while day <= to {
            assert!(days.insert(day, line.clone()).is_none(), "{day} twice");
            day = day.plus(1);
        }
        assert_eq!(line["days"], days.len() - begins);
    }
    (days, last)
}

/// The paid requests, as the days that they ask about.
fn asked(service: &Service) -> Vec<Day> {
    let paid = service.paid().into_iter();
    let day = paid.map(|target| {
        let day = target.split("dt=").nth(1).expect("a day");
        day.parse().expect("a day")
    });
    day.collect()
}

#[test]
fn each_day_is_what_a_walk_over_the_releases_finds() {
    let service = Service::start();
    // Days 4 and 5 are not local.
    let local = [10, 9, 8, 7, 6, 3, 2, 1];
    let home = with_days(&service, local);
    let ids = home.run(&format!("search anonymous --day {} --format ids", ago(6)));
    let some = ids.ends(0).out.lines().step_by(97).take(12);
    let is_address = |text: &&str| !text.contains('/') && !text.contains(':');
    let mut addresses: Vec<String> = some.filter(is_address).map(str::to_owned).collect();
    addresses.extend([EVERY_OTHER, CHANGED, "203.0.113.9", "198.18.255.254"].map(str::to_owned));
    let walks = local.map(|day| (ago(day), walked(&home, ago(day), &addresses)));
    let walks: BTreeMap<Day, _> = walks.into();
    let requests = service.demo.requests().len();
    let (mut absent, mut changes) = (0, 0);
    for address in &addresses {
        let ran = home.run(&format!("history {address} --to yesterday --format json"));
        let (days, last) = by_day(ran.ends(0).lines());
        assert_eq!(days.len(), 10, "{address}");
        let mut seen = Vec::new();
        let mut before: Option<(&Value, Option<&Value>)> = None;
        for (day, stretch) in &days {
            let walk = walks.get(day).map(|walk| walk.get(address));
            let Some(record) = walk else {
                assert_eq!(
                    (&stretch["known"], &stretch["why"]),
                    (&false.into(), &"not-local".into())
                );
                assert!(stretch["record"].is_null() && stretch["source"].is_null());
                before = None;
                continue;
            };
            assert_eq!(
                (&stretch["known"], &stretch["source"]),
                (&true.into(), &"local".into())
            );
            let is_last = stretch["to"] == day.to_string();
            match record {
                None => assert!(stretch["why"] == "no-record" && stretch["record"].is_null()),
                Some(record) if is_last => assert_eq!(&stretch["record"], record, "{address}"),
                Some(record) => assert_eq!(verdict(&stretch["record"]), verdict(record)),
            }
            if let Some((last, last_record)) = before {
                let is_same = last_record.map(verdict) == record.map(verdict);
                assert_eq!(last == stretch, is_same, "{address} {day}");
                changes += usize::from(!is_same);
            }
            absent += usize::from(record.is_none());
            before = Some((stretch, record));
            if record.is_some_and(is_seen) {
                seen.push(day.to_string());
            }
        }
        assert_eq!(
            (&last["cost"], &last["unknown_days"]),
            (&0.into(), &2.into())
        );
        let recent = &last["recent"];
        assert_eq!(recent["days"], 8);
        assert_eq!(recent["seen"], seen.len(), "{address}");
        let ends = [seen.first(), seen.last()].map(|text| text.map(String::as_str));
        assert_eq!(["first", "last"].map(|key| recent[key].as_str()), ends);
        let csv = home.run(&format!("history {address} --to yesterday --format csv"));
        let known = csv.ends(0).out.lines().skip(1).map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            (cells[1].parse::<Day>().expect("a day"), cells[2] == "true")
        });
        assert!(
            known.eq(days
                .iter()
                .map(|(day, value)| (*day, value["known"] == true)))
        );
    }
    assert!(absent > 20 && changes > 4, "{absent} {changes}");
    assert_eq!(service.demo.requests().len(), requests, "nothing is sent");
}

#[test]
fn a_proxy_that_is_gone_today_is_not_passed_over_in_silence() {
    let service = Service::start();
    let home = with_days(&service, 1..=11);
    // The newest of two days in a row on which it has no record.
    let to = [1, 2].map(ago).into_iter();
    let mut to = to.filter(|day| walked(&home, *day, &[EVERY_OTHER.to_owned()]).is_empty());
    let to = to.next().expect("a day without a record");
    let (last, today) = (to.plus(-1).dashed(), to.dashed());
    let line = format!("history {EVERY_OTHER} --from {} --to {today}", to.plus(-9));
    let sentence =
        format!("no record on {today}; PROXY on 5 of the last 10 local days, last {last}");
    let text = home.run(&line);
    let expected = format!("{EVERY_OTHER}  {sentence}\n\n");
    assert!(text.ends(0).out.starts_with(&expected), "{text:?}");
    text.shows("  ●·●·●·●·●·  ")
        .shows("● no operator named   · no record");
    assert_eq!(text.err, "");
    let mut ascii = home.command(&line);
    let ascii = crate::service::Ran::of(ascii.env("LC_ALL", "C").output().expect("run"));
    ascii.ends(0).shows("  *.*.*.*.*.  ");
    assert!(ascii.out.is_ascii());
    let ticket = home.run(&format!("{line} --format md"));
    let defanged = EVERY_OTHER.replace('.', "[.]");
    ticket
        .ends(0)
        .shows(&format!("{defanged}: {sentence}."))
        .shows("10 of 10 known\n- **strip:** `●·●·●·●·●·`\n- **signs:** ● no operator named, · no record\n")
        .shows("| no record |");
    assert!(!ticket.out.contains(EVERY_OTHER), "{ticket:?}");
    let chosen = home.run(&format!(
        "{line} --format csv --fields day,known,tunnel_types"
    ));
    chosen.ends(0).shows(&format!("{to},true,\r\n"));
    assert!(service.paid().is_empty());
}

#[test]
fn queries_find_the_day_of_a_change_at_the_cost_that_was_said() {
    let service = Service::start();
    let whole = with_days(&service, 1..=10);
    let (truth, _) = by_day(
        whole
            .run(&format!("history {CHANGED} --to yesterday --format json"))
            .ends(0)
            .lines(),
    );
    let home = with_days(&service, [10, 1]);
    let line = format!("history {CHANGED} --to yesterday --format json");
    home.run(&line)
        .ends(0)
        .says("1 change on unknown days; --spend 4 finds the day");
    assert_eq!(asked(&service), []);
    let ran = home.run(&format!("{line} --spend 9"));
    ran.ends(0)
        .says("sending 4 queries at most, to find the day of 1 change");
    let sent = asked(&service);
    let (days, last) = by_day(ran.lines());
    assert_eq!(last["cost"], sent.len());
    assert!((1..=4).contains(&sent.len()), "{sent:?}");
    ran.says(&format!("{} queries spent", sent.len()));
    assert_eq!(home.spent(), (sent.len() as u64, 0));
    assert!(sent.iter().all(|day| days[day]["known"] == true));
    // What is known agrees with the releases, and the change is between two known days.
    let mut changes = Vec::new();
    for (day, stretch) in &days {
        if stretch["known"] == true {
            assert_eq!(
                verdict(&stretch["record"]),
                verdict(&truth[day]["record"]),
                "{day}"
            );
        }
        let before = days
            .get(&day.plus(-1))
            .filter(|value| value["known"] == true);
        if before.is_some_and(|value| stretch["known"] == true && value != stretch) {
            changes.push(day);
        }
    }
    let first = truth.iter().find(|(day, value)| {
        let before = truth.get(&day.plus(-1));
        before.is_some_and(|before| before != *value)
    });
    assert_eq!(changes, [first.expect("a change").0]);
    // What was paid for is cached, and nothing is left to be asked.
    let again = home.run(&format!("{line} --spend 9"));
    again.ends(0).says("no query to send");
    let (again, last) = by_day(again.lines());
    assert_eq!(last["cost"], 0);
    assert_eq!(
        again.keys().collect::<Vec<_>>(),
        days.keys().collect::<Vec<_>>()
    );
    assert_eq!(asked(&service).len(), sent.len());
}

#[test]
fn the_cap_holds_and_the_rest_stays_unknown() {
    let service = Service::start();
    let home = with_days(&service, [10, 1]);
    let line = format!("history {CHANGED} --to yesterday --format json");
    home.run(&format!("{line} --spend 0"))
        .ends(0)
        .says("--spend 4 finds the day");
    assert_eq!(asked(&service), []);
    let ran = home.run(&format!("{line} --spend 1"));
    ran.ends(0)
        .says("sending 1 query at most, to find the day of 1 change")
        .says("1 change on unknown days; --spend ");
    let (days, last) = by_day(ran.lines());
    assert_eq!(
        (&last["cost"], &last["unknown_days"]),
        (&1.into(), &7.into())
    );
    let [only] = asked(&service)[..] else {
        panic!("{:?}", service.paid());
    };
    assert_eq!(days[&only]["known"], true);
}

#[test]
fn where_nothing_may_be_sent_what_is_local_answers() {
    let service = Service::start();
    let home = with_days(&service, [10, 1]);
    let line = format!("history {CHANGED} --to yesterday --format json");
    let free = home.run(&line);
    let offline = home.run(&format!("{line} --spend 9 --offline"));
    assert_eq!(offline.ends(1).says("--offline").lines(), free.lines());
    home.run(&format!("{line} --offline")).ends(0);
    let text = home.read("config/config.toml");
    home.configure(&format!("{text}\n[guards]\nstop_below = 999999999\n"));
    let guarded = home.run(&format!("{line} --spend 9"));
    assert_eq!(guarded.ends(1).says("stop_below").lines(), free.lines());
    assert_eq!(asked(&service), []);
}

#[test]
fn a_query_without_an_answer_leaves_its_day_unknown_and_is_not_repeated() {
    let service = Service::start();
    let home = with_days(&service, [10, 1]);
    service.arm("context:reset");
    let line = format!("history {CHANGED} --to yesterday --format json");
    let ran = home.run(&format!("{line} --spend 1"));
    ran.ends(1).says("possibly spent").says("0 queries spent");
    let sent = asked(&service);
    assert!(!sent.is_empty() && sent.iter().all(|day| *day == sent[0]));
    let (days, last) = by_day(ran.lines());
    assert_eq!(
        (&last["cost"], &last["unknown_days"]),
        (&0.into(), &8.into())
    );
    assert_eq!(days[&sent[0]]["why"], "not-answered");
    assert_eq!(home.spent().0, 0);
    assert!(home.spent().1 > 0);
    let again = home.run(&format!("{line} --spend 1"));
    again
        .ends(1)
        .says("1 query possibly spent and not sent again");
    let more = &asked(&service)[sent.len()..];
    assert!(!more.is_empty() && !more.contains(&sent[0]), "{more:?}");
    // A day that is not asked about again is unknown as before.
    let (days, _) = by_day(again.lines());
    assert_eq!(days[&sent[0]]["why"], "not-local");
}

#[test]
fn answers_that_were_paid_for_are_days_of_it() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let line = format!("history {CHANGED} --format json");
    home.run(&line).ends(10).says("feeds pull anonymous");
    home.run(&format!("lookup {CHANGED} --date {}", ago(5)))
        .ends(0);
    home.run(&format!("lookup {CHANGED}")).ends(0);
    let paid = service.paid().len();
    let (days, last) = by_day(home.run(&line).ends(0).lines());
    assert_eq!(days.keys().next(), Some(&ago(5)));
    assert_eq!(days[&ago(5)]["source"], "cache");
    let known = days.values().filter(|value| value["known"] == true);
    assert_eq!((known.count(), &last["unknown_days"]), (2, &4.into()));
    assert_eq!(service.paid().len(), paid);
}

#[test]
fn a_network_is_answered_by_the_local_feeds_alone() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for day in [2, 1] {
        home.run(&format!("feeds pull anonymous-ipv6 --date {}", ago(day)))
            .ends(0);
    }
    let ids = home.run("search anonymous-ipv6 --format ids");
    let network = ids
        .ends(0)
        .out
        .lines()
        .find(|text| text.ends_with("/48") || text.ends_with("/64"));
    let network = network.expect("a network").to_owned();
    let line = format!("history {network} --to yesterday --format json");
    let (days, _) = by_day(home.run(&line).ends(0).lines());
    assert_eq!(days[&ago(1)]["record"]["network"], network);
    assert_eq!(days[&ago(1)]["source"], "local");
    home.run(&format!("{line} --spend 1"))
        .ends(2)
        .says("nothing was sent");
    // No local feed has networks of the other family.
    home.run("history 198.51.100.0/24 --to yesterday").ends(10);
    pull(&home, ago(1));
    let (days, _) = by_day(
        home.run("history 198.51.100.0/24 --to yesterday --format json")
            .ends(0)
            .lines(),
    );
    assert_eq!(
        (&days[&ago(1)]["why"], &days[&ago(1)]["known"]),
        (&"no-record".into(), &true.into())
    );
    assert!(service.paid().is_empty());
}

#[test]
fn a_release_that_cannot_be_read_is_an_error_of_its_day() {
    let service = Service::start();
    let home = with_days(&service, [3, 2, 1]);
    let line = format!("history {CHANGED} --to yesterday --format json");
    let (whole, _) = by_day(home.run(&line).ends(0).lines());
    for file in files_below(&home.path(&format!("cache/feeds/anonymous/{}", ago(2)))) {
        fs::write(file, "damaged").expect("write");
    }
    let ran = home.run(&line);
    ran.ends(7).says(&ago(2).to_string());
    let (days, last) = by_day(ran.lines());
    let bad = &days[&ago(2)];
    assert_eq!(
        (&bad["known"], &bad["why"]),
        (&false.into(), &"unreadable".into())
    );
    assert!(bad["record"].is_null());
    for day in [3, 1].map(ago) {
        assert_eq!(days[&day]["known"], true);
        assert_eq!(
            verdict(&days[&day]["record"]),
            verdict(&whole[&day]["record"])
        );
    }
    assert_eq!(last["unknown_days"], 1);
    home.run(&format!("history {CHANGED} --to yesterday"))
        .ends(7)
        .shows("unreadable");
    assert_eq!(service.asked(FaultSite::Context).len(), 0);
}

/// A thousand addresses: each answer about one has the days on which a tunnel or proxy was seen, as a walk over the releases finds them.
#[test]
fn no_answer_says_nothing_seen_without_the_days_before() {
    let service = Service::start();
    let home = with_days(&service, 1..=11);
    let prefixes = ["198.51.100", "203.0.113", "198.18.7", "192.0.2"];
    let addresses = prefixes
        .iter()
        .flat_map(|text| (0..250).map(move |host| format!("{text}.{host}")));
    let addresses: Vec<String> = addresses.collect();
    let mut seen: BTreeMap<String, Vec<Day>> = BTreeMap::new();
    // The last ten local days, the oldest first.
    for day in (1..=10).rev().map(ago) {
        for (address, record) in walked(&home, day, &addresses) {
            if is_seen(&record) {
                seen.entry(address).or_default().push(day);
            }
        }
    }
    let today = walked(&home, ago(1), &addresses);
    let expected = |address: &str| {
        let days = seen.get(address)?;
        let [first, last] = [days.first(), days.last()].map(|day| day.expect("a day").to_string());
        Some((10, days.len() as u64, first, last))
    };
    let told = |line: &Value| {
        let recent = &line["recent"];
        let text = |key: &str| recent[key].as_str().unwrap_or_default().to_owned();
        recent.is_object().then(|| {
            let number = |key: &str| recent[key].as_u64().expect(key);
            (number("days"), number("seen"), text("first"), text("last"))
        })
    };
    let (mut gone, mut lines) = (0, 0);
    for some in addresses.chunks(250) {
        let line = format!("lookup {} --source local --format json", some.join(" "));
        for line in home.run(&line).ends(0).lines() {
            let address = line["query"].as_str().expect("an address");
            assert_eq!(told(&line), expected(address), "{line}");
            gone += usize::from(line["record"].is_null() && expected(address).is_some());
            lines += 1;
        }
    }
    assert!(lines == addresses.len() && gone > 2, "{gone} of {lines}");
    fs::write(home.path("log"), addresses.join("\n")).expect("a log");
    for line in home.run("enrich log --format json").ends(0).lines() {
        let address = line["query"].as_str().expect("an address");
        let has_tunnel = today
            .get(address)
            .is_some_and(|value| value["tunnels"].is_array());
        let expected = expected(address).filter(|_| !has_tunnel);
        assert_eq!(told(&line), expected, "{line}");
    }
    // People read it in the first line of an answer, and in the row of a text.
    let of_today = |address: &&String| !today.contains_key(*address) && seen.contains_key(*address);
    let address = addresses.iter().find(of_today).expect("one that is gone");
    let days = &seen[address.as_str()];
    let words = format!(
        "on {} of the last 10 local days, last {}",
        days.len(),
        days[days.len() - 1].dashed()
    );
    let ran = home.run(&format!("lookup {address} --source local"));
    let first = ran.ends(0).out.lines().next().expect("a line");
    assert!(first.contains(&words), "{first}");
    home.run("enrich log").ends(0).shows(&words);
    let ticket = home.run(&format!("lookup {address} --source local --format md"));
    ticket.ends(0).shows(&words);
    // What the service says of today is told with the local days before it.
    let ran = home.run(&format!("lookup {address} --format json"));
    let line = ran.ends(0).line();
    assert_eq!(line["source"], "live");
    assert!(
        line["recent"]["seen"].as_u64() >= Some(days.len() as u64 - 1),
        "{line}"
    );
}
