//! A record as a page: every field of the contract (parts 2.1 to 2.5), what is absent shown as absent, the telling things
//! first. Beside the page stands what each row is, for copying and for following.

use ratatui::text::{Line, Span};

use super::case::{Mark, RowId, mark_of};
use crate::{
    contract::Geolocation,
    engine::Answer,
    model::{
        Context, Field, TagName,
        context::{Concentration, Tunnel},
        visible,
    },
    tui::{
        theme::Theme,
        widgets::{
            columns::{Column, Width},
            page::{Page, Row, Section, Side},
        },
        words,
    },
};

/// What a row is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// The name of the value.
    pub label: String,
    /// The value as the service spells it; empty where there is none.
    pub value: String,
    /// The tag to which it leads.
    pub tag: Option<TagName>,
}

/// A page and the meaning of its rows.
#[derive(Debug)]
pub struct RecordPage<'a> {
    /// What is drawn.
    pub page: Page<'a, RowId>,
    meanings: Vec<Meaning>,
}

impl RecordPage<'_> {
    /// What a row is.
    #[must_use]
    pub fn meaning(&self, row: RowId) -> Option<&Meaning> {
        self.meanings.get(usize::from(row))
    }

    /// The first row that leads somewhere.
    #[must_use]
    pub fn first_lead(&self) -> Option<RowId> {
        let lead = self
            .meanings
            .iter()
            .position(|meaning| meaning.tag.is_some())?;
        RowId::try_from(lead).ok()
    }
}

/// Builds pages: hands out row numbers and keeps the meanings.
struct Builder<'t> {
    theme: &'t Theme,
    meanings: Vec<Meaning>,
}

impl Builder<'_> {
    fn anchor<'a>(&mut self, row: Row<'a, RowId>, meaning: Meaning) -> Row<'a, RowId> {
        let id = RowId::try_from(self.meanings.len()).unwrap_or(RowId::MAX);
        self.meanings.push(meaning);
        row.anchor(id)
    }

    /// A value beside its name.
    fn field(&mut self, label: &str, value: Line<'static>) -> Row<'static, RowId> {
        let meaning = Meaning {
            label: label.to_owned(),
            value: value.to_string(),
            tag: None,
        };
        self.anchor(Row::field(label.to_owned(), value), meaning)
    }

    fn shown<T>(&self, field: &Field<T>, words: impl FnOnce(&T) -> String) -> Line<'static> {
        words::shown(field, self.theme, words)
    }

    fn list(&self, field: &Field<Vec<String>>) -> Line<'static> {
        self.shown(field, |items| {
            if items.is_empty() {
                "none".to_owned()
            } else {
                items.join("  ")
            }
        })
    }

    fn text(&self, field: &Field<String>) -> Line<'static> {
        self.shown(field, String::clone)
    }
}

/// The page of an answer.
#[must_use]
pub fn page<'a>(answer: &Answer, geolocation: Geolocation, theme: &Theme) -> RecordPage<'a> {
    let mut builder = Builder {
        theme,
        meanings: Vec::new(),
    };
    let mut page = Page::new();
    let mark = mark_of(answer);
    match &answer.record {
        None => page.push(nothing_known(mark, theme)),
        Some(record) => {
            let context = &record.context;
            page.push(verdict(context, mark, &mut builder));
            page.push(tunnels(context, &mut builder));
            page.push(proxies(context, &mut builder));
            page.push(network(context, geolocation, &mut builder));
            page.push(clients(context, &mut builder));
            page.push(rest(context, record.document.lossy(), &mut builder));
        }
    }
    page.push(provenance(answer, &mut builder));
    if let Some(record) = &answer.record {
        page.push(tunnel_addresses(&record.context, &mut builder));
    }
    RecordPage {
        page,
        meanings: builder.meanings,
    }
}

fn nothing_known(mark: Mark, theme: &Theme) -> Section<'static, RowId> {
    Section::new("", Side::Both)
        .row(Row::text(vec![Span::styled(format!("{} {}", mark.sign(), mark.word()), theme.warn)]))
        .row(Row::text(Span::styled("The service has no record of this address (404). That says nothing about whether it is harmless.", theme.dim)))
}

/// What the record says about anonymization, in one line, and the fields that say so in another.
fn verdict(context: &Context, mark: Mark, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let theme = builder.theme;
    let style = match mark {
        Mark::Observed => theme.bad,
        Mark::Possible => theme.warn,
        _ => theme.text,
    };
    let sentence = words::says(context);
    let head = Line::from(vec![
        Span::styled(format!("{} {}", mark.sign(), mark.word()), style),
        Span::raw("   "),
        Span::raw(sentence.clone()),
    ]);
    let says = Meaning {
        label: "says".to_owned(),
        value: sentence,
        tag: None,
    };
    let mut section = Section::new("", Side::Both).row(builder.anchor(Row::text(head), says));
    let reasons = context.reasons();
    if !reasons.is_empty() {
        section.push(Row::text(Span::styled(
            format!("because of {}", reasons.join(", ")),
            theme.dim,
        )));
    }
    let risks = builder.list(&context.risks);
    section.push(builder.field("risks", risks));
    section
}

fn tunnels(context: &Context, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let columns = vec![
        Column::new("TYPE", Width::Min(4)),
        Column::new("OPERATOR", Width::Min(8)),
        Column::new("ANON", Width::Fixed(6)),
        Column::new("ENTRIES", Width::Fill(20)).rank(2),
        Column::new("EXITS", Width::Fill(20)).rank(1),
    ];
    let mut section = Section::new("Tunnels", Side::Both).columns(columns);
    match &context.tunnels {
        Field::Is(tunnels) if !tunnels.is_empty() => {
            for (index, tunnel) in tunnels.iter().enumerate() {
                let row = tunnel_row(index, tunnel, builder);
                section.push(row);
            }
        }
        field => section.push(Row::text(builder.shown(field, |_| "none".to_owned()))),
    }
    section
}

fn tunnel_row(index: usize, tunnel: &Tunnel, builder: &mut Builder<'_>) -> Row<'static, RowId> {
    let theme = builder.theme;
    let operator = match &tunnel.operator {
        Field::Absent | Field::Null => Line::styled("(unattributed)", theme.dim),
        field => builder.text(field),
    };
    let anonymous = match &tunnel.anonymous {
        Field::Is(true) => Line::raw("yes"),
        Field::Is(false) => Line::raw("no"),
        field => builder.shown(field, |_| String::new()),
    };
    let cells = vec![
        builder.text(&tunnel.kind),
        operator,
        anonymous,
        builder.shown(&tunnel.entries, |entries| words::few(entries)),
        builder.shown(&tunnel.exits, |exits| words::few(exits)),
    ];
    let name = tunnel.operator.text().unwrap_or_default().to_owned();
    let value = if name.is_empty() {
        cells
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    } else {
        name.clone()
    };
    let meaning = Meaning {
        label: format!("tunnels[{index}].operator"),
        value,
        tag: TagName::new(&name).ok(),
    };
    builder.anchor(Row::cells(cells), meaning)
}

/// Entries and exits in full, where the table of tunnels has room for the first only.
fn tunnel_addresses(context: &Context, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let mut section = Section::new("Tunnel entries and exits", Side::Both);
    for tunnel in context.tunnels.items() {
        let name = tunnel
            .operator
            .text()
            .or(tunnel.kind.text())
            .unwrap_or("tunnel");
        for (word, addresses) in [("in", &tunnel.entries), ("out", &tunnel.exits)] {
            if addresses.items().len() > 1 {
                let list = builder.list(addresses);
                section.push(builder.field(&format!("{} {word}", visible(name)), list));
            }
        }
    }
    section
}

/// Callback proxies, a row each, since each leads to its tag.
fn proxies(context: &Context, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let mut section = Section::new("Callback proxies on devices here", Side::Both);
    for (index, proxy) in context.proxies().iter().enumerate() {
        let meaning = Meaning {
            label: format!("client.proxies[{index}]"),
            value: proxy.clone(),
            tag: TagName::new(proxy).ok(),
        };
        section.push(builder.anchor(Row::text(visible(proxy).into_owned()), meaning));
    }
    section
}

fn network(
    context: &Context,
    geolocation: Geolocation,
    builder: &mut Builder<'_>,
) -> Section<'static, RowId> {
    let mut section = Section::new("Network", Side::Left);
    let system = &context.autonomous_system;
    let number = builder.shown(system, |system| {
        let number = words::plain(&system.number, ToString::to_string);
        let name = words::plain(&system.organization, String::clone);
        format!("{number}  {name}")
    });
    let mut push = |label: &str, value: Line<'static>, builder: &mut Builder<'_>| {
        section.push(builder.field(label, value))
    };
    push("AS", number, builder);
    push("organization", builder.text(&context.organization), builder);
    push(
        "infrastructure",
        builder.text(&context.infrastructure),
        builder,
    );
    push("services", builder.list(&context.services), builder);
    let place = builder.shown(&context.location, |location| {
        words::place(&location.city, &location.state, &location.country)
    });
    push("location", place, builder);
    let by = match geolocation {
        Geolocation::Service => "by the service",
        Geolocation::Mmgeo => "by a third-party database (mmgeo)",
    };
    section.push(Row::field("", Line::styled(by, builder.theme.dim)));
    let ai = builder.shown(&context.ai, ToString::to_string);
    section.push(builder.field("ai", ai));
    section
}

fn clients(context: &Context, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let mut section = Section::new("Clients", Side::Right);
    let Field::Is(client) = &context.client else {
        section.push(Row::text(builder.shown(&context.client, |_| String::new())));
        return section;
    };
    let fields = [
        (
            "count",
            builder.shown(&client.count, |count| {
                format!("{} a day", words::number(*count))
            }),
        ),
        (
            "countries",
            builder.shown(&client.countries, |count| words::number(*count)),
        ),
        ("types", builder.list(&client.types)),
        ("behaviors", builder.list(&client.behaviors)),
        (
            "proxies",
            builder.shown(&client.proxies, |proxies| match proxies.len() {
                0 => "none".to_owned(),
                count => format!("{count}, listed above"),
            }),
        ),
        (
            "spread",
            builder.shown(&client.spread, |area| {
                format!("{} km²", words::number(*area))
            }),
        ),
        (
            "concentration",
            builder.shown(&client.concentration, |found| {
                words::place(&found.city, &found.state, &found.country)
            }),
        ),
    ];
    for (label, value) in fields {
        section.push(builder.field(label, value));
    }
    if let Field::Is(found) = &client.concentration {
        section.push(builder.field("", concentration(found, builder.theme)));
    }
    section
}

fn concentration(found: &Concentration, theme: &Theme) -> Line<'static> {
    let density = words::plain(&found.density, ToString::to_string);
    let skew = match &found.skew {
        Field::Is(skew) => format!("{skew} km"),
        other => words::plain(other, ToString::to_string),
    };
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

/// What the contract does not name, and what could not be read: never hidden.
fn rest(context: &Context, lossy: bool, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let mut section = Section::new("Beyond the contract", Side::Both);
    if !context.unknown.is_empty() {
        let names = visible(&context.unknown.join("  ")).into_owned();
        section.push(builder.field("other keys", Line::raw(names)));
    }
    if !context.odd.is_empty() {
        let names = visible(&context.odd.join("  ")).into_owned();
        section.push(builder.field("unreadable", Line::styled(names, builder.theme.warn)));
    }
    if lossy {
        section.push(Row::text(Line::styled(
            "The answer was not UTF-8: unreadable bytes are shown as \u{fffd}.",
            builder.theme.warn,
        )));
    }
    section
}

fn provenance(answer: &Answer, builder: &mut Builder<'_>) -> Section<'static, RowId> {
    let theme = builder.theme;
    let provenance = &answer.provenance;
    let mut section = Section::new("Provenance", Side::Both);
    let cost = match (provenance.cost, provenance.possibly_spent) {
        (cost, 0) => format!("cost {cost}"),
        (cost, possibly) => format!("cost {cost}, possibly {possibly} more"),
    };
    let tries = if provenance.attempts > 1 {
        format!("  {} tries", provenance.attempts)
    } else {
        String::new()
    };
    let path = provenance
        .url
        .find("/v2/")
        .map_or(provenance.url.as_str(), |at| &provenance.url[at..]);
    let asked = format!(
        "{path}   {cost}   {} ms   {}{tries}",
        provenance.elapsed.as_millis(),
        provenance.status
    );
    let url = Meaning {
        label: "asked".to_owned(),
        value: provenance.url.clone(),
        tag: None,
    };
    section.push(builder.anchor(
        Row::field("asked", Line::raw(visible(&asked).into_owned())),
        url,
    ));
    let data = provenance.data_date.map_or_else(
        || "not named".to_owned(),
        |day| format!("{day} (x-result-dt)"),
    );
    let balance = provenance.balance.map_or_else(
        || "not named".to_owned(),
        |left| format!("{} (x-balance-remaining)", words::number(left)),
    );
    let line = Line::from(vec![
        Span::styled("data date ", theme.dim),
        Span::raw(data),
        Span::styled("   balance ", theme.dim),
        Span::raw(balance),
        Span::styled("   at ", theme.dim),
        Span::raw(format!("{:.0}", provenance.asked_at)),
    ]);
    section.push(builder.field("answer", line));
    if let Some(seconds) = provenance.clock_off {
        let direction = if seconds > 0 { "ahead of" } else { "behind" };
        let text = format!(
            "the service's clock is {} s {direction} this machine's",
            seconds.abs()
        );
        section.push(Row::field("", Line::styled(text, theme.warn)));
    }
    section
}
