//! What is done with releases: downloading, marking what to download, pinning, and deleting with undo.

use jiff::Timestamp;
use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use super::{
    FeedsTab,
    days::Days,
    keys::{DELETING, DOWNLOADS, FeedsAction, KEYS},
    known_feeds::{KnownFeed, form_word, job_of, kept_word, label, pull},
};
use crate::{
    contract::Feed,
    engine::{Error, Pinned, PullQuery, Unfinished},
    store::{Deletable, Moment},
    tui::{
        ctx::{
            Choice, Destination, Facts, Flow, Gesture, Intent, JobState, Jobs, Price, Question,
            Scope, Surface, UpdateCtx, ViewCtx, Why,
        },
        ui::{Pen, PickerItem, Popup, Tone, cells, words},
    },
};

/// Unfinished downloads of an earlier run: they resume if the user chose so, and wait otherwise.
pub(super) fn restore(unfinished: Unfinished, ctx: &mut UpdateCtx<'_>) {
    let parts = unfinished.parts.iter();
    let parts = parts.map(|part| (part.query, (part.bytes, part.total)));
    let waiting = unfinished.waiting.into_iter();
    for (query, received) in parts.chain(waiting.map(|query| (query, (0, None)))) {
        let label = label(&query);
        ctx.jobs
            .restore(label, query, received, ctx.owner, ctx.out.now);
    }
    if ctx.facts.lack_of_feeds().is_none() {
        for query in unfinished.going_on {
            pull(query, ctx);
        }
    }
}

/// The choice of what to delete of a feed.
pub(super) fn deletions(known: &KnownFeed<'_>) -> Box<Choice> {
    let feed = known.feed;
    let item = |label: String, detail: String, what| {
        PickerItem::new(label, detail, Destination::Deletion(feed, what))
    };
    let mut moments: Vec<Moment> = known
        .here
        .iter()
        .map(|release| release.manifest.moment)
        .collect();
    moments.dedup();
    let releases = moments.iter().map(|moment| {
        let (mut forms, mut bytes, mut pinned) = (Vec::new(), 0, "");
        for manifest in known.of_moment(*moment) {
            forms.push(form_word(manifest));
            bytes += manifest.bytes + manifest.index.as_ref().map_or(0, |index| index.bytes);
            pinned = match kept_word(manifest) {
                "* pinned" => ", pinned",
                "kept" => ", kept",
                _ => pinned,
            };
        }
        let (forms, bytes) = (forms.join(" and "), words::bytes(bytes));
        let detail = format!("{forms}, {bytes} with index{pinned}");
        item(moment.dashed(), detail, vec![Deletable::Release(*moment)])
    });
    let part = known.part.map(|part| {
        let detail = format!("{} of {}", words::bytes(part.bytes), part.moment.dashed());
        let label = "partial download".to_owned();
        item(label, detail, vec![Deletable::Partial])
    });
    let all = (moments.len() > 1).then(|| {
        let all = moments.iter().map(|moment| Deletable::Release(*moment));
        let detail = format!("{} releases", moments.len());
        item("all releases".to_owned(), detail, all.collect())
    });
    let items = releases.chain(part).chain(all).collect();
    let title = format!("Delete releases of {feed}: ctrl-x deletes, u undoes it");
    let instead = "ctrl-x deletes what is chosen, esc cancels";
    let choice = Choice::new(title, items).with_actions(DELETING);
    Box::new(choice.chosen_by("ctrl-x", "delete", instead))
}

/// What else can be downloaded or rebuilt, each beside its key.
#[derive(Debug)]
pub(super) struct DownloadChoice {
    feed: Feed,
    /// The key of each row, and what it does, or why not now.
    rows: Vec<(String, Result<&'static str, String>)>,
}

impl DownloadChoice {
    pub(super) fn new(
        feed: Feed,
        why_not: impl Fn(FeedsAction) -> Option<Why>,
        facts: &Facts,
    ) -> Self {
        let lack = facts.lack_of_feeds();
        let rows = KEYS.iter().filter(|binding| binding.scope == DOWNLOADS);
        let rows = rows.filter_map(|binding| {
            let Intent::Action(action) = binding.intent else {
                return None;
            };
            let lack = || lack.clone().filter(|_| binding.sends).map(Into::into);
            let does = match why_not(action).or_else(lack) {
                None => Ok(binding.help),
                Some(why) => Err(format!("{}: not now, {why}", binding.hint)),
            };
            Some((binding.chord.to_string(), does))
        });
        Self {
            feed,
            rows: rows.collect(),
        }
    }
}

impl Surface for DownloadChoice {
    fn scope(&self) -> Scope {
        DOWNLOADS
    }

    /// Tells the tab that its key was pressed here.
    fn lead(&self) -> Option<Destination> {
        Some(Destination::FeedDay(self.feed, None))
    }

    fn when(&self, gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match gesture {
            Gesture::Go(_) | Gesture::Escape | Gesture::Quit | Gesture::Back => Ok(None),
            _ => Err("esc closes the list first".into()),
        }
    }

    fn on(&mut self, gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(_) => Flow::Done,
            _ => Flow::Close,
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        /// Cells of the column of keys.
        const KEY: usize = 5;
        let theme = ctx.theme;
        let line = |(chord, does): &(String, Result<&'static str, String>)| {
            let does = match does {
                Ok(help) => Span::raw(*help),
                Err(why) => Span::styled(why.clone(), theme.dim),
            };
            Line::from(vec![
                Span::styled(format!("{chord:<KEY$}"), theme.key),
                does,
            ])
        };
        let lines: Vec<Line<'_>> = self.rows.iter().map(line).collect();
        let width = lines.iter().map(cells::line_width).max();
        let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
        let size = Size::new(width.unwrap_or_default(), height);
        let inner = Popup::new(format!("Download of {}", self.feed), size)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, ctx);
        // A click on a row is one on its key in the footer, which has those that are possible.
        let mut hint = 0;
        for ((line, (_, does)), row) in lines.into_iter().zip(&self.rows).zip(inner.rows()) {
            if does.is_ok() {
                Pen::from(ctx).hint(row, hint);
                hint += 1;
            }
            frame.render_widget(cells::cut_line(line, row.width), row);
        }
    }
}

impl FeedsTab {
    /// The feeds whose latest release can be downloaded and is not local.
    pub(super) fn due(&self, jobs: &Jobs, now: Timestamp) -> Vec<Feed> {
        let is_due = |feed: &Feed| self.known.of(*feed, jobs).is_due(now);
        Feed::all().filter(is_due).collect()
    }

    /// Marks every feed whose latest release can be downloaded and is not local.
    pub(super) fn mark_due(&mut self, ctx: &mut UpdateCtx<'_>) {
        let due = self.due(ctx.jobs, ctx.out.now);
        if due.is_empty() {
            let text = "nothing to mark: every feed is local and fresh, or refused";
            return ctx.out.say(Tone::Info, text);
        }
        self.list.marks_mut().add(due);
        let marked = self.list.marks().len();
        let text = format!("{marked} marked: p downloads them, esc unmarks");
        ctx.out.say(Tone::Info, text);
    }

    /// Downloads the latest release of every feed in each form whose local one is stale. If none is, marks the feeds that are not
    /// local.
    pub(super) fn freshen(&mut self, ctx: &mut UpdateCtx<'_>) {
        let stale = Feed::all().flat_map(|feed| {
            let forms = self.known.of(feed, ctx.jobs).stale_forms(ctx.out.now);
            let query = move |form| PullQuery {
                form,
                ..PullQuery::latest(feed)
            };
            forms.into_iter().map(query)
        });
        let stale: Vec<PullQuery> = stale.collect();
        if stale.is_empty() {
            return self.mark_others(ctx);
        }
        for query in stale {
            pull(query, ctx);
        }
    }

    /// Says how many local feeds are fresh, and marks those that are not local.
    fn mark_others(&mut self, ctx: &mut UpdateCtx<'_>) {
        let is_local = |feed: &Feed| self.known.of(*feed, ctx.jobs).newest().is_some();
        let fresh = match Feed::all().filter(is_local).count() {
            0 => "no feed is local".to_owned(),
            1 => "1 local feed is fresh".to_owned(),
            count => format!("{count} local feeds are fresh"),
        };
        let due = self.due(ctx.jobs, ctx.out.now);
        let others = match due.len() {
            0 => return ctx.out.say(Tone::Ok, fresh),
            1 => "1 is not local, now marked: p downloads it".to_owned(),
            count => format!("{count} are not local, now marked: p downloads them"),
        };
        self.list.marks_mut().add(due);
        let text = format!("{fresh}; {others}, esc unmarks");
        ctx.out.say(Tone::Info, text);
    }

    /// Downloads the marked feeds: several after a question.
    pub(super) fn pull_marked(&mut self, ctx: &mut UpdateCtx<'_>) {
        let mut feeds = self.due(ctx.jobs, ctx.out.now);
        feeds.retain(|feed| self.list.marks().contains(feed));
        match feeds.len() {
            0 => {
                let text = "the marked feeds are local and fresh, on their way, or refused";
                ctx.out.say(Tone::Info, text);
            }
            1 => self.pull_all(&feeds, ctx),
            all => {
                let known = feeds.iter().map(|feed| self.known.of(*feed, ctx.jobs));
                let question = question(known, all, self.list.marks().len() - all);
                let place = Destination::Downloads(feeds);
                ctx.out.confirm_going(question, place);
            }
        }
    }

    /// Downloads the latest releases of these feeds, which are marked no longer.
    pub(super) fn pull_all(&mut self, feeds: &[Feed], ctx: &mut UpdateCtx<'_>) {
        for feed in feeds {
            pull(PullQuery::latest(*feed), ctx);
        }
        self.list.clear_marks();
        say_begun(feeds.len(), ctx);
    }

    /// Downloads these releases; the days that were marked for that are marked no longer.
    pub(super) fn pull_releases(&mut self, queries: &[PullQuery], ctx: &mut UpdateCtx<'_>) {
        for query in queries {
            pull(*query, ctx);
        }
        if let Some(days) = &mut self.days {
            days.clear_marks();
        }
        say_begun(queries.len(), ctx);
    }

    /// Stops, pauses or continues the download of the selected feed, or continues what an earlier run has left of one; returns whether
    /// there is one.
    pub(super) fn act_on_download(&self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let feed = self.selected();
        let job = job_of(feed, ctx.jobs);
        let job = job.map(|job| {
            (
                job.id,
                job.is_open(),
                matches!(job.state, JobState::Done(_)),
            )
        });
        let part = self.known.of(feed, ctx.jobs).part.map(|part| part.query);
        match (gesture, job, part) {
            (Gesture::Cancel, Some((id, true, _)), _) => ctx.jobs.cancel(id, ctx.out),
            (Gesture::Pause, Some((id, _, false)), _) => ctx.jobs.pause(id, ctx.out),
            (Gesture::Pause, _, Some(query)) => pull(query, ctx),
            _ => return false,
        }
        true
    }

    /// Pins the local release that is selected in the days, else the newest one of the feed; or leaves it to the keep rule again.
    pub(super) fn pin(&self, ctx: &mut UpdateCtx<'_>) {
        let days = self.days_in_focus();
        let feed = days.map_or_else(|| self.selected(), |days| days.feed);
        let known = self.known.of(feed, ctx.jobs);
        let manifest = match days.and_then(Days::selected) {
            Some(moment) => known.of_moment(moment).next(),
            None => known.newest().map(|release| &release.manifest),
        };
        if let Some(own) = manifest {
            ctx.ask(Question::Pin(feed, own.moment, !own.pinned_by_hand));
        }
    }

    /// A release was pinned, or is no longer.
    pub(super) fn pinned(&mut self, result: Result<Pinned, Error>, ctx: &mut UpdateCtx<'_>) {
        let pinned = match result {
            Ok(pinned) => pinned,
            Err(error) => return ctx.out.say(Tone::Error, error.message),
        };
        let (feed, moment) = (pinned.feed, pinned.moment.dashed());
        let text = if pinned.is_pinned {
            format!("{feed} {moment} is pinned: only X removes it; details and dates mark it")
        } else {
            format!("{feed} {moment} is no longer pinned: newer releases clear it away")
        };
        ctx.out.say(Tone::Ok, text);
        self.known.read_disk(ctx);
    }
}

/// How many feeds, of what size, and what is free; what else is marked is left out.
fn question<'k>(known: impl Iterator<Item = KnownFeed<'k>>, feeds: usize, left: usize) -> String {
    let (mut bytes, mut unknown, mut free) = (0_u64, 0, None);
    for feed in known {
        match feed.size() {
            Some(size) => bytes = bytes.saturating_add(size),
            None => unknown += 1,
        }
        free = feed.free;
    }
    let size = match (bytes, unknown) {
        (0, _) => "of unknown size".to_owned(),
        (bytes, 0) => words::bytes(bytes),
        (bytes, unknown) => format!("{} and {unknown} of unknown size", words::bytes(bytes)),
    };
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
    format!("Download the latest release of {feeds} feeds, {size}?{free}{left}")
}

fn say_begun(downloads: usize, ctx: &mut UpdateCtx<'_>) {
    let begun = match downloads {
        1 => "1 download begun; J lists it".to_owned(),
        count => format!("{count} downloads begun; J lists them"),
    };
    ctx.out.say(Tone::Info, begun);
}
