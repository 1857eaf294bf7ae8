//! Questions and answers, as data, tied in one table.

use std::{net::IpAddr, ops::Range, path::PathBuf, sync::Arc};

use ipnet::IpNet;

use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{
        self, Deleted, DiffPage, Entered, Error, ExportFileRun, ExportRun, Family, Fetched,
        FetchedListing, Health, Kind, LocalPreview, LocalTags, OnDisk, PartialDownload, Pinned,
        Preset, Probed, PullQuery, Pulled, Sample, SavedExports, Statement, TablePage, TableQuery,
        TagChanges, Unfinished, VerifiedRelease,
        answers::{BatchEnd, PossiblySpent},
        config::GuardSettings,
        views::{
            ClauseCount, CommonQuery, FacetCounts, HeldWithin, OfFeeds, Pivots, RecordName,
            TagCounts, TagUse, ViewPage, ViewQuery,
        },
    },
    investigation::{
        blocklist::{ListCheck, ListFile as BlockFile, ListWriting},
        collateral::Collateral,
        common::Common,
        explanation::Explanation,
        gather::GatheredText,
        history::{History, HistoryQuery},
    },
    model::{Day, Document, FeedMetadata, Keyword, Status, Subject, Tag, TagName},
    report::{BoardFindings, ComparedList, EventVerdicts},
    store::{
        Deletable, Filter, Moment,
        diff::{ListedChanges, Summary},
        index::{Facet, FacetBy},
        layout::Release,
    },
};

use super::{GatherQuery, ListFile};

/// Identifies a question. Numbers are never reused in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// Maps each question to the type of its answer.
macro_rules! requests {
    ($($answer:ident($type:ty): $($(#[$doc:meta])* $question:ident $(($($field:ty),+))?),+;)+) => {
        /// A question. Questions are data, so that tests can compare them.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Question {
            $($($(#[$doc])* $question $(($($field),+))?,)+)+
        }

        /// An answer.
        #[derive(Clone, Debug)]
        pub enum Answer {
            $($answer($type),)+
        }

        impl Question {
            /// Whether an answer has the type that the question requires.
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
    /// Whether an answer to this question resolves the failure of another: both are the same question, or about the same record.
    #[must_use]
    pub fn makes_up_for(&self, failed: &Self) -> bool {
        match (self, failed) {
            (
                Self::Lookup(query) | Self::Resolve(query),
                Self::Lookup(other) | Self::Resolve(other),
            ) => query == other,
            _ => self == failed,
        }
    }
}

pub trait FromAnswer: Sized {
    /// The answer as this type, if it has it.
    fn of(answer: Answer) -> Option<Self>;

    /// The result of a question as this type.
    ///
    /// # Errors
    /// The error of the result; an internal error if the answer has another type, so that nothing waits forever.
    fn of_result(result: Result<Answer, Error>) -> Result<Self, Error> {
        Self::of(result?).ok_or_else(mismatch)
    }
}

/// The error for an answer of a wrong type.
#[must_use]
pub fn mismatch() -> Error {
    Error::new(
        Kind::Machine,
        "an answer arrived for another question: a bug in this program",
    )
}

requests! {
    Lookup(engine::LookupAnswer):
        /// The live record of an address. Costs a query.
        Lookup(LookupQuery);
    Resolved(Option<engine::LookupAnswer>):
        /// The answer about an address by the policy, in two parts. The first has the local and cached answers. If they do not
        /// replace a query, one is sent under the same job, which costs it; else the second part is empty.
        Resolve(LookupQuery);
    Sources(Box<engine::Sources>):
        /// The local and cached answers about an address. Free, sends nothing.
        Sources(LookupQuery);
    EventVerdicts(EventVerdicts):
        /// What the verdicts on these addresses rested on, on a day of their events.
        EventVerdicts(Arc<[IpAddr]>, Day);
    BestAnswers(BoardFindings):
        /// The best local or cached answer about each address, for a day or from the newest releases. Free, sends nothing.
        BestAnswers(Arc<[IpAddr]>, Option<Day>);
    LookedUp(BatchEnd):
        /// The answers to these lookups. Costs a query each. Each is told of by itself before the end.
        LookUpAll(Arc<[LookupQuery]>, PossiblySpent);
    Explained(Box<Explanation>):
        /// What a field or a value means. Free, sends nothing.
        Explain(String);
    Common(Box<Common>):
        /// What records share and the rest of their feed does not. Free, sends nothing.
        Common(CommonQuery);
    Gathered(Box<GatheredText>):
        /// The addresses of a text; a pasted one is kept if it has several. Free, sends nothing.
        Gather(GatherQuery);
    Compared(ComparedList):
        /// What two sides, by their names, say of each address or record. Free, sends nothing.
        Compare([String; 2]);
    Page(ViewPage):
        /// Rows of a view of a local release.
        Page(ViewQuery, Range<u64>);
    Position(Option<u64>):
        /// The position in a view of an address's record, or of the first record of a network.
        Position(ViewQuery, IpNet);
    Names(Vec<RecordName>):
        /// The names of the records at these positions of a view.
        Names(ViewQuery, Range<u64>);
    HeldWithin(HeldWithin):
        /// The number of records within a network in each local feed.
        HeldWithin(IpNet);
    Facets(Vec<FacetCounts>):
        /// The most frequent values of fields among the records of a view, with a maximum number for each.
        Facets(ViewQuery, Vec<FacetBy>, usize),
        /// The operators in the records of a view, such as those of a network.
        Operators(ViewQuery);
    Values(Vec<Facet>):
        /// The values of a field among the records of a view that contain a text, up to a maximum number.
        Values(ViewQuery, Keyword, String, usize);
    Clauses(Vec<ClauseCount>):
        /// For each clause of a view's filter, the records that it matches.
        Clauses(ViewQuery);
    Pivots(Pivots):
        /// The other records in the local feeds that share something with this record; of a day, else the newest.
        Pivots(Subject, Document, Option<Day>);
    History(Option<Arc<History>>):
        /// What is at hand of each day about an address; nothing where no day is.
        History(Box<HistoryQuery>);
    TagUses(OfFeeds<TagUse>):
        /// The uses of a tag in the local feeds.
        TagUses(TagName);
    LocalTags(LocalTags):
        /// The tags of the local service-metrics feed.
        LocalTags;
    TagChanges(Option<Arc<TagChanges>>):
        /// The changes of the local service-metrics feed since its previous release.
        TagChanges;
    TagCounts(OfFeeds<TagCounts>):
        /// The number of records in the local feeds that name each tag.
        TagCounts;
    Tag(Fetched<Tag>):
        Tag(TagName);
    Status(Fetched<Status>):
        Status;
    Probed(Vec<Probed>):
        /// The access of the token at each host.
        Probe,
        /// Switches to this token, and saves it if requested. Answers with the access at each host.
        Login(Entered);
    Ledger(Statement):
        /// The queries that this program spent.
        Ledger;
    GuardsChanged(GuardSettings):
        /// Switches to these guards, and saves them in the configuration file.
        ChangeGuards(GuardSettings);
    Metadata(Fetched<FeedMetadata>):
        Metadata(Feed);
    Listed(FetchedListing):
        Runs(Feed),
        Files(Feed, Day);
    Releases(OnDisk):
        Releases;
    Loads(Vec<engine::warehouse::Load>):
        /// The days that are in the warehouse of the profile.
        Loads;
    Diff(DiffPage):
        /// The records that differ between two local days, at these positions.
        Diff(DiffQuery, Range<u64>);
    DiffSummary(Summary):
        /// The numbers of those records.
        DiffSummary(DiffQuery);
    Unfinished(Unfinished):
        /// The downloads that earlier runs left unfinished; those to be resumed are reported once.
        Unfinished;
    Health(Health):
        /// Unknown keys and unreadable values in a sample of the newest local release of a feed.
        Health(Feed);
    Pulled(Pulled):
        Pull(PullQuery);
    Left(Option<PartialDownload>):
        /// The received part of a stopped download.
        LeftOf(PullQuery),
        /// Deletes the received part of a stopped download. Answers with what was deleted.
        DeletePart(PullQuery);
    Pinned(Pinned):
        /// Pins a local release, or leaves it to the retention rule again.
        Pin(Feed, Moment, bool);
    Verified(Vec<VerifiedRelease>):
        /// Verifies that the newest local release of a feed is unchanged since its publication.
        Verify(Feed);
    Reindexed(Release):
        /// Rebuilds the index of the newest local release of a feed.
        Reindex(Feed);
    Deleted(Deleted):
        /// Deletes these local releases of a feed. Can be undone until the program ends.
        Delete(Feed, Vec<Deletable>),
        /// Restores deleted releases.
        Undelete(Deleted);
    Saved(PathBuf):
        /// Writes the documentation of a feed to a file with this name. Never overwrites.
        Readme(Feed, PathBuf);
    Exported(ExportFileRun):
        /// Exports from the service to a file.
        Export(ExportRun),
        /// Exports from the local release to a file. Free, sends nothing.
        ExportLocal(ExportRun);
    Sample(Sample):
        /// A few rows from the service, not saved.
        Preview(ExportQuery);
    LocalPreview(LocalPreview):
        /// The first rows of a local export, and the number of changes of a diff. Free, sends nothing.
        LocalPreview(ExportQuery);
    SavedExports(SavedExports):
        /// The presets of exports, and the exports that were run.
        SavedExports,
        /// Saves an export as a preset with a name.
        SavePreset(String, ExportQuery),
        DeletePreset(Preset);
    ExportRows(TablePage):
        ExportRows(TableQuery, Range<u64>);
    Written(WrittenList):
        /// Writes a list to a file, whole or not at all. Free, sends nothing.
        WriteList(Box<ListFile>);
    ListCheck(Box<ListCheck>):
        /// What a list to block by would be, and who is behind it. Free, sends nothing.
        ListCheck(Box<ListAsk>);
    ListPeople(Option<Box<Collateral>>):
        /// Who is behind a list of records to block, sooner than what else it would be. Free, sends nothing.
        ListPeople(Box<ListAsk>);
    BlockListed(Vec<BlockFile>):
        /// Writes a list to block by to files, whole or not at all. Free, sends nothing.
        WriteBlockList(Box<ListAsk>, Box<ListWriting>);
    IsThere(bool):
        /// Whether a file with this name exists.
        IsThere(PathBuf);
    Trail(engine::SavedTrail):
        /// The trail of earlier runs.
        Trail;
}

/// A list that was written to a file: how many rows, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenList {
    pub rows: u64,
    pub path: PathBuf,
}

/// A list to block by, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListAsk {
    pub of: ListOf,
    /// What is spared beside what the configuration spares.
    pub spared: Vec<IpNet>,
    pub families: Vec<Family>,
    /// How many addresses may be beyond it, in a hundred.
    pub max_beyond: Option<u8>,
}

/// What a list is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListOf {
    Records(Feed, Option<Day>, Filter),
    Networks(Arc<[IpNet]>),
}

/// Two local days of a feed to compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffQuery {
    pub feed: Feed,
    pub from: Day,
    pub to: Day,
    /// The filter for both days.
    pub filter: Filter,
    /// The records in the list. Counts always include all.
    pub listed: ListedChanges,
}

/// The reply to a question of a tab.
#[derive(Debug)]
pub struct TabReply<'q> {
    pub job: JobId,
    /// The question.
    pub question: &'q Question,
    pub result: Result<Answer, Error>,
}

impl TabReply<'_> {
    /// The error, if there is one.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.result
            .as_ref()
            .err()
            .map(|error| error.message.clone())
    }
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
