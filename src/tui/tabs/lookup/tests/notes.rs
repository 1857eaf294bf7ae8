//! Notes on an address.

use super::*;
use crate::engine::trail::TrailEntry;

#[test]
fn a_note_stands_on_the_page_in_the_log_and_in_the_ticket() {
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    harness.keys("i198.51.100.77<enter>a");
    harness.types("seen at the gateway");
    let cmds = harness.keys("<enter>");
    let noted = TrailEntry::Noted(
        "198.51.100.77".parse().expect("address"),
        harness.now,
        "seen at the gateway".to_owned(),
    );
    assert_eq!(cmds, [Cmd::Remember(noted.clone())]);
    assert!(
        harness.screen().contains("seen at the gateway"),
        "{}",
        harness.screen()
    );
    let ticket = harness.keys("ym");
    let ticket = harness::copied(&ticket).expect("a ticket");
    assert!(
        ticket.contains("- **note of 2026-11-20 23:14Z:** seen at the gateway"),
        "{ticket}"
    );
    harness.keys("<ctrl-g>");
    assert!(!harness.screen().contains("seen at the gateway"));
    harness.keys("<ctrl-g>u");
    assert!(!harness.screen().contains("seen at the gateway"));

    let mut again = explorer(120, 36);
    let begun = again.app.begin(None, again.now);
    let trail = begun.iter().find_map(|cmd| match cmd {
        Cmd::Ask(job, Question::Trail) => Some(*job),
        _ => None,
    });
    let of_before = engine::SavedTrail {
        entries: vec![noted],
        ..engine::SavedTrail::default()
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
    let mut harness = explorer(120, 36);
    harness.sources.local = local("20261120");
    let cmds = harness.keys("i198.51.100.77<enter>a <enter>ax<esc>u");
    let kept = |cmd: &Cmd| matches!(cmd, Cmd::Remember(TrailEntry::Noted(..)));
    assert!(!cmds.iter().any(kept), "{cmds:?}");
}

#[test]
fn the_note_that_was_copied_can_be_read_whole() {
    for (width, height) in [(120, 36), (80, 24)] {
        let mut harness = explorer(width, height);
        let job = look_up(&mut harness, "198.51.100.77");
        answer(&mut harness, job, RECORD);
        let cmds = harness.keys("ym");
        let copied = cmds.iter().find_map(|cmd| match cmd {
            Cmd::Copy(what, text) => Some((what.clone(), text.clone())),
            _ => None,
        });
        let (what, note) = copied.expect("a note");
        let route = "OSC 52 (1,110 bytes)".to_owned();
        harness.tell(crate::tui::shell::msg::Msg::Copied(what, Ok(route)));
        assert!(
            harness.notice().contains("bytes); ! shows it"),
            "{}",
            harness.notice()
        );
        harness.keys("!");
        let screen = harness.screen();
        // Longer lines are broken.
        let is_whole = |line: &&str| (8..60).contains(&line.chars().count());
        let mut lines: Vec<&str> = note.lines().map(str::trim_end).filter(is_whole).collect();
        if height < 36 {
            assert!(screen.contains("more lines were copied, too"), "{screen}");
            lines.truncate(3);
        }
        assert!(lines.len() > 2, "{note}");
        let mut rest = screen.as_str();
        for line in lines {
            let found = rest.split_once(line);
            rest = found
                .unwrap_or_else(|| panic!("{line} of\n{note}\nin\n{screen}"))
                .1;
        }
    }
}
