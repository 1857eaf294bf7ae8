//! What stands at the head of a page: the verdict, how widely the address is shared, whose network it is, since when the record reads so.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{room::Room, since};
use crate::{
    model::{Context, Field, context::Client, visible},
    report::Verdict,
    tui::{
        ctx::sheet::{Meaning, Writer},
        tabs::lookup::{
            at_hand::{Origin, Shown},
            case::{Case, Mark},
        },
        ui::{
            cells,
            glyphs::SQUARED,
            theme::Theme,
            widgets::page::{Row, Section, Side},
            words,
        },
    },
};

/// Cells of a line on a small screen.
const LINE: u16 = 74;

/// Writes the head of the page.
pub(super) fn push(case: &Case, shown: Shown<'_>, room: Room, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("", Side::Both);
    let Some(record) = shown.record else {
        let line = Line::from(vec![
            Span::styled(format!("{} ", Mark::NoRecord.sign()), theme.warn),
            Span::styled("the service has no record of this address", theme.title),
        ]);
        let said = Meaning::new("verdict", "no record at the service");
        section.push(writer.anchor(Row::text(line), said));
        section.push(writer.aside("That does not mean that it is harmless (404)."));
        return writer.push(section);
    };
    let context = &record.context;
    let verdict = Verdict::of(context, Some(case.query.address));
    let mark = Mark::from(&verdict);
    let head = Line::from(vec![
        Span::styled(
            format!("{} {}", mark.sign(), verdict.line()),
            style(mark, theme),
        ),
        Span::raw("     "),
        Span::raw(verdict.clients.clone()),
    ]);
    let value = format!("{}; {}", verdict.line(), verdict.clients);
    section.push(writer.anchor(Row::text(head), Meaning::new("verdict", value)));
    if !verdict.also.is_empty() {
        let also = verdict.also.join("; ");
        let line = Line::from(vec![
            Span::styled("also: ", theme.dim),
            Span::raw(also.clone()),
        ]);
        section.push(writer.anchor(Row::text(line), Meaning::new("also", also)));
    }
    if room == Room::Narrow {
        let line = network(context);
        if !line.is_empty() {
            let meaning = Meaning::new("network", line.clone());
            section.push(writer.anchor(Row::text(line), meaning));
        }
    }
    let risks = words::shown(&context.risks, theme, |risks| match risks.as_slice() {
        [] => "none".to_owned(),
        risks => risks.join(" "),
    });
    let meaning = Meaning::new("risks", risks.to_string());
    let mut line = vec![Span::styled("risks ", theme.dim)];
    line.extend(
        risks
            .spans
            .into_iter()
            .map(|span| span.patch_style(risks.style)),
    );
    let mut line = Line::from(line);
    let mut own = Vec::new();
    if matches!(shown.origin, Origin::Local(..)) {
        own = since::words(case, record, theme);
    }
    let since = Line::from(own);
    let (taken, needed) = (cells::line_width(&line), cells::line_width(&since));
    if room == Room::Narrow && taken + needed > LINE {
        section.push(writer.anchor(Row::text(line), meaning));
        let text = since.to_string().trim().to_owned();
        let row = Row::text(Line::from(since.spans));
        section.push(writer.anchor(row, Meaning::new("since", text)));
    } else {
        line.extend(since.spans);
        section.push(writer.anchor(Row::text(line), meaning));
    }
    writer.push(section);
}

/// The colour of a verdict: an exit of many is not in that of an exit of three.
fn style(mark: Mark, theme: &Theme) -> Style {
    match mark {
        Mark::Anonymising => theme.bad,
        Mark::Shared | Mark::Possible | Mark::NoRecord => theme.warn,
        _ => theme.title,
    }
}

/// Whose network it is, where, and what runs there, in a line.
fn network(context: &Context) -> String {
    let system = context.autonomous_system.is();
    let number = system.and_then(|system| system.number.is());
    let place = context.location.is();
    let of_place = |field: &Field<String>| field.text().map(str::to_owned);
    let place = place.map(|place| [of_place(&place.city), of_place(&place.country)]);
    let place: Vec<String> = place.into_iter().flatten().flatten().collect();
    let name = system.and_then(|system| system.organization.text());
    let owner = [
        number.map(|number| format!("AS{number}")),
        name.map(str::to_owned),
    ];
    let owner: Vec<String> = owner.into_iter().flatten().collect();
    let mut parts = vec![
        context.infrastructure.text().unwrap_or_default().to_owned(),
        owner.join(" "),
        place.join(" "),
        context.services.items().join(" "),
    ];
    parts.retain(|part| !part.is_empty());
    visible(&parts.join("  ")).into_owned()
}

/// Who connects from the address, in a line.
pub(super) fn clients(context: &Context, writer: &mut Writer<'_>) {
    let Field::Is(client) = &context.client else {
        return;
    };
    let line = clients_line(client);
    let mut section = Section::new("Clients", Side::Both);
    if line.is_empty() {
        section.push(writer.aside("(nothing beyond their number)"));
    } else {
        let meaning = Meaning::new("clients", line.clone());
        section.push(writer.anchor(Row::text(line), meaning));
    }
    writer.push(section);
}

fn clients_line(client: &Client) -> String {
    let mut parts = vec![
        client.types.items().join(" "),
        client.behaviors.items().join(" "),
    ];
    if let Field::Is(spread) = &client.spread {
        parts.push(format!("{} km{SQUARED}", words::number(*spread)));
    }
    if let Field::Is(found) = &client.concentration {
        let place = [&found.city, &found.country];
        let place: Vec<&str> = place.into_iter().filter_map(Field::text).collect();
        let away = match &found.skew {
            Field::Is(skew) => format!(" ({} km away)", words::number(skew.unsigned_abs())),
            _ => String::new(),
        };
        if !place.is_empty() {
            parts.push(format!("mostly {}{away}", place.join(" ")));
        }
    }
    parts.retain(|part| !part.is_empty());
    visible(&parts.join("  ")).into_owned()
}
