//! The metadata of a tag as a page: every field of the contract (part 2.6), with absent and null shown as different
//! and from what could not be read. Rows that name other tags, addresses or records lead there.

mod uses;

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use serde_json::Value;
use url::Url;

use super::{
    known_tags::KnownTags,
    list::{TagCase, TagStatus},
};
use crate::{
    contract::LookupQuery,
    engine::{LocalTag, Provenance, TagChange, TagChanges},
    model::{Field, Tag, TagName, visible},
    report::{each, of_tag},
    store::{Generation, Moment, diff::ChangeKind},
    tui::{
        ctx::{Destination, Meaning, Sheet, SheetWriter, ViewCtx, failure},
        ui::{
            Column, PageRow, SectionSide, Theme, Width,
            words::{self, decimal, number},
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
        let local = self.local();
        match (self.case.live.value(), local) {
            (Some(fetched), _) => {
                self.metadata(&fetched.value, fetched.document.lossy(), &mut writer);
                provenance(&fetched.provenance, local, &fetched.value, &mut writer);
            }
            (None, Some(local)) => {
                let LocalTag { tag, document, .. } = local.tag;
                self.metadata(tag, document.lossy(), &mut writer);
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
        metrics(tag, writer);
        if let Some(changes) = self.known.changes()
            && let Some(change) = changes.find(self.name)
        {
            difference(changes, change, writer);
        }
        relations(tag, writer);
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
                writer.put(Line::raw(match self.known.list() {
                    _ if live.was_stopped() => "You stopped waiting for the metadata of this tag.",
                    Some(_) => "The local service-metrics feed has no such tag.",
                    None => "The metadata of this tag was not fetched yet.",
                }));
                let lack = self.ctx.facts.lack();
                writer.remark(
                    lack.as_deref()
                        .unwrap_or("enter or R fetches it: free, no query"),
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
            let meaning = Meaning::new("tag", named).to(tag.tag_name().map(Destination::Tag));
            writer.stop(Line::styled(text, theme.warn), meaning);
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
        writer.stop(description, meaning);
        let text = |field: &Field<String>| match field {
            Field::Is(text) if text.trim().is_empty() => Line::styled("(empty)", theme.dim),
            field => words::shown(field, theme, String::clone),
        };
        writer.value("name", text(&tag.name));
        match tag.website.text() {
            Some(url) => {
                let opens = Span::styled("  o opens it", theme.dim);
                let line = Line::raw(visible(url).into_owned()) + opens;
                writer.stop(
                    PageRow::field("website", line),
                    Meaning::new("website", url),
                );
            }
            None => writer.value("website", text(&tag.website)),
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
            let how = format!("  {role}, looked up {at}");
            let value = format!("{address}{day}");
            let line = Line::raw(value.clone()) + Span::styled(how, writer.theme.dim);
            let meaning = Meaning::new(role, value).to(Destination::AtHand(sighting.query));
            writer.stop(line, meaning);
        }
    }
}

/// The size of a service, in one row of numbers.
fn metrics(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let remark = "devices on average; churn without a unit";
    writer.begin("Metrics", remark, SectionSide::Both);
    let Some(metrics) = tag.metrics.is() else {
        let why = words::shown(&tag.metrics, theme, |_| String::new());
        return writer.value("metrics", why);
    };
    let count = |field: &Field<u64>| field.as_ref().map(|count| number(*count));
    let rate = |field: &Field<f64>| field.as_ref().map(|value| decimal(*value));
    let values = [
        (
            "averageDeviceCount",
            "DEVICES",
            rate(&metrics.average_device_count),
        ),
        ("churnRate", "CHURN", rate(&metrics.churn_rate)),
        ("distinctIPs", "ADDRESSES", count(&metrics.distinct_ips)),
        ("distinctASNs", "ASNS", count(&metrics.distinct_asns)),
        ("distinctISPs", "ISPS", count(&metrics.distinct_isps)),
        (
            "distinctCountries",
            "COUNTRIES",
            count(&metrics.distinct_countries),
        ),
    ];
    let (mut columns, mut cells) = (Vec::new(), Vec::new());
    for (rank, (_, head, value)) in (0..).zip(&values) {
        if let Field::Is(value) = value {
            let column = Column::new(*head, Width::Min(0)).right();
            columns.push(column.rank(u8::saturating_sub(rank, 1)));
            cells.push(Line::raw(value.clone()));
        }
    }
    writer.columns(columns);
    let copied = values.iter().map(|(wire, _, value)| {
        let value = words::plain(value, String::clone);
        format!("{wire} {value}")
    });
    writer.cells(cells, Meaning::new("metrics", each(copied, "  ")));
    // A missing value must not take the room of a known one.
    let missing = values.iter().filter(|(.., value)| value.is().is_none());
    let missing = missing.map(|(_, head, value)| (words::plain(value, String::clone), *head));
    for (state, heads) in grouped(missing) {
        writer.put(PageRow::field(state, Line::styled(heads, theme.dim)));
    }
}

/// The names with the same state, separated by commas.
fn grouped(names: impl IntoIterator<Item = (String, &'static str)>) -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for (state, name) in names {
        match groups.iter_mut().find(|(known, _)| *known == state) {
            Some((_, names)) => *names += &format!(", {name}"),
            None => groups.push((state, name.to_owned())),
        }
    }
    groups
}

/// The related tags, one row each, to open them; those without a row by what they are instead:
/// `none: aliases   (absent): resells   no other: all tags`.
fn relations(tag: &Tag, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let leads = tag.relations();
    let remark = "enter follows, backspace returns";
    writer.begin("Graph", remark, SectionSide::Both);
    let alias_of = tag.alias_of.as_ref().map(|name| vec![name.clone()]);
    let resells = tag.resells.as_ref();
    let resells = resells.map(|resold| resold.iter().map(resold_name).collect());
    let mut without = Vec::new();
    for (wire, label, names) in [
        ("aliasOf", "alias of", &alias_of),
        ("aliases", "aliases", &tag.aliases),
        ("resoldBy", "resold by", &tag.resold_by),
        ("resells", "resells", &resells),
        ("allTags", "all tags", &others(tag)),
    ] {
        match names {
            Field::Is(names) if names.is_empty() => {
                // All tags of a service are its own name and those above.
                let is_above = wire == "allTags" && !tag.all_tags.items().is_empty();
                let state = if is_above { "no other" } else { "none" };
                without.push((state.to_owned(), label));
            }
            Field::Is(names) => {
                for (at, name) in names.iter().enumerate() {
                    let mut own = leads.iter().filter(|lead| lead.label == wire);
                    let lead = own.find(|lead| lead.tag.as_str() == name);
                    let lead = lead.map(|lead| Destination::Tag(lead.tag.clone()));
                    let style = match lead {
                        Some(_) => theme.accent,
                        None => theme.text,
                    };
                    let line = Line::styled(visible(name).into_owned(), style);
                    let row = PageRow::field(if at == 0 { label } else { "" }, line);
                    writer.stop(row, Meaning::new(label, name).to(lead));
                }
            }
            names => without.push((words::plain(names, |_| String::new()), label)),
        }
    }
    let without = grouped(without).into_iter();
    let without: Vec<_> = without
        .map(|(state, names)| format!("{state}: {names}"))
        .collect();
    if !without.is_empty() {
        writer.remark(without.join("   "));
    }
}

/// All tags of the service without those that are in the rows above.
fn others(tag: &Tag) -> Field<Vec<String>> {
    let is_above = |name: &&String| {
        tag.tag.text() == Some(name)
            || tag.alias_of.text() == Some(name)
            || tag.aliases.items().contains(name)
    };
    let others = |names: &Vec<String>| {
        names
            .iter()
            .filter(|name| !is_above(name))
            .cloned()
            .collect()
    };
    tag.all_tags.as_ref().map(others)
}

/// What a service resells; the contract does not say how it is written, so whatever is there is shown.
fn resold_name(entry: &Value) -> String {
    let named = entry.get("tag").unwrap_or(entry).as_str();
    named.map_or_else(|| entry.to_string(), str::to_owned)
}

/// What changed since the release before.
fn difference(changes: &TagChanges, change: &TagChange, writer: &mut SheetWriter<'_>) {
    let title = format!("Since {}", changes.since.dashed());
    writer.begin(title, "", SectionSide::Both);
    match change.kind {
        ChangeKind::Added => writer.put(Line::raw("+ added")),
        ChangeKind::Removed => writer.warning("- removed: this is its last record"),
        ChangeKind::Changed => {
            for difference in change.differences.iter().take(MOST) {
                let [before, after] = [&difference.a, &difference.b]
                    .map(|text| text.as_deref().unwrap_or("(absent)"));
                let text = format!("{before} -> {after}");
                let path = format!("{}  ", visible(&difference.path));
                let line =
                    Span::styled(path, writer.theme.label) + visible(&text).into_owned().into();
                writer.stop(line, Meaning::new(difference.path.clone(), text));
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
    let theme = writer.theme;
    writer.begin("Kind", "", SectionSide::Right);
    for (label, list) in [
        ("categories", &tag.categories),
        ("platforms", &tag.platforms),
        ("protocols", &tag.protocols),
        ("targeting", &tag.targeting_types),
    ] {
        let line = words::shown(list, theme, |items| match items.as_slice() {
            [] => "none".to_owned(),
            items => items.join("  "),
        });
        writer.value(label, line);
    }
    let age = words::shown(&tag.max_age_days, theme, |days| {
        format!("{} days", decimal(*days))
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
    let in_feed = in_feed.into_iter().filter(|(_, field)| !field.is_absent());
    let flags: Vec<_> = flags.into_iter().chain(in_feed).collect();
    let Theme {
        text, dim, warn, ..
    } = *writer.theme;
    for (label, state, style) in [
        ("yes", Field::Is(true), text),
        ("no", Field::Is(false), dim),
        ("(absent)", Field::Absent, dim),
        ("(null)", Field::Null, dim),
        ("(unreadable)", Field::Odd, warn),
    ] {
        let same = flags.iter().filter(|(_, field)| **field == state);
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
    writer.asked(provenance);
    let at = words::instant(provenance.asked_at);
    writer.value("answer", format!("{at}, live"));
    if let Some(local) = local {
        let (before, after) = (of_tag(&local.tag.tag), of_tag(live));
        let differ = after.iter().filter(|fact| {
            let same = before.iter().find(|other| other.label == fact.label);
            same.is_none_or(|other| other.cell.text != fact.cell.text)
        });
        let differ: Vec<&str> = differ.map(|fact| fact.label.as_ref()).collect();
        let day = local.moment.dashed();
        writer.value(
            "local",
            match differ.as_slice() {
                [] => format!("service-metrics of {day} agrees"),
                differ => format!("service-metrics of {day} differs: {}", differ.join(", ")),
            },
        );
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
