//! From the records to an export of them.

use super::*;

#[test]
fn the_filter_goes_into_an_export_as_far_as_it_can() {
    let mut harness = browsing(120, 36, "tag:ACME_VPN cc:NL -infra:MOBILE", 41_198);
    harness.keys("E");
    assert_eq!(harness.app.tab, TabId::Export);
    let screen = harness.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("NL"),
        "{screen}"
    );
    let said: Vec<&str> = harness
        .app
        .notices
        .log()
        .map(|notice| notice.text.as_str())
        .collect();
    assert!(
        said.contains(&"an export cannot have -infra:MOBILE: left out"),
        "{said:?}"
    );
}

#[test]
fn what_an_export_cannot_say_stands_until_the_form_changes_and_back_leads_to_the_row() {
    let mut harness = browsing(120, 36, "clients>20 cc:NL", 12);
    harness.keys("<down><down>E");
    assert_eq!(harness.app.tab, TabId::Export);
    let left = "an export cannot have clients>20: left out";
    assert_eq!(harness.notice(), left);
    let said = |harness: &mut Harness| harness.screen().matches(left).count();
    assert_eq!(said(&mut harness), 2, "the notice and the checks");
    harness.keys("<right>");
    assert_eq!(
        said(&mut harness),
        1,
        "the notice alone: the form is another"
    );
    harness.keys("<back>");
    assert_eq!(harness.app.tab, TabId::Feeds);
    let screen = harness.screen();
    assert!(
        screen.contains("/ clients>20 cc:NL") && screen.contains("3 of 12"),
        "{screen}"
    );
}

/// Beside the number of what would be exported, also where its file is asked for; and no longer than it is wanted.
#[test]
fn what_an_export_cannot_say_stands_beside_its_number_and_goes_with_the_filter() {
    let mut harness = browsing(120, 36, "net:198.51.100.0/24", 2);
    harness.keys("E");
    answer_pages(&mut harness, 5_708);
    let differs = "! 2 records shown, 5,708 exported";
    assert!(harness.screen().contains(differs), "{}", harness.screen());
    let narrow = harness.screen_at(80, 24);
    assert!(narrow.contains("! 2 records shown"), "{narrow}");
    harness.keys("<ctrl-s>");
    let narrow = harness.screen_at(80, 24);
    for words in [
        differs,
        "an export cannot have net:198.51.100.0/24: left out",
        "free: an export costs no query",
    ] {
        assert!(narrow.contains(words), "{words} in\n{narrow}");
    }
    harness.draws_at_any_size();
    harness.screen_at(120, 36);
    harness.keys("<esc>45");
    assert_eq!(harness.app.tab, TabId::Export);
    answer_pages(&mut harness, 5_708);
    let screen = harness.screen();
    let form: Vec<&str> = screen.lines().take(33).collect();
    let form = form.join("\n");
    assert!(form.contains("5,708 IPs"), "{screen}");
    assert!(
        !form.contains("records shown") && !form.contains("left out"),
        "{screen}"
    );
}

/// What costs no query says so where it is offered.
#[test]
fn keys_of_an_export_name_their_price() {
    let mut harness = browsing(160, 40, "", 41_198);
    harness.keys("E");
    answer_pages(&mut harness, 5_708);
    let screen = harness.screen();
    for words in [
        "ctrl-s run (free)",
        "ctrl-o run locally (free)",
        "S server preview (free)",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
}

/// Form, matches and request are about one feed.
#[test]
fn records_of_a_feed_without_exports_lead_to_a_form_of_one_that_has_them() {
    let mut harness = Harness::with(facts(), 120, 36);
    harness.app.tab = TabId::Feeds;
    let query = |feed| ViewQuery {
        feed,
        ..view("cc:NL net:198.51.100.0/24", None)
    };
    go(&mut harness, query(Feed::Ipsummary));
    answer_pages(&mut harness, 127);
    harness.keys("E");
    let screen = harness.screen();
    for words in [
        "< anonymous >",
        "/v1/feeds/anonymous",
        "ipsummary has no export: this asks for anonymous",
        "an export cannot have net:198.51.100.0/24: left out",
    ] {
        assert!(screen.contains(words), "{words} in\n{screen}");
    }
    assert!(!screen.contains("feeds/ipsummary"), "{screen}");
    let mut harness = Harness::with(facts(), 120, 36);
    harness.app.tab = TabId::Feeds;
    go(
        &mut harness,
        ViewQuery {
            feed: Feed::Ipgeo,
            ..view("", None)
        },
    );
    harness.keys("E");
    assert_eq!(harness.app.tab, TabId::Feeds);
    assert!(
        harness.notice().contains("no export"),
        "{}",
        harness.notice()
    );
}
