//! A loaded day to be looked through: the records that a filter selects, or the first of them where they are many.
//!
//! A window holds so many records that what fits is usually all of it. Where it is not, the first by the order that is shown are there, and
//! how many there are in all is known.

use std::slice;

use super::{
    Load, LoadedRecords, Warehouse, Window,
    search::{WantedValues, of_loads},
};
use crate::{
    contract::Feed,
    engine::{OpenRelease, error::Result, threads::lock},
    model::{Day, Keyword},
    store::{
        Filter,
        filter::sql::SqlValue,
        index::{Facet, Order},
    },
};

/// The first of the records, in the order of the feed.
const FIRST: &str =
    "SELECT toString(day), record FROM (SELECT day, record, row FROM ipspect_records";
/// The most records of a window; few in a build for tests, so that their small feeds have more.
const MOST: u64 = if cfg!(debug_assertions) { 100 } else { 100_000 };
/// Windows that are kept open.
const KEPT: usize = 6;

/// The records of a day that match a filter.
#[derive(Clone, Debug)]
pub enum Matching {
    /// Of a day whose records are all at hand.
    Here(Box<OpenRelease>),
    /// Of one that is asked about others.
    There(Box<LoadedMatching>),
}

/// The records of a loaded day that match a filter, and what counts others of the day.
#[derive(Clone, Debug)]
pub struct LoadedMatching {
    warehouse: Warehouse,
    load: Load,
    /// How many match.
    pub number: u64,
    /// They, unless they are too many.
    pub at_hand: Option<OpenRelease>,
}

impl LoadedMatching {
    /// How many records of the day match another filter.
    pub(in crate::engine) async fn count(&self, filter: &Filter) -> Result<u64> {
        self.warehouse
            .count(slice::from_ref(&self.load), filter)
            .await
    }

    /// Values of a field among the records of the day that match another filter: as [`Warehouse::facets`].
    pub(in crate::engine) async fn facets(
        &self,
        filter: &Filter,
        field: Keyword,
        wanted: WantedValues<'_>,
    ) -> Result<(Vec<Facet>, usize)> {
        self.warehouse
            .facets(&self.load, filter, field, wanted)
            .await
    }

    /// Refuses what was counted where the day was replaced meanwhile.
    pub(in crate::engine) async fn still_holds(&self) -> Result<()> {
        self.warehouse
            .still_holds(slice::from_ref(&self.load))
            .await
    }
}

impl Warehouse {
    /// Opens the records of a loaded day that match a filter: at most [`MOST`], the first in an order. Returns how many match where these are
    /// not all. A window that is open already is used again.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) where the day is not loaded; what the warehouse refuses.
    pub(in crate::engine) async fn open_window(
        &self,
        feed: Feed,
        day: Day,
        filter: &Filter,
        order: Order,
    ) -> Result<(OpenRelease, Option<u64>)> {
        let loads = self.recent_loads().await?;
        let load = loads.pick(feed, Some(day))?;
        let order = order_of(order);
        if let Some(window) = self.kept_window(load, filter, Some(order)) {
            return Ok((window.opened.clone(), window.beyond()));
        }
        let count = self.count(slice::from_ref(load), filter).await?;
        let window = self.first(load, filter, order, count).await?;
        let beyond = window.beyond();
        Ok((window.opened, beyond))
    }

    /// Opens all records of a loaded day that match a filter, as far as a window holds them.
    ///
    /// # Errors
    /// As [`Warehouse::open_window`].
    pub(in crate::engine) async fn open_all(
        &self,
        feed: Feed,
        day: Day,
        filter: &Filter,
    ) -> Result<Matching> {
        let loads = self.recent_loads().await?;
        let load = loads.pick(feed, Some(day))?;
        let mut window = self.kept_window(load, filter, None);
        let number = match &window {
            Some(window) => window.count,
            None => self.count(slice::from_ref(load), filter).await?,
        };
        if window.is_none() && number <= MOST {
            window = Some(self.first(load, filter, "row", number).await?);
        }
        let whole = window.filter(Window::is_whole);
        Ok(match whole {
            Some(window) if window.filter.is_empty() => Matching::Here(Box::new(window.opened)),
            whole => Matching::There(Box::new(LoadedMatching {
                warehouse: self.clone(),
                load: load.clone(),
                number,
                at_hand: whole.map(|window| window.opened),
            })),
        })
    }

    /// Opens the first of so many records, and keeps them open.
    async fn first(
        &self,
        load: &Load,
        filter: &Filter,
        order: &'static str,
        count: u64,
    ) -> Result<Window> {
        let one = slice::from_ref(load);
        let statement = of_loads(FIRST, one, filter)
            .and(
                &format!(" ORDER BY {order} LIMIT ?"),
                [SqlValue::Number(MOST)],
            )
            .and(") ORDER BY row", []);
        let records = LoadedRecords::of(self.connection.ask(&statement, 2).await?, one);
        let records = records.promised(count.min(MOST));
        let mut opened = self.index(load, records).await?;
        // Rows are numbers of one index: no other window passes for this one.
        opened.release.data.push(format!("{order} {filter}"));
        let window = Window {
            opened,
            filter: filter.clone(),
            order,
            count,
        };
        let mut kept = lock(&self.windows);
        kept.truncate(KEPT - 1);
        kept.insert(0, window.clone());
        Ok(window)
    }

    fn kept_window(&self, load: &Load, filter: &Filter, order: Option<&str>) -> Option<Window> {
        let mut kept = lock(&self.windows);
        let at = kept.iter().position(|window| {
            let is_of = window.opened.release.manifest.load_name() == Some(&load.name);
            // All records of a day answer any filter.
            let has_all =
                window.is_whole() && (window.filter.is_empty() || window.filter == *filter);
            let is_of_order = order.is_none_or(|order| window.order == order);
            is_of && (has_all || window.filter == *filter && is_of_order)
        })?;
        let found = kept.remove(at);
        kept.insert(0, found.clone());
        Some(found)
    }
}

impl Window {
    fn is_whole(&self) -> bool {
        self.count <= self.opened.index.records()
    }

    /// How many records match where it has not all of them.
    fn beyond(&self) -> Option<u64> {
        (!self.is_whole()).then_some(self.count)
    }
}

/// The columns by which the records come first that an order shows first; by the values of a field it is that by address.
fn order_of(order: Order) -> &'static str {
    match order {
        Order::File => "row",
        Order::Address | Order::Field { .. } => "family = 0, family, first, prefix, row",
        Order::AddressDescending => "family = 0, family DESC, first DESC, prefix DESC, row DESC",
        Order::Clients => "clients DESC, family = 0, family, first, prefix, row",
        Order::ClientsAscending => {
            "NOT has_clients, clients, family = 0, family, first, prefix, row"
        }
    }
}
