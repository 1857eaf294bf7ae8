//! What keys do in the Feeds tab.

use crossterm::event::KeyCode;
use jiff::Timestamp;

use super::{
    FeedsFocus, FeedsTab,
    browser::keys::{BROWSER, BrowserAction, COMPARED, FACETS, MENU},
    follow::Follow,
    known_feed::job_of,
};
use crate::{
    contract::{
        Feed, Format, Freshness, Resource,
        catalog::{MmdbForm, Offer},
    },
    engine::{PullQuery, WantedRelease},
    model::Day,
    store::Moment,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            binding::{
                Binding, also, char, key, quiet,
                rank::{FIRST, LAST, LATER, SOON},
                shown,
            },
            chord::Chord,
            facts::Facts,
            intent::{
                Gesture,
                Intent::{self, Action, Shared},
                Scope,
            },
            jobs::{JobState, Jobs},
            request::Question,
            surface::Flow,
            tab::{Actions, Price, Why},
        },
        ui::{cursor::Motion, theme::Tone, widgets::page::PageState},
    },
};

pub(super) const FEEDS: Scope = Scope::Tab("List of feeds");
/// The days of a feed, and the files of a day.
pub(super) const DAYS: Scope = Scope::Tab("Days of a feed");
/// What else can be downloaded, and rebuilt.
pub(super) const DOWNLOADS: Scope = Scope::Tab("What to download");
/// What can be deleted of a feed.
pub(super) const DELETING: Scope = Scope::Tab("What to delete");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeedsAction {
    Dates,
    /// Choose what else to download, or to rebuild.
    Downloads,
    /// The MMDB form of a feed.
    DownloadMmdb,
    Readme,
    /// Download the latest release.
    Download,
    /// Download the latest release of every stale feed.
    Freshen,
    /// Mark the feed, or no longer.
    Mark,
    /// Mark the feeds whose latest release is not local.
    MarkAll,
    /// Mark what is not marked, and no longer what is.
    InvertMarks,
    /// Compare a local day with the one before.
    Compare,
    /// Check what is local.
    Verify,
    /// Build the index again.
    Reindex,
    /// Choose which local releases to delete.
    Delete,
    DeleteChosen,
    /// Keep a local release until it is deleted, or no longer.
    Pin,
    /// Follow the realtime feed, or no longer.
    Follow,
    /// What the browser of a local feed does.
    Browser(BrowserAction),
}

const fn browser(action: BrowserAction) -> Intent<FeedsAction> {
    Action(FeedsAction::Browser(action))
}

impl Actions for FeedsTab {
    type Action = FeedsAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<FeedsAction>] = &[
        shown(FEEDS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "browse", "browse the records of a local feed; download one that is not local"),
        shown(FEEDS, char('p'), Action(FeedsAction::Download), FIRST, "download", "download the latest release; of marked feeds, of each"),
        shown(FEEDS, char('d'), Action(FeedsAction::Dates), FIRST, "days", "the days of the feed, local and at the service, and the files of a day"),
        shown(FEEDS, char('P'), Action(FeedsAction::Downloads), SOON, "choose", "choose what to download: all stale feeds, a day, the MMDB form; or rebuild the index"),
        shown(FEEDS, char('c'), Action(FeedsAction::Compare), SOON, "compare days", "diff with the day before: added, removed and changed records"),
        shown(FEEDS, char(' '), Action(FeedsAction::Mark), LATER, "mark", "mark the feed: p downloads the marked ones, after a question with their size"),
        quiet(FEEDS, char('A'), Action(FeedsAction::MarkAll), "mark every feed whose latest release is not local"),
        quiet(FEEDS, char('*'), Action(FeedsAction::InvertMarks), "invert the marks"),
        shown(FEEDS, char('t'), Action(FeedsAction::Verify), SOON, "test", "test the newest local release against its checksums"),
        shown(FEEDS, char('X'), Action(FeedsAction::Delete), SOON, "delete", "delete local releases; u undoes it until you quit"),
        shown(FEEDS, char('w'), Action(FeedsAction::Pin), LATER, "pin", "pin or unpin the release: a pinned one is not cleared away for newer ones"),
        shown(FEEDS, char('F'), Action(FeedsAction::Follow), LATER, "follow", "follow the realtime feed: each new window is downloaded, gaps are named").sends(),
        shown(FEEDS, char('R'), Shared(Gesture::Refresh), SOON, "refresh", "fetch the metadata of all feeds again").sends(),
        shown(FEEDS, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
        shown(FEEDS, char('s'), Shared(Gesture::Sort), LATER, "sort", "choose the column to sort by; s again reverses it"),
        quiet(FEEDS, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(FEEDS, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(DAYS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open", "browse a local day, else list its files; download a file"),
        shown(DAYS, char('p'), Action(FeedsAction::Download), FIRST, "download", "download the release of the day, or the file"),
        shown(DAYS, char('P'), Action(FeedsAction::Downloads), SOON, "choose", "choose what to download: the MMDB form of the day; or rebuild the index"),
        shown(DAYS, char('c'), Action(FeedsAction::Compare), SOON, "compare", "diff with the day before: added, removed and changed records"),
        shown(DAYS, char('/'), Shared(Gesture::Find), SOON, "pick a day", "pick a day in a calendar, or type it: 2026-10-01, -7d, yesterday"),
        shown(DAYS, char('w'), Action(FeedsAction::Pin), SOON, "pin", "pin or unpin the local release of the day"),
        shown(DAYS, char('X'), Action(FeedsAction::Delete), LATER, "delete", "delete local releases; u undoes it until you quit"),
        shown(DAYS, char('R'), Shared(Gesture::Refresh), SOON, "refresh", "list the days again: costs no query").sends(),
        shown(DAYS, char('d'), Action(FeedsAction::Dates), LATER, "close", "close the days"),
        shown(DAYS, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "feeds", "back to the list of feeds; from the files of a day to the days"),
        shown(DOWNLOADS, char('a'), Action(FeedsAction::Freshen), FIRST, "all stale", "download every stale feed; if none is, mark those not local").sends(),
        shown(DOWNLOADS, char('d'), Action(FeedsAction::Dates), FIRST, "a day", "choose a day of the feed, local or at the service"),
        shown(DOWNLOADS, char('m'), Action(FeedsAction::DownloadMmdb), FIRST, "MMDB", "download the MMDB form, a database for other programs"),
        shown(DOWNLOADS, char('r'), Action(FeedsAction::Readme), FIRST, "README", "save the feed's README.pdf"),
        shown(DOWNLOADS, char('i'), Action(FeedsAction::Reindex), FIRST, "index", "rebuild the index of the newest local release"),
        shown(DOWNLOADS, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "download nothing"),
        shown(DELETING, Chord::control('x'), Action(FeedsAction::DeleteChosen), FIRST, "delete", "delete what is chosen; u undoes it until you quit"),
        shown(BROWSER, char('/'), Shared(Gesture::Find), FIRST, "filter", "filter the records; tab completes, up recalls"),
        shown(BROWSER, char('s'), Shared(Gesture::Sort), SOON, "sort", "choose the column to sort by; s again reverses it"),
        quiet(BROWSER, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(BROWSER, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(BROWSER, char('f'), browser(BrowserAction::Facets), SOON, "facets", "show, enter or hide the values of fields with their counts"),
        shown(BROWSER, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up", "look the address up; on another cell, what can be done with it"),
        shown(BROWSER, char(' '), browser(BrowserAction::Mark), LATER, "mark", "mark the record; y i copies what is marked, E exports it, I lists it as a table"),
        quiet(BROWSER, char('V'), browser(BrowserAction::MarkRange), "begin a range of marks at this record; again marks up to the cursor"),
        quiet(BROWSER, char('A'), browser(BrowserAction::MarkAll), "mark all records of the filter"),
        quiet(BROWSER, char('*'), browser(BrowserAction::InvertMarks), "invert the marks of the filtered records"),
        shown(BROWSER, char('I'), browser(BrowserAction::Tabulate), LAST, "table", "the marked addresses as a table in Lookup: free"),
        shown(BROWSER, char('E'), browser(BrowserAction::Export), LATER, "export", "an export with this filter; of marked records, with their operators"),
        shown(BROWSER, char('='), browser(BrowserAction::Like), LATER, "only this", "only records with the value under the cursor"),
        shown(BROWSER, char('-'), browser(BrowserAction::Unlike), LATER, "without", "no records with the value under the cursor"),
        shown(BROWSER, char('c'), browser(BrowserAction::Compare), SOON, "compare days", "diff with another local day: added, removed and changed records"),
        shown(BROWSER, char('d'), Action(FeedsAction::Dates), LATER, "days", "the days of the feed, local and at the service; backspace leads back"),
        shown(BROWSER, char('&'), browser(BrowserAction::Clauses), LATER, "clauses", "what each clause of the filter does, and drop one"),
        shown(BROWSER, char('#'), browser(BrowserAction::GoTo), LATER, "go to", "go to a row, an address or a network"),
        shown(BROWSER, char('|'), browser(BrowserAction::Columns), LAST, "columns", "choose the columns"),
        shown(BROWSER, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "feeds", "clear marks, then the filter, then back to the list of feeds"),
        quiet(BROWSER, char('R'), Shared(Gesture::Refresh), "open the newest local release with this filter"),
        quiet(BROWSER, char('r'), Shared(Gesture::Raw), "the record as the service sent it, and back"),
        shown(FACETS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "only this", "filter by this value alone, or stop"),
        also(FACETS, char('='), browser(BrowserAction::Like)),
        shown(FACETS, char('-'), browser(BrowserAction::Unlike), FIRST, "without", "exclude this value, or stop"),
        shown(FACETS, char(' '), browser(BrowserAction::Collect), FIRST, "or", "allow one more value, or stop"),
        shown(FACETS, char('f'), browser(BrowserAction::Facets), SOON, "hide facets", "hide the values of fields, back to the records"),
        shown(MENU, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "choose", "apply the row"),
        also(MENU, char(' '), Shared(Gesture::Open)),
        shown(MENU, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "close", "close the menu"),
        shown(COMPARED, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up (1 query unless local)", "look the address up: local or cached for free, else 1 query"),
        shown(COMPARED, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "kind", "list one kind alone: added, removed, changed, then all"),
        quiet(COMPARED, key(KeyCode::BackTab), Shared(Gesture::PreviousPane), "the kind before"),
        quiet(COMPARED, char('s'), Shared(Gesture::Sort), "compared records cannot be sorted"),
        quiet(COMPARED, char('/'), Shared(Gesture::Find), "filter both days: leads to the filter of the records; c compares again"),
        shown(COMPARED, char('r'), Shared(Gesture::Raw), SOON, "raw", "the record as the service sent it, and back"),
        shown(COMPARED, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "back", "back to where the days were compared from"),
        shown(Scope::Filter, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "apply", "apply what is typed"),
        shown(Scope::Filter, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "complete", "complete a field or a value; again for the next one"),
        also(Scope::Filter, key(KeyCode::BackTab), Shared(Gesture::PreviousPane)),
        shown(Scope::Filter, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up)), SOON, "history", "what was typed before"),
        also(Scope::Filter, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down))),
        shown(Scope::Filter, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "restore", "leave the field as it was before"),
    ];

    fn when_acting(&self, action: FeedsAction, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if let (FeedsAction::Browser(action), Some(browser)) = (action, &self.browser) {
            let days = self.local_days(browser.query().feed);
            return browser.when_acting(action, days);
        }
        let why = self.why_not(action, ctx.facts, ctx.jobs, ctx.now);
        why.map_or(Ok(None), Err)
    }

    fn run(&mut self, action: FeedsAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        let feed = self.selected();
        self.choosing = action == FeedsAction::Downloads;
        match action {
            FeedsAction::Downloads => {}
            FeedsAction::Dates if self.browse.is_some() && self.part == FeedsFocus::Details => {
                self.close_browse(ctx);
            }
            FeedsAction::Dates => {
                self.leave_for_list(ctx);
                self.open_days(self.selected(), ctx);
            }
            FeedsAction::Download | FeedsAction::DownloadMmdb if self.is_in_days() => {
                let form = match action {
                    FeedsAction::Download => Format::Json,
                    _ => Format::Mmdb,
                };
                self.pull_selected(form, ctx);
            }
            FeedsAction::DownloadMmdb => pull_mmdb(feed, ctx),
            FeedsAction::Readme => save_readme(feed, ctx),
            FeedsAction::Freshen => self.freshen(ctx),
            FeedsAction::Mark => self.mark(ctx),
            FeedsAction::MarkAll => self.mark_due(ctx),
            FeedsAction::InvertMarks => self.invert_marks(),
            FeedsAction::Compare => self.compare_days(feed, ctx),
            FeedsAction::Verify => self.verify(feed, ctx),
            FeedsAction::Reindex => self.reindex(feed, ctx),
            FeedsAction::Delete => self.ask_what_to_delete(feed, ctx),
            FeedsAction::DeleteChosen => self.delete_chosen(ctx),
            FeedsAction::Pin => self.pin(feed, ctx),
            FeedsAction::Follow => self.toggle_follow(ctx),
            FeedsAction::Download => {
                if !self.pull_marked(ctx) {
                    pull(PullQuery::latest(feed), ctx);
                }
            }
            FeedsAction::Browser(action) => self.act_in_browser(action, ctx),
        }
        Flow::Done
    }
}

impl FeedsTab {
    /// Says that nothing of a feed is local, where that is so.
    pub(super) fn lacks(&self, feed: Feed, jobs: &Jobs) -> Option<Why> {
        let known = self.known(feed, jobs);
        let none = known.here.is_empty() && known.unusable.is_empty();
        none.then(|| format!("{feed} is not local: p downloads it").into())
    }

    /// Why an action outside the browser has no effect now.
    pub(super) fn why_not(
        &self,
        action: FeedsAction,
        facts: &Facts,
        jobs: &Jobs,
        now: Timestamp,
    ) -> Option<Why> {
        let feed = self.selected();
        let needs_host = || facts.lack_of_feeds().map(Into::into);
        match action {
            FeedsAction::Download | FeedsAction::DownloadMmdb if self.is_in_days() => {
                let form = match action {
                    FeedsAction::Download => Format::Json,
                    _ => Format::Mmdb,
                };
                let why = self.browse.as_ref().and_then(|browse| {
                    if form == Format::Mmdb && browse.feed.row().mmdb == MmdbForm::No {
                        return Some("the feed has no MMDB form".to_owned());
                    }
                    browse.wanted(form).err()
                });
                why.map(Into::into).or_else(needs_host)
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
                    let known = self.known(feed, jobs);
                    let newest = known.newest();
                    newest.is_some_and(|own| known.freshness(own, now) != Freshness::Current)
                };
                let fresh = !Feed::all().any(is_stale) && self.due(jobs, now).is_empty();
                fresh.then(|| "every feed is local and fresh, or refused".into())
            }
            FeedsAction::Delete => {
                let has_part = self.known(feed, jobs).part.is_some();
                self.lacks(feed, jobs).filter(|_| !has_part)
            }
            FeedsAction::Pin if self.is_in_days() => {
                let browse = self.browse.as_ref()?;
                match browse.selected() {
                    Some(moment) if browse.is_local(moment) => None,
                    Some(moment) => {
                        let day = moment.dashed();
                        Some(format!("{} {day} is not local: p downloads it", browse.feed).into())
                    }
                    None => Some("there is no day".into()),
                }
            }
            FeedsAction::Pin | FeedsAction::Verify | FeedsAction::Reindex => self.lacks(feed, jobs),
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
            FeedsAction::Browser(_)
            | FeedsAction::Dates
            | FeedsAction::Downloads
            | FeedsAction::Follow
            | FeedsAction::Mark
            | FeedsAction::MarkAll
            | FeedsAction::InvertMarks => None,
        }
    }

    /// Does what means something in any tab; returns whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.pulling.is_some() {
            self.on_pulling(gesture, ctx);
            return true;
        }
        if self.deleting.is_some() {
            self.on_deleting(gesture);
            return true;
        }
        if self.choosing {
            self.on_downloads(gesture, ctx);
            return true;
        }
        if self.calendar.is_some() {
            return self.on_calendar(gesture, ctx);
        }
        if self.browse.is_some() && self.on_browse(gesture, ctx) {
            return true;
        }
        let feed = self.selected();
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Undo => return self.marks.undo() || self.undo_deletion(ctx),
            Gesture::Redo => return self.marks.redo() || self.redo_deletion(ctx),
            Gesture::NextPane | Gesture::PreviousPane => {
                self.part = match self.part {
                    FeedsFocus::Table => FeedsFocus::Details,
                    FeedsFocus::Details => FeedsFocus::Table,
                };
            }
            Gesture::Escape if self.part == FeedsFocus::Details => self.part = FeedsFocus::Table,
            Gesture::Escape if self.marks.clear() => {
                ctx.out.say(Tone::Info, "marks cleared; u brings them back");
            }
            Gesture::Open => {
                if !self.browse_newest(feed, ctx) {
                    pull(PullQuery::latest(feed), ctx);
                }
            }
            Gesture::Refresh => self.refresh(ctx),
            Gesture::Cancel | Gesture::Pause => return self.act_on_download(feed, gesture, ctx),
            _ => return false,
        }
        true
    }

    fn on_deleting(&mut self, gesture: Gesture) {
        match (&mut self.deleting, gesture) {
            (Some(deleting), Gesture::Go(motion)) => deleting.picker.step(motion),
            (_, Gesture::Escape | Gesture::Quit) => self.deleting = None,
            _ => {}
        }
    }

    /// What else can be downloaded or rebuilt, by the keys for it.
    pub(super) fn downloads() -> impl Iterator<Item = &'static Binding<FeedsAction>> {
        let own = Self::KEYS.iter().filter(|own| own.scope == DOWNLOADS);
        own.filter(|own| matches!(own.intent, Action(_)))
    }

    fn on_downloads(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) {
        match gesture {
            Gesture::Escape | Gesture::Quit | Gesture::Back => self.choosing = false,
            Gesture::Go(Motion::To(row)) => {
                let Some(Action(action)) = Self::downloads().nth(row).map(|own| own.intent) else {
                    return;
                };
                match self.why_not(action, ctx.facts, ctx.jobs, ctx.out.now) {
                    Some(why) => ctx.out.say(Tone::Info, why),
                    None => drop(self.run(action, ctx)),
                }
            }
            _ => {}
        }
    }

    /// Follows the realtime feed, or no longer.
    fn toggle_follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.follow.take().is_some() {
            return ctx.out.say(Tone::Info, "realtime is no longer followed");
        }
        self.follow = Some(Follow::begin(ctx));
        ctx.out.say(Tone::Ok, "following realtime; F ends it");
    }

    /// Stops, pauses or continues the download of a feed, or continues what an earlier run has left of one.
    fn act_on_download(&self, feed: Feed, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if act_on_job(feed, gesture, ctx) {
            return true;
        }
        let part = self.known(feed, ctx.jobs).part.map(|part| part.query);
        match part.filter(|_| gesture == Gesture::Pause) {
            Some(query) => pull(query, ctx),
            None => return false,
        }
        true
    }

    fn act_in_browser(&mut self, action: BrowserAction, ctx: &mut UpdateCtx<'_>) {
        let feed = self.browser.as_ref().map(|browser| browser.query().feed);
        let days: Vec<Day> = feed.map_or_else(Vec::new, |feed| self.local_days(feed).collect());
        if let Some(browser) = &mut self.browser {
            browser.act(action, &days, ctx);
        }
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match self.part {
            FeedsFocus::Table if self.cursor.step(motion, self.metadata.len()) => {
                self.details = PageState::default();
                self.ask_health(ctx);
            }
            FeedsFocus::Table => {}
            FeedsFocus::Details => {
                self.details.step(motion);
            }
        }
    }

    /// Refreshes what is local, and the metadata of all feeds.
    fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask_releases(ctx);
        self.ask_metadata(|_| true, ctx);
    }
}

/// Starts a download.
pub(super) fn pull(query: PullQuery, ctx: &mut UpdateCtx<'_>) {
    if let Some(why) = ctx.facts.lack_of_feeds() {
        return ctx.out.say(Tone::Warn, why);
    }
    ctx.start(label(&query), Question::Pull(query));
}

/// What a download is called.
pub(super) fn label(query: &PullQuery) -> String {
    let feed = query.feed;
    let mmdb = match query.form {
        Format::Json => "",
        Format::Mmdb => " mmdb",
    };
    match query.wanted {
        WantedRelease::Latest => format!("{feed}{mmdb} latest"),
        WantedRelease::Day(day) => format!("{feed}{mmdb} {}", day.dashed()),
        WantedRelease::Window(window) => {
            format!("{feed}{mmdb} {}", Moment::Window(window).dashed())
        }
    }
}

/// Starts the download of the MMDB form, where there is one.
pub(super) fn pull_mmdb(feed: Feed, ctx: &mut UpdateCtx<'_>) {
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(feed)
    };
    pull(query, ctx);
}

fn save_readme(feed: Feed, ctx: &mut UpdateCtx<'_>) {
    let path = ctx.facts.working_dir.join(format!("{feed}-README.pdf"));
    ctx.ask(Question::Readme(feed, path));
}

/// Stops, pauses or continues the download of a feed; returns whether there is one.
fn act_on_job(feed: Feed, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
    let Some(job) = job_of(feed, ctx.jobs) else {
        return false;
    };
    let (id, open) = (job.id, job.is_open());
    let ended = matches!(job.state, JobState::Done(_));
    match gesture {
        Gesture::Cancel if open => ctx.jobs.cancel(id, ctx.out),
        Gesture::Pause if !ended => ctx.jobs.pause(id, ctx.out),
        _ => return false,
    }
    true
}
