//! Which lines are records, and that each of them reads back byte for byte.

use ipspect::{
    model::Document,
    store::{
        Index, StopFlag,
        index::{ExportRow, build::Building},
    },
};
use proptest::prelude::*;

use super::{
    feeds::{Feed, feeds},
    fixture::{FEW, FILE, Fixture, Holds, MANY, draw},
    oddities,
};

/// Lines that are no records and are first are kept, so many.
const KEPT: usize = 5;

fn is_whole(feed: &Feed) -> Holds {
    let fixture = Fixture::of(feed);
    let records = fixture.naive.records.len() as u64;
    prop_assert_eq!(fixture.index.records(), records);
    prop_assert_eq!(fixture.built.records, records);
    let rejected: Vec<u64> = fixture
        .built
        .rejected
        .first
        .iter()
        .map(|(line, _)| *line)
        .collect();
    let expected = &fixture.naive.rejected;
    prop_assert_eq!(&rejected[..], &expected[..expected.len().min(KEPT)]);
    prop_assert_eq!(fixture.built.rejected.count, expected.len() as u64);
    prop_assert_eq!(fixture.rows.len() as u64, records);
    prop_assert!(fixture.rows.is_sorted_by(|one, next| one < next));
    let mut flats = Vec::new();
    for (row, record) in fixture.rows.iter().zip(&fixture.naive.records) {
        let line = fixture.line(*row)?;
        let shown = || line.escape_ascii().to_string();
        prop_assert!(line == record.line, "{row:?} reads {}", shown());
        let subject = fixture.index.subject(*row)?;
        prop_assert_eq!(subject, record.terms.subject, "{}", shown());
        let flat = Document::read(&line).map(|record| ExportRow::of(&record));
        flats.push(flat.unwrap_or_default());
    }
    let mut expected = flats.iter();
    fixture
        .index
        .flats()?
        .each(&fixture.rows, TestCaseError::from, |flat| {
            prop_assert_eq!(Some(flat), expected.next());
            Ok(())
        })?;
    fixture
        .index
        .check(&StopFlag::default())
        .map_err(TestCaseError::from)
}

#[test]
fn every_record_reads_back_and_every_other_line_is_counted() {
    draw(FEW, &feeds(150), |feed| is_whole(&feed));
}

#[test]
#[ignore = "long: see the head of tests/it/index.rs"]
fn every_record_of_many_feeds_reads_back() {
    draw(MANY, &feeds(400), |feed| is_whole(&feed));
}

#[test]
fn each_odd_line_costs_nothing_but_itself() {
    let clean = br#"{"ip":"203.0.113.1","infrastructure":"MOBILE"}"#;
    let between = oddities::all_short().flat_map(|odd| [odd, clean.to_vec()]);
    is_whole(&Feed::plain(between)).expect("all in one feed");
    for odd in oddities::all_short() {
        let shown = odd.escape_ascii().to_string();
        is_whole(&Feed::plain([clean.to_vec(), odd, clean.to_vec()])).expect(&shown);
    }
}

/// It is too large for a tree of values, so what it says besides its address is open.
#[test]
fn a_record_of_very_many_values_is_kept() {
    let values = "0,".repeat(600_000);
    let line = format!("{{\"ip\":\"203.0.113.1\",\"x\":[{values}0]}}").into_bytes();
    let feed = Feed::plain([line.clone(), br#"{"ip":"203.0.113.2"}"#.to_vec()]);
    let fixture = Fixture::of(&feed);
    assert_eq!(fixture.built.records, 2);
    assert!(fixture.line(fixture.rows[0]) == Ok(line));
    let next = "203.0.113.2/32".parse().expect("address");
    assert_eq!(fixture.index.covering(next), Ok(vec![fixture.rows[1]]));
}

#[test]
fn nothing_at_all_is_an_index_without_records() {
    is_whole(&Feed::plain([])).expect("no record");
    is_whole(&Feed::plain([b"".to_vec(), b" ".to_vec()])).expect("no record");
}

#[test]
fn a_line_that_is_not_handed_over_has_its_place() {
    let dir = tempfile::tempdir().expect("directory");
    let file = dir.path().join(FILE);
    let mut building = Building::begin(&file).expect("a new file");
    building
        .lines(b"{\"ip\":\"203.0.113.1\"}\n\nx\n".to_vec())
        .expect("room");
    building.rejected("longer than 16 MiB").expect("room");
    building
        .lines(b"y\n{\"ip\":\"203.0.113.2\"}".to_vec())
        .expect("room");
    let built = building.finish(&mut |_, _| ()).expect("room");
    let lines: Vec<u64> = built.rejected.first.iter().map(|(line, _)| *line).collect();
    assert_eq!((built.records, lines.as_slice()), (2, &[3, 4, 5][..]));
    assert_eq!(built.rejected.first[1].1, "longer than 16 MiB");
    let bytes = std::fs::metadata(&file).expect("a file").len();
    assert_eq!(built.bytes, bytes);
    assert_eq!(Index::open(&file).expect("an index").records(), 2);
}
