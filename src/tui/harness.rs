//! A test harness: the whole application without terminal and engine. It takes keys and answers, and yields commands and screens,
//! with invented data.

mod invented;

use std::{net::IpAddr, path::Path, sync::Arc};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Size;

pub(crate) use self::invented::{facts, fetched, provenance, record, status, tag};
use crate::{
    contract::{Feed, LookupQuery},
    engine::{
        Error, LocalLookup, Progress, PullQuery, Sources, UnusableFeed,
        answers::{BestAnswer, Limits, PolicyStep, next},
        views::{
            CommonCounts, EntryOf, FacetCounts, Pivot, PivotKind, Pivots, SharedCount, SharedField,
            ValueUse,
        },
    },
    investigation::{
        common::Common, comparison::ComparedKind, explanation::Explanation, history::History,
    },
    model::{Day, Keyword},
    report::{
        BoardFinding, BoardFindings, BoardRow, ComparedLine, ComparedList, EventVerdicts,
        named_as_entry, recent_in_words,
    },
    store::{Moment, layout::Release},
    tui::{
        ctx::{Answer, Cmd, Destination, Facts, JobId, Question, WrittenList},
        shell::{app::App, msg::Msg, registry::TabId, view},
        test_terminal,
        ui::Theme,
    },
};

/// The application, driven by a test.
pub(crate) struct Harness {
    pub(crate) app: App,
    pub(crate) now: Timestamp,
    /// The local and cached answers about every address.
    pub(crate) sources: Sources,
    /// The pivots of every record in the local feeds.
    pub(crate) pivots: Vec<Pivot>,
    /// The number of further values of the record, by kind.
    pub(crate) left_out: Vec<(PivotKind, usize)>,
    /// The records that name every address without tunnels as an entry.
    pub(crate) entry_of: Vec<EntryOf>,
    /// The addresses about which a query is possibly spent.
    pub(crate) possibly_spent: Vec<IpAddr>,
    /// The local feeds that could not be read for that.
    pub(crate) unusable: Vec<UnusableFeed>,
    /// The operators of every network around a record.
    pub(crate) operators: Vec<FacetCounts>,
    /// What is at hand of each day about every address.
    pub(crate) days: Option<History>,
    /// The unanswered questions, the newest last.
    pub(crate) asked: Vec<(JobId, Question)>,
    /// The downloads that were last saved as begun.
    pub(crate) begun: Vec<PullQuery>,
    /// Whether free questions wait for an answer of the script, too.
    pub(crate) is_slow: bool,
    /// The screen at the last drawing.
    pub(crate) shown: String,
    /// All questions so far.
    history: Vec<(JobId, Question)>,
    /// The jobs of answers by the policy. Once such a job sends its query, a script answers it as a lookup.
    resolving: Vec<JobId>,
}

impl Harness {
    /// On a screen of this size, with a service and a token.
    pub(crate) fn new(width: u16, height: u16) -> Self {
        Self::with(facts(), width, height)
    }

    pub(crate) fn with(facts: Facts, width: u16, height: u16) -> Self {
        let app = App::new(facts, Theme::terminal(), Size::new(width, height));
        let mut harness = Self {
            app,
            now: now(),
            sources: nothing_at_hand(),
            pivots: Vec::new(),
            left_out: Vec::new(),
            entry_of: Vec::new(),
            possibly_spent: Vec::new(),
            unusable: Vec::new(),
            operators: Vec::new(),
            days: None,
            asked: Vec::new(),
            begun: Vec::new(),
            is_slow: false,
            shown: String::new(),
            history: Vec::new(),
            resolving: Vec::new(),
        };
        // The Lookup tab begins with its field, without input.
        harness.keys("<esc>");
        harness
    }

    /// On this tab, on a wide screen; returns the effects of going there.
    pub(crate) fn on(tab: TabId) -> (Self, Vec<Cmd>) {
        Self::on_with(facts(), tab)
    }

    /// On this tab, with these facts.
    pub(crate) fn on_with(facts: Facts, tab: TabId) -> (Self, Vec<Cmd>) {
        let mut harness = Self::with(facts, 120, 36);
        harness.pass(40);
        let number = TabId::ALL
            .iter()
            .position(|other| *other == tab)
            .expect("tab")
            + 1;
        let cmds = harness.keys(&number.to_string());
        (harness, cmds)
    }

    /// Handles a message, and draws. Questions to local feeds and cache are answered at once.
    pub(crate) fn tell(&mut self, msg: Msg) -> Vec<Cmd> {
        let msg = match msg {
            Msg::AtHand(job, sources, _) => {
                let cmds = self.first_part(job, *sources);
                return self.carry_out(cmds);
            }
            Msg::Answered(job, result) if self.resolving.contains(&job) => {
                let result = result.map(|answer| match answer {
                    Answer::Lookup(answer) => Answer::Resolved(Some(answer)),
                    other => other,
                });
                Msg::Answered(job, Box::new(result))
            }
            msg => msg,
        };
        let cmds = self.app.update(msg, self.now);
        self.carry_out(cmds)
    }

    /// The engine's part of an answer by the policy: returns local and cached answers, then sends a query or ends.
    fn first_part(&mut self, job: JobId, sources: Sources) -> Vec<Cmd> {
        self.asked.retain(|(asked, _)| *asked != job);
        let (query, next) = (sources.query, next(&sources, self.now));
        let told = Msg::AtHand(job, Box::new(sources), next);
        let mut cmds = self.app.update(told, self.now);
        if let PolicyStep::Ask(_) = next {
            self.resolving.push(job);
            cmds.push(Cmd::Ask(job, Question::Lookup(query)));
        } else {
            let end = Msg::Answered(job, Box::new(Ok(Answer::Resolved(None))));
            cmds.extend(self.app.update(end, self.now));
        }
        cmds
    }

    pub(crate) fn go(&mut self, place: Destination) -> Vec<Cmd> {
        let cmds = self.app.open(place, self.now);
        self.carry_out(cmds)
    }

    fn carry_out(&mut self, mut cmds: Vec<Cmd>) -> Vec<Cmd> {
        // An immediate answer may lead to further such questions.
        while !self.is_slow {
            let is_free = |cmd: &mut Cmd| matches!(cmd, Cmd::Ask(_, question) if is_free(question) || matches!(question, Question::Resolve(_)));
            let free: Vec<Cmd> = cmds.extract_if(.., is_free).collect();
            if free.is_empty() {
                break;
            }
            for cmd in free {
                if let Cmd::Ask(job, Question::Resolve(query)) = cmd {
                    cmds.extend(self.first_part(job, self.sources_of(query)));
                } else if let Cmd::Ask(job, question) = cmd {
                    let answered = Msg::Answered(job, Box::new(Ok(self.at_hand(&question))));
                    cmds.extend(self.app.update(answered, self.now));
                }
            }
        }
        // Scripts ignore the effects that save something for later.
        cmds.retain(|cmd| match cmd {
            Cmd::Begun(begun) => {
                self.begun.clone_from(begun);
                false
            }
            cmd => !matches!(cmd, Cmd::Saved(_)),
        });
        for cmd in &cmds {
            match cmd {
                Cmd::Ask(job, question) => {
                    self.asked.push((*job, question.clone()));
                    self.history.push((*job, question.clone()));
                }
                Cmd::Cancel(job) => self.asked.retain(|(asked, _)| asked != job),
                _ => {}
            }
        }
        self.shown = self.screen();
        cmds
    }

    /// The local and cached answers to a lookup.
    pub(crate) fn sources_of(&self, query: LookupQuery) -> Sources {
        let sources = self.sources.clone();
        Sources { query, ..sources }
    }

    /// The answer to a free question.
    pub(crate) fn at_hand(&self, question: &Question) -> Answer {
        match question {
            Question::Sources(query) => Answer::Sources(Box::new(self.sources_of(*query))),
            Question::Pivots(..) => Answer::Pivots(Pivots {
                pivots: self.pivots.clone(),
                left_out: self.left_out.clone(),
                entry_of: self.entry_of.clone(),
                unusable: self.unusable.clone(),
                day: None,
            }),
            Question::Operators(_) => Answer::Facets(self.operators.clone()),
            Question::BestAnswers(addresses, _) => {
                let local = self.sources.local.records.first();
                let best = local
                    .cloned()
                    .map(Box::new)
                    .map(BestAnswer::Local)
                    .or_else(|| {
                        let cached = self.sources.cached.clone();
                        cached.map(|answer| BestAnswer::Cached(Box::new(answer)))
                    });
                let row = |address: &IpAddr| match &best {
                    Some(best) => {
                        let row = BoardRow::beside(*address, best, &self.entry_of);
                        Some(BoardFinding::Row(Box::new(row)))
                    }
                    None if self.possibly_spent.contains(address) => {
                        Some(BoardFinding::PossiblySpent)
                    }
                    None => named_as_entry(&self.entry_of).map(BoardFinding::Named),
                };
                let recent = self.days.as_ref().map(History::recent);
                let recent = recent.as_ref().and_then(recent_in_words).into_iter();
                let recent = recent.flat_map(|words| {
                    addresses
                        .iter()
                        .map(move |address| (*address, words.clone()))
                });
                Answer::BestAnswers(BoardFindings {
                    answers: addresses.iter().map(row).collect(),
                    recent: recent.collect(),
                    unusable: self.unusable.clone(),
                })
            }
            Question::EventVerdicts(addresses, _) => {
                Answer::EventVerdicts(EventVerdicts(vec![None; addresses.len()]))
            }
            _ => Answer::History(self.days.clone().map(Arc::new)),
        }
    }

    /// Presses keys: one for each character; names are in angle brackets (`<enter>`, `<ctrl-s>`). Returns all effects.
    pub(crate) fn keys(&mut self, script: &str) -> Vec<Cmd> {
        let mut cmds = Vec::new();
        let mut rest = script;
        while let Some(first) = rest.chars().next() {
            let typed = KeyEvent::new(KeyCode::Char(first), KeyModifiers::NONE);
            let (key, taken) = named(rest).unwrap_or((typed, first.len_utf8()));
            rest = &rest[taken..];
            cmds.extend(self.tell(Msg::Key(key)));
        }
        cmds
    }

    /// Types a literal text.
    pub(crate) fn types(&mut self, text: &str) -> Vec<Cmd> {
        let keys = text
            .chars()
            .map(|letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE));
        keys.flat_map(|key| self.tell(Msg::Key(key))).collect()
    }

    /// Clicks on the first occurrence of this text on the screen.
    pub(crate) fn click(&mut self, text: &str) -> Vec<Cmd> {
        let (column, row) = self.find(text);
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row)
    }

    /// Turns the wheel over the first occurrence of this text on the screen: three rows down.
    pub(crate) fn wheel_over(&mut self, text: &str) -> Vec<Cmd> {
        let (column, row) = self.find(text);
        self.mouse(MouseEventKind::ScrollDown, column, row)
    }

    pub(crate) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) -> Vec<Cmd> {
        self.tell(Msg::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    }

    /// Column and row of the first occurrence of this text on the last screen.
    fn find(&mut self, text: &str) -> (u16, u16) {
        self.shown = self.screen();
        let place = self.shown.lines().enumerate().find_map(|(row, line)| {
            let before = &line[..line.find(text)?];
            Some((before.chars().count(), row))
        });
        let (column, row) = place.unwrap_or_else(|| panic!("no {text:?} on\n{}", self.shown));
        let small = |number| u16::try_from(number).expect("a small screen");
        (small(column), small(row))
    }

    /// The latest job of a question, answered or not.
    pub(crate) fn job(&self, question: &Question) -> JobId {
        let mut asked = self.history.iter().rev();
        let found = asked
            .find(|(_, other)| other == question)
            .map(|(job, _)| *job);
        found.unwrap_or_else(|| panic!("{question:?} was not asked"))
    }

    /// Answers the latest job of a question.
    pub(crate) fn answer(
        &mut self,
        question: &Question,
        result: Result<Answer, Error>,
    ) -> Vec<Cmd> {
        self.answer_to(self.job(question), result)
    }

    /// Reports the progress of a question's job.
    pub(crate) fn progress(&mut self, question: &Question, progress: Progress) {
        let job = self.job(question);
        self.tell(Msg::Progress(job, progress));
    }

    /// Answers the latest question of this kind.
    pub(crate) fn answer_any(
        &mut self,
        is_it: impl Fn(&Question) -> bool,
        result: Result<Answer, Error>,
    ) -> Vec<Cmd> {
        let at = self.asked.iter().rposition(|(_, question)| is_it(question));
        let (job, _) = self.asked.remove(at.expect("a question that waits"));
        self.answer_to(job, result)
    }

    /// Answers a job, pending or not.
    pub(crate) fn answer_to(&mut self, job: JobId, result: Result<Answer, Error>) -> Vec<Cmd> {
        self.tell(Msg::Answered(job, Box::new(result)))
    }

    /// Answers the newest question about a tag.
    pub(crate) fn answer_tag(&mut self, text: &str) -> Vec<Cmd> {
        self.answer_any(
            |question| matches!(question, Question::Tag(_)),
            Ok(Answer::Tag(tag(text))),
        )
    }

    /// Advances the clock.
    pub(crate) fn pass(&mut self, seconds: i64) {
        self.now += SignedDuration::from_secs(seconds);
    }

    pub(crate) fn screen(&self) -> String {
        let Size { width, height } = self.app.size;
        test_terminal::shown(width, height, |frame| {
            view::draw(frame, &self.app, self.now)
        })
    }

    /// The screen at this size.
    pub(crate) fn screen_at(&mut self, width: u16, height: u16) -> String {
        self.tell(Msg::Resize(Size::new(width, height)));
        self.screen()
    }

    /// Draws at sizes from nothing to large: none may panic.
    pub(crate) fn draws_at_any_size(&mut self) {
        for width in [0, 1, 7, 40, 59, 60, 61, 80, 100, 119, 120, 300] {
            for height in [0, 1, 3, 15, 16, 17, 24, 28, 36, 90] {
                self.screen_at(width, height);
            }
        }
        self.screen_at(120, 36);
    }

    /// The latest message.
    pub(crate) fn notice(&self) -> String {
        let notice = self.app.notices.latest(self.now);
        notice.map_or_else(String::new, |notice| notice.text.clone())
    }
}

/// Two sides with a row of each kind.
pub(crate) fn compared() -> ComparedList {
    let rows = [
        (7, ComparedKind::Changed, "VPN ACME_VPN", "no record"),
        (9, ComparedKind::Added, "absent", "VPN BRAVO_VPN"),
        (8, ComparedKind::Removed, "TOR", "absent"),
        (10, ComparedKind::Other, "PROXY", "clients 3 -> 1,400"),
        (11, ComparedKind::Equal, "nothing noted", "nothing noted"),
        (12, ComparedKind::Unknown, "unknown", "VPN ACME_VPN"),
    ];
    let line = |(last, kind, a, b): (u8, ComparedKind, &str, &str)| ComparedLine {
        number: kind as usize,
        name: format!("198.51.100.{last}"),
        address: Some(IpAddr::from([198, 51, 100, last])),
        kind,
        sides: [a, b].map(str::to_owned),
    };
    ComparedList {
        lines: rows.map(line).to_vec(),
        counts: [1; ComparedKind::ALL.len()],
        days: ["20261113".parse().ok(), None],
        sources: ["2026-11-13", "2026-11-20"]
            .map(|day| format!("{day} anonymous"))
            .to_vec(),
        is_of_lists: true,
        ..ComparedList::default()
    }
}

/// What a word means, with a local feed that has it if that is wanted.
pub(crate) fn explanation(word: &str, is_used: bool) -> Explanation {
    let day: Day = "20261120".parse().expect("a day");
    let used = ValueUse {
        field: Keyword::Tag,
        feed: Feed::Anonymous,
        moment: Moment::Day(day),
        count: 330,
        records: 41_198,
        since: day.plus(-3),
        or_earlier: false,
    };
    let mut explanation = Explanation::by_contract(word);
    explanation.uses.found.extend(is_used.then_some(used));
    explanation
}

/// What 40 records of a release of 41,198 share: an entry, a country that is no rarer elsewhere, an exit.
pub(crate) fn common(release: Release) -> Common {
    let value = |field, value: &str, here, in_feed| SharedCount {
        field,
        value: value.to_owned(),
        here,
        in_feed,
    };
    CommonCounts {
        release,
        records: 41_198,
        among: 40,
        without: 2,
        has_read: true,
        values: vec![
            value(SharedField::Keyword(Keyword::Cc), "NL", 12, Some(12_300)),
            value(SharedField::Exit, "198.51.100.78", 3, None),
            value(
                SharedField::Keyword(Keyword::Entry),
                "198.51.100.70",
                9,
                Some(11),
            ),
        ],
    }
    .into()
}

/// A list that was written.
pub(crate) fn written(rows: u64, path: &Path) -> Answer {
    Answer::Written(WrittenList {
        rows,
        path: path.to_owned(),
    })
}

/// Whether a question of the Lookup tab is free, so that it is answered at once.
pub(crate) fn is_free(question: &Question) -> bool {
    matches!(
        question,
        Question::Sources(_)
            | Question::Pivots(..)
            | Question::Operators(_)
            | Question::History(_)
            | Question::BestAnswers(..)
            | Question::EventVerdicts(..)
    )
}

fn named(script: &str) -> Option<(KeyEvent, usize)> {
    let name = script.strip_prefix('<')?;
    let (name, _) = name.split_once('>')?;
    let taken = name.len() + 2;
    if let Some(letter) = name.strip_prefix("ctrl-") {
        let code = KeyCode::Char(letter.chars().next()?);
        return Some((KeyEvent::new(code, KeyModifiers::CONTROL), taken));
    }
    let code = match name {
        "enter" => KeyCode::Enter,
        "space" => KeyCode::Char(' '),
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "s-tab" => KeyCode::BackTab,
        "back" => KeyCode::Backspace,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        _ => return None,
    };
    Some((KeyEvent::new(code, KeyModifiers::NONE), taken))
}

/// Neither local nor cached answers.
fn nothing_at_hand() -> Sources {
    Sources {
        query: LookupQuery::now([192, 0, 2, 1].into()),
        local: LocalLookup::default(),
        cached: None,
        live: None,
        unusable: Vec::new(),
        may_send: true,
        limits: Limits {
            local: SignedDuration::from_hours(48),
            cached: SignedDuration::from_hours(24),
        },
    }
}

/// The questions in these effects.
pub(crate) fn questions(cmds: &[Cmd]) -> Vec<Question> {
    let asked = cmds.iter().filter_map(|cmd| match cmd {
        Cmd::Ask(_, question) => Some(question.clone()),
        _ => None,
    });
    asked.collect()
}

/// The copied text in these effects.
pub(crate) fn copied(cmds: &[Cmd]) -> Option<&str> {
    cmds.iter().find_map(|cmd| match cmd {
        Cmd::Copy(_, text) => Some(text.as_str()),
        _ => None,
    })
}

/// The start time.
pub(crate) fn now() -> Timestamp {
    "2026-11-20T23:14:00Z".parse().expect("timestamp")
}
