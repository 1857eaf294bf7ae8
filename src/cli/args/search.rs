//! Arguments of `search`.

use std::ffi::OsString;

use clap::{Args as Group, ValueEnum};

use super::{
    diff::filter,
    fields::{check_facet, check_filter, field_instead_of},
    global::ColumnArgs,
    value::{feed, picked_day, usage},
    warehouse::{DayRange, PlaceArg},
};
use crate::{
    contract::Feed,
    engine::Result,
    model::{Day, Keyword},
    report::about,
    store::{Filter, filter::sql::SqlDialect, index::FacetBy},
};

/// Arguments of `search`
#[derive(Debug, Group)]
#[command(
    after_help = search_help(),
)]
pub struct SearchArgs {
    /// The feed; it must be downloaded
    pub feed: String,
    /// Which records; all of them without it
    #[arg(value_name = "FILTER")]
    pub filter: Vec<String>,
    /// Only the counts
    #[arg(long, conflicts_with_all = ["facet", "top", "limit"])]
    pub count: bool,
    /// The values of a field and how many records have each: a field of filters, or a path such as location.city
    #[arg(long, value_name = "FIELD", conflicts_with = "top")]
    pub facet: Option<String>,
    /// The N records with the most clients, sorted by them
    #[arg(long, value_name = "N", conflicts_with = "limit")]
    pub top: Option<usize>,
    /// At most N records, or values
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Print the statement that gives the same answer over `FEED.parquet`, which `ipspect parquet FEED --flat` writes; asks nothing
    #[arg(long, value_name = "DIALECT", conflicts_with_all = ["facet", "top"])]
    pub sql: Option<SqlArg>,
    /// The release of this day, instead of the latest: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
    /// Where: the local feeds, or the warehouse of the profile
    #[arg(long, value_name = "PLACE", default_value = "local")]
    pub at: PlaceArg,
    /// Of the warehouse, all loaded days from this one on, the day in each line; --facet day counts them
    #[arg(
        long,
        value_name = "DAY",
        allow_hyphen_values = true,
        conflicts_with = "day"
    )]
    pub from: Option<String>,
    /// Of the warehouse, all loaded days up to this one
    #[arg(
        long,
        value_name = "DAY",
        allow_hyphen_values = true,
        conflicts_with = "day"
    )]
    pub to: Option<String>,
    /// Which columns are printed
    #[command(flatten)]
    pub columns: ColumnArgs,
}

/// The engine that a statement is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SqlArg {
    /// Also as clickhouse-local
    #[value(name = "clickhouse")]
    ClickHouse,
    /// Its shell, or any other client
    #[value(name = "duckdb")]
    DuckDb,
}

impl From<SqlArg> for SqlDialect {
    fn from(arg: SqlArg) -> Self {
        match arg {
            SqlArg::ClickHouse => Self::ClickHouse,
            SqlArg::DuckDb => Self::DuckDb,
        }
    }
}

fn search_help() -> String {
    let fields = Filter::FIELDS.map(|field| entry(field.example, about(field.name)));
    format!(
        "FILTER is terms separated by spaces, all of which must hold; a comma is OR, a minus in front is NOT; values with \
        spaces or commas need double quotes; tag:ACME* matches all tags with that prefix; in a shell, put single quotes \
        around < > * \":\n{}\n\
        Records come in the order of the feed, or the busiest first with --top.\n\
        JSON: the record, as sent; with --count {{\"count\"}}; with --facet {{\"value\",\"count\",\"share\"}}; with --from or --to \
        {{\"day\",\"record\"}}; with --facet day {{\"day\",\"count\"}}\n\
        CSV: the columns of a record as in `lookup`, for service-metrics as in `tag`; with --facet \
        value,count,share\n\n\
        Examples:\n  ipspect search anonymous tag:ACME_VPN cc:NL --top 10\n  \
        ipspect search anonymous-residential 'clients>20' --facet location.city\n  \
        ipspect search anonymous net:198.51.100.77 --at warehouse --from -30d",
        fields.concat()
    )
}

/// A term and what it means, aligned, in lines of 80 columns.
fn entry(term: &str, meaning: &str) -> String {
    const COLUMN: usize = 27;
    const WIDTH: usize = 80;
    let mut text = format!("  {term}");
    let mut used = text.len();
    if used + 2 > COLUMN {
        text.push('\n');
        used = 0;
    }
    text.push_str(&" ".repeat(COLUMN - used));
    used = COLUMN;
    for word in meaning.split(' ') {
        if used > COLUMN && used + 1 + word.len() > WIDTH {
            text = format!("{text}\n{:COLUMN$}", "");
            used = COLUMN;
        } else if used > COLUMN {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += word.len();
    }
    text + "\n"
}

/// What is asked of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchArguments {
    /// The feed.
    pub feed: Feed,
    /// The day, if not the newest.
    pub day: Option<Day>,
    /// Which records.
    pub filter: Filter,
    /// What of them.
    pub wanted: SearchResult,
    /// The days of the warehouse that are asked, if it is.
    pub loaded: Option<LoadedDays>,
}

/// Days of a warehouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadedDays {
    /// One, or the newest.
    One(Option<Day>),
    Range(DayRange),
}

/// What to print of the selected records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchResult {
    /// How many.
    Count,
    /// The values of a field; the most frequent ones where there is a limit.
    Facets(FacetBy, Option<usize>),
    /// How many of each day.
    Days,
    /// Themselves, the busiest first.
    Busiest(usize),
    /// Themselves, in the order of the feed.
    All(Option<usize>),
    /// The statement that counts them, or gives at most so many.
    Sql(SqlDialect, bool, Option<usize>),
}

impl SearchArgs {
    /// What is asked.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for an invalid feed, day, filter or field.
    pub fn search(&self, today: Day) -> Result<SearchArguments> {
        let feed = feed(&self.feed)?;
        let filter = filter(Some(&self.filter.join(" ")))?;
        check_filter(&[feed], &filter)?;
        let day = picked_day(self.day.as_deref(), today)?;
        let loaded = self.loaded(day, today)?;
        let by_day = self.facet.as_deref() == Some("day");
        let by = self.facet.as_deref().filter(|_| !by_day);
        let by = by.map(facet).transpose()?;
        by.iter().try_for_each(|by| check_facet(&[feed], by))?;
        if by_day && loaded.is_none() {
            return Err(usage("only the warehouse has days to count")
                .hint("add --at warehouse, and --from or --to"));
        }
        Ok(SearchArguments {
            feed,
            day,
            filter,
            loaded,
            wanted: match (by, self.top) {
                _ if let Some(dialect) = self.sql => {
                    SearchResult::Sql(dialect.into(), self.count, self.limit)
                }
                _ if self.count => SearchResult::Count,
                _ if by_day => SearchResult::Days,
                (Some(by), _) => SearchResult::Facets(by, self.limit),
                (None, Some(most)) => SearchResult::Busiest(most),
                (None, None) => SearchResult::All(self.limit),
            },
        })
    }
}

impl SearchArgs {
    /// The days of the warehouse, if that is asked.
    fn loaded(&self, day: Option<Day>, today: Day) -> Result<Option<LoadedDays>> {
        let range = DayRange::read(self.from.as_deref(), self.to.as_deref(), today)?;
        let is_range = self.from.is_some() || self.to.is_some();
        match self.at {
            PlaceArg::Local if is_range => Err(usage("--from and --to are for --at warehouse")
                .hint("--day names a local release; a shell loop goes over several")),
            PlaceArg::Local => Ok(None),
            PlaceArg::Warehouse if self.sql.is_some() => {
                Err(usage("--sql is about a file, not about the warehouse").hint("leave --at out"))
            }
            PlaceArg::Warehouse if is_range && self.top.is_some() => {
                Err(usage("--top is about one day").hint("name it with --day"))
            }
            PlaceArg::Warehouse if is_range => Ok(Some(LoadedDays::Range(range))),
            PlaceArg::Warehouse => Ok(Some(LoadedDays::One(day))),
        }
    }

    /// Whether each line has its day.
    #[must_use]
    pub fn is_dated(&self) -> bool {
        self.from.is_some() || self.to.is_some()
    }
}

/// What values are counted by: a field of filters, or a path of records.
///
/// # Errors
/// [`Kind::Usage`](crate::engine::Kind::Usage) for what is neither.
pub(super) fn facet(field: &str) -> Result<FacetBy> {
    let field = field.trim();
    if let Some(keyword) = Keyword::named(&field.to_ascii_lowercase()) {
        return Ok(FacetBy::Keyword(keyword));
    }
    if ["clients", "net", "attributed"].contains(&field) {
        return Err(usage(format!("{field} has no values to count"))
            .hint("name a field of words such as tag or cc, or a path such as client.count"));
    }
    if field.is_empty() || field.split('.').any(str::is_empty) {
        return Err(usage(format!("{field:?} is neither a field nor a path"))
            .hint("write a field such as tag, or a path such as location.city"));
    }
    if let Some(near) = field_instead_of(field) {
        return Err(
            usage(format!("there is no field {field:?}")).hint(format!("did you mean {near}?"))
        );
    }
    Ok(FacetBy::Path(field.to_owned()))
}

/// The command line with a blank in front of each word that is a negated term: nothing else keeps options behind it
/// from being taken for a part of the filter, or the term for an option.
pub(super) fn shielded(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let is_term = |word: &OsString| {
        let term = word.to_str().and_then(|word| word.strip_prefix('-'));
        term.is_some_and(|term| {
            let is_option = term.starts_with('-') || term.starts_with("o=");
            !is_option && term.contains([':', '<', '>', '='])
        })
    };
    let mut searches = false;
    words
        .into_iter()
        .map(|word| {
            searches |= word == "search" || word == "blocklist";
            if searches && is_term(&word) {
                let mut shielded = OsString::from(" ");
                shielded.push(&word);
                return shielded;
            }
            word
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::engine::Kind;

    #[derive(Debug, Parser)]
    struct SearchCommand {
        #[command(flatten)]
        args: SearchArgs,
    }

    fn read(words: &[&str]) -> Result<SearchArguments> {
        let words = ["search"].iter().chain(words).map(OsString::from);
        SearchCommand::try_parse_from(shielded(words))
            .expect("line")
            .args
            .search(Day::new(2026, 11, 20).expect("a day"))
    }

    #[test]
    fn words_make_one_filter_wherever_options_stand() {
        for words in [
            &[
                "anonymous",
                "tag:ACME_VPN",
                "-infra:MOBILE",
                "org:\"a b\"",
                "--limit",
                "5",
            ][..],
            &[
                "--limit",
                "5",
                "anonymous",
                "tag:ACME_VPN -infra:MOBILE org:\"a b\"",
            ],
            &[
                "anonymous",
                "tag:ACME_VPN",
                "--limit=5",
                "-infra:MOBILE",
                "org:\"a",
                "b\"",
            ],
        ] {
            let search = read(words).expect("search");
            assert_eq!(
                search.filter.to_string(),
                "tag:ACME_VPN -infra:MOBILE org:\"a b\""
            );
            assert_eq!(
                (search.feed, search.wanted),
                (Feed::Anonymous, SearchResult::All(Some(5)))
            );
        }
        let search = read(&["anonymous", "-infra:MOBILE", "--count"]).expect("search");
        assert_eq!(search.filter.to_string(), "-infra:MOBILE");
        assert_eq!(search.wanted, SearchResult::Count);
    }

    #[test]
    fn facets_are_of_fields_and_of_paths() {
        let by = |field: &str| read(&["anonymous", "--facet", field]).map(|search| search.wanted);
        for (field, expected) in [
            ("asn", FacetBy::Keyword(Keyword::Asn)),
            ("CC", FacetBy::Keyword(Keyword::Cc)),
            ("location.city", FacetBy::Path("location.city".to_owned())),
        ] {
            assert_eq!(by(field), Ok(SearchResult::Facets(expected, None)));
        }
        for field in ["clients", "net", "", "location..city"] {
            assert_eq!(by(field).map_err(|error| error.kind), Err(Kind::Usage));
        }
    }

    #[test]
    fn a_bad_filter_is_told_in_five_lines_with_its_place() {
        let error = read(&["anonymous", "cc:NL", "operator:ACME_VPN"]).expect_err("filter");
        assert_eq!(
            error.to_string(),
            "there is no field \"operator\"\n    cc:NL operator:ACME_VPN\n          ^^^^^^^^\n  did you mean tag:ACME_VPN?"
        );
    }

    #[test]
    fn other_words_stay_as_they_are() {
        let words =
            ["ipspect", "lookup", "-x:y", "search", "-q", "--count", "-v"].map(OsString::from);
        assert_eq!(shielded(words.clone()), words);
    }
}
