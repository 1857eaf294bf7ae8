//! Every way to spend a query shows its price before: each row of the table of keys is pressed where it holds, and what it asks of the
//! service is compared with what the screen showed beforehand. Every action is a row of that table, help and commands are made of it, so
//! that a new one is walked, or reported as one that no place reaches.

pub(super) mod places;

use std::{
    collections::{BTreeSet, HashSet},
    thread,
};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use self::places::{PLACES, PricedPlace, PricedWorld};
use super::{
    keys::BINDINGS,
    msg::Msg,
    palette::{Choices, PickerChoice},
    registry::{Action, ShellAction, TabId},
};
use crate::tui::{
    ctx::{Binding, Chord, Gesture, Intent, Question, Scope},
    harness::{Harness, questions},
    ui::{Motion, cells},
};

const RECORD: &str = r#"{"ip":"198.51.100.77","as":{"number":64500},"client":{"count":14,"proxies":["WIDGET_PROXY"]},
"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"exits":["198.51.100.78"],"operator":"ACME_VPN","type":"VPN"}]}"#;

pub(super) const NARROW: (u16, u16) = (60, 16);
pub(super) const SMALL: (u16, u16) = (80, 24);
pub(super) const LARGE: (u16, u16) = (120, 36);

pub(super) fn is_paid(question: &Question) -> bool {
    matches!(question, Question::Lookup(_) | Question::LookUpAll(..))
}

/// Whether the screen names the price where somebody looks who is about to press this key: at the top, beside the key, or in the row
/// under the cursor and the title of its part. A price at the top that belongs to another key does not count.
pub(super) fn names_price(screen: &str, chord: Chord) -> bool {
    let chord = chord.to_string();
    screen.lines().enumerate().any(|(number, line)| {
        let is_near = if number < 3 {
            let words = || {
                line.split_whitespace()
                    .map(|word| word.trim_end_matches(':'))
            };
            let is_of_a_key = words().any(|word| matches!(word, "R" | "enter"));
            !is_of_a_key || words().any(|word| word == chord)
        } else {
            line.contains(&format!("{chord} ")) || line.contains("> ")
        };
        (line.contains("1 query") || line.contains(" queries")) && is_near
    })
}

/// What has been pressed so far, and its outcome.
#[derive(Default)]
struct KeyWalk {
    /// The rows of the table that were pressed where they hold.
    pressed: BTreeSet<(&'static str, String)>,
    /// How often a query was spent.
    spent: usize,
}

impl KeyWalk {
    /// Presses each key that means something in a place. Keys that only move, and those of the frame around the tabs, are pressed once
    /// for each kind of place.
    fn through(&mut self, place: &PricedPlace, size: (u16, u16)) {
        let mut harness = places::at(place, size);
        let mut screen = harness.screen();
        let scopes = harness.app.scopes();
        let bindings: Vec<_> = harness.app.keys.reachable(&scopes).copied().collect();
        for binding in &bindings {
            let row = row(binding);
            if is_of_the_frame(binding) && self.pressed.contains(&row) {
                continue;
            }
            self.pressed.insert(row);
            let asked = questions(&harness.tell(Msg::Key(binding.chord.event())));
            if asked.iter().any(is_paid) {
                self.spent += 1;
                let (chord, name) = (binding.chord, place.0);
                assert!(
                    names_price(&screen, chord),
                    "{chord} in {name} at {size:?}:\n{screen}"
                );
            }
            if !asked.is_empty() || harness.screen() != screen {
                harness = places::at(place, size);
                screen = harness.screen();
            }
        }
    }
}

/// The place of a row of the table, and its key.
fn row(binding: &Binding<Action>) -> (&'static str, String) {
    (binding.scope.title(), binding.chord.to_string())
}

/// Whether a key moves, or does what has nothing to do with the place in which it is pressed.
fn is_of_the_frame(binding: &Binding<Action>) -> bool {
    match binding.intent {
        Intent::Shared(Gesture::Go(_)) | Intent::Action(Action::Front(_)) => true,
        Intent::Action(Action::Shell(action)) => action != ShellAction::Forward,
        _ => false,
    }
}

/// Walks through places, several at a time.
fn walk_all<'a>(places: impl Iterator<Item = (&'a PricedPlace, (u16, u16))>) -> KeyWalk {
    const THREADS: usize = 4;
    let places: Vec<_> = places.collect();
    let mut all = KeyWalk::default();
    thread::scope(|scope| {
        let walk = |some: &[(&PricedPlace, (u16, u16))]| {
            let mut walk = KeyWalk::default();
            for (place, size) in some {
                walk.through(place, *size);
            }
            walk
        };
        let chunks = places.chunks(places.len().div_ceil(THREADS).max(1));
        let threads: Vec<_> = chunks.map(|some| scope.spawn(move || walk(some))).collect();
        for thread in threads {
            match thread.join() {
                Ok(walk) => {
                    all.pressed.extend(walk.pressed);
                    all.spent += walk.spent;
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    all
}

#[test]
fn no_key_spends_a_query_whose_price_is_not_on_the_screen() {
    let small = PLACES.iter().map(|place| (place, SMALL));
    let narrow = PLACES.iter().map(|place| (place, NARROW));
    let others = [
        "a record",
        "a failure",
        "a stale record",
        "the browser of a stale feed",
        "the facets",
        "the rows of an export",
    ];
    let large = PLACES.iter().filter(|(name, ..)| others.contains(name));
    let walk = walk_all(small.chain(narrow).chain(large.map(|place| (place, LARGE))));
    // Some keys do spend: the walk would otherwise prove nothing.
    assert!(walk.spent > 10, "{}", walk.spent);
    let all: BTreeSet<_> = BINDINGS.iter().map(row).collect();
    let forgotten: Vec<_> = all.difference(&walk.pressed).collect();
    assert!(forgotten.is_empty(), "no place reaches {forgotten:?}");
}

/// What help and the commands offer is done by choosing it.
#[test]
fn nothing_that_is_chosen_by_name_spends_a_query_whose_price_is_not_on_the_screen() {
    let mut spent = 0;
    let lists = |(name, ..): &&PricedPlace| ["the keys", "the commands"].contains(name);
    for place in PLACES.iter().filter(lists) {
        for at in 0.. {
            let mut harness = places::at(place, LARGE);
            let list = harness.app.cover_as_mut::<Choices>().expect("a list");
            let list = &mut list.picker;
            if at == list.items().len() {
                assert!(at > 20, "{at}");
                break;
            }
            for _ in 0..at {
                list.step(Motion::Down);
            }
            let screen = harness.screen();
            let asked = questions(&harness.keys("<enter>"));
            if asked.iter().any(is_paid) {
                spent += 1;
                assert!(names_price(&screen, Chord::key(KeyCode::Enter)), "{screen}");
            }
        }
    }
    assert!(spent > 1, "{spent}");
}

/// Help names the price of what each row does here, wherever it was opened.
#[test]
fn no_row_of_help_spends_a_query_whose_price_it_does_not_name() {
    let spent = thread::scope(|scope| {
        let halves = PLACES.chunks(PLACES.len().div_ceil(2));
        let threads: Vec<_> = halves
            .map(|places| scope.spawn(|| places.iter().map(spent_by_help).sum::<usize>()))
            .collect();
        let spent = threads.into_iter().map(|thread| match thread.join() {
            Ok(spent) => spent,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        spent.sum::<usize>()
    });
    assert!(spent > 20, "{spent}");
}

/// How many rows of help that can be chosen in a place send a query.
fn spent_by_help(place: &PricedPlace) -> usize {
    let opened = |harness: &mut Harness, at: usize| {
        harness.keys("?");
        let list = harness.app.cover_as_mut::<Choices>();
        let is_open = list.is_some();
        if let Some(list) = list {
            for _ in 0..at {
                list.picker.step(Motion::Down);
            }
        }
        is_open
    };
    let mut harness = places::at(place, SMALL);
    if harness.app.overlay.is_some() || !opened(&mut harness, 0) {
        return 0;
    }
    let Some(list) = harness.app.cover_as::<Choices>() else {
        return 0;
    };
    let is_near = |choice: &PickerChoice| match choice {
        PickerChoice::Do(Intent::Shared(gesture)) => !matches!(gesture, Gesture::Go(_)),
        PickerChoice::Do(Intent::Action(action)) => {
            !matches!(action, Action::Shell(_) | Action::Front(_))
        }
        _ => false,
    };
    let rows = list.picker.items().iter().enumerate();
    let rows = rows.filter(|(_, item)| item.enabled.is_ok() && is_near(&item.value));
    let rows: Vec<usize> = rows.map(|(at, _)| at).collect();
    let mut spent = 0;
    for at in rows {
        let mut harness = places::at(place, SMALL);
        opened(&mut harness, at);
        if questions(&harness.keys("<enter>")).iter().any(is_paid) {
            spent += 1;
            let mut harness = places::at(place, SMALL);
            opened(&mut harness, at);
            let screen = harness.screen();
            let enter = Chord::key(KeyCode::Enter);
            assert!(names_price(&screen, enter), "{}:\n{screen}", place.0);
        }
    }
    spent
}

/// A footer without room gives up what names a price last.
#[test]
fn no_footer_is_too_narrow_for_a_price() {
    let mut priced = 0;
    for place in PLACES {
        let harness = places::at(place, NARROW);
        if harness.app.overlay.is_some() {
            continue;
        }
        let screen = harness.screen();
        let footer = screen.lines().rev().nth(1).unwrap_or_default();
        let scopes = harness.app.scopes();
        for binding in harness.app.keys.reachable(&scopes) {
            let hint = harness.app.hint(binding, harness.now);
            let is_priced = hint.contains("query") || hint.contains("queries");
            if is_priced && harness.app.is_offered(binding, harness.now) {
                priced += 1;
                let hint = format!("{} {hint}", binding.chord);
                assert!(footer.contains(&hint), "{hint} in {}:\n{screen}", place.0);
            }
        }
    }
    assert!(priced > 20, "{priced}");
}

/// Wherever a price is on the screen, it is there whole: in rows, titles, footers and questions.
#[test]
fn no_price_loses_its_end() {
    let cut = |line: &str| {
        let mut parts: Vec<&str> = line.split(cells::ELLIPSIS).collect();
        // What is behind the last one is whole.
        parts.pop();
        // A number of records is no price.
        parts.retain(|part| !part.contains(" at least: "));
        parts.into_iter().any(is_begun_price)
    };
    let widths = [60, 80, 90, 100, 120];
    let places = PLACES.chunks(PLACES.len().div_ceil(2));
    let found: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = places
            .map(|places| {
                scope.spawn(move || {
                    let mut found = Vec::new();
                    for place in places {
                        for width in widths {
                            let mut harness = places::at(place, (width, 30));
                            let screen = harness.screen_at(width, 30);
                            let lines = screen.lines().filter(|line| cut(line));
                            found.extend(lines.map(|line| format!("{} {width}: {line}", place.0)));
                        }
                    }
                    found
                })
            })
            .collect();
        let found = threads.into_iter().map(|thread| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        found.flatten().collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Whether a text that was cut ends within a price, or before the number of one.
fn is_begun_price(text: &str) -> bool {
    let text = text.trim_end();
    let is_within = |price: &str| (2..price.len()).any(|end| text.ends_with(&price[..end]));
    let announced = ["look up:", "live:", "local:", "cached:", "else", "costs"];
    is_within(" 1 query")
        || is_within(": free")
        || announced.iter().any(|word| text.ends_with(word))
}

/// Each key that a footer names does something there: it asks for something, or the screen is another one.
#[test]
fn every_key_that_a_footer_names_does_something() {
    const WIDE: (u16, u16) = (220, 40);
    let body = |harness: &Harness| {
        let screen = harness.screen();
        let lines: Vec<&str> = screen.lines().collect();
        // What is said about a key that does nothing is in the last one.
        lines[..lines.len() - 1].join("\n")
    };
    let mut idle = Vec::new();
    let mut named = 0;
    let mut frame = HashSet::new();
    for place in PLACES {
        let harness = places::at(place, WIDE);
        let before = body(&harness);
        let footer = before.lines().last().unwrap_or_default().to_owned();
        let scopes = harness.app.scopes();
        let offered = harness.app.keys.reachable(&scopes);
        let offered = offered.filter(|binding| harness.app.is_offered(binding, harness.now));
        let offered: Vec<_> = offered.copied().collect();
        for binding in offered {
            // The focus, a column and a fold are told by colours or by what is under the cursor.
            let moves = ["pane", "trail", "column"].contains(&binding.hint);
            if moves || matches!(binding.scope, Scope::Input | Scope::Json) {
                continue;
            }
            if is_of_the_frame(&binding) && !frame.insert((binding.chord.to_string(), scopes[0])) {
                continue;
            }
            let hint = format!(
                "{} {}",
                binding.chord,
                harness.app.hint(&binding, harness.now)
            );
            if harness.app.overlay.is_none() {
                assert!(footer.contains(&hint), "{hint} in {}:\n{before}", place.0);
            }
            named += 1;
            let mut harness = places::at(place, WIDE);
            let cmds = harness.tell(Msg::Key(binding.chord.event()));
            let said = harness.notice();
            // A price that is said first, or a question that no key but its own answers.
            let is_told = said.contains("query");
            if cmds.is_empty() && body(&harness) == before && !is_told {
                idle.push(format!("{} {hint}: {said}", place.0));
            }
        }
    }
    assert!(named > 300, "{named}");
    assert!(idle.is_empty(), "{}", idle.join("\n"));
}

/// What was promised to be free sends nothing, also where it is gone by the time of the key: what was read for its price is shown.
#[test]
fn what_was_said_to_be_free_is_free_when_it_is_gone() {
    const GONE: &str = "R fetches it (1 query)";
    for (script, key, told) in [
        ("4 <enter>", "<enter>", GONE),
        ("4 <enter> <right><left>", "<enter>", GONE),
        ("5 <s-tab>", "<enter>", GONE),
        ("<look> <ctrl-t>", "<enter>", GONE),
        ("i198.51.100.77", "<enter>", "LOCAL anonymous 2026-11-20"),
    ] {
        let mut harness = places::at(&(script, PricedWorld::Local, script), LARGE);
        harness.sources.local = places::at_hand(PricedWorld::Live);
        let asked = questions(&harness.keys(key));
        let screen = harness.screen();
        assert!(!asked.iter().any(is_paid), "{script}:\n{screen}");
        assert!(screen.contains(told), "{script}:\n{screen}");
    }
}

#[test]
fn no_tab_but_the_first_spends_a_query_by_coming_to_the_front() {
    for tab in TabId::ALL {
        let (_, cmds) = Harness::on(*tab);
        assert!(!questions(&cmds).iter().any(is_paid), "{tab:?}");
    }
}

impl Chord {
    pub(super) fn event(self) -> KeyEvent {
        let modifiers = if self.is_control() {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::NONE
        };
        KeyEvent::new(self.code(), modifiers)
    }
}
