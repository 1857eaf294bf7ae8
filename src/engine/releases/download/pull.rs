//! A download: attempts, each with a fresh link, until the file is complete.
//!
//! After a failure the received bytes stay in the part for the next attempt or run. When the file is complete, `publish` takes
//! over. This module never gives a file its final name, and never appends bytes of another file.

use std::{io, sync::Arc};

use bytes::Bytes;

use super::{
    journal::{Continuation, EarlierJournal, Journal, follows},
    part_files::PartFiles,
    query::{PullQuery, Pulled},
    sink::{Sink, Verified},
};
use crate::{
    contract::{Endpoint, Refusal},
    engine::{
        error::{Error, ErrorContext, Kind, Result},
        http::{BodyStream, FailedTry, PROGRESS, TryOutcome, UnreadReply, is_web_page, web_page},
        progress::{ProgressReporter, Report, Stage},
        releases::{Releases, indexing::ReadFailure},
    },
    model::FeedMetadata,
    store::{Cache, FeedLock, layout::Release, space::size},
};

pub(super) struct Pull<'a> {
    pub(super) releases: &'a Releases,
    pub(super) query: &'a PullQuery,
    /// Where releases are published.
    pub(super) cache: Cache,
    pub(super) endpoint: Endpoint,
    /// The part and its journal.
    pub(super) place: PartFiles,
    /// The metadata of the feed, once this pull has read it.
    pub(super) metadata: Option<FeedMetadata>,
    lock: Arc<FeedLock>,
    /// The file that the part belongs to; `None` if there is nothing to resume.
    journal: Option<Journal>,
    /// The length of the part while there is no sink.
    here: u64,
    sink: Option<Sink>,
    /// The byte from which this run resumed, 0 if it did not.
    pub(super) resumed_from: u64,
    pub(super) warnings: Vec<String>,
    pub(super) reporter: ProgressReporter,
}

/// The outcome of asking.
enum PulledFile {
    /// All of the file, verified.
    Whole(Box<(Journal, Verified)>),
    /// The file of an existing local release.
    WasHere(Box<Release>),
}

/// The outcome of one try.
enum Attempt {
    /// The file is complete.
    Whole,
    /// The file of an existing local release.
    WasHere(Box<Release>),
}

impl<'a> Pull<'a> {
    /// A download that resumes the part of an earlier run, if it is of the same file.
    ///
    /// # Errors
    /// A failure to read the part.
    pub(super) fn new(
        releases: &'a Releases,
        query: &'a PullQuery,
        endpoint: Endpoint,
        cache: Cache,
        place: PartFiles,
        lock: Arc<FeedLock>,
        report: Report,
    ) -> Result<Self> {
        let url = format!(
            "{}{}",
            cache.service().unwrap_or_default(),
            endpoint.target()
        );
        let mut warnings = Vec::new();
        let journal = match Journal::load(&place, query.feed, &url)? {
            EarlierJournal::Nothing => None,
            EarlierJournal::Same(journal) => Some(journal),
            EarlierJournal::Useless(why) => {
                warnings.push(format!(
                    "the partial download of {} is not resumed, it starts over: {}: {why}",
                    query.feed,
                    place.path(&place.journal).display()
                ));
                None
            }
        };
        let length = place.part_length()?;
        let here = journal.as_ref().map_or(0, |_| length);
        Ok(Self {
            releases,
            query,
            cache,
            endpoint,
            here,
            resumed_from: here,
            journal: journal.filter(|_| length > 0),
            place,
            metadata: None,
            lock,
            sink: None,
            warnings,
            reporter: ProgressReporter::new(report),
        })
    }
}

impl Pull<'_> {
    /// Fetches the file, then publishes its release.
    ///
    /// # Errors
    /// As [`Releases::pull`].
    pub(super) async fn run(mut self) -> Result<Pulled> {
        let mut fetched = self.fetch().await;
        // A crash of the machine may have damaged the part: start over once.
        if is_corrupt(&fetched) && self.resumed_from > 0 {
            self.forget().await?;
            fetched = self.fetch().await;
        }
        if is_corrupt(&fetched) {
            self.forget().await?;
        }
        match fetched? {
            PulledFile::Whole(whole) => {
                let (journal, verified) = *whole;
                self.ask_generation().await;
                self.publish(journal, verified)
            }
            PulledFile::WasHere(release) => {
                if release.manifest.generated_at.is_none() {
                    self.ask_generation().await;
                }
                self.was_here(*release)
            }
        }
    }

    /// The bytes received so far.
    fn here(&self) -> u64 {
        self.sink.as_ref().map_or(self.here, Sink::length)
    }

    /// Stops the sink and keeps the received bytes.
    async fn pause(&mut self) {
        if let Some(sink) = self.sink.take() {
            self.here = sink.length();
            sink.abandon().await;
        }
    }

    /// Discards the part, before the journal of another file can be written.
    ///
    /// # Errors
    /// A failure to remove.
    async fn forget(&mut self) -> Result<()> {
        self.pause().await;
        self.place.remove()?;
        self.journal = None;
        (self.here, self.resumed_from) = (0, 0);
        Ok(())
    }

    /// Retries until the file is complete or a retry is pointless. The received bytes stay, unless they are of another file.
    async fn fetch(&mut self) -> Result<PulledFile> {
        let mut budget = self.releases.requests.budget(&self.endpoint);
        let (mut attempts, mut mark) = (0, self.here());
        loop {
            attempts += 1;
            let trouble = match self.attempt().await {
                Ok(Attempt::Whole) => break,
                Ok(Attempt::WasHere(release)) => {
                    self.forget().await?;
                    return Ok(PulledFile::WasHere(release));
                }
                Err(trouble) => trouble,
            };
            let here = self.here();
            if here >= mark + PROGRESS {
                budget.refill();
            }
            if here >= mark + PROGRESS || here < mark {
                mark = here;
            }
            if let Err(error) = self
                .releases
                .requests
                .wait_or_give_up(&mut budget, trouble, attempts)
                .await
            {
                self.pause().await;
                return Err(kept(error, self.here));
            }
        }
        let (Some(sink), Some(journal)) = (self.sink.take(), self.journal.clone()) else {
            return Err(Error::faulty("the download was empty"));
        };
        let length = sink.length();
        self.reporter.tell(Stage::Verifying, length, Some(length));
        let verified = sink.finish().await;
        self.here = length;
        let verified = verified.map_err(|error| self.sink_error(error))?;
        Ok(PulledFile::Whole(Box::new((journal, verified))))
    }

    /// One attempt: a fresh link, then bytes until the end or a failure.
    async fn attempt(&mut self) -> Result<Attempt, FailedTry> {
        let here = self.here();
        let journal = self.journal.as_ref();
        let total = journal.and_then(|journal| journal.total);
        self.reporter.tell(Stage::Asking, here, total);
        let resume = journal
            .filter(|_| here > 0)
            .and_then(|journal| journal.resume(here));
        let opened = self
            .releases
            .requests
            .open_once(&self.endpoint, resume.as_ref())
            .await;
        let reply = match opened {
            // Nothing follows the received bytes. `If-Range` made sure that the file is the same, so it is complete.
            Err(trouble) if trouble.error.status == Some(416) && total == Some(here) => {
                self.sink_from(here)?;
                return Ok(Attempt::Whole);
            }
            Err(trouble) if trouble.error.status == Some(416) => {
                return Err(self.start_over(trouble.error).await);
            }
            other => other?,
        };
        if reply.captured.is_web_page() {
            return Err(self.web_page(&reply).into());
        }
        let from = match follows(&reply, resume.as_ref(), total) {
            Continuation::On(from) => from,
            Continuation::Anew => 0,
            Continuation::Not(why) => {
                let error = Error::new(
                    Kind::Contract,
                    format!("a resumed download of {} {why}", self.query.feed),
                );
                return Err(self.start_over(error).await);
            }
        };
        if from == 0 {
            if let Some(release) = self.unchanged(&reply).await? {
                return Ok(Attempt::WasHere(Box::new(release)));
            }
            if here > 0 {
                self.warnings.push(format!(
                    "{} started over: its file changed at the service, or the server does not resume; the {} received were discarded",
                    self.query.feed,
                    size(here)
                ));
            }
            let begun = self.begin(&reply).await?;
            self.forget().await?;
            begun.save(&self.place)?;
            self.journal = Some(begun);
        }
        let length = reply
            .captured
            .length
            .map(|length| length.saturating_add(from));
        let total = reply.captured.range.and_then(|(_, total)| total);
        let total = total.filter(|_| from > 0).or(length);
        self.place.check_space(total, from)?;
        self.sink_from(from)?;
        self.stream(reply, from, total).await
    }

    fn sink_from(&mut self, from: u64) -> Result<()> {
        if self.sink.is_none() {
            let (place, lock) = (self.place.clone(), Arc::clone(&self.lock));
            let gives_way = self.releases.gives_way();
            let report = self.reporter.report();
            let sink = Sink::start(self.query.form, place, lock, from, report, gives_way);
            self.sink = Some(sink.at("write", self.place.path(&self.place.part))?);
        }
        Ok(())
    }

    /// Discards the part; the next attempt begins with the first byte.
    async fn start_over(&mut self, error: Error) -> FailedTry {
        if let Err(error) = self.forget().await {
            return error.into();
        }
        FailedTry {
            error,
            outcome: TryOutcome::Refused(Refusal::Fault, None),
        }
    }

    fn web_page(&self, reply: &UnreadReply) -> Error {
        web_page(self.endpoint.host()).status(reply.status())
    }

    async fn stream(
        &mut self,
        reply: UnreadReply,
        from: u64,
        total: Option<u64>,
    ) -> Result<Attempt, FailedTry> {
        let page = self.web_page(&reply);
        let mut body = BodyStream::of(reply, self.releases.requests.silence());
        let mut done = from;
        loop {
            self.reporter.tell(Stage::Downloading, done, total);
            match body.next().await.map_err(FailedTry::broken)? {
                Some(piece) if done == 0 && is_web_page(&piece) => return Err(page.into()),
                Some(piece) => {
                    done += piece.len() as u64;
                    self.feed(piece).await?;
                }
                None if total.is_some_and(|total| total > done) => {
                    let message = format!(
                        "the download ended at {} of {}",
                        size(done),
                        size(total.unwrap_or_default())
                    );
                    return Err(FailedTry::broken(Error::new(Kind::Network, message)));
                }
                None => return Ok(Attempt::Whole),
            }
        }
    }

    /// Hands bytes to the sink; if the sink failed, returns its error.
    async fn feed(&mut self, piece: Bytes) -> Result<(), FailedTry> {
        let Some(sink) = &mut self.sink else {
            return Ok(());
        };
        if sink.feed(piece).await {
            return Ok(());
        }
        let reason = sink.reason().await;
        let reason = reason.unwrap_or(ReadFailure::Io(io::ErrorKind::BrokenPipe.into()));
        Err(self.sink_error(reason).into())
    }

    fn sink_error(&self, error: ReadFailure) -> Error {
        let feed = self.query.feed;
        match error {
            ReadFailure::Io(error) => {
                Error::machine_at("write", self.place.path(&self.place.part), &error)
            }
            ReadFailure::Corrupt(why) => Error::new(
                Kind::Integrity,
                format!("the download of {feed} is corrupt: {why}"),
            )
            .hint("nothing was published and the last release stays: run it again"),
        }
    }
}

fn kept(error: Error, here: u64) -> Error {
    if here == 0 || matches!(error.kind, Kind::Integrity | Kind::Usage) {
        return error;
    }
    let message = format!("{}; {} received so far are kept", error.message, size(here));
    Error {
        message,
        hint: error
            .hint
            .or_else(|| Some("run it again to resume".to_owned())),
        ..error
    }
}

fn is_corrupt<T>(result: &Result<T>) -> bool {
    result
        .as_ref()
        .is_err_and(|error| error.kind == Kind::Integrity)
}
