//! The days of a feed, and the files of a day: what the service lists and what is local. What is local is shown without any right,
//! and without the network.

mod marked;

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::{Line, Span},
};

use super::{
    browsers::records_of,
    known_feeds::{KnownFeed, form_word, kept_style, kept_word, pull},
};
use crate::{
    contract::{
        Feed, Format,
        catalog::{MmdbForm, Offer},
    },
    engine::{Area, Error, FetchedListing, Kind, PullQuery, WantedRelease},
    model::{Day, listing::ListingEntry, visible},
    store::{Manifest, Moment},
    tui::{
        ctx::{
            AnyList, Asked, ColumnSpec, DayChoice, Destination, Facts, Flow, Gesture, HeldRow,
            HeldRows, List, ListRow, Question, Rows, SignPlace, TabReply, UpdateCtx, Value,
            ViewCtx, Why, failure,
        },
        ui::{Calendar, Focus, Motion, Pane, Theme, Width, cells, widgets::page, words},
    },
};

/// A day, a realtime window, or any other file as it was listed.
#[derive(Debug)]
pub(super) struct DayRow {
    /// Its name for other programs.
    name: String,
    title: String,
    moment: Moment,
    file: Option<ListingEntry>,
    /// The place among the rows.
    place: u128,
    /// Whether the service has it, as far as it was asked.
    service: &'static str,
    local: String,
    kept: &'static str,
    /// Whether it is local in the form that can be browsed.
    is_local: bool,
    /// Whether it is in the warehouse.
    is_loaded: bool,
    /// The cell of a day that is not loaded: `-`, or why that is not known.
    without_load: &'static str,
}

impl DayRow {
    fn of_moment(
        moment: Moment,
        listed: Option<&[Moment]>,
        loaded: &[Moment],
        known: &KnownFeed<'_>,
    ) -> Self {
        let (name, title) = match moment {
            Moment::Day(day) => (day.to_string(), day.dashed()),
            Moment::Window(window) => (window.to_string(), window.clock()),
        };
        let (local, kept) = local(known, moment, None);
        let begins = u128::try_from(moment.begins().as_second()).unwrap_or_default();
        Self {
            name,
            title,
            moment,
            file: None,
            // The newest first.
            place: u128::MAX - begins,
            service: match listed {
                Some(listed) if listed.contains(&moment) => "listed",
                Some(_) => "not listed",
                None => "unknown",
            },
            local,
            kept,
            is_local: known
                .of_moment(moment)
                .any(|manifest| manifest.form() == Format::Json),
            is_loaded: loaded.contains(&moment),
            without_load: known.without_load,
        }
    }

    fn of_file(place: u128, entry: &ListingEntry, day: Day, known: &KnownFeed<'_>) -> Self {
        let moment = Moment::Day(day);
        let (local, kept) = local(known, moment, form_of(entry));
        Self {
            name: entry.name.clone(),
            title: visible(&entry.name).into_owned(),
            moment,
            file: Some(entry.clone()),
            place,
            service: "",
            local,
            kept,
            is_local: false,
            is_loaded: false,
            without_load: "",
        }
    }
}

/// What is local of a release, in one form or in all, and whether newer ones leave it.
fn local(known: &KnownFeed<'_>, moment: Moment, form: Option<Format>) -> (String, &'static str) {
    let own = known.of_moment(moment);
    let own = own.filter(|manifest| form.is_none_or(|form| manifest.form() == form));
    let manifests: Vec<_> = own.collect();
    let words =
        |manifest: &&Manifest| format!("{} {}", form_word(manifest), words::bytes(manifest.bytes));
    let words: Vec<String> = manifests.iter().map(words).collect();
    // Of both forms, that of the one that is pinned.
    let kept = manifests.iter().map(|manifest| kept_word(manifest));
    let kept = kept.min_by_key(|word| (word.is_empty(), *word));
    (words.join("  "), kept.unwrap_or_default())
}

/// The form of a release's file, by its ending.
fn form_of(entry: &ListingEntry) -> Option<Format> {
    let name = entry.name.to_ascii_lowercase();
    let has = |ending| name.strip_suffix(ending).is_some();
    if has(".json.gz") {
        Some(Format::Json)
    } else {
        has(".mmdb").then_some(Format::Mmdb)
    }
}

impl ListRow for DayRow {
    type Key = String;

    const NOUN: &'static str = "release";

    const SIGNS: SignPlace = SignPlace::Nowhere;

    fn key(&self) -> &String {
        &self.name
    }

    fn style(&self, column: &str, theme: &Theme) -> Style {
        match column {
            "service" if self.service != "listed" => theme.dim,
            "warehouse" if !self.is_loaded => theme.dim,
            "local" | "warehouse" => theme.good,
            "kept" => kept_style(self.kept, theme),
            _ => theme.text,
        }
    }
}

const fn title(head: &'static str, name: &'static str, width: Width) -> ColumnSpec<DayRow> {
    ColumnSpec::text(name, head, width, |row: &DayRow| row.title.as_str().into()).unsorted()
}

impl HeldRow for DayRow {
    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        title("DAY", "day", Width::Fixed(10)).sorts_by(|row| Value::Place(row.place), ["", ""]),
        title("WINDOW", "window", Width::Fixed(7)),
        title("FILE", "file", Width::Min(16)),
        ColumnSpec::number("size", "SIZE", Width::Fixed(13), |row: &Self| {
            row.file.as_ref().and_then(|file| file.size).into()
        })
        .rank(1)
        .unsorted(),
        ColumnSpec::text("changed", "CHANGED", Width::Fixed(25), |row: &Self| {
            let file = row.file.as_ref();
            file.and_then(|file| file.modified.as_deref())
                .unwrap_or_default()
                .into()
        })
        .rank(2)
        .unsorted(),
        ColumnSpec::text("service", "SERVICE", Width::Fixed(10), |row: &Self| {
            row.service.into()
        })
        .unsorted(),
        ColumnSpec::text("warehouse", "WAREHOUSE", Width::Fixed(9), |row: &Self| {
            let words = if row.is_loaded {
                "loaded"
            } else {
                row.without_load
            };
            Value::Text(words.into())
        })
        .unsorted(),
        ColumnSpec::text("local", "LOCAL", Width::Min(6), |row: &Self| {
            row.local.as_str().into()
        })
        .unsorted(),
        ColumnSpec::text("kept", "", Width::Fill(8), |row: &Self| {
            Value::Text(row.kept.into())
        })
        .unsorted(),
    ];

    fn text(&self) -> Cow<'_, str> {
        self.title.as_str().into()
    }
}

/// A list that is open: the days of a feed, or the files of one.
#[derive(Debug)]
struct DayPage {
    feed: Feed,
    /// The day of the files; `None` for the days.
    day: Option<Day>,
    listed: Asked<Question, FetchedListing>,
    /// Why it is not known which days are in the warehouse, where there is one.
    not_loaded: Option<Error>,
    list: List<HeldRows<DayRow>>,
}

impl DayPage {
    /// Its title, what its keys do, and the words for an empty list.
    fn words(&self) -> (String, &'static str, &'static str) {
        match self.day.map(Day::dashed) {
            None => (
                "days".to_owned(),
                "enter browses a day that is here, right lists its files, space marks",
                "no day is listed or local",
            ),
            Some(day) if self.has_windows() => (
                format!("windows of {day}"),
                "left and right change the day, / picks one",
                "no window of this day is listed or local",
            ),
            Some(day) => (
                format!("files of {day}"),
                "enter downloads the file, esc back",
                "no files are listed for this day",
            ),
        }
    }

    fn open(feed: Feed, day: Option<Day>, ctx: &mut UpdateCtx<'_>) -> Self {
        let mut page = Self {
            feed,
            day,
            listed: Asked::default(),
            not_loaded: None,
            list: List::default(),
        };
        let has_loads = day.is_none() && ctx.facts.warehouse.is_some();
        let (days, windows) = (day.is_none(), page.has_windows());
        for (name, is_shown) in [
            ("day", days),
            ("window", windows),
            ("service", days || windows),
            ("warehouse", has_loads),
            ("file", !days && !windows),
            ("size", !days && !windows),
            ("changed", !days && !windows),
        ] {
            page.list.hide(name, !is_shown);
        }
        if day.is_some() || feed.row().history != Offer::No {
            page.ask(ctx);
        }
        page
    }

    fn has_windows(&self) -> bool {
        self.day.is_some() && self.feed == Feed::Realtime
    }

    fn ask(&mut self, ctx: &mut UpdateCtx<'_>) {
        let question = match self.day {
            None => Question::Runs(self.feed),
            Some(day) => Question::Files(self.feed, day),
        };
        if ctx.facts.lack_of_feeds().is_none() {
            self.listed.ask_anew(question, ctx);
        }
    }

    /// Makes the rows of what is listed, what is local, and the day that was picked.
    fn fill(&mut self, picked: Option<Day>, known: &KnownFeed<'_>) {
        let listing = self.listed.value().map(|listing| &listing.listing);
        if let (Some(day), false) = (self.day, self.has_windows()) {
            let entries = listing.map_or(&[][..], |listing| &listing.entries);
            let rows = (0..).zip(entries);
            let rows = rows.map(|(at, entry)| DayRow::of_file(at, entry, day, known));
            return self.list.fill(rows.collect());
        }
        let listed: Option<Vec<Moment>> = listing.map(|listing| match self.day {
            None => listing.days().into_iter().map(Moment::Day).collect(),
            Some(day) => listing
                .windows(day)
                .into_iter()
                .map(Moment::Window)
                .collect(),
        });
        let local = known.here.iter().map(|release| &release.manifest);
        let local = local.filter(|manifest| manifest.form() == Format::Json);
        let local = local.map(|manifest| manifest.moment);
        let local = local.filter(|moment| self.day.is_none_or(|day| moment.day() == day));
        let picked = picked.filter(|_| self.day.is_none()).map(Moment::Day);
        let loaded = if self.day.is_none() {
            self.not_loaded = known.not_loaded.cloned();
            known.loaded.clone()
        } else {
            Vec::new()
        };
        let all = listed.iter().flatten().copied().chain(local).chain(picked);
        let all = all.chain(loaded.iter().copied());
        let rows = all.map(|moment| DayRow::of_moment(moment, listed.as_deref(), &loaded, known));
        self.list.fill(rows.collect());
    }
}

/// What opening a row leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayTarget {
    /// The files of a day.
    Files(Day),
    /// The records of the newest local release of a day.
    Browse(Day),
    Pull(PullQuery),
}

/// The lists of a feed that are open. Realtime has only files, the windows of a day.
#[derive(Debug)]
pub(super) struct Days {
    pub(super) feed: Feed,
    top: DayPage,
    /// The list of days under the files of one.
    below: Option<DayPage>,
    /// The day that was picked last: it is in the list, listed or not.
    picked: Option<Day>,
}

impl Days {
    /// Opens the days of a feed; of realtime the windows of today.
    pub(super) fn open(feed: Feed, ctx: &mut UpdateCtx<'_>) -> Self {
        let day = (feed == Feed::Realtime).then(|| Day::of(ctx.out.now));
        Self {
            feed,
            top: DayPage::open(feed, day, ctx),
            below: None,
            picked: None,
        }
    }

    /// The rows that have the keys.
    pub(super) fn list(&self) -> &dyn AnyList {
        &self.below.as_ref().unwrap_or(&self.top).list
    }

    /// Makes the rows anew.
    pub(super) fn update(&mut self, known: &KnownFeed<'_>) {
        for page in self.below.iter_mut().chain([&mut self.top]) {
            page.fill(self.picked, known);
            page.list.keep_in_view();
        }
    }

    fn open_day(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        let files = DayPage::open(self.feed, Some(day), ctx);
        let mut left = std::mem::replace(&mut self.top, files);
        if left.day.is_none() {
            self.below = Some(left);
        } else {
            left.listed.stop(ctx);
        }
    }

    /// Closes the list on top; returns whether one is left.
    pub(super) fn close(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        self.top.listed.stop(ctx);
        match self.below.take() {
            Some(days) => self.top = days,
            None => return false,
        }
        true
    }

    /// Where closing the list on top leads.
    pub(super) fn closes(&self) -> &'static str {
        if self.below.is_some() {
            "days"
        } else {
            "feeds"
        }
    }

    /// Goes to a day: in the list of days to its row, which is made where there is none; where files are shown, to those of that day.
    pub(super) fn pick(&mut self, day: Day, ctx: &mut UpdateCtx<'_>) {
        if self.top.day.is_some() {
            return self.open_day(day, ctx);
        }
        self.picked = Some(day);
        self.top.list.select(day.to_string());
    }

    /// Whether the list on top is that of the days of a feed.
    pub(super) fn are_of(&self, feed: Feed) -> bool {
        self.feed == feed && self.top.day.is_none()
    }

    fn row(&self) -> Option<&DayRow> {
        self.top.list.row()
    }

    /// The name of what is selected.
    pub(super) fn name(&self) -> Option<String> {
        Some(self.row()?.name.clone())
    }

    /// The release that is selected, local or not.
    pub(super) fn selected(&self) -> Option<Moment> {
        Some(self.row()?.moment)
    }

    /// Whether the release that is selected is local in the form that can be browsed.
    pub(super) fn has_local(&self) -> bool {
        let here = self.selected();
        let rows = self.top.list.rows();
        let mut local = rows.all().filter(|row| row.is_local);
        local.any(|row| Some(row.moment) == here)
    }

    /// What opening the selected row leads to.
    ///
    /// # Errors
    /// Why there is nothing to open.
    pub(super) fn target(&self) -> Result<DayTarget, Why> {
        match self.row() {
            Some(row) if row.is_local => {
                let rows = self.top.list.rows();
                let mut rows = (0..rows.len()).filter_map(|at| rows.row(at));
                let newest = rows.find(|row| row.is_local).map_or(row, |row| row);
                if self.top.has_windows() && newest.moment != row.moment {
                    let newest = newest.moment.dashed();
                    let why = format!("only the newest local window of a day is browsed: {newest}");
                    return Err(why.into());
                }
                Ok(DayTarget::Browse(row.moment.day()))
            }
            Some(row) if row.is_loaded => Ok(DayTarget::Browse(row.moment.day())),
            Some(row) if self.top.day.is_none() => Ok(DayTarget::Files(row.moment.day())),
            _ => self.wanted(Format::Json).map(DayTarget::Pull),
        }
    }

    /// The download of what is selected: of a file in its own form, else in this one.
    ///
    /// # Errors
    /// Why there is nothing to download.
    pub(super) fn wanted(&self, form: Format) -> Result<PullQuery, Why> {
        let feed = self.feed;
        if form == Format::Mmdb && feed.row().mmdb == MmdbForm::No {
            return Err(format!("the feed {feed} has no MMDB form").into());
        }
        let (wanted, form) = match (self.row(), self.top.day) {
            (Some(row), _) => {
                let format = row.file.as_ref().map(form_of);
                let only = "only the JSON and the MMDB form are downloaded";
                let form = format.map_or(Some(form), |format| format).ok_or(only)?;
                (row.moment.into(), form)
            }
            // A list that is refused does not say that the file is, too.
            (None, Some(day)) if !self.top.has_windows() && self.top.listed.error().is_some() => {
                (WantedRelease::Day(day), form)
            }
            (None, Some(_)) => return Err("there is no file to download".into()),
            (None, None) => return Err("there is no day to download".into()),
        };
        Ok(PullQuery {
            wanted,
            form,
            ..PullQuery::latest(feed)
        })
    }

    /// Handles a gesture; closes where no list is left.
    pub(super) fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            gesture if self.on_marks(gesture, ctx.out) => {}
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::Refresh => self.top.ask(ctx),
            Gesture::Find => return Flow::Push(self.day_choice(ctx)),
            Gesture::Cancel => return self.top.listed.stop(ctx).into(),
            Gesture::Escape | Gesture::Quit if !self.close(ctx) => return Flow::Close,
            Gesture::Escape | Gesture::Quit => {}
            Gesture::Open => match self.target() {
                Ok(DayTarget::Files(day)) => self.open_day(day, ctx),
                Ok(DayTarget::Pull(query)) => pull(query, ctx),
                Ok(DayTarget::Browse(day)) => {
                    ctx.out.go = Some(Destination::Browse(records_of(self.feed, Some(day))));
                }
                Err(_) => {}
            },
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Moves; left and right go to the day before and after where a day's files are shown, and right opens them.
    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let day = match (self.top.day, motion) {
            (Some(day), Motion::Left) => Some(day.plus(-1)),
            (Some(day), Motion::Right) => Some(day.plus(1)),
            (None, Motion::Right) => self.selected().map(Moment::day),
            _ => {
                self.top.list.on(Gesture::Go(motion), ctx.out);
                return;
            }
        };
        if let Some(day) = day.filter(|day| *day <= Day::of(ctx.out.now)) {
            self.open_day(day, ctx);
        }
    }

    /// A calendar at the selected day, with the days that are listed and those that are local.
    fn day_choice(&self, ctx: &UpdateCtx<'_>) -> Box<DayChoice<Feed>> {
        let today = Day::of(ctx.out.now);
        let selected = self.top.day.or(self.selected().map(Moment::day));
        let days = self.below.as_ref().unwrap_or(&self.top).list.rows().all();
        let days: Vec<&DayRow> = days.collect();
        let days_of = |is: fn(&DayRow) -> bool| {
            let days = days.iter().filter(|row| is(row));
            days.map(|row| row.moment.day()).collect::<Vec<Day>>()
        };
        let listed = days_of(|row| row.service == "listed");
        let start = selected.unwrap_or(today);
        let mut calendar = Calendar::new(start, today, listed).known_as("listed");
        calendar.mark_local(days_of(|row| row.is_local));
        let title = format!("Day of {}", self.feed);
        Box::new(DayChoice::new(
            title,
            calendar,
            self.feed,
            Destination::FeedDay,
        ))
    }

    /// What choosing a day in the calendar does.
    pub(super) fn words_of_choice(&self) -> &'static str {
        if self.top.day.is_some() {
            "enter lists its files, free"
        } else {
            "enter goes to the day, p downloads it there: no query"
        }
    }

    /// Takes the answer to a question of a list; hands back any other.
    pub(super) fn settle<'q>(&mut self, reply: TabReply<'q>) -> Option<TabReply<'q>> {
        let mut pages = self.below.iter_mut().chain([&mut self.top]);
        pages.try_fold(reply, |reply, page| page.listed.settle(reply))
    }

    /// Draws the list on top.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>, focus: Focus) {
        if area.is_empty() {
            return;
        }
        let theme = ctx.theme;
        let DayPage {
            feed,
            listed,
            not_loaded,
            list,
            ..
        } = &self.top;
        let (title, hint, empty) = self.top.words();
        let pending = if listed.is_pending() {
            "  ~ fetching"
        } else {
            ""
        };
        let title = Line::from(vec![
            Span::raw(format!("{feed}  {title}")),
            Span::styled(pending, theme.warn),
        ]);
        let mut inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
        let above = match (listed.error(), ctx.facts.lack_of_feeds()) {
            (Some(error), _) => refused(error, *feed, ctx.facts, theme),
            (None, Some(why)) if listed.is_untouched() => {
                let why = format!("! {why}; only local days are listed");
                vec![Line::styled(why, theme.warn)]
            }
            _ => Vec::new(),
        };
        let mut above = above;
        if let Some(error) = not_loaded {
            let keys = "R refreshes";
            above.extend(failure::lines("warehouse: ", error, "", keys, theme));
        }
        let is_empty = list.rows().is_empty();
        if !above.is_empty() {
            let lines = above.into_iter();
            let lines = lines.flat_map(|line| cells::wrap(line, inner.width));
            let lines: Vec<Line<'_>> = lines.collect();
            // Of what is local two rows stay in view.
            let rows = u16::try_from(list.rows().len().min(2) + 1).unwrap_or(u16::MAX);
            let height = u16::try_from(lines.len()).unwrap_or(u16::MAX);
            let height = height.min(inner.height.saturating_sub(rows));
            let [place, rest] =
                Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(inner);
            page::draw_lines(frame, place, lines, theme);
            inner = rest;
        } else if is_empty {
            let words = if listed.is_pending() {
                "x stops waiting"
            } else {
                empty
            };
            frame.render_widget(Line::styled(words, theme.dim), inner);
        }
        if !is_empty {
            list.draw_rows(frame, inner, focus, false, ctx);
        }
    }
}

/// A list that was refused: most often the account has no access to the past, which costs extra.
fn refused(error: &Error, feed: Feed, facts: &Facts, theme: &Theme) -> Vec<Line<'static>> {
    let (needs, instead, area) = if feed == Feed::Realtime {
        (
            "needs realtime access on the account",
            "the provider adds it; the daily feeds do not need it",
            Area::Realtime,
        )
    } else {
        (
            "needs historical access on the account",
            "the latest release does not: esc, then p downloads it",
            Area::FeedHistory,
        )
    };
    let mut lines = Vec::new();
    if error.kind == Kind::Credentials {
        lines.push(Line::styled(format!("! {needs}"), theme.warn));
        lines.push(Line::styled(instead, theme.dim));
    }
    let keys = "R refreshes; only local days are listed";
    lines.extend(failure::lines("", error, "", keys, theme));
    lines.extend(failure::across(error, area, "", facts, theme));
    lines
}
