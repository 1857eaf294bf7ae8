//! What a warehouse refuses, in words and kinds: by the code of `ClickHouse`, which stands in a header or before the words.

use crate::{
    contract::Token,
    engine::error::{Error, Kind},
    model::visible,
};

/// A refusal that passes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    /// Nothing of it has begun.
    NotBegun,
    /// It may have begun, or be done.
    Unsettled,
}

/// Whether the same may go well a moment later.
pub(super) fn passing(code: u32) -> Option<Passing> {
    match code {
        // TOO_MANY_SIMULTANEOUS_QUERIES, SERVER_OVERLOADED
        202 | 745 => Some(Passing::NotBegun),
        // QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING, TOO_MANY_PARTS
        216 | 252 => Some(Passing::Unsettled),
        code if is_unsettled(code) => Some(Passing::Unsettled),
        _ => None,
    }
}

/// Whether the server cannot do it now: it ends or begins, or what it agrees with others by is not reached.
fn is_unsettled(code: u32) -> bool {
    // NETWORK_ERROR, NO_ZOOKEEPER, ABORTED, TABLE_IS_READ_ONLY, UNKNOWN_STATUS_OF_INSERT, UNFINISHED, CANNOT_SCHEDULE_TASK, KEEPER_EXCEPTION
    matches!(code, 210 | 225 | 236 | 242 | 319 | 341 | 439 | 999)
}

/// A refusal by status, before anything was answered, and its code.
pub(super) fn refused(
    status: u16,
    code: Option<u32>,
    said: &[u8],
    password: Option<&Token>,
) -> (Error, Option<u32>) {
    let (found, words) = words(said, password);
    let code = code.or(found);
    let error = of_code(code, &words, status);
    (error.status(status), code)
}

/// An error behind the beginning of an answer.
pub(super) fn late(said: &[u8], password: Option<&Token>) -> Error {
    let (code, words) = words(said, password);
    let error = of_code(code, &words, 200);
    let message = format!("the warehouse broke its answer off: {}", error.message);
    Error { message, ..error }
}

/// The error in an answer that has no rows, if it names one, and its code.
pub(super) fn named(said: &[u8], password: Option<&Token>) -> Option<(Error, u32)> {
    let (code, words) = words(said, password);
    code.map(|code| (of_code(Some(code), &words, 200), code))
}

pub(super) fn cut() -> Error {
    Error::new(Kind::Network, "the answer of the warehouse was cut off before its end")
        .hint("nothing of it is shown; check the network, and what is between here and it, then try again")
}

/// The code and the words of an exception, as one line without the password.
fn words(said: &[u8], password: Option<&Token>) -> (Option<u32>, String) {
    let text = String::from_utf8_lossy(said);
    let text = match password {
        Some(password) => password.hidden_in(&text, "password"),
        None => text.into_owned(),
    };
    // Of an exception within an exception the inner one says what it is about.
    let code = text.split("Code: ").nth(1).and_then(|rest| {
        let digits = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    let words = text.rsplit("DB::Exception: ").next().unwrap_or_default();
    // The statement is ours, and the version is what `doctor` says.
    let ends = [
        " (version ",
        " In scope ",
        ". Maybe you meant",
        ". (UNKNOWN",
    ];
    let words = ends.iter().fold(words, |words, end| {
        words.split(end).next().unwrap_or_default()
    });
    let words = words.trim_end_matches(['.', ' ', '\n']);
    let line: Vec<&str> = words.split_whitespace().collect();
    let short: String = line.join(" ").chars().take(200).collect();
    (code, visible(&short).into_owned())
}

fn of_code(code: Option<u32>, words: &str, status: u16) -> Error {
    let said = if words.is_empty() {
        String::new()
    } else {
        format!(": {words}")
    };
    let message = |what: &str| match code {
        Some(code) => format!("{what} (code {code}){said}"),
        None => format!("{what} ({status}){said}"),
    };
    let new = |kind, what: &str| Error::new(kind, message(what));
    match code {
        // WRONG_PASSWORD, REQUIRED_PASSWORD, UNKNOWN_USER, AUTHENTICATION_FAILED
        Some(192..=194 | 516) => new(Kind::Credentials, "the warehouse does not admit this user").hint(
            "set user in [profiles.NAME.warehouse], and its password by IPSPECT_WAREHOUSE_PASSWORD or password_command",
        ),
        // READONLY, IP_ADDRESS_NOT_ALLOWED, DATABASE_ACCESS_DENIED, ACCESS_DENIED
        Some(164 | 195 | 291 | 497) => new(Kind::Credentials, "the user of the warehouse may not do this").hint(
            "grant SELECT to ask; INSERT, ALTER DELETE and ALTER UPDATE to load; CREATE TABLE for `ipspect warehouse init`",
        ),
        // QUOTA_EXCEEDED
        Some(201) => new(Kind::RateLimit, "the quota of this user of the warehouse is used up")
            .hint("try again when its interval is over"),
        // TOO_MANY_ROWS, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES
        Some(158 | 307 | 396) => new(Kind::Contract, "the warehouse refuses to read so much at once")
            .hint("ask for less (a filter, fewer days), or raise max_rows_to_read and its like there"),
        // UNKNOWN_TABLE
        Some(60) => new(Kind::NotFound, "the warehouse has no tables of ipspect")
            .hint("`ipspect warehouse init` creates them"),
        // UNKNOWN_DATABASE
        Some(81) => new(Kind::NotFound, "the warehouse has no such database")
            .hint("set database in [profiles.NAME.warehouse], or create it there"),
        // NO_SUCH_COLUMN_IN_TABLE, NUMBER_OF_COLUMNS_DOESNT_MATCH, UNKNOWN_IDENTIFIER, TYPE_MISMATCH
        Some(16 | 20 | 47 | 53) => other_schema(&message("the tables of the warehouse are not those of this ipspect")),
        // MEMORY_LIMIT_EXCEEDED
        Some(241) => new(Kind::Contract, "the warehouse has too little memory for this")
            .hint("ask for less (a filter, fewer days), or raise max_memory_usage there"),
        // TOO_MANY_SIMULTANEOUS_QUERIES, TOO_MANY_PARTS, SERVER_OVERLOADED
        Some(202 | 252 | 745) => new(Kind::RateLimit, "the warehouse is busy").hint("try again later"),
        Some(code) if is_unsettled(code) => new(Kind::Network, "the warehouse cannot do this now")
            .hint("try again later; its log says more"),
        // QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING
        Some(216) => new(Kind::Network, "an earlier try to load this still runs in the warehouse")
            .hint("run it again in a minute to resume"),
        // QUERY_WAS_CANCELLED, QUERY_WAS_CANCELLED_BY_CLIENT
        Some(394 | 735) => new(Kind::Network, "somebody ended this in the warehouse").hint("try again later"),
        // SUPPORT_IS_DISABLED, QUERY_IS_PROHIBITED
        Some(344 | 392) => new(Kind::Contract, "the warehouse has this switched off")
            .hint("ipspect needs CREATE TABLE for `ipspect warehouse init`, and DELETE to load and to drop"),
        // POCO_EXCEPTION
        Some(1000) if words.contains("form fields") || words.contains("too long") => {
            new(Kind::Contract, "the filter is too long for the warehouse").hint("ask with a part of its values at a time")
        }
        // TIMEOUT_EXCEEDED, SOCKET_TIMEOUT
        Some(159 | 209) => new(Kind::Network, "the warehouse gave up for lack of time")
            .hint("ask for less, or raise max_execution_time there"),
        // NOT_ENOUGH_SPACE
        Some(243) => new(Kind::Contract, "the disk of the warehouse is full")
            .hint("free some there (`ipspect warehouse drop` removes days), or ask for less"),
        _ if matches!(status, 401 | 403) => new(Kind::Credentials, "the warehouse, or a proxy before it, refuses this user")
            .hint("check user and password, and the URL"),
        None if matches!(status, 502..=504) => new(Kind::Network, "the warehouse is not reached by what is before it")
            .hint("try again later"),
        None if status == 200 => new(Kind::Integrity, "the answer is no answer of a warehouse")
            .hint("check that url in [profiles.NAME.warehouse] is the HTTP interface of ClickHouse"),
        None => new(Kind::Contract, "the warehouse answered with an error")
            .hint("check that url in [profiles.NAME.warehouse] is the HTTP interface of ClickHouse"),
        Some(_) => new(Kind::Contract, "the warehouse failed").hint("its log says more"),
    }
}

/// A server that would give the first part of an answer without a word.
pub(super) fn cuts_answers(setting: &str, wanted: &str) -> Error {
    let message = format!("the warehouse gives a part of a long answer for all of it ({setting})");
    Error::new(Kind::Contract, message).hint(format!(
        "set {setting} = '{wanted}' in the profile of this user there"
    ))
}

/// A server that does not say whether its answers are whole.
pub(super) fn unknown_setting(setting: &str) -> Error {
    let message = format!("the warehouse does not name its setting {setting}");
    Error::new(Kind::Contract, message)
        .hint("without it a part of an answer may pass for all; ipspect is made for ClickHouse of version 23.8 and later")
}

/// An answer that lacks the row that every server gives.
pub(super) fn no_answer() -> Error {
    Error::new(Kind::Integrity, "the warehouse answered with nothing")
        .hint("check that url in [profiles.NAME.warehouse] is the HTTP interface of ClickHouse")
}

/// An answer that says less, or other things, than it must.
pub(super) fn unreadable(message: &str) -> Error {
    Error::new(Kind::Integrity, message)
        .hint("nothing of it is used; run it again, and where it stays look at what is between here and the warehouse")
}

/// Tables with other columns, or of another version.
pub(super) fn other_schema(message: &str) -> Error {
    Error::new(Kind::Contract, message)
        .hint("use the ipspect that made them, or another database, in which `ipspect warehouse init` creates them anew")
}
