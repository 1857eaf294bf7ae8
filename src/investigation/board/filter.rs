//! The filter of a board.

use super::{
    field::{BoardEntry, BoardField, DAY, IS, LINES, ROLE, TIME, is_column},
    standing::Standing,
    time_span::{BadSpan, TimeSpan},
};
use crate::{
    investigation::text::AddressRole,
    model::{Day, Subject, Terms},
    store::{
        Filter,
        filter::{BadFilter, ForeignTerm, NumberComparison, Term, Test, contains, is_meant},
    },
};

/// A filter of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFilter {
    /// About the records.
    record: Filter,
    /// About all else, each with whether it is negated.
    others: Vec<(bool, BoardTest)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BoardTest {
    Is(Vec<String>),
    Role(Vec<String>),
    Column(BoardField, Vec<String>),
    Lines(NumberComparison, u64),
    Day(Vec<Day>),
    /// It has an event in one of these.
    Time(Vec<TimeSpan>),
    /// A word that is anywhere in the row.
    Word(String),
}

impl BoardFilter {
    /// Reads a filter of a board with these columns; `None` where they are not known yet, and any name is taken for one.
    ///
    /// # Errors
    /// [`BadFilter`].
    pub fn read(text: &str, columns: Option<&[String]>) -> Result<Self, BadFilter> {
        let read = |term: ForeignTerm<'_>| BoardTest::read(&term, columns);
        let (record, others) = Filter::read_beside(text, read)?;
        Ok(Self { record, others })
    }

    /// The part that is about records.
    #[must_use]
    pub fn record(&self) -> &Filter {
        &self.record
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.record.is_empty() && self.others.is_empty()
    }

    /// Whether it asks for anything beside the records.
    #[must_use]
    pub fn asks_for_more(&self) -> bool {
        !self.others.is_empty()
    }

    /// The values of a field that it accepts, if it is a single term about that.
    #[must_use]
    pub fn accepted(&self, by: &BoardField) -> Option<&[String]> {
        match (&self.record.terms[..], &self.others[..], by) {
            ([term], [], BoardField::Record(field)) if !term.negated => match &term.test {
                Test::Is(keyword, values) if keyword == field => Some(values),
                _ => None,
            },
            ([], [(false, BoardTest::Is(values))], BoardField::Is)
            | ([], [(false, BoardTest::Role(values))], BoardField::Role) => Some(values),
            (
                [],
                [(false, BoardTest::Column(BoardField::Column(text), values))],
                BoardField::Column(name),
            ) if is_column(text, name) => Some(values),
            _ => None,
        }
    }

    /// Whether words by themselves are in it.
    #[must_use]
    pub fn has_words(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Word(_)))
    }

    /// Whether it asks for what addresses are.
    #[must_use]
    pub fn asks_for_standings(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Is(_)))
    }

    /// Whether it asks for what stands beside an address.
    #[must_use]
    pub fn asks_for_columns(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Column(..)))
    }

    /// Whether it asks for the times of events.
    #[must_use]
    pub fn asks_for_times(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Time(_)))
    }

    /// The span of time that it is, if it asks for nothing else.
    #[must_use]
    pub fn span(&self) -> Option<&TimeSpan> {
        match (&self.record.terms[..], &self.others[..]) {
            ([], [(false, BoardTest::Time(spans))]) => match &spans[..] {
                [span] => Some(span),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether it names roles, so that those are meant that it names.
    #[must_use]
    pub fn names_roles(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(is_negated, test)| matches!(test, BoardTest::Role(_)) && !is_negated)
    }

    /// The columns of the text that it asks for.
    pub fn columns(&self) -> impl Iterator<Item = String> + '_ {
        self.others.iter().filter_map(|(_, test)| match test {
            BoardTest::Column(BoardField::Column(name), _) => Some(name.clone()),
            _ => None,
        })
    }

    /// Whether an address matches; `text` is all that its row says. A term about records matches none without a record, unless it is
    /// about the address.
    pub fn matches(&self, entry: &BoardEntry<'_>, text: impl Fn() -> String) -> bool {
        let is_of_address = |term: &Term| {
            let terms = Terms {
                subject: Some(Subject::Address(entry.address)),
                ..Terms::default()
            };
            matches!(term.test, Test::Within(_)) && term.holds(&terms)
        };
        // A network is asked of the address, whatever network its record is about.
        let matches_record = self.record.terms.iter().all(|term| match entry.record {
            Some(record) if !matches!(term.test, Test::Within(_)) => term.holds(record),
            _ => is_of_address(term),
        });
        let holds = |test: &BoardTest| match test {
            BoardTest::Is(words) => {
                let mut own = entry.standings.iter().map(Standing::word);
                own.any(|text| words.iter().any(|word| is_meant(word, text)))
            }
            BoardTest::Column(column, words) => {
                let own = column.values(entry);
                own.iter()
                    .any(|(text, _)| words.iter().any(|word| is_meant(word, text)))
            }
            BoardTest::Role(words) => words.iter().any(|word| is_meant(word, entry.role.word())),
            BoardTest::Lines(comparison, number) => comparison.holds(entry.lines, *number),
            BoardTest::Day(days) => entry.day.is_some_and(|day| days.contains(&day)),
            BoardTest::Time(spans) => entry.events.is_some_and(|times| {
                let mut events = times.iter();
                events.any(|(at, _)| spans.iter().any(|span| span.meets(at, times.unit())))
            }),
            BoardTest::Word(word) => contains(&text(), word),
        };
        let mut others = self.others.iter();
        matches_record && others.all(|(negated, test)| holds(test) != *negated)
    }
}

impl BoardTest {
    /// Reads a term with its negation; `None` if it is about nothing that a board has.
    fn read(
        term: &ForeignTerm<'_>,
        columns: Option<&[String]>,
    ) -> Option<Result<(bool, Self), String>> {
        let (name, values) = (term.name.to_ascii_lowercase(), &term.values);
        let is_named = |text: &&String| is_column(text, &name);
        let test = match (name.as_str(), term.sign) {
            ("", "") => Ok(Self::Word(values.join(","))),
            (IS, ":") => Self::is(values),
            (ROLE, ":") => Self::role(values),
            (LINES, sign) => Self::lines(sign, values),
            (DAY, ":") => Self::day(values),
            (TIME, sign)
                if sign != ":"
                    && columns.is_some_and(|texts| !texts.iter().any(|text| is_named(&text))) =>
            {
                Err(BadSpan::Form.to_string())
            }
            (TIME, ":") if let Ok(spans) = Self::spans(values) => Ok(Self::Time(spans)),
            (_, ":") => {
                let column = columns.map(|texts| texts.iter().find(is_named).cloned());
                let column = match column {
                    Some(None) if name == TIME => return Self::spans(values).err().map(Err),
                    Some(column) => column?,
                    None => name,
                };
                Ok(Self::Column(BoardField::Column(column), values.clone()))
            }
            _ => return None,
        };
        Some(test.map(|test| (term.negated, test)))
    }

    fn is(words: &[String]) -> Result<Self, String> {
        let is_known =
            |word: &&String| Standing::all().any(|standing| is_meant(word, standing.word()));
        match words.iter().find(|word| !is_known(word)) {
            None => Ok(Self::Is(words.to_vec())),
            Some(wrong) => {
                let all: Vec<&str> = Standing::all().map(Standing::word).collect();
                Err(format!("{wrong:?} is none of {}", all.join(", ")))
            }
        }
    }

    fn role(words: &[String]) -> Result<Self, String> {
        let all = AddressRole::NAMED.map(AddressRole::word);
        let is_known = |word: &&String| all.iter().any(|text| is_meant(word, text));
        match words.iter().find(|word| !is_known(word)) {
            None => Ok(Self::Role(words.to_vec())),
            Some(wrong) => Err(format!("{wrong:?} is none of {}", all.join(", "))),
        }
    }

    fn day(words: &[String]) -> Result<Self, String> {
        let days = words.iter().map(|text| text.parse());
        let days: Result<_, _> = days.collect();
        days.map(Self::Day)
            .map_err(|_| "the day of events is written day:2026-11-20".to_owned())
    }

    fn spans(words: &[String]) -> Result<Vec<TimeSpan>, String> {
        let spans = words.iter().map(|text| text.parse());
        let spans: Result<_, BadSpan> = spans.collect();
        spans.map_err(|bad| bad.to_string())
    }

    fn lines(sign: &str, values: &[String]) -> Result<Self, String> {
        let number = match values {
            [number] => number.parse().ok(),
            _ => None,
        };
        let comparison = NumberComparison::of(sign).zip(number);
        let comparison = comparison.ok_or("lines are compared with a number: lines>10");
        let (comparison, number) = comparison?;
        Ok(Self::Lines(comparison, number))
    }
}
