//! Local data: the releases of feeds in the cache, each a folder with its data and a manifest, and the log in the state
//! directory.
//!
//! ```text
//! feeds/                        of the first service downloaded from; feeds-<hash>/ of any other
//!   service.json                names that service
//!   anonymous/
//!     .lock                     held by the one process that writes to this feed
//!     .part/                    partial downloads: NAME.part, its journal NAME.json, its index NAME.idx
//!     .gone-20261120-3f1c77ab/  a deleted release, which can be restored until the program ends
//!     20261120/
//!       feed-3f1c….json.gz      the data, named by its hash
//!       feed-3f1c….idx          the index built from it
//!       feed.json               its manifest, written last: files that no manifest names do not count
//!       mmdb-77ab….mmdb         the MMDB form, with a separate manifest, mmdb.json
//!   realtime/
//!     20261120-2310/            a window of five minutes
//! ```
//!
//! Small files have a checksum inside, and name what they belong to. No link is followed.
//!
//! To replace a release, new data is written beside the old, then the new manifest is renamed over the old one: at any moment
//! either the old or the new release is complete. This module neither waits for input, sends, nor prints.

pub mod checksum;
pub mod diff;
mod distinct;
pub mod export;
pub mod fatal_signals;
pub mod filter;
pub mod folder;
pub mod index;
mod latest;
pub mod layout;
pub mod lines;
pub mod lock;
pub mod log;
pub mod manifest;
pub mod mapping;
mod merge;
pub mod mmdb;
mod moment;
pub mod owner;
pub mod parquet;
mod removal;
pub mod retention;
pub mod space;
pub mod threads;
mod trash;

pub use filter::Filter;
pub use folder::Folder;
pub use index::{Index, RowId, StopFlag};
pub use latest::NoRelease;
pub use layout::Cache;
pub use lock::FeedLock;
pub use log::EntryLog;
pub use manifest::{DaySource, IndexFile, Manifest, Rejected, ReleasePlace};
pub use moment::{Generation, Moment};
pub use trash::{Deletable, Trashed};
