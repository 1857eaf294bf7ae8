//! Diffs of real indexes against a plain comparison of the same lines.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::{model::Terms, store::index::build::Building};

/// The index of these lines.
fn index(dir: &tempfile::TempDir, name: &str, lines: &[String]) -> Index {
    let path = dir.path().join(name);
    let mut building = Building::begin(&path).expect("begun");
    building
        .lines((lines.join("\n") + "\n").into_bytes())
        .expect("taken");
    building.finish(&mut |_, _| ()).expect("finished");
    Index::open(&path).expect("opened")
}

/// What a diff tells: the line of the old day, that of the new day.
type LinePairs = Vec<(Option<String>, Option<String>)>;

type Prepare<'f> =
    &'f dyn for<'i> Fn(&'i Index, &'i Index, &StopFlag) -> Result<Diff<'i>, QueryError>;

fn told(before: &[String], after: &[String], prepare: Prepare<'_>) -> (LinePairs, Summary) {
    let dir = tempfile::tempdir().expect("directory");
    let (before, after) = (index(&dir, "before", before), index(&dir, "after", after));
    let stop = StopFlag::default();
    let diff = prepare(&before, &after, &stop).expect("selected");
    let line = |index: &Index, row: Option<RowId>| {
        row.map(|row| {
            let mut line = Vec::new();
            index.line(row, &mut line).expect("line");
            String::from_utf8(line).expect("text")
        })
    };
    let mut told = Vec::new();
    diff.each(&stop, |changed| {
        let sides = (line(&before, changed.before), line(&after, changed.after));
        let kind = match sides {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        };
        assert_eq!(changed.kind, kind);
        if let Some(compared) = diff.compared(&changed)? {
            let texts = (
                compared.before.text().to_owned(),
                compared.after.text().to_owned(),
            );
            assert_eq!((Some(texts.0), Some(texts.1)), sides);
            assert!(!compared.differences.is_empty());
        }
        told.push(sides);
        Ok(true)
    })
    .expect("compared");
    (told, diff.summary(&stop).expect("counted"))
}

fn text(value: &Value) -> String {
    value.to_string()
}

/// Both spellings of the organization, tunnels and lists in another order, keys in another order.
#[test]
fn records_that_are_written_in_another_way_have_one_hash_and_are_not_read() {
    let number = 300;
    let one = |number: u32| {
        format!(
            r#"{{"as":{{"number":64500,"organization":"Org {number}"}},"ip":"198.18.{}.{}","risks":["TUNNEL","SPAM"],"tunnels":[{{"type":"VPN","operator":"A_VPN","entries":["198.51.100.{}","198.51.100.1"]}},{{"type":"PROXY"}}]}}"#,
            number / 256,
            number % 256,
            number % 250
        )
    };
    let other = |number: u32| {
        format!(
            r#"{{"ip":"198.18.{}.{}","as":{{"Organization":"Org {number}","number":64500}},"risks":["SPAM","TUNNEL"],"tunnels":[{{"type":"PROXY"}},{{"entries":["198.51.100.1","198.51.100.{}"],"operator":"A_VPN","type":"VPN"}}]}}"#,
            number / 256,
            number % 256,
            number % 250
        )
    };
    let before: Vec<String> = (0..number).map(one).collect();
    let after: Vec<String> = (0..number).rev().map(other).collect();
    let dir = tempfile::tempdir().expect("directory");
    let (before, after) = (index(&dir, "before", &before), index(&dir, "after", &after));
    let places = || {
        let mut merge =
            Merge::of(ChangeRule::Content, addressed(&before), addressed(&after)).expect("begun");
        merge.next(&StopFlag::default()).expect("sound")
    };
    assert_eq!(places(), None, "a place is a record that is read");
    let diff = Diff::between(&before, &after, &Filter::default(), &StopFlag::default());
    let totals = diff.and_then(|diff| diff.totals(&StopFlag::default()));
    assert_eq!(totals.map(ChangeCounts::sum), Ok(0));
}

#[test]
fn services_are_known_by_their_tags_and_the_rest_by_their_lines() {
    let acme = |name: &str| text(&json!({"tag": "ACME_VPN", "name": name}));
    let loose = |number: u32| text(&json!({"odd": number}));
    let before = [
        loose(1),
        acme("Acme"),
        text(&json!({"tag": "BRAVO_VPN"})),
        loose(1),
    ];
    let after = [
        text(&json!({"tag": "CARGO_VPN"})),
        loose(2),
        loose(1),
        acme("Acme Inc"),
    ];
    let (told, summary) = told(&before, &after, &|before, after, stop| {
        Diff::between(before, after, &Filter::default(), stop)
    });
    assert_eq!(told.len(), 5);
    assert!(told.contains(&(Some(acme("Acme")), Some(acme("Acme Inc")))));
    assert!(told.contains(&(Some(text(&json!({"tag": "BRAVO_VPN"}))), None)));
    assert!(told.contains(&(None, Some(text(&json!({"tag": "CARGO_VPN"}))))));
    assert!(told.contains(&(Some(loose(1)), None)) && told.contains(&(None, Some(loose(2)))));
    let counts = ChangeCounts {
        added: 2,
        removed: 2,
        changed: 1,
    };
    assert_eq!(summary.totals, counts);
}

#[test]
fn a_visit_ends_when_it_has_enough() {
    let dir = tempfile::tempdir().expect("directory");
    let lines: Vec<String> = (0..9)
        .map(|last| text(&json!({"ip": format!("192.0.2.{last}")})))
        .collect();
    let (before, after) = (index(&dir, "before", &[]), index(&dir, "after", &lines));
    let stop = StopFlag::default();
    let diff = Diff::between(&before, &after, &Filter::default(), &stop).expect("selected");
    let mut count = 0;
    diff.each(&stop, |_| {
        count += 1;
        Ok(count < 4)
    })
    .expect("compared");
    assert_eq!(count, 4);
}

/// A record of few values, so that days have much in common. One in eight is about no address.
fn record() -> impl Strategy<Value = Value> {
    let operator = prop_oneof![Just("ACME_VPN"), Just("BRAVO_VPN"), Just("C_PROXY")];
    let subject = prop_oneof![
        4 => (0_u8..12).prop_map(|last| json!({"ip": format!("198.51.100.{last}")})),
        2 => (0_u8..3).prop_map(|third| json!({"network": format!("203.0.{third}.0/24")})),
        1 => (0_u8..3).prop_map(|last| json!({"network": format!("2001:db8:{last}::/48")})),
        1 => Just(json!({})),
    ];
    let operators = prop::collection::vec(operator, 0..3);
    let country = prop_oneof![Just("NL"), Just("DE")];
    (subject, operators, country, any::<bool>()).prop_map(
        |(subject, operators, country, turned)| {
            let tunnels: Vec<Value> = operators
                .iter()
                .map(|name| json!({"type": "VPN", "operator": name}))
                .collect();
            let said = [
                ("tunnels", Value::from(tunnels)),
                ("location", json!({"country": country})),
            ];
            let mut map = subject.as_object().cloned().unwrap_or_default();
            // The same in another order is the same.
            if turned {
                map.extend(
                    said.into_iter()
                        .rev()
                        .map(|(key, value)| (key.to_owned(), value)),
                );
            } else {
                map.extend(said.map(|(key, value)| (key.to_owned(), value)));
            }
            Value::Object(map)
        },
    )
}

/// The subject of a record as text, else what it holds, keys and lists in one order.
fn name(line: &str) -> String {
    let value: Value = serde_json::from_str(line).expect("JSON");
    Terms::of(&value).subject.map_or_else(
        || ordered(&value).to_string(),
        |subject| subject.to_string(),
    )
}

fn ordered(value: &Value) -> Value {
    match value {
        Value::Array(items) => {
            let mut items: Vec<Value> = items.iter().map(ordered).collect();
            items.sort_by_key(Value::to_string);
            Value::from(items)
        }
        Value::Object(map) => {
            let mut members: Vec<_> = map
                .iter()
                .map(|(key, value)| (key.clone(), ordered(value)))
                .collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(members.into_iter().collect())
        }
        scalar => scalar.clone(),
    }
}

fn matches(filter: &Filter, line: Option<&String>) -> bool {
    line.is_some_and(|line| filter.matches(&Terms::of(&serde_json::from_str(line).expect("JSON"))))
}

fn same(a: &str, b: &str) -> bool {
    let value = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    compare(&value(a), &value(b))
        .iter()
        .all(|found| found.change() == DifferenceKind::Equal)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Where no subject repeats within a day, every change is reported once, and nothing else.
    #[test]
    fn a_diff_equals_a_plain_comparison(
        before in prop::collection::vec(record(), 0..60),
        after in prop::collection::vec(record(), 0..60),
        filter in prop_oneof![Just(""), Just("tag:ACME_VPN"), Just("-cc:NL"), Just("net:198.51.100.0/29,203.0.1.0/24 tag:BRAVO_VPN,C_PROXY")],
    ) {
        let filter: Filter = filter.parse().expect("filter");
        let by_name = |records: &[Value]| -> BTreeMap<String, String> {
            records.iter().map(|value| (name(&text(value)), text(value))).collect()
        };
        let (before, after) = (by_name(&before), by_name(&after));
        let lines = |day: &BTreeMap<String, String>| day.values().cloned().collect::<Vec<_>>();
        let (told, summary) = told(&lines(&before), &lines(&after), &|before, after, stop| {
            Diff::between(before, after, &filter, stop)
        });
        let mut expected = LinePairs::new();
        let names: std::collections::BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            let (old, new) = (before.get(name), after.get(name));
            let unchanged = old.zip(new).is_some_and(|(old, new)| same(old, new));
            if !unchanged && (matches(&filter, old) || matches(&filter, new)) {
                expected.push((old.cloned(), new.cloned()));
            }
        }
        let mut sorted = told;
        sorted.sort();
        expected.sort();
        prop_assert_eq!(summary.totals.sum(), expected.len() as u64);
        prop_assert_eq!(sorted, expected);
    }

    /// A set has nothing but the records of its own filter: what the other release holds besides does not count.
    #[test]
    fn a_diff_of_sets_equals_a_diff_of_their_lines(
        before in prop::collection::vec(record(), 0..60),
        after in prop::collection::vec(record(), 0..60),
        filters in prop::array::uniform2(prop_oneof![Just(""), Just("tag:ACME_VPN"), Just("-cc:NL"), Just("net:198.51.100.0/29,203.0.1.0/24")]),
    ) {
        let filters = filters.map(|text| text.parse::<Filter>().expect("filter"));
        let lines = |records: &[Value]| records.iter().map(text).collect::<Vec<_>>();
        let own = |records: &[Value], filter: &Filter| -> Vec<String> {
            let lines = lines(records).into_iter();
            lines.filter(|line| matches(filter, Some(line))).collect()
        };
        let (of_sets, summary) = told(&lines(&before), &lines(&after), &|before, after, stop| {
            Diff::of_sets([before, after], filters.each_ref(), stop)
        });
        let (alone, of_lines) = told(
            &own(&before, &filters[0]),
            &own(&after, &filters[1]),
            &|before, after, stop| Diff::between(before, after, &Filter::default(), stop),
        );
        prop_assert_eq!(of_sets, alone);
        prop_assert_eq!(summary.totals, of_lines.totals);
    }
}

/// The addresses of a list, in order.
fn ranked(ranking: &Ranking, diff: &Diff<'_>, listed: ListedChanges) -> Vec<String> {
    let address = |record: ChangedRecord| {
        let after = record.after.map(|row| diff.document_after(row));
        let document = after.or_else(|| record.before.map(|row| diff.document_before(row)));
        let document = document.expect("a side").expect("read").expect("a record");
        document.value()["ip"].as_str().expect("an ip").to_owned()
    };
    ranking
        .page(listed, 0..u64::MAX)
        .into_iter()
        .map(address)
        .collect()
}

#[test]
fn other_verdicts_come_first_and_other_numbers_last() {
    let record = |last: u8, clients: u64, tunnels: Value| json!({"ip": format!("198.51.100.{last}"), "client": {"count": clients}, "tunnels": tunnels});
    let vpn = |operator: &str| json!([{"type": "VPN", "operator": operator, "anonymous": true}]);
    let lines =
        |records: Vec<Value>| -> Vec<String> { records.iter().map(Value::to_string).collect() };
    let before = lines(vec![
        record(1, 3, vpn("ACME_VPN")),
        record(2, 3, vpn("ACME_VPN")),
        record(3, 900, json!([])),
        record(4, 7, vpn("ACME_VPN")),
        record(8, 3, vpn("ACME_VPN")),
    ]);
    let after = lines(vec![
        record(1, 800, vpn("ACME_VPN")),
        record(2, 4, vpn("BRAVO_VPN")),
        record(5, 2, json!([])),
        record(6, 50, vpn("ACME_VPN")),
        record(8, 4, vpn("ACME_VPN")),
    ]);
    let dir = tempfile::tempdir().expect("directory");
    let (before, after) = (index(&dir, "before", &before), index(&dir, "after", &after));
    let stop = StopFlag::default();
    let diff = Diff::between(&before, &after, &Filter::default(), &stop).expect("selected");
    let ranking = diff.ranking(&stop).expect("ranked");
    let main = ChangeCounts {
        added: 2,
        removed: 2,
        changed: 1,
    };
    assert_eq!(ranking.counts, RankedCounts { main, others: 2 });
    let all = ListedChanges::default();
    let with_others = ListedChanges {
        others: true,
        ..all
    };
    let changed = ListedChanges {
        kind: Some(ChangeKind::Changed),
        ..with_others
    };
    let lasts = |listed, lasts: &[u8]| {
        let expected: Vec<String> = lasts
            .iter()
            .map(|byte| format!("198.51.100.{byte}"))
            .collect();
        assert_eq!(ranked(&ranking, &diff, listed), expected, "{listed:?}");
        assert_eq!(
            ranking.counts.listed(listed),
            expected.len() as u64,
            "{listed:?}"
        );
    };
    lasts(all, &[6, 4, 2, 3, 5]);
    lasts(with_others, &[6, 4, 2, 3, 5, 1, 8]);
    lasts(changed, &[2, 1, 8]);
    assert_eq!(ranking.page(all, 1..3).len(), 2);
    assert!(ranking.page(all, 7..9).is_empty());
}
