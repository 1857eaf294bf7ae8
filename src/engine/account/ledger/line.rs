//! A line of the ledger: an intent, its outcome, or a total.

use jiff::Timestamp;
use serde_json::{Map, Value};

/// A line of the file.
pub(super) struct Line {
    pub(super) kind: LineKind,
    pub(super) at: Timestamp,
    pub(super) token: Option<String>,
    pub(super) surely: u32,
    pub(super) possibly: u32,
    pub(super) balance: Option<u64>,
}

pub(super) enum LineKind {
    Intent(String),
    Outcome(String),
    Total,
}

impl Line {
    /// Reads a line of any owner; its checksum was right.
    pub(super) fn of(line: &Map<String, Value>) -> Option<Self> {
        let text = |key: &str| line.get(key).and_then(Value::as_str);
        let count = |key: &str| match line.get(key) {
            None => Some(0),
            Some(value) => u32::try_from(value.as_u64()?).ok(),
        };
        let id = || text("id").map(str::to_owned);
        let kind = match text("kind")? {
            "intent" => LineKind::Intent(id()?),
            "outcome" => LineKind::Outcome(id()?),
            "total" => LineKind::Total,
            _ => return None,
        };
        Some(Self {
            kind,
            at: text("at")?.parse().ok()?,
            token: text("token").map(str::to_owned),
            surely: count("spent")?,
            possibly: count("possibly")?,
            balance: line.get("balance").and_then(Value::as_u64),
        })
    }
}
