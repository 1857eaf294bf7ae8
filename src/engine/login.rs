//! What was entered in place of the configuration: used at once, and kept where that is asked.

use super::{
    Engine, Probed, config, credentials,
    error::{Error, Result},
};
use crate::contract::{BaseUrl, Host, Token};

/// Entered settings of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The token; `None` keeps the current one.
    pub token: Option<Token>,
    /// The URLs that were changed.
    pub urls: Vec<(Host, BaseUrl)>,
    /// Where the token is saved.
    pub keep: Keep,
}

/// Where a token is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In the profile's token file.
    InFile,
    /// Nowhere; it is used for this run only.
    ForNow,
}

impl Entered {
    /// Merges later settings over earlier ones.
    #[must_use]
    pub fn over(mut self, before: Option<Self>) -> Self {
        let before = before.into_iter();
        for older in before {
            let is_newer = |host: &Host| self.urls.iter().any(|(other, _)| other == host);
            let kept: Vec<_> = older
                .urls
                .into_iter()
                .filter(|(host, _)| !is_newer(host))
                .collect();
            self.urls.extend(kept);
            self.token = self.token.or(older.token);
        }
        self
    }
}

impl Engine {
    /// Uses what was entered, and keeps it where that was asked; a token that the service calls invalid replaces no other.
    ///
    /// # Errors
    /// A failure of this machine to keep it.
    pub async fn login(&self, entered: &Entered) -> Result<Vec<Probed>> {
        if let Some(token) = &entered.token {
            self.account.use_token(token);
        }
        let probed = self.live.probe().await;
        if entered.keep == Keep::ForNow {
            return Ok(probed);
        }
        let errors = probed
            .iter()
            .filter_map(|probed| probed.outcome.as_ref().err());
        if let Some(error) = errors.into_iter().find(|error| error.status == Some(401)) {
            let message = format!("nothing is kept: {}", error.message);
            self.notices.trouble(Error {
                message,
                ..error.clone()
            });
            return Ok(probed);
        }
        let settings = &self.settings;
        // With an empty field, what was entered before for this run alone is kept.
        if let Some(token) = &self.account.entered_token() {
            credentials::store(&settings.profile, &settings.paths.config, token)?;
        }
        if !entered.urls.is_empty() {
            config::keep_urls(&settings.config_file, &settings.profile, &entered.urls)?;
        }
        Ok(probed)
    }
}
