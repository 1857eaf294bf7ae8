//! Lists to block by, in the forms that firewalls and other programs read.
//!
//! A list is a set of addresses that is made once, and a form is a row of a table: all forms cover the same addresses. What consumers
//! were seen to do decides what is written:
//!
//! - networks are disjoint and by number, IPv4 first: nft and firewalld refuse an overlap, Squid ignores the later line of two;
//! - no bits are behind a length: Postfix, BIND and `aggregate` drop such an entry, the others mask it in silence;
//! - an IPv4-mapped address is IPv4: an nft set of IPv6 keeps it and matches nothing;
//! - a comment is a line of its own that begins with `#`: behind an entry it stops `HAProxy` and ipset, and is part of a Postfix action;
//! - a set is replaced whole: adding one entry to a large set of nft takes longer than loading it anew;
//! - lines end with a line feed, the last one too, and everything is ASCII.

mod files;
mod form;
mod made;
mod writer;

pub use self::{
    files::{ListFile, ListWriting, write_files},
    form::{BLOCK_FORMS, BlockForm},
    made::{ListChange, ListCheck, ListQuery, ListSource, MadeList, refuse},
    writer::{BlockList, ListOrigin, push_network},
};
