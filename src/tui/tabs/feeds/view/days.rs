//! The days of a feed and the files of a day.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::{Feed, Format},
    engine::{Error, Kind},
    model::{Day, visible},
    store::Moment,
    tui::{
        ctx::ViewCtx,
        tabs::feeds::{
            FeedsTab,
            browse::{self, Browse, File, List},
            known::form_of,
        },
        ui::{
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

fn day_columns() -> [Column<'static>; 2] {
    [
        Column::new("DAY", Width::Fixed(10)),
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
    let here = |moment: Moment, form: Option<Format>| {
        let found = known
            .here
            .iter()
            .any(|release| release.manifest.moment == moment && Some(form_of(release)) == form);
        if found {
            Line::styled("ok", theme.good)
        } else {
            Line::styled("-", theme.dim)
        }
    };
    if let Some((day, files)) = &browse.files {
        let hint = match (browse.feed, &browse.days) {
            (Feed::Realtime, _) => "enter downloads, left and right change the day, esc closes",
            _ => "enter downloads the day, esc back to the days",
        };
        let title = format!("{}  files of {}", browse.feed, day.dashed());
        let row = |file: &File| file_row(file, *day, &here, theme);
        let list = Shown {
            title,
            hint,
            columns: &file_columns(),
            list: files,
            empty: "no files are listed for this day",
        };
        list.draw(frame, area, ctx, focus, browse.feed, row);
    } else if let Some(days) = &browse.days {
        let list = Shown {
            title: format!("{}  days", browse.feed),
            hint: "enter opens the files of a day, esc closes",
            columns: &day_columns(),
            list: days,
            empty: "no days are listed",
        };
        list.draw(frame, area, ctx, focus, browse.feed, |day: &Day| {
            let here = here(Moment::Day(*day), Some(Format::Json));
            vec![Line::raw(day.dashed()), here]
        });
    }
}

fn file_row(
    file: &File,
    day: Day,
    here: &impl Fn(Moment, Option<Format>) -> Line<'static>,
    theme: &Theme,
) -> Vec<Line<'static>> {
    match file {
        File::Window(window) => vec![
            Line::raw(format!("{}Z", window.hhmm())),
            Line::styled("-", theme.dim),
            Line::styled("-", theme.dim),
            here(Moment::Window(*window), Some(Format::Json)),
        ],
        File::Entry(entry) => vec![
            Line::raw(visible(&entry.name).into_owned()),
            entry.size.map_or_else(
                || Line::styled("-", theme.dim),
                |size| Line::raw(words::number(size)),
            ),
            entry.modified.as_deref().map_or_else(
                || Line::styled("-", theme.dim),
                |changed| Line::raw(visible(changed).into_owned()),
            ),
            here(Moment::Day(day), browse::form_of(entry)),
        ],
    }
}

/// A list and what stands around it.
struct Shown<'a, T> {
    title: String,
    hint: &'static str,
    columns: &'a [Column<'static>],
    list: &'a List<T>,
    empty: &'static str,
}

impl<T> Shown<'_, T> {
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
                    "  ~ asking"
                } else {
                    ""
                },
                theme.warn,
            ),
        ]);
        let inner = Pane::new(title, focus)
            .hint(self.hint)
            .draw(frame, area, theme);
        if let Some(error) = listed.error() {
            return refused(frame, inner, error, feed, theme);
        }
        if self.list.rows.is_empty() {
            let words = if listed.pending().is_some() {
                "x stops waiting"
            } else {
                self.empty
            };
            return frame.render_widget(Line::styled(words, theme.dim), inner);
        }
        let List { rows, cursor, .. } = self.list;
        let row = |index: usize| row(&rows[index]);
        Table::new(self.columns, cursor, rows.len()).draw(frame, inner, row, theme, focus);
    }
}

/// A list that was refused: most often the account has no access to the past, which costs extra.
fn refused(frame: &mut Frame<'_>, area: Rect, error: &Error, feed: Feed, theme: &Theme) {
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
    lines.push(Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(visible(&error.message).into_owned()),
    ]));
    lines.push(Line::styled("R refreshes", theme.dim));
    page::draw_lines(frame, area, lines, theme);
}
