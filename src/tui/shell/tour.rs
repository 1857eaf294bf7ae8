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

use crate::tui::ui::{
    cells,
    theme::{Focus, Theme},
    widgets::pane::Pane,
};

/// A step: the action that it waits for, by its name in the table of keys.
#[derive(Debug)]
pub struct TourStep {
    pub action: &'static str,
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
pub struct Tour {
    done: usize,
}

impl Tour {
    /// The step that it waits for; none at its end.
    #[must_use]
    pub fn step(self) -> Option<&'static TourStep> {
        STEPS.get(self.done)
    }

    /// The key was pressed.
    pub fn advance(&mut self) {
        self.done += 1;
    }

    /// Draws it at the lower end of an area; `key` is that of the step.
    pub fn draw(self, frame: &mut Frame<'_>, area: Rect, key: String, theme: &Theme) {
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
    use super::*;
    use crate::tui::shell::keys::{BINDINGS, configured::name};

    #[test]
    fn every_step_has_a_key() {
        for TourStep { action, .. } in &STEPS {
            let mut names = BINDINGS.iter().map(|binding| name(binding.intent));
            assert!(names.any(|name| name == *action), "{action}");
        }
    }
}
