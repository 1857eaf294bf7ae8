//! The metadata of a tag as a page: every field of the contract (part 2.6), with absent and null shown as different
//! and from what could not be read. Rows that name other tags, addresses or records lead there.

mod changes;
mod flags;
mod metrics;
mod relations;
mod uses;

use jiff::Timestamp;
use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::{
    case::{TagCase, TagStatus},
    known_tags::KnownTags,
};
use crate::{
    contract::LookupQuery,
    engine::{LocalTag, Provenance},
    model::{Tag, TagName, visible},
    report::of_tag,
    store::{Generation, Moment},
    tui::{
        ctx::{
            ages::AgeClock,
            destination::Destination,
            evidence::Sighting,
            facts::Facts,
            failure,
            sheet::{Meaning, Sheet, SheetRow, SheetWriter},
        },
        ui::{
            theme::Theme,
            widgets::page::{PageRow, Section, SectionSide},
            words,
        },
    },
};

#[derive(Clone, Copy, Debug)]
pub struct TagPage<'a> {
    pub name: &'a TagName,
    /// What was fetched of it.
    pub case: Option<&'a TagCase>,
    pub known: &'a KnownTags,
    /// Where it was seen.
    pub seen: &'a [Sighting],
    /// What is known of the world outside.
    pub facts: &'a Facts,
    pub now: Timestamp,
    pub ages: &'a AgeClock,
}

/// The record of a tag in the local feed.
#[derive(Clone, Copy, Debug)]
pub struct LocalRecordOfTag<'a> {
    pub tag: &'a LocalTag,
    /// The release that it is of.
    pub moment: Moment,
    /// From when its age counts.
    pub since: Generation,
}

impl<'a> TagPage<'a> {
    /// The record of the tag in the local feed, or the last one of a tag that was removed.
    #[must_use]
    pub fn local(self) -> Option<LocalRecordOfTag<'a>> {
        if let Some(tag) = self.known.find(self.name) {
            let manifest = &self.known.list()?.release.manifest;
            let (moment, since) = (manifest.moment, manifest.generation());
            return Some(LocalRecordOfTag { tag, moment, since });
        }
        let changes = self.known.changes()?;
        let change = changes.find(self.name)?;
        Some(LocalRecordOfTag {
            tag: &change.tag,
            moment: changes.since,
            since: changes.generation,
        })
    }

    #[must_use]
    pub fn sheet(self, theme: &Theme) -> Sheet {
        let mut writer = SheetWriter::new(theme);
        let fetched = self.case.and_then(|case| case.live.value());
        let local = self.local();
        match (fetched, local) {
            (Some(fetched), _) => {
                let document = &fetched.document;
                self.metadata(&fetched.value, document.lossy(), &mut writer);
                provenance(&fetched.provenance, local, &fetched.value, &mut writer);
            }
            (None, Some(local)) => {
                self.metadata(&local.tag.tag, local.tag.document.lossy(), &mut writer);
            }
            (None, None) => {
                self.without_metadata(&mut writer);
                self.uses(&mut writer);
                lookups(self.seen, &mut writer);
            }
        }
        writer.finish()
    }

    fn metadata(self, tag: &Tag, lossy: bool, writer: &mut SheetWriter<'_>) {
        self.head(tag, writer);
        metrics::write(tag, writer);
        if let Some(changes) = self.known.changes()
            && let Some(change) = changes.find(self.name)
        {
            changes::write(changes, change, writer);
        }
        relations::write(tag, writer);
        self.uses(writer);
        lookups(self.seen, writer);
        kind(tag, writer);
        writer.beyond(&tag.unknown, &tag.odd, lossy, Style::new());
    }

    fn uses(self, writer: &mut SheetWriter<'_>) {
        let is_local = self.known.has_counted();
        let is_local =
            is_local.then(|| !self.known.counts().is_empty() || !self.known.unusable().is_empty());
        if is_local.is_some() {
            let uses = self.case.map(|case| &case.uses);
            uses::write(self.name, uses, is_local, writer);
        }
    }

    fn without_metadata(self, writer: &mut SheetWriter<'_>) {
        let theme = writer.theme;
        let mut section = Section::new("", SectionSide::Both);
        let standing = self.case.map_or(TagStatus::NotAsked, TagCase::standing);
        let error = self.case.and_then(|case| case.live.error());
        match (standing, error) {
            (TagStatus::Pending, _) => {
                section.push(PageRow::text(Line::styled(
                    "~ fetching from the service",
                    theme.warn,
                )));
                section.push(writer.aside("x stops waiting"));
            }
            (TagStatus::Missing, Some(_)) => {
                let text = format!("? The service has no tag {} (404).", self.name);
                section.push(PageRow::text(Line::styled(text, theme.warn)));
                section.push(writer.aside("tags are spelled as in records, such as ACME_VPN"));
                section
                    .push(writer.aside("i types another; R tries again: tags are added over time"));
            }
            (_, Some(error)) => {
                section.extend(failure::lines("", error, "  ", "R tries again", theme));
            }
            _ if self.known.is_reading() => {
                let text = "~ reading the local service-metrics feed";
                section.push(PageRow::text(Line::styled(text, theme.warn)));
            }
            _ => {
                let stopped = self.case.is_some_and(|case| case.live.was_stopped());
                let text = match self.known.list() {
                    _ if stopped => "You stopped waiting for the metadata of this tag.",
                    Some(_) => "The local service-metrics feed has no such tag.",
                    None => "The metadata of this tag was not fetched yet.",
                };
                section.push(PageRow::text(text));
                let way = self.facts.lack();
                let way = way.unwrap_or_else(|| "enter or R fetches it: free, no query".to_owned());
                section.push(writer.aside(way));
            }
        }
        writer.push(section);
    }

    /// What people read first: where it is from, the description, the name, the home page.
    fn head(self, tag: &Tag, writer: &mut SheetWriter<'_>) {
        let theme = writer.theme;
        let mut section = Section::new("", SectionSide::Both);
        if self.case.and_then(TagCase::tag).is_none()
            && let Some(local) = self.local()
        {
            let age = self.ages.words(local.since, self.now);
            let day = local.moment.dashed();
            let text = format!("local, service-metrics of {day}, {age} old; R fetches live (free)");
            section.push(writer.aside(text));
        }
        if tag.tag.text() != Some(self.name.as_str()) {
            let named = words::plain(&tag.tag, String::clone);
            let text = format!("{} is another name of {named}", self.name);
            let mut meaning = Meaning::new("tag", named);
            meaning.lead = tag.tag_name().map(Destination::Tag);
            section.push(writer.anchor(PageRow::text(Line::styled(text, theme.warn)), meaning));
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
        section.push(writer.anchor(PageRow::text(description), meaning));
        section.push(writer.text_field("name", &tag.name));
        section.push(website(tag, writer));
        writer.push(section);
    }
}

/// The home page; it is opened after a question only.
fn website(tag: &Tag, writer: &mut SheetWriter<'_>) -> PageRow<'static, SheetRow> {
    let Some(url) = tag.website.text() else {
        return writer.text_field("website", &tag.website);
    };
    let line = Line::from(vec![
        Span::raw(visible(url).into_owned()),
        Span::styled("  o opens it", writer.theme.dim),
    ]);
    writer.anchor(
        PageRow::field("website", line),
        Meaning::new("website", url),
    )
}

/// What kind of service it is.
fn kind(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let mut section = Section::new("Kind", SectionSide::Right);
    section.push(writer.list_field("categories", &tag.categories));
    section.push(writer.list_field("platforms", &tag.platforms));
    section.push(writer.list_field("protocols", &tag.protocols));
    section.push(writer.list_field("targeting", &tag.targeting_types));
    let age = words::shown(&tag.max_age_days, writer.theme, |days| {
        format!("{} days", words::decimal(*days))
    });
    section.push(writer.field("days observed", age));
    flags::write(tag, &mut section, writer);
    writer.push(section);
}

/// The addresses on which it was seen; each leads to its record, which is cached and free.
fn lookups(seen: &[Sighting], writer: &mut SheetWriter<'_>) {
    let mut section = Section::new("Your lookups", SectionSide::Left);
    if seen.is_empty() {
        section.push(writer.aside("none of the addresses looked up so far has this tag"));
    }
    for sighting in seen.iter().rev() {
        let LookupQuery { address, date, .. } = sighting.query;
        let day = date.map_or_else(String::new, |day| format!(" {day}"));
        let role = sighting.role.words();
        let line = Line::from(vec![
            Span::raw(format!("{address}{day}")),
            Span::styled(
                format!("  {role}, looked up {}", words::instant(sighting.at)),
                writer.theme.dim,
            ),
        ]);
        let meaning = Meaning::new(role, format!("{address}{day}"));
        let meaning = meaning.to(Destination::AtHand(sighting.query));
        section.push(writer.anchor(PageRow::text(line), meaning));
    }
    writer.push(section);
}

/// Where the live answer is from, and in what it differs from the local record.
fn provenance(
    provenance: &Provenance,
    local: Option<LocalRecordOfTag<'_>>,
    live: &Tag,
    writer: &mut SheetWriter<'_>,
) {
    let mut section = Section::new("Provenance", SectionSide::Both);
    section.push(writer.asked(provenance));
    let at = format!("{}, live", words::instant(provenance.asked_at));
    section.push(writer.field("answer", Line::raw(at)));
    if let Some(local) = local {
        let (before, after) = (of_tag(&local.tag.tag), of_tag(live));
        let differ = after.iter().filter(|fact| {
            let same = before.iter().find(|own| own.label == fact.label);
            same.is_none_or(|own| own.cell.text != fact.cell.text)
        });
        let differ: Vec<&str> = differ.map(|fact| fact.label.as_ref()).collect();
        let day = local.moment.dashed();
        let text = match differ.as_slice() {
            [] => format!("service-metrics of {day} agrees"),
            differ => format!("service-metrics of {day} differs: {}", differ.join(", ")),
        };
        section.push(writer.field("local", Line::raw(text)));
    }
    writer.push(section);
}
