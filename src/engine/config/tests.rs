//! Which texts are accepted, which are refused, and the messages.

use super::{
    mistake::{ConfigMistake, TOKEN_HINT, mistake},
    *,
};

#[test]
fn the_sample_is_valid_and_says_the_defaults() {
    let config = Config::parse(SAMPLE).expect("sample");
    assert_eq!(config.network, RequestLimits::default());
    assert_eq!(config.cache, CacheLimits::default());
    assert_eq!(config.guards, GuardSettings::default());
    assert_eq!(config.ui, Ui::default());
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let root = tempfile::tempdir().expect("directory");
    let fifo = root.path().join("config.toml");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    for path in [&fifo, Path::new("/dev/zero")] {
        let error = Config::load(path, true).expect_err("no file");
        assert_eq!(error.kind, Kind::Machine);
        assert!(error.message.contains("not a regular file"), "{error}");
    }
    let long = root.path().join("long.toml");
    std::fs::write(&long, "#".repeat(2 << 20)).expect("write");
    let error = Config::load(&long, true).expect_err("too long");
    assert_eq!(error.kind, Kind::Usage);
}

fn words(text: &str) -> String {
    let ConfigMistake { message, hint } = mistake(text, &Config::parse(text).expect_err(text));
    format!("{message}\n  {hint}")
}

#[test]
fn each_mistake_names_key_and_mend() {
    for (text, expected) in [
        (
            "profil = 'x'",
            "line 1, column 1: there is no key profil\n  did you mean profile?",
        ),
        (
            "[cache]\nkeep_realeases = 3",
            "line 2, column 1: there is no key keep_realeases in [cache]\n  did you mean keep_releases?",
        ),
        (
            "attempts = 3",
            "line 1, column 1: there is no key attempts\n  attempts belongs to [network]",
        ),
        (
            "[guard]\nwarn_below = 3",
            "line 1, column 2: there is no table [guard]\n  did you mean guards?",
        ),
        (
            "[[guards]]",
            "line 1, column 1: [guards] needs single brackets\n  write [guards]",
        ),
        (
            "[guards]\nwarn_below = 'many'",
            "line 2, column 14: warn_below must be a whole number, 0 or more\n  for example warn_below = 1000",
        ),
        (
            "[guards]\nwarn_below = -1",
            "line 2, column 14: warn_below must be a whole number, 0 or more\n  for example warn_below = 1000",
        ),
        (
            "[network]\nattempts = 2.5",
            "line 2, column 12: attempts must be a whole number, 0 or more\n  for example attempts = 5",
        ),
        (
            "[network]\nattempts = 0",
            "line 2, column 12: attempts must be at least 1\n  for example attempts = 5",
        ),
        (
            "[ui]\ntheme = 'drak'",
            "line 2, column 9: theme must be terminal, auto, dark, light or high-contrast\n  did you mean theme = \"dark\"?",
        ),
        (
            "[ui]\nmouse = 'yes'",
            "line 2, column 9: mouse must be true or false\n  for example mouse = false",
        ),
        (
            "[profiles.a]\ntreat_as_public = ['198.51.100.0/33']",
            "line 2, column 19: treat_as_public: prefix length 33 exceeds 32",
        ),
    ] {
        let words = words(text);
        assert!(words.starts_with(expected), "{text:?}: {words}");
    }
}

#[test]
fn a_token_is_sent_elsewhere() {
    for text in ["token = 'x'", "[profiles.a]\napi_token = 'x'"] {
        assert!(words(text).ends_with(TOKEN_HINT), "{text}");
    }
}

#[test]
fn a_mistake_does_not_repeat_what_the_file_says() {
    for text in [
        "token = 'secret-1'",
        "[profiles.a]\ntoken_command = 'secret-1'",
        "profile = 'secret-1",
        "[ui]\nmouse = 'secret-1'",
        "[ui]\ntheme = 'secret-1'",
        "[profiles.a]\ntreat_as_public = ['secret-1']",
        "profile = secret-1",
        "secret-1",
    ] {
        let ConfigMistake { message, hint } = mistake(text, &Config::parse(text).expect_err(text));
        let words = format!("{message} {hint}");
        assert!(
            !words.contains("secret-1") && !words.contains('\n'),
            "{words}"
        );
        assert!(message.starts_with("line "), "{message}");
    }
}
