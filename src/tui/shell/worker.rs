//! The background task: the one place of the terminal that calls the engine. Questions in, answers out; stopping a job is
//! aborting its task.

use std::{
    collections::HashMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
    task::{AbortHandle, JoinError, JoinSet},
};

use super::msg::Msg;
use crate::{
    contract::{Feed, Format, Resource},
    engine::{self, Engine, Error, Kind, Progress, Report, Result, credentials, paths::free_space},
    store::Folder,
    tui::ctx::{
        cmd::Cmd,
        request::{Answer, JobId, Keep, OnDisk, Question},
    },
};

/// Values of a field, or overlaps of a tag, that are fetched at most: a list to look through, not all of them.
const MOST_VALUES: usize = 200;

/// Answers questions until the sender of commands is dropped.
pub async fn run(
    engine: Engine,
    mut commands: UnboundedReceiver<Cmd>,
    messages: UnboundedSender<Msg>,
) {
    let mut tasks = JoinSet::new();
    let mut handles: HashMap<JobId, AbortHandle> = HashMap::new();
    loop {
        tokio::select! {
            command = commands.recv() => match command {
                None => break,
                Some(Cmd::Ask(id, question)) => {
                    let task = answer(engine.clone(), id, question, messages.clone());
                    handles.insert(id, tasks.spawn(task));
                }
                Some(Cmd::Cancel(id)) => {
                    if let Some(handle) = handles.remove(&id) {
                        handle.abort();
                    }
                }
                Some(Cmd::Remember(entry)) => told(engine.trail.append(&entry), &messages),
                Some(Cmd::Forget) => told(engine.trail.forget(), &messages),
                Some(_) => {}
            },
            Some(ended) = tasks.join_next_with_id(), if !tasks.is_empty() => {
                end(ended.map(|(_, id)| id), &mut handles, &messages);
            }
        }
    }
    // What is under way ends here: a download keeps its part.
    tasks.shutdown().await;
}

/// Forgets a task that has ended. One that panicked has answered nothing: nobody may wait for it without end.
fn end(
    ended: std::result::Result<JobId, JoinError>,
    handles: &mut HashMap<JobId, AbortHandle>,
    messages: &UnboundedSender<Msg>,
) {
    match ended {
        Ok(id) => {
            handles.remove(&id);
        }
        Err(error) => {
            let task =
                |(id, handle): (&JobId, &AbortHandle)| (handle.id() == error.id()).then_some(*id);
            let Some(id) = handles.iter().find_map(task) else {
                // It was cancelled.
                return;
            };
            handles.remove(&id);
            let error = Error::new(
                Kind::Machine,
                "this program failed at it: please report that",
            );
            let _ = messages.send(Msg::Answered(id, Box::new(Err(error))));
        }
    }
}

fn told(result: Result<()>, messages: &UnboundedSender<Msg>) {
    if let Err(error) = result {
        let _ = messages.send(Msg::Failed(error.message));
    }
}

async fn answer(
    engine: Engine,
    id: JobId,
    question: Question,
    messages: UnboundedSender<Msg>,
) -> JobId {
    let progress = messages.clone();
    let report: Report = Arc::new(move |now: Progress| {
        let _ = progress.send(Msg::Progress(id, now));
    });
    let result = find(&engine, question, report).await;
    let warnings = match &result {
        Ok(Answer::Pulled(pulled)) => pulled.warnings.clone(),
        _ => Vec::new(),
    };
    let troubles = engine.notices.take_troubles().into_iter();
    let troubles = troubles.map(|trouble| trouble.message);
    for text in warnings
        .into_iter()
        .chain(engine.notices.take_notices())
        .chain(troubles)
    {
        let _ = messages.send(Msg::Failed(text));
    }
    let _ = messages.send(Msg::Heard(
        engine.account.balance(),
        engine.account.access(),
    ));
    // Nobody listens when the program is ending.
    let _ = messages.send(Msg::Answered(id, Box::new(result)));
    id
}

async fn find(engine: &Engine, question: Question, report: Report) -> Result<Answer> {
    Ok(match question {
        Question::Lookup(query) => Answer::Lookup(engine.answers.lookup(&query).await?),
        Question::Sources(query) => {
            Answer::Sources(Box::new(engine.answers.sources(&query).await?))
        }
        Question::Page(query, rows) => Answer::Page(engine.views.page(&query, rows).await?),
        Question::Position(query, network) => {
            Answer::Position(engine.views.position(&query, network).await?)
        }
        Question::Facets(query, fields) => {
            Answer::Facets(engine.views.facets(&query, &fields, MOST_VALUES).await?)
        }
        Question::Clauses(query) => Answer::Clauses(engine.views.clauses(&query).await?),
        Question::Pivots(subject, record) => {
            Answer::Pivots(engine.views.pivots(subject, &record).await?)
        }
        Question::Since(record) => Answer::Since(engine.views.since(&record).await?),
        Question::TagUses(tag) => Answer::TagUses(engine.views.tag_uses(&tag, MOST_VALUES).await?),
        Question::LocalTags => Answer::LocalTags(engine.releases.local_tags().await?),
        Question::Tag(tag) => Answer::Tag(engine.live.tag(&tag).await?),
        Question::Status => Answer::Status(engine.live.status().await?),
        Question::Probe => Answer::Probed(engine.live.probe().await),
        Question::Ledger => {
            Answer::Ledger(off_thread(engine, |engine| engine.account.ledger.statement()).await?)
        }
        Question::Metadata(feed) => Answer::Metadata(engine.live.feed_metadata(feed).await?),
        Question::Runs(feed) => Answer::Listed(engine.live.listing(feed, Resource::Runs).await?),
        Question::Files(feed, day) => {
            Answer::Listed(engine.live.listing(feed, Resource::Files(day)).await?)
        }
        Question::Releases => {
            Answer::Releases(off_thread(engine, |engine| on_disk(&engine)).await?)
        }
        Question::Pull(query) => Answer::Pulled(engine.releases.pull(&query, report).await?),
        Question::Readme(feed, path) => {
            engine.exports.save_readme(feed, &path, false).await?;
            Answer::Saved(path)
        }
        Question::Export(run) => Answer::Exported(engine.exports.export(&run, report).await?),
        Question::Sample(run) => {
            Answer::Sample(off_thread(engine, move |_| engine::sample::read(&run)).await?)
        }
        Question::Preview(query) => {
            let file = engine.exports.export_unnamed(&query, false, report).await?;
            Answer::Sample(off_thread(engine, move |_| engine::sample::of(file, &query)).await?)
        }
        Question::IsThere(path) => {
            Answer::IsThere(off_thread(engine, move |_| Ok(path.symlink_metadata().is_ok())).await?)
        }
        Question::Trail => Answer::Trail(off_thread(engine, |engine| engine.trail.read()).await?),
        Question::Login(token, keep) => {
            if keep == Keep::InFile {
                credentials::store(
                    &engine.settings.profile,
                    &engine.settings.paths.config,
                    &token,
                )?;
            }
            engine.account.use_token(&token);
            Answer::Probed(engine.live.probe().await)
        }
    })
}

/// Runs what waits for the disk where it holds nothing else up.
async fn off_thread<T: Send + 'static>(
    engine: &Engine,
    work: impl FnOnce(Engine) -> Result<T> + Send + 'static,
) -> Result<T> {
    let engine = engine.clone();
    let ended = tokio::task::spawn_blocking(move || work(engine)).await;
    ended.unwrap_or_else(|_| {
        Err(Error::new(
            Kind::Machine,
            "a task of this program ended early",
        ))
    })
}

fn on_disk(engine: &Engine) -> Result<OnDisk> {
    let mut found = OnDisk {
        free: free_space(&engine.settings.paths.cache),
        cache: Some(engine.releases.cache()),
        ..OnDisk::default()
    };
    for feed in Feed::all() {
        let inventory = engine.releases.inventory(feed);
        for (_, error) in inventory
            .faults
            .into_iter()
            .filter(|(form, _)| *form == Format::Json)
        {
            match error.kind {
                Kind::Integrity => found.faulty.push(feed),
                _ => return Err(error),
            }
        }
        if let Some(error) = inventory.unlisted.first() {
            return Err(Error::machine("read the cache", error));
        }
        found.releases.extend(inventory.releases);
        found.unusable.extend(inventory.unusable);
    }
    Ok(found)
}

/// A text in a file for an editor or a pager, emptied when it is dropped. The names are fixed, so that the next run uses
/// what a killed one has left.
#[derive(Debug)]
pub struct Shown {
    file: fs::File,
    /// Where it is.
    pub path: PathBuf,
}

impl Shown {
    /// Writes a text to the first such file that no other process is showing, readable by its owner only.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn write(state: &Path, text: &str) -> io::Result<Self> {
        const MOST: u32 = 16;
        let folder = Folder::make(state, &state.join("shown"))?;
        for slot in 0..MOST {
            let name = format!("{slot}.json");
            let mut file = folder.update(&name)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => continue,
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
            file.set_len(0)?;
            file.write_all(text.as_bytes())?;
            let path = folder.path().join(name);
            return Ok(Self { file, path });
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // An editor may have put another file in its place; what stays is of its owner's and is used again.
        let _ = self.file.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_takes_the_first_free_file_and_leaves_it_empty() {
        let state = tempfile::tempdir().expect("directory");
        let write = |text| Shown::write(state.path(), text).expect("written");
        let (one, two) = (write("one"), write("two"));
        let read = |shown: &Shown| fs::read_to_string(&shown.path).expect("text");
        assert_eq!(
            (read(&one), read(&two)),
            ("one".to_owned(), "two".to_owned())
        );
        let path = one.path.clone();
        drop(one);
        assert_eq!(fs::read(&path).expect("empty"), b"");
        assert_eq!(write("three").path, path);
    }

    #[tokio::test]
    async fn a_task_that_panics_answers_with_an_error() {
        let (messages, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let (mut tasks, id) = (JoinSet::new(), JobId(7));
        let handle = tasks.spawn(async { unreachable!("as a fault would") });
        let mut handles = HashMap::from([(id, handle)]);
        let ended = tasks.join_next_with_id().await.expect("one task");
        end(ended.map(|(_, id)| id), &mut handles, &messages);
        assert!(handles.is_empty());
        match heard.recv().await {
            Some(Msg::Answered(answered, result)) => {
                assert_eq!(answered, id);
                assert_eq!(
                    result.map_err(|error| error.kind).err(),
                    Some(Kind::Machine)
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
