//! What is open over a tab or above it, such as a prompt or a choice. A surface owns its state, its keys and its drawing; the shell
//! keeps the surfaces of each tab on a stack. A surface knows no tab: it leads on by a destination.

use std::{any::Any, fmt};

use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    AnyList, Destination, FromAnswer, Gesture, Price, Question, Scope, Subject, TabReply,
    UpdateCtx, ViewCtx, Why, Yank,
};
use crate::{
    contract::Feed,
    engine::OnDisk,
    model::Day,
    tui::ui::{Calendar, Picker, PickerItem, TextField, Tone},
};

/// The outcome of a gesture.
#[derive(Debug)]
pub enum Flow {
    Done,
    /// It has no meaning here.
    Ignored,
    /// What handled it is closed; if an action of the tab was done from what is open over it, that is.
    Close,
    /// Something is opened over what handled it.
    Push(Box<dyn Surface>),
}

impl From<bool> for Flow {
    /// Whether the gesture has a meaning here.
    fn from(has_meaning: bool) -> Self {
        if has_meaning {
            Self::Done
        } else {
            Self::Ignored
        }
    }
}

/// Only its name: derived output of all that can be open would make the program larger by 600 KB.
impl fmt::Debug for dyn Surface {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Surface")
    }
}

/// What is open over a tab, and gets its keys.
pub trait Surface: Any {
    /// The scope of its keys. Unless text is typed in it, the global keys apply as well.
    fn scope(&self) -> Scope;

    /// The same with the scope of the actions of its tab that apply here. They find where Enter leads in [`UpdateCtx::lead`].
    fn scopes(&self) -> Vec<Scope> {
        vec![self.scope()]
    }

    /// Its list; that of the tab where it has none.
    fn list(&self) -> Option<&dyn AnyList> {
        None
    }

    /// Its list, mutable.
    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        None
    }

    /// The text field that is open, if any.
    fn field(&mut self) -> Option<&mut TextField> {
        self.list_mut()?.field()
    }

    /// Handles a change of the text field.
    fn typed(&mut self) {
        if let Some(list) = self.list_mut() {
            list.typed();
        }
    }

    /// What copies are about; what is in front of the tab where it has nothing of its own.
    fn subject(&self) -> Option<Subject<'_>> {
        None
    }

    /// Copies formats that it alone can make; returns whether it did.
    fn copy(&mut self, _what: Yank, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// The number of rows to choose from.
    fn choices(&self) -> usize {
        0
    }

    /// The lines that it takes from the top of the tab; 0 if it lies over the tab.
    fn lines(&self) -> u16 {
        0
    }

    /// What a gesture costs here now.
    ///
    /// # Errors
    /// Why it has no effect; then it does not arrive.
    fn when(&self, _gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        Ok(None)
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow;

    /// Sees the answer to a question of its tab; hands it on unless it was asked here.
    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        Some(reply)
    }

    /// Whether going back from where it led shows it again.
    fn stays(&self) -> bool {
        false
    }

    /// Whether it is to be closed, after an answer.
    fn is_over(&self) -> bool {
        false
    }

    /// Draws it over the tab, or in the lines that it takes.
    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>);

    /// Where Enter or an action of the tab leads. The tab below names the price of it.
    fn lead(&self) -> Option<Destination> {
        None
    }
}

/// A line to type what to open.
#[derive(Debug)]
pub struct Prompt {
    noun: &'static str,
    field: TextField,
    read: fn(&str) -> Result<Destination, String>,
}

impl Prompt {
    /// A prompt for one of these; `read` makes a destination of the text, or says why not.
    #[must_use]
    pub fn new(
        noun: &'static str,
        placeholder: &'static str,
        read: fn(&str) -> Result<Destination, String>,
    ) -> Self {
        let field = TextField::new(placeholder);
        Self { noun, field, read }
    }
}

impl Surface for Prompt {
    fn scope(&self) -> Scope {
        Scope::Input
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(&mut self.field)
    }

    fn lines(&self) -> u16 {
        1
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Open if self.field.is_empty() => {
                ctx.out
                    .say(Tone::Info, format!("type a {} first", self.noun));
            }
            Gesture::Open => match (self.read)(self.field.value()) {
                Ok(place) => {
                    ctx.out.go = Some(place);
                    return Flow::Close;
                }
                Err(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
            },
            Gesture::Escape | Gesture::NextPane | Gesture::PreviousPane => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let sign = format!(" {}", self.noun);
        self.field.draw_behind(&sign, frame, area, ctx.theme);
    }
}

/// The destinations of an answer to a question of the tab, or `None` if it is about something else.
type ReadChoices = fn(&TabReply<'_>) -> Option<Vec<PickerItem<Destination>>>;

/// A list of destinations to choose from by typing.
#[derive(Debug)]
pub struct Choice {
    title: String,
    picker: Picker<Destination>,
    /// The scope of the actions of its tab that apply to the selected destination.
    actions: Option<Scope>,
    /// Why Enter goes nowhere, where only an action applies.
    without_enter: Option<&'static str>,
    /// Reads the list from answers; without any destination it closes.
    read: Option<ReadChoices>,
    is_over: bool,
}

impl Choice {
    #[must_use]
    pub fn new(title: impl Into<String>, items: Vec<PickerItem<Destination>>) -> Self {
        Self {
            title: title.into(),
            picker: Picker::new(items),
            actions: None,
            without_enter: None,
            read: None,
            is_over: false,
        }
    }

    /// A list that is shown once an answer to its tab has it, and changes with each such answer.
    #[must_use]
    pub fn reading(title: &'static str, read: ReadChoices) -> Self {
        let read = Some(read);
        Self {
            read,
            ..Self::new(title, Vec::new())
        }
    }

    /// Offers the actions of a scope of its tab.
    #[must_use]
    pub fn with_actions(self, scope: Scope) -> Self {
        let actions = Some(scope);
        Self { actions, ..self }
    }

    /// Lets only an action of its tab choose; `instead` answers Enter.
    #[must_use]
    pub fn chosen_by(self, key: &'static str, does: &'static str, instead: &'static str) -> Self {
        Self {
            picker: self.picker.chosen_by(key, does),
            without_enter: Some(instead),
            ..self
        }
    }
}

impl Surface for Choice {
    fn scope(&self) -> Scope {
        Scope::Picker
    }

    fn scopes(&self) -> Vec<Scope> {
        let own = [self.scope()].into_iter();
        own.chain(self.actions).collect()
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(self.picker.field())
    }

    fn typed(&mut self) {
        self.picker.refilter();
    }

    fn choices(&self) -> usize {
        self.picker.found()
    }

    fn when(&self, gesture: Gesture, _ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match self.without_enter {
            Some(why) if gesture == Gesture::Open => Err(why.into()),
            _ => Ok(None),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => self.picker.step(motion),
            Gesture::Open => {
                ctx.out.go = self.lead();
                if ctx.out.go.is_some() {
                    return Flow::Close;
                }
            }
            Gesture::Escape => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Leaves the answer to the tab, which says what happened.
    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        if let Some(items) = self.read.and_then(|read| read(&reply)) {
            self.is_over = items.is_empty();
            self.picker = Picker::new(items);
        }
        Some(reply)
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        if !self.picker.items().is_empty() {
            self.picker.draw(frame, area, &self.title, ctx);
        }
    }

    fn lead(&self) -> Option<Destination> {
        Some(self.picker.chosen()?.value.clone())
    }
}

/// A calendar to choose a day from. `T` is what the day is chosen for.
#[derive(Debug)]
pub struct DayChoice<T> {
    title: String,
    calendar: Calendar,
    subject: T,
    lead: fn(T, Option<Day>) -> Destination,
    /// The feeds whose local days are marked once they are known.
    marked: Option<fn(Feed) -> bool>,
}

impl<T> DayChoice<T> {
    /// `lead` makes a destination of a day; `None` is today.
    #[must_use]
    pub fn new(
        title: String,
        calendar: Calendar,
        subject: T,
        lead: fn(T, Option<Day>) -> Destination,
    ) -> Self {
        Self {
            title,
            calendar,
            subject,
            lead,
            marked: None,
        }
    }

    /// Marks the days of the local releases of some feeds; asks for them.
    #[must_use]
    pub fn marking(self, feeds: fn(Feed) -> bool, ctx: &mut UpdateCtx<'_>) -> Self {
        ctx.ask(Question::Releases);
        Self {
            marked: Some(feeds),
            ..self
        }
    }
}

impl<T: Copy + fmt::Debug + 'static> Surface for DayChoice<T> {
    fn scope(&self) -> Scope {
        Scope::Calendar
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(self.calendar.field())
    }

    fn typed(&mut self) {
        self.calendar.typed();
    }

    fn lead(&self) -> Option<Destination> {
        let day = self.calendar.chosen().ok()?;
        let day = (day != self.calendar.last()).then_some(day);
        Some((self.lead)(self.subject, day))
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => self.calendar.step(motion),
            Gesture::Today => self.calendar.select(self.calendar.last()),
            Gesture::Open => match self.calendar.chosen() {
                Ok(_) => {
                    ctx.out.go = self.lead();
                    return Flow::Close;
                }
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            Gesture::Escape | Gesture::Quit => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let (Question::Releases, Some(marked)) = (reply.question, self.marked) else {
            return Some(reply);
        };
        if let Ok(disk) = OnDisk::of_result(reply.result) {
            let manifests = disk.releases.iter().map(|release| &release.manifest);
            let own = manifests.filter(|manifest| marked(manifest.feed));
            let days = own.map(|manifest| manifest.moment.day());
            self.calendar.mark_local(days.collect());
        }
        None
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let price = ctx.price.cloned().unwrap_or_default();
        self.calendar
            .draw(frame, area, ctx, &self.title, Line::from(price.spans));
    }
}
