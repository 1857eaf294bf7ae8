//! `parquet`: the file holds what the service sent.

use std::{fs, io::Read};

use flate2::read::MultiGzDecoder;
use ipspect::demo::{DemoRole, FaultSite};
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
};
use serde_json::{Map, Value};

use crate::service::{Home, Service, files_below};

/// The lines of a feed as the service sent them.
fn lines(home: &Home, feed: &str) -> Vec<String> {
    let pulled = home
        .run(&format!("feeds pull {feed} --format json"))
        .ends(0)
        .line();
    let file = fs::File::open(pulled["file"].as_str().expect("path")).expect("file");
    let mut text = String::new();
    MultiGzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("text");
    text.lines().map(str::to_owned).collect()
}

fn rows(home: &Home, file: &str) -> Vec<Map<String, Value>> {
    let file = fs::File::open(home.path(file)).expect("file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| object(&row.expect("row"))).collect()
}

fn object(row: &Row) -> Map<String, Value> {
    let said = row
        .get_column_iter()
        .filter(|(_, field)| **field != Field::Null);
    said.map(|(name, field)| (name.clone(), value(field)))
        .collect()
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => (*flag).into(),
        Field::Long(number) => (*number).into(),
        Field::Double(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        Field::Group(row) => object(row).into(),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::MapInternal(map) => {
            let key = |field: &Field| value(field).as_str().unwrap_or_default().to_owned();
            let pairs = map
                .entries()
                .iter()
                .map(|(name, field)| (key(name), value(field)));
            Value::Object(pairs.collect())
        }
        odd => panic!("{odd:?} is no value of ours"),
    }
}

/// A value without what says nothing, and every number and truth value as it is spelt: the metrics feed spells them as
/// texts.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let said = map.iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                said.map(|(key, value)| (key.clone(), plain(value)))
                    .collect(),
            )
        }
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => number.to_string().into(),
            (None, number) => number.map_or(Value::Null, |number| number.to_string().into()),
        },
        Value::Bool(flag) => flag.to_string().into(),
        other => other.clone(),
    }
}

#[test]
fn every_feed_is_in_its_file_row_by_row() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for feed in [
        "anonymous-residential",
        "anonymous-ipv6",
        "service-metrics",
        "dch",
        "ipgeo",
    ] {
        let lines = lines(&home, feed);
        let asked = service.asked(FaultSite::Feeds).len();
        let file = format!("{feed}.parquet");
        let written = home
            .run(&format!("parquet {feed} --raw -o {file} --format json"))
            .ends(0)
            .line();
        assert_eq!(
            service.asked(FaultSite::Feeds).len(),
            asked,
            "nothing is sent"
        );
        assert_eq!(
            (&written["records"], &written["bytes"]),
            (
                &lines.len().into(),
                &fs::metadata(home.path(&file)).expect("file").len().into()
            )
        );
        let mut found = Vec::new();
        let mut firsts = Vec::new();
        for mut row in rows(&home, &file) {
            let record = row.remove("record").expect("record");
            let record = record.as_str().expect("text").to_owned();
            firsts.extend(row.remove("first"));
            row.remove("last");
            for json in ["ai", "resells"] {
                if let Some(text) = row.get_mut(json) {
                    *text = serde_json::from_str(text.as_str().expect("text")).expect("JSON");
                }
            }
            let other = row.remove("other").map(|text| {
                serde_json::from_str::<Value>(text.as_str().expect("text")).expect("JSON")
            });
            let mut whole = Value::Object(row);
            if let Some(other) = other {
                merge(&mut whole, other);
            }
            let sent: Value = serde_json::from_str(&record).expect("JSON");
            assert_eq!(plain(&whole), plain(&sent), "{feed}");
            found.push(record);
        }
        let texts: Vec<&str> = firsts.iter().filter_map(Value::as_str).collect();
        assert!(texts.is_sorted(), "{feed}");
        assert_eq!(texts.is_empty(), feed == "service-metrics");
        let (mut lines, mut found) = (lines, found);
        lines.sort();
        found.sort();
        assert_eq!(found, lines, "{feed}");
    }
}

/// Puts what no column says to what the columns say.
fn merge(into: &mut Value, other: Value) {
    match (into, other) {
        (Value::Object(into), Value::Object(other)) => {
            for (key, value) in other {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (Value::Array(into), Value::Array(other)) => {
            for (into, other) in into.iter_mut().zip(other) {
                merge(into, other);
            }
        }
        (_, Value::Null) => {}
        (into, other) => *into = other,
    }
}

#[test]
fn a_filter_and_a_day_choose_what_is_written() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let all = lines(&home, "anonymous");
    let record: Value = serde_json::from_str(&all[0]).expect("JSON");
    let country = record["location"]["country"].as_str().expect("country");
    let text = format!("cc:{country} -infra:SATELLITE");
    let filter: ipspect::store::Filter = text.parse().expect("filter");
    let matches = |line: &&String| {
        let value = serde_json::from_str(line).expect("JSON");
        filter.matches(&ipspect::model::Terms::of(&value))
    };
    let expected = all.iter().filter(matches).count();
    assert!(expected > 0 && expected < all.len());
    let words = [
        "parquet",
        "anonymous",
        "-o",
        "some.parquet",
        "--filter",
        &text,
    ];
    home.run_words(&words)
        .ends(0)
        .shows("some.parquet: ")
        .shows(" records of anonymous ");
    let rows = rows(&home, "some.parquet");
    assert_eq!(rows.len(), expected);
    assert!(rows.iter().all(|row| !row.contains_key("record")));
    home.run("parquet anonymous -o other.parquet --day 20200101")
        .ends(10)
        .says("feeds pull anonymous --date 2020-01-01");
}

#[test]
fn a_file_appears_whole_and_replaces_nothing_unasked() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("parquet dch -o dch.parquet")
        .ends(10)
        .says("ipspect feeds pull dch");
    assert!(!home.path("dch.parquet").exists());
    home.run("feeds pull dch").ends(0);
    home.run("parquet dch -o dch.parquet --format csv")
        .ends(0)
        .shows("feed,day,file,bytes,records");
    let written = fs::read(home.path("dch.parquet")).expect("file");
    assert!(written.starts_with(b"PAR1") && written.ends_with(b"PAR1"));
    home.run("parquet dch -o dch.parquet")
        .ends(2)
        .says("--force");
    assert_eq!(fs::read(home.path("dch.parquet")).expect("file"), written);
    home.run("parquet dch -o dch.parquet --force --raw --format md")
        .ends(0)
        .shows("### Parquet of dch");
    assert_ne!(fs::read(home.path("dch.parquet")).expect("file"), written);
    home.run("parquet dch -o missing/dch.parquet").ends(8);
    home.run("parquet dch").ends(2);
    let left: Vec<_> = files_below(home.root.path())
        .into_iter()
        .filter(|path| path.to_string_lossy().contains(".ipspect-"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}
