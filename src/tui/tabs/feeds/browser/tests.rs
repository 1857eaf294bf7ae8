//! Tests of the browser in the whole application: keys and answers in, questions and screens out.

mod cells;
mod days;
mod exports;
mod facets;
mod filter;
mod marks;
mod records;
mod rest;
mod sorting;
mod ways;

use std::{path::PathBuf, time::Duration};

use crate::{
    contract::Feed,
    engine::{
        DiffPage, DiffRecord, Error, Kind, OnDisk, UnknownValue,
        views::{ClauseCount, FacetCounts, View, ViewPage, ViewQuery},
    },
    model::{Document, Keyword, compare::compare},
    store::{
        DaySource, Filter, Manifest, Moment, diff,
        index::{Facet, FacetBy, Order},
        layout::Release,
    },
    tui::{
        ctx::{Answer, Destination, Facts, Question, TrailStop},
        harness::{Harness, copied, facts, questions},
        shell::registry::TabId,
    },
};

fn release(feed: Feed, moment: &str) -> Release {
    let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
    let file = "feed-1.json.gz".to_owned();
    let mut manifest = Manifest::new(
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
    manifest.generated_at = Some(manifest.moment.begins());
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

/// The answer to a request for rows of a feed with this number of records.
fn page(question: &Question, count: u64, newer: Option<&str>) -> Answer {
    let Question::Page(query, positions) = question else {
        panic!("{question:?}")
    };
    let moment = query
        .day
        .map_or_else(|| "20261120".to_owned(), |day| day.to_string());
    let end = positions.end.min(count);
    Answer::Page(ViewPage {
        view: View {
            release: release(query.feed, &moment),
            records: 20_104_877,
            count,
            took: Duration::from_millis(3),
            newer: newer.map(|moment| Moment::parse(moment).expect(moment)),
            beyond: None,
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

/// Answers all requests for rows, including those that follow.
fn answer_pages(harness: &mut Harness, count: u64) {
    answer_pages_beside(harness, count, None);
}

fn answer_pages_beside(harness: &mut Harness, count: u64, newer: Option<&str>) {
    let is_page = |question: &Question| matches!(question, Question::Page(..));
    while let Some((_, question)) = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_page(question))
        .cloned()
    {
        harness.answer_any(is_page, Ok(page(&question, count, newer)));
    }
}

fn answer_facets(harness: &mut Harness) {
    let is_facets = |question: &Question| matches!(question, Question::Facets(..));
    while let Some((_, question)) = harness
        .asked
        .iter()
        .rfind(|(_, question)| is_facets(question))
        .cloned()
    {
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
        harness.answer_any(is_facets, Ok(Answer::Facets(found)));
    }
}

/// The browser of a feed with this number of records.
fn browsing(width: u16, height: u16, filter: &str, count: u64) -> Harness {
    browsing_with(facts(), width, height, filter, count)
}

/// The browser with these facts.
fn browsing_with(facts: Facts, width: u16, height: u16, filter: &str, count: u64) -> Harness {
    let mut harness = Harness::with(facts, width, height);
    harness.app.tab = TabId::Feeds;
    go(&mut harness, view(filter, None));
    answer_pages(&mut harness, count);
    answer_facets(&mut harness);
    harness
}

fn go(harness: &mut Harness, query: ViewQuery) {
    let cmds = harness.go(Destination::Browse(query));
    assert!(!cmds.is_empty());
}

/// Unanswered questions of a kind.
fn waiting(harness: &Harness, is_it: impl Fn(&Question) -> bool) -> Vec<Question> {
    let asked = harness.asked.iter().map(|(_, question)| question);
    asked.filter(|question| is_it(question)).cloned().collect()
}

fn filter_of(question: &Question) -> String {
    match question {
        Question::Page(query, _) | Question::Clauses(query) => query.filter.to_string(),
        other => panic!("{other:?}"),
    }
}
