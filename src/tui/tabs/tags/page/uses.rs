//! How the local feeds use a tag: how many records name it, and which other tags are in the same records.

use ratatui::text::{Line, Span};

use crate::{
    contract::Feed,
    engine::views::{OfFeeds, Overlap, TagUse, ViewQuery},
    model::{Day, Keyword, TagName, visible},
    store::{Filter, filter::Test, index::Order},
    tui::{
        ctx::{
            destination::Destination,
            evidence::TagRole,
            failure,
            remote::Remote,
            sheet::{Meaning, SheetRow, SheetWriter},
        },
        ui::{
            widgets::{
                columns::{Column, Width},
                page::{PageRow, Section, SectionSide},
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
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let value = uses.and_then(Remote::value);
    let found = value.map_or(&[][..], |uses| &uses.found);
    let same = same_day(found);
    let mut title = vec![Span::raw("In your feeds")];
    if let Some(day) = same {
        title.push(Span::styled(format!("  {}", day.dashed()), theme.dim));
    }
    title.push(Span::styled("  enter browses", theme.dim));
    let mut columns = vec![
        Column::new("FEED", Width::Fill(12)),
        Column::new("AS", Width::Fixed(8)).rank(1),
        Column::new("COUNT", Width::Min(5)).right(),
    ];
    if same.is_none() {
        let release = Column::new("RELEASE", Width::Fixed(10)).rank(2);
        columns.insert(1, release);
    }
    let title = Line::from(title);
    let mut section = Section::new(title, SectionSide::Left).columns(columns);
    if let Some(error) = uses.and_then(Remote::error) {
        section.extend(failure::lines("", error, "  ", "", theme));
    } else if is_local == Some(false) {
        section.push(writer.aside("no feed of addresses is local: Feeds downloads one"));
    } else if value.is_none() {
        section.push(PageRow::text(Line::styled(
            "~ counting in the local feeds",
            theme.warn,
        )));
    }
    for found in found {
        rows(name, found, same.is_some(), &mut section, writer);
    }
    let unusable = value.map_or(&[][..], |uses| &uses.unusable);
    section.extend(failure::unusable(unusable, "counted", theme));
    writer.push(section);
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

fn rows(
    name: &TagName,
    found: &TagUse,
    has_same_day: bool,
    section: &mut Section<'static, SheetRow>,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    let day = found.moment.day().dashed();
    let moment = found.moment.dashed();
    let roles = [
        (TagRole::Operator, Keyword::Tag, found.as_operator),
        (TagRole::CallbackProxy, Keyword::Proxy, found.as_proxy),
    ];
    let mut row = |role: &'static str, count: String, meaning: Meaning| {
        let mut cells = vec![
            Line::raw(found.feed.name()),
            Line::styled(role, theme.dim),
            Line::raw(count),
        ];
        if !has_same_day {
            cells.insert(1, Line::styled(day.clone(), theme.dim));
        }
        section.push(writer.anchor(PageRow::cells(cells), meaning));
    };
    if found.as_operator == 0 && found.as_proxy == 0 {
        let meaning = Meaning::new(found.feed.name(), "no record");
        return row("", "none".to_owned(), meaning);
    }
    for (role, field, count) in roles.into_iter().filter(|(.., count)| *count > 0) {
        let words = match role {
            TagRole::Operator => "operator",
            TagRole::CallbackProxy => "proxy",
        };
        let place = browse(found, [Test::Is(field, vec![name.to_string()])]);
        let label = format!("{} of {moment} as {words}", found.feed);
        let meaning = Meaning::new(label, count.to_string()).to(place);
        row(words, number(count), meaning);
    }
}

/// The tags that share records with it in one release, and how unusual that is.
fn overlaps(name: &TagName, found: &TagUse, writer: &mut SheetWriter<'_>) {
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
    let mut section = Section::new(title, SectionSide::Right).columns(columns);
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
        section.push(writer.anchor(PageRow::cells(cells), meaning));
    }
    let lift = "lift: times as often as by chance";
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

fn browse(found: &TagUse, tests: impl IntoIterator<Item = Test>) -> Destination {
    let filter: Filter = tests.into_iter().collect();
    let feed: Feed = found.feed;
    Destination::Browse(ViewQuery {
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
