//! How the local feeds use a tag: how many records name it, and which other tags are in the same records.

use ratatui::text::{Line, Span};

use crate::{
    contract::Feed,
    engine::views::{OfFeeds, Overlap, TagUse, ViewQuery},
    model::{Keyword, TagName, visible},
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{
            evidence::Role,
            failure,
            place::Place,
            remote::Remote,
            sheet::{Meaning, RowId, Writer},
        },
        ui::{
            widgets::{
                columns::{Column, Width},
                page::{Row, Section, Side},
            },
            words::number,
        },
    },
};

/// Other tags that are shown.
const MOST: usize = 6;

/// Adds both. `is_local` is whether any feed of addresses is local, as far as that is known.
pub(super) fn write(
    name: &TagName,
    uses: Option<&Remote<OfFeeds<TagUse>>>,
    is_local: Option<bool>,
    writer: &mut Writer<'_>,
) {
    let theme = writer.theme;
    let title = Line::from(vec![
        Span::raw("In your feeds"),
        Span::styled("  enter browses", theme.dim),
    ]);
    let columns = vec![
        Column::new("FEED", Width::Fill(12)),
        Column::new("RELEASE", Width::Fixed(10)).rank(2),
        Column::new("AS", Width::Fixed(8)).rank(1),
        Column::new("COUNT", Width::Min(5)).right(),
    ];
    let mut section = Section::new(title, Side::Left).columns(columns);
    let value = uses.and_then(Remote::value);
    if let Some(error) = uses.and_then(Remote::error) {
        section.extend(failure::lines("", error, "  ", "", theme));
    } else if is_local == Some(false) {
        section.push(writer.aside("no feed of addresses is local: Feeds downloads one"));
    } else if value.is_none() {
        section.push(Row::text(Line::styled(
            "~ counting in the local feeds",
            theme.warn,
        )));
    }
    let found = value.map_or(&[][..], |uses| &uses.found);
    for found in found {
        rows(name, found, &mut section, writer);
    }
    let unusable = value.map_or(&[][..], |uses| &uses.unusable);
    section.extend(failure::unusable(unusable, "counted", theme));
    writer.push(section);
    let most = found.iter().rev();
    if let Some(most) = most.max_by_key(|found| found.as_operator.max(found.as_proxy)) {
        overlaps(name, most, writer);
    }
}

fn rows(
    name: &TagName,
    found: &TagUse,
    section: &mut Section<'static, RowId>,
    writer: &mut Writer<'_>,
) {
    let theme = writer.theme;
    let day = found.moment.day().dashed();
    let moment = found.moment.dashed();
    let roles = [
        (Role::Operator, Keyword::Tag, found.as_operator),
        (Role::CallbackProxy, Keyword::Proxy, found.as_proxy),
    ];
    let mut row = |role: &'static str, count: String, meaning: Meaning| {
        let cells = vec![
            Line::raw(found.feed.name()),
            Line::styled(day.clone(), theme.dim),
            Line::styled(role, theme.dim),
            Line::raw(count),
        ];
        section.push(writer.anchor(Row::cells(cells), meaning));
    };
    if found.as_operator == 0 && found.as_proxy == 0 {
        let meaning = Meaning::new(found.feed.name(), "no record");
        return row("", "none".to_owned(), meaning);
    }
    for (role, field, count) in roles.into_iter().filter(|(.., count)| *count > 0) {
        let words = match role {
            Role::Operator => "operator",
            Role::CallbackProxy => "proxy",
        };
        let place = browse(found, [Test::Is(field, vec![name.to_string()])]);
        let label = format!("{} of {moment} as {words}", found.feed);
        let meaning = Meaning::new(label, count.to_string()).to(place);
        row(words, number(count), meaning);
    }
}

/// The tags that share records with it in one release, and how unusual that is.
fn overlaps(name: &TagName, found: &TagUse, writer: &mut Writer<'_>) {
    if found.overlaps.is_empty() {
        return;
    }
    let theme = writer.theme;
    let title = Line::from(vec![
        Span::raw("Shares addresses with"),
        Span::styled(format!("  in {}", found.feed), theme.dim),
    ]);
    let columns = vec![
        Column::new("TAG", Width::Fill(12)),
        Column::new("AS", Width::Fixed(8)).rank(1),
        Column::new("RECORDS", Width::Min(7)).right(),
        Column::new("LIFT", Width::Min(5)).right(),
    ];
    let mut section = Section::new(title, Side::Right).columns(columns);
    for overlap in found.overlaps.iter().take(MOST) {
        let lift = lift(overlap.lift);
        let said = format!("{} records, lift {lift}", overlap.shared);
        let tests = both(name, overlap);
        let meaning = Meaning::new(overlap.tag.clone(), said).to(browse(found, tests));
        let role = match overlap.field {
            Keyword::Proxy => "proxy",
            _ => "operator",
        };
        let cells = vec![
            Line::styled(visible(&overlap.tag).into_owned(), theme.accent),
            Line::styled(role, theme.dim),
            Line::raw(number(overlap.shared)),
            Line::raw(lift),
        ];
        section.push(writer.anchor(Row::cells(cells), meaning));
    }
    let lift = "a lift of 1 is what chance gives";
    section.push(
        writer.aside(match found.overlaps.len().saturating_sub(MOST) {
            0 => lift.to_owned(),
            more => format!("and {} more; {lift}", number(more as u64)),
        }),
    );
    writer.push(section);
}

/// The records that have both tags.
fn both(name: &TagName, overlap: &Overlap) -> [Test; 2] {
    [
        Test::Is(overlap.own, vec![name.to_string()]),
        Test::Is(overlap.field, vec![overlap.tag.clone()]),
    ]
}

fn browse(found: &TagUse, tests: impl IntoIterator<Item = Test>) -> Place {
    let filter: Filter = tests.into_iter().collect();
    let feed: Feed = found.feed;
    Place::Browse(ViewQuery {
        feed,
        day: Some(found.moment.day()),
        filter,
        order: Order::Clients,
    })
}

/// One decimal, and none where the number is large.
fn lift(lift: f64) -> String {
    if lift < 100.0 {
        format!("{lift:.1}")
    } else {
        format!("{lift:.0}")
    }
}
