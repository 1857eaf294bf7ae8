//! The source of the facts of a page with its provenance, and how other sources compare: in a line, in a table, and their differences.

use ratatui::text::{Line, Span};

use crate::{
    contract::Geolocation,
    engine::{Provenance, answers::Age},
    model::{
        Day,
        compare::{Difference, DifferenceKind},
        visible,
    },
    report::{difference_side, instant},
    store::layout::Release,
    tui::{
        ctx::{
            ViewCtx,
            sheet::{Meaning, SheetWriter},
        },
        tabs::lookup::{
            case::LookupCase,
            free_answers::{AnswerOrigin, ShownAnswer},
            other_sources::{OtherSource, SourceAgreement},
        },
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::{PageRow, SectionSide},
            },
            words,
        },
    },
};

/// `local anonymous 2026-11-20 | ipsummary agrees | dch hosting | live -`
pub(super) fn line(case: &LookupCase, shown: ShownAnswer<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let day = shown
        .day()
        .map_or_else(|| "of a day not given".to_owned(), Day::dashed);
    let own = match shown.origin {
        AnswerOrigin::Local(release, _) => {
            let manifest = &release.manifest;
            format!("local {} {}", manifest.feed, manifest.moment.dashed())
        }
        _ => format!("{} {day}", shown.source()),
    };
    let mut parts = vec![Span::raw(own)];
    for one in &case.beside {
        parts.push(Span::styled(" | ", theme.dim));
        let name = match (&one.network, &one.stands) {
            (Some(network), SourceAgreement::Agrees | SourceAgreement::Differs(_)) => {
                format!("{} {network} ", one.source)
            }
            _ => format!("{} ", one.source),
        };
        parts.push(Span::raw(name));
        if one.stale {
            parts.push(Span::styled("stale ", theme.stale));
        }
        parts.push(match &one.stands {
            SourceAgreement::Agrees => Span::styled("agrees", theme.good),
            SourceAgreement::Differs(places) => {
                Span::styled(format!("differs: {}", places.len()), theme.warn)
            }
            SourceAgreement::Says(own) => Span::raw(own.word.clone()),
            SourceAgreement::Unread(_) => Span::styled("unreadable", theme.warn),
            SourceAgreement::Nothing => Span::styled("no record", theme.dim),
        });
    }
    if !matches!(shown.origin, AnswerOrigin::Live(_)) {
        parts.push(Span::styled(" | ", theme.dim));
        parts.push(Span::raw("live "));
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
    writer.stop(PageRow::text(line), meaning);
}

/// Each source in a row, the one that is shown first.
pub(super) fn table(
    case: &LookupCase,
    shown: ShownAnswer<'_>,
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
    let name = shown.source();
    let day = shown
        .day()
        .map_or_else(|| "not given".to_owned(), Day::dashed);
    let mut first = vec![Span::styled("shown above", theme.dim)];
    if shown.age() == Age::Stale {
        first.insert(0, Span::styled("stale  ", theme.stale));
    }
    let cells = vec![
        Line::raw(name),
        Line::raw(day.clone()),
        Line::styled(ctx.age(shown.since()), theme.dim),
        Line::from(first),
    ];
    let meaning = Meaning::new("source", format!("{name} {day}"));
    writer.cells(cells, meaning);
    for one in &case.beside {
        let name = match &one.network {
            Some(network) => format!("{} {network}", one.source),
            None => one.source.clone(),
        };
        let stands = stands(one, theme);
        let meaning = Meaning::new(name.clone(), stands.to_string());
        let cells = vec![
            Line::raw(name),
            Line::raw(one.day.clone().unwrap_or_else(|| "not given".to_owned())),
            Line::styled(ctx.age(one.since), theme.dim),
            stands,
        ];
        writer.cells(cells, meaning);
    }
    if !matches!(shown.origin, AnswerOrigin::Live(_)) {
        let state = if case.live.pending().is_some() {
            Line::styled("~ asking the service", theme.warn)
        } else if let Some(error) = case.live.error() {
            Line::styled(format!("x {}", visible(&error.message)), theme.bad)
        } else if let Some(lack) = ctx.facts.lack_in_short() {
            Line::styled(lack, theme.dim)
        } else {
            Line::from(vec![
                Span::styled("R", theme.key),
                Span::raw(" fetches it: 1 query"),
            ])
        };
        let meaning = Meaning::new("live", state.to_string());
        let dash = || Line::styled("-", theme.dim);
        let cells = vec![Line::raw("live"), dash(), dash(), state];
        writer.cells(cells, meaning);
    } else if case.query.geolocation == Geolocation::Mmgeo {
        writer.remark("mmgeo: only the service has this geolocation");
    }
}

fn stands(one: &OtherSource, theme: &Theme) -> Line<'static> {
    let mut spans = Vec::new();
    if one.stale {
        spans.push(Span::styled("stale  ", theme.stale));
    }
    match &one.stands {
        SourceAgreement::Agrees => spans.push(Span::styled("agrees", theme.good)),
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
        SourceAgreement::Says(own) => {
            // The name of the source has the network already.
            let network = one.network.as_ref().map(|network| format!(", {network}"));
            let line = network.and_then(|network| own.line.strip_suffix(&network));
            spans.push(Span::raw(line.unwrap_or(&own.line).to_owned()));
        }
        SourceAgreement::Unread(why) => {
            let text = format!("unreadable: {}", visible(why));
            spans.push(Span::styled(text, theme.warn));
        }
        SourceAgreement::Nothing => spans.push(Span::styled("no record", theme.dim)),
    }
    Line::from(spans)
}

/// What feeds of another kind have of their own, each field.
pub(super) fn fields(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    for one in &case.beside {
        let SourceAgreement::Says(own) = &one.stands else {
            continue;
        };
        let day = one.day.as_deref().unwrap_or_default();
        writer.begin(one.source.clone(), "", SectionSide::Both);
        writer.note(day.to_owned());
        for fact in &own.facts {
            let style = if fact.cell.known {
                writer.theme.text
            } else {
                writer.theme.dim
            };
            let value = Line::styled(fact.cell.text.clone(), style);
            writer.value(fact.label.to_string(), value);
        }
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
        let network = one.network.as_deref().map(|network| format!(" {network}"));
        let day = one.day.as_deref().unwrap_or_default();
        let title = format!("{}{} differs", one.source, network.unwrap_or_default());
        writer.begin(title, "", SectionSide::Both);
        writer.columns(columns);
        writer.note(day.to_owned());
        for found in places.iter().take(MOST) {
            let text = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
            let path = visible(&found.path).into_owned();
            let value = format!("{} / {}", text(&found.a), text(&found.b));
            writer.cells(cells_of(found, theme), Meaning::new(path, value));
        }
        if places.len() > MOST {
            let text = format!("{} more places differ", places.len() - MOST);
            writer.remark(text);
        }
    }
}

/// Writes where the answer comes from.
pub(super) fn provenance(shown: ShownAnswer<'_>, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    match shown.origin {
        AnswerOrigin::Live(asked) | AnswerOrigin::Cached(asked, _) => of_answer(asked, ctx, writer),
        AnswerOrigin::Local(release, _) => of_release(release, writer),
    }
}

fn of_release(release: &Release, writer: &mut SheetWriter<'_>) {
    let manifest = &release.manifest;
    let from = format!(
        "the local feed {} of {}   free",
        manifest.feed,
        manifest.moment.dashed()
    );
    writer.begin("Provenance", "", SectionSide::Both);
    writer.value("from", Line::raw(from));
    let downloaded = Line::raw(instant(manifest.pulled_at));
    writer.value("downloaded at", downloaded);
}

fn of_answer(provenance: &Provenance, ctx: &ViewCtx<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("Provenance", "", SectionSide::Both);
    writer.asked(provenance);
    let data = provenance.data_date.map_or_else(
        || "not named".to_owned(),
        |day| format!("{} (x-result-dt)", day.dashed()),
    );
    let balance = provenance.balance.map_or_else(
        || "not named".to_owned(),
        |left| {
            if ctx.private {
                return "hidden".to_owned();
            }
            format!("{} (x-balance-remaining)", words::number(left))
        },
    );
    let line = Line::from(vec![
        Span::styled("data date ", theme.dim),
        Span::raw(data),
        Span::styled("   balance ", theme.dim),
        Span::raw(balance),
        Span::styled("   at ", theme.dim),
        Span::raw(instant(provenance.asked_at)),
    ]);
    writer.value("answer", line);
    if let Some(seconds) = provenance.clock_off {
        let direction = if seconds > 0 { "ahead of" } else { "behind" };
        let text = format!(
            "the service's clock is {} s {direction} this machine's",
            seconds.abs()
        );
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
