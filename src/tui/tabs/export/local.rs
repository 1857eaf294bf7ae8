//! The local matches of the form: counted again with each change, free, nothing sent.
//!
//! Each answer is kept with the question that it answers. What answers an older form stays, marked as old, until the new is there; it
//! must never be taken for a number of the present form, nor for one of another feed, nor replace a failure.

use super::{
    preview::{PreviewOrigin, PreviewRows},
    vocabulary::keyword_of,
};
use crate::{
    contract::{ExportQuery, Feed, Output, Param, export::LIMIT},
    engine::{
        Kind, LocalPreview, LocalTags,
        views::{FacetCounts, View, ViewPage, ViewQuery},
    },
    model::Keyword,
    store::{
        Filter,
        export::Changes,
        index::{Facet, FacetBy, Order},
    },
    tui::ctx::{Asked, Question, UpdateCtx},
};

/// Values of a field that are fetched: more than any feed has.
const VALUES: usize = 20_000;

/// Rarer values that are fetched for what is typed.
const RARE: usize = 20;

/// The number of records of a view.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CountOf(ViewQuery);

impl From<CountOf> for Question {
    fn from(CountOf(view): CountOf) -> Self {
        Self::Page(view, 0..0)
    }
}

/// The values of tags, proxies and countries among the records of a view.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ValuesOf(pub(super) ViewQuery);

impl From<ValuesOf> for Question {
    fn from(ValuesOf(view): ValuesOf) -> Self {
        let fields = values_of(view.feed).map(FacetBy::Keyword).collect();
        Self::Facets(view, fields, VALUES)
    }
}

/// What is local of what the form asks for.
#[derive(Debug, Default)]
pub(super) struct LocalMatches {
    /// How many records match.
    pub(super) page: Asked<CountOf, ViewPage>,
    pub(super) values: Asked<ValuesOf, Vec<FacetCounts>>,
    /// Rarer values of a field, for what is typed.
    pub(super) rare: Asked<Question, Vec<Facet>>,
    /// The first rows of the output.
    pub(super) rows: Asked<Question, SampleRows>,
    /// All known tags.
    pub(super) tags: Asked<Question, LocalTags>,
}

/// Whether what is shown answers the form as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PreviewAge {
    Current,
    /// It answers an older form.
    Older,
}

impl PreviewAge {
    fn when(is_current: bool) -> Self {
        if is_current {
            Self::Current
        } else {
            Self::Older
        }
    }
}

/// The first rows of the output.
#[derive(Clone, Debug)]
pub(super) struct SampleRows {
    pub(super) shown: PreviewRows,
    bytes: u64,
    /// The changes of a diff in all.
    pub(super) changes: Option<Changes>,
    /// The values of fields among them.
    pub(super) changed: Vec<FacetCounts>,
}

impl SampleRows {
    pub(super) fn new(query: ExportQuery, preview: LocalPreview) -> Self {
        Self {
            shown: PreviewRows {
                origin: PreviewOrigin::Local(preview.origin),
                query,
                sample: preview.sample,
            },
            bytes: preview.bytes,
            changes: preview.changes,
            changed: preview.changed,
        }
    }

    /// Whether the output of a form has rows of this length: it differs in nothing but how many they are.
    fn is_alike(&self, query: &ExportQuery) -> bool {
        let export_query = ExportQuery {
            limit: query.limit,
            ..self.shown.query.clone()
        };
        export_query == *query
    }
}

/// The size of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) matches: u64,
    /// Records that the limit lets through.
    pub(super) kept: u64,
    /// Bytes, roughly; none where that cannot be said.
    pub(super) bytes: Option<u64>,
}

impl LocalMatches {
    /// Counts what the form asks for unless that was counted, and searches rarer values for what is typed.
    pub(super) fn follow(
        &mut self,
        query: &ExportQuery,
        sought: Option<(Keyword, String)>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let view = view_of(query);
        self.page.want(CountOf(view.clone()), ctx);
        if values_of(view.feed).next().is_some() {
            self.values.want(ValuesOf(view.clone()), ctx);
        }
        match sought {
            Some((field, part)) => {
                let question = Question::Values(view, field, part, RARE);
                self.rare.want(question, ctx);
            }
            None => self.rare.expire(ctx),
        }
        self.sample(query, ctx);
    }

    /// Whether nothing was counted yet.
    pub(super) fn is_untouched(&self) -> bool {
        self.page.is_untouched()
    }

    /// Counts again, whatever was counted: a release may have been added or removed.
    pub(super) fn count_again(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if self.tags.value().is_none() {
            self.tags.ask(Question::LocalTags, ctx);
        }
        self.page.expire(ctx);
        self.values.expire(ctx);
        self.rare.expire(ctx);
        self.rows.expire(ctx);
        self.follow(query, None, ctx);
    }

    /// Asks for the first rows of the form's request, unless they were the last question. While older ones are on their way
    /// the newest form waits for them, so that typing a number asks once or twice; those of other records are stopped.
    fn sample(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if query.is_refused() {
            return self.rows.expire(ctx);
        }
        let question = Question::LocalPreview(query.clone());
        match self.rows.question() {
            Some(Question::LocalPreview(export_query))
                if self.rows.is_pending()
                    && export_query != query
                    && export_query.feed == query.feed
                    && export_query.diff == query.diff => {}
            _ => self.rows.want(question, ctx),
        }
    }

    /// The view of the form's feed, and whether it is that of the present form.
    pub(super) fn view(&self, query: &ExportQuery) -> Option<(&View, PreviewAge)> {
        let (page, age) = aged(&self.page, |CountOf(view)| view, query)?;
        Some((&page.view, age))
    }

    /// The values of fields among the records of the form's feed, likewise.
    pub(super) fn facets(&self, query: &ExportQuery) -> Option<(&[FacetCounts], PreviewAge)> {
        let (counts, age) = aged(&self.values, |ValuesOf(view)| view, query)?;
        Some((counts, age))
    }

    /// Whether the feed is not local.
    pub(super) fn is_missing(&self) -> bool {
        let error = self.page.error();
        error.is_some_and(|error| error.kind == Kind::NotFound)
    }

    /// The rows of the form's feed, be they of the present form or of an older one.
    pub(super) fn rows_of(&self, query: &ExportQuery) -> Option<&SampleRows> {
        let rows = self.rows.value().filter(|_| self.rows.error().is_none());
        rows.filter(|rows| rows.shown.query.feed == query.feed && self.view(query).is_some())
    }

    /// The size of the output, as far as it was counted, and whether all of it was counted for this form.
    pub(super) fn expected(&self, query: &ExportQuery) -> Option<(Expected, PreviewAge)> {
        let rows = self.rows_of(query);
        let (view, mut age) = self.view(query)?;
        let matches = if query.diff {
            let changes = rows?.changes?;
            changes.added + changes.removed
        } else {
            view.count
        };
        let limit = match query.feed {
            Feed::Dch => u64::MAX,
            _ => query.limit.unwrap_or(LIMIT),
        };
        let kept = matches.min(limit);
        let is_current = rows.is_none_or(|rows| rows.shown.query == *query);
        if !is_current && (query.diff || rows.is_some_and(|rows| !rows.is_alike(query))) {
            age = PreviewAge::Older;
        }
        let bytes = rows
            .filter(|_| query.output != Output::Mmdb)
            .and_then(|rows| {
                let shown = rows.shown.sample.rows.len() as u64;
                let bytes = u128::from(rows.bytes) * u128::from(kept) / u128::from(shown.max(1));
                u64::try_from(bytes).ok()
            });
        let expected = Expected {
            matches,
            kept,
            bytes,
        };
        Some((expected, age))
    }

    /// How many records the limit lets through, where that was counted for this form.
    pub(super) fn settled(&self, query: &ExportQuery) -> Option<u64> {
        let (expected, _) = self.expected(query)?;
        let (_, age) = self.view(query)?;
        let is_current = |rows: &SampleRows| rows.shown.query == *query;
        let has_changes = !query.diff || self.rows_of(query).is_some_and(is_current);
        (age == PreviewAge::Current && has_changes).then_some(expected.kept)
    }
}

/// What was counted of the form's feed, unless the last question failed, and whether it is that of the present form.
fn aged<'a, Q, A>(
    asked: &'a Asked<Q, A>,
    view: fn(&Q) -> &ViewQuery,
    query: &ExportQuery,
) -> Option<(&'a A, PreviewAge)> {
    let view = view(asked.answered().filter(|_| asked.error().is_none())?);
    let is_current = *view == view_of(query) && !asked.is_pending();
    let counted = asked.value().filter(|_| view.feed == query.feed)?;
    Some((counted, PreviewAge::when(is_current)))
}

/// The fields of a feed's records by which a form chooses.
fn values_of(feed: Feed) -> impl Iterator<Item = Keyword> {
    let params = [Param::Tags, Param::CallbackProxies, Param::Ccs].into_iter();
    let params = params.filter(move |param| param.is_of(feed));
    params.filter_map(keyword_of)
}

/// The records that a form asks for. Their order is that of the file: they are only counted.
pub(super) fn view_of(query: &ExportQuery) -> ViewQuery {
    ViewQuery {
        feed: query.feed,
        day: query.diff_date.filter(|_| query.diff),
        filter: Filter::from(query),
        order: Order::File,
    }
}
