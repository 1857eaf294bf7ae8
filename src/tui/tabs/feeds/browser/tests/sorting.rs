//! The order of the records: by any column, in two directions.

use super::*;
use crate::store::index::SortField;

fn is_page(question: &Question) -> bool {
    matches!(question, Question::Page(..))
}

/// The order of the rows that are asked for.
fn asked_order(harness: &Harness) -> Order {
    match &waiting(harness, is_page)[..] {
        [Question::Page(query, _)] => query.order,
        other => panic!("{other:?}"),
    }
}

fn by(field: Keyword, descending: bool) -> Order {
    Order::Field {
        by: SortField::Words(field),
        descending,
    }
}

#[test]
fn the_menu_sorts_by_any_column_and_again_the_other_way() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("s");
    insta::assert_snapshot!(harness.screen());
    insta::assert_snapshot!(harness.screen_at(80, 24));
    harness.draws_at_any_size();
    // The cursor is on the present order: s turns it round.
    harness.keys("s");
    assert_eq!(asked_order(&harness), Order::ClientsAscending);
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(
        screen.contains("CLIENTS ^") && screen.contains("by clients, fewest first"),
        "{screen}"
    );
    harness.keys("s<up><up><up><enter>");
    assert_eq!(asked_order(&harness), by(Keyword::Cc, false));
    answer_pages(&mut harness, 41_198);
    let screen = harness.screen();
    assert!(
        screen.contains("CC ^") && screen.contains("by cc"),
        "{screen}"
    );
    let here = harness.app.trail.here().cloned();
    let Some(TrailStop::View(query)) = here else {
        panic!("{here:?}")
    };
    assert_eq!(
        query.order,
        by(Keyword::Cc, false),
        "the trail leads back to it"
    );
    harness.keys("ss");
    assert_eq!(asked_order(&harness), by(Keyword::Cc, true));
    answer_pages(&mut harness, 41_198);
    assert!(harness.screen().contains("CC v"));
}

#[test]
fn angle_brackets_sort_by_the_columns_that_are_shown_round_and_round() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys(">");
    assert_eq!(asked_order(&harness), by(Keyword::Risk, false));
    harness.keys("<<");
    assert_eq!(asked_order(&harness), by(Keyword::Asn, false));
    for _ in 0..5 {
        harness.keys("<");
    }
    assert_eq!(asked_order(&harness), Order::Address);
    harness.keys("<");
    assert_eq!(asked_order(&harness), by(Keyword::Proxy, false));
    harness.keys(">");
    assert_eq!(asked_order(&harness), Order::Address);
}

#[test]
fn records_that_are_too_many_to_be_read_stay_as_they_were_and_say_why() {
    let mut harness = browsing(120, 36, "", 41_198);
    harness.keys("s<up><up><enter>");
    let city = Order::Field {
        by: SortField::Path("location.city"),
        descending: false,
    };
    assert_eq!(asked_order(&harness), city);
    let why = "20104877 records would have to be read one by one: at most 1000000 are";
    let error = Error::new(Kind::Usage, why).hint("use a filter that selects fewer of them");
    harness.answer_any(is_page, Err(error));
    let screen = harness.screen();
    assert!(
        screen.contains(why) && screen.contains("198.51.100.0"),
        "{screen}"
    );
    harness.keys("s<down><down><enter>");
    answer_pages(&mut harness, 41_198);
    assert!(!harness.screen().contains(why));
}
