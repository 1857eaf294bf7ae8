//! Shapes: a skeleton, and the columns of its tokens.
//!
//! The lines of a feed have few skeletons. Each is parsed once, at its first occurrence, to check that it is JSON and to find the
//! path of each token. Later lines are recognised by their skeleton.
//!
//! ```text
//! shapes      length of the dictionary u32, a dictionary of skeletons (see `dictionary`), then columns u32, then for each column:
//!             is of numbers u32 (0 or 1), field u32 (see `section_kind`; 0xffff_ffff for none), length of the path u32, path
//!             then for each shape: slots u32, column u32 each
//! ```
//!
//! Columns and shapes count from 0. A skeleton has a zero byte in place of each token; the slots of a shape are the columns of
//! its tokens, in order. A path is the keys joined by dots, with `[]` after a key whose value is a list that is split, such as
//! `tunnels[].type`. A column has a field if its tokens are words of that field or lists of them. Words inside tokens that are
//! objects also belong to fields, but this section does not record which.
//!
//! There are as many shapes as skeletons. A skeleton whose lines are all stored verbatim has a shape without slots, although it
//! has zero bytes for tokens.
//!
//! Shape 0 is for lines stored verbatim: its skeleton is empty and it has no slots.

use std::io;

use serde_json::Value;
use zerocopy::{FromBytes, IntoBytes, little_endian::U32};

use super::{
    QueryError, content,
    dictionary::{self, Dictionary},
    id::{offset, place},
    scan::MARK,
    section_kind,
};
use crate::model::{Keyword, terms};

/// The shape of lines stored verbatim.
pub(super) const RAW: u32 = 0;
const NO_FIELD: u32 = u32::MAX;
/// Lines with skeletons beyond this number are stored verbatim.
pub(super) const MOST_SHAPES: usize = 50_000;
/// Lines with longer skeletons are stored verbatim.
pub(super) const LONGEST_SKELETON: usize = 256 << 10;
/// The memory limit for skeletons, in bytes.
pub(super) const MOST_BYTES: usize = 16 << 20;

/// A parsed skeleton.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) columns: Vec<u32>,
    /// The tokens that may name the subject, in order of preference: key and position.
    pub(super) subjects: Vec<(&'static str, usize)>,
    /// The positions of type and operator of each tunnel that is split.
    pub(super) tunnels: Vec<(usize, usize)>,
    /// How the hash of the record is computed from its tokens.
    pub(super) content: content::HashPlan,
}

/// The shapes of a feed, by the number of their skeletons.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    skeletons: Vec<Vec<u8>>,
    /// `None` for shape 0, and for a skeleton that is not JSON or is ambiguous.
    shapes: Vec<Option<Shape>>,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Self {
            skeletons: vec![Vec::new()],
            shapes: vec![None],
        }
    }

    /// Adds the skeleton with the next number. `column` returns the column of a path; a skeleton with a path that has no column
    /// gets no shape.
    pub(super) fn learn(&mut self, skeleton: Vec<u8>, column: impl FnMut(&str) -> Option<u32>) {
        self.shapes.push(understood(&skeleton, column));
        self.skeletons.push(skeleton);
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<&Shape> {
        self.shapes.get(place(number))?.as_ref()
    }

    /// The bytes of the section.
    ///
    /// # Errors
    /// If it would exceed 4 GiB.
    pub(super) fn section(&self, columns: &[(&str, bool)]) -> io::Result<Vec<u8>> {
        let mut bytes = dictionary::section_of(&self.skeletons)?;
        let mut all = offset(bytes.len())?.as_bytes().to_vec();
        all.append(&mut bytes);
        all.extend_from_slice(offset(columns.len())?.as_bytes());
        for (path, of_numbers) in columns {
            let field = Keyword::at(&path_of_words(path));
            let field = field.map_or(NO_FIELD, Keyword::number);
            all.extend_from_slice(offset(usize::from(*of_numbers))?.as_bytes());
            all.extend_from_slice(&field.to_le_bytes());
            all.extend_from_slice(offset(path.len())?.as_bytes());
            all.extend_from_slice(path.as_bytes());
        }
        for shape in &self.shapes {
            let columns = shape.as_ref().map_or(&[][..], |shape| &shape.columns);
            all.extend_from_slice(offset(columns.len())?.as_bytes());
            for column in columns {
                all.extend_from_slice(&column.to_le_bytes());
            }
        }
        Ok(all)
    }
}

/// A column's path in the form of a field's paths, which ignore arrays.
pub(super) fn path_of_words(path: &str) -> String {
    path.replace("[]", "")
}

/// Parses a skeleton: replaces its marks by their numbers, reads it as JSON, and notes the path of each number.
fn understood(skeleton: &[u8], mut column: impl FnMut(&str) -> Option<u32>) -> Option<Shape> {
    let mut text = Vec::with_capacity(skeleton.len() * 2);
    let mut marks = 0;
    for byte in skeleton {
        if *byte == MARK {
            text.extend_from_slice(marks.to_string().as_bytes());
            marks += 1;
        } else {
            text.push(*byte);
        }
    }
    let record: Value = serde_json::from_slice(&text).ok()?;
    let mut paths = vec![None; marks];
    walk(
        record.as_object().map(|_| &record)?,
        &mut String::new(),
        &mut paths,
    )?;
    // A repeated key hides a token; such a skeleton is ambiguous.
    let paths: Vec<String> = paths.into_iter().collect::<Option<_>>()?;
    let columns: Option<Vec<u32>> = paths.iter().map(|path| column(path)).collect();
    let place = |key: &&'static str| Some((*key, paths.iter().position(|path| path == key)?));
    Some(Shape {
        columns: columns?,
        subjects: terms::SUBJECT_KEYS.iter().filter_map(place).collect(),
        tunnels: tunnels(record.get("tunnels")),
        content: content::HashPlan::of(&record)?,
    })
}

/// Records the path of each number; `None` if a key makes a path ambiguous.
fn walk(value: &Value, path: &mut String, paths: &mut [Option<String>]) -> Option<()> {
    let length = path.len();
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                if key.is_empty() || key.contains(['.', '[', ']']) {
                    return None;
                }
                if length > 0 {
                    path.push('.');
                }
                path.push_str(key);
                walk(value, path, paths)?;
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            path.push_str("[]");
            for item in items {
                walk(item, path, paths)?;
            }
            path.truncate(length);
        }
        scalar => *paths.get_mut(place_of(scalar)?)? = Some(path.clone()),
    }
    Some(())
}

/// The mark that a number replaces.
fn place_of(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The positions of type and operator of each tunnel that has both.
fn tunnels(tunnels: Option<&Value>) -> Vec<(usize, usize)> {
    let both = |tunnel: &Value| {
        Some((
            place_of(tunnel.get("type")?)?,
            place_of(tunnel.get("operator")?)?,
        ))
    };
    match tunnels {
        Some(Value::Array(tunnels)) => tunnels.iter().filter_map(both).collect(),
        tunnel => tunnel.and_then(both).into_iter().collect(),
    }
}

/// A shape as read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredShape {
    /// The parts of the skeleton between its marks: one more than there are tokens.
    pub(super) pieces: Vec<Box<[u8]>>,
    pub(super) columns: Vec<u32>,
}

/// The shapes section of an index file.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeTable {
    /// By number.
    pub(super) shapes: Vec<StoredShape>,
    /// The paths of columns, with `[]` for arrays.
    pub(super) paths: Vec<String>,
    /// Whether a column's tokens are numbers.
    pub(super) of_numbers: Vec<bool>,
    /// The field whose words, or lists of words, a column's tokens are.
    pub(super) fields: Vec<Option<Keyword>>,
}

impl ShapeTable {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, QueryError> {
        Self::split(bytes).ok_or_else(|| QueryError::Damaged("shapes do not add up".to_owned()))
    }

    fn split(mut bytes: &[u8]) -> Option<Self> {
        let length = place(number(&mut bytes)?);
        let (skeletons, mut rest) = bytes.split_at_checked(length)?;
        let mut known = Self::default();
        for _ in 0..number(&mut rest)? {
            known.of_numbers.push(number(&mut rest)? != 0);
            known.fields.push(match number(&mut rest)? {
                NO_FIELD => None,
                number => Some(section_kind::field_of(number)?),
            });
            let length = place(number(&mut rest)?);
            let (path, after) = rest.split_at_checked(length)?;
            known.paths.push(String::from_utf8(path.to_vec()).ok()?);
            rest = after;
        }
        for (_, skeleton) in Dictionary::read(skeletons).ok()?.texts() {
            let pieces: Vec<Box<[u8]>> = skeleton
                .ok()?
                .split(|byte| *byte == MARK)
                .map(Box::from)
                .collect();
            let columns: Option<Vec<u32>> =
                (0..number(&mut rest)?).map(|_| number(&mut rest)).collect();
            let columns = columns?;
            let fit = columns.len() + 1 == pieces.len() || columns.is_empty();
            if !fit
                || columns
                    .iter()
                    .any(|column| place(*column) >= known.paths.len())
            {
                return None;
            }
            known.shapes.push(StoredShape { pieces, columns });
        }
        rest.is_empty().then_some(known)
    }
}

fn number(from: &mut &[u8]) -> Option<u32> {
    let (number, rest) = U32::read_from_prefix(from).ok()?;
    *from = rest;
    Some(number.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(skeleton: &str, paths: &mut Vec<String>) -> Option<Shape> {
        understood(skeleton.replace('·', "\0").as_bytes(), |path| {
            let known = paths.iter().position(|text| text == path);
            let known = known.unwrap_or_else(|| {
                paths.push(path.to_owned());
                paths.len() - 1
            });
            u32::try_from(known).ok()
        })
    }

    #[test]
    fn every_token_gets_its_path() {
        let mut paths = Vec::new();
        let own = shape(
            r#"{"as":·,"network":·,"ip":·,"tunnels":[·,{"type":·,"entries":·},{"operator":·,"type":·}]}"#,
            &mut paths,
        )
        .expect("a shape");
        assert_eq!(
            paths,
            [
                "as",
                "network",
                "ip",
                "tunnels[]",
                "tunnels[].type",
                "tunnels[].entries",
                "tunnels[].operator"
            ]
        );
        assert_eq!(own.columns, [0, 1, 2, 3, 4, 5, 6, 4]);
        assert_eq!(
            (own.subjects, own.tunnels),
            (vec![("ip", 2), ("network", 1)], vec![(7, 6)])
        );
    }

    #[test]
    fn a_skeleton_that_can_be_misread_is_not_understood() {
        for skeleton in [
            r#"{"a":·,"a":·}"#,
            r#"{"a" ·}"#,
            r#"{"a":·"b":·}"#,
            "[·]",
            r#"{"client.count":·}"#,
            r#"{"a\ud800":·}"#,
            r#"{"a":·,}"#,
            r#"{"$serde_json::private::Number":·}"#,
        ] {
            assert_eq!(shape(skeleton, &mut Vec::new()), None, "{skeleton}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut shapes = Shapes::new();
        let mut column = |path: &str| Some(u32::from(path != "ip"));
        shapes.learn(b"{\"ip\":\0,}".to_vec(), &mut column);
        shapes.learn(b"{\"ip\":\0,\"as\":\0}".to_vec(), &mut column);
        assert_eq!(
            (shapes.get(0), shapes.get(1), shapes.get(3)),
            (None, None, None)
        );
        assert_eq!(
            shapes.get(2).map(|shape| shape.columns.clone()),
            Some(vec![0, 1])
        );
        let bytes = shapes
            .section(&[("ip", false), ("as", true)])
            .expect("small");
        let known = ShapeTable::read(&bytes).expect("shapes");
        assert_eq!(
            (known.paths, known.of_numbers),
            (vec!["ip".to_owned(), "as".to_owned()], vec![false, true])
        );
        assert_eq!(known.shapes[2].columns, [0, 1]);
        assert_eq!(
            known.shapes[2]
                .pieces
                .iter()
                .map(|piece| &piece[..])
                .collect::<Vec<_>>(),
            [&b"{\"ip\":"[..], b",\"as\":", b"}"]
        );
        for length in 0..bytes.len() {
            assert!(ShapeTable::read(&bytes[..length]).is_err(), "{length}");
        }
    }
}
