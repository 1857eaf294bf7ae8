//! Spreads work on chunks over several threads if there are enough chunks.

use std::{
    num::NonZero,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use super::QueryError;
use crate::store::threads::start_in;

/// With fewer chunks for each thread, starting one does not pay: that takes as long as a few chunks.
const WORTH_A_THREAD: usize = 12;
/// The maximum number of threads.
const MOST: usize = 4;

/// Runs `work` on a few ranges of chunks, each on its own thread, and returns the results in order.
pub(in crate::store) fn over_chunks<T: Send>(
    chunks: usize,
    work: impl Fn(Range<usize>) -> Result<T, QueryError> + Sync,
) -> Result<Vec<T>, QueryError> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = cores.min(MOST).min(chunks / WORTH_A_THREAD).max(1);
    let range = |part: usize| chunks * part / parts..chunks * (part + 1) / parts;
    if parts == 1 {
        return Ok(vec![work(range(0))?]);
    }
    thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..parts)
            .map(|part| (part, start_in(scope, move || work(range(part)))))
            .collect();
        let mut results = vec![work(range(0))?];
        for (part, other) in others {
            let result = match other {
                Ok(other) => other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                // Without a thread for it, this one does it.
                Err(_) => work(range(part)),
            };
            results.push(result?);
        }
        Ok(results)
    })
}

/// A flag that stops a long search from another thread.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops all work that checks this flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns an error once the flag is set.
    ///
    /// # Errors
    /// [`QueryError::Stopped`].
    pub fn check(&self) -> Result<(), QueryError> {
        if self.is_stopped() {
            return Err(QueryError::Stopped);
        }
        Ok(())
    }

    /// Whether the flag is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::threads::tests::with_grants;

    #[test]
    fn every_chunk_comes_once_and_in_order() {
        for (chunks, grants) in [0, 1, 11, 12, 50, 763]
            .map(|chunks| [0, 1, 9].map(|grants| (chunks, grants)))
            .concat()
        {
            let parts = with_grants(grants, || {
                over_chunks(chunks, |range| Ok(range.collect::<Vec<_>>())).expect("all")
            });
            assert_eq!(parts.concat(), (0..chunks).collect::<Vec<_>>());
        }
        assert_eq!(
            over_chunks(50, |range| if range.contains(&49) {
                Err(QueryError::Stopped)
            } else {
                Ok(())
            }),
            Err(QueryError::Stopped)
        );
    }
}
