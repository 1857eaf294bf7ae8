//! The kinds of sections. Those of chunks have one for each chunk, in order, also where it is empty.

use crate::model::Keyword;

/// How many fields of words there are.
pub(super) const FIELDS: usize = Keyword::ALL.len();
/// Rows between two offsets of records.
pub(super) const STRIDE: usize = 16;

/// Of a chunk: its records.
pub(super) const RECORDS: u32 = 0;
/// Of a chunk: where its records are.
pub(super) const LENGTHS: u32 = 1;
/// Of a chunk: rows by clients.
pub(super) const CLIENTS: u32 = 2;
/// Of a chunk: postings of the one word that stands for attributed records.
pub(super) const ATTRIBUTED: u32 = 3;
/// Of a chunk: postings of a field's words.
pub(super) fn words(field: Keyword) -> u32 {
    4 + field as u32
}
/// Of a chunk: rows by the hashes of words that are in no dictionary.
pub(super) fn needles(field: Keyword) -> u32 {
    16 + field as u32
}
/// The shapes of records.
pub(super) const SHAPES: u32 = 28;
/// For each column the dictionary of its tokens.
pub(super) const TOKENS: u32 = 29;
/// For each field the dictionary of its words.
pub(super) const DICTIONARIES: u32 = 30;
/// The words of [`Keyword::Org`] in lower case.
pub(super) const FOLDED: u32 = 31;
/// Where in the addresses each half of IPv4 begins.
pub(super) const HALVES: u32 = 32;
/// IPv4 addresses, in pieces.
pub(super) const ADDRESSES: u32 = 33;
/// The first network of each stretch.
pub(super) const FIRSTS: u32 = 34;
/// Networks and IPv6 addresses, in pieces.
pub(super) const NETWORKS: u32 = 35;
/// Rows that are about nothing that can be read, in pieces.
pub(super) const LOOSE: u32 = 36;
/// Of a chunk: rows by the IPv4 addresses that are entries.
pub(super) const ENTRIES: u32 = 37;
/// How many kinds there are.
pub(super) const COUNT: u32 = 38;
