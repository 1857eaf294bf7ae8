//! The metadata of a tag as a page: every field of the contract (part 2.6), what is absent told apart from what is null
//! and from what could not be read. Rows that name other tags or addresses lead there.

mod flags;
mod metrics;
mod relations;

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::case::{Case, Standing};
use crate::{
    contract::LookupQuery,
    engine::Provenance,
    model::{Tag, TagName, visible},
    tui::{
        ctx::{
            evidence::Sighting,
            facts::Facts,
            failure,
            place::Place,
            sheet::{Meaning, RowId, Sheet, Writer},
        },
        ui::{
            theme::Theme,
            widgets::page::{Row, Section, Side},
            words,
        },
    },
};

/// What a page is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The tag.
    pub name: &'a TagName,
    /// What was asked of it.
    pub case: Option<&'a Case>,
    /// Where it was seen.
    pub seen: &'a [Sighting],
    /// What is known of the world outside.
    pub facts: &'a Facts,
}

impl Subject<'_> {
    /// The page.
    #[must_use]
    pub fn sheet(self, theme: &Theme) -> Sheet {
        let mut writer = Writer::new(theme);
        if let Some(fetched) = self.case.and_then(|case| case.live.value()) {
            let tag = &fetched.value;
            head(self.name, tag, &mut writer);
            kind(tag, &mut writer);
            metrics::write(tag, &mut writer);
            relations::write(tag, &mut writer);
            evidence(self.seen, &mut writer);
            let lossy = fetched.document.lossy();
            writer.beyond(&tag.unknown, &tag.odd, lossy, Style::new());
            provenance(&fetched.provenance, &mut writer);
        } else {
            self.without_metadata(&mut writer);
            evidence(self.seen, &mut writer);
        }
        writer.finish()
    }

    fn without_metadata(self, writer: &mut Writer<'_>) {
        let theme = writer.theme;
        let mut section = Section::new("", Side::Both);
        let standing = self.case.map_or(Standing::NotAsked, Case::standing);
        let error = self.case.and_then(|case| case.live.error());
        match (standing, error) {
            (Standing::Pending, _) => {
                section.push(Row::text(Line::styled("~ asking the service", theme.warn)));
                section.push(writer.aside("x stops waiting"));
            }
            (Standing::Missing, Some(_)) => {
                let text = format!("? The service knows no tag {} (404).", self.name);
                section.push(Row::text(Line::styled(text, theme.warn)));
                section.push(writer.aside("tags are spelled as in records, such as ACME_VPN"));
                section.push(writer.aside("i types another; R asks again, since new ones come"));
            }
            (_, Some(error)) => {
                section.extend(failure::lines("", error, "  ", "R asks again", theme));
            }
            _ => {
                section.push(Row::text("The metadata of this tag was not asked for yet."));
                let way = self.facts.lack();
                let way = way.unwrap_or_else(|| {
                    "enter or R asks the service; that costs no query".to_owned()
                });
                section.push(writer.aside(way));
            }
        }
        writer.push(section);
    }
}

/// What people read first: the description, the name, the home page.
fn head(asked: &TagName, tag: &Tag, writer: &mut Writer<'_>) {
    let theme = writer.theme;
    let mut section = Section::new("", Side::Both);
    if tag.tag.text() != Some(asked.as_str()) {
        let named = words::plain(&tag.tag, String::clone);
        let text = format!("! {asked} was asked for; the answer names itself {named}");
        let mut meaning = Meaning::new("tag", named);
        meaning.lead = tag.tag_name().map(Place::Tag);
        section.push(writer.anchor(Row::text(Line::styled(text, theme.warn)), meaning));
    }
    let description = match tag.description.text() {
        Some(text) => Line::raw(visible(text).into_owned()),
        None if tag.description.is().is_some() => Line::styled("(no description)", theme.dim),
        None => {
            let why = words::plain(&tag.description, String::clone);
            Line::styled(format!("description {why}"), theme.dim)
        }
    };
    let meaning = Meaning::new("description", description.to_string());
    section.push(writer.anchor(Row::text(description), meaning));
    section.push(writer.text_field("name", &tag.name));
    section.push(website(tag, writer));
    writer.push(section);
}

/// The home page; it is opened after a question only.
fn website(tag: &Tag, writer: &mut Writer<'_>) -> Row<'static, RowId> {
    let Some(url) = tag.website.text() else {
        return writer.text_field("website", &tag.website);
    };
    let line = Line::from(vec![
        Span::raw(visible(url).into_owned()),
        Span::styled("  o opens it", writer.theme.dim),
    ]);
    writer.anchor(Row::field("website", line), Meaning::new("website", url))
}

/// What kind of service it is.
fn kind(tag: &Tag, writer: &mut Writer<'_>) {
    let mut section = Section::new("Kind", Side::Both);
    section.push(writer.list_field("categories", &tag.categories));
    section.push(writer.list_field("platforms", &tag.platforms));
    section.push(writer.list_field("protocols", &tag.protocols));
    section.push(writer.list_field("targeting", &tag.targeting_types));
    let age = words::shown(&tag.max_age_days, writer.theme, |days| {
        format!("{} days", words::decimal(*days))
    });
    section.push(writer.field("maxAgeDays", age));
    flags::write(tag, &mut section, writer);
    writer.push(section);
}

/// The addresses on which it was seen; each leads to its record, which is known and costs nothing.
fn evidence(seen: &[Sighting], writer: &mut Writer<'_>) {
    let mut section = Section::new("Your evidence", Side::Both);
    if seen.is_empty() {
        section.push(writer.aside("seen on none of the addresses looked up so far"));
    }
    for sighting in seen.iter().rev() {
        let LookupQuery { address, date, .. } = sighting.query;
        let day = date.map_or_else(String::new, |day| format!(" {day}"));
        let role = sighting.role.words();
        let line = Line::from(vec![
            Span::raw(format!("{address}{day}")),
            Span::styled(
                format!("  {role}, asked {:.0}", sighting.at),
                writer.theme.dim,
            ),
        ]);
        let meaning = Meaning::new(role, format!("{address}{day}"));
        let meaning = meaning.to(Place::Address(sighting.query));
        section.push(writer.anchor(Row::text(line), meaning));
    }
    writer.push(section);
}

fn provenance(provenance: &Provenance, writer: &mut Writer<'_>) {
    let mut section = Section::new("Provenance", Side::Both);
    section.push(writer.asked(provenance));
    let at = format!("{:.0}, live", provenance.asked_at);
    section.push(writer.field("answer", Line::raw(at)));
    writer.push(section);
}
