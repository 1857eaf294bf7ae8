//! What is beyond this machine: the token's source, the hosts, their clock.

use super::check::{Check, Level};
use crate::{
    contract::Host,
    engine::{Engine, Error, Kind, Probed, Settings},
};

/// Whether there is a token, and where; never the token.
pub(super) async fn token(settings: &Settings) -> Check {
    match settings.token.read().await {
        Ok(_) => Check::fine("token", format!("from {}", settings.token.words())),
        Err(error) => Check::failed("token", &error),
    }
}

/// Each host: configured, reached, and what it said.
pub(super) async fn all(engine: &Engine, has_token: bool) -> Vec<Check> {
    let settings = &engine.settings;
    let (there, missing): (Vec<Host>, Vec<Host>) = Host::ALL
        .into_iter()
        .partition(|host| settings.url(*host).is_ok());
    let mut checks: Vec<Check> = Vec::new();
    if there.is_empty() {
        let error = Error::new(Kind::Usage, "no address of the service is configured");
        let advice = "set base_url, feeds_url and exports_url in the profile (`ipspect doctor --sample` prints one)";
        return vec![Check::failed("hosts", &error.hint(advice))];
    }
    for host in missing {
        let said = format!("{host}: no address configured");
        checks.push(Check::warning(
            "hosts",
            said,
            format!("set {} in the profile if the account has it", host.key()),
        ));
    }
    if settings.offline || !has_token {
        let why = if settings.offline {
            "--offline"
        } else {
            "without a token"
        };
        checks.push(Check::warning(
            "hosts",
            format!("not asked: {why}"),
            "ask them with `ipspect doctor`",
        ));
        return checks;
    }
    let access_before = engine.live.probe().await;
    let access = engine.account.access();
    for Probed { area, outcome, .. } in access_before {
        if !there.contains(&area.host()) {
            continue;
        }
        let said = format!(
            "{} on {}: {}",
            area.word(),
            area.host(),
            access.meaning(area)
        );
        checks.push(match outcome {
            Ok(()) => Check::fine("hosts", said),
            Err(error) => refused(&error, said),
        });
    }
    checks.extend(clock(engine));
    checks
}

/// A right that the account does not have is no fault; an invalid token and a host that is not there are.
fn refused(error: &Error, said: String) -> Check {
    let level = match (error.kind, error.status) {
        (Kind::Credentials, Some(403)) | (Kind::Quota | Kind::RateLimit | Kind::NotFound, _) => {
            Level::Warning
        }
        (kind, _) => Level::Failed(kind),
    };
    let said = if error.status.is_some() {
        said
    } else {
        format!("{said}: {}", error.message)
    };
    Check {
        level,
        about: "hosts",
        said,
        advice: error.hint.clone(),
    }
}

fn clock(engine: &Engine) -> Option<Check> {
    // Without an answer there is no clock to compare with.
    engine.account.balance()?;
    Some(match engine.clock_off() {
        None => Check::fine("clock", "within five minutes of the service's"),
        Some(seconds) => {
            let said = format!("{} minutes off the service's", seconds.unsigned_abs() / 60);
            Check::warning(
                "clock",
                said,
                "set the clock: dates and freshness depend on it",
            )
        }
    })
}
