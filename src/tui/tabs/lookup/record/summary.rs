//! What is at the head of a page: the verdict, how widely the address is shared, whose network it is, the day since which the verdict on a
//! local record is unchanged. Days that are unknown are named.

use ratatui::text::{Line, Span};

use crate::{
    engine::views::{EntryOf, Since, ViewQuery},
    model::{Context, Field, visible},
    report::{Verdict, named_as_entry, since_in_words},
    store::index::Order,
    tui::{
        ctx::{Destination, Meaning, SheetWriter},
        tabs::lookup::{
            case::{CaseMark, LookupCase},
            sources::SourceAnswer,
        },
        ui::{SectionSide, Theme, cells, glyphs::SQUARED, words},
    },
};

/// Cells of a line on a small screen.
const LINE: u16 = 74;

/// Writes the head of the page.
pub(super) fn push(
    case: &LookupCase,
    shown: &SourceAnswer,
    is_narrow: bool,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    writer.begin("", "", SectionSide::Both);
    let Some(context) = shown.context() else {
        return without_record(case, writer);
    };
    let verdict = Verdict::beside(context, Some(case.query.address), case.entry_of());
    let mark = CaseMark::from(&verdict);
    let style = match mark {
        CaseMark::NotSeen => theme.title,
        mark => mark.style(theme),
    };
    let head = Line::from(vec![
        Span::styled(format!("{} {}", mark.sign(), verdict.line()), style),
        Span::raw(format!("     {}", verdict.clients)),
    ]);
    let value = format!("{}; {}", verdict.line(), verdict.clients);
    let lead = entries(case).filter(|_| context.tunnels.items().is_empty());
    writer.stop(head, Meaning::new("verdict", value).to(lead));
    if !verdict.also.is_empty() {
        let also = verdict.also.join("; ");
        let line = labelled("also: ", Line::raw(also.clone()), theme);
        writer.stop(line, Meaning::new("also", also));
    }
    let network = network(context);
    if is_narrow && !network.is_empty() {
        writer.stop(Line::raw(network.clone()), Meaning::new("network", network));
    }
    let risks = words::shown(&context.risks, theme, |risks| match risks.as_slice() {
        [] => "none".to_owned(),
        risks => risks.join(" "),
    });
    let meaning = Meaning::new("risks", risks.to_string());
    let mut line = labelled("risks ", risks, theme);
    let since = case.since.value().and_then(Option::as_ref);
    let since = since.filter(|_| shown.asked().is_none());
    let since = since.map_or_else(Line::default, |since| since_line(since, context, theme));
    let (taken, needed) = (cells::line_width(&line), cells::line_width(&since));
    let is_apart = is_narrow && needed > 0 && taken + 3 + needed > LINE;
    if needed > 0 && !is_apart {
        line.push_span("   ");
        line.extend(since.spans.clone());
    }
    writer.stop(line, meaning);
    if is_apart {
        let text = since.to_string();
        writer.stop(since, Meaning::new("since", text));
    }
    recent(case, writer);
}

/// Says on which of the last local days there was what the answer has not.
fn recent(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    if let Some(words) = case.recent() {
        let line = Line::styled(words.clone(), writer.theme.warn);
        writer.stop(line, Meaning::new("last days", words));
    }
}

/// Says that the service has no record, and which feeds name the address.
fn without_record(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let line = Line::from(vec![
        Span::styled(format!("{} ", CaseMark::NoRecord.sign()), theme.warn),
        Span::styled("the service has no record of this address", theme.title),
    ]);
    writer.stop(line, Meaning::new("verdict", "no record at the service"));
    recent(case, writer);
    writer.remark("That does not mean that it is harmless (404).");
    if let Some(named) = named_as_entry(case.entry_of()) {
        let meaning = Meaning::new("named as entry", named.clone()).to(entries(case));
        writer.stop(Line::styled(named, theme.warn), meaning);
    }
}

/// A line with a dim label before it.
fn labelled(label: &'static str, line: Line<'static>, theme: &Theme) -> Line<'static> {
    let spans = line.spans.into_iter();
    let spans = spans.map(|span| span.patch_style(line.style));
    let label = Span::styled(label, theme.dim);
    [label].into_iter().chain(spans).collect()
}

/// The records that name the address as an entry.
fn entries(case: &LookupCase) -> Option<Destination> {
    let entries = case.entry_of().iter().rev();
    let most = entries.max_by_key(|own| own.records)?;
    Some(Destination::Browse(ViewQuery {
        feed: most.feed,
        day: None,
        filter: EntryOf::filter(case.query.address),
        order: Order::Clients,
    }))
}

/// The parts that are not empty.
fn joined<const N: usize>(parts: [String; N], by: &str) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(by)
}

fn text(field: &Field<String>) -> String {
    field.text().unwrap_or_default().to_owned()
}

/// Whose network it is, where, and what runs there, in a line.
fn network(context: &Context) -> String {
    let system = context.autonomous_system.is().map(|own| {
        let number = own.number.is().map(|number| format!("AS{number}"));
        let name = text(&own.organization);
        joined([number.unwrap_or_default(), name], " ")
    });
    let place = context.location.is();
    let place = place.map(|own| joined([text(&own.city), text(&own.country)], " "));
    let parts = [
        text(&context.infrastructure),
        system.unwrap_or_default(),
        place.unwrap_or_default(),
        context.services.items().join(" "),
    ];
    visible(&joined(parts, "  ")).into_owned()
}

/// Writes who connects from the address, in a line.
pub(super) fn clients(context: &Context, writer: &mut SheetWriter<'_>) {
    let Field::Is(client) = &context.client else {
        return;
    };
    let spread = client.spread.is();
    let spread = spread.map(|spread| format!("{} km{SQUARED}", words::number(*spread)));
    let concentration = client.concentration.is().map(|found| {
        let skew = found.skew.is();
        let skew = skew.map(|skew| format!(" (skew {})", words::signed(*skew)));
        match joined([text(&found.city), text(&found.country)], " ") {
            place if place.is_empty() => place,
            place => format!("mostly {place}{}", skew.unwrap_or_default()),
        }
    });
    let parts = [
        client.types.items().join(" "),
        client.behaviors.items().join(" "),
        spread.unwrap_or_default(),
        concentration.unwrap_or_default(),
    ];
    let line = visible(&joined(parts, "  ")).into_owned();
    writer.begin("Clients", "", SectionSide::Both);
    if line.is_empty() {
        writer.remark("(only their number)");
    } else {
        writer.stop(Line::raw(line.clone()), Meaning::new("clients", line));
    }
}

/// `since 2026-11-18 (BRAVO_PROXY until 2026-11-17)`.
pub(in crate::tui::tabs::lookup) fn since_line(
    since: &Since,
    now: &Context,
    theme: &Theme,
) -> Line<'static> {
    let (told, unknown) = since_in_words(since, now);
    Line::from(vec![
        Span::styled("since ", theme.dim),
        Span::raw(since.day.dashed()),
        Span::styled(told, theme.dim),
        Span::styled(unknown, theme.warn),
    ])
}
