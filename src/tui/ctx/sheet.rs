//! A page whose rows carry values and destinations, for copying and following them.

use std::cell::{Cell, RefCell};

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};

use super::Destination;
use crate::{
    engine::Provenance,
    model::visible,
    report::Fact,
    tui::ui::{
        Column, Motion, Page, PageRow, PageState, Pane, Pen, Section, SectionSide, Theme, words,
    },
};

/// A row where the cursor can stop, counted from the top.
pub type SheetRow = u16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// The name of the value.
    pub label: String,
    /// The value as plain text.
    pub value: String,
    pub lead: Option<Destination>,
}

impl Meaning {
    /// A value without a destination.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            lead: None,
        }
    }

    /// The value with a destination, if it has one.
    #[must_use]
    pub fn to(self, lead: impl Into<Option<Destination>>) -> Self {
        let lead = lead.into();
        Self { lead, ..self }
    }
}

/// A page, with the meaning of each row.
#[derive(Debug)]
pub struct Sheet {
    page: Page<'static>,
    meanings: Vec<Meaning>,
}

/// The initial position of the cursor on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On the first row with a destination.
    Lead,
    /// On that row if it is visible without scrolling; else on the first row.
    LeadInView,
}

/// The position on a sheet, and the meanings of its rows at the last drawing.
#[derive(Debug, Default)]
pub struct SheetState {
    page: PageState,
    meanings: RefCell<Vec<Meaning>>,
    start: Cell<Option<Start>>,
}

impl SheetState {
    /// Sets the initial position, for a cursor that has none at the next drawing.
    pub fn start(&mut self, start: Start) {
        self.start.set(Some(start));
    }

    /// Returns to the top, as when the sheet is first shown.
    pub fn rewind(&mut self) {
        *self = Self::default();
    }

    /// Moves; returns whether the position changed.
    pub fn step(&mut self, motion: Motion) -> bool {
        self.page.step(motion)
    }

    /// The row under the cursor.
    #[must_use]
    pub fn focus(&self) -> Option<SheetRow> {
        self.page.focus()
    }

    /// The meaning of the row under the cursor.
    #[must_use]
    pub fn meaning(&self) -> Option<Meaning> {
        let row = usize::from(self.focus()?);
        self.meanings.borrow().get(row).cloned()
    }

    /// All rows as `name: value`, one a line.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in self.meanings.borrow().iter() {
            text.extend([&*visible(&row.label), ": ", &*visible(&row.value), "\n"]);
        }
        text
    }

    /// Keeps the cursor on its row when the sheet changes.
    fn stay(&self, meanings: &[Meaning]) {
        let same = |one: &Meaning, other: &Meaning| {
            (&one.label, &one.value) == (&other.label, &other.value)
        };
        let (Some(row), Some(meaning)) = (self.focus().map(usize::from), self.meaning()) else {
            return;
        };
        if meanings.get(row).is_some_and(|new| same(new, &meaning)) {
            return;
        }
        let gone = meanings.iter().position(|new| same(new, &meaning));
        if let Some(gone) = gone.and_then(|row| SheetRow::try_from(row).ok()) {
            self.page.focus_on(gone);
        }
    }

    /// Draws the sheet in a pane; returns the inner area.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pane: Pane<'_>,
        sheet: Sheet,
        pen: impl Into<Pen<'p>>,
    ) -> Rect {
        let Sheet { page, meanings } = sheet;
        self.stay(&meanings);
        if let Some(start) = self.start.take().filter(|_| self.focus().is_none()) {
            let lead = meanings.iter().position(|meaning| meaning.lead.is_some());
            if let Some(lead) = lead.and_then(|row| SheetRow::try_from(row).ok()) {
                self.page.focus_on(lead);
            }
            let size = Pane::inner(area).as_size();
            if start == Start::LeadInView && page.first_line(size, &self.page) > 0 {
                self.page.focus_on(0);
            }
        }
        self.meanings.replace(meanings);
        page.draw_in(frame, area, pane, &self.page, pen)
    }
}

/// Writes a sheet, section after section: assigns row numbers and collects the meaning of each row.
#[derive(Debug)]
pub struct SheetWriter<'t> {
    pub theme: &'t Theme,
    page: Page<'static>,
    /// The section that was begun.
    section: Option<Section<'static>>,
    meanings: Vec<Meaning>,
    side: Option<SectionSide>,
}

impl<'t> SheetWriter<'t> {
    /// An empty writer.
    #[must_use]
    pub fn new(theme: &'t Theme) -> Self {
        Self {
            theme,
            page: Page::new(),
            section: None,
            meanings: Vec::new(),
            side: None,
        }
    }

    /// Places the following sections on this side, whatever they prefer; `None` restores their preference.
    pub fn place_on(&mut self, side: Option<SectionSide>) {
        self.end();
        self.side = side;
    }

    /// Removes the blank lines between sections.
    pub fn tighten(&mut self) {
        self.page.tighten();
    }

    /// Begins a section, with a dim remark behind its title. The section before is appended.
    pub fn begin(&mut self, title: impl Into<Line<'static>>, remark: &str, side: SectionSide) {
        self.end();
        let mut title = title.into();
        if !remark.is_empty() {
            let remark = Span::styled(format!("  {remark}"), self.theme.dim);
            title.push_span(remark);
        }
        self.section = Some(Section::new(title, side));
    }

    /// Appends the section that was begun, unless it has no rows.
    fn end(&mut self) {
        if let Some(section) = self.section.take() {
            self.page.push(match self.side {
                Some(side) => section.on(side),
                None => section,
            });
        }
    }

    /// Sets the columns of [`SheetWriter::cells`].
    pub fn columns(&mut self, columns: Vec<Column<'static>>) {
        self.section = self.section.take().map(|section| section.columns(columns));
    }

    /// Sets the note at the right of the title.
    pub fn note(&mut self, note: impl Into<Line<'static>>) {
        self.section = self.section.take().map(|section| section.note(note));
    }

    /// Adds a row where the cursor does not stop.
    pub fn put(&mut self, row: impl Into<PageRow<'static>>) {
        if let Some(section) = &mut self.section {
            section.push(row.into());
        }
    }

    /// Adds lines where the cursor does not stop.
    pub fn lines(&mut self, lines: impl IntoIterator<Item = Line<'static>>) {
        lines.into_iter().for_each(|line| self.put(line));
    }

    /// Adds a dim line where the cursor does not stop.
    pub fn remark(&mut self, text: impl Into<String>) {
        self.put(Line::styled(text.into(), self.theme.dim));
    }

    /// Adds a line in the colour of warnings where the cursor does not stop.
    pub fn warning(&mut self, text: impl Into<String>) {
        self.put(Line::styled(text.into(), self.theme.warn));
    }

    /// Adds a row where the cursor stops.
    pub fn stop(&mut self, row: impl Into<PageRow<'static>>, meaning: Meaning) {
        let id = SheetRow::try_from(self.meanings.len()).unwrap_or(SheetRow::MAX);
        self.meanings.push(meaning);
        self.put(row.into().anchor(id));
    }

    /// Adds cells in the columns of the section; the cursor stops there.
    pub fn cells(&mut self, cells: Vec<Line<'static>>, meaning: Meaning) {
        self.stop(PageRow::cells(cells), meaning);
    }

    /// Adds a value beside its name, copied as displayed.
    pub fn value(&mut self, label: impl Into<String>, value: impl Into<Line<'static>>) {
        let (label, value) = (label.into(), value.into());
        let meaning = Meaning::new(label.clone(), value.to_string());
        self.stop(PageRow::field(label, value), meaning);
    }

    /// Adds facts, each beside its label; what is not known is dimmed.
    pub fn facts(&mut self, facts: &[Fact]) {
        for Fact { label, cell } in facts {
            let style = if cell.known {
                self.theme.text
            } else {
                self.theme.dim
            };
            self.value(label.to_string(), Line::styled(cell.text.clone(), style));
        }
    }

    /// Adds the provenance of an answer: the request, its price, and its source.
    pub fn asked(&mut self, provenance: &Provenance) {
        let url = provenance.url.as_str();
        let path = url.find("/v2/").map_or(url, |at| &url[at..]);
        let mut cost = words::queries(provenance.cost.into());
        if provenance.possibly_spent > 0 {
            cost += &format!(", possibly {} more", provenance.possibly_spent);
        }
        let (took, status) = (provenance.elapsed.as_millis(), provenance.status);
        let tries = match provenance.attempts {
            0 | 1 => String::new(),
            tries => format!("  {tries} tries"),
        };
        let line = format!("{path}   {cost}   {took} ms   {status}{tries}");
        let row = PageRow::field("asked", visible(&line).into_owned());
        self.stop(row, Meaning::new("asked", url));
    }

    /// Adds the fields of an answer that the contract does not name, and those that could not be parsed, in this style.
    pub fn beyond(&mut self, unknown: &[String], odd: &[String], lossy: bool, style: Style) {
        self.begin("Beyond the contract", "", SectionSide::Both);
        for (label, paths, style) in [
            ("other keys", unknown, Style::new()),
            ("unreadable", odd, style),
        ] {
            if !paths.is_empty() {
                let names = visible(&paths.join("  ")).into_owned();
                self.value(label, Line::styled(names, style));
            }
        }
        if lossy {
            self.warning("The answer was not UTF-8: unreadable bytes are shown as \u{fffd}.");
        }
    }

    #[must_use]
    pub fn finish(mut self) -> Sheet {
        self.end();
        let (page, meanings) = (self.page, self.meanings);
        Sheet { page, meanings }
    }
}
