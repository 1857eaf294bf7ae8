//! `lookup`: one answer for each address, in input order, and not one query more than there are different addresses.

mod ask;
mod confirm;
mod part;
mod show;
mod told;

use std::{
    collections::{HashMap, HashSet},
    io::{self, Read},
};

use futures_util::{Stream, StreamExt};

pub(super) use self::show::{BEFORE, BEHIND, names};
use self::{
    ask::Asker,
    part::Found,
    show::{CSV, Shown},
    told::{Reply, Told},
};
use super::{
    args::{
        Format,
        lookup::{LookupArgs, Source},
        value::{address, subject},
    },
    console::{Console, Outcome},
    exit::Tally,
    freshness::{Families, Judged, note_ages},
};
use crate::{
    contract::Geolocation,
    engine::{Engine, Error, Kind, NotAnswered, Result},
    model::Subject,
    store::layout::Release,
};

/// Bytes of addresses that standard input may hold.
const MOST_BYTES: u64 = 64 << 20;

/// Looks all addresses up and prints each answer as soon as the order allows.
///
/// # Errors
/// What stopped all of it; failures of single addresses are told one by one.
pub(super) async fn run(args: &LookupArgs, engine: &Engine, console: &Console) -> Outcome {
    let asker = Asker::of(args, engine).await?;
    for error in asker.unusable() {
        console.complain(None, error);
    }
    let inputs = inputs(args)?;
    let subjects = different(&inputs);
    let queries = asker.queries(&subjects).await?;
    confirm::confirm(queries, args, engine, console).await?;
    let mut batch = Batch {
        engine,
        console,
        source: args.source,
        geolocation: args.geolocation(),
        inputs: &inputs,
        answers: HashMap::new(),
        wanted: wanted(&inputs),
        tally: Tally::default(),
        shown: 0,
        printed: 0,
        possibly_spent: 0,
        left_out: Vec::new(),
        why_left_out: None,
        used: Vec::new(),
        families: Families::default(),
        judged: Judged::of(asker.opened()),
    };
    if console.format() == Format::Csv {
        console.results(&CSV.header())?;
    }
    batch.print_all(asker.ask(&subjects)).await?;
    batch.note(&asker).await?;
    Ok(batch.tally.exit().or_of(asker.unusable().first()))
}

/// The addresses and networks in input order; `-` stands for those on standard input.
fn inputs(args: &LookupArgs) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for text in &args.addresses {
        if text == "-" {
            let piped = piped()?;
            let piped = piped.split_whitespace();
            inputs.extend(piped.map(|text| Input::read(text, args.source)));
        } else {
            inputs.push(Input::read(text, args.source));
        }
    }
    Ok(inputs)
}

fn piped() -> Result<String> {
    let mut bytes = Vec::new();
    let read = io::stdin()
        .lock()
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| Error::machine("read addresses from standard input", &error))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = "standard input holds more than 64 MiB of addresses: nothing was sent";
        return Err(Error::new(Kind::Usage, message)
            .hint("`ipspect enrich` finds the addresses of a text of any length"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Each subject once, in the order in which they come up first.
fn different(inputs: &[Input]) -> Vec<Subject> {
    let mut seen = HashSet::new();
    let subjects = inputs
        .iter()
        .filter_map(|input| input.subject.as_ref().ok());
    subjects
        .filter(|subject| seen.insert(**subject))
        .copied()
        .collect()
}

/// How often each subject is to be answered.
fn wanted(inputs: &[Input]) -> HashMap<Subject, usize> {
    let mut wanted = HashMap::new();
    for input in inputs {
        if let Ok(subject) = input.subject {
            *wanted.entry(subject).or_default() += 1;
        }
    }
    wanted
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

    /// What was typed, where it differs from the query.
    fn typed(&self, query: &str) -> Option<&str> {
        (self.text != query).then_some(self.text.as_str())
    }
}

/// The answers of a run on their way out.
struct Batch<'a> {
    engine: &'a Engine,
    console: &'a Console,
    source: Source,
    geolocation: Geolocation,
    inputs: &'a [Input],
    /// Answers that are wanted again.
    answers: HashMap<Subject, Reply>,
    wanted: HashMap<Subject, usize>,
    tally: Tally,
    /// Parts shown; an input may have several.
    shown: usize,
    /// Inputs that are done.
    printed: usize,
    possibly_spent: u32,
    left_out: Vec<String>,
    why_left_out: Option<Error>,
    /// The local releases that answered.
    used: Vec<Release>,
    /// The families of the addresses in question, and those that have records.
    families: Families,
    judged: Judged,
}

impl Batch<'_> {
    async fn print_all(&mut self, replies: impl Stream<Item = Reply>) -> Outcome<()> {
        let mut replies = std::pin::pin!(replies);
        for input in self.inputs {
            self.say_how_to_go_on();
            let reply = match &input.subject {
                Err(error) => Err(NotAnswered::Failed(error.clone())),
                Ok(subject) => match self.answers.get(subject) {
                    Some(reply) => reply.clone().map(Told::again),
                    // Replies come in the order in which addresses come up first.
                    None => match replies.next().await {
                        Some(reply) => {
                            if self.wanted.get(subject).is_some_and(|times| *times > 1) {
                                self.answers.insert(*subject, reply.clone());
                            }
                            reply
                        }
                        None => break,
                    },
                },
            };
            self.print(input, reply)?;
        }
        Ok(())
    }

    fn print(&mut self, input: &Input, reply: Reply) -> Outcome<()> {
        self.printed += 1;
        let query = input.query();
        let typed = input.typed(&query);
        match reply {
            Ok(told) => {
                self.tally.done();
                if let Ok(subject) = input.subject {
                    let judged = self.judged;
                    let known = told.parts.iter().any(|part| {
                        let release = part.release();
                        release.is_some_and(|release| judged.has(release.manifest.feed))
                            && (part.document().is_some() || part.inside > Some(0))
                    });
                    self.families.asked(subject, known);
                }
                self.show(&query, typed, &told)
            }
            Err(NotAnswered::Failed(error)) => {
                self.tally.failed(error.kind);
                show::failure(&query, typed, &error, self.console)
            }
            Err(NotAnswered::LeftOut(error)) => {
                self.tally.failed(error.kind);
                self.left_out.push(query.clone());
                self.why_left_out.get_or_insert_with(|| error.clone());
                let error = Error {
                    message: format!("not asked: {}", error.message),
                    ..error
                };
                show::left_out(&query, typed, &error, self.console)
            }
        }
    }

    fn show(&mut self, query: &str, input: Option<&str>, told: &Told) -> Outcome<()> {
        let mut text = String::new();
        for part in &told.parts {
            let first = self.shown == 0;
            self.shown += 1;
            let shown = Shown {
                query,
                input,
                part,
                geolocation: self.geolocation,
                first,
            };
            text.push_str(&shown.text(self.console));
            match &part.found {
                Found::Live(answer) => self.possibly_spent += answer.provenance.possibly_spent,
                Found::Record(record) => self.use_of(&record.release),
                Found::NoRecord { releases, .. } => {
                    for release in releases {
                        self.use_of(release);
                    }
                }
                Found::Cached(_) => {}
            }
        }
        for unread in &told.unread {
            let of = names(std::slice::from_ref(&unread.release));
            self.console.warn(&format!(
                "a record about {query} in {of} is left out: {}",
                unread.why
            ));
        }
        self.console.results(&text)
    }

    fn use_of(&mut self, release: &Release) {
        if !self.used.contains(release) {
            self.used.push(release.clone());
        }
    }

    /// What is worth knowing beside the answers.
    async fn note(&self, asker: &Asker<'_>) -> Outcome<()> {
        if let Some(why) = &self.why_left_out {
            self.console.warn(&format!(
                "not asked, and nothing spent on them: {}\n  {}",
                self.left_out.join(" "),
                why.message
            ));
        }
        note_ages(self.engine, self.console, &self.used);
        if self.source == Source::Local {
            self.families
                .note(self.engine, asker.opened(), self.console)
                .await?;
        }
        if self.possibly_spent > 0 {
            self.console.note(&format!(
                "queries possibly spent beyond the cost shown: {}",
                self.possibly_spent
            ));
        }
        super::status::note_balance(self.engine, self.console);
        Ok(())
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
