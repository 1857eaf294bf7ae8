//! The source of the facts of a page with its provenance, and how other sources compare: in a line, in a table, and their differences.

use ratatui::text::{Line, Span};

use crate::{
    contract::Geolocation,
    engine::Provenance,
    model::{
        Day,
        compare::{Difference, DifferenceKind},
        visible,
    },
    report::{difference_side, instant},
    tui::{
        ctx::{Facts, Meaning, SheetWriter, ViewCtx},
        tabs::lookup::{
            case::LookupCase,
            sources::{OtherSource, SourceAgreement, SourceAnswer},
        },
        ui::{Column, PageRow, SectionSide, Theme, Width, words},
    },
};

/// `local anonymous 2026-11-20 | ipsummary agrees | dch hosting | live -`
pub(super) fn line(case: &LookupCase, shown: &SourceAnswer, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let place = shown.local().map(|record| record.release.manifest.source());
    let local = place.map_or_else(String::new, |place| format!("{place} "));
    let day = shown.moment();
    let day = day.unwrap_or_else(|| "of a day not given".to_owned());
    let mut parts = vec![Span::raw(format!("{local}{} {day}", shown.source()))];
    for one in &case.beside {
        let name = match (&one.network, &one.stands) {
            (Some(network), SourceAgreement::Agrees | SourceAgreement::Differs(_)) => {
                format!("{} {network} ", one.source)
            }
            _ => format!("{} ", one.source),
        };
        parts.extend([Span::styled(" | ", theme.dim), Span::raw(name)]);
        parts.extend(agreement(one, true, theme));
    }
    if !shown.is_live() {
        parts.extend([Span::styled(" | ", theme.dim), Span::raw("live ")]);
        parts.push(if case.live.pending().is_some() {
            Span::styled("asking", theme.warn)
        } else if case.live.error().is_some() {
            Span::styled("failed", theme.bad)
        } else {
            Span::styled("-", theme.dim)
        });
    }
    let line = Line::from(parts);
    let meaning = Meaning::new("sources", line.to_string());
    writer.begin("Sources", "", SectionSide::Both);
    writer.stop(line, meaning);
}

/// Each source in a row, the one that is shown first.
pub(super) fn table(
    case: &LookupCase,
    shown: &SourceAnswer,
    title: &'static str,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let columns = vec![
        Column::new("SOURCE", Width::Min(8)),
        Column::new("DAY", Width::Min(10)),
        Column::new("AGE", Width::Min(3)).right(),
        Column::new("", Width::Fill(16)),
    ];
    writer.begin(title, "", SectionSide::Both);
    writer.columns(columns);
    let not_given = || "not given".to_owned();
    let name = shown.listed();
    let day = shown.day().map_or_else(not_given, Day::dashed);
    let mark = if shown.is_fresh() { "" } else { "stale  " };
    let meaning = Meaning::new("source", format!("{name} {day}"));
    let cells = vec![
        Line::raw(name),
        Line::raw(day),
        Line::styled(ctx.age(shown.since()), theme.dim),
        Line::from(vec![
            Span::styled(mark, theme.stale),
            Span::styled("shown above", theme.dim),
        ]),
    ];
    writer.cells(cells, meaning);
    for one in &case.beside {
        let network = one.network.as_ref().map(|network| format!(" {network}"));
        let name = format!("{}{}", one.source, network.unwrap_or_default());
        let agreement = Line::from(agreement(one, false, theme));
        let meaning = Meaning::new(name.clone(), agreement.to_string());
        let cells = vec![
            Line::raw(name),
            Line::raw(one.day.clone().unwrap_or_else(not_given)),
            Line::styled(ctx.age(one.since), theme.dim),
            agreement,
        ];
        writer.cells(cells, meaning);
    }
    if !shown.is_live() {
        let state = live_state(case, ctx.facts, theme);
        let meaning = Meaning::new("live", state.to_string());
        let dash = Line::styled("-", theme.dim);
        let cells = vec![Line::raw("live"), dash.clone(), dash, state];
        writer.cells(cells, meaning);
    } else if case.query.geolocation == Geolocation::Mmgeo {
        writer.remark("mmgeo: only the service has this geolocation");
    }
}

/// What is known of the live record where another source is shown.
fn live_state(case: &LookupCase, facts: &Facts, theme: &Theme) -> Line<'static> {
    if case.live.pending().is_some() {
        Line::styled("~ asking the service", theme.warn)
    } else if let Some(error) = case.live.error() {
        Line::styled(format!("x {}", visible(&error.message)), theme.bad)
    } else if let Some(lack) = facts.lack_in_short() {
        Line::styled(lack, theme.dim)
    } else {
        let key = Span::styled("R", theme.key);
        Line::from(vec![key, Span::raw(" fetches it: 1 query")])
    }
}

/// How a source compares with the one that is shown, in a word or in a line.
fn agreement(one: &OtherSource, is_brief: bool, theme: &Theme) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    if one.stale {
        let stale = if is_brief { "stale " } else { "stale  " };
        spans.push(Span::styled(stale, theme.stale));
    }
    match &one.stands {
        SourceAgreement::Agrees => spans.push(Span::styled("agrees", theme.good)),
        SourceAgreement::Differs(places) if is_brief => {
            spans.push(Span::styled(
                format!("differs: {}", places.len()),
                theme.warn,
            ));
        }
        SourceAgreement::Differs(places) => {
            let first = places.first().map_or_else(String::new, |found| {
                let other = found.b.as_deref().unwrap_or("(absent)");
                format!("differs: {} {}", found.path, other)
            });
            spans.push(Span::styled(visible(&first).into_owned(), theme.warn));
            if places.len() > 1 {
                let more = format!(", {} more", places.len() - 1);
                spans.push(Span::styled(more, theme.dim));
            }
        }
        SourceAgreement::Says(facts) if is_brief => spans.push(Span::raw(facts.word.clone())),
        SourceAgreement::Says(facts) => {
            // The name of the source has the network already.
            let network = one.network.as_ref().map(|network| format!(", {network}"));
            let line = network.and_then(|network| facts.line.strip_suffix(&network));
            spans.push(Span::raw(line.unwrap_or(&facts.line).to_owned()));
        }
        SourceAgreement::Unread(_) if is_brief => {
            spans.push(Span::styled("unreadable", theme.warn));
        }
        SourceAgreement::Unread(why) => {
            let text = format!("unreadable: {}", visible(why));
            spans.push(Span::styled(text, theme.warn));
        }
        SourceAgreement::Nothing => spans.push(Span::styled("no record", theme.dim)),
    }
    spans
}

/// What feeds of another kind have of their own, each field.
pub(super) fn fields(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    for one in &case.beside {
        let SourceAgreement::Says(facts) = &one.stands else {
            continue;
        };
        writer.begin(one.source.clone(), "", SectionSide::Both);
        writer.note(one.day.clone().unwrap_or_default());
        writer.facts(&facts.facts);
    }
}

/// Rows of one source; all of them are in the comparison.
const MOST: usize = 12;

/// Writes the differences of each source from the answer that is shown.
pub(super) fn differences(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    for one in &case.beside {
        let SourceAgreement::Differs(places) = &one.stands else {
            continue;
        };
        let columns = vec![
            Column::new("", Width::Fixed(1)),
            Column::new("FIELD", Width::Min(8)),
            Column::new("SHOWN", Width::Fill(12)),
            Column::new(one.source.to_uppercase(), Width::Fill(12)),
        ];
        let network = one.network.as_ref().map(|network| format!(" {network}"));
        let title = format!("{}{} differs", one.source, network.unwrap_or_default());
        writer.begin(title, "", SectionSide::Both);
        writer.columns(columns);
        writer.note(one.day.clone().unwrap_or_default());
        for found in places.iter().take(MOST) {
            let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
            let path = visible(&found.path).into_owned();
            let value = format!("{} / {}", text(&found.a), text(&found.b));
            writer.cells(cells_of(found, theme), Meaning::new(path, value));
        }
        if places.len() > MOST {
            writer.remark(format!("{} more places differ", places.len() - MOST));
        }
    }
}

/// Writes where the answer comes from.
pub(super) fn provenance(shown: &SourceAnswer, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    writer.begin("Provenance", "", SectionSide::Both);
    if let Some(asked) = shown.asked() {
        return of_service(asked, ctx, writer);
    }
    if let Some(record) = shown.local() {
        let manifest = &record.release.manifest;
        let (feed, moment) = (manifest.feed, manifest.moment.dashed());
        let from = Line::raw(format!("the local feed {feed} of {moment}   free"));
        writer.value("from", from);
        writer.value("downloaded at", Line::raw(instant(manifest.pulled_at)));
    }
}

fn of_service(asked: &Provenance, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.asked(asked);
    let not_named = || "not named".to_owned();
    let data = asked.data_date;
    let data = data.map_or_else(not_named, |day| format!("{} (x-result-dt)", day.dashed()));
    let balance = match asked.balance {
        None => not_named(),
        Some(_) if ctx.private => "hidden".to_owned(),
        Some(left) => format!("{} (x-balance-remaining)", words::number(left)),
    };
    let line = Line::from(vec![
        Span::styled("data date ", theme.dim),
        Span::raw(data),
        Span::styled("   balance ", theme.dim),
        Span::raw(balance),
        Span::styled("   at ", theme.dim),
        Span::raw(instant(asked.asked_at)),
    ]);
    writer.value("answer", line);
    if let Some(seconds) = asked.clock_off {
        let direction = if seconds > 0 { "ahead of" } else { "behind" };
        let off = seconds.abs();
        let text = format!("the service's clock is {off} s {direction} this machine's");
        writer.put(PageRow::field("", Line::styled(text, theme.warn)));
    }
}

/// The cells of a difference: its sign, its path and both sides.
pub(in crate::tui::tabs::lookup) fn cells_of(
    row: &Difference,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let style = match row.change() {
        DifferenceKind::Equal => theme.dim,
        DifferenceKind::Changed => theme.warn,
        DifferenceKind::Added => theme.good,
        DifferenceKind::Removed => theme.bad,
    };
    let side = |side: &Option<String>| match side {
        Some(text) => Line::raw(visible(&difference_side(&row.path, text)).into_owned()),
        None => Line::styled("-", theme.dim),
    };
    vec![
        Line::styled(row.change().sign().to_string(), style),
        Line::raw(visible(&row.path).into_owned()),
        side(&row.a),
        side(&row.b),
    ]
}
