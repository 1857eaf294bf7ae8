//! The input texts of a run, files and standard input, decoded from gzip and UTF-16 to UTF-8.
//!
//! Gzip and UTF-16 are recognised by the first bytes, never by the name. Truncated gzip is an error.

mod utf16;

use std::{
    fs::{self, File},
    io::{self, Cursor, Read},
    path::PathBuf,
};

use flate2::read::MultiGzDecoder;

use self::utf16::{ByteOrder, Utf16};
use crate::engine::{Error, Kind, Result};

/// The first bytes of a gzip stream.
const GZIP: [u8; 2] = [0x1f, 0x8b];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputText {
    /// Standard input.
    Input,
    File(PathBuf),
}

impl InputText {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Input => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// Refuses an unreadable text before any other text is read.
    ///
    /// # Errors
    /// [`Kind::Usage`] for no file, [`Kind::Machine`] for one that may not be read.
    pub(super) fn check(&self) -> Result<()> {
        let Self::File(path) = self else {
            return Ok(());
        };
        // A pipe can be opened only once: closing it would signal its writer.
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Ok(()),
            _ => self.opened().map(drop),
        }
    }

    /// The text as UTF-8.
    ///
    /// # Errors
    /// As [`InputText::check`]; a failure to read its beginning.
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send>> {
        unpacked(self.opened()?).map_err(|error| self.unread(&error))
    }

    fn opened(&self) -> Result<Box<dyn Read + Send>> {
        let Self::File(path) = self else {
            return Ok(Box::new(io::stdin()));
        };
        let opened = File::open(path).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        });
        match opened {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::IsADirectory => {
                    let message = match error.kind() {
                        io::ErrorKind::NotFound => format!("there is no file {}", self.name()),
                        _ => format!("{} is a folder", self.name()),
                    };
                    Error::new(Kind::Usage, message)
                        .hint("name a text file, or `-` for standard input")
                }
                _ => self.unread(&error),
            }),
        }
    }

    /// A failure to read it.
    pub(super) fn unread(&self, error: &io::Error) -> Error {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        let name = self.name();
        if matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof) {
            let message = format!("{name} is not a whole gzip file: {error}");
            return Error::new(Kind::Integrity, message)
                .hint("answers printed so far are right; fetch the file again");
        }
        Error::machine(&format!("read {name}"), error)
    }
}

/// The unpacked text, as UTF-8.
fn unpacked(mut text: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let (mut begins, mut text) = beginning_of(&mut text)?.rejoin(text);
    if begins.starts_with(&GZIP) {
        let mut inner: Box<dyn Read + Send> = Box::new(MultiGzDecoder::new(text));
        (begins, text) = beginning_of(&mut inner)?.rejoin(inner);
    }
    Ok(match ByteOrder::of(&begins) {
        Some(order) => Box::new(Utf16::of(text, order)),
        None => text,
    })
}

/// The first bytes of a text.
struct TextPrefix(Vec<u8>);

impl TextPrefix {
    /// These bytes, and the text with them.
    fn rejoin(self, rest: Box<dyn Read + Send>) -> (Vec<u8>, Box<dyn Read + Send>) {
        let whole = Cursor::new(self.0.clone()).chain(rest);
        (self.0, Box::new(whole))
    }
}

/// Reads the first bytes: at least two, and up to four if one read returns them, so that a terminal is not waited for.
fn beginning_of(text: &mut dyn Read) -> io::Result<TextPrefix> {
    let mut bytes = [0; 4];
    let mut count = 0;
    while count < 2 {
        match text.read(&mut bytes[count..]) {
            Ok(0) => break,
            Ok(more) => count += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(TextPrefix(bytes[..count].to_vec()))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        unpacked(Box::new(Cursor::new(bytes.to_vec())))?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn packed(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("write");
        encoder.finish().expect("finish")
    }

    fn wide(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn packed_and_wide_texts_are_read_as_what_they_hold() {
        let text = "198.51.100.7 Zürich 🙂\r\n";
        let marked = format!("\u{feff}{text}");
        for bytes in [
            text.as_bytes().to_vec(),
            packed(text.as_bytes()),
            wide(&marked, u16::to_le_bytes),
            wide(&marked, u16::to_be_bytes),
            wide(text, u16::to_le_bytes),
            packed(&wide(&marked, u16::to_le_bytes)),
        ] {
            assert_eq!(read(&bytes).expect("text"), text);
        }
        let twice = [packed(b"198.51.100.7\n"), packed(b"198.51.100.8\n")].concat();
        assert_eq!(read(&twice).expect("text"), "198.51.100.7\n198.51.100.8\n");
        for short in ["", "7", "7\n"] {
            assert_eq!(read(short.as_bytes()).expect("text"), short);
        }
    }

    #[test]
    fn a_packed_text_that_is_not_whole_is_an_error() {
        let whole = packed("198.51.100.7\n".repeat(1000).as_bytes());
        let error = read(&whole[..whole.len() / 2]).expect_err("half");
        let error = InputText::File("x.gz".into()).unread(&error);
        assert_eq!(error.kind, Kind::Integrity);
        assert!(error.message.starts_with("x.gz is not a whole gzip file"));
    }
}
