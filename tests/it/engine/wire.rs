//! A server that sends exactly the given bytes and records exactly the bytes received.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
};

/// What becomes of a connection once an answer is out.
#[derive(Clone, Copy, Debug)]
enum Then {
    Close,
    /// The other side waits for more in vain.
    Hold,
    /// The same, and the answer itself only comes when it is let go.
    CloseLater,
    /// The next request may come on it.
    Listen,
}

#[derive(Debug, Default)]
struct Script {
    answers: VecDeque<(Vec<u8>, Then)>,
    heard: Vec<String>,
    gate: Arc<Notify>,
}

/// The server. A request for which there is no answer left sees its connection closed without a word.
#[derive(Debug)]
pub(crate) struct Wire {
    port: u16,
    script: Arc<Mutex<Script>>,
    _tasks: JoinSet<()>,
}

impl Wire {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a port is free");
        let port = listener.local_addr().expect("address").port();
        let script = Arc::new(Mutex::new(Script::default()));
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(listener, Arc::clone(&script)));
        Self {
            port,
            script,
            _tasks: tasks,
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The next request is answered with these bytes, then the connection closed.
    pub(crate) fn says(&self, bytes: impl Into<Vec<u8>>) -> &Self {
        self.add(bytes.into(), Then::Close)
    }

    /// The same, and then nothing more comes.
    pub(crate) fn says_and_holds(&self, bytes: impl Into<Vec<u8>>) -> &Self {
        self.add(bytes.into(), Then::Hold)
    }

    /// The same, and the connection stays for another request.
    pub(crate) fn says_and_listens(&self, bytes: impl Into<Vec<u8>>) -> &Self {
        self.add(bytes.into(), Then::Listen)
    }

    /// The next request is answered when [`Wire::lets_go`] is called, then the connection closed.
    pub(crate) fn says_later(&self, bytes: impl Into<Vec<u8>>) -> &Self {
        self.add(bytes.into(), Then::CloseLater)
    }

    /// Lets an answer go that waits for it.
    pub(crate) fn lets_go(&self) {
        lock(&self.script).gate.notify_one();
    }

    fn add(&self, bytes: Vec<u8>, then: Then) -> &Self {
        lock(&self.script).answers.push_back((bytes, then));
        self
    }

    /// The heads of all requests so far, each as it came.
    pub(crate) fn heard(&self) -> Vec<String> {
        lock(&self.script).heard.clone()
    }

    /// The same without the requests for the metadata of a feed, which follow a download.
    pub(crate) fn downloads(&self) -> Vec<String> {
        let mut heard = self.heard();
        heard.retain(|head| !head.contains("/latest HTTP"));
        heard
    }
}

fn lock(script: &Mutex<Script>) -> std::sync::MutexGuard<'_, Script> {
    script.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(listener: TcpListener, script: Arc<Mutex<Script>>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        connections.spawn(converse(stream, Arc::clone(&script)));
    }
}

async fn converse(mut stream: TcpStream, script: Arc<Mutex<Script>>) {
    while let Some(request) = head(&mut stream).await {
        let answer = {
            let mut script = lock(&script);
            script.heard.push(request);
            script.answers.pop_front()
        };
        let Some((bytes, then)) = answer else { return };
        if matches!(then, Then::CloseLater) {
            let gate = Arc::clone(&lock(&script).gate);
            gate.notified().await;
        }
        if stream.write_all(&bytes).await.is_err() {
            return;
        }
        match then {
            Then::Close | Then::CloseLater => return drop(stream.shutdown().await),
            Then::Hold => drop(stream.read(&mut [0]).await),
            Then::Listen => {}
        }
    }
}

/// The head of a request, without the empty line at its end.
async fn head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    head.truncate(head.len() - 4);
    Some(String::from_utf8(head).expect("a request in ASCII"))
}

/// An answer of HTTP/1.1 with a length that is right.
pub(crate) fn answer(status: u16, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    let mut bytes =
        format!("HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\n\r\n").into_bytes();
    bytes.extend(body);
    bytes
}

/// The value of a header of a request that was heard.
pub(crate) fn header<'a>(request: &'a str, name: &str) -> Option<&'a str> {
    let pairs = request
        .split("\r\n")
        .filter_map(|line| line.split_once(": "));
    let mut values = pairs
        .filter(|(text, _)| text.eq_ignore_ascii_case(name))
        .map(|(_, value)| value);
    values.next()
}
