//! The calls of the façade that may ask the service.

use std::{fs::File, io::Write, path::Path};

use super::{
    Answer, Engine, Error, ExportRun, Exported, Fetched, Listed, NotAnswered, OutputFile, Probed,
    PullQuery, Pulled, Sources, Spending,
    answers::{Age, Source},
    error::Result,
    progress::Report,
};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    model::{Day, FeedMetadata, Status, Subject, Tag, TagName},
};

impl Engine {
    /// Chooses the answer to show, and asks the service where the policy says so.
    ///
    /// # Errors
    /// Why there is no answer: what the service said, or why nothing may be sent, where nothing local or cached may
    /// stand in.
    pub async fn resolve(
        &self,
        sources: &mut Sources,
        spending: &Spending,
    ) -> Result<(Source, Age), NotAnswered> {
        self.answers.resolve(sources, spending).await
    }

    /// Looks an address up, live, unless the run may not send any more queries.
    ///
    /// # Errors
    /// As [`Engine::lookup`]; [`NotAnswered::LeftOut`] for what was not asked.
    pub async fn lookup_within(
        &self,
        query: &LookupQuery,
        spending: &Spending,
    ) -> Result<Answer, NotAnswered> {
        self.answers.lookup_within(query, spending).await
    }

    /// Why nothing may be sent, where that is known; once closed it stays so for the run. This may read the token.
    pub async fn closed(&self, spending: &Spending) -> Option<NotAnswered> {
        self.answers.closed(spending).await
    }

    /// Looks one address up, live: costs a query. Whatever can be refused without asking is refused first; with
    /// `stop_below` above 0 a balance that is not known is asked for.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) and [`Kind::Guard`](super::Kind::Guard) before a query is sent; the others
    /// tell what the service said.
    pub async fn lookup(&self, query: &LookupQuery) -> Result<Answer> {
        self.answers.lookup(query).await
    }

    /// Whether a lookup may be sent: the address is public or admitted, the date is not in the future, and the balance,
    /// as far as it is known, is above the guard.
    ///
    /// # Errors
    /// The reason why it must not be sent.
    pub fn admit(&self, query: &LookupQuery) -> Result<()> {
        self.answers.admit(query)
    }

    /// Whether something can be known of an address or network: it is public or admitted, or holds what is.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) with the reason why not.
    pub fn admit_subject(&self, subject: Subject) -> Result<()> {
        self.answers.admit_subject(subject)
    }

    /// The metadata of a tag.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`](super::Kind::NotFound) for a tag that it does not know;
    /// [`Kind::Contract`](super::Kind::Contract) for an answer about another tag.
    pub async fn tag(&self, tag: &TagName) -> Result<Fetched<Tag>> {
        self.live.tag(tag).await
    }

    /// The status of the token. Whether that costs a query, the contract does not say; it was observed not to.
    ///
    /// # Errors
    /// What the service said.
    pub async fn status(&self) -> Result<Fetched<Status>> {
        self.live.status().await
    }

    /// The metadata of a feed's latest release.
    ///
    /// # Errors
    /// What the service said; [`Kind::NotFound`](super::Kind::NotFound) where it offers none.
    pub async fn feed_metadata(&self, feed: Feed) -> Result<Fetched<FeedMetadata>> {
        self.live.feed_metadata(feed).await
    }

    /// The days of a feed that the service has; needs historical access.
    ///
    /// # Errors
    /// What the service said.
    pub async fn feed_runs(&self, feed: Feed) -> Result<Listed> {
        self.live.feed_runs(feed).await
    }

    /// The files of a day of a feed; needs historical access.
    ///
    /// # Errors
    /// What the service said.
    pub async fn feed_files(&self, feed: Feed, day: Day) -> Result<Listed> {
        self.live.feed_files(feed, day).await
    }

    /// The documentation of a feed, a PDF.
    ///
    /// # Errors
    /// What the service said; [`Kind::Contract`](super::Kind::Contract) for what is no PDF.
    pub async fn feed_readme(&self, feed: Feed) -> Result<Vec<u8>> {
        self.live.feed_readme(feed).await
    }

    /// Asks for the status and for all of [`Engine::probe_beyond_status`].
    pub async fn probe(&self) -> Vec<Probed> {
        self.live.probe().await
    }

    /// Asks, all at once, for a feed's metadata, a history listing, realtime metadata and an export of one record. What
    /// the hosts said is in [`Engine::access`] afterwards.
    pub async fn probe_beyond_status(&self) -> Vec<Probed> {
        self.live.probe_beyond_status().await
    }

    /// Downloads, verifies and publishes a release.
    ///
    /// # Errors
    /// Every kind that the network, the service and this machine can bring about; what has come so far stays for the
    /// next run, unless it was corrupt.
    pub async fn pull(&self, query: &PullQuery, report: Report) -> Result<Pulled> {
        self.releases.pull(query, report).await
    }

    /// Runs an export to a file.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) for what the contract forbids and for a file that is there;
    /// [`Kind::Integrity`](super::Kind::Integrity) for an answer that is not whole. Nothing is left behind by a run
    /// that fails.
    pub async fn export(&self, run: &ExportRun, report: Report) -> Result<Exported> {
        self.exports.export(run, report).await
    }

    /// Runs an export to a file without a name, from which a whole answer can be handed on; it is gone with its handle.
    ///
    /// # Errors
    /// As [`Engine::export`].
    pub async fn export_unnamed(
        &self,
        query: &ExportQuery,
        spreadsheet_safe: bool,
        report: Report,
    ) -> Result<File> {
        self.exports
            .export_unnamed(query, spreadsheet_safe, report)
            .await
    }

    /// Saves the documentation of a feed, a PDF, to a file; nothing is asked when the file is there already, unless
    /// `force` says to replace it. Gives its length.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) for a file that is there; as [`Engine::feed_readme`]; a failure of this
    /// machine.
    pub async fn save_readme(&self, feed: Feed, path: &Path, force: bool) -> Result<u64> {
        let mut output = OutputFile::begin(&self.settings.paths, path, force)?;
        let pdf = self.feed_readme(feed).await?;
        let written = output.file().write_all(&pdf);
        written.map_err(|error| Error::machine(&format!("write {}", path.display()), &error))?;
        output.publish_aside().await
    }
}
