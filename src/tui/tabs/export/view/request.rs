//! The request that the form makes, as it would be sent.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::Host,
    tui::{
        ctx::ViewCtx,
        tabs::export::{ExportFocus, ExportTab},
        ui::{Focus, Pane, PaneId, cells},
    },
};

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    ctx.spots.pane(area, ExportFocus::Request as PaneId);
    let focus = Focus::when(tab.part == ExportFocus::Request);
    let inner = Pane::new("Request", focus)
        .hint("y c copy as curl  y v URL")
        .draw(frame, area, ctx.theme);
    let lines = lines(tab, ctx, inner.width);
    for (line, row) in lines.into_iter().zip(inner.rows()) {
        frame.render_widget(line, row);
    }
}

/// The request in lines of at most `room` cells.
pub(super) fn lines(tab: &ExportTab, ctx: &ViewCtx<'_>, room: u16) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let url = tab.url(ctx.facts);
    let mut lines = Vec::new();
    for (index, text) in folded(&url, room.saturating_sub(4)).into_iter().enumerate() {
        let mark = if index == 0 { "GET " } else { "    " };
        lines.push(Line::from(vec![
            Span::styled(mark, theme.dim),
            Span::raw(text),
        ]));
    }
    if ctx.facts.url(Host::Exports).is_none() {
        let file = ctx.facts.config_file.display();
        lines.push(Line::styled(
            format!("! exports_url is not set: set it in {file}"),
            theme.warn,
        ));
    }
    lines
}

/// A URL in lines that begin with a parameter, as many parameters in each as fit.
fn folded(url: &str, room: u16) -> Vec<String> {
    let (place, parameters) = url.split_at(url.find('?').unwrap_or(url.len()));
    let mut lines = vec![place.to_owned()];
    let mut line = String::new();
    for (index, parameter) in parameters.split('&').enumerate() {
        let parameter = if index == 0 {
            parameter.to_owned()
        } else {
            format!("&{parameter}")
        };
        if !line.is_empty() && cells::width(&line).saturating_add(cells::width(&parameter)) > room {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(&parameter);
    }
    lines.push(line);
    // One parameter can be longer than a line: then it is broken where it must be.
    lines
        .iter()
        .filter(|line| !line.is_empty())
        .flat_map(|line| cells::wrap(Line::raw(line.as_str()), room))
        .map(|line| line.to_string())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_begin_with_a_parameter_and_lose_nothing() {
        let url = "https://exports.example/v1/feeds/anonymous?output=csv&tags=ACME_VPN,BRAVO_PROXY&limit=5&diff=true";
        let lines = folded(url, 56);
        assert_eq!(
            lines,
            [
                "https://exports.example/v1/feeds/anonymous",
                "?output=csv&tags=ACME_VPN,BRAVO_PROXY&limit=5&diff=true"
            ]
        );
        for room in 1..80 {
            assert_eq!(folded(url, room).concat(), url, "{room}");
        }
        let long = format!(
            "https://exports.example/v1?tags={0}&ccs={0}",
            "A".repeat(40_000)
        );
        assert_eq!(folded(&long, 56).concat(), long);
    }
}
