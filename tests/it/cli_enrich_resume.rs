//! `enrich --resume`: a run goes on behind the answers of one that asked the same of the same text, and refuses others by name.

use std::{
    fs::{self, File},
    io::Write,
    process::Stdio,
};

use ipspect::model::Day;
use serde_json::{Value, json};

use crate::{
    home::Here,
    service::{Home, Ran, Service},
};

const FEED: &str = "anonymous";

/// The addresses of rows, in their order.
fn queries(rows: &[Value]) -> Vec<String> {
    let query = |row: &Value| row["query"].as_str().expect("a query").to_owned();
    rows.iter().map(query).collect()
}

fn write_log(home: &Home, addresses: &[String]) {
    fs::write(home.path("log"), addresses.join("\n") + "\n").expect("write");
}

/// Addresses of the feed, and some without a record.
fn addresses_of(here: &Here) -> Vec<String> {
    let mut addresses = here.some_addresses(6);
    addresses.truncate(4);
    addresses.extend((1..=2).map(|host| format!("203.0.113.{host}")));
    addresses
}

/// Keeps what a run prints as `out`.
fn keep(home: &Home, ran: &Ran) {
    fs::write(home.path("out"), &ran.out).expect("write");
}

#[test]
fn a_run_goes_on_behind_answers_of_what_it_asks_itself() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let log = here.some_addresses(6).join("\n");
    fs::write(home.path("log"), log).expect("write");
    let lines = home.run("enrich log --format json").ends(0).lines();
    let known = lines.iter().find(|line| line["record"].is_object());
    let mut first = known.expect("a record").clone();
    first["run"] = lines[0]["run"].clone();
    let mut others = queries(&lines);
    others.retain(|text| first["query"] != **text);
    assert!(!others.is_empty());
    fs::write(home.path("out"), format!("{first}\n")).expect("write");
    let go_on = |more: &str| home.run(&format!("enrich log --format json --resume out{more}"));
    assert_eq!(queries(&go_on("").ends(0).lines()), others);
    first["day"] = "20010101".into();
    fs::write(home.path("out"), format!("{first}\n")).expect("write");
    let asked: Day = here.day(FEED).parse().expect("a day");
    go_on("").ends(2).says(&format!(
        "out answers from {FEED} 2001-01-01, this run asks {FEED} {}",
        asked.dashed()
    ));
    assert_eq!(queries(&go_on(" --rest-anew").ends(0).lines()), others);
    home.run("enrich log --rest-anew").ends(2).says("--resume");
    home.run("enrich log --format json --resume /dev/zero")
        .ends(2)
        .says("/dev/zero is a device");
}

#[test]
fn the_first_row_has_what_the_run_asked_and_how_its_text_begins() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = addresses_of(&here);
    let day: Day = here.day(FEED).parse().expect("a day");
    let line = |text: &String| format!("{}T10:00:00Z deny {text}", day.dashed());
    write_log(home, &addresses.iter().map(line).collect::<Vec<_>>());
    let rows = |more: &str| {
        let ran = home.run(&format!("enrich log --format json {more}"));
        ran.ends(0).lines()
    };
    let plain = rows("");
    let bytes = fs::read(home.path("log")).expect("the log").len();
    let run = &plain[0]["run"];
    assert_eq!(run["feeds"], json!([{"feed": FEED, "day": here.day(FEED)}]));
    assert_eq!(run["text"]["bytes"], bytes);
    assert_eq!((&run["at"], &run["zone"]), (&json!("local"), &json!("UTC")));
    assert_eq!(run.get("filter"), None);
    let asked = rows("--filter role:source --at-time --zone +02:00 --dates eu --top 5");
    let own = &asked[0]["run"];
    for (name, value) in [
        ("filter", json!("role:source")),
        ("zone", json!("+02:00")),
        ("dates", json!("eu")),
        ("at_time", json!(true)),
        ("top", json!(5)),
    ] {
        assert_eq!(own[name], value, "{name}");
    }
    for rows in [&plain, &asked] {
        let others = rows[1..].iter().filter(|value| value.get("run").is_some());
        assert_eq!(others.count(), 0);
    }
    assert!(
        rows("--facet tag")
            .iter()
            .all(|value| value.get("run").is_none())
    );
    let csv = home.run("enrich log --format csv");
    assert!(!csv.ends(0).out.contains("xxh3"));
}

#[test]
fn another_run_and_another_text_are_refused_by_name() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = addresses_of(&here);
    write_log(home, &addresses);
    keep(
        home,
        home.run("enrich log --format json --filter role:source")
            .ends(0),
    );
    let out = home.read("out");
    let again = |more: &str| home.run(&format!("enrich log --format json --resume out {more}"));
    for (more, says) in [
        (
            "",
            "out is of --filter role:source, this run has no --filter: nothing was sent",
        ),
        (
            "--filter role:own",
            "out is of --filter role:source, this run has --filter role:own",
        ),
        (
            "--filter role:source --zone +02:00",
            "out is of --zone UTC, this run has --zone +02:00",
        ),
    ] {
        let ran = again(more);
        ran.ends(2).says(says).says("--rest-anew");
        assert_eq!(ran.line()["error"]["kind"], "usage");
        assert_eq!(
            queries(&again(&format!("{more} --rest-anew")).lines()),
            [""; 0]
        );
    }
    assert_eq!(again("--filter role:source").ends(0).out, "");
    // The same addresses in another order.
    let mut turned = addresses;
    turned.reverse();
    write_log(home, &turned);
    again("--filter role:source")
        .ends(2)
        .says("out is of another text, whose first")
        .says("--rest-anew");
    again("--filter role:source --rest-anew").ends(0);
    assert_eq!(home.read("out"), out, "what is refused stays as it is");
}

#[test]
fn answers_of_no_run_are_refused() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = here.some_addresses(2);
    write_log(home, &addresses);
    let forged = json!({
        "query": addresses[0], "source": "live", "feed": null, "day": here.day(FEED), "record": null
    });
    fs::write(home.path("out"), format!("{forged}\n")).expect("write");
    let line = "enrich log --format json --resume out";
    home.run(line)
        .ends(2)
        .says("does not say which run wrote it")
        .says("--rest-anew");
    let rows = home.run(&format!("{line} --rest-anew")).ends(0).lines();
    assert_eq!(queries(&rows), addresses[1..]);
    // So is what lookup prints.
    let looked_up = home.run(&format!(
        "lookup {} --source local --format json",
        addresses[0]
    ));
    keep(home, looked_up.ends(0));
    home.run(line).ends(2);
}

#[test]
fn a_text_that_has_grown_goes_on_in_the_same_file() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = addresses_of(&here);
    let mut runs = Vec::new();
    for count in [2, 4, 4, 6] {
        write_log(home, &addresses[..count]);
        let out = home.path("out");
        let out = File::options().create(true).append(true).open(out);
        let mut command = home.command("enrich log --format json --resume out");
        let command = command.stdin(Stdio::null()).stdout(out.expect("output"));
        Ran::of(command.output().expect("run")).ends(0);
        let out = home.read("out");
        let rows: Vec<Value> = out
            .lines()
            .map(|row| serde_json::from_str(row).expect("a row"))
            .collect();
        assert_eq!(queries(&rows), addresses[..count], "each once");
        let begun = rows.iter().filter_map(|row| row.get("run")).cloned();
        runs = begun.collect();
    }
    // The third run had nothing to add.
    assert_eq!(runs.len(), 3);
    let length = |run: &Value| run["text"]["bytes"].as_u64();
    assert!(length(&runs[0]) < length(&runs[1]) && length(&runs[1]) < length(&runs[2]));
    // Why a run is refused stands behind the rows that are whole, and hinders none.
    let out = home.path("out");
    let whole = fs::read(&out).expect("rows");
    fs::write(&out, [&*whole, b"{\"query\":\"19"].concat()).expect("write");
    for (more, code) in [("--zone +02:00", 2), ("", 0)] {
        let output = File::options().append(true).open(&out).expect("output");
        let mut command = home.command(&format!("enrich log --format json --resume out {more}"));
        let command = command.stdin(Stdio::null()).stdout(output);
        Ran::of(command.output().expect("run")).ends(code);
    }
    let refused = fs::read(&out).expect("rows").split_off(whole.len());
    assert!(refused.starts_with(b"{\"query\":null,\"error\":"));
    // What was cut off behind the first row is the same run, and so is its name.
    let out = home.read("out");
    let first = out.lines().next().expect("a row");
    let whole = home.run("enrich log --format json").ends(0).lines();
    fs::write(home.path("out"), format!("{first}\n{{\"query\":\"19")).expect("write");
    let rest = home
        .run("enrich log --format json --resume out")
        .ends(0)
        .lines();
    assert_eq!(queries(&rest), addresses[1..]);
    assert_eq!(rest[0]["run"], whole[0]["run"]);
}

#[test]
fn a_text_that_is_piped_is_known_again_before_its_end() {
    let service = Service::start();
    let here = Here::with(&service, &[FEED]);
    let home = &here.home;
    let addresses = addresses_of(&here);
    // Longer than what is compared, so that rows of the first run come before the end.
    let text = |filler: &str| {
        let filler = format!("{filler}\n").repeat(20_000);
        format!("{filler}{}\n", addresses.join("\n"))
    };
    let run = |text: String, more: &str| {
        let line = format!("enrich --format json {more}");
        let mut command = home.command(&line);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("start");
        let mut input = child.stdin.take().expect("input");
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let ran = Ran::of(child.wait_with_output().expect("wait"));
        // A run that refuses the text does not read it to its end.
        let _ = writer.join().expect("the writer");
        ran
    };
    let first = run(text("nothing here"), "");
    let rows = first.ends(0).lines();
    assert_eq!(queries(&rows), addresses);
    assert_eq!(rows[0]["run"]["text"]["bytes"], 64 << 10);
    fs::write(
        home.path("out"),
        first.out.lines().next().expect("a row").to_owned() + "\n",
    )
    .expect("write");
    let rest = run(text("nothing here"), "--resume out").ends(0).lines();
    assert_eq!(queries(&rest), addresses[1..]);
    run(text("nothing else"), "--resume out")
        .ends(2)
        .says("out is of another text, whose first 65,536 bytes differ");
    run("short\n".to_owned(), "--resume out")
        .ends(2)
        .says("of another text");
}
