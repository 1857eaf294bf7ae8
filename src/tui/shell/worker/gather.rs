//! Gathers what is in a text; a pasted one is kept.

use std::{
    io::{self, Read},
    path::PathBuf,
    sync::Arc,
};

use jiff::Timestamp;

use crate::{
    engine::{
        Error, Kind, Pastes, Progress, Report, Result, Stage, read_beginning, read_text, stoppable,
    },
    investigation::gather::{GatherFailure, GatheredText},
    store::StopFlag,
    tui::ctx::{GatherQuery, TextFrom},
};

/// A text from this many bytes on is shown by its beginning first.
const LONG: usize = 1 << 20;
/// So much of it.
const BEGINNING: usize = 64 << 10;

/// The addresses of a text, with those of the beginning of a long one before; a pasted one with several is kept, to be read again. Dropping
/// the future stops it.
pub(super) async fn gather(
    query: GatherQuery,
    (pastes, now): (Pastes, Timestamp),
    report: Report,
    first: impl FnOnce(GatheredText) + Send + 'static,
) -> Result<GatheredText> {
    stoppable(move |stop| {
        if let Some((file, text)) = beginning_of(&query.from) {
            let read = GatheredText::read(&text, query.by_day, &query.zone, now);
            first(GatheredText { file, ..read });
        }
        let (shared, read): (Arc<str>, String);
        let (file, text): (_, &str) = match &query.from {
            TextFrom::Paste(text) => {
                shared = text.text();
                (None, &shared)
            }
            TextFrom::File(path) => {
                let (path, text) = read_text(path)?;
                read = text;
                (Some(path), &read)
            }
        };
        let reader = ReportingReader::new(text, stop, &report);
        let read = GatheredText::read_from(reader, query.by_day, &query.zone, now);
        let mut gathered = read.map_err(|failure| not_gathered(&failure))?;
        gathered.file = file;
        if let TextFrom::Paste(pasted_text) = &query.from {
            if gathered.addresses.len() > 1 {
                pastes.keep(text)?;
                gathered.file = Some(pastes.path_of(text));
            }
            pasted_text.forget();
        }
        Ok(gathered)
    })
    .await
}

/// The first lines of a long text, and the file where they are.
fn beginning_of(from: &TextFrom) -> Option<(Option<PathBuf>, String)> {
    match from {
        TextFrom::Paste(text) => {
            let text = text.text();
            let beginning = text.as_bytes().get(..BEGINNING);
            let end = memchr::memrchr(b'\n', beginning.filter(|_| text.len() >= LONG)?)?;
            Some((None, text.get(..=end)?.to_owned()))
        }
        TextFrom::File(path) => {
            let (path, text) = read_beginning(path, LONG as u64, BEGINNING)?;
            Some((Some(path), text))
        }
    }
}

/// Why the addresses of a text are not shown.
fn not_gathered(failure: &GatherFailure) -> Error {
    let message = match failure {
        GatherFailure::Text(error) => error.to_string(),
        GatherFailure::NoRoom { .. } => {
            format!("{failure}; `ipspect enrich FILE --memory 1024` reads more")
        }
    };
    Error::new(Kind::Machine, message)
}

/// Reads a text until it is stopped, and reports how far it is.
struct ReportingReader<'t> {
    rest: &'t [u8],
    length: usize,
    stop: &'t StopFlag,
    report: &'t Report,
}

impl<'t> ReportingReader<'t> {
    fn new(text: &'t str, stop: &'t StopFlag, report: &'t Report) -> Self {
        Self {
            rest: text.as_bytes(),
            length: text.len(),
            stop,
            report,
        }
    }
}

impl Read for ReportingReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_stopped() {
            return Err(io::Error::other("reading the text was stopped"));
        }
        // What was given before has been gathered.
        (self.report)(Progress {
            stage: Stage::Reading,
            done: (self.length - self.rest.len()) as u64,
            total: Some(self.length as u64),
        });
        self.rest.read(into)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::tui::ctx::PastedText;

    fn query(from: TextFrom, zone: &str) -> GatherQuery {
        let (by_day, zone) = (false, zone.to_owned());
        GatherQuery { from, by_day, zone }
    }

    fn silent() -> Report {
        Arc::new(|_| ())
    }

    #[tokio::test]
    async fn a_long_text_is_gathered_with_progress_and_kept() {
        let root = tempfile::tempdir().expect("directory");
        let pastes = Pastes::new(root.path());
        let text = "deny 198.51.100.7\ndeny 198.51.100.8\n".repeat(30_000);
        let told = Arc::new(Mutex::new(Vec::new()));
        let report: Report = {
            let told = Arc::clone(&told);
            Arc::new(move |now| told.lock().expect("lock").push(now.done))
        };
        let long = PastedText::new(&text);
        let paste = query(TextFrom::Paste(long.clone()), "+02:00");
        let now = Timestamp::UNIX_EPOCH;
        let (sender, beginning) = std::sync::mpsc::channel();
        let first = move |text: GatheredText| {
            let _ = sender.send(text.totals.found);
        };
        let gathered = gather(paste, (pastes.clone(), now), report, first).await;
        let gathered = gathered.expect("gathered");
        assert_eq!(gathered.addresses.len(), 2);
        let lines = (BEGINNING / "deny 198.51.100.7\n".len()) as u64;
        assert_eq!(beginning.try_iter().collect::<Vec<_>>(), [lines]);
        assert_eq!(gathered.zone, "+02:00");
        let file = gathered.file.expect("a file");
        assert_eq!(std::fs::read_to_string(file).expect("kept"), text);
        let told = told.lock().expect("lock").clone();
        assert!(told.len() > 3 && told.is_sorted(), "{told:?}");
        assert_eq!(told.last(), Some(&(text.len() as u64)));
        assert_eq!(long.text().len(), 0, "it is in the file");
        // A single address is looked up, and nothing is kept.
        let short = PastedText::new("deny 198.51.100.9\n");
        let short = query(TextFrom::Paste(short), "");
        let one = gather(short, (pastes, now), silent(), |_| ()).await;
        assert_eq!(one.expect("gathered").file, None);
    }

    #[tokio::test]
    async fn a_file_is_gathered_with_progress_where_it_is() {
        let root = tempfile::tempdir().expect("directory");
        let pastes = Pastes::new(root.path());
        let file = root.path().join("auth.log");
        let day = "2026-11-18 10:00:00 deny 198.51.100.7\n2026-11-19 01:00:00 deny 198.51.100.7\n";
        let text = day.repeat(20_000);
        std::fs::write(&file, &text).expect("written");
        let told = Arc::new(Mutex::new(Vec::new()));
        let report: Report = {
            let told = Arc::clone(&told);
            Arc::new(move |now| told.lock().expect("lock").push((now.done, now.total)))
        };
        let path = file.to_str().expect("a path").to_owned();
        let of_days = GatherQuery {
            by_day: true,
            ..query(TextFrom::File(path), "+02:00")
        };
        let now = Timestamp::UNIX_EPOCH;
        let gathered = gather(of_days.clone(), (pastes.clone(), now), report, |_| ()).await;
        let gathered = gathered.expect("gathered");
        let days = gathered.addresses.iter().map(|(_, day, _)| *day);
        let days: Vec<_> = days.map(|day| day.expect("a day").dashed()).collect();
        assert_eq!(
            days,
            ["2026-11-18"],
            "the second hour of a day is of the one before"
        );
        assert_eq!((gathered.by_day, gathered.zone.as_str()), (true, "+02:00"));
        assert_eq!(gathered.file.as_deref(), Some(file.as_path()));
        assert!(!pastes.path_of(&text).exists(), "it is in a file already");
        let told = told.lock().expect("lock").clone();
        let length = text.len() as u64;
        assert!(told.len() > 3 && told.is_sorted(), "{told:?}");
        assert_eq!(told.last(), Some(&(length, Some(length))));
        std::fs::remove_file(&file).expect("removed");
        let missing = gather(of_days, (pastes, now), silent(), |_| ()).await;
        assert_eq!(missing.expect_err("no file").kind, Kind::Usage);
    }

    #[test]
    fn what_is_stopped_reads_no_more() {
        let (stop, report) = (StopFlag::default(), silent());
        let mut reader = ReportingReader::new("198.51.100.7 198.51.100.8", &stop, &report);
        assert_eq!(reader.read(&mut [0; 13]).expect("read"), 13);
        stop.stop();
        assert!(reader.read(&mut [0; 13]).is_err());
    }
}
