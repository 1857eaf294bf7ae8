//! Downloading a feed: a link, a part that can be resumed, a sink that checks, a release that appears whole.
//!
//! The feeds host answers with a redirect to a signed link that expires, so going on always begins with asking it again.
//! Bytes go to `.part/NAME.part` while they come and are checked on the way (gzip members, lines); the journal beside it
//! says to which file they belong. When all is there and right, the part gets its final name and the manifest is written
//! last. Dropping the future at any point leaves the part and its journal for the next run.

mod journal;
mod sink;

use std::{fs, io, path::PathBuf};

use bytes::Bytes;

use self::{
    journal::Journal,
    sink::{Sink, SinkError, Verified},
};
use super::{
    Engine,
    body::{Body, is_web_page},
    error::{Error, Kind, Result},
    http::{Captured, Reply, Resume},
    lookup::offered,
    paths,
    progress::{Report, Stage, Teller},
    retry::{Outcome, PROGRESS, Trouble},
};
use crate::{
    contract::{Endpoint, Feed, Format, Refusal, Resource, catalog::MmdbForm},
    model::{Day, FilePath, Window, feed_metadata::ReleaseDate},
    store::{Cache, DaySource, FeedLock, Manifest, Moment, layout::Release, lock::NotLocked},
};

/// Which release to download.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// The latest, by the `latest` path, which needs no history access.
    Latest,
    /// That of a day.
    Day(Day),
    /// A realtime window.
    Window(Window),
}

/// A download to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PullQuery {
    /// The feed.
    pub feed: Feed,
    /// Which release.
    pub wanted: Wanted,
    /// Which form.
    pub form: Format,
    /// Whether a release far smaller than the last is accepted.
    pub allow_shrink: bool,
    /// Whether to wait for another process that writes here.
    pub wait: bool,
}

impl PullQuery {
    /// The latest JSON release of a feed.
    #[must_use]
    pub fn latest(feed: Feed) -> Self {
        Self {
            feed,
            wanted: Wanted::Latest,
            form: Format::Json,
            allow_shrink: false,
            wait: false,
        }
    }
}

/// What became of a download.
#[derive(Clone, Debug)]
pub struct Pulled {
    /// The release, which is on this disk now.
    pub release: Release,
    /// Whether it was here before, unchanged.
    pub was_here: bool,
    /// The byte from which it went on.
    pub resumed_from: u64,
}

impl Engine {
    /// The cache of this run.
    #[must_use]
    pub fn cache(&self) -> Cache {
        Cache::new(&self.settings.paths.cache)
    }

    /// Downloads, verifies and publishes a release.
    ///
    /// # Errors
    /// Every kind that the network, the service and this machine can bring about; what has come so far stays for the
    /// next run, unless it was corrupt.
    pub async fn pull(&self, query: &PullQuery, report: Report) -> Result<Pulled> {
        let endpoint = self.endpoint_of(query).await?;
        let cache = self.cache();
        paths::make_dir(&cache.part_dir(query.feed))?;
        let _lock = self.take_lock(query).await?;
        // What a publication that was cut off has left takes space and does no harm.
        let _ = cache.sweep_unpublished(query.feed);
        let place = Place::of(&cache, query);
        let journal = Journal::load(&place.journal, &endpoint);
        let length = fs::metadata(&place.part).map_or(0, |metadata| metadata.len());
        let mut pull = Pull {
            engine: self,
            query,
            cache,
            endpoint,
            here: journal.as_ref().map_or(0, |_| length),
            resumed_from: 0,
            journal: journal.filter(|_| length > 0),
            place,
            sink: None,
            teller: Teller::new(report),
        };
        pull.resumed_from = pull.here;
        let mut fetched = pull.fetch().await;
        // What a crash of the machine left in the part may be damaged: then it is worth one start from nothing.
        if is_corrupt(&fetched) && pull.resumed_from > 0 {
            pull.forget().await;
            fetched = pull.fetch().await;
        }
        if is_corrupt(&fetched) {
            pull.forget().await;
        }
        match fetched? {
            Fetched::Whole(journal, verified) => pull.publish(journal, verified),
            Fetched::WasHere(release) => Ok(Pulled {
                release: *release,
                was_here: true,
                resumed_from: 0,
            }),
        }
    }

    async fn endpoint_of(&self, query: &PullQuery) -> Result<Endpoint> {
        let feed = query.feed;
        let resource = match (query.form, query.wanted) {
            (Format::Json, Wanted::Latest) => Resource::Latest(Format::Json),
            (Format::Json, Wanted::Day(day)) => Resource::Dated(day),
            (Format::Json, Wanted::Window(window)) => Resource::Window(window),
            (Format::Mmdb, Wanted::Latest) if feed.row().mmdb != MmdbForm::ByMetadata => {
                Resource::Latest(Format::Mmdb)
            }
            (Format::Mmdb, Wanted::Latest) => Resource::Located(self.mmdb_path(feed).await?),
            (Format::Mmdb, Wanted::Day(day)) if feed.row().mmdb == MmdbForm::ByMetadata => {
                Resource::Located(self.mmdb_path(feed).await?.on(day))
            }
            (Format::Mmdb, _) => {
                return Err(Error::new(
                    Kind::Usage,
                    format!("the feed {feed} has no MMDB form of that date or time"),
                ));
            }
        };
        offered(feed, resource)
    }

    /// Where the metadata says that the MMDB form is (contract, part 2.8).
    async fn mmdb_path(&self, feed: Feed) -> Result<FilePath> {
        let metadata = self.feed_metadata(feed).await?;
        let release = metadata.value.mmdb.is().ok_or_else(|| {
            Error::new(
                Kind::NotFound,
                format!("the metadata of {feed} names no MMDB form"),
            )
            .hint("it may still be being built")
        })?;
        let location = release.location.text().unwrap_or_default();
        FilePath::parse(location).ok_or_else(|| {
            let shown = crate::model::visible(location);
            Error::new(
                Kind::Contract,
                format!("the metadata of {feed} names a place that is no file of a day: {shown:?}"),
            )
        })
    }

    async fn take_lock(&self, query: &PullQuery) -> Result<FeedLock> {
        const PAUSE: std::time::Duration = std::time::Duration::from_millis(200);
        let dir = self.cache().feed_dir(query.feed);
        loop {
            match FeedLock::take(&dir) {
                Ok(lock) => return Ok(lock),
                Err(NotLocked::Held(_)) if query.wait => tokio::time::sleep(PAUSE).await,
                Err(NotLocked::Held(who)) => {
                    return Err(Error::new(
                        Kind::Locked,
                        format!("{who} is writing the feed {}", query.feed),
                    )
                    .hint("wait for it to end, or let `--wait` do so"));
                }
                Err(NotLocked::Io(error)) => {
                    return Err(Error::machine(&format!("lock {}", dir.display()), &error));
                }
            }
        }
    }

    /// The day of a release that no header names: by its metadata, else by its last change, else today.
    async fn day_of(&self, feed: Feed, form: Format, captured: &Captured) -> (Day, DaySource) {
        let metadata = self.feed_metadata(feed).await.ok();
        let release = metadata.as_ref().and_then(|metadata| match form {
            Format::Json => metadata.value.json.is(),
            Format::Mmdb => metadata.value.mmdb.is(),
        });
        if let Some(date) = release.and_then(|release| release.date.is().copied()) {
            let day = match date {
                ReleaseDate::Day(day) => day,
                ReleaseDate::Instant(instant) => Day::of(instant),
            };
            return (day, DaySource::Metadata);
        }
        match captured
            .last_modified
            .as_deref()
            .and_then(|text| httpdate::parse_http_date(text).ok())
        {
            Some(changed) => (
                jiff::Timestamp::try_from(changed).map_or(Day::of(self.now()), Day::of),
                DaySource::LastModified,
            ),
            None => (Day::of(self.now()), DaySource::Download),
        }
    }
}

/// The files of what is partial.
struct Place {
    part: PathBuf,
    journal: PathBuf,
}

impl Place {
    fn of(cache: &Cache, query: &PullQuery) -> Self {
        let ending = match query.form {
            Format::Json => "json.gz",
            Format::Mmdb => "mmdb",
        };
        let name = match query.wanted {
            Wanted::Latest => format!("latest.{ending}"),
            Wanted::Day(day) => format!("{day}.{ending}"),
            Wanted::Window(window) => format!("{}.{ending}", Moment::Window(window)),
        };
        let dir = cache.part_dir(query.feed);
        Self {
            part: dir.join(format!("{name}.part")),
            journal: dir.join(format!("{name}.json")),
        }
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.part);
        let _ = fs::remove_file(&self.journal);
    }
}

/// A download on its way.
struct Pull<'a> {
    engine: &'a Engine,
    query: &'a PullQuery,
    cache: Cache,
    endpoint: Endpoint,
    place: Place,
    /// To which file the part belongs; there is one exactly when there is something to go on from.
    journal: Option<Journal>,
    /// The length of the part before there was a sink.
    here: u64,
    sink: Option<Sink>,
    /// The byte of an earlier run from which this one went on.
    resumed_from: u64,
    teller: Teller,
}

/// What came of asking.
enum Fetched {
    Whole(Journal, Verified),
    WasHere(Box<Release>),
}

fn is_corrupt<T>(result: &Result<T>) -> bool {
    result
        .as_ref()
        .is_err_and(|error| error.kind == Kind::Integrity)
}

impl Pull<'_> {
    /// Bytes of the file that are here.
    fn here(&self) -> u64 {
        self.sink.as_ref().map_or(self.here, Sink::length)
    }

    /// Ends the writing and leaves what came.
    async fn pause(&mut self) {
        if let Some(sink) = self.sink.take() {
            self.here = sink.length();
            sink.abandon().await;
        }
    }

    /// Discards what is here. The part goes before a journal of another file can come: the two never mix.
    async fn forget(&mut self) {
        self.pause().await;
        self.place.remove();
        self.journal = None;
        (self.here, self.resumed_from) = (0, 0);
    }

    async fn fetch(&mut self) -> Result<Fetched> {
        let mut budget = self.engine.budget(&self.endpoint);
        let (mut attempts, mut mark) = (0, self.here());
        loop {
            attempts += 1;
            let trouble = match self.attempt().await {
                Ok(Attempt::Whole) => break,
                Ok(Attempt::WasHere(release)) => {
                    self.forget().await;
                    return Ok(Fetched::WasHere(release));
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
            if let Err(error) = self.engine.again(&mut budget, trouble, attempts).await {
                self.pause().await;
                return Err(kept(error, self.here));
            }
        }
        let (Some(sink), Some(journal)) = (self.sink.take(), self.journal.clone()) else {
            return Err(Error::new(Kind::Contract, "the download was empty"));
        };
        let length = sink.length();
        self.teller.tell(Stage::Verifying, length, Some(length));
        let verified = sink.finish().await;
        self.here = length;
        Ok(Fetched::Whole(
            journal,
            verified.map_err(|error| self.sink_error(error))?,
        ))
    }

    /// One try: a fresh link, then bytes until the end or until it breaks.
    async fn attempt(&mut self) -> Result<Attempt, Trouble> {
        let here = self.here();
        let journal = self.journal.as_ref();
        let total = journal.and_then(|journal| journal.total);
        self.teller.tell(Stage::Asking, here, total);
        let resume = journal
            .filter(|_| here > 0)
            .and_then(|journal| journal.resume(here));
        let opened = self.engine.open_once(&self.endpoint, resume.as_ref()).await;
        let reply = match opened {
            // There is no more than is here. Of the very same file, or it would have been sent: that is all of it.
            Err(trouble) if trouble.error.status == Some(416) && total == Some(here) => {
                self.sink_from(here);
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
            Follows::On(from) => from,
            Follows::Anew => 0,
            Follows::Not(why) => {
                let error = Error::new(
                    Kind::Contract,
                    format!("a resumed download of {} {why}", self.query.feed),
                );
                return Err(self.start_over(error).await);
            }
        };
        if from == 0 {
            if let Some(release) = self.unchanged(&reply) {
                return Ok(Attempt::WasHere(Box::new(release)));
            }
            self.forget().await;
            let begun = self.begin(&reply).await;
            begun.save(&self.place.journal)?;
            self.journal = Some(begun);
        }
        let length = reply
            .captured
            .length
            .map(|length| length.saturating_add(from));
        let total = reply.captured.range.and_then(|(_, total)| total);
        let total = total.filter(|_| from > 0).or(length);
        self.check_space(total, from)?;
        self.sink_from(from);
        self.stream(reply, from, total).await
    }

    fn sink_from(&mut self, from: u64) {
        let (form, part, report) = (self.query.form, &self.place.part, self.teller.report());
        self.sink
            .get_or_insert_with(|| Sink::start(form, part.clone(), from, report));
    }

    /// What is here is of no use: another try begins with the first byte.
    async fn start_over(&mut self, error: Error) -> Trouble {
        self.forget().await;
        Trouble {
            error,
            outcome: Outcome::Refused(Refusal::Fault, None),
        }
    }

    fn web_page(&self, reply: &Reply) -> Error {
        super::ask::web_page(self.endpoint.host()).status(reply.status())
    }

    async fn stream(
        &mut self,
        reply: Reply,
        from: u64,
        total: Option<u64>,
    ) -> Result<Attempt, Trouble> {
        let page = self.web_page(&reply);
        let mut body = Body::of(reply.response, self.engine.silence());
        let mut done = from;
        loop {
            self.teller.tell(Stage::Downloading, done, total);
            match body.next().await.map_err(Trouble::broken)? {
                Some(piece) if done == 0 && is_web_page(&piece) => return Err(page.into()),
                Some(piece) => {
                    done += piece.len() as u64;
                    self.feed(piece).await?;
                }
                None if total.is_some_and(|total| total > done) => {
                    let message = format!(
                        "the download ended at {done} bytes of {}",
                        total.unwrap_or_default()
                    );
                    return Err(Trouble::broken(Error::new(Kind::Network, message)));
                }
                None => return Ok(Attempt::Whole),
            }
        }
    }

    /// Hands bytes to the sink; when it has given up, its reason is the error.
    async fn feed(&mut self, piece: Bytes) -> Result<(), Trouble> {
        let Some(sink) = &mut self.sink else {
            return Ok(());
        };
        if sink.feed(piece).await {
            return Ok(());
        }
        let reason = sink.reason().await;
        let reason = reason.unwrap_or(SinkError::Io(io::ErrorKind::BrokenPipe.into()));
        Err(self.sink_error(reason).into())
    }

    /// The release that is here already, if the service still has the same file.
    fn unchanged(&self, reply: &Reply) -> Option<Release> {
        let validator = reply.captured.validator()?;
        let (releases, _) = self.cache.releases(self.query.feed, self.query.form).ok()?;
        let target = self.endpoint.target();
        releases.into_iter().find(|release| {
            release.manifest.validator.as_deref() == Some(validator)
                && release.manifest.target == target
                && reply
                    .captured
                    .length
                    .is_none_or(|length| length == release.manifest.bytes)
        })
    }

    /// What is known of the file at the first byte: which release it is, and how to recognize it later.
    async fn begin(&self, reply: &Reply) -> Journal {
        let captured = &reply.captured;
        let (moment, source) = match self.query.wanted {
            Wanted::Day(day) => (Moment::Day(day), DaySource::Asked),
            Wanted::Window(window) => (Moment::Window(window), DaySource::Asked),
            Wanted::Latest if self.query.feed == Feed::Realtime => {
                self.latest_window(captured).await
            }
            Wanted::Latest => match (captured.generation_date, &self.endpoint) {
                (Some(day), _) => (Moment::Day(day), DaySource::Header),
                (None, Endpoint::Feed(_, Resource::Located(path))) => {
                    (Moment::Day(path.day), DaySource::Metadata)
                }
                (None, _) => {
                    let (day, source) = self
                        .engine
                        .day_of(self.query.feed, self.query.form, captured)
                        .await;
                    (Moment::Day(day), source)
                }
            },
        };
        Journal {
            target: self.endpoint.target(),
            moment: moment.to_string(),
            day_source: source,
            validator: captured.validator().map(str::to_owned),
            total: captured.length,
        }
    }

    /// The latest window is named by the realtime metadata only (contract, part 2.8).
    async fn latest_window(&self, captured: &Captured) -> (Moment, DaySource) {
        if let Ok(metadata) = self.engine.feed_metadata(Feed::Realtime).await {
            let release = metadata.value.json.is();
            let location = release
                .and_then(|release| release.location.text())
                .and_then(FilePath::parse_window);
            let date = release.and_then(|release| match release.date.is() {
                Some(ReleaseDate::Instant(instant)) => Some(Window::of(*instant)),
                _ => None,
            });
            if let Some(window) = location.or(date) {
                return (Moment::Window(window), DaySource::Metadata);
            }
        }
        let changed = captured
            .last_modified
            .as_deref()
            .and_then(|text| httpdate::parse_http_date(text).ok());
        match changed.and_then(|changed| jiff::Timestamp::try_from(changed).ok()) {
            Some(changed) => (Moment::Window(Window::of(changed)), DaySource::LastModified),
            None => (
                Moment::Window(Window::of(self.engine.now())),
                DaySource::Download,
            ),
        }
    }

    fn check_space(&self, total: Option<u64>, here: u64) -> Result<()> {
        let Some(needed) = total.map(|total| total.saturating_sub(here)) else {
            return Ok(());
        };
        let Some(free) = free_space(&self.cache.part_dir(self.query.feed)) else {
            return Ok(());
        };
        if needed <= free {
            return Ok(());
        }
        Err(Error::new(
            Kind::Machine,
            format!("the download needs {needed} bytes more, the cache's disk has {free} free"),
        )
        .hint("free some space or choose another place with --cache-dir; what is here is kept"))
    }

    fn sink_error(&self, error: SinkError) -> Error {
        let feed = self.query.feed;
        match error {
            SinkError::Io(error) => {
                Error::machine(&format!("write {}", self.place.part.display()), &error)
            }
            SinkError::Corrupt(why) => Error::new(
                Kind::Integrity,
                format!("the download of {feed} is corrupt: {why}"),
            )
            .hint("nothing was published and the last release stays: start the same again"),
        }
    }

    /// Gives the file its final name, then writes the manifest, which makes it the release.
    fn publish(&mut self, journal: Journal, verified: Verified) -> Result<Pulled> {
        self.teller
            .tell(Stage::Publishing, verified.bytes, Some(verified.bytes));
        let feed = self.query.feed;
        self.check_count(&verified)?;
        let moment = Moment::parse(&journal.moment)
            .ok_or_else(|| Error::new(Kind::Integrity, "the journal names no release"))?;
        let dir = self.cache.release_dir(feed, moment);
        paths::make_dir(&dir)?;
        let (prefix, ending) = match self.query.form {
            Format::Json => ("feed", "json.gz"),
            Format::Mmdb => ("mmdb", "mmdb"),
        };
        let file = format!("{prefix}-{}.{ending}", &verified.sha256[..12]);
        let data = dir.join(&file);
        let publish = || -> io::Result<()> {
            fs::rename(&self.place.part, &data)?;
            fs::File::open(&dir)?.sync_all()
        };
        publish()
            .map_err(|error| Error::machine(&format!("publish {}", data.display()), &error))?;
        let pinned = !matches!(self.query.wanted, Wanted::Latest);
        let mut manifest = Manifest::new(
            feed,
            moment,
            journal.day_source,
            pinned,
            file,
            verified.bytes,
            verified.sha256,
            journal.target,
            self.engine.now(),
        );
        manifest.records = verified.records;
        manifest.rejected = verified.rejected;
        manifest.validator = journal.validator;
        paths::write_whole(
            &dir.join(Manifest::file_name(self.query.form)),
            manifest.text().as_bytes(),
        )?;
        self.place.remove();
        // What is left over takes space and does no harm.
        let _ = self.cache.sweep(feed, moment);
        Ok(Pulled {
            release: Release { manifest, data },
            was_here: false,
            resumed_from: self.resumed_from,
        })
    }

    /// A release without records, or with less than half of those of the last, is more likely a fault than the truth. The
    /// part stays, so that whoever accepts it need not download it again.
    fn check_count(&self, verified: &Verified) -> Result<()> {
        let Some(records) = verified.records else {
            return Ok(());
        };
        if self.query.allow_shrink || self.query.feed == Feed::Realtime {
            return Ok(());
        }
        let last = self
            .cache
            .latest(self.query.feed, self.query.form)
            .ok()
            .flatten();
        let before = last.and_then(|last| last.manifest.records).unwrap_or(0);
        if records > 0 && records >= before.div_ceil(2) {
            return Ok(());
        }
        let message = format!(
            "the release holds {records} records, the last one held {before}: it was not published"
        );
        Err(Error::new(Kind::Integrity, message)
            .hint("if that is right, accept it with --allow-shrink"))
    }
}

enum Attempt {
    Whole,
    WasHere(Box<Release>),
}

/// How an answer goes with what is here.
enum Follows {
    /// It goes on from this byte.
    On(u64),
    /// It is the whole file.
    Anew,
    /// It is a part, and not the one that is missing.
    Not(&'static str),
}

/// A part must begin where what is here ends, and be of the same file: a server may have passed over the condition.
fn follows(reply: &Reply, resume: Option<&Resume>, total: Option<u64>) -> Follows {
    if reply.status() != 206 {
        return Follows::Anew;
    }
    let captured = &reply.captured;
    match (resume, captured.range) {
        (None, _) => Follows::Not("was not asked for, and only a part of the file came"),
        (Some(resume), Some((first, _))) if first != resume.from => {
            Follows::Not("goes on from another byte than was asked for")
        }
        (Some(_), None) => Follows::Not("does not say which part of the file it is"),
        (Some(resume), Some((_, now))) => {
            let other_length = total.zip(now).is_some_and(|(total, now)| total != now);
            if other_length || captured.contradicts(&resume.validator) {
                Follows::Not("goes on in another file than it began")
            } else {
                Follows::On(resume.from)
            }
        }
    }
}

fn kept(error: Error, here: u64) -> Error {
    if here == 0 || matches!(error.kind, Kind::Integrity | Kind::Usage) {
        return error;
    }
    let message = format!("{}; {here} bytes are kept", error.message);
    Error {
        message,
        hint: error
            .hint
            .or_else(|| Some("start the same again: it goes on from there".to_owned())),
        ..error
    }
}

/// Bytes that the file system of `path` has free for this user.
#[must_use]
pub fn free_space(path: &std::path::Path) -> Option<u64> {
    let found = path.ancestors().find(|path| path.exists())?;
    let stat = rustix::fs::statvfs(found).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}
