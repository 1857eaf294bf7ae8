//! A JSON document as a tree to fold and to search, with a cursor.
//!
//! The document is laid out once, as a list of nodes in reading order (see `nodes`). What is in view follows from it: the
//! rows are listed again only when something is folded or unfolded, and drawing looks at those rows alone that are on the
//! screen. So a document of many thousand values scrolls as lightly as a small one.
//!
//! The root has no row of its own as long as there is something in it.

mod nodes;
mod row;

use ratatui::{Frame, layout::Rect};
use serde_json::Value;

use crate::tui::ui::{
    cursor::{Cursor, Motion},
    spots::Pen,
    theme::Focus,
};
use nodes::Nodes;

/// A document, what of it is unfolded, and where one is in it.
#[derive(Debug)]
pub struct JsonTree {
    document: Value,
    nodes: Nodes,
    /// The nodes that have a row, in order.
    rows: Vec<usize>,
    cursor: Cursor,
    search: Option<TreeSearch>,
}

/// What is searched for, in lower case, and the nodes that have it, in order.
#[derive(Debug)]
struct TreeSearch {
    needle: String,
    found: Vec<usize>,
}

impl JsonTree {
    /// Values up to which a document is unfolded as a whole at first.
    pub const SMALL: usize = 60;

    /// Levels of a larger document that are seen at first.
    pub const LEVELS: usize = 2;

    /// A tree of this document, at its beginning.
    #[must_use]
    pub fn new(document: Value) -> Self {
        let mut nodes = Nodes::of(&document);
        let levels = if nodes.len() <= Self::SMALL {
            usize::MAX
        } else {
            Self::LEVELS
        };
        nodes.unfold_above(levels);
        Self {
            rows: nodes.rows(),
            document,
            nodes,
            cursor: Cursor::default(),
            search: None,
        }
    }

    /// Moves by rows; to the left it folds or goes to the parent, to the right it unfolds or goes to the first child.
    pub fn step(&mut self, motion: Motion) {
        let here = self.here();
        let unfolded = self.nodes.is_unfolded(here);
        match motion {
            Motion::Left if unfolded => self.fold(here),
            Motion::Left => {
                let parent = self.nodes.parent(here);
                self.go_to(parent);
            }
            Motion::Right if unfolded => self.go_to(here + 1),
            Motion::Right => self.unfold(here),
            _ => {
                self.cursor.step(motion, self.rows.len());
            }
        }
    }

    /// Folds what is unfolded, and the other way round; values without anything in them stay as they are.
    pub fn toggle(&mut self) {
        let here = self.here();
        if self.nodes.is_unfolded(here) {
            self.fold(here);
        } else {
            self.unfold(here);
        }
    }

    /// Folds everything; what is selected then is the outermost value around the former one.
    pub fn fold_all(&mut self) {
        let here = self.here();
        self.nodes.unfold_above(1);
        self.rebuild(here);
    }

    pub fn unfold_all(&mut self) {
        let here = self.here();
        self.nodes.unfold_above(usize::MAX);
        self.rebuild(here);
    }

    /// Searches keys and scalar values, case aside: unfolds all that is around a match, and goes to the first match at or
    /// after the selected row. An empty text ends the search.
    pub fn search(&mut self, text: &str) {
        let needle = text.to_lowercase();
        if needle.is_empty() {
            self.search = None;
            return;
        }
        let here = self.here();
        let found = self.nodes.with(&needle);
        for &node in &found {
            self.nodes.reveal(node);
        }
        let target = found.iter().find(|&&node| node >= here).or(found.first());
        let target = target.copied().unwrap_or(here);
        self.search = Some(TreeSearch { needle, found });
        self.rebuild(target);
    }

    /// Goes to the next match, after the last one to the first.
    pub fn next_match(&mut self) {
        let here = self.here();
        let found = self.found();
        let next = found.iter().find(|&&node| node > here).or(found.first());
        self.go_to_match(next.copied());
    }

    /// Goes to the match before, from the first one to the last.
    pub fn previous_match(&mut self) {
        let here = self.here();
        let found = self.found();
        let previous = found.iter().rfind(|&&node| node < here).or(found.last());
        self.go_to_match(previous.copied());
    }

    /// Which match is selected, of how many, in words; nothing while nothing is searched for.
    #[must_use]
    pub fn matches(&self) -> Option<String> {
        let found = &self.search.as_ref()?.found;
        let total = found.len();
        Some(match (total, found.binary_search(&self.here())) {
            (0, _) => "no match".to_owned(),
            (_, Ok(at)) => format!("{} of {total}", at + 1),
            (1, Err(_)) => "1 match".to_owned(),
            (_, Err(_)) => format!("{total} matches"),
        })
    }

    /// Where the selected value is in the document, such as `tunnels[0].operator`.
    #[must_use]
    pub fn selected_path(&self) -> String {
        self.nodes.path(self.here())
    }

    /// The selected value with all that is in it.
    #[must_use]
    pub fn selected_value(&self) -> &Value {
        self.nodes.value(self.here(), &self.document)
    }

    /// Draws the rows that are in view.
    pub fn draw<'p>(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        pen: impl Into<Pen<'p>>,
        focus: Focus,
    ) {
        let pen = pen.into();
        let theme = pen.theme;
        let needle = self.search.as_ref().map(|search| search.needle.as_str());
        let window = self.cursor.window(self.rows.len(), area.height.into());
        let here = self.here();
        for (at, place) in window.zip(area.rows()) {
            let node = self.rows[at];
            let line = row::line(&self.nodes, node, needle, theme);
            row::draw(frame, place, line, (node == here).then_some(focus), theme);
            pen.row(place, at, focus.is_here() && node == here);
        }
    }

    /// The selected node. There is always a row at least, the one of the root if nothing else.
    fn here(&self) -> usize {
        let row = self.cursor.selected(self.rows.len()).unwrap_or_default();
        self.rows.get(row).copied().unwrap_or_default()
    }

    fn found(&self) -> &[usize] {
        self.search
            .as_ref()
            .map_or(&[], |search| search.found.as_slice())
    }

    fn fold(&mut self, node: usize) {
        self.nodes.fold(node);
        self.rebuild(node);
    }

    fn unfold(&mut self, node: usize) {
        self.nodes.unfold(node);
        self.rebuild(node);
    }

    /// Selects a node that has a row; others, such as the root, are left alone.
    fn go_to(&mut self, node: usize) {
        if let Ok(row) = self.rows.binary_search(&node) {
            self.cursor.select(row, self.rows.len());
        }
    }

    fn go_to_match(&mut self, node: Option<usize>) {
        if let Some(node) = node {
            self.nodes.reveal(node);
            self.rebuild(node);
        }
    }

    /// Rebuilds the rows and selects that of `node`, or of its nearest visible ancestor.
    fn rebuild(&mut self, node: usize) {
        self.rows = self.nodes.rows();
        let after = self.rows.partition_point(|&row| row <= node);
        self.cursor.select(after.saturating_sub(1), self.rows.len());
    }
}

#[cfg(test)]
mod tests;
