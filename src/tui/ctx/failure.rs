//! What stands in the place of an answer that did not come: why, what helps, and the keys that ask again.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Clear,
};

use crate::{
    engine::{Error, views::UnusableFeed},
    model::visible,
    tui::ui::{cells, theme::Theme},
};

/// The lines of a failure. What was asked stands before the message, `indent` before what helps and before the keys.
#[must_use]
pub fn lines(
    asked: &str,
    error: &Error,
    indent: &str,
    keys: &str,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let aside = |text: &str| Line::styled(format!("{indent}{}", visible(text)), theme.dim);
    let message = Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(format!("{asked}{}", visible(&error.message))),
    ]);
    let hint = error.hint.as_deref().map(aside);
    [message]
        .into_iter()
        .chain(hint)
        .chain([aside(keys)])
        .collect()
}

/// The lines about local feeds that could not be read: what was not done with them, why, and the keys that mend it. None where
/// all could.
#[must_use]
pub fn unusable(feeds: &[UnusableFeed], done: &str, theme: &Theme) -> Vec<Line<'static>> {
    let why = |own: &UnusableFeed| {
        let why = visible(&own.why.message);
        Line::styled(format!("! {} not {done}: {why}", own.feed), theme.warn)
    };
    let keys = "  4 opens Feeds: i indexes it again, p downloads it again";
    let keys = (!feeds.is_empty()).then(|| Line::styled(keys, theme.dim));
    feeds.iter().map(why).chain(keys).collect()
}

/// Writes over the last line of older content why there is nothing newer.
pub fn over_last_line(frame: &mut Frame<'_>, area: Rect, why: &str, theme: &Theme) {
    let last = Rect {
        y: area.bottom().saturating_sub(1),
        height: area.height.min(1),
        ..area
    };
    let line = Line::styled(cells::cut(why, area.width).into_owned(), theme.bad);
    frame.render_widget(Clear, last);
    frame.render_widget(line, last);
}
