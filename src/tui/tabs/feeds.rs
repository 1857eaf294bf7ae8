//! The Feeds tab: what the service offers, what of it is here, and what is on its way.

mod actions;
mod browse;
mod known;
mod standing;
#[cfg(test)]
mod tests;
pub mod view;
mod yank;

use crate::{
    contract::{Endpoint, Feed, Format, Host, Resource},
    engine::{Error, Fetched},
    model::{Document, FeedMetadata},
    tui::{
        ctx::{
            UpdateCtx,
            facts::{Facts, TokenState},
            intent::Scope,
            jobs::{Job, Jobs},
            raw::Raw,
            remote::Remote,
            request::{Answer, JobId, OnDisk, Question},
        },
        ui::{
            cursor::Cursor,
            theme::Tone,
            widgets::{page::PageState, text_field::TextField},
        },
    },
};
use browse::Browse;
use known::Known;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// The table of feeds.
    #[default]
    Table,
    /// What is known of the selected one.
    Details,
}

/// The state of the tab.
#[derive(Debug)]
pub struct FeedsTab {
    part: Part,
    cursor: Cursor,
    /// What the service says of each feed's latest release, in the catalogue's order.
    metadata: Vec<(Feed, Remote<Fetched<FeedMetadata>>)>,
    releases: Remote<OnDisk>,
    details: PageState<()>,
    browse: Option<Browse>,
    raw: Option<Raw>,
}

impl Default for FeedsTab {
    fn default() -> Self {
        Self {
            part: Part::default(),
            cursor: Cursor::default(),
            metadata: Feed::all().map(|feed| (feed, Remote::default())).collect(),
            releases: Remote::default(),
            details: PageState::default(),
            browse: None,
            raw: None,
        }
    }
}

impl FeedsTab {
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        vec![self.raw.as_ref().map_or(Scope::Feeds, Raw::scope)]
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        self.raw.as_mut().and_then(Raw::field)
    }

    /// What was typed has changed.
    pub fn typed(&mut self, _desk: &mut UpdateCtx<'_>) {
        if let Some(raw) = &mut self.raw {
            raw.typed();
        }
    }

    /// The tab is opened: what was never asked for is asked for.
    pub fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.releases.is_untouched() {
            self.ask_releases(ctx);
        }
        if missing(ctx.facts).is_none() {
            self.ask_metadata(Remote::is_untouched, ctx);
        }
    }

    /// The service's own text of what is shown.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        let metadata = self.metadata_of(self.selected()).value()?;
        Some(&metadata.document)
    }

    /// An answer came.
    pub fn answered(
        &mut self,
        job: JobId,
        question: &Question,
        result: Result<Answer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        match question {
            Question::Releases => {
                let found = result.of_kind(|answer| match answer {
                    Answer::Releases(found) => Some(found),
                    _ => None,
                });
                if let Some(found) = found {
                    self.releases.finish(job, found);
                }
            }
            Question::Metadata(feed) => {
                let found = result.of_kind(|answer| match answer {
                    Answer::Metadata(metadata) => Some(metadata),
                    _ => None,
                });
                if let (Some(found), Some(remote)) = (found, self.metadata_mut(*feed)) {
                    remote.finish(job, found);
                }
            }
            Question::Runs(_) | Question::Files(..) => {
                if let Some(browse) = &mut self.browse {
                    browse.answered(job, question, result);
                }
            }
            // What became of a download, the list of jobs says; what is here has changed only if it ended well.
            Question::Pull(_) if result.is_ok() => self.ask_releases(ctx),
            Question::Readme(feed, _) => match result {
                Ok(Answer::Saved(path)) => ctx.out.say(
                    Tone::Ok,
                    format!("README of {feed} saved as {}", path.display()),
                ),
                Ok(_) => {}
                Err(error) => ctx
                    .out
                    .say(Tone::Error, format!("README of {feed}: {}", error.message)),
            },
            _ => {}
        }
    }

    /// The feed under the cursor.
    fn selected(&self) -> Feed {
        let index = self.cursor.selected(self.metadata.len());
        index
            .and_then(|index| self.metadata.get(index))
            .map_or(Feed::Anonymous, |(feed, _)| *feed)
    }

    /// All that is known of a feed.
    fn known<'a>(&'a self, feed: Feed, jobs: &'a Jobs) -> Known<'a> {
        Known::of(
            feed,
            self.metadata_of(feed),
            &self.releases,
            job_of(feed, jobs),
        )
    }

    fn metadata_of(&self, feed: Feed) -> &Remote<Fetched<FeedMetadata>> {
        // Every feed of the catalogue has its row.
        let row = self.metadata.iter().find(|(own, _)| *own == feed);
        row.map_or(&self.metadata[0].1, |(_, metadata)| metadata)
    }

    fn metadata_mut(&mut self, feed: Feed) -> Option<&mut Remote<Fetched<FeedMetadata>>> {
        let mut rows = self.metadata.iter_mut();
        rows.find(|(own, _)| *own == feed)
            .map(|(_, metadata)| metadata)
    }

    fn ask_releases(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.releases.begin(ctx.out.ask(Question::Releases));
    }

    /// Asks for the metadata of those feeds for which `wanted` says so, each by itself.
    fn ask_metadata(
        &mut self,
        wanted: impl Fn(&Remote<Fetched<FeedMetadata>>) -> bool,
        ctx: &mut UpdateCtx<'_>,
    ) {
        for (feed, metadata) in &mut self.metadata {
            if wanted(metadata) && metadata.pending().is_none() {
                metadata.begin(ctx.out.ask(Question::Metadata(*feed)));
            }
        }
    }
}

/// An answer of the kind that was asked for; one of another kind is none at all.
trait OfKind {
    fn of_kind<T>(self, pick: impl FnOnce(Answer) -> Option<T>) -> Option<Result<T, Error>>;
}

impl OfKind for Result<Answer, Error> {
    fn of_kind<T>(self, pick: impl FnOnce(Answer) -> Option<T>) -> Option<Result<T, Error>> {
        match self {
            Ok(answer) => pick(answer).map(Ok),
            Err(error) => Some(Err(error)),
        }
    }
}

/// The download of a feed that matters: one that can still be stopped, else the last one.
fn job_of(feed: Feed, jobs: &Jobs) -> Option<&Job> {
    let of_feed = |job: &&Job| matches!(&job.question, Question::Pull(query) if query.feed == feed);
    let newest_first = || jobs.all().iter().rev().filter(of_feed);
    newest_first()
        .find(|job| job.is_open())
        .or_else(|| newest_first().next())
}

/// What keeps the feeds host from being asked, in words.
fn missing(facts: &Facts) -> Option<String> {
    if facts.offline {
        Some("offline: nothing is asked".to_owned())
    } else if facts.url(Host::Feeds).is_none() {
        let file = facts.config_file.display();
        Some(format!(
            "no address of the feeds host: set feeds_url in {file}"
        ))
    } else if facts.token == TokenState::Missing {
        Some("no token: `:token` enters one".to_owned())
    } else {
        None
    }
}

/// The request for the latest JSON release.
fn latest(feed: Feed) -> Endpoint {
    Endpoint::Feed(feed, Resource::Latest(Format::Json))
}
