//! The checks of this machine: configuration, folders, cache.

use std::{
    env,
    io::{self, IsTerminal},
    path::Path,
};

use super::check::DoctorCheck;
use crate::{
    cli::console::Console,
    contract::{Feed, Host},
    engine::{
        Engine, Settings, credentials, is_there,
        locale::{self, LocaleEncoding},
        paths,
    },
    report::{counted, size},
    store::{lines::SetAside, owner::OwnerMark, space::free_space},
};

/// Below this free space doctor warns: one daily feed takes several times as much.
const LITTLE: u64 = 4 << 30;

/// Which file was read, and which profile is used.
pub(super) fn configuration(settings: &Settings) -> DoctorCheck {
    let file = settings.config_file.display();
    let state = if settings.config_file.exists() {
        "read"
    } else {
        "not found, so defaults apply"
    };
    let finding = format!("{file}: {state}; profile {}", settings.profile);
    let configured = Host::ALL
        .into_iter()
        .filter(|host| settings.service.url(*host).is_some())
        .count();
    if configured > 0 {
        return DoctorCheck::fine("configuration", finding);
    }
    DoctorCheck::warning(
        "configuration",
        finding,
        "start with `ipspect doctor --sample`, or look around with `ipspect demo`",
    )
}

/// What others may not do in a folder: enter it, or change what is there.
const ENTER: u32 = 0o077;
const CHANGE: u32 = 0o022;

/// The three folders and whether they are for their owner only; what is configured may be read by others, such as the user that a service of
/// systemd runs as.
pub(super) fn folders(settings: &Settings) -> Vec<DoctorCheck> {
    let paths = &settings.paths;
    [
        ("config folder", &paths.config, CHANGE),
        ("cache folder", &paths.cache, ENTER),
        ("state folder", &paths.state, ENTER),
    ]
    .into_iter()
    .map(|(about, path, barred)| folder(about, path, barred))
    .collect()
}

fn folder(about: &'static str, path: &Path, barred: u32) -> DoctorCheck {
    let shown = path.display();
    match paths::inspect(path) {
        Err(error) => DoctorCheck::failed(about, &error),
        Ok(None) => DoctorCheck::fine(
            about,
            format!("{shown}: does not exist yet, created when needed"),
        ),
        Ok(Some(mode)) if mode & barred != 0 => {
            let (what, kept) = match barred {
                CHANGE => ("change", mode & !CHANGE),
                _ => ("access", 0o700),
            };
            DoctorCheck::warning(
                about,
                format!("{shown}: other users can {what} it (mode {mode:o})"),
                format!("run: chmod {kept:o} {shown}"),
            )
        }
        Ok(Some(_)) => DoctorCheck::fine(about, format!("{shown}: writable, for its owner only")),
    }
}

/// Log files that cannot be written: queries would be refused, or spent without a line in the ledger.
pub(super) fn files(engine: &Engine) -> Vec<DoctorCheck> {
    let paths = &engine.settings.paths;
    let files = [
        ("log", paths.state.join("log")),
        ("ledger", paths.state.join("ledger")),
    ];
    let faults = files.into_iter().filter_map(|(about, path)| {
        let error = paths::inspect_file(&path).err()?;
        let advice = format!("make it a file that you can write: {}", path.display());
        Some(DoctorCheck::failed(about, &error.hint(advice)))
    });
    let feeds = engine.releases.cache().feeds_dir().to_owned();
    let feeds = is_there(&feeds)
        .then(|| paths::inspect(&feeds))
        .and_then(Result::err);
    faults
        .chain(feeds.map(|error| DoctorCheck::failed("cache", &error)))
        .collect()
}

/// The unused token file of a killed `login`.
pub(super) fn leftover_token(settings: &Settings) -> Option<DoctorCheck> {
    let left = credentials::leftover(&settings.profile, &settings.paths.config)?;
    Some(DoctorCheck::warning(
        "token",
        format!("{} holds a token that a killed login left", left.display()),
        "`ipspect logout` removes it, `ipspect login` overwrites it",
    ))
}

/// What earlier runs saved: the trail, the ledger, and untrusted entries in them.
pub(super) fn state(engine: &Engine) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    checks.push(match engine.trail.read() {
        Ok(trail) => kept("log", trail.entries.len(), trail.set_aside),
        Err(error) => DoctorCheck::failed("log", &error),
    });
    // The key is known with the token.
    drop(engine.account.access());
    match engine.account.ledger.statement() {
        Ok(account) => {
            checks.push(kept("ledger", account.spent.len(), account.set_aside));
            let warning = |fault| {
                let advice = "restore the file from a backup, or let the balances be learnt again";
                DoctorCheck::warning("ledger", fault, advice)
            };
            checks.extend(account.key_fault().map(warning));
        }
        Err(error) => checks.push(DoctorCheck::failed("ledger", &error)),
    }
    let history = engine.settings.paths.state.join("history");
    if is_there(&history) {
        let finding = format!(
            "{}: the trail of an older version, not read",
            history.display()
        );
        checks.push(DoctorCheck::warning("log", finding, "remove the file"));
    }
    for (about, aside) in [
        ("log", engine.trail.count_aside()),
        ("ledger", engine.account.ledger.count_aside()),
    ] {
        match aside {
            Ok((0, _)) => {}
            Ok((count, path)) => checks.push(DoctorCheck::warning(
                about,
                format!("{}: lines set aside earlier: {count}", path.display()),
                "look at the file, then remove it",
            )),
            Err(error) => checks.push(DoctorCheck::failed(about, &error)),
        }
    }
    checks
}

fn kept(about: &'static str, count: usize, set_aside: SetAside) -> DoctorCheck {
    let entries = counted(count as u64, "entry");
    if set_aside.count() == 0 {
        return DoctorCheck::fine(about, entries);
    }
    DoctorCheck::warning(
        about,
        format!("{entries}; {set_aside}"),
        "they stay in the file and are not used; `:forget` in the explorer removes those of the trail",
    )
}

/// The contents of the cache, its unusable releases, and the free space.
pub(super) fn cache(engine: &Engine) -> Vec<DoctorCheck> {
    let cache = engine.releases.cache();
    let (mut releases, mut held, mut faults, mut parts) = (0_usize, 0_u64, Vec::new(), 0_usize);
    for feed in Feed::all() {
        let inventory = engine.releases.inventory(feed);
        releases += inventory.releases.len();
        let sizes = inventory.releases.iter();
        held += sizes.map(|release| release.manifest.bytes).sum::<u64>();
        faults.extend(inventory.unusable);
        let unlisted = inventory.unlisted.iter();
        faults.extend(unlisted.map(|error| format!("{feed}: {error}")));
        match engine.releases.count_partial(feed) {
            Ok(count) => parts += count,
            Err(error) => {
                let part_dir = cache.part_dir(feed);
                faults.push(format!("{}: {error}", part_dir.display()));
            }
        }
    }
    let partial = if parts > 0 {
        format!(", {parts} partial: the next pull resumes")
    } else {
        String::new()
    };
    let mut checks = vec![DoctorCheck::fine(
        "cache",
        format!(
            "{releases} releases, {}{partial}, in {}",
            size(held),
            cache.feeds_dir().display()
        ),
    )];
    checks.extend(owner(engine));
    checks.extend(faults.into_iter().map(|fault| {
        DoctorCheck::warning(
            "cache",
            format!("cannot be used: {fault}"),
            "pull that release again",
        )
    }));
    checks.extend(free_space(&engine.settings.paths.cache).map(room));
    checks
}

/// An invalid owner mark.
fn owner(engine: &Engine) -> Option<DoctorCheck> {
    match engine.releases.mark() {
        OwnerMark::Damaged(why) => Some(DoctorCheck::warning(
            "cache",
            format!("the file that names the feeds' service cannot be used: {why}"),
            "the next `ipspect feeds pull` rewrites it",
        )),
        OwnerMark::Missing | OwnerMark::Names(_) => None,
    }
}

fn room(free: u64) -> DoctorCheck {
    let finding = format!("{} free on the disk of the cache", size(free));
    if free < LITTLE {
        DoctorCheck::warning(
            "space",
            finding,
            "choose another place with --cache-dir before pulling large feeds",
        )
    } else {
        DoctorCheck::fine("space", finding)
    }
}

/// What the explorer can count on.
pub(super) fn terminal(console: &Console) -> DoctorCheck {
    let value = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let term = value("TERM");
    let colours = if console.style().is_on() {
        "colours"
    } else {
        "no colours"
    };
    let encoding = locale::encoding(value);
    let utf8 = encoding.is_utf8();
    let encoding = match encoding {
        LocaleEncoding::Utf8 => "UTF-8",
        LocaleEncoding::Unset => "no locale, taken for UTF-8",
        LocaleEncoding::Other(_) => "not UTF-8",
    };
    let stream = if io::stdout().is_terminal() {
        "a terminal"
    } else {
        "no terminal"
    };
    let finding = format!(
        "{stream}, TERM={}, {colours}, {encoding}",
        term.as_deref().unwrap_or("unset")
    );
    let advice = if term.as_deref().is_none_or(|term| term == "dumb") {
        Some("the explorer needs a terminal that can move its cursor")
    } else if !utf8 {
        Some(
            "set LANG to a UTF-8 locale to see names in other letters; the explorer draws with ASCII now",
        )
    } else if value("TMUX").is_some() {
        Some("copying needs OSC 52, which tmux passes on with: set -g set-clipboard on")
    } else {
        None
    };
    match advice {
        Some(advice) => DoctorCheck::warning("terminal", finding, advice),
        None => DoctorCheck::fine("terminal", format!("{finding}; copies with OSC 52")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{super::CheckLevel, *};

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_can_enter_is_named_with_its_mode() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().expect("directory");
        let level = |path: &Path| folder("state folder", path, ENTER).level;
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).expect("chmod");
        assert_eq!(level(root.path()), CheckLevel::Warning);
        let config = |mode| {
            fs::set_permissions(root.path(), fs::Permissions::from_mode(mode)).expect("chmod");
            folder("config folder", root.path(), CHANGE)
        };
        assert_eq!(config(0o755).level, CheckLevel::Fine);
        let changed = config(0o775);
        assert_eq!(changed.level, CheckLevel::Warning);
        assert!(changed.finding.contains("can change it (mode 775)"));
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o700)).expect("chmod");
        assert_eq!(level(root.path()), CheckLevel::Fine);
        assert_eq!(level(&root.path().join("none")), CheckLevel::Fine);
        let file = root.path().join("file");
        fs::write(&file, "x").expect("write");
        assert!(matches!(level(&file), CheckLevel::Failed(_)));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_found_before_it_is_needed() {
        let root = tempfile::tempdir().expect("directory");
        assert_eq!(
            folder("state folder", &root.path().join("a/b"), ENTER).level,
            CheckLevel::Fine
        );
        // No folder can be made there, even as root.
        #[cfg(target_os = "linux")]
        {
            let check = folder("state folder", Path::new("/proc/ipspect/state"), ENTER);
            assert!(matches!(check.level, CheckLevel::Failed(_)), "{check:?}");
            assert!(check.finding.contains("/proc/ipspect/state"), "{check:?}");
        }
        let ledger = root.path().join("ledger");
        assert!(paths::inspect_file(&ledger).is_ok() && !ledger.exists());
        fs::create_dir(&ledger).expect("folder");
        assert!(paths::inspect_file(&ledger).is_err());
    }

    #[test]
    fn little_room_is_worth_a_word() {
        assert_eq!(room(1 << 30).level, CheckLevel::Warning);
        assert_eq!(room(1 << 40).level, CheckLevel::Fine);
    }
}
