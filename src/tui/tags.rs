//! The Tags tab.

pub mod view;

use super::{
    app::Desk,
    keys::{Intent, Scope, Yank},
    msg::{Answer, JobId},
    widgets::text_field::TextField,
};
use crate::{
    engine::Error,
    model::{Document, TagName},
};

/// The state of the tab.
#[derive(Debug, Default)]
pub struct TagsTab {}

impl TagsTab {
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Tags]
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        None
    }

    /// What was typed has changed.
    pub fn typed(&mut self, _desk: &mut Desk<'_>) {}

    /// The tab is opened.
    pub fn arrive(&mut self, _desk: &mut Desk<'_>) {}

    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, _intent: Intent, _desk: &mut Desk<'_>) -> bool {
        false
    }

    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, _what: Yank, _desk: &mut Desk<'_>) -> bool {
        false
    }

    /// The service's own text of what is shown.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        None
    }

    /// Shows the metadata of a tag, asking for it if it is not known.
    pub fn open(&mut self, _tag: TagName, _desk: &mut Desk<'_>) {}

    /// Shows the metadata of a tag as it was left.
    pub fn show(&mut self, _tag: &TagName) {}

    /// An answer came.
    pub fn answered(
        &mut self,
        _job: JobId,
        _tag: &TagName,
        _result: Result<Answer, Error>,
        _desk: &mut Desk<'_>,
    ) {
    }
}
