//! What is said, once, where the first answers are waited for.

use std::{pin::pin, time::Duration};

use tokio::time::timeout;

use crate::cli::{args::enrich::EnrichArgs, console::Console, text::InputText};

/// How long a run waits without a word.
const SILENT: Duration = Duration::from_secs(2);

/// A word to say where something does not come soon.
pub(super) struct Patience<'a> {
    after: Duration,
    say: Box<dyn FnOnce() + 'a>,
}

impl<'a> Patience<'a> {
    /// Says what is waited for.
    pub(super) fn noting(text: String, console: &'a Console) -> Self {
        Self {
            after: SILENT,
            say: Box::new(move || console.note(&text)),
        }
    }

    /// Waits for it.
    pub(super) async fn until<T>(self, there: impl Future<Output = T>) -> T {
        let mut there = pin!(there);
        if let Ok(value) = timeout(self.after, &mut there).await {
            return value;
        }
        (self.say)();
        there.await
    }
}

/// What is waited for, and why, where a text comes as somebody writes it. `counts` where the answers come at the end.
pub(super) fn awaited(texts: &[InputText], args: &EnrichArgs, counts: bool) -> Option<String> {
    let text = texts.iter().find(|text| text.is_written_meanwhile())?;
    Some(format!(
        "still reading {}: {}",
        text.name(),
        why(args, counts)
    ))
}

fn why(args: &EnrichArgs, counts: bool) -> &'static str {
    if args.plan {
        "--plan counts to its end"
    } else if args.spend.is_some() {
        "what --spend sends is known at its end"
    } else if args.facet.is_some() {
        "--facet counts to its end"
    } else if args.group.is_some() {
        "--group counts to its end"
    } else if args.top.is_some() {
        "--top counts to its end"
    } else if counts && args.filter.is_some() {
        "what --filter asks may be known at its end only"
    } else if counts {
        "how often an address occurs is known at its end"
    } else if args.at_time {
        "--at-time knows how its times are written after the first 64 KiB, or at its end"
    } else {
        "no address has come yet"
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::Cell, fs, future};

    use clap::Parser;
    use tokio::sync::oneshot;

    use super::*;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        args: EnrichArgs,
    }

    #[tokio::test]
    async fn what_does_not_come_soon_is_said_once_and_waited_for() {
        let said = Cell::new(0);
        let patience = |say: Box<dyn FnOnce()>| Patience {
            after: Duration::ZERO,
            say: Box::new(|| {
                said.set(said.get() + 1);
                say();
            }),
        };
        let there = patience(Box::new(|| ())).until(future::ready(7)).await;
        assert_eq!((there, said.get()), (7, 0));
        // It comes when it was said.
        let (tell, heard) = oneshot::channel();
        let say = move || tell.send(8).expect("it is waited for");
        let there = patience(Box::new(say)).until(heard).await;
        assert_eq!((there, said.get()), (Ok(8), 1));
    }

    #[test]
    fn what_is_waited_for_is_named_with_the_reason() {
        let dir = tempfile::tempdir().expect("directory");
        let (file, pipe) = (dir.path().join("file"), dir.path().join("pipe"));
        fs::write(&file, "").expect("write");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let said = |line: &str, counts| {
            let words = ["enrich"].into_iter().chain(line.split_whitespace());
            let args = Typed::try_parse_from(words).expect("arguments").args;
            let texts = [&file, &pipe].map(|path| InputText::named(path));
            assert_eq!(awaited(&texts[..1], &args, counts), None, "a file is there");
            awaited(&texts, &args, counts).expect("a pipe is waited for")
        };
        assert_eq!(
            said("--top 5", true),
            format!("still reading {}: --top counts to its end", pipe.display())
        );
        for (line, counts, why) in [
            ("", false, "no address has come yet"),
            ("", true, "how often an address occurs"),
            ("--at-time", false, "--at-time knows"),
            ("--at-time --facet tag", true, "--facet counts"),
            ("--spend 5", true, "what --spend sends"),
        ] {
            assert!(said(line, counts).contains(why), "{line}");
        }
    }
}
