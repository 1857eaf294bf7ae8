//! The loaded rows of a view: those in view and a screen around them.
//!
//! A new request cancels the one before. Old rows stay until new ones arrive and must never pass for them, so rows carry the
//! query that they answer.

use std::{cell::Cell, ops::Range};

use jiff::{SignedDuration, Timestamp};

use super::row::BrowserRow;
use crate::{
    engine::{
        Error,
        views::{View, ViewPage, ViewQuery},
    },
    tui::ctx::{
        UpdateCtx,
        remote::Remote,
        request::{Answer, JobId, Question},
    },
};

/// The minimum number of rows to request beyond those in view.
const LEAST: usize = 40;
/// How long old rows may stay unmarked while new ones are loading.
pub(super) const UNMARKED: SignedDuration = SignedDuration::from_millis(200);

#[derive(Debug, Default)]
pub(super) struct LoadedRows {
    page: Remote<ViewPage>,
    asked: Option<PageRequest>,
    shown: Option<ViewRows>,
    /// The query whose rows failed to load. Only the user can retry it.
    failed: Option<ViewQuery>,
    /// The position at the top of the screen when all rows in view were last loaded.
    top: Cell<usize>,
}

#[derive(Debug)]
struct PageRequest {
    query: ViewQuery,
    positions: Range<usize>,
    at: Timestamp,
}

/// Rows and their view.
#[derive(Debug)]
pub(super) struct ViewRows {
    /// The query that they answer.
    pub(super) query: ViewQuery,
    pub(super) view: View,
    first: usize,
    rows: Vec<BrowserRow>,
}

impl ViewRows {
    /// The number of rows of the view.
    pub(super) fn len(&self) -> usize {
        usize::try_from(self.view.count).unwrap_or(usize::MAX)
    }

    /// The row at a position, if loaded.
    pub(super) fn row(&self, position: usize) -> Option<&BrowserRow> {
        self.rows.get(position.checked_sub(self.first)?)
    }

    fn covers(&self, positions: &Range<usize>) -> bool {
        let end = self.first + self.rows.len();
        let last = positions.end.min(self.len());
        positions.is_empty() || (self.first <= positions.start && last <= end)
    }
}

/// The effect of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageArrival {
    /// None: it was outdated, or a failure.
    Nothing,
    /// More rows of the current view.
    More,
    Another,
}

impl LoadedRows {
    pub(super) fn shown(&self) -> Option<&ViewRows> {
        self.shown.as_ref()
    }

    /// The loaded rows, if they answer this query.
    pub(super) fn of(&self, query: &ViewQuery) -> Option<&ViewRows> {
        self.shown.as_ref().filter(|shown| shown.query == *query)
    }

    /// Why rows of this query, or of a newer release, failed to load.
    pub(super) fn error(&self, query: &ViewQuery) -> Option<&Error> {
        let of_any_day = |own: &&ViewQuery| {
            (own.feed, &own.filter, own.order) == (query.feed, &query.filter, query.order)
        };
        self.failed.as_ref().filter(of_any_day)?;
        self.page.error()
    }

    /// Whether new rows have been loading for so long that the old ones must be marked.
    pub(super) fn is_late(&self, now: Timestamp) -> bool {
        self.late_at().is_some_and(|at| at <= now)
    }

    /// The time when the old rows must be marked, while new ones are loading.
    pub(super) fn late_at(&self) -> Option<Timestamp> {
        self.page.pending()?;
        Some(self.asked.as_ref()?.at + UNMARKED)
    }

    /// The positions to draw: the window or, while it is loading, the previous rows.
    pub(super) fn drawn(&self, query: &ViewQuery, window: Range<usize>) -> Range<usize> {
        match &self.shown {
            Some(shown) if shown.query == *query && shown.covers(&window) => {
                self.top.set(window.start);
                window
            }
            Some(shown) => {
                let top = self.top.get().max(shown.first);
                top..top.saturating_add(window.len().max(1))
            }
            None => 0..0,
        }
    }

    /// Requests the rows in and around the window that are not loaded.
    pub(super) fn want(
        &mut self,
        query: &ViewQuery,
        window: &Range<usize>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let height = window.len().max(LEAST);
        let near = window.start.saturating_sub(height / 2)..window.end + height / 2;
        if self.of(query).is_some_and(|shown| shown.covers(&near)) {
            if self
                .asked
                .as_ref()
                .is_some_and(|asked| asked.query != *query)
            {
                self.stop(ctx);
            }
            return;
        }
        if self.page.error().is_some() && self.failed.as_ref() == Some(query) {
            return;
        }
        let asked = self
            .asked
            .as_ref()
            .filter(|_| self.page.pending().is_some());
        let is_asked = asked.is_some_and(|asked| {
            let Range { start, end } = asked.positions;
            asked.query == *query && start <= window.start && window.end <= end
        });
        if !is_asked {
            let positions = window.start.saturating_sub(height)..window.end + height;
            self.ask(query, positions, ctx);
        }
    }

    /// Requests the loaded rows again, since there may be a newer release now.
    pub(super) fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.page.pending().is_none()
            && let Some(shown) = &self.shown
        {
            let (query, end) = (shown.query.clone(), shown.first + shown.rows.len());
            let positions = shown.first..end.max(shown.first + 1);
            self.ask(&query, positions, ctx);
        }
    }

    /// Requests the first rows again, even if they are loaded.
    pub(super) fn refresh(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.ask(query, 0..2 * LEAST, ctx);
    }

    fn ask(&mut self, query: &ViewQuery, positions: Range<usize>, ctx: &mut UpdateCtx<'_>) {
        self.stop(ctx);
        self.failed = None;
        let range = positions.start as u64..positions.end as u64;
        self.page
            .begin(ctx.ask(Question::Page(query.clone(), range)));
        self.asked = Some(PageRequest {
            query: query.clone(),
            positions,
            at: ctx.out.now,
        });
    }

    /// Cancels the request; returns whether there was one.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.asked = None;
        ctx.stop(&mut self.page)
    }

    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> PageArrival {
        if !self.page.settle(job, result) {
            return PageArrival::Nothing;
        }
        let asked = self.asked.take();
        if self.page.error().is_some() {
            self.failed = asked.as_ref().map(|asked| asked.query.clone());
        }
        let (Some(asked), Some(page), None) = (asked, self.page.value(), self.page.error()) else {
            return PageArrival::Nothing;
        };
        let feed = asked.query.feed;
        let rows = page.rows.iter().cloned();
        let rows = rows.map(|record| BrowserRow::of(feed, record)).collect();
        let was = self.shown.as_ref();
        let is_more = was.is_some_and(|was| {
            was.query == asked.query && was.view.release.manifest == page.view.release.manifest
        });
        self.shown = Some(ViewRows {
            query: asked.query,
            view: page.view.clone(),
            first: usize::try_from(page.first).unwrap_or(usize::MAX),
            rows,
        });
        if is_more {
            PageArrival::More
        } else {
            PageArrival::Another
        }
    }

    /// Assigns another query to the loaded rows: it names the day that was the newest when they were requested.
    pub(super) fn rename(&mut self, query: &ViewQuery) {
        if let Some(shown) = &mut self.shown {
            shown.query = query.clone();
        }
    }
}
