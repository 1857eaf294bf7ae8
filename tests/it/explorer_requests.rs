//! Whole sessions in the explorer, and what the service saw of them: what is local costs nothing, and where nothing is local every tab
//! names what it lacks and how to get it.

use std::collections::BTreeSet;

use ipspect::{
    demo::{DemoRole, FaultSite},
    model::Day,
    report::count,
};
use serde_json::Value;

use crate::{
    home::{Here, subject},
    pty::Terminal,
    service::Service,
};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");
pub(crate) const ADDRESS: &str = "198.51.100.77";

/// Requests to the Context API that are not free of any doubt: `/status` costs nothing and tells nobody what is looked at.
pub(crate) fn telling(service: &Service) -> Vec<String> {
    let asked = service.asked(FaultSite::Context).into_iter();
    asked.filter(|target| target != "/status").collect()
}

pub(crate) fn lookups(service: &Service) -> usize {
    let asked = telling(service).into_iter();
    asked
        .filter(|target| target.starts_with("/v2/context"))
        .count()
}

pub(crate) fn explorer(service: &Service, home: &std::path::Path, role: DemoRole) -> Terminal {
    explorer_with(service, home, role, &[])
}

/// The same with these arguments.
pub(crate) fn explorer_with(
    service: &Service,
    home: &std::path::Path,
    role: DemoRole,
    arguments: &[&str],
) -> Terminal {
    let token = [("IPSPECT_TOKEN", service.demo.token(role))];
    let terminal = Terminal::start((120, 36), PROGRAM, arguments, home, &token);
    terminal.wait_for("[1 Lookup]");
    terminal
}

/// Waits for a line with all of these texts.
#[track_caller]
pub(crate) fn line_with(terminal: &Terminal, texts: &[&str]) {
    let what = format!("a line with {texts:?}");
    terminal.wait_until(&what, |screen| {
        screen
            .lines()
            .any(|line| texts.iter().all(|text| line.contains(text)))
    });
}

/// The text that was copied last, as the terminal got it (OSC 52).
pub(crate) fn copied(terminal: &Terminal) -> String {
    const BEGINS: &[u8] = b"\x1b]52;c;";
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let raw = terminal.raw();
    let begins = raw
        .windows(BEGINS.len())
        .rposition(|window| window == BEGINS);
    let text = &raw[begins.expect("a copy") + BEGINS.len()..];
    let values = text
        .iter()
        .map_while(|byte| LETTERS.iter().position(|other| other == byte));
    let values: Vec<usize> = values.collect();
    let bytes = values.chunks(4).flat_map(|four| {
        let all = four.iter().fold(0, |all, value| all << 6 | value) << (6 * (4 - four.len()));
        let bytes =
            [all >> 16, all >> 8, all].map(|byte| u8::try_from(byte & 0xff).expect("a byte"));
        bytes.into_iter().take(four.len() - 1)
    });
    String::from_utf8(bytes.collect()).expect("text")
}

fn operators(record: &Value) -> impl Iterator<Item = &str> {
    let tunnels = record["tunnels"].as_array().into_iter().flatten();
    tunnels.filter_map(|tunnel| tunnel["operator"].as_str())
}

pub(crate) fn has_operator(records: &[Value], operator: &str) -> usize {
    let is_its = |record: &&Value| operators(record).any(|text| text == operator);
    records.iter().filter(is_its).count()
}

/// How the head of the browser names so many records.
pub(crate) fn result(some: usize, all: usize) -> String {
    let [some, all] = [some, all].map(|number| count(number as u64));
    format!("{some} of {all} records")
}

/// Waits until Quota names these queries of the last week: spent, possibly spent, saved by the cache, full bar: 1 saved.
#[track_caller]
fn saved(terminal: &Terminal, numbers: [&str; 4]) {
    terminal.wait_until(&format!("{numbers:?} in the last week"), |screen| {
        let after = screen.split("last 7 days").nth(1).unwrap_or_default();
        after.split_whitespace().take(4).eq(numbers)
    });
}

/// The value under the cursor among the facets, as far as it is shown, and its count.
fn facet_at_cursor(screen: &str) -> (String, String) {
    let mut lines = screen.lines();
    let row = lines
        .find_map(|line| line.split_once("││ > "))
        .expect("a cursor")
        .1;
    let mut words = row.split_whitespace();
    let [name, count] = [words.next(), words.next()].map(|word| word.expect("a word").to_owned());
    (name.trim_end_matches('…').to_owned(), count)
}

#[test]
#[expect(clippy::too_many_lines, reason = "one session, from tab to tab")]
fn with_local_feeds_every_tab_works_without_a_query() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let today = Day::of(jiff::Timestamp::now());
    home.run(&format!("feeds pull anonymous --date {}", today.plus(-3)))
        .ends(0);
    let before = Here::read(home, &["anonymous"]);
    let subjects = |here: &Here| {
        let records = here.records("anonymous").iter();
        let all: BTreeSet<String> = records
            .filter_map(|record| Some(subject(record)?.to_string()))
            .collect();
        all
    };
    let old = subjects(&before);
    let here = Here::of(
        before.home,
        &[
            "anonymous",
            "anonymous-residential",
            "service-metrics",
            "dch",
            "ipsummary",
        ],
    );
    let day = here
        .day("anonymous")
        .parse::<Day>()
        .expect("a day")
        .dashed();
    let new = subjects(&here);
    let records = here.records("anonymous");
    let (all, acme) = (records.len(), has_operator(records, "ACME_VPN"));
    assert!(all > acme && acme > 0);
    let acme_count = count(acme as u64);
    assert_eq!(telling(&service), [""; 0]);

    // Lookup: who is behind an address, and the ticket.
    let mut terminal = explorer(&service, here.home.root.path(), DemoRole::Full);
    terminal.press("i");
    terminal.type_text(ADDRESS);
    terminal.press("enter");
    line_with(&terminal, &[ADDRESS, "LOCAL anonymous", " old "]);
    terminal.wait_for("VPN exit of ACME_VPN");
    line_with(
        &terminal,
        &["operator", "ACME_VPN", &acme_count, "anonymous"],
    );
    terminal.press("y m");
    terminal.wait_for("copied");
    let ticket = copied(&terminal);
    for told in ["198[.]51[.]100[.]77", "ACME_VPN", "anonymous", &day] {
        assert!(ticket.contains(told), "{told} is not in {ticket}");
    }

    // A pivot: the records of the operator, and back to the same row.
    terminal.press("enter");
    terminal.wait_for("[4 Feeds]");
    terminal.wait_for("/ tag:ACME_VPN");
    terminal.wait_for(&result(acme, all));
    terminal.press("bksp");
    terminal.wait_for("[1 Lookup]");
    terminal.wait_for("> operator");

    // Tags: a tag with its counts in the local feeds.
    terminal.press("2");
    line_with(&terminal, &["Tags", "service-metrics", "local"]);
    terminal.press("/");
    terminal.type_text("ACME_VPN");
    terminal.press("enter");
    terminal.wait_for("local, service-metrics of ");
    line_with(&terminal, &["anonymous ", "operator", &acme_count]);
    terminal.wait_for("Shares addresses with");

    // Quota: the balance, and what the local feeds saved.
    terminal.press("3");
    terminal.wait_for("queries remaining");
    terminal.wait_for("local   ");
    saved(&terminal, ["0", "-", "-", "1"]);

    // Feeds: browse, jump, filter.
    let whole = result(all, all);
    terminal.press("4");
    terminal.wait_for(&result(acme, all));
    terminal.press("esc");
    terminal.wait_for(&whole);
    terminal.press("G");
    line_with(
        &terminal,
        &["└", &format!(" {all} of {all} ", all = count(all as u64))],
    );
    terminal.press("#");
    terminal.type_text("12");
    terminal.press("enter");
    line_with(&terminal, &["└", &format!(" 12 of {} ", count(all as u64))]);
    terminal.press("/");
    terminal.type_text("tag:ACME_VPN");
    terminal.press("enter");
    terminal.wait_for(&result(acme, all));
    terminal.press("u");
    terminal.wait_for(&whole);

    // A facet: the operator under the cursor, with its count.
    terminal.press("f");
    line_with(&terminal, &["││ > "]);
    let (name, facet_count) = facet_at_cursor(&terminal.screen());
    let is_its = |record: &&Value| operators(record).any(|text| text.starts_with(&name));
    let found = records.iter().filter(is_its).count();
    assert_eq!(count(found as u64), facet_count, "{name}");
    terminal.press("enter");
    terminal.wait_for(&result(found, all));
    terminal.press("u");
    terminal.wait_for(&whole);
    terminal.press("esc");
    terminal.wait_for("enter look up");

    // Two local days, compared.
    terminal.press("c");
    terminal.wait_for(&format!("{} → {day}", today.plus(-3).dashed()));
    let [added, removed] = [&new - &old, &old - &new].map(|found| count(found.len() as u64));
    terminal.wait_for(&format!("+added {added}  -removed {removed}"));
    terminal.press("esc");
    terminal.wait_for(&whole);

    // Export: the form with the filter of the browser and its counts, and a run on the local release.
    terminal.press("/");
    terminal.type_text("tag:ACME_VPN");
    terminal.press("enter");
    terminal.wait_for(&result(acme, all));
    terminal.press("E");
    terminal.wait_for("[5 Export]");
    line_with(&terminal, &["matches", &acme_count, &count(all as u64)]);
    line_with(&terminal, &["by tag", &format!("ACME_VPN {acme_count}")]);
    line_with(&terminal, &["[local]", "anonymous", &day, "old"]);
    terminal.press("ctrl-o");
    terminal.wait_for(".csv");
    terminal.press("enter");
    terminal.wait_for(" records, ");
    let entries = std::fs::read_dir(here.home.root.path()).expect("home");
    let mut names = entries.flatten().map(|entry| entry.path());
    let written = names.find(|path| path.extension().is_some_and(|ending| ending == "csv"));
    let lines = std::fs::read_to_string(written.expect("a file")).expect("text");
    assert_eq!(
        lines.lines().count(),
        acme + 1,
        "a line of names, then the records"
    );

    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(telling(&service), [""; 0]);
    assert_eq!(service.asked(FaultSite::Exports), [""; 0]);
    assert_eq!(here.home.spent(), (0, 0));
}

#[test]
fn with_the_context_api_alone_and_nothing_local_every_tab_says_what_it_lacks() {
    let service = Service::start();
    let home = service.home(DemoRole::ContextOnly);
    let mut terminal = explorer(&service, home.root.path(), DemoRole::ContextOnly);

    // Lookup: one query, and where counts would come from.
    terminal.press("i");
    terminal.type_text(ADDRESS);
    terminal.press("enter");
    line_with(&terminal, &[ADDRESS, "LIVE", "just now"]);
    terminal.wait_for("No feed is local: 4 opens Feeds");
    assert_eq!(lookups(&service), 1);

    // A network: the browser has nothing to show.
    terminal.press("i");
    terminal.type_text("198.51.100.0/24");
    terminal.press("enter");
    terminal.wait_for("feed is local to browse");
    terminal.press("esc");
    terminal.wait_for("NORMAL");

    // Comparing days takes a right that this token lacks.
    terminal.press("c");
    terminal.wait_for("Compare with");
    terminal.type_text("-9");
    terminal.wait_for("1 query");
    terminal.press("enter");
    terminal.wait_for("(403)");
    terminal.press("esc");
    terminal.wait_for("Pivot (enter)");

    // Tags: the list is a feed, which this token may not download; a tag by its name is free.
    terminal.press("2");
    terminal.wait_for("p tries again to download service-metrics");
    terminal.press("p");
    terminal.wait_for("(403): token valid, no feed access");
    terminal.press("i");
    terminal.type_text("ACME_VPN");
    terminal.press("enter");
    terminal.wait_for("Acme Virtual Private Network");
    terminal.wait_for("no feed of addresses is local");

    // Quota: what each host allows, and what follows.
    terminal.press("3");
    terminal.wait_for("4,999 queries remaining");
    saved(&terminal, ["1", "-", "-", "-"]);
    terminal.press("t");
    for told in ["no feed access", "no historical access", "no export access"] {
        terminal.wait_for(told);
    }

    // Feeds and their browser: refused, with the reason and the way out.
    terminal.press("4");
    terminal.wait_for("x access denied");
    terminal.wait_for("(403): token valid, no");
    terminal.wait_for("exports need an enterprise organization");
    terminal.press("enter");
    terminal.wait_for("anonymous latest: the feeds host denied access (403)");

    // Export: nothing to count, and no right to ask for rows.
    terminal.press("5");
    terminal.wait_for("anonymous is not local: nothing is counted");
    terminal.wait_for("no feed access: p tries again");
    terminal.press("S");
    terminal.wait_for("the exports host denied access (403)");
    terminal.wait_for("no export access; the service");

    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(lookups(&service), 2, "{:?}", telling(&service));
}

#[test]
fn every_answer_names_its_source_its_day_and_its_age() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "service-metrics"]);
    let [day, day_of_tags] = ["anonymous", "service-metrics"]
        .map(|feed| here.day(feed).parse::<Day>().expect("a day").dashed());
    let home = here.home.root.path();
    let mut terminal = explorer(&service, home, DemoRole::Full);
    // All sources of a record are on the screen.
    terminal.resize(120, 50);

    // Lookup: local, then live with the local one beside it.
    terminal.press("i");
    terminal.type_text(ADDRESS);
    terminal.press("enter");
    line_with(
        &terminal,
        &[ADDRESS, &format!("LOCAL anonymous {day}, "), " old"],
    );
    terminal.press("R");
    line_with(&terminal, &[ADDRESS, "LIVE ", ", just now"]);
    dated_rows(&terminal, &["live ", "anonymous "]);

    // Tags: local, counted, live.
    terminal.press("2");
    terminal.press("/");
    terminal.type_text("ACME_VPN");
    terminal.press("enter");
    line_with(
        &terminal,
        &[
            &format!("local, service-metrics of {day_of_tags}, "),
            " old",
        ],
    );
    line_with(&terminal, &["In your feeds", &day]);
    line_with(&terminal, &["anonymous ", "operator"]);
    terminal.press("R");
    terminal.gone("local, service-metrics of ");
    terminal.press("tab G");
    terminal.wait_for("Provenance");
    line_with(&terminal, &["answer", "live"]);

    // Quota: which answer named the balance, and when.
    terminal.press("3");
    line_with(
        &terminal,
        &["source", "x-balance-remaining of your last lookup", "Z)"],
    );

    // Feeds and the browser.
    terminal.press("4");
    terminal.wait_for("AGE");
    dated_rows(&terminal, &["anonymous ", "service-metrics "]);
    terminal.press("g enter");
    line_with(
        &terminal,
        &[&format!(" anonymous {day}  "), " old", "exact"],
    );

    // Export.
    terminal.press("5");
    line_with(&terminal, &[&format!("[local] anonymous {day}, "), " old"]);
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

/// Waits until a row of each of these names has a day and an age.
#[track_caller]
fn dated_rows(terminal: &Terminal, names: &[&str]) {
    let is_age = |word: &str| {
        let number = word.trim_end_matches(['m', 'h', 'd', 's']);
        word == "now" || (number != word && number.parse::<u32>().is_ok())
    };
    let is_dated = |line: &str| {
        let mut words = line.split_whitespace();
        words.any(|word| word.parse::<Day>().is_ok() || word.len() == 10 && word.starts_with("20"))
            && line.split_whitespace().any(is_age)
    };
    for name in names {
        let of_name = |line: &&str| line.contains(&format!(" {name}"));
        terminal.wait_until(&format!("{name}with a day and an age"), |screen| {
            screen.lines().filter(of_name).any(is_dated)
        });
    }
}

/// An answer of an earlier run stands for a query, and is counted as one that was saved.
#[test]
fn a_cached_answer_names_its_day_and_age_and_is_a_query_saved() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for round in 0..2 {
        let mut terminal = explorer(&service, home.root.path(), DemoRole::Full);
        terminal.press("i");
        terminal.type_text(ADDRESS);
        terminal.press("enter");
        let badge = if round == 0 { "LIVE " } else { "CACHED " };
        line_with(&terminal, &[ADDRESS, badge, ", "]);
        assert_eq!(lookups(&service), 1);
        if round == 1 {
            terminal.press("3");
            saved(&terminal, ["1", "-", "1", "-"]);
        }
        terminal.press("q");
        assert_eq!(terminal.exit_code(), 0);
    }
    let ledger = home.read("state/ledger");
    assert!(
        ledger.contains(r#""kind":"saved""#) && ledger.contains(r#""by":"cache""#),
        "{ledger}"
    );
}
