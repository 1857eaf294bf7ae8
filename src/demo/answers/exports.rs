//! The exports host (contract, part 4.3).

use std::sync::Arc;

use hyper::{StatusCode, http::request::Parts};
use jiff::Timestamp;
use tokio::task;

use crate::{
    contract::{Endpoint, ExportQuery, Host, Severity, Unrouted},
    demo::{
        export::export,
        release,
        reply::{HttpReply, ReplyExt, json_error, reply},
        state::{ServiceState, rights_if, role_of},
    },
    model::Day,
};

pub(super) async fn answer(state: &Arc<ServiceState>, request: &Parts) -> HttpReply {
    let Some(rights) = rights_if(role_of(request), |rights| rights.exports) else {
        return json_error(StatusCode::FORBIDDEN, "access denied");
    };
    if rights.throttled {
        return json_error(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests; try again later",
        )
        .with("retry-after", 30);
    }
    match Endpoint::parse(Host::Exports, &request.uri.to_string()) {
        Ok(Endpoint::Export(query)) => exported(state, query)
            .await
            .unwrap_or_else(|(status, why)| json_error(status, &why)),
        Err(Unrouted::BadRequest(why)) => json_error(StatusCode::BAD_REQUEST, &why),
        _ => json_error(StatusCode::NOT_FOUND, "not found"),
    }
}

/// A finished export, or with which status and why not.
async fn exported(
    state: &Arc<ServiceState>,
    query: ExportQuery,
) -> Result<HttpReply, (StatusCode, String)> {
    let conflicts = query.conflicts().into_iter();
    let refused: Vec<String> = conflicts
        .filter(|conflict| conflict.severity == Severity::Refused)
        .map(|conflict| conflict.to_string())
        .collect();
    if !refused.is_empty() {
        return Err((StatusCode::BAD_REQUEST, refused.join("; ")));
    }
    let missing = || {
        (
            StatusCode::NOT_FOUND,
            "no data to diff for this date".to_owned(),
        )
    };
    let day = day_of(&query, state.now()).ok_or_else(missing)?;
    let world = Arc::clone(&state.world);
    let exported = task::spawn_blocking(move || export(&world, &query, day)).await;
    match exported {
        Ok(Ok(exported)) => Ok(reply(StatusCode::OK, exported.content_type, exported.bytes)),
        _ => Err((
            StatusCode::INTERNAL_SERVER_ERROR,
            "an error occurred".to_owned(),
        )),
    }
}

/// The day that an export is of, if there is data for it. A diff needs the day before it, too.
fn day_of(query: &ExportQuery, now: Timestamp) -> Option<Day> {
    let day = query
        .diff_date
        .unwrap_or_else(|| release::latest(query.feed, now));
    let has = |day| release::has(query.feed, day, now);
    (has(day) && (!query.diff || has(day.plus(-1)))).then_some(day)
}
