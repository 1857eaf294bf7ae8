//! An export as a database indexed by address. The address is the key, so it is not in a column.

use std::io::{self, Write};

use ipnet::IpNet;
use jiff::Timestamp;

use super::{
    cell::ExportCell,
    geoip::{self, GeoipCell},
    record::ExportRecord,
    table::DIFF,
};
use crate::{
    contract::{ExportField, ExportQuery, Feed, Param},
    model::export_row::RowChange,
    store::{
        Filter, Manifest,
        index::{Interner, WordId},
        mmdb::{About, Database, InlineValue, spell_text, spell_texts},
    },
};

/// The field of a record that has no other.
const LISTED: &str = "listed";

/// What a database says of the data in it. The same data and request have the same bytes, so nothing here is of the moment of the export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseAbout {
    /// When the release was generated.
    pub generated: Timestamp,
    /// The feed, the days and the filter.
    pub description: String,
    pub layout: DatabaseLayout,
}

/// The fields of the records of a database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DatabaseLayout {
    /// Those of the service's exports.
    #[default]
    Service,
    /// Those that readers of geolocation databases know.
    Geoip,
}

impl DatabaseAbout {
    /// That of an export from these releases, that of the day before given for a diff.
    #[must_use]
    pub fn of(
        query: &ExportQuery,
        filter: &Filter,
        layout: DatabaseLayout,
        day: &Manifest,
        before: Option<&Manifest>,
    ) -> Self {
        let feed = query.feed;
        let mut description = format!("Exported by ipspect from {feed} of {}", day.moment.dashed());
        if let Some(before) = before {
            description.push_str(&format!(", changes since {}", before.moment.dashed()));
        }
        let parameters = query.parameters().into_iter();
        // The days are named, and the form is that of the file.
        let parameters = parameters
            .filter(|(param, _)| !matches!(param, Param::Output | Param::Diff | Param::DiffDate))
            .map(|(param, value)| format!("{}={value}", param.name()));
        let filter = (!filter.is_empty()).then(|| format!("filter={filter}"));
        let narrowed: Vec<String> = parameters.chain(filter).collect();
        if !narrowed.is_empty() {
            description.push_str(&format!(": {}", narrowed.join(", ")));
        }
        Self {
            generated: day.generation().at,
            description,
            layout,
        }
    }
}

/// Records on their way to a database, encoded on another thread: each text and list is encoded once.
#[derive(Debug, Default)]
pub(super) struct RowBatch {
    spelt: Interner,
    networks: Vec<IpNet>,
    /// The cells, record by record.
    cells: Vec<DatabaseCell>,
    scratch: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum DatabaseCell {
    Nothing,
    Number(u64),
    Truth(bool),
    /// An encoded text, by its number.
    Text(WordId),
    /// An encoded list or map, by its number.
    Compound(WordId),
}

impl DatabaseCell {
    fn is_compound(self) -> bool {
        matches!(self, Self::Compound(_))
    }
}

/// What the maps of a database have.
#[derive(Clone, Copy, Debug)]
pub(super) enum DatabaseFields<'a> {
    /// Columns of the service's exports.
    Columns(&'a [ExportField]),
    /// The fields of [`geoip`].
    Geoip,
}

impl DatabaseFields<'_> {
    fn names(self) -> Vec<&'static str> {
        match self {
            Self::Columns(columns) => columns.iter().map(|column| column.name()).collect(),
            Self::Geoip => geoip::NAMES.to_vec(),
        }
    }
}

impl RowBatch {
    /// Adds a record.
    ///
    /// # Errors
    /// If the texts of the batch exceed the limit of an interner.
    pub(super) fn add(
        &mut self,
        fields: DatabaseFields<'_>,
        record: ExportRecord<'_>,
    ) -> io::Result<()> {
        match fields {
            DatabaseFields::Columns(columns) => self.add_columns(columns, record)?,
            DatabaseFields::Geoip => self.add_geoip(record)?,
        }
        self.networks.push(record.network());
        Ok(())
    }

    fn add_geoip(&mut self, record: ExportRecord<'_>) -> io::Result<()> {
        for cell in geoip::cells(&record) {
            let cell = match cell {
                GeoipCell::Nothing => DatabaseCell::Nothing,
                GeoipCell::Number(number) => DatabaseCell::Number(number),
                GeoipCell::Truth(truth) => DatabaseCell::Truth(truth),
                GeoipCell::Text(text) => {
                    self.scratch.clear();
                    spell_text(&text, &mut self.scratch);
                    DatabaseCell::Text(self.spelt()?)
                }
                GeoipCell::Compound(spelt) => {
                    self.scratch = spelt;
                    DatabaseCell::Compound(self.spelt()?)
                }
            };
            self.cells.push(cell);
        }
        Ok(())
    }

    fn add_columns(&mut self, columns: &[ExportField], record: ExportRecord<'_>) -> io::Result<()> {
        for column in columns {
            self.scratch.clear();
            let said = match record.cell(*column) {
                ExportCell::Null | ExportCell::Subject(_) | ExportCell::Texts([]) => {
                    DatabaseCell::Nothing
                }
                ExportCell::Number(number) => DatabaseCell::Number(number),
                ExportCell::Text(text) => {
                    spell_text(text, &mut self.scratch);
                    DatabaseCell::Text(self.spelt()?)
                }
                ExportCell::Texts(texts) => {
                    spell_texts(texts, &mut self.scratch);
                    DatabaseCell::Compound(self.spelt()?)
                }
            };
            self.cells.push(said);
        }
        Ok(())
    }

    /// The number of the encoded value in `scratch`.
    fn spelt(&mut self) -> io::Result<WordId> {
        let number = self.spelt.number(&self.scratch);
        let too_large = || io::Error::other("the records of a batch hold more than 1 GiB of text");
        number.map(|(number, _)| number).ok_or_else(too_large)
    }
}

#[derive(Debug)]
pub(super) struct Networks {
    columns: Vec<InlineValue>,
    diff: InlineValue,
    listed: InlineValue,
    database: Database,
    records: u64,
}

impl Networks {
    /// Begins with an empty database.
    pub(super) fn of(fields: DatabaseFields<'_>) -> io::Result<Self> {
        let mut database = Database::default();
        let names = fields.names().into_iter();
        let columns: io::Result<_> = names.map(|name| known(&mut database, name)).collect();
        Ok(Self {
            columns: columns?,
            diff: known(&mut database, DIFF)?,
            listed: known(&mut database, LISTED)?,
            database,
            records: 0,
        })
    }

    /// Inserts records. The format has no null, so absent fields are left out, and so are empty lists, at which some readers stumble.
    /// Scalars come first for the same reason. A record without fields is `{"listed": true}`: an empty map is taken for no record.
    pub(super) fn take(&mut self, batch: &RowBatch, change: Option<RowChange>) -> io::Result<()> {
        let change = change.map(|change| known(&mut self.database, change.word()));
        let change = change.transpose()?;
        let spelt = batch.spelt.texts();
        let spelt: io::Result<Vec<InlineValue>> = spelt
            .map(|spelt| self.database.values.known(spelt))
            .collect();
        let spelt = spelt?;
        for (number, network) in batch.networks.iter().enumerate() {
            let cells = &batch.cells[number * self.columns.len()..][..self.columns.len()];
            let mut map = self.database.values.map();
            for compound in [false, true] {
                let named = self.columns.iter().zip(cells);
                for (column, said) in named.filter(|(_, said)| said.is_compound() == compound) {
                    match said {
                        DatabaseCell::Nothing => {}
                        DatabaseCell::Number(number) => map.number(column, *number),
                        DatabaseCell::Truth(truth) => map.truth(column, *truth),
                        DatabaseCell::Text(number) | DatabaseCell::Compound(number) => {
                            map.known(column, &spelt[number.place()]);
                        }
                    }
                }
                if let Some(change) = change.as_ref().filter(|_| !compound) {
                    map.known(&self.diff, change);
                }
            }
            if map.is_empty() {
                map.truth(&self.listed, true);
            }
            let said = map.end()?;
            self.database.insert(*network, said);
            self.records += 1;
        }
        Ok(())
    }

    /// Writes the database; returns the number of records in it.
    pub(super) fn write(
        self,
        feed: Feed,
        about: &DatabaseAbout,
        output: &mut dyn Write,
    ) -> io::Result<u64> {
        let about = About {
            kind: &match about.layout {
                DatabaseLayout::Service => format!("ipspect-{feed}"),
                DatabaseLayout::Geoip => geoip::kind(feed).to_owned(),
            },
            description: &about.description,
            built: about.generated,
        };
        self.database.write(&about, output)?;
        output.flush()?;
        Ok(self.records)
    }
}

fn known(database: &mut Database, text: &str) -> io::Result<InlineValue> {
    let mut spelt = Vec::new();
    spell_text(text, &mut spelt);
    database.values.known(&spelt)
}
