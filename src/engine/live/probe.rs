//! Asking each host what this token may do, without spending a query.

use futures_util::future::join_all;

use super::Live;
use crate::{
    contract::{Endpoint, ExportQuery, Feed, Output, Resource},
    engine::{
        account::Area,
        error::{Error, Result},
        http::BodyStream,
    },
};

/// The outcome of asking for one area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed {
    pub area: Area,
    /// What was asked, `/path?query`.
    pub target: String,
    /// Whether it was allowed.
    pub outcome: Result<()>,
}

impl Live {
    /// Asks for the status and for all of [`Live::probe_beyond_status`].
    pub async fn probe(&self) -> Vec<Probed> {
        let status = Probed {
            area: Area::Status,
            target: Endpoint::Status.target(),
            outcome: self.status().await.map(|_| ()),
        };
        let mut probed = vec![status];
        probed.extend(self.probe_beyond_status().await);
        probed
    }

    /// Asks, all at once, for a feed's metadata, a history listing, realtime metadata and an export of one record. What
    /// the hosts said is in [`Account::access`](crate::engine::Account::access) afterwards.
    pub async fn probe_beyond_status(&self) -> Vec<Probed> {
        let feed = |feed, resource| Endpoint::Feed(feed, resource);
        let mut export = ExportQuery::all_of(Feed::Anonymous);
        (export.output, export.limit) = (Output::Json, Some(1));
        let endpoints = [
            feed(Feed::Anonymous, Resource::Metadata),
            feed(Feed::Anonymous, Resource::Runs),
            feed(Feed::Realtime, Resource::Metadata),
            Endpoint::Export(export),
        ];
        let probes = endpoints.into_iter().map(async |endpoint| Probed {
            area: Area::of(&endpoint),
            target: endpoint.target(),
            outcome: self.touch(&endpoint).await,
        });
        join_all(probes).await
    }

    /// Asks once, for the status alone.
    async fn touch(&self, endpoint: &Endpoint) -> Result<(), Error> {
        let reply = self
            .requests
            .open_once(endpoint, None)
            .await
            .map_err(|trouble| trouble.error)?;
        BodyStream::of(reply, self.requests.silence())
            .beginning()
            .await;
        Ok(())
    }
}
