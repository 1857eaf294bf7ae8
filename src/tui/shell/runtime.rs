//! The event loop: each message causes one update and its effects; one drawing follows after the queue is empty. When idle, it
//! waits and writes nothing.

use std::{
    io,
    net::IpAddr,
    ops::ControlFlow,
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

use crossterm::event::Event;
use futures_util::future::LocalBoxFuture;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use super::{
    app::App,
    keys::KeyBindings,
    msg::Msg,
    route::is_of_use,
    screen::{Mouse, Screen, ground_of},
    view, worker,
};
use crate::{
    engine::{DayPlace, Engine, PagerFile, config::Ui, locale},
    terminal::{Input, TerminalInput},
    tui::{
        ctx::{Cmd, Entered, Facts},
        ui::{Look, SymbolSet, Tone},
    },
};

#[derive(Clone, Debug, Default)]
pub struct ExplorerOptions {
    /// The address to look up at the start.
    pub address: Option<IpAddr>,
    /// Example addresses, each with a description.
    pub examples: Vec<(String, String)>,
    /// The service that was entered before a restart, to be tested.
    pub entered: Option<Entered>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplorerEnd {
    /// The user quit.
    Quit,
    /// The user exits with lines to print.
    Print(Vec<String>),
    /// Restart with the embedded service.
    OpenDemo,
    /// Restart with the entered service.
    OpenService(Entered),
    /// Restart with another profile.
    OpenProfile(String),
    /// Restart with this case, or with none.
    OpenCase(Option<String>),
    /// Ended by this signal.
    Signal(i32),
}

/// Runs the explorer until its end. Boxed, so that it is compiled with this library, and not once more with each program.
///
/// # Errors
/// If there is no terminal, or it disappears.
#[must_use]
pub fn run(
    engine: Engine,
    options: ExplorerOptions,
) -> LocalBoxFuture<'static, anyhow::Result<ExplorerEnd>> {
    Box::pin(run_here(engine, options))
}

async fn run_here(engine: Engine, options: ExplorerOptions) -> anyhow::Result<ExplorerEnd> {
    let engine = engine.at(DayPlace::DiskThenWarehouse);
    engine.releases.give_way();
    let ui = engine.settings.ui.clone();
    let look = look_of(&ui);
    // Before taking over the terminal, so that an early signal finds it restored.
    let signals = SignalStreams::new()?;
    let screen = Screen::enter(Mouse::from(ui.mouse))?;
    let size = screen.size()?;
    let facts = Facts::of(&engine, options.examples);
    let mut app = Box::new(App::new(facts, look.colours(), size));
    app.look = look;
    let (keys, wrong) = KeyBindings::configured(&engine.settings.keys);
    app.keys = keys;
    app.mouse_taken = ui.mouse;
    for entry in wrong {
        app.notices.push(Tone::Warn, entry, engine.settings.now());
    }
    let (commands, incoming) = unbounded_channel();
    let (outgoing, messages) = unbounded_channel();
    let clock = engine.settings.clock;
    let state = engine.settings.paths.state.clone();
    let worker = tokio::spawn(worker::run(engine, incoming, outgoing));
    let mut explorer = Explorer {
        app,
        screen,
        commands,
        messages,
        clock,
        state,
        input: TerminalInput::open()?,
        asked: None,
        suspended: false,
        signals,
    };
    let first = options
        .address
        .map(|address| explorer.app.tabs.lookup.query_for(address));
    let outcome = explorer.run(first, options.entered).await;
    // A lost terminal answers nothing.
    if !matches!(
        outcome,
        Ok(ExplorerEnd::Signal(signal_hook::consts::SIGHUP)) | Err(_)
    ) {
        explorer.await_answer();
    }
    let Explorer {
        app,
        screen,
        commands,
        ..
    } = explorer;
    // The end of the program frees it at once; a table of a million rows would take a while.
    std::mem::forget(app);
    drop(screen);
    finish(commands, worker).await;
    outcome
}

/// Lets the worker end; downloads keep their received parts.
async fn finish(commands: UnboundedSender<Cmd>, worker: JoinHandle<()>) {
    const PATIENCE: Duration = Duration::from_millis(800);
    drop(commands);
    let _ = tokio::time::timeout(PATIENCE, worker).await;
}

struct Explorer {
    app: Box<App>,
    screen: Screen,
    commands: UnboundedSender<Cmd>,
    messages: UnboundedReceiver<Msg>,
    clock: fn() -> jiff::Timestamp,
    /// The directory for texts that are passed to other programs.
    state: PathBuf,
    input: TerminalInput,
    /// When the terminal was asked for the colour of its ground, until it answers.
    asked: Option<Instant>,
    /// Whether the program suspended itself: then the terminal is already restored when it is continued.
    suspended: bool,
    signals: SignalStreams,
}

impl Explorer {
    async fn run(
        &mut self,
        address: Option<crate::contract::LookupQuery>,
        entered: Option<Entered>,
    ) -> anyhow::Result<ExplorerEnd> {
        self.draw()?;
        if self.app.look.asks_for_ground() {
            self.ask_ground()?;
        }
        let mut first = self.app.begin(address, (self.clock)());
        if let Some(entered) = entered {
            first.extend(self.app.test_entered(entered, (self.clock)()));
        }
        if let Some(outcome) = self.carry_out(first)? {
            return Ok(outcome);
        }
        loop {
            let (mut first, mut changed) = match self.wait().await? {
                ControlFlow::Continue(next) => next,
                ControlFlow::Break(end) => return Ok(end),
            };
            // Progress changes many times a second. With a screen reader, it is drawn only with the next event.
            let waits = self.app.look.screen_reader;
            while let Some(msg) = first.take().or_else(|| self.messages.try_recv().ok()) {
                changed |= !(waits && matches!(msg, Msg::Progress(..)));
                let cmds = self.app.update(msg, (self.clock)());
                if let Some(outcome) = self.carry_out(cmds)? {
                    return Ok(outcome);
                }
            }
            if changed {
                self.draw()?;
            }
        }
    }

    /// Waits until something happens. Returns the message for it, if any, and whether the screen is to be drawn in any case.
    async fn wait(&mut self) -> io::Result<ControlFlow<ExplorerEnd, (Option<Msg>, bool)>> {
        let now = (self.clock)();
        let wakes_at = self.app.wakes_at(now);
        let pause =
            wakes_at.map(|at| Duration::try_from(at.duration_since(now)).unwrap_or_default());
        let msg = tokio::select! {
            input = self.input.next() => match input {
                Ok(Input::Event(Event::Mouse(mouse))) if !is_of_use(mouse.kind) => None,
                Ok(Input::Event(event)) => Some(msg_of(event)),
                Ok(Input::Ground(colour)) => {
                    self.asked.take().and_then(|_| ground_of(&colour)).map(Msg::Ground)
                }
                // The terminal is gone.
                Err(_) => {
                    let end = ExplorerEnd::Signal(signal_hook::consts::SIGHUP);
                    return Ok(ControlFlow::Break(end));
                }
            },
            msg = self.messages.recv() => msg,
            () = sleep(pause) => Some(Msg::Tick),
            signal = self.signals.next() => {
                let changed = match signal {
                    Signal::End(number) => {
                        return Ok(ControlFlow::Break(ExplorerEnd::Signal(number)));
                    }
                    Signal::Stop => {
                        self.suspend()?;
                        true
                    }
                    // After an external stop, the terminal still has the state of the shell.
                    Signal::Continue if !std::mem::take(&mut self.suspended) => {
                        self.screen.lend(|| ())?;
                        true
                    }
                    Signal::Continue => false,
                };
                return Ok(ControlFlow::Continue((None, changed)));
            },
        };
        Ok(ControlFlow::Continue((msg, false)))
    }

    /// Gives the terminal to the shell until the program is continued.
    fn suspend(&mut self) -> io::Result<()> {
        self.await_answer();
        self.suspended = true;
        self.screen.suspend()
    }

    fn ask_ground(&mut self) -> io::Result<()> {
        if self.screen.ask_ground()? {
            self.asked = Some(Instant::now());
        }
        Ok(())
    }

    /// Waits briefly for an expected answer, so that no other program reads it.
    fn await_answer(&mut self) {
        /// The maximum time from the question.
        const PATIENCE: Duration = Duration::from_secs(1);
        /// The maximum time from one piece of an answer to the next.
        const PIECE: Duration = Duration::from_millis(200);
        let Some(asked) = self.asked.take() else {
            return;
        };
        loop {
            let left = (asked + PATIENCE).saturating_duration_since(Instant::now());
            let piece = if self.input.is_within_reply() {
                PIECE
            } else {
                Duration::ZERO
            };
            match self.input.next_within(left.max(piece)) {
                Ok(Some(Input::Event(_))) => {}
                Ok(Some(Input::Ground(_)) | None) | Err(_) => return,
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = (self.clock)();
        self.app.size = self.screen.size()?;
        self.screen
            .draw(|frame| view::draw(frame, &self.app, now))?;
        self.screen.show_progress(self.app.under_way())
    }

    /// Performs effects: those of the terminal here, the others in the worker.
    fn carry_out(&mut self, cmds: Vec<Cmd>) -> io::Result<Option<ExplorerEnd>> {
        for cmd in cmds {
            match cmd {
                Cmd::Quit => return Ok(Some(ExplorerEnd::Quit)),
                Cmd::Print(lines) => return Ok(Some(ExplorerEnd::Print(lines))),
                Cmd::OpenDemo => return Ok(Some(ExplorerEnd::OpenDemo)),
                Cmd::OpenService(entered) => return Ok(Some(ExplorerEnd::OpenService(entered))),
                Cmd::OpenProfile(name) => return Ok(Some(ExplorerEnd::OpenProfile(name))),
                Cmd::OpenCase(name) => return Ok(Some(ExplorerEnd::OpenCase(name))),
                Cmd::Copy(what, text) => {
                    let copied = self.screen.copy(&text).map(|route| {
                        format!(
                            "{route} ({} bytes)",
                            crate::report::count(text.len() as u64)
                        )
                    });
                    self.tell(Msg::Copied(what, copied.map_err(|why| why.to_string())))?;
                }
                Cmd::Browse(url) => self.browse(&url)?,
                Cmd::Page(text) => self.lend("PAGER", "less", &text)?,
                Cmd::Edit(text) => self.lend("EDITOR", "vi", &text)?,
                Cmd::CaptureMouse(on) => self.screen.set_mouse(on.into())?,
                Cmd::AskGround => self.ask_ground()?,
                Cmd::Bell => self.screen.bell()?,
                Cmd::Repaint => self.screen.repaint(),
                Cmd::Suspend => self.suspend()?,
                other => {
                    // The worker lives as long as this sender.
                    let _ = self.commands.send(other);
                }
            }
        }
        Ok(None)
    }

    fn tell(&mut self, msg: Msg) -> io::Result<()> {
        let cmds = self.app.update(msg, (self.clock)());
        self.carry_out(cmds).map(|_| ())
    }

    /// Shows a text in another program, which has the terminal meanwhile.
    fn lend(&mut self, variable: &str, usual: &str, text: &str) -> io::Result<()> {
        let shown = match PagerFile::write(&self.state, text) {
            Ok(shown) => shown,
            Err(error) => {
                let text = format!("could not write in {}: {error}", self.state.display());
                return self.tell(Msg::Failed(text));
            }
        };
        let program = std::env::var(variable)
            .ok()
            .filter(|program| !program.trim().is_empty());
        let program = program.unwrap_or_else(|| usual.to_owned());
        let mut words = program.split_whitespace();
        let name = words.next().unwrap_or(usual).to_owned();
        self.await_answer();
        let ended = self.screen.lend(|| {
            Command::new(&name)
                .args(words)
                .arg(&shown.path)
                .env_remove(crate::engine::credentials::VARIABLE)
                .env_remove(crate::engine::credentials::WAREHOUSE_VARIABLE)
                .status()
        })?;
        match ended {
            Ok(_) => Ok(()),
            Err(error) => self.tell(Msg::Failed(format!(
                "{name} ({variable}) could not be run: {error}"
            ))),
        }
    }

    /// Opens a web page; the URL is one argument, without a shell.
    fn browse(&mut self, url: &str) -> io::Result<()> {
        let opener = if cfg!(target_os = "macos") {
            "open"
        } else {
            "xdg-open"
        };
        let started = Command::new(opener)
            .arg(url)
            .env_remove(crate::engine::credentials::VARIABLE)
            .env_remove(crate::engine::credentials::WAREHOUSE_VARIABLE)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn();
        match started {
            Ok(_) => Ok(()),
            Err(error) => self.tell(Msg::Failed(format!("{opener} could not be run: {error}"))),
        }
    }
}

/// The look, by configuration, environment and locale.
fn look_of(ui: &Ui) -> Look {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let draws_unicode = ui
        .unicode
        .unwrap_or_else(|| locale::draws_unicode(variable));
    let spelling = if draws_unicode {
        SymbolSet::Unicode
    } else if locale::encoding(variable).is_utf8() {
        SymbolSet::Ascii
    } else {
        SymbolSet::AsciiOnly
    };
    Look {
        theme: ui.theme.name(),
        ground: None,
        no_color: variable("NO_COLOR").is_some(),
        spelling,
        screen_reader: ui.screen_reader,
    }
}

fn msg_of(event: Event) -> Msg {
    match event {
        Event::Key(key) => Msg::Key(key),
        Event::Mouse(mouse) => Msg::Mouse(mouse),
        Event::Paste(text) => Msg::Paste(text),
        Event::Resize(width, height) => Msg::Resize((width, height).into()),
        Event::FocusGained => Msg::Focus(true),
        Event::FocusLost => Msg::Focus(false),
    }
}

/// Sleeps for a while, or forever.
async fn sleep(pause: Option<Duration>) {
    match pause {
        Some(pause) => tokio::time::sleep(pause).await,
        None => std::future::pending().await,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signal {
    /// End, by this signal.
    End(i32),
    /// Stop until continued.
    #[cfg_attr(not(unix), expect(dead_code, reason = "job control is of Unix"))]
    Stop,
    /// Continued after a stop.
    #[cfg_attr(not(unix), expect(dead_code, reason = "job control is of Unix"))]
    Continue,
}

/// The signals that the explorer handles.
struct SignalStreams {
    #[cfg(unix)]
    streams: [(Signal, tokio::signal::unix::Signal); 5],
}

impl SignalStreams {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
        use tokio::signal::unix::{SignalKind, signal};
        let stream =
            |number, asks| signal(SignalKind::from_raw(number)).map(|signal| (asks, signal));
        Ok(Self {
            streams: [
                stream(SIGTERM, Signal::End(SIGTERM))?,
                stream(SIGHUP, Signal::End(SIGHUP))?,
                stream(SIGINT, Signal::End(SIGINT))?,
                stream(SIGTSTP, Signal::Stop)?,
                stream(SIGCONT, Signal::Continue)?,
            ],
        })
    }

    #[cfg(unix)]
    async fn next(&mut self) -> Signal {
        let waits = self.streams.iter_mut().map(|(asks, stream)| {
            let asks = *asks;
            Box::pin(async move {
                stream.recv().await;
                asks
            })
        });
        futures_util::future::select_all(waits).await.0
    }

    #[cfg(not(unix))]
    fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> Signal {
        let _ = tokio::signal::ctrl_c().await;
        Signal::End(2)
    }
}
