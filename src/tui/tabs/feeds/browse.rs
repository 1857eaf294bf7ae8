//! The days of a feed and the files of a day, as the service lists them.

use crate::{
    contract::{Feed, Format},
    engine::{Listed, PullQuery, Wanted},
    model::{Day, Window, listing::Entry},
    tui::{
        ctx::{UpdateCtx, remote::Remote, request::Question, tab::Reply},
        ui::cursor::{Cursor, Motion},
    },
};

/// The lists of a feed that are open: its days, and above them the files of one.
#[derive(Debug)]
pub(super) struct Browse {
    pub(super) feed: Feed,
    /// The list of days; realtime has none that is asked for, only its windows of a day.
    pub(super) days: Option<List<Day>>,
    /// The list of a day's files.
    pub(super) files: Option<(Day, List<File>)>,
}

/// A list that comes from the service, and where one is in it.
#[derive(Debug)]
pub(super) struct List<T> {
    pub(super) listed: Remote<Listed>,
    pub(super) rows: Vec<T>,
    pub(super) cursor: Cursor,
}

/// A file of a day.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum File {
    /// A realtime window.
    Window(Window),
    /// Any other, as it was listed.
    Entry(Entry),
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            listed: Remote::default(),
            rows: Vec::new(),
            cursor: Cursor::default(),
        }
    }
}

impl<T> List<T> {
    fn selected(&self) -> Option<&T> {
        self.rows.get(self.cursor.selected(self.rows.len())?)
    }

    fn ask(&mut self, question: Question, ctx: &mut UpdateCtx<'_>) {
        self.listed.begin(ctx.ask(question));
    }

    fn finish(&mut self, reply: Reply<'_>, rows: impl Fn(&Listed) -> Vec<T>) {
        if self.listed.settle(reply.job, reply.result)
            && let Some(listed) = self.listed.value()
        {
            self.rows = rows(listed);
            self.cursor.select(self.cursor.index(), self.rows.len());
        }
    }
}

impl Browse {
    /// Opens the days of a feed; of realtime the windows of `today`.
    pub(super) fn open(feed: Feed, ctx: &mut UpdateCtx<'_>) -> Self {
        let mut browse = Self {
            feed,
            days: None,
            files: None,
        };
        if feed == Feed::Realtime {
            browse.open_day(Day::of(ctx.out.now), ctx);
        } else {
            let mut days = List::default();
            days.ask(Question::Runs(feed), ctx);
            browse.days = Some(days);
        }
        browse
    }

    fn open_day(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        let mut files = List::default();
        files.ask(Question::Files(self.feed, day), ctx);
        self.files = Some((day, files));
    }

    /// Asks for the list on top again.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        match (&mut self.files, &mut self.days) {
            (Some((day, files)), _) => files.ask(Question::Files(self.feed, *day), ctx),
            (None, Some(days)) => days.ask(Question::Runs(self.feed), ctx),
            (None, None) => {}
        }
    }

    /// Moves; left and right go to the day before and after, where a day's files are shown.
    pub(super) fn step(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let aside = match motion {
            Motion::Left => Some(-1),
            Motion::Right => Some(1),
            _ => None,
        };
        match (&mut self.files, &mut self.days) {
            (Some((day, _)), _) if aside.is_some() => {
                let other = day.plus(aside.unwrap_or_default());
                if other <= Day::of(ctx.out.now) {
                    self.open_day(other, ctx);
                }
            }
            (Some((_, files)), _) => {
                files.cursor.step(motion, files.rows.len());
            }
            (None, Some(days)) => {
                days.cursor.step(motion, days.rows.len());
            }
            (None, None) => {}
        }
    }

    /// Opens what is selected: a day opens its files, a file is a release to download.
    ///
    /// # Errors
    /// Why there is nothing to open, in words.
    pub(super) fn enter(&mut self, ctx: &mut UpdateCtx<'_>) -> Result<Option<PullQuery>, String> {
        if let Some((day, files)) = &self.files {
            return self.wanted(*day, files).map(Some);
        }
        match self.days.as_ref().and_then(List::selected) {
            Some(day) => {
                let day = *day;
                self.open_day(day, ctx);
                Ok(None)
            }
            None => Err("there is no day to open".to_owned()),
        }
    }

    fn wanted(&self, day: Day, files: &List<File>) -> Result<PullQuery, String> {
        let latest = PullQuery::latest(self.feed);
        match files.selected() {
            Some(File::Window(window)) => Ok(PullQuery {
                wanted: Wanted::Window(*window),
                ..latest
            }),
            Some(File::Entry(entry)) => {
                let form =
                    form_of(entry).ok_or("only the JSON and the MMDB form are downloaded")?;
                Ok(PullQuery {
                    wanted: Wanted::Day(day),
                    form,
                    ..latest
                })
            }
            // A list that is refused does not say that the file is, too.
            None if self.feed != Feed::Realtime && files.listed.error().is_some() => {
                Ok(PullQuery {
                    wanted: Wanted::Day(day),
                    ..latest
                })
            }
            None => Err("there is no file to download".to_owned()),
        }
    }

    /// Closes the list on top; says whether one is left.
    pub(super) fn close(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some((_, mut files)) = self.files.take() {
            ctx.stop(&mut files.listed);
            return self.days.is_some();
        }
        if let Some(days) = &mut self.days {
            ctx.stop(&mut days.listed);
        }
        false
    }

    /// Stops waiting for the list on top; says whether it was waited for.
    pub(super) fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match (&mut self.files, &mut self.days) {
            (Some((_, files)), _) => ctx.stop(&mut files.listed),
            (None, Some(days)) => ctx.stop(&mut days.listed),
            (None, None) => false,
        }
    }

    /// An answer came; one to a list that was closed or left meanwhile is dropped.
    pub(super) fn answered(&mut self, reply: Reply<'_>) {
        match *reply.question {
            Question::Runs(_) => {
                if let Some(days) = &mut self.days {
                    days.finish(reply, |listed| {
                        let mut days = listed.listing.days();
                        days.sort_unstable_by(|one, other| other.cmp(one));
                        days
                    });
                }
            }
            Question::Files(feed, _) => {
                if let Some((day, files)) = &mut self.files {
                    files.finish(reply, |listed| files_of(feed, *day, listed));
                }
            }
            _ => {}
        }
    }

    /// The name of what is selected.
    pub(super) fn name(&self) -> Option<String> {
        match (&self.files, &self.days) {
            (Some((_, files)), _) => files.selected().map(File::name),
            (None, Some(days)) => days.selected().map(Day::to_string),
            (None, None) => None,
        }
    }
}

impl File {
    /// What it is called.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Window(window) => window.to_string(),
            Self::Entry(entry) => entry.name.clone(),
        }
    }
}

/// The files of a day, windows the newest first.
fn files_of(feed: Feed, day: Day, listed: &Listed) -> Vec<File> {
    if feed != Feed::Realtime {
        return listed
            .listing
            .entries
            .iter()
            .cloned()
            .map(File::Entry)
            .collect();
    }
    let mut windows = listed.listing.windows(day);
    windows.sort_unstable_by(|one, other| other.cmp(one));
    windows.into_iter().map(File::Window).collect()
}

/// The form of a release's file, by its ending.
pub(super) fn form_of(entry: &Entry) -> Option<Format> {
    let name = entry.name.to_ascii_lowercase();
    let ending = |ending| name.strip_suffix(ending).is_some();
    if ending(".json.gz") {
        Some(Format::Json)
    } else if ending(".mmdb") {
        Some(Format::Mmdb)
    } else {
        None
    }
}
