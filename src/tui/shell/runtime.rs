//! The loop: facts in, one update each, effects out, one drawing after the queue is empty. Idle, it waits and writes
//! nothing.

use std::{io, net::IpAddr, path::PathBuf, process::Command};

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinHandle,
};

use super::{
    app::App,
    keys::Keys,
    msg::Msg,
    pointing::is_of_use,
    screen::{Mouse, Screen},
    view, worker,
};
use crate::{
    engine::{Engine, Shown},
    tui::{
        ctx::{cmd::Cmd, facts::Facts, request::Entered},
        ui::theme::{Theme, Tone},
    },
};

/// How the explorer starts.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The address to look up at once.
    pub address: Option<IpAddr>,
    /// Addresses worth trying, each with what it shows.
    pub examples: Vec<(String, String)>,
    /// What was entered of the service before the explorer began anew, to be tested.
    pub entered: Option<Entered>,
}

/// How the explorer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Left by the person.
    Quit,
    /// Left with lines to print.
    Print(Vec<String>),
    /// Left for the embedded service.
    OpenDemo,
    /// Left for the service that was entered.
    OpenService(Entered),
    /// Left for another profile.
    OpenProfile(String),
    /// Ended by a signal, of this number.
    Signal(i32),
}

/// Runs the explorer until it is left.
///
/// # Errors
/// When there is no terminal to draw on, or it is gone.
pub async fn run(engine: Engine, options: Options) -> anyhow::Result<Outcome> {
    engine.releases.give_way();
    let ui = engine.settings.ui.clone();
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let theme = Theme::named(ui.theme.name(), no_color).unwrap_or_else(Theme::terminal);
    // Before the terminal is taken: a signal that comes at once must find it given back.
    let signals = Signals::new()?;
    let screen = Screen::enter(Mouse::from(ui.mouse))?;
    let size = screen.size()?;
    let mut app = Box::new(App::new(Facts::of(&engine, options.examples), theme, size));
    let (keys, wrong) = Keys::configured(&engine.settings.keys);
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
        events: Some(EventStream::new()),
        signals,
    };
    let first = options
        .address
        .map(|address| explorer.app.tabs.lookup.query_for(address));
    let outcome = explorer.run(first, options.entered).await;
    let Explorer {
        screen, commands, ..
    } = explorer;
    drop(screen);
    finish(commands, worker).await;
    outcome
}

/// Lets the worker end: downloads keep what they have.
async fn finish(commands: UnboundedSender<Cmd>, worker: JoinHandle<()>) {
    const PATIENCE: std::time::Duration = std::time::Duration::from_millis(800);
    drop(commands);
    let _ = tokio::time::timeout(PATIENCE, worker).await;
}

struct Explorer {
    app: Box<App>,
    screen: Screen,
    commands: UnboundedSender<Cmd>,
    messages: UnboundedReceiver<Msg>,
    clock: fn() -> jiff::Timestamp,
    /// Where texts for other programs are written.
    state: PathBuf,
    /// Gone while another program has the keyboard.
    events: Option<EventStream>,
    signals: Signals,
}

impl Explorer {
    async fn run(
        &mut self,
        address: Option<crate::contract::LookupQuery>,
        entered: Option<Entered>,
    ) -> anyhow::Result<Outcome> {
        self.draw()?;
        let mut first = self.app.begin(address, (self.clock)());
        if let Some(entered) = entered {
            first.extend(self.app.test_entered(entered, (self.clock)()));
        }
        if let Some(outcome) = self.carry_out(first)? {
            return Ok(outcome);
        }
        loop {
            let now = (self.clock)();
            let wakes_at = self.app.wakes_at(now);
            let pause = wakes_at.map(|at| {
                std::time::Duration::try_from(at.duration_since(now)).unwrap_or_default()
            });
            let events = self.events.get_or_insert_with(EventStream::new);
            let msg = tokio::select! {
                event = events.next() => match event {
                    Some(Ok(Event::Mouse(mouse))) if !is_of_use(mouse.kind) => continue,
                    Some(Ok(event)) => Some(msg_of(event)),
                    // The terminal is gone.
                    Some(Err(_)) | None => return Ok(Outcome::Signal(signal_hook::consts::SIGHUP)),
                },
                msg = self.messages.recv() => msg,
                () = sleep(pause) => Some(Msg::Tick),
                signal = self.signals.next() => return Ok(Outcome::Signal(signal)),
            };
            let mut next = msg;
            while let Some(msg) = next {
                let cmds = self.app.update(msg, (self.clock)());
                if let Some(outcome) = self.carry_out(cmds)? {
                    return Ok(outcome);
                }
                next = self.messages.try_recv().ok();
            }
            self.draw()?;
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let now = (self.clock)();
        self.app.size = self.screen.size()?;
        self.screen
            .draw(|frame| view::draw(frame, &self.app, now))?;
        self.screen.show_progress(self.app.under_way())
    }

    /// Carries effects out; those of the terminal here, the others in the worker.
    fn carry_out(&mut self, cmds: Vec<Cmd>) -> io::Result<Option<Outcome>> {
        for cmd in cmds {
            match cmd {
                Cmd::Quit => return Ok(Some(Outcome::Quit)),
                Cmd::Print(lines) => return Ok(Some(Outcome::Print(lines))),
                Cmd::OpenDemo => return Ok(Some(Outcome::OpenDemo)),
                Cmd::OpenService(entered) => return Ok(Some(Outcome::OpenService(entered))),
                Cmd::OpenProfile(name) => return Ok(Some(Outcome::OpenProfile(name))),
                Cmd::Copy(what, text) => {
                    let copied = self
                        .screen
                        .copy(&text)
                        .map(|route| format!("{route} ({} bytes)", text.len()));
                    self.tell(Msg::Copied(what, copied.map_err(|why| why.to_string())))?;
                }
                Cmd::Browse(url) => self.browse(&url)?,
                Cmd::Page(text) => self.lend("PAGER", "less", &text)?,
                Cmd::Edit(text) => self.lend("EDITOR", "vi", &text)?,
                Cmd::CaptureMouse(on) => self.screen.set_mouse(on.into())?,
                Cmd::Bell if self.app.facts.focused => {}
                Cmd::Bell => self.screen.bell()?,
                Cmd::Repaint => self.screen.repaint(),
                Cmd::Suspend => {
                    self.events = None;
                    self.screen.suspend()?;
                }
                other => {
                    // The worker lives as long as the sender does.
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

    /// Shows text in another program, which has the terminal meanwhile.
    fn lend(&mut self, variable: &str, usual: &str, text: &str) -> io::Result<()> {
        let shown = match Shown::write(&self.state, text) {
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
        self.events = None;
        let ended = self.screen.lend(|| {
            Command::new(&name)
                .args(words)
                .arg(&shown.path)
                .env_remove(crate::engine::credentials::VARIABLE)
                .status()
        })?;
        match ended {
            Ok(_) => Ok(()),
            Err(error) => self.tell(Msg::Failed(format!(
                "{name} ({variable}) could not be run: {error}"
            ))),
        }
    }

    /// Opens a web page, as one argument, without a shell.
    fn browse(&mut self, url: &str) -> io::Result<()> {
        let opener = if cfg!(target_os = "macos") {
            "open"
        } else {
            "xdg-open"
        };
        let started = Command::new(opener)
            .arg(url)
            .env_remove(crate::engine::credentials::VARIABLE)
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

/// Sleeps for a while, or for ever.
async fn sleep(pause: Option<std::time::Duration>) {
    match pause {
        Some(pause) => tokio::time::sleep(pause).await,
        None => std::future::pending().await,
    }
}

/// The signals that end the explorer.
struct Signals {
    #[cfg(unix)]
    streams: [(i32, tokio::signal::unix::Signal); 3],
}

impl Signals {
    #[cfg(unix)]
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let stream = |kind: SignalKind| signal(kind).map(|stream| (kind.as_raw_value(), stream));
        Ok(Self {
            streams: [
                stream(SignalKind::terminate())?,
                stream(SignalKind::hangup())?,
                stream(SignalKind::interrupt())?,
            ],
        })
    }

    #[cfg(unix)]
    async fn next(&mut self) -> i32 {
        let [(first, a), (second, b), (third, c)] = &mut self.streams;
        tokio::select! {
            _ = a.recv() => *first,
            _ = b.recv() => *second,
            _ = c.recv() => *third,
        }
    }

    #[cfg(not(unix))]
    fn new() -> io::Result<Self> {
        Ok(Self {})
    }

    #[cfg(not(unix))]
    async fn next(&mut self) -> i32 {
        let _ = tokio::signal::ctrl_c().await;
        2
    }
}
