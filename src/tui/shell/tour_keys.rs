//! Keys during the tour: the named keys work, all others are ignored until it ends.

use crossterm::event::{KeyCode, KeyEvent};

use super::{
    action::ShellAction,
    app::App,
    registry::{Action, TabId},
    tour::{Tour, name},
};
use crate::tui::{
    ctx::{
        chord::Chord,
        intent::{Gesture, Intent, Scope},
        outbox::Outbox,
    },
    ui::theme::Tone,
};

impl App {
    /// Begins the tour: a field that is open is left, so that keys mean what they mean.
    pub(super) fn begin_tour(&mut self, out: &mut Outbox) {
        self.overlay = None;
        for tab in [self.tab, TabId::Lookup] {
            let scopes = self.tabs.of(tab).scopes(&self.facts);
            if scopes.first().is_some_and(|scope| scope.is_typing()) {
                self.at(tab, out, |tabs, ctx| {
                    tabs.of_mut(tab).gesture(Gesture::Escape, ctx)
                });
            }
        }
        self.raw.remove(&self.tab);
        self.tour = Some(Tour::default());
    }

    /// Whether the tour keeps a key for itself.
    pub(super) fn holds_for_tour(&mut self, key: KeyEvent, out: &mut Outbox) -> bool {
        let Some(tour) = &mut self.tour else {
            return false;
        };
        let leaves = Intent::Action(Action::Shell(ShellAction::Leave));
        if self.keys.meaning(&[Scope::Always], key) == Some(leaves) {
            return false;
        }
        let is_escape = key.code == KeyCode::Esc;
        let Some(waited) = tour.key() else {
            self.tour = None;
            return is_escape && self.overlay.is_none();
        };
        if is_escape {
            if self.overlay.is_none() {
                self.tour = None;
                out.say(Tone::Info, "tour closed; F2 starts it again");
                return true;
            }
            return false;
        }
        if Chord::of(key) == Chord::of(KeyEvent::from(waited)) {
            tour.advance();
            return false;
        }
        let text = format!("the tour waits for {}; esc leaves it", name(waited));
        out.say(Tone::Info, text);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::harness::Harness;

    #[test]
    fn each_step_waits_for_its_key_and_says_what_came_of_it() {
        let mut harness = Harness::new(120, 36);
        harness.keys("?");
        harness.types("tour");
        harness.keys("<enter>");
        assert!(
            harness.screen().contains("Tour 1/6"),
            "{}",
            harness.screen()
        );
        insta::assert_snapshot!("tour", harness.screen());
        assert_eq!(harness.keys("R"), []);
        assert!(
            harness.notice().contains("waits for 4"),
            "{}",
            harness.notice()
        );
        for (key, number) in [
            ("4", 2),
            ("2", 3),
            ("3", 4),
            ("1", 5),
            ("<tab>", 6),
            ("?", 6),
        ] {
            harness.keys(key);
            let screen = harness.screen();
            assert!(
                screen.contains(&format!("Tour {number}/6")),
                "{key}: {screen}"
            );
        }
        assert!(harness.screen().contains("That was the tour"));
        harness.keys("<esc>");
        assert!(!harness.screen().contains("Tour") && harness.app.overlay.is_none());
    }

    #[test]
    fn esc_leaves_the_tour_and_any_size_draws_it() {
        let mut harness = Harness::new(120, 36);
        harness.keys(":");
        harness.types("tour");
        harness.keys("<enter>4");
        harness.draws_at_any_size();
        harness.keys("<esc>");
        assert!(!harness.screen().contains("Tour"), "{}", harness.screen());
        assert_eq!(harness.app.tab, TabId::Feeds);
    }
}
