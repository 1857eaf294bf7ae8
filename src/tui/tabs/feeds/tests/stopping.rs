//! Downloads are paused, resumed and stopped; the user keeps or deletes the received part.

use super::*;
use crate::engine::PartialDownload;

#[test]
fn pausing_and_stopping_concern_the_selected_feed() {
    let mut script = filled();
    script.keys("pjpk");
    let (first, second) = (
        script.job(&latest(Feed::Anonymous)),
        script.job(&latest(Feed::AnonymousResidential)),
    );
    assert_eq!(script.keys("z"), [Cmd::Cancel(first)]);
    assert_eq!(questions(&script.keys("z")), [latest(Feed::Anonymous)]);
    let judging = script.job(&Question::Health(Feed::Anonymous));
    assert_eq!(script.keys("jx"), [Cmd::Cancel(judging)], "of another feed");
    insta::assert_snapshot!(script.screen_at(80, 24));
    assert_eq!(script.keys("<esc>"), [], "it goes on");
    let left = Question::LeftOf(PullQuery::latest(Feed::AnonymousResidential));
    let cmds = script.keys("x<enter>");
    assert_eq!(cmds[0], Cmd::Cancel(second));
    assert_eq!(
        questions(&cmds),
        slice::from_ref(&left),
        "enter deletes nothing"
    );
    let part = PartialDownload {
        query: PullQuery::latest(Feed::AnonymousResidential),
        moment: Moment::parse("20261120").expect("moment"),
        bytes: 14,
        total: Some(100),
    };
    let cmds = script.answer(&left, Ok(Answer::Left(Some(part))));
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert!(script.notice().contains("partial 14% kept, z resumes"));
}

#[test]
fn what_has_come_of_a_paused_download_can_be_deleted() {
    let mut script = filled();
    script.keys("pzx");
    let delete = Question::DeletePart(PullQuery::latest(Feed::Anonymous));
    assert_eq!(questions(&script.keys("X")), slice::from_ref(&delete));
    let cmds = script.answer(&delete, Ok(Answer::Left(None)));
    assert_eq!(questions(&cmds), [Question::Releases]);
    assert!(script.notice().contains("there was nothing to delete"));
}
