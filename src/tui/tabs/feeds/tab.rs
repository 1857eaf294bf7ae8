//! The Feeds tab, as the shell knows it.

use std::net::IpAddr;

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};

use super::{
    FeedsTab,
    actions::{DAYS, DELETING, DOWNLOADS, FEEDS},
    browse::Browse,
    browser,
    follow::Follow,
    status::FeedStatus,
    upkeep, view,
};
use crate::{
    contract::{Endpoint, Feed, Format, LookupQuery, Resource},
    engine::{Deleted, PartialDownload, Pinned, Unfinished},
    model::Document,
    report::feed_note,
    store::Moment,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            orders::Orders,
            request::{FromAnswer, Question},
            surface::Flow,
            tab::{Price, Subject, Tab, TabEvent, TabReply, Why},
        },
        ui::{
            theme::Tone,
            widgets::{calendar::Calendar, text_field::TextField},
        },
    },
};

impl FeedsTab {
    fn steps_back(&self) -> bool {
        let browser = self.browser.as_ref();
        browser.is_some_and(browser::Browser::steps_back)
    }

    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        match (&mut self.browser, &mut self.deleting) {
            (Some(browser), _) => browser.typed(ctx),
            (None, Some(deleting)) => deleting.picker.refilter(),
            (None, None) => {
                if let Some(calendar) = &mut self.calendar {
                    calendar.typed();
                }
            }
        }
    }

    fn local_changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        // It asks when it comes to the front.
        if !self.releases.is_untouched() {
            self.ask_releases(ctx);
        }
    }

    fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.choosing = false;
        if let Some(browser) = &mut self.browser {
            browser.pause(ctx);
        }
    }

    fn arrive(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.on_arrival(ctx);
        if let Some(browser) = &mut self.browser {
            browser.resume(ctx);
        }
    }

    fn name(&self) -> Option<String> {
        if let Some(browser) = &self.browser {
            return browser.front().map(|own| own.name);
        }
        let browsed = self.browse.as_ref().and_then(Browse::name);
        Some(browsed.unwrap_or_else(|| self.selected().name().to_owned()))
    }

    fn address(&self) -> Option<IpAddr> {
        self.browser.as_ref()?.front()?.address
    }

    fn endpoint(&self) -> Option<Endpoint> {
        if let Some(browser) = &self.browser {
            let address = browser.front()?.address?;
            return Some(Endpoint::Context(LookupQuery::now(address)));
        }
        let latest = Resource::Latest(Format::Json);
        Some(Endpoint::Feed(self.selected(), latest))
    }

    fn document(&self) -> Option<&Document> {
        if let Some(browser) = &self.browser {
            return browser.front()?.document;
        }
        let metadata = self.metadata_of(self.selected()).value()?;
        Some(&metadata.document)
    }

    fn raw_title(&self) -> Option<String> {
        match &self.browser {
            Some(browser) => browser.front().map(|own| own.name),
            None => Some(format!("{}  metadata", self.selected())),
        }
    }

    fn without_document(&self) -> String {
        match &self.browser {
            Some(browser) => browser.without_document().to_owned(),
            None => format!("there is no metadata of {} yet", self.selected()),
        }
    }
}

impl Tab for FeedsTab {
    fn choices(&self) -> usize {
        let menu = self.deleting.as_ref();
        menu.map_or(0, |deleting| deleting.picker.found())
    }

    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        match &self.browser {
            Some(browser) => browser.scopes(),
            None if self.pulling.is_some() => vec![Scope::Confirm],
            None if self.choosing => vec![DOWNLOADS],
            None if self.calendar.is_some() => vec![Scope::Calendar],
            None if self.deleting.is_some() => vec![Scope::Picker, DELETING],
            None if self.is_in_days() => vec![DAYS],
            None => vec![FEEDS],
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match (&mut self.browser, &mut self.deleting) {
            (Some(browser), _) => browser.field(),
            (None, _) if self.calendar.is_some() => self.calendar.as_mut().map(Calendar::field),
            (None, Some(deleting)) => Some(deleting.picker.field()),
            (None, None) => None,
        }
    }

    fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let follow = self.follow.as_ref().map(Follow::wakes_at);
        let browser = self.browser.as_ref().and_then(|own| own.wakes_at(now));
        follow.into_iter().chain(browser).min()
    }

    fn shows(&self, place: &Destination) -> bool {
        matches!(place, Destination::Browse(_)) && self.browser.is_some()
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        let is_covered = self.calendar.is_some() || self.deleting.is_some() || self.choosing;
        match (gesture, &self.browser, &self.browse) {
            (_, Some(browser), _) => browser.hint(gesture),
            (Gesture::Escape, None, Some(browse)) if self.is_in_days() && !is_covered => {
                Some(browse.closes())
            }
            // It downloads, and the hint of p says so.
            (Gesture::Open, None, _) if !is_covered && !self.is_in_days() => {
                (!self.is_local(self.selected())).then_some("")
            }
            _ => None,
        }
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if let Some(browser) = &self.browser {
            return browser.when(gesture, ctx);
        }
        let feed = self.selected();
        let days = self.browse.as_ref().filter(|_| self.is_in_days());
        let why: Option<Why> = match (gesture, days) {
            (Gesture::Go(_) | Gesture::Escape | Gesture::Quit | Gesture::Back, _) => None,
            _ if self.pulling.is_some() || self.calendar.is_some() => None,
            (Gesture::Open, _) if self.deleting.is_some() => {
                Some("ctrl-x deletes what is chosen, esc cancels".into())
            }
            _ if self.deleting.is_some() => None,
            _ if self.choosing => Some("esc closes the list first".into()),
            (Gesture::Open, Some(days)) if days.selected().is_none() => {
                days.wanted(Format::Json).err().map(Into::into)
            }
            (Gesture::Open, None) if self.is_local(feed) => None,
            (Gesture::Open, None) | (Gesture::Refresh, _) => {
                ctx.facts.lack_of_feeds().map(Into::into)
            }
            (Gesture::Raw, _) | (Gesture::Find, None) => {
                let has_text = self.metadata_of(feed).value().is_some();
                (!has_text).then(|| format!("there is no metadata of {feed} yet").into())
            }
            _ => None,
        };
        why.map_or(Ok(None), Err)
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match self.browser.as_mut().map(|own| own.on(gesture, ctx)) {
            Some(Flow::Close) => {
                self.close_browser(ctx);
                Flow::Done
            }
            Some(flow) => flow,
            None => self.on_gesture(gesture, ctx).into(),
        }
    }

    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        match &self.browser {
            Some(browser) => browser.orders(),
            None => Some(self.order.orders()),
        }
    }

    fn sort(&mut self, order: usize, turned: bool, ctx: &mut UpdateCtx<'_>) {
        match &mut self.browser {
            Some(browser) => browser.sort_by(order, turned, ctx),
            None => self.sort_by(order, turned, ctx.jobs, ctx.out.now),
        }
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        if self
            .follow
            .as_ref()
            .is_some_and(|follow| follow.asked(reply.job))
        {
            return self.followed(reply, ctx);
        }
        match reply.question {
            Question::Releases => {
                if self.releases.settle(reply.job, reply.result) {
                    self.show_local_days(ctx);
                    self.arrange(ctx.jobs, ctx.out.now);
                    self.ask_health(ctx);
                }
                if let Some(browser) = &mut self.browser {
                    browser.renew(ctx);
                }
            }
            Question::Unfinished => {
                if let Ok(unfinished) = Unfinished::of_result(reply.result) {
                    upkeep::restore(unfinished, ctx);
                }
            }
            Question::Health(feed) => {
                let health = self.health.entry(*feed).or_default();
                health.settle(reply.job, reply.result);
            }
            Question::Delete(..) | Question::Undelete(_) => {
                let result = Deleted::of_result(reply.result);
                self.deleted(reply.question, result, ctx);
            }
            Question::Metadata(feed) => {
                if let Some(remote) = self.metadata_mut(*feed) {
                    remote.settle(reply.job, reply.result);
                }
                self.arrange(ctx.jobs, ctx.out.now);
            }
            Question::Runs(_) | Question::Files(..) => {
                if let Some(browse) = &mut self.browse {
                    browse.answered(reply);
                }
            }
            Question::Pin(..) => self.pinned(Pinned::of_result(reply.result), ctx),
            Question::LeftOf(query) => {
                self.ask_releases(ctx);
                if let Ok(Some(part)) = Option::<PartialDownload>::of_result(reply.result) {
                    let label = super::actions::label(query);
                    let far = super::status::far(&part);
                    let text = format!("{label}: partial {far} kept, z resumes");
                    ctx.out.say(Tone::Info, text);
                }
            }
            // The list of jobs shows the outcome. Where releases changed, all tabs hear of it; else partial ones may have.
            Question::Pull(_) | Question::Reindex(_) if reply.result.is_ok() => {}
            Question::Pull(_) | Question::DeletePart(_) | Question::Reindex(_) => {
                self.ask_releases(ctx);
            }
            Question::Readme(feed, _) => match std::path::PathBuf::of_result(reply.result) {
                Ok(path) => ctx.out.say(
                    Tone::Ok,
                    format!("README of {feed} saved as {}", path.display()),
                ),
                Err(error) => ctx
                    .out
                    .say(Tone::Error, format!("README of {feed}: {}", error.message)),
            },
            _ => {
                if let Some(browser) = &mut self.browser {
                    browser.answered(reply, ctx);
                }
            }
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(browser) = &self.browser {
            return browser.copy(what, ctx);
        }
        let feed = self.selected();
        match what {
            Yank::Value => {
                let known = self.known(feed, ctx.jobs);
                let Some(moment) = known.offered_moment() else {
                    return false;
                };
                ctx.out
                    .copy(format!("the release of {feed}"), moment.to_string());
            }
            Yank::Json => {
                let Some(document) = self.document() else {
                    return false;
                };
                ctx.out
                    .copy_json(format!("the metadata of {feed}"), document.text());
            }
            Yank::Row => {
                let row = self.row_text(feed, ctx);
                ctx.out.copy(format!("the row of {feed}"), row);
            }
            Yank::Ticket => {
                let note = self.ticket(feed, ctx);
                ctx.out.copy_lines(format!("a note on {feed}"), note);
            }
            _ => return false,
        }
        true
    }

    fn marked(&self) -> Vec<String> {
        match &self.browser {
            Some(browser) => browser.marked(),
            None => self.marks.iter().map(Feed::to_string).collect(),
        }
    }

    fn raw_area(&self, body: Rect, _zoomed: bool) -> Rect {
        match &self.browser {
            Some(browser) => browser::view::records(body, browser),
            None => body,
        }
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Typed => self.typed(ctx),
            TabEvent::Began => drop(ctx.ask(Question::Unfinished)),
            TabEvent::Focused => self.ask_releases(ctx),
            TabEvent::LocalChanged => self.local_changed(ctx),
            TabEvent::Woken => {
                if let Some(follow) = &mut self.follow {
                    follow.tick(ctx);
                }
            }
            TabEvent::Opened(place) => {
                if let Destination::Browse(query) = place {
                    self.browse(&query, ctx);
                }
            }
            TabEvent::Shown(place) => {
                if let Destination::Browse(query) = place {
                    self.show_view(query, ctx);
                }
            }
            TabEvent::Left => self.leave(ctx),
            TabEvent::Forgotten => self.left.clear(),
            TabEvent::Home => self.leave_for_list(ctx),
            TabEvent::Arrived => self.arrive(ctx),
            TabEvent::Pointed(pane) => self.point_at(pane),
            TabEvent::MovedIn(pane, motion) => self.move_in_pane(pane, motion, ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            name: self.name(),
            address: self.address(),
            endpoint: self.endpoint(),
            document: self.document(),
            raw_title: self.raw_title(),
            without_document: Some(self.without_document()),
            steps_back: self.steps_back(),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        match &self.browser {
            Some(browser) => browser::view::draw(frame, area, browser, ctx),
            None => view::draw(frame, area, self, ctx),
        }
    }
}

impl FeedsTab {
    /// An answer for following came.
    fn followed(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Some(follow) = &mut self.follow else {
            return;
        };
        let TabReply {
            job,
            question,
            result,
        } = reply;
        let is_release = matches!(question, Question::Pull(_)) && result.is_ok();
        if !follow.answered(job, question, result, ctx) {
            self.follow = None;
        }
        if is_release {
            self.ask_releases(ctx);
        }
    }

    fn row_text(&self, feed: Feed, ctx: &UpdateCtx<'_>) -> String {
        let known = self.known(feed, ctx.jobs);
        let standing = FeedStatus::of(&known, ctx.out.now);
        let moment = |found: Option<Moment>| {
            found.map_or_else(|| "-".to_owned(), |moment| moment.to_string())
        };
        let local = known.newest().map(|release| release.manifest.moment);
        format!(
            "{feed}  release {}  local {}  {}",
            moment(known.offered_moment()),
            moment(local),
            standing.words
        )
    }

    /// What is known of a feed, as Markdown.
    fn ticket(&self, feed: Feed, ctx: &UpdateCtx<'_>) -> String {
        let known = self.known(feed, ctx.jobs);
        let now = ctx.out.now;
        let offered = known.offered_moment();
        let state = FeedStatus::of(&known, now).words;
        feed_note(feed, offered, known.newest(), &state, now)
    }
}
