//! What the service says: addresses, days, records, tags, metadata.
//!
//! Everything here is plain data and its reading. It must never do I/O, wait, or write text for people.

pub mod context;
pub mod day;
pub mod document;
pub mod file_path;
pub mod lenient;
pub mod status;
pub mod subject;
pub mod tag;
pub mod tag_name;
pub mod visible;

pub use context::{Anonymization, Context, NotARecord};
pub use day::{Day, Window};
pub use document::{Document, Malformed};
pub use file_path::FilePath;
pub use lenient::{Field, NotAnObject};
pub use status::Status;
pub use subject::{Admission, Reserved, Subject, parse_address};
pub use tag::Tag;
pub use tag_name::TagName;
pub use visible::{visible, visible_lines};
