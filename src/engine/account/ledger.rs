//! The ledger: the queries spent or possibly spent, and the balances that the service reported. The service's balance is
//! authoritative.
//!
//! A line with the intent is written before a paid query is sent, and one with the outcome afterwards. So a query whose
//! outcome is missing, because the process was killed, counts as possibly spent; and a query is never sent when the ledger
//! cannot be written. When the file has grown, finished queries are added up, by the hour and later by the day.
//!
//! It also records the queries saved by cache and local feeds, and the balances from `/status`. Lines of earlier versions
//! have neither and can still be read.

mod line;
mod savings;
mod totals;
mod unanswered;
mod work;

use std::{collections::HashMap, path::Path, sync::Mutex};

use jiff::Timestamp;
use serde_json::{Value, json};

use self::{
    line::{LedgerLine, LineKind, line_of},
    savings::Unwritten,
    totals::Totals,
    unanswered::Unanswered,
};
pub use self::{
    savings::{SavedBy, SavedQueries},
    work::QueryPurpose,
};
use super::digest;
use crate::{
    engine::{
        error::{Error, ErrorContext, Result},
        threads::lock,
    },
    store::{
        lines::{LineFile, SetAside},
        log::EntryOwner,
    },
};

/// Bytes after which finished queries are added up.
const STEP: u64 = 1 << 20;

/// The cost of one query, or of all queries of an hour or a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    pub at: Timestamp,
    /// Queries surely spent.
    pub surely: u32,
    /// Queries that may have been counted although no answer came.
    pub possibly: u32,
    /// The balance named after it, if one was, for the token that is in use.
    pub balance: Option<u64>,
    /// What it was for; `None` in lines of earlier versions.
    pub work: Option<QueryPurpose>,
    /// Whether it is all of an hour or a day: its balance is the highest then.
    pub is_total: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// What was spent, oldest first.
    pub spent: Vec<Spent>,
    /// Queries that were not needed, oldest first.
    pub saved: Vec<SavedQueries>,
    /// Lines that were not believed.
    pub set_aside: SetAside,
    /// Lines that name a token by another key than the present one: balances in them are not used.
    pub other_keys: u64,
}

impl Statement {
    /// What is wrong with the file, each thing in a sentence.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let set_aside = (self.set_aside.count() > 0).then(|| self.set_aside.to_string());
        set_aside.into_iter().chain(self.key_fault()).collect()
    }

    /// That the key was replaced, if it was.
    #[must_use]
    pub fn key_fault(&self) -> Option<String> {
        let lines = match self.other_keys {
            0 => return None,
            1 => "1 line was".to_owned(),
            count => format!("{count} lines were"),
        };
        Some(format!(
            "{lines} written before the file `key` in the state folder was replaced: their balances are not used"
        ))
    }
}

/// A query that is about to be sent, or was sent and has not come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LedgerIntent {
    id: String,
    /// The digest of the question.
    question: String,
}

impl LedgerIntent {
    pub(super) fn about(question: String) -> Self {
        Self {
            id: format!("{:016x}", fastrand::u64(..)),
            question,
        }
    }
}

/// The ledger's file.
#[derive(Debug)]
pub struct Ledger {
    lines: LineFile,
    owner: EntryOwner,
    /// The digest of the token that is in use.
    token: Mutex<Option<String>>,
    /// Queries saved that are not in the file yet.
    unwritten: Mutex<Unwritten>,
    /// The balance that `/status` named last.
    named: Mutex<Option<u64>>,
}

impl Ledger {
    pub(super) fn new(state: &Path, owner: EntryOwner) -> Self {
        Self {
            lines: LineFile::new(state, "ledger", STEP),
            owner,
            token: Mutex::new(None),
            unwritten: Mutex::default(),
            named: Mutex::default(),
        }
    }

    /// From now on queries are spent with the token of this digest.
    pub(super) fn use_token(&self, digest: Option<String>) {
        *lock(&self.token) = digest;
    }

    /// Notes that so many queries are about to be sent. A question that is tried again is one intent with several lines.
    ///
    /// # Errors
    /// A failure of this machine: then nothing may be sent.
    pub(super) fn intend(&self, intent: &LedgerIntent, at: Timestamp, queries: u32) -> Result<()> {
        let LedgerIntent { id, question } = intent;
        let own = json!({"id": id, "possibly": queries, "question": question});
        self.append("intent", at, own).map_err(|error| Error {
            message: format!("{}: no query was sent", error.message),
            ..error
        })
    }

    /// Notes what became of an intent, and whether an answer came.
    ///
    /// # Errors
    /// A failure of this machine: then the intent stays and counts as possibly spent.
    pub(super) fn settle(
        &self,
        intent: &LedgerIntent,
        spent: &Spent,
        is_answered: bool,
    ) -> Result<()> {
        let Spent {
            surely,
            possibly,
            balance,
            work,
            ..
        } = spent;
        let mut own =
            json!({"id": intent.id, "spent": surely, "possibly": possibly, "balance": balance});
        if !is_answered {
            own["unanswered"] = true.into();
        }
        if let Some(work) = work {
            own["work"] = work.word().into();
        }
        self.append("outcome", spent.at, own)
            .map_err(|error| Error {
                message: format!("{}: the query counts as possibly spent", error.message),
                ..error
            })
    }

    /// Notes the balance that `/status` named, where it is another one than last.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn note_balance(&self, at: Timestamp, balance: u64) -> Result<()> {
        if lock(&self.named).replace(balance) == Some(balance) {
            return Ok(());
        }
        self.append("balance", at, json!({"balance": balance}))
    }

    /// Notes that an answer took the place of a query. Such lines are written together, now and then and at the end.
    pub(super) fn note_saved(&self, at: Timestamp, by: SavedBy) {
        let due = lock(&self.unwritten).add(at, by);
        if due {
            self.write_saved();
        }
    }

    /// Writes what was saved. It is a statistic: what cannot be written is left out.
    fn write_saved(&self) {
        for saved in lock(&self.unwritten).take() {
            let own = json!({"by": saved.by.word(), "queries": saved.queries});
            let _ = self.append("saved", saved.at, own);
        }
    }

    fn append(&self, kind: &str, at: Timestamp, value: Value) -> Result<()> {
        let line = line_of(kind, at, &self.owner, lock(&self.token).clone(), value);
        if self.lines.append(line).at("write", self.lines.path())? {
            // The line is written. A file that could not be rewritten now is whole, and is tried again later.
            let _ = self.lines.rewrite(Totals::default());
        }
        Ok(())
    }

    /// What was spent with this profile at this service.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn statement(&self) -> Result<Statement> {
        self.write_saved();
        let token = lock(&self.token).clone();
        let mut statement = Statement::default();
        let mut open: HashMap<String, Vec<usize>> = HashMap::new();
        let mut odd = 0;
        let scanned = self.lines.scan(|line| {
            if !self.owner.owns(&line) {
                return;
            }
            let Some(line) = LedgerLine::of(&line) else {
                odd += 1;
                return;
            };
            let balance = line
                .balance
                .filter(|_| token.is_some() && line.token == token);
            let keys = [&line.token, &token].map(|text| text.as_deref().and_then(digest::key_of));
            let [key, present] = keys;
            statement.other_keys += u64::from(key.is_some() && present.is_some() && key != present);
            let spent = Spent {
                at: line.at,
                surely: line.surely,
                possibly: line.possibly,
                balance,
                work: line.work,
                is_total: matches!(line.kind, LineKind::Total),
            };
            match line.kind {
                LineKind::Intent(id) => {
                    open.entry(id).or_default().push(statement.spent.len());
                    statement.spent.push(spent);
                }
                LineKind::Outcome(id) => {
                    // The intents of one question become its outcome.
                    for index in open.remove(&id).unwrap_or_default() {
                        statement.spent[index].possibly = 0;
                    }
                    statement.spent.push(spent);
                }
                LineKind::Total | LineKind::Balance => statement.spent.push(spent),
                LineKind::Saved(by) => statement.saved.push(SavedQueries {
                    at: line.at,
                    by,
                    queries: line.queries,
                }),
            }
        });
        statement.set_aside = scanned.at("read", self.lines.path())?;
        statement.set_aside.damaged += odd;
        let is_something =
            |spent: &Spent| spent.surely + spent.possibly > 0 || spent.balance.is_some();
        statement.spent.retain(is_something);
        Ok(statement)
    }

    /// The digests of the questions that were sent and not answered, and so possibly spent, each with when it was sent last. The lines
    /// of a query that was not answered for a day may be added up, and then are not among them.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn unanswered(&self) -> Result<HashMap<String, Timestamp>> {
        let mut questions = Unanswered::default();
        let scanned = self.lines.scan(|line| {
            if self.owner.owns(&line)
                && let Some(line) = LedgerLine::of(&line)
            {
                questions.take(line);
            }
        });
        scanned.at("read", self.lines.path())?;
        Ok(questions.end())
    }

    /// How many lines were set aside when the file was rewritten, and where they are.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn count_aside(&self) -> Result<(u64, std::path::PathBuf)> {
        let path = self.lines.aside();
        Ok((self.lines.count_aside().at("read", &path)?, path))
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        self.write_saved();
    }
}

#[cfg(test)]
mod tests;
