//! The table of a text with several addresses.

use std::net::IpAddr;

use super::*;
use crate::{
    engine::{
        answers::BestAnswer,
        views::{CommonQuery, EntryOf},
    },
    investigation::gather::GatheredText,
    report::{BoardFinding, BoardFindings, BoardRow, escaped},
    tui::ctx::{GatherQuery, TextFrom},
};

pub(super) const LOG: &str = "10:41 allow 198.51.100.77:443\n10:42 deny 198[.]51[.]100[.]9, 198.51.100.77\n10.0.0.5 and 192.0.2.0/24\n";

#[test]
fn a_pasted_log_is_a_table_that_sends_nothing() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(harness.asked, []);
    let screen = harness.screen();
    for told in [
        "3 addresses",
        "VPN 2",
        "not public 1",
        "networks left out: 1",
        "LINES",
        "not public (private)",
        "LOCAL anonymous-residential 2026-11-20, 23h, free",
        "VPN exit of ACME_VPN",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("board_wide", screen);
    insta::assert_snapshot!("board_narrow", harness.screen_at(80, 24));
}

/// As on the page of the address: where nothing has a record of it, what others say of it is all there is.
#[test]
fn an_address_that_only_others_name_as_their_entry_is_said_to_be_one() {
    let mut harness = explorer(119, 36);
    harness.entry_of = vec![EntryOf {
        feed: Feed::Anonymous,
        moment: Moment::parse("20261120").expect("a day"),
        records: 2,
        read: 2,
        operators: vec!["ACME_VPN".to_owned()],
    }];
    harness.tell(Msg::Paste(LOG.to_owned()));
    let screen = harness.screen();
    let row = screen.lines().find(|line| line.contains("198.51.100.9"));
    let row = row.expect("a row");
    assert!(row.contains("?  198.51.100.9"), "{screen}");
    assert!(row.contains("named as entry of"), "{screen}");
    let wide = harness.screen_at(180, 36);
    assert!(
        wide.contains("named as entry of ACME_VPN in 2 records"),
        "{wide}"
    );
    assert!(screen.contains("entry of a tunnel 2"), "{screen}");
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains(&escaped("named as entry of ACME_VPN in 2")),
        "{note}"
    );
    // What is not public is asked about nowhere.
    let row = screen.lines().find(|line| line.contains("10.0.0.5"));
    assert!(!row.expect("a row").contains("named"), "{screen}");
    // The head does not count them as unknown, and the service knows more: the plan says which they are.
    let plan = harness.keys("$");
    assert!(plan.is_empty(), "nothing is sent");
    let screen = harness.screen();
    assert!(screen.contains("a query each; 2 in part known"), "{screen}");
}

#[test]
fn what_is_read_from_this_disk_is_not_stopped_and_says_so() {
    let mut harness = explorer(119, 36);
    harness.is_slow = true;
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("x");
    let words = "what is local is being read: it costs nothing, and ends by itself";
    assert_eq!(harness.notice(), words);
}

#[test]
fn a_row_is_opened_and_backspace_comes_back_to_it() {
    let mut harness = explorer(119, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert!(
        harness.screen().contains("unknown 2"),
        "{}",
        harness.screen()
    );
    harness.keys("<down><enter>");
    let case = harness.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.9"));
    assert_eq!(harness.asked, [], "opening a row sends nothing");
    assert!(
        harness.screen().contains("R asks the service: 1 query"),
        "{}",
        harness.screen()
    );
    harness.keys("<back>");
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    let here = board.here().map(|row| row.key.address.to_string());
    assert_eq!(here.as_deref(), Some("198.51.100.9"));
    harness.keys("<esc>");
    assert!(harness.app.tabs.lookup.open_table().is_none());
    harness.keys("I");
    assert!(harness.app.tabs.lookup.open_table().is_some());
}

#[test]
fn rows_are_sorted_filtered_and_copied() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(
        shown(&harness),
        ["198.51.100.77", "198.51.100.9", "10.0.0.5"]
    );
    harness.keys("<");
    assert_eq!(shown(&harness)[0], "10.0.0.5", "by address");
    harness.keys("ss");
    assert_eq!(shown(&harness)[2], "10.0.0.5", "and in reverse");
    harness.keys("/acme .9");
    assert_eq!(shown(&harness), ["198.51.100.9"]);
    harness.keys("<enter>");
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains("198[.]51[.]100[.]9") && note.contains("ACME"),
        "{note}"
    );
    harness.keys("<esc>");
    assert_eq!(shown(&harness).len(), 3);
    harness.draws_at_any_size();
}

#[test]
fn one_address_in_a_pasted_text_is_looked_up_as_if_it_were_typed() {
    let mut harness = explorer(119, 36);
    harness.tell(Msg::Paste(
        "deny tcp from hxxp://198[.]51[.]100[.]77/x,\n".to_owned(),
    ));
    assert_eq!(harness.asked, [], "nothing is sent before enter");
    harness.keys("<enter>");
    assert_eq!(harness.asked.len(), 1);
    assert_eq!(harness.asked[0].1, Question::Lookup(query("198.51.100.77")));
}

#[test]
fn a_table_fills_from_its_top_and_says_why_it_stopped() {
    let mut harness = explorer(119, 36);
    let line = |number: u32| {
        let (high, low) = (number / 250, number % 250);
        format!("198.51.100.{} 198.18.{high}.{low}", number % 256)
    };
    let text = (0..5000).map(line).collect::<Vec<_>>().join("\n");
    harness.app.facts.admission = Admission::with(vec!["198.0.0.0/8".parse().expect("block")]);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(text));
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    assert_eq!(board.len(), 5256);
    let screen = harness.screen();
    assert!(screen.contains("VPN 5,256"), "{screen}");
    assert!(!screen.contains("reading"), "{screen}");
}

#[test]
fn a_feed_that_cannot_be_read_is_named_and_no_address_is_said_to_be_in_none() {
    let mut harness = explorer(119, 36);
    harness.unusable = vec![engine::UnusableFeed {
        feed: Feed::AnonymousResidential,
        why: Error::new(
            engine::Kind::Integrity,
            "the release of 2026-11-20 is damaged",
        ),
    }];
    harness.tell(Msg::Paste(LOG.to_owned()));
    let screen = harness.screen();
    for words in [
        "! anonymous-residential not read: the release of 2026-11-20 is damaged",
        "4 opens Feeds: P i indexes it again, p downloads it again",
        "unknown 2",
        "not in feeds read",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    assert!(!screen.contains("unknown: no local record"), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn cached_answers_fill_rows_that_no_local_feed_fills() {
    let mut harness = explorer(119, 36);
    harness.sources.cached = Some(record(RECORD));
    harness.pass(3 * 60 * 60);
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(harness.asked, [], "the cache is free");
    let screen = harness.screen();
    assert!(screen.contains("VPN 2"), "{screen}");
    assert!(screen.contains("CACHED 2026-11-20, 3h, free"), "{screen}");
    harness.draws_at_any_size();
}

const SIGN_INS: &str = "time,user,address\n\
    2026-11-20T03:58:07Z,alice,198.51.100.77\n\
    2026-11-20T04:10:00Z,alice,198.51.100.77\n\
    2026-11-20T05:00:00Z,bob,198.51.100.9\n\
    2026-11-21T05:00:00Z,bob,10.0.0.5\n";

/// The addresses that are shown, in their order.
pub(super) fn shown(harness: &Harness) -> Vec<String> {
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    let rows = (0..board.len()).filter_map(|at| board.row(at));
    rows.map(|row| row.key.address.to_string()).collect()
}

#[test]
fn what_stands_beside_an_address_is_shown_and_filtered_by() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(SIGN_INS.to_owned()));
    // The whole width is for the table.
    harness.keys("Z");
    let screen = harness.screen_at(158, 36);
    for told in [
        "FIRST",
        "11-20 03:58",
        "11-20 04:10",
        "user alice",
        "user bob",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    harness.keys("Z");
    harness.screen_at(119, 36);
    for (filter, expected) in [
        ("user:alice", &["198.51.100.77"][..]),
        ("USER:bo*", &["198.51.100.9", "10.0.0.5"]),
        ("-user:alice is:vpn", &["198.51.100.9"]),
        ("lines>1", &["198.51.100.77"]),
        ("is:not-public", &["10.0.0.5"]),
        ("tag:acme_vpn bob", &["198.51.100.9"]),
        ("net:10.0.0.0/8", &["10.0.0.5"]),
    ] {
        harness.keys(&format!("/{filter}<enter>"));
        assert_eq!(shown(&harness), expected, "{filter}");
        harness.keys("<esc>");
    }
    harness.keys("/usr:alice");
    assert_eq!(
        shown(&harness).len(),
        3,
        "what is no filter leaves nothing out"
    );
    let screen = harness.screen();
    assert!(screen.contains("there is no field \"usr\""), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn rows_are_grouped_by_any_field_and_a_group_is_a_filter() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(SIGN_INS.to_owned()));
    harness.keys("b");
    let screen = harness.screen();
    assert!(screen.contains("3 addresses by what they are"), "{screen}");
    assert!(screen.contains("not-public"), "{screen}");
    insta::assert_snapshot!("groups_wide", screen);
    insta::assert_snapshot!("groups_narrow", harness.screen_at(80, 24));
    harness.screen_at(119, 36);
    harness.keys("<right>");
    assert!(harness.screen().contains("3 addresses by operator"));
    assert!(harness.screen().contains("(none)"));
    harness.keys("buser<enter>");
    let screen = harness.screen();
    assert!(screen.contains("3 addresses by user"), "{screen}");
    let row = screen.lines().find(|line| line.contains("> bob"));
    assert!(row.is_some_and(|row| row.contains(" 2 ")), "{screen}");
    harness.keys("<enter>");
    assert_eq!(shown(&harness), ["198.51.100.9", "10.0.0.5"]);
    assert!(harness.screen().contains("user:bob"));
    harness.keys("b");
    let screen = harness.screen();
    assert!(
        screen.contains("2 addresses by user"),
        "as before: {screen}"
    );
    harness.keys("b<enter><enter>");
    assert!(
        harness.screen().contains("user:bob is:"),
        "{}",
        harness.screen()
    );
    harness.keys("<esc>b<esc>");
    assert_eq!(shown(&harness).len(), 3);
    assert_eq!(harness.asked, [], "all of it is free");
    harness.keys("b");
    harness.draws_at_any_size();
}

#[test]
fn rows_are_marked_copied_printed_and_exported() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    let addresses = |harness: &mut Harness| {
        let cmds = harness.keys("yi");
        harness::copied(&cmds).unwrap_or_default().to_owned()
    };
    harness.keys(" ");
    assert!(harness.screen().contains("1 marked   2 of 3"));
    assert_eq!(addresses(&mut harness), "198.51.100.77");
    harness.keys("V<down>");
    assert!(harness.screen().contains("2 in the range"));
    harness.keys("V");
    let screen = harness.screen();
    assert!(screen.contains("3 marked"), "{screen}");
    insta::assert_snapshot!("board_marked", screen);
    let all = "198.51.100.77\n198.51.100.9\n10.0.0.5";
    assert_eq!(addresses(&mut harness), all);
    let cmds = harness.keys("Q");
    let printed = all.lines().map(str::to_owned).collect();
    assert_eq!(cmds.last(), Some(&Cmd::Print(printed)));
    harness.keys("u*");
    assert_eq!(addresses(&mut harness), "198.51.100.9\n10.0.0.5");
    harness.keys("uu<ctrl-r>");
    assert_eq!(addresses(&mut harness), "198.51.100.77");
    harness.keys("/.9<enter>");
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains("100[.]77") && !note.contains("100[.]9"),
        "{note}"
    );
    let rows = harness.keys("yr");
    let rows = harness::copied(&rows).expect("rows");
    let head = "address,verdict,operators,infrastructure,country,as,clients,source\r\n";
    assert!(rows.starts_with(&format!("{head}198.51.100.77,")), "{rows}");
    let rows = harness.keys("yj");
    let rows = harness::copied(&rows).expect("rows");
    assert!(
        rows.starts_with(r#"{"address":"198.51.100.77","verdict":""#),
        "{rows}"
    );
    let defanged = harness.keys("yd");
    assert_eq!(harness::copied(&defanged), Some("198[.]51[.]100[.]77"));
    harness.keys("A");
    assert_eq!(addresses(&mut harness), "198.51.100.9\n198.51.100.77");
    harness.keys("<esc>");
    assert_eq!(harness.notice(), "marks cleared; u brings them back");
    harness.keys("u<esc><esc>E");
    assert_eq!(harness.app.tab, TabId::Export);
    let screen = harness.screen();
    assert!(screen.contains("ACME_VPN"), "{screen}");
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Lookup, "back leads to the table");
}

#[test]
fn the_record_of_the_row_stands_beside_the_table_where_there_is_room() {
    let mut harness = explorer(200, 60);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    let screen = harness.screen();
    assert!(screen.contains("┌ 198.51.100.77 ─"), "{screen}");
    insta::assert_snapshot!("board_beside", screen);
    harness.keys("<down>");
    let screen = harness.screen();
    assert!(screen.contains("┌ 198.51.100.9 ─"), "{screen}");
    assert_eq!(harness.asked, []);
    // What is only passed leaves nothing behind.
    assert_eq!(harness.app.tabs.lookup.cases.len(), 1);
    harness.keys("<enter>");
    harness.keys("<back>");
    harness.keys("<up>");
    assert_eq!(
        harness.app.tabs.lookup.cases.len(),
        2,
        "what was opened stays"
    );
    assert!(!harness.screen_at(119, 36).contains("┌ 198.51.100.77 ─"));
    let narrow = harness.screen_at(120, 36);
    assert!(narrow.contains("┌ 198.51.100.77 ─"), "{narrow}");
    insta::assert_snapshot!("board_beside_narrow", narrow);
    // The values of fields need its place.
    harness.keys("f");
    let facets = harness.screen();
    assert!(facets.contains("┌ Facets ─"), "{facets}");
    assert!(!facets.contains("┌ 198.51.100.77 ─"), "{facets}");
    assert!(harness.screen_at(160, 36).contains("┌ 198.51.100.77 ─"));
    harness.draws_at_any_size();
}

#[test]
fn a_filter_with_a_mistake_is_not_taken_for_one() {
    let mut harness = explorer(119, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("/is:vnp<enter>");
    let screen = harness.screen();
    assert!(screen.contains("\"vnp\" is none of vpn, proxy"), "{screen}");
    harness.keys("$");
    assert_eq!(harness.notice(), "the filter has a mistake: / changes it");
    let note = harness.keys("ym");
    let note = harness::copied(&note).expect("a ticket");
    assert!(!note.contains("filter"), "{note}");
    harness.keys("<esc>/2001:db8::1");
    assert_eq!(shown(&harness).len(), 0, "an address is a word");
}

#[test]
fn rows_of_the_warehouse_say_so_and_the_command_asks_it() {
    const TEXT: &str = "deny 198.51.100.77\ndeny 198.51.100.9\n";
    let mut harness = explorer(119, 36);
    let file = harness.app.facts.pastes.path_of(TEXT);
    let text = || GatheredText {
        file: Some(file.clone()),
        ..GatheredText::of(TEXT, harness::now())
    };
    harness.is_slow = true;
    harness.keys(":open x.log<enter>");
    let open = Question::Gather(GatherQuery {
        from: TextFrom::File("x.log".to_owned()),
        by_day: false,
        zone: String::new(),
    });
    harness.answer(&open, Ok(Answer::Gathered(Box::new(text()))));
    let asked: [IpAddr; 2] =
        ["198.51.100.77", "198.51.100.9"].map(|text| text.parse().expect(text));
    let answers = |harness: &mut Harness, is_loaded: [bool; 2]| {
        let row = |(address, is_loaded): (IpAddr, bool)| {
            let mut record = local("20261120").records[0].clone();
            let manifest = &mut record.release.manifest;
            if is_loaded {
                *manifest = manifest.clone().in_load("20261121T101500Z");
            }
            let best = BestAnswer::Local(Box::new(record));
            Some(BoardFinding::Row(Box::new(BoardRow::of(address, &best))))
        };
        let answers = BoardFindings {
            answers: asked.into_iter().zip(is_loaded).map(row).collect(),
            ..BoardFindings::default()
        };
        let job = harness.job(&Question::BestAnswers(asked.into(), None));
        harness.answer_to(job, Ok(Answer::BestAnswers(answers)));
        let note = harness.keys("ym");
        harness::copied(&note).expect("a ticket").to_owned()
    };
    let note = answers(&mut harness, [true, true]);
    let screen = harness.screen();
    assert!(
        screen.contains("WAREHOUSE 2026-11-20, 23h, free"),
        "{screen}"
    );
    let command = "`ipspect enrich - --day 2026-11-20 --at warehouse --group is";
    assert!(note.contains(command), "{note}");
    assert!(note.contains("2026-11-20 warehouse"), "{note}");
    // No command answers from both.
    harness.keys(":open x.log<enter>");
    harness.answer(&open, Ok(Answer::Gathered(Box::new(text()))));
    let note = answers(&mut harness, [true, false]);
    assert!(!note.contains("ipspect enrich"), "{note}");
    assert!(!harness.screen().contains("WAREHOUSE"));
}

fn marked(harness: &Harness) -> Vec<String> {
    let board = harness.app.tabs.lookup.open_table();
    let marks = board.expect("the table").list.marks();
    marks.iter().map(|key| key.address.to_string()).collect()
}

#[test]
fn what_the_rows_share_is_listed_and_opened_in_the_feed() {
    let mut harness = explorer(119, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("C");
    let addresses: [IpAddr; 3] =
        ["198.51.100.77", "198.51.100.9", "10.0.0.5"].map(|text| text.parse().expect(text));
    let question = Question::Common(CommonQuery::Addresses(addresses.into(), None, None));
    let common = harness::common(local("20261120").records[0].release.clone());
    harness.answer(&question, Ok(Answer::Common(Box::new(common))));
    let screen = harness.screen();
    for told in [
        "In common, unlike the rest of the feed",
        "entry 198.51.100.70",
        "x992 at least: 9 of 40, feed 11 of 41,198",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    assert!(
        !screen.contains("cc NL") && !screen.contains("exit 198"),
        "{screen}"
    );
    // One of the two records of the table has it; of marked rows those stay marked that do.
    harness.keys("<ctrl- >");
    assert_eq!(harness.notice(), "2 of 3 rows: marked; u undoes it");
    assert_eq!(marked(&harness), ["198.51.100.9", "198.51.100.77"]);
    harness.keys("u");
    assert!(marked(&harness).is_empty());
    harness.keys("C");
    let common = harness::common(local("20261120").records[0].release.clone());
    harness.answer(&question, Ok(Answer::Common(Box::new(common))));
    let cmds = harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    assert!(
        !harness::questions(&cmds)
            .iter()
            .any(|question| matches!(question, Question::Lookup(_)))
    );
}
