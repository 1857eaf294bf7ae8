//! Random rows in twelve shapes by a generator that knows the truth: no value in a row that is not its own, no address more or less.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use fastrand::Rng;
use jiff::{Timestamp, tz::TimeZone};

use super::{gathered, strings};
use crate::investigation::event_time::DateOrder;

/// An event, as the generator knows it.
struct Event {
    at: Timestamp,
    address: IpAddr,
    user: String,
    number: u64,
}

impl Event {
    fn any(rng: &mut Rng, number: u64) -> Self {
        // Every event has its own address and user, so that whatever goes astray shows.
        let low = u32::try_from(number).expect("few");
        let address = if rng.bool() {
            Ipv4Addr::from(0xC612_0000 + low % 0x1_FFFF + 1).into()
        } else {
            let host = u128::from(low) << 16 | 0xabcd;
            Ipv6Addr::from(0x2001_0db8_u128 << 96 | 7 << 64 | host).into()
        };
        let seconds = 1_795_400_000 + i64::try_from(number).expect("few");
        Self {
            at: Timestamp::from_second(seconds).expect("a time"),
            address,
            user: format!("u{number}"),
            number: rng.u64(1_000_000_000..9_999_999_999_999),
        }
    }
}

/// Makes a text of events.
type TextOf = fn(&[Event]) -> String;

/// The shapes of texts.
const SHAPES: [(&str, TextOf); 12] = [
    ("csv", |events| {
        let mut text = "time,src,user,bytes\n".to_owned();
        for event in events {
            let _ = writeln!(
                text,
                "{},{},{},{}",
                event.at, event.address, event.user, event.number
            );
        }
        text
    }),
    ("semicolons, index, quotes", |events| {
        let mut text = "sep=;\r\n;when;user;note;ip\r\n".to_owned();
        for (at, event) in events.iter().enumerate() {
            let _ = write!(
                text,
                "{at};\"{}\";\"{}\";\"a; \"\"b\"\"\";{}\r\n",
                event.at, event.user, event.address
            );
        }
        text
    }),
    ("borders", |events| {
        let mut text =
            "+------+------+------+\n| time | user | ip |\n+------+------+------+\n".to_owned();
        for event in events {
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                event.at, event.user, event.address
            );
        }
        text + "+------+------+------+\n"
    }),
    ("zeek", |events| {
        let mut text = "#separator \\x09\n#fields\tts\tuid\tid.orig_h\tuser\n".to_owned();
        for event in events {
            let _ = writeln!(
                text,
                "{}.250000\tC{}\t{}\t{}",
                event.at.as_second(),
                event.number,
                event.address,
                event.user
            );
        }
        text
    }),
    ("json lines", |events| {
        let mut text = String::new();
        for event in events {
            let _ = writeln!(
                text,
                "{{\"flow_id\":{},\"timestamp\":\"{}\",\"src\":{{\"ip\":\"{}\"}},\"user\":\"{}\"}}",
                event.number, event.at, event.address, event.user
            );
        }
        text
    }),
    ("json within", |events| {
        let rows = events.iter().map(|event| {
            format!(
                "{{\"phone\":{},\"ts\":{},\"ip\":\"{}\",\"user\":\"{}\",\"tags\":[\"a\",\"b\"]}}",
                event.number,
                event.at.as_millisecond(),
                event.address,
                event.user
            )
        });
        format!(
            "{{\"_shards\":{{\"total\":1}},\"hits\":{{\"hits\":[{}]}},\"count\":3}}",
            rows.collect::<Vec<_>>().join(",")
        )
    }),
    ("json pretty", |events| {
        let rows = events.iter().map(|event| {
            format!("  {{\n    \"id\": {},\n    \"time\": \"{}\",\n    \"ip\": \"{}\",\n    \"user\": \"{}\"\n  }}", event.number, event.at, event.address, event.user)
        });
        format!("[\n{}\n]\n", rows.collect::<Vec<_>>().join(",\n"))
    }),
    ("xml on one line", |events| {
        let mut text = "<Events>".to_owned();
        for event in events {
            let _ = write!(
                text,
                "<Event><System><TimeCreated SystemTime='{}'/><EventRecordID>{}</EventRecordID></System><EventData><Data Name='user'>{}</Data><Data Name='IpAddress'>{}</Data></EventData></Event>",
                event.at, event.number, event.user, event.address
            );
        }
        text + "</Events>\n"
    }),
    ("pairs", |events| {
        let mut text = String::new();
        for event in events {
            let _ = writeln!(
                text,
                "id={} time={} user=<{}> src={} msg=\"seen, not let in\"",
                event.number, event.at, event.user, event.address
            );
        }
        text
    }),
    ("combined", |events| {
        let mut text = String::new();
        for event in events {
            let time = event
                .at
                .to_zoned(TimeZone::UTC)
                .strftime("%d/%b/%Y:%H:%M:%S +0000");
            let _ = writeln!(
                text,
                "{} - {} [{time}] \"GET /a?n={} HTTP/1.1\" 200 12 \"-\" \"Mozilla/5.0 Chrome/130.0.0.0\"",
                event.address, event.user, event.number
            );
        }
        text
    }),
    ("cef", |events| {
        let mut text = String::new();
        for event in events {
            let _ = writeln!(
                text,
                "CEF:0|Example|Gate|1.0.2.3|100|Login failed|7|externalId={} rt={} suser=a b src={} user={} act=deny",
                event.number,
                event.at.as_millisecond(),
                event.address,
                event.user
            );
        }
        text
    }),
    ("blocks", |events| {
        let mut text = String::new();
        for event in events {
            let _ = write!(
                text,
                "  time = {}\nsrc_ip = {}\n    id = {}\n  user = {}\n\n",
                event.at, event.address, event.number, event.user
            );
        }
        text
    }),
];

/// Texts of so many rows are read at once: some are below and some above what one document of JSON may have.
const ROWS: u64 = 700;

fn check(rows: u64) {
    let mut rng = Rng::with_seed(34);
    let mut number = 0;
    while number < rows {
        for (shape, text_of) in SHAPES {
            let count = rng.u64(1..ROWS);
            let events: Vec<Event> = (0..count)
                .map(|at| Event::any(&mut rng, number + at))
                .collect();
            number += count;
            let text = text_of(&events);
            let readings = gathered(
                text.as_bytes(),
                DateOrder::Iso,
                TimeZone::UTC,
                "2026-11-27T12:00:00Z".parse().expect("a time"),
            );
            let found: BTreeSet<IpAddr> = readings.keys().copied().collect();
            let expected: BTreeMap<IpAddr, &Event> =
                events.iter().map(|event| (event.address, event)).collect();
            assert_eq!(found, expected.keys().copied().collect(), "{shape}");
            for (address, event) in expected {
                let reading = &readings[&address];
                let users = reading.columns.get("user").cloned().unwrap_or_default();
                assert_eq!(users, strings([event.user.as_str()]), "{shape}: {address}");
                let (first, last) = reading
                    .times
                    .unwrap_or_else(|| panic!("{shape}: {address} has no time"));
                assert_eq!(
                    (first.as_second(), last.as_second()),
                    (event.at.as_second(), event.at.as_second()),
                    "{shape}: {address}"
                );
                assert_eq!(reading.role, "source", "{shape}: {address}");
            }
        }
    }
}

#[test]
fn a_row_never_takes_a_value_of_another_row() {
    check(9_000);
}

#[test]
#[ignore = "the same over 100,000 rows"]
fn a_row_never_takes_a_value_of_another_row_over_a_hundred_thousand() {
    check(100_000);
}

/// Names of keys under which a number is no time.
const NAMES: [&str; 40] = [
    "id",
    "bytes",
    "seq",
    "exp",
    "phone",
    "flow_id",
    "_SOURCE_MONOTONIC_TIMESTAMP",
    "monotonic",
    "session",
    "session_id",
    "account",
    "uid",
    "pid",
    "offset",
    "size",
    "sent",
    "rcvd",
    "count",
    "n",
    "serial",
    "transaction",
    "order",
    "user_id",
    "message_id",
    "trace",
    "span",
    "duration",
    "elapsed",
    "latency",
    "port",
    "inode",
    "hash",
    "mac",
    "iccid",
    "imei",
    "msisdn",
    "notAfter",
    "build",
    "expires",
    "uptime",
];

/// A number is taken for a time only where its key means one, whether it stands before the time or behind.
#[test]
fn numbers_under_other_names_are_no_times() {
    let mut rng = Rng::with_seed(34);
    let time = "2026-11-25T10:15:30Z";
    for number in 0..1000 {
        let digits = rng.usize(10..20);
        let first = char::from(b'1' + rng.u8(0..9));
        let mut value = first.to_string();
        value.extend((1..digits).map(|_| char::from(b'0' + rng.u8(0..10))));
        // Every third one is an epoch time, which says nothing.
        if number % 3 == 0 {
            value = (1_795_000_000_u64 + rng.u64(0..900_000)).to_string()
                + &"0".repeat([0, 3, 6, 9][number % 4]);
        }
        let name = NAMES[number % NAMES.len()];
        for text in [
            format!("{name}={value} time={time} src=198.51.100.7\n"),
            format!("time={time} src=198.51.100.7 {name}={value}\n"),
            format!("{{\"{name}\":{value},\"time\":\"{time}\",\"ip\":\"198.51.100.7\"}}\n"),
            format!("{{\"ip\":\"198.51.100.7\",\"time\":\"{time}\",\"{name}\":\"{value}\"}}\n"),
            format!("{name},time,ip\n{value},{time},198.51.100.7\n"),
            format!("time,ip,{name}\n{time},198.51.100.7,{value}\n"),
        ] {
            assert_eq!(times(&text), Some(time.to_owned()), "{text}");
        }
        for text in [
            format!("{name}={value} src=198.51.100.7\n"),
            format!("x {name} {value} src=198.51.100.7\n"),
            format!("{{\"{name}\":{value},\"ip\":\"198.51.100.7\"}}\n"),
            format!("{name},ip\n{value},198.51.100.7\n"),
        ] {
            assert_eq!(times(&text), None, "{text}");
        }
    }
    assert_eq!(
        times("{\"ts\":1795601730,\"ip\":\"198.51.100.7\"}\n"),
        Some(time.to_owned())
    );
}

/// The time beside the only address of a text.
fn times(text: &str) -> Option<String> {
    let now = "2026-11-27T12:00:00Z".parse().expect("a time");
    let readings = gathered(text.as_bytes(), DateOrder::Iso, TimeZone::UTC, now);
    assert_eq!(readings.len(), 1, "{text}");
    let reading = readings.into_values().next()?;
    Some(reading.times?.0.to_string())
}
