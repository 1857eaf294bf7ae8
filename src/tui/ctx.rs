//! The context of tabs: what an update may change and a view may read. Nothing here depends on a tab or the shell.

pub mod ages;
pub mod asked;
pub mod binding;
pub mod chord;
pub mod cmd;
pub mod destination;
pub mod evidence;
pub mod explained;
pub mod facts;
pub mod failure;
pub mod file_check;
pub mod gather;
pub mod intent;
pub mod jobs;
pub mod list;
pub mod list_file;
pub mod list_in_front;
pub mod marks;
pub mod meter;
pub mod orders;
pub mod outbox;
pub mod request;
pub mod shared_values;
pub mod sheet;
pub mod subject;
pub mod surface;
pub mod tab;
pub mod trail;
pub mod watched;

pub use crate::engine::{Entered, Keep};
pub use ages::AgeClock;
pub use asked::Asked;
pub use binding::Binding;
pub use chord::Chord;
pub use cmd::{Cmd, LONGEST_READ_AT_ONCE};
pub use destination::{DayUse, Destination, OmittedConditions};
pub use evidence::{Evidence, TagRole};
pub use explained::explain;
pub use facts::{Facts, TokenState};
pub use file_check::FileCheck;
pub use gather::{GatherQuery, PastedText, TextFrom};
pub use intent::{Gesture, Intent, Scope, Yank};
pub use jobs::{Job, JobState, Jobs, Owner, PartFate, PendingQuestion};
pub use list::{
    AnyList, HeldRow, HeldRows, List, ListRow, LoadedRows, RowQuery, RowTest, Rows, SignPlace,
    WindowRows, by_words,
    columns::{ColumnSpec, SortBy, Value},
};
pub use list_file::{ListContent, ListFile, ListPart, RowNumbers, WhichRows};
pub use list_in_front::ListInFront;
pub use marks::RowMarks;
pub use orders::{OrderRow, Orders};
pub use outbox::{Confirm, Outbox};
pub use request::{
    Answer, DiffQuery, FromAnswer, JobId, ListAsk, ListOf, Question, TabReply, WrittenList,
};
pub use shared_values::{say_shared, shared_values};
pub use sheet::{Meaning, Sheet, SheetState, SheetWriter, Start};
pub use subject::{Price, Subject, Why};
pub use surface::{Choice, DayChoice, Flow, Prompt, Surface};
pub use tab::{Actions, Tab, TabEvent};
pub use trail::{Depth, Trail, TrailStop};
pub use watched::WatchNews;

use jiff::Timestamp;
use ratatui::{layout::Rect, text::Line};

use crate::{
    report::TicketStamp,
    store::Generation,
    tui::ui::{NoticeLog, Pen, Spots, Theme},
};

/// What a tab has at hand while its state changes.
#[derive(Debug)]
pub struct UpdateCtx<'a> {
    /// What is known of the world outside.
    pub facts: &'a Facts,
    /// Where the tab is drawn: how far a page scrolls depends on it.
    pub body: Rect,
    /// The visited addresses and tags.
    pub trail: &'a mut Trail,
    /// On which addresses each tag was seen.
    pub evidence: &'a Evidence,
    /// What takes long.
    pub jobs: &'a mut Jobs,
    /// The messages so far.
    pub notices: &'a NoticeLog,
    pub out: &'a mut Outbox,
    /// Where Enter or an action leads in what is open over the tab.
    pub lead: Option<Destination>,
    /// Whether anything is open over the tab.
    pub is_covered: bool,
    /// Who is at work: the answers to what is asked now go there.
    pub owner: Owner,
}

impl UpdateCtx<'_> {
    /// Asks: the question becomes an effect, which the runtime gives to the worker. An [`Asked`] keeps the job's number, and
    /// the answer comes back to the owner.
    pub fn ask(&mut self, question: Question) -> JobId {
        self.jobs.ask(question, self.owner, self.out)
    }

    /// When a note is written now, and of which world.
    #[must_use]
    pub fn written(&self) -> TicketStamp {
        TicketStamp {
            at: self.out.now,
            invented: self.facts.invented,
        }
    }

    /// Starts what takes long, unless the same is under way.
    pub fn start(&mut self, label: String, question: Question) {
        self.jobs.start(label, question, self.owner, self.out);
    }
}

/// What a view has at hand.
#[derive(Clone, Debug)]
pub struct ViewCtx<'a> {
    /// What is known of the world outside.
    pub facts: &'a Facts,
    /// The visited addresses and tags.
    pub trail: &'a Trail,
    /// On which addresses each tag was seen.
    pub evidence: &'a Evidence,
    /// What takes long.
    pub jobs: &'a Jobs,
    /// The messages so far.
    pub notices: &'a NoticeLog,
    /// The keys of all scopes.
    pub keys: &'a [Binding<()>],
    pub theme: &'a Theme,
    pub now: Timestamp,
    pub ages: &'a AgeClock,
    /// Where what can be clicked is noted.
    pub spots: &'a Spots,
    /// Whether the pane with the focus has the whole screen.
    pub zoomed: bool,
    /// Whether something is open over the tab and gets its keys.
    pub is_covered: bool,
    /// Where Enter leads in that.
    pub lead: Option<Destination>,
    /// The price of Enter in what is open over the tab.
    pub price: Option<&'a Line<'a>>,
    /// Whether profile and balance are hidden.
    pub private: bool,
}

/// A pen that notes what it draws.
impl<'a> From<&ViewCtx<'a>> for Pen<'a> {
    fn from(ctx: &ViewCtx<'a>) -> Self {
        Self::new(ctx.theme, ctx.spots)
    }
}

impl ViewCtx<'_> {
    /// How long ago something was, roughly; the screen is redrawn when these words change.
    #[must_use]
    pub fn age(&self, since: impl Into<Generation>) -> String {
        self.ages.words(since, self.now)
    }
}
