//! A line of the ledger: an intent, its outcome, a total, a balance that was named, or queries that were not needed.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{savings::SavedBy, work::QueryPurpose};
use crate::store::log::EntryOwner;

/// A line as it is written: whose it is, of which token, then what is its own.
pub(super) fn line_of(
    kind: &str,
    at: Timestamp,
    owner: &EntryOwner,
    token: Option<String>,
    value: Value,
) -> Map<String, Value> {
    let mut line = Map::new();
    line.insert("kind".to_owned(), kind.into());
    line.insert("at".to_owned(), at.to_string().into());
    owner.sign(&mut line);
    line.extend(token.map(|token| ("token".to_owned(), token.into())));
    if let Value::Object(own) = value {
        line.extend(own);
    }
    line
}

pub(super) struct LedgerLine {
    pub(super) kind: LineKind,
    pub(super) at: Timestamp,
    pub(super) token: Option<String>,
    pub(super) surely: u32,
    pub(super) possibly: u32,
    pub(super) balance: Option<u64>,
    pub(super) work: Option<QueryPurpose>,
    /// Of [`LineKind::Saved`].
    pub(super) queries: u32,
    /// Of [`LineKind::Intent`]: the digest of the question; lines of earlier versions have none.
    pub(super) question: Option<String>,
    /// Of [`LineKind::Outcome`]: whether no answer came.
    pub(super) is_unanswered: bool,
}

pub(super) enum LineKind {
    Intent(String),
    Outcome(String),
    Total,
    Balance,
    Saved(SavedBy),
}

impl LedgerLine {
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
            "balance" => LineKind::Balance,
            "saved" => LineKind::Saved(SavedBy::named(text("by")?)?),
            _ => return None,
        };
        Some(Self {
            kind,
            at: text("at")?.parse().ok()?,
            token: text("token").map(str::to_owned),
            surely: count("spent")?,
            possibly: count("possibly")?,
            balance: line.get("balance").and_then(Value::as_u64),
            // A word of a later version is no reason to lose the query.
            work: text("work").and_then(QueryPurpose::named),
            queries: count("queries")?,
            question: text("question").map(str::to_owned),
            is_unanswered: line.get("unanswered") == Some(&Value::Bool(true)),
        })
    }
}
