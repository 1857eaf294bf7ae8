//! The answers of a run being written: each as soon as the order allows, and at the end what is worth knowing beside them.

use std::{cell::OnceCell, collections::HashMap};

use futures_util::{Stream, StreamExt};

use super::{
    resolver::Resolver,
    show::{self, AnswerParts, LookupReply, ShownPart, SourceRecord, name},
};
use crate::{
    cli::{
        args::{
            lookup::{LookupArgs, SourceArg},
            value::{address, subject},
            warehouse::PlaceArg,
        },
        console::CommandResult,
        exit::{Exit, ExitTally},
        run::{Families, FeedsJudged, Run},
        status::note_balance,
    },
    contract::{Geolocation, LookupQuery},
    engine::{Error, NotAnswered, Result, answers::Source, trail::TrailEntry},
    investigation::history::{DaySource, Recent, RecentDays, of_answer},
    model::{Admission, Day, Subject},
    report::{TicketStamp, recent_beside},
    store::layout::Release,
};

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
pub(super) struct Input {
    pub(super) text: String,
    /// What it is.
    pub(super) subject: Result<Subject>,
}

impl Input {
    /// The service is asked about addresses only.
    pub(super) fn read(text: &str, source: SourceArg, admission: &Admission) -> Self {
        Self {
            text: text.trim().to_owned(),
            subject: match source {
                SourceArg::Live => address(text, admission).map(Subject::Address),
                SourceArg::Local | SourceArg::Auto => subject(text, admission),
            },
        }
    }

    /// The address as the service spells it, or the text that is none.
    pub(super) fn query(&self) -> String {
        self.subject
            .as_ref()
            .map_or_else(|_| self.text.clone(), Subject::to_string)
    }

    /// What was typed, where it differs from the query.
    pub(super) fn typed(&self, query: &str) -> Option<&str> {
        (self.text != query).then_some(self.text.as_str())
    }
}

/// The answers of a run being written.
pub(super) struct AnswerBatch<'a> {
    run: Run<'a>,
    source: SourceArg,
    /// Whether the warehouse is asked.
    is_of_warehouse: bool,
    geolocation: Geolocation,
    date: Option<Day>,
    inputs: &'a [Input],
    /// Answers that are wanted again.
    answers: HashMap<Subject, LookupReply>,
    wanted: HashMap<Subject, usize>,
    tally: ExitTally,
    /// Inputs that are done.
    printed: usize,
    possibly_spent: u32,
    left_out: Vec<String>,
    why_left_out: Option<Error>,
    used: Vec<Release>,
    /// The families of the addresses in question, and those that have records.
    families: Families,
    judged: FeedsJudged,
    /// The past day that is asked about, of the service or of local releases.
    day: Option<Day>,
    /// The last local days up to it, once they are needed.
    recent_days: OnceCell<Option<RecentDays>>,
}

impl<'a> AnswerBatch<'a> {
    /// Nothing is answered yet.
    pub(super) fn of(
        args: &LookupArgs,
        inputs: &'a [Input],
        asker: &Resolver<'_>,
        run: Run<'a>,
    ) -> Self {
        Self {
            run,
            source: asker.source,
            is_of_warehouse: args.pick.at == PlaceArg::Warehouse,
            geolocation: args.geolocation(),
            date: asker.date,
            inputs,
            answers: HashMap::new(),
            wanted: wanted(inputs),
            tally: ExitTally::default(),
            printed: 0,
            possibly_spent: 0,
            left_out: Vec::new(),
            why_left_out: None,
            used: Vec::new(),
            families: Families::default(),
            judged: FeedsJudged::of(asker.days()),
            day: asker.date.or(asker.day),
            recent_days: OnceCell::new(),
        }
    }

    /// The exit code of what was printed.
    pub(super) fn exit(&self) -> Exit {
        self.tally.exit()
    }
}

impl AnswerBatch<'_> {
    /// Prints each answer as soon as the order allows.
    pub(super) async fn print_all(
        &mut self,
        replies: impl Stream<Item = LookupReply>,
    ) -> CommandResult<()> {
        let mut replies = std::pin::pin!(replies);
        for input in self.inputs {
            self.say_how_to_go_on();
            let reply = match &input.subject {
                Err(error) => Err(NotAnswered::Failed(error.clone())),
                Ok(subject) => match self.answers.get(subject) {
                    Some(reply) => reply.clone().map(AnswerParts::again),
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
            let recent = self.recent(input, &reply).await?;
            self.print(input, reply, recent.as_ref())?;
        }
        Ok(())
    }

    /// What the last local days add to the answer about an address.
    async fn recent(
        &self,
        input: &Input,
        reply: &LookupReply,
    ) -> CommandResult<Option<(String, Recent)>> {
        let (Ok(Subject::Address(address)), Ok(told)) = (&input.subject, reply) else {
            return Ok(None);
        };
        let Some(part) = told.parts.first().filter(|part| part.is_about_verdict()) else {
            return Ok(None);
        };
        let engine = self.run.engine;
        let to = self.day.unwrap_or(engine.settings.today());
        if self.is_of_warehouse {
            return Ok(None);
        }
        let days = if let Some(days) = self.recent_days.get() {
            days
        } else {
            let days = RecentDays::open(engine, to).await?;
            self.recent_days.get_or_init(|| days)
        };
        let Some(days) = days else {
            return Ok(None);
        };
        let mut histories = days.of(engine, &[*address]).await?.into_iter();
        Ok(histories.next().and_then(|mut history| {
            if let SourceRecord::Answer(source, answer) = &part.found {
                let source = match source {
                    Source::Live => DaySource::Live,
                    Source::Cached | Source::Local => DaySource::Cached,
                };
                let day = self.day.or(answer.provenance.data_date);
                history.set(day.unwrap_or(to), of_answer(answer, source));
            }
            recent_beside(&history, *address)
        }))
    }

    fn print(
        &mut self,
        input: &Input,
        reply: LookupReply,
        recent: Option<&(String, Recent)>,
    ) -> CommandResult<()> {
        self.printed += 1;
        let query = input.query();
        let typed = input.typed(&query);
        match reply {
            Ok(told) => {
                self.tally.done();
                self.remember(input, &told);
                if let Ok(subject) = input.subject {
                    let judged = self.judged;
                    let known = told.parts.iter().any(|part| {
                        let release = part.release();
                        release.is_some_and(|release| judged.has(release.manifest.feed))
                            && (part.document().is_some() || part.inside > Some(0))
                    });
                    self.families.asked(subject, known);
                }
                self.show((&query, typed), &told, recent)
            }
            Err(NotAnswered::Failed(error)) => {
                self.tally.failed(error.kind);
                self.run.console.complain(Some(&query), &error);
                self.fail(&query, typed, &error)
            }
            Err(NotAnswered::LeftOut(error)) => {
                self.tally.failed(error.kind);
                self.left_out.push(query.clone());
                self.why_left_out.get_or_insert_with(|| error.clone());
                let error = Error {
                    message: format!("not sent: {}", error.message),
                    ..error
                };
                self.fail(&query, typed, &error)
            }
        }
    }

    /// Keeps in the case that is open that an address was opened. An answer of the service is there already.
    fn remember(&self, input: &Input, told: &AnswerParts) {
        let mut parts = told.parts.iter();
        let is_live = parts.any(|part| matches!(part.found, SourceRecord::Answer(Source::Live, _)));
        if let Ok(Subject::Address(address)) = input.subject
            && !is_live
        {
            let query = LookupQuery {
                address,
                date: self.date,
                geolocation: self.geolocation,
            };
            let now = self.run.engine.settings.now();
            self.run.remember(|| TrailEntry::Visited(query, now));
        }
    }

    /// Prints the object or the row of an input without an answer.
    fn fail(&self, query: &str, typed: Option<&str>, error: &Error) -> CommandResult<()> {
        let console = &self.run.console;
        let error = console.advising(error);
        console.rows(|rows| rows.failure(&show::columns(), (query, typed), &error))
    }

    fn show(
        &mut self,
        (query, input): (&str, Option<&str>),
        told: &AnswerParts,
        mut recent: Option<&(String, Recent)>,
    ) -> CommandResult<()> {
        for part in &told.parts {
            let shown = ShownPart {
                query,
                input,
                part,
                geolocation: self.geolocation,
                date: self.date,
                written: TicketStamp::of(&self.run.engine.settings),
                values: OnceCell::new(),
                recent: recent.take(),
            };
            shown.print(self.run.console)?;
            match &part.found {
                SourceRecord::Answer(Source::Live, answer) => {
                    self.possibly_spent += answer.provenance.possibly_spent;
                }
                SourceRecord::Answer(..) => {}
                SourceRecord::Record(record) => self.use_of(&record.release),
                SourceRecord::NoRecord { releases, .. } => {
                    for release in releases {
                        self.use_of(release);
                    }
                }
            }
        }
        for unread in &told.unread {
            let of = name(&unread.release);
            self.run.console.warn(&format!(
                "a record about {query} in {of} is left out: {}",
                unread.why
            ));
        }
        Ok(())
    }

    fn use_of(&mut self, release: &Release) {
        if !self.used.contains(release) {
            self.used.push(release.clone());
        }
    }

    /// What is worth knowing beside the answers.
    pub(super) async fn note(&self, asker: &Resolver<'_>) -> CommandResult<()> {
        if let Some(why) = &self.why_left_out {
            self.run.console.warn(&format!(
                "no query was sent for {}\n  {}",
                self.left_out.join(" "),
                why.message
            ));
        }
        self.run.note_ages(&self.used);
        if self.source == SourceArg::Local {
            self.families.note(asker.days(), self.run).await?;
        }
        if self.possibly_spent > 0 {
            self.run.console.note(&format!(
                "queries possibly spent beyond the cost shown: {}",
                self.possibly_spent
            ));
        }
        note_balance(self.run);
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
            SourceArg::Live => ("; queries that were under way may have been spent", ""),
            SourceArg::Auto => (
                "; queries that were under way may have been spent",
                "--source auto ",
            ),
            SourceArg::Local => ("", "--source local "),
        };
        let source = match self.date {
            _ if !self.is_of_warehouse => source.to_owned(),
            Some(day) => format!("--at warehouse --date {} ", day.dashed()),
            None => "--at warehouse ".to_owned(),
        };
        self.run.console.if_interrupted(format!(
            "{} of {} answered{spent}\n  to resume: ipspect lookup {source}{}{more}",
            self.printed,
            self.inputs.len(),
            named.join(" ")
        ));
    }
}
