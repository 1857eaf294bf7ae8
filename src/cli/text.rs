//! The input texts of a run, files and standard input, as UTF-8: unpacked from gzip, zstd and bzip2, decoded from UTF-16, without a
//! byte order mark.
//!
//! What an input is follows from its first bytes, never from its name. Anything binary is refused, and what is packed must be whole:
//! an input that cannot be read as text must never look like a text without addresses.

mod form;
mod utf16;
mod zstd;

use std::{
    fmt,
    fs::{self, File},
    io::{self, Cursor, Read},
    path::{Path, PathBuf},
};

use bytes::Bytes;

use self::{
    form::{BinaryForm, Packing, UNKNOWN, is_binary},
    utf16::{ByteOrder, Utf16},
};
use super::console::Console;
use crate::{
    engine::{Error, Kind, Result},
    investigation::gather::GatherFailure,
    report::{count, shell_word},
};

/// How many of the first bytes are looked at.
const LOOKED_AT: usize = 8 << 10;
/// How much of an input that was unpacked to something binary is checked for damage, in bytes.
const MOST_CHECKED: u64 = 64 << 20;
/// The byte order mark of UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum InputText {
    /// Standard input.
    Input,
    File(PathBuf),
    /// What the caller of the run gave in place of standard input.
    Given(Bytes),
}

impl InputText {
    /// The text that an argument names.
    pub(super) fn named(file: &Path) -> Self {
        if file == Path::new("-") {
            Self::Input
        } else {
            Self::File(file.to_owned())
        }
    }

    /// The texts of these arguments, where there is none what the caller gave, or standard input.
    pub(super) fn all(files: &[PathBuf], console: &Console) -> Vec<Self> {
        if files.is_empty() {
            let given = console.caller().map(|caller| caller.text.clone());
            let given = given.map(Option::unwrap_or_default);
            return vec![given.map_or(Self::Input, Self::Given)];
        }
        files.iter().map(|file| Self::named(file)).collect()
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Input => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
            Self::Given(_) => "the text".to_owned(),
        }
    }

    /// Whether it comes as somebody writes it: it is no file.
    pub(super) fn is_written_meanwhile(&self) -> bool {
        match self {
            Self::Input => rustix::fs::fstat(io::stdin())
                .is_ok_and(|stat| !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file()),
            Self::File(path) => fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()),
            Self::Given(_) => false,
        }
    }

    /// Refuses what cannot be read as text, before any other text is read.
    ///
    /// # Errors
    /// [`Kind::Usage`] for no file and for what is not text, [`Kind::Machine`] for one that may not be read, [`Kind::Integrity`] for
    /// packed text that is damaged at its beginning.
    pub(super) fn check(&self) -> Result<()> {
        let Self::File(path) = self else {
            return Ok(());
        };
        // A pipe can be opened only once: closing it would signal its writer.
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => Ok(()),
            _ => self.open().map(drop),
        }
    }

    /// The text as UTF-8.
    ///
    /// # Errors
    /// As [`InputText::check`].
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send>> {
        // What a program hands over as text is nothing else, whatever it begins with.
        if let Self::Given(text) = self {
            return Ok(Box::new(Cursor::new(text.clone())));
        }
        unpacked(self.opened()?).map_err(|error| self.unread(&error))
    }

    fn opened(&self) -> Result<Box<dyn Read + Send>> {
        let path = match self {
            Self::Input => return Ok(Box::new(io::stdin())),
            Self::Given(text) => return Ok(Box::new(Cursor::new(text.clone()))),
            Self::File(path) => path,
        };
        let opened = File::open(path).and_then(|file| {
            if file.metadata()?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(file)
        });
        let refused = |error: io::Error| {
            let message = match error.kind() {
                io::ErrorKind::NotFound => format!("there is no file {}", self.name()),
                io::ErrorKind::IsADirectory => format!("{} is a folder", self.name()),
                _ => return self.unread(&error),
            };
            Error::new(Kind::Usage, message).hint("name a text file, or `-` for standard input")
        };
        Ok(Box::new(opened.map_err(refused)?))
    }

    /// Why it was not read to its end.
    pub(super) fn not_gathered(&self, failure: &GatherFailure) -> Error {
        let (addresses, line, room) = match failure {
            GatherFailure::Text(error) => return self.unread(error),
            GatherFailure::NoRoom {
                addresses,
                line,
                room,
            } => (count(*addresses), count(*line), room.mebibytes()),
        };
        let more = 4 * room;
        let message = format!(
            "{}: {addresses} different addresses up to line {line} do not fit into {room} MiB",
            self.name()
        );
        Error::new(Kind::Machine, message).hint(format!(
            "allow more with --memory {more}, or read it in parts, as `split -n l/8` makes them"
        ))
    }

    /// A failure to read it.
    pub(super) fn unread(&self, error: &io::Error) -> Error {
        let name = self.name();
        match error.get_ref().and_then(|why| why.downcast_ref()) {
            None => Error::machine(&format!("read {name}"), error),
            Some(NotText::Binary { form, within }) => {
                let message = match within {
                    None => format!("{name} is {}, not text", form.name),
                    Some(packing) => {
                        let packing = packing.name();
                        format!(
                            "{name} is not text: unpacked from {packing}, it is {}",
                            form.name
                        )
                    }
                };
                // Of what is packed, tar alone unpacks both.
                let is_direct = within.is_none() || form.command.starts_with("tar ");
                let file = match self {
                    Self::File(path) if is_direct => shell_word(&path.to_string_lossy()),
                    _ => "FILE".to_owned(),
                };
                let command = form.command.replace("FILE", &file);
                let hint = format!("`{command} | ipspect enrich -` reads the text that is in it");
                Error::new(Kind::Usage, message).hint(hint)
            }
            Some(NotText::Damaged(packing, why)) => {
                let message = format!("{name} is not a whole {} file: {why}", packing.name());
                Error::new(Kind::Integrity, message)
                    .hint("answers printed so far are right; fetch the file again")
            }
        }
    }
}

/// Why bytes are not read as text.
#[derive(Debug)]
enum NotText {
    /// Another form, or one that is packed.
    Binary {
        form: &'static BinaryForm,
        within: Option<Packing>,
    },
    /// Packed text that ends early or that was changed.
    Damaged(Packing, io::Error),
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary { form, .. } => write!(f, "{}, not text", form.name),
            Self::Damaged(packing, why) => write!(f, "not whole {}: {why}", packing.name()),
        }
    }
}

impl std::error::Error for NotText {}

/// Packed text, which is told from a failure to read where it is damaged.
struct Unpacked {
    text: Box<dyn Read + Send>,
    packing: Packing,
}

impl Read for Unpacked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
        self.text.read(into).map_err(|error| match error.kind() {
            InvalidData | InvalidInput | UnexpectedEof => {
                io::Error::other(NotText::Damaged(self.packing, error))
            }
            _ => error,
        })
    }
}

/// The unpacked text, as UTF-8.
fn unpacked(bytes: Box<dyn Read + Send>) -> io::Result<Box<dyn Read + Send>> {
    let mut text = TextBeginning::of(bytes)?;
    let packing = Packing::of(&text.bytes);
    if let Some(packing) = packing {
        let inner = packing.unpack(text.rejoin());
        text = TextBeginning::of(Box::new(Unpacked {
            text: inner,
            packing,
        }))?;
    }
    let mut form = BinaryForm::of(&text.bytes);
    if form.is_none() {
        if let Some(order) = ByteOrder::of(&text.bytes) {
            text = TextBeginning::of(Box::new(Utf16::of(text.rejoin(), order)))?;
        }
        form = is_binary(&text.bytes).then_some(&UNKNOWN);
    }
    if let Some(form) = form {
        let within = packing;
        if within.is_some() {
            // Damage may unpack to anything, and is found where a checksum ends.
            io::copy(&mut text.rest.take(MOST_CHECKED), &mut io::sink())?;
        }
        return Err(io::Error::other(NotText::Binary { form, within }));
    }
    if text.bytes.starts_with(MARK) {
        text.bytes.drain(..MARK.len());
    }
    Ok(text.rejoin())
}

/// The first bytes of a text, and the rest of it.
struct TextBeginning {
    bytes: Vec<u8>,
    rest: Box<dyn Read + Send>,
}

impl TextBeginning {
    /// Reads until it has enough or a line ends: whoever types or pipes a line expects its answer.
    fn of(mut rest: Box<dyn Read + Send>) -> io::Result<Self> {
        let mut bytes = vec![0; LOOKED_AT];
        let mut count = 0;
        while count < bytes.len() && !bytes[..count].contains(&b'\n') {
            match rest.read(&mut bytes[count..]) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(count);
        Ok(Self { bytes, rest })
    }

    /// The whole text.
    fn rejoin(self) -> Box<dyn Read + Send> {
        Box::new(Cursor::new(self.bytes).chain(self.rest))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::write::BzEncoder;
    use flate2::{Compression, write::GzEncoder};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn read(bytes: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        unpacked(Box::new(Cursor::new(bytes.to_vec())))?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text).expect("write");
        encoder.finish().expect("finish")
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(text).expect("write");
        encoder.finish().expect("finish")
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    type Pack = fn(&[u8]) -> Vec<u8>;

    const PACKED: [Pack; 3] = [gzip, zstd, bzip2];

    fn wide(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    fn tar(text: &[u8]) -> Vec<u8> {
        let mut archive = vec![0; 512];
        archive[..10].copy_from_slice(b"access.log");
        archive[257..262].copy_from_slice(b"ustar");
        archive.extend(text);
        archive
    }

    /// What is said of bytes that are no text.
    fn refused(name: &str, bytes: &[u8]) -> Error {
        let error = read(bytes).expect_err(name);
        InputText::File(name.into()).unread(&error)
    }

    #[test]
    fn packed_and_wide_texts_are_read_as_what_they_hold() {
        let text = "198.51.100.7 Zürich 🙂\r\n";
        let marked = format!("\u{feff}{text}");
        let mut all = vec![
            text.as_bytes().to_vec(),
            marked.as_bytes().to_vec(),
            wide(&marked, u16::to_le_bytes),
            wide(&marked, u16::to_be_bytes),
            wide(text, u16::to_le_bytes),
        ];
        for pack in PACKED {
            all.push(pack(text.as_bytes()));
            all.push(pack(marked.as_bytes()));
            all.push(pack(&wide(&marked, u16::to_le_bytes)));
        }
        for bytes in all {
            assert_eq!(read(&bytes).expect("text"), text);
        }
        for pack in PACKED {
            let twice = [pack(b"198.51.100.7\n"), pack(b"198.51.100.8\n")].concat();
            assert_eq!(read(&twice).expect("text"), "198.51.100.7\n198.51.100.8\n");
            let long = "198.51.100.7 \u{1b}[0m\n".repeat(20_000);
            assert!(read(&pack(long.as_bytes())).expect("text") == long);
        }
        let skipped = [b"\x50\x2a\x4d\x18\x04\0\0\0skip", &*zstd(b"7\n")].concat();
        assert_eq!(read(&skipped).expect("text"), "7\n");
        for short in ["", "7", "7\n", "BZ", "\u{1b}[1m7"] {
            assert_eq!(read(short.as_bytes()).expect("text"), short);
        }
    }

    #[test]
    fn packed_text_that_is_damaged_is_an_error() {
        let numbers = (0..20_000_u32).map(|number| (number * 7919).to_string());
        let text = numbers.collect::<Vec<_>>().join("\n");
        for (pack, name) in PACKED.into_iter().zip(["gzip", "zstd", "bzip2"]) {
            let whole = pack(text.as_bytes());
            let mut changed = whole.clone();
            changed[whole.len() / 2] ^= 0x10;
            let foreign = [&*whole, b"198.51.100.7\n"].concat();
            for (what, bytes) in [
                ("half", &whole[..whole.len() / 2]),
                ("without its end", &whole[..whole.len() - 1]),
                ("its signature", &whole[..4]),
                ("changed", &changed),
                ("followed by text", &foreign),
            ] {
                let error = refused("x", bytes);
                assert_eq!(error.kind, Kind::Integrity, "{name}, {what}: {error}");
                let begins = format!("x is not a whole {name} file: ");
                assert!(error.message.starts_with(&begins), "{what}: {error}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused_with_the_command_that_prints_its_text() {
        let line = b"198.51.100.7\n";
        let signed = |signature: &[u8]| [signature, line].concat();
        for (bytes, message, hint) in [
            (
                signed(b"PK\x03\x04"),
                "x is a zip archive, not text",
                "`unzip -p x |",
            ),
            (
                signed(b"\xfd7zXZ\0"),
                "x is packed by xz, not text",
                "`xz -dc x |",
            ),
            (
                signed(b"Rar!\x1a\x07\x01"),
                "x is a rar archive",
                "`unrar p -inul x |",
            ),
            (tar(line), "x is a tar archive", "`tar -xOf x |"),
            (
                gzip(&tar(line)),
                "x is not text: unpacked from gzip, it is a tar archive",
                "`tar -xOf x |",
            ),
            (
                zstd(&gzip(line)),
                "x is not text: unpacked from zstd, it is packed by gzip",
                "`gzip -dc FILE |",
            ),
            (signed(b"PAR1"), "x is a Parquet file", "`duckdb "),
            (signed(b"%PDF-1.7"), "x is a PDF file", "`pdftotext x - |"),
            (signed(b"\xff\xfe\0\0"), "x is UTF-32", "`iconv "),
            // As of an MMDB, which has its signature at its end.
            (
                signed(b"\0\0\x01\0\0\x02"),
                "x is a binary file",
                "`strings x |",
            ),
            (
                signed(b"1\x002\0\0\0"),
                "x is a binary file",
                "`strings x |",
            ),
            (
                (128..=255).chain(1..=31).collect(),
                "x is a binary file",
                "`strings x |",
            ),
        ] {
            let error = refused("x", &bytes);
            assert_eq!(error.kind, Kind::Usage, "{message}");
            assert!(error.message.starts_with(message), "{error}");
            let given = error.hint.unwrap_or_default();
            assert!(given.starts_with(hint), "{message}: {given}");
            assert!(given.ends_with("| ipspect enrich -` reads the text that is in it"));
        }
        let error = refused("my log", &signed(b"LZIP"));
        assert!(
            error
                .hint
                .unwrap_or_default()
                .starts_with("`lzip -dc 'my log' |")
        );
        // Bytes that come one by one are told as well.
        let slow = signed(b"PK\x03\x04")
            .into_iter()
            .map(|byte| Cursor::new([byte]));
        let slow = slow.fold(
            Box::new(io::empty()) as Box<dyn Read + Send>,
            |before, byte| Box::new(before.chain(byte)),
        );
        assert!(unpacked(slow).is_err());
    }
}
