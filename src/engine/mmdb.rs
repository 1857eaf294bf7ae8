//! Whether a file is a whole MMDB database, without reading more than its end.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

/// What precedes the metadata, which is the last part of the file.
const MARKER: &[u8] = b"\xab\xcd\xefMaxMind.com";
/// The metadata is no larger than this.
const TAIL: u64 = 128 << 10;

/// Whether the end of the file holds the metadata that every such file ends with.
///
/// # Errors
/// A failure to read.
pub(super) fn is_whole(file: &mut File) -> io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let marker = tail
        .windows(MARKER.len())
        .rposition(|window| window == MARKER);
    // The metadata names its own format; a file that was cut off within it does not.
    let named = |at: usize| {
        tail[at..]
            .windows(28)
            .any(|window| window == b"\x5bbinary_format_major_version")
    };
    Ok(marker.is_some_and(named))
}
