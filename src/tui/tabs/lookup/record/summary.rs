//! What is at the head of a page: the verdict, how widely the address is shared, whose network it is, and what the days at hand add to the
//! verdict, with their strip. Days that are unknown are named.

use ratatui::text::{Line, Span};

use crate::{
    engine::views::{EntryOf, ViewQuery},
    model::{Context, Field, visible},
    report::{Verdict, named_as_entry},
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

/// Writes the head of the page.
pub(super) fn push(
    case: &LookupCase,
    shown: &SourceAnswer,
    (is_narrow, has_legend, width): (bool, bool, u16),
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    writer.begin("", "", SectionSide::Both);
    let days = case.days.shown();
    let Some(context) = shown.context() else {
        without_record(writer);
        unread(case, writer);
        if let Some(shown_days) = days {
            shown_days.push_words(writer);
            shown_days.push_strip(case.query, !has_legend, width, writer);
        }
        return after_no_record(case, writer);
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
    let words = days.and_then(|days| days.line(theme)).unwrap_or_default();
    let both = cells::line_width(&line) + 3 + cells::line_width(&words);
    let is_one = is_narrow && words.width() > 0 && both <= width;
    if is_one {
        line.push_span("   ");
        line.extend(words.spans);
    }
    writer.stop(line, meaning);
    unread(case, writer);
    if let Some(shown_days) = days {
        if !is_one {
            shown_days.push_words(writer);
        }
        shown_days.push_strip(case.query, !has_legend, width, writer);
    }
}

/// Says that the days before are not known.
fn unread(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    if let Some(words) = case.days.error_in_words() {
        writer.warning(words);
    }
}

/// Says that the service has no record.
fn without_record(writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let line = Line::from(vec![
        Span::styled(format!("{} ", CaseMark::NoRecord.sign()), theme.warn),
        Span::styled("the service has no record of this address", theme.title),
    ]);
    writer.stop(line, Meaning::new("verdict", "no record at the service"));
}

/// Says what that means, and which feeds name the address.
fn after_no_record(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
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
    let most = entries.max_by_key(|of| of.records)?;
    Some(Destination::Browse(ViewQuery {
        feed: most.feed,
        day: case.pivots.value().and_then(|pivots| pivots.day),
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
    let system = context.autonomous_system.is().map(|system| {
        let number = system.number.is().map(|number| format!("AS{number}"));
        let name = text(&system.organization);
        joined([number.unwrap_or_default(), name], " ")
    });
    let place = context.location.is();
    let place = place.map(|location| joined([text(&location.city), text(&location.country)], " "));
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
