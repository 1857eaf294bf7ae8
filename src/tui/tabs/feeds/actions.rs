//! What keys do in the Feeds tab.

use crossterm::event::KeyCode;

use super::{
    FeedsTab, Part,
    browse::Browse,
    known::{job_of, missing},
};
use crate::{
    contract::{
        Feed, Format, Resource,
        catalog::{MmdbForm, Offer},
    },
    engine::{PullQuery, Wanted},
    tui::{
        ctx::{
            UpdateCtx,
            binding::{
                Binding, char, key,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            intent::{
                Gesture,
                Intent::{Own, Shared},
                Scope,
            },
            jobs::JobState,
            request::Question,
            tab::Actions,
        },
        ui::{cursor::Motion, theme::Tone, widgets::page::PageState},
    },
};

/// The tab.
pub(super) const FEEDS: Scope = Scope::Tab("Feeds");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeedsAction {
    /// The days of a feed.
    Dates,
    /// The MMDB form of a feed.
    DownloadMmdb,
    /// The documentation of a feed.
    Readme,
}

impl Actions for FeedsTab {
    type Action = FeedsAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<FeedsAction>] = &[
        shown(FEEDS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "download", "download what is selected"),
        shown(FEEDS, char('d'), Own(FeedsAction::Dates), FIRST, "dates", "the days of the feed, and the files of a day"),
        shown(FEEDS, char('R'), Shared(Gesture::Refresh), SOON, "ask again", "ask for the metadata of all feeds again").sends(),
        shown(FEEDS, char('b'), Own(FeedsAction::DownloadMmdb), LATER, "mmdb", "download the MMDB form"),
        shown(FEEDS, char('o'), Own(FeedsAction::Readme), LATER, "readme", "save the feed's README.pdf"),
        shown(FEEDS, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    ];

    fn act(&mut self, action: FeedsAction, ctx: &mut UpdateCtx<'_>) {
        let feed = self.selected();
        match action {
            FeedsAction::Dates if self.browse.is_some() && self.part == Part::Details => {
                self.close_browse(ctx);
            }
            FeedsAction::Dates => self.open_days(feed, ctx),
            FeedsAction::DownloadMmdb => pull_mmdb(feed, ctx),
            FeedsAction::Readme => save_readme(feed, ctx),
        }
    }
}

impl FeedsTab {
    /// Does what means something in any tab; says whether it does here.
    pub(super) fn on_gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.browse.is_some() && self.on_browse(gesture, ctx) {
            return true;
        }
        let feed = self.selected();
        match gesture {
            Gesture::Go(motion) => self.go(motion),
            Gesture::NextPane | Gesture::PreviousPane => {
                self.part = match self.part {
                    Part::Table => Part::Details,
                    Part::Details => Part::Table,
                };
            }
            Gesture::Escape if self.part == Part::Details => self.part = Part::Table,
            Gesture::Open => pull(PullQuery::latest(feed), ctx),
            Gesture::Refresh => self.refresh(ctx),
            Gesture::Cancel | Gesture::Pause => return act_on_job(feed, gesture, ctx),
            _ => return false,
        }
        true
    }

    fn go(&mut self, motion: Motion) {
        match self.part {
            Part::Table if self.cursor.step(motion, self.metadata.len()) => {
                self.details = PageState::default();
            }
            Part::Table => {}
            Part::Details => {
                self.details.step(motion);
            }
        }
    }

    /// Asks again: what is here, and the metadata of all feeds.
    fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.ask_releases(ctx);
        match missing(ctx.facts) {
            None => self.ask_metadata(|_| true, ctx),
            Some(why) => ctx.out.say(Tone::Warn, why),
        }
    }

    fn open_days(&mut self, feed: Feed, ctx: &mut UpdateCtx<'_>) {
        if let Some(why) = missing(ctx.facts) {
            return ctx.out.say(Tone::Warn, why);
        }
        if feed != Feed::Realtime && feed.row().history == Offer::No {
            let why = format!("the feed {feed} has no days");
            return ctx.out.say(Tone::Info, why);
        }
        self.browse = Some(Browse::open(feed, ctx));
        self.part = Part::Details;
    }

    fn on_browse(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part != Part::Details {
            // The table goes on to work beside the lists; another feed closes them.
            if matches!(gesture, Gesture::Go(_)) {
                self.close_browse(ctx);
            }
            return false;
        }
        let Some(browse) = &mut self.browse else {
            return false;
        };
        match gesture {
            Gesture::Go(motion) => browse.step(motion, ctx),
            Gesture::Refresh => browse.refresh(ctx),
            Gesture::Cancel => return browse.cancel(ctx),
            Gesture::Escape | Gesture::Quit => {
                if !browse.close(ctx) {
                    self.browse = None;
                    self.part = Part::Table;
                }
            }
            Gesture::Open => match browse.enter(ctx) {
                Ok(Some(query)) => pull(query, ctx),
                Ok(None) => {}
                Err(why) => ctx.out.say(Tone::Info, why),
            },
            _ => return false,
        }
        true
    }

    fn close_browse(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(mut browse) = self.browse.take() {
            while browse.close(ctx) {}
        }
        self.part = Part::Table;
    }
}

/// Starts a download.
fn pull(query: PullQuery, ctx: &mut UpdateCtx<'_>) {
    if let Some(why) = missing(ctx.facts) {
        return ctx.out.say(Tone::Warn, why);
    }
    ctx.start(label(&query), Question::Pull(query));
}

fn label(query: &PullQuery) -> String {
    let feed = query.feed;
    let mmdb = match query.form {
        Format::Json => "",
        Format::Mmdb => " mmdb",
    };
    match query.wanted {
        Wanted::Latest => format!("{feed}{mmdb} latest"),
        Wanted::Day(day) => format!("{feed}{mmdb} {day}"),
        Wanted::Window(window) => format!("{feed}{mmdb} {window}"),
    }
}

fn pull_mmdb(feed: Feed, ctx: &mut UpdateCtx<'_>) {
    if feed.row().mmdb == MmdbForm::No {
        let why = format!("the feed {feed} has no MMDB form");
        return ctx.out.say(Tone::Info, why);
    }
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(feed)
    };
    pull(query, ctx);
}

fn save_readme(feed: Feed, ctx: &mut UpdateCtx<'_>) {
    if let Some(why) = missing(ctx.facts) {
        return ctx.out.say(Tone::Warn, why);
    }
    if Resource::Readme.offer(feed) == Offer::No {
        let why = format!("the feed {feed} has no README of its own");
        return ctx.out.say(Tone::Info, why);
    }
    let path = ctx.facts.working_dir.join(format!("{feed}-README.pdf"));
    ctx.ask(Question::Readme(feed, path));
}

/// Stops, pauses or goes on with the download of a feed; says whether there is one.
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
