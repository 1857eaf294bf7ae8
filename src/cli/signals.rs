//! Signals end a run in order: work is dropped, which cancels it, and what it had finished stays.

use std::{future::Future, io, process};

use tokio::sync::oneshot;

use super::{
    console::{CommandResult, Console},
    exit::Exit,
};

/// Keeps the memory of this process, which holds the token, out of core dumps: the limit of cores is 0, for the processes that it
/// starts too, and the process is not dumpable, for systems that pipe cores past that limit. Other processes of the same user cannot
/// read its memory either.
///
/// # Errors
/// A refusal of the system.
#[cfg(unix)]
pub fn forbid_core_dumps() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, none)?;
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

#[cfg(not(unix))]
pub fn forbid_core_dumps() -> io::Result<()> {
    Ok(())
}

/// Makes a write past the limit on file sizes an error, where the signal for it would end the process.
#[cfg(unix)]
pub fn survive_file_size_limits() {
    let noticed = std::sync::Arc::default();
    // Where no handler can be installed the default stays, which ends the process as before.
    let _ = signal_hook::flag::register(rustix::process::Signal::XFSZ.as_raw(), noticed);
}

#[cfg(not(unix))]
pub fn survive_file_size_limits() {}

/// Runs work until it ends or a signal ends it; a second signal does not wait for anything.
pub async fn until_signal(console: &Console, work: impl Future<Output = CommandResult>) -> Exit {
    let (tell, signalled) = oneshot::channel();
    // Before any work, so that an early signal is handled.
    tokio::spawn(watch(Signals::listen(), tell));
    tokio::select! {
        outcome = work => console.conclude(outcome),
        Ok(number) = signalled => {
            console.interrupted();
            Exit::of_signal(number)
        }
    }
}

async fn watch(mut signals: Signals, tell: oneshot::Sender<u8>) {
    let first = signals.next().await;
    if tell.send(first).is_ok() {
        let second = signals.next().await;
        // The terminal may be without echo for a token that is being typed.
        let _ = crossterm::terminal::disable_raw_mode();
        process::exit(Exit::of_signal(second).code().into());
    }
}

/// HUP, INT and TERM.
#[cfg(unix)]
struct Signals([Option<tokio::signal::unix::Signal>; 3]);

#[cfg(unix)]
impl Signals {
    const NUMBERS: [u8; 3] = [1, 2, 15];

    /// One that cannot be listened to keeps its default, which ends the process.
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self(Self::NUMBERS.map(|number| signal(SignalKind::from_raw(number.into())).ok()))
    }

    /// Waits for one of them; returns its number.
    async fn next(&mut self) -> u8 {
        let [hangup, interrupt, terminate] = &mut self.0;
        let index = tokio::select! {
            () = one(hangup) => 0,
            () = one(interrupt) => 1,
            () = one(terminate) => 2,
        };
        Self::NUMBERS[index]
    }
}

#[cfg(unix)]
async fn one(signal: &mut Option<tokio::signal::unix::Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Ctrl-C alone.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn next(&mut self) -> u8 {
        const INTERRUPT: u8 = 2;
        match tokio::signal::ctrl_c().await {
            Ok(()) => INTERRUPT,
            Err(_) => std::future::pending().await,
        }
    }
}
