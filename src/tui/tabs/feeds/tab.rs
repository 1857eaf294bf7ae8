//! The Feeds tab, as the shell knows it: when its keys have an effect, and what they do.

use std::path::PathBuf;

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    FeedsFocus, FeedsTab, PANES,
    browser::Browser,
    days::{DayTarget, Days},
    follow::Follow,
    keys::{BrowserAction, DAYS, FEEDS, FeedsAction, KEYS},
    known_feeds::{label, pull},
    releases::{self, DownloadChoice},
    status::{self, FeedStatus},
    view,
};
use crate::{
    contract::{
        Endpoint, Feed, Format, Resource,
        catalog::{MmdbForm, Offer},
    },
    engine::{Deleted, PartialDownload, Pinned, PullQuery, Unfinished},
    model::Day,
    report::feed_note,
    store::Moment,
    tui::{
        ctx::{
            Actions, AnyList, Binding, Destination, Facts, Flow, FromAnswer, Gesture, Jobs,
            ListInFront, Price, Question, Scope, Subject, Tab, TabEvent, TabReply, UpdateCtx,
            ViewCtx, Why, Yank, explain, shared_values,
        },
        ui::{Motion, Tone},
    },
};

impl Actions for FeedsTab {
    type Action = FeedsAction;

    const KEYS: &'static [Binding<FeedsAction>] = KEYS;

    fn when_acting(&self, action: FeedsAction, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if let (FeedsAction::Browser(action), Some(browser)) = (action, &self.browsers.front) {
            return browser.when_acting(action);
        }
        let why = self.why_not(action, ctx.facts, ctx.jobs, ctx.now);
        why.map_or(Ok(None), Err)
    }

    fn run(&mut self, action: FeedsAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        let feed = self.selected();
        let latest = PullQuery::latest(feed);
        let form = match action {
            FeedsAction::DownloadMmdb => Format::Mmdb,
            _ => Format::Json,
        };
        match action {
            FeedsAction::Downloads => {
                let why_not = |action| match action {
                    FeedsAction::Dates if self.days_in_focus().is_some() => {
                        Some("the days are open".into())
                    }
                    action => self.why_not(action, ctx.facts, ctx.jobs, ctx.out.now),
                };
                let choice = DownloadChoice::new(feed, why_not, ctx.facts);
                return Flow::Push(Box::new(choice));
            }
            FeedsAction::Dates if self.days_in_focus().is_none() => {
                self.go_home(ctx);
                self.open_days(self.selected(), ctx);
            }
            // From the choice of downloads.
            FeedsAction::Dates if ctx.lead.is_some() => {
                ctx.out.say(Tone::Info, "the days are open");
                return Flow::Done;
            }
            FeedsAction::Dates => self.close_days(ctx),
            FeedsAction::Download
                if let Some(days) = self.days_in_focus().filter(|days| days.has_marks()) =>
            {
                let known = self.known.of(days.feed, ctx.jobs);
                let usual = known.newest().map(|release| release.manifest.bytes);
                if let Some(days) = &mut self.days {
                    days.end_range(ctx.out);
                    days.pull_marked(usual, ctx.out);
                }
            }
            FeedsAction::Download | FeedsAction::DownloadMmdb
                if let Some(days) = self.days_in_focus() =>
            {
                if let Ok(query) = days.wanted(form) {
                    pull(query, ctx);
                }
            }
            FeedsAction::Download if !self.list.marks().is_empty() => self.pull_marked(ctx),
            FeedsAction::Download | FeedsAction::DownloadMmdb => {
                pull(PullQuery { form, ..latest }, ctx);
            }
            FeedsAction::Readme => {
                let path = ctx.facts.working_dir.join(format!("{feed}-README.pdf"));
                ctx.ask(Question::Readme(feed, path));
            }
            FeedsAction::Freshen => self.freshen(ctx),
            FeedsAction::Compare => self.compare_days(ctx),
            FeedsAction::Verify => ctx.start(format!("verify {feed}"), Question::Verify(feed)),
            FeedsAction::Reindex => ctx.start(format!("index {feed}"), Question::Reindex(feed)),
            FeedsAction::Delete => {
                return Flow::Push(releases::deletions(&self.known.of(feed, ctx.jobs)));
            }
            FeedsAction::DeleteChosen => {
                let Some(Destination::Deletion(feed, what)) = ctx.lead.take() else {
                    ctx.out.say(Tone::Info, "nothing is chosen");
                    return Flow::Done;
                };
                ctx.ask(Question::Delete(feed, what));
            }
            FeedsAction::Pin => self.pin(ctx),
            FeedsAction::Follow if self.follow.take().is_some() => {
                ctx.out.say(Tone::Info, "realtime is no longer followed");
            }
            FeedsAction::Follow => {
                self.follow = Some(Follow::begin(ctx));
                ctx.out.say(Tone::Ok, "following realtime; F ends it");
            }
            FeedsAction::Browser(BrowserAction::Common) => {
                let query = self.browsers.front.as_ref().map(Browser::common);
                return query.map_or(Flow::Done, |query| shared_values(query, None, ctx));
            }
            FeedsAction::Browser(BrowserAction::Explain) => {
                let browser = self.browsers.front.as_ref();
                let (value, field) = browser.map(Browser::explained).unwrap_or_default();
                return explain(value.as_deref(), field.as_deref(), ctx);
            }
            FeedsAction::Browser(action) => {
                if let Some(browser) = &mut self.browsers.front {
                    browser.act(action, ctx);
                }
            }
        }
        Flow::Close
    }
}

impl FeedsTab {
    /// Handles the answer to a question.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let reply = match &mut self.follow {
            Some(follow) => follow.settle(reply, ctx),
            None => Some(reply),
        };
        self.follow.take_if(|follow| follow.has_ended);
        let Some(reply) = reply else {
            return;
        };
        let is_of_disk = *reply.question == Question::Releases;
        if is_of_disk && let Some(browser) = &mut self.browsers.front {
            browser.renew(ctx);
        }
        let Some(reply) = self.known.settle(reply) else {
            let asked = self.opening.take_if(|_| is_of_disk);
            if let Some(feed) = asked.filter(|feed| *feed == self.selected())
                && self.days_in_focus().is_none()
                && self.browsers.front.is_none()
            {
                self.open(feed, ctx);
            }
            return;
        };
        match reply.question {
            Question::Unfinished => {
                if let Ok(unfinished) = Unfinished::of_result(reply.result) {
                    releases::restore(unfinished, ctx);
                }
            }
            question @ (Question::Delete(..) | Question::Undelete(_)) => {
                let result = Deleted::of_result(reply.result);
                // Some of what could not be put back may be local again.
                if result.is_err() && matches!(question, Question::Undelete(_)) {
                    self.known.read_disk(ctx);
                }
                if self.deletions.settle(question, result, ctx) {
                    self.list.marks_mut().settle();
                }
            }
            Question::Runs(_) | Question::Files(..) => {
                if let Some(days) = &mut self.days {
                    days.settle(reply);
                }
            }
            Question::Pin(..) => self.pinned(Pinned::of_result(reply.result), ctx),
            Question::LeftOf(query) => {
                self.known.read_disk(ctx);
                if let Ok(Some(part)) = Option::<PartialDownload>::of_result(reply.result) {
                    let (label, far) = (label(query), status::far(&part));
                    let text = format!("{label}: partial {far} kept, z resumes");
                    ctx.out.say(Tone::Info, text);
                }
            }
            // The list of jobs shows the outcome. Where releases changed, all tabs hear of it; else partial ones may have.
            Question::Pull(_) | Question::Reindex(_) if reply.result.is_ok() => {}
            Question::Pull(_) | Question::DeletePart(_) | Question::Reindex(_) => {
                self.known.read_disk(ctx);
            }
            Question::Readme(feed, _) => match PathBuf::of_result(reply.result) {
                Ok(path) => {
                    let text = format!("README of {feed} saved as {}", path.display());
                    ctx.out.say(Tone::Ok, text);
                }
                Err(error) => {
                    let text = format!("README of {feed}: {}", error.message);
                    ctx.out.say(Tone::Error, text);
                }
            },
            _ => {
                if let Some(browser) = &mut self.browsers.front {
                    browser.handle(TabEvent::Answered(Box::new(reply)), ctx);
                }
            }
        }
    }

    /// Why an action outside the browser has no effect now.
    fn why_not(
        &self,
        action: FeedsAction,
        facts: &Facts,
        jobs: &Jobs,
        now: Timestamp,
    ) -> Option<Why> {
        let days = self.days_in_focus();
        let feed = self.selected();
        let known = self.known.of(feed, jobs);
        let needs_host = || facts.lack_of_feeds().map(Into::into);
        let lack_of_disk = self.known.lack_of_disk();
        let absent = || {
            let words = || format!("{feed} is not local: p downloads it");
            Some(lack_of_disk.clone().unwrap_or_else(words).into())
        };
        match (action, days) {
            (FeedsAction::Download, Some(days)) => {
                days.wanted(Format::Json).err().or_else(needs_host)
            }
            (FeedsAction::DownloadMmdb, Some(days)) => {
                days.wanted(Format::Mmdb).err().or_else(needs_host)
            }
            (FeedsAction::DownloadMmdb, None) if feed.row().mmdb == MmdbForm::No => {
                Some(format!("the feed {feed} has no MMDB form").into())
            }
            (FeedsAction::Readme, _) if Resource::Readme.offer(feed) == Offer::No => {
                Some(format!("the feed {feed} has no README of its own").into())
            }
            (FeedsAction::Download | FeedsAction::DownloadMmdb | FeedsAction::Readme, _) => {
                needs_host()
            }
            (FeedsAction::Freshen, _) | (FeedsAction::Compare, None) if lack_of_disk.is_some() => {
                lack_of_disk.map(Into::into)
            }
            (FeedsAction::Freshen, _) => {
                let is_stale = |feed| !self.known.of(feed, jobs).stale_forms(now).is_empty();
                let is_fresh = !Feed::all().any(is_stale) && self.due(jobs, now).is_empty();
                is_fresh.then(|| "every feed is local and fresh, or refused".into())
            }
            (FeedsAction::Delete, _) if known.here.is_empty() && known.part.is_none() => absent(),
            (FeedsAction::Pin, Some(days)) => match days.selected() {
                Some(_) if days.has_local() => None,
                Some(moment) => {
                    let (feed, day) = (days.feed, moment.dashed());
                    Some(format!("{feed} {day} is not local: p downloads it").into())
                }
                None => Some("there is no day".into()),
            },
            (FeedsAction::Pin | FeedsAction::Verify | FeedsAction::Reindex, _)
                if known.is_absent() =>
            {
                absent()
            }
            (FeedsAction::Compare, days) => {
                let feed = days.map_or(feed, |days| days.feed);
                let is_none = self.known.local_days(feed).next().is_none();
                is_none.then(|| format!("no day of {feed} is local: p downloads the latest").into())
            }
            (FeedsAction::Follow, _) if self.follow.is_none() => needs_host(),
            _ => None,
        }
    }

    /// Copies what the table or a page has of a feed.
    fn copy_feed(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> Option<()> {
        let feed = self.selected();
        let known = self.known.of(feed, ctx.jobs);
        let offered = known.offered_moment();
        let (newest, now) = (known.newest(), ctx.out.now);
        let state = FeedStatus::of(&known, now).words;
        match what {
            Yank::Value => {
                let text = offered?.to_string();
                ctx.out.copy(format!("the release of {feed}"), text);
            }
            Yank::Json => {
                let text = self.known.document(feed)?.text();
                ctx.out.copy_json(format!("the metadata of {feed}"), text);
            }
            Yank::Row => {
                let words = |moment: Option<Moment>| {
                    moment.map_or_else(|| "-".to_owned(), |moment| moment.to_string())
                };
                let local = words(newest.map(|release| release.manifest.moment));
                let offered = words(offered);
                let row = format!("{feed}  release {offered}  local {local}  {state}");
                ctx.out.copy(format!("the row of {feed}"), row);
            }
            Yank::Ticket => {
                let note = feed_note(feed, offered, newest, &state, now);
                ctx.out.copy_lines(format!("a note on {feed}"), note);
            }
            _ => return None,
        }
        Some(())
    }
}

impl Tab for FeedsTab {
    fn scopes(&self, facts: &Facts) -> Vec<Scope> {
        match &self.browsers.front {
            Some(browser) => browser.scopes(facts),
            None if self.days_in_focus().is_some() => vec![DAYS],
            None => vec![FEEDS],
        }
    }

    fn list(&self) -> Option<&dyn AnyList> {
        Some(match &self.browsers.front {
            Some(browser) => browser,
            None => &self.list,
        })
    }

    fn written_list(&self) -> Option<ListInFront<'_>> {
        let list = match (&self.browsers.front, self.days_in_focus()) {
            (Some(browser), _) => return browser.written_list(),
            (None, Some(days)) => Some(days.list()),
            (None, None) => self.list(),
        };
        list.map(ListInFront::Held)
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        Some(match &mut self.browsers.front {
            Some(browser) => browser,
            None => &mut self.list,
        })
    }

    fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let follow = self.follow.as_ref().map(Follow::wakes_at);
        let browser = self.browsers.front.as_ref();
        let browser = browser.and_then(|browser| browser.wakes_at(now));
        follow.into_iter().chain(browser).min()
    }

    fn shows(&self, place: &Destination) -> bool {
        matches!(place, Destination::Browse(_)) && self.browsers.front.is_some()
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        if let Some(browser) = &self.browsers.front {
            return browser.hint(gesture);
        }
        match (gesture, self.days_in_focus()) {
            (Gesture::Escape, Some(days)) if days.has_marks() => Some("unmark"),
            (Gesture::Escape, Some(days)) => Some(days.closes()),
            // It downloads, and the hint of p says so.
            (Gesture::Open, None) => (!self.known.is_local(self.selected())).then_some(""),
            _ => None,
        }
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if let Some(browser) = &self.browsers.front {
            return browser.when(gesture, ctx);
        }
        let feed = self.selected();
        let lack = || ctx.facts.lack_of_feeds().map(Into::into);
        let why: Option<Why> = match (gesture, self.days_in_focus()) {
            (Gesture::Open, Some(days)) => match days.target() {
                Ok(DayTarget::Pull(_)) => lack(),
                target => target.err(),
            },
            (Gesture::Open, None) if self.known.is_local(feed) || self.known.is_reading_disk() => {
                None
            }
            (gesture, Some(days)) if gesture.is_mark() => days.lacks_marks().map(Into::into),
            (Gesture::MarkAll, _) if let Some(why) = self.known.lack_of_disk() => Some(why.into()),
            (Gesture::Open, None) | (Gesture::Refresh, _) => lack(),
            (Gesture::Raw, _) | (Gesture::Find, None) => {
                let has_text = self.known.document(feed).is_some();
                (!has_text).then(|| no_metadata(feed).into())
            }
            _ => None,
        };
        why.map_or(Ok(None), Err)
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        if let Some(browser) = &mut self.browsers.front {
            let flow = browser.on(gesture, ctx);
            if matches!(flow, Flow::Close) {
                self.close_browser(ctx);
            }
            return flow;
        }
        if let (FeedsFocus::Details, Some(days)) = (self.part, &mut self.days) {
            match days.on(gesture, ctx) {
                Flow::Ignored => {}
                Flow::Close => {
                    self.close_days(ctx);
                    return Flow::Done;
                }
                flow => return flow,
            }
        }
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Mark => {
                self.list.on(gesture, ctx.out);
                self.go(Motion::Down, ctx);
            }
            Gesture::MarkAll => self.mark_due(ctx),
            Gesture::InvertMarks => drop(self.list.on(gesture, ctx.out)),
            Gesture::Undo | Gesture::Redo => {
                let is_redo = gesture == Gesture::Redo;
                let marks = self.list.marks_mut();
                let is_done = if is_redo { marks.redo() } else { marks.undo() };
                return (is_done || self.deletions.undo(is_redo, ctx)).into();
            }
            Gesture::NextPane | Gesture::PreviousPane => {
                self.part = PANES[usize::from(self.part == FeedsFocus::Table)];
            }
            Gesture::Escape if self.opening.take().is_some() => {}
            Gesture::Escape if self.part == FeedsFocus::Details => self.part = FeedsFocus::Table,
            Gesture::Escape if self.list.clear_marks() => {
                ctx.out.say(Tone::Info, "marks cleared; u brings them back");
            }
            Gesture::Open => self.open(self.selected(), ctx),
            Gesture::Refresh => self.known.refresh(ctx),
            Gesture::Cancel | Gesture::Pause => return self.act_on_download(gesture, ctx).into(),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn price_of(&self, place: &Destination, ctx: &ViewCtx<'_>) -> Line<'static> {
        match (place, &self.days) {
            (Destination::FeedDay(..), Some(days)) => {
                Line::styled(days.words_of_choice(), ctx.theme.dim)
            }
            _ => Line::default(),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        match &mut self.browsers.front {
            Some(browser) => browser.copy(what, ctx),
            None => self.copy_feed(what, ctx).is_some(),
        }
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.opening.take_if(|_| matches!(event, TabEvent::Left));
        match event {
            TabEvent::Answered(reply) => self.answered(*reply, ctx),
            TabEvent::Began => drop(ctx.ask(Question::Unfinished)),
            TabEvent::Focused => self.known.read_disk(ctx),
            TabEvent::LocalChanged => self.known.reread_disk(ctx),
            TabEvent::Changed => self.update(ctx),
            TabEvent::Forgotten => self.browsers.forget(),
            TabEvent::Home => self.go_home(ctx),
            TabEvent::Woken => {
                if let Some(follow) = &mut self.follow {
                    follow.tick(ctx);
                }
            }
            TabEvent::Opened(Destination::Browse(query)) => self.browse(&query, ctx),
            TabEvent::Opened(Destination::Downloads(feeds)) => self.pull_all(&feeds, ctx),
            TabEvent::Opened(Destination::Releases(queries)) => self.pull_releases(&queries, ctx),
            TabEvent::Opened(Destination::FeedDay(_, day)) => {
                if let Some(days) = &mut self.days {
                    days.pick(day.unwrap_or(Day::of(ctx.out.now)), ctx);
                }
            }
            TabEvent::Shown(Destination::Browse(query)) => self.show_view(query, ctx),
            TabEvent::Arrived => {
                self.known.load(ctx);
                if let Some(browser) = &mut self.browsers.front {
                    browser.resume(ctx);
                }
            }
            event if let Some(browser) = &mut self.browsers.front => {
                return browser.handle(event, ctx);
            }
            TabEvent::Pointed(pane) if let Some(part) = PANES.get(usize::from(pane)) => {
                self.part = *part;
            }
            TabEvent::MovedIn(pane, motion) if let Some(part) = PANES.get(usize::from(pane)) => {
                let before = std::mem::replace(&mut self.part, *part);
                self.on(Gesture::Go(motion), ctx);
                self.part = before;
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        if let Some(browser) = &self.browsers.front {
            return browser.subject();
        }
        let feed = self.selected();
        let name = self.days.as_ref().and_then(Days::name);
        let latest = Resource::Latest(Format::Json);
        Subject {
            name: Some(name.unwrap_or_else(|| feed.name().to_owned())),
            endpoint: Some(Endpoint::Feed(feed, latest)),
            document: self.known.document(feed),
            raw_title: Some(format!("{feed}  metadata")),
            without_document: Some(no_metadata(feed)),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        match &self.browsers.front {
            Some(browser) => browser.draw(frame, area, ctx),
            None => view::draw(frame, area, self, ctx),
        }
    }
}

fn no_metadata(feed: Feed) -> String {
    format!("there is no metadata of {feed} yet")
}
