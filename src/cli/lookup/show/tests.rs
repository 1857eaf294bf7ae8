//! What an answer looks like in each format.

use std::time::Duration;

use super::*;
use crate::{
    cli::console::tests::console,
    contract::Feed,
    engine::{AnswerRecord, LocalRecord, Provenance},
    model::{Context, Day, Document},
    store::{DaySource, Manifest, Moment},
};

fn answered(sent: Option<&str>) -> LookupAnswer {
    let document = sent.map(|sent| Document::read(sent.as_bytes()).expect("document"));
    let record = document.map(|document| {
        let context = Context::decode(document.value()).expect("record");
        AnswerRecord { context, document }
    });
    let provenance = Provenance {
        url: String::new(),
        status: 200,
        asked_at: "2026-11-20T10:00:00.25Z".parse().expect("timestamp"),
        elapsed: Duration::from_millis(7),
        attempts: 1,
        cost: 1,
        possibly_spent: 0,
        balance: Some(48_119),
        data_date: Day::new(2026, 11, 20),
        clock_off: None,
    };
    LookupAnswer { record, provenance }
}

fn shown(format: ResultFormat, sent: Option<&str>) -> String {
    said(
        format,
        &AnswerPart::answered(Source::Live, answered(sent), false),
    )
}

fn said(format: ResultFormat, part: &AnswerPart) -> String {
    typed(format, part, None)
}

fn typed(format: ResultFormat, part: &AnswerPart, input: Option<&str>) -> String {
    let (console, out, _) = console(format);
    let shown = ShownPart {
        query: "198.51.100.77",
        input,
        part,
        geolocation: Geolocation::Service,
        date: None,
        written: TicketStamp {
            at: "2026-11-20T23:14:00Z".parse().expect("timestamp"),
            invented: false,
        },
        values: OnceCell::new(),
        recent: None,
    };
    shown.print(&console).expect("results");
    out.text()
}

fn release(feed: Feed) -> Release {
    let moment = Moment::parse("20261120").expect("day");
    let [file, hash, target] = ["", "", ""].map(str::to_owned);
    let now = jiff::Timestamp::UNIX_EPOCH;
    let (source, data) = (DaySource::Header, file.clone().into());
    let manifest = Manifest::new(feed, moment, source, false, file, 0, hash, target, now);
    Release { manifest, data }
}

fn local(feed: Feed, sent: &str, stale: bool, inside: Option<u64>) -> AnswerPart {
    let document = Document::read(sent.as_bytes()).expect("document");
    let record = LocalRecord {
        release: release(feed),
        document,
    };
    AnswerPart {
        stale,
        inside,
        ..AnswerPart::of(
            SourceRecord::Record(Box::new(record)),
            Duration::from_millis(3),
        )
    }
}

fn no_record(feeds: &[Feed], inside: Option<u64>, unread: usize) -> AnswerPart {
    let none = SourceRecord::NoRecord {
        releases: feeds.iter().copied().map(release).collect(),
        unread,
    };
    AnswerPart {
        inside,
        ..AnswerPart::of(none, Duration::ZERO)
    }
}

const SENT: &str = r#"{"ip":"198.51.100.77","as":{"number":64500,"organization":"Example, Inc"},"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}],"risks":["TUNNEL","GEO_MISMATCH"]}"#;

#[test]
fn a_line_of_json_has_the_keys_of_the_contract_in_order() {
    let head = r#"{"query":"198.51.100.77","source":"live","feed":null,"day":"20261120","cost":1,"balance":48119,"elapsed_ms":7,"record":"#;
    assert_eq!(
        shown(ResultFormat::Json, Some(SENT)),
        format!("{head}{SENT}}}\n")
    );
    assert_eq!(shown(ResultFormat::Json, None), format!("{head}null}}\n"));
}

#[test]
fn a_row_has_a_cell_for_each_column() {
    let row = shown(ResultFormat::Csv, Some(SENT));
    assert_eq!(
        row,
        "198.51.100.77,live,,20261120,1,48119,198.51.100.77,,64500,\"Example, Inc\",,,,,,observed,VPN,ACME_VPN,,,,,TUNNEL GEO_MISMATCH,,,,\r\n"
    );
    assert_eq!(shown(ResultFormat::Csv, None).matches(',').count(), 26);
}

#[test]
fn text_says_where_it_comes_from_and_what_is_absent() {
    let text = shown(ResultFormat::Text, Some(SENT));
    let first = text.lines().next().expect("heading");
    assert_eq!(
        first,
        "198.51.100.77  live, of 2026-11-20, 1 query, balance 48,119"
    );
    assert!(
        text.contains("infrastructure    absent") && text.contains("ACME_VPN"),
        "{text}"
    );
    assert!(shown(ResultFormat::Text, None).contains("does not mean that it is harmless"));
}

#[test]
fn a_ticket_names_source_dates_and_what_is_not_known() {
    let ticket = shown(ResultFormat::Md, Some(SENT));
    for part in [
        "### 198[.]51[.]100[.]77",
        "**data date:** 2026-11-20",
        "**asked at:** 2026-11-20 10:00:00Z",
        "198[.]51[.]100[.]77 on 2026-11-20: VPN of ACME_VPN",
        "**anonymization:** observed: VPN of ACME_VPN\n",
        "**not known:** proxies",
    ] {
        assert!(ticket.contains(part), "{part}: {ticket}");
    }
    assert!(
        !ticket.contains("198.51") && !ticket.contains("tunnels["),
        "{ticket}"
    );
    insta::assert_snapshot!("ticket_live", ticket);
    insta::assert_snapshot!("ticket_no_record", shown(ResultFormat::Md, None));
}

#[test]
fn a_record_of_this_disk_names_its_feed_and_day_and_costs_nothing() {
    let block = r#"{"network":"198.51.100.0/25","organization":"Example Hosting","asn":64500}"#;
    let record = local(Feed::Dch, block, false, None);
    let shown = |format| said(format, &record);
    let head = r#"{"query":"198.51.100.77","source":"local","feed":"dch","day":"20261120","cost":0,"balance":null,"elapsed_ms":3,"record":"#;
    assert_eq!(shown(ResultFormat::Json), format!("{head}{block}}}\n"));
    assert_eq!(
        shown(ResultFormat::Csv),
        "198.51.100.77,local,dch,20261120,0,,,198.51.100.0/25,64500,,Example Hosting,,,,,,,,,,,,,,,,\r\n"
    );
    let text = shown(ResultFormat::Text);
    assert!(
        text.starts_with("198.51.100.77  local, dch of 2026-11-20, free\n"),
        "{text}"
    );
    let ticket = shown(ResultFormat::Md);
    for part in [
        "feed dch, local",
        "**data date:** 2026-11-20",
        "198[.]51[.]100[.]0/25",
    ] {
        assert!(ticket.contains(part), "{part}: {ticket}");
    }
    insta::assert_snapshot!("ticket_local", ticket);
}

#[test]
fn no_record_names_what_was_asked() {
    let feeds = [Feed::Anonymous, Feed::Dch];
    let shown = |format, feeds: &[Feed]| said(format, &no_record(feeds, None, 0));
    let line = |feed: &str, day: &str, searched: &str| {
        format!(
            r#"{{"query":"198.51.100.77","source":"local","feed":{feed},"day":{day},"cost":0,"balance":null,"elapsed_ms":0,"searched":[{searched}],"record":null}}"#
        ) + "\n"
    };
    let first = r#"{"feed":"anonymous","day":"20261120"}"#;
    let both = format!(r#"{first},{{"feed":"dch","day":"20261120"}}"#);
    assert_eq!(
        shown(ResultFormat::Json, &feeds),
        line("null", "null", &both)
    );
    assert_eq!(
        shown(ResultFormat::Json, &feeds[..1]),
        line("\"anonymous\"", "\"20261120\"", first)
    );
    for format in [ResultFormat::Text, ResultFormat::Md] {
        let text = shown(format, &feeds);
        assert!(
            text.contains("anonymous of 2026-11-20, dch of 2026-11-20"),
            "{text}"
        );
        assert!(text.contains("does not mean that it is harmless"), "{text}");
    }
}

#[test]
fn a_record_that_cannot_be_read_is_not_called_unknown() {
    let part = no_record(&[Feed::Anonymous], None, 1);
    assert!(said(ResultFormat::Json, &part).contains(
        r#""unread":1,"searched":[{"feed":"anonymous","day":"20261120"}],"record":null"#
    ));
    for format in [ResultFormat::Text, ResultFormat::Md] {
        let text = said(format, &part);
        assert!(
            text.contains("cannot be read") && !text.contains("harmless"),
            "{text}"
        );
    }
}

#[test]
fn a_network_says_how_many_records_are_inside() {
    let part = local(
        Feed::Dch,
        r#"{"network":"198.51.100.0/24"}"#,
        false,
        Some(1234),
    );
    let none = no_record(&[Feed::Anonymous], Some(12), 0);
    assert!(said(ResultFormat::Json, &part).contains(r#""inside":1234,"record":{"#));
    assert!(said(ResultFormat::Json, &none).contains(
        r#""inside":12,"searched":[{"feed":"anonymous","day":"20261120"}],"record":null}"#
    ));
    assert!(said(ResultFormat::Csv, &none).ends_with(",,12,\r\n"));
    assert!(said(ResultFormat::Text, &part).contains("records inside  1,234"));
    let text = said(ResultFormat::Text, &none);
    assert!(
        text.contains("none for the network or one that covers it") && !text.contains("harmless"),
        "{text}"
    );
    assert!(said(ResultFormat::Md, &none).contains("**records inside:** 12"));
}

#[test]
fn what_was_typed_stands_beside_the_query() {
    let part = AnswerPart::answered(Source::Live, answered(Some(SENT)), false);
    let line = typed(ResultFormat::Json, &part, Some("198[.]51[.]100[.]77"));
    let head = r#"{"query":"198.51.100.77","input":"198[.]51[.]100[.]77","source":"live","#;
    assert!(line.starts_with(head), "{line}");
}

#[test]
fn a_cached_answer_says_when_it_was_asked_and_whether_it_is_stale() {
    let cached = |stale| AnswerPart::answered(Source::Cached, answered(Some(SENT)), stale);
    let text = said(ResultFormat::Text, &cached(false));
    let heading = "198.51.100.77  cache, of 2026-11-20, asked at 2026-11-20 10:00:00Z, free\n";
    assert!(text.starts_with(heading), "{text}");
    let ticket = said(ResultFormat::Md, &cached(false));
    assert!(
        ticket.contains("cached answer of an earlier lookup"),
        "{ticket}"
    );
    assert!(!said(ResultFormat::Json, &cached(false)).contains("stale"));
    for part in [&cached(true), &local(Feed::Anonymous, SENT, true, None)] {
        assert!(said(ResultFormat::Json, part).contains(r#","stale":true,"record":{"#));
        assert!(said(ResultFormat::Csv, part).ends_with(",true,,\r\n"));
        assert!(said(ResultFormat::Text, part).contains(", stale, free"));
        assert!(said(ResultFormat::Md, part).contains("**stale:**"));
    }
}
