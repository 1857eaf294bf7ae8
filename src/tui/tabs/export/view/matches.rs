//! How much of the local release the form asks for: a pane, or a line on a small screen.
//!
//! Every number names its release and its age. One that answers an older form is dimmed and says so; what could not be counted shows
//! why, and never an older number.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use crate::{
    contract::{ExportQuery, Feed, Freshness, Output, Param},
    engine::{Area, Error, views::View},
    model::visible,
    report::each,
    store::{Moment, export::Changes, index::FacetBy},
    tui::{
        ctx::{ViewCtx, meter},
        tabs::export::{
            ExportTab,
            local::{Expected, PreviewAge},
            preview::PreviewRows,
            vocabulary::keyword_of,
        },
        ui::{
            theme::{Focus, Theme, Tone},
            widgets::{
                bar::{BarLine, BarPart},
                page::{Page, PageRow, PageState, Section, SectionSide},
                pane::Pane,
            },
            words,
        },
    },
};

/// Values of a field that are shown.
const VALUES: usize = 4;

pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let (query, theme) = (tab.build.query(), ctx.theme);
    let mut title = Line::raw("Matches");
    if let Some((view, _)) = tab.local.view(&query) {
        let moment = view.release.manifest.moment;
        let old = ctx.age(view.release.manifest.generation());
        title.push_span(Span::styled("  [local]", theme.badge));
        title.push_span(Span::raw(format!(" {} {}, ", query.feed, moment.dashed())));
        let mark = stale_mark(moment, ctx);
        let words = format!("{mark}{old} old");
        title.push_span(Span::styled(words, age_style(moment, ctx)));
    }
    let inner = Pane::new(title, Focus::Elsewhere).draw(frame, area, theme);
    let mut rows = rows(tab, &query, ctx);
    // What matters least gives way first.
    while page(&rows).lines(inner.width) > inner.height && rows.len() > 1 {
        let least = (0..rows.len()).max_by_key(|at| rows[*at].0);
        rows.remove(least.unwrap_or_default());
    }
    let page = page(&rows);
    page.draw(frame, inner, &PageState::default(), theme, Focus::Elsewhere);
}

/// Lines that the pane needs for all that it has to say, its border included.
pub(super) fn height(width: u16, tab: &ExportTab, ctx: &ViewCtx<'_>) -> u16 {
    let inner = Pane::inner(Rect::new(0, 0, width, u16::MAX));
    let rows = rows(tab, &tab.build.query(), ctx);
    page(&rows).lines(inner.width).saturating_add(2)
}

/// A row with its rank: the highest gives way first.
type RankedRow = (u8, PageRow<'static>);

fn page(rows: &[RankedRow]) -> Page<'static> {
    let mut section = Section::new("", SectionSide::Both);
    for (_, row) in rows {
        section.push(row.clone());
    }
    Page::new().with(section)
}

/// A line as it is, or dimmed where it answers an older form.
fn aged(line: Line<'static>, age: PreviewAge, theme: &Theme) -> Line<'static> {
    if age == PreviewAge::Current {
        return line;
    }
    let words = format!("{}  ~ older form", line.to_string().trim_end());
    Line::styled(words, theme.stale)
}

/// What was asked about the values and the rows and did not come.
fn failed(error: &Error, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(format!("not counted: {}", visible(&error.message))),
    ])
}

/// A release that is behind its cadence is marked.
fn age_style(moment: Moment, ctx: &ViewCtx<'_>) -> Style {
    if is_stale(moment, ctx.now) {
        ctx.theme.warn
    } else {
        ctx.theme.dim
    }
}

/// The same as a sign, for people who see no colours.
fn stale_mark(moment: Moment, ctx: &ViewCtx<'_>) -> &'static str {
    if is_stale(moment, ctx.now) { "! " } else { "" }
}

fn is_stale(moment: Moment, now: Timestamp) -> bool {
    moment.freshness(now) != Freshness::Current
}

/// What is counted. In a diff the rows that it will have come first; what counts the whole release says so.
fn rows(tab: &ExportTab, query: &ExportQuery, ctx: &ViewCtx<'_>) -> Vec<RankedRow> {
    let theme = ctx.theme;
    let Some((view, age)) = tab.local.view(query) else {
        let lines = nothing(tab, query, ctx).into_iter();
        return lines.map(|line| (0, PageRow::text(line))).collect();
    };
    let mut rows: Vec<RankedRow> = Vec::new();
    let mut push = |rank, label: &'static str, line| rows.push((rank, PageRow::field(label, line)));
    let matches = total(query, view, age, theme);
    if query.diff {
        push(0, "rows", changes(tab, query, theme));
        let of_diff = counted_changes(tab, query).filter(|_| age == PreviewAge::Current);
        let line = match of_diff {
            Some((changes, _)) => changed_total(query, changes, view, theme),
            None => of_release(matches, theme),
        };
        push(4, "matches", line);
    } else {
        push(0, "matches", matches);
    }
    if let Some(words) = tab.shortfall() {
        push(0, "differs", Line::styled(format!("! {words}"), theme.warn));
    }
    if let Some(error) = tab.local.values.error() {
        push(2, "values", failed(error, theme));
    }
    for (rank, label, param) in [
        (5, "by tag", Param::Tags),
        (6, "by proxy", Param::CallbackProxies),
        (6, "by cc", Param::Ccs),
    ] {
        if let Some(line) = values(tab, query, param, theme) {
            push(rank, label, line);
        }
    }
    if let Some(line) = limit(tab, query, theme) {
        push(1, "limit", line);
    }
    if let Some(line) = output(tab, query, theme) {
        push(2, "output", line);
    }
    if let Some(newer) = view.newer {
        let words = format!("newer local release {}", newer.dashed());
        push(3, "release", Line::styled(words, theme.warn));
    }
    if is_stale(view.release.manifest.moment, ctx.now) {
        let note = Line::styled("! the service has a newer release", theme.warn);
        push(3, "note", note);
    }
    rows
}

/// In a diff: a number that counts the records of the whole release, not those that changed.
fn of_release(mut line: Line<'static>, theme: &Theme) -> Line<'static> {
    line.spans.insert(0, Span::styled("release: ", theme.dim));
    line
}

/// What a key does about a feed that is not local, or how far its download is; one that was refused is no offer.
fn download(feed: Feed, ctx: &ViewCtx<'_>) -> String {
    if let Some(job) = ctx.jobs.running_pull(feed) {
        return format!("~ downloading: {}", meter::words(job));
    }
    match ctx.facts.refusal(Area::Feeds) {
        Some(_) => "no feed access: p tries again".to_owned(),
        None => "p downloads it".to_owned(),
    }
}

/// Shown where nothing is counted: why, and what to do about it.
fn nothing(tab: &ExportTab, query: &ExportQuery, ctx: &ViewCtx<'_>) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let local = &tab.local;
    if local.page.is_pending() {
        return vec![Line::styled("~ counting", theme.warn)];
    }
    let ask = "S asks the service for 12 rows: free";
    let ask = ctx.facts.lack_of_exports().is_none().then_some(ask);
    let pull = ctx.facts.lack_of_feeds();
    let pull = pull.unwrap_or_else(|| download(query.feed, ctx));
    let words = [Some(pull.as_str()), ask].into_iter().flatten();
    let keys = Line::styled(each(words, "; "), theme.dim);
    match local.page.error() {
        Some(_) if local.is_missing() => {
            let why = match query.diff_date.filter(|_| query.diff) {
                Some(day) => format!("{} {} is not local", query.feed, day.dashed()),
                None => format!("{} is not local: nothing is counted", query.feed),
            };
            vec![Line::raw(why), keys]
        }
        Some(error) => vec![
            Line::from(vec![
                Span::styled("x ", theme.bad),
                Span::raw(visible(&error.message).into_owned()),
            ]),
            keys,
        ],
        None => vec![keys],
    }
}

fn noun(feed: Feed) -> &'static str {
    if feed.is_ipv6() || feed == Feed::Dch {
        "networks"
    } else {
        "IPs"
    }
}

fn total(query: &ExportQuery, view: &View, age: PreviewAge, theme: &Theme) -> Line<'static> {
    let counted = format!("{} {}", words::number(view.count), noun(query.feed));
    let of = format!("  of {}", words::number(view.records));
    if age == PreviewAge::Older {
        return aged(Line::raw(counted + &of), age, theme);
    }
    let state = if query.diff {
        String::new()
    } else {
        format!("  exact, {} ms", view.took.as_millis())
    };
    Line::from(vec![
        Span::styled(counted, theme.accent),
        Span::raw(of),
        Span::styled(state, theme.dim),
    ])
}

/// The changes of the diff that the form asks for, and the rows they were counted with.
fn counted_changes<'a>(
    tab: &'a ExportTab,
    query: &ExportQuery,
) -> Option<(Changes, &'a PreviewRows)> {
    let rows = tab.local.rows_of(query)?;
    let is_current = rows.shown.query == *query;
    Some((rows.changes?, &rows.shown)).filter(|_| is_current)
}

fn changes(tab: &ExportTab, query: &ExportQuery, theme: &Theme) -> Line<'static> {
    if let Some(error) = tab.local.rows.error() {
        return failed(error, theme);
    }
    let Some((changes, shown)) = counted_changes(tab, query) else {
        return Line::styled("~ comparing two days", theme.warn);
    };
    let mut words = format!(
        "{} added, {} removed",
        words::number(changes.added),
        words::number(changes.removed)
    );
    if let Some(before) = shown.before() {
        words += &format!(" since {}", before.dashed());
    }
    Line::raw(words)
}

/// How many records changed of those that match.
fn changed_total(
    query: &ExportQuery,
    changes: Changes,
    view: &View,
    theme: &Theme,
) -> Line<'static> {
    let rows = words::number(changes.added + changes.removed);
    let of = words::number(view.count);
    Line::from(vec![
        Span::styled(format!("{rows} {}", noun(query.feed)), theme.accent),
        Span::raw(format!("  beside {of} in the release")),
    ])
}

/// The values of a field with their counts: those that are asked for, else the most frequent ones.
fn values(
    tab: &ExportTab,
    query: &ExportQuery,
    param: Param,
    theme: &Theme,
) -> Option<Line<'static>> {
    let by = FacetBy::Keyword(keyword_of(param)?);
    // In a diff the records that changed are counted; until they are, those of the release, which is said.
    let changed = counted_changes(tab, query).and_then(|_| tab.local.rows_of(query));
    let (facets, age) = match changed {
        Some(rows) => (rows.changed.as_slice(), PreviewAge::Current),
        None => tab.local.facets(query)?,
    };
    let is_of_release = query.diff && changed.is_none();
    let counts = facets.iter().find(|counts| counts.by == by)?;
    let asked = query.value(param).sent().unwrap_or_default();
    let is_asked = |value: &str| {
        asked.is_empty() || asked.split(',').any(|own| own.eq_ignore_ascii_case(value))
    };
    let chosen: Vec<_> = counts
        .values
        .iter()
        .filter(|facet| is_asked(&facet.value))
        .collect();
    if chosen.is_empty() {
        return None;
    }
    let mut line = Line::default();
    let most = if is_of_release { VALUES / 2 } else { VALUES };
    for facet in chosen.iter().take(most) {
        line.push_span(Span::raw(format!("{} ", visible(&facet.value))));
        line.push_span(Span::styled(
            format!("{}   ", words::number(facet.count)),
            theme.dim,
        ));
    }
    if chosen.len() > most {
        let more = format!("+{}", words::number((chosen.len() - most) as u64));
        line.push_span(Span::styled(more, theme.dim));
    }
    let line = aged(line, age, theme);
    Some(if is_of_release {
        of_release(line, theme)
    } else {
        line
    })
}

/// What the output comes to, where there is any and it answers the form or is about to: a form that is refused has none.
fn expected(tab: &ExportTab, query: &ExportQuery) -> Option<(Expected, PreviewAge)> {
    let is_coming = tab.local.rows.is_pending();
    let expected = tab.local.expected(query);
    expected.filter(|(own, age)| own.matches > 0 && (*age == PreviewAge::Current || is_coming))
}

fn limit(tab: &ExportTab, query: &ExportQuery, theme: &Theme) -> Option<Line<'static>> {
    let (expected, age) = expected(tab, query)?;
    let dropped = expected.matches - expected.kept;
    let line = if dropped == 0 {
        Line::from(Span::styled("nothing is cut", theme.dim))
    } else {
        let (kept, dropped) = (words::number(expected.kept), words::number(dropped));
        let words = format!("! keeps the busiest {kept}, drops {dropped}");
        Line::from(Span::styled(words, theme.warn))
    };
    Some(aged(line, age, theme))
}

fn output(tab: &ExportTab, query: &ExportQuery, theme: &Theme) -> Option<Line<'static>> {
    if let Some(error) = tab.local.rows.error().filter(|_| !query.diff) {
        return Some(failed(error, theme));
    }
    let (expected, age) = expected(tab, query)?;
    let bytes = expected.bytes?;
    let form = match query.output {
        Output::Csv => "CSV",
        Output::Json => "JSON",
        Output::Mmdb => return None,
    };
    let words = format!("about {} of {form}", words::bytes(bytes));
    Some(aged(Line::raw(words), age, theme))
}

/// Draws the line: what matches, and how many checks there are of each kind.
pub(super) fn draw_line(frame: &mut Frame<'_>, area: Rect, tab: &ExportTab, ctx: &ViewCtx<'_>) {
    let (query, theme) = (tab.build.query(), ctx.theme);
    let mut bar = BarLine::new();
    if let Some((view, age)) = tab.local.view(&query) {
        let moment = view.release.manifest.moment;
        let is_older = age == PreviewAge::Older;
        let style = if is_older { theme.stale } else { theme.text };
        let mut counted = if query.diff {
            match counted_changes(tab, &query) {
                Some((changes, _)) => format!(
                    " diff {} added, {} removed",
                    words::number(changes.added),
                    words::number(changes.removed)
                ),
                None => " diff ~ comparing".to_owned(),
            }
        } else {
            let count = words::number(view.count);
            format!(" matches {count} {}", noun(query.feed))
        };
        if let Some((expected, _)) = tab.local.expected(&query)
            && expected.kept < expected.matches
        {
            counted += &format!(", {} kept", words::number(expected.kept));
        }
        if is_older {
            counted += " ~ older form";
        }
        let age = ctx.age(view.release.manifest.generation());
        let mark = stale_mark(moment, ctx);
        let source = format!(" local {}, {mark}{age} old", moment.dashed());
        bar = bar.left(BarPart::new(Span::styled(counted, style), 0));
        let wanted = tab.build.omitted().and_then(|own| own.wanted.as_ref());
        if let Some(wanted) = wanted.filter(|_| !is_older) {
            let words = format!("! {wanted}");
            bar = bar.left(BarPart::new(Span::styled(words, theme.warn), 0));
        }
        bar = bar.left(BarPart::new(
            Span::styled(source, age_style(moment, ctx)),
            2,
        ));
    } else {
        let mut line = Line::raw(" ");
        let why = nothing(tab, &query, ctx).into_iter().next();
        line.spans.extend(why.unwrap_or_default().spans);
        if tab.local.is_missing() {
            line.push_span(Span::styled(
                format!("; {}", download(query.feed, ctx)),
                theme.dim,
            ));
        }
        bar = bar.left(BarPart::new(line, 0));
    }
    bar.right(BarPart::new(checks(tab, theme), 1))
        .draw(frame, area);
}

/// How many checks there are of each kind.
fn checks(tab: &ExportTab, theme: &Theme) -> Line<'static> {
    let count = |tone: Tone| {
        let checks = tab.build.checks().iter();
        checks.filter(|check| check.tone == tone).count()
    };
    let mut line = Line::styled("checks: ", theme.dim);
    line.push_span(Span::styled(
        format!("ok {}  ", count(Tone::Ok)),
        theme.text,
    ));
    line.push_span(match count(Tone::Warn) {
        0 => Span::styled(format!("info {}  ", count(Tone::Info)), theme.text),
        warnings => Span::styled(format!("warn {warnings}  "), theme.warn),
    });
    let errors = count(Tone::Error);
    let style = if errors > 0 { theme.bad } else { theme.text };
    line.push_span(Span::styled(format!("error {errors} "), style));
    line
}
