//! An export as a database indexed by address. The address is the key, so it is not in a column.

use std::io::{self, Write};

use ipnet::IpNet;
use jiff::Timestamp;

use super::{cell::ExportCell, record::ExportRecord, table::DIFF};
use crate::{
    contract::{ExportField, Feed},
    model::export_row::RowChange,
    store::{
        index::{Interner, WordId},
        mmdb::{About, Database, InlineValue, spell_text, spell_texts},
    },
};

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
    /// An encoded text or list, by its number.
    Spelt(WordId),
}

impl RowBatch {
    /// Adds a record.
    ///
    /// # Errors
    /// If the texts of the batch exceed the limit of an interner.
    pub(super) fn add(
        &mut self,
        columns: &[ExportField],
        record: ExportRecord<'_>,
    ) -> io::Result<()> {
        for column in columns {
            self.scratch.clear();
            let said = match record.cell(*column) {
                ExportCell::Null | ExportCell::Subject(_) => DatabaseCell::Nothing,
                ExportCell::Number(number) => DatabaseCell::Number(number),
                ExportCell::Text(text) => {
                    spell_text(text, &mut self.scratch);
                    self.spelt()?
                }
                ExportCell::Texts(texts) => {
                    spell_texts(texts, &mut self.scratch);
                    self.spelt()?
                }
            };
            self.cells.push(said);
        }
        self.networks.push(record.network());
        Ok(())
    }

    /// The number of the encoded value in `scratch`.
    fn spelt(&mut self) -> io::Result<DatabaseCell> {
        let number = self.spelt.number(&self.scratch);
        let too_large = || io::Error::other("the records of a batch hold more than 1 GiB of text");
        number
            .map(|(number, _)| DatabaseCell::Spelt(number))
            .ok_or_else(too_large)
    }
}

#[derive(Debug)]
pub(super) struct Networks {
    columns: Vec<InlineValue>,
    diff: InlineValue,
    database: Database,
    records: u64,
}

impl Networks {
    /// Begins with an empty database.
    pub(super) fn of(columns: &[ExportField]) -> io::Result<Self> {
        let mut database = Database::default();
        let columns = columns.iter();
        let columns: io::Result<_> = columns
            .map(|column| known(&mut database, column.name()))
            .collect();
        Ok(Self {
            columns: columns?,
            diff: known(&mut database, DIFF)?,
            database,
            records: 0,
        })
    }

    /// Inserts records. The format has no null, so absent fields are left out.
    pub(super) fn take(&mut self, batch: &RowBatch, change: Option<RowChange>) -> io::Result<()> {
        let change = change.map(|change| known(&mut self.database, change.word()));
        let change = change.transpose()?;
        let spelt = batch.spelt.texts();
        let spelt: io::Result<Vec<InlineValue>> = spelt
            .map(|spelt| self.database.values.known(spelt))
            .collect();
        let spelt = spelt?;
        let mut cells = batch.cells.iter();
        for network in &batch.networks {
            let mut map = self.database.values.map();
            for (column, said) in self.columns.iter().zip(cells.by_ref()) {
                match said {
                    DatabaseCell::Nothing => {}
                    DatabaseCell::Number(number) => map.number(column, *number),
                    DatabaseCell::Spelt(number) => map.known(column, &spelt[number.place()]),
                }
            }
            if let Some(change) = &change {
                map.known(&self.diff, change);
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
        now: Timestamp,
        output: &mut dyn Write,
    ) -> io::Result<u64> {
        let about = About {
            kind: &format!("ipspect-{feed}"),
            description: &format!("Exported from the {feed} feed"),
            built: now,
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
