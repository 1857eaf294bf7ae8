//! What is at the head of a page: the verdict, how widely the address is shared, whose network it is, since when the record reads so.

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{hints::Room, stability};
use crate::{
    engine::views::{EntryOf, ViewQuery},
    model::{Context, Field, context::Client, visible},
    report::{Verdict, named_as_entry},
    store::index::Order,
    tui::{
        ctx::{
            destination::Destination,
            sheet::{Meaning, SheetWriter},
        },
        tabs::lookup::{
            case::{CaseMark, LookupCase},
            free_answers::{AnswerOrigin, ShownAnswer},
        },
        ui::{
            cells,
            glyphs::SQUARED,
            theme::Theme,
            widgets::page::{PageRow, SectionSide},
            words,
        },
    },
};

/// Cells of a line on a small screen.
const LINE: u16 = 74;

/// Writes the head of the page.
pub(super) fn push(
    case: &LookupCase,
    shown: ShownAnswer<'_>,
    room: Room,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    writer.begin("", "", SectionSide::Both);
    let Some(record) = shown.record else {
        let line = Line::from(vec![
            Span::styled(format!("{} ", CaseMark::NoRecord.sign()), theme.warn),
            Span::styled("the service has no record of this address", theme.title),
        ]);
        let said = Meaning::new("verdict", "no record at the service");
        writer.stop(PageRow::text(line), said);
        writer.remark("That does not mean that it is harmless (404).");
        if let Some(named) = named_as_entry(case.entry_of()) {
            let line = Line::styled(named.clone(), theme.warn);
            let meaning = leads_to_entries(case, Meaning::new("named as entry", named));
            writer.stop(PageRow::text(line), meaning);
        }
        return;
    };
    let context = &record.context;
    let verdict = Verdict::beside(context, Some(case.query.address), case.entry_of());
    let mark = CaseMark::from(&verdict);
    let head = Line::from(vec![
        Span::styled(
            format!("{} {}", mark.sign(), verdict.line()),
            style(mark, theme),
        ),
        Span::raw("     "),
        Span::raw(verdict.clients.clone()),
    ]);
    let value = format!("{}; {}", verdict.line(), verdict.clients);
    let mut meaning = Meaning::new("verdict", value);
    if context.tunnels.items().is_empty() {
        meaning = leads_to_entries(case, meaning);
    }
    writer.stop(PageRow::text(head), meaning);
    if !verdict.also.is_empty() {
        let also = verdict.also.join("; ");
        let line = Line::from(vec![
            Span::styled("also: ", theme.dim),
            Span::raw(also.clone()),
        ]);
        writer.stop(PageRow::text(line), Meaning::new("also", also));
    }
    if room == Room::Narrow {
        let line = network(context);
        if !line.is_empty() {
            let meaning = Meaning::new("network", line.clone());
            writer.stop(PageRow::text(line), meaning);
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
    if matches!(shown.origin, AnswerOrigin::Local(..)) {
        own = stability::words(case, record, theme);
    }
    let since = Line::from(own);
    let (taken, needed) = (cells::line_width(&line), cells::line_width(&since));
    if room == Room::Narrow && taken + needed > LINE {
        writer.stop(PageRow::text(line), meaning);
        let text = since.to_string().trim().to_owned();
        let mut spans = since.spans;
        if let Some(first) = spans.first_mut() {
            // The blanks part it from what stands before it, and nothing does here.
            first.content = first.content.trim_start().to_owned().into();
        }
        let row = PageRow::text(Line::from(spans));
        writer.stop(row, Meaning::new("since", text));
    } else {
        line.extend(since.spans);
        writer.stop(PageRow::text(line), meaning);
    }
}

/// Where the address is named as an entry, its verdict leads to the records that name it.
fn leads_to_entries(case: &LookupCase, meaning: Meaning) -> Meaning {
    let most = case.entry_of().iter().rev().max_by_key(|own| own.records);
    match most {
        Some(own) => meaning.to(Destination::Browse(ViewQuery {
            feed: own.feed,
            day: None,
            filter: EntryOf::filter(case.query.address),
            order: Order::Clients,
        })),
        None => meaning,
    }
}

/// The colour of a verdict: an exit of many is not in that of an exit of three.
fn style(mark: CaseMark, theme: &Theme) -> Style {
    match mark {
        CaseMark::Anonymising => theme.bad,
        CaseMark::Shared | CaseMark::Possible | CaseMark::NoRecord => theme.warn,
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
pub(super) fn clients(context: &Context, writer: &mut SheetWriter<'_>) {
    let Field::Is(client) = &context.client else {
        return;
    };
    let line = clients_line(client);
    writer.begin("Clients", "", SectionSide::Both);
    if line.is_empty() {
        writer.remark("(only their number)");
    } else {
        let meaning = Meaning::new("clients", line.clone());
        writer.stop(PageRow::text(line), meaning);
    }
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
        let skew = match &found.skew {
            Field::Is(skew) => format!(" (skew {})", words::signed(*skew)),
            _ => String::new(),
        };
        if !place.is_empty() {
            parts.push(format!("mostly {}{skew}", place.join(" ")));
        }
    }
    parts.retain(|part| !part.is_empty());
    visible(&parts.join("  ")).into_owned()
}
