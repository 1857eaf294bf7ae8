//! Which browser is in front, and those that were left: coming back finds their rows, scroll and filter.

use super::browser::{Browser, first_order};
use crate::{
    contract::Feed, engine::views::ViewQuery, model::Day, store::Filter, tui::ctx::UpdateCtx,
};

/// Browsers that are kept beside the one in front.
const MOST: usize = 12;

/// The browsers of local feeds.
#[derive(Debug, Default)]
pub(super) struct Browsers {
    /// The records of a local feed, in place of everything else.
    pub(super) front: Option<Browser>,
    /// Those that were left, the latest last.
    left: Vec<Browser>,
}

/// All records of the newest local release of a day, or of all.
pub(super) fn records_of(feed: Feed, day: Option<Day>) -> ViewQuery {
    ViewQuery {
        feed,
        day,
        filter: Filter::default(),
        order: first_order(feed),
    }
}

impl Browsers {
    /// Shows the records of a feed as they were left.
    pub(super) fn show(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        if let Some(front) = self
            .front
            .as_mut()
            .filter(|browser| browser.query() == query)
        {
            return front.resume(ctx);
        }
        self.leave(ctx);
        let at = self.left.iter().position(|left| left.query() == query);
        let mut browser = match at {
            Some(at) => self.left.remove(at),
            None => Browser::open(query.clone()),
        };
        browser.resume(ctx);
        self.front = Some(browser);
    }

    /// Leaves the browser in front; returns what it shows.
    pub(super) fn leave(&mut self, ctx: &mut UpdateCtx<'_>) -> Option<ViewQuery> {
        let mut browser = self.front.take()?;
        let query = browser.query().clone();
        browser.leave(ctx);
        self.left.retain(|left| left.query() != browser.query());
        if self.left.len() == MOST {
            self.left.remove(0);
        }
        self.left.push(browser);
        Some(query)
    }

    pub(super) fn forget(&mut self) {
        self.left.clear();
    }
}
