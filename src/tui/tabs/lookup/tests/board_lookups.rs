//! The lookups of a table: their plan, what comes of each, and what is not paid for.

use super::{board::LOG, *};
use crate::{
    engine::{
        PullQuery, Pulled,
        answers::{BatchEnd, PossiblySpent, Source},
    },
    tui::ctx::Destination,
};

#[test]
fn what_is_unknown_is_looked_up_after_a_plan_and_rows_fill_in_place() {
    let mut harness = explorer(120, 36);
    harness.app.facts.guards.confirm_over = 1;
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("$");
    let screen = harness.screen();
    for told in [
        "not public",
        "never sent",
        "enter sends 2 queries",
        "a query each",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("plan_wide", screen);
    insta::assert_snapshot!("plan_narrow", harness.screen_at(80, 24));
    harness.screen_at(120, 36);
    harness.keys("0<enter>");
    assert!(harness.screen().contains("a number of queries, 1 or more"));
    assert_eq!(
        harness.asked,
        [],
        "nothing is sent for a number that is none"
    );
    harness.keys("<ctrl-u>2<enter>");
    assert!(
        harness.screen().contains("Send 2 queries?"),
        "{}",
        harness.screen()
    );
    assert_eq!(harness.asked, [], "more than confirm_over is asked about");
    harness.keys("y");
    let [first, second] = ["198.51.100.77", "198.51.100.9"].map(query);
    let question = Question::LookUpAll([first, second].into(), PossiblySpent::LeftOut);
    let job = harness.job(&question);
    assert!(harness.screen().contains("asking the service"));
    harness.keys("$");
    assert_eq!(harness.notice(), "lookups are under way: x stops them");
    harness.sources.cached = Some(record(RECORD));
    harness.tell(Msg::LookedUp(job, first, Ok(Source::Live)));
    let screen = harness.screen();
    assert!(
        screen.contains("VPN 1") && screen.contains("reading 1"),
        "{screen}"
    );
    harness.sources.cached = None;
    let error = Error::new(engine::Kind::Quota, "429: out of queries");
    harness.tell(Msg::LookedUp(job, second, Err(error.clone())));
    assert!(harness.screen().contains("429: out of queries"));
    let end = BatchEnd {
        answered: 1,
        failed: 1,
        left_out: 0,
        possibly_spent: 0,
        stopped: Some(error),
    };
    harness.answer_to(job, Ok(Answer::LookedUp(end)));
    assert_eq!(
        harness.notice(),
        "1 looked up, 1 failed; 429: out of queries"
    );
    harness.keys("$");
    assert!(
        harness.screen().contains("enter sends 1 query"),
        "the other one is left"
    );
    harness.keys("<enter>");
    let left = Question::LookUpAll([second].into(), PossiblySpent::LeftOut);
    harness.job(&left);
    harness.keys("x");
    assert_eq!(harness.notice(), "no further lookup is sent; $ resumes");
    assert!(
        harness.screen().contains("unknown 1"),
        "{}",
        harness.screen()
    );
    harness.draws_at_any_size();
}

/// Addresses of one network often have one owner: a query for one of each may do.
#[test]
fn one_address_of_each_network_can_be_looked_up() {
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("$<tab>");
    let screen = harness.screen();
    for told in ["one of each /24 or IPv6 /48: 1", "enter sends 1 query"] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("plan_one_of_each", harness.screen_at(80, 24));
    harness.keys("<tab>");
    assert!(harness.screen().contains("enter sends 2 queries"));
    harness.keys("<tab><enter>");
    let first = [query("198.51.100.77")].into();
    harness.job(&Question::LookUpAll(first, PossiblySpent::LeftOut));
    // The networks themselves are a field to group by.
    harness.keys("b<left><left><left><left>");
    let screen = harness.screen();
    assert!(
        screen.contains("addresses by network: /24, of IPv6 /48"),
        "{screen}"
    );
    harness.keys("<enter>");
    let board = harness.app.tabs.lookup.open_table().expect("the table");
    assert_eq!(board.list.filter(), "net:198.51.100.0/24");
}

/// Destinations and own hosts are rows, last in the order, and no query is offered for them unless the filter names their role.
#[test]
fn only_sources_are_paid_for_unless_a_role_is_named() {
    let mut harness = explorer(160, 36);
    let text = "SRC=198.51.100.77 DST=198.51.100.9\nSRC=198.51.100.78 DST=198.51.100.9\n";
    harness.tell(Msg::Paste(text.to_owned()));
    let screen = harness.screen();
    assert!(screen.contains("destination"), "{screen}");
    let place = |address: &str| screen.find(address).expect(address);
    assert!(place("198.51.100.9 ") > place("198.51.100.78"), "{screen}");
    harness.keys("$");
    let screen = harness.screen();
    for told in ["other roles", "enter sends 2 queries"] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("plan_other_roles", harness.screen_at(80, 24));
    harness.keys("<esc>/role:destination<enter>$");
    assert!(harness.screen().contains("enter sends 1 query"));
}

#[test]
fn what_is_possibly_spent_is_named_and_sent_again_only_after_a_question() {
    let mut harness = explorer(119, 36);
    let [first, second] = ["198.51.100.77", "198.51.100.9"].map(query);
    harness.possibly_spent = vec![second.address];
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert!(
        harness.screen().contains("possibly spent: sent, no answer"),
        "{}",
        harness.screen()
    );
    harness.keys("$");
    let screen = harness.screen();
    assert!(screen.contains("enter sends 1 query"), "{screen}");
    assert!(
        screen.contains("sent before, no answer: not repeated"),
        "{screen}"
    );
    harness.keys("<enter>");
    let job = harness.job(&Question::LookUpAll([first].into(), PossiblySpent::LeftOut));
    harness.possibly_spent = vec![first.address, second.address];
    let end = BatchEnd {
        possibly_spent: 1,
        ..BatchEnd::default()
    };
    harness.answer_to(job, Ok(Answer::LookedUp(end)));
    assert_eq!(
        harness.notice(),
        "0 looked up, 1 possibly spent before and not repeated: R on an address repeats its query"
    );
    harness.keys("$");
    let screen = harness.screen();
    assert!(
        screen.contains("sent before, no answer: sent again"),
        "{screen}"
    );
    harness.keys("<enter>");
    let screen = harness.screen();
    assert!(screen.contains("Send 2 queries again?"), "{screen}");
    harness.keys("y");
    harness.job(&Question::LookUpAll(
        [first, second].into(),
        PossiblySpent::Repeated,
    ));
}

#[test]
fn what_became_local_is_not_paid_for() {
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    assert!(
        harness.screen().contains("unknown 2"),
        "{}",
        harness.screen()
    );
    harness.go(Destination::Downloads(vec![Feed::Anonymous]));
    harness.keys("1$");
    let best = local("20261120");
    let pulled = Pulled {
        release: best.records[0].release.clone(),
        was_here: false,
        resumed_from: 0,
        removed: Vec::new(),
        warnings: Vec::new(),
    };
    harness.sources.local = best;
    let pull = Question::Pull(PullQuery::latest(Feed::Anonymous));
    harness.answer(&pull, Ok(Answer::Pulled(pulled)));
    harness.asked.clear();
    harness.keys("<enter>");
    assert_eq!(harness.asked, []);
    let words = "all are answered; nothing was sent";
    assert_eq!(harness.notice(), words);
    assert!(harness.screen().contains("VPN 2"), "{}", harness.screen());
}

#[test]
fn what_was_looked_up_by_itself_is_not_unknown_any_more() {
    let mut harness = explorer(120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness.keys("<enter>R");
    let job = harness.asked.last().expect("a question").0;
    harness.sources.cached = Some(record(RECORD));
    answer(&mut harness, job, RECORD);
    harness.keys("<back>");
    let screen = harness.screen();
    assert!(
        screen.contains("VPN 1") && screen.contains("unknown 1"),
        "{screen}"
    );
}
