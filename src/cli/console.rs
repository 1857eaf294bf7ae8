//! The streams of a run: results on standard output, everything else on standard error.
//!
//! This layer prints only through it, in whole lines. A closed pipe is not a failure. Text from outside must be escaped by
//! `visible` first; [`Console::note`] and failures do that themselves.

use std::{
    cell::{Cell, RefCell},
    io::{self, IsTerminal, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;

use super::{
    args::global::{ColumnArgs, Global, OutputFormat, ResultFormat, chosen},
    exit::Exit,
};
use crate::{
    engine::{
        Error, Kind,
        answers::{Allowance, Budget},
    },
    model::visible_lines,
    report::{Cell as Value, Line, Results, RowFormat, RowWriter, TextStyle},
    store::{
        fatal_signals::{self, FaultReport},
        mapping::{self, Fault},
    },
};

/// The most lines that a failure takes up.
const LONGEST_FAILURE: usize = 5;

/// Why a command stopped before its end.
#[derive(Debug)]
pub enum CommandEnd {
    /// The reader of standard output has closed it, which is not an error.
    ReaderGone,
    Failed(Error),
}

impl From<Error> for CommandEnd {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

pub type CommandResult<T = Exit> = Result<T, CommandEnd>;

/// Standard output and standard error of a run.
pub struct Console {
    form: OutputFormat,
    rows: RefCell<RowWriter>,
    quiet: bool,
    /// Whether commands that texts name are to run on the embedded service.
    demo: bool,
    bars: bool,
    style_notes: TextStyle,
    out: RefCell<Box<dyn Write>>,
    /// The failure of a write to standard output: its last line may be torn, so nothing may follow.
    torn: Cell<Option<io::ErrorKind>>,
    err: RefCell<Box<dyn Write>>,
    subject: RefCell<Option<String>>,
    go_on: RefCell<Option<String>>,
    caller: Option<Caller>,
}

/// The program that a command runs for, where that is not a person at a shell.
#[derive(Default)]
pub struct Caller {
    /// The text that is read in place of standard input.
    pub text: Option<Bytes>,
    /// Who says how many of so many queries may be sent; without anybody none may be.
    pub consent: Option<Consent>,
}

/// Asks whether so many queries may be sent. What it allows of none is nothing, without a question.
pub type Consent = Box<dyn Fn(u64) -> LocalBoxFuture<'static, Result<Allowance, Error>>>;

impl Console {
    /// The streams of this process, set up by the global options.
    #[must_use]
    pub fn new(global: &Global) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        mapping::report_with(report_of);
        PRINTS_OBJECTS.store(
            global.format.printed() == ResultFormat::Json,
            Ordering::Relaxed,
        );
        let style = global.color.style(out.is_terminal());
        Self {
            form: global.format,
            rows: RefCell::new(RowWriter::of(
                global.format.printed(),
                style.with_width(width_of(&out)),
            )),
            quiet: global.quiet,
            demo: global.demo,
            bars: err.is_terminal() && !global.quiet,
            style_notes: global.color.style(err.is_terminal()),
            out: RefCell::new(Box::new(out.lock())),
            torn: Cell::new(None),
            err: RefCell::new(Box::new(err)),
            subject: RefCell::default(),
            go_on: RefCell::default(),
            caller: None,
        }
    }

    #[cfg(feature = "mcp")]
    /// Streams that are no terminal: JSON and what is said beside it, without progress.
    #[must_use]
    pub fn of_streams(
        demo: bool,
        (out, err): (Box<dyn Write>, Box<dyn Write>),
        caller: Caller,
    ) -> Self {
        Self {
            form: OutputFormat::Json,
            rows: RefCell::new(RowWriter::of(ResultFormat::Json, TextStyle::PLAIN)),
            quiet: false,
            demo,
            bars: false,
            style_notes: TextStyle::PLAIN,
            out: RefCell::new(out),
            torn: Cell::new(None),
            err: RefCell::new(err),
            subject: RefCell::default(),
            go_on: RefCell::default(),
            caller: Some(caller),
        }
    }

    /// The program that this run is for, if it is for one.
    pub(super) fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// What may be sent of so many queries, where the caller says it; a person at a shell was asked otherwise.
    ///
    /// # Errors
    /// Why none may be sent.
    pub(super) async fn allowance(&self, queries: u64) -> Result<Option<Allowance>, Error> {
        match &self.caller {
            None => Ok(None),
            Some(Caller {
                consent: Some(consent),
                ..
            }) => consent(queries).await.map(Some),
            Some(_) => Ok(Some(Budget::of(0).take(0))),
        }
    }

    /// Chooses among the columns of the results; `table` is `None` where a command prints no table.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a choice that the results do not have.
    pub fn choose(
        &self,
        args: Option<&ColumnArgs>,
        table: Option<&[&'static str]>,
    ) -> Result<(), Error> {
        let none = ColumnArgs::default();
        self.rows.borrow_mut().format.chosen = chosen(args.unwrap_or(&none), table, self.form)?;
        Ok(())
    }

    /// The form in which results are printed.
    #[must_use]
    pub fn format(&self) -> ResultFormat {
        self.rows.borrow().format.format
    }

    /// The form of rows, with the columns that were chosen.
    #[must_use]
    pub fn row_format(&self) -> RowFormat {
        self.rows.borrow().format.clone()
    }

    /// How text looks on standard output.
    pub fn style(&self) -> TextStyle {
        self.rows.borrow().format.style
    }

    /// Whether progress bars are wanted.
    #[must_use]
    pub fn shows_bars(&self) -> bool {
        self.bars
    }

    /// Writes results: whole lines, each with its line end.
    ///
    /// # Errors
    /// [`CommandEnd::ReaderGone`] when the reader has gone, a failure of this machine otherwise.
    pub fn results(&self, text: &str) -> CommandResult<()> {
        self.bytes(text.as_bytes())
    }

    /// Prints rows of results.
    ///
    /// # Errors
    /// As [`Console::results`].
    pub fn rows(&self, text: impl FnOnce(&mut RowWriter) -> String) -> CommandResult<()> {
        let text = text(&mut self.rows.borrow_mut());
        self.results(&text)
    }

    /// Prints what was done: an object, or a sentence, which `-q` suppresses.
    ///
    /// # Errors
    /// As of [`Console::bytes`].
    pub fn done(&self, object: &Line, sentence: &str) -> CommandResult<()> {
        match self.format() {
            ResultFormat::Json => self.line(&object.end()),
            ResultFormat::Text if self.quiet => Ok(()),
            // Paths may have anything in them.
            _ => self.line(&visible_lines(sentence)),
        }
    }

    /// Prints the summary of a command whose result is a file or its exit code; `-q` suppresses the text, and no format that was
    /// asked for.
    ///
    /// # Errors
    /// As of [`Console::bytes`].
    pub fn summary<R>(&self, results: Results<'_, R>) -> CommandResult<()> {
        let is_plain = self.rows.borrow().format.chosen.is_none();
        if self.quiet && is_plain && self.format() == ResultFormat::Text {
            return Ok(());
        }
        self.show(results)
    }

    /// Prints what a command found, in the format of the run.
    ///
    /// # Errors
    /// As of [`Console::bytes`].
    pub fn show<R>(&self, results: Results<'_, R>) -> CommandResult<()> {
        self.rows(|rows| rows.results(results))
    }

    /// Writes one line of results.
    ///
    /// # Errors
    /// As [`Console::results`].
    pub fn line(&self, line: &str) -> CommandResult<()> {
        self.bytes(format!("{line}\n").as_bytes())
    }

    /// Writes a document that is results as a whole, such as a PDF.
    ///
    /// # Errors
    /// As [`Console::results`].
    pub fn bytes(&self, bytes: &[u8]) -> CommandResult<()> {
        self.copy(&mut &*bytes)
    }

    /// Copies a document to standard output.
    ///
    /// # Errors
    /// As [`Console::results`].
    pub fn copy(&self, from: &mut dyn io::Read) -> CommandResult<()> {
        if let Some(kind) = self.torn.get() {
            return Err(unwritten(&kind.into()));
        }
        let out = &mut **self.out.borrow_mut();
        let copied = fatal_signals::while_writing(|| io::copy(from, out).and_then(|_| out.flush()));
        copied.map_err(|error| {
            self.torn.set(Some(error.kind()));
            unwritten(&error)
        })
    }

    /// Prints a note on standard error; `-q` suppresses it.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.tell(&self.style_notes.faint("note:"), text);
        }
    }

    /// Prints a warning on standard error, also with `-q`.
    pub fn warn(&self, text: &str) {
        self.tell(&self.style_notes.notable("warning:"), text);
    }

    /// Prints a prompt on standard error.
    pub fn ask(&self, question: &str) {
        let _ = self.err.borrow_mut().write_all(question.as_bytes());
    }

    /// Reports a failure: a few lines on standard error, and in JSON an object among the results as well. Nothing is added
    /// to results that could not be written.
    ///
    /// # Errors
    /// As [`Console::results`].
    pub fn failure(&self, query: Option<&str>, error: &Error) -> CommandResult<()> {
        self.complain(query, error);
        self.object(query, error)
    }

    fn object(&self, query: Option<&str>, error: &Error) -> CommandResult<()> {
        if self.format() != ResultFormat::Json || self.torn.get().is_some() {
            return Ok(());
        }
        self.line(&failed(query, &self.advising(error)))
    }

    /// A failure whose commands ask what this run asks.
    pub fn advising(&self, error: &Error) -> Error {
        let mut error = error.clone();
        if self.demo {
            error.message = on_demo(&error.message);
            error.hint = error.hint.as_deref().map(on_demo);
        }
        error
    }

    /// Reports a failure on standard error, whatever the format.
    pub fn complain(&self, query: Option<&str>, error: &Error) {
        let named = |query: &&str| !error.message.contains(query);
        let about = query
            .filter(named)
            .map_or_else(String::new, |query| format!("{query}: "));
        let text = format!("{about}{error}");
        let text = visible_lines(&text);
        let mut lines: Vec<&str> = text.lines().collect();
        if lines.len() > LONGEST_FAILURE {
            // The last line says what to do.
            lines.drain(LONGEST_FAILURE - 1..lines.len() - 1);
        }
        self.tell(&self.style_notes.alarm("error:"), &lines.join("\n"));
    }

    /// Names the subject of a later failure of the whole run.
    pub fn is_about(&self, subject: Option<&str>) {
        *self.subject.borrow_mut() = subject.map(str::to_owned);
    }

    /// Sets the text that is printed if the run is interrupted.
    pub fn if_interrupted(&self, go_on: impl Into<String>) {
        *self.go_on.borrow_mut() = Some(go_on.into());
    }

    /// Reports an interruption, and how to resume.
    pub fn interrupted(&self) {
        let go_on = self.go_on.borrow();
        let go_on = go_on.as_deref().unwrap_or("nothing was left unfinished");
        self.tell(&self.style_notes.alarm("interrupted:"), go_on);
    }

    /// Reports a failure that was not reported yet, and returns the exit code.
    pub fn conclude(&self, outcome: CommandResult) -> Exit {
        match outcome {
            Ok(exit) => exit,
            Err(CommandEnd::ReaderGone) => Exit::DONE,
            Err(CommandEnd::Failed(error)) => {
                let subject = self.subject.borrow();
                // Usage errors and failures of this machine name their subject.
                let names_itself = matches!(error.kind, Kind::Usage | Kind::Machine);
                self.complain(subject.as_deref().filter(|_| !names_itself), &error);
                // If standard output itself failed, standard error has the message.
                let _ = self.object(subject.as_deref(), &error);
                Exit::of(error.kind)
            }
        }
    }

    fn tell(&self, label: &str, text: &str) {
        let text = visible_lines(text);
        let text = if self.demo {
            on_demo(&text)
        } else {
            text.into()
        };
        let text = format!("{label} {text}\n");
        // Without standard error there is no place to report this.
        let _ = self.err.borrow_mut().write_all(text.as_bytes());
    }
}

/// A text whose commands ask the embedded service, as the run did that prints it.
fn on_demo(text: &str) -> String {
    const ASKING: [&str; 19] = [
        "lookup",
        "enrich",
        "tag",
        "tags",
        "status",
        "feeds",
        "search",
        "diff",
        "compare",
        "match",
        "blocklist",
        "watch",
        "common",
        "explain",
        "case",
        "history",
        "export",
        "parquet",
        "warehouse",
    ];
    let mut pieces = text.split('`');
    let mut all = pieces.next().unwrap_or_default().to_owned();
    // Every second piece is code.
    for (at, piece) in pieces.enumerate() {
        let command = piece.strip_prefix("ipspect ").filter(|_| at % 2 == 0);
        let command = command.and_then(|text| text.split(' ').next());
        all.push('`');
        all.push_str(piece);
        if command.is_some_and(|text| ASKING.contains(&text)) && !piece.contains("--demo") {
            all.push_str(" --demo");
        }
    }
    all
}

/// The columns of a terminal; none for what is no terminal, or does not know.
fn width_of(out: &io::Stdout) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(out).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// Whether failures are objects on standard output as well, for [`report_of`].
static PRINTS_OBJECTS: AtomicBool = AtomicBool::new(false);

/// A fault of a mapped file as [`Console::conclude`] reports failures.
fn report_of(fault: &Fault) -> FaultReport {
    let error = Error::new(Kind::Integrity, &fault.message).hint(&fault.hint);
    let object = PRINTS_OBJECTS
        .load(Ordering::Relaxed)
        .then(|| failed(None, &error) + "\n");
    FaultReport {
        output: object.unwrap_or_default().into_bytes(),
        error: format!("error: {}\n", visible_lines(&error.to_string())).into_bytes(),
    }
}

fn failed(query: Option<&str>, error: &Error) -> String {
    let line = Line::default().key("query", query);
    line.key("error", Value::error(error)).end()
}

fn unwritten(error: &io::Error) -> CommandEnd {
    match error.kind() {
        io::ErrorKind::BrokenPipe => CommandEnd::ReaderGone,
        _ => Error::machine("write to standard output", error).into(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::{rc::Rc, sync::Mutex};

    use super::*;

    /// What was written, readable while the console lives.
    #[derive(Clone, Default)]
    pub(in crate::cli) struct CapturedOutput(Rc<Mutex<Vec<u8>>>);

    impl CapturedOutput {
        pub(in crate::cli) fn text(&self) -> String {
            String::from_utf8(self.0.lock().expect("whole").clone()).expect("text")
        }
    }

    impl Write for CapturedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("whole").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    pub(in crate::cli) fn console(
        format: ResultFormat,
    ) -> (Console, CapturedOutput, CapturedOutput) {
        let (out, err) = (CapturedOutput::default(), CapturedOutput::default());
        let console = Console {
            form: OutputFormat::default(),
            rows: RefCell::new(RowWriter::of(format, TextStyle::PLAIN)),
            quiet: false,
            demo: false,
            bars: false,
            style_notes: TextStyle::PLAIN,
            out: RefCell::new(Box::new(out.clone())),
            torn: Cell::new(None),
            err: RefCell::new(Box::new(err.clone())),
            subject: RefCell::default(),
            go_on: RefCell::default(),
            caller: None,
        };
        (console, out, err)
    }

    fn error() -> Error {
        Error::new(Kind::NotFound, "nothing\u{1b}[2J there")
            .hint("look elsewhere")
            .status(404)
    }

    #[test]
    fn a_failure_is_lines_for_people_and_an_object_for_programs() {
        let (text, out, err) = console(ResultFormat::Text);
        text.failure(Some("x"), &error())
            .unwrap_or_else(|_| unreachable!());
        assert_eq!(
            (out.text().as_str(), err.text().as_str()),
            ("", "error: x: nothing\\x1b[2J there\n  look elsewhere\n")
        );
        let (json, out, err) = console(ResultFormat::Json);
        assert_eq!(json.conclude(Err(error().into())).code(), 10);
        let expected = r#"{"query":null,"error":{"kind":"not-found","message":"nothing\u001b[2J there","hint":"look elsewhere","status":404}}"#;
        assert_eq!(out.text().trim_end(), expected);
        assert_eq!(
            err.text(),
            "error: nothing\\x1b[2J there\n  look elsewhere\n"
        );
    }

    #[test]
    fn what_a_failure_advises_in_the_demo_asks_the_demo() {
        let (mut json, out, err) = console(ResultFormat::Json);
        json.demo = true;
        let error = Error::new(Kind::NotFound, "no feed is here").hint("`ipspect feeds pull dch`");
        assert_eq!(json.conclude(Err(error.into())).code(), 10);
        for text in [out.text(), err.text()] {
            assert!(text.contains("`ipspect feeds pull dch --demo`"), "{text}");
        }
    }

    #[test]
    fn a_failure_takes_five_lines_at_most_and_keeps_what_to_do() {
        let (console, _, err) = console(ResultFormat::Text);
        console.complain(
            None,
            &Error::new(Kind::Usage, "1\n2\n3\n4\n5\n6").hint("do"),
        );
        assert_eq!(err.text(), "error: 1\n2\n3\n4\n  do\n");
    }

    #[test]
    fn nothing_follows_a_line_that_was_torn() {
        /// Takes so many bytes, and more again later, as a disk on which space comes free.
        struct FullDisk(CapturedOutput, usize);
        impl Write for FullDisk {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let count = bytes.len().min(self.1);
                self.1 -= count;
                if count == 0 {
                    self.1 = 10_000;
                    return Err(io::ErrorKind::StorageFull.into());
                }
                self.0.write(&bytes[..count])
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (mut console, out, err) = console(ResultFormat::Json);
        console.out = RefCell::new(Box::new(FullDisk(out.clone(), 7)));
        let outcome = console.line(r#"{"query":"x"}"#).map(|()| Exit::DONE);
        assert_eq!(console.conclude(outcome).code(), 8);
        assert!(console.line("more").is_err());
        assert_eq!(out.text(), r#"{"query"#.get(..7).expect("ASCII"));
        assert!(
            err.text()
                .starts_with("error: could not write to standard output")
        );
        assert_eq!(err.text().matches("error:").count(), 1);
    }

    #[test]
    fn a_reader_that_has_gone_is_no_failure() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let (mut console, _, err) = console(ResultFormat::Text);
        console.out = RefCell::new(Box::new(Gone));
        let outcome = console.line("x").map(|()| Exit::SOME_FAILED);
        assert_eq!(
            (console.conclude(outcome), err.text().as_str()),
            (Exit::DONE, "")
        );
    }

    #[test]
    fn commands_in_texts_ask_the_service_that_the_run_asked() {
        for (text, then) in [
            (
                "download it with `ipspect feeds pull dch`",
                "download it with `ipspect feeds pull dch --demo`",
            ),
            (
                "`ipspect tags --demo` or `ipspect login`",
                "`ipspect tags --demo` or `ipspect login`",
            ),
            (
                "ipspect search, `tag:ACME_VPN`",
                "ipspect search, `tag:ACME_VPN`",
            ),
            ("not `closed", "not `closed"),
        ] {
            assert_eq!(on_demo(text), then);
        }
    }
}
