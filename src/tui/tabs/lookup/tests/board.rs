//! The table of a text with several addresses.

use super::*;
use crate::{engine::views::EntryOf, report::escaped};

const LOG: &str = "10:41 allow 198.51.100.77:443\n10:42 deny 198[.]51[.]100[.]9, 198.51.100.77\n10.0.0.5 and 192.0.2.0/24\n";

#[test]
fn a_pasted_log_is_a_table_that_sends_nothing() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    stage.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(stage.asked, []);
    let screen = stage.screen();
    for told in [
        "3 addresses",
        "2 answered",
        "1 not public",
        "1 repeated",
        "networks left out: 1",
        "198.51.100.77 x2",
        "not public: private",
        "2026-11-20   23h  anonymous",
        "VPN exit of ACME_VPN",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("board_wide", screen);
    insta::assert_snapshot!("board_narrow", stage.screen_at(80, 24));
}

/// As on the page of the address: where nothing has a record of it, what others say of it is all there is.
#[test]
fn an_address_that_only_others_name_as_their_entry_is_said_to_be_one() {
    let mut stage = rehearse(120, 36);
    stage.entry_of = vec![EntryOf {
        feed: Feed::Anonymous,
        moment: Moment::parse("20261120").expect("a day"),
        records: 2,
        read: 2,
        operators: vec!["ACME_VPN".to_owned()],
    }];
    stage.tell(Msg::Paste(LOG.to_owned()));
    let screen = stage.screen();
    let row = screen.lines().find(|line| line.contains("198.51.100.9"));
    let row = row.expect("a row");
    assert!(row.contains("?  198.51.100.9"), "{screen}");
    assert!(row.contains("named as entry of"), "{screen}");
    let wide = stage.screen_at(180, 36);
    assert!(
        wide.contains("named as entry of ACME_VPN in 2 records"),
        "{wide}"
    );
    assert!(row.contains("not local"), "{screen}");
    assert!(screen.contains("2 not in local feeds"), "{screen}");
    let note = stage.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains(&escaped("named as entry of ACME_VPN in 2")),
        "{note}"
    );
    // What is not public is asked about nowhere.
    let row = screen.lines().find(|line| line.contains("10.0.0.5"));
    assert!(!row.expect("a row").contains("named"), "{screen}");
}

#[test]
fn a_row_is_opened_and_backspace_comes_back_to_it() {
    let mut stage = rehearse(120, 36);
    stage.tell(Msg::Paste(LOG.to_owned()));
    assert!(
        stage.screen().contains("2 not in local feeds"),
        "{}",
        stage.screen()
    );
    stage.keys("<down><enter>");
    let case = stage.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.9"));
    assert_eq!(stage.asked, [], "opening a row sends nothing");
    assert!(
        stage.screen().contains("R asks the service: 1 query"),
        "{}",
        stage.screen()
    );
    stage.keys("<back>");
    let board = stage.app.tabs.lookup.open_table().expect("the table");
    let here = board.here().map(|row| row.address.to_string());
    assert_eq!(here.as_deref(), Some("198.51.100.9"));
    stage.keys("<esc>");
    assert!(stage.app.tabs.lookup.open_table().is_none());
    stage.keys("b");
    assert!(stage.app.tabs.lookup.open_table().is_some());
}

#[test]
fn rows_are_sorted_filtered_and_copied() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    stage.tell(Msg::Paste(LOG.to_owned()));
    let shown = |stage: &Harness| {
        let board = stage.app.tabs.lookup.open_table().expect("the table");
        (0..board.len())
            .filter_map(|index| Some(board.row(index)?.address.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown(&stage), ["198.51.100.77", "198.51.100.9", "10.0.0.5"]);
    stage.keys("<");
    assert_eq!(shown(&stage)[2], "10.0.0.5");
    stage.keys("ss");
    assert_eq!(shown(&stage)[0], "10.0.0.5");
    stage.keys("/acme .9");
    assert_eq!(shown(&stage), ["198.51.100.9"]);
    stage.keys("<enter>");
    let note = stage.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains("198[.]51[.]100[.]9") && note.contains("ACME"),
        "{note}"
    );
    stage.keys("<esc>");
    assert_eq!(shown(&stage).len(), 3);
    stage.draws_at_any_size();
}

#[test]
fn one_address_in_a_pasted_text_is_looked_up_as_if_it_were_typed() {
    let mut stage = rehearse(120, 36);
    stage.tell(Msg::Paste(
        "deny tcp from hxxp://198[.]51[.]100[.]77/x,\n".to_owned(),
    ));
    assert_eq!(stage.asked, [], "nothing is sent before enter");
    stage.keys("<enter>");
    assert_eq!(stage.asked.len(), 1);
    assert_eq!(stage.asked[0].1, Question::Lookup(query("198.51.100.77")));
}

#[test]
fn a_table_fills_from_its_top_and_says_why_it_stopped() {
    let mut stage = rehearse(120, 36);
    let line = |number: u32| {
        let (high, low) = (number / 250, number % 250);
        format!("198.51.100.{} 198.18.{high}.{low}", number % 256)
    };
    let text = (0..5000).map(line).collect::<Vec<_>>().join("\n");
    stage.app.facts.admission = Admission::with(vec!["198.0.0.0/8".parse().expect("block")]);
    stage.sources.local = local("20261120");
    stage.tell(Msg::Paste(text));
    let counts = stage
        .app
        .tabs
        .lookup
        .open_table()
        .expect("the table")
        .counts();
    assert_eq!(
        (counts.unique, counts.known, counts.waiting),
        (5256, 5256, 0)
    );
}

#[test]
fn a_feed_that_cannot_be_read_is_named_and_no_address_is_said_to_be_in_none() {
    let mut stage = rehearse(120, 36);
    stage.unusable = vec![engine::views::UnusableFeed {
        feed: Feed::AnonymousResidential,
        why: Error::new(
            engine::Kind::Integrity,
            "the release of 2026-11-20 is damaged",
        ),
    }];
    stage.tell(Msg::Paste(LOG.to_owned()));
    let screen = stage.screen();
    for words in [
        "! anonymous-residential not read: the release of 2026-11-20 is damaged",
        "4 opens Feeds: i indexes it again, p downloads it again",
        "2 not in the feeds read",
        "not in feeds read",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    assert!(!screen.contains("not in local feeds"), "{screen}");
    stage.draws_at_any_size();
}

#[test]
fn cached_answers_fill_rows_that_no_local_feed_fills() {
    let mut stage = rehearse(120, 36);
    stage.sources.cached = Some(record(RECORD));
    stage.pass(3 * 60 * 60);
    stage.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(stage.asked, [], "the cache is free");
    let screen = stage.screen();
    assert!(screen.contains("2 answered"), "{screen}");
    assert!(screen.contains("2026-11-20    3h  cached"), "{screen}");
    stage.draws_at_any_size();
}

#[test]
fn the_longest_name_of_a_feed_is_not_cut_on_a_small_screen() {
    let mut stage = rehearse(120, 36);
    let mut best = local("20261120");
    best.records[0].release.manifest.feed = Feed::AnonymousResidentialIpv6;
    stage.sources.local = best;
    stage.tell(Msg::Paste(LOG.to_owned()));
    let screen = stage.screen_at(80, 24);
    let words = "2026-11-20   23h  anonymous-residential-ipv6";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn rows_are_marked_copied_printed_and_exported() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    stage.tell(Msg::Paste(LOG.to_owned()));
    let addresses = |stage: &mut Harness| {
        let cmds = stage.keys("yi");
        harness::copied(&cmds).unwrap_or_default().to_owned()
    };
    stage.keys(" ");
    assert!(stage.screen().contains("1 marked   2 of 3"));
    assert_eq!(addresses(&mut stage), "198.51.100.77");
    stage.keys("V<down>");
    assert!(stage.screen().contains("2 in the range"));
    stage.keys("V");
    let screen = stage.screen();
    assert!(screen.contains("3 marked"), "{screen}");
    insta::assert_snapshot!("board_marked", screen);
    let all = "198.51.100.77\n198.51.100.9\n10.0.0.5";
    assert_eq!(addresses(&mut stage), all);
    let cmds = stage.keys("Q");
    let printed = all.lines().map(str::to_owned).collect();
    assert_eq!(cmds, [Cmd::Print(printed)]);
    stage.keys("u*");
    assert_eq!(addresses(&mut stage), "198.51.100.9\n10.0.0.5");
    stage.keys("uu<ctrl-r>");
    assert_eq!(addresses(&mut stage), "198.51.100.77");
    stage.keys("/.9<enter>");
    let note = stage.keys("ym");
    let note = harness::copied(&note).expect("a table");
    assert!(
        note.contains("100[.]77") && !note.contains("100[.]9"),
        "{note}"
    );
    let rows = stage.keys("yr");
    let rows = harness::copied(&rows).expect("rows");
    let head = "address,verdict,operators,infrastructure,country,as,clients,source\r\n";
    assert!(rows.starts_with(&format!("{head}198.51.100.77,")), "{rows}");
    let rows = stage.keys("yj");
    let rows = harness::copied(&rows).expect("rows");
    assert!(
        rows.starts_with(r#"{"address":"198.51.100.77","verdict":""#),
        "{rows}"
    );
    let defanged = stage.keys("yd");
    assert_eq!(harness::copied(&defanged), Some("198[.]51[.]100[.]77"));
    stage.keys("A");
    assert_eq!(addresses(&mut stage), "198.51.100.9\n198.51.100.77");
    stage.keys("<esc>");
    assert_eq!(stage.notice(), "marks cleared; u brings them back");
    stage.keys("u<esc><esc>E");
    assert_eq!(stage.app.tab, TabId::Export);
    let screen = stage.screen();
    assert!(screen.contains("ACME_VPN"), "{screen}");
    stage.keys("<back>");
    assert_eq!(stage.app.tab, TabId::Lookup, "back leads to the table");
}
