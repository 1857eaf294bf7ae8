//! What a field or a value means, over the tab: the words of the contract, and where the local feeds have it.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::Line,
};

use super::{Asked, Flow, Gesture, Question, Scope, Surface, TabReply, UpdateCtx, ViewCtx};
use crate::{
    investigation::explanation::Explanation,
    model::visible,
    report::explanation_rows,
    tui::ui::{Focus, Page, PageRow, PageState, Popup, Section, SectionSide},
};

/// So many words of a text are looked up at most.
const MOST: usize = 8;

/// What the first of some words means that the contract or a local feed has.
#[derive(Debug)]
struct Explained {
    word: String,
    /// Those that are looked up where it is unknown, the next one last.
    rest: Vec<String>,
    found: Asked<Question, Box<Explanation>>,
    page: PageState,
}

/// Explains what stands under a cursor: the value, else a word of it, else the field.
pub fn explain(value: Option<&str>, field: Option<&str>, ctx: &mut UpdateCtx<'_>) -> Flow {
    let mut words: Vec<String> = Vec::new();
    let parts = value.into_iter().flat_map(|text| {
        let is_between = |letter: char| letter.is_whitespace() || ",;:()".contains(letter);
        text.split(is_between)
    });
    for word in value.into_iter().chain(parts).take(MOST).chain(field) {
        let word = word.trim();
        if !word.is_empty() && !words.iter().any(|text| text == word) {
            words.push(word.to_owned());
        }
    }
    words.reverse();
    let Some(word) = words.pop() else {
        return Flow::Ignored;
    };
    let mut explained = Explained {
        found: Asked::default(),
        rest: words,
        page: PageState::default(),
        word,
    };
    explained
        .found
        .ask(Question::Explain(explained.word.clone()), ctx);
    Flow::Push(Box::new(explained))
}

impl Explained {
    fn content(&self) -> Page<'static> {
        let mut content = Page::new();
        let mut say = |head: &str, text: String| {
            let text = Line::raw(visible(&text).into_owned());
            content.push(Section::new(head.to_owned(), SectionSide::Both).row(PageRow::text(text)));
        };
        match (self.found.value(), self.found.error()) {
            (_, Some(error)) => say("", error.message.clone()),
            (None, _) => say("", "reading the local feeds".to_owned()),
            (Some(found), _) if found.is_unknown() => say(
                "",
                "Neither the contract nor a field of a filter in a local feed has it.".to_owned(),
            ),
            (Some(found), _) => {
                for row in explanation_rows(found) {
                    say(&row.place(), row.words());
                }
            }
        }
        content
    }
}

impl Surface for Explained {
    fn scope(&self) -> Scope {
        Scope::Reading
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => {
                self.page.step(motion);
                Flow::Done
            }
            Gesture::Open | Gesture::Escape | Gesture::Quit | Gesture::Back => {
                self.found.stop(ctx);
                Flow::Close
            }
            _ => Flow::Ignored,
        }
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let rest = self.found.settle(reply);
        let is_unknown = self
            .found
            .value()
            .is_some_and(|explanation| explanation.is_unknown());
        if rest.is_none()
            && is_unknown
            && let Some(word) = self.rest.pop()
        {
            self.word = word;
            self.found = Asked::default();
            self.found.ask(Question::Explain(self.word.clone()), ctx);
        }
        rest
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let content = self.content();
        let width = area.width.saturating_sub(8).min(90);
        let size = Size::new(width, content.lines(width));
        let inner = Popup::new(visible(&self.word).into_owned(), size)
            .key(ctx.theme, "up down", "scroll", 1)
            .key(ctx.theme, "esc", "close", 0)
            .draw(frame, area, ctx);
        content.draw(frame, inner, &self.page, ctx.theme, Focus::Here);
    }
}
