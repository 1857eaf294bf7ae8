use jiff::tz::TimeZone;

use super::*;
use crate::investigation::event_time::DateOrder;

fn gatherer(is_by_day: bool) -> Gatherer {
    let now = "2026-11-24T10:00:00Z".parse().expect("a time");
    let blocks = ["198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"];
    let admission = Admission::with(blocks.map(|block| block.parse().expect(block)).to_vec());
    let gathering = Gathering {
        counts: true,
        times: Some(TimeReader::new(DateOrder::Iso, TimeZone::UTC, now)),
        by_day: is_by_day,
        cells: true,
        ..Gathering::default()
    };
    Gatherer::new(admission, gathering)
}

/// Each address, with what the text says of it.
fn gathered(text: &str, is_by_day: bool) -> (Vec<String>, TextTotals) {
    let mut gatherer = gatherer(is_by_day);
    gatherer.begin(0, text.as_bytes());
    let mut found = Vec::new();
    let taken = gatherer.take(text.as_bytes(), true, &mut |address| found.push(address));
    assert_eq!(taken, text.len());
    let (totals, found) = gatherer.end(found);
    let lines = found.map(|address| {
        let (seen, values) = *address.seen.expect("counted");
        let times = seen.times.map(|(first, last)| format!(" {first}..{last}"));
        let mut line = format!("{} {}@{}", address.address, seen.count, seen.first_line);
        line.push_str(&times.unwrap_or_default());
        values.each(&seen.beside, |column, column_values| {
            let values = column_values
                .values
                .iter()
                .map(|(value, count)| format!("{value} {count}"));
            let values: Vec<String> = values.collect();
            line.push_str(&format!(" {column}: {}", values.join(", ")));
            if column_values.others > 0 {
                line.push_str(&format!(" +{}", column_values.others));
            }
        });
        line
    });
    (lines.collect(), totals)
}

#[test]
fn each_address_comes_once_and_the_rest_is_set_aside_with_the_reason() {
    let text = "198.51.100.7 10.0.0.1\n198[.]51[.]100[.]8 10.0.0.1\n\n::ffff:198.51.100.7 198.51.100.0/24 2001:DB8::7 198.051.100.7 \
        198.51.100.0/24 127.0.0.1 10.0.0.2 198.051.100.7";
    let mut gatherer = gatherer(false);
    gatherer.begin(0, text.as_bytes());
    let mut found = Vec::new();
    gatherer.take(text.as_bytes(), true, &mut |address| found.push(address));
    let told = found.iter().map(|address| {
        let typed = address.typed.as_deref().unwrap_or_default();
        format!("{} {typed}", address.address)
    });
    let told: Vec<String> = told.collect();
    assert_eq!(
        told,
        [
            "198.51.100.7 ",
            "198.51.100.8 198[.]51[.]100[.]8",
            "2001:db8::7 2001:DB8::7"
        ]
    );
    let (totals, found) = gatherer.end(found);
    let seen = found.filter_map(|address| address.seen.map(|pair| *pair));
    let seen: Vec<_> = seen
        .map(|(seen, _)| (seen.count, seen.lines, seen.first_line))
        .collect();
    assert_eq!(seen, [(2, 2, 1), (1, 1, 2), (1, 1, 4)]);
    assert_eq!((totals.found, totals.unique(), totals.public), (12, 8, 3));
    let aside: Vec<_> = totals.set_aside.into_iter().collect();
    assert_eq!(
        aside,
        [
            ("loopback", 1),
            ("network", 1),
            ("private", 2),
            ("zero-padded", 1)
        ]
    );
}

#[test]
fn an_address_keeps_what_stands_beside_it() {
    let text = "when,ip,user,to\n\
        2026-11-20T10:00:00Z,198.51.100.7,alice,203.0.113.1\n\
        2026-11-21T09:00:00Z,198.51.100.7,bob,203.0.113.1\n\
        2026-11-19 08:00:00,198.51.100.7,alice,10.0.0.1\n\
        x,198.51.100.8,-,\n";
    let (found, totals) = gathered(text, false);
    assert_eq!(
        found,
        [
            "198.51.100.7 3@2 2026-11-19T08:00:00Z..2026-11-21T09:00:00Z user: alice 2, bob 1 to: 203.0.113.1 2, 10.0.0.1 1",
            "198.51.100.8 1@5 when: x 1",
            "203.0.113.1 2@2 2026-11-20T10:00:00Z..2026-11-21T09:00:00Z ip: 198.51.100.7 2 user: alice 1, bob 1",
        ]
    );
    assert_eq!(totals.set_aside["private"], 1);
    assert_eq!(
        (totals.rows, totals.timed, totals.assumed.without_zone),
        (4, 3, 1)
    );
}

#[test]
fn an_address_comes_once_for_each_day_of_its_events() {
    let text = "2026-11-20T23:30:00-01:00 198.51.100.7 10.0.0.1\n2026-11-21 198.51.100.7\n\
        2026-11-22 198.51.100.7 10.0.0.1\n198.51.100.7\n";
    let (found, totals) = gathered(text, true);
    let days = found
        .iter()
        .map(|line| line.split("..").next().unwrap_or(line));
    assert_eq!(
        days.collect::<Vec<_>>(),
        [
            "198.51.100.7 2@1 2026-11-21T00:00:00Z",
            "198.51.100.7 1@3 2026-11-22T00:00:00Z",
            "198.51.100.7 1@4",
        ]
    );
    assert_eq!(totals.set_aside["private"], 1);
}

#[test]
fn more_values_than_are_kept_are_counted() {
    let line = |number: u32| format!("198.51.100.7 user=u{number}\n");
    let text: String = (0..20).map(line).collect();
    let (found, _) = gathered(&text, false);
    assert!(found[0].ends_with("u7 1 +12"), "{found:?}");
}

#[test]
fn pieces_make_no_difference() {
    let json =
        "{\"a\":\"2026-11-20T10:00:00Z\",\"ip\":\"198.51.100.7\",\n\"user\":\"x\"}\n".repeat(3);
    for text in [
        json.as_str(),
        "ip,a\n198.51.100.7,\"1\n2\"\n",
        "x 198.51.100.7\ny=1 198.51.100.7",
    ] {
        let whole = gathered(text, false).0;
        for size in 1..text.len() {
            let mut gatherer = gatherer(false);
            gatherer.begin(0, text.as_bytes());
            let (mut kept, mut found) = (Vec::new(), Vec::new());
            for piece in text.as_bytes().chunks(size) {
                kept.extend_from_slice(piece);
                let taken = gatherer.take(&kept, false, &mut |address| found.push(address));
                kept.drain(..taken);
            }
            gatherer.take(&kept, true, &mut |address| found.push(address));
            let found: Vec<FoundAddress> = gatherer.end(found).1.collect();
            assert_eq!(found.len(), whole.len(), "{size}");
            let line = whole[0].split(' ').nth(1);
            let (seen, _) = found[0].seen.as_deref().expect("counted");
            let own = format!("{}@{}", seen.count, seen.first_line);
            assert_eq!(line, Some(own.as_str()), "{size} {text}");
        }
    }
}

#[test]
fn whose_an_address_is_stands_in_its_field_whether_fields_are_kept_or_not() {
    let text =
        "Nov 25 10:15:30 gate sshd[881]: Invalid user 203.0.113.98 from 198.51.100.7 port 50122\n";
    for cells in [true, false] {
        let mut gatherer = gatherer(false);
        (gatherer.counter.gathering.cells, gatherer.times) = (cells, None);
        gatherer.reader.keeps_cells = cells;
        gatherer.reader.rows = RowReader::new(true, cells, Vec::new());
        gatherer.begin(0, text.as_bytes());
        let mut found = Vec::new();
        gatherer.take(text.as_bytes(), true, &mut |address| {
            found.push(address.address)
        });
        assert_eq!(found.len(), 1, "{found:?}");
        let (totals, _) = gatherer.end(Vec::new());
        assert_eq!(totals.set_aside.get("user name"), Some(&1));
    }
}
