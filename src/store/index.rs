//! The index of one release of a feed: every record, and what is needed to find it, in one file beside the feed file.
//!
//! # What it is for
//!
//! A feed holds tens of millions of lines of JSON. The index answers, in microseconds and without the network: the line of an
//! address or of the networks that cover it, byte for byte ([`Index::covering`], [`Index::line`]); which records a
//! [`Filter`](super::Filter) means, and how many ([`Index::select`]); the values of a field among them ([`Index::facets`]);
//! the busiest of them ([`Index::busiest`]). It is built while the feed is downloaded ([`build::Building`]), never changed
//! afterwards, and can be built again from the feed file at any time: so nothing here is ever repaired.
//!
//! It has no schema. Whatever a line holds is kept; paths that the filter language knows (see
//! [`Keyword::paths`](crate::model::Keyword::paths)) can be searched as well. So all feeds share it: contexts of IPv4 addresses and
//! IPv6 networks, realtime windows, datacenter netblocks, geolocation, metadata of services.
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
//! The container, its checksums and why a cut or flipped file is noticed: `file`. The kinds of sections and their numbers: `section_kind`. The
//! bytes of each section are in the documentation of one module:
//!
//! | sections | hold | module |
//! |---|---|---|
//! | chunks | how many rows each chunk has | `records` |
//! | records, lengths | the records of a chunk, and where each begins | `chunk_builder` |
//! | clients | rows of a chunk by number of clients | `clients` |
//! | words, attributed | for each word of a field the rows that have it | `rows` |
//! | unindexed, entries | rows by hashes of words that are in no dictionary, and by entries | `chunk_builder` |
//! | addresses, networks, firsts, loose | what records are about, in order | `entries` |
//! | prefixes | where in that order the addresses of each upper half are | `v4_prefix` |
//! | clients order, clients blocks | all records by number of clients | `clients_order` |
//! | shapes | how lines are put together from tokens | `shape` |
//! | tokens, dictionaries, folded | texts that repeat, by number | `dictionary` |
//!
//! The tables of bytes in these modules read alike. Parts follow one another without padding. `row u16 each` is an array; its length is a
//! count before it, or the rest of the section. `up to its last u32` and `end u32` are running totals, so that an item begins where the one
//! before it ends, and the first begins at 0. Numbers are little-endian. Two kinds of addresses are in network byte order instead: those
//! of networks (`entries`) and those in values of records (`value`).
//!
//! A *chunk* holds up to 65,536 records in the order of the feed, so that a row within it is a number of 16 bits and a set of rows
//! 8 KiB of bits. A [`RowId`] is the number of the chunk (upper 16 bits) and the row within it (lower 16 bits).
//!
//! ## Reading a record
//!
//! 1. `lengths` of the chunk tell where its bytes are in `records` of the chunk.
//! 2. They begin with the number of its shape, a variable-length number (`value`). After shape 0 the rest is the line itself.
//! 3. Any other shape has slots. For each slot the bytes hold one value (`value`), which gives a token: as it is; packed; a text of the
//!    dictionary `tokens` of the slot's column; in a column of numbers the number itself; or a list of words of the dictionary of the
//!    column's field.
//! 4. The skeleton of the shape holds a byte of 0 for each slot. With the tokens in their places it is the line, byte for byte, without
//!    its line end.
//!
//! The records of an IPv4 address are found by its upper half (`v4_prefix`) and a search for its lower half among those of that upper half
//! (`addresses`), which name the rows. Networks and IPv6 addresses are found in `networks`; how to find those that cover an address:
//! `entries`.
//!
//! A section in pieces of 65,536 is a list that is cut into sections of one kind: item 65,536 is the first item of ordinal 1. An empty list
//! has no section.
//!
//! ## Finding records by a word
//!
//! 1. The number of the word is its place in the dictionary of its field (`dictionaries`, `dictionary`). Case matters there.
//! 2. `words` of that field names the rows of that number in each chunk (`rows`).
//! 3. A dictionary may be full, and a long word has no room in it. So a reader also looks in `unindexed` of the field, by the hash of the
//!    word (`chunk_builder`), and reads the records that it finds there, since different words may have the same hash.
//!
//! A word is the text of a JSON string at one of the field's paths (see [`Keyword::paths`](crate::model::Keyword::paths)) after its escapes
//! are resolved, or a number as it is written. Text that is empty or only blank is no word. The field `entry` has no dictionary: IPv4
//! addresses are in `entries`, all other words in `unindexed` of entry.
//!
//! Checksums find accidents. A file may also have been made to do harm: every number is checked before it is used, and what does not add up
//! is [`QueryError::Damaged`]. What a question costs is bounded by the size of the file.
//!
//! # How a line becomes a record
//!
//! `scan` takes the line apart into a *skeleton* and *tokens* (`parsed_block`: a block of lines at a time); a line whose skeleton came
//! before is matched instead, which is faster (`skeleton_trie`). The skeleton becomes the number of a *shape* (`shape`), and each token the
//! number of a text that came before at the same path (`column`), or packed: an address, a number, a list of words (`value`). A
//! line of 450 bytes becomes about 45 that way. Whatever cannot be taken apart so that it comes back byte for byte is kept as it
//! is. What a token says to a search is found out when it comes first (`extract_terms`, `term_fact`), so most lines are never parsed (`encode`).
//! Building runs on threads beside the one that decodes the feed (`build`), and waits for memory rather than for computing (`words`).
//!
//! # How a question is answered
//!
//! The file is mapped; a section is checked when it is first used. A filter becomes for each chunk a set of rows for each of its
//! terms, joined by AND (`query`). Everything between two chunks can be stopped ([`StopFlag`]).
//!
//! A selection is put along an order once, as bits, and then shown a page at a time (`page`).
//!
//! # Memory
//!
//! Building takes a bounded amount of memory whatever the size of the feed and whatever its lines hold: less than 512 MiB for feeds as they
//! are, less than 768 MiB for any. What takes it is weighed as it grows: dictionaries of tokens (128 MiB, `encode`) and of words (96 MiB,
//! `extract_terms`), skeletons (16 MiB, `shape`), and three drafts of chunks (32 MiB each and the rows of their postings, `chunk_builder`). What does not fit
//! is written as it is. What must be sorted across chunks goes through scratch files (`external_sort`).

mod alike;
mod chunk_builder;
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
