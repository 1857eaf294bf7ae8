//! Draws the comparison of two days: the records added, removed and changed, with their numbers beside them.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::head::{age, place_badge};
use crate::{
    model::visible,
    report::count,
    store::{
        Moment,
        diff::{self, ChangeCounts, Tallied},
    },
    tui::{
        ctx::{Rows, ViewCtx, failure},
        tabs::feeds::browser::{
            BrowserFocus,
            areas::lines,
            diff::{Comparison, KINDS},
            diff_rows::{DiffRow, DiffRows, style_of, words_of},
        },
        ui::{
            BarLine, BarPart, Column, Focus, Page, PageRow, PageState, Pane, PaneId, Section,
            SectionSide, Theme, Width, areas::WIDE, glyphs::ARROW,
        },
    },
};

/// The minimum number of operators and countries in the lists.
const LEAST: usize = 5;
/// The meaning of the signs before numbers.
const LEGEND: &str = "+ added   - removed   ~ changed";
/// The width of the numbers in cells.
const NUMBERS: u16 = 42;
/// The height of the details on a small screen.
const DETAILS: u16 = 6;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let [head, body] = Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(area);
    let query = days.query();
    let newer = Moment::Day(query.to);
    let generated = days.generated.unwrap_or_else(|| newer.generation());
    ctx.ages.note(generated.at, ctx.now);
    let label = Line::from(vec![
        Span::styled(format!(" {}", query.feed), theme.title),
        Span::raw(format!(
            " {} {ARROW} {}",
            query.from.dashed(),
            query.to.dashed()
        )),
        age(newer, generated, ctx.now, theme),
        place_badge(days.list.rows().place, theme),
    ]);
    let mut bar = BarLine::new().left(BarPart::new(label, 0));
    if days.summary.is_pending() {
        bar = bar.right(BarPart::new(Span::styled("counting ", theme.dim), 1));
    }
    if !query.filter.is_empty() {
        let text = visible(&query.filter.to_string()).into_owned();
        let filter = Line::from(vec![Span::styled("/ ", theme.accent), Span::raw(text)]);
        bar = bar.left(BarPart::new(filter, 2));
    }
    bar.draw(frame, head);
    let is_wide = area.width >= WIDE;
    let [list, numbers, details] = if is_wide {
        let [list, beside] =
            Layout::horizontal([Constraint::Min(0), Constraint::Length(NUMBERS)]).areas(body);
        let [numbers, details] =
            Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(beside);
        [list, numbers, details]
    } else {
        let [list, details] =
            Layout::vertical([Constraint::Min(0), Constraint::Length(DETAILS)]).areas(body);
        [list, Rect::default(), details]
    };
    ctx.spots.pane(list, BrowserFocus::Records as PaneId);
    records(frame, list, days, ctx);
    if is_wide {
        in_numbers(frame, numbers, days, theme);
    }
    if let Some(row) = days.list.row() {
        in_full(frame, details, row, theme);
    }
}

/// Draws the whole content of a row.
fn in_full(frame: &mut Frame<'_>, area: Rect, row: &DiffRow, theme: &Theme) {
    let mut section = Section::new("", SectionSide::Both);
    for (name, value) in &row.what {
        section.field(visible(name).into_owned(), visible(value).into_owned());
    }
    let pane = Pane::new(row.name.clone(), Focus::Elsewhere);
    let content = Page::new().with(section);
    content.draw_in(frame, area, pane, &PageState::default(), theme);
}

fn records(frame: &mut Frame<'_>, area: Rect, days: &Comparison, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let rows = days.list.rows();
    let (len, listed) = (rows.len(), rows.query.listed);
    let mut hint = others(rows).into_iter().collect::<Vec<_>>();
    let mut pane = Pane::new(chips(days, theme), Focus::Here);
    if let Some(at) = days.list.position() {
        let all = days.number(listed.kind).unwrap_or(len as u64);
        let cut = if rows.is_cut() {
            "; a filter shows more"
        } else {
            ""
        };
        let (at, all) = (count(at as u64 + 1), count(all));
        hint.push(format!("{at} of {all}{cut}"));
    }
    pane = pane.hint(hint.join("   "));
    let inner = pane.draw(frame, area, theme);
    if let (Some(error), 0) = (days.error(), len) {
        return lines(
            frame,
            inner,
            failure::lines("", error, "  ", "esc back to the records", theme),
        );
    }
    if len == 0 {
        let text = if rows.is_pending() {
            "comparing"
        } else if rows.is_whole() && rows.others() > 0 && listed.kind.is_some() {
            "no verdict changed"
        } else if rows.is_whole() && rows.others() > 0 {
            "nothing added, nothing removed, no verdict changed"
        } else if rows.is_whole() && listed.kind.is_some() {
            "no record of this kind"
        } else if rows.is_whole() {
            "no difference"
        } else {
            "stopped"
        };
        return lines(frame, inner, vec![Line::styled(text, theme.dim)]);
    }
    days.list.draw_rows(frame, inner, Focus::Here, false, ctx);
    if let Some(error) = days.error() {
        let why = format!("x {}", visible(&error.message));
        failure::over_last_lines(frame, inner, &why, theme);
    }
}

/// The number of changed records with the same verdict, and the key that shows or hides them.
fn others(rows: &DiffRows) -> Option<String> {
    let others = Some(rows.others()).filter(|number| *number > 0)?;
    let verb = if rows.query.listed.others {
        "hides"
    } else {
        "shows"
    };
    Some(format!("{} others: . {verb}", count(others)))
}

/// The kinds with their numbers; the current one is in brackets.
fn chips(days: &Comparison, theme: &Theme) -> Line<'static> {
    let rows = days.list.rows();
    let hides_others = !rows.query.listed.others && others(rows).is_some();
    let mut line = Line::default();
    for kind in KINDS {
        let (sign, name) = kind.map_or((None, "all"), |kind| {
            let (sign, name) = words_of(kind);
            // The others are counted in the frame.
            let is_of_verdicts = kind == diff::ChangeKind::Changed && hides_others;
            (Some(sign), if is_of_verdicts { "verdict" } else { name })
        });
        let number = days
            .number(kind)
            .map(|number| format!(" {}", count(number)));
        let sign = sign.map(String::from).unwrap_or_default();
        let words = format!("{sign}{name}{}", number.unwrap_or_default());
        let is_listed = kind == days.query().listed.kind;
        let style = match kind {
            _ if is_listed => theme.title,
            Some(kind) => style_of(kind, theme),
            None => theme.dim,
        };
        let words = if is_listed {
            format!("[{words}]")
        } else {
            format!(" {words} ")
        };
        line.push_span(Span::styled(words, style));
    }
    line
}

fn in_numbers(frame: &mut Frame<'_>, area: Rect, days: &Comparison, theme: &Theme) {
    let pane = Pane::new("In numbers", Focus::Elsewhere);
    let Some(summary) = days.summary.value() else {
        pane.draw(frame, area, theme);
        return;
    };
    // The legend, and three lists with a head each.
    let most = usize::from(Pane::inner(area).height.saturating_sub(4) / 3).max(LEAST);
    let tallied = |tallied: &Tallied| {
        let ChangeCounts {
            added,
            removed,
            changed,
        } = tallied.counts;
        let [added, removed, changed] = [added, removed, changed].map(count);
        let numbers = format!("+{added} -{removed} ~{changed}");
        (visible(&tallied.value).into_owned(), numbers)
    };
    let moved = |change: &diff::Move| {
        let words = format!("{} {ARROW} {}", visible(&change.from), visible(&change.to));
        (words, count(change.count))
    };
    let lists: [(&str, Vec<(String, String)>); 3] = [
        ("operators", summary.operators.iter().map(tallied).collect()),
        ("countries", summary.countries.iter().map(tallied).collect()),
        (
            "changed operator",
            summary.moves.iter().map(moved).collect(),
        ),
    ];
    let remark = |text| {
        Section::new("", SectionSide::Both).row(PageRow::text(Line::styled(text, theme.dim)))
    };
    let mut content = Page::new().with(remark(LEGEND));
    content.tighten();
    for (title, rows) in lists {
        let columns = [
            Column::new("", Width::Fill(8)),
            Column::new("", Width::Min(0)).right(),
        ];
        let mut section = Section::new(title, SectionSide::Both).columns(columns.into());
        let more = rows.len().saturating_sub(most) as u64;
        if more > 0 {
            section = section.note(format!("{} more", count(more)));
        }
        for (left, right) in rows.into_iter().take(most) {
            section.push(PageRow::cells(vec![Line::raw(left), Line::raw(right)]));
        }
        content.push(section);
    }
    if summary.cut {
        content.push(remark("more than can be listed"));
    }
    content.draw_in(frame, area, pane, &PageState::default(), theme);
}
