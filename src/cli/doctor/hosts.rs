//! The checks beyond this machine: the token's source, the hosts, their clock.

use super::check::{CheckLevel, DoctorCheck};
use crate::{
    contract::{Feed, Host},
    engine::{
        Engine, Error, Kind, Probed, Settings, named_roots, proxy_before, warehouse::UnreadableLoad,
    },
    model::Day,
    report::counted,
};

/// Whether there is a token, and where; never the token.
pub(super) async fn token(settings: &Settings) -> DoctorCheck {
    match settings.token.read().await {
        Ok(_) => DoctorCheck::fine("token", format!("from {}", settings.token.words())),
        Err(error) => DoctorCheck::failed("token", &error),
    }
}

/// What of this network stands between here and the hosts: proxies, and issuers of certificates that were named.
pub(super) fn network(settings: &Settings) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    match named_roots(&settings.network) {
        Ok(named) => checks.extend(named.into_iter().map(|roots| {
            let number = counted(roots.count as u64, "certificate");
            let finding = format!("also {number} of {} ({})", roots.place, roots.named_by);
            DoctorCheck::fine("certificates", finding)
        })),
        Err(error) => checks.push(DoctorCheck::failed("certificates", &error)),
    }
    let urls = Host::ALL.map(|host| Some((host, settings.url(host).ok()?.to_string())));
    let behind = urls.into_iter().flatten();
    let behind: Vec<_> = behind
        .map(|(host, url)| (host, proxy_before(&url)))
        .collect();
    if behind.iter().any(|(_, proxy)| proxy.is_some()) {
        checks.extend(behind.into_iter().map(|(host, proxy)| {
            let finding = match proxy {
                Some(proxy) => format!("the {host} host through the proxy at {proxy}"),
                None => format!("the {host} host without a proxy"),
            };
            DoctorCheck::fine("proxy", finding)
        }));
    }
    checks
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

/// The warehouse, where the profile names one: reached, with which rights, and how far its days go.
pub(super) async fn warehouse(engine: &Engine) -> Vec<DoctorCheck> {
    const ABOUT: &str = "warehouse";
    if !engine.warehouse.is_configured() {
        return Vec::new();
    }
    if engine.settings.offline {
        let advice = "run `ipspect doctor` without --offline";
        return vec![DoctorCheck::warning(ABOUT, "not asked: --offline", advice)];
    }
    let state = match engine.warehouse.state().await {
        Ok(state) => state,
        Err(error) => return vec![DoctorCheck::failed(ABOUT, &error)],
    };
    let rights = match state.may_load {
        Some(true) => "may load",
        Some(false) => "may ask, not load",
        None => "rights unknown",
    };
    let (place, version, user) = (&state.place, &state.version, &state.user);
    let who = format!("{place}: ClickHouse {version}, user {user}");
    if !state.has_tables {
        let advice = "`ipspect warehouse init` creates them";
        return vec![DoctorCheck::warning(
            ABOUT,
            format!("{who}; no tables"),
            advice,
        )];
    }
    let mut checks = vec![DoctorCheck::fine(ABOUT, format!("{who}, {rights}"))];
    let mut spans: Vec<(Feed, Day, Day, u64)> = Vec::new();
    for load in state.loads.readable() {
        match spans.last_mut() {
            Some((feed, _, last, days)) if *feed == load.feed => {
                (*last, *days) = (load.day, *days + 1);
            }
            _ => spans.push((load.feed, load.day, load.day, 1)),
        }
    }
    for (feed, first, last, days) in &spans {
        let (days, first) = (counted(*days, "day"), first.dashed());
        let last = last.dashed();
        let until = if last == first {
            String::new()
        } else {
            format!(" to {last}")
        };
        let finding = format!("{feed}: {days} loaded, {first}{until}");
        checks.push(DoctorCheck::fine(ABOUT, finding));
    }
    let unreadable = state.loads.unreadable();
    let failed = |load: &UnreadableLoad| DoctorCheck::failed(ABOUT, &load.why);
    checks.extend(unreadable.iter().map(failed));
    if spans.is_empty() && unreadable.is_empty() {
        let advice = "`ipspect warehouse load FEED` loads a local release";
        checks.push(DoctorCheck::warning(ABOUT, "no day is loaded", advice));
    }
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
