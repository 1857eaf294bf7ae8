//! What local feeds add to the page of an address: the first screen, pivots, sources, and the typed text.

use super::*;
use crate::{
    engine::{Error, UnusableFeed, views::EntryOf},
    model::Document,
    report::escaped,
    tui::{ctx::Destination, shell::overlays::JobList, tabs::lookup::sources::SourceAgreement},
};

#[test]
fn an_address_that_other_records_name_as_their_entry_is_said_to_be_one() {
    let about = "198.51.100.71";
    let named = "named as entry of ACME_VPN in 2 records of anonymous";
    let entry_of = EntryOf {
        feed: Feed::Anonymous,
        moment: Moment::parse("20261120").expect("a day"),
        records: 2,
        read: 2,
        operators: vec!["ACME_VPN".to_owned()],
    };
    for size in [(120, 36), (80, 24)] {
        let mut harness = explorer(size.0, size.1);
        harness.entry_of = vec![entry_of.clone()];
        let job = look_up(&mut harness, about);
        answer(&mut harness, job, r#"{"ip":"198.51.100.71"}"#);
        let screen = harness.screen();
        assert!(screen.contains(&format!("? {named}")), "{screen}");
        assert!(
            screen.contains("no tunnel or proxy in its own record"),
            "{screen}"
        );
        let note = harness.keys("ym");
        let note = harness::copied(&note).expect("a note").to_owned();
        assert!(note.contains(&escaped(named)), "{note}");
        assert!(
            note.contains(&escaped("of ACME_VPN in 2 records of anonymous 2026-11-20")),
            "{note}"
        );
        // The verdict leads to those records.
        harness.keys("g");
        harness.keys("<enter>");
        assert!(
            harness.screen().contains("entry:198.51.100.71"),
            "{}",
            harness.screen()
        );
    }
    // A record with tunnels of its own, and no record at all.
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    assert!(
        !harness.screen().contains("named as entry"),
        "{}",
        harness.screen()
    );
    harness.entry_of = vec![entry_of];
    harness.go(Destination::AtHand(query(about)));
    let screen = harness.screen();
    assert!(
        screen.contains("No local feed") && screen.contains(named),
        "{screen}"
    );
}

/// The most telling is on the first screen of a small terminal, the price of a live answer included.
#[test]
fn twelve_lines_tell_most_on_a_small_screen() {
    let mut harness = explorer(80, 24);
    harness.sources.local = local("20261120");
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.keys("i198.51.100.77<enter>");
    let screen = harness.screen();
    for told in [
        "LOCAL anonymous-residential 2026-11-20, 23h old",
        "! VPN exit of ACME_VPN",
        "14 clients a day from 6 countries",
        "callback proxy WIDGET_PROXY on clients",
        "AS64500 Example Hosting BV",
        "363 anonymous",
        "R live: 1 query",
        "mostly Kyiv UA",
        "live -",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
}

#[test]
fn a_record_of_the_warehouse_says_so_in_each_place() {
    let mut harness = explorer(120, 36);
    let mut loaded = local("20261120");
    let manifest = &mut loaded.records[0].release.manifest;
    *manifest = manifest.clone().in_load("20261121T101500Z");
    harness.sources.local = loaded;
    harness.keys("i198.51.100.77<enter>");
    let screen = harness.screen();
    for told in [
        "WAREHOUSE anonymous-residential 2026-11-20, 23h old",
        "warehouse anonymous-residential  2026-11-20  23h  shown above",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    let screen = harness.screen_at(80, 24);
    assert!(
        screen.contains("warehouse anonymous-residential 2026-11-20 | live -"),
        "{screen}"
    );
}

#[test]
fn a_row_that_is_counted_browses_and_an_exit_is_looked_up() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.keys("i198.51.100.77<enter>");
    harness.keys("<down><down><enter>");
    let case = harness.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.78"));
    harness.keys("<back><up><up>");
    let asked = harness::questions(&harness.keys("<enter>"));
    assert_eq!(harness.app.tab, TabId::Feeds);
    let is_page = |question: &Question| matches!(question, Question::Page(view, _) if view.filter.to_string() == "tag:ACME_VPN");
    assert!(asked.iter().any(is_page), "{asked:?}");
}

#[test]
fn a_live_answer_stands_beside_the_local_one_with_its_differences() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let job = {
        harness.keys("i198.51.100.77<enter>R");
        harness.asked.last().expect("a question").0
    };
    let live = RECORD.replace(r#""count":14"#, r#""count":1873"#);
    answer(
        &mut harness,
        job,
        &live.replace(r#""IPSEC""#, r#""WIREGUARD""#),
    );
    let screen = harness.screen();
    assert!(
        screen.contains("& VPN exit of ACME_VPN, shared"),
        "{screen}"
    );
    let found = &harness.app.tabs.lookup.case().expect("case").beside;
    let places: Vec<String> = match &found[0].stands {
        SourceAgreement::Differs(places) => places.iter().map(|place| place.path.clone()).collect(),
        other => panic!("{other:?}"),
    };
    assert_eq!(places, ["client.count", "services (1 in both)"]);
    insta::assert_snapshot!("live_beside_local", harness.screen_at(200, 60));
}

#[test]
fn networks_that_cover_an_address_stand_each_by_itself() {
    let mut harness = explorer(120, 36);
    let mut found = local("20261120");
    let nested = |feed, text: &str| {
        let mut one = found.records[0].clone();
        one.release.manifest.feed = feed;
        one.document = Document::read(text.as_bytes()).expect(text);
        one
    };
    let (inner, outer, hosting) = (
        nested(
            Feed::AnonymousIpv6,
            r#"{"network":"2001:db8:1::/48","tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}]}"#,
        ),
        nested(
            Feed::AnonymousIpv6,
            r#"{"network":"2001:db8::/32","tunnels":[{"type":"VPN","operator":"BRAVO_VPN","anonymous":true}]}"#,
        ),
        nested(
            Feed::Dch,
            r#"{"network":"2001:db8::/29","organization":"Example Hosting","asn":64500}"#,
        ),
    );
    found.records = vec![inner, outer, hosting];
    harness.sources.local = found;
    harness.app.facts.admission = Admission::with(vec!["2001:db8::/32".parse().expect("block")]);
    harness.keys("i2001:db8:1::7<enter>");
    let screen = harness.screen();
    assert!(screen.contains("! VPN of ACME_VPN"), "{screen}");
    let beside = &harness.app.tabs.lookup.case().expect("case").beside;
    let networks: Vec<_> = beside.iter().map(|one| one.network.clone()).collect();
    assert_eq!(
        networks,
        [
            Some("2001:db8::/32".to_owned()),
            Some("2001:db8::/29".to_owned())
        ]
    );
    assert!(
        matches!(&beside[0].stands, SourceAgreement::Differs(places) if places[0].path == "tunnels VPN: operator")
    );
    assert!(matches!(&beside[1].stands, SourceAgreement::Says(facts) if facts.word == "hosting"));
    assert_eq!(harness.asked, []);
}

/// What the local feeds hold within a network.
fn held(contexts: &[(Feed, u64)], others: &[(Feed, u64)]) -> Answer {
    let counts = |pairs: &[(Feed, u64)]| -> Vec<PivotCount> {
        let count = |(feed, records): &(Feed, u64)| PivotCount {
            feed: *feed,
            moment: Moment::parse("20261120").expect("a day"),
            records: *records,
        };
        pairs.iter().map(count).collect()
    };
    Answer::HeldWithin(HeldWithin {
        contexts: counts(contexts),
        others: counts(others),
        unusable: Vec::new(),
    })
}

fn is_held(question: &Question) -> bool {
    matches!(question, Question::HeldWithin(_))
}

#[test]
fn a_network_opens_the_feed_that_holds_most_of_it_of_whatever_kind() {
    let none: &[(Feed, u64)] = &[];
    for (contexts, others, opened) in [
        (
            &[(Feed::Anonymous, 3), (Feed::AnonymousResidential, 9)][..],
            &[(Feed::Ipgeo, 700)][..],
            Feed::AnonymousResidential,
        ),
        (&[(Feed::Anonymous, 0)], &[(Feed::Dch, 2)], Feed::Dch),
        (none, &[(Feed::Ipsummary, 5)], Feed::Ipsummary),
    ] {
        let mut harness = explorer(120, 36);
        harness.keys("i198.51.100.0/28<enter>");
        harness.answer_any(is_held, Ok(held(contexts, others)));
        assert_eq!(harness.app.tab, TabId::Feeds);
        let is_it = |(_, question): &(JobId, Question)| matches!(question, Question::Page(view, _) if view.feed == opened);
        assert!(
            harness.asked.iter().any(is_it),
            "{opened} {:?}",
            harness.asked
        );
    }
    let mut harness = explorer(120, 36);
    harness.keys("i198.51.100.0/28<enter>");
    let nothing = held(&[(Feed::Anonymous, 0)], &[(Feed::Dch, 0)]);
    harness.answer_any(is_held, Ok(nothing));
    assert_eq!(harness.app.tab, TabId::Lookup);
    assert_eq!(
        harness.notice(),
        "198.51.100.0/28: no record lies in it in anonymous, dch"
    );
}

#[test]
fn a_late_answer_moves_nobody() {
    let found = || Ok(held(&[(Feed::Anonymous, 3)], &[]));
    for (went_on, tab) in [
        ("<esc>", TabId::Lookup),
        ("<back>7", TabId::Lookup),
        ("<esc>3", TabId::Quota),
        ("<esc>?", TabId::Lookup),
    ] {
        let mut harness = explorer(120, 36);
        let cmds = harness.keys("i198.51.100.0/28<enter>");
        let asked = cmds.iter().find_map(|cmd| match cmd {
            Cmd::Ask(job, question) if is_held(question) => Some(*job),
            _ => None,
        });
        let job = asked.expect("a question");
        assert!(
            harness.keys(went_on).contains(&Cmd::Cancel(job)),
            "{went_on}"
        );
        harness.answer_to(job, found());
        assert_eq!(harness.app.tab, tab, "{went_on}");
    }
    // What lies over the field is no reason to stop, but nothing moves below it.
    let mut harness = explorer(120, 36);
    harness.keys("i198.51.100.0/28<enter>");
    harness.app.overlay = Some(Box::<JobList>::default());
    harness.answer_any(is_held, found());
    assert_eq!(harness.app.tab, TabId::Lookup);
}

#[test]
fn one_preview_is_read_at_a_time_and_none_leaves_a_case_behind() {
    let mut harness = explorer(120, 36);
    harness.keys("i");
    let sources = |cmds: &[Cmd]| -> Vec<JobId> {
        let asked = cmds.iter().filter_map(|cmd| match cmd {
            Cmd::Ask(job, Question::Sources(_)) => Some(*job),
            _ => None,
        });
        asked.collect()
    };
    let typed = |harness: &mut Harness, letter: char| {
        let code = crossterm::event::KeyCode::Char(letter);
        let key = crossterm::event::KeyEvent::from(code);
        harness.app.update(Msg::Key(key), harness.now)
    };
    let mut before: Option<JobId> = None;
    for letter in "198.51.100.77".chars() {
        let cmds = typed(&mut harness, letter);
        let asked = sources(&cmds);
        assert!(asked.len() <= 1, "{cmds:?}");
        if let (Some(before), Some(_)) = (before, asked.first()) {
            assert!(cmds.contains(&Cmd::Cancel(before)), "{cmds:?}");
        }
        before = asked.first().copied().or(before);
    }
    let first = before.expect("a preview");
    let cmds = typed(&mut harness, '8');
    assert!(cmds.contains(&Cmd::Cancel(first)), "198.51.100.778 is none");
    let late = Answer::Sources(Box::new(harness.sources.clone()));
    harness.answer_to(first, Ok(late));
    assert_eq!(harness.app.tabs.lookup.cases.len(), 0);
}

#[test]
fn the_records_of_the_operator_in_a_network_are_counted_and_opened() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261119");
    harness.pivots = pivots(&[Feed::Anonymous]);
    let facet = |value: &str, count| Facet {
        value: value.to_owned(),
        count,
    };
    let counts = FacetCounts {
        by: FacetBy::Keyword(Keyword::Tag),
        values: vec![facet("BRAVO_PROXY", 16), facet("ACME_VPN", 15)],
        distinct: 2,
        among: 31,
    };
    harness.operators = vec![counts];
    harness.keys("i198.51.100.77<enter>");
    for size in [(120, 36), (80, 24)] {
        let screen = harness.screen_at(size.0, size.1);
        assert!(screen.contains("of these  ACME_VPN"), "{screen}");
        assert!(screen.contains("15 anonymous"), "{screen}");
    }
    insta::assert_snapshot!("operator_in_network", harness.screen());
    // The network is above it, after whatever else is shared.
    let is_it = |harness: &Harness| {
        let row = harness.app.tabs.lookup.row();
        row.is_some_and(|row| row.label == "operator in the network")
    };
    for _ in 0..20 {
        if !is_it(&harness) {
            harness.keys("<down>");
        }
    }
    let asked = harness::questions(&harness.keys("<enter>"));
    assert_eq!(harness.app.tab, TabId::Feeds, "{}", harness.screen());
    let filter = "net:198.51.100.0/24 tag:ACME_VPN";
    let is_page = |question: &Question| matches!(question, Question::Page(view, _) if view.filter.to_string() == filter);
    assert!(asked.iter().any(is_page), "{asked:?}");
}

#[test]
fn an_age_in_view_is_drawn_anew_when_its_words_change_and_nothing_else_at_rest() {
    let mut harness = explorer(120, 36);
    harness.pass(60);
    assert_eq!(
        harness.app.wakes_at(harness.now),
        None,
        "nothing is in view"
    );
    harness.sources.local = local("20261119");
    harness.keys("i198.51.100.77<enter>");
    harness.pass(20);
    let screen = harness.screen();
    assert!(screen.contains("47h old"), "{screen}");
    let first = harness.now;
    let wakes = harness.app.wakes_at(first).expect("an age is in view");
    assert!(wakes >= first + SignedDuration::from_secs(60), "{wakes}");
    // At most once a minute, and each time something has other words.
    for _ in 0..5 {
        let (before, at) = (harness.screen(), harness.app.wakes_at(harness.now));
        let at = at.expect("an age is in view");
        assert!(at >= harness.now + SignedDuration::from_secs(60), "{at}");
        harness.now = at;
        harness.tell(Msg::Tick);
        assert_ne!(harness.screen(), before, "{at}");
    }
}

#[test]
fn without_a_feed_a_network_says_how_to_get_one() {
    let mut harness = explorer(120, 36);
    harness.keys("i198.51.100.0/28<enter>");
    harness.answer_any(is_held, Ok(held(&[], &[])));
    assert!(
        harness.notice().contains("no feed is local to browse"),
        "{}",
        harness.notice()
    );
    harness.keys("<enter>");
    harness.answer_any(is_held, Ok(held(&[(Feed::Anonymous, 3)], &[])));
    assert_eq!(harness.app.tab, TabId::Feeds);
    let is_page = |(_, question): &(JobId, Question)| matches!(question, Question::Page(view, _) if view.filter.to_string() == "net:198.51.100.0/28");
    assert!(harness.asked.iter().any(is_page), "{:?}", harness.asked);
}

#[test]
fn typing_takes_the_place_of_the_old_address_and_completes_from_the_trail() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    harness.keys("i1");
    assert!(
        harness.screen().contains("98.51.100.77  tab completes"),
        "{}",
        harness.screen()
    );
    harness.keys("<tab>");
    assert!(
        harness.screen().contains("enter shown before: free"),
        "{}",
        harness.screen()
    );
    harness.sources.local = local("20261120");
    harness.keys("<esc>i");
    harness.tell(Msg::Paste("198[.]51[.]100[.]9:443,\n".to_owned()));
    assert!(
        harness
            .screen()
            .contains("enter local anonymous-residential 2026-11-20: free"),
        "{}",
        harness.screen()
    );
    harness.keys("<enter>");
    let case = harness.app.tabs.lookup.case().expect("case");
    assert_eq!(case.query, query("198.51.100.9"));
}

#[test]
fn a_feed_that_cannot_be_read_is_named_beside_the_counts_of_the_others() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.unusable = vec![UnusableFeed {
        feed: Feed::AnonymousResidential,
        why: Error::new(
            engine::Kind::Integrity,
            "the release of 2026-11-20 is damaged",
        ),
    }];
    harness.keys("i198.51.100.77<enter>");
    let screen = harness.screen();
    for words in [
        "363 anonymous",
        "! anonymous-residential not counted: the release of 2026-11-20 is damaged",
        "4 opens Feeds: P i indexes it again, p downloads it again",
    ] {
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn a_change_is_not_dated_more_exactly_than_the_local_days_allow() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.days = Some(days("20261112", "-?????==="));
    harness.keys("i198.51.100.77<enter>");
    let screen = harness.screen();
    let text: Vec<&str> = screen
        .split_whitespace()
        .filter(|word| !word.contains('│'))
        .collect();
    let words = "since 2026-11-18 or earlier; before: no record until 2026-11-12";
    assert!(text.join(" ").contains(words), "{screen}");
    let small = harness.screen_at(80, 24);
    assert!(small.contains(&format!("\u{2502}   {words}  ")), "{small}");
}

#[test]
fn values_that_are_not_followed_are_counted() {
    let mut harness = explorer(80, 24);
    harness.sources.local = local("20261120");
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.left_out = vec![(PivotKind::Exit, 13), (PivotKind::Proxy, 12)];
    harness.keys("i198.51.100.77<enter>");
    let screen = harness.screen();
    for told in [
        "198.51.100.78 +13",
        "look up: local, else 1 query",
        "proxy     +12 more",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    harness.app.facts.answers = AnswerOrder::Live;
    let screen = harness.screen();
    assert!(screen.contains("look up: 1 query"), "{screen}");
}

/// An address that is long, a label that is long and many more exits leave a price little room, which it has all the same.
#[test]
fn a_row_with_a_price_shows_it_whole_at_any_width() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.pivots = pivots(&[Feed::Anonymous]);
    harness.left_out = vec![(PivotKind::Exit, 1300)];
    let found = harness.pivots.iter_mut();
    let mut exits = found.filter(|pivot| pivot.kind == PivotKind::Exit);
    let exit = exits.next_back().expect("an exit");
    exit.value = "2001:db8:1234:5678:9abc:def0:1234:5678".to_owned();
    let mut organization = harness.pivots[0].clone();
    organization.kind = PivotKind::Organization;
    organization.value = "Example Hosting BV, customers of the third kind".to_owned();
    harness.pivots.push(organization);
    harness.keys("i198.51.100.77<enter>");
    for width in [60, 80, 90, 100, 120, 140] {
        for height in [24, 36] {
            let screen = harness.screen_at(width, height);
            let row = screen.lines().find(|line| line.contains("exit      "));
            let row = row.unwrap_or_else(|| panic!("{width}x{height}\n{screen}"));
            let end = row.trim_end_matches([' ', '│']);
            assert!(end.ends_with(" 1 query"), "{width}x{height}\n{screen}");
            // The address gives way last.
            let is_short = end.ends_with("up to 1 query");
            assert!(is_short || !row.contains('…'), "{width}x{height}\n{screen}");
        }
    }
    let wide = harness.screen_at(140, 36);
    assert!(wide.contains("look up: local, else 1 query"), "{wide}");
}

#[test]
fn where_the_feeds_host_refuses_no_download_is_offered() {
    let mut harness = explorer(120, 36);
    let heard = crate::engine::AreaStatus {
        at: harness::now(),
        status: Some(403),
        trouble: None,
    };
    harness
        .app
        .facts
        .access
        .record(crate::engine::Area::Feeds, heard);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    let screen = harness.screen();
    assert!(screen.contains("The feeds host said 403"), "{screen}");
    assert!(screen.contains("with feeds is needed"), "{screen}");
    assert!(!screen.contains("p downloads"), "{screen}");
}

#[test]
fn a_cached_answer_beside_another_is_as_stale_as_it_is() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let mut old = record(RECORD);
    old.provenance.asked_at = harness::now() - SignedDuration::from_hours(24 * 40);
    harness.sources.cached = Some(old);
    harness.keys("i198.51.100.77<enter>");
    let beside = &harness.app.tabs.lookup.case().expect("case").beside;
    let cached = beside.iter().find(|one| one.source == "cached");
    assert!(cached.expect("a cached answer").stale);
}

/// A narrow footer says what keys do under the cursor: in the trail and before anything was looked up.
#[test]
fn the_footer_is_of_the_part_that_has_the_focus() {
    let mut harness = explorer(80, 24);
    harness.sources.local = local("20261120");
    let footer = |harness: &mut Harness| {
        let screen = harness.screen();
        screen.lines().rev().nth(1).unwrap_or_default().to_owned()
    };
    let empty = footer(&mut harness);
    assert!(!empty.contains("query"), "{empty}");
    harness.keys("i198.51.100.77<enter>");
    let record = footer(&mut harness);
    assert!(record.contains("enter pivot"), "{record}");
    harness.keys("<ctrl-t>");
    let trail = footer(&mut harness);
    assert!(trail.contains("enter open"), "{trail}");
}

/// Downloads a feed; from then on free questions wait for an answer.
fn download(harness: &mut Harness) {
    harness.keys("4p1");
    harness.is_slow = true;
    let pull = Question::Pull(crate::engine::PullQuery::latest(Feed::Anonymous));
    let release = local("20261120").records[0].release.clone();
    let pulled = crate::engine::Pulled {
        release,
        was_here: false,
        resumed_from: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    };
    harness.answer(&pull, Ok(Answer::Pulled(pulled)));
}

/// The job that counts the pivots, with its answer.
fn counted(harness: &Harness) -> (JobId, Answer) {
    let is_counted = |question: &Question| matches!(question, Question::Pivots(..));
    let mut asked = harness.asked.iter();
    let (job, question) = asked
        .find(|(_, question)| is_counted(question))
        .expect("counted anew");
    (*job, harness.at_hand(question))
}

/// A row that leads nowhere as long as nothing is counted.
#[test]
fn enter_on_a_pivot_that_is_being_counted_opens_it_unless_one_goes_on() {
    for (then, tab) in [("", TabId::Feeds), ("<up>", TabId::Lookup)] {
        let mut harness = explorer(120, 36);
        let job = look_up(&mut harness, "198.51.100.77");
        answer(&mut harness, job, RECORD);
        while harness.app.tabs.lookup.row().expect("a row").label != "AS" {
            harness.keys("<down>");
        }
        harness.keys("<enter>");
        assert!(
            harness.notice().contains("nothing to open here"),
            "{}",
            harness.notice()
        );
        harness.pivots = pivots(&[Feed::Anonymous]);
        download(&mut harness);
        harness.keys("<enter>");
        assert_eq!(
            harness.notice(),
            "counting in the local feeds, then it opens"
        );
        harness.keys(then);
        let (job, answer) = counted(&harness);
        harness.answer_to(job, Ok(answer));
        let screen = harness.screen();
        assert_eq!(harness.app.tab, tab, "{screen}");
        assert_eq!(
            screen.contains("asn:64500"),
            tab == TabId::Feeds,
            "{screen}"
        );
    }
}

/// Counts that are of before a download would lead elsewhere than the row does from now on.
#[test]
fn after_a_download_a_row_is_counted_anew_and_enter_waits_for_that() {
    let mut harness = explorer(120, 36);
    let job = look_up(&mut harness, "198.51.100.77");
    answer(&mut harness, job, RECORD);
    assert!(
        harness.screen().contains("nothing local"),
        "{}",
        harness.screen()
    );
    harness.pivots = pivots(&[Feed::Anonymous]);
    download(&mut harness);
    harness.keys("<enter>");
    assert_eq!(harness.app.tab, TabId::Lookup);
    let is_read = |question: &Question| *question == Question::Sources(query("198.51.100.77"));
    assert!(harness.asked.iter().any(|(_, question)| is_read(question)));
    let (job, answer) = counted(&harness);
    harness.answer_to(job, Ok(answer));
    let screen = harness.screen();
    assert_eq!(harness.app.tab, TabId::Feeds, "{screen}");
    assert!(screen.contains("tag:ACME_VPN"), "{screen}");
}

#[test]
fn no_count_is_without_the_feed_that_it_is_of() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    for (feeds, expected) in [
        (&[Feed::Anonymous][..], "0 anonymous"),
        (&[Feed::Anonymous, Feed::Dch][..], "0 in 2 feeds"),
    ] {
        harness.pivots = pivots(feeds);
        for pivot in &mut harness.pivots {
            for count in &mut pivot.counts {
                count.records = 0;
            }
        }
        harness.keys("i198.51.100.77<enter>");
        let screen = harness.screen();
        let row = screen
            .lines()
            .find(|line| line.contains("proxy     WIDGET_PROXY"));
        assert!(row.is_some_and(|row| row.contains(expected)), "{screen}");
    }
}

#[test]
fn a_proxy_of_the_last_days_is_said_beside_an_answer_without_one() {
    let words = "PROXY on 3 of the last 6 known days, last 2026-11-19";
    for size in [(120, 36), (80, 24)] {
        for (record, is_said) in [
            (r#"{"ip":"198.51.100.71"}"#, true),
            (
                r#"{"ip":"198.51.100.71","tunnels":[{"type":"VPN","anonymous":true}]}"#,
                false,
            ),
        ] {
            let mut harness = explorer(size.0, size.1);
            harness.days = Some(days("20261115", "pp--p-"));
            let job = look_up(&mut harness, "198.51.100.71");
            answer(&mut harness, job, record);
            let screen = harness.screen();
            assert_eq!(screen.contains(words), is_said, "{screen}");
            let note = harness.keys("ym");
            let note = harness::copied(&note).expect("a note");
            assert_eq!(note.contains(&escaped(words)), is_said, "{note}");
        }
    }
    // Where every day is alike there is nothing to add.
    let mut harness = explorer(120, 36);
    harness.days = Some(days("20261115", "------"));
    let job = look_up(&mut harness, "198.51.100.71");
    answer(&mut harness, job, r#"{"ip":"198.51.100.71"}"#);
    assert!(!harness.screen().contains("local days"));
}
