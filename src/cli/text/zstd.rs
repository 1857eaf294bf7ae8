//! Decodes zstd while reading: all frames of a file, each checked against its checksum.

use std::{
    error::Error,
    io::{self, BufRead, BufReader, Read},
};

use ruzstd::decoding::{
    BlockDecodingStrategy, FrameDecoder,
    errors::{FrameDecoderError, ReadFrameHeaderError},
};

/// A stream of frames. Its window, and with it the memory of decoding, is at most 128 MiB, as of the zstd program itself.
pub(super) struct ZstdFrames<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
}

impl<R: Read> ZstdFrames<R> {
    pub(super) fn of(source: R) -> Self {
        Self {
            source: BufReader::with_capacity(64 << 10, source),
            decoder: FrameDecoder::new(),
        }
    }

    /// Begins the next frame, or skips one that has no text.
    fn begin(&mut self) -> io::Result<()> {
        use FrameDecoderError::ReadFrameHeaderError as Header;
        match self.decoder.reset(&mut self.source) {
            Ok(()) => Ok(()),
            Err(Header(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                let mut skipped = (&mut self.source).take(length.into());
                match io::copy(&mut skipped, &mut io::sink())? {
                    count if count == u64::from(length) => Ok(()),
                    _ => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Err(error) => Err(undecoded(&error)),
        }
    }

    /// Checks the frame that was read to its end.
    fn check(&self) -> io::Result<()> {
        let stored = self.decoder.get_checksum_from_data();
        if stored.is_some() && stored != self.decoder.get_calculated_checksum() {
            let message = "the checksum does not match";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(())
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.decoder.read(into)?;
            if count > 0 || into.is_empty() {
                return Ok(count);
            }
            if !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.source, one);
                decoded.map_err(|error| undecoded(&error))?;
                continue;
            }
            self.check()?;
            if self.source.fill_buf()?.is_empty() {
                return Ok(0);
            }
            self.begin()?;
        }
    }
}

/// A failure to read where that is the cause, else data that is not zstd.
fn undecoded(error: &FrameDecoderError) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(one) = cause {
        if let Some(read) = one.downcast_ref::<io::Error>() {
            return io::Error::new(read.kind(), read.to_string());
        }
        cause = one.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}
