//! A record as a page: every field of the contract (parts 2.1 to 2.5), what is absent shown as absent, the telling things
//! first. Beside the page stands what each row is, for copying and for following.

use ratatui::text::{Line, Span};

use super::{
    at_hand::{Origin, Shown},
    case::{Mark, mark_of},
};
use crate::{
    contract::Geolocation,
    engine::Provenance,
    model::{
        Context, Field, TagName,
        context::{Concentration, Tunnel},
        visible,
    },
    report::{moment, of_clients, of_network},
    store::layout::Release,
    tui::{
        ctx::{
            place::Place,
            sheet::{Meaning, RowId, Sheet, Writer},
        },
        ui::{
            theme::Theme,
            widgets::{
                columns::{Column, Width},
                page::{Row, Section, Side},
            },
            words,
        },
    },
};

/// The page of an answer.
#[must_use]
pub fn page(answer: Shown<'_>, geolocation: Geolocation, theme: &Theme) -> Sheet {
    let mut writer = Writer::new(theme);
    let mark = mark_of(answer.record);
    match answer.record {
        None => writer.push(nothing_known(mark, theme)),
        Some(record) => {
            let context = &record.context;
            verdict(context, mark, &mut writer);
            tunnels(context, &mut writer);
            proxies(context, &mut writer);
            network(context, geolocation, &mut writer);
            clients(context, &mut writer);
            let lossy = record.document.lossy();
            writer.beyond(&context.unknown, &context.odd, lossy, theme.warn);
        }
    }
    match answer.origin {
        Origin::Live(asked) | Origin::Cached(asked, _) => provenance(asked, &mut writer),
        Origin::Local(release, _) => of_release(release, &mut writer),
    }
    if let Some(record) = answer.record {
        tunnel_addresses(&record.context, &mut writer);
    }
    writer.finish()
}

fn nothing_known(mark: Mark, theme: &Theme) -> Section<'static, RowId> {
    Section::new("", Side::Both)
        .row(Row::text(vec![Span::styled(format!("{} {}", mark.sign(), mark.word()), theme.warn)]))
        .row(Row::text(Span::styled("The service has no record of this address (404). That says nothing about whether it is harmless.", theme.dim)))
}

/// What the record says about anonymization, in one line, and the fields that say so in another.
fn verdict(context: &Context, mark: Mark, writer: &mut Writer<'_>) {
    let theme = writer.theme;
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
    let says = Meaning::new("says", sentence);
    let mut section = Section::new("", Side::Both).row(writer.anchor(Row::text(head), says));
    let reasons = context.reasons();
    if !reasons.is_empty() {
        section.push(Row::text(Span::styled(
            format!("because of {}", reasons.join(", ")),
            theme.dim,
        )));
    }
    section.push(writer.list_field("risks", &context.risks));
    writer.push(section);
}

fn tunnels(context: &Context, writer: &mut Writer<'_>) {
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
                section.push(tunnel_row(index, tunnel, writer));
            }
        }
        field => {
            let none = words::shown(field, writer.theme, |_| "none".to_owned());
            section.push(Row::text(none));
        }
    }
    writer.push(section);
}

fn tunnel_row(index: usize, tunnel: &Tunnel, writer: &mut Writer<'_>) -> Row<'static, RowId> {
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
        lead: lead(&name),
    };
    writer.anchor(Row::cells(cells), meaning)
}

/// The metadata of a tag, where the text is one.
fn lead(tag: &str) -> Option<Place> {
    TagName::new(tag).ok().map(Place::Tag)
}

/// Entries and exits in full, where the table of tunnels has room for the first only.
fn tunnel_addresses(context: &Context, writer: &mut Writer<'_>) {
    let mut section = Section::new("Tunnel entries and exits", Side::Both);
    for tunnel in context.tunnels.items() {
        let name = tunnel
            .operator
            .text()
            .or(tunnel.kind.text())
            .unwrap_or("tunnel");
        for (word, addresses) in [("in", &tunnel.entries), ("out", &tunnel.exits)] {
            if addresses.items().len() > 1 {
                let label = format!("{} {word}", visible(name));
                section.push(writer.list_field(label, addresses));
            }
        }
    }
    writer.push(section);
}

/// Callback proxies, a row each, since each leads to its tag.
fn proxies(context: &Context, writer: &mut Writer<'_>) {
    let mut section = Section::new("Callback proxies on devices here", Side::Both);
    for (index, proxy) in context.proxies().iter().enumerate() {
        let meaning = Meaning {
            label: format!("client.proxies[{index}]"),
            value: proxy.clone(),
            lead: lead(proxy),
        };
        section.push(writer.anchor(Row::text(visible(proxy).into_owned()), meaning));
    }
    writer.push(section);
}

fn network(context: &Context, geolocation: Geolocation, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let by = match geolocation {
        Geolocation::Service => "by the service",
        Geolocation::Mmgeo => "by a third-party database (mmgeo)",
    };
    let mut section = Section::new("Network", Side::Left);
    for (label, value) in of_network(context) {
        section.push(writer.field(label, words::shown(&value, theme, String::clone)));
        if label == "location" {
            section.push(Row::field("", Line::styled(by, theme.dim)));
        }
    }
    writer.push(section);
}

fn clients(context: &Context, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("Clients", Side::Right);
    let Field::Is(client) = &context.client else {
        let missing = words::shown(&context.client, theme, |_| String::new());
        writer.push(section.row(Row::text(missing)));
        return;
    };
    for (label, value) in of_clients(context) {
        section.push(writer.field(label, words::shown(&value, theme, String::clone)));
    }
    if let Field::Is(found) = &client.concentration {
        section.push(writer.field("", concentration(found, theme)));
    }
    writer.push(section);
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

fn of_release(release: &Release, writer: &mut Writer<'_>) {
    let manifest = &release.manifest;
    let from = format!(
        "the local feed {} of {}   cost 0",
        manifest.feed,
        manifest.moment.dashed()
    );
    let mut section = Section::new("Provenance", Side::Both);
    section.push(writer.field("from", Line::raw(from)));
    let downloaded = Line::raw(moment(manifest.pulled_at));
    section.push(writer.field("downloaded at", downloaded));
    writer.push(section);
}

fn provenance(provenance: &Provenance, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("Provenance", Side::Both);
    section.push(writer.asked(provenance));
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
    section.push(writer.field("answer", line));
    if let Some(seconds) = provenance.clock_off {
        let direction = if seconds > 0 { "ahead of" } else { "behind" };
        let text = format!(
            "the service's clock is {} s {direction} this machine's",
            seconds.abs()
        );
        section.push(Row::field("", Line::styled(text, theme.warn)));
    }
    writer.push(section);
}
