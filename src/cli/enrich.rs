//! `enrich`: every address of a text once, answered from the feeds on this disk. Sends nothing, spends nothing.
//!
//! ```text
//! reading thread: blocks of text → addresses never seen before → batches
//! this task:      batches → lines of records, on a thread for work → answers in the format, on another → standard output
//! ```
//!
//! What is in memory is the addresses seen, and a few batches.

mod gather;
mod plan;
mod show;
mod sieve;

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
    sync::Arc,
};

use futures_util::{Stream, StreamExt, stream};
use tokio::task;

use self::{
    gather::{Gathering, Heard},
    plan::Plan,
    show::Sheet,
    sieve::Sifted,
};
use super::{
    args::enrich::EnrichArgs,
    console::{Console, Outcome},
    exit::Exit,
    print::count,
};
use crate::engine::{Engine, Error, Kind, LocalAnswers, Opened, Picked, Result};

/// Batches that are put into their format while the next one is answered.
const AHEAD: usize = 2;

/// Answers about every address of a text, or says what there is to answer.
///
/// # Errors
/// No feed on this disk; what keeps the text or a feed from being read.
pub(super) async fn run(args: &EnrichArgs, engine: &Engine, console: &Console) -> Outcome {
    let pick = args.pick.pick()?;
    let Picked { opened, unusable } = if args.plan {
        engine.open_picked(&pick).await?
    } else {
        engine.open_some(&pick).await?
    };
    let text = open(args.file(), console)?;
    for error in &unusable {
        console.complain(None, error);
    }
    let gathering = Gathering::start(text, engine.settings.admission.clone());
    let exit = if args.plan {
        Plan::of(engine, &opened, gathering).await?.show(console)?
    } else {
        answer(engine, &opened, gathering, console).await?
    };
    Ok(exit.or_of(unusable.first()))
}

/// The text. What a person types at a terminal is text, too.
fn open(file: Option<&Path>, console: &Console) -> Result<Box<dyn Read + Send>> {
    let Some(path) = file else {
        let input = io::stdin();
        if input.is_terminal() {
            console.note("reading the text from this terminal; Ctrl-D on an empty line ends it");
        }
        return Ok(Box::new(input));
    };
    let opened = File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(file)
    });
    match opened {
        Ok(file) => Ok(Box::new(file)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::IsADirectory
            ) =>
        {
            let message = format!("{} is no file that can be read: {error}", path.display());
            Err(Error::new(Kind::Usage, message)
                .hint("name a text file, or `-` for standard input"))
        }
        Err(error) => Err(Error::machine(&format!("read {}", path.display()), &error)),
    }
}

/// Prints the answers as they come.
async fn answer(
    engine: &Engine,
    opened: &[Opened],
    gathering: Gathering,
    console: &Console,
) -> Outcome {
    let sheet = Arc::new(Sheet::new(console, opened));
    console.results(&sheet.head())?;
    let mut gathered = None;
    let mut printed = 0;
    {
        let answers = answers(engine, opened, gathering);
        let shown = answers.map(|part| {
            let sheet = sheet.clone();
            async move {
                match part? {
                    Part::Answers(answers) => task::spawn_blocking(move || {
                        Ok(Shown::Answers(
                            answers.addresses().len(),
                            sheet.show(&answers)?,
                        ))
                    })
                    .await
                    .unwrap_or_else(|error| Err(lost(&error))),
                    Part::End(sifted) => Ok(Shown::End(sifted)),
                }
            }
        });
        let mut shown = std::pin::pin!(shown.buffered(AHEAD));
        while let Some(part) = shown.next().await {
            match part? {
                Shown::Answers(addresses, text) => {
                    console.results(&text)?;
                    printed += addresses;
                    console.if_interrupted(format!(
                        "{} addresses are answered; what is printed is whole",
                        count(printed as u64)
                    ));
                }
                Shown::End(sifted) => gathered = Some(sifted),
            }
        }
    }
    if let Some(sifted) = gathered {
        note(&sifted, console);
    }
    Ok(Exit::DONE)
}

enum Part {
    Answers(LocalAnswers),
    End(Sifted),
}

enum Shown {
    Answers(usize, String),
    End(Sifted),
}

/// The answers, batch by batch, and what the text held in all.
fn answers<'a>(
    engine: &'a Engine,
    opened: &'a [Opened],
    gathering: Gathering,
) -> impl Stream<Item = Result<Part>> + 'a {
    stream::unfold(
        (gathering, Arc::default()),
        move |(mut gathering, mut rest): (Gathering, Arc<[_]>)| async move {
            if rest.is_empty() {
                match gathering.next().await? {
                    Heard::Addresses(batch) => rest = batch.into(),
                    Heard::End(end) => return Some((end.map(Part::End), (gathering, rest))),
                }
            }
            let answers = engine.answer_locally(opened, rest).await;
            let rest = answers.as_ref().map(LocalAnswers::rest).unwrap_or_default();
            Some((answers.map(Part::Answers), (gathering, rest)))
        },
    )
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
