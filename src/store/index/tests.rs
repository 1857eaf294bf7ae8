//! Compares the index with a plain walk over the same lines.

use std::path::Path;

use super::{
    ExportRow, FacetBy, Index, RowId, StopFlag,
    build::{Building, Built},
    word_reader::WordReader,
};
use crate::{
    model::{Document, Keyword, Subject, Terms},
    store::{
        Filter,
        threads::{NoThread, tests::with_grants},
    },
};

fn build(dir: &Path, text: &[u8]) -> (Index, Built) {
    let path = dir.join("index");
    let mut building = Building::begin(&path).expect("begin");
    let mut rest = text;
    while !rest.is_empty() {
        let cut = rest
            .iter()
            .skip(300)
            .position(|byte| *byte == b'\n')
            .map_or(rest.len(), |at| at + 301);
        let (block, after) = rest.split_at(cut.min(rest.len()));
        building.lines(block.to_vec()).expect("lines");
        rest = after;
    }
    let built = building.finish(&mut |_, _| ()).expect("finish");
    (Index::open(&path).expect("open"), built)
}

fn lines(index: &Index, rows: impl IntoIterator<Item = RowId>) -> Vec<String> {
    let text = |row| {
        let mut line = Vec::new();
        index.line(row, &mut line).expect("line");
        String::from_utf8_lossy(&line).into_owned()
    };
    rows.into_iter().map(text).collect()
}

const FEED: &str = r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"Example Hosting"},"client":{"count":14,"types":["MOBILE"],"proxies":["A_PROXY","B_PROXY"]},"infrastructure":"DATACENTER","location":{"city":"Amsterdam","country":"NL"},"risks":["TUNNEL"],"services":["OPENVPN"],"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"operator":"ACME_VPN","type":"VPN"}]}
{"ip":"198.51.100.9","as":{"number":64501,"organization":"Zweite"},"client":{},"location":{"country":"DE"},"tunnels":[{"type":"PROXY","operator":"B_PROXY"},{"type":"VPN"}]}

nonsense
{"ip": "203.0.113.5", "client": {"count": 3}, "location": {"country": "nl"}, "risks": [], "new": {"x": [1, {"y": null}]}}
{"network":"198.51.100.0/24","organization":"Netz \u0026 Co","client":{"count":2.0}}
{"network":"2001:db8::/32"}
{"network":"2001:db8:1::/48","risks":["TUNNEL","TUNNEL"]}
{"ip":"2001:db8:1::5","ip":"2001:DB8:1::6"}
{"network":"2001:db8:1::/48"}
{"ip":7}
[1]
{"ip":"198.51.100.7","location":{"country":"FR"}}
"#;

#[test]
fn a_build_ends_at_the_first_thread_that_is_refused() {
    let dir = tempfile::tempdir().expect("directory");
    let path = dir.path().join("index");
    for grants in 0..4 {
        let error = with_grants(grants, || {
            let mut building = Building::begin(&path)?;
            building.lines(FEED.as_bytes().to_vec())?;
            building.finish(&mut |_, _| ())
        });
        let error = error.expect_err("a thread is missing");
        assert!(NoThread::is_behind(&error), "{grants}: {error}");
    }
}

#[test]
fn a_feed_is_answered_whole() {
    let dir = tempfile::tempdir().expect("directory");
    let (index, built) = build(dir.path(), FEED.as_bytes());
    assert_eq!(
        (built.records, index.records(), built.rejected.count),
        (10, 10, 2)
    );
    assert_eq!(built.rejected.first[0], (4, "not a JSON object".to_owned()));
    let all = index
        .select(&Filter::default(), &StopFlag::default())
        .expect("all");
    let records: Vec<&str> = FEED.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(lines(&index, all.rows()), records);
    index.check(&StopFlag::default()).expect("whole");

    let covering = |network: &str| {
        let rows = index
            .covering(network.parse().expect("network"))
            .expect("rows");
        lines(&index, rows)
            .iter()
            .map(|line| {
                records
                    .iter()
                    .position(|text| text == line)
                    .expect("record")
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(covering("198.51.100.7/32"), [0, 9, 3]);
    assert_eq!(covering("198.51.100.0/25"), [3]);
    assert_eq!(covering("2001:db8:1::6/128"), [6, 5, 7, 4]);
    assert_eq!(covering("2001:db8:2::/48"), [4]);
    assert_eq!(covering("192.0.2.1/32"), [0; 0]);
    assert_eq!(covering("::/0"), [0; 0]);

    for (filter, expected) in [
        ("", (0..10).collect::<Vec<_>>()),
        ("tag:acme_vpn,B_PROXY", vec![0, 1]),
        ("cc:NL", vec![0, 2]),
        ("-cc:NL -tag:b_proxy", vec![3, 4, 5, 6, 7, 8, 9]),
        ("clients>2 clients<14", vec![2]),
        ("clients:2", vec![3]),
        ("attributed:yes", vec![0]),
        ("attributed:no net:198.51.100.0/24", vec![1, 3, 9]),
        ("net:2001:db8:1::/48", vec![5, 6, 7]),
        ("org:HOST,netz", vec![0, 3]),
        ("entry:198.51.100.70", vec![0]),
        ("risk:TUNNEL type:VPN", vec![0]),
        ("asn:64500,64501 -service:OPENVPN", vec![1]),
        ("proxy:b_proxy device:MOBILE", vec![0]),
    ] {
        let filter: Filter = filter.parse().expect(filter);
        let selection = index.select(&filter, &StopFlag::default()).expect("rows");
        let wanted: Vec<&str> = expected.iter().map(|at| records[*at]).collect();
        assert_eq!(lines(&index, selection.rows()), wanted, "{filter}");
        assert_eq!(selection.count(), expected.len() as u64);
        for (at, line) in records.iter().enumerate() {
            let terms = Terms::of(Document::read(line.as_bytes()).expect("record").value());
            assert_eq!(
                filter.matches(&terms),
                expected.contains(&at),
                "{filter} {line}"
            );
        }
    }

    for row in all.rows() {
        let mut line = Vec::new();
        index.line(row, &mut line).expect("line");
        let record = Document::read(&line).expect("record");
        let compare = |flat: &ExportRow<'_>| {
            assert_eq!(*flat, ExportRow::of(&record), "{}", record.text());
            Ok(())
        };
        let flats = index.flats().expect("flats");
        flats.each(&[row], |odd| odd, compare).expect("a record");
        let terms = Terms::of(record.value());
        for field in Keyword::ALL {
            let mut expected: Vec<&str> = terms.of_field(field).collect();
            expected.sort_unstable();
            let reader = WordReader::of(&index, field).expect("a reader");
            let words = reader.read(row).expect("words");
            assert_eq!(words, expected, "{field:?} {}", record.text());
        }
    }
}

#[test]
fn a_feed_is_counted_and_put_in_order() {
    let dir = tempfile::tempdir().expect("directory");
    let (index, _) = build(dir.path(), FEED.as_bytes());
    let all = index
        .select(&Filter::default(), &StopFlag::default())
        .expect("all");
    let records: Vec<&str> = FEED.lines().filter(|line| line.starts_with('{')).collect();
    let facet = |by: FacetBy| {
        let facets = index
            .facets(&all, &by, &StopFlag::default())
            .expect("facets");
        facets
            .iter()
            .map(|facet| format!("{} {}", facet.value, facet.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        facet(FacetBy::Keyword(Keyword::Cc)),
        ["DE 1", "FR 1", "NL 1", "nl 1"]
    );
    assert_eq!(
        facet(FacetBy::Path("location.country".into())),
        ["DE 1", "FR 1", "NL 1", "nl 1"]
    );
    assert_eq!(facet(FacetBy::Keyword(Keyword::Entry)), ["198.51.100.70 1"]);
    assert_eq!(facet(FacetBy::Path("risks".into())), ["TUNNEL 2"]);
    assert_eq!(
        facet(FacetBy::Path("tunnels.type".into())),
        ["VPN 2", "PROXY 1"]
    );

    let busiest = index.busiest(&all, 4, &StopFlag::default()).expect("rows");
    assert_eq!(
        lines(&index, busiest),
        [records[0], records[2], records[3], records[9]]
    );
    let ordered = index.by_address(&all, &StopFlag::default()).expect("rows");
    let wanted: Vec<&str> = [3, 0, 9, 1, 2, 4, 5, 7, 6, 8]
        .iter()
        .map(|at| records[*at])
        .collect();
    assert_eq!(lines(&index, ordered), wanted);
    let subjects: Vec<Subject> = index
        .subjects()
        .map(|subject| subject.expect("whole").0)
        .collect();
    assert_eq!(subjects.len(), 9);
    let row = all.rows().nth(6).expect("row");
    assert_eq!(index.subject(row), Ok(Some(subjects[8])));
}

#[test]
fn both_spellings_of_the_organization_are_counted() {
    let dir = tempfile::tempdir().expect("directory");
    let feed = r#"{"ip":"198.51.100.1","as":{"number":64500,"organization":"A"}}
{"ip":"198.51.100.2","as":{"number":64500,"Organization":"A"}}
{"ip":"198.51.100.3","ip":"198.51.100.3","as":{"Organization":"A"}}
{"ip":"198.51.100.4","as":{"Organization":"B","nested":{}}}
"#;
    let (index, _) = build(dir.path(), feed.as_bytes());
    let stop = StopFlag::default();
    let all = index.select(&Filter::default(), &stop).expect("all");
    for path in ["as.organization", "as.Organization"] {
        let facets = index.facets(&all, &FacetBy::Path(path.to_owned()), &stop);
        let facets = facets.expect("counted").into_iter();
        let counts: Vec<(String, u64)> = facets.map(|facet| (facet.value, facet.count)).collect();
        assert_eq!(counts, [("A".to_owned(), 3), ("B".to_owned(), 1)], "{path}");
    }
}

#[test]
fn a_record_of_very_many_words_is_read_in_time() {
    let words: Vec<String> = (0..120_000).map(|word| format!("\"W{word}\"")).collect();
    let line = format!(
        r#"{{"ip":"198.51.100.1","services":[{}],"deep":{}1{}}}"#,
        words.join(","),
        "[".repeat(40),
        "]".repeat(40)
    );
    let document = Document::read(line.as_bytes()).expect("not too deep");
    assert_eq!(Terms::of(document.value()).words.len(), 120_000);
}
