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
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("G");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(is_page, Err(error));
    for key in ["<up>", "<up>", "<down>", "<ctrl-u>"] {
        harness.keys(key);
        assert_eq!(waiting(&harness, is_page), [], "{key}");
        let screen = harness.screen();
        assert!(screen.contains("x the index is damaged"), "{screen}");
    }
    harness.keys("R");
    assert_eq!(waiting(&harness, is_page).len(), 1);
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(!screen.contains("damaged"), "{screen}");
    // Another filter is another question.
    harness.keys("/cc:NL<enter>");
    let error = Error::new(Kind::Integrity, "the index is damaged");
    harness.answer_any(is_page, Err(error));
    harness.keys("/clients>3<enter>");
    assert_eq!(waiting(&harness, is_page).len(), 1);
    assert!(!harness.screen().contains("damaged"));
}

#[test]
fn counts_of_another_filter_are_marked_after_a_while_as_rows_are() {
    let mut harness = browsing(120, 36, "", 41_198);
    let dims = |harness: &Harness| {
        let browser = harness
            .app
            .tabs
            .feeds
            .browsers
            .front
            .as_ref()
            .expect("the browser");
        browser.facets.is_old(browser.query(), harness.now)
    };
    harness.keys("/cc:NL<enter>");
    assert!(!dims(&harness), "not at once");
    let grace = SignedDuration::from_millis(200);
    assert_eq!(
        harness.app.wakes_at(harness.now),
        Some(harness.now + grace),
        "it is drawn when the grace ends"
    );
    harness.now += grace;
    assert!(dims(&harness));
    assert!(
        harness.app.wakes_at(harness.now) > Some(harness.now),
        "and then waits"
    );
    answer_pages(&mut harness, 900);
    assert!(dims(&harness), "rows are no counts");
    answer_facets(&mut harness);
    assert!(!dims(&harness));
}

#[test]
fn in_the_back_nothing_is_waited_for_and_in_front_it_goes_on() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("/cc:NL<enter>");
    let asked = harness.asked.clone();
    let page = asked
        .iter()
        .find(|(_, question)| is_page(question))
        .expect("a page")
        .0;
    let cmds = harness.keys("3");
    assert!(
        cmds.contains(&crate::tui::ctx::cmd::Cmd::Cancel(page)),
        "{cmds:?}"
    );
    assert_eq!(waiting(&harness, is_page), []);
    // What is local is read again meanwhile: no row is asked for.
    harness.keys("4");
    assert_eq!(
        waiting(&harness, is_page).len(),
        1,
        "in front it is asked for"
    );
    answer_pages(&mut harness, 900);
    assert_eq!(waiting(&harness, is_facets).len(), 1);
    harness.keys("2");
    assert_eq!(waiting(&harness, is_facets), []);
    harness.keys("4");
    assert_eq!(waiting(&harness, is_facets).len(), 1);
}
