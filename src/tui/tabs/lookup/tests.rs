//! The Lookup tab by script: keys in, questions and state out, screens as text.

mod board;
mod board_facets;
mod board_lookups;
mod board_strip;
mod board_times;
mod boards;
mod compare;
mod days;
mod local;
mod notes;
mod queries;
mod start;
mod texts;
mod trail;

use jiff::SignedDuration;
use ratatui::layout::Size;

use crate::{
    contract::{Feed, Geolocation, LookupQuery},
    engine::{
        self, Error, Kind, LocalLookup, LocalRecord,
        answers::PolicyStep,
        config::AnswerOrder,
        views::{FacetCounts, HeldWithin, Pivot, PivotCount, PivotKind},
    },
    investigation::history::{self, DayFinding, History, tests::finding},
    model::{Admission, Document, Keyword},
    store::{
        DaySource, Manifest, Moment, ReleasePlace,
        index::{Facet, FacetBy},
        layout::Release,
    },
    tui::{
        ctx::{Answer, Cmd, Facts, JobId, Question, Tab as _, TokenState},
        harness::{self, Harness},
        shell::{msg::Msg, registry::TabId},
    },
};

const RECORD: &str = r#"{"ip":"198.51.100.77","organization":"Example Hosting customer 12","infrastructure":"DATACENTER",
"as":{"number":64500,"organization":"Example Hosting BV"},
"client":{"behaviors":["TOR_PROXY_USER"],"count":14,"countries":6,"proxies":["WIDGET_PROXY"],"spread":91400,"types":["MOBILE","DESKTOP"],
"concentration":{"city":"Kyiv","country":"UA","density":0.42,"geohash":"u8vx","skew":31}},
"location":{"city":"Amsterdam","state":"North Holland","country":"NL"},"risks":["TUNNEL","CALLBACK_PROXY"],
"services":["OPENVPN","IPSEC"],"extra":1,
"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"exits":["198.51.100.77","198.51.100.78"],"operator":"ACME_VPN","type":"VPN"},
{"anonymous":true,"type":"PROXY"}]}"#;

/// What is at hand from a day on, a letter a day; `=` is [`RECORD`].
fn days(from: &str, letters: &str) -> History {
    let record = Document::read(RECORD.as_bytes()).expect("a record");
    let of = |letter| match letter {
        '=' => DayFinding::of(&record, history::DaySource::Feeds(ReleasePlace::Local)),
        letter => finding(letter, 1),
    };
    History {
        from: from.parse().expect("a day"),
        findings: letters.chars().map(of).collect(),
    }
}

fn facts() -> Facts {
    Facts {
        token_source: "file".to_owned(),
        config_file: "/config.toml".into(),
        working_dir: "/".into(),
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    }
}

fn explorer(width: u16, height: u16) -> Harness {
    let mut harness = Harness::with(facts(), width, height);
    harness.pivots = pivots(&[]);
    harness
}

/// What shares something with the record, counted in these feeds.
fn pivots(feeds: &[Feed]) -> Vec<Pivot> {
    let moment = Moment::parse("20261120").expect("a day");
    let pivot = |kind, value: &str, filter: &str, records: u64| Pivot {
        kind,
        value: value.to_owned(),
        filter: filter.parse().expect(filter),
        counts: feeds
            .iter()
            .map(|feed| PivotCount {
                feed: *feed,
                moment,
                records,
            })
            .collect(),
    };
    vec![
        pivot(PivotKind::Operator, "ACME_VPN", "tag:ACME_VPN", 363),
        pivot(PivotKind::Entry, "198.51.100.70", "entry:198.51.100.70", 31),
        pivot(PivotKind::Exit, "198.51.100.77", "net:198.51.100.77", 1),
        pivot(PivotKind::Exit, "198.51.100.78", "net:198.51.100.78", 0),
        pivot(PivotKind::Proxy, "WIDGET_PROXY", "proxy:WIDGET_PROXY", 812),
        pivot(PivotKind::System, "64500", "asn:64500", 1204),
        pivot(
            PivotKind::Network,
            "198.51.100.0/24",
            "net:198.51.100.0/24",
            31,
        ),
    ]
}

/// Looks an address up by its keys; returns the newest job.
fn look_up(harness: &mut Harness, address: &str) -> JobId {
    if harness.app.tabs.lookup.field().is_none() {
        harness.keys("i");
    }
    harness.app.tabs.lookup.field().expect("the field").clear();
    harness.keys(address);
    harness.keys("<enter>");
    harness.asked.last().expect("a question").0
}

fn answer(harness: &mut Harness, job: JobId, text: &str) -> Vec<Cmd> {
    harness.answer_to(job, Ok(Answer::Lookup(record(text))))
}

fn record(text: &str) -> engine::LookupAnswer {
    let mut answer = harness::record(text);
    let provenance = &mut answer.provenance;
    provenance.url.push_str("/198.51.100.77");
    provenance.asked_at = harness::now();
    provenance.cost = 1;
    provenance.balance = Some(48_120);
    provenance.data_date = "20261120".parse().ok();
    answer
}

fn query(address: &str) -> LookupQuery {
    LookupQuery::now(address.parse().expect(address))
}

/// The record of a local release of this day.
fn local(day: &str) -> LocalLookup {
    let (feed, moment) = (Feed::AnonymousResidential, Moment::parse(day).expect(day));
    let [file, hash, target] = ["", "", ""].map(str::to_owned);
    let (source, data, now) = (DaySource::Header, file.clone().into(), harness::now());
    let mut manifest = Manifest::new(feed, moment, source, false, file, 0, hash, target, now);
    manifest.generated_at = Some(manifest.moment.begins());
    let record = LocalRecord {
        release: Release { manifest, data },
        document: record(RECORD).record.expect("a record").document,
    };
    LocalLookup {
        records: vec![record],
        ..LocalLookup::default()
    }
}

#[test]
fn a_local_record_replaces_a_query_until_one_is_asked_for() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.pivots = pivots(&[Feed::Anonymous, Feed::AnonymousResidential]);
    harness.days = Some(days("20261113", "BB?BB==?"));
    harness.keys("i198.51.100.77<enter>");
    assert_eq!(harness.asked, []);
    insta::assert_snapshot!("local_wide", harness.screen());
    insta::assert_snapshot!("local_narrow", harness.screen_at(80, 24));
    harness.screen_at(120, 36);
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a note");
    assert!(note.contains("feed anonymous-residential, local"), "{note}");
    harness.keys("<enter><back>");
    assert!(harness.screen().contains("LOCAL anonymous-residential"));
    harness.keys("R");
    let question = Question::Lookup(query("198.51.100.77"));
    assert_eq!(harness.asked.last().map(|(_, last)| last), Some(&question));
    harness.answer(&question, Ok(Answer::Lookup(record(RECORD))));
    assert!(harness.screen().contains("LIVE 2026-11-20"));
}

#[test]
fn pivoting_and_coming_back_finds_the_same_row() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("<down><up>");
    let row = harness.app.tabs.lookup.case().expect("case").page.focus();
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Tags);
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Lookup);
    assert_eq!(
        harness.app.tabs.lookup.case().expect("case").page.focus(),
        row
    );
    harness.keys("L");
    assert_eq!(harness.app.tab, TabId::Tags);
}

#[test]
fn everything_can_be_copied() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    let cmds = harness.keys("yiydyvyrycymyj");
    let copied: Vec<&str> = cmds
        .iter()
        .filter_map(|cmd| match cmd {
            Cmd::Copy(_, text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(copied[0], "198.51.100.77");
    assert_eq!(copied[1], "198[.]51[.]100[.]77");
    assert_eq!(copied[2], "ACME_VPN");
    assert_eq!(copied[3], "operator: ACME_VPN");
    assert_eq!(
        copied[4],
        "curl -fsS -H \"Token: $IPSPECT_TOKEN\" 'https://context.example/v2/context/198.51.100.77'"
    );
    assert!(
        copied[5].starts_with("### 198[.]51[.]100[.]77\n"),
        "{}",
        copied[5]
    );
    assert!(
        copied[6].starts_with(r#"{"ip":"198.51.100.77","#) && copied[6].contains(r#""extra":1"#)
    );
}

#[test]
fn a_failure_says_what_to_do_and_leaves_what_was_known() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    let error = Error::new(Kind::Credentials, "the Context API denied access (401)")
        .hint("store the right one");
    harness.answer_to(job, Err(error.clone()));
    let screen = harness.screen();
    assert!(
        screen.contains("denied access (401)") && screen.contains("store the right one"),
        "{screen}"
    );
    harness.keys("R");
    let job = harness.asked[1].0;
    answer(&mut harness, job, RECORD);
    harness.keys("R");
    let job = harness.asked[2].0;
    harness.answer_to(job, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("denied access (401)"),
        "{screen}"
    );
}

#[test]
fn the_record_as_it_is_drawn() {
    for (name, size) in [("wide", (120, 36)), ("narrow", (80, 24))] {
        let mut harness = explorer(size.0, size.1);
        let job = look_up(&mut harness, "198.51.100.77");
        insta::assert_snapshot!(format!("asking_{name}"), harness.screen());
        answer(&mut harness, job, RECORD);
        insta::assert_snapshot!(format!("record_{name}"), harness.screen());
        harness.keys("y");
        insta::assert_snapshot!(format!("copy_{name}"), harness.screen());
    }
}

#[test]
fn the_first_screens_as_they_are_drawn() {
    for (name, size) in [("wide", (120, 36)), ("narrow", (80, 24))] {
        let mut harness = explorer(size.0, size.1);
        harness.keys("<esc>");
        insta::assert_snapshot!(format!("ready_{name}"), harness.screen());
        harness.app.facts.urls.clear();
        harness.app.facts.token = TokenState::Missing;
        insta::assert_snapshot!(format!("first_run_{name}"), harness.screen());
    }
}

#[test]
fn nothing_known_and_next_to_nothing_are_never_called_clean() {
    let mut harness = explorer(80, 24);
    let job = look_up(&mut harness, "198.51.100.9");
    answer(
        &mut harness,
        job,
        r#"{"ip":"198.51.100.9","as":null,"risks":[],"tunnels":"odd"}"#,
    );
    let screen = harness.screen();
    assert!(
        screen.contains("(absent)") && screen.contains("(null)") && screen.contains("(unreadable"),
        "{screen}"
    );
    assert!(!screen.to_lowercase().contains("clean"));
    let job = look_up(&mut harness, "198.51.100.10");
    let nothing = engine::LookupAnswer {
        record: None,
        ..record(RECORD)
    };
    harness.answer_to(job, Ok(Answer::Lookup(nothing)));
    assert!(
        harness.screen().contains("? the service has no record"),
        "{}",
        harness.screen()
    );
}

#[test]
fn any_size_will_do() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    for keys in ["", "r", "rd", "<esc>t", "t?", "<esc>J", "<esc>y"] {
        harness.keys(keys);
        for size in [
            (0, 0),
            (1, 1),
            (60, 16),
            (61, 17),
            (99, 27),
            (100, 28),
            (250, 80),
            (80, 3),
        ] {
            harness.tell(Msg::Resize(Size::new(size.0, size.1)));
            harness.keys("<down><up>");
            harness.screen();
        }
        harness.tell(Msg::Resize(Size::new(120, 36)));
    }
}

#[test]
fn the_field_of_an_address_looks_up_and_a_note_is_done() {
    let mut harness = Harness::new(120, 36);
    harness.keys("i");
    assert!(harness.screen().contains("enter look up"));
    harness.keys("<esc>2i");
    assert!(harness.screen().contains("enter done"));
}

/// What stops a lookup is said once, and so is what helps: on the page, not above the keys as well.
#[test]
fn the_page_of_a_failure_says_its_cause_and_its_hint_once() {
    let refused = |kind, message: &str, status: u16, hint: &str| {
        let error = Error::new(kind, message).hint(hint).status(status);
        (error, Some(status))
    };
    let doctor = "store the right one with `ipspect login`; `ipspect doctor` says where the present one comes from";
    let test = "feeds and exports may still work: `ipspect status --test` asks each host";
    let network = Error::new(Kind::Network, "the connection failed: reset by peer")
        .hint("check the network, then try again");
    for ((error, status), once, never) in [
        (
            refused(
                Kind::Credentials,
                "the Context API denied access (401)",
                401,
                doctor,
            ),
            ["401", "3 t asks"],
            ["3 opens Quota", "token most likely invalid"],
        ),
        (
            refused(
                Kind::Credentials,
                "no access to the Context API (403)",
                403,
                test,
            ),
            ["403", "3 t asks"],
            ["3 opens Quota", "token valid, no access"],
        ),
        (
            refused(
                Kind::Quota,
                "insufficient queries (429)",
                429,
                "raise the quota",
            ),
            ["429", "raise the quota"],
            ["3 opens Quota", "no queries left"],
        ),
        (
            (network, None),
            ["reset by peer", "check the network"],
            ["3 opens Quota", "no answer"],
        ),
    ] {
        for (width, height) in [(120, 36), (80, 24)] {
            let mut harness = explorer(width, height);
            let job = look_up(&mut harness, "198.51.100.77");
            let heard = engine::AreaStatus {
                at: harness.now,
                status,
                trouble: None,
            };
            let area = engine::Area::Lookup;
            harness.app.facts.access.record(area, heard);
            harness.answer_to(job, Err(error.clone()));
            let screen = harness.screen();
            for text in once {
                assert_eq!(screen.matches(text).count(), 1, "{text}\n{screen}");
            }
            for text in never {
                assert!(!screen.contains(text), "{text}\n{screen}");
            }
            // The messages have it.
            assert!(
                harness
                    .app
                    .notices
                    .log()
                    .any(|notice| notice.text.contains(&error.message))
            );
        }
    }
}

#[test]
fn a_pasted_text_without_an_address_says_so() {
    const WORDS: &str = "the text has no address";
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste("connection refused\nby peer\n".to_owned()));
    assert!(harness.screen().contains(WORDS), "{}", harness.screen());
    // Versions look like addresses: no empty table opens.
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste("OpenSSH_9.6.0.1 Chrome/120.0.0.0".to_owned()));
    assert!(harness.screen().contains(WORDS), "{}", harness.screen());
    harness.keys("<enter>");
    assert!(harness.asked.is_empty() && harness.app.tabs.lookup.open_table().is_none());
    // A piece that completes an address is one.
    let mut harness = explorer(120, 36);
    harness.keys("i198.51.100");
    harness.tell(Msg::Paste(".77".to_owned()));
    assert!(!harness.screen().contains(WORDS), "{}", harness.screen());
    harness.keys("<enter>");
    assert_eq!(harness.asked[0].1, Question::Lookup(query("198.51.100.77")));
}
