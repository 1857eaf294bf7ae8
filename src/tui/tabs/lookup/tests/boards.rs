//! Tables on the trail: left, shown again as they were, and kept over a restart.

use std::net::IpAddr;

use super::{
    board::{LOG, shown},
    *,
};
use crate::{
    engine::trail::{
        TrailEntry,
        kept_board::{BoardShape, KeptBoard, MOST_MARKS},
    },
    investigation::gather::GatheredText,
    tui::ctx::{GatherQuery, TextFrom},
};

/// An explorer with the table of the log.
fn with_table() -> Harness {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness
}

fn file_of(harness: &Harness) -> String {
    let path = harness.app.facts.pastes.path_of(LOG);
    path.to_str().expect("a path").to_owned()
}

/// What the log gets of tables.
fn kept(cmds: &[Cmd]) -> Vec<KeptBoard> {
    let own = |cmd: &Cmd| match cmd {
        Cmd::Remember(TrailEntry::Board(board)) => Some(KeptBoard::clone(board)),
        _ => None,
    };
    cmds.iter().filter_map(own).collect()
}

/// Reads the text again that is asked for.
fn read_again(harness: &mut Harness, zone: &str) {
    let file = file_of(harness);
    let question = Question::Gather(GatherQuery {
        from: TextFrom::File(file.clone()),
        by_day: false,
        zone: zone.to_owned(),
    });
    let text = GatheredText {
        file: Some(file.into()),
        ..GatheredText::of(LOG, harness::now())
    };
    harness.answer(&question, Ok(Answer::Gathered(Box::new(text))));
}

/// Another run, with what the log has of the one before.
fn restarted(entries: Vec<TrailEntry>) -> Harness {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let begun = harness.app.begin(None, harness.now);
    let Some(Cmd::Ask(job, Question::Trail)) = begun.into_iter().next() else {
        panic!("the trail is asked for")
    };
    let of_before = engine::SavedTrail {
        entries,
        ..engine::SavedTrail::default()
    };
    harness.answer_to(job, Ok(Answer::Trail(of_before)));
    harness
}

#[test]
fn a_table_is_left_for_what_was_before_it_and_shown_again_as_it_was() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.keys("i198.51.100.77<enter>");
    harness.keys("i");
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("/is:vpn<enter> ");
    assert_eq!(shown(&harness).len(), 2);
    for leaves in ["q", "<back>"] {
        harness.keys(leaves);
        let screen = harness.screen();
        assert!(
            screen.contains("+- 198.51.100.77") || screen.contains("┌ 198.51.100.77"),
            "{screen}"
        );
        assert!(
            screen.contains("# pasted text") && screen.contains("3  VPN 2"),
            "{screen}"
        );
        harness.keys("L");
        assert_eq!(shown(&harness).len(), 2, "filtered as it was");
        assert!(
            harness.screen().contains("1 marked"),
            "{}",
            harness.screen()
        );
    }
    // q on the trail closes the trail.
    harness.keys("<ctrl-t>");
    assert!(!harness.keys("q").contains(&Cmd::Quit));
    assert!(harness.app.tabs.lookup.open_table().is_some());
    // From the table to a record and back, by either key; then out of it.
    for back in ["q", "<back>"] {
        harness.keys("<enter>");
        assert!(harness.app.tabs.lookup.open_table().is_none());
        harness.keys(back);
        assert!(harness.app.tabs.lookup.open_table().is_some(), "{back}");
    }
    harness.keys("I");
    assert!(harness.app.tabs.lookup.open_table().is_none());
    harness.keys("I");
    assert!(harness.app.tabs.lookup.open_table().is_some());
    assert_eq!(harness.asked, []);
}

#[test]
fn a_table_is_on_the_trail_beside_another() {
    let mut harness = with_table();
    harness.keys("/.77<enter>i");
    harness.tell(Msg::Paste("198.51.100.5 198.51.100.6".to_owned()));
    assert_eq!(shown(&harness).len(), 2);
    harness.keys("<back>");
    // Going back once more while it is read goes on, and does not read it twice.
    read_again(&mut harness, "UTC");
    assert_eq!(shown(&harness), ["198.51.100.77"]);
    assert_eq!(harness.notice(), "the table as it was left: filter .77");
    // The same text pasted once more is the same table.
    harness.keys("i");
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert_eq!(shown(&harness), ["198.51.100.77"]);
    harness.keys("<ctrl-t>");
    let screen = harness.screen();
    assert_eq!(screen.matches("# pasted text").count(), 2, "{screen}");
    // Where the trail begins there is nothing behind the table, which is still the next stop.
    let mut harness = with_table();
    harness.keys("q");
    assert!(harness.app.tabs.lookup.open_table().is_none());
    harness.keys("L");
    assert!(harness.app.tabs.lookup.open_table().is_some());
}

#[test]
fn a_table_is_kept_over_a_restart_with_how_it_was_shown() {
    let mut harness = with_table();
    let cmds = harness.keys("/is:vpn<enter> <");
    assert_eq!(kept(&cmds), [], "a change is written soon, not at once");
    let due = harness.app.wakes_at(harness.now).expect("due");
    harness.now = due;
    let cmds = harness.tell(Msg::Tick);
    let [board] = kept(&cmds).try_into().expect("one entry");
    assert_eq!(
        (board.shape.filter.as_str(), board.shape.marks),
        ("is:vpn", 1)
    );
    assert_eq!(kept(&harness.tell(Msg::Tick)), [], "it is written once");
    // What changed since is written on leaving, before the end.
    harness.keys(" ");
    let cmds = harness.keys("q");
    let cmds = if cmds.contains(&Cmd::Quit) {
        cmds
    } else {
        harness.keys("q")
    };
    let [board] = kept(&cmds).try_into().expect("one entry");
    assert_eq!(cmds.last(), Some(&Cmd::Quit));
    assert_eq!(board.shape.marks, 2);

    let mut harness = restarted(vec![TrailEntry::Board(board.clone().into())]);
    let screen = harness.screen();
    assert!(
        screen.contains("# pasted text") && screen.contains("3  VPN 2"),
        "{screen}"
    );
    harness.keys("I");
    read_again(&mut harness, "UTC");
    assert_eq!(shown(&harness).len(), 2);
    let words = "the table as it was left: filter is:vpn, marked: 2";
    assert_eq!(harness.notice(), words);
    let lookup = &harness.app.tabs.lookup;
    let again = lookup.board.as_ref().expect("a table").shape();
    assert_eq!(again, board.shape);
    let is_reading = |(_, question): &(JobId, Question)| matches!(question, Question::Gather(_));
    assert!(harness.asked.iter().all(is_reading), "all of it is free");
    // Erased with the trail.
    harness.keys(":forget<enter>y");
    assert!(harness.app.tabs.lookup.boards.last().is_none());
    assert!(harness.app.tabs.lookup.board.is_none());
}

#[test]
fn a_table_whose_text_is_gone_says_so_and_can_be_tried_again() {
    let board = KeptBoard {
        file: "/var/log/gone.log".to_owned(),
        at: harness::now(),
        shape: BoardShape {
            addresses: 402,
            marks: 2 * MOST_MARKS as u64,
            ..BoardShape::default()
        },
    };
    let mut harness = restarted(vec![TrailEntry::Board(board.into())]);
    let question = Question::Gather(GatherQuery {
        from: TextFrom::File("/var/log/gone.log".to_owned()),
        by_day: false,
        zone: String::new(),
    });
    harness.keys("<ctrl-t><enter>");
    let job = harness.job(&question);
    // Reading that was stopped can begin again; what is being read is not read twice.
    assert!(harness.keys("x").contains(&Cmd::Cancel(job)));
    harness.asked.clear();
    assert!(harness::questions(&harness.keys("I")).contains(&question));
    assert_eq!(harness::questions(&harness.keys("I")), []);
    let error = || Error::new(Kind::Usage, "/var/log/gone.log: there is no such file");
    harness.answer(&question, Err(error()));
    assert!(
        harness.notice().contains("no such file"),
        "{}",
        harness.notice()
    );
    harness.keys("<enter>");
    let address: IpAddr = "198.51.100.77".parse().expect("an address");
    let text = GatheredText {
        file: Some("/var/log/gone.log".into()),
        ..GatheredText::of_addresses(vec![address, [198, 51, 100, 9].into()])
    };
    harness.answer(&question, Ok(Answer::Gathered(Box::new(text))));
    let words = "the table as it was left: marks not kept: 2,000, rows: 2, before 402";
    assert_eq!(harness.notice(), words);
}

#[test]
fn going_back_passes_a_table_whose_text_is_gone() {
    let mut harness = with_table();
    for text in ["198.51.100.5 198.51.100.6", "198.51.100.7 198.51.100.8"] {
        harness.keys("i");
        harness.tell(Msg::Paste(text.to_owned()));
    }
    harness.keys("q");
    let gone = harness
        .app
        .facts
        .pastes
        .path_of("198.51.100.5 198.51.100.6");
    let question = Question::Gather(GatherQuery {
        from: TextFrom::File(gone.to_str().expect("a path").to_owned()),
        by_day: false,
        zone: "UTC".to_owned(),
    });
    let error = Error::new(Kind::Usage, "there is no such file");
    harness.answer(&question, Err(error));
    read_again(&mut harness, "UTC");
    assert_eq!(shown(&harness).len(), 3, "the first one");
}
