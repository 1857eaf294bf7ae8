//! The texts of real programs in `tests/fixtures/texts`, each held against a truth that was written without this program.

mod random_rows;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    net::IpAddr,
    path::{Path, PathBuf},
};

use jiff::{Timestamp, tz::TimeZone};
use serde::Deserialize;

use crate::{
    investigation::{
        event_time::{DateOrder, TimeReader},
        gather::{Gatherer, Gathering},
    },
    model::Admission,
};

#[derive(Deserialize)]
struct Head {
    program: String,
    version: String,
    form: String,
    checked: String,
    now: Timestamp,
    zone: String,
    dates: String,
    /// What of it is not read, and why, where that is known.
    #[serde(default)]
    limits: Option<String>,
}

#[derive(Deserialize)]
struct Truth {
    address: IpAddr,
    role: String,
    lines: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    columns: BTreeMap<String, BTreeSet<String>>,
}

/// What is read of an address.
struct Reading {
    role: &'static str,
    lines: u64,
    times: Option<(Timestamp, Timestamp)>,
    columns: BTreeMap<String, BTreeSet<String>>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/texts")
}

/// What is read of a text with a truth.
fn read(text: &[u8], head: &Head) -> BTreeMap<IpAddr, Reading> {
    let order = match head.dates.as_str() {
        "us" => DateOrder::Us,
        "eu" => DateOrder::Eu,
        _ => DateOrder::Iso,
    };
    let zone = match head.zone.as_str() {
        "UTC" => TimeZone::UTC,
        name => TimeZone::get(name).expect(name),
    };
    gathered(text, order, zone, head.now)
}

fn strings<'s>(all: impl IntoIterator<Item = &'s str>) -> BTreeSet<String> {
    all.into_iter().map(str::to_owned).collect()
}

/// What is read of a text.
fn gathered(
    text: &[u8],
    order: DateOrder,
    zone: TimeZone,
    now: Timestamp,
) -> BTreeMap<IpAddr, Reading> {
    let all = ["0.0.0.0/0", "::/0"].map(|block| block.parse().expect(block));
    let gathering = Gathering {
        counts: true,
        times: Some(TimeReader::new(order, zone, now)),
        by_day: false,
        cells: true,
        ..Gathering::default()
    };
    let mut gatherer = Gatherer::new(Admission::with(all.to_vec()), gathering);
    gatherer.begin(0, text);
    let mut found = Vec::new();
    assert_eq!(
        gatherer.take(text, true, &mut |address| found.push(address)),
        text.len()
    );
    let (_, found) = gatherer.end(found);
    let readings = found.into_iter().map(|address| {
        let (seen, values) = *address.seen.expect("counted");
        let mut columns: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        values.each(&seen.beside, |column, values| {
            let all = values
                .values
                .iter()
                .map(|(value, _)| value.clone().into_owned());
            columns.entry(column.to_owned()).or_default().extend(all);
        });
        let reading = Reading {
            role: seen.role.word(),
            lines: seen.lines,
            times: seen.times,
            columns,
        };
        (address.address, reading)
    });
    readings.collect()
}

/// How a reading differs from the truth.
fn differences(text: &[u8], truth: &str) -> (Head, Vec<String>) {
    let mut lines = truth.lines();
    let head: Head = serde_json::from_str(lines.next().expect("a head")).expect("a head");
    let mut readings = read(text, &head);
    let mut differences = Vec::new();
    for line in lines.filter(|line| !line.starts_with("{\"aside\"")) {
        let truth: Truth = serde_json::from_str(line).expect(line);
        let address = truth.address.to_canonical();
        let Some(reading) = readings.remove(&address) else {
            differences.push(format!("{address}: not found"));
            continue;
        };
        let mut differ = |what: &str, text: String, truth: String| {
            if text != truth {
                differences.push(format!("{address} {what}: {text} for {truth}"));
            }
        };
        differ("role", reading.role.to_owned(), truth.role);
        differ("lines", reading.lines.to_string(), truth.lines.to_string());
        let times =
            |first: Option<Timestamp>, last: Option<Timestamp>| format!("{first:?}..{last:?}");
        let (first, last) = reading.times.unzip();
        differ("times", times(first, last), times(truth.first, truth.last));
        for (column, values) in truth.columns {
            let own = reading.columns.get(&column).cloned().unwrap_or_default();
            differ(&column, format!("{own:?}"), format!("{values:?}"));
        }
    }
    differences.extend(readings.keys().map(|address| format!("{address}: made up")));
    (head, differences)
}

/// A cell of a table in Markdown.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Holds the table of formats for people against the fixtures; `INSTA_UPDATE=always` writes it anew, as it does snapshots.
fn check_document(rows: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/formats.md");
    let written = fs::read_to_string(&path).expect("assets/formats.md");
    let (head, _) = written.split_once("| text |").expect("a table");
    let table = format!(
        "| text | program | version | form | checked | read |\n|---|---|---|---|---|---|\n{}\n",
        rows.join("\n")
    );
    let expected = format!("{head}{table}");
    if std::env::var_os("INSTA_UPDATE").is_some_and(|text| text == "always") {
        fs::write(&path, &expected).expect("write");
    }
    let written = fs::read_to_string(&path).expect("assets/formats.md");
    assert!(
        written == expected,
        "assets/formats.md differs from the fixtures: INSTA_UPDATE=always cargo test --lib texts_of_real"
    );
}

#[test]
#[expect(clippy::print_stdout, reason = "the table is shown with --nocapture")]
fn texts_of_real_programs_are_read_as_a_person_reads_them() {
    let (mut table, mut rows) = (Vec::new(), Vec::new());
    let (mut failures, mut known) = (Vec::new(), Vec::new());
    let mut paths: Vec<PathBuf> = fs::read_dir(folder())
        .expect("fixtures")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths
        .iter()
        .filter(|path| path.extension().is_some_and(|text| text != "truth"))
    {
        let name = path
            .file_stem()
            .and_then(|text| text.to_str())
            .expect("a name");
        let text = fs::read(path).expect(name);
        let truth = fs::read_to_string(path.with_extension("truth")).expect(name);
        let (head, differences) = differences(&text, &truth);
        let verdict = match (&head.limits, differences.is_empty()) {
            (None, true) => "read",
            (Some(_), false) => "part",
            (None, false) => "FAILS",
            (Some(limits), true) => {
                failures.push(format!("{name}: is read, and its truth says: {limits}"));
                "FAILS"
            }
        };
        rows.push(format!(
            "| {name} | {} | {} | {} | {} | {} |",
            cell(&head.program),
            cell(&head.version),
            cell(&head.form),
            match head.checked.as_str() {
                "run" => "the program was run",
                _ => "by its documentation",
            },
            cell(head.limits.as_deref().unwrap_or("all")),
        ));
        table.push(format!(
            "{verdict:5} {name:28} {} {}: {} ({})",
            head.program, head.version, head.form, head.checked
        ));
        // Where limits are known, all but addresses may differ, in what the snapshot has.
        let is_meant = |text: &String| {
            head.limits.is_none() || text.ends_with("not found") || text.ends_with("made up")
        };
        let named = differences
            .into_iter()
            .map(|text| (is_meant(&text), format!("{name}: {text}")));
        let (fail, may_differ): (Vec<_>, Vec<_>) = named.partition(|(is_meant, _)| *is_meant);
        failures.extend(fail.into_iter().map(|(_, text)| text));
        known.extend(may_differ.into_iter().map(|(_, text)| text));
    }
    println!("{}", table.join("\n"));
    check_document(&rows);
    assert!(table.len() >= 60, "{} formats", table.len());
    assert!(
        failures.is_empty(),
        "{} differences\n{}",
        failures.len(),
        failures.join("\n")
    );
    insta::assert_snapshot!("known_differences", known.join("\n"));
}
