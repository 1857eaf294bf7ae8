//! The service as a real client library sees it, on connections that stay open.

use http_body_util::{BodyExt, Empty};
use hyper::{
    Request,
    client::conn::http1::{Builder, SendRequest},
};
use hyper_util::rt::TokioIo;

use super::*;

async fn connected(demo: &Demo, client: &Builder) -> SendRequest<Empty<bytes::Bytes>> {
    let url = demo.url(Host::Context);
    let stream = TcpStream::connect(url.strip_prefix("http://").expect("http"))
        .await
        .expect("connected");
    let (sender, connection) = client
        .handshake(TokioIo::new(stream))
        .await
        .expect("handshake");
    tokio::spawn(connection);
    sender
}

fn status_of(demo: &Demo) -> Request<Empty<bytes::Bytes>> {
    let url = demo.url(Host::Context);
    let request = Request::get("/status")
        .header("host", url.strip_prefix("http://").expect("http"))
        .header("token", demo.token(DemoRole::Full));
    request.body(Empty::new()).expect("request")
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let demo = demo().await;
    let mut sender = connected(&demo, &Builder::new()).await;
    for _ in 0..3 {
        sender.ready().await.expect("still open");
        let answer = sender.send_request(status_of(&demo)).await.expect("answer");
        let body = answer.into_body().collect().await.expect("body").to_bytes();
        assert!(body.starts_with(b"{\"active\":true"));
    }
}

#[tokio::test]
async fn a_malformed_header_costs_the_answer_unless_the_client_forgives() {
    let demo = demo().await;
    demo.faults()
        .add("context:badheader".parse().expect("fault"));
    let mut strict = connected(&demo, &Builder::new()).await;
    assert!(strict.send_request(status_of(&demo)).await.is_err());
    let mut forgiving = Builder::new();
    forgiving.ignore_invalid_headers_in_responses(true);
    let mut forgiving = connected(&demo, &forgiving).await;
    let answer = forgiving
        .send_request(status_of(&demo))
        .await
        .expect("answer");
    assert_eq!(answer.headers()["content-type"], "application/json");
}
