//! Signals end a run in order: work is dropped, which cancels it, and what it had finished stays.

use std::{future::Future, process};

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
};

use super::{
    console::{Console, Outcome},
    exit::Exit,
};

/// HUP, INT and TERM, by number.
const ENDING: [u8; 3] = [1, 2, 15];

/// Runs work until it ends or a signal ends it; a second signal does not wait for anything.
pub async fn until_signal(console: &Console, work: impl Future<Output = Outcome>) -> Exit {
    let (tell, signalled) = oneshot::channel();
    let watch = tokio::spawn(watch(tell));
    let exit = tokio::select! {
        outcome = work => console.conclude(outcome),
        Ok(number) = signalled => {
            console.interrupted();
            Exit::of_signal(number)
        }
    };
    watch.abort();
    exit
}

async fn watch(tell: oneshot::Sender<u8>) {
    // Without signals to listen to, their default actions end the process.
    let listen = |number: u8| signal(SignalKind::from_raw(number.into())).ok();
    let mut signals = ENDING.map(listen);
    let first = any(&mut signals).await;
    if tell.send(first).is_ok() {
        let second = any(&mut signals).await;
        // The terminal may be without echo for a token that is being typed.
        let _ = crossterm::terminal::disable_raw_mode();
        process::exit(Exit::of_signal(second).code().into());
    }
}

/// Waits for one of the signals; gives its number.
async fn any(signals: &mut [Option<Signal>; 3]) -> u8 {
    let [hangup, interrupt, terminate] = signals;
    let number = tokio::select! {
        () = one(hangup) => 0,
        () = one(interrupt) => 1,
        () = one(terminate) => 2,
    };
    ENDING[number]
}

async fn one(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}
