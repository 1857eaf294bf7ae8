//! What a run costs, and the guard `confirm_over`: a batch of more queries is confirmed by a person, or by the command line where
//! there is none.
//!
//! It never overrides `stop_below`, and where it refuses nothing is sent.

use std::io::{self, BufRead, IsTerminal};

use tokio::task;

use super::resolver::Resolver;
use crate::{
    cli::{
        args::lookup::{LookupArgs, SourceArg},
        console::CommandResult,
        run::Run,
    },
    engine::{
        Error, Kind, Result,
        answers::{Allowance, PolicyStep, next},
    },
    model::Subject,
    report::{count, counted},
};

impl Resolver<'_> {
    /// How many queries these subjects need, after what is local and cached. Sends nothing.
    ///
    /// # Errors
    /// What keeps a local release from being read.
    pub(super) async fn queries(&self, subjects: &[Subject]) -> Result<u64> {
        let Self { engine, .. } = self;
        let mut queries = 0;
        for subject in subjects {
            let Subject::Address(address) = *subject else {
                continue;
            };
            if engine.answers.admit(&(self.query)(address)).is_err() {
                continue;
            }
            let needs_one = match self.source {
                SourceArg::Local => false,
                SourceArg::Live => true,
                SourceArg::Auto if self.day.is_some() => false,
                SourceArg::Auto => {
                    let query = (self.query)(address);
                    let sources = engine.answers.sources_among(&query, &self.picked).await?;
                    matches!(next(&sources, engine.settings.now()), PolicyStep::Ask(_))
                }
            };
            // Where nothing may be sent there is nothing to confirm. Whether it may needs the token, which is not read
            // before a query is needed.
            if needs_one && engine.answers.closed(&self.spending).await.is_some() {
                return Ok(0);
            }
            queries += u64::from(needs_one);
        }
        Ok(queries)
    }
}

/// What is to be done about a number of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// They may be sent.
    Nothing,
    /// A person has to agree.
    Consent,
    /// No terminal to ask, and the command line does not allow so many queries.
    Option,
}

/// Confirms this many queries; what a caller allows is all that may be sent.
///
/// # Errors
/// [`Kind::Guard`] if the user declines, [`Kind::Usage`] without a terminal; nothing is sent then.
pub(super) async fn confirm(
    queries: u64,
    args: &LookupArgs,
    Run { engine, console }: Run<'_>,
) -> CommandResult<Option<Allowance>> {
    let sent = queries.min(args.spend.unwrap_or(u64::MAX));
    if let Some(allowance) = console.allowance(sent).await? {
        return Ok(Some(allowance));
    }
    let over = engine.settings.guards.confirm_over;
    let people = io::stdin().is_terminal() && io::stderr().is_terminal();
    let allowed = args.yes || args.spend.is_some();
    match needs(queries, over, allowed, people) {
        Needs::Nothing => Ok(None),
        Needs::Option => Err(unconfirmed(queries, over).into()),
        Needs::Consent => {
            let balance = engine
                .account
                .balance()
                .map(|balance| count(balance.remaining));
            let left = balance.map_or("balance unknown".to_owned(), |left| format!("{left} left"));
            let queries = counted(queries, "query");
            console.ask(&format!("Send {queries}, {left}? [y/N] "));
            if agreed().await? {
                return Ok(None);
            }
            let message = format!("{queries} not confirmed: nothing was sent");
            Err(Error::new(Kind::Guard, message).into())
        }
    }
}

fn needs(queries: u64, over: u64, allowed: bool, people: bool) -> Needs {
    if queries <= over || allowed {
        Needs::Nothing
    } else if people {
        Needs::Consent
    } else {
        Needs::Option
    }
}

fn unconfirmed(queries: u64, over: u64) -> Error {
    let message = format!(
        "{} needed, more than confirm_over = {over} in [guards]: nothing was sent",
        counted(queries, "query")
    );
    Error::new(Kind::Usage, message)
        .hint("--yes sends them, --spend N sends N at most, --source auto asks local and cached answers first")
}

/// Waits for a line on the terminal; anything but a yes is a no, the end of input too.
pub(in crate::cli) async fn agreed() -> CommandResult<bool> {
    let line = task::spawn_blocking(|| {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).map(|_| line)
    });
    let line = line
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)));
    let line = line.map_err(|error| Error::machine("read from the terminal", &error))?;
    Ok(matches!(
        line.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_queries_than_allowed_need_a_word() {
        for (queries, over, allowed, people, expected) in [
            (0, 0, false, false, Needs::Nothing),
            (25, 25, false, false, Needs::Nothing),
            (26, 25, false, true, Needs::Consent),
            (26, 25, false, false, Needs::Option),
            (26, 25, true, false, Needs::Nothing),
            (26, 25, true, true, Needs::Nothing),
            (1, 0, false, true, Needs::Consent),
            (1, 0, false, false, Needs::Option),
        ] {
            assert_eq!(
                needs(queries, over, allowed, people),
                expected,
                "{queries} over {over}"
            );
        }
    }
}
