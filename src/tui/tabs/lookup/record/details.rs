//! Every field of a record: its tunnels, their entries and exits, callback proxies, network and clients.

use ratatui::text::{Line, Span};

use crate::{
    contract::{Geolocation, LookupQuery},
    model::{
        Context, Field, TagName,
        context::{Concentration, Tunnel},
        visible,
    },
    report::{of_clients, of_network},
    tui::{
        ctx::{
            ViewCtx,
            destination::Destination,
            sheet::{Meaning, SheetWriter},
        },
        tabs::lookup::record::hints::Hints,
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

/// Entries and exits that are listed at most: a record may name thousands.
const MOST: usize = 64;

/// The tunnels, each with its operator, which leads to its tag.
pub(super) fn tunnels(context: &Context, writer: &mut SheetWriter<'_>) {
    let columns = vec![
        Column::new("TYPE", Width::Min(4)),
        Column::new("OPERATOR", Width::Min(8)),
        Column::new("ANON", Width::Fixed(6)),
        Column::new("ENTRIES", Width::Fill(20)).rank(2),
        Column::new("EXITS", Width::Fill(20)).rank(1),
    ];
    writer.begin("Tunnels", "", SectionSide::Both);
    writer.columns(columns);
    match &context.tunnels {
        Field::Is(tunnels) if !tunnels.is_empty() => {
            for (index, tunnel) in tunnels.iter().enumerate() {
                tunnel_row(index, tunnel, writer);
            }
        }
        field => {
            let none = words::shown(field, writer.theme, |_| "none".to_owned());
            writer.put(PageRow::text(none));
        }
    }
}

fn tunnel_row(index: usize, tunnel: &Tunnel, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let operator = match &tunnel.operator {
        Field::Absent | Field::Null => Line::styled("(unattributed)", theme.dim),
        field => words::shown(field, theme, String::clone),
    };
    let anonymous = match &tunnel.anonymous {
        Field::Is(true) => Line::raw("yes"),
        Field::Is(false) => Line::raw("no"),
        field => words::shown(field, theme, |_| String::new()),
    };
    let cells = vec![
        words::shown(&tunnel.kind, theme, String::clone),
        operator,
        anonymous,
        words::shown(&tunnel.entries, theme, |entries| words::few(entries)),
        words::shown(&tunnel.exits, theme, |exits| words::few(exits)),
    ];
    let name = tunnel.operator.text().unwrap_or_default().to_owned();
    let value = if name.is_empty() {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        cells.join(" ")
    } else {
        name.clone()
    };
    let meaning = Meaning {
        label: format!("tunnels[{index}].operator"),
        value,
        lead: lead(&name),
    };
    writer.cells(cells, meaning);
}

/// The metadata of a tag, where the text is one.
fn lead(tag: &str) -> Option<Destination> {
    TagName::new(tag).ok().map(Destination::Tag)
}

/// Entries and exits in full, an address a row: each leads to its record.
pub(super) fn tunnel_addresses(
    context: &Context,
    query: &LookupQuery,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let tunnels = || context.tunnels.items().iter();
    let listed = || tunnels().flat_map(|own| own.entries.items().iter().chain(own.exits.items()));
    let own = hints.enter.as_ref().map(|(own, _)| *own).filter(|own| {
        let is_own = |text: &String| text.trim().parse().ok() == Some(own.address);
        listed().any(is_own)
    });
    let price = hints.price(own.unwrap_or(*query), ctx.facts);
    let note = format!("enter: {price}");
    let columns = vec![
        Column::new("", Width::Min(8)),
        Column::new("", Width::Fill(15)),
    ];
    writer.begin("Tunnel entries and exits", "", SectionSide::Both);
    writer.columns(columns);
    writer.note(note);
    let mut rest = MOST;
    for tunnel in context.tunnels.items() {
        let name = tunnel
            .operator
            .text()
            .or(tunnel.kind.text())
            .unwrap_or("tunnel");
        for (word, addresses) in [("entry", &tunnel.entries), ("exit", &tunnel.exits)] {
            for address in addresses.items() {
                let Some(left) = rest.checked_sub(1) else {
                    continue;
                };
                rest = left;
                let read = address.trim().parse().ok();
                let lead = read.filter(|address| *address != query.address);
                let meaning = Meaning {
                    label: format!("{} {word}", visible(name)),
                    value: address.clone(),
                    lead: lead
                        .map(|address| Destination::Address(LookupQuery { address, ..*query })),
                };
                let shown = visible(address).into_owned();
                let label = Line::styled(meaning.label.clone(), writer.theme.label);
                writer.cells(vec![label, Line::raw(shown)], meaning);
            }
        }
    }
    if rest == 0 {
        writer.remark("more are in the raw JSON (r)");
    }
}

/// Callback proxies, a row each, since each leads to its tag.
pub(super) fn proxies(context: &Context, writer: &mut SheetWriter<'_>) {
    writer.begin("Callback proxies on devices here", "", SectionSide::Both);
    for (index, proxy) in context.proxies().iter().enumerate() {
        let meaning = Meaning {
            label: format!("client.proxies[{index}]"),
            value: proxy.clone(),
            lead: lead(proxy),
        };
        writer.stop(PageRow::text(visible(proxy).into_owned()), meaning);
    }
}

pub(super) fn network(context: &Context, geolocation: Geolocation, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let by = match geolocation {
        Geolocation::Service => "by the service",
        Geolocation::Mmgeo => "by a third-party database (mmgeo)",
    };
    writer.begin("Network", "", SectionSide::Left);
    for (label, value) in of_network(context) {
        writer.value(label, words::shown(&value, theme, String::clone));
        if label == "location" {
            writer.put(PageRow::field("", Line::styled(by, theme.dim)));
        }
    }
}

/// Who connects from it.
pub(super) fn clients(context: &Context, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    writer.begin("Clients", "", SectionSide::Right);
    let Field::Is(client) = &context.client else {
        let missing = words::shown(&context.client, theme, |_| String::new());
        return writer.put(PageRow::text(missing));
    };
    for (label, value) in of_clients(context) {
        writer.value(label, words::shown(&value, theme, String::clone));
    }
    if let Field::Is(found) = &client.concentration {
        writer.value("", concentration(found, theme));
    }
}

fn concentration(found: &Concentration, theme: &Theme) -> Line<'static> {
    let density = words::plain(&found.density, ToString::to_string);
    let skew = words::plain(&found.skew, |skew| words::signed(*skew));
    let geohash = words::plain(&found.geohash, String::clone);
    Line::from(vec![
        Span::styled("density ", theme.dim),
        Span::raw(density),
        Span::styled("  skew ", theme.dim),
        Span::raw(skew),
        Span::styled("  geohash ", theme.dim),
        Span::raw(geohash),
    ])
}
