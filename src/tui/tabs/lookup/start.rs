//! What the tab shows before the first lookup: what is missing and how to get it, what changed of what is watched, and examples to try.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span, Text},
};

use crate::{
    contract::Host,
    engine::{credentials::VARIABLE, watches::Watch},
    investigation::watch::WatchChange,
    model::visible,
    report::change_in_words,
    tui::{
        ctx::{Facts, TokenState, ViewCtx},
        ui::{Column, Cursor, Focus, Pane, Table, Theme, Width, cells, glyphs, words},
    },
};

/// A row below the text, which Enter opens.
#[derive(Clone, Copy, Debug)]
pub(super) enum StartRow<'f> {
    /// What changed since a person last looked.
    Change(&'f WatchChange),
    Watch(&'f Watch),
    /// An address, and what it shows.
    Example(&'f str, &'f str),
}

impl<'f> StartRow<'f> {
    /// All rows: what is watched, then what changed, the newest first, then the examples.
    pub(super) fn all(facts: &'f Facts) -> Vec<Self> {
        let changes = facts.watched.changes.iter().rev().map(Self::Change);
        let watches = facts.watched.watches.iter().map(Self::Watch);
        let examples = facts.examples.iter();
        let examples = examples.map(|(address, shows)| Self::Example(address, shows));
        watches.chain(changes).chain(examples).collect()
    }

    /// Whether it is opened with what is at hand.
    pub(super) fn is_free(self) -> bool {
        !matches!(self, Self::Example(..))
    }

    /// Its cells; of a watch with the number of its changes.
    fn cells(self, changes: usize, theme: &Theme) -> Vec<Line<'f>> {
        match self {
            Self::Change(change) => {
                let words = change_in_words(change);
                let words = words.strip_prefix(&format!("{}: ", change.watch));
                // The day comes first: what is long is cut at its end.
                let words = words.unwrap_or_default();
                let days = format!(" ({} to {})", change.from.dashed(), change.to.dashed());
                let words = words.strip_suffix(&days).unwrap_or(words);
                let day = Span::styled(change.to.dashed() + "  ", theme.dim);
                vec![
                    Line::styled(visible(&change.watch).into_owned(), theme.warn),
                    Line::from(vec![day, Span::raw(visible(words).into_owned())]),
                ]
            }
            Self::Watch(watch) => {
                let name = visible(&watch.name).into_owned();
                vec![Line::raw(name), counts(watch, changes, theme)]
            }
            Self::Example(address, shows) => {
                vec![Line::raw(address), Line::styled(shows, theme.dim)]
            }
        }
    }
}

/// How many rows there are.
pub(super) fn rows(facts: &Facts) -> usize {
    StartRow::all(facts).len()
}

/// How many changes of a watch are new.
fn changes_of(row: StartRow<'_>, facts: &Facts) -> usize {
    let StartRow::Watch(watch) = row else {
        return 0;
    };
    let changes = facts.watched.changes.iter();
    changes.filter(|change| change.watch == watch.name).count()
}

/// The last counts of a watch as a line, the newest in words, and how many changes are new.
fn counts(watch: &Watch, changes: usize, theme: &Theme) -> Line<'static> {
    let Some((day, count)) = watch.counts.last() else {
        return Line::styled(
            "not looked at yet: no release of its feed is local",
            theme.dim,
        );
    };
    let counts: Vec<u64> = watch.counts.iter().map(|(_, count)| *count).collect();
    // What may be cut is last.
    let mut spans = vec![
        Span::styled(glyphs::spark(&counts), theme.accent),
        Span::raw(format!("  {}", words::counted(*count, "record"))),
    ];
    if changes > 0 {
        let words = words::counted(changes as u64, "change");
        spans.push(Span::styled(format!("  {words}"), theme.warn));
    }
    let words = format!("  {} {}", visible(&watch.feed), day.dashed());
    spans.push(Span::styled(words, theme.dim));
    Line::from(spans)
}

/// Draws it.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    cursor: &Cursor,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let all = StartRow::all(ctx.facts);
    let mut pane = Pane::new("ipspect", focus);
    if let Some(at) = cursor.selected(all.len()) {
        pane = pane.hint(format!("{} of {}", at + 1, all.len()));
    }
    let inner = pane.draw(frame, area, theme);
    let lines = welcome_lines(ctx.facts, inner.width, theme);
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let [text, below] =
        Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(inner);
    frame.render_widget(Text::from(lines), text);
    if all.is_empty() || below.is_empty() {
        return;
    }
    let watched = &ctx.facts.watched;
    let heads = match (watched.watches.is_empty(), watched.changes.is_empty()) {
        (true, true) => ["ADDRESS", "SHOWS"],
        (false, true) => ["WATCHED", "RECORDS"],
        (_, false) => ["WATCHED", "SINCE YOU LAST LOOKED"],
    };
    let columns = [
        Column::new(heads[0], Width::Min(15)),
        Column::new(heads[1], Width::Fill(20)),
    ];
    let row = |at: usize| all[at].cells(changes_of(all[at], ctx.facts), theme);
    Table::new(&columns, cursor, all.len()).draw(frame, below, row, ctx, focus);
}

fn welcome_lines(facts: &Facts, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let key = |(key, does): (&'static str, &'static str)| {
        let key = Span::styled(format!("  {key:<8}"), theme.key);
        Line::from(vec![key, Span::raw(does)])
    };
    let others = [
        ("2-5", "tags, quota, feeds, exports"),
        ("?", "every key of this place; F2 a tour of six"),
        ("q", "close what is open, else quit"),
    ];
    if facts.invented {
        let keys = [
            ("enter", "look the selected address up"),
            ("i", "type another, a network, or paste a whole log"),
        ];
        let text = "It behaves as the real one does: hosts, rights, balances, redirects, errors.";
        let mut lines = vec![
            Line::raw("This is the embedded service: all data is invented, on reserved ranges."),
            Line::styled(text, theme.dim),
            Line::raw(""),
        ];
        lines.extend(keys.into_iter().chain(others).map(key));
        lines.push(Line::raw(""));
        return lines;
    }
    if facts.is_ready() {
        let does = if facts.offline {
            "type an address, a network or a log: local or cached only, offline"
        } else {
            "type an address, a network or a log: local first, live: 1 query"
        };
        let trail = "the trail: what was looked up before, shown again for free";
        let keys = [("i", does), ("ctrl-t", trail)];
        let text = "Who is behind an address, was it so at the time, how many people share it?";
        let mut lines = vec![Line::raw(text), Line::raw("")];
        lines.extend(keys.into_iter().chain(others).map(key));
        return lines;
    }
    let mut lines = lack_lines(facts, width, theme);
    let keys = [
        (
            "enter",
            "open the demo: invented data, nothing to configure",
        ),
        (
            "T",
            "enter token (hidden) and hosts, tested; kept only if you say so",
        ),
        ("q", "leave"),
    ];
    lines.splice(2..2, keys.map(key));
    lines
}

/// What is missing for a service of one's own.
fn lack_lines(facts: &Facts, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let lack = match facts.url(Host::Context) {
        None => "No service is configured yet.",
        Some(_) => "There is no token yet.",
    };
    let mut lines = vec![Line::raw(lack), Line::raw("")];
    lines.extend(["", "Missing for a service of your own:"].map(Line::raw));
    let missing = Host::ALL
        .into_iter()
        .filter(|host| facts.url(*host).is_none());
    let missing: Vec<&str> = missing.map(Host::key).collect();
    let no_hosts = (!missing.is_empty()).then(|| format!("no {}", missing.join(", ")));
    let no_token = (facts.token == TokenState::Missing).then(|| "no token".to_owned());
    for lack in no_hosts.into_iter().chain(no_token) {
        let sign = Span::styled("  x ", theme.bad);
        lines.push(Line::from(vec![sign, Span::raw(lack)]));
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
