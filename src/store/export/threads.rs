//! Processes many rows on several threads, and takes the results in the order of the rows.

use std::{
    num::NonZero,
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

use crate::store::{RowId, threads::start_in};

/// The number of rows in a unit of work.
const PIECE: usize = 8192;
/// The maximum number of threads.
const MOST: usize = 4;

/// Processes pieces of these rows on several threads and takes the results in order. `begin` creates the state of each thread. At
/// most one result of each thread is queued, so a thread that is far ahead waits.
pub(super) fn in_order<T: Send, S, E: Send>(
    rows: &[RowId],
    begin: impl Fn() -> Result<S, E> + Sync,
    work: impl Fn(&S, &[RowId]) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let pieces = rows.len().div_ceil(PIECE);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = cores.min(MOST).min(pieces);
    if threads < 2 {
        let with = begin()?;
        return rows
            .chunks(PIECE)
            .try_for_each(|rows| take(work(&with, rows)?));
    }
    thread::scope(|scope| {
        let (begin, work) = (&begin, &work);
        // `None` is a thread that the system refused: its pieces are processed here.
        let results: Vec<Option<Receiver<Result<T, E>>>> = (0..threads)
            .map(|thread| {
                let (result, results) = sync_channel(1);
                let started = start_in(scope, move || {
                    let with = begin();
                    let with = match with {
                        Ok(with) => with,
                        Err(error) => return drop(result.send(Err(error))),
                    };
                    for rows in rows.chunks(PIECE).skip(thread).step_by(threads) {
                        // After a failure the receiver is gone.
                        if result.send(work(&with, rows)).is_err() {
                            return;
                        }
                    }
                });
                started.is_ok().then_some(results)
            })
            .collect();
        let mut own = None;
        for (piece, rows) in rows.chunks(PIECE).enumerate() {
            let result = if let Some(results) = &results[piece % threads] {
                // A thread that ends before its last result has panicked; the scope propagates the panic.
                let Ok(result) = results.recv() else { break };
                result
            } else {
                let with = match &own {
                    Some(own) => own,
                    None => own.insert(begin()?),
                };
                work(with, rows)
            };
            take(result?)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::threads::tests::with_grants;

    #[test]
    fn results_come_in_the_order_of_rows() {
        let counts = [0, 1, PIECE, PIECE + 1, 20 * PIECE + 7];
        for (count, grants) in counts
            .map(|count| [0, 1, 9].map(|grants| (count, grants)))
            .concat()
        {
            let rows: Vec<RowId> = (0_u32..).take(count).map(RowId).collect();
            let mut all = Vec::new();
            let work = |(): &(), rows: &[RowId]| Ok::<_, ()>(rows.to_vec());
            let take = |rows| {
                all.extend(rows);
                Ok(())
            };
            with_grants(grants, || in_order(&rows, || Ok(()), work, take)).expect("all");
            assert_eq!(all, rows);
        }
    }

    #[test]
    fn a_failure_ends_the_work() {
        let rows: Vec<RowId> = (0_u32..).take(9 * PIECE).map(RowId).collect();
        let work = |(): &(), rows: &[RowId]| if rows[0].0 > 0 { Err(rows[0]) } else { Ok(()) };
        let first = RowId(8192);
        assert_eq!(in_order(&rows, || Ok(()), work, |()| Ok(())), Err(first));
        let never = in_order(&rows, || Err::<(), _>(first), |(), _| Ok(()), |()| Ok(()));
        assert_eq!(never, Err(first));
        let full = in_order(&rows, || Ok(()), |(), _| Ok(()), |()| Err(first));
        assert_eq!(full, Err(first));
    }
}
