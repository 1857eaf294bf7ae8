//! The marked feeds: marking them, and downloading the latest release of each after one question, which names the sum of their sizes.

use super::{
    FeedsTab,
    actions::pull,
    known_feed::{KnownFeed, Size},
    marked_pull::MarkedPull,
};
use crate::{
    contract::{Feed, Format, Freshness},
    engine::{Kind, OnDisk, PullQuery},
    tui::{
        ctx::{
            UpdateCtx,
            intent::Gesture,
            jobs::{Job, Jobs},
        },
        ui::{cursor::Motion, theme::Tone, words},
    },
};

impl FeedsTab {
    /// Marks the feed, or no longer.
    pub(super) fn mark(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.marks.toggle(self.selected());
        self.on_gesture(Gesture::Go(Motion::Down), ctx);
    }

    /// Marks every feed whose latest release can be downloaded and is not local.
    pub(super) fn mark_due(&mut self, ctx: &mut UpdateCtx<'_>) {
        let due = self.due(ctx.jobs, ctx.out.now);
        if due.is_empty() {
            let text = "nothing to mark: every feed is local and fresh, or refused";
            return ctx.out.say(Tone::Info, text);
        }
        self.marks.add(due);
        self.tell_marks(ctx);
    }

    /// Marks the feeds that are not marked, and no longer the others.
    pub(super) fn invert_marks(&mut self) {
        self.marks
            .invert(self.metadata.iter().map(|(feed, _)| *feed));
    }

    /// Whether nothing is local, nor under way or marked: what to do next is plain then.
    pub(super) fn has_nothing_local(&self) -> bool {
        let disk = self.releases.value();
        let is_empty = |disk: &OnDisk| disk.releases.is_empty() && disk.parts.is_empty();
        self.marks.is_empty() && disk.is_some_and(is_empty)
    }

    fn tell_marks(&self, ctx: &mut UpdateCtx<'_>) {
        let text = format!("{} marked: p downloads them, esc unmarks", self.marks.len());
        ctx.out.say(Tone::Info, text);
    }

    /// The feeds whose latest release can be downloaded and is not local, in the order of the table.
    pub(super) fn due(&self, jobs: &Jobs, now: jiff::Timestamp) -> Vec<Feed> {
        let feeds = self.metadata.iter().map(|(feed, _)| *feed);
        feeds
            .filter(|feed| is_due(&self.known(*feed, jobs), now))
            .collect()
    }

    /// Says how many local feeds are fresh, and marks those that are not local.
    pub(super) fn offer_others(&mut self, ctx: &mut UpdateCtx<'_>) {
        let due = self.due(ctx.jobs, ctx.out.now);
        let feeds = self.metadata.iter().map(|(feed, _)| *feed);
        let local = feeds.filter(|feed| self.known(*feed, ctx.jobs).newest().is_some());
        let fresh = match local.count() {
            0 => "no feed is local".to_owned(),
            1 => "1 local feed is fresh".to_owned(),
            count => format!("{count} local feeds are fresh"),
        };
        let others = match due.len() {
            0 => return ctx.out.say(Tone::Ok, fresh),
            1 => "1 is not local, now marked: p downloads it".to_owned(),
            count => format!("{count} are not local, now marked: p downloads them"),
        };
        self.marks.add(due);
        ctx.out
            .say(Tone::Info, format!("{fresh}; {others}, esc unmarks"));
    }

    /// Downloads the marked feeds: several after a question. Says whether any is marked.
    pub(super) fn pull_marked(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.marks.is_empty() {
            return false;
        }
        let now = ctx.out.now;
        let mut feeds = self.due(ctx.jobs, now);
        feeds.retain(|feed| self.marks.contains(feed));
        if feeds.is_empty() {
            let text = "the marked feeds are local and fresh, on their way, or refused";
            ctx.out.say(Tone::Info, text);
        } else if feeds.len() == 1 {
            self.pull_all(&feeds, ctx);
        } else {
            let known: Vec<KnownFeed<'_>> = feeds
                .iter()
                .map(|feed| self.known(*feed, ctx.jobs))
                .collect();
            let question = question(&known, self.marks.len() - feeds.len());
            self.pulling = Some(MarkedPull { feeds, question });
        }
        true
    }

    /// A key while the question stands.
    pub(super) fn on_pulling(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        match gesture {
            Gesture::Yes | Gesture::Open => {
                if let Some(pulling) = self.pulling.take() {
                    self.pull_all(&pulling.feeds, ctx);
                }
            }
            Gesture::No | Gesture::Escape | Gesture::Quit => self.pulling = None,
            _ => {}
        }
    }

    fn pull_all(&mut self, feeds: &[Feed], ctx: &mut UpdateCtx<'_>) {
        for feed in feeds {
            pull(PullQuery::latest(*feed), ctx);
        }
        self.marks.clear();
        let begun = match feeds.len() {
            1 => "1 download begun; J lists it".to_owned(),
            count => format!("{count} downloads begun; J lists them"),
        };
        ctx.out.say(Tone::Info, begun);
    }
}

/// Whether the latest JSON release can be downloaded, as far as is known, and is neither local nor on its way.
fn is_due(known: &KnownFeed<'_>, now: jiff::Timestamp) -> bool {
    let refused = known.metadata.error();
    let is_refused = refused.is_some_and(|error| error.kind == Kind::Credentials);
    let is_coming = known.job.is_some_and(Job::is_open);
    let is_fresh = known
        .newest_in(Format::Json)
        .is_some_and(|newest| known.freshness(newest, now) == Freshness::Current);
    !(is_refused || is_coming || is_fresh)
}

/// How many, of what size, and what is free; what else is marked is left out.
fn question(known: &[KnownFeed<'_>], left: usize) -> String {
    let (mut bytes, mut unknown) = (0_u64, 0);
    for feed in known {
        match feed.size() {
            Size::Bytes(size) | Size::Said(size) => bytes = bytes.saturating_add(size),
            Size::Unknown => unknown += 1,
        }
    }
    let size = match (bytes, unknown) {
        (0, _) => "of unknown size".to_owned(),
        (bytes, 0) => words::bytes(bytes),
        (bytes, unknown) => format!("{} and {unknown} of unknown size", words::bytes(bytes)),
    };
    let free = known.first().and_then(|feed| feed.free);
    let free = match free {
        Some(free) if free < bytes => format!(" Only {} is free.", words::bytes(free)),
        Some(free) => format!(" {} is free.", words::bytes(free)),
        None => String::new(),
    };
    let left = match left {
        0 => String::new(),
        1 => " 1 more is marked that is fresh, on its way or refused.".to_owned(),
        left => format!(" {left} more are marked that are fresh, on their way or refused."),
    };
    let feeds = known.len();
    format!("Download the latest release of {feeds} feeds, {size}?{free}{left}")
}
