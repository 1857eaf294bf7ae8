//! A rehearsal for tests: the whole application without terminal or engine. Keys and answers in, commands and screens
//! out, with invented data.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

use crate::{
    contract::Host,
    engine::{self, Access, Error, Fetched, Provenance, Record, config::Guards},
    model::{Admission, Context, Document, Status, Tag},
    tui::{
        ctx::{
            cmd::Cmd,
            facts::{Facts, TokenState},
            request::{Answer, JobId, Question},
        },
        shell::{app::App, msg::Msg, view},
        stage,
        ui::theme::Theme,
    },
};

/// The application on stage.
pub(crate) struct Rehearsal {
    /// Its state.
    pub(crate) app: App,
    /// The time.
    pub(crate) now: Timestamp,
    /// What was asked and not answered, the newest last.
    pub(crate) asked: Vec<(JobId, Question)>,
}

impl Rehearsal {
    /// On a screen of this size, with a service and a token.
    pub(crate) fn new(width: u16, height: u16) -> Self {
        Self::with(facts(), width, height)
    }

    /// With these facts.
    pub(crate) fn with(facts: Facts, width: u16, height: u16) -> Self {
        let app = App::new(facts, Theme::terminal(), Size::new(width, height));
        let mut rehearsal = Self {
            app,
            now: now(),
            asked: Vec::new(),
        };
        // The Lookup tab begins with its field; nobody is typing yet.
        rehearsal.keys("<esc>");
        rehearsal
    }

    /// Takes a fact in.
    pub(crate) fn tell(&mut self, msg: Msg) -> Vec<Cmd> {
        let cmds = self.app.update(msg, self.now);
        for cmd in &cmds {
            match cmd {
                Cmd::Ask(job, question) => self.asked.push((*job, question.clone())),
                Cmd::Cancel(job) => self.asked.retain(|(asked, _)| asked != job),
                _ => {}
            }
        }
        cmds
    }

    /// Presses keys: a character each, names in angle brackets (`<enter>`); gives the effects of all.
    pub(crate) fn keys(&mut self, script: &str) -> Vec<Cmd> {
        let mut cmds = Vec::new();
        let mut rest = script;
        while let Some(first) = rest.chars().next() {
            let (code, taken) = match named(rest) {
                Some((code, taken)) => (code, taken),
                None => (KeyCode::Char(first), first.len_utf8()),
            };
            rest = &rest[taken..];
            cmds.extend(self.tell(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE))));
        }
        cmds
    }

    /// Answers what was asked last of this kind.
    pub(crate) fn answer(
        &mut self,
        is_it: impl Fn(&Question) -> bool,
        result: Result<Answer, Error>,
    ) -> Vec<Cmd> {
        let at = self.asked.iter().rposition(|(_, question)| is_it(question));
        let (job, _) = self.asked.remove(at.expect("a question that waits"));
        self.answer_to(job, result)
    }

    /// Answers a job, be it one that still waits or not.
    pub(crate) fn answer_to(&mut self, job: JobId, result: Result<Answer, Error>) -> Vec<Cmd> {
        self.tell(Msg::Answered(job, Box::new(result)))
    }

    /// Answers the newest question about a tag.
    pub(crate) fn answer_tag(&mut self, text: &str) -> Vec<Cmd> {
        self.answer(
            |question| matches!(question, Question::Tag(_)),
            Ok(Answer::Tag(tag(text))),
        )
    }

    /// Time passes.
    pub(crate) fn pass(&mut self, seconds: i64) {
        self.now += SignedDuration::from_secs(seconds);
    }

    /// The screen, as text.
    pub(crate) fn screen(&self) -> String {
        let Size { width, height } = self.app.size;
        stage::shown(width, height, |frame| {
            view::draw(frame, &self.app, self.now)
        })
    }
}

fn named(script: &str) -> Option<(KeyCode, usize)> {
    let name = script.strip_prefix('<')?;
    let (name, _) = name.split_once('>')?;
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "back" => KeyCode::Backspace,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        _ => return None,
    };
    Some((code, name.len() + 2))
}

/// When it begins.
pub(crate) fn now() -> Timestamp {
    "2026-11-20T23:14:00Z".parse().expect("timestamp")
}

/// A service and a token, nothing heard yet.
pub(crate) fn facts() -> Facts {
    let urls = Host::ALL.map(|host| (host, format!("https://{host}.example")));
    Facts {
        profile: "work".to_owned(),
        invented: false,
        offline: false,
        urls: urls.to_vec(),
        token: TokenState::There,
        token_source: "IPSPECT_TOKEN".to_owned(),
        config_file: "/config/config.toml".into(),
        working_dir: "/cases".into(),
        admission: Admission::default(),
        guards: Guards::default(),
        balance: None,
        balance_before: None,
        access: Access::default(),
        examples: Vec::new(),
        focused: true,
    }
}

fn provenance(target: &str) -> Provenance {
    Provenance {
        url: format!("https://context.example{target}"),
        status: 200,
        asked_at: "2026-11-20T23:10:00Z".parse().expect("timestamp"),
        elapsed: Duration::from_millis(142),
        attempts: 1,
        cost: 0,
        possibly_spent: 0,
        balance: None,
        data_date: None,
        clock_off: None,
    }
}

fn document(text: &str) -> Document {
    Document::read(text.as_bytes()).expect(text)
}

/// The metadata of a tag, as if fetched.
pub(crate) fn tag(text: &str) -> Fetched<Tag> {
    let document = document(text);
    let value = Tag::decode(document.value()).expect(text);
    let name = value.tag.text().unwrap_or_default();
    let provenance = provenance(&format!("/v2/metadata/tags/{name}"));
    Fetched {
        value,
        document,
        provenance,
    }
}

/// The status of the token, as if fetched.
pub(crate) fn status(text: &str) -> Fetched<Status> {
    let document = document(text);
    let value = Status::decode(document.value()).expect(text);
    Fetched {
        value,
        document,
        provenance: provenance("/status"),
    }
}

/// The record of an address, as if looked up.
pub(crate) fn record(text: &str) -> engine::Answer {
    let document = document(text);
    let context = Context::decode(document.value()).expect(text);
    engine::Answer {
        record: Some(Record { context, document }),
        provenance: provenance("/v2/context"),
    }
}
