//! Gathers what is in a long pasted text, and keeps it.

use std::io::{self, Read};

use jiff::Timestamp;

use crate::{
    engine::{Error, Kind, Pastes, Progress, Report, Result, Stage, stoppable},
    investigation::gather::{GatherFailure, GatheredText},
    store::StopFlag,
    tui::ctx::PastedText,
};

/// The addresses of a text; with several it is kept, to be read again. Dropping the future stops it.
pub(super) async fn gather(
    own: PastedText,
    (pastes, now): (Pastes, Timestamp),
    report: Report,
) -> Result<GatheredText> {
    stoppable(move |stop| {
        let text = own.text();
        let reader = ReportingReader::new(&text, stop, &report);
        let read = GatheredText::read_from(reader, false, own.zone(), now);
        let mut gathered = read.map_err(|failure| not_gathered(&failure))?;
        if gathered.addresses.len() > 1 {
            pastes.keep(&text)?;
            gathered.file = Some(pastes.path_of(&text));
        }
        own.forget();
        Ok(gathered)
    })
    .await
}

/// Why the addresses of a text are not shown.
pub(super) fn not_gathered(failure: &GatherFailure) -> Error {
    let message = match failure {
        GatherFailure::Text(error) => error.to_string(),
        GatherFailure::NoRoom { .. } => {
            format!("{failure}; `ipspect enrich FILE --memory MIB` reads more")
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
        let long = PastedText::new(&text, "+02:00");
        let now = Timestamp::UNIX_EPOCH;
        let gathered = gather(long.clone(), (pastes.clone(), now), report).await;
        let gathered = gathered.expect("gathered");
        assert_eq!(gathered.addresses.len(), 2);
        assert_eq!(gathered.zone, "+02:00");
        let file = gathered.file.expect("a file");
        assert_eq!(std::fs::read_to_string(file).expect("kept"), text);
        let told = told.lock().expect("lock").clone();
        assert!(told.len() > 3 && told.is_sorted(), "{told:?}");
        assert_eq!(told.last(), Some(&(text.len() as u64)));
        assert_eq!(long.text().len(), 0, "it is in the file");
        // A single address is looked up, and nothing is kept.
        let short = PastedText::new("deny 198.51.100.9\n", "");
        let one = gather(short, (pastes, now), silent()).await;
        assert_eq!(one.expect("gathered").file, None);
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
