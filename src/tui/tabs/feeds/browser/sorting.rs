//! The order of the records: by any column in both directions, or as in the file. It is part of the query, so pages, the trail
//! and going to an address use it.

use super::{Browser, columns, columns::ColumnKind};
use crate::{
    contract::Feed,
    store::index::Order,
    tui::{
        ctx::{
            UpdateCtx,
            orders::{self, OrderRow, Orders},
        },
        ui::cursor::Cursor,
    },
};

/// The column that the records are sorted by, and whether in the reverse of its usual direction; `None` for the order of the
/// file.
fn sorted(feed: Feed, order: Order) -> Option<(usize, bool)> {
    let columns = columns::of(feed).iter().enumerate();
    let mut both = columns
        .flat_map(|(at, column)| [false, true].map(|turned| (column.order(turned), (at, turned))));
    both.find_map(|(own, found)| (own == Some(order)).then_some(found))
}

/// The sign beside the head of the sorted column: `v` for descending, `^` for ascending.
pub(super) fn sign(feed: Feed, order: Order, column: usize) -> Option<char> {
    let (at, turned) = sorted(feed, order)?;
    let descending = columns::of(feed)[at].is_number != turned;
    (at == column).then_some(if descending { 'v' } else { '^' })
}

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

/// The words for the direction of a column, unless it is the usual one.
fn aside(column: &ColumnKind, turned: bool) -> &'static str {
    match (column.is_number, turned) {
        (_, false) => "",
        (true, true) => ", fewest first",
        (false, true) => ", descending",
    }
}

/// The index in [`Browser::orders`] of the order of a column.
pub(super) fn place_of(feed: Feed, column: usize) -> Option<usize> {
    let columns = columns::of(feed);
    let sorts = |column: &ColumnKind| column.order(false).is_some();
    let before = columns.iter().take(column).filter(|own| sorts(own));
    columns.get(column).filter(|own| sorts(own))?;
    Some(before.count())
}

impl Browser {
    /// The possible orders, each in its usual and its reverse direction.
    fn choices(&self) -> Vec<(OrderRow, [Order; 2])> {
        let columns = columns::of(self.query.feed).iter().zip(&self.columns);
        let rows = columns.filter_map(|(column, is_shown)| {
            let words = if column.is_number {
                orders::NUMBER
            } else {
                orders::TEXT
            };
            let row = OrderRow::new(column.title, words);
            let row = if *is_shown { row } else { row.aside() };
            let usual = column.order(false)?;
            Some((row, [usual, column.order(true).unwrap_or(usual)]))
        });
        let file = OrderRow::new("as in the file", ["", ""]).aside();
        rows.chain([(file, [Order::File; 2])]).collect()
    }

    /// The possible orders and the current one, for the sort menu.
    pub(in crate::tui::tabs::feeds) fn orders(&self) -> Option<Orders> {
        if self.over.is_some() {
            return None;
        }
        let own = self.query.order;
        let choices = self.choices();
        let mut present = choices.iter().enumerate();
        let present = present.find_map(|(at, (_, both))| {
            let turned = both.iter().position(|order| *order == own)?;
            Some((at, turned == 1))
        });
        let rows = choices.into_iter().map(|(row, _)| row).collect();
        Some(Orders::new(rows, present))
    }

    pub(in crate::tui::tabs::feeds) fn sort_by(
        &mut self,
        order: usize,
        turned: bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if let Some((_, both)) = self.choices().get(order) {
            self.sort(both[usize::from(turned)], ctx);
        }
    }

    /// Sorts; the cursor stays on its record.
    fn sort(&mut self, order: Order, ctx: &mut UpdateCtx<'_>) {
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
