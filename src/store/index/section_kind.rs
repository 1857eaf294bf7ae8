//! The kinds of sections, and the numbers that identify them in the file.
//!
//! A number is never reused for another kind, so a reader of any version recognises unknown kinds. Sections of one kind are
//! numbered by their ordinal, from 0:
//!
//! - 1 to 5, the words and the unindexed have one section for each chunk, even if it is empty; the ordinal is the number of the chunk.
//! - 49 has one for each column, 50 one for each field; the ordinal is the number of the column or field.
//! - 53, 55, 56 and 58 have one for each piece (see [`super`]), so none for an empty list.
//! - 0, 48, 51, 52, 54 and 57 have exactly one.
//!
//! The number of a field is that of its [`Keyword`].
//!
//! ```text
//!  0  chunks        16 + field  words          48  shapes          53  addresses
//!  1  records       32 + field  unindexed      49  tokens          54  firsts
//!  2  lengths                                  50  dictionaries    55  networks
//!  3  clients                                  51  folded          56  loose
//!  4  attributed                               52  prefixes        57  clients order
//!  5  entries                                                      58  clients blocks
//! ```

use super::id::place;
use crate::model::Keyword;

/// The number of fields that have words.
pub(super) const FIELDS: usize = Keyword::ALL.len();
/// Rows from one stored offset of a record to the next.
pub(super) const STRIDE: usize = 16;

/// The number of rows of each chunk.
pub(super) const CHUNKS: u32 = 0;
pub(super) const RECORDS: u32 = 1;
/// Per chunk: the start and length of each record.
pub(super) const LENGTHS: u32 = 2;
/// Per chunk: rows by number of clients.
pub(super) const CLIENTS: u32 = 3;
/// Per chunk: postings of a single word, 0: the attributed records.
pub(super) const ATTRIBUTED: u32 = 4;
/// Per chunk: rows by the IPv4 addresses that are entries.
pub(super) const ENTRIES: u32 = 5;
pub(super) const SHAPES: u32 = 48;
/// Per column: the dictionary of its tokens.
pub(super) const TOKENS: u32 = 49;
/// Per field: the dictionary of its words.
pub(super) const DICTIONARIES: u32 = 50;
/// The words of [`Keyword::Org`] in lower case.
pub(super) const FOLDED: u32 = 51;
/// For each upper half of IPv4, the end of its addresses.
pub(super) const PREFIXES: u32 = 52;
/// IPv4 addresses, in pieces.
pub(super) const ADDRESSES: u32 = 53;
/// The first network of each stretch.
pub(super) const FIRSTS: u32 = 54;
/// Networks and IPv6 addresses, in pieces.
pub(super) const NETWORKS: u32 = 55;
/// Rows without a readable subject, in pieces.
pub(super) const LOOSE: u32 = 56;
/// All rows by number of clients: the range of each number.
pub(super) const CLIENTS_ORDER: u32 = 57;
/// All rows by number of clients, in blocks.
pub(super) const CLIENTS_BLOCKS: u32 = 58;
/// The number of kinds.
pub(super) const COUNT: u32 = 59;

/// Per chunk: the postings of a field's words.
pub(super) fn words(field: Keyword) -> u32 {
    16 + field.number()
}

/// Per chunk: rows by the hashes of words that are in no dictionary.
pub(super) fn unindexed(field: Keyword) -> u32 {
    32 + field.number()
}

pub(super) fn field_of(number: u32) -> Option<Keyword> {
    Keyword::ALL
        .into_iter()
        .find(|field| field.number() == number)
}

/// The index of a field in an array of all fields.
#[inline]
pub(super) fn field_place(field: Keyword) -> usize {
    place(field.number())
}
