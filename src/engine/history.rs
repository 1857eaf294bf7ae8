//! The trail's file: what was looked up, and what was answered, so that the next run can show it again without a query.

use std::{fs, io, time::Duration};

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    Engine,
    ask::Provenance,
    error::{Error, Result},
    lookup::{Answer, Record},
    paths,
};
use crate::{
    contract::{Geolocation, LookupQuery},
    model::{Context, Document, TagName},
};

/// Entries kept; older ones go at the next start.
const KEPT: usize = 1_000;

/// A line of the trail's file.
#[derive(Clone, Debug)]
pub enum Entry {
    /// An address was looked up.
    Looked(LookupQuery, Box<Answer>),
    /// A tag was opened.
    Tagged(TagName, Timestamp),
    /// An address was pinned, or let go.
    Pinned(std::net::IpAddr, bool),
}

impl Entry {
    /// The entry as one line.
    #[must_use]
    pub fn to_line(&self) -> String {
        let value = match self {
            Self::Looked(query, answer) => {
                let provenance = &answer.provenance;
                json!({
                    "address": query.address.to_string(),
                    "date": query.date.map(|day| day.to_string()),
                    "mmgeo": query.geolocation == Geolocation::Mmgeo,
                    "at": provenance.asked_at.to_string(),
                    "url": provenance.url,
                    "status": provenance.status,
                    "elapsed_ms": u64::try_from(provenance.elapsed.as_millis()).unwrap_or(u64::MAX),
                    "attempts": provenance.attempts,
                    "cost": provenance.cost,
                    "possibly_spent": provenance.possibly_spent,
                    "balance": provenance.balance,
                    "data_date": provenance.data_date.map(|day| day.to_string()),
                    "record": answer.record.as_ref().map(|record| record.document.text()),
                })
            }
            Self::Tagged(tag, at) => json!({"tag": tag.as_str(), "at": at.to_string()}),
            Self::Pinned(address, on) => json!({"pin": address.to_string(), "on": on}),
        };
        value.to_string()
    }

    /// Reads a line back; a torn or foreign one is none.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value[key].as_str();
        let small = |key: &str| {
            value[key]
                .as_u64()
                .and_then(|number| u32::try_from(number).ok())
                .unwrap_or_default()
        };
        if let Some(tag) = text("tag") {
            return Some(Self::Tagged(
                TagName::new(tag).ok()?,
                text("at")?.parse().ok()?,
            ));
        }
        if let Some(address) = text("pin") {
            return Some(Self::Pinned(address.parse().ok()?, value["on"].as_bool()?));
        }
        let geolocation = if value["mmgeo"] == true {
            Geolocation::Mmgeo
        } else {
            Geolocation::Service
        };
        let date = match text("date") {
            Some(day) => Some(day.parse().ok()?),
            None => None,
        };
        let query = LookupQuery {
            address: text("address")?.parse().ok()?,
            date,
            geolocation,
        };
        let record = match text("record") {
            Some(text) => {
                let document = Document::read(text.as_bytes()).ok()?;
                Some(Record {
                    context: Context::decode(document.value()).ok()?,
                    document,
                })
            }
            None => None,
        };
        let provenance = Provenance {
            url: text("url")?.to_owned(),
            status: value["status"]
                .as_u64()
                .and_then(|status| u16::try_from(status).ok())?,
            asked_at: text("at")?.parse().ok()?,
            elapsed: Duration::from_millis(value["elapsed_ms"].as_u64()?),
            attempts: small("attempts"),
            cost: small("cost"),
            possibly_spent: small("possibly_spent"),
            balance: value["balance"].as_u64(),
            data_date: text("data_date").and_then(|day| day.parse().ok()),
            clock_off: None,
        };
        Some(Self::Looked(query, Box::new(Answer { record, provenance })))
    }
}

impl Engine {
    fn history_file(&self) -> std::path::PathBuf {
        self.settings.paths.state.join("history")
    }

    /// Adds a line to the trail's file.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn remember(&self, line: &str) -> Result<()> {
        paths::append_line(&self.history_file(), line)
    }

    /// The trail of earlier runs, oldest first. A file that has grown long is cut to its last entries.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn history(&self) -> Result<Vec<Entry>> {
        let path = self.history_file();
        let text = paths::read_if_there(&path)?.unwrap_or_default();
        let mut lines: Vec<&str> = text.lines().collect();
        if lines.len() > 2 * KEPT {
            lines.drain(..lines.len() - KEPT);
            paths::write_whole(&path, (lines.join("\n") + "\n").as_bytes())?;
        }
        Ok(lines.into_iter().filter_map(Entry::read).collect())
    }

    /// Removes the trail's file.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn forget(&self) -> Result<()> {
        let path = self.history_file();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::machine(
                &format!("remove {}", path.display()),
                &error,
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was() {
        let text = r#"{"ip":"198.51.100.7","as":{"number":64500},"odd":1.50,"x":"\u0026"}"#;
        let document = Document::read(text.as_bytes()).expect("document");
        let context = Context::decode(document.value()).expect("record");
        let query = LookupQuery {
            address: [198, 51, 100, 7].into(),
            date: "20261001".parse().ok(),
            geolocation: Geolocation::Mmgeo,
        };
        let provenance = Provenance {
            url: "https://context.example/v2/context/198.51.100.7".to_owned(),
            status: 200,
            asked_at: Timestamp::UNIX_EPOCH,
            elapsed: Duration::from_millis(142),
            attempts: 1,
            cost: 1,
            possibly_spent: 0,
            balance: Some(48_120),
            data_date: "20261001".parse().ok(),
            clock_off: None,
        };
        let entry = Entry::Looked(
            query,
            Box::new(Answer {
                record: Some(Record { context, document }),
                provenance: provenance.clone(),
            }),
        );
        let line = entry.to_line();
        assert!(!line.contains('\n'));
        let Some(Entry::Looked(back, answer)) = Entry::read(&line) else {
            panic!("{line}")
        };
        assert_eq!((back, &answer.provenance), (query, &provenance));
        assert_eq!(answer.record.expect("record").document.text(), text);
        assert!(Entry::read(&line[..line.len() / 2]).is_none());
        assert!(Entry::read("{}").is_none());
    }
}
