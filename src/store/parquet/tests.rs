//! Reads files back row by row and restores the records.

use ::parquet::{
    file::{
        metadata::RowGroupMetaData,
        reader::{FileReader, SerializedFileReader},
    },
    record::{Field, Row as Read},
};
use bytes::Bytes;
use serde_json::{Map, json};

use super::*;
use crate::store::index::build::Building;

/// A file of these lines, in this order.
fn file(records: RecordKind, raw: bool, lines: &[&[u8]]) -> Bytes {
    let form = ParquetOptions {
        records,
        form: ParquetForm::Nested { raw },
        about: vec![("feed".to_owned(), "anonymous".to_owned())],
    };
    let mut bytes = Vec::new();
    let mut writer = ParquetWriter::begin(&form, &mut bytes).expect("begun");
    for line in lines {
        let document = Document::read(line).ok();
        let object = document
            .as_ref()
            .and_then(|document| document.value().as_object());
        let subject = object.and_then(crate::model::terms::subject);
        writer.put(RowId::default(), subject, 0, line).expect("put");
    }
    writer.end().expect("written");
    bytes.into()
}

/// The rows of a file, without absent columns.
fn rows(file: Bytes) -> Vec<Map<String, Value>> {
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| object(&row.expect("row"))).collect()
}

fn object(row: &Read) -> Map<String, Value> {
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

/// Restores the record from the columns and the rest of a row.
fn whole(mut row: Map<String, Value>) -> Value {
    for text in [FIRST, LAST, RECORD] {
        row.remove(text);
    }
    for json in ["ai", "resells"] {
        if let Some(text) = row.get_mut(json) {
            *text = serde_json::from_str(text.as_str().expect("text")).expect("JSON");
        }
    }
    let other = row
        .remove(OTHER)
        .map(|text| serde_json::from_str(text.as_str().expect("text")).expect("JSON"));
    let mut whole = Value::Object(row);
    if let Some(other) = other {
        merge(&mut whole, other);
    }
    whole
}

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

/// A record without equivalent spellings: no absent values, JSON texts parsed, numbers in one spelling.
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
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.into(),
            None => number.as_f64().into(),
        },
        other => other.clone(),
    }
}

/// Asserts that every row of a file restores its record.
#[track_caller]
fn holds(records: RecordKind, sent: &[Value]) -> Vec<Map<String, Value>> {
    let lines: Vec<Vec<u8>> = sent
        .iter()
        .map(|value| value.to_string().into_bytes())
        .collect();
    let lines: Vec<&[u8]> = lines.iter().map(Vec::as_slice).collect();
    let read = rows(file(records, true, &lines));
    assert_eq!(read.len(), sent.len());
    for (row, sent) in read.iter().zip(sent) {
        assert_eq!(plain(&whole(row.clone())), plain(sent));
        assert_eq!(row[RECORD], sent.to_string());
    }
    read
}

#[test]
fn contexts_are_columns() {
    let full = json!({
        "as": {"number": 64500, "organization": "Example Hosting"},
        "client": {
            "behaviors": ["FILE_SHARING"],
            "concentration": {"city": "Zürich", "country": "CH", "density": 0.25, "geohash": "u0qj", "skew": -15, "state": "Zurich"},
            "count": 14, "countries": 6, "proxies": ["WIDGET_PROXY"], "spread": 91_400, "types": ["MOBILE", "DESKTOP"]
        },
        "infrastructure": "DATACENTER", "ip": "198.51.100.77",
        "location": {"city": "Amsterdam", "state": "North Holland", "country": "NL"},
        "organization": "Example customer 12", "risks": ["TUNNEL"], "services": ["OPENVPN", "IPSEC"],
        "tunnels": [
            {"anonymous": true, "entries": ["198.51.100.70", "198.51.100.71"], "exits": ["198.51.100.77"], "operator": "ACME_VPN", "type": "VPN"},
            {"type": "PROXY"},
            {"anonymous": false, "entries": []}
        ]
    });
    let bare = json!({"network": "2001:db8::/48", "client": {}, "risks": [], "tunnels": [], "as": {}, "location": {}});
    let read = holds(
        RecordKind::Context,
        &[full.clone(), bare, json!({"ip": "203.0.113.9"}), full],
    );
    assert!(read.iter().all(|row| !row.contains_key(OTHER)), "{read:?}");
    assert_eq!(read[0]["client"]["concentration"]["skew"], -15);
    assert_eq!(
        (&read[0][FIRST], &read[0][LAST]),
        (&"4:c633644d".into(), &"4:c633644d".into())
    );
    assert_eq!(read[1][FIRST], "6:20010db8000000000000000000000000");
    assert_eq!(read[1][LAST], "6:20010db80000ffffffffffffffffffff");
}

#[test]
fn what_no_column_says_is_kept() {
    let odd = json!({
        "ip": "198.51.100.7", "fresh": {"a": [1, null]}, "infrastructure": ["DATACENTER"],
        "as": {"number": 99_999_999_999_i64, "rir": 1, "Organization": "Old", "organization": "New"},
        "client": {"new": 1, "count": "many", "concentration": {"newer": true, "city": 5}},
        "risks": ["TUNNEL", {"x": 1}, null, "SPAM", 7], "location": "NL",
        "tunnels": [{"type": "TOR"}, "VPN", {"port": 1, "type": "VPN", "entries": [{"ip": "198.51.100.8", "port": 2}, "198.51.100.9"]}, null]
    });
    let read = holds(RecordKind::Context, &[odd]);
    let other: Value = serde_json::from_str(read[0][OTHER].as_str().expect("text")).expect("JSON");
    assert_eq!(
        other,
        json!({
            "infrastructure": ["DATACENTER"], "as": {"Organization": "Old", "rir": 1},
            "client": {"concentration": {"city": 5, "newer": true}, "count": "many", "new": 1},
            "risks": [null, {"x": 1}, null, null, 7], "location": "NL",
            "tunnels": [null, "VPN", {"entries": [{"ip": "198.51.100.8", "port": 2}], "port": 1}],
            "fresh": {"a": [1, null]}
        })
    );
    assert_eq!(
        read[0]["tunnels"][2]["entries"],
        json!(["198.51.100.8", "198.51.100.9"])
    );
    assert_eq!(
        read[0]["risks"],
        json!(["TUNNEL", null, null, "SPAM", null])
    );
}

#[test]
fn spellings_are_read_as_everywhere() {
    let line = br#"{"ip":"198.51.100.7","as":{"number":"64500","Organization":"Old"},"client":{"count":14.0,"spread":""},"risks":"TUNNEL","services":""}"#;
    let read = rows(file(RecordKind::Context, false, &[line]));
    let expected = json!({
        "ip": "198.51.100.7", "as": {"number": 64500, "organization": "Old"}, "client": {"count": 14}, "risks": ["TUNNEL"],
        "services": [], "first": "4:c6336407", "last": "4:c6336407"
    });
    assert_eq!(Value::Object(read[0].clone()), expected);
}

#[test]
fn services_blocks_and_places_are_columns() {
    let tag = json!({
        "tag": "ACME_VPN", "name": "Acme", "description": "", "website": null, "categories": ["RESIDENTIAL_PROXY"],
        "resells": [{"tag": "BRAVO_PROXY", "since": 2020}], "maxAgeDays": 2.5, "fresh": 1
    });
    holds(RecordKind::Tags, &[tag]);
    let line = br#"{"tag":"A_VPN","isAnonymous":"true","isNoLog":null,"allowsCrypto":"FALSE","metrics":{"distinctIPs":"12","churnRate":"0.5"}}"#;
    let expected = json!({"tag": "A_VPN", "isAnonymous": true, "allowsCrypto": false, "metrics": {"distinctIPs": 12, "churnRate": 0.5}});
    assert_eq!(
        rows(file(RecordKind::Tags, false, &[line])),
        [expected.as_object().expect("object").clone()]
    );
    let block = json!({"network": "203.0.113.0/24", "organization": "Example", "asn": 64500});
    let read = holds(
        RecordKind::Hosting,
        &[block, json!({"network": "2001:db8::/32", "asn": null})],
    );
    assert_eq!(
        (&read[0][FIRST], &read[0][LAST]),
        (&"4:cb007100".into(), &"4:cb0071ff".into())
    );
    let geo = json!({
        "prefix": "203.0.113.0/24",
        "city": {"geoname_id": 1, "names": {"de": "Musterstadt", "pt-BR": "Cidade", "xx": 5}},
        "continent": {"code": "EU", "geoname_id": 2, "names": {}},
        "country": {"geoname_id": 3, "iso_code": "NL", "names": {"en": "Netherlands"}},
        "registered_country": {"iso_code": "CH"},
        "location": {"accuracy_radius": 20, "latitude": -1.5, "longitude": 4.9, "time_zone": "Europe/Amsterdam"},
        "vendor": {"as": {"number": 64502, "organization": "Example"}},
        "subdivisions": [{"geoname_id": 4, "names": {"en": "Sample County", "ja": "県"}, "iso_code": "SC"}, {"names": {}}, {"geoname_id": 5}]
    });
    holds(
        RecordKind::Geo,
        &[geo.clone(), json!({"prefix": "203.0.113.0/25"}), geo],
    );
}

#[test]
fn lines_that_are_no_objects_are_kept_too() {
    let lines: [&[u8]; 4] = [b"[1,2]", b"not JSON \xff", b"{\"ip\":\"Z\xfcrich\"}", b"{}"];
    let read = rows(file(RecordKind::Context, true, &lines));
    assert_eq!(read[0][OTHER], "[1,2]");
    assert_eq!(read[1][OTHER], "\"not JSON \u{fffd}\"");
    assert_eq!(read[2]["ip"], "Z\u{fffd}rich");
    assert_eq!(read[2][RECORD], "{\"ip\":\"Z\u{fffd}rich\"}");
    assert!(!read[2].contains_key(FIRST));
    assert_eq!(read[3].keys().collect::<Vec<_>>(), [RECORD]);
}

#[test]
fn large_records_make_small_row_groups() {
    let form = ParquetOptions {
        records: RecordKind::Context,
        form: ParquetForm::Nested { raw: false },
        about: Vec::new(),
    };
    let mut bytes = Vec::new();
    let mut writer = ParquetWriter::begin(&form, &mut bytes).expect("begun");
    writer.most = 1 << 20;
    let line = format!("{{\"organization\":\"{}\"}}", "x".repeat(100_000));
    for _ in 0..30 {
        writer
            .put(RowId::default(), None, 0, line.as_bytes())
            .expect("put");
    }
    writer.end().expect("written");
    let reader = SerializedFileReader::new(Bytes::from(bytes)).expect("a Parquet file");
    let groups = reader.metadata().row_groups().iter();
    let groups: Vec<i64> = groups.map(RowGroupMetaData::num_rows).collect();
    assert_eq!(groups, [11, 11, 8]);
}

#[test]
fn a_file_says_what_it_is_and_how_it_is_sorted() {
    let reader = SerializedFileReader::new(file(
        RecordKind::Hosting,
        false,
        &[b"{\"network\":\"203.0.113.0/24\"}"],
    ));
    let reader = reader.expect("a Parquet file");
    let metadata = reader.metadata().file_metadata();
    let about = metadata.key_value_metadata().expect("metadata");
    assert!(
        about
            .iter()
            .any(|value| value.key == "feed" && value.value.as_deref() == Some("anonymous"))
    );
    assert!(
        metadata
            .created_by()
            .is_some_and(|by| by.starts_with("ipspect "))
    );
    let group = reader.metadata().row_group(0);
    let sorted = group.sorting_columns().expect("sorted");
    let columns: Vec<String> = sorted
        .iter()
        .map(|column| {
            group
                .column(usize::try_from(column.column_idx).expect("index"))
                .column_path()
                .string()
        })
        .collect();
    assert_eq!(columns, [FIRST, LAST]);
    assert!(
        group
            .column(3)
            .statistics()
            .is_some_and(|statistics| statistics.min_bytes_opt().is_some())
    );
    assert_eq!(
        rows(file(RecordKind::Tags, false, &[])),
        [] as [Map<String, Value>; 0]
    );
}

#[test]
fn ranges_are_in_the_order_of_addresses() {
    let subjects = [
        "0.0.0.0/0",
        "9.0.0.1",
        "192.0.2.0/24",
        "203.0.113.9",
        "::/0",
        "2001:db8::/32",
    ];
    let firsts: Vec<String> = subjects
        .iter()
        .map(|text| {
            let subject = text.parse().map(Subject::Address);
            range(subject.unwrap_or_else(|_| Subject::Network(text.parse().expect(text)))).0
        })
        .collect();
    assert!(firsts.is_sorted(), "{firsts:?}");
}

#[test]
fn an_index_is_written_by_address_as_far_as_a_filter_goes() {
    let dir = tempfile::tempdir().expect("directory");
    let path = dir.path().join("index");
    let mut building = Building::begin(&path).expect("begun");
    let lines = [
        r#"{"odd":1}"#,
        r#"{"ip":"2001:db8::7","infrastructure":"MOBILE"}"#,
        r#"{"ip":"203.0.113.9","infrastructure":"MOBILE"}"#,
        r#"{"ip":"192.0.2.200"}"#,
        r#"{"network":"192.0.2.0/24","infrastructure":"MOBILE"}"#,
        r#"{"ip":"192.0.2.9","infrastructure":"MOBILE"}"#,
    ];
    building
        .lines(lines.join("\n").into_bytes())
        .expect("taken");
    building.finish(&mut |_, _| ()).expect("finished");
    let index = Index::open(&path).expect("opened");
    let form = ParquetOptions {
        records: RecordKind::Context,
        form: ParquetForm::Nested { raw: true },
        about: Vec::new(),
    };
    let written = |filter: &str| {
        let mut bytes = Vec::new();
        let filter = filter.parse().expect("filter");
        let mut told = Vec::new();
        let mut tell = |done, of| told.push((done, of));
        let count = write(
            &index,
            &filter,
            &form,
            &mut bytes,
            &StopFlag::default(),
            &mut tell,
        )
        .expect("written");
        assert_eq!(
            (told[0], told[told.len() - 1]),
            ((0, count), (count, count))
        );
        let records = rows(bytes.into())
            .into_iter()
            .map(|row| row[RECORD].as_str().expect("text").to_owned());
        records.collect::<Vec<_>>()
    };
    assert_eq!(
        written(""),
        [4, 5, 3, 2, 1, 0].map(|line: usize| lines[line])
    );
    assert_eq!(
        written("infra:MOBILE net:192.0.2.0/24,203.0.113.9"),
        [4, 5, 2].map(|line: usize| lines[line])
    );
    let stop = StopFlag::default();
    stop.stop();
    let ended = write(
        &index,
        &Filter::default(),
        &form,
        Vec::new(),
        &stop,
        &mut |_, _| (),
    );
    assert!(
        matches!(ended, Err(NotWritten::Index(QueryError::Stopped))),
        "{ended:?}"
    );
}

#[test]
fn parts_end_at_rows_or_bytes_and_have_records_as_they_were_sent() {
    let dir = tempfile::tempdir().expect("directory");
    let path = dir.path().join("index");
    let mut building = Building::begin(&path).expect("begun");
    let large = "x".repeat(700);
    let line = |number: u32| match number {
        3 => b"{\"ip\":\"192.0.2.3\",\"as\":{\"organization\":\"Caf\xe9\"}}".to_vec(),
        5 | 6 => format!(r#"{{"ip":"192.0.2.{number}","note":"{large}"}}"#).into_bytes(),
        _ => format!(r#"{{"ip":"192.0.2.{number}"}}"#).into_bytes(),
    };
    let lines: Vec<Vec<u8>> = (0..10).map(line).collect();
    building.lines(lines.join(&b'\n')).expect("taken");
    building.finish(&mut |_, _| ()).expect("finished");
    let index = Index::open(&path).expect("opened");
    let of_load = LoadOf {
        feed: "anonymous".to_owned(),
        day: "2026-11-20".to_owned(),
        load: "first".to_owned(),
    };
    let limits = PartLimits {
        rows: 4,
        bytes: 600,
    };
    let parts = |there: &BTreeMap<u64, u64>| {
        let mut parts = Vec::new();
        let mut take = |part: LoadPart| {
            parts.push(part);
            Ok(())
        };
        let stop = StopFlag::default();
        write_parts(&index, &of_load, limits, there, &stop, &mut take).expect("written");
        parts
    };
    let all = parts(&BTreeMap::new());
    let sizes: Vec<_> = all.iter().map(|part| (part.number, part.rows)).collect();
    // Rows 0 to 3; 4 and the large 5; the large 6; 7 to 9.
    assert_eq!(sizes, [(0, 4), (1, 2), (2, 1), (3, 3)]);
    let mut records = Vec::new();
    for part in &all {
        let file = Bytes::from(part.file.clone().expect("a file"));
        let reader = SerializedFileReader::new(file).expect("a Parquet file");
        for row in reader.get_row_iter(None).expect("rows") {
            let row = row.expect("row");
            let mut columns = row.get_column_iter();
            let (_, record) = columns.find(|(name, _)| *name == RECORD).expect("record");
            let Field::Bytes(record) = record else {
                panic!("{record:?} is text");
            };
            records.push(record.data().to_vec());
        }
    }
    assert_eq!(records, lines);
    let again = parts(&BTreeMap::from([(0, 4), (1, 1), (2, 1), (7, 9)]));
    let expected = all.into_iter().map(|mut part| {
        part.file.take_if(|_| [0, 2].contains(&part.number));
        part
    });
    assert_eq!(again, expected.collect::<Vec<_>>());
}
