//! What is known of tags without asking the Context API: the local service-metrics feed, what changed in it, how many records
//! of the local feeds name each tag, and what downloading it would take.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    contract::{Feed, Host},
    engine::{
        Error, Fetched, Kind, LocalTag, LocalTags, TagChanges,
        views::{OfFeeds, TagCount, TagCounts, UnusableFeed},
    },
    model::{FeedMetadata, Field, TagName},
    store::layout::Release,
    tui::ctx::{
        UpdateCtx,
        facts::{Facts, TokenState},
        remote::Remote,
        request::{FromAnswer, Question},
        tab::TabReply,
    },
};

/// The tags of the local service-metrics feed.
#[derive(Debug)]
pub struct LocalList {
    pub release: Release,
    /// Records that cannot be read as tags.
    pub unread: usize,
    tags: BTreeMap<TagName, LocalTag>,
    /// Other tags of the same services, with the tag that has the record.
    aliases: BTreeMap<TagName, TagName>,
}

impl LocalList {
    fn of(found: LocalTags) -> Self {
        let mut tags = BTreeMap::new();
        let mut unread = found.unread;
        for tag in found.tags {
            match TagName::new(tag.name()) {
                Ok(name) => drop(tags.insert(name, tag)),
                Err(_) => unread += 1,
            }
        }
        let mut aliases = BTreeMap::new();
        for (name, local) in &tags {
            let others = [&local.tag.all_tags, &local.tag.aliases];
            let others = others.into_iter().flat_map(Field::items);
            let others = others.filter_map(|other| TagName::new(other).ok());
            for other in others.filter(|other| !tags.contains_key(other)) {
                aliases.insert(other, name.clone());
            }
        }
        Self {
            release: found.release,
            unread,
            tags,
            aliases,
        }
    }

    /// The record of a tag, else of the one that has it as another name.
    #[must_use]
    pub fn find(&self, name: &TagName) -> Option<&LocalTag> {
        let own = self.tags.get(name);
        own.or_else(|| self.tags.get(self.aliases.get(name)?))
    }

    /// The tag of which this is another name.
    #[must_use]
    pub fn canonical(&self, name: &TagName) -> Option<&TagName> {
        self.aliases.get(name)
    }

    /// The tags that have a record, by name.
    pub fn tags(&self) -> impl Iterator<Item = (&TagName, &LocalTag)> {
        self.tags.iter()
    }

    /// Other tags, each with the one that has the record, by name.
    pub fn aliases(&self) -> impl Iterator<Item = (&TagName, &TagName)> {
        self.aliases.iter()
    }

    /// How many tags have a record.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tags.len()
    }
}

#[derive(Debug, Default)]
pub struct KnownTags {
    tags: Remote<LocalList>,
    changes: Remote<Option<Arc<TagChanges>>>,
    counts: Remote<OfFeeds<TagCounts>>,
    offer: Remote<Fetched<FeedMetadata>>,
}

impl KnownTags {
    /// Reads it again; running work continues.
    pub fn load(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.tags.pending().is_none() {
            self.tags.begin(ctx.ask(Question::LocalTags));
        }
        if self.changes.pending().is_none() {
            self.changes.begin(ctx.ask(Question::TagChanges));
        }
        if self.counts.pending().is_none() {
            self.counts.begin(ctx.ask(Question::TagCounts));
        }
    }

    /// Reads the local releases after one was added: a reading under way may have missed it.
    pub fn reload(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.tags);
        ctx.stop(&mut self.changes);
        ctx.stop(&mut self.counts);
        self.load(ctx);
    }

    /// Whether nothing was read yet, and nothing is being read.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.tags.is_untouched()
    }

    /// Takes an answer in; returns whether it was waited for.
    pub fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) -> bool {
        match reply.question {
            Question::LocalTags => {
                let list = LocalTags::of_result(reply.result).map(LocalList::of);
                let accepted = self.tags.finish(reply.job, list);
                if accepted && self.is_missing() && self.offer.is_untouched() && can_ask(ctx.facts)
                {
                    let question = Question::Metadata(Feed::ServiceMetrics);
                    self.offer.begin(ctx.ask(question));
                }
                accepted
            }
            Question::TagChanges => self.changes.settle(reply.job, reply.result),
            Question::TagCounts => self.counts.settle(reply.job, reply.result),
            Question::Metadata(_) => self.offer.settle(reply.job, reply.result),
            _ => false,
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
        self.tags.pending().is_some()
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

    /// The counts of all local feeds, with those that could not be counted.
    #[must_use]
    pub fn all_counts(&self) -> Option<&OfFeeds<TagCounts>> {
        self.counts.value()
    }

    /// The local feeds with their counts of tags.
    #[must_use]
    pub fn counts(&self) -> &[TagCounts] {
        let counts = self.counts.value();
        counts.map_or(&[], |counts| counts.found.as_slice())
    }

    /// The local feeds whose tags could not be counted.
    #[must_use]
    pub fn unusable(&self) -> &[UnusableFeed] {
        let counts = self.counts.value();
        counts.map_or(&[], |counts| counts.unusable.as_slice())
    }

    /// Whether it was found out which feeds are local.
    #[must_use]
    pub fn has_counted(&self) -> bool {
        self.counts.value().is_some()
    }

    /// The feed whose counts are in the list: the widest that is local.
    #[must_use]
    pub fn counted(&self) -> Option<&TagCounts> {
        let of = |feed| self.counts().iter().find(|counts| counts.feed == feed);
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
        let tag = self.list()?.canonical(name)?;
        let is_named = |counts: &TagCounts| counts.tags.contains_key(name.as_str());
        (!self.counts().iter().any(is_named)).then_some(tag)
    }

    /// The size of the release that could be downloaded, as the service names it.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        let metadata = &self.offer.value()?.value;
        metadata.json.is()?.filesize.into_option()
    }
}

/// Whether the feeds host can be asked.
#[must_use]
pub fn can_ask(facts: &Facts) -> bool {
    !facts.offline && facts.token == TokenState::There && facts.url(Host::Feeds).is_some()
}
