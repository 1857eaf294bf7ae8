//! The tags of the local service-metrics feed.

use super::{OpenRelease, Releases};
use crate::{
    contract::Feed,
    engine::error::{Error, Kind, Result},
    model::{Document, Field, Tag, TagName},
    store::{Filter, StopFlag, index::QueryError, layout::Release},
};

/// More records than any list of services has: what holds more is something else, and is not read into memory.
const MOST: u64 = 100_000;

#[derive(Clone, Debug)]
pub struct LocalTags {
    pub release: Release,
    /// The tags, by name.
    pub tags: Vec<LocalTag>,
    /// Records that cannot be read as tags.
    pub unread: usize,
}

#[derive(Clone, Debug)]
pub struct LocalTag {
    /// What was read.
    pub tag: Tag,
    /// What was sent.
    pub document: Document,
}

impl LocalTag {
    fn read(line: &[u8]) -> Option<Self> {
        // What is no tag is counted by whoever reads.
        Self::of(Document::read(line).ok()?)
    }

    /// The tag of a record; `None` for a record that names none.
    #[must_use]
    pub fn of(document: Document) -> Option<Self> {
        let tag = Tag::decode(document.value()).ok()?;
        tag.tag.text()?;
        Some(Self { tag, document })
    }

    /// Its name; no tag here is without.
    #[must_use]
    pub fn name(&self) -> &str {
        self.tag.tag.text().unwrap_or_default()
    }

    /// All names that it goes by, its own first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let others = [&self.tag.all_tags, &self.tag.aliases];
        let others = others.into_iter().flat_map(Field::items);
        std::iter::once(self.name()).chain(others.map(String::as_str))
    }

    /// Whether one of its tags, its name, its description or one of its categories has this as a part, in any case.
    #[must_use]
    pub fn has(&self, part: &str) -> bool {
        let part = part.to_lowercase();
        let texts = self.tag.categories.items().iter().map(String::as_str);
        let words = [&self.tag.name, &self.tag.description].map(Field::text);
        let mut texts = texts.chain(words.into_iter().flatten()).chain(self.names());
        texts.any(|text| text.to_lowercase().contains(&part))
    }
}

impl LocalTags {
    /// The tag of this name, else the one that has it as another name.
    #[must_use]
    pub fn find(&self, name: &TagName) -> Option<&LocalTag> {
        let local_tag = self.tags.iter().find(|tag| tag.name() == name.as_str());
        local_tag.or_else(|| {
            self.tags
                .iter()
                .find(|tag| tag.names().any(|other| other == name.as_str()))
        })
    }

    /// The name that was most likely meant by one that is not here.
    #[must_use]
    pub fn nearest(&self, name: &TagName) -> Option<&str> {
        name.nearest(self.tags.iter().map(LocalTag::name))
    }
}

impl Releases {
    /// The tags of the newest local service-metrics feed.
    ///
    /// # Errors
    /// As [`Releases::open_local`]; [`Kind::Integrity`] when it holds something else than tags.
    pub async fn local_tags(&self) -> Result<LocalTags> {
        let opened = self.open_local(Feed::ServiceMetrics, None).await?;
        let release = opened.release.clone();
        if opened.index.records() > MOST {
            let message = format!(
                "the feed service-metrics of {} holds more than {MOST} records: these are not tags",
                release.manifest.moment.dashed()
            );
            return Err(Error::new(Kind::Integrity, message)
                .hint("download it again: `ipspect feeds pull service-metrics`"));
        }
        let (mut tags, unread) = self.with_local(opened, read).await?;
        tags.sort_by(|a, b| a.name().cmp(b.name()));
        Ok(LocalTags {
            release,
            tags,
            unread,
        })
    }
}

/// Reads all records.
fn read(opened: &OpenRelease, stop: &StopFlag) -> Result<(Vec<LocalTag>, usize), QueryError> {
    let all = opened.index.select(&Filter::default(), stop)?;
    let (mut tags, mut unread) = (Vec::new(), 0);
    let mut line = Vec::new();
    for row in all.rows() {
        if stop.is_stopped() {
            return Err(QueryError::Stopped);
        }
        line.clear();
        opened.index.line(row, &mut line)?;
        match LocalTag::read(&line) {
            Some(tag) => tags.push(tag),
            None => unread += 1,
        }
    }
    Ok((tags, unread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(line: &str) -> LocalTag {
        LocalTag::read(line.as_bytes()).expect(line)
    }

    #[test]
    fn a_tag_is_found_by_any_part_of_what_it_is_called() {
        let tag = tag(
            r#"{"tag":"ACME_VPN","name":"Acme Virtual","description":"Runs in Sampletown","aliases":["APEX_VPN"],
                "categories":["DATACENTER_PROXY"],"isNoLog":"true"}"#,
        );
        for part in ["acme", "VIRTUAL", "center_", "in sample", "apex", ""] {
            assert!(tag.has(part), "{part}");
        }
        assert!(!tag.has("true") && !tag.has("bravo"));
    }

    #[test]
    fn what_names_no_tag_is_none() {
        for line in [r#"{"name":"Acme"}"#, r#"{"tag":""}"#, "[]", "{"] {
            assert!(LocalTag::read(line.as_bytes()).is_none(), "{line}");
        }
    }
}
