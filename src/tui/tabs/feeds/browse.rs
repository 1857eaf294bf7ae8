//! The days of a feed and the files of a day: what the service lists and what is local, each marked as such. What is local is shown without
//! any right, and without the network.

use crate::{
    contract::{Feed, Format, catalog::Offer},
    engine::{FetchedListing, PullQuery, WantedRelease},
    model::{Day, Window, listing::ListingEntry},
    store::{Moment, layout::Release},
    tui::{
        ctx::{UpdateCtx, remote::Remote, request::Question, tab::TabReply},
        ui::{
            cursor::{Cursor, Motion},
            widgets::calendar::Calendar,
        },
    },
};

/// The lists of a feed that are open: its days, and above them the files of one.
#[derive(Debug)]
pub(super) struct Browse {
    pub(super) feed: Feed,
    /// The list of days; realtime has none that is asked for, only its windows of a day.
    pub(super) days: Option<ServiceList<Dated>>,
    /// The list of a day's files.
    pub(super) files: Option<(Day, ServiceList<DayFile>)>,
    /// The local JSON releases, the newest first.
    local: Vec<Moment>,
    /// The day that was picked last: it is in the list, listed or not.
    picked: Option<Day>,
}

/// A day in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dated {
    pub(super) day: Day,
    /// Whether the service lists it.
    pub(super) is_listed: bool,
}

/// What opening a row leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BrowseTarget {
    /// A list that is open now.
    Inside,
    /// The records of the newest local release of a day.
    Browse(Day),
    Pull(PullQuery),
}

/// A list that comes from the service, and where one is in it.
#[derive(Debug)]
pub(super) struct ServiceList<T> {
    pub(super) listed: Remote<FetchedListing>,
    pub(super) rows: Vec<T>,
    pub(super) cursor: Cursor,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum DayFile {
    /// A realtime window, and whether the service lists it.
    Window(Window, bool),
    /// Any other, as it was listed.
    Entry(ListingEntry),
}

impl<T> Default for ServiceList<T> {
    fn default() -> Self {
        Self {
            listed: Remote::default(),
            rows: Vec::new(),
            cursor: Cursor::default(),
        }
    }
}

impl<T> ServiceList<T> {
    fn selected(&self) -> Option<&T> {
        self.rows.get(self.cursor.selected(self.rows.len())?)
    }

    fn ask(&mut self, question: Question, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.listed);
        self.listed.begin(ctx.ask(question));
    }

    fn show(&mut self, rows: Vec<T>) {
        self.rows = rows;
        self.cursor.select(self.cursor.index(), self.rows.len());
    }
}

impl Browse {
    /// Opens the days of a feed, with the local releases in both forms; of realtime the windows of `today`.
    pub(super) fn open(feed: Feed, local: &[&Release], ctx: &mut UpdateCtx<'_>) -> Self {
        let mut browse = Self {
            feed,
            days: None,
            files: None,
            local: moments_of(local),
            picked: None,
        };
        if feed == Feed::Realtime {
            browse.open_day(Day::of(ctx.out.now), ctx);
        } else {
            let mut days = ServiceList::default();
            if may_ask(ctx) && feed.row().history != Offer::No {
                days.ask(Question::Runs(feed), ctx);
            }
            browse.days = Some(days);
        }
        browse.show();
        browse
    }

    /// Takes what is local now.
    pub(super) fn show_local(&mut self, local: &[&Release]) {
        self.local = moments_of(local);
        self.show();
    }

    fn open_day(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        if let Some((_, files)) = &mut self.files {
            ctx.stop(&mut files.listed);
        }
        let mut files = ServiceList::default();
        if may_ask(ctx) {
            files.ask(Question::Files(self.feed, day), ctx);
        }
        self.files = Some((day, files));
        self.show();
    }

    /// Fills the lists with the service's and the local releases.
    fn show(&mut self) {
        let local = &self.local;
        if let Some(days) = &mut self.days {
            let listed = days.listed.value();
            let listed = listed.map_or_else(Vec::new, |own| own.listing.days());
            let mut all: Vec<Day> = local.iter().map(|own| own.day()).collect();
            all.extend(&listed);
            all.extend(self.picked);
            all.sort_unstable_by(|one, other| other.cmp(one));
            all.dedup();
            let dated = |day| Dated {
                day,
                is_listed: listed.contains(&day),
            };
            days.show(all.into_iter().map(dated).collect());
        }
        if let Some((day, files)) = &mut self.files {
            let rows = files_of(self.feed, *day, files.listed.value(), local);
            files.show(rows);
        }
    }

    /// A calendar at the selected day, with the days that are listed and those that are local.
    pub(super) fn calendar(&self, ctx: &UpdateCtx<'_>) -> Calendar {
        let today = Day::of(ctx.out.now);
        let start = match (&self.files, self.selected()) {
            (Some((day, _)), _) => *day,
            (None, selected) => selected.map_or(today, Moment::day),
        };
        let rows = self.days.iter().flat_map(|days| &days.rows);
        let listed = rows.filter(|own| own.is_listed).map(|own| own.day);
        let mut calendar = Calendar::new(start, today, listed.collect()).known_as("listed");
        calendar.mark_local(self.local.iter().map(|own| own.day()).collect());
        calendar
    }

    /// Goes to a day: in the list of days to its row, which is made where there is none; where files are shown, to those of that day.
    pub(super) fn pick(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        if self.files.is_some() {
            return self.open_day(day, ctx);
        }
        self.picked = Some(day);
        self.show();
        if let Some(days) = &mut self.days
            && let Some(at) = days.rows.iter().position(|own| own.day == day)
        {
            days.cursor.select(at, days.rows.len());
        }
    }

    /// Whether a row is of a local JSON release.
    pub(super) fn is_local(&self, moment: Moment) -> bool {
        self.local.contains(&moment)
    }

    /// The release that is selected, local or not.
    pub(super) fn selected(&self) -> Option<Moment> {
        match (&self.files, &self.days) {
            (Some((day, files)), _) => Some(match files.selected()? {
                DayFile::Window(window, _) => Moment::Window(*window),
                DayFile::Entry(_) => Moment::Day(*day),
            }),
            (None, Some(days)) => days.selected().map(|own| Moment::Day(own.day)),
            (None, None) => None,
        }
    }

    /// Asks for the list on top again.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !may_ask(ctx) {
            return;
        }
        match (&mut self.files, &mut self.days) {
            (Some((day, files)), _) => files.ask(Question::Files(self.feed, *day), ctx),
            (None, Some(days)) => days.ask(Question::Runs(self.feed), ctx),
            (None, None) => {}
        }
    }

    /// Moves; left and right go to the day before and after, where a day's files are shown.
    pub(super) fn step(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        match (&mut self.files, &mut self.days) {
            (Some((day, files)), _) => {
                let other = match motion {
                    Motion::Left => day.plus(-1),
                    Motion::Right => day.plus(1),
                    _ => {
                        files.cursor.step(motion, files.rows.len());
                        return;
                    }
                };
                if other <= Day::of(ctx.out.now) {
                    self.open_day(other, ctx);
                }
            }
            (None, Some(days)) if motion == Motion::Right => {
                if let Some(dated) = days.selected().copied() {
                    self.open_day(dated.day, ctx);
                }
            }
            (None, Some(days)) => {
                days.cursor.step(motion, days.rows.len());
            }
            (None, None) => {}
        }
    }

    /// Opens what is selected: the records of what is local, else the files of a day; a file is a release to download.
    ///
    /// # Errors
    /// Why there is nothing to open, in words.
    pub(super) fn enter(&mut self, ctx: &mut UpdateCtx<'_>) -> Result<BrowseTarget, String> {
        let none = "there is no day to open";
        let moment = self.selected();
        if let Some(Moment::Window(window)) = moment
            && self.is_local(Moment::Window(window))
        {
            let of_day = |own: &&Moment| own.day() == window.day;
            let newest = self.local.iter().find(of_day);
            if newest != moment.as_ref() {
                let newest = newest.map_or_else(String::new, |own| own.dashed());
                return Err(format!(
                    "only the newest local window of a day is browsed: {newest}"
                ));
            }
            return Ok(BrowseTarget::Browse(window.day));
        }
        if self.files.is_some() {
            return self.wanted(Format::Json).map(BrowseTarget::Pull);
        }
        let day = moment.ok_or(none)?.day();
        if self.is_local(Moment::Day(day)) {
            return Ok(BrowseTarget::Browse(day));
        }
        self.open_day(day, ctx);
        Ok(BrowseTarget::Inside)
    }

    /// The download of what is selected: of a file in its own form, else in this one.
    ///
    /// # Errors
    /// Why there is nothing to download, in words.
    pub(super) fn wanted(&self, form: Format) -> Result<PullQuery, String> {
        let latest = PullQuery {
            form,
            ..PullQuery::latest(self.feed)
        };
        let of_day = |day| PullQuery {
            wanted: WantedRelease::Day(day),
            ..latest
        };
        let Some((day, files)) = &self.files else {
            let moment = self.selected();
            return moment
                .map(|moment| of_day(moment.day()))
                .ok_or_else(|| "there is no day to download".to_owned());
        };
        match files.selected() {
            Some(DayFile::Window(window, _)) => Ok(PullQuery {
                wanted: WantedRelease::Window(*window),
                ..latest
            }),
            Some(DayFile::Entry(entry)) => {
                let form =
                    form_of(entry).ok_or("only the JSON and the MMDB form are downloaded")?;
                Ok(PullQuery {
                    form,
                    ..of_day(*day)
                })
            }
            // A list that is refused does not say that the file is, too.
            None if self.feed != Feed::Realtime && files.listed.error().is_some() => {
                Ok(of_day(*day))
            }
            None => Err("there is no file to download".to_owned()),
        }
    }

    /// Closes the list on top; returns whether one is left.
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

    /// Where closing the list on top leads.
    pub(super) fn closes(&self) -> &'static str {
        match (&self.files, &self.days) {
            (Some(_), Some(_)) => "days",
            _ => "feeds",
        }
    }

    /// Stops waiting for the list on top; returns whether it was waited for.
    pub(super) fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match (&mut self.files, &mut self.days) {
            (Some((_, files)), _) => ctx.stop(&mut files.listed),
            (None, Some(days)) => ctx.stop(&mut days.listed),
            (None, None) => false,
        }
    }

    /// An answer arrived; one to a list that was closed or left meanwhile is dropped.
    pub(super) fn answered(&mut self, reply: TabReply<'_>) {
        let accepted = match (reply.question, &mut self.days, &mut self.files) {
            (Question::Runs(_), Some(days), _) => days.listed.settle(reply.job, reply.result),
            (Question::Files(..), _, Some((_, files))) => {
                files.listed.settle(reply.job, reply.result)
            }
            _ => false,
        };
        if accepted {
            self.show();
        }
    }

    /// The name of what is selected.
    pub(super) fn name(&self) -> Option<String> {
        match (&self.files, &self.days) {
            (Some((_, files)), _) => files.selected().map(DayFile::name),
            (None, Some(days)) => days.selected().map(|own| own.day.to_string()),
            (None, None) => None,
        }
    }
}

impl DayFile {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Window(window, _) => window.to_string(),
            Self::Entry(entry) => entry.name.clone(),
        }
    }
}

/// The files of a day, windows the newest first, local ones among them.
fn files_of(
    feed: Feed,
    day: Day,
    listed: Option<&FetchedListing>,
    local: &[Moment],
) -> Vec<DayFile> {
    if feed != Feed::Realtime {
        let entries = listed.map_or(&[][..], |own| &own.listing.entries);
        return entries.iter().cloned().map(DayFile::Entry).collect();
    }
    let listed = listed.map_or_else(Vec::new, |own| own.listing.windows(day));
    let local = local.iter().filter_map(|own| match own {
        Moment::Window(window) => Some(*window).filter(|window| window.day == day),
        Moment::Day(_) => None,
    });
    let mut all: Vec<Window> = listed.iter().copied().chain(local).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    all.dedup();
    let file = |window| DayFile::Window(window, listed.contains(&window));
    all.into_iter().map(file).collect()
}

/// The JSON releases among these, the newest first.
fn moments_of(local: &[&Release]) -> Vec<Moment> {
    let json = local
        .iter()
        .filter(|own| own.manifest.form() == Format::Json);
    let mut moments: Vec<Moment> = json.map(|own| own.manifest.moment).collect();
    moments.sort_unstable_by(|one, other| other.cmp(one));
    moments
}

/// Whether the feeds host can be asked.
fn may_ask(ctx: &UpdateCtx<'_>) -> bool {
    ctx.facts.lack_of_feeds().is_none()
}

/// The form of a release's file, by its ending.
pub(super) fn form_of(entry: &ListingEntry) -> Option<Format> {
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
