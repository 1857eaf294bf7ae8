//! Unanswered questions, and jobs: downloads and exports, with their progress, pausing and stopping.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use super::{Answer, Cmd, JobId, Outbox, Question};
use crate::{
    contract::Feed,
    engine::{Error, Progress, PullQuery, Stage},
    model::visible,
    report::{count, counted, each},
    tui::ui::{Tone, words::bytes},
};

/// The number that the shell assigns to a part of the program that asks questions. Answers go to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner(pub usize);

/// An unanswered question.
#[derive(Clone, Debug)]
pub struct PendingQuestion {
    /// What was asked.
    pub question: Question,
    /// Who asked.
    pub owner: Owner,
    /// Its progress, as last reported.
    pub progress: Option<Progress>,
}

/// A job that takes long.
#[derive(Clone, Debug)]
pub struct Job {
    /// The identifier of its current run.
    pub id: JobId,
    pub label: String,
    /// What was asked.
    pub question: Question,
    pub state: JobState,
    pub progress: Option<Progress>,
    pub began: Timestamp,
    owner: Owner,
    speed: Speed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobState {
    /// In progress.
    Running,
    /// Paused; the received part is kept.
    Paused,
    /// Succeeded; with the outcome in words.
    Done(String),
    /// Ended badly.
    Failed(Error),
    /// Stopped permanently.
    Cancelled,
}

/// A smoothed rate.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    last: Option<(Timestamp, u64)>,
    bytes_per_second: Option<f64>,
}

impl Speed {
    const WEIGHT: f64 = 0.3;

    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    /// Notes the number of bytes done at this time.
    fn follow(&mut self, now: Timestamp, done: u64) {
        if let Some((at, before)) = self.last {
            let seconds = now.duration_since(at).as_secs_f64();
            if seconds < 0.2 {
                return;
            }
            let rate = done.saturating_sub(before) as f64 / seconds;
            let smooth = self
                .bytes_per_second
                .map_or(rate, |old| old + Self::WEIGHT * (rate - old));
            self.bytes_per_second = Some(smooth);
        }
        self.last = Some((now, done));
    }
}

/// What happens to the downloaded part of a stopped download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartFate {
    /// It is kept, and a later download resumes it.
    Keep,
    Delete,
}

impl Job {
    fn new(id: JobId, label: String, question: Question, owner: Owner, began: Timestamp) -> Self {
        Self {
            id,
            label,
            question,
            state: JobState::Running,
            progress: None,
            began,
            owner,
            speed: Speed::default(),
        }
    }

    /// Current speed in bytes per second; `None` until it is measured.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        let speed = self.speed.bytes_per_second;
        speed.filter(|_| self.state == JobState::Running)
    }

    /// The progress in per cent, if known.
    #[must_use]
    pub fn percent(&self) -> Option<u64> {
        percent(self.progress?)
    }

    /// Whether it can be paused: a download can be resumed, an export cannot.
    #[must_use]
    pub fn can_pause(&self) -> bool {
        matches!(self.question, Question::Pull(_))
    }

    /// Whether it belongs to this owner.
    #[must_use]
    pub fn is_of(&self, owner: Owner) -> bool {
        self.owner == owner
    }

    /// Whether it can still be stopped.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self.state, JobState::Running | JobState::Paused)
    }
}

fn percent(progress: Progress) -> Option<u64> {
    let total = progress.total.filter(|total| *total > 0)?;
    Some(progress.done.saturating_mul(100) / total)
}

/// All unanswered questions and jobs.
#[derive(Clone, Debug, Default)]
pub struct Jobs {
    asked: HashMap<JobId, PendingQuestion>,
    /// The jobs, the newest last.
    long: Vec<Job>,
    last: u64,
}

impl Jobs {
    /// The maximum number of ended jobs in the list.
    const KEPT: usize = 20;
    /// A job that took at least this long rings the bell at its end, since people look elsewhere meanwhile.
    const LONG: SignedDuration = SignedDuration::from_secs(10);

    /// Asks a question; the answer goes to the owner.
    pub fn ask(&mut self, question: Question, owner: Owner, out: &mut Outbox) -> JobId {
        let job = self.next_id();
        out.cmd(Cmd::Ask(job, question.clone()));
        let asked = PendingQuestion {
            question,
            owner,
            progress: None,
        };
        self.asked.insert(job, asked);
        job
    }

    fn next_id(&mut self) -> JobId {
        self.last += 1;
        JobId(self.last)
    }

    /// Removes the question of an ended job; `None` if it was cancelled.
    pub fn take(&mut self, job: JobId) -> Option<PendingQuestion> {
        self.asked.remove(&job)
    }

    /// The owner of an unanswered question.
    #[must_use]
    pub fn owner(&self, job: JobId) -> Option<Owner> {
        Some(self.asked.get(&job)?.owner)
    }

    /// The progress of a question in per cent, if known.
    #[must_use]
    pub fn share_of(&self, job: JobId) -> Option<u64> {
        percent(self.asked.get(&job)?.progress?)
    }

    /// Whether an answer is pending and no job is running.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.asked.is_empty() && self.running().next().is_none()
    }

    /// Starts a job, unless an equal one is in progress.
    pub fn start(
        &mut self,
        label: String,
        question: Question,
        owner: Owner,
        out: &mut Outbox,
    ) -> JobId {
        if let Some(job) = self.running().find(|job| job.question == question) {
            out.say(Tone::Info, format!("{label} is under way already"));
            return job.id;
        }
        self.long
            .retain(|job| job.question != question || !job.is_open());
        let ended = self.long.iter().filter(|job| !job.is_open()).count();
        if ended > Self::KEPT
            && let Some(oldest) = self.long.iter().position(|job| !job.is_open())
        {
            self.long.remove(oldest);
        }
        let id = self.ask(question.clone(), owner, out);
        self.long
            .push(Job::new(id, label, question, owner, out.now));
        id
    }

    pub fn progress(&mut self, id: JobId, progress: Progress, now: Timestamp) {
        if let Some(asked) = self.asked.get_mut(&id) {
            asked.progress = Some(progress);
        }
        if let Some(job) = self.running_mut(id) {
            if job.progress.is_none_or(|last| last.stage != progress.stage) {
                job.speed = Speed::default();
            }
            job.speed.follow(now, progress.done);
            job.progress = Some(progress);
        }
    }

    /// Ends a job and reports it. A job that was paused or stopped before stays so.
    pub fn finish(&mut self, id: JobId, result: Result<&Answer, &Error>, out: &mut Outbox) {
        let Some(job) = self.running_mut(id) else {
            return;
        };
        job.state = match result {
            Ok(answer) => {
                let mut words = words_of(answer);
                // The label of a download of one day names it.
                if let Some((_, rest)) = words
                    .split_once(", ")
                    .filter(|(day, _)| job.label.ends_with(day))
                {
                    words = rest.to_owned();
                }
                out.say(Tone::Ok, format!("{}: {words}", job.label));
                JobState::Done(words)
            }
            Err(error) => {
                // A message about a file names it.
                let is_named = error.message.contains(job.label.as_str());
                let text = if is_named {
                    error.message.clone()
                } else {
                    format!("{}: {}", job.label, error.message)
                };
                out.say(Tone::Error, text);
                JobState::Failed(error.clone())
            }
        };
        if out.now.duration_since(job.began) >= Self::LONG {
            out.cmd(Cmd::Bell);
        }
        // A success removes earlier failures of the same question.
        if result.is_ok() {
            let question = job.question.clone();
            let has_failed = |job: &Job| matches!(job.state, JobState::Failed(_));
            self.long
                .retain(|job| job.question != question || !has_failed(job));
        }
    }

    /// Stops a job permanently. For a download, first asks whether to keep the received part.
    pub fn cancel(&mut self, id: JobId, out: &mut Outbox) {
        let Some(job) = self.open_mut(id) else {
            return;
        };
        if matches!(job.question, Question::Pull(_)) {
            out.stopping = Some(id);
            return;
        }
        if job.state == JobState::Running {
            out.cmd(Cmd::Cancel(id));
        }
        job.state = JobState::Cancelled;
        out.say(Tone::Info, format!("{}: cancelled", job.label));
    }

    /// Stops a download permanently, and keeps or deletes the received part.
    pub fn stop_download(&mut self, id: JobId, fate: PartFate, out: &mut Outbox) {
        let Some(job) = self.open_mut(id) else {
            return;
        };
        let Question::Pull(query) = job.question else {
            return;
        };
        if job.state == JobState::Running {
            out.cmd(Cmd::Cancel(id));
        }
        job.state = JobState::Cancelled;
        let (label, owner) = (job.label.clone(), job.owner);
        match fate {
            PartFate::Keep => {
                self.ask(Question::LeftOf(query), owner, out);
                let text = format!("{label}: stopped; the received part is kept");
                out.say(Tone::Info, text);
            }
            PartFate::Delete => {
                let label = format!("received part of {label}");
                self.start(label, Question::DeletePart(query), owner, out);
            }
        }
    }

    fn running_mut(&mut self, id: JobId) -> Option<&mut Job> {
        let job = self.open_mut(id);
        job.filter(|job| job.state == JobState::Running)
    }

    fn open_mut(&mut self, id: JobId) -> Option<&mut Job> {
        let mut jobs = self.long.iter_mut();
        jobs.find(|job| job.id == id && job.is_open())
    }

    /// Pauses a running download, or resumes a paused one. Exports cannot be paused.
    pub fn pause(&mut self, id: JobId, out: &mut Outbox) {
        let Some(at) = self.long.iter().position(|job| job.id == id) else {
            return;
        };
        let job = &mut self.long[at];
        match job.state {
            JobState::Running if job.can_pause() => {
                out.cmd(Cmd::Cancel(id));
                job.state = JobState::Paused;
                out.say(Tone::Info, format!("{}: paused", job.label));
            }
            JobState::Running => {
                let text = "this cannot be paused, only downloads can: x stops it";
                out.say(Tone::Warn, text);
            }
            // The confirmation of a deletion may be outdated: the download may have resumed since.
            JobState::Failed(_) | JobState::Cancelled
                if matches!(job.question, Question::DeletePart(_)) =>
            {
                let text = "nothing is deleted again: X in Feeds deletes a partial download";
                out.say(Tone::Info, text);
            }
            JobState::Paused | JobState::Failed(_) | JobState::Cancelled => {
                let (question, owner) = (job.question.clone(), job.owner);
                let label = job.label.clone();
                if self.running().any(|job| job.question == question) {
                    return out.say(Tone::Info, format!("{label} is under way already"));
                }
                let id = self.ask(question, owner, out);
                let job = &mut self.long[at];
                (job.id, job.state, job.speed) = (id, JobState::Running, Speed::default());
                out.say(Tone::Info, format!("{}: resumed", job.label));
            }
            JobState::Done(_) => {}
        }
    }

    /// All jobs, the newest last.
    #[must_use]
    pub fn all(&self) -> &[Job] {
        &self.long
    }

    /// The jobs in progress.
    pub fn running(&self) -> impl Iterator<Item = &Job> {
        let jobs = self.long.iter();
        jobs.filter(|job| job.state == JobState::Running)
    }

    /// The jobs that can be stopped: in progress or paused.
    pub fn open(&self) -> impl Iterator<Item = &Job> {
        self.long.iter().filter(|job| job.is_open())
    }

    /// Adds an unfinished download of an earlier run as a paused job, with the bytes received and the total, unless it is in the
    /// list.
    pub fn restore(
        &mut self,
        label: String,
        query: PullQuery,
        (done, total): (u64, Option<u64>),
        owner: Owner,
        now: Timestamp,
    ) {
        let question = Question::Pull(query);
        if self.of(&question).is_some_and(Job::is_open) {
            return;
        }
        let progress = Progress {
            stage: Stage::Downloading,
            done,
            total,
        };
        let id = self.next_id();
        self.long.push(Job {
            state: JobState::Paused,
            progress: Some(progress),
            ..Job::new(id, label, question, owner, now)
        });
    }

    /// The downloads of a feed, the newest first.
    pub fn pulls(&self, feed: Feed) -> impl Iterator<Item = &Job> {
        let is_pull =
            move |job: &&Job| matches!(&job.question, Question::Pull(query) if query.feed == feed);
        self.long.iter().rev().filter(is_pull)
    }

    /// The newest download of a feed that is in progress.
    #[must_use]
    pub fn running_pull(&self, feed: Feed) -> Option<&Job> {
        let mut pulls = self.pulls(feed);
        pulls.find(|job| job.state == JobState::Running)
    }

    /// The downloads in progress or paused without a received byte: only a note preserves them for the next run.
    #[must_use]
    pub fn begun(&self) -> Vec<PullQuery> {
        let has_come = |job: &&Job| job.progress.is_some_and(|progress| progress.done > 0);
        let empty = self.open().filter(|job| !has_come(job));
        let query = |job: &Job| match job.question {
            Question::Pull(query) => Some(query),
            _ => None,
        };
        empty.filter_map(query).collect()
    }

    /// The newest job of a question.
    #[must_use]
    pub fn of(&self, question: &Question) -> Option<&Job> {
        self.long.iter().rev().find(|job| job.question == *question)
    }
}

/// The outcome of a job, in words.
fn words_of(answer: &Answer) -> String {
    match answer {
        Answer::Pulled(pulled) => {
            let manifest = &pulled.release.manifest;
            let mut words = manifest.moment.dashed();
            if pulled.was_here {
                words += " is local already";
            }
            if let Some(records) = manifest.records {
                words += &format!(", {} records", count(records));
            }
            if pulled.resumed_from > 0 {
                words += &format!(", resumed at {}", bytes(pulled.resumed_from));
            }
            if manifest.rejected.count > 0 {
                words += &format!(", {} lines rejected", manifest.rejected.count);
            }
            words
        }
        Answer::Written(written) => {
            let file = written.path.display();
            format!("{} to {file}", counted(written.rows, "row"))
        }
        Answer::BlockListed(files) => {
            let named = files.iter().map(|list| {
                format!(
                    "{} in {}",
                    counted(list.entries, "entry"),
                    visible(&list.file)
                )
            });
            each(named, ", ")
        }
        Answer::Exported(exported) => {
            let file = exported.file.display();
            match exported.records {
                Some(records) => format!("{} records to {file}", count(records)),
                None => file.to_string(),
            }
        }
        Answer::Verified(forms) => {
            let has_index = forms.iter().any(|form| form.index);
            let index = if has_index { " and index" } else { "" };
            let day = forms
                .first()
                .map(|form| form.release.manifest.moment.dashed());
            format!("{}: file{index} as published", day.unwrap_or_default())
        }
        Answer::Gathered(text) if text.by_day => {
            format!("{} addresses and days", count(text.addresses.len() as u64))
        }
        Answer::Gathered(text) => counted(text.addresses.len() as u64, "address"),
        Answer::Reindexed(release) => {
            let (day, records) = (release.manifest.moment.dashed(), release.manifest.records);
            format!("{day}: {} records", count(records.unwrap_or_default()))
        }
        Answer::Left(Some(part)) => format!("{} deleted", bytes(part.bytes)),
        Answer::Left(None) => "there was nothing to delete".to_owned(),
        _ => "done".to_owned(),
    }
}
