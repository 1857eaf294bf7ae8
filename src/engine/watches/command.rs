//! The command that is told of changes. It gets no shell, no token, and no more time than it should need.

use std::{process::Stdio, time::Duration};

use tokio::io::AsyncWriteExt;

use crate::engine::{
    account::credentials::{VARIABLE, WAREHOUSE_VARIABLE},
    error::{Error, Kind, Result},
};

/// How long it may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// Runs a command with this on its standard input; nothing where there is none. What it prints is not read.
pub(super) async fn run(command: &[String], input: String) -> Result<()> {
    run_for(command, input, PATIENCE).await
}

async fn run_for(command: &[String], input: String, patience: Duration) -> Result<()> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(());
    };
    let failed = |why: String| {
        Error::new(Kind::Machine, format!("on_change {program:?} {why}"))
            .hint("the next check hands the changes to it again")
    };
    let run = async {
        let mut child = tokio::process::Command::new(program)
            .args(arguments)
            .env_remove(VARIABLE)
            .env_remove(WAREHOUSE_VARIABLE)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // Whether it reads all of it is its own affair.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
        child.wait().await
    };
    let status = tokio::time::timeout(patience, run)
        .await
        .map_err(|_| failed(format!("did not end within {} s", patience.as_secs())))?
        .map_err(|error| failed(format!("could not be run: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(failed(format!("failed ({status})")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn of(words: &[&str], patience: Duration) -> Result<()> {
        let command: Vec<String> = words.iter().map(ToString::to_string).collect();
        // More than a pipe holds.
        run_for(&command, "{}\n".repeat(100_000), patience).await
    }

    #[tokio::test]
    async fn a_command_that_fails_hangs_or_floods_ends() {
        let long = Duration::from_mins(1);
        of(&[], long).await.expect("none");
        of(&["sh", "-c", "cat >/dev/null"], long)
            .await
            .expect("it reads");
        of(&["true"], long).await.expect("it does not read");
        of(&["sh", "-c", "yes | head -c 10000000"], long)
            .await
            .expect("it floods");
        for (words, said) in [
            (&["false"][..], "failed (exit status: 1)"),
            (&["/nowhere/at/all"], "could not be run"),
        ] {
            let error = of(words, long).await.expect_err(said);
            assert!(error.message.contains(said), "{error}");
        }
        let error = of(&["sleep", "1000"], Duration::ZERO)
            .await
            .expect_err("it hangs");
        assert!(error.message.contains("did not end within 0 s"), "{error}");
    }
}
