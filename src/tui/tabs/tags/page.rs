//! The metadata of a tag as a page: every field of the contract (part 2.6), with absent and null shown as different
//! and from what could not be read. Rows that name other tags, addresses or records lead there.

mod metrics;
mod relations;
mod uses;

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use url::Url;

use super::{
    case::{TagCase, TagStatus},
    known_tags::KnownTags,
};
use crate::{
    contract::LookupQuery,
    engine::{LocalTag, Provenance, TagChange, TagChanges},
    model::{Field, Tag, TagName, visible},
    report::of_tag,
    store::{Generation, Moment, diff::ChangeKind},
    tui::{
        ctx::{
            ViewCtx,
            destination::Destination,
            failure,
            sheet::{Meaning, Sheet, SheetWriter},
        },
        ui::{
            widgets::page::{PageRow, SectionSide},
            words,
        },
    },
};

/// Differences that are shown.
const MOST: usize = 8;

#[derive(Clone, Copy, Debug)]
pub struct TagPage<'a> {
    pub name: &'a TagName,
    pub case: &'a TagCase,
    pub known: &'a KnownTags,
    pub ctx: &'a ViewCtx<'a>,
}

/// The record of a tag in the local feed.
#[derive(Clone, Copy, Debug)]
pub struct LocalRecordOfTag<'a> {
    pub tag: &'a LocalTag,
    /// The release that has it.
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
    pub fn sheet(self) -> Sheet {
        let mut writer = SheetWriter::new(self.ctx.theme);
        match (self.case.live.value(), self.local()) {
            (Some(fetched), local) => {
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
                self.lookups(&mut writer);
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
            difference(changes, change, writer);
        }
        relations::write(tag, writer);
        self.uses(writer);
        self.lookups(writer);
        kind(tag, writer);
        writer.beyond(&tag.unknown, &tag.odd, lossy, Style::new());
    }

    fn uses(self, writer: &mut SheetWriter<'_>) {
        if let Some(counts) = self.known.counts() {
            let is_local = !counts.found.is_empty() || !counts.unusable.is_empty();
            uses::write(self.name, &self.case.uses, is_local, writer);
        }
    }

    fn without_metadata(self, writer: &mut SheetWriter<'_>) {
        writer.begin("", "", SectionSide::Both);
        let live = &self.case.live;
        match (self.case.status(), live.error()) {
            (TagStatus::Pending, _) => {
                writer.warning("~ fetching from the service");
                writer.remark("x stops waiting");
            }
            (TagStatus::Missing, Some(_)) => {
                writer.warning(format!("? The service has no tag {} (404).", self.name));
                writer.remark("tags are spelled as in records, such as ACME_VPN");
                writer.remark("i types another; R tries again: tags are added over time");
            }
            (_, Some(error)) => {
                let lines = failure::lines("", error, "  ", "R tries again", writer.theme);
                writer.lines(lines);
            }
            _ if self.known.is_reading() => {
                writer.warning("~ reading the local service-metrics feed");
            }
            _ => {
                let text = match self.known.list() {
                    _ if live.was_stopped() => "You stopped waiting for the metadata of this tag.",
                    Some(_) => "The local service-metrics feed has no such tag.",
                    None => "The metadata of this tag was not fetched yet.",
                };
                writer.lines([Line::raw(text)]);
                let way = self.ctx.facts.lack();
                writer.remark(
                    way.unwrap_or_else(|| "enter or R fetches it: free, no query".to_owned()),
                );
            }
        }
    }

    /// What people read first: where it is from, the description, the name, the home page.
    fn head(self, tag: &Tag, writer: &mut SheetWriter<'_>) {
        let theme = writer.theme;
        writer.begin("", "", SectionSide::Both);
        if self.case.tag().is_none()
            && let Some(local) = self.local()
        {
            let (day, age) = (local.moment.dashed(), self.ctx.age(local.since));
            writer.remark(format!(
                "local, service-metrics of {day}, {age} old; R fetches live (free)"
            ));
        }
        if tag.tag.text() != Some(self.name.as_str()) {
            let named = words::plain(&tag.tag, String::clone);
            let text = format!("{} is another name of {named}", self.name);
            let meaning = Meaning::leading("tag", named, tag.tag_name().map(Destination::Tag));
            writer.stop(PageRow::text(Line::styled(text, theme.warn)), meaning);
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
        writer.stop(PageRow::text(description), meaning);
        writer.text_value("name", &tag.name);
        match tag.website.text() {
            Some(url) => {
                let line = Line::from(vec![
                    Span::raw(visible(url).into_owned()),
                    Span::styled("  o opens it", theme.dim),
                ]);
                let meaning = Meaning::new("website", url);
                writer.stop(PageRow::field("website", line), meaning);
            }
            None => writer.text_value("website", &tag.website),
        }
    }

    /// The addresses on which it was seen; each leads to its record, which is cached and free.
    fn lookups(self, writer: &mut SheetWriter<'_>) {
        writer.begin("Your lookups", "", SectionSide::Left);
        let seen = self.ctx.evidence.of(self.name);
        if seen.is_empty() {
            writer.remark("none of the addresses looked up so far has this tag");
        }
        for sighting in seen.iter().rev() {
            let LookupQuery { address, date, .. } = sighting.query;
            let day = date.map_or_else(String::new, |day| format!(" {day}"));
            let (role, at) = (sighting.role.words(), words::instant(sighting.at));
            let line = Line::from(vec![
                Span::raw(format!("{address}{day}")),
                Span::styled(format!("  {role}, looked up {at}"), writer.theme.dim),
            ]);
            let meaning = Meaning::new(role, format!("{address}{day}"));
            let meaning = meaning.to(Destination::AtHand(sighting.query));
            writer.stop(PageRow::text(line), meaning);
        }
    }
}

/// What changed since the release before.
fn difference(changes: &TagChanges, change: &TagChange, writer: &mut SheetWriter<'_>) {
    let title = format!("Since {}", changes.since.dashed());
    writer.begin(title, "", SectionSide::Both);
    match change.kind {
        ChangeKind::Added => writer.lines([Line::raw("+ added")]),
        ChangeKind::Removed => writer.warning("- removed: this is its last record"),
        ChangeKind::Changed => {
            for difference in change.differences.iter().take(MOST) {
                let [before, after] =
                    [&difference.a, &difference.b].map(|own| own.as_deref().unwrap_or("(absent)"));
                let text = format!("{before} -> {after}");
                let path = format!("{}  ", visible(&difference.path));
                let line = Line::from(vec![
                    Span::styled(path, writer.theme.label),
                    Span::raw(visible(&text).into_owned()),
                ]);
                let meaning = Meaning::new(difference.path.clone(), text);
                writer.stop(PageRow::text(line), meaning);
            }
            let more = change.differences.len().saturating_sub(MOST);
            if more > 0 {
                writer.remark(format!("and {more} more"));
            }
        }
    }
}

/// What kind of service it is.
fn kind(tag: &Tag, writer: &mut SheetWriter<'_>) {
    writer.begin("Kind", "", SectionSide::Right);
    writer.list_value("categories", &tag.categories);
    writer.list_value("platforms", &tag.platforms);
    writer.list_value("protocols", &tag.protocols);
    writer.list_value("targeting", &tag.targeting_types);
    let age = words::shown(&tag.max_age_days, writer.theme, |days| {
        format!("{} days", words::decimal(*days))
    });
    writer.value("days observed", age);
    flags(tag, writer);
}

/// The boolean fields, grouped into true, false and absent.
fn flags(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let flags = [
        ("anonymous", &tag.is_anonymous),
        ("callback proxy", &tag.is_callback_proxy),
        ("claims no logs", &tag.is_no_log),
        ("white label", &tag.allows_white_label),
        ("tracked", &tag.is_tracked),
        ("enterprise", &tag.is_enterprise),
        ("inactive", &tag.is_inactive),
        ("local network access", &tag.allows_local_network_access),
    ];
    // These are in the feed only: elsewhere it is no news that they are absent.
    let in_feed = [
        ("crypto payments", &tag.allows_crypto),
        ("free access", &tag.allows_free_access),
        ("multi-hop", &tag.allows_multihop),
        ("torrents", &tag.allows_torrents),
    ];
    let in_feed = in_feed.into_iter().filter(|(_, own)| !own.is_absent());
    let flags: Vec<_> = flags.into_iter().chain(in_feed).collect();
    let theme = writer.theme;
    for (label, state, style) in [
        ("yes", Field::Is(true), theme.text),
        ("no", Field::Is(false), theme.dim),
        ("(absent)", Field::Absent, theme.dim),
        ("(null)", Field::Null, theme.dim),
        ("(unreadable)", Field::Odd, theme.warn),
    ] {
        let same = flags.iter().filter(|(_, own)| **own == state);
        let names: Vec<&str> = same.map(|(name, _)| *name).collect();
        if !names.is_empty() {
            writer.value(label, Line::styled(names.join(", "), style));
        }
    }
}

/// Where the live answer is from, and in what it differs from the local record.
fn provenance(
    provenance: &Provenance,
    local: Option<LocalRecordOfTag<'_>>,
    live: &Tag,
    writer: &mut SheetWriter<'_>,
) {
    writer.begin("Provenance", "", SectionSide::Both);
    let asked = writer.asked(provenance);
    writer.put(asked);
    let at = format!("{}, live", words::instant(provenance.asked_at));
    writer.value("answer", Line::raw(at));
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
        writer.value("local", Line::raw(text));
    }
}

/// The URL of a website, normalized, or why a browser must not open it.
pub(super) fn web_page(website: &str) -> Result<String, &'static str> {
    let url = Url::parse(website.trim()).map_err(|_| "is no URL")?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("is no http or https address");
    }
    // It would be sent to the host, and hides which host that is.
    if !url.username().is_empty() || url.password().is_some() {
        return Err("contains a user name or password");
    }
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use super::web_page;

    #[test]
    fn only_web_pages_are_opened() {
        const SECRET: &str = "contains a user name or password";
        for (website, opened) in [
            (
                " https://acme.example/a b ",
                Ok("https://acme.example/a%20b"),
            ),
            ("http://acme.example", Ok("http://acme.example/")),
            ("acme.example", Err("is no URL")),
            ("file:///etc/hosts", Err("is no http or https address")),
            ("javascript:alert(1)", Err("is no http or https address")),
            ("", Err("is no URL")),
            ("https://acme.example@b.example", Err(SECRET)),
            ("https://:secret@acme.example/", Err(SECRET)),
            ("https://user:pass@acme.example/", Err(SECRET)),
        ] {
            let page = web_page(website);
            assert_eq!(page.as_deref().map_err(|why| *why), opened, "{website}");
        }
    }
}
