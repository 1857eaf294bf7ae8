//! The Lookup tab by script: keys in, questions and state out, screens as text.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use jiff::Timestamp;
use ratatui::layout::Size;

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{self, Access, Error, Kind, Provenance, Record},
    model::{Admission, Context, Document},
    tui::{
        app::{App, Facts, TokenState},
        keys::Tab,
        msg::{Answer, Cmd, JobId, Msg, Question},
        stage,
        theme::Theme,
        view,
    },
};

const RECORD: &str = r#"{"ip":"198.51.100.77","organization":"Example Hosting customer 12","infrastructure":"DATACENTER",
"as":{"number":64500,"organization":"Example Hosting BV"},
"client":{"behaviors":["TOR_PROXY_USER"],"count":14,"countries":6,"proxies":["WIDGET_PROXY"],"spread":91400,"types":["MOBILE","DESKTOP"],
"concentration":{"city":"Kyiv","country":"UA","density":0.42,"geohash":"u8vx","skew":31}},
"location":{"city":"Amsterdam","state":"North Holland","country":"NL"},"risks":["TUNNEL","CALLBACK_PROXY"],
"services":["OPENVPN","IPSEC"],"extra":1,
"tunnels":[{"anonymous":true,"entries":["198.51.100.70"],"exits":["198.51.100.77","198.51.100.78"],"operator":"ACME_VPN","type":"VPN"},
{"anonymous":true,"type":"PROXY"}]}"#;

fn now() -> Timestamp {
    "2026-11-20T23:14:00Z".parse().expect("timestamp")
}

fn facts() -> Facts {
    Facts {
        profile: "work".to_owned(),
        invented: false,
        offline: false,
        urls: crate::contract::Host::ALL
            .map(|host| (host, format!("https://{host}.example")))
            .to_vec(),
        token: TokenState::There,
        token_source: "file".to_owned(),
        config_file: "/config.toml".into(),
        working_dir: "/".into(),
        admission: Admission::with(vec!["198.51.100.0/24".parse().expect("block")]),
        guards: engine::config::Guards::default(),
        balance: None,
        balance_before: None,
        access: Access::default(),
        examples: Vec::new(),
        focused: true,
    }
}

/// The explorer, and what it asked for.
struct Play {
    app: App,
    asked: Vec<(JobId, Question)>,
    cmds: Vec<Cmd>,
}

impl Play {
    fn new(size: (u16, u16)) -> Self {
        let app = App::new(facts(), Theme::terminal(), Size::new(size.0, size.1));
        let mut play = Self {
            app,
            asked: Vec::new(),
            cmds: Vec::new(),
        };
        let first = play.app.begin(None, now());
        play.note(first);
        play.asked.clear();
        play
    }

    fn note(&mut self, cmds: Vec<Cmd>) {
        for cmd in cmds {
            match cmd {
                Cmd::Ask(id, question) => self.asked.push((id, question)),
                other => self.cmds.push(other),
            }
        }
    }

    fn tell(&mut self, msg: Msg) {
        let cmds = self.app.update(msg, now());
        self.note(cmds);
    }

    fn press(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let code = match key {
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "bksp" => KeyCode::Backspace,
                "tab" => KeyCode::Tab,
                "down" => KeyCode::Down,
                "up" => KeyCode::Up,
                other => KeyCode::Char(other.chars().next().expect("a key")),
            };
            self.tell(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)));
        }
    }

    fn type_text(&mut self, text: &str) {
        for letter in text.chars() {
            self.tell(Msg::Key(KeyEvent::new(
                KeyCode::Char(letter),
                KeyModifiers::NONE,
            )));
        }
    }

    /// Looks an address up by its keys; gives the job.
    fn look_up(&mut self, address: &str) -> JobId {
        if self.app.lookup.field().is_none() {
            self.press("i");
        }
        let field = self.app.lookup.field().expect("the field");
        field.clear();
        self.type_text(address);
        self.press("enter");
        self.asked.last().expect("a question").0
    }

    fn answer(&mut self, job: JobId, text: &str) {
        let answer = Answer::Lookup(answer(text));
        self.tell(Msg::Answered(job, Box::new(Ok(answer))));
    }

    fn screen(&self) -> String {
        let Size { width, height } = self.app.size;
        stage::shown(width, height, |frame| view::draw(frame, &self.app, now()))
    }

    fn copied(&self) -> Vec<&str> {
        self.cmds
            .iter()
            .filter_map(|cmd| {
                if let Cmd::Copy(_, text) = cmd {
                    Some(text.as_str())
                } else {
                    None
                }
            })
            .collect()
    }
}

fn answer(text: &str) -> engine::Answer {
    let document = Document::read(text.as_bytes()).expect("document");
    let context = Context::decode(document.value()).expect("record");
    let provenance = Provenance {
        url: "https://context.example/v2/context/198.51.100.77".to_owned(),
        status: 200,
        asked_at: now(),
        elapsed: std::time::Duration::from_millis(142),
        attempts: 1,
        cost: 1,
        possibly_spent: 0,
        balance: Some(48_120),
        data_date: "20261120".parse().ok(),
        clock_off: None,
    };
    engine::Answer {
        record: Some(Record { context, document }),
        provenance,
    }
}

fn query(address: &str) -> LookupQuery {
    LookupQuery::now(address.parse().expect(address))
}

#[test]
fn typing_an_address_asks_for_it_once() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198[.]51[.]100[.]77");
    assert_eq!(
        play.asked,
        [(job, Question::Lookup(query("198.51.100.77")))]
    );
    play.look_up("198.51.100.77");
    assert_eq!(
        play.asked.len(),
        1,
        "a question under way is not asked again"
    );
    play.answer(job, RECORD);
    play.look_up("198.51.100.77");
    assert_eq!(play.asked.len(), 1, "what is known costs nothing");
    play.press("R");
    assert_eq!(play.asked.len(), 2);
}

#[test]
fn what_must_not_be_sent_is_not_asked() {
    let mut play = Play::new((120, 36));
    for address in [
        "10.0.0.5",
        "203.0.113.9",
        "198.051.100.7",
        "example",
        "198.51.100.0/24",
    ] {
        play.app.lookup.field().map(super::TextField::clear);
        play.press("i");
        play.app.lookup.field().map(super::TextField::clear);
        play.type_text(address);
        play.press("enter");
        assert_eq!(play.asked, [], "{address}");
        assert!(
            play.screen().contains("nothing was sent"),
            "{address}\n{}",
            play.screen()
        );
    }
}

#[test]
fn a_stale_answer_changes_nothing() {
    let mut play = Play::new((120, 36));
    let first = play.look_up("198.51.100.77");
    play.press("esc");
    assert!(play.cmds.contains(&Cmd::Cancel(first)));
    play.answer(first, RECORD);
    assert!(play.app.lookup.case().expect("case").live.value().is_none());
}

#[test]
fn pivoting_and_coming_back_finds_the_same_row() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    play.answer(job, RECORD);
    play.press("down down");
    let row = play.app.lookup.case().expect("case").page.focus();
    play.press("enter");
    assert_eq!(play.app.tab, Tab::Tags);
    play.press("bksp");
    assert_eq!(play.app.tab, Tab::Lookup);
    assert_eq!(play.app.lookup.case().expect("case").page.focus(), row);
    play.press("L");
    assert_eq!(play.app.tab, Tab::Tags);
}

#[test]
fn comparing_asks_for_what_is_not_known_and_compares_as_sets() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    play.answer(job, RECORD);
    play.press("m");
    let other = LookupQuery {
        geolocation: Geolocation::Mmgeo,
        ..query("198.51.100.77")
    };
    assert_eq!(
        play.asked.last().map(|(_, question)| question),
        Some(&Question::Lookup(other))
    );
    play.answer(play.asked[1].0, &RECORD.replace("Amsterdam", "Rotterdam"));
    play.press("bksp");
    play.press("m");
    assert_eq!(play.asked.len(), 2, "both are known now");
}

#[test]
fn everything_can_be_copied() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    play.answer(job, RECORD);
    play.press("y i y d y v y r y c y m y j");
    let copied = play.copied();
    assert_eq!(copied[0], "198.51.100.77");
    assert_eq!(copied[1], "198[.]51[.]100[.]77");
    assert_eq!(copied[2], "ACME_VPN");
    assert_eq!(copied[3], "tunnels[0].operator: ACME_VPN");
    assert_eq!(
        copied[4],
        "curl -fsS -H \"Token: $IPSPECT_TOKEN\" 'https://context.example/v2/context/198.51.100.77'"
    );
    assert!(
        copied[5].starts_with("### 198[.]51[.]100[.]77\n"),
        "{}",
        copied[5]
    );
    assert!(
        copied[6].starts_with(r#"{"ip":"198.51.100.77","#) && copied[6].contains(r#""extra":1"#)
    );
}

#[test]
fn a_failure_says_what_to_do_and_leaves_what_was_known() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    let error = Error::new(Kind::Credentials, "the Context API denied access (401)")
        .hint("store the right one");
    play.tell(Msg::Answered(job, Box::new(Err(error.clone()))));
    let screen = play.screen();
    assert!(
        screen.contains("denied access (401)") && screen.contains("store the right one"),
        "{screen}"
    );
    play.press("R");
    play.answer(play.asked[1].0, RECORD);
    play.press("R");
    play.tell(Msg::Answered(play.asked[2].0, Box::new(Err(error))));
    let screen = play.screen();
    assert!(
        screen.contains("ACME_VPN") && screen.contains("denied access (401)"),
        "{screen}"
    );
}

#[test]
fn what_is_found_is_remembered() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    play.answer(job, RECORD);
    play.press("w");
    let lines: Vec<&String> = play
        .cmds
        .iter()
        .filter_map(|cmd| {
            if let Cmd::Remember(line) = cmd {
                Some(line)
            } else {
                None
            }
        })
        .collect();
    assert_eq!(lines.len(), 2);
    let entries = lines
        .iter()
        .filter_map(|line| engine::history::Entry::read(line))
        .collect();
    let mut again = Play::new((120, 36));
    let trail = again.app.begin(None, now());
    let Some(Cmd::Ask(job, Question::Trail)) = trail.into_iter().next() else {
        panic!("the trail is asked for")
    };
    again.tell(Msg::Answered(job, Box::new(Ok(Answer::Trail(entries)))));
    again.press("esc t enter");
    assert_eq!(again.asked, []);
    assert!(
        again.screen().contains("in an earlier run"),
        "{}",
        again.screen()
    );
    assert!(
        again.screen().contains("198.51.100.77*"),
        "{}",
        again.screen()
    );
}

#[test]
fn the_record_as_it_is_drawn() {
    for (name, size) in [("wide", (120, 36)), ("narrow", (80, 24))] {
        let mut play = Play::new(size);
        let job = play.look_up("198.51.100.77");
        insta::assert_snapshot!(format!("asking_{name}"), play.screen());
        play.answer(job, RECORD);
        insta::assert_snapshot!(format!("record_{name}"), play.screen());
        play.press("y");
        insta::assert_snapshot!(format!("copy_{name}"), play.screen());
    }
}

#[test]
fn the_first_screens_as_they_are_drawn() {
    for (name, size) in [("wide", (120, 36)), ("narrow", (80, 24))] {
        let mut play = Play::new(size);
        play.press("esc");
        insta::assert_snapshot!(format!("ready_{name}"), play.screen());
        play.app.facts.urls.clear();
        play.app.facts.token = TokenState::Missing;
        insta::assert_snapshot!(format!("first_run_{name}"), play.screen());
    }
}

#[test]
fn nothing_known_and_next_to_nothing_are_never_called_clean() {
    let mut play = Play::new((80, 24));
    let job = play.look_up("198.51.100.9");
    play.answer(
        job,
        r#"{"ip":"198.51.100.9","as":null,"risks":[],"tunnels":"odd"}"#,
    );
    let screen = play.screen();
    assert!(
        screen.contains("(absent)") && screen.contains("(null)") && screen.contains("(unreadable"),
        "{screen}"
    );
    assert!(!screen.to_lowercase().contains("clean"));
    let job = play.look_up("198.51.100.10");
    let nothing = engine::Answer {
        record: None,
        ..answer(RECORD)
    };
    play.tell(Msg::Answered(job, Box::new(Ok(Answer::Lookup(nothing)))));
    assert!(
        play.screen().contains("? nothing known"),
        "{}",
        play.screen()
    );
}

#[test]
fn any_size_will_do() {
    let mut play = Play::new((120, 36));
    let job = play.look_up("198.51.100.77");
    play.answer(job, RECORD);
    for keys in ["", "r", "r d", "esc t", "t ?", "esc J", "esc y"] {
        play.press(keys);
        for size in [
            (0, 0),
            (1, 1),
            (60, 16),
            (61, 17),
            (99, 27),
            (100, 28),
            (250, 80),
            (80, 3),
        ] {
            play.tell(Msg::Resize(Size::new(size.0, size.1)));
            play.press("down up");
            play.screen();
        }
        play.tell(Msg::Resize(Size::new(120, 36)));
    }
}

#[test]
fn the_field_brings_back_what_was_looked_up() {
    let mut play = Play::new((120, 36));
    let first = play.look_up("198.51.100.77");
    play.answer(first, RECORD);
    let second = play.look_up("198.51.100.9");
    play.answer(second, r#"{"ip":"198.51.100.9"}"#);
    play.press("i");
    play.app.lookup.field().expect("the field").clear();
    let typed = |play: &mut Play| {
        play.app
            .lookup
            .field()
            .expect("the field")
            .value()
            .to_owned()
    };
    let mut seen = Vec::new();
    for key in ["up", "up", "up", "down", "down"] {
        play.press(key);
        seen.push(typed(&mut play));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["", "198.51.100.77", "198.51.100.9"]);
    assert!(play.screen().contains("a lookup costs 1"));
    play.press("up");
    assert!(
        play.screen().contains("known here: costs 0"),
        "{}",
        play.screen()
    );
}
