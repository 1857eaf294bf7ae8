//! The sealer turns full chunk builders into sections of the file, and at the end writes the structures across all chunks.

use std::{
    io,
    sync::mpsc::Receiver,
    thread::{self, Scope},
};

use zerocopy::{
    IntoBytes,
    little_endian::{U32, U64},
};

use crate::{
    model::Keyword,
    store::{
        Folder,
        index::{
            RowId,
            chunk_builder::ChunkBuilder,
            clients_order,
            encode::EncodedSections,
            entries::{
                Address, Linker, LooseEntry, LooseRecord, NetworkRow, PIECE, STRETCH,
                SortedNetwork, V4Entry,
            },
            external_sort::Runs,
            file::IndexFileWriter,
            id::offset,
            rows::CHUNK,
            section_kind::{self, FIELDS},
            term_fact::TermFacts,
            v4_prefix,
        },
    },
};

/// Writes the sections of the file.
#[derive(Debug)]
pub(super) struct Sealer {
    writer: IndexFileWriter,
    addresses: Runs<Address>,
    networks: Runs<SortedNetwork>,
    /// Records without a readable subject, with their numbers of clients, in the order of the file.
    loose: Runs<LooseRecord>,
    by_clients: clients_order::Builder,
    /// The number of rows of each chunk.
    chunks: Vec<U32>,
    /// For each column, the terms of its tokens.
    known: Vec<TermFacts>,
}

impl Sealer {
    /// Begins a file and replaces an existing one.
    pub(super) fn begin(folder: &Folder, name: &str) -> io::Result<Self> {
        Ok(Self {
            writer: IndexFileWriter::create(folder, name)?,
            addresses: Runs::create(folder)?,
            networks: Runs::create(folder)?,
            loose: Runs::create(folder)?,
            by_clients: clients_order::Builder::create(folder)?,
            chunks: Vec::new(),
            known: Vec::new(),
        })
    }

    /// The sealer's thread.
    pub(super) fn seal_all(
        mut self,
        drafts: &Receiver<(Box<ChunkBuilder>, [usize; FIELDS])>,
    ) -> io::Result<Self> {
        let mut clients = vec![0; CHUNK];
        for (mut draft, words) in drafts {
            self.learn(std::mem::take(&mut draft.learnt));
            draft.sections(&words, &self.known, |kind, bytes| {
                self.writer.section(kind, bytes)
            })?;
            self.chunks.push(offset(draft.rows())?);
            draft.clients_of_rows(&mut clients);
            let addresses = draft.addresses.iter_mut();
            let addresses = addresses.map(|address| (address.row(), &mut address.clients));
            let networks = draft.networks.iter_mut();
            let networks = networks.map(|network| (network.network.row(), &mut network.clients));
            let loose = draft.loose.iter_mut();
            let loose = loose.map(|record| (record.entry.row(), &mut record.clients));
            note_clients(addresses.chain(networks).chain(loose), &clients);
            self.addresses.push(&mut draft.addresses)?;
            self.networks.push(&mut draft.networks)?;
            self.loose.push(&mut draft.loose)?;
        }
        Ok(self)
    }

    fn learn(&mut self, learnt: Vec<TermFacts>) {
        self.known.resize_with(learnt.len(), TermFacts::default);
        for (known, learnt) in self.known.iter_mut().zip(learnt) {
            known.append(learnt);
        }
    }

    /// Writes the structures across all chunks; returns the length of the file.
    pub(super) fn finish(
        self,
        sections: &EncodedSections,
        records: u64,
        tell: &mut dyn FnMut(u64, u64),
    ) -> io::Result<u64> {
        let Self {
            mut writer,
            addresses,
            networks,
            loose,
            mut by_clients,
            chunks,
            ..
        } = self;
        writer.section(section_kind::CHUNKS, chunks.as_bytes())?;
        let all = addresses.count() + networks.count() + loose.count();
        let mut done = 0;
        let mut step = |clients| {
            by_clients.push(clients)?;
            done += 1;
            if done % PIECE as u64 == 0 || done == all {
                tell(done, all);
            }
            io::Result::Ok(())
        };
        thread::scope(|scope| write_subjects(scope, &mut writer, addresses, networks, &mut step))?;
        write_loose(&mut writer, loose, &mut step)?;
        by_clients.finish(&mut writer)?;
        writer.section(section_kind::SHAPES, &sections.shapes()?)?;
        for column in &sections.columns {
            writer.section_of(section_kind::TOKENS, |put| column.tokens().write(put))?;
        }
        for field in Keyword::ALL {
            let words = sections.words.of(field);
            writer.section_of(section_kind::DICTIONARIES, |put| words.write(put))?;
        }
        // Only this field is searched by substrings.
        let organizations = sections.words.of(Keyword::Org).folded()?;
        writer.section(section_kind::FOLDED, &organizations)?;
        writer.finish(records)
    }
}

/// Copies the numbers of clients of a chunk's rows to the entries that are sorted across chunks.
fn note_clients<'a>(entries: impl Iterator<Item = (RowId, &'a mut U64)>, clients: &[u64]) {
    for (row, u64) in entries {
        *u64 = clients[usize::from(row.within())].into();
    }
}

/// A section that is written in pieces.
struct SectionPieces<T> {
    kind: u32,
    piece: Vec<T>,
}

impl<T: IntoBytes + zerocopy::Immutable> SectionPieces<T> {
    fn of(kind: u32) -> Self {
        Self {
            kind,
            piece: Vec::with_capacity(PIECE),
        }
    }

    fn push(&mut self, entry: T, writer: &mut IndexFileWriter) -> io::Result<()> {
        self.piece.push(entry);
        if self.piece.len() == PIECE {
            self.write(writer)?;
        }
        Ok(())
    }

    /// Writes the entries that remain, if any.
    fn write(&mut self, writer: &mut IndexFileWriter) -> io::Result<()> {
        if !self.piece.is_empty() {
            writer.section(self.kind, self.piece.as_bytes())?;
            self.piece.clear();
        }
        Ok(())
    }
}

/// Writes addresses and networks, each list sorted. `step` receives the number of clients of each record, in the merged order of
/// both.
fn write_subjects<'scope>(
    scope: &'scope Scope<'scope, '_>,
    writer: &mut IndexFileWriter,
    addresses: Runs<Address>,
    networks: Runs<SortedNetwork>,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut prefixes = v4_prefix::PrefixWriter::default();
    let (mut firsts, mut place, mut linker) = (Vec::new(), 0_usize, Linker::default());
    let mut lows = SectionPieces::<V4Entry>::of(section_kind::ADDRESSES);
    let mut written = SectionPieces::<NetworkRow>::of(section_kind::NETWORKS);
    let (mut addresses, mut networks) = (addresses.merge()?.ahead(scope)?, networks.merge()?);
    let (mut address, mut network) = (addresses.next()?, networks.next()?);
    loop {
        let address_first = match (&address, &network) {
            (None, None) => break,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(address), Some(network)) => {
                network.network.comes_after(address.bits(), address.row())
            }
        };
        if let Some(own) = address.filter(|_| address_first) {
            prefixes.push(own.upper())?;
            lows.push(own.low(), writer)?;
            step(own.clients.get())?;
            address = addresses.next()?;
        } else if let Some(mut sorted_network) = network {
            linker.link(&mut sorted_network.network);
            if place.is_multiple_of(STRETCH) {
                firsts.extend_from_slice(&sorted_network.network.head());
            }
            place += 1;
            written.push(sorted_network.network, writer)?;
            step(sorted_network.clients.get())?;
            network = networks.next()?;
        }
    }
    lows.write(writer)?;
    writer.section(section_kind::PREFIXES, prefixes.section())?;
    written.write(writer)?;
    writer.section(section_kind::FIRSTS, &firsts)
}

/// Writes the records without a readable subject, in the order of the file.
fn write_loose(
    writer: &mut IndexFileWriter,
    loose: Runs<LooseRecord>,
    step: &mut dyn FnMut(u64) -> io::Result<()>,
) -> io::Result<()> {
    let mut written = SectionPieces::<LooseEntry>::of(section_kind::LOOSE);
    let mut loose = loose.merge()?;
    while let Some(record) = loose.next()? {
        written.push(record.entry, writer)?;
        step(record.clients.get())?;
    }
    written.write(writer)
}
