//! More records than one chunk holds: what is put together from several chunks. The records follow a rule, so that what is
//! right can be worked out without reading them.

use std::{
    fmt::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    ops::Range,
    sync::LazyLock,
};

use ipspect::{
    model::{Keyword, Subject},
    store::{
        Filter, Index, RowId, StopFlag,
        index::{FacetBy, Order, QueryError, Selection, build::Building},
    },
};
use tempfile::TempDir;

use super::fixture::FILE;

/// More than two chunks of 65,536.
pub(crate) const RECORDS: u32 = 150_000;
/// The first so many are about IPv4 addresses.
const OLD: u32 = 120_000;
const COUNTRIES: [&str; 3] = ["NL", "BE", "DE"];

/// The address of a row, shuffled: an odd factor and a power of two give each once.
pub(crate) fn address(row: u32) -> IpAddr {
    if row < OLD {
        Ipv4Addr::from(0xc612_0000 | (row.wrapping_mul(40_503) & 0x1_ffff)).into()
    } else {
        Ipv6Addr::from(0x2001_0db8 << 96 | u128::from(row.wrapping_mul(2_654_435_761))).into()
    }
}

fn country(row: u32) -> &'static str {
    COUNTRIES[row as usize % COUNTRIES.len()]
}

pub(crate) fn clients(row: u32) -> u32 {
    row.wrapping_mul(7919) % 1009
}

fn has_tag(row: u32) -> bool {
    row % 1000 == 17
}

/// The last part of the address of an entry.
fn entry(row: u32) -> u32 {
    1 + row / 1000 % 7
}

fn proxies(row: u32) -> Option<[u32; 2]> {
    row.is_multiple_of(3).then_some([row % 97, row % 89])
}

/// Much hardly repeats, each thing in another way: lists of proxies, clients without them, sizes that are mostly numbers.
pub(crate) fn line(row: u32) -> String {
    let tunnels = if has_tag(row) {
        let entry = entry(row);
        format!(
            r#","tunnels":[{{"entries":["203.0.113.{entry}","2001:db8::{entry}"],"operator":"ACME_VPN","type":"VPN"}}]"#
        )
    } else {
        String::new()
    };
    let proxies = proxies(row).map(|[one, other]| format!(r#","proxies":["P{one}","Q{other}"]"#));
    let proxies = proxies.unwrap_or_default();
    let size = if row % 5 == 1 {
        format!("\"size {}\"", row % 3)
    } else {
        (row % 50).to_string()
    };
    let (address, country, clients) = (address(row), country(row), clients(row));
    format!(
        r#"{{"client":{{"count":{clients}{proxies},"spread":{row}}},"ip":"{address}","location":{{"country":"{country}"}},"size":{size}{tunnels}}}"#
    )
}

/// The index of them all, and its directory.
pub(crate) static MANY: LazyLock<(Index, TempDir)> = LazyLock::new(|| {
    let dir = TempDir::new().expect("directory");
    let file = dir.path().join(FILE);
    let mut building = Building::begin(&file).expect("a new file");
    let mut block = String::new();
    for row in 0..RECORDS {
        writeln!(block, "{}", line(row)).expect("memory");
        if block.len() > 1 << 20 || row + 1 == RECORDS {
            building
                .lines(std::mem::take(&mut block).into_bytes())
                .expect("room");
        }
    }
    let built = building.finish(&mut |_, _| ()).expect("room");
    assert_eq!((built.records, built.rejected.count), (RECORDS.into(), 0));
    (Index::open(&file).expect("an index"), dir)
});

fn select(text: &str) -> Selection {
    let filter: Filter = text.parse().expect(text);
    MANY.0.select(&filter, &StopFlag::default()).expect(text)
}

fn expected(means: impl Fn(u32) -> bool) -> Vec<RowId> {
    (0..RECORDS).filter(|row| means(*row)).map(RowId).collect()
}

#[track_caller]
fn means(text: &str, means: impl Fn(u32) -> bool) {
    let (selection, expected) = (select(text), expected(means));
    assert_eq!(selection.count(), expected.len() as u64, "{text}");
    assert!(
        selection.rows().eq(expected.iter().copied()),
        "{text}: {:?}",
        selection
            .rows()
            .zip(expected)
            .find(|(is, should)| is != should)
    );
}

#[test]
fn records_on_both_sides_of_a_chunk_read_back_and_are_found() {
    let (index, _) = &*MANY;
    let edges = [
        0,
        1,
        65_535,
        65_536,
        119_999,
        120_000,
        131_071,
        131_072,
        RECORDS - 1,
    ];
    for row in edges.into_iter().chain((0..RECORDS).step_by(37)) {
        let mut bytes = Vec::new();
        index.line(RowId(row), &mut bytes).expect("a line");
        assert_eq!(String::from_utf8_lossy(&bytes), line(row));
        let subject = Some(Subject::Address(address(row)));
        assert_eq!(index.subject(RowId(row)), Ok(subject));
        assert_eq!(index.covering(address(row).into()), Ok(vec![RowId(row)]));
    }
    for address in ["198.51.100.7", "2001:db8:1::", "::", "255.255.255.255"] {
        let address: IpAddr = address.parse().expect(address);
        assert_eq!(index.covering(address.into()), Ok(Vec::new()));
    }
}

#[test]
fn filters_mean_the_rows_of_every_chunk() {
    means("", |_| true);
    means("cc:NL", |row| country(row) == "NL");
    means("cc:nl,de -tag:ACME_VPN", |row| {
        country(row) != "BE" && !has_tag(row)
    });
    means("tag:acme_vpn", has_tag);
    means("attributed:yes clients>500", |row| {
        has_tag(row) && clients(row) > 500
    });
    means("clients<=3 cc:BE", |row| {
        clients(row) <= 3 && country(row) == "BE"
    });
    means("net:198.18.64.0/19,2001:db8::/33", |row| {
        match address(row) {
            IpAddr::V4(address) => u32::from(address) >> 13 == 0xc612_4000 >> 13,
            IpAddr::V6(_) => true,
        }
    });
    means("proxy:p7", |row| {
        proxies(row).is_some_and(|numbers| numbers[0] == 7)
    });
    means("entry:203.0.113.3", |row| has_tag(row) && entry(row) == 3);
    means("entry:2001:db8:0::3,203.0.113.4", |row| {
        has_tag(row) && [3, 4].contains(&entry(row))
    });
    means("tag:NONE_SUCH", |_| false);
    means("-tag:NONE_SUCH", |_| true);
}

#[test]
fn facets_and_orders_are_put_together_from_every_chunk() {
    let (index, stop) = (&MANY.0, StopFlag::default());
    let tagged = select("tag:ACME_VPN");
    let by = FacetBy::Keyword(Keyword::Cc);
    let facets = index.facets(&tagged, &by, &stop).expect("facets");
    let rows = expected(has_tag);
    let count = |cc: &str| rows.iter().filter(|row| country(row.0) == cc).count() as u64;
    let mut right = COUNTRIES.map(|cc| (count(cc), cc));
    right.sort_by_key(|(count, cc)| (std::cmp::Reverse(*count), *cc));
    let facets: Vec<(u64, &str)> = facets
        .iter()
        .map(|facet| (facet.count, facet.value.as_str()))
        .collect();
    assert_eq!(facets, right);
    for (by, right) in [
        (
            FacetBy::Keyword(Keyword::Proxy),
            RECORDS.div_ceil(3) as usize * 2,
        ),
        (FacetBy::Keyword(Keyword::Entry), 2 * rows.len()),
        (FacetBy::Path("size".to_owned()), RECORDS as usize),
    ] {
        let facets = index.facets(&select(""), &by, &stop).expect("facets");
        let all: u64 = facets.iter().map(|facet| facet.count).sum();
        assert_eq!(all, right as u64, "{by:?}");
        for facet in &facets {
            let has = |row: &u32| match by {
                FacetBy::Keyword(Keyword::Proxy) => proxies(*row).is_some_and(|[one, other]| {
                    [format!("P{one}"), format!("Q{other}")].contains(&facet.value)
                }),
                FacetBy::Keyword(_) => {
                    let last = facet.value.rsplit(['.', ':']).next();
                    has_tag(*row) && last == Some(&entry(*row).to_string())
                }
                FacetBy::Path(_) => match facet.value.strip_prefix("size ") {
                    Some(size) => row % 5 == 1 && size == (row % 3).to_string(),
                    None => row % 5 != 1 && facet.value == (row % 50).to_string(),
                },
            };
            let right = (0..RECORDS).filter(has).count() as u64;
            assert_eq!(facet.count, right, "{by:?} {}", facet.value);
        }
    }

    let mut rows = rows;
    rows.sort_by_key(|row| address(row.0));
    assert_eq!(index.by_address(&tagged, &stop), Ok(rows));
    for (text, most) in [
        ("", 100),
        ("", 30_000),
        ("", RECORDS as usize),
        ("cc:DE", 7),
        ("cc:DE", 5000),
        ("tag:ACME_VPN", 1000),
        ("", 0),
    ] {
        let selection = select(text);
        let mut right: Vec<RowId> = selection.rows().collect();
        right.sort_by_key(|row| (std::cmp::Reverse(clients(row.0)), address(row.0)));
        right.truncate(most);
        let counts = index.client_counts(&selection, &stop).expect("counted");
        let of_counted = index.busiest_of_counted(&selection, &counts, most, &stop);
        assert_eq!(of_counted.as_ref(), Ok(&right), "{text}");
        assert_eq!(index.busiest(&selection, most, &stop), Ok(right), "{text}");
    }
    let all: Result<Vec<_>, QueryError> = index.subjects().collect();
    let all = all.expect("subjects");
    assert_eq!(all.len(), RECORDS as usize);
    assert!(
        all.iter()
            .all(|(subject, row, _)| *subject == Subject::Address(address(row.0)))
    );
    assert!(all.is_sorted_by_key(|(_, row, _)| address(row.0)));
}

#[test]
fn the_first_rows_are_there_before_an_order_is_complete() {
    let (index, stop) = (&MANY.0, StopFlag::default());
    for (filter, order, wanted, is_walked) in [
        ("cc:DE", Order::Clients, 40, true),
        ("cc:DE", Order::Address, 40, true),
        ("cc:DE", Order::Clients, 512, true),
        ("cc:DE", Order::Clients, 513, false),
        // At the end of one order, spread over the other.
        ("clients<=30", Order::Address, 40, true),
        ("clients<=30", Order::Clients, 40, false),
        // So few that they are sorted.
        ("tag:ACME_VPN", Order::Clients, 40, false),
        ("tag:ACME_VPN", Order::Address, 150, false),
        ("cc:ZZ", Order::Clients, 40, false),
    ] {
        let selection = select(filter);
        let mut right: Vec<RowId> = selection.rows().collect();
        right.sort_by_key(|row| match order {
            Order::Clients => (u32::MAX - clients(row.0), address(row.0)),
            _ => (0, address(row.0)),
        });
        let ordered = index.ordered(&selection, order, &stop).expect("an order");
        let right = &right[..right.len().min(wanted)];
        let page = |positions: Range<usize>| {
            let positions = positions.start as u64..positions.end as u64;
            ordered.page(index, positions, &stop).expect("a page")
        };
        let first = page(0..wanted);
        assert_eq!(
            ordered.is_complete(),
            !is_walked,
            "{filter} {order:?} {wanted}"
        );
        assert_eq!(first, right, "{filter} {order:?} {wanted}");
        let half = wanted / 2;
        assert_eq!(page(half..wanted), right[right.len().min(half)..]);
        ordered.complete(index, &stop).expect("complete");
        assert!(ordered.is_complete());
        assert_eq!(page(0..wanted), first, "{filter} {order:?} {wanted}");
    }
}

#[test]
fn what_was_stopped_says_so() {
    let (index, stop) = (&MANY.0, StopFlag::default());
    let all = select("");
    stop.stop();
    let filter: Filter = "cc:NL".parse().expect("filter");
    assert_eq!(
        index.select(&filter, &stop).map(|all| all.count()),
        Err(QueryError::Stopped)
    );
    let by = FacetBy::Keyword(Keyword::Cc);
    assert_eq!(index.facets(&all, &by, &stop), Err(QueryError::Stopped));
    assert_eq!(index.check(&stop), Err(QueryError::Stopped));
}
