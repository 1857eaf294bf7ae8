//! How the records are sorted: by any column, in two directions, or as in the file. The order stands in the query, so that pages, the trail
//! and going to an address follow it.

use super::{
    Browser, Over, columns,
    columns::ColumnKind,
    menu::{Item, Menu, Then},
};
use crate::{
    contract::Feed,
    store::index::Order,
    tui::{ctx::UpdateCtx, ui::cursor::Cursor},
};

/// The column by which records are sorted, and whether against its usual direction. `None` in the order of the file.
fn sorted(feed: Feed, order: Order) -> Option<(usize, bool)> {
    let columns = columns::of(feed).iter().enumerate();
    let mut both = columns
        .flat_map(|(at, column)| [false, true].map(|turned| (column.order(turned), (at, turned))));
    both.find_map(|(own, found)| (own == Some(order)).then_some(found))
}

/// The sign beside the head of the column by which records are sorted: `v` for large at the top, `^` for small.
pub(super) fn sign(feed: Feed, order: Order, column: usize) -> Option<char> {
    let (at, turned) = sorted(feed, order)?;
    let descending = columns::of(feed)[at].is_number != turned;
    (at == column).then_some(if descending { 'v' } else { '^' })
}

/// An order in words.
pub(super) fn words(feed: Feed, order: Order) -> String {
    match sorted(feed, order) {
        None => "as in the file".to_owned(),
        Some((at, turned)) => {
            let column = &columns::of(feed)[at];
            format!(
                "by {}{}",
                column.title.to_lowercase(),
                aside(column, turned)
            )
        }
    }
}

/// What is said beside a column of its direction, unless that is the usual one.
fn aside(column: &ColumnKind, turned: bool) -> &'static str {
    match (column.is_number, turned) {
        (_, false) => "",
        (true, true) => ", fewest first",
        (false, true) => ", descending",
    }
}

impl Browser {
    /// The orders to choose from; the cursor is on the present one.
    pub(super) fn open_sorting(&mut self) {
        let (feed, own) = (self.query.feed, self.query.order);
        let present = sorted(feed, own);
        let mut rows = Vec::new();
        for (at, column) in columns::of(feed).iter().enumerate() {
            let turned = present.is_some_and(|(own, turned)| own == at && turned);
            if let Some(order) = column.order(turned) {
                let direction = match (column.is_number, turned) {
                    (true, false) => "most first",
                    (true, true) => "fewest first",
                    (false, false) => "ascending",
                    (false, true) => "descending",
                };
                rows.push(Item::new(column.title, direction, Then::Sort(order)));
            }
        }
        rows.push(Item::new("as in the file", "", Then::Sort(Order::File)));
        let at = rows.iter().position(|row| row.then == Then::Sort(own));
        let mut menu = Menu::new("Sort by", rows);
        menu.cursor.select(at.unwrap_or_default(), menu.rows.len());
        menu.sorts = true;
        self.over = Some(Over::Menu(menu));
    }

    /// Sorts by the row under the cursor of the menu, the other way round.
    pub(super) fn sort_turned(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(Over::Menu(menu)) = &self.over else {
            return;
        };
        let Some(Then::Sort(order)) = menu.chosen().cloned() else {
            return;
        };
        self.over = None;
        let feed = self.query.feed;
        let turned =
            sorted(feed, order).and_then(|(at, turned)| columns::of(feed)[at].order(!turned));
        self.sort(turned.unwrap_or(order), ctx);
    }

    /// Sorts by the next column that is shown, or the one before, in its usual direction.
    pub(super) fn sort_beside(&mut self, step: isize, ctx: &mut UpdateCtx<'_>) {
        let feed = self.query.feed;
        let columns = columns::of(feed).iter().zip(&self.columns).enumerate();
        let shown = columns.filter(|(_, (column, shown))| **shown && column.order(false).is_some());
        let shown: Vec<usize> = shown.map(|(at, _)| at).collect();
        let present = sorted(feed, self.query.order).map(|(at, _)| at);
        let last = shown.len().saturating_sub(1);
        let next = match (present, step < 0) {
            (None, false) => Some(0),
            (None, true) => Some(last),
            // The present one may be hidden.
            (Some(own), false) => shown.iter().position(|at| *at > own),
            (Some(own), true) => shown.iter().rposition(|at| *at < own),
        };
        let at = next.unwrap_or(if step < 0 { last } else { 0 });
        let order = shown
            .get(at)
            .and_then(|at| columns::of(feed)[*at].order(false));
        if let Some(order) = order {
            self.sort(order, ctx);
        }
    }

    /// Sorts; the cursor stays on its record.
    pub(super) fn sort(&mut self, order: Order, ctx: &mut UpdateCtx<'_>) {
        if self.query.order == order {
            return;
        }
        let subject = self.subject();
        self.stop_seek(ctx);
        self.query.order = order;
        self.amend_trail(ctx);
        self.cursor = Cursor::default();
        if let Some(subject) = subject {
            self.seek(subject, false, ctx);
        }
        self.follow(ctx);
    }
}
