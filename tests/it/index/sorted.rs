//! How long a sorted browser takes: the first window of an order and the windows after it, and the values that are searched while one
//! is typed. A measurement on a million records, printed and bounded; a tenth of them without optimisation.

use std::{
    fmt::Write,
    net::Ipv4Addr,
    time::{Duration, Instant},
};

use ipspect::{
    model::Keyword,
    store::{
        Filter, Index, StopFlag,
        index::{Order, SortField, build::Building},
    },
};
use tempfile::TempDir;

use super::fixture::FILE;

const RECORDS: u32 = if cfg!(debug_assertions) {
    100_000
} else {
    1_000_000
};
/// Rows of a window.
const WINDOW: u64 = 60;
/// Windows that are jumped to after the first one.
const JUMPS: u64 = 40;

/// Without optimisation a tenth of the records takes many times as long.
fn most(milliseconds: u64) -> Duration {
    let slowness = if cfg!(debug_assertions) { 8 } else { 1 };
    Duration::from_millis(milliseconds * slowness)
}

/// Each record has an address, an organization and an entry of its own.
fn line(row: u32) -> String {
    let mixed = row.wrapping_mul(2_654_435_761);
    let address = Ipv4Addr::from(
        0xf000_0000 + u32::try_from(u64::from(row) * 7919 % 1_000_003).expect("small"),
    );
    let (asn, tag, city) = (64_512 + mixed % 60_000, mixed % 997, mixed % 9_973);
    let (clients, country) = (mixed % 1_013, ["NL", "DE", "US"][row as usize % 3]);
    format!(
        r#"{{"ip":"{address}","organization":"Customer {mixed:x}","as":{{"number":{asn},"organization":"Example {asn}"}},"client":{{"count":{clients}}},"location":{{"city":"City {city}","country":"{country}"}},"tunnels":[{{"operator":"ACME_{tag}","entries":["203.0.113.{}"],"type":"VPN"}}]}}"#,
        row % 250
    )
}

fn index() -> (Index, TempDir) {
    let dir = TempDir::new().expect("directory");
    let file = dir.path().join(FILE);
    let mut building = Building::begin(&file).expect("a new file");
    let mut block = String::new();
    for row in 0..RECORDS {
        writeln!(block, "{}", line(row)).expect("memory");
        if block.len() > 1 << 20 || row + 1 == RECORDS {
            let lines = std::mem::take(&mut block).into_bytes();
            building.lines(lines).expect("room");
        }
    }
    building.finish(&mut |_, _| ()).expect("room");
    (Index::open(&file).expect("an index"), dir)
}

#[test]
#[ignore = "long, and measures time: see CONTRIBUTING.md"]
#[expect(clippy::print_stdout, reason = "it prints what it measures")]
fn windows_of_a_sorted_million_come_in_time() {
    let (index, _dir) = index();
    let stop = StopFlag::default();
    let all = index.select(&Filter::default(), &stop).expect("all");
    let words = [
        Keyword::Tag,
        Keyword::Cc,
        Keyword::Asn,
        Keyword::Org,
        Keyword::Entry,
    ];
    let fields = words.map(SortField::Words).into_iter();
    let paths = ["location.city", "client.count"].map(SortField::Path);
    let by = |by, descending| Order::Field { by, descending };
    let orders = [Order::Address, Order::Clients, Order::AddressDescending]
        .into_iter()
        .chain(fields.flat_map(|field| [by(field, false), by(field, true)]))
        .chain(paths.map(|field| by(field, false)));
    println!("{RECORDS} records, windows of {WINDOW} rows");
    for order in orders {
        // Entries that are IPv4 addresses are in no dictionary, and of a million different names of organizations half are in none:
        // their records are read, as for a path.
        let is_read = matches!(
            order,
            Order::Field {
                by: SortField::Path(_) | SortField::Words(Keyword::Entry | Keyword::Org),
                ..
            }
        );
        let began = Instant::now();
        let ordered = index.ordered(&all, order, &stop).expect("an order");
        let window = |from: u64| {
            let rows = ordered.page(&index, from..from + WINDOW, &stop);
            let rows = rows.expect("a window");
            let mut text = Vec::new();
            for row in &rows {
                index.line(*row, &mut text).expect("a line");
            }
            assert_eq!(rows.len() as u64, WINDOW);
        };
        window(0);
        let first = began.elapsed();
        let last = u64::from(RECORDS) - WINDOW;
        let mut later: Vec<Duration> = (1..=JUMPS)
            .flat_map(|jump| {
                // Far away, and the window behind that.
                let far = (last - WINDOW) * (jump * 17 % JUMPS) / JUMPS;
                [far, far + WINDOW]
            })
            .map(|from| {
                let began = Instant::now();
                window(from);
                began.elapsed()
            })
            .collect();
        later.sort_unstable();
        let (middle, worst) = (later[later.len() / 2], later[later.len() - 1]);
        println!("{order:?}: first {first:?}, later {middle:?}, at worst {worst:?}");
        assert!(
            first < most(if is_read { 3_000 } else { 500 }),
            "{order:?}: {first:?}"
        );
        assert!(middle < most(50), "{order:?}: {middle:?}");
        assert!(worst < most(200), "{order:?}: {worst:?}");
    }
    for (field, part) in [
        (Keyword::Org, "customer ab"),
        (Keyword::Org, "9f"),
        (Keyword::Org, "c"),
        (Keyword::Tag, "acme_12"),
        (Keyword::Asn, "77"),
    ] {
        let began = Instant::now();
        let found = index.alike(&all, field, part, 40, &stop).expect("values");
        let took = began.elapsed();
        println!("values of {} with {part:?}: {took:?}", field.name());
        assert!(!found.is_empty());
        assert!(took < most(2_000), "{field:?} {part}: {took:?}");
    }
}
