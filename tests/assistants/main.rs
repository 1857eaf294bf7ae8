//! `mcp`, over a real pipe: apart from the other tests, so that who tests this feature does not build all of them again.

mod answers;
#[path = "../it/pty.rs"]
mod pty;
#[path = "../it/service.rs"]
#[expect(dead_code, reason = "the other tests ask more of it")]
mod service;
mod spend;
