//! What of loaded days is asked: records by a filter, their number, their number by day.

use std::collections::{BTreeMap, HashMap};

use super::{
    Load, Warehouse,
    connection::Rows,
    not_loaded, refusal,
    statement::{WarehouseStatement, text},
};
use crate::{
    contract::Feed,
    engine::error::Result,
    model::{Day, Document, Keyword, Terms},
    store::{
        Filter,
        filter::sql::{SqlDialect, SqlValue},
        index::Facet,
    },
};

/// The days and the lines of records, for [`LoadedRecords`].
pub(super) const RECORDS: &str = "SELECT toString(day), record FROM ipspect_records";

/// Rows that are asked for by number at a time.
const MOST_ROWS: usize = 3000;

/// The order of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordOrder {
    /// By day, then as in the feed.
    Feed,
    /// By the number of clients, then by address.
    Busiest,
}

/// Records that are being received.
pub struct LoadedRecords(Option<Rows>);

impl LoadedRecords {
    pub(super) fn of(rows: Rows) -> Self {
        Self(Some(rows))
    }

    /// Whether they come from the warehouse.
    pub(super) fn is_asked(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn none() -> Self {
        Self(None)
    }

    /// The next records, at most so many; none after the last.
    ///
    /// # Errors
    /// Where the answer is not whole.
    pub async fn page(&mut self, most: usize) -> Result<Vec<(Day, Vec<u8>)>> {
        let mut page = Vec::new();
        let Some(rows) = &mut self.0 else {
            return Ok(page);
        };
        while page.len() < most
            && let Some(row) = rows.next().await?
        {
            let mut columns = row.into_iter();
            let day = columns.next().unwrap_or_default();
            let day = Day::from_dashed(&String::from_utf8_lossy(&day));
            let day = day.ok_or_else(|| {
                refusal::other_schema("a record of the warehouse has no readable day")
            })?;
            page.push((day, columns.next().unwrap_or_default()));
        }
        Ok(page)
    }
}

impl Warehouse {
    /// The load of a day, else the newest one, of a feed.
    ///
    /// # Errors
    /// [`Kind::NotFound`](crate::engine::Kind::NotFound) where it is not loaded; what the warehouse refuses.
    pub async fn pick(&self, feed: Feed, day: Option<Day>) -> Result<Load> {
        let loads = self.loads().await?.into_iter();
        let own = loads.filter(|own| own.feed == feed && day.is_none_or(|day| own.day == day));
        own.max_by_key(|own| own.day)
            .ok_or_else(|| not_loaded(feed, day))
    }

    /// How many records of these loads match.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn count(&self, loads: &[Load], filter: &Filter) -> Result<u64> {
        let statement = of_loads(
            "SELECT toString(count()) FROM ipspect_records",
            loads,
            filter,
        );
        let rows = self.connection.rows(&statement, 1).await?;
        let number = rows.first().and_then(|row| row.first()?.parse().ok());
        number.ok_or_else(|| refusal::other_schema("the warehouse counted nothing"))
    }

    /// The same by day, for each load.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn count_by_day(&self, loads: &[Load], filter: &Filter) -> Result<Vec<(Day, u64)>> {
        let statement = of_loads(
            "SELECT toString(day), toString(count()) FROM ipspect_records",
            loads,
            filter,
        );
        let statement = statement.and(" GROUP BY day", []);
        let mut counts: BTreeMap<Day, u64> = loads.iter().map(|own| (own.day, 0)).collect();
        for row in self.connection.rows(&statement, 2).await? {
            if let [day, count] = row.as_slice()
                && let (Some(day), Ok(count)) = (Day::from_dashed(day), count.parse())
            {
                counts.insert(day, count);
            }
        }
        Ok(counts.into_iter().collect())
    }

    /// The most frequent values of a field among the records of a load that match, no more than `most`, and how many there are.
    ///
    /// # Errors
    /// What the warehouse refuses; [`Kind::Integrity`](crate::engine::Kind::Integrity) where the load does not hold any more.
    pub async fn facets(
        &self,
        load: &Load,
        filter: &Filter,
        field: Keyword,
        most: Option<usize>,
    ) -> Result<(Vec<Facet>, usize)> {
        let one = std::slice::from_ref(load);
        let beginning = format!(
            "SELECT value, toString(count()), toString(any(row)), toString(count() OVER ()) FROM ipspect_records \
            ARRAY JOIN arrayDistinct({}) AS value",
            field.name()
        );
        let statement = of_loads(&beginning, one, filter);
        // Values are in capitals, as a rule: so they are sorted as local ones are.
        let mut statement =
            statement.and(" GROUP BY value ORDER BY count() DESC, upper(value)", []);
        if let Some(most) = most {
            statement = statement.and(" LIMIT ?", [SqlValue::Number(most as u64)]);
        }
        let (mut facets, mut rows, mut distinct) = (Vec::new(), Vec::new(), 0);
        for row in self.connection.rows(&statement, 4).await? {
            if let [value, count, row, all] = <[String; 4]>::try_from(row).unwrap_or_default()
                && let (Ok(count), Ok(all)) = (count.parse(), all.parse())
            {
                facets.push(Facet { value, count });
                rows.push(row);
                distinct = all;
            }
        }
        let spelt = self.spelt(load, field, &rows).await?;
        for facet in &mut facets {
            if let Some(spelt) = spelt.get(&facet.value) {
                facet.value.clone_from(spelt);
            }
        }
        facets.sort_unstable_by(|a, b| b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value)));
        self.still_holds(one).await?;
        Ok((facets, distinct))
    }

    /// How values of a field are spelt in these records, by the same in lower case.
    async fn spelt(
        &self,
        load: &Load,
        field: Keyword,
        rows: &[String],
    ) -> Result<HashMap<String, String>> {
        let mut spelt = HashMap::new();
        for some in rows.chunks(MOST_ROWS) {
            let statement = of_loads(RECORDS, std::slice::from_ref(load), &Filter::default());
            let statement = statement.and(
                " AND row IN (SELECT toUInt64(arrayJoin(?)))",
                [SqlValue::Texts(some.to_vec())],
            );
            let mut records = LoadedRecords::of(self.connection.ask(&statement, 2).await?);
            loop {
                let page = records.page(MOST_ROWS).await?;
                if page.is_empty() {
                    break;
                }
                for (_, line) in page {
                    let document = Document::read(&line).ok();
                    let terms = document
                        .map(|own| Terms::of(own.value()))
                        .unwrap_or_default();
                    for word in terms.of_field(field) {
                        spelt
                            .entry(word.to_ascii_lowercase())
                            .or_insert_with(|| word.to_owned());
                    }
                }
            }
        }
        Ok(spelt)
    }

    /// The records of these loads that match, at most so many.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn records(
        &self,
        loads: &[Load],
        filter: &Filter,
        order: RecordOrder,
        limit: Option<usize>,
    ) -> Result<LoadedRecords> {
        let statement = of_loads(RECORDS, loads, filter);
        let order = match order {
            RecordOrder::Feed => " ORDER BY day, row",
            // An unknown number of clients counts as 0; records without a subject come last.
            RecordOrder::Busiest => {
                " ORDER BY clients DESC, family = 0, family, first, prefix, row"
            }
        };
        let mut statement = statement.and(order, []);
        if let Some(limit) = limit {
            statement = statement.and(" LIMIT ?", [SqlValue::Number(limit as u64)]);
        }
        Ok(LoadedRecords::of(self.connection.ask(&statement, 2).await?))
    }
}

/// A statement about the records of these loads that match a filter.
pub(super) fn of_loads(beginning: &str, loads: &[Load], filter: &Filter) -> WarehouseStatement {
    let condition = filter.sql(SqlDialect::ClickHouse);
    let feed = loads.first().map_or("", |own| own.feed.name());
    let days = || loads.iter().map(|own| own.day);
    let [from, to] =
        [days().min(), days().max()].map(|day| day.map_or_else(String::new, Day::dashed));
    let names = loads.iter().map(|own| own.name.clone()).collect();
    WarehouseStatement {
        text: format!("{beginning} WHERE ({})", condition.text),
        parameters: condition.parameters,
    }
    .and(
        " AND feed = ? AND day >= toDate(?) AND day <= toDate(?) AND load IN ?",
        [text(feed), text(from), text(to), SqlValue::Texts(names)],
    )
}
