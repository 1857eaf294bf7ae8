//! The first line of the screen: the tabs and, at the right, the source of answers, the balance and the jobs in progress.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::{app::App, registry::TabId};
use crate::{
    engine::BalanceSource,
    tui::{
        ctx::Job,
        ui::{BarLine, BarPart, areas::WIDE, cells, words},
    },
};

/// The name of the program before the tabs, if there is room.
const NAME: &str = " ipspect ";

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, app: &App) {
    let theme = &app.theme;
    let (name, headings) = headings(app);
    let mut tabs = vec![Span::styled(name, theme.title)];
    tabs.extend(headings.into_iter().map(|(tab, text)| {
        let style = if tab == app.tab {
            theme.accent
        } else {
            theme.dim
        };
        Span::styled(text, style)
    }));
    let tabs = BarPart::new(Line::from(tabs), 0);
    right(app).left(tabs).draw(frame, area);
}

/// The name of the program, and the heading of each tab from the left. In a narrow terminal the program's name is dropped
/// first, then the names of tabs; the right side stays.
fn headings(app: &App) -> (&'static str, Vec<(TabId, String)>) {
    let room = app.look.size(app.size).width;
    let named = headings_with(true, app.tab);
    let tabs: u16 = named.iter().map(|(_, text)| cells::width(text)).sum();
    let needed = tabs + BarLine::GAP + right(app).width();
    for name in [NAME, " "] {
        if cells::width(name) + needed <= room {
            return (name, named);
        }
    }
    (NAME, headings_with(false, app.tab))
}

fn headings_with(names: bool, front: TabId) -> Vec<(TabId, String)> {
    let heading = |(tab, number): (&TabId, usize)| {
        let title = tab.title();
        let text = if *tab == front {
            format!("[{number} {title}]")
        } else if names {
            format!(" {number} {title} ")
        } else {
            format!(" {number} ")
        };
        (*tab, text)
    };
    TabId::ALL.iter().zip(1..).map(heading).collect()
}

pub(super) fn heading_at(app: &App, column: u16) -> Option<TabId> {
    let (name, headings) = headings(app);
    let mut left = cells::width(name);
    headings.into_iter().find_map(|(tab, text)| {
        let begins = left;
        left = left.saturating_add(cells::width(&text));
        (begins..left).contains(&column).then_some(tab)
    })
}

/// The parts at the right, the most important last to be dropped.
fn right(app: &App) -> BarLine<'static> {
    let theme = &app.theme;
    let narrow = app.look.size(app.size).width < WIDE;
    let mut bar = BarLine::new();
    if app.facts.invented {
        let badge = if narrow { "DEMO" } else { "DEMO invented data" };
        bar = bar.right(BarPart::new(Span::styled(badge, theme.badge), 0));
    }
    if app.facts.offline {
        bar = bar.right(BarPart::new(Span::styled("OFFLINE", theme.badge), 0));
    }
    let changes = app.facts.watched.changes.len() as u64;
    if changes > 0 {
        let words = format!("watch {}", words::number(changes));
        bar = bar.right(BarPart::new(Span::styled(words, theme.warn), 2));
    }
    bar = bar.right(BarPart::new(balance(app), 1));
    let open = app.jobs.open().count();
    if open > 0 {
        let words = job_words(app, open);
        bar = bar.right(BarPart::new(Span::styled(words, theme.accent), 2));
    }
    bar.right(BarPart::new(Span::styled("? keys ", theme.dim), 3))
}

fn job_words(app: &App, open: usize) -> String {
    let running = app.jobs.running();
    let share = running.chain(app.jobs.open()).find_map(Job::percent);
    let share = share.map_or_else(String::new, |share| format!(" {share}%"));
    let is_running = app.jobs.running().next().is_some();
    let state = if is_running { "" } else { " paused" };
    format!("J:{open}{state}{share}")
}

/// The balance and its last change, or `unknown`.
fn balance(app: &App) -> Line<'static> {
    let theme = &app.theme;
    if app.private {
        return Line::styled("bal hidden", theme.dim);
    }
    let Some(balance) = app.facts.balance else {
        return Line::styled("bal unknown", theme.dim);
    };
    let style = if balance.remaining < app.facts.guards.warn_below {
        theme.warn
    } else {
        theme.text
    };
    let now = balance.remaining;
    let change = match app.facts.balance_before {
        _ if balance.source == BalanceSource::Status => String::new(),
        Some(before) if before > now => format!(" (last -{})", before - now),
        Some(before) if before < now => format!(" (last +{})", now - before),
        _ => String::new(),
    };
    Line::from(vec![
        Span::styled("bal ", theme.dim),
        Span::styled(words::number(now), style),
        Span::styled(change, theme.dim),
    ])
}
