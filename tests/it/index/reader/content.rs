//! The hash of what a record holds, worked out from its line.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64;

const ROOT: u64 = 0x9e37_79b9_7f4a_7c15;
const OBJECT: u64 = 0x8533_3b63_1c86_9ad9;
const LIST: u64 = 0x1656_67b1_9e37_79f9;
const ITEM: u64 = 0xc2b2_ae3d_27d4_eb4f;
const RAW: u64 = 0x27d4_eb2f_1656_67c5;

fn mix(a: u64, b: u64) -> u64 {
    let hash = a ^ b.wrapping_add(ROOT).rotate_left(31).wrapping_mul(ITEM);
    let hash = (hash ^ (hash >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ (hash >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 32)
}

/// The hash of a line that is kept as it is.
pub(super) fn of_raw_line(line: &[u8]) -> u64 {
    mix(RAW, xxh3_64(line))
}

/// The hash of a line in which no object repeats a key or escapes one.
pub(super) fn of_line(line: &[u8]) -> Option<u64> {
    of_value(ROOT, serde_json::from_slice(line).ok()?)
}

fn of_value(path: u64, value: &RawValue) -> Option<u64> {
    let text = value.get();
    let text = match text.as_bytes() {
        b"{}" => xxh3_64(b"{}"),
        [b'{', ..] => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            let members = members
                .iter()
                .map(|(key, value)| of_value(below(path, key), value));
            return sum(members);
        }
        [b'[', ..] => {
            let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            let items = items.iter().map(|item| {
                let own = of_value(ITEM, item)?;
                let is_object = item.get().starts_with('{');
                Some(if is_object { mix(OBJECT, own) } else { own })
            });
            mix(LIST, sum(items)?)
        }
        scalar => xxh3_64(scalar),
    };
    Some(mix(path, text))
}

fn below(path: u64, key: &str) -> u64 {
    let is_in_as = path == mix(ROOT, xxh3_64(b"as"));
    let key = if is_in_as && key == "Organization" {
        "organization"
    } else {
        key
    };
    mix(path, xxh3_64(key.as_bytes()))
}

fn sum(mut hashes: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    hashes.try_fold(0, |sum: u64, hash| Some(sum.wrapping_add(hash?)))
}
