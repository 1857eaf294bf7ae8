//! Known skeletons, as a trie of the pieces between their marks.
//!
//! The lines of a feed have few skeletons, so most lines have a known one. Such a line is matched against the pieces instead of
//! being scanned: the match only has to find the ends of the tokens, and writes nothing but their ranges.
//!
//! ```text
//! {"as":·,  "client":·,  "ip":·  }          skeleton 1
//!           "ip":·  }                       skeleton 2
//!                   ,"location":·  }        skeleton 3
//! ```
//!
//! A matched line is restored as exactly as a scanned one, but it may be split differently: an object that is one token to the
//! scan may be split in a known skeleton.

use super::{scan, words::is_same};

/// The maximum number of branches of a node; lines beyond are scanned.
const MOST_BRANCHES: usize = 16;
/// The maximum number of nodes.
const MOST_PIECES: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct SkeletonTrie {
    nodes: Vec<TrieNode>,
}

/// The possible continuations after a token, or at the beginning of a line.
#[derive(Debug, Default)]
struct TrieNode {
    /// Pieces before a token, and the node after it. Frequent ones move to the front, but no piece moves before one that is its
    /// prefix: the prefix leads to larger tokens.
    branches: Vec<(Box<[u8]>, usize)>,
    /// Pieces that end a line, and the numbers of their skeletons.
    ends: Vec<(Box<[u8]>, u32)>,
}

impl Default for SkeletonTrie {
    fn default() -> Self {
        Self {
            nodes: vec![TrieNode::default()],
        }
    }
}

impl SkeletonTrie {
    /// Adds a skeleton with its number, if there is room.
    pub(super) fn add(&mut self, skeleton: &[u8], number: u32) {
        let mut pieces: Vec<&[u8]> = skeleton.split(|byte| *byte == scan::MARK).collect();
        let end = pieces.pop().unwrap_or_default();
        let mut node = 0;
        for piece in pieces {
            let branches = &self.nodes[node].branches;
            node = match branches.iter().find(|(bytes, _)| **bytes == *piece) {
                Some((_, next)) => *next,
                None if branches.len() == MOST_BRANCHES || self.nodes.len() == MOST_PIECES => {
                    return;
                }
                None => self.grow(node, piece),
            };
        }
        let ends = &mut self.nodes[node].ends;
        if ends.len() < MOST_BRANCHES && ends.iter().all(|(bytes, _)| **bytes != *end) {
            ends.push((end.into(), number));
        }
    }

    fn grow(&mut self, node: usize, piece: &[u8]) -> usize {
        let next = self.nodes.len();
        let branches = &mut self.nodes[node].branches;
        let place = branches
            .iter()
            .position(|(bytes, _)| bytes.starts_with(piece));
        branches.insert(place.unwrap_or(branches.len()), (piece.into(), next));
        self.nodes.push(TrieNode::default());
        next
    }

    /// Matches a line: appends its tokens and returns the number of its skeleton. `None`, and nothing is appended, for a line
    /// without a known skeleton.
    pub(super) fn matched(&mut self, line: &[u8], tokens: &mut Vec<(u32, u32)>) -> Option<u32> {
        let before = tokens.len();
        let number = self.walk(line, tokens);
        if number.is_none() {
            tokens.truncate(before);
        }
        number
    }

    fn walk(&mut self, line: &[u8], tokens: &mut Vec<(u32, u32)>) -> Option<u32> {
        let (mut node, mut at) = (0, 0);
        loop {
            let trie_node = &mut self.nodes[node];
            let rest = line.get(at..)?;
            if let Some((_, number)) = trie_node.ends.iter().find(|(end, _)| is_same(end, rest)) {
                return Some(*number);
            }
            let found = trie_node
                .branches
                .iter()
                .enumerate()
                .find_map(|(place, (piece, next))| {
                    let head = rest.get(..piece.len())?;
                    if !is_same(head, piece) {
                        return None;
                    }
                    let start = at + piece.len();
                    Some((place, *next, start, scan::end_of_token(line, start)?))
                });
            let (place, next, start, end) = found?;
            if let Some(ahead) = place.checked_sub(1)
                && !trie_node.branches[place]
                    .0
                    .starts_with(&trie_node.branches[ahead].0)
            {
                trie_node.branches.swap(ahead, place);
            }
            // Lines whose offsets exceed 32 bits are scanned.
            tokens.push((u32::try_from(start).ok()?, u32::try_from(end).ok()?));
            (node, at) = (next, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::id::place, *};

    fn tree(skeletons: &[&str]) -> SkeletonTrie {
        let mut pieces = SkeletonTrie::default();
        for (number, skeleton) in (1..).zip(skeletons) {
            pieces.add(skeleton.replace('·', "\0").as_bytes(), number);
        }
        pieces
    }

    fn matched(pieces: &mut SkeletonTrie, line: &str) -> Option<(u32, Vec<String>)> {
        let mut tokens = vec![(0, 0)];
        let number = pieces.matched(line.as_bytes(), &mut tokens);
        assert!(number.is_some() || tokens.len() == 1, "{line}");
        let text = |(start, end): &(u32, u32)| line[place(*start)..place(*end)].to_owned();
        Some((number?, tokens[1..].iter().map(text).collect()))
    }

    #[test]
    fn a_line_is_known_by_its_pieces() {
        let mut pieces = tree(&[
            r#"{"as":·,"ip":·}"#,
            r#"{"as":·,"ip":·,"risks":·}"#,
            r#"{"ip":·}"#,
        ]);
        for (line, number, tokens) in [
            (
                r#"{"as":{"number":1},"ip":"x"}"#,
                1,
                &[r#"{"number":1}"#, r#""x""#][..],
            ),
            (
                r#"{"as":{},"ip":null,"risks":["a","]"]}"#,
                2,
                &["{}", "null", r#"["a","]"]"#],
            ),
            (r#"{"ip":-1.5e3}"#, 3, &["-1.5e3"]),
            (r#"{"ip":"\"}"}"#, 3, &[r#""\"}""#]),
        ] {
            let (own, texts) = matched(&mut pieces, line).expect(line);
            assert_eq!(
                (own, texts.iter().map(String::as_str).collect::<Vec<_>>()),
                (number, tokens.to_vec())
            );
        }
        for line in [
            "",
            "{",
            r#"{"as":{"a":[]},"ip":1}"#,
            r#"{"as":{"a":1},"ip":[{}]}"#,
            r#"{"as":1,"ip":2} "#,
            r#"{"as":1,"ip":"open}"#,
            r#"{"ip":x}"#,
            r#"{"ip":1,"as":1}"#,
        ] {
            assert_eq!(matched(&mut pieces, line), None, "{line}");
        }
    }

    #[test]
    fn what_begins_alike_is_told_apart() {
        let mut pieces = tree(&[r#"{"t":[{"a":·,"b":·}]}"#, r#"{"t":[·]}"#, r#"{"t":·}"#]);
        for round in 0..5 {
            for (line, number) in [
                (r#"{"t":[{"a":["x"],"b":1}]}"#, 1),
                (r#"{"t":[{"a":1,"b":1}]}"#, 2),
                (r#"{"t":[1,2]}"#, 3),
            ] {
                let own = matched(&mut pieces, line).map(|(number, _)| number);
                assert_eq!(own, Some(number), "{round} {line}");
            }
        }
    }

    #[test]
    fn a_tree_has_room_for_so_much() {
        let many: Vec<String> = (0..100).map(|key| format!("{{\"{key}\":·}}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let mut pieces = tree(&many);
        assert_eq!(
            matched(&mut pieces, "{\"15\":1}").map(|pair| pair.0),
            Some(16)
        );
        assert_eq!(matched(&mut pieces, "{\"16\":1}"), None);
    }
}
