//! Rows that the parts of the details share.

use std::borrow::Cow;

use ratatui::text::{Line, Span};

use crate::{
    engine::Error,
    model::visible,
    tui::ui::{
        theme::Theme,
        widgets::page::{Row, Section},
    },
};

pub(super) fn warning(text: impl Into<Cow<'static, str>>, theme: &Theme) -> Row<'static, ()> {
    Row::text(Line::from(vec![
        Span::styled("! ", theme.warn),
        Span::styled(text, theme.warn),
    ]))
}

pub(super) fn field(label: &'static str, value: impl Into<Line<'static>>) -> Row<'static, ()> {
    Row::field(label, value)
}

/// A failure: what, and what to do.
pub(super) fn failure(
    section: &mut Section<'static, ()>,
    error: &Error,
    keys: &'static str,
    theme: &Theme,
) {
    section.push(Row::text(Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(visible(&error.message).into_owned()),
    ])));
    if let Some(hint) = &error.hint {
        let hint = visible(hint).into_owned();
        section.push(Row::text(Line::styled(hint, theme.dim)));
    }
    section.push(Row::text(Line::styled(keys, theme.dim)));
}
