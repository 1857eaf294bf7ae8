//! The first screen with what is watched.

use super::*;
use crate::{
    engine::watches::{Watch, Watched},
    investigation::watch::{WatchChange, WatchKind, WatchValue},
    model::{Day, parse_subject},
    tui::ctx::WatchNews,
};

/// What is watched, with two changes.
fn watched() -> WatchNews {
    let day = |text| Day::from_dashed(text).expect("a day");
    let watch = |name: &str, what, counts| Watch {
        name: name.to_owned(),
        feed: "anonymous".to_owned(),
        what,
        at_least: None,
        at_most: None,
        looked: None,
        counts,
    };
    let change = |kind, subject: Option<&str>, after| WatchChange {
        watch: "office".to_owned(),
        feed: Some(Feed::Anonymous),
        from: day("2026-11-19"),
        to: day("2026-11-20"),
        kind,
        subject: subject.map(|text| parse_subject(text).expect("a subject")),
        before: WatchValue::Nothing,
        after,
    };
    let network = "198.51.100.0/24".parse().expect("a network");
    WatchNews {
        watches: vec![
            watch("new", Watched::Tag("ACME_VPN".to_owned()), Vec::new()),
            watch(
                "office",
                Watched::Network(network),
                vec![
                    (day("2026-11-18"), 3),
                    (day("2026-11-19"), 9),
                    (day("2026-11-20"), 1204),
                ],
            ),
        ],
        changes: vec![
            WatchChange {
                before: WatchValue::Number(9),
                ..change(WatchKind::Count, None, WatchValue::Number(1204))
            },
            change(
                WatchKind::Added,
                Some("198.51.100.77"),
                WatchValue::Operators(vec!["ACME_VPN".to_owned()]),
            ),
        ],
    }
}

#[test]
fn the_first_screen_has_what_changed_since_a_person_last_looked() {
    let mut harness = explorer(100, 24);
    harness.tell(Msg::Watched(watched()));
    harness.keys("<esc>");
    insta::assert_snapshot!("watched", harness.screen());
    harness.draws_at_any_size();
    // What changed is opened with what is at hand, which is free.
    let cmds = harness.keys("<down><down><enter>");
    let is_paid =
        |cmd: &Cmd| matches!(cmd, Cmd::Ask(_, Question::Lookup(_) | Question::Resolve(_)));
    assert!(!cmds.iter().any(is_paid), "{cmds:?}");
    assert!(harness.screen().contains("198.51.100.77"));
    // The way back leads to the list, by each key that closes.
    for close in ["q", "<esc>", "<back>"] {
        harness.keys(close);
        assert!(
            harness.screen().contains("SINCE YOU LAST LOOKED"),
            "{close}: {}",
            harness.screen()
        );
        harness.keys("<enter>");
    }
    // What changes later is beside what was not looked at, and the mark is on each screen.
    let more = WatchNews {
        changes: watched().changes.split_off(1),
        ..watched()
    };
    harness.tell(Msg::Watched(more));
    assert!(harness.screen().contains("watch 3"), "{}", harness.screen());
}
