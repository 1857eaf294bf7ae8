//! The text of the lines of a feed file that are no records.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader},
};

use flate2::bufread::MultiGzDecoder;

use crate::store::{StopFlag, index::QueryError};

/// Bytes of a line that are read; the rest is left out.
const MOST: usize = 400;

/// The beginnings of these lines, by their numbers, which count from 1. A file that cannot be read to there gives those before.
///
/// # Errors
/// [`QueryError::Stopped`].
pub(super) fn texts(
    data: io::Result<File>,
    wanted: &[u64],
    stop: &StopFlag,
) -> Result<BTreeMap<u64, String>, QueryError> {
    let mut found = BTreeMap::new();
    let Some(last) = wanted.iter().max().copied() else {
        return Ok(found);
    };
    let Ok(file) = data else {
        return Ok(found);
    };
    let mut lines = BufReader::with_capacity(1 << 18, MultiGzDecoder::new(BufReader::new(file)));
    let (mut number, mut text) = (1, Vec::new());
    while number <= last {
        stop.check()?;
        let Ok((length, lines_ended)) =
            take(&mut lines, number, wanted, last, &mut text, &mut found)
        else {
            break;
        };
        if length == 0 {
            break;
        }
        lines.consume(length);
        number += lines_ended;
    }
    if wanted.contains(&number) && !text.is_empty() {
        found.insert(number, String::from_utf8_lossy(&text).into_owned());
    }
    Ok(found)
}

/// Looks through what is buffered; returns how many bytes that were and how many lines ended there.
fn take(
    lines: &mut impl BufRead,
    first: u64,
    wanted: &[u64],
    last: u64,
    text: &mut Vec<u8>,
    found: &mut BTreeMap<u64, String>,
) -> io::Result<(usize, u64)> {
    let buffer = lines.fill_buf()?;
    let mut number = first;
    for piece in buffer.split_inclusive(|byte| *byte == b'\n') {
        if wanted.contains(&number) {
            let line = piece.strip_suffix(b"\n").unwrap_or(piece);
            let room = MOST.saturating_sub(text.len());
            text.extend_from_slice(&line[..line.len().min(room)]);
        }
        if piece.ends_with(b"\n") {
            if wanted.contains(&number) {
                let line = std::mem::take(text);
                found.insert(number, String::from_utf8_lossy(&line).into_owned());
            }
            number += 1;
            if number > last {
                break;
            }
        }
    }
    Ok((buffer.len(), number - first))
}
