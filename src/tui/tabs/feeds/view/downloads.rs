//! What else can be downloaded or rebuilt, each beside its key.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use crate::tui::{
    ctx::{ViewCtx, intent::Intent},
    tabs::feeds::FeedsTab,
    ui::{cells, spots::Pen, widgets::popup::Popup},
};

/// Cells of the column of keys.
const KEY: u16 = 5;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &FeedsTab, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let lines = FeedsTab::downloads().map(|own| {
        let idle = match own.intent {
            Intent::Action(action) => tab.why_not(action, ctx.facts, ctx.jobs, ctx.now),
            Intent::Shared(_) => None,
        };
        let idle = idle.or_else(|| {
            ctx.facts
                .lack_of_feeds()
                .filter(|_| own.sends)
                .map(Into::into)
        });
        let key = Span::styled(format!("{:<1$}", own.chord, usize::from(KEY)), theme.key);
        match idle {
            None => Line::from(vec![key, Span::raw(own.help)]),
            Some(why) => Line::from(vec![
                key,
                Span::styled(format!("{}: not now, {why}", own.hint), theme.dim),
            ]),
        }
    });
    let lines: Vec<Line<'_>> = lines.collect();
    let width = lines
        .iter()
        .map(cells::line_width)
        .max()
        .unwrap_or_default();
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let title = format!("Download of {}", tab.selected());
    let inner = Popup::new(title, Size::new(width, height))
        .key(theme, "esc", "close", 0)
        .draw(frame, area, ctx);
    for ((at, line), row) in lines.into_iter().enumerate().zip(inner.rows()) {
        Pen::from(ctx).row(row, at, false);
        frame.render_widget(cells::cut_line(line, row.width), row);
    }
}
