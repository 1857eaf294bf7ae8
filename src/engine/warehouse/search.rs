//! What of loaded days is asked: records by a filter, their number, their number by day.

use std::{
    collections::{BTreeMap, HashMap},
    vec,
};

use super::{
    Load, Warehouse,
    connection::Rows,
    refusal,
    statement::{WarehouseStatement, text},
};
use crate::{
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

/// Their number, for [`number_in`].
pub(super) const COUNT: &str = "SELECT toString(count()) FROM ipspect_records";

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

/// Where records are.
enum RecordRows {
    /// In an answer that is being received.
    Asked(Box<Rows>),
    /// Here, from an earlier answer.
    Kept(vec::IntoIter<(Day, Vec<u8>)>),
}

/// Records that are being received.
pub struct LoadedRecords {
    rows: RecordRows,
    /// The days that they can be of.
    days: Vec<Day>,
    /// How many there are, where that was counted, and how many came.
    promised: Option<u64>,
    most: u64,
    came: u64,
}

impl LoadedRecords {
    /// Records of these loads.
    pub(super) fn of(rows: Rows, loads: &[Load]) -> Self {
        Self {
            rows: RecordRows::Asked(Box::new(rows)),
            days: loads.iter().map(|load| load.day).collect(),
            promised: None,
            most: u64::MAX,
            came: 0,
        }
    }

    /// Says how many records were counted: another number of them is an error.
    #[must_use]
    pub fn promised(self, number: u64) -> Self {
        Self {
            promised: Some(number),
            most: number,
            ..self
        }
    }

    /// Says how many records there are at most: more of them are an error.
    #[must_use]
    pub(super) fn at_most(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// Whether they come from the warehouse.
    pub(super) fn is_asked(&self) -> bool {
        matches!(self.rows, RecordRows::Asked(_))
    }

    /// Records that are here.
    pub(super) fn kept(lines: Vec<(Day, Vec<u8>)>) -> Self {
        Self {
            rows: RecordRows::Kept(lines.into_iter()),
            days: Vec::new(),
            promised: None,
            most: u64::MAX,
            came: 0,
        }
    }

    /// The next records, at most so many; none after the last.
    ///
    /// # Errors
    /// Where the answer is not whole.
    pub async fn page(&mut self, most: usize) -> Result<Vec<(Day, Vec<u8>)>> {
        let mut page = Vec::new();
        let rows = match &mut self.rows {
            RecordRows::Asked(rows) => rows,
            RecordRows::Kept(lines) => return Ok(lines.take(most).collect()),
        };
        while page.len() < most {
            let row = rows.next().await?;
            self.came += u64::from(row.is_some());
            let (came, promised) = (self.came, self.promised.unwrap_or(self.most));
            let is_less = self.promised.is_some() && came < promised;
            if came > promised || row.is_none() && is_less {
                let sent = if came > promised {
                    "more".to_owned()
                } else {
                    came.to_string()
                };
                let message = format!("the warehouse counted {promised} records and sent {sent}");
                return Err(refusal::unreadable(&message));
            }
            let Some(row) = row else {
                break;
            };
            let mut columns = row.into_iter();
            let day = columns.next().unwrap_or_default();
            let day = Day::from_dashed(&String::from_utf8_lossy(&day));
            let day = day.filter(|day| self.days.contains(day)).ok_or_else(|| {
                refusal::unreadable("a record of the warehouse is of no day that was asked for")
            })?;
            let record = columns.next().unwrap_or_default();
            if !matches!(record.as_slice(), [b'{', .., b'}']) {
                return Err(refusal::unreadable("a record of the warehouse is none"));
            }
            page.push((day, record));
        }
        Ok(page)
    }
}

impl Warehouse {
    /// How many records of these loads match.
    ///
    /// # Errors
    /// What the warehouse refuses.
    pub async fn count(&self, loads: &[Load], filter: &Filter) -> Result<u64> {
        let statement = of_loads(COUNT, loads, filter);
        let number = number_in(&self.connection.rows(&statement, 1).await?)?;
        let all = loads.iter().map(|load| load.records);
        let all = all.fold(0, u64::saturating_add);
        if filter.is_empty() && number != all {
            let message = format!("the warehouse has {number} of {all} records that were loaded");
            return Err(refusal::unreadable(&message));
        }
        Ok(number)
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
        let mut counts: BTreeMap<Day, u64> = loads.iter().map(|load| (load.day, 0)).collect();
        // Days without a record are not named, so those that are must have all records.
        let (all, rows) = tokio::try_join!(
            self.count(loads, filter),
            self.connection.rows(&statement, 2)
        )?;
        for row in rows {
            let read = match row.as_slice() {
                [day, count] => Day::from_dashed(day).zip(count.parse().ok()),
                _ => None,
            };
            let own = read.and_then(|(day, count)| Some((counts.get_mut(&day)?, count)));
            // A day that was not asked for, or one that comes again.
            let (own, count) = own.filter(|(number, _)| **number == 0).ok_or_else(|| {
                refusal::unreadable("the warehouse counted days that cannot be read")
            })?;
            *own = count;
        }
        let named = counts
            .values()
            .fold(0, |sum: u64, number| sum.saturating_add(*number));
        if named != all {
            let message = format!("the warehouse counted {all} records, and {named} by day");
            return Err(refusal::unreadable(&message));
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
        let mut answer = self.connection.ask(&statement, 4).await?;
        while let Some(row) = answer.next().await? {
            let odd = || refusal::unreadable("the warehouse counted nothing that can be read");
            let texts = row
                .into_iter()
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            let texts: Vec<String> = texts.collect();
            let [value, count, row, all] = <[String; 4]>::try_from(texts).map_err(|_| odd())?;
            let count = count.parse().map_err(|_| odd())?;
            facets.push(Facet { value, count });
            rows.push(row.parse().map_err(|_| odd())?);
            distinct = all.parse().map_err(|_| odd())?;
        }
        let expected = match most {
            Some(most) if is_spelt_alike(field) => distinct.min(most.max(1)),
            Some(most) => distinct.min(most.saturating_add(MORE_VALUES)),
            None => distinct,
        };
        if facets.len() != expected {
            let (sent, field) = (facets.len(), field.name());
            let message =
                format!("the warehouse counted {expected} values of {field} and sent {sent}");
            return Err(refusal::unreadable(&message));
        }
        if !is_spelt_alike(field) {
            let spelt = self.spelt(load, field, rows).await?;
            for facet in &mut facets {
                if let Some(spelt) = spelt.get(&facet.value) {
                    facet.value.clone_from(spelt);
                }
            }
        }
        let rank = |facet: &Facet| match wanted {
            WantedValues::With(part, _) => !facet.value.to_ascii_lowercase().starts_with(part),
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
            let number = some.len() as u64;
            let some = some.iter().map(u64::to_string).collect();
            let statement = of_loads(RECORDS, std::slice::from_ref(load), &Filter::default());
            let statement = statement.and(
                " AND row IN (SELECT toUInt64(arrayJoin(?))) ORDER BY row",
                [SqlValue::Texts(some)],
            );
            let rows = self.connection.ask(&statement, 2).await?;
            let records = LoadedRecords::of(rows, std::slice::from_ref(load));
            let mut records = records.promised(number);
            loop {
                let page = records.page(MOST_NUMBERS).await?;
                if page.is_empty() {
                    break;
                }
                for (_, line) in page {
                    let document = Document::read(&line).ok();
                    let terms = document.map(|document| Terms::of(document.value()));
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
        let rows = self.connection.ask(&statement, 2).await?;
        Ok(LoadedRecords::of(rows, loads))
    }
}

/// The number that is the whole of an answer.
pub(super) fn number_in(rows: &[Vec<String>]) -> Result<u64> {
    let number = match rows {
        [row] => row.first().and_then(|text| text.parse().ok()),
        _ => None,
    };
    number.ok_or_else(|| refusal::unreadable("the warehouse counted nothing that can be read"))
}

/// A statement about the records of these loads that match a filter.
pub(super) fn of_loads(beginning: &str, loads: &[Load], filter: &Filter) -> WarehouseStatement {
    let condition = filter.sql(SqlDialect::ClickHouse);
    let feed = loads.first().map_or("", |load| load.feed.name());
    let days = || loads.iter().map(|load| load.day);
    let [from, to] =
        [days().min(), days().max()].map(|day| day.map_or_else(String::new, Day::dashed));
    let names = loads.iter().map(|load| load.name.clone()).collect();
    WarehouseStatement {
        text: format!("{beginning} WHERE ({})", condition.text),
        parameters: condition.parameters,
    }
    .and(
        " AND feed = ? AND day >= toDate(?) AND day <= toDate(?) AND load IN ?",
        [text(feed), text(from), text(to), SqlValue::Texts(names)],
    )
}
