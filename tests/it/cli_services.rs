//! Downloaded feeds of two services: apart on the disk, apart in answers.

use std::fs;

use ipspect::{
    contract::Host,
    demo::{DemoRole, RANGES},
};

use crate::service::{Home, Service};

/// A home with a profile for each service, and both services.
fn two() -> (Home, [Service; 2]) {
    let services = [Service::start(), Service::start()];
    let home = services[0].home(DemoRole::Full);
    let profile = |name: &str, service: &Service| {
        let urls = Host::ALL.map(|host| format!("{} = {:?}\n", host.key(), service.demo.url(host)));
        let ranges = RANGES.map(|range| format!("\"{range}\"")).join(", ");
        format!(
            "[profiles.{name}]\n{}treat_as_public = [{ranges}]\n",
            urls.concat()
        )
    };
    let [first, second] = &services;
    home.configure(&(profile("default", first) + &profile("other", second)));
    (home, services)
}

/// The folders in which feeds lie.
fn folders(home: &Home) -> Vec<String> {
    let entries = fs::read_dir(home.path("cache")).expect("cache").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.starts_with("feeds")).collect();
    names.sort();
    names
}

#[test]
fn feeds_of_two_services_are_kept_and_answered_apart() {
    let (home, _services) = two();
    // The first that pulls has the folder, whichever profile it is.
    home.run("feeds pull dch --profile other").ends(0);
    assert_eq!(folders(&home), ["feeds"]);
    assert!(home.path("cache/feeds/dch").is_dir());
    home.run("search dch --count --profile other").ends(0);
    home.run("search dch --count").ends(10);
    home.run("lookup 198.51.100.77 --source local").ends(10);
    home.run("feeds pull dch").ends(0);
    let [_, own] = &folders(&home)[..] else {
        panic!("{:?}", folders(&home))
    };
    assert!(own.starts_with("feeds-"), "{own}");
    home.run("search dch --count").ends(0);
    // What is done in one is not done in the other.
    home.run("feeds rm dch --all").ends(0);
    home.run("search dch --count").ends(10);
    home.run("search dch --count --profile other").ends(0);
    home.run("doctor --offline").shows(own);
    let named = home.run("feeds info dch --offline");
    named.ends(0).shows(own);
    home.run("feeds --offline").ends(0).says(own);
    home.run("feeds --offline --profile other --format json")
        .ends(0);
}

#[test]
fn the_url_decides_whatever_sets_it() {
    let (home, services) = two();
    home.run("feeds pull dch").ends(0);
    let with = |line: &str, service: &Service| {
        let mut command = home.command(line);
        command.env("IPSPECT_FEEDS_URL", service.demo.url(Host::Feeds));
        let status = command.output().expect("run").status;
        status.code()
    };
    let [first, second] = &services;
    assert_eq!(with("search dch --count", first), Some(0));
    assert_eq!(with("search dch --count --profile other", first), Some(0));
    assert_eq!(with("search dch --count", second), Some(10));
    assert_eq!(with("feeds pull dch", second), Some(0));
    assert_eq!(folders(&home).len(), 2);
    home.run("search dch --count --profile other").ends(0);
}

#[test]
fn a_release_of_another_service_is_not_believed() {
    let (home, _services) = two();
    home.run("feeds pull dch").ends(0);
    home.run("feeds pull dch --profile other").ends(0);
    let other = home.path("cache").join(&folders(&home)[1]);
    fs::remove_dir_all(home.path("cache/feeds/dch")).expect("removed");
    fs::rename(other.join("dch"), home.path("cache/feeds/dch")).expect("moved");
    home.run("search dch --count").ends(7).says("pulled from");
    // Nor is it made one of this service.
    home.run("feeds reindex dch").ends(7);
    home.run("feeds pull dch").ends(0);
    home.run("search dch --count").ends(0);
}

#[test]
fn a_demo_has_one_folder_of_its_own() {
    let home = Home::empty();
    home.run("feeds pull dch --demo").ends(0);
    home.run("search dch --count --demo").ends(0);
    let again = home.run("feeds pull dch --demo --format json");
    assert_eq!(again.ends(0).line()["was_here"], true);
    assert!(home.path("cache/demo/feeds/dch").is_dir());
    assert_eq!(folders(&home), [""; 0]);
}
