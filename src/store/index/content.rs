//! A hash of the content of a record. It ignores the order of keys, the order of lists, and which of the two spellings of
//! `as.organization` is used (contract, 2.2).
//!
//! It serves to compare two releases of a feed: records of equal hashes count as equal, records of different hashes are read and
//! compared. So the hash may differ for equal records (`1.0` and `1`, `\u0041` and `A`, a list with and without a repeated item).
//! Different records must have different hashes, except by chance.
//!
//! ```text
//! hash of a record      sum over its leaves of mix(path, text)
//! leaf                  a scalar, a list, or an empty object; objects between the record and a leaf are part of its path
//! path                  ROOT, then for each key mix(path so far, xxh3(key without quotes)); `Organization` below `as` is `organization`
//! text of a scalar      xxh3(its bytes, quotes included)
//! text of a list        mix(LIST, sum over its items)
//! an item               a scalar or a list: mix(ITEM, text); an object: mix(OBJECT, hash like that of a record, with paths from ITEM)
//! text of {}            xxh3("{}")
//! ```
//!
//! ```text
//! ROOT   0x9e37_79b9_7f4a_7c15   LIST 0x1656_67b1_9e37_79f9   ITEM 0xc2b2_ae3d_27d4_eb4f
//! OBJECT 0x8533_3b63_1c86_9ad9   RAW  0x27d4_eb2f_1656_67c5
//!
//! mix(a, b)   h = a xor (rotate_left(b + ROOT, 31) * ITEM)
//!             h = (h xor h >> 32) * 0xff51_afd7_ed55_8ccd
//!             h = (h xor h >> 29) * 0xc4ce_b9fe_1a85_ec53
//!             h xor h >> 32
//! ```
//!
//! `xxh3` is XXH3 with 64 bits and seed 0. Sums and products wrap at 64 bits. A list is one leaf, whatever its items are. `as` is
//! only the key at the top level of the record.
//!
//! If a key repeats, the value depends on the reader. So a line stored verbatim has the hash `mix(RAW, xxh3(line))`
//! ([`of_line`]). A token that is an object with a repeated key, an escaped key or more than 32 keys is a leaf with the text
//! `mix(RAW, xxh3(token))`.

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use super::scan::{end_of_literal, end_of_string};

const ROOT: u64 = 0x9e37_79b9_7f4a_7c15;
const ITEM: u64 = 0xc2b2_ae3d_27d4_eb4f;
const OBJECT: u64 = 0x8533_3b63_1c86_9ad9;
const LIST: u64 = 0x1656_67b1_9e37_79f9;
const RAW: u64 = 0x27d4_eb2f_1656_67c5;

/// Combines two hashes; their order matters.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let mut hash = a ^ b.wrapping_add(ROOT).rotate_left(31).wrapping_mul(ITEM);
    hash = (hash ^ hash >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 32
}

/// The hash of a line stored verbatim.
pub(super) fn of_line(line: &[u8]) -> u64 {
    mix(RAW, xxh3_64(line))
}

/// The hash of a path within a record or an item of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Path(u64);

impl Path {
    /// The path of a column. For a column within lists, marked with `[]`, it starts at the item of the innermost list.
    pub(super) fn of_column(path: &str) -> Self {
        let (start, keys) = match path.rsplit_once("[]") {
            Some((_, keys)) => (ITEM, keys),
            None => (ROOT, path),
        };
        let keys = keys.split('.').filter(|key| !key.is_empty());
        keys.fold(Self(start), |path, key| path.below(key.as_bytes()))
    }

    fn below(self, key: &[u8]) -> Self {
        let is_old = key == b"Organization" && self == Self(ROOT).plain(b"as");
        self.plain(if is_old { b"organization" } else { key })
    }

    #[inline]
    fn plain(self, key: &[u8]) -> Self {
        Self(mix(self.0, xxh3_64(key)))
    }

    /// The contribution of a token at this path: a scalar, a list of scalars, or an object of scalars.
    fn token(self, token: &[u8]) -> u64 {
        self.hashed_token(token, xxh3_64(token))
    }

    /// Like [`Path::token`], for a token whose XXH3 is known.
    #[inline]
    pub(super) fn hashed_token(self, token: &[u8], hash: u64) -> u64 {
        match token.first() {
            Some(b'[') => mix(self.0, list(token)),
            Some(b'{') => match members(self, token) {
                Some(sum) if self.0 == ITEM => mix(OBJECT, sum),
                Some(sum) => sum,
                None => mix(self.0, mix(RAW, hash)),
            },
            _ => self.scalar(hash),
        }
    }

    /// The contribution of a scalar whose XXH3 is known.
    #[inline]
    pub(super) fn scalar(self, hash: u64) -> u64 {
        mix(self.0, hash)
    }
}

/// The hash of the text of a list of scalars.
fn list(token: &[u8]) -> u64 {
    let (mut at, mut sum) = (1, 0_u64);
    while let Some(byte) = token.get(at) {
        let end = match byte {
            b'"' => end_of_string(token, at + 1).unwrap_or(token.len()),
            b',' | b']' | b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            _ => end_of_literal(token, at + 1),
        };
        sum = sum.wrapping_add(mix(ITEM, xxh3_64(&token[at..end])));
        at = end;
    }
    mix(LIST, sum)
}

/// The contribution of the members of an object of scalars; `None` if a key repeats or is escaped, or if there are too many.
fn members(path: Path, token: &[u8]) -> Option<u64> {
    const MOST: usize = 32;
    let (mut keys, mut count) = ([0_u64; MOST], 0);
    let (mut at, mut sum, mut key) = (1, 0_u64, None);
    while let Some(byte) = token.get(at) {
        let end = match byte {
            b'"' => end_of_string(token, at + 1)?,
            b',' | b':' | b'}' | b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            _ => end_of_literal(token, at + 1),
        };
        let text = &token[at..end];
        at = end;
        match key.take() {
            None => {
                let name = text.get(1..text.len() - 1)?;
                // An escaped key may equal another one.
                key = (!name.contains(&b'\\')).then(|| path.below(name));
                key?;
            }
            Some(path) => {
                let Path(hash) = path;
                if keys[..count].contains(&hash) {
                    return None;
                }
                *keys.get_mut(count)? = hash;
                count += 1;
                sum = sum.wrapping_add(path.token(text));
            }
        }
    }
    match (key, count) {
        (Some(_), _) => None,
        (None, 0) => Some(mix(path.0, xxh3_64(b"{}"))),
        (None, _) => Some(sum),
    }
}

/// How to compute the hash of a record from the contributions of its tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HashPlan(Vec<HashStep>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HashStep {
    /// Adds the contributions of this many tokens.
    Tokens(usize),
    /// Adds this hash, of an empty object in the skeleton.
    Add(u64),
    /// Begins a list or an object in a list.
    Begin,
    EndObject,
    EndList(Path),
}

impl HashPlan {
    /// The plan of a record in which each token is a number; `None` if two tokens have paths of equal hash.
    pub(super) fn of(record: &Value) -> Option<Self> {
        let mut plan = Self::default();
        plan.walk(record, Path(ROOT), &mut Vec::new())?;
        Some(plan)
    }

    fn walk(&mut self, value: &Value, path: Path, known: &mut Vec<Path>) -> Option<()> {
        match value {
            Value::Object(map) => {
                if map.is_empty() {
                    self.0.push(HashStep::Add(mix(path.0, xxh3_64(b"{}"))));
                }
                for (key, value) in map {
                    self.walk(value, path.below(key.as_bytes()), known)?;
                }
                return Some(());
            }
            Value::Array(items) => {
                self.0.push(HashStep::Begin);
                for item in items {
                    if item.is_object() {
                        self.0.push(HashStep::Begin);
                        self.walk(item, Path(ITEM), &mut Vec::new())?;
                        self.0.push(HashStep::EndObject);
                    } else {
                        self.walk(item, Path(ITEM), &mut Vec::new())?;
                    }
                }
                self.0.push(HashStep::EndList(path));
            }
            _ => match self.0.last_mut() {
                Some(HashStep::Tokens(count)) => *count += 1,
                _ => self.0.push(HashStep::Tokens(1)),
            },
        }
        if known.contains(&path) {
            return None;
        }
        known.push(path);
        Some(())
    }

    /// The hash of a record whose tokens have these contributions, in order. `open` is scratch space.
    #[inline]
    pub(super) fn sum(&self, mut tokens: &[u64], open: &mut Vec<u64>) -> u64 {
        open.clear();
        let mut sum = 0_u64;
        for step in &self.0 {
            match step {
                HashStep::Tokens(count) => {
                    let (own, rest) = tokens.split_at((*count).min(tokens.len()));
                    tokens = rest;
                    sum = own
                        .iter()
                        .fold(sum, |sum, number| sum.wrapping_add(*number));
                }
                HashStep::Add(number) => sum = sum.wrapping_add(*number),
                HashStep::Begin => open.push(std::mem::take(&mut sum)),
                HashStep::EndObject => {
                    let outer = open.pop().unwrap_or_default();
                    sum = outer.wrapping_add(mix(OBJECT, sum));
                }
                HashStep::EndList(path) => {
                    let outer = open.pop().unwrap_or_default();
                    sum = outer.wrapping_add(mix(path.0, mix(LIST, sum)));
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::{scan::Scan, shape::Shapes},
        *,
    };

    /// The hash of a line that is split. Objects under these keys are split even if they hold only scalars.
    fn hash_apart(line: &str, apart: &[&str]) -> Option<u64> {
        let mut scan = Scan::default();
        let is_apart = |key: &[u8]| apart.iter().any(|text| text.as_bytes() == key);
        if !scan.scan(line.as_bytes(), is_apart) {
            return None;
        }
        let (mut shapes, mut paths) = (Shapes::new(), Vec::new());
        shapes.learn(scan.skeleton.clone(), |path| {
            paths.push(path.to_owned());
            u32::try_from(paths.len() - 1).ok()
        });
        let shape = shapes.get(1)?;
        let token = |(start, end): &(u32, u32)| {
            let range = usize::try_from(*start).ok()?..usize::try_from(*end).ok()?;
            line.get(range)
        };
        let placed = scan.tokens.iter().zip(&shape.columns);
        let tokens: Option<Vec<u64>> = placed
            .map(|(span, column)| {
                let path = &paths[usize::try_from(*column).ok()?];
                Some(Path::of_column(path).token(token(span)?.as_bytes()))
            })
            .collect();
        Some(shape.content.sum(&tokens?, &mut Vec::new()))
    }

    fn hash(line: &str) -> u64 {
        hash_apart(line, &[]).expect(line)
    }

    #[test]
    fn how_a_record_is_written_does_not_matter() {
        let line = r#"{"ip":"198.51.100.7","as":{"number":64500,"organization":"A"},"client":{"types":["MOBILE","DESKTOP"],"concentration":{"city":"X","skew":1}},"tunnels":[{"type":"VPN","operator":"A_VPN"},{"type":"PROXY","entries":["x","y"]}]}"#;
        for same in [
            r#"{"as":{"Organization":"A","number":64500},"ip":"198.51.100.7","client":{"concentration":{"skew":1,"city":"X"},"types":["DESKTOP","MOBILE"]},"tunnels":[{"entries":["y","x"],"type":"PROXY"},{"operator":"A_VPN","type":"VPN"}]}"#,
            r#"{ "ip": "198.51.100.7", "as": {"organization":"A", "number":64500}, "client": {"types": [ "MOBILE" ,"DESKTOP"],"concentration":{"city":"X","skew":1}}, "tunnels":[ {"type":"VPN","operator":"A_VPN"}, {"type":"PROXY","entries":["x", "y"]} ]}"#,
        ] {
            assert_eq!(hash(line), hash(same), "{same}");
        }
        for apart in [
            &["\"as\""][..],
            &["\"tunnels\""],
            &["\"concentration\"", "\"as\""],
        ] {
            assert_eq!(Some(hash(line)), hash_apart(line, apart), "{apart:?}");
        }
        assert_eq!(hash(r#"{"a":{},"b":[]}"#), hash(r#"{"b":[ ],"a":{ }}"#));
    }

    #[test]
    fn what_a_record_holds_matters() {
        let lines = [
            r#"{"a":1,"b":2}"#,
            r#"{"a":2,"b":1}"#,
            r#"{"a":"1","b":2}"#,
            r#"{"a":1}"#,
            r#"{"a":1,"b":null}"#,
            r#"{"a":1,"b":[2]}"#,
            r#"{"a":1,"b":[]}"#,
            r#"{"a":1,"b":{}}"#,
            r#"{"a":1,"b":[[2]]}"#,
            r#"{"a":1,"b":[2,2]}"#,
            r#"{"a":1,"b":{"c":2}}"#,
            r#"{"a":1,"b":[{"c":2}]}"#,
            r#"{"a":1,"b":[{"c":2},{"d":3}]}"#,
            r#"{"a":1,"b":[{"c":2,"d":3}]}"#,
            r#"{"a":1,"b":[{"c":2},{"c":3}]}"#,
            r#"{"a":1,"b":[{"c":[2]},{"d":3}]}"#,
            r#"{"a":1,"b.c":2}"#,
            r#"{"a":1,"Organization":2}"#,
            r#"{"a":1,"organization":2}"#,
            r#"{"t":[{"type":"VPN","operator":"A"},{"type":"PROXY","operator":"B"}]}"#,
            r#"{"t":[{"type":"VPN","operator":"B"},{"type":"PROXY","operator":"A"}]}"#,
            r#"{"t":[{"type":"VPN","operator":["A"]},{"type":"PROXY","operator":["B"]}]}"#,
            r#"{"t":[{"type":"VPN","operator":["B"]},{"type":"PROXY","operator":["A"]}]}"#,
            r#"{"x":{"a":1,"a":2}}"#,
            r#"{"x":{"a":2,"a":1}}"#,
            r#"{"x":{"a":1,"\u0061":2}}"#,
            "{\"b\":{\r\"a\":1}}",
            "{\"b\":{\r\"a\":2}}",
            "{\"b\":[\r\"A,B\",\r\"C,D\"]}",
            "{\"b\":[\r\"A,D\",\r\"C,B\"]}",
            r#"{"as":{"organization":"A","Organization":"B"}}"#,
            r#"{"as":{"organization":"B","Organization":"A"}}"#,
        ];
        let mut hashes = std::collections::HashMap::new();
        for line in lines {
            // A line with a dot in a key is stored verbatim.
            let own = hash_apart(line, &[]).unwrap_or_else(|| of_line(line.as_bytes()));
            assert_eq!(hashes.insert(own, line), None, "{line}");
        }
    }

    #[test]
    fn an_empty_object_is_something_however_it_is_taken_apart() {
        for line in [
            r#"{"a":1,"b":{}}"#,
            r#"{"a":1,"t":[{}]}"#,
            r#"{"a":1,"t":[{},{"x":1}]}"#,
        ] {
            for key in ["\"b\"", "\"t\""] {
                assert_eq!(hash_apart(line, &[key]), Some(hash(line)), "{line} {key}");
            }
            assert_ne!(hash(line), hash(r#"{"a":1}"#));
        }
        assert_ne!(hash(r#"{"a":1,"t":[{}]}"#), hash(r#"{"a":1,"t":[]}"#));
    }

    #[test]
    fn a_plan_is_refused_where_two_tokens_are_one() {
        assert_eq!(
            HashPlan::of(&json!({"as": {"organization": 0, "Organization": 1}})),
            None
        );
        assert!(HashPlan::of(&json!({"x": {"organization": 0, "Organization": 1}})).is_some());
    }
}
