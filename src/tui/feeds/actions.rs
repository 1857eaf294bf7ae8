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
        app::Desk,
        cursor::Motion,
        jobs::JobState,
        keys::Intent,
        msg::Question,
        raw::{Acted, Raw},
        theme::{Theme, Tone},
        widgets::{page::PageState, pane::Pane, table},
    },
};

impl FeedsTab {
    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, desk: &mut Desk<'_>) -> bool {
        if let Some(raw) = &mut self.raw {
            let acted = raw.act(intent, usize::from(Pane::inner(desk.body).height));
            if acted == Acted::Closed {
                self.raw = None;
            }
            return acted != Acted::Ignored;
        }
        if self.browse.is_some() && self.act_on_browse(intent, desk) {
            return true;
        }
        let feed = self.selected();
        match intent {
            Intent::Go(motion) => self.go(motion, desk),
            Intent::NextPane | Intent::PreviousPane => {
                self.part = match self.part {
                    Part::Table => Part::Details,
                    Part::Details => Part::Table,
                };
            }
            Intent::Escape if self.part == Part::Details => self.part = Part::Table,
            Intent::Open => pull(PullQuery::latest(feed), desk),
            Intent::DownloadMmdb => pull_mmdb(feed, desk),
            Intent::Dates => self.open_days(feed, desk),
            Intent::Refresh => self.refresh(desk),
            Intent::Readme => save_readme(feed, desk),
            Intent::Raw => self.open_raw(desk),
            Intent::Find => {
                self.open_raw(desk);
                if let Some(raw) = &mut self.raw {
                    raw.act(Intent::Find, 0);
                }
            }
            Intent::Cancel | Intent::Pause => return act_on_job(feed, intent, desk),
            _ => return false,
        }
        true
    }

    fn go(&mut self, motion: Motion, desk: &Desk<'_>) {
        let parts = view::Parts::of(desk.body);
        match self.part {
            Part::Table => {
                let height = table::height(Pane::inner(parts.table), &view::columns());
                if self.cursor.step(motion, self.metadata.len(), height) {
                    self.details = PageState::default();
                }
            }
            Part::Details => {
                let theme = Theme::terminal();
                let known = self.known(self.selected(), desk.jobs);
                let page = view::details::page(&known, desk.facts, &theme, desk.out.now);
                let size: Size = Pane::inner(parts.details).as_size();
                let mut state = self.details;
                state.step(motion, &page, size);
                self.details = state;
            }
        }
    }

    /// Asks again: what is here, and the metadata of all feeds.
    fn refresh(&mut self, desk: &mut Desk<'_>) {
        self.ask_releases(desk);
        match missing(desk.facts) {
            None => self.ask_metadata(|_| true, desk),
            Some(why) => desk.out.say(Tone::Warn, why),
        }
    }

    fn open_days(&mut self, feed: Feed, desk: &mut Desk<'_>) {
        if let Some(why) = missing(desk.facts) {
            return desk.out.say(Tone::Warn, why);
        }
        if feed != Feed::Realtime && feed.row().history == Offer::No {
            let why = format!("the feed {feed} has no days");
            return desk.out.say(Tone::Info, why);
        }
        self.browse = Some(Browse::open(feed, Day::of(desk.out.now), desk.out));
        self.part = Part::Details;
    }

    fn act_on_browse(&mut self, intent: Intent, desk: &mut Desk<'_>) -> bool {
        if self.part != Part::Details {
            // The table goes on to work beside the lists; another feed closes them.
            if matches!(intent, Intent::Go(_)) {
                self.close_browse(desk);
            }
            return false;
        }
        let height = view::days::height(desk.body);
        let Some(browse) = &mut self.browse else {
            return false;
        };
        match intent {
            Intent::Go(motion) => browse.step(motion, height, Day::of(desk.out.now), desk.out),
            Intent::Refresh => browse.refresh(desk.out),
            Intent::Cancel => return browse.cancel(desk.out),
            Intent::Dates => self.close_browse(desk),
            Intent::Escape | Intent::Quit => {
                if !browse.close(desk.out) {
                    self.browse = None;
                    self.part = Part::Table;
                }
            }
            Intent::Open => match browse.enter(desk.out) {
                Ok(Some(query)) => pull(query, desk),
                Ok(None) => {}
                Err(why) => desk.out.say(Tone::Info, why),
            },
            _ => return false,
        }
        true
    }

    fn close_browse(&mut self, desk: &mut Desk<'_>) {
        if let Some(mut browse) = self.browse.take() {
            while browse.close(desk.out) {}
        }
        self.part = Part::Table;
    }

    fn open_raw(&mut self, desk: &mut Desk<'_>) {
        match self.document() {
            Some(document) => self.raw = Some(Raw::of(document)),
            None => desk.out.say(
                Tone::Info,
                format!("there is no metadata of {} yet", self.selected()),
            ),
        }
    }
}

/// Starts a download.
fn pull(query: PullQuery, desk: &mut Desk<'_>) {
    if let Some(why) = missing(desk.facts) {
        return desk.out.say(Tone::Warn, why);
    }
    desk.jobs
        .start(label(&query), Question::Pull(query), desk.out);
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

fn pull_mmdb(feed: Feed, desk: &mut Desk<'_>) {
    if feed.row().mmdb == MmdbForm::No {
        let why = format!("the feed {feed} has no MMDB form");
        return desk.out.say(Tone::Info, why);
    }
    let query = PullQuery {
        form: Format::Mmdb,
        ..PullQuery::latest(feed)
    };
    pull(query, desk);
}

fn save_readme(feed: Feed, desk: &mut Desk<'_>) {
    if let Some(why) = missing(desk.facts) {
        return desk.out.say(Tone::Warn, why);
    }
    if Resource::Readme.offer(feed) == Offer::No {
        let why = format!("the feed {feed} has no README of its own");
        return desk.out.say(Tone::Info, why);
    }
    let path = desk.facts.working_dir.join(format!("{feed}-README.pdf"));
    desk.out.ask(Question::Readme(feed, path));
}

/// Stops, pauses or goes on with the download of a feed; says whether there is one.
fn act_on_job(feed: Feed, intent: Intent, desk: &mut Desk<'_>) -> bool {
    let Some(job) = job_of(feed, desk.jobs) else {
        return false;
    };
    let (id, open) = (job.id, job.is_open());
    let ended = matches!(job.state, JobState::Done(_));
    match intent {
        Intent::Cancel if open => desk.jobs.cancel(id, desk.out),
        Intent::Pause if !ended => desk.jobs.pause(id, desk.out),
        _ => return false,
    }
    true
}
