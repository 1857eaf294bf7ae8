//! The days of an address: what is at hand of each, what that adds to the verdict, and the strip.

use std::sync::Arc;

use ratatui::{
    style::Style,
    text::{Line, Span},
};

use super::sources::SourceAnswer;
use crate::{
    contract::{Feed, LookupQuery},
    engine::DayPlace,
    investigation::history::{
        DayFinding, DaySource, History, HistoryQuery, Strip, StripCell, UnknownDay,
    },
    model::{Day, Subject, visible},
    report::{
        HistoryWords, ListForm, ListStyle, ListText, StripSymbols, history_columns, strip_legend,
    },
    tui::{
        ctx::{Asked, ListInFront, Meaning, Question, SheetWriter, TabReply, UpdateCtx},
        ui::{Theme, cells},
    },
};

/// The least cells of a strip.
const LEAST_CELLS: u16 = 8;
/// A date and the blanks beside the cells.
const DATE: u16 = 12;

/// A walk along the days.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    /// Where it began.
    pub(super) from: LookupQuery,
    /// Where it is.
    pub(super) at: LookupQuery,
    /// Whether that was opened for the walk alone.
    pub(super) is_new: bool,
}

/// What is at hand of each day of an address: first on this machine, then in the warehouse, too.
#[derive(Debug, Default)]
pub(super) struct CaseDays {
    here: Asked<Question, Option<Arc<History>>>,
    beyond: Asked<Question, Option<Arc<History>>>,
    /// The same with the answer that is shown.
    shown: Option<ShownDays>,
}

/// The days with the answer that is shown.
#[derive(Debug)]
pub(super) struct ShownDays {
    pub(super) history: History,
    /// The day of the answer, else the day that was asked for.
    pub(super) day: Day,
    /// What the days before add to its verdict; what is known of the last known day, where there is no answer.
    pub(super) words: Option<String>,
    /// Whether that is of a tunnel or a proxy which the answer does not have.
    pub(super) is_warning: bool,
    /// The last known day before with another verdict.
    pub(super) other: Option<Day>,
}

impl CaseDays {
    /// The same for another day of the address, so that it need not be read again.
    pub(super) fn of_sibling(&self) -> Self {
        Self {
            here: self.here.answered_alone(),
            beyond: self.beyond.answered_alone(),
            shown: None,
        }
    }

    pub(super) fn ask(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        let days = |place| {
            Question::History(Box::new(HistoryQuery {
                subject: Subject::Address(query.address),
                feeds: Vec::new(),
                from: None,
                to: Day::of(ctx.out.now),
                place,
            }))
        };
        let (here, beyond) = (days(DayPlace::Disk), days(DayPlace::DiskThenWarehouse));
        let has_warehouse = ctx.facts.warehouse.is_some() && !ctx.facts.offline;
        self.here.ask_once(here, ctx);
        if has_warehouse {
            self.beyond.ask_once(beyond, ctx);
        } else {
            self.stop_beyond(ctx);
        }
    }

    /// The days as they are written to a file: CSV has a row a day, the others a row for each verdict that held.
    pub(super) fn written(&self, query: LookupQuery) -> Option<ListInFront<'_>> {
        let shown = self.shown.as_ref()?;
        let words = shown.words_of(query);
        let rows = move |form| match form {
            ListForm::Csv => words.days(),
            _ => words.stretches(),
        };
        let write = move |style: ListStyle| {
            let columns = history_columns();
            let mut list = ListText::begin(style, &columns);
            for row in rows(style.form) {
                list.push(&columns, &row, &query.address.to_string());
            }
            list
        };
        let number = shown.history.findings.len() as u64;
        Some(ListInFront::Made(number, "day", Box::new(write)))
    }

    /// Lets them be read anew. Until the warehouse has answered again, what is here counts.
    pub(super) fn expire(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.here.expire(ctx);
        self.stop_beyond(ctx);
    }

    fn stop_beyond(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.beyond.stop(ctx);
        self.beyond = Asked::default();
    }

    /// Whether nothing was asked about them.
    pub(super) fn is_untouched(&self) -> bool {
        self.here.is_untouched() && self.beyond.is_untouched()
    }

    /// Whether they are being read, or could not be.
    pub(super) fn is_unread(&self) -> bool {
        self.here.is_pending() || self.here.error().is_some()
    }

    pub(super) fn is_pending(&self) -> bool {
        self.here.is_pending()
    }

    /// Why they could not be read.
    pub(super) fn error_in_words(&self) -> Option<String> {
        let why = self.here.error().or(self.beyond.error())?;
        let why = visible(&why.message);
        Some(format!("x the days before were not read: {why}"))
    }

    /// Forgets what is on no screen.
    pub(super) fn hide(&mut self) {
        self.shown = None;
    }

    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.here.stop(ctx);
        self.beyond.stop(ctx);
    }

    pub(super) fn settle<'q>(&mut self, reply: TabReply<'q>) -> Option<TabReply<'q>> {
        self.beyond.settle(self.here.settle(reply)?)
    }

    fn history(&self) -> Option<&History> {
        let beyond = self.beyond.value().and_then(Option::as_deref);
        beyond.or_else(|| self.here.value()?.as_deref())
    }

    /// Takes the answer that is shown among the days.
    pub(super) fn show(
        &mut self,
        query: LookupQuery,
        answer: Option<&SourceAnswer>,
        is_recalled: bool,
    ) {
        self.shown = self.history().map(|history| {
            let mut history = history.clone();
            let day = answer.and_then(SourceAnswer::day).or(query.date);
            let asked = || Some(Day::of(answer?.asked()?.asked_at));
            let day = day.or_else(asked).unwrap_or_else(|| history.to());
            if let Some(answer) = answer {
                history.set(day, finding(answer, is_recalled));
            }
            ShownDays::of(history, day, query, answer.is_some())
        });
    }

    #[must_use]
    pub(super) fn shown(&self) -> Option<&ShownDays> {
        self.shown.as_ref()
    }
}

/// What an answer says of its day.
fn finding(answer: &SourceAnswer, is_recalled: bool) -> DayFinding {
    let source = match (answer.is_live() && !is_recalled, answer.local()) {
        (true, _) => DaySource::Live,
        (false, Some(record)) => DaySource::Feeds(record.release.manifest.place()),
        (false, None) => DaySource::Cached,
    };
    match answer.document() {
        Some(document) => DayFinding::of(document, source),
        None => DayFinding::Absent(source),
    }
}

/// A strip as it is drawn.
#[derive(Debug)]
pub(super) struct DrawnStrip {
    pub(super) line: Line<'static>,
    /// What its signs mean.
    pub(super) legend: String,
    /// Cells before the first day.
    pub(super) before: u16,
    strip: Strip,
}

impl DrawnStrip {
    /// The cell of a day.
    pub(super) fn cell_of(&self, day: Day) -> Option<usize> {
        self.strip.cell_of(day)
    }
}

impl ShownDays {
    fn of(history: History, day: Day, query: LookupQuery, has_answer: bool) -> Self {
        let until = history.until(day);
        let words = HistoryWords {
            history: &until,
            subject: Subject::Address(query.address),
        };
        let is_seen_now = until.on(day).is_some_and(DayFinding::is_seen);
        let was_seen = until.findings.iter().any(DayFinding::is_seen);
        let is_known = until.findings.iter().any(DayFinding::is_known);
        Self {
            words: if has_answer {
                // Of an answer that is newer than these days they say nothing.
                words.beside_verdict().filter(|_| until.on(day).is_some())
            } else {
                is_known.then(|| words.sentence())
            },
            is_warning: was_seen && !is_seen_now,
            other: until.last_other(day),
            day,
            history,
        }
    }

    fn words_of(&self, query: LookupQuery) -> HistoryWords<'_> {
        HistoryWords {
            history: &self.history,
            subject: Subject::Address(query.address),
        }
    }

    /// Whether it is known that no local feed has a record of the day.
    pub(super) fn is_absent(&self) -> bool {
        self.history
            .on(self.day)
            .is_some_and(DayFinding::is_absent_in_feeds)
    }

    /// That nothing is known of the day, and what mends it.
    pub(super) fn unknown_in_words(&self, can_download: bool) -> Option<String> {
        let day = self.day.dashed();
        match self.history.on(self.day)? {
            // What is known says so.
            DayFinding::Absent(_) => None,
            DayFinding::Record(day_record) => {
                let source = day_record.source.word();
                Some(format!(
                    "There is a {source} record of {day}; this question has no answer yet."
                ))
            }
            DayFinding::Unknown(UnknownDay::NotAnswered) => {
                Some(format!("A query about {day} has no answer."))
            }
            DayFinding::Unknown(UnknownDay::Unread(feed)) => {
                Some(format!("Nothing is known of {day}: {feed} was not read."))
            }
            DayFinding::Unreadable => Some(format!(
                "The local data of {day} cannot be read: 4 opens Feeds, P i indexes it again."
            )),
            DayFinding::Unknown(UnknownDay::NotAt(_, feed)) => {
                let download = if can_download { "; p downloads it" } else { "" };
                Some(format!(
                    "Nothing is known of {day}: {feed} is not local{download}."
                ))
            }
        }
    }

    /// What the days before add, as a line.
    pub(super) fn line(&self, theme: &Theme) -> Option<Line<'static>> {
        let style = if self.is_warning {
            theme.warn
        } else {
            theme.text
        };
        Some(Line::styled(self.words.clone()?, style))
    }

    /// The strip with the dates at its ends, these days marked; its legend. A screen that is read aloud has the stretches in words.
    pub(super) fn strip(
        &self,
        marked: &[Day],
        query: LookupQuery,
        width: u16,
        theme: &Theme,
    ) -> Option<DrawnStrip> {
        if self.history.findings.len() < 2 {
            return None;
        }
        let room = width.saturating_sub(2 * DATE).max(LEAST_CELLS);
        let strip = Strip::of(&self.history, room.into());
        let marks: Vec<usize> = marked
            .iter()
            .filter_map(|day| strip.cell_of(*day))
            .collect();
        let date = |day: Day| Span::styled(day.dashed(), theme.dim);
        let mut line = Line::from(vec![date(self.history.from), Span::raw("  ")]);
        for (at, cell) in strip.cells.iter().enumerate() {
            let sign = StripSymbols::Unicode.of(*cell).to_string();
            let mut style = style_of(*cell, theme);
            if marks.contains(&at) {
                style = theme.selected.patch(style);
            }
            line.push_span(Span::styled(sign, style));
        }
        line.extend([Span::raw("  "), date(self.history.to())]);
        let mut legend = strip_legend(&strip, StripSymbols::Unicode).join("  ");
        if theme.spoken {
            line = Line::raw(self.words_of(query).spoken());
            legend.clear();
        }
        Some(DrawnStrip {
            line,
            legend,
            before: DATE,
            strip,
        })
    }

    /// Writes what the days before add.
    pub(super) fn push_words(&self, writer: &mut SheetWriter<'_>) {
        if let (Some(line), Some(words)) = (self.line(writer.theme), &self.words) {
            writer.stop(line, Meaning::new("days", words.clone()));
        }
    }

    /// Writes the strip, and what its signs mean.
    pub(super) fn push_strip(
        &self,
        query: LookupQuery,
        is_narrow: bool,
        width: u16,
        writer: &mut SheetWriter<'_>,
    ) {
        let theme = writer.theme;
        writer.lines(self.strip_lines(query, is_narrow, width, theme));
    }

    /// The strip and what its signs mean: in one line where there is room, on a small screen else without.
    pub(super) fn strip_lines(
        &self,
        query: LookupQuery,
        is_narrow: bool,
        width: u16,
        theme: &Theme,
    ) -> Vec<Line<'static>> {
        let Some(drawn) = self.strip(&[self.day], query, width, theme) else {
            return Vec::new();
        };
        let mut line = drawn.line;
        let legend = Span::styled(drawn.legend, theme.dim);
        let both = cells::line_width(&line) + 3 + cells::width(&legend.content);
        if both <= width {
            line.extend([Span::raw("   "), legend]);
            vec![line]
        } else if is_narrow || legend.content.is_empty() {
            vec![line]
        } else {
            vec![line, Line::from(legend)]
        }
    }

    /// The days around the one shown that nothing is known of, each with the feed that may have a record. Today may have no release yet.
    pub(super) fn missing(&self) -> Vec<(Feed, Day)> {
        let Some(stretch) = self.history.stretch_of(self.day) else {
            return Vec::new();
        };
        let days = std::iter::successors(Some(stretch.from), |day| Some(day.plus(1)));
        let days = days.zip(stretch.findings);
        let days = days.filter(|(day, _)| *day < self.history.to());
        let missing = days.filter_map(|(day, finding)| match finding {
            DayFinding::Unknown(UnknownDay::NotAt(_, feed)) => Some((*feed, day)),
            _ => None,
        });
        missing.collect()
    }
}

fn style_of(cell: StripCell, theme: &Theme) -> Style {
    match cell {
        StripCell::Operators(_) | StripCell::Unattributed => theme.bad,
        StripCell::Mixed | StripCell::Undecided | StripCell::Unreadable => theme.warn,
        StripCell::NothingSeen | StripCell::Absent | StripCell::Unknown => theme.dim,
    }
}
