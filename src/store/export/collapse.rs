//! Collapses addresses into CIDR blocks (contract, part 4.3, rule 1) if they have equal values in all other columns.

use std::io;

use ipnet::IpNet;

use super::{
    record::ExportRecord,
    table::{CellWriter, TableWriter},
};
use crate::{
    contract::ExportField,
    model::Subject,
    store::distinct::{Distinct, StringRef},
};

/// Addresses to be collapsed.
#[derive(Debug)]
pub(super) struct Collapse<'a> {
    speller: CellWriter,
    /// All columns but the first, which is the network.
    others: &'a [ExportField],
    /// Their cells, as they will be written.
    said: Distinct,
    networks: Vec<(StringRef, IpNet)>,
    scratch: Vec<u8>,
}

impl<'a> Collapse<'a> {
    /// Begins without addresses. The first column must be the network.
    pub(super) fn of(speller: CellWriter, columns: &'a [ExportField]) -> Self {
        Self {
            speller,
            others: columns.get(1..).unwrap_or_default(),
            said: Distinct::default(),
            networks: Vec::new(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, record: ExportRecord<'_>) -> io::Result<()> {
        self.scratch.clear();
        self.speller.cells(self.others, record, &mut self.scratch);
        let kept = self.said.keep(&self.scratch).ok_or_else(|| {
            io::Error::other("the export is too large to be collapsed: narrow it down")
        })?;
        self.networks.push((kept, record.network()));
        Ok(())
    }

    /// Writes, by address, the fewest networks that cover exactly these addresses with these values.
    pub(super) fn write(mut self, table: &mut TableWriter<'_>) -> io::Result<()> {
        self.networks.sort_unstable();
        let alike = self.networks.chunk_by(|one, other| one.0 == other.0);
        let mut collapsed: Vec<(IpNet, StringRef)> = Vec::new();
        for alike in alike {
            let first = collapsed.len();
            for (kept, network) in alike {
                join(&mut collapsed, first, (*network, *kept));
            }
        }
        collapsed.sort_unstable();
        for (network, kept) in collapsed {
            table.row_of(Subject::Network(network), self.said.string(kept))?;
        }
        Ok(())
    }
}

/// Appends a network to those from `first` on, which all precede it or contain it, and merges halves.
fn join(networks: &mut Vec<(IpNet, StringRef)>, first: usize, next: (IpNet, StringRef)) {
    if let [.., (last, _)] = &networks[first..]
        && last.contains(&next.0)
    {
        return;
    }
    networks.push(next);
    while let [.., (one, kept), (other, _)] = networks[first..]
        && one.prefix_len() == other.prefix_len()
        && let Some(both) = one.supernet().filter(|both| both.contains(&other))
    {
        networks.truncate(networks.len() - 2);
        networks.push((both, kept));
    }
}
