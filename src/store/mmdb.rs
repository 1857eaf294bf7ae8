//! Writes databases indexed by address, in the `MaxMind` DB format, version 2.0.
//!
//! ```text
//! the search tree        nodes of two records each, 24, 28 or 32 bits a record, the root first
//! 16 zero bytes
//! the data section       every text, list and inner map once, then the map of each network once, which points at them
//! \xab\xcd\xefMaxMind.com
//! the metadata           a map that says how to read the rest
//! ```
//!
//! A record of a node is the number of the next node; or the number of nodes, for "no value"; or the number of nodes plus 16 plus
//! an offset into the data section. A reader consumes one bit of the address per node. The tree always covers IPv6. IPv4 is at
//! `::/96`, and also at its IPv4-mapped and 6to4 prefixes, except where the database has networks of its own.
//!
//! Values are added as they come ([`ValueWriter`]), networks in any order ([`Database::insert`]); the tree is built at the end,
//! in one pass over the sorted networks. So the database stays in memory until it is written: about 100 bytes a network plus the
//! distinct values.

mod tree;
mod values;

use std::io::{self, Write};

use ipnet::IpNet;
use jiff::Timestamp;

use tree::{NetworkEntry, SEPARATOR, Tree};
pub use values::{
    InlineValue, Map, Offset, ValueWriter, spell_list, spell_map, spell_text, spell_texts,
};

/// Precedes the metadata.
const MARKER: &[u8] = b"\xab\xcd\xefMaxMind.com";

/// Descriptive metadata of a database.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its type, for programs.
    pub kind: &'a str,
    /// Its content, in English.
    pub description: &'a str,
    /// The time of the build; that of the data, for the same data to have the same bytes.
    pub built: Timestamp,
}

#[derive(Debug, Default)]
pub struct Database {
    /// The values for its networks.
    pub values: ValueWriter,
    entries: Vec<NetworkEntry>,
}

impl Database {
    /// Assigns a value to a network. More specific networks override it; a later value for the same network replaces it.
    pub fn insert(&mut self, network: IpNet, value: Offset) {
        self.entries.push(NetworkEntry::of(network, value));
    }

    /// Writes the database.
    ///
    /// # Errors
    /// A failure to write; more nodes and values than the format can number.
    pub fn write(mut self, about: &About<'_>, output: &mut dyn Write) -> io::Result<()> {
        let tree = Tree::of(&mut self.entries);
        let [inner, maps] = self.values.parts();
        let bits = tree
            .write(inner.len() + maps.len(), inner.len(), output)?
            .ok_or_else(values::too_large)?;
        output.write_all(&SEPARATOR)?;
        output.write_all(inner)?;
        output.write_all(maps)?;
        output.write_all(MARKER)?;
        output.write_all(&metadata(about, tree.nodes(), bits))
    }
}

/// The metadata, without pointers, since some readers do not follow them there.
fn metadata(about: &About<'_>, nodes: u32, bits: u16) -> Vec<u8> {
    // Readers in C take 0 for a missing time, and refuse the file.
    let epoch = u64::try_from(about.built.as_second()).map_or(1, |epoch| epoch.max(1));
    let mut all = Vec::new();
    let mut field = |key: &str, put: &dyn Fn(&mut Vec<u8>)| {
        values::text(key, &mut all);
        put(&mut all);
    };
    field("binary_format_major_version", &|all| values::u16(2, all));
    field("binary_format_minor_version", &|all| values::u16(0, all));
    field("build_epoch", &|all| values::u64(epoch, all));
    field("database_type", &|all| values::text(about.kind, all));
    field("description", &|all| {
        values::begin_map(1, all);
        values::text("en", all);
        values::text(about.description, all);
    });
    field("ip_version", &|all| values::u16(6, all));
    field("languages", &|all| {
        values::begin_list(1, all);
        values::text("en", all);
    });
    field("node_count", &|all| values::u32(nodes, all));
    field("record_size", &|all| values::u16(bits, all));
    let mut map = Vec::new();
    values::begin_map(9, &mut map);
    map.extend_from_slice(&all);
    map
}

#[cfg(test)]
mod tests;
