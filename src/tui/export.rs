//! The Export tab.

pub mod view;

use super::{
    app::Desk,
    keys::{Intent, Scope, Yank},
    msg::{Answer, JobId, Question},
    widgets::text_field::TextField,
};
use crate::{
    engine::Error,
    model::{Document, TagName},
};

/// The state of the tab.
#[derive(Debug, Default)]
pub struct ExportTab {}

impl ExportTab {
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Export]
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

    /// Starts a form with these tags to include.
    pub fn seed(&mut self, _tags: Vec<TagName>, _desk: &mut Desk<'_>) {}

    /// An answer came.
    pub fn answered(
        &mut self,
        _job: JobId,
        _question: &Question,
        _result: Result<Answer, Error>,
        _desk: &mut Desk<'_>,
    ) {
    }
}
