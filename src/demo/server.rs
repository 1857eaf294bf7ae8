//! Listening, reading requests, sending answers, and everything that can go wrong with a connection.
//!
//! Sound answers go out through hyper. What hyper would rightly refuse to send (half a body, a malformed header, bytes
//! that are not HTTP) is written to the socket by hand once hyper has given it back.

use std::{
    convert::Infallible,
    fmt::Write as _,
    future::{Future, pending, poll_fn},
    io,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::Incoming,
    header::{ALLOW, CONTENT_LENGTH, HOST},
    http::request::Parts,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time,
};

use super::{
    answers,
    fault::{FaultKind, FaultSite},
    fault_effects,
    reply::{HttpReply, ReplyExt, json_error},
    request_log::LoggedRequest,
    state::ServiceState,
};

/// Serves a place for as long as the future is kept; dropping it closes every connection.
pub(crate) async fn serve(
    listener: TcpListener,
    place: FaultSite,
    state: Arc<ServiceState>,
) -> Infallible {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(converse(stream, place, Arc::clone(&state)));
                }
                // Too many open files: some connection will end.
                Err(_) => time::sleep(Duration::from_millis(20)).await,
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// How a connection ends when a fault ends it.
#[derive(Debug)]
enum End {
    Reset,
    /// These bytes, the rest of them at a pace of so many a second, and then the end.
    Raw {
        head: Vec<u8>,
        body: Bytes,
        pace: Option<u64>,
    },
}

type SharedEnd = Arc<Mutex<Option<End>>>;

/// A fault took the connection from hyper.
#[derive(Debug, thiserror::Error)]
#[error("a fault struck")]
struct FaultInjected;

async fn converse(stream: TcpStream, place: FaultSite, state: Arc<ServiceState>) {
    if !state.faults.strike_connection(place).is_empty() {
        reset(stream);
        return;
    }
    let ending = SharedEnd::default();
    let service = service_fn(|request: Request<Incoming>| {
        let (state, ending) = (Arc::clone(&state), Arc::clone(&ending));
        let answer: Pin<Box<dyn Future<Output = _> + Send>> = Box::pin(async move {
            let (parts, _) = request.into_parts();
            respond(&state, place, parts).await.map_err(|end| {
                *ending.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
                FaultInjected
            })
        });
        answer
    });
    let mut connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
    // Whatever a client did to its own connection is no concern of the service.
    let _ = poll_fn(|context| connection.poll_without_shutdown(context)).await;
    let stream = connection.into_parts().io.into_inner();
    let end = ending.lock().unwrap_or_else(PoisonError::into_inner).take();
    match end {
        Some(End::Reset) => reset(stream),
        Some(End::Raw { head, body, pace }) => {
            let _ = write_raw(stream, &head, &body, pace).await;
        }
        None => {}
    }
}

fn reset(stream: TcpStream) {
    // Closing without lingering sends a reset; if it cannot be set, the end is merely more polite.
    let _ = stream.set_zero_linger();
    drop(stream);
}

/// Writes bytes as they are, the body in steps of a twentieth of a second when it has a pace, and closes.
async fn write_raw(
    mut stream: TcpStream,
    head: &[u8],
    body: &[u8],
    pace: Option<u64>,
) -> io::Result<()> {
    const STEPS: u64 = 20;
    stream.write_all(head).await?;
    let step = pace.map_or(body.len(), |pace| {
        usize::try_from(pace / STEPS).unwrap_or(usize::MAX)
    });
    for chunk in body.chunks(step.max(1)) {
        stream.write_all(chunk).await?;
        if pace.is_some() {
            time::sleep(Duration::from_secs(1) / u32::try_from(STEPS).unwrap_or(1)).await;
        }
    }
    stream.shutdown().await
}

async fn respond(
    state: &Arc<ServiceState>,
    place: FaultSite,
    mut request: Parts,
) -> Result<Response<Full<Bytes>>, End> {
    state.log.note(LoggedRequest::of(place, &request));
    if !is_ours(&request, state.port(place)) {
        return Ok(
            json_error(StatusCode::MISDIRECTED_REQUEST, "this is another host").map(Full::new),
        );
    }
    if request.method != Method::GET {
        let refusal =
            json_error(StatusCode::METHOD_NOT_ALLOWED, "GET only").with(ALLOW.as_str(), "GET");
        return Ok(refusal.map(Full::new));
    }
    let struck = state.faults.strike_request(place);
    for kind in &struck {
        match kind {
            FaultKind::Delay(milliseconds) => {
                time::sleep(Duration::from_millis(*milliseconds)).await
            }
            FaultKind::Hang => pending().await,
            FaultKind::Reset => return Err(End::Reset),
            FaultKind::Garbage => {
                let head = b"SSH-2.0-OpenSSH_0.0\r\n\x00\x01\x02\xff\xfe\r\n".to_vec();
                return Err(End::Raw {
                    head,
                    body: Bytes::new(),
                    pace: None,
                });
            }
            _ => fault_effects::before(kind, &mut request),
        }
    }
    let own_url = format!("{}{}", state.url(place), request.uri);
    let mut reply = match struck
        .iter()
        .find_map(|kind| fault_effects::instead(kind, &own_url))
    {
        Some(reply) => reply,
        None => answers::answer(state, place, &request).await,
    };
    for kind in &struck {
        fault_effects::after(kind, &mut reply);
    }
    match by_hand(&struck, &reply) {
        Some(end) => Err(end),
        None => Ok(reply.map(Full::new)),
    }
}

/// Whether the request was meant for this listener: a page in a browser that got here by a name of its own was not.
fn is_ours(request: &Parts, port: u16) -> bool {
    let host = request
        .headers
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    host.is_some_and(|host| {
        host == format!("127.0.0.1:{port}") || host == format!("localhost:{port}")
    })
}

/// The answer as bytes to be written by hand, if a fault makes it one that hyper would not send.
fn by_hand(struck: &[FaultKind], reply: &HttpReply) -> Option<End> {
    let whole = reply.body().len();
    let (mut sent, mut pace, mut malformed, mut sound) = (whole, None, "", true);
    for kind in struck {
        match kind {
            FaultKind::Cut(bytes) => sent = sent.min(usize::try_from(*bytes).unwrap_or(usize::MAX)),
            FaultKind::Truncate => sent = sent.min(whole / 2),
            FaultKind::Slow(bytes) => pace = Some((*bytes).max(1)),
            FaultKind::BadHeader => malformed = "x broken\u{1} header: value\r\n",
            _ => continue,
        }
        sound = false;
    }
    (!sound).then(|| End::Raw {
        head: head(reply, malformed),
        body: reply.body().slice(..sent),
        pace,
    })
}

fn head(reply: &HttpReply, malformed: &str) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {}\r\n{malformed}", reply.status()).into_bytes();
    for (name, value) in reply
        .headers()
        .iter()
        .filter(|(name, _)| *name != CONTENT_LENGTH)
    {
        head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    let mut end = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        end,
        "content-length: {}\r\nconnection: close\r\n\r\n",
        reply.body().len()
    );
    head.extend(end.bytes());
    head
}
