//! The index of one release of a feed: all records and the structures for finding them, in one file beside the feed file.
//!
//! # Purpose
//!
//! A feed has tens of millions of lines of JSON. The index answers these queries in microseconds and without the network:
//!
//! - the line of an address, or of the networks that cover it, byte for byte ([`Index::covering`], [`Index::line`]);
//! - the records that match a [`Filter`](super::Filter), and their number ([`Index::select`]);
//! - the values of a field among them ([`Index::facets`]);
//! - the busiest of them ([`Index::busiest`]).
//!
//! The index is built while the feed is downloaded ([`build::Building`]) and never changed afterwards. It can be rebuilt from the
//! feed file at any time, so no code repairs one.
//!
//! There is no schema. The index stores whatever a line contains; paths that the filter language knows (see
//! [`Keyword::paths`](crate::model::Keyword::paths)) can also be searched. So all feeds share one format: contexts of IPv4
//! addresses and IPv6 networks, realtime windows, datacenter netblocks, geolocation, metadata of services.
//!
//! # The file
//!
//! ```text
//! +------+---------------------------+-----+-----------------------------------------------------------+-----------+------+
//! | head | chunk 0                   | ... | across chunks                                             | directory | tail |
//! |      | records  clients  words.. |     | addresses  networks  shapes  tokens  dictionaries         |           |      |
//! +------+---------------------------+-----+-----------------------------------------------------------+-----------+------+
//! ```
//!
//! `file` describes the container, its checksums, and how truncation and flipped bits are detected. `section_kind` lists the
//! kinds of sections with their numbers. Each kind of section is specified, byte by byte, in one module:
//!
//! | sections | contents | module |
//! |---|---|---|
//! | chunks | the number of rows of each chunk | `open` |
//! | records, lengths | the records of a chunk, and the start of each | `chunk_builder` |
//! | clients | rows of a chunk by number of clients | `clients` |
//! | words, attributed | postings: for each word of a field, the rows that contain it | `rows` |
//! | unindexed, entries | rows by the hash of a word that is in no dictionary, and by entry | `chunk_builder` |
//! | addresses, networks, firsts, loose | the subjects of the records, sorted | `entries` |
//! | prefixes | for each upper half of IPv4, its range of addresses | `v4_prefix` |
//! | clients order, clients blocks | all records by number of clients | `clients_order` |
//! | shapes | for each skeleton, the columns of its tokens | `shape` |
//! | tokens, dictionaries, folded | repeated texts, by number | `dictionary` |
//!
//! All layouts use the same notation. Parts follow one another without padding. `row u16 each` is an array; its length is a count
//! before it, or it fills the rest of the section. `up to its last u32` and `end u32` are running totals: an item begins where
//! the one before it ends, and the first begins at 0. Numbers are little-endian, with two exceptions in network byte order: the
//! addresses of networks (`entries`) and the addresses in values of records (`value`).
//!
//! A *chunk* has up to 65,536 records in the order of the feed, so a row within it is a 16-bit number and a row set is a bitmap
//! of 8 KiB. A [`RowId`] is the number of the chunk (upper 16 bits) and the row within it (lower 16 bits).
//!
//! A list in *pieces* of 65,536 is split into several sections of one kind: item 65,536 is the first item of ordinal 1. An empty
//! list has no section.
//!
//! ## Reading a record
//!
//! 1. `lengths` of the chunk gives the range of its bytes in `records` of the chunk.
//! 2. The bytes begin with the number of the shape, a variable-length number (`value`). After shape 0 the rest is the line
//!    itself.
//! 3. Any other shape has slots. Each slot has one value in the bytes (`value`). A value gives a token: verbatim; packed; as a
//!    text of the dictionary `tokens` of the slot's column; in a column of numbers, as the number itself; or as a list of words
//!    of the dictionary of the column's field.
//! 4. The skeleton of the shape has a zero byte for each slot. With each replaced by its token, it is the line, byte for byte,
//!    without its line end.
//!
//! To find the records of an IPv4 address, look up the range of its upper half in `prefixes` (`v4_prefix`) and search that range
//! of `addresses` for the lower half. Networks and IPv6 addresses are in `networks`; `entries` explains how to find the networks
//! that cover an address.
//!
//! ## Finding records by a word
//!
//! 1. The number of the word is its position in the dictionary of the field (`dictionaries`, `dictionary`). Case matters there.
//! 2. `words` of the field lists the rows of that number in each chunk (`rows`).
//! 3. Long words, and words that come after a dictionary is full, are in no dictionary. So a reader also looks up the hash of the
//!    word in `unindexed` of the field (`chunk_builder`), and reads the records found there, since different words may have the
//!    same hash.
//!
//! A word is the text of a JSON string at one of the field's paths (see [`Keyword::paths`](crate::model::Keyword::paths)) with
//! its escapes resolved, or a number as it is written. Empty and blank texts are not words. The field `entry` has no dictionary:
//! IPv4 addresses are in `entries`, all other words in `unindexed` of entry.
//!
//! Checksums detect accidents, but a file may also be malicious. So every number is checked before it is used, and an
//! inconsistency is [`QueryError::Damaged`]. The size of the file bounds the cost of a query.
//!
//! # How a line becomes a record
//!
//! `scan` splits the line into a *skeleton* and *tokens* (`parsed_block` does this for a block of lines). A line with a known
//! skeleton is matched against it instead, which is faster (`skeleton_trie`). The skeleton becomes the number of a *shape*
//! (`shape`). Each token becomes the number of an earlier, equal text at the same path (`column`), or is packed: an address, a
//! number, a list of words (`value`). This shrinks a line of 450 bytes to about 45. A line that cannot be restored from its parts
//! byte for byte is stored verbatim. The search terms of a token are extracted at its first occurrence (`extract_terms`,
//! `term_fact`), so most lines are never parsed (`encode`). Building runs on threads beside the one that decodes the feed
//! (`build`); its bottleneck is memory latency, not computing (`words`).
//!
//! # How a query runs
//!
//! The file is mapped; each section is verified at first use. For each chunk, a filter becomes one row set for each of its terms,
//! and the sets are intersected (`query`). A query can be stopped between any two chunks ([`StopFlag`]).
//!
//! To sort a selection, it is mapped once to a bitmap in the requested order, and then read page by page (`page`). The first page
//! does not wait for the bitmap: it is found by a walk from the start of the order (`ranked_rows`).
//!
//! # Memory
//!
//! Building takes bounded memory, whatever the size and the contents of the feed: less than 512 MiB for the feeds of the service,
//! less than 768 MiB for any. The large structures are measured as they grow: dictionaries of tokens (128 MiB, `encode`) and of
//! words (96 MiB, `extract_terms`), skeletons (16 MiB, `shape`), and three chunks under construction (32 MiB each, and the rows
//! of their postings, `chunk_builder`). Texts beyond a limit are written verbatim. Sorting across chunks uses scratch files
//! (`external_sort`).

mod alike;
mod chunk_builder;
mod client_counts;
mod clients;
mod clients_order;
mod collation;
mod column;
mod content;
mod dictionary;
mod encode;
mod entries;
mod error;
mod external_sort;
mod extract_terms;
mod facets;
mod file;
mod flat;
mod flat_token;
mod id;
mod open;
mod page;
mod parsed_block;
mod path_order;
mod paths;
mod query;
mod rank;
mod ranked_rows;
mod ranks;
mod records;
mod rows;
mod scan;
mod section_kind;
mod selection;
mod shape;
mod skeleton_trie;
mod spelling;
mod subject_iter;
mod subjects;
mod survey;
mod term_fact;
#[cfg(test)]
mod tests;
mod threads;
mod unindexed_terms;
mod v4_prefix;
mod value;
mod word_order;
mod word_reader;
mod words;

pub mod build;

pub(in crate::store) use self::{
    id::WordId,
    spelling::{spell_number, spell_v4},
    threads::over_chunks,
    words::Interner,
};
pub use error::{NotOpened, QueryError};
pub use facets::{Facet, FacetBy};
pub use flat::{ExportRow, Flats};
pub use flat_token::{FlatLocation, FlatTexts};
pub use id::RowId;
pub use open::Index;
pub use page::{Order, Ordered, SortField};
pub use selection::Selection;
pub use survey::RecordPart;
pub use threads::StopFlag;
pub use value::leading_v4;
