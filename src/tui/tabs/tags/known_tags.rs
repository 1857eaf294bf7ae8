//! What is known of tags without asking the Context API: the local service-metrics feed, what changed in it, how many records
//! of the local feeds name each tag, and what downloading it would take.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    contract::Feed,
    engine::{
        Error, Fetched, Kind, LocalTag, LocalTags, TagChanges,
        views::{OfFeeds, TagCount, TagCounts},
    },
    model::{FeedMetadata, TagName},
    store::layout::Release,
    tui::ctx::{Asked, Question, TabReply, UpdateCtx},
};

/// The tags of the local service-metrics feed.
#[derive(Debug)]
pub struct LocalList {
    pub release: Release,
    /// The tags that have a record.
    pub tags: BTreeMap<TagName, LocalTag>,
    /// Other tags of the same services, with the tag that has the record.
    pub aliases: BTreeMap<TagName, TagName>,
}

impl LocalList {
    fn from_tags(found: LocalTags) -> Self {
        let tags = found.tags.into_iter();
        let named = tags.filter_map(|tag| Some((TagName::new(tag.name()).ok()?, tag)));
        let tags: BTreeMap<TagName, LocalTag> = named.collect();
        let mut aliases = BTreeMap::new();
        for (name, local) in &tags {
            let others = local.names().filter_map(|other| TagName::new(other).ok());
            for other in others.filter(|other| !tags.contains_key(other)) {
                aliases.insert(other, name.clone());
            }
        }
        Self {
            release: found.release,
            tags,
            aliases,
        }
    }

    /// The record of a tag, else of the one that has it as another name.
    #[must_use]
    pub fn find(&self, name: &TagName) -> Option<&LocalTag> {
        let tag = self.tags.get(name);
        tag.or_else(|| self.tags.get(self.aliases.get(name)?))
    }
}

#[derive(Debug, Default)]
pub struct KnownTags {
    tags: Asked<Question, LocalList>,
    changes: Asked<Question, Option<Arc<TagChanges>>>,
    counts: Asked<Question, OfFeeds<TagCounts>>,
    offer: Asked<Question, Fetched<FeedMetadata>>,
}

impl KnownTags {
    /// Reads the local releases again; a reading under way continues.
    pub fn load(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.tags.ask(Question::LocalTags, ctx);
        self.changes.ask(Question::TagChanges, ctx);
        self.counts.ask(Question::TagCounts, ctx);
    }

    /// Reads the local releases after one was added: a reading under way may have missed it.
    pub fn reload(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.tags.ask_anew(Question::LocalTags, ctx);
        self.changes.ask_anew(Question::TagChanges, ctx);
        self.counts.ask_anew(Question::TagCounts, ctx);
    }

    /// Whether nothing was read yet, and nothing is being read.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.tags.is_untouched()
    }

    /// Takes an answer that is for it.
    pub fn settle(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let was_reading = self.is_reading();
        let reply = self.tags.settle_with(reply, LocalList::from_tags);
        let reply = reply.and_then(|reply| self.changes.settle(reply));
        let reply = reply.and_then(|reply| self.counts.settle(reply));
        reply.and_then(|reply| self.offer.settle(reply));
        let is_offered = was_reading && self.is_missing() && self.offer.is_untouched();
        if is_offered && ctx.facts.lack_of_feeds().is_none() {
            self.offer
                .ask(Question::Metadata(Feed::ServiceMetrics), ctx);
        }
    }

    #[must_use]
    pub fn list(&self) -> Option<&LocalList> {
        self.tags.value()
    }

    /// The record of a tag in it.
    #[must_use]
    pub fn find(&self, name: &TagName) -> Option<&LocalTag> {
        self.list()?.find(name)
    }

    /// Whether the feed is being read.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.tags.is_pending()
    }

    /// Whether the feed is not local.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let error = self.tags.error();
        error.is_some_and(|error| error.kind == Kind::NotFound)
    }

    /// Why the feed that is local could not be read.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.tags.error().filter(|_| !self.is_missing())
    }

    /// What changed since the release before.
    #[must_use]
    pub fn changes(&self) -> Option<&TagChanges> {
        self.changes.value()?.as_deref()
    }

    /// The tags of each local feed, counted; `None` until it is known which feeds are local.
    #[must_use]
    pub fn counts(&self) -> Option<&OfFeeds<TagCounts>> {
        self.counts.value()
    }

    /// The feed whose counts are in the list: the widest that is local.
    #[must_use]
    pub fn counted(&self) -> Option<&TagCounts> {
        let found = &self.counts()?.found;
        let of = |feed| found.iter().find(|counts| counts.feed == feed);
        of(Feed::AnonymousResidential).or_else(|| of(Feed::Anonymous))
    }

    /// How many records of that feed name a tag; none where no such feed is local.
    #[must_use]
    pub fn count_of(&self, name: &TagName) -> Option<TagCount> {
        let counts = self.counted()?;
        Some(counts.tags.get(name.as_str()).copied().unwrap_or_default())
    }

    /// The tag to ask a feed for in place of another name that no local record has.
    #[must_use]
    pub fn instead_of(&self, name: &TagName) -> Option<&TagName> {
        let tag = self.list()?.aliases.get(name)?;
        let is_named = |counts: &TagCounts| counts.tags.contains_key(name.as_str());
        let counts = self.counts();
        let is_named = counts.is_some_and(|counts| counts.found.iter().any(is_named));
        (!is_named).then_some(tag)
    }

    /// The size of the release that could be downloaded, as the service names it.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        let metadata = &self.offer.value()?.value;
        metadata.json.is()?.filesize.into_option()
    }
}
