//! What keys do in the Feeds tab.

use ratatui::layout::Size;

use super::{FeedsTab, Part, browse::Browse, job_of, missing, view};
use crate::{
    contract::{
        Feed, Format, Resource,
        catalog::{MmdbForm, Offer},
    },
    engine::{PullQuery, Wanted},
    model::Day,
    tui::{
        ctx::{
            UpdateCtx,
            intent::Intent,
            jobs::JobState,
            raw::{Acted, Raw},
            request::Question,
        },
        ui::{
            cursor::Motion,
            theme::{Theme, Tone},
            widgets::{page::PageState, pane::Pane, table},
        },
    },
};

impl FeedsTab {
    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(raw) = &mut self.raw {
            let acted = raw.act(intent, usize::from(Pane::inner(ctx.body).height));
            if acted == Acted::Closed {
                self.raw = None;
            }
            return acted != Acted::Ignored;
        }
        if self.browse.is_some() && self.act_on_browse(intent, ctx) {
            return true;
        }
        let feed = self.selected();
        match intent {
            Intent::Go(motion) => self.go(motion, ctx),
            Intent::NextPane | Intent::PreviousPane => {
                self.part = match self.part {
                    Part::Table => Part::Details,
                    Part::Details => Part::Table,
                };
            }
            Intent::Escape if self.part == Part::Details => self.part = Part::Table,
            Intent::Open => pull(PullQuery::latest(feed), ctx),
            Intent::DownloadMmdb => pull_mmdb(feed, ctx),
            Intent::Dates => self.open_days(feed, ctx),
            Intent::Refresh => self.refresh(ctx),
            Intent::Readme => save_readme(feed, ctx),
            Intent::Raw => self.open_raw(ctx),
            Intent::Find => {
                self.open_raw(ctx);
                if let Some(raw) = &mut self.raw {
                    raw.act(Intent::Find, 0);
                }
            }
            Intent::Cancel | Intent::Pause => return act_on_job(feed, intent, ctx),
            _ => return false,
        }
        true
    }

    fn go(&mut self, motion: Motion, ctx: &UpdateCtx<'_>) {
        let parts = view::Parts::of(ctx.body);
        match self.part {
            Part::Table => {
                let height = table::height(Pane::inner(parts.table), &view::columns());
                if self.cursor.step(motion, self.metadata.len(), height) {
                    self.details = PageState::default();
                }
            }
            Part::Details => {
                let theme = Theme::terminal();
                let known = self.known(self.selected(), ctx.jobs);
                let page = view::details::page(&known, ctx.facts, &theme, ctx.out.now);
                let size: Size = Pane::inner(parts.details).as_size();
                let mut state = self.details;
                state.step(motion, &page, size);
                self.details = state;
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
        self.browse = Some(Browse::open(feed, Day::of(ctx.out.now), ctx.out));
        self.part = Part::Details;
    }

    fn act_on_browse(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part != Part::Details {
            // The table goes on to work beside the lists; another feed closes them.
            if matches!(intent, Intent::Go(_)) {
                self.close_browse(ctx);
            }
            return false;
        }
        let height = view::days::height(ctx.body);
        let Some(browse) = &mut self.browse else {
            return false;
        };
        match intent {
            Intent::Go(motion) => browse.step(motion, height, Day::of(ctx.out.now), ctx.out),
            Intent::Refresh => browse.refresh(ctx.out),
            Intent::Cancel => return browse.cancel(ctx.out),
            Intent::Dates => self.close_browse(ctx),
            Intent::Escape | Intent::Quit => {
                if !browse.close(ctx.out) {
                    self.browse = None;
                    self.part = Part::Table;
                }
            }
            Intent::Open => match browse.enter(ctx.out) {
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
            while browse.close(ctx.out) {}
        }
        self.part = Part::Table;
    }

    fn open_raw(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.document() {
            Some(document) => self.raw = Some(Raw::of(document)),
            None => ctx.out.say(
                Tone::Info,
                format!("there is no metadata of {} yet", self.selected()),
            ),
        }
    }
}

/// Starts a download.
fn pull(query: PullQuery, ctx: &mut UpdateCtx<'_>) {
    if let Some(why) = missing(ctx.facts) {
        return ctx.out.say(Tone::Warn, why);
    }
    ctx.jobs
        .start(label(&query), Question::Pull(query), ctx.out);
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
    ctx.out.ask(Question::Readme(feed, path));
}

/// Stops, pauses or goes on with the download of a feed; says whether there is one.
fn act_on_job(feed: Feed, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
    let Some(job) = job_of(feed, ctx.jobs) else {
        return false;
    };
    let (id, open) = (job.id, job.is_open());
    let ended = matches!(job.state, JobState::Done(_));
    match intent {
        Intent::Cancel if open => ctx.jobs.cancel(id, ctx.out),
        Intent::Pause if !ended => ctx.jobs.pause(id, ctx.out),
        _ => return false,
    }
    true
}
