//! What the local release of the feed holds of what the form asks for: counted anew with each change, free, nothing sent.
//!
//! An answer to an older form is dropped. What was counted stays, marked as old, until the new is there; it must never be taken for
//! the number of another feed.

use super::{
    preview::{Origin, Shown},
    vocabulary::keyword_of,
};
use crate::{
    contract::{ExportQuery, Feed, Output, Param, Severity, export::LIMIT},
    engine::{
        Error, Kind, LocalPreview, LocalTags,
        views::{FacetCounts, Page, View, ViewQuery},
    },
    store::{
        Filter,
        export::Changes,
        index::{FacetBy, Order},
    },
    tui::ctx::{
        UpdateCtx,
        remote::Remote,
        request::{JobId, Question},
    },
};

/// Values of a field that are fetched: more than any feed has.
const VALUES: usize = 20_000;

/// What is local of what the form asks for.
#[derive(Debug, Default)]
pub(super) struct Local {
    view: Option<ViewQuery>,
    export: Option<ExportQuery>,
    /// How many records match.
    pub(super) page: Remote<Page>,
    /// The values of tags, proxies and countries among them.
    pub(super) values: Remote<Vec<FacetCounts>>,
    /// The first rows of the output.
    pub(super) rows: Remote<Rows>,
    /// The tags that there are.
    pub(super) tags: Remote<LocalTags>,
}

/// The first rows of the output.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) shown: Shown,
    /// Their bytes.
    bytes: u64,
    /// The changes of a diff in all.
    pub(super) changes: Option<Changes>,
}

/// What the output comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    /// Records that match.
    pub(super) matches: u64,
    /// Records that the limit lets through.
    pub(super) kept: u64,
    /// Bytes, roughly; none where that cannot be said.
    pub(super) bytes: Option<u64>,
}

impl Local {
    /// The form may have changed: what it asks for otherwise than before is counted.
    pub(super) fn follow(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        let view = view_of(query);
        if self.view.as_ref() != Some(&view) {
            self.count(view, ctx);
        }
        if self.export.as_ref() != Some(query) {
            self.sample(query, ctx);
        }
    }

    /// Counts again, whatever was counted: a release may have come or gone.
    pub(super) fn again(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        if self.tags.value().is_none() && self.tags.pending().is_none() {
            self.tags.begin(ctx.ask(Question::LocalTags));
        }
        self.count(view_of(query), ctx);
        self.sample(query, ctx);
    }

    fn count(&mut self, view: ViewQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.page);
        ctx.stop(&mut self.values);
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

    fn sample(&mut self, query: &ExportQuery, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.rows);
        self.export = Some(query.clone());
        let refused = |severity| severity == Severity::Refused;
        let mut conflicts = query.conflicts().into_iter();
        if !conflicts.any(|conflict| refused(conflict.severity)) {
            self.rows
                .begin(ctx.ask(Question::LocalPreview(query.clone())));
        }
    }

    /// The first rows came.
    pub(super) fn sampled(
        &mut self,
        job: JobId,
        query: &ExportQuery,
        result: Result<LocalPreview, Error>,
    ) -> bool {
        let rows = result.map(|preview| Rows {
            shown: Shown {
                origin: Origin::Local(preview.origin),
                query: query.clone(),
                sample: preview.sample,
            },
            bytes: preview.bytes,
            changes: preview.changes,
        });
        self.rows.finish(job, rows)
    }

    /// The view of the form's feed, be it of the present form or of an older one.
    pub(super) fn counted(&self, feed: Feed) -> Option<&View> {
        let view = self.page.value().map(|page| &page.view);
        view.filter(|view| view.release.manifest.feed == feed && self.page.error().is_none())
    }

    /// Whether the feed is not local.
    pub(super) fn is_missing(&self) -> bool {
        let error = self.page.error();
        error.is_some_and(|error| error.kind == Kind::NotFound)
    }

    /// The rows of the form's feed, be they of the present form or of an older one.
    pub(super) fn rows_of(&self, query: &ExportQuery) -> Option<&Rows> {
        let rows = self.rows.value().filter(|_| self.rows.error().is_none());
        rows.filter(|rows| {
            rows.shown.query.feed == query.feed && self.counted(query.feed).is_some()
        })
    }

    /// What the output comes to, where all that it takes to say so was counted for this form.
    pub(super) fn expected(&self, query: &ExportQuery) -> Option<Expected> {
        let rows = self.rows_of(query);
        let view = self.counted(query.feed)?;
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
        let bytes = rows
            .filter(|_| query.output != Output::Mmdb)
            .and_then(|rows| {
                let shown = rows.shown.sample.rows.len() as u64;
                let bytes = u128::from(rows.bytes) * u128::from(kept) / u128::from(shown.max(1));
                u64::try_from(bytes).ok()
            });
        Some(Expected {
            matches,
            kept,
            bytes,
        })
    }

    /// The same where nothing of it is of an older form.
    pub(super) fn settled(&self, query: &ExportQuery) -> Option<Expected> {
        let waits = self.page.pending().is_some() || self.rows.pending().is_some();
        self.expected(query).filter(|_| !waits)
    }
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
