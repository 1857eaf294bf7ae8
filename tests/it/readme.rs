//! Every line of the README runs as it is, in its order, on a machine that has nothing of this program.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
};

/// A line of a block of shell commands, and its comment.
struct Line<'a> {
    command: &'a str,
    comment: &'a str,
}

/// The lines of the blocks marked `sh`, in order.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut in_block = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => in_block = true,
            "```" => in_block = false,
            "" => {}
            line if in_block => {
                let (command, comment) = line.split_once("  #").unwrap_or((line, ""));
                lines.push(Line {
                    command: command.trim(),
                    comment,
                });
            }
            _ => {}
        }
    }
    lines
}

#[test]
fn each_line_of_the_readme_runs() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let home = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_ipspect"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(env::var_os("PATH").unwrap_or_default());
    let mut ran = 0;
    for Line { command, comment } in lines(&readme) {
        // What cargo runs is this test, or needs a terminal: `explorer` drives the demo in one.
        if command.starts_with("cargo ") {
            continue;
        }
        let done = Command::new("sh")
            .args(["-c", command])
            .current_dir(home.path())
            .env_clear()
            .envs(crate::pty::clock())
            .env("PATH", &path)
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let expected = if comment.contains("(exit 2)") { 2 } else { 0 };
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(expected), "{command}\n{errors}");
        if expected == 0 {
            let told =
                !done.stdout.is_empty() || !done.stderr.is_empty() || command.contains(" > ");
            assert!(told, "{command} prints nothing");
        }
        ran += 1;
    }
    assert!(ran >= 15, "only {ran} lines were found");
}

#[test]
fn a_comment_ends_a_command() {
    let text = "```sh\na --b '#1'  # c (exit 2)\n```\nnot this\n```sh\nd\n```";
    let lines = lines(text);
    let commands: Vec<&str> = lines.iter().map(|line| line.command).collect();
    assert_eq!(commands, ["a --b '#1'", "d"]);
    assert!(lines[0].comment.contains("(exit 2)"));
}
