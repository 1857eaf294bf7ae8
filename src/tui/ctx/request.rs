//! Questions and answers, as data, tied in one table.

use std::{net::IpAddr, ops::Range, path::PathBuf, sync::Arc};

use ipnet::IpNet;

use crate::{
    contract::{BaseUrl, ExportQuery, Feed, Host, LookupQuery, Token},
    engine::{
        self, Deleted, DiffRecord, Error, ExportFileRun, ExportRun, Fetched, FetchedListing,
        Health, Kind, LocalPreview, LocalRecord, LocalTags, OnDisk, PartialDownload, Pinned,
        Preset, Probed, PullQuery, Pulled, Sample, SavedExports, Sound, Statement, TablePage,
        TableQuery, TagChanges, Unfinished,
        answers::BestAnswers,
        config::GuardSettings,
        views::{
            ClauseCount, FacetCounts, HeldWithin, OfFeeds, Pivots, RecordName, Since, TagCounts,
            TagUse, ViewPage, ViewQuery,
        },
    },
    model::{Day, Document, FeedMetadata, Keyword, Status, Subject, Tag, TagName},
    report::BoardFinding,
    store::{
        Deletable, Filter, Moment,
        diff::{ChangeKind, Summary},
        index::{Facet, FacetBy},
        layout::Release,
    },
};

/// Tells questions apart. Numbers are never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// Ties each question to the type of its answer.
macro_rules! requests {
    ($($answer:ident($type:ty): $($(#[$doc:meta])* $question:ident $(($($field:ty),+))?),+;)+) => {
        /// What can be asked. Questions are data, so that tests compare them.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Question {
            $($($(#[$doc])* $question $(($($field),+))?,)+)+
        }

        /// What was found.
        #[derive(Clone, Debug)]
        pub enum Answer {
            $($answer($type),)+
        }

        impl Question {
            /// Whether an answer is of the type that the question asks for.
            #[must_use]
            pub fn is_answered_by(&self, answer: &Answer) -> bool {
                match self {
                    $($(Self::$question { .. } => matches!(answer, Answer::$answer(_)),)+)+
                }
            }
        }

        $(impl FromAnswer for $type {
            fn of(answer: Answer) -> Option<Self> {
                match answer {
                    Answer::$answer(value) => Some(value),
                    _ => None,
                }
            }
        })+
    };
}

impl Question {
    /// Whether an answer to this makes up for the failure of the other: both are the same question, or about the same record.
    #[must_use]
    pub fn makes_up_for(&self, failed: &Self) -> bool {
        match (self, failed) {
            (
                Self::Lookup(own) | Self::Resolve(own),
                Self::Lookup(other) | Self::Resolve(other),
            ) => own == other,
            _ => self == failed,
        }
    }
}

pub trait FromAnswer: Sized {
    /// The answer, if it is one of this type.
    fn of(answer: Answer) -> Option<Self>;

    /// The result of a question, as this type. An answer of another type is an error, so that nothing waits for ever.
    ///
    /// # Errors
    /// The error of the result; a bug in this program where the answer is of another type.
    fn of_result(result: Result<Answer, Error>) -> Result<Self, Error> {
        Self::of(result?).ok_or_else(mismatch)
    }
}

/// An answer of another type than the question asks for.
#[must_use]
pub fn mismatch() -> Error {
    Error::new(
        Kind::Machine,
        "an answer arrived for another question: a bug in this program",
    )
}

requests! {
    Lookup(engine::LookupAnswer):
        /// The live record of an address: costs a query.
        Lookup(LookupQuery);
    Resolved(Option<engine::LookupAnswer>):
        /// The answer about an address by the policy, in two parts: what is local or cached comes first, and where that does not
        /// replace a query, one is sent under the same job. Costs a query then, and answers with nothing more where none is sent.
        Resolve(LookupQuery);
    Sources(Box<engine::Sources>):
        /// The local and cached answers about an address: costs nothing, sends nothing.
        Sources(LookupQuery);
    BestAnswers(BestAnswers<BoardFinding>):
        /// The best local or cached answer about each address, of a day or the newest ones: costs nothing, sends nothing.
        BestAnswers(Arc<[IpAddr]>, Option<Day>);
    Page(ViewPage):
        /// Rows of a view of a local release.
        Page(ViewQuery, Range<u64>);
    Position(Option<u64>):
        /// Where in a view the record of an address is, or the first one of a network.
        Position(ViewQuery, IpNet);
    Names(Vec<RecordName>):
        /// What the records at these positions of a view are called.
        Names(ViewQuery, Range<u64>);
    HeldWithin(HeldWithin):
        /// How many records about a network each local feed holds.
        HeldWithin(IpNet);
    Facets(Vec<FacetCounts>):
        /// The most frequent values of fields among the records of a view, no more than so many of each.
        Facets(ViewQuery, Vec<FacetBy>, usize),
        /// The operators that the records of a view name, of a network for instance.
        Operators(ViewQuery);
    Values(Vec<Facet>):
        /// The values of a field among the records of a view that have a text in them, no more than so many.
        Values(ViewQuery, Keyword, String, usize);
    Clauses(Vec<ClauseCount>):
        /// What each clause of a view's filter selects.
        Clauses(ViewQuery);
    Pivots(Pivots):
        /// What else in the local feeds shares something with this record about an address or network.
        Pivots(Subject, Document);
    Since(Option<Since>):
        /// Since when a local record reads as it does.
        Since(Box<LocalRecord>);
    TagUses(OfFeeds<TagUse>):
        /// How a tag is used in the local feeds.
        TagUses(TagName);
    LocalTags(LocalTags):
        /// The tags of the local service-metrics feed.
        LocalTags;
    TagChanges(Option<Arc<TagChanges>>):
        /// What changed in the local service-metrics feed since its release before.
        TagChanges;
    TagCounts(OfFeeds<TagCounts>):
        /// How many records of the local feeds name each tag.
        TagCounts;
    Tag(Fetched<Tag>):
        Tag(TagName);
    Status(Fetched<Status>):
        Status;
    Probed(Vec<Probed>):
        /// What each host allows.
        Probe,
        /// Use this token from now on, and keep what was entered if so asked. Answers with what the hosts say of it.
        Login(Entered);
    Ledger(Statement):
        /// What this program spent.
        Ledger;
    GuardsChanged(GuardSettings):
        /// Use these guards from now on, and keep them in the configuration file.
        ChangeGuards(GuardSettings);
    Metadata(Fetched<FeedMetadata>):
        Metadata(Feed);
    Listed(FetchedListing):
        Runs(Feed),
        Files(Feed, Day);
    Releases(OnDisk):
        Releases;
    Diff(Vec<DiffRecord>):
        /// The records that two local days do not share, at these positions.
        Diff(DiffQuery, Range<u64>);
    DiffSummary(Summary):
        /// The same in numbers.
        DiffSummary(DiffQuery);
    Unfinished(Unfinished):
        /// The downloads that an earlier run has not completed; those that are to resume are reported once.
        Unfinished;
    Health(Health):
        /// Unknown keys and unreadable values in a sample of the newest local release of a feed.
        Health(Feed);
    Pulled(Pulled):
        Pull(PullQuery);
    Left(Option<PartialDownload>):
        /// What is left of a download that was stopped.
        LeftOf(PullQuery),
        /// Delete what was received of a stopped download. Answers with what that was.
        DeletePart(PullQuery);
    Pinned(Pinned):
        /// Keep a local release until it is deleted, or leave it to the keep rule again.
        Pin(Feed, Moment, bool);
    Verified(Vec<Sound>):
        /// Whether the newest local release of a feed is what it was when it was published.
        Verify(Feed);
    Reindexed(Release):
        /// The index of the newest local release of a feed, built again.
        Reindex(Feed);
    Deleted(Deleted):
        /// Delete these local releases of a feed; until the program ends that can be undone.
        Delete(Feed, Vec<Deletable>),
        /// Put back what was deleted.
        Undelete(Deleted);
    Saved(PathBuf):
        /// The documentation of a feed, as a file of this name. A file that is there stays.
        Readme(Feed, PathBuf);
    Exported(ExportFileRun):
        /// An export of the service, to a file.
        Export(ExportRun),
        /// The same of the local release: costs nothing, sends nothing.
        ExportLocal(ExportRun);
    Sample(Sample):
        /// A few rows from the service, not saved.
        Preview(ExportQuery);
    LocalPreview(LocalPreview):
        /// The first rows of a local export, and how many changes a diff has: costs nothing, sends nothing.
        LocalPreview(ExportQuery);
    SavedExports(SavedExports):
        /// The presets of exports, and the exports that were run.
        SavedExports,
        /// Keep an export under a name.
        SavePreset(String, ExportQuery),
        DeletePreset(Preset);
    ExportRows(TablePage):
        ExportRows(TableQuery, Range<u64>);
    IsThere(bool):
        /// Whether there is a file of this name.
        IsThere(PathBuf);
    Trail(engine::SavedTrail):
        /// The trail of earlier runs.
        Trail;
}

/// What was entered of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The token; none where the present one stays.
    pub token: Option<Token>,
    /// The addresses that are others than before.
    pub urls: Vec<(Host, BaseUrl)>,
    /// Whether it is kept.
    pub keep: Keep,
}

/// Whether a token is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In the profile's token file.
    InFile,
    /// For this run only.
    ForNow,
}

impl Entered {
    /// What was entered last, over what was entered before.
    #[must_use]
    pub fn over(mut self, before: Option<Self>) -> Self {
        let before = before.into_iter();
        for older in before {
            let is_newer = |host: &Host| self.urls.iter().any(|(own, _)| own == host);
            let kept: Vec<_> = older
                .urls
                .into_iter()
                .filter(|(host, _)| !is_newer(host))
                .collect();
            self.urls.extend(kept);
            self.token = self.token.or(older.token);
        }
        self
    }
}

/// Two local days of a feed, to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffQuery {
    pub feed: Feed,
    pub from: Day,
    pub to: Day,
    /// The records that are compared.
    pub filter: Filter,
    /// The kind of records that are listed; all where there is none. Counts are of all kinds.
    pub kind: Option<ChangeKind>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_to_another_question_is_an_error() {
        let answer = || Answer::IsThere(true);
        assert_eq!(bool::of_result(Ok(answer())), Ok(true));
        assert!(Statement::of_result(Ok(answer())).is_err());
        assert!(Question::IsThere(PathBuf::new()).is_answered_by(&answer()));
        assert!(!Question::Ledger.is_answered_by(&answer()));
    }
}
