//! A page whose rows say what they are: for copying them, and for following them.

use ratatui::text::Line;

use super::place::Place;
use crate::{
    model::{Field, visible},
    tui::ui::{
        theme::Theme,
        widgets::page::{Page, Row, Section},
        words,
    },
};

/// A row that can be stood on, counted from the top.
pub type RowId = u16;

/// What a row is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    /// The name of the value.
    pub label: String,
    /// The value as plain text.
    pub value: String,
    /// Where it leads.
    pub lead: Option<Place>,
}

impl Meaning {
    /// A value that leads nowhere.
    pub fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            value: value.into(),
            lead: None,
        }
    }

    /// The same, leading somewhere.
    #[must_use]
    pub fn to(mut self, place: Place) -> Self {
        self.lead = Some(place);
        self
    }
}

/// A page, and what its rows are.
#[derive(Debug)]
pub struct Sheet {
    /// What is drawn.
    pub page: Page<'static, RowId>,
    meanings: Vec<Meaning>,
}

impl Sheet {
    /// What a row is.
    #[must_use]
    pub fn meaning(&self, row: RowId) -> Option<&Meaning> {
        self.meanings.get(usize::from(row))
    }

    /// The first row that leads somewhere.
    #[must_use]
    pub fn first_lead(&self) -> Option<RowId> {
        let lead = self
            .meanings
            .iter()
            .position(|meaning| meaning.lead.is_some())?;
        RowId::try_from(lead).ok()
    }

    /// Every row as `name: value`, a line each.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for row in &self.meanings {
            text.extend([&*visible(&row.label), ": ", &*visible(&row.value), "\n"]);
        }
        text
    }
}

/// Writes a sheet: hands out row numbers and keeps what each row is.
#[derive(Debug)]
pub struct Writer<'t> {
    /// The colours.
    pub theme: &'t Theme,
    page: Page<'static, RowId>,
    meanings: Vec<Meaning>,
}

impl<'t> Writer<'t> {
    /// A writer with nothing written.
    #[must_use]
    pub fn new(theme: &'t Theme) -> Self {
        Self {
            theme,
            page: Page::new(),
            meanings: Vec::new(),
        }
    }

    /// Adds a section at the end; one without rows is left out.
    pub fn push(&mut self, section: Section<'static, RowId>) {
        self.page.push(section);
    }

    /// The sheet.
    #[must_use]
    pub fn finish(self) -> Sheet {
        Sheet {
            page: self.page,
            meanings: self.meanings,
        }
    }

    /// Makes a row one to stand on.
    pub fn anchor(&mut self, row: Row<'static, RowId>, meaning: Meaning) -> Row<'static, RowId> {
        let id = RowId::try_from(self.meanings.len()).unwrap_or(RowId::MAX);
        self.meanings.push(meaning);
        row.anchor(id)
    }

    /// A value beside its name, copied as it is shown.
    pub fn field(&mut self, label: impl Into<String>, value: Line<'static>) -> Row<'static, RowId> {
        let meaning = Meaning::new(label, value.to_string());
        self.anchor(Row::field(meaning.label.clone(), value), meaning)
    }

    /// A text beside its name; an empty one is said to be empty.
    pub fn text_field(
        &mut self,
        label: &'static str,
        field: &Field<String>,
    ) -> Row<'static, RowId> {
        let line = match field {
            Field::Is(text) if text.trim().is_empty() => Line::styled("(empty)", self.theme.dim),
            field => words::shown(field, self.theme, String::clone),
        };
        self.field(label, line)
    }

    /// Several values beside their name; a list without any is said to have none.
    pub fn list_field(
        &mut self,
        label: impl Into<String>,
        field: &Field<Vec<String>>,
    ) -> Row<'static, RowId> {
        let line = words::shown(field, self.theme, |items| match items.as_slice() {
            [] => "none".to_owned(),
            items => items.join("  "),
        });
        self.field(label, line)
    }

    /// A line in dim letters that is not stood on.
    #[must_use]
    pub fn aside(&self, text: impl Into<String>) -> Row<'static, RowId> {
        Row::text(Line::styled(text.into(), self.theme.dim))
    }
}
