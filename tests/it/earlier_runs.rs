//! Benchmarks beside those of an earlier run.

#[path = "../../benches/feed_engine/earlier.rs"]
mod earlier;

use std::fs;

use self::earlier::{Earlier, times};

const SAVED: &str = "\
what                        measured               beside           goal\n\
records                     200000\n\
lookup, p99                 12.50 µs               0.5 of jq        <= 50 µs  ok\n\
pull of the second feed     1.20 s                                  <= 2 s    ok\n\
\x20 index on disk             61.0 bytes a record\n\
\x20 index on disk             70.0 bytes a record\n";

#[test]
fn a_saved_table_is_read_back() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("before.txt");
    fs::write(&file, format!("making it\n{SAVED}")).expect("write");
    let mut earlier = Earlier::read(&file).expect("a table");
    assert_eq!(earlier, Earlier::of(SAVED));
    for (what, measured) in [
        ("lookup, p99", Some("12.50 µs")),
        ("  index on disk", Some("61.0 bytes a record")),
        ("  index on disk", Some("70.0 bytes a record")),
        ("  index on disk", None),
        ("what", None),
    ] {
        assert_eq!(earlier.take(what).as_deref(), measured, "{what}");
    }
    fs::write(&file, "no table").expect("write");
    let refused = Earlier::read(&file).map_err(|error| error.to_string());
    assert!(refused.is_err_and(|error| error.contains("holds no table")));
    assert!(Earlier::read(&home.path().join("missing")).is_err());
}

#[test]
fn only_numbers_of_one_kind_compare() {
    for (now, before, expected) in [
        ("25.00 µs", "12.50 µs", Some(2.0)),
        ("0.60 s", "1200.00 ms", Some(0.5)),
        ("61.0 bytes a record", "122.0 bytes a record", Some(0.5)),
        ("61.0 bytes a record", "12.50 µs", None),
        ("- (no jq)", "12.50 µs", None),
        ("3 MB/s", "0 MB/s", None),
    ] {
        let found = times(now, before);
        let is_near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_near, "{now} after {before}: {found:?}");
    }
}
