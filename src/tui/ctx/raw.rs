//! The service's own JSON in the place of what was read from it, with a field to search it.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use super::{
    intent::{Intent, Scope, Yank},
    outbox::Outbox,
};
use crate::{
    model::Document,
    tui::ui::{
        theme::{Focus, Theme},
        widgets::{json_tree::JsonTree, pane::Pane, text_field::TextField},
    },
};

/// A tree of JSON that is being read.
#[derive(Debug)]
pub struct Raw {
    tree: JsonTree,
    finding: Option<TextField>,
}

/// What became of an intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acted {
    /// It was carried out.
    Done,
    /// The tree is to be closed.
    Closed,
    /// It means nothing here.
    Ignored,
}

impl Raw {
    /// The tree of a document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        Self {
            tree: JsonTree::new(document.value().clone()),
            finding: None,
        }
    }

    /// Where keys are looked up.
    #[must_use]
    pub fn scope(&self) -> Scope {
        if self.finding.is_some() {
            Scope::Input
        } else {
            Scope::Json
        }
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        self.finding.as_mut()
    }

    /// What was typed has changed.
    pub fn typed(&mut self) {
        if let Some(finding) = &self.finding {
            self.tree.search(finding.value());
        }
    }

    /// Does what a person wants, in a window of `height` rows.
    pub fn act(&mut self, intent: Intent, height: usize) -> Acted {
        if self.finding.is_some() {
            return self.act_on_field(intent);
        }
        match intent {
            Intent::Go(motion) => self.tree.step(motion, height),
            Intent::Open => self.tree.toggle(height),
            Intent::FoldAll => self.tree.fold_all(),
            Intent::UnfoldAll => self.tree.unfold_all(),
            Intent::NextMatch => self.tree.next_match(height),
            Intent::PreviousMatch => self.tree.previous_match(height),
            Intent::Find => self.finding = Some(TextField::new("find in keys and values")),
            Intent::Raw | Intent::Escape | Intent::Quit => return Acted::Closed,
            _ => return Acted::Ignored,
        }
        Acted::Done
    }

    fn act_on_field(&mut self, intent: Intent) -> Acted {
        match intent {
            Intent::Open => self.finding = None,
            Intent::Escape => {
                self.finding = None;
                self.tree.search("");
            }
            _ => return Acted::Ignored,
        }
        Acted::Done
    }

    /// Copies the selected value, alone or with its path; says whether that was asked for.
    pub fn yank(&self, what: Yank, out: &mut Outbox) -> bool {
        if !matches!(what, Yank::Value | Yank::Row) {
            return false;
        }
        let path = self.tree.selected_path();
        let value = self.tree.selected_value();
        match (what, value.as_str()) {
            (Yank::Row, Some(text)) => out.copy(path.clone(), format!("{path}: {text}")),
            (Yank::Row, None) => out.copy(path.clone(), format!("{path}: {value}")),
            (_, Some(text)) => out.copy(path, text),
            (_, None) => out.copy_json(path, &value.to_string()),
        }
        true
    }

    /// Draws the tree in a pane; `name` says of what it is.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, name: &str, theme: &Theme, focus: Focus) {
        let title = Line::from(vec![
            Span::raw(format!("{name}  raw JSON  ")),
            Span::styled(self.tree.selected_path(), theme.dim),
        ]);
        let hint = self.tree.matches().unwrap_or_default();
        let mut inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
        if let Some(finding) = &self.finding {
            let [line, rest] =
                Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(inner);
            finding.draw_behind("/", frame, line, theme);
            inner = rest;
        }
        self.tree.draw(frame, inner, theme, focus);
    }
}
