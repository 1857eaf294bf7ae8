//! The Lookup tab before the first lookup: what is missing and how to get it, or examples to try.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span, Text},
};

use crate::{
    contract::Host,
    engine::credentials::VARIABLE,
    tui::{
        ctx::{
            ViewCtx,
            facts::{Facts, TokenState},
        },
        ui::{
            cells,
            cursor::Cursor,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
        },
    },
};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    examples: &Cursor,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let facts = ctx.facts;
    let mut pane = Pane::new("ipspect", focus);
    if let Some(at) = examples.selected(facts.examples.len()) {
        pane = pane.hint(format!("{} of {}", at + 1, facts.examples.len()));
    }
    let inner = pane.draw(frame, area, theme);
    let lines = if facts.invented {
        of_demo(theme)
    } else if facts.is_ready() {
        ready(facts, theme)
    } else {
        first_run(facts, inner.width, theme)
    };
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    frame.render_widget(Text::from(lines), inner);
    if facts.examples.is_empty() || height >= inner.height {
        return;
    }
    let below = Rect {
        y: inner.y + height,
        height: inner.height - height,
        ..inner
    };
    let columns = [
        Column::new("ADDRESS", Width::Min(15)),
        Column::new("SHOWS", Width::Fill(20)),
    ];
    let row = |index: usize| {
        let (address, shows) = &facts.examples[index];
        vec![
            Line::raw(address.clone()),
            Line::styled(shows.clone(), theme.dim),
        ]
    };
    Table::new(&columns, examples, facts.examples.len()).draw(frame, below, row, ctx, focus);
}

fn key<'a>(theme: &Theme, key: &'a str, does: &'a str) -> Line<'a> {
    Line::from(vec![
        Span::styled(format!("  {key:<8}"), theme.key),
        Span::raw(does),
    ])
}

fn of_demo<'a>(theme: &Theme) -> Vec<Line<'a>> {
    vec![
        Line::raw("This is the embedded service: all data is invented, on reserved ranges."),
        Line::styled(
            "It behaves as the real one does: hosts, rights, balances, redirects, errors.",
            theme.dim,
        ),
        Line::raw(""),
        key(theme, "enter", "look the selected address up"),
        key(theme, "i", "type another, a network, or paste a whole log"),
        key(theme, "2-5", "tags, quota, feeds, exports"),
        key(theme, "?", "every key of this place; F2 a tour of six"),
        key(theme, "q", "close what is open, else quit"),
        Line::raw(""),
    ]
}

fn ready<'a>(facts: &Facts, theme: &Theme) -> Vec<Line<'a>> {
    let does = if facts.offline {
        "type an address, a network or a log: local or cached only, offline"
    } else {
        "type an address, a network or a log: local first, live: 1 query"
    };
    vec![
        Line::raw("Who is behind an address, was it so at the time, how many people share it?"),
        Line::raw(""),
        key(theme, "i", does),
        key(
            theme,
            "ctrl-t",
            "the trail: what was looked up before, shown again for free",
        ),
        key(theme, "2-5", "tags, quota, feeds, exports"),
        key(theme, "?", "every key of this place; F2 a tour of six"),
        key(theme, "q", "close what is open, else quit"),
    ]
}

fn first_run<'a>(facts: &Facts, width: u16, theme: &Theme) -> Vec<Line<'a>> {
    let lack = match facts.url(Host::Context) {
        None => "No service is configured yet.",
        Some(_) => "There is no token yet.",
    };
    let mut lines = vec![
        Line::raw(lack),
        Line::raw(""),
        key(
            theme,
            "enter",
            "open the demo: invented data, nothing to configure",
        ),
        key(
            theme,
            "T",
            "enter token (hidden) and hosts, tested; kept only if you say so",
        ),
        key(theme, "q", "leave"),
        Line::raw(""),
        Line::raw("Missing for a service of your own:"),
    ];
    let missing: Vec<&str> = Host::ALL
        .into_iter()
        .filter(|host| facts.url(*host).is_none())
        .map(Host::key)
        .collect();
    let mut lacks = Vec::new();
    if !missing.is_empty() {
        lacks.push(format!("no {}", missing.join(", ")));
    }
    if facts.token == TokenState::Missing {
        lacks.push("no token".to_owned());
    }
    for lack in lacks {
        lines.push(Line::from(vec![
            Span::styled("  x ", theme.bad),
            Span::raw(lack),
        ]));
    }
    let (config, token) = (facts.config_file.display(), &facts.token_source);
    for source in [
        format!("addresses are read from {config}"),
        format!("the token from {VARIABLE}, token_command there, or {token}"),
    ] {
        let source = Line::styled(source, theme.dim);
        lines.extend(cells::hang(Line::raw("    "), source, width));
    }
    lines
}
