//! `lookup`: one answer for each address, in input order, and not one query more than there are different addresses.

mod ask;
mod show;

use std::collections::HashMap;

use futures_util::{Stream, StreamExt};

pub(super) use self::show::{CSV, names, row};
use self::{
    ask::{Asker, NotAnswered, Reply, Told},
    show::{Said, Shown},
};
use super::{
    args::{
        Format,
        lookup::{LookupArgs, Source, address, subject},
    },
    console::{Console, Outcome},
    exit::Tally,
};
use crate::{
    contract::Geolocation,
    engine::{Engine, Error, LocalRecord, Result},
    model::{Subject, terms},
    store::layout::Release,
};

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are told one by one.
pub(super) async fn run(args: &LookupArgs, engine: &Engine, console: &Console) -> Outcome {
    let asker = Asker::of(args, engine).await?;
    for error in asker.unusable() {
        console.complain(None, error);
    }
    let inputs: Vec<Input> = args
        .addresses
        .iter()
        .map(|text| Input::read(text, args.source))
        .collect();
    let mut subjects: Vec<Subject> = Vec::new();
    for subject in inputs
        .iter()
        .filter_map(|input| input.subject.as_ref().ok())
    {
        if !subjects.contains(subject) {
            subjects.push(*subject);
        }
    }
    let mut batch = Batch {
        engine,
        console,
        source: args.source,
        geolocation: args.geolocation(),
        releases: asker.releases(),
        inputs: &inputs,
        answers: HashMap::new(),
        tally: Tally::default(),
        shown: 0,
        printed: 0,
        left_out: Vec::new(),
    };
    if console.format() == Format::Csv {
        console.results(&CSV.header())?;
    }
    batch.print_all(asker.ask(&subjects)).await?;
    batch.note();
    Ok(batch.tally.exit().or_of(asker.unusable().first()))
}

/// One address or network as it was typed.
struct Input {
    text: String,
    subject: Result<Subject>,
}

impl Input {
    /// The service is asked about addresses only.
    fn read(text: &str, source: Source) -> Self {
        Self {
            text: text.trim().to_owned(),
            subject: match source {
                Source::Live => address(text).map(Subject::Address),
                Source::Local | Source::Auto => subject(text),
            },
        }
    }

    /// The address as the service spells it, or the text that is none.
    fn query(&self) -> String {
        self.subject
            .as_ref()
            .map_or_else(|_| self.text.clone(), Subject::to_string)
    }
}

/// The answers of a run on their way out.
struct Batch<'a> {
    engine: &'a Engine,
    console: &'a Console,
    source: Source,
    geolocation: Geolocation,
    /// What is asked on this disk.
    releases: Vec<Release>,
    inputs: &'a [Input],
    answers: HashMap<Subject, Reply>,
    tally: Tally,
    /// Answers shown; an input may have several.
    shown: usize,
    /// Inputs that are done.
    printed: usize,
    left_out: Vec<String>,
}

impl Batch<'_> {
    async fn print_all(&mut self, replies: impl Stream<Item = Reply>) -> Outcome<()> {
        let mut replies = std::pin::pin!(replies);
        for input in self.inputs {
            self.say_how_to_go_on();
            let reply = match &input.subject {
                Err(error) => Err(NotAnswered::Failed(error.clone())),
                Ok(subject) => match self.answers.get(subject) {
                    Some(reply) => again(reply),
                    // Replies come in the order in which addresses come up first.
                    None => match replies.next().await {
                        Some(reply) => self.answers.entry(*subject).or_insert(reply).clone(),
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
            Ok(told) => {
                self.tally.done();
                self.show(query, &told)
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

    fn show(&mut self, query: &str, told: &Told) -> Outcome<()> {
        let console = self.console;
        let mut text = String::new();
        let mut add = |said| {
            let first = self.shown == 0;
            self.shown += 1;
            text.push_str(&Shown { query, said, first }.text(console));
        };
        match told {
            Told::Live(answer) => add(Said::Live(answer, self.geolocation)),
            Told::Kept(answer) => add(Said::Kept(answer, self.geolocation)),
            Told::Local(records, elapsed) => {
                for record in records {
                    add(Said::Local(record, *elapsed));
                }
            }
            Told::Nowhere(elapsed) => add(Said::Nowhere(&self.releases, *elapsed)),
        }
        console.results(&text)
    }

    /// What is worth knowing beside the answers.
    fn note(&self) {
        if !self.left_out.is_empty() {
            self.console.warn(&format!(
                "not asked, and nothing spent on them: {}",
                self.left_out.join(" ")
            ));
        }
        let answers = self.answers.values().filter_map(|reply| match reply {
            Ok(Told::Live(answer)) => Some(answer),
            _ => None,
        });
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
        let (spent, source) = match self.source {
            Source::Live => ("; queries that were under way may have been spent", ""),
            Source::Auto => (
                "; queries that were under way may have been spent",
                "--source auto ",
            ),
            Source::Local => ("", "--source local "),
        };
        self.console.if_interrupted(format!(
            "{} of {} answered{spent}\n  to go on: ipspect lookup {source}{}{more}",
            self.printed,
            self.inputs.len(),
            named.join(" ")
        ));
    }
}

/// The reply to an address that was asked before: it cost nothing more.
fn again(reply: &Reply) -> Reply {
    let mut reply = reply.clone();
    if let Ok(Told::Live(answer)) = &mut reply {
        (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
    }
    reply
}

/// Records of several feeds, the most specific first; of equally specific ones in the order of the feeds.
fn most_specific_first(records: &mut [LocalRecord]) {
    let length = |record: &LocalRecord| {
        let subject = record.document.value().as_object().and_then(terms::subject);
        subject.map_or(0, |subject| subject.network().prefix_len())
    };
    records.sort_by_key(|record| std::cmp::Reverse(length(record)));
}
