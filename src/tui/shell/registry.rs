//! The registry of tabs. A new tab is added only here and in `tabs.rs`.

use super::raw::RawAction;
use crate::tui::{
    ctx::{
        Actions, Binding, Destination, Flow, Intent, Owner, PartFate, Price, Scope, Tab, UpdateCtx,
        ViewCtx, Why, Yank,
    },
    tabs::{export::ExportTab, feeds::FeedsTab, lookup::LookupTab, quota::QuotaTab, tags::TagsTab},
};

/// The actions of the shell, available in every tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShellAction {
    Forward,
    /// Chooses an action by name.
    Palette,
    /// Shows the keys of this scope.
    Help,
    /// Shows the jobs in progress.
    Jobs,
    /// Shows the messages so far.
    Messages,
    /// Copy something.
    Yank,
    YankAs(Yank),
    /// An action in the raw JSON.
    Raw(RawAction),
    /// Opens the JSON in the editor.
    Edit,
    /// Opens the JSON in the pager.
    Page,
    /// Zooms a pane to the whole screen.
    Zoom,
    /// Captures or releases the mouse.
    Mouse,
    /// Hides private data while sharing the screen.
    Privacy,
    Repaint,
    Suspend,
    EnterToken,
    /// Toggles whether the entered token is saved.
    SwitchKeep,
    /// Opens the embedded service.
    OpenDemo,
    /// Stops the download in the question.
    StopDownload(PartFate),
    /// Writes the list in front to a file.
    WriteList,
    /// Makes what is in front a list to block by.
    BlockList,
    /// Prints the marked rows and exits.
    PrintMarked,
    Tour,
    /// Chooses the day that lookups are asked as of.
    ChooseDate,
    Leave,
}

macro_rules! registry {
    ($($field:ident $name:ident: $tab:ty;)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TabId {
            $($name,)+
        }

        impl TabId {
            /// All tabs, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name in the header.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }

            /// The scope of its first page.
            #[must_use]
            pub fn first_place(self) -> Scope {
                match self {
                    $(Self::$name => <$tab>::KEYS[0].scope,)+
                }
            }

            /// Whether it has keys in this scope.
            #[must_use]
            pub fn has_place(self, scope: Scope) -> bool {
                match self {
                    $(Self::$name => <$tab>::KEYS.iter().any(|own| own.scope == scope),)+
                }
            }
        }

        /// An action of the shell or of a tab.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Action {
            Shell(ShellAction),
            Front(TabId),
            $($name(<$tab as Actions>::Action),)+
        }

        /// The state of all tabs.
        #[derive(Debug, Default)]
        pub struct Tabs {
            $(pub $field: $tab,)+
        }

        impl Tabs {
            #[must_use]
            pub fn of(&self, tab: TabId) -> &dyn Tab {
                match tab {
                    $(TabId::$name => &self.$field,)+
                }
            }

            /// A tab, mutable.
            pub fn of_mut(&mut self, tab: TabId) -> &mut dyn Tab {
                match tab {
                    $(TabId::$name => &mut self.$field,)+
                }
            }

            /// What an intent costs in a tab now.
            ///
            /// # Errors
            /// Why it has no effect.
            pub fn when(
                &self,
                tab: TabId,
                intent: Intent<Action>,
                ctx: &ViewCtx<'_>,
            ) -> Result<Price, Why> {
                match intent {
                    Intent::Shared(gesture) => self.of(tab).when(gesture, ctx),
                    Intent::Action(Action::Shell(_) | Action::Front(_)) => Ok(None),
                    $(Intent::Action(Action::$name(own)) => self.$field.when_acting(own, ctx),)+
                }
            }

            /// The footer's word for an intent in a tab, if it depends on the tab's state.
            pub fn hint(
                &self,
                tab: TabId,
                intent: Intent<Action>,
                ctx: &ViewCtx<'_>,
            ) -> Option<&'static str> {
                match intent {
                    Intent::Shared(gesture) => self.of(tab).hint(gesture),
                    Intent::Action(Action::Shell(_) | Action::Front(_)) => None,
                    $(Intent::Action(Action::$name(own)) => self.$field.hint_acting(own, ctx),)+
                }
            }

            /// Performs an action of a tab.
            pub fn run(&mut self, action: Action, ctx: &mut UpdateCtx<'_>) -> Flow {
                match action {
                    Action::Shell(_) | Action::Front(_) => Flow::Done,
                    $(Action::$name(own) => self.$field.run(own, ctx),)+
                }
            }
        }

        /// The keys of each tab, in order, with the help line for the key of the tab.
        pub(super) fn tabs() -> Vec<(TabId, &'static str, Vec<Binding<Action>>)> {
            vec![$((
                TabId::$name,
                concat!("to the tab ", stringify!($name), "; once more: to its first page"),
                <$tab>::KEYS.iter().map(|key| key.among(Action::$name)).collect(),
            ),)+]
        }
    };
}

impl TabId {
    /// The tab that asks as this owner.
    #[must_use]
    pub fn of_owner(owner: Owner) -> Option<Self> {
        Self::ALL.get(owner.0).copied()
    }

    /// The tab of a destination.
    #[must_use]
    pub const fn of(place: &Destination) -> Self {
        match place {
            Destination::Address(_)
            | Destination::AtHand(_)
            | Destination::Board(..)
            | Destination::BoardOf(_)
            | Destination::BoardBy(_)
            | Destination::BoardWith(_)
            | Destination::BoardLookups(..)
            | Destination::Compare(_)
            | Destination::DayOfLookups
            | Destination::MissingDays(_)
            | Destination::LookupDay(..) => Self::Lookup,
            Destination::Tag(_) => Self::Tags,
            Destination::Access(_) => Self::Quota,
            Destination::Browse(_)
            | Destination::FeedDay(..)
            | Destination::Deletion(..)
            | Destination::Downloads(_)
            | Destination::Releases(_) => Self::Feeds,
            Destination::Export(..)
            | Destination::Preset(_)
            | Destination::PastRun(_)
            | Destination::Rows(_)
            | Destination::Form => Self::Export,
        }
    }
}

registry! {
    lookup Lookup: LookupTab;
    tags Tags: TagsTab;
    quota Quota: QuotaTab;
    feeds Feeds: FeedsTab;
    export Export: ExportTab;
}
