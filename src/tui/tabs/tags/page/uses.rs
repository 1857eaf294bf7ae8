//! How the local feeds use a tag: how many records name it, and which other tags are in the same records.

use ratatui::text::Line;

use crate::{
    engine::views::{OfFeeds, Overlap, TagUse, ViewQuery},
    model::{Day, Keyword, TagName, visible},
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{Asked, Destination, Meaning, Question, SheetWriter, failure},
        ui::{Column, SectionSide, Width, words::number},
    },
};

/// Other tags that are shown.
const MOST: usize = 6;

/// Adds both. `is_local` is whether any feed of addresses is local.
pub(super) fn write(
    name: &TagName,
    uses: &Asked<Question, OfFeeds<TagUse>>,
    is_local: bool,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let found = uses.value().map_or(&[][..], |uses| &uses.found);
    let same = same_day(found);
    let day = same.map_or_else(String::new, |day| format!("{}  ", day.dashed()));
    let remark = format!("{day}enter browses");
    writer.begin("In your feeds", &remark, SectionSide::Left);
    let mut columns = vec![
        Column::new("FEED", Width::Fill(12)),
        Column::new("ROLE", Width::Fixed(8)).rank(1),
        Column::new("COUNT", Width::Min(5)).right(),
    ];
    if same.is_none() {
        let release = Column::new("RELEASE", Width::Fixed(10)).rank(2);
        columns.insert(1, release);
    }
    writer.columns(columns);
    if let Some(error) = uses.error() {
        writer.lines(failure::lines("", error, "  ", "", theme));
    } else if !is_local {
        writer.remark("no feed of addresses is local: Feeds downloads one");
    } else if uses.value().is_none() {
        writer.warning("~ counting in the local feeds");
    }
    for found in found {
        rows(name, found, same.is_some(), writer);
    }
    let unusable = uses.value().map_or(&[][..], |uses| &uses.unusable);
    writer.lines(failure::unusable(unusable, "counted", theme));
    let most = found.iter().rev();
    if let Some(most) = most.max_by_key(|found| found.as_operator.max(found.as_proxy)) {
        overlaps(name, most, writer);
    }
}

/// The day of the releases if all feeds have the same: the title shows it once, which leaves room for the names of feeds.
fn same_day(found: &[TagUse]) -> Option<Day> {
    let mut days = found.iter().map(|found| found.moment.day());
    let first = days.next()?;
    days.all(|day| day == first).then_some(first)
}

fn rows(name: &TagName, found: &TagUse, has_same_day: bool, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let moment = found.moment.dashed();
    let mut row = |role: &'static str, count: String, meaning: Meaning| {
        let mut cells = vec![
            Line::raw(found.feed.name()),
            Line::styled(role, theme.dim),
            Line::raw(count),
        ];
        if !has_same_day {
            let day = found.moment.day().dashed();
            cells.insert(1, Line::styled(day, theme.dim));
        }
        writer.cells(cells, meaning);
    };
    if found.as_operator == 0 && found.as_proxy == 0 {
        let meaning = Meaning::new(found.feed.name(), "no record");
        return row("", "none".to_owned(), meaning);
    }
    for (role, field, count) in [
        ("operator", Keyword::Tag, found.as_operator),
        ("proxy", Keyword::Proxy, found.as_proxy),
    ] {
        if count > 0 {
            let place = browse(found, [Test::Is(field, vec![name.to_string()])]);
            let label = format!("{} of {moment} as {role}", found.feed);
            let meaning = Meaning::new(label, count.to_string()).to(place);
            row(role, number(count), meaning);
        }
    }
}

/// The tags that share records with it in one release, and how unusual that is.
fn overlaps(name: &TagName, found: &TagUse, writer: &mut SheetWriter<'_>) {
    if found.overlaps.is_empty() {
        return;
    }
    let theme = writer.theme;
    let remark = format!("in {}", found.feed);
    writer.begin("Shares addresses with", &remark, SectionSide::Right);
    writer.columns(vec![
        Column::new("TAG", Width::Fill(12)),
        Column::new("ROLE", Width::Fixed(8)).rank(1),
        Column::new("RECORDS", Width::Min(7)).right(),
        Column::new("LIFT", Width::Min(5)).right(),
    ]);
    for overlap in found.overlaps.iter().take(MOST) {
        let lift = lift(overlap.lift);
        let value = format!("{} records, lift {lift}", overlap.shared);
        let place = browse(found, both(name, overlap));
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
        writer.cells(cells, Meaning::new(overlap.tag.clone(), value).to(place));
    }
    let lift = "lift: times as often as by chance";
    writer.remark(match found.overlaps.len().saturating_sub(MOST) {
        0 => lift.to_owned(),
        more => format!("and {} more; {lift}", number(more as u64)),
    });
}

/// The records that have both tags.
fn both(name: &TagName, overlap: &Overlap) -> [Test; 2] {
    [
        Test::Is(overlap.own, vec![name.to_string()]),
        Test::Is(overlap.field, vec![overlap.tag.clone()]),
    ]
}

fn browse(found: &TagUse, tests: impl IntoIterator<Item = Test>) -> Destination {
    let filter: Filter = tests.into_iter().collect();
    Destination::Browse(ViewQuery {
        feed: found.feed,
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
