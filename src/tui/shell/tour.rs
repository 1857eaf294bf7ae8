//! A tour of six keys, pressed for real on whatever is there: it downloads a feed, opens a record of it and follows a pivot. Each step
//! names one key, waits for it, and shows its result.
//!
//! No key of the tour spends a query, and none that it does not name does anything until it is left.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Clear,
};

use crate::tui::ui::{Focus, Pane, Theme, cells};

/// A step: the action that it waits for, by its name in the table of keys.
#[derive(Debug)]
pub(super) struct TourStep {
    pub(super) action: &'static str,
    does: &'static str,
    came: &'static str,
}

const STEPS: [TourStep; 6] = [
    TourStep {
        action: "front-feeds",
        does: "goes to Feeds",
        came: "A downloaded feed answers lookups for free. Space marks rows, s sorts.",
    },
    TourStep {
        action: "feeds.download",
        does: "downloads the selected feed: free, no query",
        came: "The download is a job: J lists jobs. When it is done, STATE counts the records.",
    },
    TourStep {
        action: "open",
        does: "opens the records of the feed",
        came: "The records of the local release. A filter such as `cc:NL` counts them at once.",
    },
    TourStep {
        action: "open",
        does: "looks up the selected record in the local feed: free",
        came: "The record, with feed, day and age. The rows below Pivot lead to what it shares.",
    },
    TourStep {
        action: "open",
        does: "follows the selected pivot",
        came: "The same operator elsewhere. The trail keeps every step, with row and filter.",
    },
    TourStep {
        action: "back",
        does: "goes back along the trail",
        came: "`?` lists the keys of any place, `:` the commands; y m copies a note for a ticket.",
    },
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tour {
    done: usize,
}

impl Tour {
    /// The step that it waits for; none at its end.
    #[must_use]
    pub(super) fn step(self) -> Option<&'static TourStep> {
        STEPS.get(self.done)
    }

    /// The tour after the key of the step was pressed.
    #[must_use]
    pub(super) fn advanced(self) -> Self {
        Self {
            done: self.done + 1,
        }
    }

    /// Draws it at the lower end of an area; `key` is that of the step.
    pub(super) fn draw(self, frame: &mut Frame<'_>, area: Rect, key: String, theme: &Theme) {
        let came = self.done.checked_sub(1).map(|last| STEPS[last].came);
        let first = "Six keys, pressed for real; none of them costs a query.";
        let then = match self.step() {
            Some(step) => Line::from(vec![
                Span::raw("Press "),
                Span::styled(key, theme.key),
                Span::raw(format!(": it {}. ", step.does)),
                Span::styled("Esc leaves the tour.", theme.dim),
            ]),
            None => Line::styled("The tour is over. Any key closes it.", theme.dim),
        };
        let width = area.width.min(94);
        let lines = [Line::raw(came.unwrap_or(first)), then];
        let lines: Vec<Line<'_>> = lines
            .into_iter()
            .flat_map(|line| cells::wrap(line, width.saturating_sub(2)))
            .collect();
        let rows = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let height = area.height.min(rows.saturating_add(2));
        let place = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.bottom() - height,
            width,
            height,
        };
        frame.render_widget(Clear, place);
        frame.buffer_mut().set_style(place, theme.base);
        let title = format!("Tour {}/{}", (self.done + 1).min(STEPS.len()), STEPS.len());
        let inner = Pane::new(title, Focus::Here).draw(frame, place, theme);
        for (line, row) in lines.into_iter().zip(inner.rows()) {
            frame.render_widget(line, row);
        }
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
            ctx::{Answer, Question},
            harness::{Harness, facts, questions},
            shell::{
                keys::{BINDINGS, configured::name},
                registry::TabId,
            },
        },
    };

    #[test]
    fn every_step_has_a_key() {
        for TourStep { action, .. } in &STEPS {
            let mut names = BINDINGS.iter().map(|binding| name(binding.intent));
            assert!(names.any(|name| name == *action), "{action}");
        }
    }

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
                beyond: None,
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
