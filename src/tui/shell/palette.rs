//! What can be done, by name: the rows of help and palette, and what choosing one does.

use super::{
    action::ShellAction,
    app::App,
    keys,
    overlay::{Choice, Overlay},
    registry::Action,
};
use crate::{
    engine::config::Answers,
    model::{parse_address, visible},
    tui::{
        ctx::{
            binding::Binding,
            cmd::Cmd,
            intent::{
                Gesture,
                Intent::{Own, Shared},
            },
            outbox::{Confirm, Outbox},
            place::Place,
        },
        ui::{
            theme::{Theme, Tone},
            widgets::picker::{Item, Picker},
        },
    },
};

impl App {
    /// The keys of this place.
    pub(super) fn choices_here(&self) -> Picker<Choice> {
        let scopes = self.scopes();
        let bindings = keys::reachable(&scopes).filter(|binding| !binding.help.is_empty());
        let items = bindings.map(|binding| Item {
            label: binding.help.to_owned(),
            key: binding.chord.to_string(),
            detail: binding.scope.title().to_owned(),
            enabled: self.possible(binding),
            value: Choice::Do(binding.intent),
        });
        Picker::new(items.collect())
    }

    /// Everything that can be done, here and elsewhere.
    pub(super) fn choices_anywhere(&self) -> Picker<Choice> {
        let item = |label: &str, detail: &str, value: Choice| Item {
            label: label.to_owned(),
            key: String::new(),
            detail: detail.to_owned(),
            enabled: Ok(()),
            value,
        };
        let mut items = vec![
            item(
                "lookup ADDRESS",
                "free where local or cached, else 1 query",
                Choice::Begin("lookup "),
            ),
            item(
                "tag NAME",
                "open the metadata of a tag",
                Choice::Begin("tag "),
            ),
            item(
                "token",
                "enter a token",
                Choice::Do(Own(Action::Shell(ShellAction::EnterToken))),
            ),
            item(
                "forget",
                "erase the trail, here and on disk",
                Choice::Forget,
            ),
        ];
        if !self.facts.invented {
            items.push(item(
                "demo",
                "open the embedded service with invented data",
                Choice::Do(Own(Action::Shell(ShellAction::OpenDemo))),
            ));
        }
        let themes = Theme::NAMES.into_iter().map(|name| {
            item(
                &format!("theme {name}"),
                "change the colours",
                Choice::Theme(name),
            )
        });
        items.extend(themes);
        items.extend(self.choices_here().items().iter().cloned());
        Picker::new(items)
    }

    /// Whether something can be done now; if not, why.
    fn possible(&self, binding: &Binding<Action>) -> Result<(), &'static str> {
        match binding.intent {
            Shared(Gesture::Back) if self.trail.behind().is_none() => Err("the trail begins here"),
            Shared(Gesture::Pause | Gesture::Cancel) if self.jobs.running().next().is_none() => {
                Err("nothing is under way")
            }
            _ if binding.sends && self.facts.offline => Err("--offline: nothing is sent"),
            _ if binding.sends && !self.facts.is_ready() => {
                Err("no service or no token is configured")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn choose(&mut self, out: &mut Outbox) {
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let typed = picker.typed().to_owned();
        if let Some((command, word)) = command_of(&typed)
            && self.command(command, word, out)
        {
            return;
        }
        let Some(Overlay::Help(picker) | Overlay::Palette(picker)) = self.overlay.as_mut() else {
            return;
        };
        let Some(item) = picker.chosen().cloned() else {
            return;
        };
        if let Err(why) = item.enabled {
            return out.say(Tone::Warn, format!("not now: {why}"));
        }
        match item.value {
            Choice::Begin(start) => {
                picker.field().set(start);
                picker.refilter();
            }
            Choice::Do(intent) => {
                self.overlay = None;
                self.act(intent, out);
            }
            Choice::Theme(name) => {
                self.overlay = None;
                self.use_theme(name, out);
            }
            Choice::Forget => {
                let question =
                    "Erase the trail, here and on disk? What was downloaded stays.".to_owned();
                self.overlay = Some(Overlay::Confirm(Confirm {
                    question,
                    then: vec![Cmd::Forget],
                }));
            }
        }
    }

    /// What enter does with the command that is typed, and what that costs; none where it is no command with a word behind it.
    pub(super) fn command_words(&self, typed: &str) -> Option<String> {
        let (command, word) = command_of(typed)?;
        let words = match command {
            "lookup" => {
                let price = match self.facts.answers {
                    Answers::Live => "1 query",
                    Answers::LocalFirst => "free where local or cached, else 1 query",
                };
                format!("enter looks {word} up: {price}")
            }
            "tag" => format!("enter opens the tag {word}: free"),
            "theme" => format!("enter changes the colours to {word}"),
            _ => return None,
        };
        Some(visible(&words).into_owned())
    }

    /// A command with a word behind it; says whether it was one.
    fn command(&mut self, command: &str, word: &str, out: &mut Outbox) -> bool {
        match command {
            "lookup" => match parse_address(word) {
                Ok(address) => {
                    self.overlay = None;
                    out.go = Some(Place::Address(self.tabs.lookup.query_for(address)));
                }
                Err(why) => out.say(Tone::Error, why.to_string()),
            },
            "tag" => match word.parse() {
                Ok(tag) => {
                    self.overlay = None;
                    out.go = Some(Place::Tag(tag));
                }
                Err(why) => out.say(Tone::Error, format!("{why}")),
            },
            "theme" => {
                self.overlay = None;
                self.use_theme(word, out);
            }
            _ => return false,
        }
        true
    }

    fn use_theme(&mut self, name: &str, out: &mut Outbox) {
        match Theme::named(
            name,
            std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
        ) {
            Some(theme) => self.theme = theme,
            None => out.say(
                Tone::Error,
                format!(
                    "there is no theme {name}; there are {}",
                    Theme::NAMES.join(", ")
                ),
            ),
        }
    }
}

/// A command and the word behind it.
fn command_of(typed: &str) -> Option<(&str, &str)> {
    let (command, word) = typed.trim().trim_start_matches(':').split_once(' ')?;
    let word = word.trim();
    (!word.is_empty()).then_some((command, word))
}
