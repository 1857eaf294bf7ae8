//! The table of a text with several addresses.

use super::{super::board::AddressKind, *};
use crate::{engine::views::EntryOf, report::escaped};

const LOG: &str = "10:41 allow 198.51.100.77:443\n10:42 deny 198[.]51[.]100[.]9, 198.51.100.77\n10.0.0.5 and 192.0.2.0/24\n";

#[test]
fn a_pasted_log_is_a_table_that_sends_nothing() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(harness.asked, []);
    let screen = harness.screen();
    for told in [
        "3 addresses",
        "2 answered",
        "1 not public",
        "1 repeated",
        "networks left out: 1",
        "198.51.100.77 x2",
        "not public (private)",
        "2026-11-20   23h  anonymous",
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
    let mut harness = explorer(120, 36);
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
    assert!(row.contains("not local"), "{screen}");
    assert!(screen.contains("2 not in local feeds"), "{screen}");
    let note = harness.keys("ym");
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
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert!(
        harness.screen().contains("2 not in local feeds"),
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
    let here = board.here().map(|row| row.address.to_string());
    assert_eq!(here.as_deref(), Some("198.51.100.9"));
    harness.keys("<esc>");
    assert!(harness.app.tabs.lookup.open_table().is_none());
    harness.keys("I");
    assert!(harness.app.tabs.lookup.open_table().is_some());
}

#[test]
fn rows_are_sorted_filtered_and_copied() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    let shown = |harness: &Harness| {
        let board = harness.app.tabs.lookup.open_table().expect("the table");
        (0..board.len())
            .filter_map(|index| Some(board.row(index)?.address.to_string()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown(&harness),
        ["198.51.100.77", "198.51.100.9", "10.0.0.5"]
    );
    harness.keys("<");
    assert_eq!(shown(&harness)[2], "10.0.0.5");
    harness.keys("ss");
    assert_eq!(shown(&harness)[0], "10.0.0.5");
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
    let mut harness = explorer(120, 36);
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
    let mut harness = explorer(120, 36);
    let line = |number: u32| {
        let (high, low) = (number / 250, number % 250);
        format!("198.51.100.{} 198.18.{high}.{low}", number % 256)
    };
    let text = (0..5000).map(line).collect::<Vec<_>>().join("\n");
    harness.app.facts.admission = Admission::with(vec!["198.0.0.0/8".parse().expect("block")]);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(text));
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    let [known, waiting] = [AddressKind::Known, AddressKind::Waiting].map(|own| board.count(own));
    assert_eq!((board.len(), known, waiting), (5256, 5256, 0));
}

#[test]
fn a_feed_that_cannot_be_read_is_named_and_no_address_is_said_to_be_in_none() {
    let mut harness = explorer(120, 36);
    harness.unusable = vec![engine::views::UnusableFeed {
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
        "2 not in the feeds read",
        "not in feeds read",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
    assert!(!screen.contains("not in local feeds"), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn cached_answers_fill_rows_that_no_local_feed_fills() {
    let mut harness = explorer(120, 36);
    harness.sources.cached = Some(record(RECORD));
    harness.pass(3 * 60 * 60);
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(harness.asked, [], "the cache is free");
    let screen = harness.screen();
    assert!(screen.contains("2 answered"), "{screen}");
    assert!(screen.contains("2026-11-20    3h  cached"), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn the_longest_name_of_a_feed_is_not_cut_on_a_small_screen() {
    let mut harness = explorer(120, 36);
    let mut best = local("20261120");
    best.records[0].release.manifest.feed = Feed::AnonymousResidentialIpv6;
    harness.sources.local = best;
    harness.tell(Msg::Paste(LOG.to_owned()));
    let screen = harness.screen_at(80, 24);
    let words = "2026-11-20   23h  anonymous-residential-ipv6";
    assert!(screen.contains(words), "{screen}");
}

#[test]
fn rows_are_marked_copied_printed_and_exported() {
    let mut harness = explorer(120, 36);
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
    assert_eq!(cmds, [Cmd::Print(printed)]);
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
