//! The checks beyond this machine: the token's source, the hosts, their clock.

use super::check::{CheckLevel, DoctorCheck};
use crate::{
    contract::Host,
    engine::{Engine, Error, Kind, Probed, Settings},
};

/// Whether there is a token, and where; never the token.
pub(super) async fn token(settings: &Settings) -> DoctorCheck {
    match settings.token.read().await {
        Ok(_) => DoctorCheck::fine("token", format!("from {}", settings.token.words())),
        Err(error) => DoctorCheck::failed("token", &error),
    }
}

/// Each host: configured, reached, and what it answered.
pub(super) async fn all(engine: &Engine, has_token: bool) -> Vec<DoctorCheck> {
    let settings = &engine.settings;
    let (there, missing): (Vec<Host>, Vec<Host>) = Host::ALL
        .into_iter()
        .partition(|host| settings.url(*host).is_ok());
    let mut checks: Vec<DoctorCheck> = Vec::new();
    if there.is_empty() {
        let error = Error::new(
            Kind::Usage,
            "base_url, feeds_url and exports_url are not set",
        );
        let advice = "set them in the profile (`ipspect doctor --sample` prints one)";
        return vec![DoctorCheck::failed("hosts", &error.hint(advice))];
    }
    for host in missing {
        let finding = format!("{} is not set: the {host} host has no address", host.key());
        checks.push(DoctorCheck::warning(
            "hosts",
            finding,
            "set it in the profile if the account has this host".to_owned(),
        ));
    }
    if settings.offline || !has_token {
        let (why, advice) = if settings.offline {
            ("--offline", "run `ipspect doctor` without --offline")
        } else {
            ("without a token", "`ipspect login` stores one")
        };
        checks.push(DoctorCheck::warning(
            "hosts",
            format!("not asked: {why}"),
            advice,
        ));
        return checks;
    }
    let probed = engine.live.probe().await;
    let access = engine.account.access();
    for Probed { area, outcome, .. } in probed {
        if !there.contains(&area.host()) {
            continue;
        }
        let finding = format!(
            "{} on {}: {}",
            area.word(),
            area.host(),
            access.meaning(area)
        );
        checks.push(match outcome {
            Ok(()) => DoctorCheck::fine("hosts", finding),
            Err(error) => refused(&error, finding),
        });
    }
    checks.extend(clock(engine));
    checks
}

/// A right that the account does not have is not an error; an invalid token and an unreachable host are.
fn refused(error: &Error, finding: String) -> DoctorCheck {
    let level = match (error.kind, error.status) {
        (Kind::Credentials, Some(403)) | (Kind::Quota | Kind::RateLimit | Kind::NotFound, _) => {
            CheckLevel::Warning
        }
        (kind, _) => CheckLevel::Failed(kind),
    };
    let finding = if error.status.is_some() {
        finding
    } else {
        format!("{finding}: {}", error.message)
    };
    DoctorCheck {
        level,
        finding,
        ..DoctorCheck::failed("hosts", error)
    }
}

fn clock(engine: &Engine) -> Option<DoctorCheck> {
    // Without an answer there is no clock to compare with.
    engine.account.balance()?;
    Some(match engine.clock_off() {
        None => DoctorCheck::fine("clock", "within five minutes of the service's clock"),
        Some(seconds) => {
            let finding = format!(
                "{} minutes off the service's clock",
                seconds.unsigned_abs() / 60
            );
            DoctorCheck::warning(
                "clock",
                finding,
                "set the clock: dates and freshness depend on it",
            )
        }
    })
}
