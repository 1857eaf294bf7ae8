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
        ctx::{Destination, Facts, Meaning, SheetWriter, ViewCtx},
        ui::{Column, PageRow, SectionSide, Theme, Width, words},
    },
};

/// Entries and exits that are listed at most: a record may name thousands.
const MOST: usize = 64;

/// What the tab says on the page of a record.
#[derive(Debug, Default)]
pub(in crate::tui::tabs::lookup) struct Hints {
    /// The question that Enter asks on the row under the cursor, and what that costs.
    pub(in crate::tui::tabs::lookup) enter: Option<(LookupQuery, String)>,
    /// Whether it is a day of a walk: Enter stays there.
    pub(in crate::tui::tabs::lookup) is_walk: bool,
    /// That the record is of another day than lookups ask for, what to do about it, and what that asks.
    pub(in crate::tui::tabs::lookup) other_day: Option<(LookupQuery, String)>,
}

impl Hints {
    /// What it costs to look an address up: exactly for the row under the cursor, as far as it is known for the others.
    pub(in crate::tui::tabs::lookup) fn price(&self, query: LookupQuery, facts: &Facts) -> &str {
        match &self.enter {
            Some((lookup_query, words)) if *lookup_query == query => words,
            _ => facts.price_now(query.geolocation),
        }
    }
}

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
    let tunnels = context.tunnels.items();
    if tunnels.is_empty() {
        let none = words::shown(&context.tunnels, writer.theme, |_| "none".to_owned());
        writer.put(none);
    }
    for (index, tunnel) in tunnels.iter().enumerate() {
        let cells = tunnel_cells(tunnel, writer.theme);
        let name = tunnel.operator.text().unwrap_or_default();
        let value = if name.is_empty() {
            let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
            cells.join(" ")
        } else {
            name.to_owned()
        };
        let label = format!("tunnels[{index}].operator");
        writer.cells(cells, Meaning::new(label, value).to(tag(name)));
    }
}

fn tunnel_cells(tunnel: &Tunnel, theme: &Theme) -> Vec<Line<'static>> {
    let operator = match &tunnel.operator {
        Field::Absent | Field::Null => Line::styled("(unattributed)", theme.dim),
        field => words::shown(field, theme, String::clone),
    };
    let yes_or_no = |yes: &bool| if *yes { "yes" } else { "no" }.to_owned();
    vec![
        words::shown(&tunnel.kind, theme, String::clone),
        operator,
        words::shown(&tunnel.anonymous, theme, yes_or_no),
        words::shown(&tunnel.entries, theme, |entries| words::few(entries)),
        words::shown(&tunnel.exits, theme, |exits| words::few(exits)),
    ]
}

/// The metadata of a tag, where the text is one.
fn tag(name: &str) -> Option<Destination> {
    TagName::new(name).ok().map(Destination::Tag)
}

/// Entries and exits in full, an address a row: each leads to its record.
pub(super) fn tunnel_addresses(
    context: &Context,
    query: &LookupQuery,
    hints: &Hints,
    ctx: &ViewCtx<'_>,
    writer: &mut SheetWriter<'_>,
) {
    let mut listed = Vec::new();
    for tunnel in context.tunnels.items() {
        let name = tunnel.operator.text().or(tunnel.kind.text());
        let name = visible(name.unwrap_or("tunnel"));
        for (word, addresses) in [("entry", &tunnel.entries), ("exit", &tunnel.exits)] {
            let addresses = addresses.items().iter();
            listed.extend(addresses.map(|address| (format!("{name} {word}"), address)));
        }
    }
    let lookup_query = hints
        .enter
        .as_ref()
        .map(|(query, _)| *query)
        .filter(|query| {
            let is_own =
                |(_, text): &(String, &String)| text.trim().parse().ok() == Some(query.address);
            listed.iter().any(is_own)
        });
    let price = hints.price(lookup_query.unwrap_or(*query), ctx.facts);
    writer.begin("Tunnel entries and exits", "", SectionSide::Both);
    writer.columns(vec![
        Column::new("", Width::Min(8)),
        Column::new("", Width::Fill(15)),
    ]);
    writer.note(format!("enter: {price}"));
    let has_more = listed.len() > MOST;
    for (label, text) in listed.into_iter().take(MOST) {
        let address = text.trim().parse().ok();
        let address = address.filter(|address| *address != query.address);
        let lead = address.map(|address| Destination::Address(LookupQuery { address, ..*query }));
        let cells = vec![
            Line::styled(label.clone(), writer.theme.label),
            Line::raw(visible(text).into_owned()),
        ];
        writer.cells(cells, Meaning::new(label, text.clone()).to(lead));
    }
    if has_more {
        writer.remark("more are in the raw JSON (r)");
    }
}

/// Callback proxies, a row each, since each leads to its tag.
pub(super) fn proxies(context: &Context, writer: &mut SheetWriter<'_>) {
    writer.begin("Callback proxies on devices here", "", SectionSide::Both);
    for (index, proxy) in context.proxies().iter().enumerate() {
        let label = format!("client.proxies[{index}]");
        let meaning = Meaning::new(label, proxy.clone()).to(tag(proxy));
        writer.stop(Line::raw(visible(proxy).into_owned()), meaning);
    }
}

/// Whose network it is, and who connects from the address.
pub(super) fn network_and_clients(
    context: &Context,
    geolocation: Geolocation,
    writer: &mut SheetWriter<'_>,
) {
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
    writer.begin("Clients", "", SectionSide::Right);
    let Field::Is(client) = &context.client else {
        let missing = words::shown(&context.client, theme, |_| String::new());
        return writer.put(missing);
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
