//! Upkeep of local releases: leftovers of earlier runs, verifying, rebuilding indexes, deleting with undo, updating.

use super::{
    FeedsTab,
    actions::{label, pull},
    deleting::Deleting,
    known_feed::form_of,
};
use crate::{
    contract::{Feed, Format, Freshness},
    engine::{Deleted, Error, PullQuery, Unfinished},
    store::{Deletable, Moment},
    tui::{
        ctx::{UpdateCtx, request::Question},
        ui::{
            theme::Tone,
            widgets::picker::{Picker, PickerItem},
            words,
        },
    },
};

/// Unfinished downloads of an earlier run: they resume if the user chose so, and wait otherwise.
pub(super) fn restore(unfinished: Unfinished, ctx: &mut UpdateCtx<'_>) {
    let now = ctx.out.now;
    for part in &unfinished.parts {
        let come = (part.bytes, part.total);
        let label = label(&part.query);
        ctx.jobs.restore(label, part.query, come, ctx.owner, now);
    }
    for query in unfinished.waiting {
        let label = label(&query);
        ctx.jobs.restore(label, query, (0, None), ctx.owner, now);
    }
    if ctx.facts.lack_of_feeds().is_none() {
        for query in unfinished.going_on {
            pull(query, ctx);
        }
    }
}

impl FeedsTab {
    /// Checks the newest local release.
    pub(super) fn verify(&self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        if self.has_local(feed, ctx) {
            ctx.start(format!("verify {feed}"), Question::Verify(feed));
        }
    }

    /// Builds the index of the newest local release again.
    pub(super) fn reindex(&self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        if self.has_local(feed, ctx) {
            ctx.start(format!("index {feed}"), Question::Reindex(feed));
        }
    }

    /// Says that nothing of a feed is local, where that is so.
    fn has_local(&self, feed: Feed, ctx: &mut UpdateCtx<'_>) -> bool {
        let known = self.known(feed, ctx.jobs);
        let there = !known.here.is_empty() || !known.unusable.is_empty();
        if !there {
            let words = format!("{feed} is not local: p downloads it");
            ctx.out.say(Tone::Info, words);
        }
        there
    }

    /// Downloads the latest release of every feed in each form whose local one is stale.
    pub(super) fn freshen(&mut self, ctx: &mut UpdateCtx<'_>) {
        let stale: Vec<PullQuery> = Feed::all()
            .flat_map(|feed| self.stale_forms(feed, ctx))
            .collect();
        if stale.is_empty() {
            return self.offer_others(ctx);
        }
        for query in stale {
            pull(query, ctx);
        }
    }

    /// The downloads of the forms of a feed that are local and stale.
    fn stale_forms(&self, feed: Feed, ctx: &UpdateCtx<'_>) -> Vec<PullQuery> {
        let known = self.known(feed, ctx.jobs);
        let is_stale = |form: &Format| {
            let newest = known.newest_in(*form);
            newest.is_some_and(|newest| known.freshness(newest, ctx.out.now) != Freshness::Current)
        };
        let stale = [Format::Json, Format::Mmdb].into_iter().filter(is_stale);
        let query = |form| PullQuery {
            form,
            ..PullQuery::latest(feed)
        };
        stale.map(query).collect()
    }

    /// Offers what can be deleted of a feed.
    pub(super) fn ask_what_to_delete(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        let known = self.known(feed, ctx.jobs);
        let mut moments: Vec<Moment> = Vec::new();
        for release in &known.here {
            let moment = release.manifest.moment;
            if !moments.contains(&moment) {
                moments.push(moment);
            }
        }
        let item = |label: String, detail: String, value: Vec<Deletable>| PickerItem {
            label,
            detail,
            key: String::new(),
            enabled: Ok(()),
            value,
        };
        let mut items: Vec<PickerItem<Vec<Deletable>>> = Vec::new();
        for moment in &moments {
            let own = known
                .here
                .iter()
                .filter(|own| own.manifest.moment == *moment);
            let (mut forms, mut bytes, mut pinned) = (Vec::new(), 0, "");
            for release in own {
                forms.push(match form_of(release) {
                    Format::Json => "JSON",
                    Format::Mmdb => "MMDB",
                });
                let index = release
                    .manifest
                    .index
                    .as_ref()
                    .map_or(0, |index| index.bytes);
                bytes += release.manifest.bytes + index;
                if release.manifest.pinned_by_hand {
                    pinned = ", pinned";
                } else if release.manifest.pinned {
                    pinned = ", kept";
                }
            }
            let bytes = words::bytes(bytes);
            let detail = format!("{}, {bytes} with index{pinned}", forms.join(" and "));
            items.push(item(
                moment.dashed(),
                detail,
                vec![Deletable::Release(*moment)],
            ));
        }
        if let Some(part) = known.part {
            let detail = format!("{} of {}", words::bytes(part.bytes), part.moment.dashed());
            items.push(item(
                "partial download".to_owned(),
                detail,
                vec![Deletable::Partial],
            ));
        }
        if moments.len() > 1 {
            let all = moments.iter().map(|moment| Deletable::Release(*moment));
            let detail = format!("{} releases", moments.len());
            items.push(item("all releases".to_owned(), detail, all.collect()));
        }
        if items.is_empty() {
            let words = format!("nothing of {feed} is local");
            return ctx.out.say(Tone::Info, words);
        }
        let picker = Picker::new(items).chosen_by("ctrl-x", "delete");
        self.deleting = Some(Deleting { feed, picker });
    }

    pub(super) fn delete_chosen(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(Deleting { feed, picker }) = &self.deleting
            && let Some(item) = picker.chosen()
        {
            ctx.ask(Question::Delete(*feed, item.value.clone()));
            self.deleting = None;
        }
    }

    /// Puts back what was deleted last; returns whether anything was.
    pub(super) fn undo_deletion(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let last = self.deletions.done.pop();
        if let Some(deleted) = last {
            ctx.ask(Question::Undelete(deleted));
            return true;
        }
        false
    }

    /// Deletes again what was put back last; returns whether anything was.
    pub(super) fn redo_deletion(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let last = self.deletions.undone.pop();
        if let Some(deleted) = last {
            ctx.ask(Question::Delete(deleted.feed, deleted.what));
            return true;
        }
        false
    }

    /// Something was deleted, or put back.
    pub(super) fn deleted(
        &mut self,
        question: &Question,
        result: Result<Deleted, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let back = matches!(question, Question::Undelete(_));
        match result {
            Ok(deleted) => {
                let what = words_of(&deleted);
                if back {
                    ctx.out.say(Tone::Ok, format!("{what}: local again"));
                    self.deletions.undone.push(deleted);
                } else {
                    let words = format!("deleted {what}; u undoes it until you quit");
                    ctx.out.say(Tone::Ok, words);
                    self.deletions.done.push(deleted);
                    self.marks.settle();
                }
            }
            Err(error) => {
                if let Question::Undelete(deleted) = question {
                    self.deletions.not_undone(deleted.clone(), error.kind);
                    // Some of it may be local again.
                    self.ask_releases(ctx);
                }
                ctx.out.say(Tone::Error, error.message);
            }
        }
    }
}

fn words_of(deleted: &Deleted) -> String {
    let feed = deleted.feed;
    let releases: Vec<Moment> = deleted.releases().collect();
    match releases.as_slice() {
        [] => format!("partial download of {feed}"),
        [only] => format!("{feed} {}", only.dashed()),
        more => format!("{} releases of {feed}", more.len()),
    }
}
