//! Following the realtime feed: each new window is downloaded, and missing windows are named.
//!
//! It asks at most once a minute, and a late window never counts as missing.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use crate::{
    contract::Feed,
    engine::{FetchedListing, Kind, PullQuery, WantedRelease},
    model::{Day, Window},
    store::Moment,
    tui::{
        ctx::{Answer, Asked, JobId, Question, TabReply, UpdateCtx},
        ui::Tone,
    },
};

/// How often the service is asked which windows there are.
const PAUSE: SignedDuration = SignedDuration::from_secs(60);
/// Windows that are remembered: a day of them.
const MOST: usize = 288;

/// The windows since it began, and when the service is asked next.
#[derive(Debug)]
pub(super) struct Follow {
    since: Window,
    next: Timestamp,
    listing: Asked<Question, FetchedListing>,
    windows: BTreeMap<Window, WindowState>,
    /// Whether the service refused to list the windows.
    pub(super) has_ended: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WindowState {
    /// The service lists later ones and not this one.
    Gap,
    Coming(JobId),
    Local,
    /// It could not be downloaded.
    Failed(String),
}

impl Follow {
    /// Follows from the window before the present one.
    pub(super) fn begin(ctx: &mut UpdateCtx<'_>) -> Self {
        let mut follow = Self {
            since: Window::of(ctx.out.now - length()),
            next: ctx.out.now,
            listing: Asked::default(),
            windows: BTreeMap::new(),
            has_ended: false,
        };
        follow.tick(ctx);
        follow
    }

    /// When the service is asked next.
    pub(super) fn wakes_at(&self) -> Timestamp {
        self.next
    }

    /// Asks which windows there are, if it is time for that.
    pub(super) fn tick(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.out.now < self.next {
            return;
        }
        self.next = ctx.out.now + PAUSE;
        if !self.listing.is_pending() {
            // Shortly after midnight the last window is one of yesterday.
            let day = Day::of(ctx.out.now - length() - length());
            self.listing
                .ask_anew(Question::Files(Feed::Realtime, day), ctx);
        }
    }

    /// Takes an answer to a question of this part; hands back any other.
    pub(super) fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let question = reply.question;
        let coming = WindowState::Coming(reply.job);
        let mut windows = self.windows.iter_mut();
        if let Some((window, state)) = windows.find(|(_, state)| **state == coming) {
            *state = match (question, reply.result) {
                (Question::Pull(query), Ok(Answer::Pulled(pulled)))
                    if query.wanted != WantedRelease::Latest && !pulled.was_here =>
                {
                    // A window pulled by its time is pinned; this one was not.
                    let moment = Moment::Window(*window);
                    WindowState::Coming(ctx.ask(Question::Pin(Feed::Realtime, moment, false)))
                }
                (Question::Pull(_), Err(error)) => WindowState::Failed(error.message),
                _ => WindowState::Local,
            };
            return None;
        }
        let reply = self.listing.settle(reply);
        if reply.is_some() {
            return reply;
        }
        match (self.listing.error(), self.listing.value(), question) {
            (Some(error), ..) if error.kind != Kind::Network => {
                let text = format!("realtime is not followed: {}", error.message);
                ctx.out.say(Tone::Error, text);
                self.has_ended = true;
            }
            (None, Some(listed), Question::Files(_, day)) => {
                let mut windows = listed.listing.windows(*day);
                windows.sort_unstable();
                self.take(&windows, ctx);
            }
            _ => {}
        }
        None
    }

    /// Downloads the windows that are new, and notes those that are missing among them.
    fn take(&mut self, listed: &[Window], ctx: &mut UpdateCtx<'_>) {
        let Some(last) = listed.last().copied().filter(|last| *last >= self.since) else {
            return;
        };
        let mut window = self.since;
        while window <= last {
            let is_new = matches!(self.windows.get(&window), None | Some(WindowState::Gap));
            if is_new && listed.contains(&window) {
                // The latest one is kept as any release; an older one has to be asked for by its time.
                let wanted = if window == last {
                    WantedRelease::Latest
                } else {
                    WantedRelease::Window(window)
                };
                let query = PullQuery {
                    wanted,
                    ..PullQuery::latest(Feed::Realtime)
                };
                let job = ctx.ask(Question::Pull(query));
                self.windows.insert(window, WindowState::Coming(job));
            } else if is_new {
                self.windows.insert(window, WindowState::Gap);
            }
            window = Window::of(window.begins() + length());
        }
        while self.windows.len() > MOST {
            self.windows.pop_first();
        }
    }

    /// Its status in words that the smallest table has room for: windows that came, and those that are missing.
    pub(super) fn words(&self) -> String {
        let count =
            |is: fn(&WindowState) -> bool| self.windows.values().filter(|state| is(state)).count();
        let local = count(|state| *state == WindowState::Local);
        let gaps = count(|state| *state == WindowState::Gap);
        match gaps {
            0 => format!("follow, {local} new"),
            1 => format!("1 gap, {local} new"),
            gaps => format!("{gaps} gaps, {local} new"),
        }
    }

    /// The windows, the newest first.
    pub(super) fn windows(&self) -> impl Iterator<Item = (Moment, &WindowState)> {
        let newest_first = self.windows.iter().rev();
        newest_first.map(|(window, state)| (Moment::Window(*window), state))
    }

    pub(super) fn since(&self) -> Window {
        self.since
    }
}

fn length() -> SignedDuration {
    SignedDuration::from_mins(i64::from(Window::MINUTES))
}
