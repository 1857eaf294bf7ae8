//! `enrich` on a log of 10,000 lines in eight forms, with times in nine forms and four zones, made by a generator that knows the truth.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use ipspect::demo::DemoRole;
use jiff::{SignedDuration, Timestamp, tz::Offset};

use crate::{home::Here, service::Service};

const FEED: &str = "anonymous";
const LINES: usize = 10_000;
/// The zone of times that name none.
const ZONE: &str = "+05:30";

/// What is true of an address.
#[derive(Debug, Default)]
struct Truth {
    count: u64,
    times: BTreeSet<Timestamp>,
    /// Where a user stands in a column of that name.
    users: BTreeMap<String, u64>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

fn written(at: Timestamp, hours: i8, form: &str) -> String {
    let zone = Offset::constant(hours).to_time_zone();
    at.to_zoned(zone).strftime(form).to_string()
}

/// An address as logs have it.
fn spelt(address: &str, random: &mut Random) -> String {
    let is_v6 = address.contains(':');
    match random.below(4) {
        0 if is_v6 => format!("[{address}]:443"),
        0 => format!("{address}:{}", 1024 + random.below(60_000)),
        1 if !is_v6 => address.replace('.', "[.]"),
        _ => address.to_owned(),
    }
}

/// A line of each of the eight forms; whether the user stands in a column of that name.
fn line(
    form: usize,
    at: Timestamp,
    user: &str,
    address: &str,
    random: &mut Random,
) -> (String, bool) {
    let private = format!("10.0.0.{}", random.below(9));
    let spelt = spelt(address, random);
    match form {
        // RFC 3164: no year and no zone. RFC 5424: both.
        0 => {
            let said = SignedDuration::from_mins(330);
            let local = at.checked_add(said).expect("a time");
            let time = written(local, 0, "%b %e %H:%M:%S");
            (
                format!(
                    "{time} host sshd[{}]: Failed password for {user} from {address} port 22",
                    7
                ),
                true,
            )
        }
        1 => {
            let time = written(at, -5, "%Y-%m-%dT%H:%M:%S.000-05:00");
            (
                format!("<34>1 {time} host app - - - login of {user} via {private} by {spelt}"),
                false,
            )
        }
        2 => {
            let time = written(at, -5, "%d/%b/%Y:%H:%M:%S -0500");
            (
                format!("{address} - {user} [{time}] \"GET /{private} HTTP/1.1\" 200 12"),
                true,
            )
        }
        3 => (format!("{at},{user},{spelt}"), true),
        4 => (format!("{}\t{address}\t{user}", at.as_second()), true),
        5 => {
            let time = at.as_millisecond();
            (
                format!(
                    "{{\"eventTime\":{time},\"user\":\"{user}\",\"net\":{{\"src\":\"{spelt}\",\"dst\":\"{private}\"}}}}"
                ),
                true,
            )
        }
        6 => {
            let time = written(at, 2, "%Y-%m-%dT%H:%M:%S+02:00");
            (
                format!("time={time} user={user} src={spelt} dst={private} action=deny"),
                true,
            )
        }
        // No zone: that of the command line.
        _ => {
            let said = SignedDuration::from_mins(330);
            let local = at.checked_add(said).expect("a time");
            let time = match random.below(2) {
                0 => written(local, 0, "%Y-%m-%d %H:%M:%S,000"),
                _ => at.as_microsecond().to_string(),
            };
            (format!("{time} saw {spelt} again, ask {user}"), false)
        }
    }
}

#[test]
fn ten_thousand_lines_of_eight_forms_give_each_address_once_with_what_is_true_of_it() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let mut random = Random(11);
    let mut addresses = here.some_addresses(200);
    addresses.extend((0..120).map(|host| format!("203.0.113.{host}")));
    addresses.extend((1..80).map(|host| format!("2001:db8::{host:x}")));
    addresses.sort();
    addresses.dedup();
    let unknown = addresses
        .iter()
        .filter(|text| here.known(text).is_empty())
        .count();
    let now = Timestamp::now();
    let mut truth: BTreeMap<String, Truth> = BTreeMap::new();
    let mut texts = vec![String::new(); 8];
    texts[3] += "time,user,src\n";
    texts[4] += "ts\tsrc\tuser\n";
    for number in 0..LINES {
        let form = number % texts.len();
        let seconds = i64::try_from(random.below(9 * 24 * 3600)).expect("a few");
        let at = Timestamp::from_second(now.as_second() - seconds).expect("a time");
        let (user, address) = (
            *random.of(&["alice", "bob", "carol", "dave"]),
            random.of(&addresses).clone(),
        );
        let (line, has_user) = line(form, at, user, &address, &mut random);
        texts[form] += &line;
        texts[form].push('\n');
        let own = truth.entry(address).or_default();
        own.count += 1;
        own.times.insert(at);
        if has_user {
            *own.users.entry(user.to_owned()).or_default() += 1;
        }
    }
    let files: Vec<String> = (0..texts.len()).map(|form| format!("log{form}")).collect();
    for (file, text) in files.iter().zip(&texts) {
        fs::write(home.path(file), text).expect("write");
    }
    let files = files.join(" ");
    let of_run = format!("enrich {files} --zone {ZONE} --spend 9999 --format json");
    let plan = home.run(&format!("{of_run} --plan")).ends(0).line();
    let asked = truth
        .keys()
        .filter(|text| here.known(text).is_empty())
        .count();
    assert!(asked > 100 && unknown > 100, "{asked}");
    assert_eq!(
        (&plan["cost"], &plan["public"]),
        (&asked.into(), &truth.len().into()),
        "{plan}"
    );
    assert_eq!(plan["set_aside"]["private"], 9, "{plan}");

    let ran = home.run(&of_run);
    let lines = ran.ends(0).says("set aside: 9 private").lines();
    assert_eq!(
        service.demo.spent(DemoRole::Full),
        asked as u64,
        "the promised cost"
    );
    assert_eq!(lines.len(), truth.len(), "each address once");
    for line in lines {
        let address = line["query"].as_str().expect("a query");
        let own = truth
            .remove(address)
            .unwrap_or_else(|| panic!("{address} again, or not in the text"));
        assert_eq!(line["count"], own.count, "{line}");
        let times = [own.times.first(), own.times.last()].map(|at| at.expect("a time").to_string());
        assert_eq!(line["first_time"], times[0], "{line}");
        assert_eq!(line["last_time"], times[1], "{line}");
        let users = line["columns"]["user"].as_array().into_iter().flatten();
        let users: BTreeMap<String, u64> = users
            .map(|json| {
                let value = json["value"].as_str().expect("a value").to_owned();
                (value, json["count"].as_u64().expect("a count"))
            })
            .collect();
        assert_eq!(users, own.users, "{line}");
        let is_live = line["source"] == "live";
        assert_eq!(is_live, here.known(address).is_empty(), "{line}");
    }
}
