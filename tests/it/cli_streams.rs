//! Streams, files and forms: texts of any packing, standard output for every file, columns that are chosen, bare names, days as
//! words, and feeds that are behind.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use flate2::{Compression, write::GzEncoder};
use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
};

use serde_json::Value;

use crate::{
    home::Here,
    pty::Terminal,
    service::{Home, Ran, Service},
};

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text).expect("write");
    encoder.finish().expect("finish")
}

/// The result of a run with this input.
fn fed(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let mut stdin = child.stdin.take().expect("input");
    stdin.write_all(input).expect("write");
    drop(stdin);
    Ran::of(child.wait_with_output().expect("wait"))
}

fn day(back: i32) -> Day {
    Day::of(jiff::Timestamp::now()).plus(-back)
}

/// Downloads the releases of a feed that are so many days old.
fn pull_days(home: &Home, feed: &str, ages: &[i32]) {
    for age in ages {
        home.run(&format!("feeds pull {feed} --date {}", day(*age)))
            .ends(0);
    }
}

#[test]
fn addresses_on_standard_input_are_read_as_a_text_is() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let text = "\u{feff}198.51.100.77\r\n203.0.113.255\r\n";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for input in [text.as_bytes().to_vec(), wide, packed(text.as_bytes())] {
        let ran = fed(
            here.home.command("lookup - --source local --format json"),
            &input,
        );
        let lines = ran.ends(0).lines();
        let queries: Vec<_> = lines.iter().map(|line| line["query"].clone()).collect();
        assert_eq!(queries, ["198.51.100.77", "203.0.113.255"]);
        assert!(lines.iter().all(|line| line.get("input").is_none()));
    }
    let ran = fed(here.home.command("lookup -"), b"PK\x03\x04");
    ran.ends(2)
        .says("standard input is a zip archive, not text");
}

#[test]
fn a_text_is_read_whatever_it_is_packed_with() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let home = &here.home;
    let text = "first\r\n198.51.100.77 seen\r\n";
    let wide: Vec<u8> = format!("\u{feff}{text}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    fs::write(home.path("plain.log"), text).expect("write");
    let expected = home.run("enrich plain.log --format json").ends(0).line();
    assert_eq!(expected["first_line"], 2);
    for (name, bytes) in [
        ("packed.log", packed(text.as_bytes())),
        ("wide.log", wide.clone()),
        ("both.log", packed(&wide)),
    ] {
        fs::write(home.path(name), &bytes).expect("write");
        let line = home.run(&format!("enrich {name} --format json"));
        assert_eq!(line.ends(0).line(), expected, "{name}");
        let piped = fed(home.command("enrich - --format json"), &bytes);
        assert_eq!(piped.ends(0).line()["record"], expected["record"], "{name}");
    }
    let whole = packed("198.51.100.77\n".repeat(1000).as_bytes());
    fs::write(home.path("cut.gz"), &whole[..whole.len() - 9]).expect("write");
    home.run("enrich cut.gz")
        .ends(7)
        .says("cut.gz is not a whole gzip file");
}

#[test]
fn several_texts_are_one_run_and_each_line_is_of_its_file() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let home = &here.home;
    // No address goes on from one file into the next.
    fs::write(home.path("one"), "198.51.100.77\n203.0.113.2").expect("write");
    fs::write(home.path("two"), packed(b"5\n198.51.100.77\n203.0.113.9")).expect("write");
    let lines = home.run("enrich one two --format json").ends(0).lines();
    let found: Vec<(&str, u64, u64, &str)> = lines
        .iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().expect("text");
            let number = |key: &str| line[key].as_u64().expect("number");
            (
                text("query"),
                number("count"),
                number("first_line"),
                text("first_file"),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("198.51.100.77", 2, 1, "one"),
            ("203.0.113.2", 1, 2, "one"),
            ("203.0.113.9", 1, 3, "two")
        ]
    );
    let one = home.run("enrich one --format json").ends(0).lines();
    assert_eq!(one[0].get("first_file"), None);
}

#[test]
fn standard_output_stands_for_any_file() {
    let service = Service::start();
    let here = Here::with(&service, &["dch"]);
    let bytes = |line: &str| {
        let output = here.home.command(line).output().expect("run");
        assert!(output.status.success(), "{line}: {output:?}");
        output.stdout
    };
    here.home.run("parquet dch -o dch.parquet").ends(0);
    let file = fs::read(here.home.path("dch.parquet")).expect("file");
    assert_eq!(bytes("parquet dch -o -"), file);
    here.home.run("export dch --local -o dch.csv").ends(0);
    let file = fs::read(here.home.path("dch.csv")).expect("file");
    assert_eq!(bytes("export dch --local -o -"), file);
    assert!(bytes("feeds readme anonymous -o -").starts_with(b"%PDF"));
    assert!(!here.home.path("-").exists());
}

#[test]
fn the_name_of_a_file_tells_its_form() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("export dch -o dch.json").ends(0);
    assert!(home.read("dch.json").starts_with(['[', '{']));
    home.run("export dch -o dch.txt").ends(0);
    assert!(!home.read("dch.txt").starts_with(['[', '{']));
    let asked = service.asked(FaultSite::Exports);
    assert!(asked[0].contains("output=json"), "{asked:?}");
    assert!(!asked[1].contains("output=json"), "{asked:?}");
}

#[test]
fn columns_are_chosen_by_their_names_in_csv() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch", "service-metrics"]);
    let home = &here.home;
    let one = "search anonymous net:198.51.100.77";
    let csv = home.run(&format!("{one} --fields operators,ip --format csv"));
    assert_eq!(csv.ends(0).out.lines().next(), Some("operators,ip"));
    assert!(csv.out.ends_with(",198.51.100.77\r\n"), "{csv:?}");
    let text = home.run(&format!("{one} --fields ip,tunnel_types"));
    text.ends(0).shows("IP ").shows("TUNNEL TYPES\n");
    assert_eq!(text.out.lines().count(), 2);
    home.run(&format!("{one} --fields ip --format md"))
        .ends(0)
        .shows("| IP |\n| --- |\n| 198[.]51[.]100[.]77 |\n");
    home.run("tags --fields tag,distinct_ips")
        .ends(0)
        .shows("TAG ");
    home.run("feeds --fields feed,newest_local --format csv --offline")
        .ends(0)
        .shows("feed,newest_local\r\n");
    home.run("feeds info dch --fields release,records --offline")
        .ends(0)
        .shows("RELEASE");
    fs::write(home.path("log"), "198.51.100.77").expect("write");
    home.run("enrich log --fields query,count --format csv")
        .ends(0)
        .shows("query,count\r\n198.51.100.77,1\r\n");
    let asked = service.asked(FaultSite::Context).len();
    home.run("lookup 198.51.100.77 --fields query,contry")
        .ends(2)
        .says("there is no column \"contry\"")
        .says("did you mean country?");
    home.run("lookup 198.51.100.77 --fields query --format json")
        .ends(2)
        .says("tables and CSV");
    assert_eq!(
        service.asked(FaultSite::Context).len(),
        asked,
        "nothing is sent"
    );
    home.run("lookup 198.51.100.77 nonsense --fields query,error --format csv")
        .ends(1)
        .shows("198.51.100.77,\r\nnonsense,usage\r\n");
}

#[test]
fn bare_names_are_for_other_programs() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "dch", "service-metrics"]);
    let home = &here.home;
    let out = |line: &str| {
        home.run(&format!("{line} --format ids"))
            .ends(0)
            .out
            .clone()
    };
    assert_eq!(out("search anonymous net:198.51.100.77"), "198.51.100.77\n");
    let netblocks = out("search dch");
    assert_eq!(netblocks.lines().count(), here.records("dch").len());
    assert!(netblocks.lines().all(|line| line.contains('/')));
    assert!(out("tags").lines().any(|line| line == "ACME_VPN"));
    assert_eq!(out("tag acme_vpn"), "ACME_VPN\n");
    assert!(
        out("search anonymous --facet tag")
            .lines()
            .any(|line| line == "ACME_VPN")
    );
    fs::write(home.path("log"), "198[.]51[.]100[.]77 203.0.113.255").expect("write");
    assert_eq!(out("enrich log --filter tag:ACME_VPN"), "198.51.100.77\n");
    let some = home.run("lookup 198.51.100.77 nonsense --format ids");
    assert_eq!(some.ends(1).says("nonsense").out, "198.51.100.77\n");
    for line in ["search anonymous --count", "status", "doctor", "feeds"] {
        home.run(&format!("{line} --format ids"))
            .ends(2)
            .says("no addresses, networks or tags");
    }
}

#[test]
fn cells_are_guarded_wherever_csv_is_printed() {
    let record =
        br#"{"ip":"198.51.100.77","organization":"=HYPERLINK(1)","as":{"organization":"-x"}}"#;
    let fake = crate::fake::Fake::json("", &record[..]);
    let home = fake.home();
    let line = "lookup 198.51.100.77 --fields query,organization,as_organization --format csv";
    home.run(line)
        .ends(0)
        .shows("198.51.100.77,=HYPERLINK(1),-x\r\n");
    home.run(&format!("{line} --spreadsheet-safe"))
        .ends(0)
        .shows("198.51.100.77,'=HYPERLINK(1),'-x\r\n");
    home.run("lookup 198.51.100.77 --spreadsheet-safe")
        .ends(2)
        .says("add --format csv");
}

#[test]
fn a_local_export_is_of_any_day_and_any_filter() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    pull_days(&home, "anonymous", &[3, 2]);
    let export = |line: &str| {
        home.run(&format!("export anonymous --local {line} -o -"))
            .ends(0)
            .out
            .clone()
    };
    for (filter, flag) in [
        ("tag:ACME_VPN", "--tags ACME_VPN"),
        ("cc:NL,DE", "--ccs NL,DE"),
    ] {
        assert_eq!(export(&format!("--filter {filter}")), export(flag));
        let dated = export(&format!("--filter {filter} --day -3d"));
        assert_eq!(dated, export(&format!("{flag} --day {}", day(3))));
        assert_ne!(dated, export(flag), "another day");
    }
    let busy = home.run("search anonymous clients>20 --count");
    assert_eq!(
        export("--filter clients>20").lines().count().to_string(),
        busy.ends(0).out.trim()
    );
    // It holds for what changed, too.
    let changed = export("--filter tag:ACME_VPN --diff --output json");
    assert_eq!(changed, export("--tags ACME_VPN --diff --output json"));
    assert_ne!(changed, export("--diff --output json"));
    for (line, says) in [
        ("export anonymous --day -3d -o -", "add --local"),
        ("export anonymous --filter cc:NL -o -", "add --local"),
        (
            "export anonymous --local --diff --diff-date -2d --day -2d -o -",
            "name the same release",
        ),
        ("export anonymous --local --filter cc:NLD -o -", "cc"),
    ] {
        home.run(line).ends(2).says(says);
    }
    home.run("export anonymous --local --day -9d -o -").ends(10);
    assert_eq!(service.asked(FaultSite::Exports), [""; 0]);
}

#[test]
fn a_diff_back_in_time_says_so() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    pull_days(&home, "dch", &[3, 2]);
    let (from, to) = (day(3).dashed(), day(2).dashed());
    let ran = home.run("diff dch --from -3d --to -2d --count");
    assert!(!ran.ends(0).err.contains("later"), "{ran:?}");
    home.run("diff dch --from -2d --to -3d --count")
        .ends(0)
        .says(&format!("--from {to} is later than --to {from}"));
    home.run("diff dch --from -2d --to -2d --count")
        .ends(0)
        .says(&format!("{to} is compared with itself"));
}

#[test]
fn what_is_behind_is_pulled_and_what_is_not_local_is_not() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull --stale")
        .ends(0)
        .says("no local feed is behind");
    for feed in ["anonymous", "dch"] {
        pull_days(&home, feed, &[3]);
    }
    let asked = service.asked(FaultSite::Feeds).len();
    let csv = home.run("feeds pull --stale --format csv");
    let rows: Vec<&str> = csv.ends(0).out.lines().collect();
    assert_eq!(rows.len(), 3, "{csv:?}");
    assert!(rows[0].starts_with("feed,release,"));
    assert!(rows[1].starts_with("anonymous,") && rows[2].starts_with("dch,"));
    let targets = service.asked(FaultSite::Feeds).split_off(asked);
    assert!(
        targets
            .iter()
            .all(|target| target.contains("/anonymous/latest") || target.contains("/dch/latest")),
        "{targets:?}"
    );
    let again = home.run("feeds pull --stale --format json");
    assert_eq!(again.ends(0).says("no local feed is behind").out, "");
    home.run("feeds pull").ends(2);
    home.run("feeds pull dch --stale").ends(2);
}

#[test]
fn a_feed_that_cannot_be_pulled_keeps_no_other_back() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for feed in ["anonymous", "dch"] {
        pull_days(&home, feed, &[3]);
    }
    service.arm("feeds:500x1");
    let ran = home.run("feeds pull --stale --format json --retries 0");
    let lines = ran.ends(1).lines();
    assert_eq!(lines.len(), 2, "{ran:?}");
    assert_eq!(lines[0]["query"], "anonymous");
    assert!(lines[0]["error"].is_object(), "{ran:?}");
    assert_eq!(lines[1]["feed"], "dch");
    ran.says("error: ");
}

#[test]
fn a_failure_is_said_in_words_in_every_form() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "feeds pull anonymus",
        "search anonymous",
        "lookup 198.51.100.77 --frobnicate",
        "diff anonymous --from 2026-13-01",
    ] {
        for format in ["text", "json", "csv", "md"] {
            let ran = home.run(&format!("{line} --format {format}"));
            assert!(ran.code != Some(0), "{ran:?}");
            assert!(ran.err.starts_with("error: "), "{line} {format}: {ran:?}");
            if format == "json" {
                assert!(ran.line()["error"]["message"].is_string(), "{ran:?}");
            } else {
                assert_eq!(ran.out, "", "{line} {format}");
            }
        }
    }
}

#[test]
fn netblocks_and_places_have_columns_and_values_of_their_own() {
    let service = Service::start();
    let here = Here::with(&service, &["dch", "ipgeo"]);
    let home = &here.home;
    for (feed, columns, facet) in [
        ("dch", "NETWORK ASN ORGANIZATION", "org"),
        (
            "ipgeo",
            "NETWORK COUNTRY STATE CITY ASN AS ORGANIZATION",
            "cc",
        ),
    ] {
        let ran = home.run(&format!("search {feed} --limit 2"));
        let head = ran.ends(0).out.lines().next().unwrap_or_default();
        let head: Vec<&str> = head.split_whitespace().collect();
        assert_eq!(head.join(" "), columns);
        let values = home.run(&format!("search {feed} --facet {facet} --format json"));
        assert!(values.ends(0).lines()[0]["count"].as_u64() > Some(0));
        home.run(&format!("search {feed} --top 1"))
            .ends(0)
            .says("have no clients");
    }
    let subject = crate::home::subject(&here.records("dch")[0]).expect("a network");
    fs::write(home.path("log"), subject.addr().to_string()).expect("write");
    let text = home.run("enrich log --feed dch");
    let head = text.ends(0).out.lines().next().unwrap_or_default();
    assert!(!head.contains("CLIENTS") && !head.contains("ANONYMIZATION"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_doctor_finds_what_cannot_be_written_before_it_is_needed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for (variable, about) in [
        ("IPSPECT_CACHE_DIR", "cache folder"),
        ("IPSPECT_STATE_DIR", "state folder"),
    ] {
        let mut command = home.command("doctor --offline");
        command.env(variable, "/proc/ipspect/none");
        let ran = Ran::of(command.output().expect("run"));
        ran.ends(8)
            .shows(&format!("fail  {about}"))
            .shows("/proc/ipspect/none");
    }
    fs::create_dir_all(home.path("state/ledger")).expect("folder");
    let ran = home.run("doctor --offline");
    ran.ends(8).shows("fail  ledger");
}

#[test]
fn tickets_begin_with_a_sentence_and_name_no_paths() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    pull_days(&home, "anonymous", &[3, 2]);
    home.run("feeds pull service-metrics").ends(0);
    fs::write(home.path("log"), "198.51.100.77").expect("write");
    for line in [
        "lookup 198.51.100.77",
        "lookup 198.51.100.77 --source local",
        "tag ACME_VPN",
        "tags ACME",
        "status",
        "search anonymous tag:ACME_VPN --limit 1",
        "search anonymous --facet cc",
        "enrich log",
        "enrich log --plan",
        "diff anonymous --limit 20",
        "diff anonymous --summary",
        "diff anonymous --count",
        "feeds info anonymous",
        "export anonymous --limit 3 --force -o x.csv",
        "parquet anonymous --force -o x.parquet",
    ] {
        let ran = home.run(&format!("{line} --format md"));
        let mut lines = ran.ends(0).out.lines().filter(|line| !line.is_empty());
        let (heading, sentence) = (lines.next(), lines.next().unwrap_or_default());
        assert!(
            heading.is_some_and(|line| line.starts_with("### ")),
            "{ran:?}"
        );
        assert!(
            sentence.ends_with('.') && !sentence.starts_with(['-', '|', '*']),
            "{line}: {sentence}"
        );
        for path in ["client[.]", "location[.]", "tunnels[", "\\_", "\\("] {
            assert!(!ran.out.contains(path), "{line}: {path} in {}", ran.out);
        }
    }
}

#[test]
fn text_keeps_to_the_terminal_and_a_pipe_gets_whole_lines() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "service-metrics"]);
    let home = &here.home;
    let tunnelled = |record: &&Value| {
        let exits = record["tunnels"][0]["exits"].as_array();
        exits.is_some_and(|exits| exits.len() > 4)
    };
    let record = here.records("anonymous").iter().find(tunnelled);
    let address = record.expect("many exits")["ip"].as_str().expect("ip");
    fs::write(home.path("log"), format!("{address}\n198.51.100.255\n")).expect("a log");
    let program = env!("CARGO_BIN_EXE_ipspect");
    let commands = [
        format!("lookup --source local {address}"),
        "enrich log".to_owned(),
        "search anonymous --top 20".to_owned(),
        "search anonymous --fields ip,tunnel_types,operators,organization --limit 9".to_owned(),
        "tags".to_owned(),
        "tag --source local ACME_VPN".to_owned(),
        "feeds --offline".to_owned(),
        "doctor --config".to_owned(),
    ];
    let mut is_narrower = false;
    for words in &commands {
        let piped = home.run(words).ends(0).out.clone();
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        for width in [40, 80, 120, 200] {
            let line = format!("{program} {words} 2>/dev/null");
            let plain = [("NO_COLOR", "1")];
            let root = home.root.path();
            let mut terminal = Terminal::start((width, 24), "sh", &["-c", &line], root, &plain);
            assert_eq!(terminal.exit_code(), 0, "{words}");
            let text = String::from_utf8(terminal.raw()).expect("text");
            for line in text.lines() {
                let cells = line.trim_end().chars().count();
                assert!(cells <= usize::from(width), "{words} in {width}: {line:?}");
            }
            is_narrower |= text.lines().count() > piped.lines().count();
            if words.starts_with("lookup") {
                assert_eq!(solid(&text), solid(&piped), "{words} in {width}");
            }
        }
    }
    assert!(is_narrower);
}
