//! Which questions are asked and which are dropped: after a failure, in the background, and while old rows are shown.

use jiff::SignedDuration;

use super::*;

fn is_page(question: &Question) -> bool {
    matches!(question, Question::Page(..))
}

fn is_facets(question: &Question) -> bool {
    matches!(question, Question::Facets(..))
}

#[test]
fn a_page_that_failed_is_asked_for_again_by_one_key_alone() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("G");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    stage.answer_any(is_page, Err(error));
    for key in ["<up>", "<up>", "<down>", "<ctrl-u>"] {
        stage.keys(key);
        assert_eq!(waiting(&stage, is_page), [], "{key}");
        let screen = stage.screen();
        assert!(screen.contains("x the index is damaged"), "{screen}");
    }
    stage.keys("R");
    assert_eq!(waiting(&stage, is_page).len(), 1);
    answer_pages(&mut stage, 41_198);
    let screen = stage.screen();
    assert!(!screen.contains("damaged"), "{screen}");
    // Another filter is another question.
    stage.keys("/cc:NL<enter>");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    stage.answer_any(is_page, Err(error));
    stage.keys("/clients>3<enter>");
    assert_eq!(waiting(&stage, is_page).len(), 1);
    assert!(!stage.screen().contains("damaged"));
}

#[test]
fn counts_of_another_filter_are_marked_after_a_while_as_rows_are() {
    let mut stage = browsing(120, 36, "", 41_198);
    let dims = |stage: &Harness| {
        let browser = stage.app.tabs.feeds.browser.as_ref().expect("the browser");
        browser.facets.is_old(browser.query(), stage.now)
    };
    stage.keys("/cc:NL<enter>");
    assert!(!dims(&stage), "not at once");
    let grace = SignedDuration::from_millis(200);
    assert_eq!(
        stage.app.wakes_at(stage.now),
        Some(stage.now + grace),
        "it is drawn when the grace ends"
    );
    stage.now += grace;
    assert!(dims(&stage));
    assert!(
        stage.app.wakes_at(stage.now) > Some(stage.now),
        "and then waits"
    );
    answer_pages(&mut stage, 900);
    assert!(dims(&stage), "rows are no counts");
    answer_facets(&mut stage);
    assert!(!dims(&stage));
}

#[test]
fn in_the_back_nothing_is_waited_for_and_in_front_it_goes_on() {
    let mut stage = browsing(120, 36, "", 41_198);
    stage.keys("/cc:NL<enter>");
    let asked = stage.asked.clone();
    let page = asked
        .iter()
        .find(|(_, own)| is_page(own))
        .expect("a page")
        .0;
    let cmds = stage.keys("3");
    assert!(
        cmds.contains(&crate::tui::ctx::cmd::Cmd::Cancel(page)),
        "{cmds:?}"
    );
    assert_eq!(waiting(&stage, is_page), []);
    // What is local is read again meanwhile: no row is asked for.
    stage.keys("4");
    assert_eq!(
        waiting(&stage, is_page).len(),
        1,
        "in front it is asked for"
    );
    answer_pages(&mut stage, 900);
    assert_eq!(waiting(&stage, is_facets).len(), 1);
    stage.keys("2");
    assert_eq!(waiting(&stage, is_facets), []);
    stage.keys("4");
    assert_eq!(waiting(&stage, is_facets).len(), 1);
}
