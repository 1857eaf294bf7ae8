//! A long pasted text, which the worker gathers.

use super::*;
use crate::{
    engine::{Progress, Stage},
    investigation::gather::GatheredText,
    tui::ctx::{JobState, PastedText},
};

/// Pastes a text that is longer than what is read at once, and returns what the worker got of it.
fn paste_long(harness: &mut Harness, line: &str) -> PastedText {
    let text = line.repeat((1 << 20) / line.len() + 1);
    harness.tell(Msg::Paste(text));
    match harness.asked.as_slice() {
        [(_, Question::Gather(pasted))] => pasted.clone(),
        other => panic!("{other:?}"),
    }
}

fn gathered(harness: &mut Harness, pasted: PastedText) {
    let text = GatheredText::of(&pasted.text(), harness::now());
    let question = Question::Gather(pasted);
    harness.asked.clear();
    harness.answer(&question, Ok(Answer::Gathered(Box::new(text))));
}

#[test]
fn a_long_text_is_gathered_as_a_job_and_becomes_the_table() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\ndeny 198.51.100.9\n");
    assert!(harness.app.tabs.lookup.board.is_none(), "not read yet");
    let screen = harness.screen();
    assert!(screen.contains("reading the text; x stops it"), "{screen}");
    let length = pasted.text().len() as u64;
    let progress = Progress {
        stage: Stage::Reading,
        done: length / 4,
        total: Some(length),
    };
    harness.progress(&Question::Gather(pasted.clone()), progress);
    let screen = harness.screen();
    assert!(screen.contains("25%"), "{screen}");
    // Meanwhile other keys have their effect.
    harness.keys("4");
    gathered(&mut harness, pasted);
    harness.keys("1");
    let screen = harness.screen();
    assert!(screen.contains("2 addresses"), "{screen}");
    harness.draws_at_any_size();
}

#[test]
fn a_long_text_is_no_longer_read_where_it_is_stopped() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\ndeny 198.51.100.9\n");
    let job = harness.job(&Question::Gather(pasted.clone()));
    let cmds = harness.keys("x");
    assert!(cmds.contains(&Cmd::Cancel(job)), "{cmds:?}");
    let jobs = harness.app.jobs.all();
    assert_eq!(
        jobs.last().map(|own| &own.state),
        Some(&JobState::Cancelled)
    );
    assert!(
        harness.notice().contains("cancelled"),
        "{}",
        harness.notice()
    );
}

#[test]
fn a_long_text_with_one_address_or_none_opens_no_table() {
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "deny 198.51.100.77\n");
    gathered(&mut harness, pasted);
    assert_eq!(harness.asked, [], "nothing is sent before enter");
    harness.keys("<enter>");
    assert_eq!(harness.asked[0].1, Question::Lookup(query("198.51.100.77")));
    let mut harness = explorer(120, 36);
    let pasted = paste_long(&mut harness, "connection refused\n");
    gathered(&mut harness, pasted);
    assert_eq!(harness.notice(), "the text has no address");
}
