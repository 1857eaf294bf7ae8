//! What is local: the releases of feeds in the cache, each a folder with its data and a manifest, and the log of the state
//! directory.
//!
//! ```text
//! feeds/                        of the first service that was pulled from; feeds-<hash>/ of any other
//!   service.json                names that service
//!   anonymous/
//!     .lock                     held by the one process that writes here
//!     .part/                    what is partial: NAME.part, its journal NAME.json, its index NAME.idx
//!     .gone-20261120-3f1c77ab/  what was deleted and can be brought back until the program ends
//!     20261120/
//!       feed-3f1c….json.gz      the data, named by its hash
//!       feed-3f1c….idx          the index built from it
//!       feed.json               its manifest, written last: what no manifest names is not there
//!       mmdb-77ab….mmdb         the MMDB form, with a manifest of its own, mmdb.json
//!   realtime/
//!     20261120-2310/            a window of five minutes
//! ```
//!
//! What is small carries a checksum of itself, and names what it belongs to. No link is followed.
//!
//! Replacing a release writes new data beside the old, then renames the manifest over the old one: at any moment the old
//! or the new release is there, whole. Nothing here waits, sends or prints.

pub mod checksum;
pub mod diff;
mod distinct;
pub mod export;
pub mod filter;
pub mod folder;
pub mod index;
mod latest;
pub mod layout;
pub mod lines;
pub mod lock;
pub mod log;
pub mod manifest;
mod merge;
pub mod mmdb;
mod moment;
pub mod owner;
pub mod parquet;
pub mod priority;
mod removal;
pub mod retention;
pub mod space;
mod trash;

pub use filter::Filter;
pub use folder::Folder;
pub use index::{Index, RowId, StopFlag};
pub use latest::NoRelease;
pub use layout::Cache;
pub use lock::FeedLock;
pub use log::EntryLog;
pub use manifest::{DaySource, IndexFile, Manifest, Rejected};
pub use moment::Moment;
pub use trash::Deletable;
