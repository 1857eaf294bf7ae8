//! The local matches of the form: counted again with each change, free, nothing sent.
//!
//! Each answer is kept with the question that it answers. What answers an older form stays, marked as old, until the new is there; it
//! must never be taken for a number of the present form, nor for one of another feed, nor replace a failure.

use super::{
    preview::{PreviewOrigin, PreviewRows},
    vocabulary::keyword_of,
};
use crate::{
    contract::{ExportQuery, Feed, Output, Param, Severity, export::LIMIT},
    engine::{
        Error, Kind, LocalPreview, LocalTags,
        views::{FacetCounts, View, ViewPage, ViewQuery},
    },
    model::Keyword,
    store::{
        Filter,
        export::Changes,
        index::{Facet, FacetBy, Order},
    },
    tui::ctx::{
        UpdateCtx,
        remote::Remote,
        request::{Answer, JobId, Question},
    },
};

/// Values of a field that are fetched: more than any feed has.
const VALUES: usize = 20_000;

/// Rarer values that are fetched for what is typed.
const RARE: usize = 20;

/// What is local of what the form asks for.
#[derive(Debug, Default)]
pub(super) struct LocalMatches {
    view: Option<ViewQuery>,
    /// How many records match.
    pub(super) page: Remote<CountedView<ViewPage>>,
    /// The values of tags, proxies and countries among them.
    pub(super) values: Remote<CountedView<Vec<FacetCounts>>>,
    /// Rarer values of a field, for what is typed.
    rare: Remote<Vec<Facet>>,
    /// Of which field they were asked for, and for which text.
    sought: Option<(Keyword, String)>,
    /// The first rows of the output.
    pub(super) rows: Remote<SampleRows>,
    /// The output whose first rows are on their way.
    sampling: Option<ExportQuery>,
    /// The output whose first rows are asked for when they arrive.
    next: Option<ExportQuery>,
    /// All known tags.
    pub(super) tags: Remote<LocalTags>,
}

/// What was counted, and the records among which.
#[derive(Clone, Debug)]
pub(super) struct CountedView<T> {
    view: ViewQuery,
    pub(super) value: T,
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
    /// The form may have changed: what it asks for otherwise than before is counted.
    pub(super) fn follow(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        let view = view_of(query);
        if self.view.as_ref() != Some(&view) {
            self.count(view, ctx);
        }
        self.sample(query, ctx);
    }

    /// Counts again, whatever was counted: a release may have been added or removed.
    pub(super) fn again(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if self.tags.value().is_none() && self.tags.pending().is_none() {
            self.tags.begin(ctx.ask(Question::LocalTags));
        }
        self.count(view_of(query), ctx);
        self.stop_sampling(ctx);
        self.begin_sampling(query, ctx);
    }

    fn count(&mut self, view: ViewQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.page);
        ctx.stop(&mut self.values);
        // The values are counted again, and what is typed is searched for among those.
        ctx.stop(&mut self.rare);
        self.sought = None;
        self.page.begin(ctx.ask(Question::Page(view.clone(), 0..0)));
        let fields: Vec<FacetBy> = [Param::Tags, Param::CallbackProxies, Param::Ccs]
            .into_iter()
            .filter(|param| param.is_of(view.feed))
            .filter_map(|param| keyword_of(param).map(FacetBy::Keyword))
            .collect();
        if !fields.is_empty() {
            let asked = Question::Facets(view.clone(), fields, VALUES);
            self.values.begin(ctx.ask(asked));
        }
        self.view = Some(view);
    }

    /// Searches the values that are not known for what is typed of one, unless that was searched for last.
    pub(super) fn seek(&mut self, sought: Option<(Keyword, String)>, ctx: &mut UpdateCtx<'_>) {
        if self.sought == sought {
            return;
        }
        ctx.stop(&mut self.rare);
        if let (Some((field, part)), Some(view)) = (&sought, &self.view) {
            let question = Question::Values(view.clone(), *field, part.clone(), RARE);
            self.rare.begin(ctx.ask(question));
        }
        self.sought = sought;
    }

    /// Rarer values arrived; returns those that were waited for.
    pub(super) fn found(&mut self, job: JobId, result: Result<Answer, Error>) -> Option<&[Facet]> {
        let is_new = self.rare.settle(job, result) && self.rare.error().is_none();
        self.rare.value().filter(|_| is_new).map(Vec::as_slice)
    }

    /// The number of matching records arrived; returns whether it was waited for.
    pub(super) fn paged(
        &mut self,
        job: JobId,
        view: &ViewQuery,
        result: Result<ViewPage, Error>,
    ) -> bool {
        let page = result.map(|value| CountedView {
            view: view.clone(),
            value,
        });
        self.page.finish(job, page)
    }

    /// The values of fields arrived; returns whether they were waited for.
    pub(super) fn valued(
        &mut self,
        job: JobId,
        view: &ViewQuery,
        result: Result<Vec<FacetCounts>, Error>,
    ) -> bool {
        let values = result.map(|value| CountedView {
            view: view.clone(),
            value,
        });
        let was_waited_for = self.values.finish(job, values);
        if was_waited_for {
            // Rarer ones are to be put beside the new ones.
            self.sought = None;
        }
        was_waited_for
    }

    /// Asks for the first rows of the form's request, unless they were the last question. While older ones are on their way
    /// the newest form waits for them, so that typing a number asks once or twice; those of other records are stopped.
    fn sample(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if is_refused(query) {
            return self.stop_sampling(ctx);
        }
        match (&self.sampling, self.rows.pending()) {
            (Some(own), _) if own == query => self.next = None,
            (Some(own), Some(_)) if own.feed == query.feed && own.diff == query.diff => {
                self.next = Some(query.clone());
            }
            _ => {
                self.stop_sampling(ctx);
                self.begin_sampling(query, ctx);
            }
        }
    }

    fn begin_sampling(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if !is_refused(query) {
            self.sampling = Some(query.clone());
            let job = ctx.ask(Question::LocalPreview(query.clone()));
            self.rows.begin(job);
        }
    }

    fn stop_sampling(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.rows);
        (self.sampling, self.next) = (None, None);
    }

    /// The first rows came.
    pub(super) fn sampled(
        &mut self,
        job: JobId,
        query: &ExportQuery,
        result: Result<LocalPreview, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        let rows = result.map(|preview| SampleRows {
            shown: PreviewRows {
                origin: PreviewOrigin::Local(preview.origin),
                query: query.clone(),
                sample: preview.sample,
            },
            bytes: preview.bytes,
            changes: preview.changes,
            changed: preview.changed,
        });
        let was_waited_for = self.rows.finish(job, rows);
        if was_waited_for && let Some(next) = self.next.take() {
            self.begin_sampling(&next, ctx);
        }
        was_waited_for
    }

    /// The view of the form's feed, and whether it is that of the present form.
    pub(super) fn view(&self, query: &ExportQuery) -> Option<(&View, PreviewAge)> {
        let counted = self.page.value().filter(|_| self.page.error().is_none())?;
        let is_of_feed = counted.view.feed == query.feed;
        let age = PreviewAge::when(counted.view == view_of(query) && self.page.pending().is_none());
        is_of_feed.then_some((&counted.value.view, age))
    }

    /// The values of fields among the records of the form's feed, likewise.
    pub(super) fn facets(&self, query: &ExportQuery) -> Option<(&[FacetCounts], PreviewAge)> {
        let counted = self.values.value();
        let counted = counted.filter(|_| self.values.error().is_none())?;
        let is_of_feed = counted.view.feed == query.feed;
        let age =
            PreviewAge::when(counted.view == view_of(query) && self.values.pending().is_none());
        is_of_feed.then_some((counted.value.as_slice(), age))
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

impl SampleRows {
    /// Whether the output of a form has rows of this length: it differs in nothing but how many they are.
    fn is_alike(&self, query: &ExportQuery) -> bool {
        let own = ExportQuery {
            limit: query.limit,
            ..self.shown.query.clone()
        };
        own == *query
    }
}

/// Whether an export is one that the contract refuses.
fn is_refused(query: &ExportQuery) -> bool {
    let mut conflicts = query.conflicts().into_iter();
    conflicts.any(|conflict| conflict.severity == Severity::Refused)
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
