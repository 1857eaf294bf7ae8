//! The feeds host: metadata, listings, and redirects to the storage (contract, part 4.2).

use std::sync::Arc;

use hyper::{StatusCode, http::request::Parts};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::readme;
use crate::{
    contract::{
        Endpoint, Feed, Format, Host, Resource,
        catalog::{CatalogRow, MmdbForm},
    },
    demo::{
        fault::FaultSite,
        files::{Edition, FileId, FileNotMade},
        release,
        reply::{HttpReply, ReplyExt, empty, json, json_error, reply},
        role::{DemoRole, Rights},
        state::{ServiceState, rights_if, role_of},
    },
    model::Day,
};

pub(super) async fn answer(state: &Arc<ServiceState>, request: &Parts) -> HttpReply {
    let role = role_of(request).or_else(|| role_in_query(request));
    let Some(rights) = rights_if(role, |rights| rights.feeds) else {
        return json_error(StatusCode::FORBIDDEN, "access denied");
    };
    let endpoint = Endpoint::parse(Host::Feeds, &request.uri.to_string());
    let Ok(Endpoint::Feed(feed, resource)) = endpoint else {
        return not_there();
    };
    let now = state.now();
    if !is_offered(feed, &resource) {
        return not_there();
    }
    if !is_allowed(&rights, feed, &resource, now) {
        return json_error(StatusCode::FORBIDDEN, "access denied");
    }
    match resource {
        Resource::Readme => reply(StatusCode::OK, "application/pdf", readme::pdf(feed)),
        Resource::Runs => listing(feed, "runs", &runs(feed, now)),
        Resource::Files(day) => listing(feed, "files", &files(feed, day, now)),
        Resource::Metadata if feed == Feed::Realtime => window_metadata(now),
        Resource::Metadata => metadata(state, feed, now)
            .await
            .unwrap_or_else(|_| unmade()),
        Resource::Latest(_) | Resource::Dated(_) | Resource::Located(_) | Resource::Window(_) => {
            match file_of(feed, &resource, now) {
                Some(file) if feed == Feed::ServiceMetrics => {
                    served(state, file).await.unwrap_or_else(|_| unmade())
                }
                Some(file) => redirected(state, file, now),
                None => not_there(),
            }
        }
    }
}

/// For downloads the token may be in the query (contract, part 5.2).
fn role_in_query(request: &Parts) -> Option<DemoRole> {
    let mut pairs = request.uri.query()?.split('&');
    DemoRole::of_token(pairs.find_map(|pair| pair.strip_prefix("Token="))?)
}

/// Of what the contract leaves open, this service offers some and not the rest, so that clients meet both.
fn is_offered(feed: Feed, resource: &Resource) -> bool {
    match resource {
        Resource::Readme => !matches!(feed, Feed::Dch | Feed::Ipsummary),
        Resource::Runs | Resource::Files(_) => !matches!(feed, Feed::ServiceMetrics | Feed::Ipgeo),
        _ => true,
    }
}

/// Past days need historical access, the realtime feed needs realtime access (contract, part 5.5). The database that
/// the metadata names now is current, however old it is.
fn is_allowed(rights: &Rights, feed: Feed, resource: &Resource, now: Timestamp) -> bool {
    match resource {
        _ if feed == Feed::Realtime => rights.realtime,
        Resource::Located(path) => rights.history || path.day == release::latest_mmdb(feed, now),
        Resource::Dated(_) | Resource::Runs | Resource::Files(_) => rights.history,
        _ => true,
    }
}

/// The file that is downloaded as this resource, if there is one.
fn file_of(feed: Feed, resource: &Resource, now: Timestamp) -> Option<FileId> {
    match resource {
        Resource::Latest(_) if feed == Feed::Realtime => {
            Some(FileId::Window(release::latest_window(now)))
        }
        Resource::Latest(Format::Json) => Some(current(feed, now)),
        Resource::Latest(Format::Mmdb) => Some(current_mmdb(feed, now)),
        Resource::Dated(day) => {
            release::has(feed, *day, now).then_some(FileId::Release(feed, *day, Format::Json))
        }
        Resource::Located(path) => FileId::parse(&format!("{feed}/{path}")).filter(|_| {
            files(feed, path.day, now)
                .iter()
                .any(|file| file == path.file())
        }),
        Resource::Window(window) => {
            release::has_window(*window, now).then_some(FileId::Window(*window))
        }
        _ => None,
    }
}

fn current(feed: Feed, now: Timestamp) -> FileId {
    FileId::Release(feed, release::latest(feed, now), Format::Json)
}

fn current_mmdb(feed: Feed, now: Timestamp) -> FileId {
    FileId::Release(feed, release::latest_mmdb(feed, now), Format::Mmdb)
}

fn has_mmdb(row: &CatalogRow) -> bool {
    row.mmdb != MmdbForm::No
}

fn not_there() -> HttpReply {
    json_error(StatusCode::NOT_FOUND, "not found")
}

fn unmade() -> HttpReply {
    json_error(StatusCode::INTERNAL_SERVER_ERROR, "an error occurred")
}

/// A redirect to the storage. The generation date is here and not on the file.
fn redirected(state: &ServiceState, id: FileId, now: Timestamp) -> HttpReply {
    let link = state.signer.sign(id, now);
    empty(StatusCode::FOUND)
        .with(
            "location",
            format!("{}{link}", state.url(FaultSite::Storage)),
        )
        .with("x-feed-generation-date", id.day())
}

/// A small file, answered at once.
async fn served(state: &Arc<ServiceState>, id: FileId) -> Result<HttpReply, FileNotMade> {
    let file = state.files.file(&state.world, id, Edition::First).await?;
    let whole = reply(StatusCode::OK, "application/gzip", file.bytes.clone());
    Ok(whole
        .with("etag", &file.etag)
        .with("x-feed-generation-date", id.day()))
}

/// The metadata of a release (contract, part 2.8). Both forms are made to know their sizes, side by side.
async fn metadata(
    state: &Arc<ServiceState>,
    feed: Feed,
    now: Timestamp,
) -> Result<HttpReply, FileNotMade> {
    let release = block(state, feed, current(feed, now));
    if !has_mmdb(feed.row()) {
        return Ok(json(&json!({"json": release.await?})));
    }
    let database = block(state, feed, current_mmdb(feed, now));
    let (release, database) = tokio::try_join!(release, database)?;
    Ok(json(&json!({"json": release, "mmdb": database})))
}

/// What the metadata says of a file, with one key more than the contract has.
async fn block(state: &Arc<ServiceState>, feed: Feed, id: FileId) -> Result<Value, FileNotMade> {
    let file = state.files.file(&state.world, id, Edition::First).await?;
    Ok(json!({
        "location": id.location(),
        "date": id.day().to_string(),
        "generated_at": id.generated_at().to_string(),
        "available_at": release::available_at(feed, id.day()).to_string(),
        "filesize": file.bytes.len(),
        "line_count": file.records,
    }))
}

/// The realtime metadata, which has a timestamp for a date.
fn window_metadata(now: Timestamp) -> HttpReply {
    let window = release::latest_window(now);
    let location = FileId::Window(window).location();
    json(&json!({"json": {"date": window.begins().to_string(), "location": location}}))
}

fn runs(feed: Feed, now: Timestamp) -> Vec<String> {
    release::days(feed, now)
        .map(|day| day.to_string())
        .collect()
}

fn files(feed: Feed, day: Day, now: Timestamp) -> Vec<String> {
    if feed == Feed::Realtime {
        let windows = release::windows(day, now).into_iter();
        return windows
            .map(|window| format!("{}.json.gz", window.hhmm()))
            .collect();
    }
    if !release::has(feed, day, now) {
        return Vec::new();
    }
    let mmdb = has_mmdb(feed.row()) && day <= release::latest_mmdb(feed, now);
    let names = ["feed.json.gz"]
        .into_iter()
        .chain(mmdb.then_some("feed.mmdb"));
    names.map(str::to_owned).collect()
}

/// A listing, or a refusal when there is nothing to list. Its shape is not shown in the contract (part 4.2 rule 6), so
/// feeds differ: a list of names, a list of objects, an object around a list, a line for each.
fn listing(feed: Feed, what: &str, names: &[String]) -> HttpReply {
    if names.is_empty() {
        return not_there();
    }
    match feed {
        Feed::AnonymousResidential | Feed::Ipsummary => {
            let objects = names.iter().map(|name| json!({"name": name}));
            json(&objects.collect::<Vec<Value>>().into())
        }
        Feed::AnonymousIpv6 | Feed::Dch => json(&json!({what: names, "count": names.len()})),
        Feed::AnonymousResidentialIpv6 => {
            let lines = names.join("\n") + "\n";
            reply(StatusCode::OK, "text/plain; charset=utf-8", lines)
        }
        _ => json(&names.into()),
    }
}
