//! Every way to spend a query shows its price before: each key of the table is pressed in each place, and what it asks of the service is
//! compared with what the screen showed beforehand.

use std::collections::BTreeSet;

use crossterm::event::{KeyEvent, KeyModifiers};

use super::{keys::BINDINGS, msg::Msg, registry::TabId};
use crate::{
    engine::{Error, Kind},
    model::Admission,
    tui::{
        ctx::{
            chord::Chord,
            facts::Facts,
            request::{Answer, Question},
        },
        harness::{self, Harness, questions},
    },
};

const RECORD: &str = r#"{"ip":"198.51.100.77","as":{"number":64500},"client":{"count":14,"proxies":["WIDGET_PROXY"]},
"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"exits":["198.51.100.78"],"operator":"ACME_VPN","type":"VPN"}]}"#;

fn facts() -> Facts {
    Facts {
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        ..harness::facts()
    }
}

fn is_paid(question: &Question) -> bool {
    matches!(question, Question::Lookup(_))
}

/// The explorer after these keys; each query is answered with the record, or fails.
fn after(script: &str, fails: bool, (width, height): (u16, u16)) -> Harness {
    let mut stage = Harness::with(facts(), width, height);
    for keys in script.split(' ') {
        stage.keys(keys);
        while stage.asked.iter().any(|(_, question)| is_paid(question)) {
            let result = if fails {
                Err(Error::new(Kind::Network, "the service was not reached"))
            } else {
                Ok(Answer::Lookup(harness::record(RECORD)))
            };
            stage.answer_any(is_paid, result);
        }
    }
    stage
}

/// Whether the screen names the price where somebody looks who is about to press this key: at the top, beside the key, or in the row
/// under the cursor and the title of its part.
fn names_price(screen: &str, chord: Chord) -> bool {
    let chord = chord.to_string();
    screen.lines().enumerate().any(|(number, line)| {
        let is_near = number < 3 || line.contains(&format!("{chord} ")) || line.contains("> ");
        line.contains("1 query") && is_near
    })
}

#[test]
fn no_key_spends_a_query_whose_price_is_not_on_the_screen() {
    let chords: BTreeSet<String> = BINDINGS.iter().map(|own| own.chord.to_string()).collect();
    assert!(chords.len() > 40, "{chords:?}");
    let places = [
        ("the welcome", "<esc>", false),
        ("a field", "i198.51.100.77", false),
        ("a record", "i198.51.100.77<enter>", false),
        ("a failure", "i198.51.100.77<enter>", true),
        ("the trail", "i198.51.100.77<enter> t", false),
        ("the trail of failures", "i198.51.100.77<enter> t", true),
        ("another geolocation", "i198.51.100.77<enter> m", false),
        ("the calendar", "i198.51.100.77<enter> d", false),
        ("a comparison", "i198.51.100.77<enter> d <enter>", false),
        (
            "a comparison that lacks a side",
            "i198.51.100.77<enter> d <enter> {",
            false,
        ),
        ("Tags", "2", false),
        ("Quota", "3", false),
        ("Feeds", "4", false),
        ("Export", "5", false),
    ];
    let mut spent = 0;
    for (size, places) in [((80, 24), &places[..]), ((120, 36), &places[2..4])] {
        for (place, script, fails) in places.iter().copied() {
            let mut seen = BTreeSet::new();
            for binding in BINDINGS.iter() {
                let chord = binding.chord;
                if !seen.insert(chord.to_string()) {
                    continue;
                }
                let mut stage = after(script, fails, size);
                let screen = stage.screen();
                let asked = questions(&stage.tell(Msg::Key(chord.event())));
                if asked.iter().any(is_paid) {
                    spent += 1;
                    assert!(
                        names_price(&screen, chord),
                        "{chord} in {place} at {size:?}:\n{screen}"
                    );
                }
            }
        }
    }
    // Some keys do spend: the walk would otherwise prove nothing.
    assert!(spent > 10, "{spent}");
}

#[test]
fn no_tab_but_the_first_spends_a_query_by_coming_to_the_front() {
    for tab in TabId::ALL {
        let (_, cmds) = Harness::on(*tab);
        assert!(!questions(&cmds).iter().any(is_paid), "{tab:?}");
    }
}

impl Chord {
    /// The event of this key.
    fn event(self) -> KeyEvent {
        let modifiers = if self.is_control() {
            KeyModifiers::CONTROL
        } else {
            KeyModifiers::NONE
        };
        KeyEvent::new(self.code(), modifiers)
    }
}
