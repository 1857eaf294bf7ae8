//! A newest release that cannot be used: no command answers from an older one in its place, and each way out leads out.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Stdio,
};

use ipspect::{demo::DemoRole, model::Day, store::checksum::sign};

use crate::service::{Home, Ran, Service};

const FEED: &str = "anonymous";
const ADDRESS: &str = "198.51.100.77";

fn today() -> Day {
    Day::of(jiff::Timestamp::now())
}

/// Two days of a feed, and another feed.
struct Cache {
    home: Home,
    /// The newest day and an older one.
    days: [Day; 2],
    _service: Service,
}

impl Cache {
    fn new() -> Self {
        let service = Service::start();
        let home = service.home(DemoRole::Full);
        let days = [today().plus(-1), today().plus(-2)];
        for line in [
            format!("feeds pull {FEED} --date {}", days[0]),
            format!("feeds pull {FEED} --date {}", days[1]),
            "feeds pull dch".to_owned(),
        ] {
            home.run(&line).ends(0);
        }
        Self {
            home,
            days,
            _service: service,
        }
    }

    fn manifest(&self, day: Day) -> PathBuf {
        self.home
            .path(&format!("cache/feeds/{FEED}/{day}/feed.json"))
    }

    fn newest(&self) -> PathBuf {
        self.manifest(self.days[0])
    }

    fn enrich(&self, line: &str) -> Ran {
        let mut child = self
            .home
            .command(line)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start");
        let mut input = child.stdin.take().expect("input");
        writeln!(input, "{ADDRESS}").expect("written");
        drop(input);
        Ran::of(child.wait_with_output().expect("ended"))
    }
}

/// The ways in which a manifest becomes unusable.
fn spoil(cache: &Cache, how: &str) {
    let path = cache.newest();
    let text = fs::read(&path).expect("manifest");
    match how {
        "cut" => fs::write(&path, &text[..text.len() / 2]).expect("cut"),
        "empty" => fs::write(&path, "").expect("empty"),
        "of another day" => {
            fs::copy(cache.manifest(cache.days[1]), &path).expect("copied");
        }
        "of another feed" => {
            let dch = cache.home.path("cache/feeds/dch");
            let day = entries(&dch).into_iter().next().expect("a day");
            fs::copy(dch.join(day).join("feed.json"), &path).expect("copied");
        }
        "of an older version" => {
            let mut manifest: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
            let manifest = manifest.as_object_mut().expect("object");
            manifest.remove("checksum");
            manifest.insert("version".to_owned(), 1.into());
            let text = serde_json::to_string_pretty(manifest).expect("JSON");
            fs::write(&path, text).expect("older");
        }
        "unreadable" => {
            fs::remove_file(&path).expect("removed");
            fs::create_dir(&path).expect("in the way");
        }
        _ => panic!("{how}"),
    }
}

fn entries(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).expect("folder").map(|entry| {
        let name = entry.expect("entry").file_name();
        name.to_string_lossy().into_owned()
    });
    names.filter(|name| !name.starts_with('.')).collect()
}

#[test]
fn a_newest_release_that_cannot_be_used_never_becomes_an_older_one() {
    let cache = Cache::new();
    let (home, day, older) = (&cache.home, cache.days[0].dashed(), cache.days[1]);
    let whole = fs::read(cache.newest()).expect("manifest");
    for how in [
        "cut",
        "empty",
        "of another day",
        "of another feed",
        "unreadable",
    ] {
        spoil(&cache, how);
        for line in [
            format!("search {FEED} --count"),
            format!("search {FEED} --facet cc"),
            format!("lookup {ADDRESS} --source local --feed {FEED}"),
            format!("lookup {ADDRESS} --source auto --feed {FEED} --offline"),
            format!("export {FEED} --local -o out.json"),
            format!("parquet {FEED} -o out.parquet"),
            format!("diff {FEED}"),
            format!("diff {FEED} --from {older} --to {}", cache.days[0]),
        ] {
            let ran = home.run(&line);
            ran.ends(7).says(&day);
            assert_eq!(ran.out, "", "{how}: {line}");
        }
        cache.enrich(&format!("enrich - --feed {FEED}")).ends(7);
        assert!(!home.path("out.json").exists() && !home.path("out.parquet").exists());
        // The others answer, and the one that cannot is named.
        let alone = home
            .run(&format!(
                "lookup {ADDRESS} --source local --feed dch --format json"
            ))
            .ends(0)
            .lines();
        let ran = home.run(&format!("lookup {ADDRESS} --source local --format json"));
        let feeds = |lines: &[serde_json::Value]| -> Vec<String> {
            lines.iter().map(|line| line["feed"].to_string()).collect()
        };
        ran.ends(7).says(FEED).says(&day);
        assert_eq!(feeds(&ran.lines()), feeds(&alone), "{how}");
        // Netblocks replace no query, and the context that could is the one that cannot be used.
        let ran = home.run(&format!(
            "lookup {ADDRESS} --source auto --offline --format json"
        ));
        let failed = ran.ends(7).says(FEED).says(&day).line();
        assert_eq!(failed["error"]["kind"], "integrity", "{how}");
        let ran = cache.enrich("enrich - --format json");
        ran.ends(7).says(FEED).says(&day);
        assert!(!ran.out.is_empty(), "{how}");
        cache.enrich("enrich - --plan").ends(7).says(&day);
        // What names the older day has it.
        home.run(&format!("search {FEED} --count --day {older}"))
            .ends(0);
        home.run(&format!(
            "lookup {ADDRESS} --source local --feed {FEED} --day {older}"
        ))
        .ends(0);
        home.run("feeds --offline").ends(7).says(&day);
        home.run(&format!("feeds info {FEED} --offline"))
            .ends(7)
            .says(&day);
        home.run(&format!("feeds verify {FEED}")).ends(7).says(&day);
        if how == "unreadable" {
            fs::remove_dir(cache.newest()).expect("removed");
        }
        fs::write(cache.newest(), &whole).expect("as before");
        home.run(&format!("search {FEED} --count")).ends(0);
    }
}

#[test]
fn pull_replaces_a_release_that_cannot_be_used_and_rm_removes_it() {
    let cache = Cache::new();
    let (home, [newest, older]) = (&cache.home, cache.days);
    let count = |options: &str| home.run(&format!("search {FEED} --count {options}"));
    let records = count("").ends(0).out.clone();
    spoil(&cache, "cut");
    // The number of records is compared with the newest release that can be used.
    home.run(&format!("feeds pull {FEED} --date {newest}"))
        .ends(0)
        .says(&older.dashed());
    assert_eq!(count("").ends(0).out, records);
    home.run(&format!("feeds verify {FEED}")).ends(0);
    spoil(&cache, "cut");
    home.run(&format!("feeds rm {FEED} --day {newest}")).ends(0);
    assert_eq!(count("").ends(0).out, count(&format!("--day {older}")).out);
}

#[test]
fn reindex_makes_a_release_anew_from_its_data_and_never_one_of_another_day() {
    let cache = Cache::new();
    let (home, [newest, older]) = (&cache.home, cache.days);
    let records = home.run(&format!("search {FEED}")).ends(0).out.clone();
    for how in [
        "cut",
        "empty",
        "of another day",
        "of another feed",
        "of an older version",
    ] {
        spoil(&cache, how);
        home.run(&format!("search {FEED} --count"))
            .ends(7)
            .says("reindex");
        home.run(&format!("feeds reindex {FEED}"))
            .ends(0)
            .says("was rebuilt from the data");
        let again = home.run(&format!("search {FEED}"));
        assert_eq!(again.ends(0).out, records, "{how}");
        home.run(&format!("feeds verify {FEED}")).ends(0);
    }
    let manifest = fs::read(cache.newest()).expect("manifest");
    // Without its data, or with a byte of it changed, there is no way back.
    spoil(&cache, "cut");
    let folder = cache.newest().parent().expect("folder").to_owned();
    let data = entries(&folder)
        .into_iter()
        .find(|name| name.ends_with(".json.gz"));
    let data = folder.join(data.expect("data"));
    let whole = fs::read(&data).expect("data");
    let mut changed = whole.clone();
    changed[4] ^= 1;
    fs::write(&data, changed).expect("changed");
    home.run(&format!("feeds reindex {FEED}"))
        .ends(7)
        .says("damaged");
    fs::remove_file(&data).expect("removed");
    home.run(&format!("feeds reindex {FEED}"))
        .ends(7)
        .says("no feed file");
    // What a later version wrote is left alone.
    let mut later: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&manifest).expect("JSON");
    later.insert("version".to_owned(), 3.into());
    let later = sign(later).to_string();
    fs::write(&data, &whole).expect("data");
    fs::write(cache.newest(), &later).expect("later");
    home.run(&format!("feeds reindex {FEED}"))
        .ends(7)
        .says("later version");
    assert_eq!(fs::read_to_string(cache.newest()).expect("manifest"), later);
    // A folder that was copied is the release of its own day only.
    for file in entries(&folder) {
        fs::remove_file(folder.join(file)).expect("removed");
    }
    let source = cache.manifest(older).parent().expect("folder").to_owned();
    for file in entries(&source) {
        fs::copy(source.join(&file), folder.join(file)).expect("copied");
    }
    home.run(&format!("search {FEED} --count"))
        .ends(7)
        .says(&newest.dashed());
    home.run(&format!("feeds reindex {FEED}"))
        .ends(7)
        .says(&format!("{FEED} {}", older.dashed()));
    home.run(&format!("feeds rm {FEED} --day {newest}")).ends(0);
    home.run(&format!("search {FEED} --count")).ends(0);
}

#[test]
fn tags_of_an_unusable_service_metrics_feed_are_an_error_and_never_an_absence() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let pulled = home.run("feeds pull service-metrics --format json").line();
    let file = PathBuf::from(pulled["file"].as_str().expect("path"));
    home.run("tags").ends(0);
    fs::write(file.with_file_name("feed.json"), "{").expect("cut");
    home.run("tags").ends(7).says("service-metrics");
    home.run("tag ACME_VPN --source local").ends(7);
    home.run("export anonymous --tags ACME_VPN --dry-run -o x.csv")
        .ends(0)
        .says("not looked for");
}
