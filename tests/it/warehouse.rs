//! The warehouse as a server may behave: refused, slow, wrong, broken off. What it selects is tried on the engine itself, in
//! `warehouse_clickhouse`.

use std::{
    fs,
    io::Write,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use ipspect::{demo::DemoRole, model::Day, store::Manifest};

use crate::{
    fake::{Asked, Fake, answer},
    service::{Home, Ran, Service},
};

/// A row of `RowBinary` with its first byte.
fn row(texts: &[&str]) -> Vec<u8> {
    let mut bytes = vec![1];
    for text in texts {
        let mut length = text.len();
        while length >= 0x80 {
            bytes.push(u8::try_from(length & 0x7f).expect("seven bits") | 0x80);
            length >>= 7;
        }
        bytes.push(u8::try_from(length).expect("seven bits"));
        bytes.extend_from_slice(text.as_bytes());
    }
    bytes
}

fn row_of(texts: &Texts) -> Vec<u8> {
    row(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// An answer as `ClickHouse` gives it.
fn rows(bytes: &[u8]) -> Vec<u8> {
    answer(200, "x-clickhouse-query-id: invented\r\n", bytes)
}

fn tables(comment: &str) -> Vec<u8> {
    let row_of = |name| row(&[name, comment]);
    rows(&[row_of("ipspect_loads"), row_of("ipspect_records")].concat())
}

/// The settings that an answer depends on, with these values for two of them.
fn settings(result: &str, limit: &str) -> Vec<u8> {
    let modes = ["read", "timeout", "set", "group_by", "sort", "distinct"];
    let modes = modes.map(|mode| format!("{mode}_overflow_mode=throw "));
    let text = format!(
        "{}read_overflow_mode_leaf=throw limit={limit} offset=0 result_overflow_mode={result}",
        modes.concat()
    );
    rows(&row(&[&text]))
}

const LOAD: &str = "20261120T101500.000000Z-0a0b0c0d";
const OLDER: &str = "20261119T101500.000000Z-0a0b0c0d";

/// What a warehouse with one load of `dch` says.
#[derive(Clone)]
struct Script {
    day: String,
    manifest: String,
}

impl Script {
    /// With the release that the home has.
    fn of(home: &Home) -> Self {
        let folder = home.path("cache/feeds/dch");
        let mut names = fs::read_dir(folder)
            .expect("a feed")
            .map(|result| result.expect("a name"));
        let release = names.find(|entry| entry.file_name().to_string_lossy().starts_with("20"));
        let release = release.expect("a release");
        let name = release.file_name().to_string_lossy().into_owned();
        Self {
            day: format!("{}-{}-{}", &name[..4], &name[4..6], &name[6..]),
            manifest: fs::read_to_string(release.path().join("feed.json")).expect("a manifest"),
        }
    }

    /// The row of its load, with this manifest.
    fn load(&self, day: Day, name: &str, manifest: &str, schema: &str) -> Texts {
        // What the row says of the release is what its manifest said when it was loaded: of two records.
        let read = |text: &str| Manifest::read(text.as_bytes());
        let mut whole = read(manifest).unwrap_or_else(|_| read(&self.manifest).expect("it"));
        whole.records = Some(2);
        let manifest = match read(manifest) {
            Ok(_) => whole.text(),
            Err(_) => manifest.to_owned(),
        };
        let (dashed, compact) = (day.dashed(), day.to_string());
        let row = [
            "dch",
            &dashed,
            name,
            &compact,
            "2",
            &whole.sha256,
            &manifest,
            schema,
        ];
        row.map(str::to_owned).to_vec()
    }

    fn loads(&self) -> Vec<u8> {
        let day = Day::from_dashed(&self.day).expect("a day");
        rows(&row_of(&self.load(day, LOAD, &self.manifest, "1")))
    }

    /// The answer to everything that goes well.
    fn answer(&self, asked: &Asked) -> Vec<u8> {
        let query = &asked.body;
        if query.contains("overflow_mode") {
            settings("throw", "0")
        } else if query.contains("max(load)") {
            rows(&row(&[&self.day, LOAD]))
        } else if query.contains("system.tables") {
            tables("ipspect 1")
        } else if query.contains("FROM ipspect_loads") {
            self.loads()
        } else if query.contains("count()") {
            rows(&row(&["2"]))
        } else {
            rows(&self.records())
        }
    }

    fn records(&self) -> Vec<u8> {
        let record = |network: &str| row(&[&self.day, &format!("{{\"network\":\"{network}\"}}")]);
        [record("198.51.100.0/24"), record("203.0.113.0/24")].concat()
    }
}

/// A home whose profile names this warehouse, too.
fn home_with(service: &Service, url: &str) -> Home {
    let home = service.home(DemoRole::Full);
    let text = home.read("config/config.toml");
    let text = text.replace(
        "retry_base_ms = 1\n",
        "retry_base_ms = 1\nattempts = 2\nexport_timeout_s = 1\nheader_timeout_s = 1\n",
    );
    home.configure(&format!(
        "{text}\n[profiles.default.warehouse]\nurl = {url:?}\nuser = \"analyst\"\npassword_command = [\"echo\", \"invented-7\"]\n"
    ));
    home
}

#[test]
fn what_is_selected_is_shown_with_its_source_and_the_password_is_in_its_header_alone() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let fake = Fake::answering_all({
        let script = script.clone();
        move |asked| script.answer(asked)
    });
    let home = home_with(&service, &fake.url);
    let before = service.demo.requests().len();
    let ran = home.run("search dch asn:64500 --at warehouse -vv");
    ran.ends(0)
        .shows("198.51.100.0/24")
        .says("2 records match in dch of");
    assert!(!ran.all().contains("invented-7"), "{ran:?}");
    let ran =
        home.run("search dch --at warehouse --from 2026-11-01 --format csv --fields day,network");
    let day = script.day.replace('-', "");
    ran.ends(0).shows(&format!("{day},198.51.100.0/24"));
    home.run("search dch --at warehouse --count")
        .ends(0)
        .shows("2");
    let ran = home.run("search dch --at warehouse --format md");
    ran.ends(0)
        .shows("- **load:** 20261120T101500.000000Z-0a0b0c0d");
    assert_eq!(
        service.demo.requests().len(),
        before,
        "the service is not asked"
    );
    for asked in fake.asked() {
        assert!(
            asked
                .headers
                .contains(&"x-clickhouse-user: analyst".to_owned()),
            "{asked:?}"
        );
        assert!(
            asked
                .headers
                .contains(&"x-clickhouse-key: invented-7".to_owned()),
            "{asked:?}"
        );
        assert!(
            !asked.target.contains("invented-7") && !asked.body.contains("invented-7"),
            "{asked:?}"
        );
        assert!(
            !asked.has("token") && !asked.body.contains(DemoRole::Full.token()),
            "{asked:?}"
        );
        assert!(asked.target.contains("wait_end_of_query=1"), "{asked:?}");
    }
    // Values are bound.
    let asked = fake.asked();
    let filtered = asked.iter().find(|asked| asked.body.contains("hasAny(asn"));
    let filtered = filtered.expect("a filter");
    assert!(
        !filtered.body.contains("hasAny(asn, ['64500'"),
        "{filtered:?}"
    );
    assert!(
        filtered.body.contains("name=\"param_p0\"\r\n\r\n['64500']"),
        "{filtered:?}"
    );
}

#[expect(clippy::too_many_lines, reason = "a table of faults")]
#[test]
fn each_fault_of_a_warehouse_has_its_words_and_its_code() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let of_code = |status: u16, code: u32, text: &str| {
        let header = format!("x-clickhouse-exception-code: {code}\r\n");
        answer(
            status,
            &header,
            format!("Code: {code}. DB::Exception: {text}").as_bytes(),
        )
    };
    let records = script.records();
    let after = |rest: &[u8]| rows(&[&records[..], rest].concat());
    let long = |body: &[u8]| {
        let head = format!(
            "HTTP/1.1 200 X\r\nx-clickhouse-query-id: x\r\ncontent-length: {}\r\n\r\n",
            body.len() + 9
        );
        [head.as_bytes(), body].concat()
    };
    let table: Vec<(&str, &str, Vec<u8>, i32, &str)> = vec![
        (
            "slow",
            "ipspect_loads",
            Vec::new(),
            5,
            "did not answer within 1 s",
        ),
        (
            "password",
            "ipspect_loads",
            of_code(403, 516, "analyst: Authentication failed"),
            3,
            "does not admit this user (code 516): analyst: Authentication failed",
        ),
        (
            "rights",
            "record",
            of_code(500, 497, "analyst: Not enough privileges"),
            3,
            "may not do this",
        ),
        (
            "tables",
            "ipspect_loads",
            of_code(
                404,
                60,
                "Unknown table expression identifier 'ipspect_loads'. In scope SELECT x",
            ),
            10,
            "no tables of ipspect (code 60): Unknown table expression identifier 'ipspect_loads'\n  `ipspect warehouse init` creates them",
        ),
        (
            "database",
            "ipspect_loads",
            of_code(404, 81, "Database ipspect does not exist"),
            10,
            "no such database",
        ),
        (
            "columns",
            "record",
            of_code(404, 47, "Missing columns: 'hash'"),
            6,
            "not those of this ipspect",
        ),
        (
            "memory",
            "record",
            of_code(500, 241, "Memory limit exceeded"),
            6,
            "too little memory",
        ),
        (
            "busy",
            "record",
            of_code(500, 202, "Too many simultaneous queries"),
            4,
            "is busy",
        ),
        (
            "time",
            "record",
            of_code(408, 159, "Timeout exceeded"),
            5,
            "gave up for lack of time",
        ),
        (
            "a reader without the right to write",
            "record",
            of_code(500, 164, "Cannot execute query in readonly mode"),
            3,
            "may not do this",
        ),
        (
            "a quota",
            "record",
            of_code(500, 201, "Quota for user analyst has been exceeded"),
            4,
            "is used up",
        ),
        (
            "settings that cut answers",
            "overflow",
            settings("break", "0"),
            6,
            "gives a part of a long answer for all of it (result_overflow_mode)",
        ),
        (
            "a limit of all answers",
            "overflow",
            settings("throw", "1000"),
            6,
            "gives a part of a long answer for all of it (limit)\n  set limit = '0'",
        ),
        (
            "settings that are not said",
            "overflow",
            rows(&row(&["limit=0"])),
            6,
            "does not name its setting read_overflow_mode",
        ),
        (
            "an offset of all answers",
            "overflow",
            rows(b""),
            6,
            "gives a part of a long answer for all of it (offset)",
        ),
        (
            "an empty answer of another server",
            "record",
            answer(200, "server: other\r\n", b""),
            7,
            "no answer of a warehouse",
        ),
        (
            "a day that is replaced meanwhile",
            "holding",
            rows(&row(&["2026-11-20", "20261120T101501.000000Z-0a0b0c0d"])),
            7,
            "was replaced or dropped in the warehouse while it was read",
        ),
        (
            "anything",
            "record",
            of_code(500, 36, "Bad arguments"),
            6,
            "the warehouse failed (code 36): Bad arguments",
        ),
        (
            "what it agrees with others by is not reached",
            "record",
            of_code(500, 999, "Keeper exception"),
            5,
            "cannot do this now (code 999): Keeper exception",
        ),
        (
            "a long filter",
            "record",
            of_code(500, 1000, "Poco::Exception: Too many form fields"),
            6,
            "the filter is too long for the warehouse (code 1000)",
        ),
        (
            "a query that somebody ended",
            "record",
            of_code(500, 394, "Query was cancelled"),
            5,
            "somebody ended this",
        ),
        (
            "deletes that are switched off",
            "record",
            of_code(500, 344, "DELETE is disabled"),
            6,
            "has this switched off",
        ),
        (
            "an error behind rows",
            "record",
            after(b"Code: 241. DB::Exception: Memory limit exceeded"),
            6,
            "broke its answer off: the warehouse has too little memory",
        ),
        (
            "a row that is cut",
            "record",
            rows(&records[..records.len() - 3]),
            5,
            "cut off before its end\n  nothing of it is shown",
        ),
        ("a body that is cut", "record", long(&records), 5, "cut off"),
        (
            "a body without an end",
            "record",
            [
                b"HTTP/1.1 200 X\r\nx-clickhouse-query-id: x\r\nconnection: close\r\n\r\n",
                &records[..],
            ]
            .concat(),
            5,
            "cut off before its end",
        ),
        (
            "a web page",
            "record",
            answer(200, "content-type: text/html\r\n", b"<html>Log in</html>"),
            7,
            "no answer of a warehouse",
        ),
        (
            "a proxy",
            "record",
            answer(502, "", b"bad gateway"),
            5,
            "is not reached by what is before it (502)",
        ),
        (
            "a redirect",
            "record",
            answer(302, "location: https://elsewhere.example/\r\n", b""),
            6,
            "(302)",
        ),
    ];
    for (what, at, reply, code, words) in table {
        let (script, at) = (script.clone(), at.to_owned());
        let fake = Fake::answering_all(move |asked| {
            let is_at = match at.as_str() {
                "record" => asked.body.contains("toString(day), record"),
                "overflow" => asked.body.contains("overflow_mode"),
                "holding" => asked.body.contains("max(load)"),
                table => asked.body.contains(&format!("FROM {table}")),
            };
            if is_at {
                reply.clone()
            } else {
                script.answer(asked)
            }
        });
        let home = home_with(&service, &fake.url);
        let ran = home.run("search dch --at warehouse");
        assert_eq!(ran.code, Some(code), "{what}: {ran:?}");
        assert!(ran.err.contains(words), "{what}: {ran:?}");
        assert!(!ran.all().contains("invented-7"), "{what}: {ran:?}");
        if code != 0 {
            // What was shown is never said to be all.
            assert!(!ran.err.contains("match in"), "{what}: {ran:?}");
            assert!(ran.err.lines().count() <= 4, "{what}: {ran:?}");
        }
    }
    // Nobody listens.
    let home = home_with(&service, "http://127.0.0.1:9");
    home.run("search dch --at warehouse")
        .ends(5)
        .says("could not be reached");
    home.run("warehouse load dch").ends(10);
    let ran = home.run("doctor");
    assert!(ran.ends(5).out.contains("could not be reached"), "{ran:?}");
    let ran = home.run("warehouse days --offline");
    ran.ends(2).says("--offline");
}

#[test]
fn tables_of_another_version_are_told_and_not_read() {
    let service = Service::start();
    let fake = Fake::answering_all(|asked| {
        if asked.body.contains("overflow_mode") {
            settings("throw", "0")
        } else if asked.body.contains("system.tables") {
            tables("ipspect 2")
        } else {
            rows(&row(&["26.9", "analyst"]))
        }
    });
    let home = home_with(&service, &fake.url);
    home.run("feeds pull dch").ends(0);
    for line in ["warehouse init", "warehouse load dch", "doctor"] {
        let ran = home.run(line);
        assert_eq!(ran.code, Some(6), "{line}: {ran:?}");
        assert!(
            ran.all()
                .contains("of another version: \"ipspect 2\" in place of \"ipspect 1\""),
            "{ran:?}"
        );
    }
}

#[test]
fn without_a_warehouse_nothing_of_it_is_shown_or_asked() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    for line in [
        "doctor",
        "doctor --config",
        "status",
        "feeds",
        "search dch",
        "lookup 198.51.100.77 --source local",
    ] {
        let ran = home.run(line);
        assert!(
            !ran.all().to_lowercase().contains("warehouse"),
            "{line}: {ran:?}"
        );
    }
    for line in ["warehouse days", "search dch --at warehouse"] {
        home.run(line)
            .ends(2)
            .says("the profile default has no warehouse");
    }
    assert!(!home.path("cache/slices").exists() && !home.path("state/warehouse").exists());
}

/// What arrived of a part is counted before it is sent again, and removed where it is not all of it; then it has a token of its own, by which
/// replicas tell it from what was removed.
#[test]
fn a_part_that_did_not_arrive_as_a_whole_is_removed_and_sent_again() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let records = serde_json::from_str::<serde_json::Value>(&script.manifest);
    let records = records.expect("JSON")["records"].to_string();
    let (sent, counted) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let fake = Fake::answering_all(move |asked| {
        let (query, target) = (&asked.body, &asked.target);
        if target.contains("FORMAT+Parquet") {
            match sent.fetch_add(1, Ordering::Relaxed) {
                // The first try still runs; the second one is cut off.
                0 => answer(
                    500,
                    "x-clickhouse-exception-code: 216\r\n",
                    b"Code: 216. DB::Exception: Query with id x is already running",
                ),
                1 => answer(502, "", b"bad gateway"),
                _ => rows(b""),
            }
        } else if query.contains("overflow_mode") {
            settings("throw", "0")
        } else if query.contains("system.tables") {
            tables("ipspect 1")
        } else if query.contains("AND part = ") {
            match (
                sent.load(Ordering::Relaxed),
                counted.fetch_add(1, Ordering::Relaxed),
            ) {
                // It is not reached for longer than one question is tried.
                (_, 0..3) => answer(502, "", b"bad gateway"),
                (2, _) => rows(&row(&["1"])),
                _ => rows(&row(&["0"])),
            }
        } else if query.contains("SELECT toUInt8(1), toString(count())") {
            rows(&row(&[&records]))
        } else {
            rows(b"")
        }
    });
    let home = home_with(&service, &fake.url);
    home.run("feeds pull dch").ends(0);
    home.run("warehouse load dch")
        .ends(0)
        .shows("records loaded");
    let asked = fake.asked();
    let is_part = |asked: &&Asked| asked.target.contains("FORMAT+Parquet");
    let tokens: Vec<&str> = asked
        .iter()
        .filter(is_part)
        .map(|asked| asked.target.rsplit_once("token=").expect("a token").1)
        .collect();
    assert_eq!(tokens.len(), 3, "{tokens:?}");
    assert!(
        tokens[0] == tokens[1] && tokens[1] != tokens[2],
        "{tokens:?}"
    );
    let deletes = asked
        .iter()
        .filter(|asked| asked.body.contains("DELETE FROM"));
    assert_eq!(deletes.count(), 1);
    assert!(
        asked
            .iter()
            .filter(is_part)
            .all(|asked| asked.target.contains("async_insert+%3D+0"))
    );
}

/// The row of a load is written once: a day that is dropped meanwhile does not come back. What may be done twice is.
#[test]
fn only_what_may_be_done_twice_is_tried_again() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let of_code = |code: u32| {
        let header = format!("x-clickhouse-exception-code: {code}\r\n");
        answer(
            500,
            &header,
            format!("Code: {code}. DB::Exception: x").as_bytes(),
        )
    };
    let (row_of_load, drop) = ("INSERT INTO ipspect_loads", "warehouse drop dch --day");
    for (beginning, line, first_answer, code, times) in [
        (
            "DELETE FROM ipspect_loads",
            drop,
            answer(502, "", b"bad gateway"),
            0,
            2,
        ),
        (
            row_of_load,
            "warehouse load dch",
            answer(502, "", b"bad gateway"),
            5,
            1,
        ),
        // Too many queries: it has not begun. Too many parts: it may have.
        (row_of_load, "warehouse load dch", of_code(202), 0, 2),
        (row_of_load, "warehouse load dch", of_code(252), 4, 1),
    ] {
        let (script, seen) = (script.clone(), AtomicUsize::new(0));
        let is_load = line.contains("load dch");
        let records = serde_json::from_str::<serde_json::Value>(&script.manifest);
        let records = records.expect("JSON")["records"].to_string();
        let is_it = move |asked: &Asked| asked.body.contains(beginning);
        let day = script.day.clone();
        let fake = Fake::answering_all(move |asked| {
            let query = &asked.body;
            if is_it(asked) && seen.fetch_add(1, Ordering::Relaxed) == 0 {
                first_answer.clone()
            } else if query.contains("overflow_mode") {
                settings("throw", "0")
            } else if query.contains("system.tables") {
                tables("ipspect 1")
            } else if is_load && query.contains("SELECT toUInt8(1), toString(count())") {
                rows(&row(&[&records]))
            } else if query.contains("argMax(records") {
                rows(&row(&["dch", &script.day, LOAD, "103"]))
            } else {
                rows(b"")
            }
        });
        let home = home_with(&service, &fake.url);
        home.run("feeds pull dch").ends(0);
        let line = if is_load {
            line.to_owned()
        } else {
            format!("{line} {day}")
        };
        home.run(&line).ends(code);
        let asked = fake.asked();
        assert_eq!(
            asked.iter().filter(|asked| is_it(asked)).count(),
            times,
            "{line}"
        );
    }
}

/// A server that gave no answer in time may still be running the query.
#[test]
fn what_passes_by_itself_is_asked_again_and_what_is_slow_is_not() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let is_records = |asked: &Asked| asked.body.contains("toString(day), record");
    for (first_answer, code, times) in [
        (
            answer(
                500,
                "x-clickhouse-exception-code: 202\r\n",
                b"Code: 202. DB::Exception: Too many simultaneous queries",
            ),
            0,
            2,
        ),
        (Vec::new(), 5, 1),
    ] {
        let (script, seen) = (script.clone(), AtomicUsize::new(0));
        let fake = Fake::answering_all(move |asked| {
            let is_first = is_records(asked) && seen.fetch_add(1, Ordering::Relaxed) == 0;
            if is_first {
                first_answer.clone()
            } else {
                script.answer(asked)
            }
        });
        let home = home_with(&service, &fake.url);
        home.run("search dch --at warehouse").ends(code);
        let asked = fake.asked();
        assert_eq!(
            asked.iter().filter(|asked| is_records(asked)).count(),
            times
        );
    }
}

/// A row of an answer as texts, without its first byte.
type Texts = Vec<String>;

/// What is done to the rows of one kind of answer.
#[derive(Clone, Copy, Debug)]
enum Alteration {
    Nothing,
    Empty,
    WithoutFirst,
    WithoutLast,
    Doubled,
    Reversed,
    /// The last row for ever, as far as this test is patient.
    Endless,
    /// A value of the last row.
    Column(usize, &'static str),
    Cut,
}

impl Alteration {
    fn all(columns: usize) -> Vec<Self> {
        let texts = [
            "",
            "x",
            "{}",
            "0",
            "3",
            "-1",
            "2026-11-19",
            "dch",
            "\u{e9}\u{0}",
            "18446744073709551616",
        ];
        let texts = (0..columns).flat_map(|at| texts.map(|text| Self::Column(at, text)));
        let rows = [
            Self::Empty,
            Self::WithoutFirst,
            Self::WithoutLast,
            Self::Doubled,
            Self::Reversed,
            Self::Endless,
            Self::Cut,
        ];
        rows.into_iter().chain(texts).collect()
    }

    fn of(self, mut all: Vec<Texts>) -> Vec<u8> {
        const MANY: usize = 300_000;
        let Some(last) = all.len().checked_sub(1) else {
            return rows(b"");
        };
        match self {
            Self::Empty => all.clear(),
            Self::WithoutFirst => drop(all.remove(0)),
            Self::WithoutLast => drop(all.pop()),
            Self::Doubled => all.push(all[0].clone()),
            Self::Reversed => all.reverse(),
            Self::Column(at, text) => text.clone_into(&mut all[last][at]),
            Self::Nothing | Self::Cut | Self::Endless => {}
        }
        let mut bytes = all.iter().map(row_of).collect::<Vec<_>>().concat();
        match self {
            Self::Cut => drop(bytes.pop()),
            Self::Endless => bytes.extend(row_of(&all[last]).repeat(MANY)),
            _ => {}
        }
        rows(&bytes)
    }
}

/// A warehouse with two loads of a feed: of its two records one is the same on both days.
#[derive(Clone)]
struct TwoLoads {
    /// Day, name and row of each load, the older one first.
    loads: [(String, &'static str, Texts); 2],
}

impl TwoLoads {
    /// The words by which each kind of question is known; the first that stands in it.
    const KINDS: [&'static str; 6] = [
        "max(load)",
        "FROM ipspect_loads",
        "GROUP BY load, family",
        "toString(day), toString(count())",
        "count()",
        "toString(day), record",
    ];

    fn of(service: &Service) -> Self {
        let home = service.home(DemoRole::Full);
        home.run("feeds pull dch").ends(0);
        let newer = Script::of(&home);
        let day = Day::from_dashed(&newer.day).expect("a day");
        let home = service.home(DemoRole::Full);
        let before = day.plus(-1);
        let pull = format!("feeds pull dch --date {}", before.dashed());
        home.run(&pull).ends(0);
        let older = Script::of(&home);
        let row = |script: &Script, day, name| script.load(day, name, &script.manifest, "1");
        Self {
            loads: [
                (before.dashed(), OLDER, row(&older, before, OLDER)),
                (day.dashed(), LOAD, row(&newer, day, LOAD)),
            ],
        }
    }

    /// The kind of a question, and the rows that are its answer.
    fn answer(&self, query: &str) -> (usize, Vec<Texts>) {
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Texts>()
        };
        let kind = Self::KINDS.iter().position(|word| query.contains(word));
        let kind = kind.expect("a known question");
        let differing = query.contains("countIf");
        let mut asked: Vec<_> = self
            .loads
            .iter()
            .filter(|parts| query.contains(parts.1))
            .collect();
        if kind < 2 {
            asked = self.loads.iter().collect();
        } else if kind == 5 && differing {
            // Of which load the records are wanted is said first.
            asked.sort_by_key(|parts| query.find(parts.1));
            asked.truncate(1);
        }
        let number = (if differing { 1 } else { 2 }) * asked.len();
        let rows = asked.into_iter().map(|(day, name, row)| {
            let record = |text: &str| texts(&[day, text]);
            let changed = format!(r#"{{"network":"198.51.100.0/24","organization":"{name}"}}"#);
            match kind {
                0 => vec![texts(&[day, name])],
                1 => vec![row.clone()],
                2 => vec![texts(&[name, "4", "24"])],
                3 => vec![texts(&[day, "2"])],
                4 => Vec::new(),
                _ if differing => vec![record(&changed)],
                _ => vec![record(&changed), record(r#"{"network":"203.0.113.0/24"}"#)],
            }
        });
        let mut rows: Vec<Texts> = rows.flatten().collect();
        if kind == 4 {
            rows = vec![texts(&[&number.to_string()])];
        }
        (kind, rows)
    }
}

/// Each answer is altered in each way that can be seen: what comes then is an error, or what came before. One alteration in `step` is
/// tried. Returns how many were tried, and how many of them no reader can see.
fn altered_answers(step: usize) -> [usize; 2] {
    let service = Service::start();
    let double = TwoLoads::of(&service);
    let altered: Arc<Mutex<(usize, Alteration)>> = Arc::new(Mutex::new((0, Alteration::Nothing)));
    let fake = Fake::answering_all({
        let (double, altered) = (double.clone(), Arc::clone(&altered));
        move |asked| {
            if asked.body.contains("overflow_mode") {
                return settings("throw", "0");
            }
            let (kind, all) = double.answer(&asked.body);
            match *altered.lock().expect("it") {
                (number, alteration) if number == kind => alteration.of(all),
                _ => Alteration::Nothing.of(all),
            }
        }
    });
    let home = home_with(&service, &fake.url);
    fs::write(home.path("log"), "from 198.51.100.7\nto 203.0.113.7\n").expect("a log");
    let log = home.path("log");
    let [(before, ..), (day, ..)] = &double.loads;
    let mut tried = [0, 0];
    let mut number = 0;
    for line in [
        "search dch --at warehouse --format json",
        "search dch --at warehouse --count",
        "search dch --at warehouse --facet day",
        &format!("search dch --at warehouse --from {before} --to {day} --format json"),
        "lookup 198.51.100.7 203.0.113.7 --at warehouse --source local --format json",
        "diff dch --at warehouse --format json",
        "diff dch --at warehouse --count",
        &format!("enrich {} --at warehouse --format json", log.display()),
        &format!(
            "enrich {} --at warehouse --day {before} --format csv",
            log.display()
        ),
        "warehouse days dch --format json",
    ] {
        *altered.lock().expect("it") = (0, Alteration::Nothing);
        let whole = home.run(line);
        assert_eq!(whole.code, Some(0), "{line}: {whole:?}");
        let columns = [2, 8, 3, 2, 1, 2];
        for (kind, columns) in columns.into_iter().enumerate() {
            for alteration in Alteration::all(columns) {
                number += 1;
                if number % step != 0 {
                    continue;
                }
                *altered.lock().expect("it") = (kind, alteration);
                let ran = match alteration {
                    Alteration::Endless => {
                        let mut limited = home.limited("-d 160000", line);
                        Ran::of(limited.output().expect("run"))
                    }
                    _ => home.run(line),
                };
                tried[0] += 1;
                let word = TwoLoads::KINDS[kind];
                // Fewer loads, or another name of one, are another warehouse; another record of the same form is what nothing beside it says.
                let is_other = match (kind, alteration) {
                    (
                        1,
                        Alteration::Empty
                        | Alteration::WithoutFirst
                        | Alteration::WithoutLast
                        | Alteration::Column(2, _),
                    ) => true,
                    (5, Alteration::Column(1, text)) => text == "{}",
                    _ => false,
                };
                tried[1] += usize::from(is_other);
                assert!(
                    ran.code.is_some() && ran.code != Some(8),
                    "{line}: {word} {alteration:?}: {ran:?}"
                );
                if ran.code == Some(0) && !is_other {
                    let told = [&ran, &whole].map(|ran| settled(&ran.out));
                    assert_eq!(told[0], told[1], "{line}: {word} {alteration:?}");
                }
            }
        }
    }
    tried
}

#[test]
fn no_altered_answer_of_a_warehouse_is_taken_for_a_whole_one() {
    altered_answers(5);
}

#[test]
#[ignore = "minutes long: see CONTRIBUTING.md"]
fn two_thousand_altered_answers_are_refused_or_whole() {
    let [tried, other] = altered_answers(1);
    let told = format!("{tried} altered answers, {other} of them another warehouse or record");
    writeln!(std::io::stderr(), "{told}").expect("a terminal");
    assert!(tried >= 2000, "{tried}");
}

/// Without the time that it took, in any order.
fn settled(out: &str) -> Vec<String> {
    let lines = out.lines().map(|line| {
        let at = line.find("\"elapsed_ms\"");
        at.map_or(line, |at| &line[..at]).to_owned()
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// How a warehouse that has two days fails.
#[derive(Clone, Debug)]
enum Failing {
    Nowhere,
    /// Where it is asked for days.
    Loads(Vec<u8>),
    /// Where it is asked for records.
    Records(Vec<u8>),
    /// Where it is asked for the records of the newer day.
    OneDay,
}

/// A warehouse with two days of a feed that have a record of an address.
#[derive(Clone)]
struct TwoDays {
    /// Day, name and row of each load, the older one first.
    loads: [(String, &'static str, Texts); 2],
    record: &'static str,
}

impl TwoDays {
    /// The days so many days ago, as they are served.
    fn of(service: &Service, back: [i32; 2], record: &'static str) -> Self {
        let home = service.home(DemoRole::Full);
        let mut names = [OLDER, LOAD].into_iter();
        let loads = back.map(|back| {
            let day = ago(back);
            home.run(&format!("feeds pull anonymous --date {day}"))
                .ends(0);
            let file = home.path(&format!("cache/feeds/anonymous/{day}/feed.json"));
            let manifest = Manifest::read(&fs::read(file).expect("a manifest")).expect("it");
            let name = names.next().expect("a name");
            let records = manifest.records.expect("a count").to_string();
            let (dashed, compact, text) = (day.dashed(), day.to_string(), manifest.text());
            let row = [
                "anonymous",
                &dashed,
                name,
                &compact,
                &records,
                &manifest.sha256,
                &text,
                "1",
            ];
            let row = row.map(str::to_owned).to_vec();
            (dashed, name, row)
        });
        Self { loads, record }
    }

    fn answer(&self, failing: &Failing, query: &str) -> Vec<u8> {
        match failing {
            Failing::Loads(answer) if query.contains("FROM ipspect_loads") => {
                return answer.clone();
            }
            Failing::Records(answer) if query.contains("ipspect_records") => {
                return answer.clone();
            }
            _ => {}
        }
        if query.contains("overflow_mode") {
            return settings("throw", "0");
        }
        let named = self.loads.iter().filter(|parts| query.contains(parts.1));
        let texts = |texts: &[&str]| {
            texts
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Texts>()
        };
        let all: Vec<Texts> = if query.contains("max(load)") {
            let all = self.loads.iter();
            all.map(|parts| texts(&[&parts.0, parts.1])).collect()
        } else if query.contains("FROM ipspect_loads") {
            self.loads.iter().map(|parts| parts.2.clone()).collect()
        } else if query.contains("GROUP BY load, family") {
            named.map(|parts| texts(&[parts.1, "4", "32"])).collect()
        } else if query.contains("count()") {
            vec![texts(&[&named.count().to_string()])]
        } else if matches!(failing, Failing::OneDay) && query.contains(LOAD) {
            Vec::new()
        } else {
            named.map(|parts| texts(&[&parts.0, self.record])).collect()
        };
        rows(&all.iter().map(row_of).collect::<Vec<_>>().concat())
    }
}

/// The day so many days ago.
fn ago(days: i32) -> Day {
    Day::of(jiff::Timestamp::now()).plus(-days)
}

/// Days that the warehouse does not answer for are unknown for that reason, and local days answer.
#[test]
fn local_days_have_a_history_where_the_warehouse_does_not_answer() {
    const ADDRESS: &str = "198.51.100.77";
    let service = Service::start();
    let record = r#"{"ip":"198.51.100.77","tunnels":[{"type":"VPN","operator":"ACME_VPN"}]}"#;
    let double = TwoDays::of(&service, [3, 2], record);
    let memory = answer(
        500,
        "x-clickhouse-exception-code: 241\r\n",
        b"Code: 241. DB::Exception: Memory limit exceeded",
    );
    let line = format!("history {ADDRESS} --to yesterday --at warehouse");
    for (failing, code, words, whys) in [
        (Failing::Nowhere, 0, "", [None, None]),
        (
            Failing::Loads(Vec::new()),
            5,
            "did not answer within 1 s",
            [Some("unread"); 2],
        ),
        (
            Failing::Records(memory),
            6,
            "too little memory",
            [Some("unread"); 2],
        ),
        (
            Failing::OneDay,
            7,
            "counted 1 records and sent 0",
            [None, Some("unreadable")],
        ),
    ] {
        let fake = Fake::answering_all({
            let (failing, double) = (failing.clone(), double.clone());
            move |asked| double.answer(&failing, &asked.body)
        });
        let home = home_with(&service, &fake.url);
        let ran = home.run(&line);
        if let Failing::Loads(_) = failing {
            ran.ends(5).says(words);
            assert_eq!(ran.out, "");
        }
        for back in [5, 1] {
            home.run(&format!("feeds pull anonymous --date {}", ago(back)))
                .ends(0);
        }
        let before = fake.asked().len();
        let ran = home.run(&format!("{line} --format csv"));
        ran.ends(code).says(words);
        // It is named once, and not asked again about each day.
        assert!(
            words.is_empty() || ran.err.matches(words).count() == 1,
            "{ran:?}"
        );
        let asked = fake.asked().len() - before;
        assert!(asked <= 12, "{failing:?}: {asked}");
        let told: Vec<(String, String, String)> = ran
            .out
            .lines()
            .skip(1)
            .map(|row| {
                let cell = |at: usize| row.split(',').nth(at).expect("a cell").to_owned();
                (cell(1), cell(3), cell(4))
            })
            .collect();
        let [older, newer] = whys;
        let expected = [
            (5, None, "local"),
            (4, Some("not-loaded"), ""),
            (3, older, "warehouse"),
            (2, newer, "warehouse"),
            (1, None, "local"),
        ];
        for ((day, why, source), (back, of, place)) in told.iter().zip(expected) {
            let of = match (of, &failing) {
                // Whether it is loaded is not known either.
                (Some("not-loaded"), Failing::Loads(_)) => Some("unread"),
                (of, _) => of,
            };
            let place = if of.is_none() { place } else { "" };
            assert_eq!(
                (day, why.as_str(), source.as_str()),
                (&ago(back).to_string(), of.unwrap_or_default(), place),
                "{failing:?}"
            );
        }
        assert_eq!(told.len(), 5);
        if whys[0].is_some() {
            home.run(&line)
                .ends(code)
                .shows("unknown (anonymous was not read)");
        }
    }
}

/// Another day must not answer in its place, and it is not taken for one that is not loaded.
#[test]
fn a_load_that_cannot_be_read_is_an_error_of_its_day() {
    let service = Service::start();
    let first = service.home(DemoRole::Full);
    first.run("feeds pull dch").ends(0);
    let script = Script::of(&first);
    let day: Day = Day::from_dashed(&script.day).expect("a day");
    let before = day.plus(-1);
    let second = service.home(DemoRole::Full);
    let pull = format!("feeds pull dch --date {}", before.dashed());
    second.run(&pull).ends(0);
    let manifest = Script::of(&second).manifest;
    let older = script.load(before, OLDER, &manifest, "1");
    for (manifest, schema, code, words) in [
        ("{}", "1", 7, "in the warehouse has a manifest that is"),
        ("", "1", 7, "in the warehouse has a manifest that is"),
        (&script.manifest, "x", 7, "has no readable schema"),
        (
            &script.manifest,
            "2",
            6,
            "has the schema 2, and this program reads 1",
        ),
    ] {
        let newest = script.load(day, LOAD, manifest, schema);
        let answers = [row_of(&older), row_of(&newest)].concat();
        let fake = Fake::answering_all({
            let (script, before) = (script.clone(), before.dashed());
            move |asked| {
                let query = &asked.body;
                if query.contains("max(load)") {
                    rows(&row(&[&before, OLDER]))
                } else if query.contains("FROM ipspect_loads") {
                    rows(&answers)
                } else if query.contains("toString(day), record") {
                    let record =
                        |text: &str| row(&[&before, &format!("{{\"network\":\"{text}\"}}")]);
                    rows(&[record("198.51.100.0/24"), record("203.0.113.0/24")].concat())
                } else {
                    script.answer(asked)
                }
            }
        });
        let home = home_with(&service, &fake.url);
        fs::write(home.path("log"), "from 198.51.100.7\n").expect("a log");
        let log = home.path("log");
        for line in [
            "search dch --at warehouse",
            "search dch --at warehouse --count",
            "search dch --at warehouse --facet day",
            &format!("search dch --at warehouse --day {}", day.dashed()),
            "diff dch --at warehouse",
            "lookup 198.51.100.7 --at warehouse --source local",
            &format!("enrich {} --at warehouse", log.display()),
        ] {
            let ran = home.run(line);
            assert_eq!(ran.code, Some(code), "{line}: {ran:?}");
            ran.says(words);
            assert_eq!(ran.out, "", "{line}");
        }
        // The day before is as it was.
        let line = format!("search dch --at warehouse --day {}", before.dashed());
        home.run(&line).ends(0);
        let ran = home.run("warehouse days dch");
        ran.ends(code).says(words);
        for text in [&day.dashed(), &before.dashed(), "cannot be read"] {
            assert!(ran.out.contains(text), "{text}: {ran:?}");
        }
        let ran = home.run("doctor");
        assert!(ran.ends(code).out.contains(words), "{ran:?}");
    }
}

#[test]
fn who_keeps_one_waiting_is_named() {
    let service = Service::start();
    // It accepts, and says nothing.
    let fake = Fake::answering_all(|_| Vec::new());
    let home = home_with(&service, &fake.url);
    let text = home.read("config/config.toml");
    home.configure(&text.replace("export_timeout_s = 1\n", "export_timeout_s = 3\n"));
    let ran = home.run("search dch --at warehouse");
    let place = fake.url.trim_start_matches("http://");
    ran.ends(5).says("note: still waiting for the warehouse");
    ran.says(place).says("Ctrl-C stops");
    assert!(
        !home
            .run("search dch --at warehouse -q")
            .err
            .contains("still waiting")
    );
    let text = home.read("config/config.toml");
    home.configure(&text.replace("[\"echo\", \"invented-7\"]", "[\"sleep\", \"2.5\"]"));
    let ran = home.run("search dch --at warehouse");
    ran.ends(3).says("note: still waiting for password_command");
}
