//! The browser in the whole application: keys and answers in, questions and screens out.

use std::{path::PathBuf, time::Duration};

use crate::{
    contract::Feed,
    engine::{
        DiffRecord, Error, Kind, OnDisk,
        views::{ClauseCount, FacetCounts, Page, View, ViewQuery},
    },
    model::{Document, Keyword, compare::compare},
    store::{
        DaySource, Filter, Manifest, Moment, diff,
        index::{Facet, FacetBy, Order},
        layout::Release,
    },
    tui::{
        ctx::{
            place::Place,
            request::{Answer, Question},
            trail::Stop,
        },
        harness::{Harness, copied, facts, questions},
        shell::registry::TabId,
    },
};

fn release(feed: Feed, moment: &str) -> Release {
    let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
    let file = "feed-1.json.gz".to_owned();
    let manifest = Manifest::new(
        feed,
        Moment::parse(moment).expect(moment),
        DaySource::Header,
        false,
        file.clone(),
        1_600_000_000,
        "0123456789abcdef".repeat(4),
        format!("/v2/{feed}/latest.json.gz"),
        at,
    );
    Release {
        manifest,
        data: PathBuf::from("/cache/feeds").join(feed.name()).join(file),
    }
}

fn record(position: u64) -> Document {
    let (third, last) = (100 + position / 200, position % 200);
    let operator = if position.is_multiple_of(3) {
        "BRAVO_PROXY"
    } else {
        "ACME_VPN"
    };
    let clients = 4000_u64.saturating_sub(position);
    let text = format!(
        r#"{{"ip":"198.51.{third}.{last}","as":{{"number":64500}},"client":{{"count":{clients},"proxies":["WIDGET_PROXY"]}},
        "infrastructure":"DATACENTER","location":{{"city":"Amsterdam","country":"NL"}},"risks":["TUNNEL","CALLBACK_PROXY"],
        "tunnels":[{{"type":"VPN","operator":"{operator}"}},{{"type":"PROXY"}}]}}"#
    );
    Document::read(text.as_bytes()).expect("a record")
}

/// The answer to a question about rows of a feed of so many records.
fn page(question: &Question, count: u64, newer: Option<&str>) -> Answer {
    let Question::Page(query, positions) = question else {
        panic!("{question:?}")
    };
    let moment = query
        .day
        .map_or_else(|| "20261120".to_owned(), |day| day.to_string());
    let end = positions.end.min(count);
    Answer::Page(Page {
        view: View {
            release: release(query.feed, &moment),
            records: 20_104_877,
            count,
            took: Duration::from_millis(3),
            newer: newer.map(|moment| Moment::parse(moment).expect(moment)),
        },
        first: positions.start,
        rows: (positions.start..end)
            .map(|position| Ok(record(position)))
            .collect(),
    })
}

fn view(filter: &str, day: Option<&str>) -> ViewQuery {
    ViewQuery {
        feed: Feed::Anonymous,
        day: day.map(|day| day.parse().expect("day")),
        filter: filter.parse().expect(filter),
        order: Order::Clients,
    }
}

/// Answers all questions about rows, as often as more are asked.
fn answer_pages(stage: &mut Harness, count: u64) {
    answer_pages_beside(stage, count, None);
}

fn answer_pages_beside(stage: &mut Harness, count: u64, newer: Option<&str>) {
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    while let Some((_, question)) = stage.asked.iter().rfind(|(_, own)| is_page(own)).cloned() {
        stage.answer_any(is_page, Ok(page(&question, count, newer)));
    }
}

fn answer_facets(stage: &mut Harness) {
    let is_facets = |question: &Question| matches!(question, Question::Facets(..));
    while let Some((_, question)) = stage.asked.iter().rfind(|(_, own)| is_facets(own)).cloned() {
        let Question::Facets(_, fields, _) = question else {
            panic!("facets")
        };
        let counts = |by: &FacetBy| {
            let values: &[(&str, u64)] = match by {
                FacetBy::Keyword(Keyword::Tag) => &[
                    ("ACME_VPN", 41_198),
                    ("BRAVO_PROXY", 1204),
                    ("CARGO_VPN", 36),
                ],
                FacetBy::Keyword(Keyword::Cc) => &[("NL", 41_198), ("DE", 9000)],
                FacetBy::Keyword(Keyword::Infra) => &[("DATACENTER", 40_000), ("MOBILE", 90)],
                _ => &[],
            };
            let facet = |(value, count): &(&str, u64)| Facet {
                value: (*value).to_owned(),
                count: *count,
            };
            FacetCounts {
                by: by.clone(),
                values: values.iter().map(facet).collect(),
                distinct: values.len() + if values.len() == 3 { 600 } else { 0 },
                among: 50_000,
            }
        };
        let found = fields.iter().map(counts).collect();
        stage.answer_any(is_facets, Ok(Answer::Facets(found)));
    }
}

/// The browser of a feed of so many records.
fn browsing(width: u16, height: u16, filter: &str, count: u64) -> Harness {
    let mut stage = Harness::new(width, height);
    stage.app.tab = TabId::Feeds;
    go(&mut stage, view(filter, None));
    answer_pages(&mut stage, count);
    answer_facets(&mut stage);
    stage
}

fn go(stage: &mut Harness, query: ViewQuery) {
    let cmds = stage.go(Place::Browse(query));
    assert!(!cmds.is_empty());
}

fn filter_of(question: &Question) -> String {
    match question {
        Question::Page(query, _) | Question::Clauses(query) => query.filter.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn records_with_facets_beside_them() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN cc:NL -infra:MOBILE", 41_198);
    insta::assert_snapshot!(stage.screen());
    insta::assert_snapshot!(stage.screen_at(80, 24));
    stage.draws_at_any_size();
}

#[test]
fn before_rows_are_there_and_where_they_cannot_be_read() {
    let mut stage = Harness::new(80, 24);
    go(&mut stage, view("", None));
    let screen = stage.screen();
    assert!(screen.contains("opening anonymous"), "{screen}");
    stage.draws_at_any_size();
    stage.screen_at(80, 24);
    let error = Error::new(Kind::NotFound, "the feed anonymous is not on this disk");
    let error = error.hint("p downloads it");
    stage.answer_any(
        |question| matches!(question, Question::Page(..)),
        Err(error),
    );
    insta::assert_snapshot!(stage.screen());
    stage.draws_at_any_size();
}

#[test]
fn a_failure_leaves_the_rows_that_were_there() {
    let mut stage = browsing(80, 24, "", 41_198);
    stage.keys("/cc:NL<enter>");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    stage.answer_any(
        |question| matches!(question, Question::Page(..)),
        Err(error),
    );
    let screen = stage.screen();
    assert!(
        screen.contains("the index is damaged") && screen.contains("198.51.100.0"),
        "{screen}"
    );
}

#[test]
fn a_view_keeps_to_its_release_and_names_a_newer_one() {
    let mut stage = browsing(120, 36, "", 41_198);
    assert_eq!(
        stage.app.trail.here(),
        Some(&Stop::View(view("", Some("20261120"))))
    );
    stage.keys("G");
    answer_pages_beside(&mut stage, 41_198, Some("20261121"));
    let screen = stage.screen();
    assert!(
        screen.contains("newer release 2026-11-21: R opens it"),
        "{screen}"
    );
    let cmds = stage.keys("R");
    let asked = questions(&cmds);
    let [Question::Page(query, _)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(query.day, None);
    stage.pass(1);
    assert!(stage.screen().contains("2026-11-20"), "the old rows stay");
}

#[test]
fn a_stale_release_is_marked() {
    let mut stage = browsing(120, 36, "", 41_198);
    assert!(!stage.screen().contains("stale"));
    stage.pass(60 * 60 * 24 * 4);
    let screen = stage.screen();
    assert!(screen.contains("! stale, 4 days old"), "{screen}");
}

#[test]
fn scrolling_asks_for_ranges_and_jumps_show_old_rows_until_the_new_ones_come() {
    let mut stage = browsing(120, 36, "", 41_198);
    assert!(
        questions(&stage.keys("<down><down><down>")).is_empty(),
        "they are at hand"
    );
    let cmds = stage.keys("G");
    let asked = questions(&cmds);
    let [Question::Page(_, positions)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert!(
        positions.start > 41_000 && positions.end > 41_198,
        "{positions:?}"
    );
    assert!(stage.screen().contains("198.51.100.0"), "the old rows stay");
    answer_pages(&mut stage, 41_198);
    let screen = stage.screen();
    assert!(screen.contains("41,198 of 41,198"), "{screen}");
    let cmds = stage.keys("g");
    assert_eq!(questions(&cmds).len(), 1);
    let cmds = stage.keys("#20,000<enter>");
    let asked = questions(&cmds);
    let Some(Question::Page(_, positions)) = asked.last() else {
        panic!("{asked:?}")
    };
    assert!(positions.contains(&19_999), "{positions:?}");
    assert_eq!(
        stage
            .asked
            .iter()
            .filter(|(_, own)| matches!(own, Question::Page(..)))
            .count(),
        1,
        "the older question is dropped"
    );
}

#[test]
fn an_address_is_gone_to() {
    let mut stage = browsing(120, 36, "", 41_198);
    let cmds = stage.keys("#198.51.100.77<enter>");
    let asked = questions(&cmds);
    let [Question::Position(_, network)] = asked.as_slice() else {
        panic!("{cmds:?}")
    };
    assert_eq!(network.to_string(), "198.51.100.77/32");
    stage.answer_any(
        |own| matches!(own, Question::Position(..)),
        Ok(Answer::Position(Some(7000))),
    );
    answer_pages(&mut stage, 41_198);
    assert!(stage.screen().contains("7,001 of 41,198"));
    stage.keys("#192.0.2.1<enter>");
    stage.answer_any(
        |own| matches!(own, Question::Position(..)),
        Ok(Answer::Position(None)),
    );
    assert_eq!(
        stage.notice(),
        "no record of this view covers 192.0.2.1 or lies in it"
    );
    stage.keys("#nonsense<enter>");
    assert_eq!(
        stage.notice(),
        "\"nonsense\" is neither a row number nor an address"
    );
}

#[test]
fn a_filter_is_applied_while_it_is_typed_and_restored_by_escape() {
    let mut stage = browsing(120, 36, "cc:NL", 41_198);
    stage.keys("/");
    let cmds = stage.types("clients>20");
    let asked: Vec<String> = questions(&cmds)
        .iter()
        .filter(|own| matches!(own, Question::Page(..)))
        .map(filter_of)
        .collect();
    assert_eq!(asked, ["cc:NL clients>2", "cc:NL clients>20"]);
    let pages = stage
        .asked
        .iter()
        .filter(|(_, own)| matches!(own, Question::Page(..)));
    assert_eq!(pages.count(), 1, "the older question is dropped");
    answer_pages(&mut stage, 12);
    assert!(stage.screen().contains("12 of 20,104,877 records"));
    stage.keys("<esc>");
    answer_pages(&mut stage, 41_198);
    let screen = stage.screen();
    assert!(
        screen.contains("41,198 of 20,104,877 records") && screen.contains("/ cc:NL"),
        "{screen}"
    );
    stage.keys("/clients>20<enter>");
    answer_pages(&mut stage, 12);
    assert_eq!(
        stage.app.trail.here(),
        Some(&Stop::View(view("cc:NL clients>20", Some("20261120"))))
    );
    stage.keys("u");
    assert!(stage.screen().contains("/ cc:NL "), "undo");
    stage.keys("<ctrl-r>");
    assert!(stage.screen().contains("clients>20"), "redo");
    answer_pages(&mut stage, 12);
    stage.keys("/<ctrl-u><up>");
    assert!(stage.screen().contains("/ cc:NL clients>20"), "history");
}

#[test]
fn a_mistake_is_shown_at_its_place_and_fields_and_values_complete() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("/tga:x");
    insta::assert_snapshot!(
        stage
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    stage.draws_at_any_size();
    stage.keys("<ctrl-u>cc:NL in");
    assert!(stage.screen().contains("kind of infrastructure"));
    stage.keys("<tab>MOB");
    answer_facets(&mut stage);
    insta::assert_snapshot!(
        stage
            .screen()
            .lines()
            .take(6)
            .collect::<Vec<_>>()
            .join("\n")
    );
    stage.keys("<tab><enter>");
    answer_pages(&mut stage, 5);
    assert_eq!(
        stage.app.trail.here(),
        Some(&Stop::View(view("cc:NL infra:MOBILE", Some("20261120"))))
    );
}

#[test]
fn without_a_record_a_clause_can_be_dropped() {
    let mut stage = browsing(80, 24, "", 41_198);
    stage.keys("/tag:ACME_VPN infra:SATELLITE<enter>");
    answer_pages(&mut stage, 0);
    let Some((_, question)) = stage
        .asked
        .iter()
        .rfind(|(_, own)| matches!(own, Question::Clauses(_)))
        .cloned()
    else {
        panic!("{:?}", stage.asked)
    };
    assert_eq!(filter_of(&question), "tag:ACME_VPN infra:SATELLITE");
    let filter: Filter = filter_of(&question).parse().expect("a filter");
    let count = |at: usize, alone, without| ClauseCount {
        term: filter.terms[at].clone(),
        alone,
        without,
    };
    let counts = vec![count(0, 41_198, 3), count(1, 3, 41_198)];
    stage.answer_any(
        |own| matches!(own, Question::Clauses(_)),
        Ok(Answer::Clauses(counts)),
    );
    insta::assert_snapshot!(stage.screen());
    stage.draws_at_any_size();
    stage.screen_at(80, 24);
    let cmds = stage.keys("<enter>");
    assert_eq!(filter_of(&questions(&cmds)[0]), "tag:ACME_VPN");
}

#[test]
fn facets_write_the_visible_filter() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("f<down>");
    let filter_after = |stage: &mut Harness, keys: &str| -> String {
        stage.keys(keys);
        answer_pages(stage, 900);
        answer_facets(stage);
        match stage.app.trail.here() {
            Some(Stop::View(query)) => query.filter.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(filter_after(&mut stage, "<enter>"), "tag:BRAVO_PROXY");
    assert_eq!(
        filter_after(&mut stage, "<down> "),
        "tag:BRAVO_PROXY,CARGO_VPN"
    );
    assert_eq!(
        filter_after(&mut stage, "<down>-"),
        "tag:BRAVO_PROXY,CARGO_VPN -cc:NL"
    );
    insta::assert_snapshot!(stage.screen());
    assert_eq!(filter_after(&mut stage, "-"), "tag:BRAVO_PROXY,CARGO_VPN");
    assert_eq!(filter_after(&mut stage, "<up><enter>"), "tag:CARGO_VPN");
    assert_eq!(filter_after(&mut stage, "<enter>"), "");
}

#[test]
fn cells_filter_and_copy() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("<right>=");
    answer_pages(&mut stage, 900);
    stage.keys("<right>-");
    answer_pages(&mut stage, 900);
    let here = Stop::View(view("tag:BRAVO_PROXY -infra:DATACENTER", Some("20261120")));
    assert_eq!(stage.app.trail.here(), Some(&here));
    assert_eq!(copied(&stage.keys("yv")), Some("DATACENTER"));
    assert_eq!(copied(&stage.keys("yi")), Some("198.51.100.0"));
    let row = stage.keys("yr");
    let row = copied(&row).expect("a row");
    assert!(
        row.starts_with("198.51.100.0\tVPN BRAVO_PROXY; PROXY\tDATACENTER\tNL"),
        "{row}"
    );
    stage.keys("<right><right>=");
    assert_eq!(stage.notice(), "no filter by this cell of CITY");
    stage.keys("<enter>");
    insta::assert_snapshot!(stage.screen_at(80, 24));
    stage.keys("<esc><left><left><left><left>  ");
    let marked = stage.keys("yi");
    assert_eq!(copied(&marked), Some("198.51.100.0\n198.51.100.1"));
}

#[test]
fn enter_looks_up_and_back_returns_to_the_row_the_scroll_and_the_filter() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN", 41_198);
    stage.keys("#5,000<enter>");
    answer_pages(&mut stage, 41_198);
    let before = stage.screen();
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
    stage.keys("<esc><back>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    assert_eq!(
        stage.screen().lines().skip(1).take(30).collect::<Vec<_>>(),
        before.lines().skip(1).take(30).collect::<Vec<_>>()
    );
}

#[test]
fn a_stale_record_says_the_price_before_it_is_looked_up() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.pass(60 * 60 * 24 * 4);
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Feeds);
    let screen = stage.screen();
    assert!(
        screen.contains("look up 198.51.100.0") && screen.contains("1 query, unless"),
        "{screen}"
    );
    stage.keys("<enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
}

#[test]
fn the_order_changes_and_the_cursor_stays_on_its_record() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("<down><down>");
    let cmds = stage.keys("s");
    let asked = questions(&cmds);
    assert!(
        asked
            .iter()
            .any(|own| matches!(own, Question::Page(query, _) if query.order == Order::Address)),
        "{asked:?}"
    );
    assert!(asked.iter().any(|own| matches!(own, Question::Position(_, network) if network.to_string() == "198.51.100.2/32")), "{asked:?}");
    answer_pages(&mut stage, 41_198);
    stage.answer_any(
        |own| matches!(own, Question::Position(..)),
        Ok(Answer::Position(Some(9))),
    );
    assert!(stage.screen().contains("10 of 41,198"));
}

#[test]
fn the_filter_goes_into_an_export_as_far_as_it_can() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN cc:NL -infra:MOBILE", 41_198);
    stage.keys("E");
    assert_eq!(stage.app.tab, TabId::Export);
    let screen = stage.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("NL"),
        "{screen}"
    );
    let said: Vec<&str> = stage
        .app
        .notices
        .log()
        .map(|notice| notice.text.as_str())
        .collect();
    assert!(
        said.contains(&"an export cannot have -infra:MOBILE: left out"),
        "{said:?}"
    );
}

fn compared(stage: &mut Harness) -> (Question, Question) {
    let disk = OnDisk {
        releases: vec![
            release(Feed::Anonymous, "20261120"),
            release(Feed::Anonymous, "20261119"),
        ],
        ..OnDisk::default()
    };
    let is_releases = |question: &Question| matches!(question, Question::Releases);
    stage.answer_any(is_releases, Ok(Answer::Releases(disk)));
    answer_pages(stage, 41_198);
    let cmds = stage.keys("c");
    let asked = questions(&cmds);
    let [records, summary] = asked.as_slice() else {
        panic!("{asked:?}")
    };
    (records.clone(), summary.clone())
}

fn differing() -> Vec<DiffRecord> {
    let read = |text: &str| Document::read(text.as_bytes()).expect(text);
    let before = read(
        r#"{"ip":"198.51.100.8","client":{"count":3},"tunnels":[{"operator":"BRAVO_PROXY"}]}"#,
    );
    let after =
        read(r#"{"ip":"198.51.100.8","client":{"count":14},"tunnels":[{"operator":"ACME_VPN"}]}"#);
    let differences = compare(before.value(), after.value()).into_iter();
    vec![
        DiffRecord {
            kind: diff::Kind::Added,
            before: None,
            after: Some(record(7)),
            differences: Vec::new(),
        },
        DiffRecord {
            kind: diff::Kind::Changed,
            differences: differences.filter(|own| own.a != own.b).collect(),
            before: Some(before),
            after: Some(after),
        },
        DiffRecord {
            kind: diff::Kind::Deleted,
            before: Some(record(9)),
            after: None,
            differences: Vec::new(),
        },
    ]
}

#[test]
fn two_days_are_compared() {
    let mut stage = browsing(120, 36, "tag:ACME_VPN", 41_198);
    let (records, summary) = compared(&mut stage);
    assert!(stage.screen().contains("comparing"));
    stage.answer(&records, Ok(Answer::Diff(differing())));
    let counts = diff::Counts {
        appeared: 1,
        left: 1,
        changed: 1,
    };
    let tallied = |value: &str| diff::Tallied {
        value: value.to_owned(),
        counts,
    };
    let found = diff::Summary {
        totals: counts,
        operators: vec![tallied("ACME_VPN")],
        countries: vec![tallied("NL")],
        moves: vec![diff::Move {
            from: "BRAVO_PROXY".to_owned(),
            to: "ACME_VPN".to_owned(),
            count: 1,
        }],
        cut: false,
    };
    stage.answer(&summary, Ok(Answer::DiffSummary(found)));
    stage.keys("<down>");
    insta::assert_snapshot!(stage.screen());
    insta::assert_snapshot!(stage.screen_at(80, 24));
    stage.draws_at_any_size();
    stage.keys("<down><enter>");
    assert_eq!(
        stage.app.tab,
        TabId::Feeds,
        "a removed record costs a query"
    );
    assert!(stage.notice().contains("1 query"), "{}", stage.notice());
    stage.keys("<up><enter>");
    assert_eq!(stage.app.tab, TabId::Lookup);
    stage.keys("<esc><back>");
    assert!(stage.screen().contains("ADDRESS"));
}

#[test]
fn days_that_cannot_be_compared_say_why() {
    let mut stage = browsing(80, 24, "", 41_198);
    let (records, _) = compared(&mut stage);
    let error = Error::new(Kind::NotFound, "no release of 2026-11-19 is local");
    stage.answer(&records, Err(error));
    let screen = stage.screen();
    assert!(
        screen.contains("x no release of 2026-11-19 is local"),
        "{screen}"
    );
    stage.keys("<esc>");
    assert!(stage.screen().contains("1 of 41,198"));
}

#[test]
fn columns_are_chosen_and_scrolled_sideways() {
    let mut stage = browsing(80, 24, "", 41_198);
    assert!(!stage.screen().contains("PROXIES"));
    stage.keys("<right><right><right><right><right><right><right><right>");
    let screen = stage.screen();
    assert!(
        screen.contains("PROXIES") && screen.contains("198.51.100.0"),
        "{screen}"
    );
    stage.keys("C<enter>");
    assert!(stage.screen().contains("[ ] OPERATORS"));
    stage.keys("<esc><left><left><left><left><left><left><left><left>");
    let screen = stage.screen();
    assert!(
        screen.contains("ADDRESS") && !screen.contains("OPERATORS"),
        "{screen}"
    );
}

#[test]
fn the_table_of_feeds_opens_what_is_local_and_comes_back() {
    let (mut stage, _) = Harness::on_with(facts(), TabId::Feeds);
    let disk = OnDisk {
        releases: vec![release(Feed::Anonymous, "20261120")],
        ..OnDisk::default()
    };
    stage.answer(&Question::Releases, Ok(Answer::Releases(disk)));
    let cmds = stage.keys("<enter>");
    assert!(
        matches!(questions(&cmds)[..], [Question::Page(..)]),
        "{cmds:?}"
    );
    answer_pages(&mut stage, 41_198);
    stage.keys("<back>");
    assert!(stage.screen().contains("GENERATED"), "the table");
    stage.keys("<enter>");
    answer_pages(&mut stage, 41_198);
    stage.keys("q");
    let cmds = stage.keys("<down><enter>");
    assert!(
        matches!(questions(&cmds)[..], [Question::Pull(_)]),
        "{cmds:?}"
    );
}
