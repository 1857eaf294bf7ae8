//! External sort: the entries of each chunk are sorted and written to a scratch file as a run; the runs are merged at the end.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
    fs::File,
    io::{self, Write},
    marker::PhantomData,
    os::unix::fs::FileExt,
    sync::mpsc::{Receiver, sync_channel},
    thread::Scope,
};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::store::{Folder, threads};

/// An entry that can be sorted externally.
pub(super) trait Sorted:
    FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned + Copy
{
    type Order: Ord + Copy;
    fn order(&self) -> Self::Order;

    /// Sorts entries in memory.
    fn sort(entries: &mut Vec<Self>) {
        entries.sort_unstable_by_key(Self::order);
    }
}

/// Sorted runs in an unnamed file, which disappears when its handle is closed, even after a crash.
#[derive(Debug)]
pub(super) struct Runs<T> {
    file: File,
    /// The end of each run, in entries.
    ends: Vec<u64>,
    of: PhantomData<T>,
}

impl<T: Sorted> Runs<T> {
    /// The memory of all buffers of a merge, in bytes; exceeded only with thousands of runs.
    const BUFFERS: usize = 4 << 20;

    /// Creates the scratch file in this folder.
    pub(super) fn create(folder: &Folder) -> io::Result<Self> {
        Ok(Self {
            file: folder.unnamed()?,
            ends: Vec::new(),
            of: PhantomData,
        })
    }

    /// The number of entries.
    pub(super) fn count(&self) -> u64 {
        self.ends.last().copied().unwrap_or_default()
    }

    /// Sorts the entries of a chunk and writes them as a run.
    pub(super) fn push(&mut self, entries: &mut Vec<T>) -> io::Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        T::sort(entries);
        self.file.write_all(entries.as_bytes())?;
        self.ends.push(self.count() + entries.len() as u64);
        Ok(())
    }

    /// Merges the runs.
    pub(super) fn merge(self) -> io::Result<Merged<T>> {
        let entries = (Self::BUFFERS / size_of::<T>() / self.ends.len().max(1)).max(16);
        let mut from = 0;
        let mut runs: Vec<SortedRun<T>> = Vec::new();
        for end in &self.ends {
            runs.push(SortedRun {
                from,
                end: *end,
                buffer: Vec::new(),
                next: 0,
                entries,
            });
            from = *end;
        }
        let mut heap = BinaryHeap::new();
        for (number, run) in runs.iter_mut().enumerate() {
            if let Some(entry) = run.next(&self.file)? {
                heap.push(Reverse(RunHead {
                    order: entry.order(),
                    number,
                    entry,
                }));
            }
        }
        Ok(Merged {
            file: self.file,
            runs,
            heap,
        })
    }
}

/// The entries of all runs, in order.
pub(super) struct Merged<T: Sorted> {
    file: File,
    runs: Vec<SortedRun<T>>,
    heap: BinaryHeap<Reverse<RunHead<T>>>,
}

impl<T: Sorted> Merged<T> {
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<T>> {
        let Some(mut first) = self.heap.peek_mut() else {
            return Ok(None);
        };
        let RunHead { number, entry, .. } = first.0;
        match self.runs[number].next(&self.file)? {
            Some(entry) => {
                first.0 = RunHead {
                    order: entry.order(),
                    number,
                    entry,
                }
            }
            None => {
                PeekMut::pop(first);
            }
        }
        Ok(Some(entry))
    }
}

/// Entries that another thread merges ahead of the reader.
pub(super) struct Ahead<T> {
    batches: Receiver<io::Result<Vec<T>>>,
    batch: std::vec::IntoIter<T>,
}

impl<T: Sorted + Send> Merged<T> {
    /// Merges on another thread, which ends when the receiver is dropped.
    ///
    /// # Errors
    /// [`threads::NoThread`].
    pub(super) fn ahead<'scope>(mut self, scope: &'scope Scope<'scope, '_>) -> io::Result<Ahead<T>>
    where
        T: 'scope,
        T::Order: Send,
    {
        /// The number of entries of a batch, and the capacity of the queue of batches.
        const BATCH: usize = 8192;
        const WAITING: usize = 4;
        let (send, batches) = sync_channel(WAITING);
        threads::start_in(scope, move || {
            loop {
                let batch = self.batch(BATCH);
                let is_last = batch.as_ref().map_or(true, |batch| batch.len() < BATCH);
                if send.send(batch).is_err() || is_last {
                    return;
                }
            }
        })?;
        Ok(Ahead {
            batches,
            batch: Vec::new().into_iter(),
        })
    }

    /// The next entries; fewer than `count` only at the end.
    fn batch(&mut self, count: usize) -> io::Result<Vec<T>> {
        let mut batch = Vec::with_capacity(count);
        while batch.len() < count
            && let Some(entry) = self.next()?
        {
            batch.push(entry);
        }
        Ok(batch)
    }
}

impl<T> Ahead<T> {
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<T>> {
        if let Some(entry) = self.batch.next() {
            return Ok(Some(entry));
        }
        // The thread ends after the last batch.
        let Ok(batch) = self.batches.recv() else {
            return Ok(None);
        };
        self.batch = batch?.into_iter();
        Ok(self.batch.next())
    }
}

/// One run, read in pieces.
struct SortedRun<T> {
    from: u64,
    end: u64,
    buffer: Vec<T>,
    next: usize,
    entries: usize,
}

impl<T: Sorted> SortedRun<T> {
    fn next(&mut self, file: &File) -> io::Result<Option<T>> {
        if self.next == self.buffer.len() {
            let left = usize::try_from(self.end - self.from).unwrap_or(usize::MAX);
            let count = left.min(self.entries);
            if count == 0 {
                return Ok(None);
            }
            self.buffer.resize_with(count, T::new_zeroed);
            file.read_exact_at(
                self.buffer.as_mut_bytes(),
                self.from * size_of::<T>() as u64,
            )?;
            (self.from, self.next) = (self.from + count as u64, 0);
        }
        self.next += 1;
        Ok(self.buffer.get(self.next - 1).copied())
    }
}

/// The next entry of a run.
#[derive(Clone, Copy)]
struct RunHead<T: Sorted> {
    order: T::Order,
    number: usize,
    entry: T,
}

impl<T: Sorted> PartialEq for RunHead<T> {
    fn eq(&self, other: &Self) -> bool {
        self.order == other.order
    }
}

impl<T: Sorted> Eq for RunHead<T> {}

impl<T: Sorted> PartialOrd for RunHead<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Sorted> Ord for RunHead<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}
