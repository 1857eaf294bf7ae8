//! Bodies for a server that the configuration names beside the hosts of the service: a warehouse. The token is never sent there.

use std::{sync::Arc, time::Duration};

use reqwest::{
    Url,
    header::{HeaderMap, HeaderName, HeaderValue},
};

use super::{
    client::{HttpClient, USER_AGENT, UnreadReply, send},
    headers::Captured,
    retry::FailedTry,
    trace::Trace,
};
use crate::{
    contract::Token,
    engine::{
        config::RequestLimits,
        error::{Error, Kind, Result},
    },
};

/// Sends them, with the limits and the TLS of all requests.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Posts(Arc<HttpClient>);

impl Posts {
    /// Sends a body and waits for the headers of the answer. No redirect is followed.
    pub(in crate::engine) async fn send(
        &self,
        post: Post<'_>,
        limits: &RequestLimits,
    ) -> Result<UnreadReply, FailedTry> {
        let (headers, url) = (post.headers()?, post.url);
        let mut trace = Trace::of_post(&url, &headers, post.password);
        let client = self.0.client(&url, limits)?;
        let request = client.post(url.clone()).headers(headers).body(post.body);
        let response = send(request, &url, post.wait).await;
        let response = response.inspect_err(|trouble| trace.failed(&trouble.error.message))?;
        let (status, headers) = (response.status().as_u16(), response.headers());
        trace.answered(status, headers, post.password);
        Ok(UnreadReply {
            captured: Captured::of(headers),
            trusted: true,
            response,
            trace,
        })
    }
}

/// A body, with what names who sends it.
pub(in crate::engine) struct Post<'a> {
    pub(in crate::engine) url: Url,
    pub(in crate::engine) content_type: String,
    pub(in crate::engine) headers: &'a [(&'static str, &'a str)],
    /// The header of the password.
    pub(in crate::engine) password_header: &'static str,
    pub(in crate::engine) password: Option<&'a Token>,
    pub(in crate::engine) body: bytes::Bytes,
    /// Until the first header.
    pub(in crate::engine) wait: Duration,
}

impl Post<'_> {
    fn headers(&self) -> Result<HeaderMap> {
        let mut headers = HeaderMap::new();
        let own = [
            ("user-agent", USER_AGENT),
            ("content-type", &self.content_type),
        ];
        let password = self
            .password
            .map(|token| (self.password_header, token.expose()));
        for (name, text) in self.headers.iter().copied().chain(own).chain(password) {
            let mut value = HeaderValue::from_str(text).map_err(|_| {
                Error::new(
                    Kind::Usage,
                    format!("the header {name} cannot hold its value"),
                )
            })?;
            value.set_sensitive(password.is_some_and(|(secret, _)| secret == name));
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok(headers)
    }
}
