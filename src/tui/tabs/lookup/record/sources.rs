//! The source of the facts of a page, and how other sources compare: in a line, in a table, and their differences.

use ratatui::text::{Line, Span};

use crate::{
    contract::Geolocation,
    engine::answers::Age,
    model::{Day, visible},
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
                page::{PageRow, Section, SectionSide},
            },
        },
    },
};

/// `local anonymous 2026-11-20 | ipsummary agrees | dch hosting | live -`
pub(super) fn line(case: &LookupCase, shown: ShownAnswer<'_>, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let mut parts = vec![Span::raw(match shown.origin {
        AnswerOrigin::Live(asked) => format!("live {}", day(asked.data_date)),
        AnswerOrigin::Cached(asked, _) => format!("cached {}", day(asked.data_date)),
        AnswerOrigin::Local(release, _) => {
            let manifest = &release.manifest;
            format!("local {} {}", manifest.feed, manifest.moment.dashed())
        }
    })];
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
    let section = Section::new("Sources", SectionSide::Both);
    let row = writer.anchor(PageRow::text(line), meaning);
    writer.push(section.row(row));
}

fn day(day: Option<Day>) -> String {
    day.map_or_else(|| "of a day not given".to_owned(), Day::dashed)
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
    let mut section = Section::new(title, SectionSide::Both).columns(columns);
    let (name, day, since, age) = match shown.origin {
        AnswerOrigin::Live(asked) => (
            "live".to_owned(),
            asked.data_date,
            asked.asked_at.into(),
            None,
        ),
        AnswerOrigin::Cached(asked, age) => (
            "cached".to_owned(),
            asked.data_date,
            asked.asked_at.into(),
            Some(age),
        ),
        AnswerOrigin::Local(release, age) => {
            let (feed, moment) = (release.manifest.feed, release.manifest.moment);
            (
                feed.to_string(),
                Some(moment.day()),
                release.manifest.generation(),
                Some(age),
            )
        }
    };
    let day = day.map_or_else(|| "not given".to_owned(), Day::dashed);
    let mut first = vec![Span::styled("shown above", theme.dim)];
    if age == Some(Age::Stale) {
        first.insert(0, Span::styled("stale  ", theme.stale));
    }
    let cells = vec![
        Line::raw(name.clone()),
        Line::raw(day.clone()),
        Line::styled(ctx.age(since), theme.dim),
        Line::from(first),
    ];
    let meaning = Meaning::new("source", format!("{name} {day}"));
    section.push(writer.anchor(PageRow::cells(cells), meaning));
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
        section.push(writer.anchor(PageRow::cells(cells), meaning));
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
        section.push(writer.anchor(PageRow::cells(cells), meaning));
    } else if case.query.geolocation == Geolocation::Mmgeo {
        section.push(writer.aside("mmgeo: only the service has this geolocation"));
    }
    writer.push(section);
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
        let mut section = Section::new(one.source.clone(), SectionSide::Both).note(day.to_owned());
        for fact in &own.facts {
            let style = if fact.cell.known {
                writer.theme.text
            } else {
                writer.theme.dim
            };
            let value = Line::styled(fact.cell.text.clone(), style);
            section.push(writer.field(fact.label.to_string(), value));
        }
        writer.push(section);
    }
}
