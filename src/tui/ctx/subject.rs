//! What is in front, for the shell: what copies are about, what a gesture costs there, and why it has no effect.

use std::{borrow::Cow, net::IpAddr};

use super::Meaning;
use crate::{contract::Endpoint, investigation::comparison::SideName, model::Document};

/// What something may cost, in words; `None` if it is free, or if its hint already includes the price.
pub type Price = Option<Cow<'static, str>>;

/// Why something has no effect now.
pub type Why = Cow<'static, str>;

/// What is in front of a tab: what copies, the raw text and going back are about.
#[derive(Debug, Default)]
pub struct Subject<'t> {
    /// Its name, if that is not its address.
    pub name: Option<String>,
    pub address: Option<IpAddr>,
    /// Its request.
    pub endpoint: Option<Endpoint>,
    /// The meaning of the row under the cursor.
    pub meaning: Option<Meaning>,
    /// The JSON of the service.
    pub document: Option<&'t Document>,
    /// What names it, as a side of a comparison.
    pub side: Option<SideName>,
    /// The title of the raw text, if that is not the name.
    pub raw_title: Option<String>,
    /// The message if there is no raw text.
    pub without_document: Option<String>,
    /// Whether there is nothing to copy yet.
    pub is_blank: bool,
    /// Whether going back is a step within the current state of this tab, regardless of the trail.
    pub steps_back: bool,
}

impl Subject<'_> {
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let address = self.address.map(|address| address.to_string());
        self.name.clone().or(address)
    }
}
