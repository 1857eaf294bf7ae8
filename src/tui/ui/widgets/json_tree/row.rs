//! How a node looks.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::nodes::{NodeBody, NodeName, Nodes, find};
use crate::{
    model::visible,
    tui::ui::{
        cells, glyphs,
        theme::{Focus, Theme},
    },
};

/// Cells at the left, always there, for the sign of the selected row.
const GUTTER: u16 = 2;

/// Levels up to which rows are moved to the right: beyond them there would be no room left for text.
const DEEPEST: usize = 16;

/// Beyond this many bytes a value is off any screen, and is not measured.
const LONGEST: usize = 4096;

/// One row, without what marks the selected one.
pub(super) fn line(nodes: &Nodes, at: usize, needle: Option<&str>, theme: &Theme) -> Line<'static> {
    let node = nodes.node(at);
    let level = node.depth.saturating_sub(1).min(DEEPEST);
    let sign = match (nodes.has_children(at), node.unfolded) {
        (false, _) => " ",
        (true, false) => glyphs::FOLDED,
        (true, true) => glyphs::UNFOLDED,
    };
    let mut spans = vec![
        Span::raw("  ".repeat(level)),
        Span::styled(format!("{sign} "), theme.border),
    ];
    let name: Cow<'_, str> = match &node.name {
        NodeName::Root => "".into(),
        NodeName::Key(key) => visible(key),
        NodeName::Place(place) => place.to_string().into(),
    };
    let sought = match &node.name {
        NodeName::Key(_) => needle,
        NodeName::Root | NodeName::Place(_) => None,
    };
    marked(&mut spans, &name, sought, theme.label, theme);
    if !node.unfolded {
        if node.name != NodeName::Root {
            spans.push(Span::styled(": ", theme.label));
        }
        let (style, sought) = match &node.body {
            NodeBody::Scalar(_) => (theme.text, needle),
            NodeBody::Null => (theme.dim, needle),
            NodeBody::Array(_) | NodeBody::Object(_) => (theme.dim, None),
        };
        marked(&mut spans, &node.body.text(), sought, style, theme);
    }
    Line::from(spans)
}

/// Draws a row, with the mark of the selected one if it is that.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    place: Rect,
    line: Line<'_>,
    selected: Option<Focus>,
    theme: &Theme,
) {
    let gutter = GUTTER.min(place.width);
    let text = Rect {
        x: place.x + gutter,
        width: place.width - gutter,
        ..place
    };
    frame.render_widget(cells::cut_line(line, text.width), text);
    if let Some(focus) = selected
        && !place.is_empty()
    {
        frame.buffer_mut().set_style(place, theme.row(focus));
        frame.buffer_mut()[(place.x, place.y)].set_symbol(">");
    }
}

/// Adds a text, with what was searched for marked in it.
fn marked(
    spans: &mut Vec<Span<'static>>,
    text: &str,
    needle: Option<&str>,
    style: Style,
    theme: &Theme,
) {
    let mut rest = &text[..text.floor_char_boundary(LONGEST)];
    while let Some(found) = needle.and_then(|needle| find(rest, needle)) {
        let (before, from) = rest.split_at(found.start);
        let (matched, after) = from.split_at(found.len());
        spans.push(Span::styled(before.to_owned(), style));
        spans.push(Span::styled(matched.to_owned(), style.patch(theme.matched)));
        rest = after;
    }
    spans.push(Span::styled(rest.to_owned(), style));
}
