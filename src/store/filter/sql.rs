//! A filter as the condition of an SQL statement, over flat columns that are never NULL: it selects what [`Filter::matches`] does.
//!
//! | column | is |
//! |---|---|
//! | the name of each [`Keyword`] | the words of that field in lower case (of ASCII letters), a list |
//! | `org_text` | the same of `org` with all letters folded, in which parts are searched |
//! | `has_clients`, `clients` | whether the number of clients is known, and the number, else 0 |
//! | `attributed` | whether a tunnel is a VPN with an operator |
//! | `family` | 4 or 6; 0 for a record without an address or network |
//! | `first`, `last` | the lowest and highest address of the record, IPv4 as mapped to IPv6, as 32 hexadecimal digits; else empty |
//!
//! Values are bound as parameters and never part of the text.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    net::{IpAddr, Ipv6Addr},
};

use ipnet::IpNet;

use super::{Filter, NumberComparison, Term, Test, fold::folded};
use crate::model::Keyword;

/// The language of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SqlDialect {
    ClickHouse,
    DuckDb,
}

/// Values that are conditions of their own: a server of version 26.4 takes 1,000 fields in a form, and a parameter is one.
const MOST_ALONE: usize = 200;
/// Numbers of one parameter, of 32 digits at most.
pub const MOST_NUMBERS: usize = 3000;
/// Texts that are sought at a time.
const MOST_SOUGHT: usize = 255;
/// Bytes of a parameter: a server takes 128 KiB in a field of a form.
const MOST_BYTES: usize = 100_000;

/// A condition, and the values of its parameters `p0`, `p1` and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SqlCondition {
    pub text: String,
    pub parameters: Vec<SqlValue>,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SqlValue {
    Text(String),
    Texts(Vec<String>),
    Number(u64),
}

impl Filter {
    /// The condition that selects its records; `true` for the empty filter.
    #[must_use]
    pub fn sql(&self, dialect: SqlDialect) -> SqlCondition {
        let mut writer = SqlWriter {
            dialect,
            own: SqlCondition::default(),
        };
        for (number, term) in self.terms.iter().enumerate() {
            let joint = if number == 0 { "" } else { "\n  AND " };
            writer.own.text += joint;
            writer.term(term);
        }
        if self.is_empty() {
            writer.own.text += "true";
        }
        writer.own
    }
}

/// A condition that is being written.
struct SqlWriter {
    dialect: SqlDialect,
    own: SqlCondition,
}

impl SqlWriter {
    fn term(&mut self, term: &Term) {
        self.own.text += if term.negated { "NOT (" } else { "(" };
        match &term.test {
            Test::Is(field, values) => self.is(*field, values),
            Test::Contains(_, parts) => {
                let parts: Vec<String> =
                    parts.iter().map(|text| folded(text).into_owned()).collect();
                self.contains("org_text", &parts);
            }
            Test::Clients(comparison, number) => {
                let number = self.bind(SqlValue::Number(*number));
                let sign = sign(*comparison);
                self.push(&format!("has_clients AND clients {sign} {number}"));
            }
            Test::Within(networks) => self.within(networks),
            Test::Attributed(wanted) => {
                self.push(if *wanted {
                    "attributed"
                } else {
                    "NOT attributed"
                });
            }
        }
        self.own.text += ")";
    }

    /// The record is within one of these networks.
    fn within(&mut self, networks: &[IpNet]) {
        let (alone, rest) = match self.dialect {
            // More networks are lists, which the order of a table does not help with.
            SqlDialect::ClickHouse => networks.split_at(networks.len().min(MOST_ALONE)),
            SqlDialect::DuckDb => (networks, &[][..]),
        };
        self.any_of(alone, |writer, network| {
            let (family, first, last) = range(*network);
            let first = writer.bind(SqlValue::Text(digits(first)));
            let last = writer.bind(SqlValue::Text(digits(last)));
            // The upper bound of `first` follows from the others: tables are sorted by it.
            writer.push(&format!(
                "(family = {family} AND first >= {first} AND first <= {last} AND last <= {last})"
            ));
        });
        // A record is within a network of a length if its own is as long, and begins as the network does.
        let mut by_length: BTreeMap<(u8, u8), Vec<String>> = BTreeMap::new();
        for network in rest {
            let (family, first, _) = range(*network);
            let of = by_length.entry((family, network.prefix_len())).or_default();
            of.extend(beginnings(first, bits_of(family, network.prefix_len())));
        }
        for ((family, length), beginnings) in by_length {
            let digits = bits_of(family, length).div_ceil(4);
            for some in beginnings.chunks(MOST_NUMBERS) {
                let some = self.bind(SqlValue::Texts(some.to_vec()));
                self.push(&format!(
                    " OR (family = {family} AND prefix >= {length} AND substring(first, 1, {digits}) IN {some})"
                ));
            }
        }
    }

    /// One of the words is one of the values, or begins with one that ends with `*`.
    fn is(&mut self, field: Keyword, values: &[String]) {
        let lower = |value: &str| value.to_ascii_lowercase();
        let prefixes = values.iter().filter_map(|text| text.strip_suffix('*'));
        let prefixes: Vec<String> = prefixes.map(lower).collect();
        let whole = values.iter().filter(|text| !text.ends_with('*'));
        let whole: Vec<String> = whole.map(|text| lower(text)).collect();
        let name = field.name();
        let has_whole = !whole.is_empty();
        for (number, some) in in_fields(whole).into_iter().enumerate() {
            self.push(if number > 0 { " OR " } else { "" });
            let values = self.bind(SqlValue::Texts(some));
            self.push(&match self.dialect {
                SqlDialect::ClickHouse => format!("hasAny({name}, {values})"),
                SqlDialect::DuckDb => format!("list_has_any({name}, {values})"),
            });
        }
        if !prefixes.is_empty() {
            self.push(if has_whole { " OR " } else { "" });
            self.begins(name, &prefixes);
        }
    }

    /// Of one of these the condition holds.
    fn any_of<T>(&mut self, all: &[T], mut each: impl FnMut(&mut Self, &T)) {
        for (number, one) in all.iter().enumerate() {
            self.push(if number == 0 { "" } else { " OR " });
            each(self, one);
        }
        if all.is_empty() {
            self.push("false");
        }
    }

    /// A word of a column begins with one of these.
    fn begins(&mut self, column: &str, prefixes: &[String]) {
        if self.dialect == SqlDialect::ClickHouse && prefixes.len() > MOST_ALONE {
            // Without a function for each pair: that takes a copy of the column for each of them.
            let mut by_length: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for prefix in prefixes {
                by_length
                    .entry(prefix.len())
                    .or_default()
                    .push(prefix.clone());
            }
            let lists = by_length.into_iter().flat_map(|(length, texts)| {
                let lists = in_fields(texts).into_iter();
                lists.map(move |some| (length, some))
            });
            return self.any_of(&lists.collect::<Vec<_>>(), |writer, (length, some)| {
                let some = writer.bind(SqlValue::Texts(some.clone()));
                writer.push(&format!(
                    "hasAny(arrayMap(word -> substring(word, 1, {length}), {column}), {some})"
                ));
            });
        }
        self.any_of(prefixes, |writer, prefix| {
            let prefix = writer.bind(SqlValue::Text(prefix.clone()));
            writer.push(&match writer.dialect {
                SqlDialect::ClickHouse => {
                    format!("arrayExists(word -> startsWith(word, {prefix}), {column})")
                }
                SqlDialect::DuckDb => format!(
                    "len(list_filter({column}, lambda word: starts_with(word, {prefix}))) > 0"
                ),
            });
        });
    }

    /// A word of a column has one of these in it.
    fn contains(&mut self, column: &str, parts: &[String]) {
        if self.dialect == SqlDialect::ClickHouse && parts.len() > MOST_ALONE {
            let lists = in_fields(parts.to_vec()).into_iter();
            let lists = lists.flat_map(|texts| {
                let some = texts.chunks(MOST_SOUGHT).map(<[String]>::to_vec);
                some.collect::<Vec<_>>()
            });
            return self.any_of(&lists.collect::<Vec<_>>(), |writer, some| {
                let some = writer.bind(SqlValue::Texts(some.clone()));
                writer.push(&format!(
                    "arrayExists(word -> multiSearchAny(word, {some}), {column})"
                ));
            });
        }
        self.any_of(parts, |writer, part| {
            let part = writer.bind(SqlValue::Text(part.clone()));
            writer.push(&match writer.dialect {
                SqlDialect::ClickHouse => {
                    format!("arrayExists(word -> position(word, {part}) > 0, {column})")
                }
                SqlDialect::DuckDb => {
                    format!("len(list_filter({column}, lambda word: contains(word, {part}))) > 0")
                }
            });
        });
    }

    /// Binds a value; returns the place of it in the text.
    fn bind(&mut self, value: SqlValue) -> String {
        let number = self.own.parameters.len();
        let place = match self.dialect {
            SqlDialect::ClickHouse => format!("{{p{number}:{}}}", value.type_name()),
            SqlDialect::DuckDb => format!("$p{number}"),
        };
        self.own.parameters.push(value);
        place
    }

    fn push(&mut self, text: &str) {
        self.own.text += text;
    }
}

impl SqlValue {
    /// Its type in `ClickHouse`.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Text(_) => "String",
            Self::Texts(_) => "Array(String)",
            Self::Number(_) => "UInt64",
        }
    }

    /// It as a field of a request over HTTP to `ClickHouse`, where a text is read as TSV.
    #[must_use]
    pub fn field(&self) -> String {
        match self {
            Self::Text(text) => {
                let text = text.replace('\\', r"\\").replace('\t', r"\t");
                text.replace('\n', r"\n").replace('\r', r"\r")
            }
            other => other.literal(SqlDialect::ClickHouse),
        }
    }

    /// It as a literal, for a statement that a person runs.
    #[must_use]
    pub fn literal(&self, dialect: SqlDialect) -> String {
        let text = |text: &str| match (dialect, self) {
            // As a field, quoted.
            (SqlDialect::ClickHouse, Self::Text(_)) => clickhouse_text(&self.field()),
            (SqlDialect::ClickHouse, _) => clickhouse_text(text),
            (SqlDialect::DuckDb, _) => format!("'{}'", text.replace('\'', "''")),
        };
        match self {
            Self::Text(word) => text(word),
            Self::Texts(all) => {
                let all: Vec<String> = all.iter().map(|word| text(word)).collect();
                format!("[{}]", all.join(", "))
            }
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A text in quotes, as `ClickHouse` reads it.
fn clickhouse_text(text: &str) -> String {
    let mut quoted = String::from("'");
    for letter in text.chars() {
        match letter {
            '\'' | '\\' => quoted.extend(['\\', letter]),
            control if control.is_ascii_control() => {
                // Writing to a text does not fail.
                let _ = write!(quoted, "\\x{:02x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted + "'"
}

/// An address as 32 hexadecimal digits, whose order as text is that of addresses.
#[must_use]
pub fn digits(address: Ipv6Addr) -> String {
    format!("{:032x}", address.to_bits())
}

/// The family of a network, and its lowest and highest address, of IPv4 as mapped to IPv6.
#[must_use]
pub fn range(network: IpNet) -> (u8, Ipv6Addr, Ipv6Addr) {
    let mapped = |address: IpAddr| match address {
        IpAddr::V4(address) => address.to_ipv6_mapped(),
        IpAddr::V6(address) => address,
    };
    let family = if network.addr().is_ipv4() { 4 } else { 6 };
    (
        family,
        mapped(network.network()),
        mapped(network.broadcast()),
    )
}

/// The bits of a network's beginning, of IPv4 as mapped to IPv6.
fn bits_of(family: u8, length: u8) -> usize {
    usize::from(length) + if family == 4 { 96 } else { 0 }
}

/// With which digits the addresses of a network begin: a digit is four bits, of which the last one may be fixed in part.
fn beginnings(first: Ipv6Addr, bits: usize) -> Vec<String> {
    let (whole, rest) = (digits(first), bits % 4);
    let fixed = &whole[..bits / 4];
    if rest == 0 {
        return vec![fixed.to_owned()];
    }
    let own = first.to_bits() >> (124 - bits / 4 * 4) & 0xf;
    let free = 1 << (4 - rest);
    (own..own + free)
        .map(|digit| format!("{fixed}{digit:x}"))
        .collect()
}

/// Texts in lists that each fit into a field of a form.
#[must_use]
pub fn in_fields(texts: Vec<String>) -> Vec<Vec<String>> {
    let mut lists: Vec<Vec<String>> = Vec::new();
    let mut bytes = MOST_BYTES;
    for text in texts {
        // In quotes, each letter escaped, and a comma behind it.
        let own = 4 * text.len() + 4;
        if bytes + own > MOST_BYTES {
            lists.push(Vec::new());
            bytes = 0;
        }
        bytes += own;
        if let Some(last) = lists.last_mut() {
            last.push(text);
        }
    }
    lists
}

fn sign(comparison: NumberComparison) -> &'static str {
    match comparison {
        NumberComparison::Less => "<",
        NumberComparison::AtMost => "<=",
        NumberComparison::Equal => "=",
        NumberComparison::AtLeast => ">=",
        NumberComparison::More => ">",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(text: &str, dialect: SqlDialect) -> SqlCondition {
        text.parse::<Filter>().expect(text).sql(dialect)
    }

    #[test]
    fn values_are_bound_and_never_part_of_the_text() {
        let filter =
            "tag:ACME*,O'NEIL -org:\"Zürich' --\" clients>=20 net:198.51.100.0/24 attributed:no";
        let duckdb = condition(filter, SqlDialect::DuckDb);
        assert_eq!(
            duckdb.text,
            "(list_has_any(tag, $p0) OR len(list_filter(tag, lambda word: starts_with(word, $p1))) > 0)\n  \
             AND NOT (len(list_filter(org_text, lambda word: contains(word, $p2))) > 0)\n  \
             AND (has_clients AND clients >= $p3)\n  \
             AND ((family = 4 AND first >= $p4 AND first <= $p5 AND last <= $p5))\n  \
             AND (NOT attributed)"
        );
        let text = |text: &str| SqlValue::Text(text.to_owned());
        assert_eq!(
            duckdb.parameters,
            [
                SqlValue::Texts(vec!["o'neil".to_owned()]),
                text("acme"),
                text("zürich' --"),
                SqlValue::Number(20),
                text("00000000000000000000ffffc6336400"),
                text("00000000000000000000ffffc63364ff"),
            ]
        );
        let clickhouse = condition(filter, SqlDialect::ClickHouse);
        assert_eq!(clickhouse.parameters, duckdb.parameters);
        assert!(clickhouse.text.starts_with("(hasAny(tag, {p0:Array(String)}) OR arrayExists(word -> startsWith(word, {p1:String}), tag))"));
        assert_eq!(condition("", SqlDialect::DuckDb).text, "true");
    }

    /// A form has 1,000 fields, and a field 128 KiB.
    #[test]
    fn long_lists_are_few_parameters() {
        let many = |most: usize, one: &dyn Fn(usize) -> String| {
            let all: Vec<String> = (0..most).map(one).collect();
            all.join(",")
        };
        let networks = many(4_000, &|number| {
            format!("198.18.{}.{}", number / 256, number % 256)
        });
        let words = many(9_000, &|number| format!("ACME_{number}_VPN"));
        let prefixes = many(9_000, &|number| format!("ACME_{number}*"));
        let filter = format!("net:{networks} -tag:{words},{prefixes} org:{words}");
        let condition = condition(&filter, SqlDialect::ClickHouse);
        assert!(
            (400..600).contains(&condition.parameters.len()),
            "{}",
            condition.parameters.len()
        );
        let longest = condition
            .parameters
            .iter()
            .map(|value| value.field().len())
            .max();
        assert!(longest < Some(128 << 10), "{longest:?}");
        assert!(condition.text.len() < 128 << 10, "{}", condition.text.len());
    }

    #[test]
    fn literals_end_where_their_text_does() {
        let own = SqlValue::Texts(vec!["o'n\\eil".to_owned(), "\u{0}\n".to_owned()]);
        assert_eq!(
            own.literal(SqlDialect::ClickHouse),
            r"['o\'n\\eil', '\x00\x0a']"
        );
        let text = SqlValue::Text("o'n\\eil\t".to_owned());
        assert_eq!(text.literal(SqlDialect::DuckDb), "'o''n\\eil\t'");
        assert_eq!(text.literal(SqlDialect::ClickHouse), r"'o\'n\\\\eil\\t'");
    }
}
