//! Chooses the next event: mostly a key bound in the current place, or an answer to a pending question.

use std::collections::VecDeque;

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MediaKeyCode, ModifierKeyCode, MouseButton,
    MouseEvent, MouseEventKind,
};
use fastrand::Rng;
use ratatui::layout::{Position, Size};

use super::{answers, texts};
use crate::{
    engine::{Access, Balance, BalanceSource, Progress, Stage, answers::PolicyStep},
    tui::{
        ctx::{Binding, Chord, Gesture, Intent, JobId, Question},
        harness::Harness,
        shell::{
            msg::Msg,
            prices::{LARGE, SMALL, places::PricedWorld},
            registry::{Action, ShellAction},
        },
        ui::ClickTarget,
    },
};

/// The source of an event.
#[derive(Debug)]
pub(super) enum Cause {
    /// A key, if known.
    Key(Option<Chord>),
    Answer(JobId),
    /// The local data changes.
    World(PricedWorld),
    /// Any other event.
    Other,
}

pub(super) struct Event {
    /// The event in words.
    pub(super) told: String,
    pub(super) cause: Cause,
    pub(super) msg: Msg,
}

pub(super) fn next(
    rng: &mut Rng,
    harness: &mut Harness,
    world: PricedWorld,
    queue: &mut VecDeque<Msg>,
) -> Event {
    match queue.pop_front() {
        Some(Msg::Key(key)) => return of_key(key),
        Some(Msg::Mouse(event)) => return of_mouse(event, harness),
        _ => {}
    }
    match rng.u32(..100) {
        0..20 if !harness.asked.is_empty() => answered(rng, harness, world),
        60..67 => of_key(any_key(rng)),
        67..71 => {
            let key = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE);
            queue.extend(texts::word(rng).chars().map(key).map(Msg::Key));
            meaning(rng, harness)
        }
        71..75 => text(rng, queue),
        75..80 => mouse(rng, harness, queue),
        80..85 => resize(rng),
        85..88 => other(Msg::Focus(rng.bool())),
        88..93 => {
            harness.pass([1, 1, 7, 60, 3_600, 86_400][rng.usize(..6)]);
            other(Msg::Tick)
        }
        93 if !harness.asked.is_empty() => progress(rng, harness),
        95 => heard(rng, harness),
        96 => world_of(rng, harness),
        97 => {
            let done = rng.bool().then(String::new).ok_or("no clipboard".into());
            other(Msg::Copied(texts::word(rng), done))
        }
        94 => begun(rng, harness).unwrap_or_else(|| meaning(rng, harness)),
        98 => other(Msg::Failed(texts::word(rng))),
        _ => meaning(rng, harness),
    }
}

fn other(msg: Msg) -> Event {
    let told = format!("{msg:?}").chars().take(160).collect();
    let cause = Cause::Other;
    Event { told, cause, msg }
}

fn of_key(key: KeyEvent) -> Event {
    let chord = Chord::of(key);
    let told = match chord {
        Some(chord) if key.kind == KeyEventKind::Press => format!("key {chord}"),
        _ => format!("{key:?}"),
    };
    Event {
        told,
        cause: Cause::Key(chord),
        msg: Msg::Key(key),
    }
}

/// A random bound key; keys that exit are rare.
fn meaning(rng: &mut Rng, harness: &Harness) -> Event {
    let scopes = harness.app.scopes();
    let bindings: Vec<&Binding<Action>> = harness.app.keys.reachable(&scopes).collect();
    let leaves = |binding: &&Binding<Action>| {
        matches!(
            binding.intent,
            Intent::Action(Action::Shell(ShellAction::Leave | ShellAction::OpenDemo))
                | Intent::Shared(Gesture::Quit)
        )
    };
    let often: Vec<_> = bindings.iter().filter(|binding| !leaves(binding)).collect();
    if often.is_empty() || rng.u32(..60) == 0 {
        return of_key(bindings[rng.usize(..bindings.len())].chord.event());
    }
    // Half of the keys belong to the most specific scope.
    let near = often.len().min(12);
    let among = if rng.bool() { near } else { often.len() };
    of_key(often[rng.usize(..among)].chord.event())
}

fn any_key(rng: &mut Rng) -> KeyEvent {
    let codes = [
        KeyCode::Null,
        KeyCode::Insert,
        KeyCode::CapsLock,
        KeyCode::Menu,
        KeyCode::Media(MediaKeyCode::Play),
        KeyCode::Modifier(ModifierKeyCode::LeftShift),
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Delete,
        KeyCode::Home,
        KeyCode::PageDown,
        KeyCode::F(rng.u8(1..=24)),
        KeyCode::Char(rng.char('!'..='~')),
        KeyCode::Char(rng.char(..)),
    ];
    let mut key = KeyEvent::new(codes[rng.usize(..codes.len())], KeyModifiers::NONE);
    if rng.bool() {
        key.modifiers = KeyModifiers::from_bits_truncate(rng.u8(..));
    }
    if rng.u32(..8) == 0 {
        key.kind = [KeyEventKind::Repeat, KeyEventKind::Release][rng.usize(..2)];
    }
    key
}

fn text(rng: &mut Rng, queue: &mut VecDeque<Msg>) -> Event {
    if rng.u32(..6) == 0 {
        let key = |code| KeyEvent::new(code, KeyModifiers::NONE);
        let rest = "open x.log".chars().map(KeyCode::Char);
        let rest = rest.chain([KeyCode::Enter]);
        queue.extend(rest.map(key).map(Msg::Key));
        return of_key(key(KeyCode::Char(':')));
    }
    let text = texts::pasted(rng);
    let cut: String = text.chars().take(100).collect();
    Event {
        told: format!("paste of {} bytes: {cut:?}", text.len()),
        cause: Cause::Other,
        msg: Msg::Paste(text),
    }
}

fn mouse(rng: &mut Rng, harness: &Harness, queue: &mut VecDeque<Msg>) -> Event {
    let kinds = [
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Down(MouseButton::Right),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Right),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Middle),
        MouseEventKind::Moved,
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
        MouseEventKind::ScrollLeft,
        MouseEventKind::ScrollRight,
    ];
    let drawn = harness.app.spots.places();
    let (column, row) = match rng.u32(..10) {
        0 => (rng.u16(..), rng.u16(..)),
        1..4 => (rng.u16(..130), rng.u16(..40)),
        _ if drawn.is_empty() => (0, 0),
        _ => {
            let place = drawn[rng.usize(..drawn.len())];
            let beside = |rng: &mut Rng, from: u16, cells: u16| from + rng.u16(..cells.max(1));
            (
                beside(rng, place.x, place.width),
                beside(rng, place.y, place.height),
            )
        }
    };
    // Most presses are clicks, and half of the clicks are double.
    let kind = match rng.u32(..3) {
        0 => kinds[rng.usize(..kinds.len())],
        _ => kinds[0],
    };
    let event = MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    if rng.bool() {
        queue.push_back(Msg::Mouse(event));
    }
    of_mouse(event, harness)
}

/// A mouse event. A second click on a row acts like Enter, and a click in the footer like the key there; no other mouse event may
/// spend a query.
fn of_mouse(event: MouseEvent, harness: &Harness) -> Event {
    let enter = Chord::key(KeyCode::Enter);
    let is_second = harness.app.clicked.is_some();
    let MouseEvent { kind, .. } = event;
    let cause = match kind {
        MouseEventKind::Down(MouseButton::Left) => match footer_key(event, harness) {
            Some(chord) => Cause::Key(Some(chord)),
            None if is_second => Cause::Key(Some(enter)),
            None => Cause::Other,
        },
        _ => Cause::Other,
    };
    Event {
        told: format!("{kind:?} at {}, {}", event.column, event.row),
        cause,
        msg: Msg::Mouse(event),
    }
}

/// The key in this cell of the footer.
fn footer_key(event: MouseEvent, harness: &Harness) -> Option<Chord> {
    let app = &harness.app;
    let (_, target) = app.spots.at(Position::new(event.column, event.row));
    let Some(ClickTarget::Hint(number)) = target else {
        return None;
    };
    let scopes = app.scopes();
    let mut offered = app.offered(&scopes, harness.now);
    offered.nth(number).map(|binding| binding.chord)
}

fn resize(rng: &mut Rng) -> Event {
    let (width, height) = match rng.u32(..10) {
        0 | 1 => SMALL,
        2 | 3 => LARGE,
        4 => (rng.u16(1..=300), rng.u16(1..=100)),
        5 => (rng.u16(1..=70), rng.u16(1..=20)),
        _ => (rng.u16(60..=140), rng.u16(16..=44)),
    };
    other(Msg::Resize(Size::new(width, height)))
}

fn answered(rng: &mut Rng, harness: &Harness, world: PricedWorld) -> Event {
    let (job, question) = &harness.asked[rng.usize(..harness.asked.len())];
    let result = answers::of(rng, harness, question, world);
    if let (Question::Resolve(query), true) = (question, result.is_ok()) {
        let sources = Box::new(harness.sources_of(*query));
        // The engine would decide the next step; here it is always a query.
        let next = PolicyStep::Ask(1);
        return Event {
            told: format!("at hand: {query:?}"),
            cause: Cause::Answer(*job),
            msg: Msg::AtHand(*job, sources, next),
        };
    }
    let end = match &result {
        Ok(_) => "answered".to_owned(),
        Err(error) => error.kind.word().to_owned(),
    };
    let question: String = format!("{question:?}").chars().take(120).collect();
    Event {
        told: format!("{end}: {question}"),
        cause: Cause::Answer(*job),
        msg: Msg::Answered(*job, Box::new(result)),
    }
}

fn progress(rng: &mut Rng, harness: &Harness) -> Event {
    let stages = [
        Stage::Asking,
        Stage::Downloading,
        Stage::Verifying,
        Stage::Indexing,
        Stage::Writing,
    ];
    let progress = Progress {
        stage: stages[rng.usize(..stages.len())],
        done: rng.u64(..) >> rng.u32(..64),
        total: rng.bool().then(|| rng.u64(..) >> rng.u32(..64)),
    };
    let (job, _) = harness.asked[rng.usize(..harness.asked.len())];
    other(Msg::Progress(job, progress))
}

/// The beginning of a text that is being read.
fn begun(rng: &mut Rng, harness: &Harness) -> Option<Event> {
    let read = harness
        .asked
        .iter()
        .find_map(|(job, question)| match question {
            Question::Gather(query) => Some((*job, query)),
            _ => None,
        });
    let (job, query) = read?;
    let text = answers::gathered(rng, query);
    Some(other(Msg::Beginning(job, Box::new(text))))
}

fn heard(rng: &mut Rng, harness: &Harness) -> Event {
    let balance = Balance {
        remaining: rng.u64(..) >> rng.u32(..64),
        at: harness.now,
        source: BalanceSource::Status,
    };
    let balance = rng.bool().then_some(balance);
    other(Msg::Heard(balance, Access::default()))
}

/// Changes the local data, or how long the engine takes.
fn world_of(rng: &mut Rng, harness: &mut Harness) -> Event {
    let worlds = [
        PricedWorld::Live,
        PricedWorld::Failing,
        PricedWorld::Local,
        PricedWorld::Stale,
    ];
    let world = worlds[rng.usize(..worlds.len())];
    harness.is_slow = rng.bool();
    Event {
        told: format!("{world:?}, slow: {}", harness.is_slow),
        cause: Cause::World(world),
        msg: Msg::Tick,
    }
}
