//! Pivots of a record: local records with the same operator, entry, proxy, organization or network, with counts.

use ratatui::text::{Line, Span};

use crate::{
    contract::LookupQuery,
    engine::{
        Area,
        views::{Pivot, PivotKind, ViewQuery},
    },
    model::{Keyword, TagName, visible},
    store::filter::Test,
    tui::{
        ctx::{Destination, Meaning, SheetWriter, ViewCtx, failure},
        tabs::lookup::{case::LookupCase, record::details::Hints},
        ui::{Column, PageRow, SectionSide, Theme, Width, words},
    },
};

/// Writes the rows to resume from.
pub(super) fn push(
    case: &LookupCase,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let key = if hints.is_walk { "" } else { " (enter)" };
    let title = vec![Span::raw("Pivot"), Span::styled(key, theme.dim)];
    writer.begin(title, "", SectionSide::Both);
    writer.columns(vec![
        Column::new("", Width::Min(8)),
        Column::new("", Width::Fill(14)),
        Column::new("", Width::Fill(13)).right(),
    ]);
    let Some(found) = case.pivots.value() else {
        if let Some(error) = case.pivots.error() {
            writer.note(Line::styled("count failed", theme.warn));
            writer.warning(visible(&error.message));
        } else {
            writer.remark("~ counting in the local feeds");
        }
        return;
    };
    let mut counted = Line::raw(note(&found.pivots));
    if let Some(day) = case.query.date.filter(|_| found.day.is_none()) {
        let other = format!(", not {}", day.dashed());
        counted.push_span(Span::styled(other, theme.warn));
    }
    writer.note(counted);
    let rows = grouped(case, &found.pivots);
    for (at, (pivot, more)) in rows.iter().enumerate() {
        let left_out = found.left_out(pivot.kind);
        if is_address(pivot.kind) {
            row(case, pivot, more + left_out, (hints, ctx), writer);
            continue;
        }
        row(case, pivot, *more, (hints, ctx), writer);
        if pivot.kind == PivotKind::Network {
            operator_within(case, writer);
        }
        let next = rows.get(at + 1).map(|(next, _)| next.kind);
        if left_out > 0 && next != Some(pivot.kind) {
            let more = format!("+{} more", words::number(left_out as u64));
            writer.put(PageRow::cells(vec![
                Line::styled(word(pivot.kind), theme.label),
                Line::styled(more, theme.dim),
                Line::default(),
            ]));
        }
    }
    writer.lines(failure::unusable(&found.unusable, "counted", theme));
    let has_counts = |pivot: &Pivot| !pivot.counts.is_empty();
    if found.unusable.is_empty() && !found.pivots.iter().any(has_counts) {
        writer.remark(nothing_local(ctx));
    }
}

/// Why nothing is counted, and what to do about it: where the feeds host refused this token, a download does not help.
fn nothing_local(ctx: &ViewCtx<'_>) -> String {
    let heard = ctx.facts.access.of(Area::Feeds);
    match heard.and_then(|heard| heard.status) {
        Some(status @ (401 | 403)) => format!(
            "No feed is local. The feeds host said {status} ({}): a token with feeds is needed, `: token` takes one.",
            ctx.facts.access.meaning(Area::Feeds)
        ),
        _ => "No feed is local: 4 opens Feeds, p downloads one; then records are counted: free."
            .to_owned(),
    }
}

/// The days of the counts.
fn note(pivots: &[Pivot]) -> String {
    let counts = pivots.iter().flat_map(|pivot| &pivot.counts);
    let days = || counts.clone().map(|count| count.moment.day());
    match (days().min(), days().max()) {
        (Some(first), Some(last)) if first == last => format!("records, local {}", first.dashed()),
        (Some(first), Some(last)) => {
            format!("records, local {} to {}", first.dashed(), last.dashed())
        }
        _ => "nothing local".to_owned(),
    }
}

fn is_address(kind: PivotKind) -> bool {
    matches!(kind, PivotKind::Entry | PivotKind::Exit)
}

/// The first entry and the first exit stand for all of their kind; the address itself opens nothing.
fn grouped<'p>(case: &LookupCase, pivots: &'p [Pivot]) -> Vec<(&'p Pivot, usize)> {
    let own = case.query.address.to_string();
    let mut rows: Vec<(&Pivot, usize)> = Vec::new();
    for pivot in pivots {
        if is_address(pivot.kind) && pivot.value == own {
            continue;
        }
        let same = rows
            .iter_mut()
            .find(|(first, _)| is_address(pivot.kind) && first.kind == pivot.kind);
        match same {
            Some((_, more)) => *more += 1,
            None => rows.push((pivot, 0)),
        }
    }
    rows
}

fn row(
    case: &LookupCase,
    pivot: &Pivot,
    more: usize,
    (hints, ctx): (&Hints, &ViewCtx<'_>),
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let value = visible(&pivot.value).into_owned();
    let mut shown = Line::raw(match pivot.kind {
        PivotKind::System => format!("AS{value}"),
        _ => value.clone(),
    });
    if more > 0 {
        shown.push_span(Span::styled(format!(" +{more}"), theme.dim));
    }
    let lead = lead(case, pivot);
    let cells = |last| {
        let label = Line::styled(word(pivot.kind), theme.label);
        vec![label, shown.clone(), last]
    };
    let page_row = match (pivot.kind, &lead) {
        (PivotKind::Exit, Some(Destination::Address(query))) => {
            // Whether a count of another release answers a look-up is for the policy to say, not for this row.
            let price = hints.price(*query, ctx.facts);
            let [whole, shorter, shortest] = [
                format!("look up: {price}"),
                price.to_owned(),
                price_alone(price).to_owned(),
            ]
            .map(|words| cells(Line::styled(words, theme.dim)));
            PageRow::cells(whole).or_cells(shorter).or_cells(shortest)
        }
        _ => PageRow::cells(cells(counts(pivot, theme))),
    };
    writer.stop(page_row, Meaning::new(word(pivot.kind), value).to(lead));
}

/// The records of one operator among those of the network around it.
fn operator_within(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let Some((facet, view)) = case.neighbour().zip(case.around()) else {
        return;
    };
    let operator = Test::Is(Keyword::Tag, vec![facet.value.clone()]);
    let mut filter = view.filter;
    filter.terms.push(operator.into());
    let value = visible(&facet.value).into_owned();
    let number = Span::raw(words::number(facet.count));
    let feed = Span::styled(format!(" {}", view.feed), theme.dim);
    let cells = vec![
        Line::styled("of these", theme.label),
        Line::raw(value.clone()),
        Line::from(vec![number, feed]),
    ];
    let lead = Destination::Browse(ViewQuery { filter, ..view });
    let meaning = Meaning::new("operator in the network", value).to(Some(lead));
    writer.stop(PageRow::cells(cells), meaning);
}

/// A price without what is tried first or why, for a row that has no room for that.
fn price_alone(price: &str) -> &str {
    if price.ends_with("else 1 query") {
        "up to 1 query"
    } else if price.ends_with("1 query") {
        "1 query"
    } else if price.starts_with("not sent") {
        "not sent"
    } else {
        "free"
    }
}

/// What records share, in a word.
fn word(kind: PivotKind) -> &'static str {
    match kind {
        PivotKind::Operator => "operator",
        PivotKind::Entry => "entry",
        PivotKind::Exit => "exit",
        PivotKind::Proxy => "proxy",
        PivotKind::Organization => "organization",
        PivotKind::System => "AS",
        PivotKind::Network => "network",
    }
}

/// Whether a row stands for what records share: where it leads depends on how many there are.
pub(in crate::tui::tabs::lookup) fn is_pivot(row: &Meaning) -> bool {
    PivotKind::ALL.iter().any(|kind| word(*kind) == row.label)
}

/// Where the row that stands for this value leads.
pub(in crate::tui::tabs::lookup) fn lead_of(
    case: &LookupCase,
    row: &Meaning,
) -> Option<Destination> {
    let mut pivots = case.pivots.value()?.pivots.iter();
    let is_it = |pivot: &&Pivot| {
        word(pivot.kind) == row.label && visible(&pivot.value) == row.value.as_str()
    };
    lead(case, pivots.find(is_it)?)
}

/// Where a row leads: an exit to its record, all others to the records that share the value; a tag to its page where none is local.
fn lead(case: &LookupCase, pivot: &Pivot) -> Option<Destination> {
    if pivot.kind == PivotKind::Exit {
        let address = pivot.value.parse().ok()?;
        let query = case.query;
        return Some(Destination::Address(LookupQuery { address, ..query }));
    }
    let view = case.pivots.value().and_then(|pivots| pivots.view(pivot));
    if let Some(view) = view {
        return Some(Destination::Browse(view));
    }
    let is_tag = matches!(pivot.kind, PivotKind::Operator | PivotKind::Proxy);
    let tag = TagName::new(&pivot.value).ok().filter(|_| is_tag);
    tag.map(Destination::Tag)
}

/// How many records share the value in the feed that has most of them, and how many feeds more have some; nothing where no feed is local, which is not 0.
fn counts(pivot: &Pivot, theme: &Theme) -> Line<'static> {
    let some = pivot
        .counts
        .iter()
        .filter(|count| count.records > 0)
        .count();
    if pivot.counts.is_empty() {
        return Line::default();
    }
    let Some(richest) = pivot.richest() else {
        let words = match pivot.counts.as_slice() {
            [only] => format!("0 {}", only.feed),
            all => format!("0 in {} feeds", all.len()),
        };
        return Line::styled(words, theme.dim);
    };
    let mut spans = vec![
        Span::raw(words::number(richest.records)),
        Span::styled(format!(" {}", richest.feed), theme.dim),
    ];
    if some > 1 {
        let noun = if some == 2 { "feed" } else { "feeds" };
        let more = format!(" +{} {noun}", some - 1);
        spans.push(Span::styled(more, theme.dim));
    }
    Line::from(spans)
}
