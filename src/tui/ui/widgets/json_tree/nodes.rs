//! The nodes of a document, in reading order.
//!
//! Everything in a node is right behind it, up to [`TreeNode::end`]. To pass over what is folded is to go on at the end,
//! and of the nodes before a hidden one the nearest that is seen is the one it is folded into.

use std::ops::Range;

use serde_json::Value;

use crate::model::visible;

/// All nodes of a document; the first one is the root.
#[derive(Debug)]
pub(super) struct Nodes(Vec<TreeNode>);

/// One value of a document.
#[derive(Debug)]
pub(super) struct TreeNode {
    /// How it is called in its parent.
    pub(super) name: NodeName,
    /// What it is.
    pub(super) body: NodeBody,
    /// How many nodes it is in.
    pub(super) depth: usize,
    /// Whether what is in it is shown; never for a node without anything in it.
    pub(super) unfolded: bool,
    parent: usize,
    end: usize,
}

/// How a node is called in its parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeName {
    Root,
    /// By a key, as it is in the document.
    Key(String),
    /// By its place in an array.
    Place(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NodeBody {
    /// A null, as it is spelt.
    Null,
    /// Another scalar: spelt as in JSON, safe to show.
    Scalar(String),
    /// An array with so many elements.
    Array(usize),
    /// An object with so many members.
    Object(usize),
}

impl NodeBody {
    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Array(elements) => Self::Array(elements.len()),
            Value::Object(members) => Self::Object(members.len()),
            scalar => Self::Scalar(visible(&scalar.to_string()).into_owned()),
        }
    }

    /// The text of a scalar, and for anything else what stands for it where it is folded: `{4}`, `[2]`, `{}`.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Scalar(text) => text.clone(),
            Self::Array(0) => "[]".to_owned(),
            Self::Object(0) => "{}".to_owned(),
            Self::Array(len) => format!("[{len}]"),
            Self::Object(len) => format!("{{{len}}}"),
        }
    }

    fn has(&self, needle: &str) -> bool {
        match self {
            Self::Null => find("null", needle).is_some(),
            Self::Scalar(text) => find(text, needle).is_some(),
            Self::Array(_) | Self::Object(_) => false,
        }
    }
}

impl Nodes {
    /// The nodes of a document, all of them folded.
    pub(super) fn of(document: &Value) -> Self {
        let mut nodes = Self(Vec::new());
        nodes.push(NodeName::Root, document, 0, 0);
        nodes
    }

    fn push(&mut self, name: NodeName, value: &Value, depth: usize, parent: usize) {
        let at = self.0.len();
        self.0.push(TreeNode {
            name,
            body: NodeBody::of(value),
            depth,
            unfolded: false,
            parent,
            end: at + 1,
        });
        match value {
            Value::Array(elements) => {
                for (place, element) in elements.iter().enumerate() {
                    self.push(NodeName::Place(place), element, depth + 1, at);
                }
            }
            Value::Object(members) => {
                for (key, member) in members {
                    self.push(NodeName::Key(key.clone()), member, depth + 1, at);
                }
            }
            _ => {}
        }
        self.0[at].end = self.0.len();
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn node(&self, at: usize) -> &TreeNode {
        &self.0[at]
    }

    pub(super) fn parent(&self, at: usize) -> usize {
        self.0[at].parent
    }

    pub(super) fn is_unfolded(&self, at: usize) -> bool {
        self.0[at].unfolded
    }

    pub(super) fn has_children(&self, at: usize) -> bool {
        self.0[at].end > at + 1
    }

    pub(super) fn fold(&mut self, at: usize) {
        self.0[at].unfolded = false;
    }

    pub(super) fn unfold(&mut self, at: usize) {
        self.0[at].unfolded = self.has_children(at);
    }

    /// Unfolds what is less deep than `depth`, and folds the rest.
    pub(super) fn unfold_above(&mut self, depth: usize) {
        for at in 0..self.len() {
            self.0[at].unfolded = self.0[at].depth < depth && self.has_children(at);
        }
    }

    /// Unfolds all that a node is in.
    pub(super) fn reveal(&mut self, at: usize) {
        let mut around = at;
        while around != 0 {
            around = self.parent(around);
            self.unfold(around);
        }
    }

    /// The nodes that are not folded away. The root is among them only where it has nothing in it.
    pub(super) fn rows(&self) -> Vec<usize> {
        let mut rows = Vec::new();
        let mut at = usize::from(self.has_children(0));
        while at < self.len() {
            rows.push(at);
            let node = self.node(at);
            at = if node.unfolded { at + 1 } else { node.end };
        }
        rows
    }

    /// The nodes with `needle`, which is in lower case, in their key or their scalar value.
    pub(super) fn with(&self, needle: &str) -> Vec<usize> {
        let has = |at: &usize| {
            let node = self.node(*at);
            let named = match &node.name {
                NodeName::Key(key) => find(&visible(key), needle).is_some(),
                NodeName::Root | NodeName::Place(_) => false,
            };
            named || node.body.has(needle)
        };
        (0..self.len()).filter(has).collect()
    }

    /// The value of a node in the document from which the nodes were made.
    pub(super) fn value<'v>(&self, at: usize, document: &'v Value) -> &'v Value {
        let node = self.node(at);
        let inner = match &node.name {
            NodeName::Root => return document,
            NodeName::Key(key) => self.value(node.parent, document).get(key),
            NodeName::Place(place) => self.value(node.parent, document).get(place),
        };
        inner.unwrap_or(&Value::Null)
    }

    /// The path of a node in the document; ambiguous keys are quoted in brackets.
    pub(super) fn path(&self, at: usize) -> String {
        let node = self.node(at);
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
    !key.is_empty()
        && key
            .chars()
            .all(|character| character.is_alphanumeric() || matches!(character, '_' | '-'))
}

/// Where `needle`, which is in lower case and not empty, is in a text, case aside.
///
/// Characters are compared one by one, for the lower case of a text may be longer than the text.
pub(super) fn find(text: &str, needle: &str) -> Option<Range<usize>> {
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
