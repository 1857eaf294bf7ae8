//! What an input is by its first bytes: packed text, or a binary form that another program turns into text.

use std::io::Read;

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;

use super::zstd::ZstdFrames;

/// A form of packed text that is unpacked while it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
}

impl Packing {
    pub(super) fn of(begins: &[u8]) -> Option<Self> {
        match begins {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
        }
    }

    pub(super) fn unpack(self, packed: Box<dyn Read + Send>) -> Box<dyn Read + Send> {
        match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(packed)),
            Self::Zstd => Box::new(ZstdFrames::of(packed)),
            Self::Bzip2 => Box::new(MultiBzDecoder::new(packed)),
        }
    }
}

/// A binary form: where its signature is, what it is called, and the command that prints its text, `FILE` for its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BinaryForm {
    at: usize,
    signature: &'static [u8],
    pub(super) name: &'static str,
    pub(super) command: &'static str,
}

/// Bytes that no known form has, and that no text has.
pub(super) static UNKNOWN: BinaryForm = form(b"", "a binary file", "strings FILE");

const fn form(signature: &'static [u8], name: &'static str, command: &'static str) -> BinaryForm {
    BinaryForm {
        at: 0,
        signature,
        name,
        command,
    }
}

static FORMS: &[BinaryForm] = &[
    form(b"\x1f\x8b", "packed by gzip", "gzip -dc FILE"),
    form(b"\x28\xb5\x2f\xfd", "packed by zstd", "zstd -dc FILE"),
    form(b"BZh", "packed by bzip2", "bzip2 -dc FILE"),
    form(b"PK\x03\x04", "a zip archive", "unzip -p FILE"),
    form(b"PK\x05\x06", "a zip archive", "unzip -p FILE"),
    form(b"PK\x07\x08", "a zip archive", "unzip -p FILE"),
    form(b"\xfd7zXZ\0", "packed by xz", "xz -dc FILE"),
    form(b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so FILE"),
    form(b"Rar!\x1a\x07", "a rar archive", "unrar p -inul FILE"),
    form(b"\x04\x22\x4d\x18", "packed by lz4", "lz4 -dc FILE"),
    form(b"LZIP", "packed by lzip", "lzip -dc FILE"),
    form(b"\x1f\x9d", "packed by compress", "gzip -dc FILE"),
    BinaryForm {
        at: 257,
        ..form(b"ustar", "a tar archive", "tar -xOf FILE")
    },
    form(b"PAR1", "a Parquet file", "duckdb -csv -c \"FROM 'FILE'\""),
    form(b"SQLite format 3\0", "an SQLite file", "sqlite3 FILE .dump"),
    form(b"LPKSHHRH", "a systemd journal", "journalctl --file FILE"),
    form(b"\xd4\xc3\xb2\xa1", "a packet capture", "tcpdump -nr FILE"),
    form(b"\xa1\xb2\xc3\xd4", "a packet capture", "tcpdump -nr FILE"),
    form(b"\x4d\x3c\xb2\xa1", "a packet capture", "tcpdump -nr FILE"),
    form(b"\xa1\xb2\x3c\x4d", "a packet capture", "tcpdump -nr FILE"),
    form(b"\n\r\r\n", "a packet capture", "tcpdump -nr FILE"),
    form(b"%PDF-", "a PDF file", "pdftotext FILE -"),
    form(b"\x89PNG\r\n", "an image", "tesseract FILE -"),
    form(b"\xff\xd8\xff", "an image", "tesseract FILE -"),
    form(b"GIF8", "an image", "tesseract FILE -"),
    form(b"\x7fELF", "a program", "strings FILE"),
    form(b"\xff\xfe\0\0", "UTF-32", "iconv -f UTF-32 -t UTF-8 FILE"),
    form(b"\0\0\xfe\xff", "UTF-32", "iconv -f UTF-32 -t UTF-8 FILE"),
];

impl BinaryForm {
    pub(super) fn of(begins: &[u8]) -> Option<&'static Self> {
        let signed = |form: &&Self| {
            let there = begins.get(form.at..);
            there.is_some_and(|there| there.starts_with(form.signature))
        };
        FORMS.iter().find(signed)
    }
}

/// Whether no text has these bytes: one is NUL, or more than one in twenty is a control character other than white space, backspace
/// and escape.
pub(super) fn is_binary(begins: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 0..=7 | 14..=26 | 28..=31 | 127);
    begins.contains(&0) || begins.iter().filter(is_control).count() * 20 > begins.len()
}
