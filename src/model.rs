//! What the service says: addresses, days, records, tags, metadata.
//!
//! Everything here is plain data and its reading. It must never do I/O, wait, or write text for people.

pub mod admission;
mod by_address;
pub mod compare;
pub mod context;
mod country;
pub mod day;
pub mod document;
pub mod export_row;
pub mod feed_metadata;
pub mod fields;
pub mod file_path;
pub mod geo;
pub mod hosting;
mod keyword;
pub mod lenient;
pub mod listing;
pub mod nearest;
mod number;
pub mod scan;
pub mod status;
pub mod subject;
pub mod tag;
pub mod tag_name;
pub mod terms;
pub mod visible;

pub use admission::{Admission, Reserved};
pub use by_address::ByAddress;
pub use context::{Anonymization, Context, NotARecord};
pub use country::{Continent, Country, country};
pub use day::{BadDay, Day, Window, instant_of};
pub use document::{Document, Malformed};
pub use feed_metadata::FeedMetadata;
pub use file_path::FilePath;
pub use geo::Geo;
pub use hosting::Hosting;
pub use keyword::Keyword;
pub use lenient::{Field, NotAnObject};
pub use listing::{Listing, NotAListing};
pub use nearest::{instead_of, meant, nearest};
pub use number::{count, counted, decimal};
pub use status::Status;
pub use subject::{BadAddress, Subject, parse_address, parse_network, parse_subject};
pub use tag::Tag;
pub use tag_name::TagName;
pub use terms::Terms;
pub use visible::{visible, visible_lines};
