//! `enrich --at-time`: what was at hand about each address on the UTC day of its event, beside what is at hand today.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Write,
    process::{Command, Stdio},
};

use ipspect::{demo::DemoRole, model::Day};
use serde_json::Value;

use crate::{
    home::Here,
    service::{Home, Ran, Service},
};

const FEED: &str = "anonymous";

/// A home with the newest release of a feed and those of so many days before it, and the day of the newest.
fn days_before(service: &Service, backs: &[i32]) -> (Here, Day) {
    let here = Here::with(service, &[FEED]);
    let newest: Day = here.day(FEED).parse().expect("a day");
    for back in backs {
        pull(&here.home, newest.plus(-back));
    }
    (here, newest)
}

fn pull(home: &Home, day: Day) {
    home.run(&format!("feeds pull {FEED} --date {day}")).ends(0);
}

fn write(home: &Home, text: impl AsRef<[u8]>) {
    fs::write(home.path("log"), text).expect("write");
}

fn fed(mut command: Command, text: &str) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let mut input = child.stdin.take().expect("input");
    input.write_all(text.as_bytes()).expect("write");
    drop(input);
    Ran::of(child.wait_with_output().expect("wait"))
}

/// The record of each address on a day, as lookup answers; null where there is none.
fn looked_up(home: &Home, addresses: &[String], day: Day) -> BTreeMap<String, Value> {
    let line = format!(
        "lookup {} --source local --day {day} --format json",
        addresses.join(" ")
    );
    let lines = home.run(&line).ends(0).lines().into_iter();
    let record = |line: Value| {
        let query = line["query"].as_str().expect("a query").to_owned();
        (query, line["record"].clone())
    };
    lines.map(record).collect()
}

/// Type, operator and anonymity of the tunnels, and the callback proxies where there is none.
fn verdict(record: &Value) -> BTreeSet<String> {
    let tunnels = record["tunnels"].as_array().into_iter().flatten();
    let tunnels: BTreeSet<String> = tunnels
        .map(|value| {
            format!(
                "{} {} {}",
                value["type"], value["operator"], value["anonymous"]
            )
        })
        .collect();
    let proxies = record["client"]["proxies"].as_array().into_iter().flatten();
    if tunnels.is_empty() {
        return proxies.map(Value::to_string).collect();
    }
    tunnels
}

/// An address whose verdict differs between two days, both ways.
fn changing(here: &Here, day: Day, other: Day) -> String {
    let addresses = here.some_addresses(300);
    let [before, after] = [day, other].map(|day| looked_up(&here.home, &addresses, day));
    let mut found = before
        .iter()
        .filter(|(address, record)| verdict(record) != verdict(&after[*address]));
    found.next().expect("a change").0.clone()
}

#[test]
fn each_address_is_answered_as_lookup_answers_for_the_day_of_its_event() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let asked = service.demo.requests().len();
    let addresses = here.some_addresses(300);
    let mut seed = 7_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let mut events: Vec<(String, Day)> = Vec::new();
    let mut log = String::new();
    for _ in 0..3000 {
        let address = &addresses[random(u32::MAX) as usize % addresses.len()];
        let day = newest.plus(-i32::try_from(random(9)).expect("a few"));
        let (hour, minute) = (random(24), random(60));
        log += &format!(
            "{}T{hour:02}:{minute:02}:00Z deny {address}\n",
            day.dashed()
        );
        if !events.contains(&(address.clone(), day)) {
            events.push((address.clone(), day));
        }
    }
    write(&here.home, &log);
    let by_day: BTreeMap<Day, BTreeMap<String, Value>> = (0..9)
        .map(|back| newest.plus(-back))
        .map(|day| (day, looked_up(&here.home, &addresses, day)))
        .collect();
    let ran = here.home.run("enrich log --at-time --format json");
    let lines = ran.ends(0).lines();
    assert_eq!(lines.len(), events.len());
    let [mut others, mut nexts] = [0; 2];
    for (line, (address, day)) in lines.iter().zip(&events) {
        assert_eq!(line["query"], address.as_str());
        assert_eq!(line["event_day"], day.to_string());
        let (then, today) = (&by_day[day][address], &by_day[&newest][address]);
        assert_eq!((&line["record"], &line["then"]["record"]), (today, then));
        assert_eq!(line["then"]["day"], day.to_string());
        assert_eq!(
            (&line["then"]["known"], &line["then"]["source"]),
            (&true.into(), &"local".into())
        );
        let feed = (!then.is_null()).then_some(FEED);
        assert_eq!(line["then"]["feed"], Value::from(feed));
        let changed = verdict(then) != verdict(today);
        assert_eq!(line["changed"], changed, "{line}");
        let next = by_day.get(&day.plus(1)).map(|records| &records[address]);
        let next = next.filter(|next| verdict(next) != verdict(then));
        assert_eq!(
            line.get("next").map(|value| &value["record"]),
            next,
            "{line}"
        );
        others += i32::from(changed);
        nexts += i32::from(next.is_some());
    }
    assert!(others > 5 && nexts > 5, "{others} {nexts}");
    let piped = fed(here.home.command("enrich - --at-time --format json"), &log);
    let of_events = |lines: Vec<Value>| -> Vec<[Value; 5]> {
        let keys = ["query", "event_day", "then", "next", "changed"];
        let own = |line: Value| keys.map(|key| line[key].clone());
        lines.into_iter().map(own).collect()
    };
    assert_eq!(of_events(piped.ends(0).lines()), of_events(lines));
    assert_eq!(service.demo.requests().len(), asked);
}

#[test]
fn a_day_that_is_not_local_is_unknown_and_named() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[]);
    let line = |back: i32| format!("{}T10:00:00Z 198.51.100.77\n", newest.plus(-back).dashed());
    let log: String = [9, 3, 5, 7, 11, 0].map(line).concat();
    write(&here.home, &log);
    let ran = here.home.run("enrich log --at-time --format json");
    let day = |back: i32| newest.plus(-back).dashed();
    ran.ends(0)
        .says(&format!(
            "no local release for 5 days of events: {}, {}, {} and 2 more",
            day(11),
            day(9),
            day(7)
        ))
        .says(&format!(
            "`ipspect feeds pull anonymous --date {}` downloads the first",
            day(11)
        ));
    let lines = ran.lines();
    let unknown = serde_json::json!({"day": newest.plus(-9).to_string(), "known": false});
    assert_eq!(lines[0]["then"], unknown);
    assert!(lines[0].get("changed").is_none() && lines[0].get("next").is_none());
    assert!(!lines[0]["record"].is_null());
    assert_eq!(lines[5]["changed"], false);
    let text = here.home.run("enrich log --at-time");
    text.ends(0).shows("EVENT DAY").shows("THEN");
    let rows: Vec<&str> = text.out.lines().collect();
    assert!(
        rows[1].contains(&format!("{}  not local  ", day(9))),
        "{text:?}"
    );
    assert!(rows[6].contains(&format!("{}  same  ", day(0))), "{text:?}");
    let md = here.home.run("enrich log --at-time --format md");
    md.ends(0).shows(&format!("| {} | not local |", day(9)));
    let csv = here.home.run("enrich log --at-time --format csv");
    let csv = &csv.ends(0).out;
    let ends = "event_day,then_known,then_day,then_feed,then_tunnel_types,then_operators,changed";
    assert!(csv.lines().next().is_some_and(|head| head.ends_with(ends)));
    let cells = |back: i32| newest.plus(-back).to_string();
    assert!(
        csv.contains(&format!(",{0},false,{0},,,,\r\n", cells(9))),
        "{csv}"
    );
    let own = format!(
        ",{0},true,{0},anonymous,VPN PROXY,ACME_VPN,false\r\n",
        cells(0)
    );
    assert!(csv.contains(&own), "{csv}");
    let top = here.home.run("enrich log --at-time --top 1 --format json");
    let first = &top.ends(0).lines()[0];
    assert_eq!(
        first["event_day"],
        newest.to_string(),
        "the clients are those of then"
    );
    let facet = here
        .home
        .run("enrich log --at-time --facet tag --format json");
    assert_eq!(
        facet.ends(0).lines()[0]["count"],
        1,
        "of the one day that is known"
    );
    pull(&here.home, newest.plus(-9));
    let again = here.home.run("enrich log --at-time --format json");
    again.ends(0).says("for 4 days of events");
    assert_eq!(again.lines()[0]["then"]["known"], true);
}

#[test]
fn a_cached_answer_about_the_day_answers_where_its_release_is_not_local() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[]);
    let day = newest.plus(-6);
    let lookup = format!("lookup 198.51.100.77 --date {day} --format json");
    let answer = here.home.run(&lookup).ends(0).line();
    let asked = service.demo.requests().len();
    write(
        &here.home,
        format!(
            "{0} 198.51.100.77\n{0} 198.51.100.78\n",
            day.dashed() + " 12:00:00"
        ),
    );
    let lines = here.home.run("enrich log --at-time --format json");
    let lines = lines.ends(0).lines();
    let expected = serde_json::json!(
        {"day": day.to_string(), "known": true, "source": "cache", "feed": null, "record": answer["record"]}
    );
    assert_eq!(lines[0]["then"], expected);
    assert_eq!(lines[1]["then"]["known"], false);
    assert_eq!(service.demo.requests().len(), asked);
}

/// Who of the users came through a VPN on the day, by what was known then: filters and groups are about the record of the day.
#[test]
fn filters_and_groups_are_about_the_day_of_the_event() {
    let service = Service::start();
    // So many days that some have a record then and none today, in the small world of the tests, too.
    let (here, newest) = days_before(&service, &[12]);
    let (day, mut addresses) = (newest.plus(-12), here.some_addresses(200));
    let then = here
        .home
        .run(&format!("search {FEED} type:VPN --day {day} --format ids"));
    let gone = then.ends(0).out.lines().map(str::to_owned);
    addresses.extend(gone.filter(|text| here.known(text).is_empty()).take(20));
    let user = |place: usize| format!("user{}", place % 7);
    let row = |(place, address): (usize, &String)| {
        format!("{}T08:00:00Z,{},{address}\n", day.dashed(), user(place))
    };
    let rows: String = addresses.iter().enumerate().map(row).collect();
    write(&here.home, "time,user,src\n".to_owned() + &rows);
    let is_vpn = |record: &Value| {
        let tunnels = record["tunnels"].as_array().into_iter().flatten();
        tunnels.into_iter().any(|value| value["type"] == "VPN")
    };
    let then = looked_up(&here.home, &addresses, day);
    let vpn: Vec<usize> = (0..addresses.len())
        .filter(|place| is_vpn(&then[&addresses[*place]]))
        .collect();
    let today = looked_up(&here.home, &addresses, newest);
    let vpn_today = addresses
        .iter()
        .filter(|text| is_vpn(&today[*text]))
        .count();
    assert_ne!(vpn.len(), vpn_today, "the days differ");
    let is_gone = |place: &&usize| today[&addresses[**place]].is_null();
    assert!(
        vpn.iter().any(|place| is_gone(&place)),
        "one has no record today"
    );
    let run = |more: &str| {
        let line = format!("enrich log --at-time --format json {more}");
        here.home.run(&line).ends(0).lines()
    };
    let found: Vec<Value> = run("--filter is:vpn");
    let found: BTreeSet<&str> = found
        .iter()
        .filter_map(|value| value["query"].as_str())
        .collect();
    let expected: BTreeSet<&str> = vpn.iter().map(|place| addresses[*place].as_str()).collect();
    assert_eq!(found, expected);
    let mut users: BTreeMap<String, u64> = BTreeMap::new();
    for place in &vpn {
        *users.entry(user(*place)).or_default() += 1;
    }
    let groups = run("--filter is:vpn --group user").into_iter();
    let groups: BTreeMap<String, u64> = groups
        .map(|json| {
            let value = json["value"].as_str().expect("a user").to_owned();
            (value, json["addresses"].as_u64().expect("a number"))
        })
        .collect();
    assert_eq!(groups, users);
}

#[test]
fn an_address_comes_once_for_each_day_and_without_a_day_where_a_line_has_no_time() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[1, 2]);
    let day = newest.plus(-2);
    let address = changing(&here, day, newest.plus(-1));
    let [early, late] = [day, newest.plus(-1)].map(Day::dashed);
    write(
        &here.home,
        format!(
            "{early} 09:00:00 {address}\nsshd {address}\n{late} 23:30:00 {address}\n{early} 23:59:59 {address}\n"
        ),
    );
    let ran = here.home.run("enrich log --at-time --format json");
    ran.ends(0)
        .says("1 of 4 rows have no time: their addresses have no event day")
        .says("3 of 3 times name no zone and are taken for UTC");
    let lines = ran.lines();
    let days: Vec<(&Value, &Value, bool)> = lines
        .iter()
        .map(|line| {
            (
                &line["event_day"],
                &line["count"],
                line.get("then").is_some(),
            )
        })
        .collect();
    let [day, next] = [day, newest.plus(-1)].map(|day| Value::from(day.to_string()));
    assert_eq!(
        days,
        [
            (&day, &2.into(), true),
            (&Value::Null, &1.into(), false),
            (&next, &1.into(), true)
        ]
    );
    assert!(lines[1].get("changed").is_none() && lines[1].get("event_day").is_none());
    assert_eq!(lines[0]["next"]["day"], next);
    assert_ne!(
        verdict(&lines[0]["next"]["record"]),
        verdict(&lines[0]["then"]["record"])
    );
    let text = here.home.run("enrich log --at-time");
    let rows: Vec<&str> = text.ends(0).shows(" (next day: ").out.lines().collect();
    assert!(
        rows[1].contains(&early) && rows[3].contains(&late),
        "{text:?}"
    );
    assert!(rows[2].contains("  -           -     "), "{text:?}");
    // Two hours to the west the evening is of the next UTC day.
    let zoned = here
        .home
        .run("enrich log --at-time --zone -02:00 --format json");
    let zoned = zoned.ends(0).lines();
    let days: Vec<&Value> = zoned.iter().map(|line| &line["event_day"]).collect();
    let newest = Value::from(newest.to_string());
    assert_eq!(days, [&day, &Value::Null, &newest, &next]);
}

#[test]
fn an_address_without_a_record_is_unknown_while_a_feed_that_may_have_one_is_not_local() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[2]);
    here.home.run("feeds pull anonymous-residential").ends(0);
    let day = newest.plus(-2);
    let unknown = here.unknown_address("198.18");
    write(
        &here.home,
        format!(
            "{0}T10:00:00Z 198.51.100.77\n{0}T10:00:00Z {unknown}\n",
            day.dashed()
        ),
    );
    let ran = here.home.run("enrich log --at-time --format json");
    ran.ends(0).says("for 1 day of events").says(&format!(
        "feeds pull anonymous-residential --date {}",
        day.dashed()
    ));
    let known = |ran: &Ran| -> Vec<Value> {
        let lines = ran.ends(0).lines().into_iter();
        lines.map(|line| line["then"]["known"].clone()).collect()
    };
    assert_eq!(known(&ran), [true, false]);
    let ran = here
        .home
        .run("enrich log --at-time --feed anonymous --format json");
    assert_eq!(known(&ran), [true, true]);
    assert_eq!(ran.lines()[1]["changed"], false);
}

#[test]
fn a_release_of_a_day_that_cannot_be_read_is_named_and_answers_nothing() {
    let service = Service::start();
    let (here, newest) = days_before(&service, &[2]);
    let day = newest.plus(-2);
    let manifest = format!("cache/feeds/{FEED}/{day}/feed.json");
    fs::write(here.home.path(&manifest), "{").expect("spoilt");
    write(
        &here.home,
        format!("{}T10:00:00Z 198.51.100.77\n", day.dashed()),
    );
    let ran = here.home.run("enrich log --at-time");
    ran.ends(7).shows("unreadable").says(&day.dashed());
    assert!(!ran.err.contains("no local release"), "{ran:?}");
}

#[test]
fn options_of_other_answers_are_refused() {
    let home = Service::start().home(DemoRole::Full);
    home.run("enrich log --at-time --all").ends(2).says("--all");
}
