//! Why a key of the Feeds tab does nothing now: help shows the reason, and the footer leaves the key out.

use std::borrow::Cow;

use super::{FeedsTab, actions::FeedsAction, known_feed::missing};
use crate::{
    contract::{
        Feed, Format, Freshness, Resource,
        catalog::{MmdbForm, Offer},
    },
    tui::ctx::{ViewCtx, intent::Gesture},
};

impl FeedsTab {
    /// Why what any tab may be asked for does nothing.
    pub(super) fn idle_gesture(
        &self,
        gesture: Gesture,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        if self.deleting.is_some() {
            let none = gesture == Gesture::Open;
            return none.then(|| "ctrl-x deletes what is chosen".into());
        }
        if self.choosing {
            let closes = matches!(gesture, Gesture::Escape | Gesture::Quit | Gesture::Back);
            return (!closes).then(|| "esc closes the list first".into());
        }
        if self.calendar.is_some() {
            return None;
        }
        let feed = self.selected();
        if self.is_in_days() && gesture != Gesture::Raw {
            let browse = self.browse.as_ref()?;
            return match gesture {
                Gesture::Open if browse.selected().is_none() => {
                    browse.wanted(Format::Json).err().map(Into::into)
                }
                Gesture::Refresh => missing(ctx.facts).map(Into::into),
                _ => None,
            };
        }
        match gesture {
            Gesture::Open => self.lacks(feed, ctx),
            Gesture::Refresh => missing(ctx.facts).map(Into::into),
            Gesture::Raw | Gesture::Find => {
                let has_text = self.metadata_of(feed).value().is_some();
                (!has_text).then(|| format!("there is no metadata of {feed} yet").into())
            }
            _ => None,
        }
    }

    /// Why one of its own actions does nothing.
    pub(super) fn idle_own(
        &self,
        action: FeedsAction,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let feed = self.selected();
        let needs_host = || missing(ctx.facts).map(Into::into);
        match action {
            FeedsAction::Browser(action) => {
                let browser = self.browser.as_ref()?;
                let days = self.local_days(browser.query().feed);
                browser.when_acting(action, days).err()
            }
            FeedsAction::Download | FeedsAction::DownloadMmdb if self.is_in_days() => {
                let browse = self.browse.as_ref()?;
                let form = match action {
                    FeedsAction::Download => Format::Json,
                    _ => Format::Mmdb,
                };
                let has_form = form == Format::Json || browse.feed.row().mmdb != MmdbForm::No;
                let none = (!has_form).then(|| "the feed has no MMDB form".to_owned());
                let none = none.or_else(|| browse.wanted(form).err());
                none.map(Into::into).or_else(needs_host)
            }
            FeedsAction::Dates if self.choosing && self.is_in_days() => {
                Some("the days are open".into())
            }
            FeedsAction::DownloadMmdb if feed.row().mmdb == MmdbForm::No => {
                Some(format!("the feed {feed} has no MMDB form").into())
            }
            FeedsAction::Readme if Resource::Readme.offer(feed) == Offer::No => {
                Some(format!("the feed {feed} has no README of its own").into())
            }
            FeedsAction::Download | FeedsAction::DownloadMmdb | FeedsAction::Readme => needs_host(),
            FeedsAction::Freshen => {
                let is_stale = |feed: Feed| {
                    let known = self.known(feed, ctx.jobs);
                    let newest = known.newest();
                    newest.is_some_and(|own| known.freshness(own, ctx.now) != Freshness::Current)
                };
                let fresh = !Feed::all().any(is_stale) && self.due(ctx.jobs, ctx.now).is_empty();
                fresh.then(|| "every feed is local and fresh, or refused".into())
            }
            FeedsAction::Delete => {
                let has_part = self.known(feed, ctx.jobs).part.is_some();
                self.lacks(feed, ctx).filter(|_| !has_part)
            }
            FeedsAction::Pin if self.is_in_days() => {
                let browse = self.browse.as_ref()?;
                let moment = browse.selected();
                let is_local = moment.is_some_and(|moment| browse.is_local(moment));
                (!is_local).then(|| "it is not local".into())
            }
            FeedsAction::Pin | FeedsAction::Verify | FeedsAction::Reindex => self.lacks(feed, ctx),
            FeedsAction::Compare => {
                let in_days = self.browse.as_ref().filter(|_| self.is_in_days());
                let feed = in_days.map_or(feed, |browse| browse.feed);
                let none = self.local_days(feed).next().is_none();
                none.then(|| format!("no day of {feed} is local: p downloads the latest").into())
            }
            FeedsAction::Follow if self.follow.is_none() => needs_host(),
            FeedsAction::DeleteChosen => {
                let chosen = self.deleting.as_ref().and_then(|own| own.picker.chosen());
                chosen.is_none().then(|| "nothing is chosen".into())
            }
            FeedsAction::Dates
            | FeedsAction::Downloads
            | FeedsAction::Follow
            | FeedsAction::Mark
            | FeedsAction::MarkAll
            | FeedsAction::InvertMarks => None,
        }
    }

    /// Says that nothing of a feed is local, where that is so.
    fn lacks(&self, feed: Feed, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        let known = self.known(feed, ctx.jobs);
        let none = known.here.is_empty() && known.unusable.is_empty();
        none.then(|| format!("{feed} is not local: p downloads it").into())
    }
}
