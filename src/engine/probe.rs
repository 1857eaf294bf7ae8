//! Asking each host what this token may do, without spending a query.

use super::{
    Engine,
    access::Area,
    body::Body,
    error::{Error, Result},
};
use crate::contract::{Endpoint, ExportQuery, Feed, Output, Resource};

/// What came of asking for one area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    /// The area.
    pub area: Area,
    /// What was asked, `/path?query`.
    pub target: String,
    /// Whether it was allowed.
    pub outcome: Result<()>,
}

impl Engine {
    /// Asks for the status, a feed's metadata, a history listing, realtime metadata and an export of one record. What
    /// the hosts said is in [`Engine::access`] afterwards.
    pub async fn probe(&self) -> Vec<Probed> {
        let feed = |feed, resource| Endpoint::Feed(feed, resource);
        let mut export = ExportQuery::all_of(Feed::Anonymous);
        (export.output, export.limit) = (Output::Json, Some(1));
        let endpoints = [
            Endpoint::Status,
            feed(Feed::Anonymous, Resource::Metadata),
            feed(Feed::Anonymous, Resource::Runs),
            feed(Feed::Realtime, Resource::Metadata),
            Endpoint::Export(export),
        ];
        let mut probed = Vec::new();
        for endpoint in endpoints {
            let outcome = match endpoint {
                Endpoint::Status => self.status().await.map(|_| ()),
                _ => self.touch(&endpoint).await,
            };
            probed.push(Probed {
                area: Area::of(&endpoint),
                target: endpoint.target(),
                outcome,
            });
        }
        probed
    }

    /// Asks once, for the status alone.
    async fn touch(&self, endpoint: &Endpoint) -> Result<(), Error> {
        let reply = self
            .open_once(endpoint, None)
            .await
            .map_err(|trouble| trouble.error)?;
        Body::of(reply.response, self.silence()).beginning().await;
        Ok(())
    }
}
