//! Reads a text of any length, block by block.

use std::{
    io::{self, Read},
    mem,
};

use super::{FoundAddress, Gatherer, room::GatherFailure};

/// Bytes that are read at once.
const BLOCK: usize = 256 << 10;
/// Bytes of the beginning of a text that tell its shape.
const BEGINNING: usize = 64 << 10;

impl Gatherer {
    /// Reads the text of this number to its end, or until nobody takes its addresses; returns whether somebody does. New ones are handed
    /// over soon, at most so many at a time.
    ///
    /// # Errors
    /// A failure to read; what was read before it has been handed over. [`GatherFailure::NoRoom`].
    pub fn read_to_end(
        &mut self,
        mut text: impl Read,
        number: usize,
        most: usize,
        hand_over: &mut impl FnMut(Vec<FoundAddress>) -> bool,
    ) -> Result<bool, GatherFailure> {
        let mut buffer = vec![0; BLOCK];
        let mut kept = 0;
        let mut has_begun = !self.reads_rows();
        if has_begun {
            self.begin(number, &[]);
        }
        loop {
            if buffer.len() == kept {
                buffer.resize(kept + BLOCK, 0);
            }
            let (count, failure) = match text.read(&mut buffer[kept..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => (0, Some(error)),
                Ok(count) => (count, None),
            };
            let end = kept + count;
            let at_end = count == 0;
            if !has_begun && !at_end && end < BEGINNING {
                kept = end;
                continue;
            }
            if !has_begun {
                self.begin(number, &buffer[..end]);
                has_begun = true;
            }
            let mut batch = Vec::new();
            let mut wanted = true;
            let taken = self.take(&buffer[..end], at_end, &mut |found_address| {
                batch.push(found_address);
                if batch.len() == most {
                    wanted = wanted && hand_over(mem::take(&mut batch));
                }
            });
            // Sent at once: the writer of the text may pause.
            wanted = wanted && (batch.is_empty() || hand_over(batch));
            if at_end || !wanted {
                return failure.map_or(Ok(wanted), |error| Err(error.into()));
            }
            self.check_room()?;
            buffer.copy_within(taken..end, 0);
            kept = end - taken;
        }
    }
}
