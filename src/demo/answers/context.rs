//! The Context API: lookups, tags, status (contract, part 4.1).

use hyper::{StatusCode, http::request::Parts};
use serde_json::json;

use crate::{
    contract::{Endpoint, Feed, Geolocation, Host, LookupQuery, Unrouted},
    demo::{
        release,
        reply::{HttpReply, ReplyExt, json, json_error, reply},
        role::DemoRole,
        state::{ServiceState, role_of},
    },
    model::Day,
};

/// The feed whose releases the lookups follow.
const SOURCE: Feed = Feed::AnonymousResidential;

pub(super) fn answer(state: &ServiceState, request: &Parts) -> HttpReply {
    let Some(role) = role_of(request) else {
        return json_error(StatusCode::UNAUTHORIZED, "invalid token");
    };
    let endpoint = Endpoint::parse(Host::Context, &request.uri.to_string());
    if endpoint == Ok(Endpoint::Status) {
        return status(state, role);
    }
    let rights = role.rights();
    if !rights.context || !rights.active {
        return json_error(StatusCode::FORBIDDEN, "no access to the Context API");
    }
    match endpoint {
        Ok(Endpoint::Tag(tag)) => match state.world.tag(tag.as_str(), Day::of(state.now())) {
            Some(metadata) => json(&metadata),
            None => json_error(StatusCode::NOT_FOUND, "unknown tag"),
        },
        Ok(Endpoint::Context(query)) => {
            lookup(state, role, query).unwrap_or_else(|(status, why)| json_error(status, why))
        }
        Ok(_) | Err(Unrouted::NotFound) => json_error(StatusCode::NOT_FOUND, "not found"),
        Err(Unrouted::BadRequest(why)) => json_error(StatusCode::BAD_REQUEST, &why),
    }
}

/// Looks an address up, or says with which status and why not. Only an answer costs a query (contract, part 8.1).
fn lookup(
    state: &ServiceState,
    role: DemoRole,
    query: LookupQuery,
) -> Result<HttpReply, (StatusCode, &'static str)> {
    let now = state.now();
    if !state.world.admits(query.address) {
        return Err((StatusCode::BAD_REQUEST, "not a public IPv4 or IPv6 address"));
    }
    if query.date.is_some() && !role.rights().history {
        return Err((
            StatusCode::FORBIDDEN,
            "historical access is required for dt",
        ));
    }
    let day = query.date.unwrap_or_else(|| release::latest(SOURCE, now));
    if day > Day::of(now) {
        return Err((StatusCode::BAD_REQUEST, "dt lies in the future"));
    }
    let scene = state.world.on(day);
    let record = scene
        .record(query.address)
        .filter(|_| release::has(SOURCE, day, now));
    let record = record.ok_or((StatusCode::NOT_FOUND, "no data for this date"))?;
    let record = match query.geolocation {
        Geolocation::Service => record,
        Geolocation::Mmgeo => scene.relocated(record),
    };
    let balance = state.ledger.spend(role);
    let balance = balance.ok_or((StatusCode::TOO_MANY_REQUESTS, "insufficient queries"))?;
    Ok(reply(StatusCode::OK, "application/json", record.line())
        .with("x-balance-remaining", balance)
        .with("x-result-dt", day))
}

/// The status of the token; asking costs nothing.
fn status(state: &ServiceState, role: DemoRole) -> HttpReply {
    let rights = role.rights();
    json(&json!({
        "active": rights.active,
        "queriesRemaining": state.ledger.left(role),
        "serviceTier": rights.tier,
    }))
}
