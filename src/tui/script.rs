//! A script for tests: keys and answers in, effects and screens out. Nothing is sent and nothing is drawn on a terminal.

use std::{path::PathBuf, time::Duration};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::Timestamp;
use ratatui::layout::Size;

use crate::{
    contract::Host,
    engine::{Access, Error, Fetched, Progress, Provenance, config::Guards},
    model::{Admission, Document},
    tui::{
        ctx::{
            cmd::Cmd,
            facts::{Facts, TokenState},
            request::{Answer, JobId, Question},
        },
        shell::{app::App, msg::Msg, registry::TabId, view},
        stage,
        ui::theme::Theme,
    },
};

/// When scripts play.
pub(crate) const NOW: &str = "2026-11-20T23:14:40Z";

/// An application that is driven by a test.
pub(crate) struct Script {
    /// The application.
    pub(crate) app: App,
    /// The time.
    pub(crate) now: Timestamp,
    asked: Vec<(JobId, Question)>,
}

impl Script {
    /// An application with a service and a token, on this tab.
    pub(crate) fn on(tab: TabId) -> (Self, Vec<Cmd>) {
        Self::with(facts(), tab)
    }

    /// An application that knows this of the world, on this tab.
    pub(crate) fn with(facts: Facts, tab: TabId) -> (Self, Vec<Cmd>) {
        let mut script = Self {
            app: App::new(facts, Theme::colourless(), Size::new(120, 36)),
            now: NOW.parse().expect("timestamp"),
            asked: Vec::new(),
        };
        let number = TabId::ALL.iter().position(|own| *own == tab).expect("tab") + 1;
        // A field that has the focus at the start would take the number.
        script.keys("esc");
        let cmds = script.keys(&number.to_string());
        (script, cmds)
    }

    /// Presses keys, apart by blanks: characters, or names such as `enter`, `s-tab`, `ctrl-s`, `space`.
    pub(crate) fn keys(&mut self, keys: &str) -> Vec<Cmd> {
        let keys: Vec<KeyEvent> = keys.split_whitespace().map(key).collect();
        keys.into_iter()
            .flat_map(|key| self.tell(Msg::Key(key)))
            .collect()
    }

    /// Types a text.
    pub(crate) fn types(&mut self, text: &str) -> Vec<Cmd> {
        let keys = text
            .chars()
            .map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        keys.flat_map(|key| self.tell(Msg::Key(key))).collect()
    }

    /// Tells a fact.
    pub(crate) fn tell(&mut self, msg: Msg) -> Vec<Cmd> {
        let cmds = self.app.update(msg, self.now);
        for cmd in &cmds {
            if let Cmd::Ask(job, question) = cmd {
                self.asked.push((*job, question.clone()));
            }
        }
        cmds
    }

    /// The job that asked a question last.
    pub(crate) fn job(&self, question: &Question) -> JobId {
        let asked = self.asked.iter().rev();
        let found = asked
            .filter(|(_, own)| own == question)
            .map(|(job, _)| *job)
            .next();
        found.unwrap_or_else(|| panic!("{question:?} was not asked"))
    }

    /// Answers the question as it was asked last.
    pub(crate) fn answer(
        &mut self,
        question: &Question,
        result: Result<Answer, Error>,
    ) -> Vec<Cmd> {
        self.answer_to(self.job(question), result)
    }

    /// Answers a job, be it the last one of its question or not.
    pub(crate) fn answer_to(&mut self, job: JobId, result: Result<Answer, Error>) -> Vec<Cmd> {
        self.tell(Msg::Answered(job, Box::new(result)))
    }

    /// Says how far the job of a question is.
    pub(crate) fn progress(&mut self, question: &Question, progress: Progress) {
        let job = self.job(question);
        self.tell(Msg::Progress(job, progress));
    }

    /// What is seen on a screen of this size.
    pub(crate) fn screen(&mut self, width: u16, height: u16) -> String {
        self.tell(Msg::Resize(Size::new(width, height)));
        stage::shown(width, height, |frame| {
            view::draw(frame, &self.app, self.now)
        })
    }

    /// Draws at sizes from nothing to large: none may panic.
    pub(crate) fn draws_at_any_size(&mut self) {
        for width in [0, 1, 7, 40, 59, 60, 61, 80, 100, 119, 120, 300] {
            for height in [0, 1, 3, 15, 16, 17, 24, 28, 36, 90] {
                self.screen(width, height);
            }
        }
        self.screen(120, 36);
    }

    /// What was said last.
    pub(crate) fn notice(&self) -> String {
        let notice = self.app.notices.latest(self.now);
        notice.map_or_else(String::new, |notice| notice.text.clone())
    }
}

/// What is asked by effects.
pub(crate) fn questions(cmds: &[Cmd]) -> Vec<Question> {
    let asked = cmds.iter().filter_map(|cmd| match cmd {
        Cmd::Ask(_, question) => Some(question.clone()),
        _ => None,
    });
    asked.collect()
}

/// What is copied by effects.
pub(crate) fn copied(cmds: &[Cmd]) -> Option<&str> {
    cmds.iter().find_map(|cmd| match cmd {
        Cmd::Copy(_, text) => Some(text.as_str()),
        _ => None,
    })
}

/// A world with a service and a token.
pub(crate) fn facts() -> Facts {
    let url = |host: Host| (host, format!("https://{}.example", host.name()));
    Facts {
        profile: "work".to_owned(),
        invented: false,
        offline: false,
        urls: Host::ALL.map(url).to_vec(),
        token: TokenState::There,
        token_source: "IPSPECT_TOKEN".to_owned(),
        config_file: PathBuf::from("/config/config.toml"),
        working_dir: PathBuf::from("/cases"),
        admission: Admission::default(),
        guards: Guards::default(),
        balance: None,
        balance_before: None,
        access: Access::default(),
        examples: Vec::new(),
        focused: true,
    }
}

/// A document as the service sends it, with what `read` makes of it.
pub(crate) fn fetched<T>(json: &str, read: impl Fn(&serde_json::Value) -> T) -> Fetched<T> {
    let document = Document::read(json.as_bytes()).expect(json);
    Fetched {
        value: read(document.value()),
        document,
        provenance: provenance(),
    }
}

/// Where an answer comes from.
pub(crate) fn provenance() -> Provenance {
    Provenance {
        url: "https://feeds.example/v2/anonymous/latest".to_owned(),
        status: 200,
        asked_at: NOW.parse().expect("timestamp"),
        elapsed: Duration::from_millis(12),
        attempts: 1,
        cost: 0,
        possibly_spent: 0,
        balance: None,
        data_date: None,
        clock_off: None,
    }
}

fn key(name: &str) -> KeyEvent {
    let (control, name) = match name.strip_prefix("ctrl-") {
        Some(letter) => (KeyModifiers::CONTROL, letter),
        None => (KeyModifiers::NONE, name),
    };
    let code = match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "s-tab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "backspace" => KeyCode::Backspace,
        "space" => KeyCode::Char(' '),
        other => {
            let mut letters = other.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => KeyCode::Char(letter),
                _ => panic!("there is no key {other}"),
            }
        }
    };
    KeyEvent::new(code, control)
}
