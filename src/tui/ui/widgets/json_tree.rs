//! A JSON document as a tree to fold and to search, with a cursor.
//!
//! The document is laid out once, as a list of nodes in reading order. Everything in a node is right behind it, up to its end: to pass
//! over what is folded is to go on at the end, and of the nodes before a hidden one the nearest that is seen is the one it is folded
//! into. The rows are listed again only when something is folded or unfolded, and drawing looks at those rows alone that are on the
//! screen. So a document of many thousand values scrolls as lightly as a small one.
//!
//! The root has no row of its own as long as there is something in it.

use std::{borrow::Cow, ops::Range};

use ratatui::{
    Frame,
    layout::Rect,
    style::Style,
    text::{Line, Span},
};
use serde_json::Value;

use crate::{
    model::visible,
    tui::ui::{Cursor, Focus, Motion, Pen, Theme, glyphs},
};

/// Levels up to which rows are moved to the right: beyond them there would be no room left for text.
const DEEPEST: usize = 16;

/// Beyond this many bytes a value is off any screen, and is not measured.
const LONGEST: usize = 4096;

/// A document, what of it is unfolded, and where one is in it.
#[derive(Debug)]
pub struct JsonTree {
    document: Value,
    /// The first one is the root.
    nodes: Vec<TreeNode>,
    /// The nodes that have a row, in order.
    rows: Vec<usize>,
    cursor: Cursor,
    search: Option<TreeSearch>,
}

/// One value of a document.
#[derive(Debug)]
struct TreeNode {
    name: NodeName,
    /// A scalar spelt as in JSON, safe to show; for anything else what stands for it where it is folded: `{4}`, `[2]`, `{}`.
    text: String,
    is_scalar: bool,
    /// How many nodes it is in.
    depth: usize,
    /// Whether what is in it is shown; never for a node without anything in it.
    is_unfolded: bool,
    parent: usize,
    end: usize,
}

/// How a node is called in its parent.
#[derive(Debug)]
enum NodeName {
    Root,
    /// By a key, as it is in the document.
    Key(String),
    /// By its place in an array.
    Place(usize),
}

/// What is searched for, in lower case, and the nodes that have it, in order.
#[derive(Debug)]
struct TreeSearch {
    needle: String,
    found: Vec<usize>,
}

impl TreeNode {
    /// Adds the node of a value, then all that is in it.
    fn push_to(nodes: &mut Vec<Self>, name: NodeName, value: &Value, depth: usize, parent: usize) {
        let text = match value {
            Value::Array(elements) if elements.is_empty() => "[]".to_owned(),
            Value::Array(elements) => format!("[{}]", elements.len()),
            Value::Object(members) if members.is_empty() => "{}".to_owned(),
            Value::Object(members) => format!("{{{}}}", members.len()),
            scalar => visible(&scalar.to_string()).into_owned(),
        };
        let at = nodes.len();
        nodes.push(Self {
            name,
            text,
            is_scalar: !value.is_array() && !value.is_object(),
            depth,
            is_unfolded: false,
            parent,
            end: at + 1,
        });
        match value {
            Value::Array(elements) => {
                for (place, element) in elements.iter().enumerate() {
                    Self::push_to(nodes, NodeName::Place(place), element, depth + 1, at);
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    Self::push_to(nodes, NodeName::Key(key.clone()), member, depth + 1, at);
                }
            }
            _ => {}
        }
        nodes[at].end = nodes.len();
    }

    /// Whether the key or the scalar has a text, which is in lower case.
    fn has(&self, needle: &str) -> bool {
        let is_named = match &self.name {
            NodeName::Key(key) => find(&visible(key), needle).is_some(),
            NodeName::Root | NodeName::Place(_) => false,
        };
        is_named || self.is_scalar && find(&self.text, needle).is_some()
    }
}

impl JsonTree {
    /// Values up to which a document is unfolded as a whole at first.
    pub const SMALL: usize = 60;

    /// Levels of a larger document that are seen at first.
    pub const LEVELS: usize = 2;

    /// A tree of this document, at its beginning.
    #[must_use]
    pub fn new(document: Value) -> Self {
        let mut nodes = Vec::new();
        TreeNode::push_to(&mut nodes, NodeName::Root, &document, 0, 0);
        let is_small = nodes.len() <= Self::SMALL;
        let mut tree = Self {
            document,
            nodes,
            rows: Vec::new(),
            cursor: Cursor::default(),
            search: None,
        };
        tree.unfold_above(if is_small { usize::MAX } else { Self::LEVELS });
        tree
    }

    /// Moves by rows; to the left it folds or goes to the parent, to the right it unfolds or goes to the first child.
    pub fn step(&mut self, motion: Motion) {
        let here = self.here();
        match (motion, self.nodes[here].is_unfolded) {
            (Motion::Left, true) | (Motion::Right, false) => self.toggle(),
            (Motion::Left, false) => self.go_to(self.nodes[here].parent),
            (Motion::Right, true) => self.go_to(here + 1),
            _ => {
                self.cursor.step(motion, self.rows.len());
            }
        }
    }

    /// Folds what is unfolded, and the other way round; values without anything in them stay as they are.
    pub fn toggle(&mut self) {
        let here = self.here();
        self.set_unfolded(here, !self.nodes[here].is_unfolded);
        self.rebuild(here);
    }

    /// Folds everything; what is selected then is the outermost value around the former one.
    pub fn fold_all(&mut self) {
        self.unfold_above(1);
    }

    pub fn unfold_all(&mut self) {
        self.unfold_above(usize::MAX);
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
        let all = 0..self.nodes.len();
        let found: Vec<usize> = all.filter(|at| self.nodes[*at].has(&needle)).collect();
        for &node in &found {
            self.reveal(node);
        }
        let target = found.iter().find(|&&node| node >= here).or(found.first());
        let target = target.copied().unwrap_or(here);
        self.search = Some(TreeSearch { needle, found });
        self.rebuild(target);
    }

    /// Goes to the next match, after the last one to the first.
    pub fn next_match(&mut self) {
        let (here, found) = (self.here(), self.found());
        let next = found.iter().find(|&&node| node > here).or(found.first());
        self.go_to_match(next.copied());
    }

    /// Goes to the match before, from the first one to the last.
    pub fn previous_match(&mut self) {
        let (here, found) = (self.here(), self.found());
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
        self.path(self.here())
    }

    /// The selected value with all that is in it.
    #[must_use]
    pub fn selected_value(&self) -> &Value {
        self.value(self.here())
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
        let window = self.cursor.window(self.rows.len(), area.height.into());
        let here = self.here();
        for (at, place) in window.zip(area.rows()) {
            let node = self.rows[at];
            let selected = (node == here).then_some(focus);
            pen.list_row(frame, place, at, self.line(node, pen.theme), selected);
        }
    }

    /// One row, with what was searched for marked in it.
    fn line(&self, at: usize, theme: &Theme) -> Line<'static> {
        let node = &self.nodes[at];
        let level = node.depth.saturating_sub(1).min(DEEPEST);
        let sign = match (self.has_children(at), node.is_unfolded) {
            (false, _) => " ",
            (true, false) => glyphs::FOLDED,
            (true, true) => glyphs::UNFOLDED,
        };
        let mut spans = vec![
            Span::raw("  ".repeat(level)),
            Span::styled(format!("{sign} "), theme.border),
        ];
        let needle = self.search.as_ref().map(|search| search.needle.as_str());
        let (name, sought): (Cow<'_, str>, _) = match &node.name {
            NodeName::Root => ("".into(), None),
            NodeName::Key(key) => (visible(key), needle),
            NodeName::Place(place) => (place.to_string().into(), None),
        };
        mark_matches(&mut spans, &name, sought, theme.label, theme);
        if !node.is_unfolded {
            if at != 0 {
                spans.push(Span::styled(": ", theme.label));
            }
            let is_plain = node.is_scalar && node.text != "null";
            let style = if is_plain { theme.text } else { theme.dim };
            let sought = needle.filter(|_| node.is_scalar);
            mark_matches(&mut spans, &node.text, sought, style, theme);
        }
        Line::from(spans)
    }

    /// The selected node. There is always a row at least, the one of the root if nothing else.
    fn here(&self) -> usize {
        let row = self.cursor.selected(self.rows.len()).unwrap_or_default();
        self.rows.get(row).copied().unwrap_or_default()
    }

    fn found(&self) -> &[usize] {
        let search = self.search.as_ref();
        search.map_or(&[], |search| search.found.as_slice())
    }

    fn has_children(&self, at: usize) -> bool {
        self.nodes[at].end > at + 1
    }

    fn set_unfolded(&mut self, at: usize, is_unfolded: bool) {
        self.nodes[at].is_unfolded = is_unfolded && self.has_children(at);
    }

    /// Unfolds what is less deep than `depth`, and folds the rest.
    fn unfold_above(&mut self, depth: usize) {
        let here = self.here();
        for at in 0..self.nodes.len() {
            self.set_unfolded(at, self.nodes[at].depth < depth);
        }
        self.rebuild(here);
    }

    /// Unfolds all that a node is in.
    fn reveal(&mut self, node: usize) {
        let mut around = node;
        while around != 0 {
            around = self.nodes[around].parent;
            self.set_unfolded(around, true);
        }
    }

    /// Selects a node that has a row; others, such as the root, are left alone.
    fn go_to(&mut self, node: usize) {
        if let Ok(row) = self.rows.binary_search(&node) {
            self.cursor.select(row, self.rows.len());
        }
    }

    fn go_to_match(&mut self, node: Option<usize>) {
        if let Some(node) = node {
            self.reveal(node);
            self.rebuild(node);
        }
    }

    /// Rebuilds the rows and selects that of `node`, or of its nearest visible ancestor.
    fn rebuild(&mut self, node: usize) {
        self.rows = self.unfolded();
        let after = self.rows.partition_point(|&row| row <= node);
        self.cursor.select(after.saturating_sub(1), self.rows.len());
    }

    /// The nodes that are not folded away. The root is among them only where it has nothing in it.
    fn unfolded(&self) -> Vec<usize> {
        let mut rows = Vec::new();
        let mut at = usize::from(self.has_children(0));
        while let Some(node) = self.nodes.get(at) {
            rows.push(at);
            at = if node.is_unfolded { at + 1 } else { node.end };
        }
        rows
    }

    fn value(&self, at: usize) -> &Value {
        let node = &self.nodes[at];
        let inner = match &node.name {
            NodeName::Root => return &self.document,
            NodeName::Key(key) => self.value(node.parent).get(key),
            NodeName::Place(place) => self.value(node.parent).get(place),
        };
        inner.unwrap_or(&Value::Null)
    }

    /// The path of a node in the document; ambiguous keys are quoted in brackets.
    fn path(&self, at: usize) -> String {
        let node = &self.nodes[at];
        let step = match &node.name {
            NodeName::Root => return String::new(),
            NodeName::Place(place) => format!("[{place}]"),
            NodeName::Key(key) if !is_plain(key) => {
                format!("[{}]", visible(&Value::from(key.as_str()).to_string()))
            }
            NodeName::Key(key) if node.parent == 0 => key.clone(),
            NodeName::Key(key) => format!(".{key}"),
        };
        self.path(node.parent) + &step
    }
}

fn is_plain(key: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    !key.is_empty() && key.chars().all(is_plain)
}

/// Where `needle`, which is in lower case and not empty, is in a text, case aside.
///
/// Characters are compared one by one, for the lower case of a text may be longer than the text.
fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    text.char_indices().find_map(|(start, _)| {
        let mut left = needle;
        for (at, character) in text[start..].char_indices() {
            for lower in character.to_lowercase() {
                left = left.strip_prefix(lower)?;
            }
            if left.is_empty() {
                return Some(start..start + at + character.len_utf8());
            }
        }
        None
    })
}

/// Adds a text, with what was searched for marked in it.
fn mark_matches(
    spans: &mut Vec<Span<'static>>,
    text: &str,
    needle: Option<&str>,
    style: Style,
    theme: &Theme,
) {
    let mut rest = &text[..text.floor_char_boundary(LONGEST)];
    while let Some(found) = needle.and_then(|needle| find(rest, needle)) {
        let (before, from) = rest.split_at(found.start);
        let (matched, after) = from.split_at(found.len());
        spans.push(Span::styled(before.to_owned(), style));
        spans.push(Span::styled(matched.to_owned(), style.patch(theme.matched)));
        rest = after;
    }
    spans.push(Span::styled(rest.to_owned(), style));
}

#[cfg(test)]
mod tests;
