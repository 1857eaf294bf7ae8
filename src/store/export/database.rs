//! An export as a database indexed by address, in which no column needs to say what a record is about.

use std::io::{self, Write};

use jiff::Timestamp;

use super::{cell::Cell, record::Record, table::DIFF};
use crate::{
    contract::{ExportField, Feed},
    model::export_row::Change,
    store::mmdb::{About, Database, Key},
};

/// Networks that become a database.
#[derive(Debug)]
pub(super) struct Networks {
    columns: Vec<(ExportField, Key)>,
    diff: Key,
    database: Database,
    records: u64,
}

impl Networks {
    /// Begins without any.
    pub(super) fn of(columns: &[ExportField]) -> io::Result<Self> {
        let mut database = Database::default();
        let mut keyed = Vec::new();
        for column in columns {
            keyed.push((*column, database.values.key(column.name())?));
        }
        Ok(Self {
            columns: keyed,
            diff: database.values.key(DIFF)?,
            database,
            records: 0,
        })
    }

    /// Takes a record. The format has no null: a field that says nothing is left out.
    pub(super) fn add(&mut self, record: Record<'_>, change: Option<Change>) -> io::Result<()> {
        let mut map = self.database.values.map();
        for (column, key) in &self.columns {
            match record.cell(*column) {
                Cell::Text(text) => map.text(key, text),
                Cell::Number(number) => map.number(key, number),
                Cell::Texts(texts) => map.texts(key, texts),
                Cell::Null | Cell::Subject(_) => {}
            }
        }
        if let Some(change) = change {
            map.text(&self.diff, change.word());
        }
        let said = map.end()?;
        self.database.insert(record.network(), said);
        self.records += 1;
        Ok(())
    }

    /// Writes the database; gives the number of records in it.
    pub(super) fn write(
        self,
        feed: Feed,
        now: Timestamp,
        output: &mut impl Write,
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
