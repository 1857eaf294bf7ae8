//! The background task: the one place of the terminal that calls the engine. Questions in, answers out; stopping a job is
//! aborting its task.

mod block_list;
mod gather;
mod write_list;

use std::{collections::HashMap, net::IpAddr, sync::Arc, time::Duration};

use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender},
    task::{AbortHandle, JoinError, JoinSet},
    time::timeout,
};

use self::{block_list::list_query, write_list::write_list};
use super::msg::Msg;
use crate::{
    contract::{Host, Resource},
    engine::{
        self, DiffDays, DownloadPlan, Engine, Error, ExportFileRun, ExportRun, Kind, LookupAnswer,
        Progress, Report, Result, Spending, answers::Source, is_there, off_thread, warehouse::Load,
    },
    investigation::{
        blocklist::{MadeList, refuse, write_files},
        board::{board_answers, event_answers},
        common::Common,
        comparison::{ComparedRow, Comparison},
        explanation::Explanation,
        history::read_history,
        watch::check_pulled,
    },
    model::{Day, Keyword},
    report::{
        BoardFindings, ComparedList, EventVerdicts, change_in_words, change_object,
        change_of_object, changes_after_pull,
    },
    store::index::FacetBy,
    tui::ctx::{Answer, Cmd, DiffQuery, JobId, Question, WatchNews, request::mismatch},
};

/// Values of a field, or overlaps of a tag, that are fetched at most: a list to look through, not all of them.
const MOST_VALUES: usize = 200;

/// Answers questions until the sender of commands is dropped.
pub async fn run(
    engine: Engine,
    mut commands: UnboundedReceiver<Cmd>,
    messages: UnboundedSender<Msg>,
) {
    let (own, sender) = (engine.clone(), messages.clone());
    tokio::spawn(async move { tell_watched(&own, &sender).await });
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
                Some(Cmd::Saved(by)) => engine.account.note_saved(by),
                Some(Cmd::SaveDownloadPlan(plan)) => {
                    told(engine.releases.save_download_plan(&plan), &messages);
                }
                Some(Cmd::Begun(paused)) => {
                    let plan = DownloadPlan { paused, ..DownloadPlan::default() };
                    told(engine.releases.save_download_plan(&plan), &messages);
                }
                Some(Cmd::KeepPaste(text)) => {
                    let (pastes, messages) = (engine.pastes.clone(), messages.clone());
                    let keep = off_thread(move || pastes.keep(&text));
                    tokio::spawn(async move { told(keep.await, &messages) });
                }
                Some(Cmd::Forget) => {
                    told(engine.trail.forget(), &messages);
                    // Tables of other cases and profiles keep their texts.
                    let kept = engine.trail.board_files();
                    told(kept.and_then(|texts| engine.pastes.forget_but(&texts)), &messages);
                }
                Some(_) => {}
            },
            Some(ended) = tasks.join_next_with_id(), if !tasks.is_empty() => {
                end(ended.map(|(_, id)| id), &mut handles, &messages);
            }
        }
    }
    // What is under way ends here: a download keeps its part.
    tasks.shutdown().await;
    engine.releases.empty_trash();
}

/// Forgets an ended task. A panicked one never answered, so its waiters get an error.
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

/// An answer within the configured time, which further tries must not exceed where somebody waits.
async fn in_time<T>(limit: Duration, asked: impl Future<Output = Result<T>>) -> Result<T> {
    let late = || {
        let message = format!("no answer within {} s", limit.as_secs());
        let hint = "R tries again; [network] in config.toml sets the limits";
        Err(Error::new(Kind::Network, message).hint(hint))
    };
    timeout(limit, asked).await.unwrap_or_else(|_| late())
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
    let first = |sources, next| {
        let _ = messages.send(Msg::AtHand(id, Box::new(sources), next));
    };
    let result = match question {
        Question::Resolve(query) => {
            let answered = engine.answers.by_policy(&query, first).await;
            answered.map(Answer::Resolved)
        }
        Question::LookUpAll(queries, lost) => {
            let tell = |query, result: Result<(Source, LookupAnswer)>| {
                let (balance, access) = (engine.account.balance(), engine.account.access());
                let _ = messages.send(Msg::Heard(balance, access));
                let result = result.map(|(source, _)| source);
                let _ = messages.send(Msg::LookedUp(id, query, result));
            };
            let all = Spending::at_most(u64::MAX);
            let answers = &engine.answers;
            let end = answers
                .look_up_all(queries.to_vec(), (&all, lost), tell)
                .await;
            Ok(Answer::LookedUp(end))
        }
        Question::Gather(query) => {
            let beside = (engine.pastes.clone(), engine.settings.now());
            let sender = messages.clone();
            let first = move |text| {
                let _ = sender.send(Msg::Beginning(id, Box::new(text)));
            };
            let gathered = gather::gather(query, beside, report, first).await;
            gathered.map(|text| Answer::Gathered(Box::new(text)))
        }
        question => find(&engine, question, report).await,
    };
    let warnings = match &result {
        Ok(Answer::Pulled(pulled)) => {
            tell_watched(&engine, &messages).await;
            pulled.warnings.clone()
        }
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
    // At the end of the program the receiver is gone.
    let _ = messages.send(Msg::Answered(id, Box::new(result)));
    id
}

/// Tells what is watched, and what changed there since it was told last.
async fn tell_watched(engine: &Engine, messages: &UnboundedSender<Msg>) {
    let read = |engine: &Engine| {
        let watches = engine.watches.all()?;
        let changes = engine.watches.unseen()?;
        if !changes.is_empty() {
            engine.watches.saw()?;
        }
        let changes = changes.iter().filter_map(change_of_object).collect();
        Ok(WatchNews { watches, changes })
    };
    let told = match blocking(engine, read).await {
        Ok(news) if news == WatchNews::default() => return,
        Ok(news) => Msg::Watched(news),
        Err(error) => Msg::Failed(error.message),
    };
    let _ = messages.send(told);
}

/// The result of work that blocks, away from the threads that answer other questions.
async fn blocking<T: Send + 'static>(
    engine: &Engine,
    work: impl FnOnce(&Engine) -> Result<T> + Send + 'static,
) -> Result<T> {
    let engine = engine.clone();
    off_thread(move || work(&engine)).await
}

#[expect(clippy::too_many_lines, reason = "one table of questions")]
async fn find(engine: &Engine, question: Question, report: Report) -> Result<Answer> {
    let Engine {
        answers,
        views,
        live,
        releases,
        exports,
        ..
    } = engine;
    Ok(match question {
        Question::Lookup(query) => Answer::Lookup(answers.lookup(&query).await?),
        Question::Resolve(_) | Question::LookUpAll(..) | Question::Gather(_) => {
            return Err(mismatch());
        }
        Question::Sources(query) => Answer::Sources(Box::new(answers.sources(&query).await?)),
        Question::BestAnswers(addresses, day) => {
            let (some, others) = addresses.split_at(addresses.len() / 2);
            // Two at a time are not sooner for a few.
            let found = if addresses.len() < WORTH_TWO {
                findings(engine, addresses, day).await?
            } else {
                let [some, others] = [some, others].map(|part| findings(engine, part.into(), day));
                let (some, others) = tokio::try_join!(some, others)?;
                some.and(others)
            };
            Answer::BestAnswers(found)
        }
        Question::EventVerdicts(addresses, day) => {
            let found = event_answers(engine, &addresses, day).await?;
            Answer::EventVerdicts(EventVerdicts::of(&addresses, &found))
        }
        Question::Compare(names) => {
            let both = Comparison::of_names(engine, names).await?;
            let mut list = ComparedList::of(&both);
            let add = |rows: Vec<ComparedRow>| -> Result<()> {
                list.add(&rows);
                Ok(())
            };
            both.each(engine, add).await?;
            Answer::Compared(list)
        }
        Question::Page(query, rows) => Answer::Page(views.page(&query, rows).await?),
        Question::Position(query, network) => {
            Answer::Position(views.position(&query, network).await?)
        }
        Question::Names(query, rows) => Answer::Names(views.names(&query, rows).await?),
        Question::HeldWithin(network) => Answer::HeldWithin(views.held_within(network).await?),
        Question::Facets(query, fields, most) => {
            Answer::Facets(views.facets(&query, &fields, most).await?)
        }
        Question::Operators(query) => {
            let by = [FacetBy::Keyword(Keyword::Tag)];
            Answer::Facets(views.facets(&query, &by, MOST_VALUES).await?)
        }
        Question::Values(query, field, part, most) => {
            Answer::Values(views.values_with(&query, field, &part, most).await?)
        }
        Question::Explain(word) => {
            Answer::Explained(Box::new(Explanation::of(engine, &word).await?))
        }
        Question::Common(query) => Answer::Common(Box::new(Common::of(engine, &query).await?)),
        Question::Clauses(query) => Answer::Clauses(views.clauses(&query).await?),
        Question::Pivots(subject, record, day) => {
            Answer::Pivots(views.pivots(subject, &record, day).await?)
        }
        Question::History(query) => Answer::History(match read_history(engine, &query).await {
            Ok(found) => Some(Arc::new(found.history)),
            Err(error) if error.kind == Kind::NotFound => None,
            Err(error) => return Err(error),
        }),
        Question::TagUses(tag) => Answer::TagUses(views.tag_uses(&tag, MOST_VALUES).await?),
        Question::TagCounts => Answer::TagCounts(views.tag_counts().await?),
        Question::LocalTags => Answer::LocalTags(releases.local_tags().await?),
        Question::TagChanges => Answer::TagChanges(views.tag_changes().await?),
        Question::Tag(tag) => Answer::Tag(live.tag(&tag).await?),
        Question::Status => Answer::Status(live.status().await?),
        Question::Probe => Answer::Probed(live.probe().await),
        Question::Login(entered) => Answer::Probed(engine.login(&entered).await?),
        Question::Ledger => {
            Answer::Ledger(blocking(engine, |engine| engine.account.ledger.statement()).await?)
        }
        Question::ChangeGuards(guards) => {
            let changed = guards.clone();
            blocking(engine, move |engine| engine.account.change_guards(&changed)).await?;
            Answer::GuardsChanged(guards)
        }
        Question::Metadata(feed) => {
            let limit = engine.settings.network.header_timeout(Host::Feeds);
            Answer::Metadata(in_time(limit, live.feed_metadata(feed)).await?)
        }
        Question::Runs(feed) => Answer::Listed(live.listing(feed, Resource::Runs).await?),
        Question::Files(feed, day) => {
            Answer::Listed(live.listing(feed, Resource::Files(day)).await?)
        }
        Question::Loads => Answer::Loads(loads_of(engine).await?),
        Question::Releases => {
            Answer::Releases(blocking(engine, |engine| engine.releases.on_disk()).await?)
        }
        Question::Diff(query, positions) => {
            let days = open_days(engine, &query).await?;
            let DiffQuery { filter, listed, .. } = &query;
            Answer::Diff(
                releases
                    .diff_page(&days, filter, *listed, positions)
                    .await?,
            )
        }
        Question::DiffSummary(query) => {
            let days = open_days(engine, &query).await?;
            Answer::DiffSummary(releases.diff_summary(&days, &query.filter).await?)
        }
        Question::Pull(query) => {
            let mut pulled = releases.pull(&query, report).await?;
            let found = check_pulled(engine, &[query.feed], change_object).await?;
            let changes = found.checks.iter().flat_map(|check| &check.changes);
            let changes: Vec<String> = changes.map(change_in_words).collect();
            pulled.warnings.extend(found.faults);
            pulled.warnings.extend(changes_after_pull(&changes));
            Answer::Pulled(pulled)
        }
        Question::Unfinished => {
            Answer::Unfinished(blocking(engine, |engine| engine.releases.take_unfinished()).await?)
        }
        Question::LeftOf(query) => Answer::Left(releases.left_of(&query).await?),
        Question::DeletePart(query) => Answer::Left(releases.delete_part(&query).await?),
        Question::Pin(feed, moment, is_pinned) => {
            Answer::Pinned(releases.pin(feed, moment, is_pinned).await?)
        }
        Question::Delete(feed, what) => Answer::Deleted(releases.delete(feed, what).await?),
        Question::Undelete(deleted) => Answer::Deleted(releases.undelete(deleted).await?),
        Question::Health(feed) => Answer::Health(releases.health(feed).await?),
        Question::Verify(feed) => {
            let forms = releases.verify(feed, None, report).await?;
            Answer::Verified(forms.into_iter().collect::<Result<_>>()?)
        }
        Question::Reindex(feed) => {
            Answer::Reindexed(releases.reindex(feed, None, false, report).await?)
        }
        Question::ListCheck(ask) => {
            let query = list_query(*ask, &engine.settings.blocklist.exempt_tags);
            let made = MadeList::without_own(engine, query).await?;
            Answer::ListCheck(Box::new(made.check))
        }
        Question::ListPeople(ask) => {
            let query = list_query(*ask, &engine.settings.blocklist.exempt_tags);
            Answer::ListPeople(MadeList::people(engine, query).await?.map(Box::new))
        }
        Question::WriteBlockList(ask, writing) => {
            let query = list_query(*ask, &engine.settings.blocklist.exempt_tags);
            let made = MadeList::without_own(engine, query).await?;
            refuse(&made.set, |_| false)?;
            let (files, _) = write_files(engine, &made, &writing).await?;
            Answer::BlockListed(files)
        }
        Question::WriteList(file) => {
            Answer::Written(write_list((views, exports), *file, report).await?)
        }
        Question::Readme(feed, path) => {
            exports.save_readme(feed, &path, false).await?;
            Answer::Saved(path)
        }
        Question::Export(run) => {
            let exported = exports.export(&run, report).await?;
            remembered(engine, run, exported).await
        }
        Question::ExportLocal(run) => {
            let exported = exports.export_local(&run).await?;
            remembered(engine, run, exported).await
        }
        Question::SavedExports => {
            Answer::SavedExports(blocking(engine, |engine| engine.exports.saved()).await?)
        }
        Question::SavePreset(name, query) => {
            let save = move |engine: &Engine| engine.exports.save_preset(&name, &query);
            blocking(engine, save).await?;
            Answer::SavedExports(blocking(engine, |engine| engine.exports.saved()).await?)
        }
        Question::DeletePreset(preset) => {
            let delete = move |engine: &Engine| engine.exports.delete_preset(&preset.name);
            blocking(engine, delete).await?;
            Answer::SavedExports(blocking(engine, |engine| engine.exports.saved()).await?)
        }
        Question::ExportRows(query, rows) => {
            Answer::ExportRows(exports.table(&query, rows, report).await?)
        }
        Question::Preview(query) => {
            let (file, _) = exports.export_unnamed(&query, false, report).await?;
            Answer::Sample(off_thread(move || engine::sample::of(file, &query)).await?)
        }
        Question::LocalPreview(query) => Answer::LocalPreview(exports.preview_local(&query).await?),
        Question::IsThere(path) => Answer::IsThere(off_thread(move || Ok(is_there(&path))).await?),
        Question::Trail => Answer::Trail(blocking(engine, |engine| engine.trail.read()).await?),
    })
}

/// So many addresses are read about in two parts side by side.
const WORTH_TWO: usize = 256;

/// What is at hand about these addresses.
async fn findings(
    engine: &Engine,
    addresses: Arc<[IpAddr]>,
    day: Option<Day>,
) -> Result<BoardFindings> {
    let found = board_answers(engine, &addresses, day).await?;
    off_thread(move || Ok(BoardFindings::of(&addresses, found))).await
}

/// The days that are loaded; what cannot be read is told, and is no reason to leave the others out of a list.
async fn loads_of(engine: &Engine) -> Result<Vec<Load>> {
    let loads = engine.warehouse.loads().await?;
    for load in loads.unreadable() {
        engine.notices.trouble(load.why.clone());
    }
    Ok(loads.readable().cloned().collect())
}

/// Keeps that an export was run. One that could not be kept was run all the same.
async fn remembered(engine: &Engine, run: ExportRun, exported: ExportFileRun) -> Answer {
    let kept = exported.clone();
    let keep = move |engine: &Engine| engine.exports.remember_run(&run, &kept);
    let kept = blocking(engine, keep).await;
    kept.unwrap_or_else(|error| engine.notices.trouble(error));
    Answer::Exported(exported)
}

async fn open_days(engine: &Engine, query: &DiffQuery) -> Result<DiffDays> {
    let DiffQuery {
        feed,
        from,
        to,
        filter,
        ..
    } = query;
    let days = [Some(*from), Some(*to)];
    engine.storage.open_two(*feed, days, filter).await
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[tokio::test]
    async fn somebody_who_waits_is_answered_within_the_configured_time() {
        let never = std::future::pending::<Result<()>>();
        let late = in_time(Duration::ZERO, never).await;
        assert_eq!(late.map_err(|error| error.kind), Err(Kind::Network));
        let failed = Error::new(Kind::NotFound, "not there");
        let answered = in_time(Duration::from_secs(9), async {
            Err::<(), _>(failed.clone())
        });
        assert_eq!(answered.await, Err(failed));
    }
}
