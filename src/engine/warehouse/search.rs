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
        filter::sql::{MOST_NUMBERS, SqlDialect, SqlValue},
        index::Facet,
    },
};

/// The days and the lines of records, for [`LoadedRecords`].
pub(super) const RECORDS: &str = "SELECT toString(day), record FROM ipspect_records";

/// Values that are spelt beyond those that are wanted.
const MORE_VALUES: usize = 1000;

/// Which values of a field are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedValues<'a> {
    All,
    /// The most frequent ones, no more than this number.
    Frequent(usize),
    /// Those of these that a record has, in lower case.
    Named(&'a [String]),
    /// Those that have a text in lower case in them, first those that begin with it; no more than this number.
    With(&'a str, usize),
}

impl WantedValues<'_> {
    fn most(self) -> Option<usize> {
        match self {
            Self::All | Self::Named(_) => None,
            Self::Frequent(most) | Self::With(_, most) => Some(most),
        }
    }
}

/// Whether a value has one spelling, which is that of the column.
fn is_spelt_alike(field: Keyword) -> bool {
    matches!(field, Keyword::Asn | Keyword::Entry)
}

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

    /// Values of a field among the records of a load that match, by descending count, and how many there are of those that are wanted.
    /// Values that differ in case alone are one, spelt as in the first record that has it. Whether the load still holds is not asked.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn facets(
        &self,
        load: &Load,
        filter: &Filter,
        field: Keyword,
        wanted: WantedValues<'_>,
    ) -> Result<(Vec<Facet>, usize)> {
        let beginning = format!(
            "SELECT value, toString(count()), toString(min(row)), toString(count() OVER ()) FROM ipspect_records \
            ARRAY JOIN arrayDistinct({}) AS value",
            field.name()
        );
        let statement = of_loads(&beginning, std::slice::from_ref(load), filter);
        let statement = match wanted {
            WantedValues::Named(values) => {
                let values = SqlValue::Texts(values.to_vec());
                statement.and(" AND value IN ?", [values])
            }
            WantedValues::With(part, _) => {
                statement.and(" AND position(value, ?) > 0", [text(part)])
            }
            WantedValues::All | WantedValues::Frequent(_) => statement,
        };
        let statement = statement.and(" GROUP BY value ORDER BY ", []);
        let statement = match wanted {
            WantedValues::With(part, _) => {
                statement.and("startsWith(value, ?) DESC, ", [text(part)])
            }
            _ => statement,
        };
        let most = wanted.most();
        let statement = match most.map(|most| SqlValue::Number(most.max(1) as u64)) {
            Some(most) if is_spelt_alike(field) => {
                statement.and("count() DESC, value LIMIT ?", [most])
            }
            // Which of those that are as frequent as the last one come first is seen when they are spelt, of as many more.
            Some(_) => {
                let more = most.unwrap_or_default().saturating_add(MORE_VALUES);
                let more = SqlValue::Number(more as u64);
                statement.and("count() DESC, value LIMIT ?", [more])
            }
            None => statement.and("count() DESC", []),
        };
        let (mut facets, mut rows, mut distinct) = (Vec::new(), Vec::new(), 0);
        for row in self.connection.rows(&statement, 4).await? {
            let odd = || refusal::other_schema("the warehouse counted nothing readable");
            let [value, count, row, all] = <[String; 4]>::try_from(row).map_err(|_| odd())?;
            let count = count.parse().map_err(|_| odd())?;
            facets.push(Facet { value, count });
            rows.push(row.parse().map_err(|_| odd())?);
            distinct = all.parse().map_err(|_| odd())?;
        }
        if !is_spelt_alike(field) {
            let spelt = self.spelt(load, field, rows).await?;
            for facet in &mut facets {
                if let Some(spelt) = spelt.get(&facet.value) {
                    facet.value.clone_from(spelt);
                }
            }
        }
        let rank = |own: &Facet| match wanted {
            WantedValues::With(part, _) => !own.value.to_ascii_lowercase().starts_with(part),
            _ => false,
        };
        facets.sort_unstable_by(|a, b| {
            let by_count = || b.count.cmp(&a.count).then_with(|| a.value.cmp(&b.value));
            rank(a).cmp(&rank(b)).then_with(by_count)
        });
        facets.truncate(most.unwrap_or(usize::MAX));
        Ok((facets, distinct))
    }

    /// How values of a field are spelt in the records of these rows, by the same in lower case.
    async fn spelt(
        &self,
        load: &Load,
        field: Keyword,
        mut rows: Vec<u64>,
    ) -> Result<HashMap<String, String>> {
        let mut spelt = HashMap::new();
        rows.sort_unstable();
        rows.dedup();
        for some in rows.chunks(MOST_NUMBERS) {
            let some = some.iter().map(u64::to_string).collect();
            let statement = of_loads(RECORDS, std::slice::from_ref(load), &Filter::default());
            let statement = statement.and(
                " AND row IN (SELECT toUInt64(arrayJoin(?))) ORDER BY row",
                [SqlValue::Texts(some)],
            );
            let mut records = LoadedRecords::of(self.connection.ask(&statement, 2).await?);
            loop {
                let page = records.page(MOST_NUMBERS).await?;
                if page.is_empty() {
                    break;
                }
                for (_, line) in page {
                    let document = Document::read(&line).ok();
                    let terms = document.map(|own| Terms::of(own.value()));
                    let terms = terms.unwrap_or_default();
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
