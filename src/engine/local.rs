//! The calls of the façade that are answered from this machine. They send nothing.

use std::{fs::File, io, net::IpAddr, sync::Arc};

use ipnet::IpNet;

use super::{
    Cleared, Days, DiffRecord, Engine, Error, ExportDays, ExportRun, Exported, Family, Inventory,
    LocalAnswers, LocalLookup, LocalTags, Opened, ParquetFile, ParquetRun, Pick, Picked, Sound,
    Sources, answers::enrich::Wanted, error::Result, progress::Report,
};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    model::{Day, Subject, TagName},
    store::{
        Cache, Filter, Moment, Stop,
        diff::{Counts, Summary},
        index::NoAnswer,
        layout::Release,
        owner::Mark,
    },
};

impl Engine {
    /// What is local of a feed, usable or not. Reads manifests only.
    #[must_use]
    pub fn inventory(&self, feed: Feed) -> Inventory {
        self.releases.inventory(feed)
    }

    /// The days and windows of which something of a feed is local, usable or not.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn moments(&self, feed: Feed) -> Result<Vec<Moment>> {
        self.releases.moments(feed)
    }

    /// The number of downloads of a feed that are not complete.
    ///
    /// # Errors
    /// What keeps their folder from being read.
    pub fn count_partial(&self, feed: Feed) -> io::Result<usize> {
        self.releases.count_partial(feed)
    }

    /// To which service the local releases belong, as far as the file that names it can be believed.
    #[must_use]
    pub fn mark(&self) -> Mark {
        self.releases.mark()
    }

    /// The local and cached answers to a question. Sends nothing, and costs nothing.
    ///
    /// # Errors
    /// What keeps the local releases from being read. One that cannot be used is in [`Sources::unusable`].
    pub async fn sources(&self, query: &LookupQuery) -> Result<Sources> {
        self.answers.sources(query).await
    }

    /// As [`Engine::sources`], from local releases that are open.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn sources_among(&self, query: &LookupQuery, picked: &Picked) -> Result<Sources> {
        self.answers.sources_among(query, picked).await
    }

    /// What these releases know of these addresses, or of as many of the first ones as fit into memory well; of one at
    /// least.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn answer_locally(
        &self,
        opened: &[Opened],
        addresses: Arc<[IpAddr]>,
        wanted: Wanted,
    ) -> Result<LocalAnswers> {
        self.answers.answer_locally(opened, addresses, wanted).await
    }

    /// The local releases of the service of this run.
    #[must_use]
    pub fn cache(&self) -> Cache {
        self.releases.cache()
    }

    /// Removes the releases of a day, in all forms, or without a day all that is here of a feed; usable or not.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) when there is nothing to remove, [`Kind::Locked`](super::Kind::Locked)
    /// when another process writes the feed.
    pub async fn remove(&self, feed: Feed, day: Option<Day>, wait: bool) -> Result<Cleared> {
        self.releases.remove(feed, day, wait).await
    }

    /// Opens the release of a day, else the newest, of a feed; builds its index anew where there is none that is fit.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) when it is not on this disk, with how to download it;
    /// [`Kind::Locked`](super::Kind::Locked) when another process is building the index.
    pub async fn open_local(&self, feed: Feed, day: Option<Day>) -> Result<Opened> {
        self.releases.open_local(feed, day).await
    }

    /// Works on an open release where it holds nothing else up. When its index turns out to be damaged it is built anew
    /// from the feed file, and the work done once more from its beginning; dropping the future stops the work.
    ///
    /// # Errors
    /// What the work fails with, and what opening fails with.
    pub async fn with_local<T: Send + 'static>(
        &self,
        opened: Opened,
        work: impl Fn(&Opened, &Stop) -> Result<T, NoAnswer> + Send + Sync + 'static,
    ) -> Result<T> {
        self.releases.with_local(opened, work).await
    }

    /// Builds the index of a release anew, fit or not: that of a day, else of the newest. Gives the release with it. A
    /// manifest that cannot be used is made anew, too, where the data allows it.
    ///
    /// # Errors
    /// [`Kind::Integrity`](super::Kind::Integrity) when there is no feed file to build it from; otherwise as
    /// [`Engine::open_local`].
    pub async fn reindex(
        &self,
        feed: Feed,
        day: Option<Day>,
        wait: bool,
        report: Report,
    ) -> Result<Release> {
        self.releases.reindex(feed, day, wait, report).await
    }

    /// All releases of a pick. None is an error only where a feed or day was named. Of several feeds those that can be
    /// used answer, and [`Picked::unusable`] names the others.
    ///
    /// # Errors
    /// As [`Engine::open_local`]. A release that cannot be used is an error here only where one feed was named.
    pub async fn open_picked(&self, pick: &Pick) -> Result<Picked> {
        self.releases.open_picked(pick).await
    }

    /// All releases of a pick, of which there must be some that can answer.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) when no feed is local, [`Kind::Integrity`](super::Kind::Integrity)
    /// when all that are local cannot be used; as [`Engine::open_picked`] otherwise.
    pub async fn open_some(&self, pick: &Pick) -> Result<Picked> {
        self.releases.open_some(pick).await
    }

    /// The records of these releases about an address or network.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn lookup_local(&self, subject: Subject, opened: &[Opened]) -> Result<LocalLookup> {
        self.releases.lookup_local(subject, opened).await
    }

    /// How many records of a release are about addresses and networks within this network, that of the network itself
    /// included: as many as the filter `net:NETWORK` finds.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn records_inside(&self, opened: &Opened, network: IpNet) -> Result<u64> {
        self.releases.records_inside(opened, network).await
    }

    /// Whether one of these releases has a record about an address or network of this family.
    ///
    /// # Errors
    /// As [`Engine::with_local`].
    pub async fn hold_family(&self, opened: &[Opened], family: Family) -> Result<bool> {
        self.releases.hold_family(opened, family).await
    }

    /// Reads a release through, that of a day, else the newest, in each form that it is here in.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) when it is not here. Within, for each form,
    /// [`Kind::Integrity`](super::Kind::Integrity) with what is damaged.
    pub async fn verify(
        &self,
        feed: Feed,
        day: Option<Day>,
        report: Report,
    ) -> Result<Vec<Result<Sound>>> {
        self.releases.verify(feed, day, report).await
    }

    /// The tags of the newest service-metrics feed on this disk.
    ///
    /// # Errors
    /// As [`Engine::open_local`]; [`Kind::Integrity`](super::Kind::Integrity) when it holds something else than tags.
    pub async fn local_tags(&self) -> Result<LocalTags> {
        self.releases.local_tags().await
    }

    /// Those of these tags that the service-metrics feed on this disk does not know, each with the name that was most
    /// likely meant. Where there is no such feed, nothing can be said.
    ///
    /// # Errors
    /// As [`Engine::local_tags`], but for a feed that is not local.
    pub async fn unknown_tags<'a>(
        &self,
        tags: &'a [TagName],
    ) -> Result<Vec<(&'a TagName, Option<String>)>> {
        self.releases.unknown_tags(tags).await
    }

    /// Opens two days of a feed: those that are named, else the newest on this disk and the one before it.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) when one is not on this disk, with how to download it; as
    /// [`Engine::open_local`] otherwise.
    pub async fn open_days(&self, feed: Feed, from: Option<Day>, to: Option<Day>) -> Result<Days> {
        self.releases.open_days(feed, from, to).await
    }

    /// Hands over what is not the same in both days, as far as a filter goes, page by page in the order of addresses,
    /// and no more than `limit`. What `visit` fails with ends it.
    ///
    /// # Errors
    /// What `visit` fails with; [`Kind::Integrity`](super::Kind::Integrity) when an index is damaged and cannot be
    /// built anew.
    pub async fn diff<E: From<Error>>(
        &self,
        days: &Days,
        filter: &Filter,
        limit: Option<u64>,
        visit: impl FnMut(Vec<DiffRecord>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.releases.diff(days, filter, limit, visit).await
    }

    /// How many records came, went and changed.
    ///
    /// # Errors
    /// As [`Engine::diff`].
    pub async fn diff_totals(&self, days: &Days, filter: &Filter) -> Result<Counts> {
        self.releases.diff_totals(days, filter).await
    }

    /// The same by operator and country, and who took over from whom.
    ///
    /// # Errors
    /// As [`Engine::diff`].
    pub async fn diff_summary(&self, days: &Days, filter: &Filter) -> Result<Summary> {
        self.releases.diff_summary(days, filter).await
    }

    /// Opens what a local export is read from: the release of the day that a diff is asked for, else the newest one,
    /// and for a diff that of the day before it.
    ///
    /// # Errors
    /// [`Kind::NotFound`](super::Kind::NotFound) for a release that is not on this disk; otherwise as
    /// [`Engine::open_local`].
    pub async fn open_for_export(&self, query: &ExportQuery) -> Result<ExportDays> {
        self.exports.open_for_export(query).await
    }

    /// Answers an export from this disk, to a file.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) for what the contract forbids and for a file that is there; what opening and
    /// answering fail with. Nothing is left behind by a run that fails.
    pub async fn export_local(&self, run: &ExportRun) -> Result<Exported> {
        self.exports.export_local(run).await
    }

    /// Answers an export from this disk, to a file without a name, from which it can be handed on whole.
    ///
    /// # Errors
    /// As [`Engine::export_local`].
    pub async fn export_local_unnamed(
        &self,
        query: &ExportQuery,
        spreadsheet_safe: bool,
    ) -> Result<File> {
        self.exports
            .export_local_unnamed(query, spreadsheet_safe)
            .await
    }

    /// Writes a feed of this disk as Parquet.
    ///
    /// # Errors
    /// [`Kind::Usage`](super::Kind::Usage) for a file that is there already,
    /// [`Kind::NotFound`](super::Kind::NotFound) for a release that is not on this disk, a failure of this machine.
    pub async fn write_parquet(&self, run: &ParquetRun, report: Report) -> Result<ParquetFile> {
        self.exports.write_parquet(run, report).await
    }
}
