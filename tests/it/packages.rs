//! What packages are made of (`.ci/packages` makes, installs and removes them): what the program loads, the service of systemd, and what
//! SECURITY.md names.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The value of a key in a unit; none twice.
fn value<'a>(unit: &'a str, key: &str) -> &'a str {
    let mut values = unit
        .lines()
        .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let value = values.next().unwrap_or_else(|| panic!("{key} is missing"));
    assert_eq!(values.next(), None, "{key} is there twice");
    value
}

/// A library more is a package more that Depends and Requires must have.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_program_loads_what_packages_depend_on() {
    let output = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_ipspect"))
        .output()
        .expect("ldd");
    let text = String::from_utf8(output.stdout).expect("text");
    let libraries: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.trim().split_once(" => ").map(|(name, _)| name))
        .filter(|name| name.starts_with("lib"))
        .collect();
    // libc6 has the first and the last of them, libgcc-s1 the other.
    let expected = ["libc.so.6", "libgcc_s.so.1", "libm.so.6"];
    assert_eq!(libraries, BTreeSet::from(expected), "{text}");
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("\ndepends = \"$auto, libgcc-s1\"\n"));
}

/// The command of the service, as systemd starts it: without a home, in the directories that it names.
#[cfg(unix)]
#[test]
fn the_service_of_the_packages_runs_without_a_home() {
    let unit = read("assets/package/ipspect.service");
    let start = value(&unit, "ExecStart");
    assert_eq!(value(&unit, "UnsetEnvironment"), "HOME");
    let home = tempfile::tempdir().expect("a folder");
    let folder = |key: &str| -> PathBuf {
        assert_eq!(value(&unit, key), "ipspect");
        home.path().join(key)
    };
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ipspect"))
            .args(arguments)
            .arg("--demo")
            .current_dir("/")
            .env_clear()
            .envs(crate::pty::clock())
            .env("CONFIGURATION_DIRECTORY", folder("ConfigurationDirectory"))
            .env("CACHE_DIRECTORY", folder("CacheDirectory"))
            .env("STATE_DIRECTORY", folder("StateDirectory"))
            .output()
            .expect("the program");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        output
    };
    run(&["feeds", "pull", "dch", "--quiet"]);
    let mut words = start.split(' ');
    assert_eq!(words.next(), Some("/usr/bin/ipspect"));
    let output = run(&words.collect::<Vec<_>>());
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{output:?}"
    );
    let cache = folder("CacheDirectory").join("demo/feeds/dch");
    assert!(cache.is_dir(), "{}", cache.display());
    assert!(folder("StateDirectory").is_dir());
    // A user's service runs the same.
    assert_eq!(
        value(&read("assets/package/user.service"), "ExecStart"),
        start
    );
}

/// The functions of the sources below a folder.
fn functions(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            functions(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a source");
            let names = text.lines().filter_map(|line| line.split_once("fn "));
            found.extend(names.map(|(_, rest)| {
                let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
                rest.chars().take_while(|sign| is_part(*sign)).collect()
            }));
        }
    }
}

#[test]
fn each_test_that_security_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    functions(&root.join("src"), &mut found);
    functions(&root.join("tests"), &mut found);
    let text = read("SECURITY.md");
    let rows = text.lines().filter(|line| line.starts_with("| "));
    let shown = rows.filter_map(|row| row.trim_end_matches(" |").rsplit('|').next());
    let names: Vec<&str> = shown
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .filter(|name| !name.starts_with(".ci/"))
        .collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(found.contains(name), "SECURITY.md: there is no test {name}");
    }
}
