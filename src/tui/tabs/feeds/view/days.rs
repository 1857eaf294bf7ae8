//! The days of a feed and the files of a day.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    contract::{Feed, Format},
    engine::{Area, Error, Kind},
    model::{listing::ListingEntry, visible},
    store::Moment,
    tui::{
        ctx::{ViewCtx, facts::Facts, failure},
        tabs::feeds::{
            FeedsTab,
            browse::{self, Browse, Dated, DayFile, ServiceList},
            known_feed::{KnownFeed, form_of},
        },
        ui::{
            cells,
            theme::{Focus, Theme},
            widgets::{
                columns::{Column, Width},
                page,
                pane::Pane,
                table::Table,
            },
            words,
        },
    },
};

fn day_columns() -> [Column<'static>; 3] {
    [
        Column::new("DAY", Width::Fixed(10)),
        Column::new("SERVICE", Width::Fixed(10)),
        Column::new("LOCAL", Width::Fill(8)),
    ]
}

fn file_columns() -> [Column<'static>; 4] {
    [
        Column::new("FILE", Width::Min(16)),
        Column::new("SIZE", Width::Fixed(13)).right().rank(1),
        Column::new("CHANGED", Width::Fixed(25)).rank(2),
        Column::new("LOCAL", Width::Fill(6)),
    ]
}

fn window_columns() -> [Column<'static>; 3] {
    [
        Column::new("WINDOW", Width::Fixed(7)),
        Column::new("SERVICE", Width::Fixed(10)),
        Column::new("LOCAL", Width::Fill(8)),
    ]
}

/// Draws the list on top.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    browse: &Browse,
    tab: &FeedsTab,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    if area.is_empty() {
        return;
    }
    let known = tab.known(browse.feed, ctx.jobs);
    let theme = ctx.theme;
    let here = |moment: Moment, form: Option<Format>| local(&known, moment, form, theme);
    let feed = browse.feed;
    if let Some((day, files)) = &browse.files {
        let is_realtime = feed == Feed::Realtime;
        let hint = if is_realtime {
            "left and right change the day, / picks one"
        } else {
            "enter downloads the file, esc back"
        };
        let what = if is_realtime { "windows" } else { "files" };
        let (files_of, windows_of) = (file_columns(), window_columns());
        let list = ShownList {
            title: format!("{feed}  {what} of {}", day.dashed()),
            hint,
            columns: if is_realtime { &windows_of } else { &files_of },
            list: files,
            empty: if is_realtime {
                "no window of this day is listed or local"
            } else {
                "no files are listed for this day"
            },
        };
        let is_known = files.listed.value().is_some();
        list.draw(frame, area, ctx, focus, feed, |file: &DayFile| match file {
            DayFile::Window(window, is_listed) => vec![
                Line::raw(window.clock()),
                service(*is_listed, is_known, theme),
                here(Moment::Window(*window), None),
            ],
            DayFile::Entry(entry) => entry_row(
                entry,
                here(Moment::Day(*day), browse::form_of(entry)),
                theme,
            ),
        });
    } else if let Some(days) = &browse.days {
        let list = ShownList {
            title: format!("{feed}  days"),
            hint: "enter browses a local day, right lists its files",
            columns: &day_columns(),
            list: days,
            empty: "no day is listed or local",
        };
        let is_known = days.listed.value().is_some();
        list.draw(frame, area, ctx, focus, feed, |own: &Dated| {
            vec![
                Line::raw(own.day.dashed()),
                service(own.is_listed, is_known, theme),
                here(Moment::Day(own.day), None),
            ]
        });
    }
}

/// Whether the service has it, as far as it was asked.
fn service(is_listed: bool, is_known: bool, theme: &Theme) -> Line<'static> {
    match (is_listed, is_known) {
        (true, _) => Line::raw("listed"),
        (false, true) => Line::styled("not listed", theme.dim),
        (false, false) => Line::styled("unknown", theme.dim),
    }
}

/// What is local of a release, in one form or in all.
fn local(
    known: &KnownFeed<'_>,
    moment: Moment,
    form: Option<Format>,
    theme: &Theme,
) -> Line<'static> {
    let own = known
        .here
        .iter()
        .filter(|own| own.manifest.moment == moment);
    let own = own.filter(|own| form.is_none_or(|form| form_of(own) == form));
    let mut spans: Vec<Span<'static>> = Vec::new();
    let (mut is_pinned, mut is_kept) = (false, false);
    for release in own {
        let form = match form_of(release) {
            Format::Json => "JSON",
            Format::Mmdb => "MMDB",
        };
        let gap = if spans.is_empty() { "" } else { "  " };
        let size = words::bytes(release.manifest.bytes);
        spans.push(Span::styled(format!("{gap}{form} {size}"), theme.good));
        is_pinned |= release.manifest.pinned_by_hand;
        is_kept |= release.manifest.pinned;
    }
    if spans.is_empty() {
        return Line::styled("-", theme.dim);
    }
    if is_pinned {
        spans.push(Span::styled("  * pinned", theme.accent));
    } else if is_kept {
        // Its day was asked for: newer releases do not clear it away.
        spans.push(Span::styled("  kept", theme.dim));
    }
    Line::from(spans)
}

fn entry_row(entry: &ListingEntry, local: Line<'static>, theme: &Theme) -> Vec<Line<'static>> {
    let or_dash =
        |text: Option<String>| text.map_or_else(|| Line::styled("-", theme.dim), Line::raw);
    let changed = entry.modified.as_deref();
    vec![
        Line::raw(visible(&entry.name).into_owned()),
        or_dash(entry.size.map(words::number)),
        or_dash(changed.map(|changed| visible(changed).into_owned())),
        local,
    ]
}

/// A list and what is around it.
struct ShownList<'a, T> {
    title: String,
    hint: &'static str,
    columns: &'a [Column<'static>],
    list: &'a ServiceList<T>,
    empty: &'static str,
}

impl<T> ShownList<'_, T> {
    fn draw(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        ctx: &ViewCtx<'_>,
        focus: Focus,
        feed: Feed,
        row: impl Fn(&T) -> Vec<Line<'static>>,
    ) {
        let theme = ctx.theme;
        let listed = &self.list.listed;
        let title = Line::from(vec![
            Span::raw(self.title),
            Span::styled(
                if listed.pending().is_some() {
                    "  ~ fetching"
                } else {
                    ""
                },
                theme.warn,
            ),
        ]);
        let inner = Pane::new(title, focus)
            .hint(self.hint)
            .draw(frame, area, theme);
        let mut inner = inner;
        let above = match (listed.error(), ctx.facts.lack_of_feeds()) {
            (Some(error), _) => refused(error, feed, ctx.facts, theme),
            (None, Some(why)) if listed.is_untouched() => {
                vec![Line::styled(
                    format!("! {why}; only local days are listed"),
                    theme.warn,
                )]
            }
            _ => Vec::new(),
        };
        if !above.is_empty() {
            let lines: Vec<Line<'_>> = above
                .into_iter()
                .flat_map(|line| cells::wrap(line, inner.width))
                .collect();
            // Of what is local two rows stay in view.
            let rows = u16::try_from(self.list.rows.len())
                .unwrap_or(u16::MAX)
                .min(2)
                + 1;
            let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            let height = height.min(inner.height.saturating_sub(rows));
            let [lines_at, rest] =
                Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(inner);
            page::draw_lines(frame, lines_at, lines, theme);
            inner = rest;
            if self.list.rows.is_empty() {
                return;
            }
        }
        if self.list.rows.is_empty() {
            let words = if listed.pending().is_some() {
                "x stops waiting"
            } else {
                self.empty
            };
            return frame.render_widget(Line::styled(words, theme.dim), inner);
        }
        let ServiceList { rows, cursor, .. } = self.list;
        let row = |index: usize| row(&rows[index]);
        Table::new(self.columns, cursor, rows.len()).draw(frame, inner, row, ctx, focus);
    }
}

/// A list that was refused: most often the account has no access to the past, which costs extra.
fn refused(error: &Error, feed: Feed, facts: &Facts, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    if error.kind == Kind::Credentials {
        let (needs, instead) = if feed == Feed::Realtime {
            (
                "needs realtime access on the account",
                "the provider adds it; the daily feeds do not need it",
            )
        } else {
            (
                "needs historical access on the account",
                "the latest release does not: esc, then p downloads it",
            )
        };
        lines.push(Line::styled(format!("! {needs}"), theme.warn));
        lines.push(Line::styled(instead, theme.dim));
    }
    let keys = "R refreshes; only local days are listed";
    lines.extend(failure::lines("", error, "", keys, theme));
    let area = if feed == Feed::Realtime {
        Area::Realtime
    } else {
        Area::FeedHistory
    };
    lines.extend(failure::across(error, area, "", facts, theme));
    lines
}
