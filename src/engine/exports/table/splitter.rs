//! Where the rows of an exported file begin and end, found in pieces of any size: rows of CSV as the crate for CSV has them, objects of
//! JSON in an array or one after another. It must never keep a row, however long it is.

use crate::engine::exports::completeness::CsvState;

/// Finds rows. What it finds it gives as offsets: of the first byte, and of the one behind the last.
#[derive(Debug)]
pub(super) enum Splitter {
    Csv {
        state: CsvState,
        /// Where the row begins that is not at its end.
        start: Option<u64>,
    },
    Json {
        depth: u64,
        in_string: bool,
        escaped: bool,
        start: Option<u64>,
    },
}

impl Splitter {
    /// For CSV, from the beginning of a row.
    pub(super) fn csv() -> Self {
        Self::Csv {
            state: CsvState::CellBegins,
            start: None,
        }
    }

    /// For JSON, from outside of an object.
    pub(super) fn json() -> Self {
        Self::Json {
            depth: 0,
            in_string: false,
            escaped: false,
            start: None,
        }
    }

    /// Where the row begins that is not at its end.
    pub(super) fn open_row(&self) -> Option<u64> {
        match self {
            Self::Csv { start, .. } | Self::Json { start, .. } => *start,
        }
    }

    /// Whether the bytes so far may end here: not within quotes or an object.
    pub(super) fn may_end(&self) -> bool {
        match self {
            Self::Csv { state, .. } => *state != CsvState::Quoted,
            Self::Json { start, .. } => start.is_none(),
        }
    }

    /// Goes on with the bytes that begin at an offset.
    pub(super) fn feed(&mut self, offset: u64, bytes: &[u8], found: &mut impl FnMut(u64, u64)) {
        match self {
            Self::Csv { state, start } => {
                let mut at = 0;
                while at < bytes.len() {
                    let idle = state.idle(&bytes[at..]);
                    if idle > 0 {
                        start.get_or_insert(offset + at as u64);
                    }
                    at += idle;
                    let Some(byte) = bytes.get(at) else { break };
                    let here = offset + at as u64;
                    if *state != CsvState::Quoted && matches!(byte, b'\n' | b'\r') {
                        if let Some(start) = start.take() {
                            found(start, here);
                        }
                    } else {
                        start.get_or_insert(here);
                    }
                    *state = state.behind(*byte);
                    at += 1;
                }
            }
            Self::Json {
                depth,
                in_string,
                escaped,
                start,
            } => {
                let mut at = 0;
                while at < bytes.len() {
                    if *in_string && !*escaped {
                        let next = memchr::memchr2(b'"', b'\\', &bytes[at..]);
                        at += next.unwrap_or(bytes.len() - at);
                        if at == bytes.len() {
                            break;
                        }
                    }
                    let here = offset + at as u64;
                    match bytes[at] {
                        _ if *escaped => *escaped = false,
                        b'\\' if *in_string => *escaped = true,
                        b'"' => *in_string = !*in_string,
                        b'{' | b'[' if start.is_some() => *depth += 1,
                        b'{' => (*start, *depth) = (Some(here), 1),
                        b'}' | b']' => {
                            *depth = depth.saturating_sub(1);
                            if *depth == 0
                                && let Some(start) = start.take()
                            {
                                found(start, here + 1);
                            }
                        }
                        _ => {}
                    }
                    at += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(mut splitter: Splitter, text: &str, piece: usize) -> (Vec<String>, bool) {
        let mut rows = Vec::new();
        let mut offset = 0;
        for bytes in text.as_bytes().chunks(piece) {
            let mut found = |start: u64, end: u64| rows.push((start, end));
            splitter.feed(offset, bytes, &mut found);
            offset += bytes.len() as u64;
        }
        let whole = splitter.may_end();
        if let Some(start) = splitter.open_row().filter(|_| whole) {
            rows.push((start, offset));
        }
        let at = |offset: u64| usize::try_from(offset).expect("small");
        let row = |(start, end): (u64, u64)| text[at(start)..at(end)].to_owned();
        (rows.into_iter().map(row).collect(), whole)
    }

    #[test]
    fn rows_of_csv_end_where_no_quote_is_open() {
        for piece in [1, 3, 64] {
            let (found, whole) = rows(
                Splitter::csv(),
                "a,b\r\n\r\n\"x\ny\",2\n\"\"\"\n\",q\"\nlast",
                piece,
            );
            assert_eq!(
                found,
                ["a,b", "\"x\ny\",2", "\"\"\"\n\",q\"", "last"],
                "{piece}"
            );
            assert!(whole);
        }
        assert!(!rows(Splitter::csv(), "a\n\"b", 64).1);
    }

    #[test]
    fn objects_are_found_in_an_array_in_lines_and_spread_over_lines() {
        let objects = [r#"{"a":"}\"{","b":[{}]}"#, r#"{"a":{"b":"\\"}}"#];
        let (one, other) = (objects[0], objects[1]);
        for text in [
            format!("[{one},{other}]"),
            format!("{one}\n{other}\n"),
            format!("[\n  {one} ,\n\n  {other}\n]\n"),
            format!("{one}{other}"),
        ] {
            for piece in [1, 2, 64] {
                let found = rows(Splitter::json(), &text, piece);
                assert_eq!(found, (objects.map(str::to_owned).to_vec(), true), "{text}");
            }
        }
        assert_eq!(
            rows(Splitter::json(), "[{\"a\":1},{\"a\":", 64).0,
            ["{\"a\":1}"]
        );
    }

    proptest! {
        #[test]
        fn rows_of_csv_are_those_of_the_crate_for_csv(text in "[ab,\"\n\r]{0,40}", piece in 1_usize..9) {
            let (found, whole) = rows(Splitter::csv(), &text, piece);
            prop_assume!(whole);
            let of = |text: &str| {
                let reader = csv::ReaderBuilder::new()
                    .has_headers(false)
                    .flexible(true)
                    .from_reader(text.as_bytes())
                    .into_byte_records();
                reader.map(|row| row.expect("row")).collect::<Vec<_>>()
            };
            let each: Vec<_> = found.iter().flat_map(|row| of(row)).collect();
            prop_assert_eq!(each, of(&text));
        }
    }
}
