//! The statements that a warehouse is sent, each with its parameters, which are bound and never part of the text.
//!
//! Two tables. `ipspect_records` has the flat columns of a release with the feed, its day, and the load and part that it came in.
//! `ipspect_loads` has a row for each load that is complete: it is written last, and records of a load without one are not there.
//! The name of a load begins with the time at which it began. Of several loads of a day the one with the greatest name holds, however
//! late the others end: so a load that is complete may remove the records of those before it, and of no other.

use crate::{
    contract::Feed,
    model::{Day, fields::FieldKind},
    store::{
        filter::sql::{SqlCondition, SqlValue},
        parquet::loaded_columns,
    },
};

/// The version of the tables: it is their comment, and changes with their columns.
pub(super) const SCHEMA: u32 = 1;
/// A place for the version in a comment.
pub(super) const COMMENT: &str = "ipspect 1";

/// A statement, and the values of its parameters `p0`, `p1` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WarehouseStatement {
    pub(super) text: String,
    pub(super) parameters: Vec<SqlValue>,
}

impl WarehouseStatement {
    pub(super) fn of(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            parameters: Vec::new(),
        }
    }

    /// Adds a text, in which each `?` is the place of a value.
    pub(super) fn and(mut self, text: &str, values: impl IntoIterator<Item = SqlValue>) -> Self {
        let mut values = values.into_iter();
        for (number, piece) in text.split('?').enumerate() {
            if number > 0
                && let Some(value) = values.next()
            {
                let place = self.place(value);
                self.text += &place;
            }
            self.text += piece;
        }
        self
    }

    /// Adds a text and another statement behind it, whose parameters get the next numbers.
    pub(super) fn with(mut self, text: &str, other: Self) -> Self {
        self.text += text;
        let before = self.parameters.len();
        // Nothing else begins with `{p`: values are never part of a text.
        for (number, piece) in other.text.split("{p").enumerate() {
            if number == 0 {
                self.text += piece;
                continue;
            }
            let (own, rest) = piece.split_once(':').unwrap_or((piece, ""));
            let own: usize = own.parse().unwrap_or_default();
            self.text += &format!("{{p{}:{rest}", own + before);
        }
        self.parameters.extend(other.parameters);
        self
    }

    fn place(&mut self, value: SqlValue) -> String {
        let number = self.parameters.len();
        let place = format!("{{p{number}:{}}}", value.type_name());
        self.parameters.push(value);
        place
    }
}

impl From<SqlCondition> for WarehouseStatement {
    fn from(condition: SqlCondition) -> Self {
        Self {
            text: condition.text,
            parameters: condition.parameters,
        }
    }
}

pub(super) fn text(text: impl Into<String>) -> SqlValue {
    SqlValue::Text(text.into())
}

/// The tables, where they do not exist.
pub(super) fn create() -> [WarehouseStatement; 2] {
    let columns = loaded_columns().map(|(name, kind)| format!("  {name} {}", stored(name, kind)));
    let columns: Vec<String> = columns.collect();
    let records = format!(
        "CREATE TABLE IF NOT EXISTS ipspect_records (\n{}\n) ENGINE = MergeTree PARTITION BY (feed, toYYYYMM(day)) \
        ORDER BY (first, last, day) COMMENT '{COMMENT}'",
        columns.join(",\n")
    );
    let loads = format!(
        "CREATE TABLE IF NOT EXISTS ipspect_loads (\n  feed LowCardinality(String),\n  day Date,\n  load String,\n  \
        release String,\n  records UInt64,\n  hash String,\n  manifest String,\n  schema UInt32\n) \
        ENGINE = MergeTree ORDER BY (feed, day, load) COMMENT '{COMMENT}'"
    );
    [records, loads].map(WarehouseStatement::of)
}

/// The type of a flat column in the table.
fn stored(name: &str, kind: FieldKind) -> &'static str {
    match (name, kind) {
        ("feed" | "load", _) => "LowCardinality(String)",
        ("day", _) => "Date",
        ("part", _) => "UInt32",
        ("record", _) => "String CODEC(ZSTD(3))",
        ("family" | "prefix", _) => "UInt8",
        // Entries are addresses, most of them different.
        ("entry", _) => "Array(String)",
        (_, FieldKind::Texts) => "Array(LowCardinality(String))",
        (_, FieldKind::Whole) => "UInt64",
        (_, FieldKind::Flag) => "Bool",
        _ => "String",
    }
}

/// A part of a load; the Parquet file is posted behind it. Its rows are there when it has ended, whatever the server does with small ones
/// by default.
pub(super) fn insert() -> WarehouseStatement {
    let names: Vec<&str> = loaded_columns().map(|(name, _)| name).collect();
    WarehouseStatement::of(format!(
        "INSERT INTO ipspect_records ({}) SETTINGS async_insert = 0 FORMAT Parquet",
        names.join(", ")
    ))
}

/// The row of a load that is complete.
pub(super) struct LoadRow<'a> {
    pub(super) feed: Feed,
    pub(super) day: Day,
    pub(super) load: &'a str,
    pub(super) release: String,
    pub(super) records: u64,
    pub(super) hash: &'a str,
    pub(super) manifest: String,
}

impl LoadRow<'_> {
    pub(super) fn insert(self) -> WarehouseStatement {
        let values = [
            text(self.feed.name()),
            text(self.day.dashed()),
            text(self.load),
            text(self.release),
            SqlValue::Number(self.records),
            text(self.hash),
            text(self.manifest),
            SqlValue::Number(SCHEMA.into()),
        ];
        WarehouseStatement::of("INSERT INTO ipspect_loads SELECT ")
            .and("?, toDate(?), ?, ?, ?, ?, ?, ?", values)
    }
}

/// The rows of a load by part.
pub(super) fn parts(feed: Feed, day: Day, load: &str) -> WarehouseStatement {
    of_day(
        "SELECT toString(part), toString(count()) FROM ipspect_records WHERE ",
        feed,
        day,
    )
    .and(" AND load = ? GROUP BY part", [text(load)])
}

/// The rows of a load.
pub(super) fn count(feed: Feed, day: Day, load: &str) -> WarehouseStatement {
    of_day(
        "SELECT toString(count()) FROM ipspect_records WHERE ",
        feed,
        day,
    )
    .and(" AND load = ?", [text(load)])
}

/// The rows of a part of a load.
pub(super) fn count_part(feed: Feed, day: Day, load: &str, part: u64) -> WarehouseStatement {
    count(feed, day, load).and(" AND part = ?", [SqlValue::Number(part)])
}

/// Removes a part of a load.
pub(super) fn delete_part(feed: Feed, day: Day, load: &str, part: u64) -> WarehouseStatement {
    of_day("DELETE FROM ipspect_records WHERE ", feed, day).and(
        " AND load = ? AND part = ?",
        [text(load), SqlValue::Number(part)],
    )
}

/// Removes what loads before this one left of a day, and this one as well where it is said.
pub(super) fn delete_up_to(
    table: &str,
    feed: Feed,
    day: Day,
    load: &str,
    with_itself: bool,
) -> WarehouseStatement {
    let sign = if with_itself { "<=" } else { "<" };
    of_day(&format!("DELETE FROM {table} WHERE "), feed, day)
        .and(&format!(" AND load {sign} ?"), [text(load)])
}

/// One row where a table has something of loads before this one.
pub(super) fn any_before(table: &str, feed: Feed, day: Day, load: &str) -> WarehouseStatement {
    of_day(&format!("SELECT load FROM {table} WHERE "), feed, day)
        .and(" AND load < ? LIMIT 1", [text(load)])
}

/// The loads of a feed that hold: day, load.
pub(super) fn holding(feed: Feed) -> WarehouseStatement {
    WarehouseStatement::of("SELECT toString(day), max(load) FROM ipspect_loads WHERE ")
        .and("feed = ? GROUP BY day", [text(feed.name())])
}

/// The loads that hold of days, for whoever drops them: feed, day, load, records.
pub(super) fn names() -> WarehouseStatement {
    WarehouseStatement::of(
        "SELECT feed, toString(day), max(load), toString(argMax(records, load)) FROM ipspect_loads GROUP BY feed, day",
    )
}

fn of_day(beginning: &str, feed: Feed, day: Day) -> WarehouseStatement {
    WarehouseStatement::of(beginning).and(
        "feed = ? AND day = toDate(?)",
        [text(feed.name()), text(day.dashed())],
    )
}

/// All loads that are complete: feed, day, load, release, records, hash, manifest, schema.
pub(super) fn loads() -> WarehouseStatement {
    WarehouseStatement::of(
        "SELECT feed, toString(day), load, release, toString(records), hash, manifest, toString(schema) \
        FROM ipspect_loads ORDER BY feed, day, load",
    )
}

/// All loads that there are records of, complete or not: feed, day, load.
pub(super) fn loads_of_records() -> WarehouseStatement {
    WarehouseStatement::of(
        "SELECT feed, toString(day), load FROM ipspect_records GROUP BY feed, day, load",
    )
}

/// The comments of the tables by name.
pub(super) fn tables() -> WarehouseStatement {
    WarehouseStatement::of(
        "SELECT name, comment FROM system.tables WHERE database = currentDatabase() \
        AND name IN ('ipspect_records', 'ipspect_loads') ORDER BY name",
    )
}

/// Each says 1 where the user has a right that loading needs; beside it, whether every version needs it.
pub(super) fn rights() -> impl Iterator<Item = (WarehouseStatement, bool)> {
    let tables = ["ipspect_records", "ipspect_loads"];
    let of = |table| {
        [
            ("INSERT", true),
            ("ALTER DELETE", true),
            ("ALTER UPDATE", false),
        ]
        .map(|(right, needed)| (format!("CHECK GRANT {right} ON {table}"), needed))
    };
    let rights = tables.into_iter().flat_map(of);
    rights.map(|(text, needed)| (WarehouseStatement::of(text), needed))
}

/// The settings that can cut an answer without a word, as one row of `name=value`.
pub(super) fn settings() -> WarehouseStatement {
    let names = WHOLE.iter().map(|(name, _)| format!("'{name}'"));
    let names: Vec<String> = names.collect();
    WarehouseStatement::of(format!(
        "SELECT arrayStringConcat(groupArray(concat(name, '=', value)), ' ') FROM system.settings WHERE name IN ({})",
        names.join(", ")
    ))
}

/// The settings, and the values with which every answer is whole or an error.
pub(super) const WHOLE: [(&str, &str); 10] = [
    ("read_overflow_mode", "throw"),
    ("read_overflow_mode_leaf", "throw"),
    ("result_overflow_mode", "throw"),
    ("timeout_overflow_mode", "throw"),
    ("set_overflow_mode", "throw"),
    ("group_by_overflow_mode", "throw"),
    ("sort_overflow_mode", "throw"),
    ("distinct_overflow_mode", "throw"),
    ("limit", "0"),
    ("offset", "0"),
];

pub(super) fn version() -> WarehouseStatement {
    WarehouseStatement::of("SELECT version(), currentUser()")
}

/// Removes a load of a day.
pub(super) fn delete_load(feed: Feed, day: Day, load: &str) -> WarehouseStatement {
    of_day("DELETE FROM ipspect_records WHERE ", feed, day).and(" AND load = ?", [text(load)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_one_statement_behind_another_get_the_next_numbers() {
        let filter: crate::store::Filter = "net:198.51.100.0/24 tag:ACME_VPN"
            .parse()
            .expect("a filter");
        let condition = filter.sql(crate::store::filter::sql::SqlDialect::ClickHouse);
        let inner = condition.into();
        let outer = of_day(
            "SELECT row FROM ipspect_records WHERE ",
            Feed::Dch,
            Day::new(2026, 11, 20).expect("a day"),
        );
        let both = outer
            .with(" AND ", inner)
            .and(" LIMIT ?", [SqlValue::Number(7)]);
        assert_eq!(
            both.text,
            "SELECT row FROM ipspect_records WHERE feed = {p0:String} AND day = toDate({p1:String}) AND (family = 4 AND first >= \
            {p2:String} AND first <= {p3:String} AND last <= {p3:String}))\n  AND (hasAny(tag, {p4:Array(String)})) LIMIT {p5:UInt64}"
                .replace("AND (family", "AND ((family")
        );
        assert_eq!(both.parameters.len(), 6);
        assert_eq!(
            both.parameters[4],
            SqlValue::Texts(vec!["acme_vpn".to_owned()])
        );
    }
}
