//! The search tree of a database.
//!
//! It is built in one pass over the sorted networks: networks with a common prefix are one slice, and a node splits its slice at
//! the next bit. Nodes are numbered in preorder, so the root is node 0 and adjacent addresses are close in the file. Two halves
//! with equal records merge into one record of the parent.

use std::io::{self, Write};

use ipnet::IpNet;

use super::values::Offset;

/// The separator between the tree and the data section.
pub(super) const SEPARATOR: [u8; 16] = [0; 16];
/// The prefixes of IPv4 in IPv6, each with its length: mapped and 6to4. Not Teredo, `2001::/32`: the bits behind it are those of the
/// server, and the client's are the last ones, inverted, where a prefix cannot lead.
const ALIASES: [(u128, u8); 2] = [(0xffff << 32, 96), (0x2002 << 112, 16)];

/// A record of a node in memory: the number of a node, or one of these.
type NodeRecord = u32;
/// This bit marks the offset of a value.
const VALUE: NodeRecord = 1 << 31;
const NOTHING: NodeRecord = NodeRecord::MAX;
/// The record of IPv4, at one of its other prefixes.
const ALIAS: NodeRecord = NodeRecord::MAX - 1;

#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkEntry {
    /// Its first address, as IPv6.
    bits: u128,
    /// The length of its prefix.
    length: u8,
    record: NodeRecord,
}

impl NetworkEntry {
    pub(super) fn of(network: IpNet, value: Offset) -> Self {
        let (bits, length) = match network.trunc() {
            IpNet::V4(network) => (
                u32::from(network.addr()).into(),
                IPV4 + network.prefix_len(),
            ),
            IpNet::V6(network) => (network.addr().into(), network.prefix_len()),
        };
        Self {
            bits,
            length,
            record: VALUE | value.0,
        }
    }

    /// Whether it is an IPv4 network.
    fn is_ipv4(&self) -> bool {
        self.length >= IPV4 && self.bits >> 32 == 0
    }
}

/// The number of bits before an IPv4 address.
const IPV4: u8 = 96;

#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<[NodeRecord; 2]>,
    /// The record of `::/96`.
    ipv4: NodeRecord,
}

impl Tree {
    /// The tree of these networks. Sorts them.
    pub(super) fn of(entries: &mut Vec<NetworkEntry>) -> Self {
        if entries.iter().any(NetworkEntry::is_ipv4) {
            let record = ALIAS;
            entries.extend(ALIASES.map(|(bits, length)| NetworkEntry {
                bits,
                length,
                record,
            }));
        }
        // A stable sort keeps the order of two values for one network.
        entries.sort_by_key(|entry| (entry.bits, entry.length));
        let mut tree = Self {
            nodes: Vec::new(),
            ipv4: NOTHING,
        };
        let root = tree.grow(entries, 0, NOTHING);
        if tree.nodes.is_empty() {
            tree.nodes.push([root; 2]);
        }
        tree
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> u32 {
        // Fits: 2^31 nodes and their networks exceed the memory of a process.
        u32::try_from(self.nodes.len()).unwrap_or(NOTHING)
    }

    /// The record of all addresses with a prefix of `depth` bits. `entries` are the networks within it, `above` is the record of
    /// the larger networks.
    fn grow(&mut self, entries: &[NetworkEntry], depth: u8, above: NodeRecord) -> NodeRecord {
        let own = entries.iter().take_while(|entry| entry.length == depth);
        let (network_entries, within) = entries.split_at(own.count());
        let mut known = above;
        for entry in network_entries {
            known = match entry.record {
                // A value of the database overrides the alias of IPv4.
                ALIAS if known == NOTHING && within.is_empty() => self.ipv4,
                ALIAS => known,
                record => record,
            };
        }
        let record = if within.is_empty() {
            known
        } else {
            self.fork(within, depth, known)
        };
        if depth == IPV4 && entries.first().is_some_and(|first| first.bits >> 32 == 0) {
            self.ipv4 = record;
        }
        record
    }

    /// The record of networks that differ after the first `depth` bits: a node, or the common record of its halves if they are
    /// equal.
    fn fork(&mut self, entries: &[NetworkEntry], depth: u8, above: NodeRecord) -> NodeRecord {
        let place = self.nodes.len();
        self.nodes.push([NOTHING; 2]);
        let bit = 1 << (127 - depth);
        let half = entries.partition_point(|entry| entry.bits & bit == 0);
        let (left, right) = entries.split_at(half);
        let halves = [
            self.grow(left, depth + 1, above),
            self.grow(right, depth + 1, above),
        ];
        if halves[0] == halves[1] && halves[0] >= VALUE {
            self.nodes.truncate(place);
            return halves[0];
        }
        self.nodes[place] = halves;
        u32::try_from(place).unwrap_or(NOTHING)
    }

    /// Writes the nodes, for a data section of length `data` whose maps begin at `maps`. Returns the bits of a record, or `None`
    /// if 32 do not suffice.
    ///
    /// # Errors
    /// A failure to write.
    pub(super) fn write(
        &self,
        data: usize,
        maps: usize,
        output: &mut dyn Write,
    ) -> io::Result<Option<u16>> {
        const PIECE: usize = 1 << 16;
        let nodes = self.nodes();
        let values = u64::from(nodes) + SEPARATOR.len() as u64;
        let bits = match values + data as u64 {
            0..0x0100_0000 => 24,
            0x0100_0000..0x1000_0000 => 28,
            0x1000_0000..0x1_0000_0000 => 32,
            _ => return Ok(None),
        };
        let Ok(values) = u32::try_from(values + maps as u64) else {
            return Ok(None);
        };
        let spelt = |record| match record {
            NOTHING => nodes,
            record if record >= VALUE => values + (record - VALUE),
            node => node,
        };
        let mut piece = Vec::with_capacity(PIECE + 8);
        for halves in &self.nodes {
            let [left, right] = halves.map(|record| spelt(record).to_be_bytes());
            match bits {
                24 => {
                    piece.extend_from_slice(&left[1..]);
                    piece.extend_from_slice(&right[1..]);
                }
                28 => {
                    piece.extend_from_slice(&left[1..]);
                    piece.push(left[0] << 4 | right[0]);
                    piece.extend_from_slice(&right[1..]);
                }
                _ => {
                    piece.extend_from_slice(&left);
                    piece.extend_from_slice(&right);
                }
            }
            if piece.len() >= PIECE {
                output.write_all(&piece)?;
                piece.clear();
            }
        }
        output.write_all(&piece)?;
        Ok(Some(bits))
    }
}
