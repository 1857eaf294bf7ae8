//! The engine against the service: what reaches the wire, what is believed of the answers, what stays on the disk.

mod feed;
mod headers;
mod lookups;
mod resume;
mod retries;
mod stand;
mod trust;
mod wire;
