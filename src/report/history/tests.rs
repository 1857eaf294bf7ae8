use unicode_width::UnicodeWidthStr;

use super::*;
use crate::{
    contract::Feed,
    investigation::history::tests::{first, history},
    store::ReleasePlace,
};

/// The words of a history of a letter a day, from 2026-10-01 on.
fn of<T>(letters: &str, told: impl FnOnce(HistoryWords<'_>) -> T) -> T {
    let history = history(letters);
    told(HistoryWords {
        history: &history,
        subject: Subject::Address("198.51.100.7".parse().expect("an address")),
    })
}

#[test]
fn the_sentence_has_the_verdict_since_when_and_what_was_before() {
    for (letters, expected) in [
        (
            "AABB",
            "VPN of B_VPN since 2026-10-03; before: VPN of A_VPN",
        ),
        (
            "A?BB",
            "VPN of B_VPN since 2026-10-03 or earlier; before: VPN of A_VPN until 2026-10-01",
        ),
        ("BBBB", "VPN of B_VPN since 2026-10-01 or earlier"),
        ("??BB", "VPN of B_VPN since 2026-10-03 or earlier"),
        (
            "B?BB",
            "VPN of B_VPN since 2026-10-01 or earlier (1 day between not known)",
        ),
        (
            "A?B?!BB",
            "VPN of B_VPN since 2026-10-03 or earlier (2 days between not known); before: VPN of A_VPN until 2026-10-01",
        ),
        (
            "AB??B",
            "VPN of B_VPN since 2026-10-02 (2 days between not known); before: VPN of A_VPN",
        ),
        (
            "AAB?!",
            "as of 2026-10-03, the last known day by 2026-10-05: VPN of B_VPN since 2026-10-03; before: VPN of A_VPN",
        ),
        ("n-BB", "VPN of B_VPN since 2026-10-03; before: no record"),
        (
            "-p-p-p",
            "unattributed PROXY since 2026-10-06; before: no record; PROXY on 3 of the last 6 local days, last 2026-10-06",
        ),
        (
            "-p-p-p-p-p-",
            "no record on 2026-10-11; PROXY on 5 of the last 10 local days, last 2026-10-10",
        ),
        (
            "AAn",
            "no tunnel or proxy seen on 2026-10-03; VPN of A_VPN on 2 of the last 3 local days, last 2026-10-02",
        ),
        (
            "ABn",
            "no tunnel or proxy seen on 2026-10-03; VPN of B_VPN, A_VPN on 2 of the last 3 local days, last 2026-10-02",
        ),
        (
            "A-----------",
            "no record on 2026-10-12; VPN of A_VPN until 2026-10-01",
        ),
        (
            "----",
            "no record on 2026-10-04; no tunnel or proxy on any of 4 known days since 2026-10-01",
        ),
        (
            "?-?n",
            "no tunnel or proxy seen on 2026-10-04; no tunnel or proxy on any of 2 known days since 2026-10-02",
        ),
        ("-", "no record on 2026-10-01"),
        ("x", "unknown: a deciding field is unreadable on 2026-10-01"),
        ("?!", "no day from 2026-10-01 to 2026-10-02 is known"),
    ] {
        assert_eq!(of(letters, |words| words.sentence()), expected, "{letters}");
    }
}

#[test]
fn the_strip_has_dates_and_a_legend_and_fits_the_terminal() {
    let strip = |letters: &str, symbols, width| {
        of(letters, |words| {
            words.strip(symbols, TextStyle::PLAIN.with_width(width))
        })
    };
    assert_eq!(
        strip("ZY-p?n!xZ", StripSymbols::Unicode, None),
        "  2026-10-01  AB·●?–!%A  2026-10-09\n  A Z_VPN   B Y_VPN   ● no operator named   – no tunnel or proxy seen   \
        % a deciding field is unreadable   · no record   ? unknown   ! unreadable\n"
    );
    let ascii = strip("ZY-p?n!xZ", StripSymbols::Ascii, Some(60));
    assert!(
        ascii.is_ascii() && ascii.contains("  AB.*?-!%A  "),
        "{ascii}"
    );
    assert!(ascii.lines().all(|line| line.width() <= 60), "{ascii}");
    let long = "A".repeat(70) + "B";
    for width in [46, 80, 90] {
        let text = strip(&long, StripSymbols::Ascii, Some(width));
        assert!(text.lines().all(|line| line.width() <= width), "{text}");
        assert!(
            text.contains("~ days differ") && text.contains("7 days a cell"),
            "{text}"
        );
    }
    assert!(strip(&long, StripSymbols::Ascii, Some(100)).contains("AAAB  2026-12-10\n"));
}

#[test]
fn who_hears_it_hears_the_stretches() {
    assert_eq!(
        of("AA?-!u", |words| words.spoken()),
        "unknown (anonymous was not read): 2026-10-06; unreadable: 2026-10-05; no record: 2026-10-04; unknown (anonymous is not local): 2026-10-03; VPN of A_VPN: 2026-10-01 to 2026-10-02"
    );
    let many = of(&"AB".repeat(10), |words| words.spoken());
    assert!(
        many.ends_with("VPN of A_VPN: 2026-10-09; 8 more before"),
        "{many}"
    );
    let text = of("AB", |words| words.text(None, TextStyle::PLAIN));
    assert!(text.is_ascii() && !text.contains("  AB  "), "{text}");
}

#[test]
fn absent_unknown_and_unreadable_are_told_apart_by_programs() {
    let lines = of("A-?lu!", |words| {
        let columns = history_columns();
        let rows = words.stretches();
        rows.iter()
            .map(|row| columns.object(row).end())
            .collect::<Vec<_>>()
    });
    let beginning = |day: u8, known: bool, rest: &str| {
        format!(
            r#"{{"query":"198.51.100.7","from":"2026100{day}","to":"2026100{day}","days":1,"known":{known},{rest}"#
        )
    };
    let none = r#""verdict":null,"operators":[],"types":[],"record":null}"#;
    let without = |day, known, why: &str, source: &str| {
        beginning(
            day,
            known,
            &format!(r#""why":"{why}","source":{source},{none}"#),
        )
    };
    assert_eq!(
        lines[1..],
        [
            without(2, true, "no-record", r#""local""#),
            without(3, false, "not-local", "null"),
            without(4, false, "not-loaded", "null"),
            without(5, false, "unread", "null"),
            without(6, false, "unreadable", "null"),
        ]
    );
    let record = r#""source":"local","verdict":"VPN of A_VPN","operators":["A_VPN"],"types":["VPN"],"record":{"#;
    assert!(
        lines[0].starts_with(&beginning(1, true, record)),
        "{}",
        lines[0]
    );
}

#[test]
fn stretches_with_one_headline_show_what_tells_them_apart() {
    let record = |tunnels: &str| {
        let text = format!(r#"{{"ip":"198.51.100.7","tunnels":[{tunnels}]}}"#);
        let document = crate::model::Document::read(text.as_bytes()).expect("a record");
        DayFinding::of(&document, DaySource::Feeds(ReleasePlace::Local))
    };
    let acme = r#"{"type":"VPN","operator":"ACME_VPN","anonymous":true}"#;
    let both = format!(r#"{acme},{{"type":"PROXY"}}"#);
    let unknown = DayFinding::Unknown(UnknownDay::NotAt(ReleasePlace::Local, Feed::Anonymous));
    let shown = |findings: Vec<DayFinding>| {
        let history = History {
            from: first(),
            findings,
        };
        let words = HistoryWords {
            history: &history,
            subject: Subject::Network("198.51.100.0/24".parse().expect("a network")),
        };
        let columns = history_columns();
        let verdict = |row| columns.cells(row)[4].text.clone();
        words.stretches().iter().map(verdict).collect::<Vec<_>>()
    };
    let whole = "VPN of ACME_VPN; unattributed PROXY, anonymity unknown";
    assert_eq!(
        shown(vec![record(acme), record(&both)]),
        ["VPN of ACME_VPN", whole]
    );
    assert_eq!(
        shown(vec![
            DayFinding::Absent(DaySource::Feeds(ReleasePlace::Local)),
            unknown,
            record(&both)
        ]),
        [
            "no record of the network itself",
            "unknown (anonymous is not local)",
            "VPN of ACME_VPN"
        ]
    );
}

#[test]
fn the_last_days_are_told_and_counted() {
    let recent = |letters: &str| history(letters).recent();
    assert_eq!(
        recent_object(&recent("-pA")).end(),
        r#"{"days":3,"seen":2,"first":"20261002","last":"20261003","types":["VPN","PROXY"],"operators":["A_VPN"]}"#
    );
    assert_eq!(
        recent_object(&recent("?")).end(),
        r#"{"days":0,"seen":0,"first":null,"last":null,"types":[],"operators":[]}"#
    );
    for (letters, expected) in [
        (
            "-pA",
            Some("VPN, PROXY of A_VPN on 2 of the last 3 local days, last 2026-10-03"),
        ),
        (
            "A?",
            Some("VPN of A_VPN on the only local day, last 2026-10-01"),
        ),
        ("-", None),
        ("?", None),
    ] {
        assert_eq!(
            recent_in_words(&recent(letters)).as_deref(),
            expected,
            "{letters}"
        );
    }
}
