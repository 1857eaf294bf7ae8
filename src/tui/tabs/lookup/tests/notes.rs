//! Notes on an address.

use super::*;
use crate::engine::trail::Entry;

#[test]
fn a_note_stands_on_the_page_in_the_log_and_in_the_ticket() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    stage.keys("i198.51.100.77<enter>a");
    stage.types("seen at the gateway");
    let cmds = stage.keys("<enter>");
    let noted = Entry::Noted(
        "198.51.100.77".parse().expect("address"),
        stage.now,
        "seen at the gateway".to_owned(),
    );
    assert_eq!(cmds, [Cmd::Remember(noted.clone())]);
    assert!(
        stage.screen().contains("seen at the gateway"),
        "{}",
        stage.screen()
    );
    let ticket = stage.keys("ym");
    let ticket = harness::copied(&ticket).expect("a ticket");
    assert!(
        ticket.contains("- **note of 2026-11-20 23:14Z:** seen at the gateway"),
        "{ticket}"
    );
    stage.keys("<ctrl-g>");
    assert!(!stage.screen().contains("seen at the gateway"));
    stage.keys("<ctrl-g>u");
    assert!(!stage.screen().contains("seen at the gateway"));

    let mut again = rehearse(120, 36);
    let begun = again.app.begin(None, again.now);
    let trail = begun.iter().find_map(|cmd| match cmd {
        Cmd::Ask(job, Question::Trail) => Some(*job),
        _ => None,
    });
    let of_before = engine::Trail {
        entries: vec![noted],
        ..engine::Trail::default()
    };
    again.answer_to(trail.expect("the trail"), Ok(Answer::Trail(of_before)));
    again.sources.local = local("20261120");
    again.keys("i198.51.100.77<enter>");
    assert!(
        again.screen().contains("seen at the gateway"),
        "{}",
        again.screen()
    );
}

#[test]
fn an_empty_note_is_none() {
    let mut stage = rehearse(120, 36);
    stage.sources.local = local("20261120");
    let cmds = stage.keys("i198.51.100.77<enter>a <enter>ax<esc>u");
    let kept = |cmd: &Cmd| matches!(cmd, Cmd::Remember(_));
    assert!(!cmds.iter().any(kept), "{cmds:?}");
}
