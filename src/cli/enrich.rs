//! `enrich`: every address of a text once, answered from the local feeds. Sends nothing, spends nothing.
//!
//! ```text
//! reading thread: blocks of text → addresses never seen before → batches
//! this task:      batches → lines of records, on a thread for work → answers in the format, on another → standard output
//! ```
//!
//! What is in memory is the addresses seen, and a few batches.

mod answers;
mod gather;
mod plan;
mod show;
mod sieve;
mod text;

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    sync::Arc,
};

use futures_util::StreamExt;
use tokio::task;

use self::{
    answers::answers,
    gather::{Gathering, Step},
    plan::Plan,
    show::{Sheet, Shown, busiest},
    sieve::Sifted,
    text::Text,
};
use super::{
    args::enrich::{EnrichArgs, Selected},
    console::{Console, Outcome},
    exit::Exit,
    freshness::note_ages,
    search::facets::{Facets, note_values},
};
use crate::engine::{Engine, Error, Kind, Opened, Picked, enrich::Wanted};
use crate::report::count;

/// Batches that are put into their format while the next one is answered.
const AHEAD: usize = 2;

/// Answers about every address of a text, or says what there is to answer.
///
/// # Errors
/// No local feed; what keeps the text or a feed from being read.
pub(super) async fn run(args: &EnrichArgs, engine: &Engine, console: &Console) -> Outcome {
    let pick = args.pick.pick(engine.settings.today())?;
    let selected = args.selected()?;
    let Picked { opened, unusable } = if args.plan {
        engine.releases.open_picked(&pick).await?
    } else {
        engine.releases.open_some(&pick).await?
    };
    let texts: Vec<Text> = args.files.iter().map(text_of).collect();
    let texts = if texts.is_empty() {
        vec![Text::Input]
    } else {
        texts
    };
    for text in &texts {
        text.check()?;
    }
    if texts.contains(&Text::Input) && io::stdin().is_terminal() {
        console.note("reading the text from this terminal; Ctrl-D on an empty line ends it");
    }
    for error in &unusable {
        console.complain(None, error);
    }
    // Where and how often an address stands is known at the end only, for which a reader of a pipe does not wait.
    let waits = selected.facet.is_some() || selected.top.is_some();
    let counts = !args.plan && (!texts.contains(&Text::Input) || waits);
    let gathering = Gathering::start(texts.clone(), engine.settings.admission.clone(), counts);
    let exit = if args.plan {
        Plan::of(engine, &opened, gathering).await?.show(console)?
    } else {
        let asked = Asked {
            engine,
            console,
            opened: &opened,
            sheet: Arc::new(Sheet::new(
                console,
                &opened,
                selected.clone(),
                counts,
                &texts,
            )),
            selected,
        };
        asked.answer(gathering).await?
    };
    note_ages(engine, console, opened.iter().map(|opened| &opened.release));
    Ok(exit.or_of(unusable.first()))
}

/// The text that an argument names.
fn text_of(file: &PathBuf) -> Text {
    if file == Path::new("-") {
        Text::Input
    } else {
        Text::File(file.clone())
    }
}

/// A run: what is asked, and how it is answered.
struct Asked<'a> {
    engine: &'a Engine,
    console: &'a Console,
    opened: &'a [Opened],
    sheet: Arc<Sheet>,
    selected: Selected,
}

impl Asked<'_> {
    /// Prints the answers as they come, or their values at the end.
    async fn answer(&self, gathering: Gathering) -> Outcome {
        self.console.results(&self.sheet.head())?;
        let wanted = if self.selected.all {
            Wanted::All
        } else {
            Wanted::Best
        };
        let mut gathered = None;
        let mut sum = Shown::default();
        {
            let answers = answers(self.engine, self.opened, gathering, wanted);
            let shown = answers.map(|part| {
                let sheet = self.sheet.clone();
                async move {
                    match part? {
                        Step::Batch((sighted, answers)) => {
                            task::spawn_blocking(move || sheet.show(&sighted, &answers))
                                .await
                                .map(Step::Batch)
                                .map_err(|error| lost(&error))
                        }
                        Step::End(sifted) => Ok(Step::End(sifted)),
                    }
                }
            });
            let mut shown = std::pin::pin!(shown.buffered(AHEAD));
            while let Some(step) = shown.next().await {
                match step? {
                    Step::Batch(shown) => self.take(shown, &mut sum)?,
                    Step::End(sifted) => gathered = Some(sifted),
                }
            }
        }
        self.conclude(&mut sum)?;
        if let Some(sifted) = gathered {
            note(&sifted, self.console);
        }
        if !self.selected.filter.is_empty() {
            self.console.note(&format!(
                "{} of {} addresses match",
                count(sum.matched),
                count(sum.addresses)
            ));
        }
        if sum.unread > 0 {
            self.console.warn(&format!(
                "records that cannot be read, and are left out: {}",
                count(sum.unread)
            ));
        }
        sum.families
            .note(self.engine, self.opened, self.console)
            .await?;
        Ok(Exit::DONE)
    }

    /// Prints a batch, or adds what is printed at the end to that of those before.
    fn take(&self, shown: Shown, sum: &mut Shown) -> Outcome<()> {
        self.console.results(&shown.text)?;
        sum.addresses += shown.addresses;
        sum.matched += shown.matched;
        sum.unread += shown.unread;
        sum.families.add(shown.families);
        sum.tally.merge(shown.tally);
        if let Some(most) = self.selected.top {
            sum.busiest.extend(shown.busiest);
            busiest(&mut sum.busiest, most);
        }
        self.console.if_interrupted(format!(
            "{} addresses are answered; what is printed is whole",
            count(sum.addresses)
        ));
        Ok(())
    }

    /// Prints what waited for the end.
    fn conclude(&self, sum: &mut Shown) -> Outcome<()> {
        let Some(by) = &self.selected.facet else {
            let lines = sum.busiest.iter().map(|answer| answer.text.as_str());
            return self.console.results(&lines.collect::<String>());
        };
        let facets = std::mem::take(&mut sum.tally).facets();
        let most = self.selected.top.unwrap_or(usize::MAX);
        let shown = Facets {
            values: &facets[..facets.len().min(most)],
            number: sum.matched,
            ticket: self.sheet.ticket().line("answers", &count(sum.matched)),
        };
        self.console.show(&shown)?;
        let shown = shown.values.len();
        note_values(self.console, by, sum.matched, facets.len(), shown);
        Ok(())
    }
}

/// What was set aside, and why.
fn note(sifted: &Sifted, console: &Console) {
    if sifted.unique() == 0 {
        console.note("there is no address in the text");
    }
    if let Some(words) = sifted.set_aside_in_words() {
        console.note(&format!("set aside: {words}"));
    }
}

/// Work on a thread ends early only by a fault of this program.
fn lost(error: &task::JoinError) -> Error {
    Error::new(
        Kind::Machine,
        format!("a working thread ended early: {error}"),
    )
}
