//! Rows of `RowBinary` whose columns are texts: each row begins with a byte 1, each text with its length (LEB128).

use bytes::{Buf, BytesMut};

/// What came so far and is not taken yet.
#[derive(Debug)]
pub(super) struct RowReader {
    columns: usize,
    came: BytesMut,
}

/// Something else than a row begins here.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoRow;

impl RowReader {
    pub(super) fn new(columns: usize) -> Self {
        let came = BytesMut::new();
        Self { columns, came }
    }

    pub(super) fn take(&mut self, piece: &[u8]) {
        self.came.extend_from_slice(piece);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.came.is_empty()
    }

    /// What is there and was not read as a row.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        self.came.split().to_vec()
    }

    /// The next row, if all of it has come.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Vec<u8>>>, NoRow> {
        let Some((first, mut left)) = self.came.split_first() else {
            return Ok(None);
        };
        if *first != 1 {
            return Err(NoRow);
        }
        // Nothing is copied before all of it is there.
        let mut texts = Vec::with_capacity(self.columns);
        for _ in 0..self.columns {
            let Some((length, text)) = length(left)? else {
                return Ok(None);
            };
            let Some((text, rest)) = text.split_at_checked(length) else {
                return Ok(None);
            };
            texts.push(text);
            left = rest;
        }
        let row = texts.into_iter().map(<[u8]>::to_vec).collect();
        let read = self.came.len() - left.len();
        self.came.advance(read);
        Ok(Some(row))
    }
}

/// A length, and what follows it; `None` where its end has not come.
fn length(bytes: &[u8]) -> Result<Option<(usize, &[u8])>, NoRow> {
    /// No text is longer: a record, or a manifest.
    const MOST: usize = 2 << 20;
    let mut length = 0_usize;
    for (number, byte) in bytes.iter().enumerate().take(5) {
        length |= usize::from(byte & 0x7f) << (7 * number);
        if byte & 0x80 == 0 {
            return if length > MOST {
                Err(NoRow)
            } else {
                Ok(Some((length, &bytes[number + 1..])))
            };
        }
    }
    if bytes.len() < 5 {
        Ok(None)
    } else {
        Err(NoRow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(rows: &[[&str; 2]]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for row in rows {
            bytes.push(1);
            for text in row {
                let mut length = text.len();
                while length >= 0x80 {
                    bytes.push(u8::try_from(length & 0x7f).expect("seven bits") | 0x80);
                    length >>= 7;
                }
                bytes.push(u8::try_from(length).expect("seven bits"));
                bytes.extend_from_slice(text.as_bytes());
            }
        }
        bytes
    }

    /// However the pieces are cut, the rows are the same.
    #[test]
    fn rows_come_whole_in_pieces_of_any_size() {
        let long = "x".repeat(70_000);
        let rows = [["", "a"], [&long, "\u{1}\u{0}"], ["2026-11-20", "{}"]];
        let bytes = encoded(&rows);
        for size in [1, 2, 3, 7, 4096, bytes.len()] {
            let (mut reader, mut read) = (RowReader::new(2), Vec::new());
            for piece in bytes.chunks(size) {
                reader.take(piece);
                while let Some(row) = reader.next().expect("a row") {
                    read.push(row);
                }
            }
            assert!(reader.is_empty());
            let texts = rows.map(|row| row.map(|text| text.as_bytes().to_vec()).to_vec());
            assert_eq!(read, texts, "{size}");
        }
    }

    #[test]
    fn an_error_behind_rows_is_no_row_and_a_cut_leaves_a_rest() {
        let mut reader = RowReader::new(2);
        reader.take(&encoded(&[["a", "b"]]));
        reader.take(b"Code: 241. DB::Exception: memory");
        assert_eq!(reader.next(), Ok(Some(vec![b"a".to_vec(), b"b".to_vec()])));
        assert_eq!(reader.next(), Err(NoRow));
        assert!(reader.rest().starts_with(b"Code: 241"));
        for cut in 1..5 {
            let mut reader = RowReader::new(2);
            let bytes = encoded(&[["ab", "c"]]);
            reader.take(&bytes[..cut]);
            assert_eq!(reader.next(), Ok(None), "{cut}");
            assert!(!reader.is_empty());
        }
        let mut reader = RowReader::new(1);
        reader.take(&[1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
        assert_eq!(reader.next(), Err(NoRow), "a length beyond all texts");
    }
}
