//! Keys during the tour: the named keys work, all others are ignored until it ends.

use std::borrow::Cow;

use crossterm::event::{KeyCode, KeyEvent};

use super::{
    action::ShellAction,
    app::App,
    keys::configured::name,
    registry::{Action, TabId},
    tour::{Tour, TourStep},
};
use crate::tui::{
    ctx::{
        binding::Binding,
        intent::{Gesture, Intent, Scope},
        outbox::Outbox,
        request::Question,
    },
    ui::theme::Tone,
};

impl App {
    /// Begins the tour, where a feed can be downloaded: a field that is open is left, so that keys mean what they mean.
    pub(super) fn begin_tour(&mut self, out: &mut Outbox) {
        self.overlay = None;
        if let Some(lack) = self.facts.lack_of_feeds() {
            let text = format!("the tour downloads a feed: {lack}; `:demo` opens invented data");
            return out.say(Tone::Info, text);
        }
        self.surfaces.remove(&self.tab);
        for tab in [self.tab, TabId::Lookup] {
            let scopes = self.tabs.of(tab).scopes(&self.facts);
            if scopes.first().is_some_and(|scope| scope.is_typing()) {
                self.at(tab, out, |tabs, ctx| {
                    tabs.of_mut(tab).on(Gesture::Escape, ctx)
                });
            }
        }
        self.raw.remove(&self.tab);
        self.tour = Some(Tour::default());
    }

    /// The key that has the action of a step now, or had it where that is possible.
    fn key_of(&self, step: &TourStep) -> Option<&Binding<Action>> {
        let scopes = self.scopes();
        let is_it = |binding: &&Binding<Action>| name(binding.intent) == step.action;
        let now = self.keys.reachable(&scopes).find(is_it);
        now.or_else(|| self.keys.all().find(is_it))
    }

    /// The key that the tour waits for, in words.
    pub(super) fn key_of_tour(&self, tour: Tour) -> String {
        let binding = tour.step().and_then(|step| self.key_of(step));
        binding.map_or_else(String::new, |binding| binding.chord.to_string())
    }

    /// Why a step has to wait: what it needs is not there yet, or it would cost a query.
    fn holds_step(&self, intent: Intent<Action>, out: &Outbox) -> Option<Cow<'static, str>> {
        let mut running = self.jobs.running();
        if running.any(|job| matches!(job.question, Question::Pull(_))) {
            return Some("the download is under way: the tour goes on when it is done".into());
        }
        let price = self.price(intent, out.now);
        price.or_else(|| self.idle(intent, out.now))
    }

    /// Whether the tour keeps a key for itself.
    pub(super) fn holds_for_tour(&mut self, key: KeyEvent, out: &mut Outbox) -> bool {
        let Some(tour) = self.tour else {
            return false;
        };
        let leaves = Intent::Action(Action::Shell(ShellAction::Leave));
        if self.keys.meaning(&[Scope::Always], key) == Some(leaves) {
            return false;
        }
        let Some(step) = tour.step() else {
            self.tour = None;
            return self.overlay.is_none();
        };
        let is_escape = key.code == KeyCode::Esc;
        if is_escape {
            if self.overlay.is_none() {
                self.tour = None;
                out.say(Tone::Info, "tour closed; F2 starts it again");
                return true;
            }
            return false;
        }
        let meaning = self.keys.meaning(&self.scopes(), key);
        let Some(intent) = meaning.filter(|intent| name(*intent) == step.action) else {
            let key = self.key_of_tour(tour);
            out.say(
                Tone::Info,
                format!("the tour waits for {key}; esc leaves it"),
            );
            return true;
        };
        if let Some(why) = self.holds_step(intent, out) {
            out.say(Tone::Info, format!("{why}; esc leaves the tour"));
            return true;
        }
        if let Some(tour) = &mut self.tour {
            tour.advance();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{
        contract::{Feed, Host},
        engine::{
            OnDisk, PullQuery, Pulled,
            views::{View, ViewPage},
        },
        model::Document,
        store::{DaySource, Manifest, Moment, layout::Release},
        tui::{
            ctx::request::Answer,
            harness::{Harness, facts, questions},
        },
    };

    fn release() -> Release {
        let at = "2026-11-20T04:30:00Z".parse().expect("timestamp");
        let manifest = Manifest::new(
            Feed::Anonymous,
            Moment::parse("20261120").expect("a day"),
            DaySource::Header,
            false,
            "feed-1.json.gz".to_owned(),
            1_600_000_000,
            "0123456789abcdef".repeat(4),
            "/v2/anonymous/latest.json.gz".to_owned(),
            at,
        );
        let data = PathBuf::from("/cache/feeds/anonymous/feed-1.json.gz");
        Release { manifest, data }
    }

    fn page() -> Answer {
        let text = r#"{"ip":"198.51.100.77","client":{"count":9},"tunnels":[{"type":"VPN","operator":"ACME_VPN"}]}"#;
        Answer::Page(ViewPage {
            view: View {
                release: release(),
                records: 1,
                count: 1,
                took: std::time::Duration::from_millis(1),
                newer: None,
            },
            first: 0,
            rows: vec![Ok(Document::read(text.as_bytes()).expect("a record"))],
        })
    }

    fn is_at(harness: &Harness, step: &str) {
        let screen = harness.screen();
        assert!(
            screen.contains(&format!("Tour {step}/6")),
            "{step}: {screen}"
        );
    }

    #[test]
    fn the_tour_downloads_a_feed_and_pivots_in_it_without_a_query() {
        let mut harness = Harness::new(120, 36);
        harness.keys("?");
        harness.types("tour");
        harness.keys("<enter>");
        is_at(&harness, "1");
        insta::assert_snapshot!("tour", harness.screen());
        assert_eq!(harness.keys("R"), []);
        assert!(
            harness.notice().contains("waits for 4"),
            "{}",
            harness.notice()
        );
        harness.keys("4");
        is_at(&harness, "2");
        let pull = Question::Pull(PullQuery::latest(Feed::Anonymous));
        assert!(questions(&harness.keys("p")).contains(&pull));
        is_at(&harness, "3");
        assert_eq!(questions(&harness.keys("<enter>")), []);
        assert!(
            harness.notice().contains("under way"),
            "{}",
            harness.notice()
        );
        let pulled = Pulled {
            release: release(),
            was_here: false,
            resumed_from: 0,
            removed: Vec::new(),
            warnings: Vec::new(),
        };
        harness.answer(&pull, Ok(Answer::Pulled(pulled)));
        let disk = OnDisk {
            releases: vec![release()],
            ..OnDisk::default()
        };
        harness.answer(&Question::Releases, Ok(Answer::Releases(disk)));
        harness.keys("<enter>");
        is_at(&harness, "4");
        let is_page = |question: &Question| matches!(question, Question::Page(..));
        while harness.asked.iter().any(|(_, question)| is_page(question)) {
            harness.answer_any(is_page, Ok(page()));
        }
        let is_paid = |question: &Question| matches!(question, Question::Lookup(_));
        assert!(!questions(&harness.keys("<enter>")).iter().any(is_paid));
        assert_eq!(harness.app.tab, TabId::Lookup, "{}", harness.screen());
        is_at(&harness, "5");
        harness.draws_at_any_size();
    }

    #[test]
    fn without_a_service_the_tour_says_what_it_needs() {
        let mut world = facts();
        world.urls.retain(|(host, _)| *host != Host::Feeds);
        let mut harness = Harness::with(world, 120, 36);
        harness.keys(":tour<enter>");
        assert!(!harness.screen().contains("Tour"), "{}", harness.screen());
        assert!(
            harness.notice().contains("feeds_url is not set"),
            "{}",
            harness.notice()
        );
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
