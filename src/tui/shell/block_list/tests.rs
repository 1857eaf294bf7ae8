use std::collections::BTreeMap;

use super::*;
use crate::{
    contract::Feed,
    engine::{Error, Kind},
    investigation::{
        blocklist::{ListFile, ListOrigin},
        collateral::Collateral,
    },
    model::{Admission, Subject},
    tui::{
        ctx::{Answer, Cmd, Facts, Question},
        harness::{self, Harness, questions},
        shell::msg::Msg,
    },
};

const LOG: &str = "deny 198.51.100.77\ndeny 198.51.100.9\ndeny 198.51.100.8\n";

fn facts() -> Facts {
    Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    }
}

/// An explorer with the table of the log.
fn with_table() -> Harness {
    let mut harness = Harness::with(facts(), 120, 36);
    harness.tell(Msg::Paste(LOG.to_owned()));
    harness
}

/// What was asked about the list last.
fn asked(cmds: &[Cmd]) -> ListAsk {
    let all = questions(cmds);
    let ask = all.iter().rev().find_map(|question| match question {
        Question::ListCheck(ask) | Question::ListPeople(ask) => Some(ListAsk::clone(ask)),
        _ => None,
    });
    ask.unwrap_or_else(|| panic!("{all:?}"))
}

fn checked(clients: [u64; 2]) -> ListCheck {
    let subject = |last| Subject::Address([198, 51, 100, last].into());
    let counts: BTreeMap<u64, u64> = clients.into_iter().map(|clients| (clients, 1)).collect();
    ListCheck {
        entries: 2,
        addresses: 3,
        people: Some(Collateral {
            releases: vec![(Feed::Anonymous, "20261120".parse().expect("a day"))],
            records: 3,
            counts,
            kinds: [1, 0, 2, 0],
            largest: vec![(subject(77), clients[0]), (subject(9), clients[1])],
        }),
        ..ListCheck::default()
    }
}

fn answer(harness: &mut Harness, ask: &ListAsk, clients: [u64; 2]) {
    let question = Question::ListCheck(Box::new(ask.clone()));
    harness.answer(&question, Ok(Answer::ListCheck(Box::new(checked(clients)))));
}

#[test]
fn who_is_behind_is_told_and_space_spares_one() {
    let mut harness = with_table();
    let ask = asked(&harness.keys("B"));
    let ListOf::Networks(networks) = &ask.of else {
        panic!("{ask:?}")
    };
    let names: Vec<String> = networks.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["198.51.100.8/31", "198.51.100.77/32"]);
    assert!(ask.spared.is_empty());
    answer(&mut harness, &ask, [4327, 3]);
    let screen = harness.screen();
    for told in [
        "A list to block by: 3 addresses",
        "2 entries, 3 addresses",
        "4,330 clients a day",
        "198.51.100.77 4,327",
        "1 with 100 clients or more",
    ] {
        assert!(screen.contains(told), "{told}\n{screen}");
    }
    insta::assert_snapshot!("block_wide", screen);
    insta::assert_snapshot!("block_narrow", harness.screen_at(80, 24));
    harness.screen_at(120, 36);
    // Space spares the one with the most clients; it stays where it can be taken back.
    let ask = asked(&harness.keys("<tab> "));
    assert_eq!(ask.spared, ["198.51.100.77/32".parse().expect("a network")]);
    answer(&mut harness, &ask, [3, 1]);
    assert!(
        harness.screen().contains("4 clients a day"),
        "{}",
        harness.screen()
    );
    let ask = asked(&harness.keys("<right> "));
    assert_eq!(ask.spared.len(), 2);
    harness.draws_at_any_size();
}

#[test]
fn who_is_behind_records_is_told_before_their_list_is_made_and_what_is_old_says_so() {
    let mut harness = Harness::with(facts(), 120, 36);
    let told = |harness: &mut Harness, ask: &ListAsk, clients| {
        let people = checked(clients).people.map(Box::new);
        let question = Question::ListPeople(Box::new(ask.clone()));
        harness.answer(&question, Ok(Answer::ListPeople(people)));
        harness.screen()
    };
    let has = |screen: &str, words: [&str; 2]| {
        for text in words {
            assert!(screen.contains(text), "{text}\n{screen}");
        }
    };
    let ask = asked(&harness.keys("<esc>5B"));
    let screen = told(&mut harness, &ask, [4327, 3]);
    has(
        &screen,
        ["its entries are being counted", "4,330 clients a day"],
    );
    answer(&mut harness, &ask, [4327, 3]);
    has(
        &harness.screen(),
        ["2 entries, 3 addresses", "4,330 clients a day"],
    );
    let ask = asked(&harness.keys("<tab> "));
    let screen = harness.screen();
    has(
        &screen,
        [
            "looking in the local feeds; this was before",
            "4,330 clients a day",
        ],
    );
    let screen = told(&mut harness, &ask, [3, 1]);
    has(
        &screen,
        ["its entries are being counted", "4 clients a day"],
    );
    harness.draws_at_any_size();
}

#[test]
fn a_list_is_written_in_the_form_that_was_chosen() {
    let mut harness = with_table();
    let ask = asked(&harness.keys("B"));
    answer(&mut harness, &ask, [9, 1]);
    harness.keys("<right><tab><tab><right><right><right><s-tab><s-tab><s-tab>l.ipset<enter>");
    let path = harness.app.facts.working_dir.join("l.ipset");
    let cmds = harness.answer(&Question::IsThere(path.clone()), Ok(Answer::IsThere(false)));
    let all = questions(&cmds);
    let [question @ Question::WriteBlockList(own, writing)] = all.as_slice() else {
        panic!("{all:?}")
    };
    assert_eq!(**own, ask);
    assert_eq!((writing.form, writing.expires), ("ipset", Some(259_200)));
    assert_eq!((writing.name.as_str(), &writing.file), ("l", &path));
    assert!(
        harness.notice().starts_with("to check it: "),
        "{}",
        harness.notice()
    );
    let list = ListFile {
        file: "l.ipset".to_owned(),
        name: "l".to_owned(),
        form: "ipset",
        origin: ListOrigin::default(),
        until: None,
        entries: 2,
        addresses: 3,
        sha256: String::new(),
    };
    harness.answer(question, Ok(Answer::BlockListed(vec![list])));
    assert_eq!(harness.notice(), "l.ipset: 2 entries in l.ipset");
}

#[test]
fn what_has_no_addresses_makes_no_list() {
    let mut harness = Harness::with(facts(), 120, 36);
    harness.keys("<esc>B");
    assert!(
        harness.notice().contains("no addresses here"),
        "{}",
        harness.notice()
    );
    // The form of an export asks for records.
    let ask = asked(&harness.keys("5B"));
    assert!(
        matches!(&ask.of, ListOf::Records(_, None, filter) if filter.is_empty()),
        "{ask:?}"
    );
    let error = Error::new(Kind::NotFound, "the feed anonymous is not downloaded")
        .hint("`ipspect feeds pull anonymous`");
    for question in [
        Question::ListPeople(Box::new(ask.clone())),
        Question::ListCheck(Box::new(ask)),
    ] {
        harness.answer(&question, Err(error.clone()));
    }
    let screen = harness.screen();
    assert!(
        screen.contains("not downloaded") && screen.contains("feeds pull anonymous"),
        "{screen}"
    );
}
