//! Records flattened to the fields of an export (contract, part 2.11).
//!
//! The fields are read from tokens, without restoring the line. Tokens repeat, so parsed ones are cached.

use std::{borrow::Cow, cell::OnceCell};

use super::{
    Index, QueryError, RowId,
    dictionary::Dictionary,
    flat_token::{FlatColumn, FlatLocation, FlatText, FlatTexts, FlatToken},
    id::{WordId, place},
    records::{StoredRecord, damaged},
    section_kind,
    shape::StoredShape,
    value::TokenValue,
};
use crate::model::{Context, Document, Keyword, Subject, terms};

/// A flattened record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportRow<'a> {
    pub subject: Option<Subject>,
    /// Operator of the first tunnel that has one.
    pub tag: Option<FlatText<'a>>,
    /// The first of `client.proxies`.
    pub callback_proxy: Option<FlatText<'a>>,
    pub infrastructure: Option<FlatText<'a>>,
    pub services: FlatTexts<'a>,
    /// Clients per day.
    pub clients: Option<u64>,
    pub place: FlatLocation<'a>,
}

impl ExportRow<'_> {
    #[must_use]
    pub fn of(record: &Document) -> Self {
        let Ok(context) = Context::decode(record.value()) else {
            return Self::default();
        };
        let own = |text: &String| Cow::Owned(text.clone());
        let mut tunnels = context.tunnels.items().iter();
        let operator = tunnels.find_map(|tunnel| tunnel.operator.text());
        let client = context.client.is();
        let location = context.location.is();
        Self {
            subject: context.subject(),
            tag: operator.map(|text| Cow::Owned(text.to_owned())),
            callback_proxy: client.and_then(|client| client.proxies.items().first().map(own)),
            infrastructure: context.infrastructure.is().map(own),
            services: FlatTexts::Owned(context.services.items().iter().map(own).collect()),
            clients: client.and_then(|client| client.count.is().copied()),
            place: FlatLocation {
                city: location.and_then(|location| location.city.is().map(own)),
                state: location.and_then(|location| location.state.is().map(own)),
                country: location.and_then(|location| location.country.is().map(own)),
            },
        }
    }
}

impl<'a> ExportRow<'a> {
    /// Sets a field from a token; false if the whole record must be parsed instead.
    fn take(&mut self, part: FlatColumn, told: FlatToken<'a>) -> bool {
        match (part, told) {
            (_, FlatToken::Nothing) => {}
            (FlatColumn::Subject(rank), FlatToken::Text(text)) => {
                let subject = terms::subject_under(terms::SUBJECT_KEYS[rank], &(*text).into());
                self.subject = match rank {
                    0 => subject.or(self.subject),
                    _ => self.subject.or(subject),
                };
            }
            (FlatColumn::Operator | FlatColumn::Tunnel, FlatToken::Text(text)) => {
                // The first operator counts.
                if self.tag.is_none() && !text.trim().is_empty() {
                    self.tag = Some(text);
                }
            }
            (FlatColumn::Proxies, FlatToken::Text(text)) => self.callback_proxy = Some(text),
            (FlatColumn::Infrastructure, FlatToken::Text(text)) => self.infrastructure = Some(text),
            (FlatColumn::City, FlatToken::Text(text)) => self.place.city = Some(text),
            (FlatColumn::State, FlatToken::Text(text)) => self.place.state = Some(text),
            (FlatColumn::Country, FlatToken::Text(text)) => self.place.country = Some(text),
            (FlatColumn::Services, FlatToken::Texts(texts)) => self.services = texts,
            (FlatColumn::Client | FlatColumn::Clients, FlatToken::Number(clients)) => {
                self.clients = Some(clients)
            }
            (FlatColumn::Location, FlatToken::Location(place)) => self.place = place,
            _ => return false,
        }
        true
    }
}

/// Records that are read together.
const TOGETHER: usize = 32;

/// Parsed tokens of larger columns are not cached: each takes about 90 bytes, and each thread has its own cache.
const MOST_KEPT: usize = 1 << 18;

/// Flattens many records of an index.
#[derive(Debug)]
pub struct Flats<'a> {
    index: &'a Index,
    columns: Vec<FlatTokens<'a>>,
    /// Dictionaries of two fields.
    proxies: Dictionary<'a>,
    services: Dictionary<'a>,
}

#[derive(Debug)]
struct FlatTokens<'a> {
    part: FlatColumn,
    is_of_numbers: bool,
    tokens: Dictionary<'a>,
    /// The parsed tokens by number, filled on demand.
    told: OnceCell<Vec<OnceCell<FlatToken<'a>>>>,
}

impl FlatTokens<'_> {
    fn told(&self, number: u64) -> Result<FlatToken<'_>, QueryError> {
        let number = WordId::from_value(number).ok_or_else(damaged)?;
        if self.part.is_a_text() || self.tokens.len() > MOST_KEPT {
            return Ok(FlatToken::of(self.part, self.tokens.text(number)?));
        }
        let all = self
            .told
            .get_or_init(|| vec![OnceCell::new(); self.tokens.len()]);
        let cell = all.get(number.place()).ok_or_else(damaged)?;
        if cell.get().is_none() {
            let _ = cell.set(FlatToken::of(self.part, self.tokens.text(number)?));
        }
        Ok(cell.get().map_or(FlatToken::Odd, FlatToken::lent))
    }
}

impl Index {
    /// Begins to flatten records.
    ///
    /// # Errors
    /// [`QueryError::Damaged`].
    pub fn flats(&self) -> Result<Flats<'_>, QueryError> {
        let known = self.known()?;
        let mut columns = Vec::with_capacity(known.paths.len());
        for (at, path) in known.paths.iter().enumerate() {
            let part = FlatColumn::of(path);
            columns.push(FlatTokens {
                part,
                is_of_numbers: known.of_numbers.get(at) == Some(&true),
                tokens: match part {
                    // Columns outside the export are never read.
                    FlatColumn::Nothing => Dictionary::default(),
                    _ => Dictionary::read(self.0.sections.get(section_kind::TOKENS, at)?)?,
                },
                told: OnceCell::new(),
            });
        }
        Ok(Flats {
            index: self,
            columns,
            proxies: self.dictionary(Keyword::Proxy)?,
            services: self.dictionary(Keyword::Service)?,
        })
    }
}

impl<'a> Flats<'a> {
    /// Passes the flattened records of some rows to `show`, in the order of the rows.
    ///
    /// # Errors
    /// [`QueryError::Damaged`], converted by `odd`, and any error of `show`.
    pub fn each<E>(
        &self,
        rows: &[RowId],
        odd: impl Fn(QueryError) -> E,
        mut show: impl FnMut(&ExportRow<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for rows in rows.chunks(TOGETHER) {
            let records = self.index.fetched(rows).map_err(&odd)?;
            for (row, record) in rows.iter().zip(records) {
                show(&self.read(*row, record).map_err(&odd)?)?;
            }
        }
        Ok(())
    }

    #[inline]
    fn read(&self, row: RowId, record: &'a [u8]) -> Result<ExportRow<'_>, QueryError> {
        if let StoredRecord::Shaped(shape, values) = self.index.read(record)?
            && let Some(flat) = self.of_tokens(shape, values)?
        {
            return Ok(flat);
        }
        let mut line = Vec::new();
        self.index.line(row, &mut line)?;
        Ok(Document::read(&line)
            .map(|record| ExportRow::of(&record))
            .unwrap_or_default())
    }

    /// Flattens a record from its tokens if all have a usual form, which is ten times as fast as parsing the record.
    #[inline]
    fn of_tokens(
        &self,
        shape: &StoredShape,
        mut values: &'a [u8],
    ) -> Result<Option<ExportRow<'_>>, QueryError> {
        let mut flat = ExportRow::default();
        for column in &shape.columns {
            let value = TokenValue::take(&mut values).ok_or_else(damaged)?;
            let column = self.columns.get(place(*column)).ok_or_else(damaged)?;
            if column.part == FlatColumn::Nothing {
                continue;
            }
            if let (FlatColumn::Subject(0), TokenValue::V4(address)) = (column.part, value) {
                flat.subject = Some(Subject::Address(address.into()));
                continue;
            }
            if !flat.take(column.part, self.told(column, value)?) {
                return Ok(None);
            }
        }
        Ok(Some(flat))
    }

    fn told<'m>(
        &'m self,
        column: &'m FlatTokens<'a>,
        value: TokenValue<'a>,
    ) -> Result<FlatToken<'m>, QueryError> {
        Ok(match (value, column.part) {
            (TokenValue::Text(number) | TokenValue::Number(number), FlatColumn::Clients)
                if column.is_of_numbers || matches!(value, TokenValue::Number(_)) =>
            {
                FlatToken::Number(number)
            }
            (TokenValue::Text(_), _) if column.is_of_numbers => FlatToken::Odd,
            (TokenValue::Text(number), _) => column.told(number)?,
            (TokenValue::Raw(token), part) => FlatToken::of(part, token),
            (TokenValue::Words(words), FlatColumn::Proxies) => {
                let first = words.numbers().next().ok_or_else(damaged)?;
                FlatToken::Text(word_of(self.proxies, first)?)
            }
            (TokenValue::Words(words), FlatColumn::Services) => {
                let services = words.numbers().map(|word| word_of(self.services, word));
                FlatToken::Texts(FlatTexts::Owned(services.collect::<Result<_, _>>()?))
            }
            _ => FlatToken::Odd,
        })
    }
}

fn word_of(words: Dictionary<'_>, number: u64) -> Result<FlatText<'_>, QueryError> {
    let number = WordId::from_value(number).ok_or_else(damaged)?;
    let word = std::str::from_utf8(words.text(number)?).map_err(|_| damaged())?;
    Ok(Cow::Borrowed(word))
}
