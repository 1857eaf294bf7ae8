//! `lookup`: one answer for each address, in input order, and not one query more than there are different addresses.

mod show;

use std::{cell::RefCell, collections::HashMap, net::IpAddr};

use futures_util::{Stream, StreamExt, stream};

use self::show::Shown;
use super::{
    args::{
        Format,
        lookup::{LookupArgs, address},
    },
    console::{Console, Outcome},
    exit::{Tally, stops_a_batch},
};
use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{Answer, Engine, Error, Result},
};

/// Queries that may be under way at once.
const IN_FLIGHT: usize = 4;

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are told one by one.
pub(super) async fn run(args: &LookupArgs, engine: &Engine, console: &Console) -> Outcome {
    let query = args.query()?;
    let inputs: Vec<Input> = args
        .addresses
        .iter()
        .map(|text| Input::read(text))
        .collect();
    let mut questions: Vec<LookupQuery> = Vec::new();
    for address in inputs
        .iter()
        .filter_map(|input| input.address.as_ref().ok())
    {
        if !questions
            .iter()
            .any(|question| question.address == *address)
        {
            questions.push(query(*address));
        }
    }
    let mut batch = Batch {
        engine,
        console,
        geolocation: args.geolocation(),
        inputs: &inputs,
        answers: HashMap::new(),
        tally: Tally::default(),
        printed: 0,
        left_out: Vec::new(),
    };
    if console.format() == Format::Csv {
        console.results(&show::CSV.header())?;
    }
    let stopped = RefCell::new(None);
    batch.print_all(ask(engine, &questions, &stopped)).await?;
    batch.note();
    Ok(batch.tally.exit())
}

/// One address as it was typed.
struct Input {
    text: String,
    address: Result<IpAddr>,
}

impl Input {
    fn read(text: &str) -> Self {
        Self {
            text: text.trim().to_owned(),
            address: address(text),
        }
    }

    /// The address as the service spells it, or the text that is none.
    fn query(&self) -> String {
        self.address
            .as_ref()
            .map_or_else(|_| self.text.clone(), IpAddr::to_string)
    }
}

/// What became of a question.
type Reply = Result<Answer, NotAnswered>;

#[derive(Clone, Debug)]
enum NotAnswered {
    /// It failed by itself.
    Failed(Error),
    /// It was not asked, because it would have met what another one met.
    LeftOut(Error),
}

/// Asks a few at a time, answers in order. What would stop every later question stops them; those under way are awaited,
/// since they may have been paid for.
fn ask<'a>(
    engine: &'a Engine,
    questions: &'a [LookupQuery],
    stopped: &'a RefCell<Option<Error>>,
) -> impl Stream<Item = Reply> + 'a {
    let one = move |question: &'a LookupQuery| async move {
        let admitted = engine
            .settings
            .admission
            .refuses(question.address)
            .is_none();
        if admitted && let Some(error) = stopped.borrow().clone() {
            return Err(NotAnswered::LeftOut(error));
        }
        engine.lookup(question).await.map_err(|error| {
            if admitted && stops_a_batch(error.kind) {
                stopped.borrow_mut().get_or_insert_with(|| error.clone());
            }
            NotAnswered::Failed(error)
        })
    };
    stream::iter(questions).map(one).buffered(IN_FLIGHT)
}

/// The answers of a run on their way out.
struct Batch<'a> {
    engine: &'a Engine,
    console: &'a Console,
    geolocation: Geolocation,
    inputs: &'a [Input],
    answers: HashMap<IpAddr, Reply>,
    tally: Tally,
    printed: usize,
    left_out: Vec<String>,
}

impl Batch<'_> {
    async fn print_all(&mut self, replies: impl Stream<Item = Reply>) -> Outcome<()> {
        let mut replies = std::pin::pin!(replies);
        for input in self.inputs {
            self.say_how_to_go_on();
            let reply = match &input.address {
                Err(error) => Err(NotAnswered::Failed(error.clone())),
                Ok(address) => match self.answers.get(address) {
                    Some(reply) => again(reply),
                    // Replies come in the order in which addresses come up first.
                    None => match replies.next().await {
                        Some(reply) => self.answers.entry(*address).or_insert(reply).clone(),
                        None => break,
                    },
                },
            };
            self.print(&input.query(), reply)?;
        }
        Ok(())
    }

    fn print(&mut self, query: &str, reply: Reply) -> Outcome<()> {
        self.printed += 1;
        match reply {
            Ok(answer) => {
                self.tally.done();
                let shown = Shown {
                    query,
                    answer: &answer,
                    geolocation: self.geolocation,
                    first: self.printed == 1,
                };
                self.console.results(&shown.text(self.console))
            }
            Err(NotAnswered::Failed(error)) => {
                self.tally.failed(error.kind);
                show::failure(query, &error, self.console)
            }
            Err(NotAnswered::LeftOut(error)) => {
                self.tally.failed(error.kind);
                self.left_out.push(query.to_owned());
                let error = Error {
                    message: format!("not asked: {}", error.message),
                    ..error
                };
                show::left_out(query, &error, self.console)
            }
        }
    }

    /// What is worth knowing beside the answers.
    fn note(&self) {
        if !self.left_out.is_empty() {
            self.console.warn(&format!(
                "not asked, and nothing spent on them: {}",
                self.left_out.join(" ")
            ));
        }
        let answers = self
            .answers
            .values()
            .filter_map(|reply| reply.as_ref().ok());
        let possibly: u32 = answers.map(|answer| answer.provenance.possibly_spent).sum();
        if possibly > 0 {
            self.console.note(&format!(
                "queries possibly spent beyond the cost shown: {possibly}"
            ));
        }
        super::status::note_balance(self.engine, self.console);
    }

    fn say_how_to_go_on(&self) {
        const NAMED: usize = 20;
        let rest = &self.inputs[self.printed..];
        let named: Vec<String> = rest.iter().take(NAMED).map(Input::query).collect();
        let more = match rest.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        self.console.if_interrupted(format!(
            "{} of {} answered; queries that were under way may have been spent\n  to go on: ipspect lookup {}{more}",
            self.printed,
            self.inputs.len(),
            named.join(" ")
        ));
    }
}

/// The reply to an address that was asked before: it cost nothing more.
fn again(reply: &Reply) -> Reply {
    let mut reply = reply.clone();
    if let Ok(answer) = &mut reply {
        (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
    }
    reply
}
