//! The raw JSON of the service in place of the record, with a search field.

use std::any::Any;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
    widgets::Clear,
};

use crate::{
    model::Document,
    tui::{
        ctx::{Flow, Gesture, Scope, Surface, UpdateCtx, ViewCtx, Yank},
        ui::{Focus, JsonTree, Pane, Pen, TextField},
    },
};

/// The message if there is no next match.
pub(super) const NOT_SEARCHED: &str = "nothing is searched for: / finds text in the JSON";

/// A view of a JSON tree.
#[derive(Debug)]
pub struct RawView {
    title: String,
    tree: JsonTree,
    finding: Option<TextField>,
}

/// Whether a surface is the raw JSON, which takes the place of a pane.
pub(super) fn is_raw(surface: &dyn Surface) -> bool {
    let surface: &dyn Any = surface;
    surface.is::<RawView>()
}

/// The actions of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RawAction {
    NextMatch,
    PreviousMatch,
    FoldAll,
    UnfoldAll,
}

impl RawAction {
    /// Whether the action goes to a match of the search.
    #[must_use]
    pub fn is_to_match(self) -> bool {
        matches!(self, Self::NextMatch | Self::PreviousMatch)
    }
}

impl RawView {
    /// The tree of a document with this title.
    #[must_use]
    pub fn of(title: String, document: &Document) -> Self {
        Self {
            title,
            tree: JsonTree::new(document.value().clone()),
            finding: None,
        }
    }

    /// Whether a search is active.
    #[must_use]
    pub fn is_searched(&self) -> bool {
        self.tree.matches().is_some()
    }

    /// Performs an action of the tree.
    pub fn act(&mut self, action: RawAction) {
        match action {
            RawAction::FoldAll => self.tree.fold_all(),
            RawAction::UnfoldAll => self.tree.unfold_all(),
            RawAction::NextMatch => self.tree.next_match(),
            RawAction::PreviousMatch => self.tree.previous_match(),
        }
    }

    /// Opens the search field.
    pub fn find(&mut self) {
        self.finding = Some(TextField::new("find in keys and values"));
    }
}

impl Surface for RawView {
    fn scope(&self) -> Scope {
        if self.finding.is_some() {
            Scope::Input
        } else {
            Scope::Json
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        self.finding.as_mut()
    }

    fn typed(&mut self) {
        if let Some(finding) = &self.finding {
            self.tree.search(finding.value());
        }
    }

    /// Copies the selected value, with or without its path.
    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let path = self.tree.selected_path();
        let value = self.tree.selected_value();
        match (what, value.as_str()) {
            (Yank::Row, Some(text)) => ctx.out.copy(path.clone(), format!("{path}: {text}")),
            (Yank::Row, None) => ctx.out.copy(path.clone(), format!("{path}: {value}")),
            (Yank::Value, Some(text)) => ctx.out.copy(path, text),
            (Yank::Value, None) => ctx.out.copy_json(path, &value.to_string()),
            _ => return false,
        }
        true
    }

    fn on(&mut self, gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        match (gesture, self.finding.is_some()) {
            (Gesture::Open, true) => self.finding = None,
            (Gesture::Escape, true) => {
                self.finding = None;
                self.tree.search("");
            }
            (Gesture::Go(motion), _) => self.tree.step(motion),
            (_, true) => return Flow::Ignored,
            (Gesture::Open, _) => self.tree.toggle(),
            (Gesture::Find, _) => self.find(),
            (Gesture::Raw | Gesture::Escape | Gesture::Quit, _) => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        frame.render_widget(Clear, area);
        frame.buffer_mut().set_style(area, theme.base);
        // Keys go to it alone, and so do clicks.
        ctx.spots.begin();
        ctx.spots.pane(area, 0);
        let title = Line::from(vec![
            Span::raw(format!("{}  raw JSON  ", self.title)),
            Span::styled(self.tree.selected_path(), theme.dim),
        ]);
        let hint = self.tree.matches().unwrap_or_default();
        let pane = Pane::new(title, Focus::Here).hint(hint);
        let mut inner = pane.draw(frame, area, theme);
        if let Some(finding) = &self.finding {
            let [line, rest] =
                Layout::vertical([Constraint::Length(1), Constraint::Min(0)]).areas(inner);
            finding.draw_behind("/", frame, line, theme);
            inner = rest;
        }
        self.tree.draw(frame, inner, Pen::from(ctx), Focus::Here);
    }
}
