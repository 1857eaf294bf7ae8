//! MMDB files in the readers that others use: mmdblookup, the C extension and geoip2 of Python, and mmdb-lib of npm. `.ci/readers` brings
//! them and runs this; each must say of each address what `search` and `lookup` say.

use std::{
    collections::BTreeMap,
    env,
    io::Write,
    net::IpAddr,
    process::{Command, Stdio},
};

use ipnet::IpNet;
use ipspect::demo::DemoRole;
use serde_json::{Map, Value, json};

use crate::service::{Home, Service};

/// The addresses of a feed that are looked up, beside one that is always there.
const SAMPLE: usize = 14;

/// What the files are made of, and an address of each that is known.
const FEEDS: [(&str, &str); 4] = [
    ("anonymous", "198.51.100.77"),
    ("anonymous-residential", "198.51.100.77"),
    ("anonymous-ipv6", "2001:db8:77:1::7"),
    ("dch", "198.51.100.77"),
];

/// Addresses that no feed has; the third is the Teredo spelling of one that two feeds have, by the wrong bits.
const OUT: [&str; 3] = ["203.0.113.250", "2001:db8:ffff::1", "2001:0:c633:644d::1"];

/// A question to a reader: the file, and the address.
type Question = (String, String);

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is set by .ci/readers"))
}

/// A script that reads questions as JSON and prints answers as JSON.
fn asked(program: &str, script: &str, questions: &Value) -> Value {
    let script = format!("{}/tests/it/readers/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut child = Command::new(program)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect(program);
    let mut input = child.stdin.take().expect("its input");
    input
        .write_all(questions.to_string().as_bytes())
        .expect("its input");
    drop(input);
    let output = child.wait_with_output().expect("its output");
    assert!(output.status.success(), "{program} failed");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// mmdblookup prints values in a form of its own.
fn looked_up((file, address): &Question) -> Value {
    let output = Command::new(variable("IPSPECT_MMDBLOOKUP"))
        .args(["--file", file, "--ip", address])
        .output()
        .expect("mmdblookup");
    let text = String::from_utf8(output.stdout).expect("text");
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => {
            let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let first = lines.next().expect("a value");
            printed(first, &mut lines)
        }
        Some(6) if said.contains("Could not find an entry") => Value::Null,
        code => panic!("mmdblookup ends with {code:?}: {said}"),
    }
}

/// A value that begins with this line.
fn printed(first: &str, rest: &mut dyn Iterator<Item = &str>) -> Value {
    match first {
        "{" => {
            let mut fields = Map::new();
            loop {
                match rest.next().expect("a line") {
                    "}" => return fields.into(),
                    key => {
                        let key = key.strip_suffix("\":").expect("a key");
                        let key = key.strip_prefix('"').expect("a key").to_owned();
                        let value = rest.next().expect("a value");
                        fields.insert(key, printed(value, rest));
                    }
                }
            }
        }
        "[" => {
            let mut items = Vec::new();
            loop {
                match rest.next().expect("a line") {
                    "]" => return items.into(),
                    item => items.push(printed(item, rest)),
                }
            }
        }
        scalar => {
            let (value, kind) = scalar.rsplit_once(" <").expect("a type");
            match kind {
                "utf8_string>" => {
                    let text = value.strip_prefix('"').expect("a quote");
                    text.strip_suffix('"').expect("a quote").into()
                }
                _ => serde_json::from_str(value).expect("a number or a boolean"),
            }
        }
    }
}

/// Whether two values are the same. mmdblookup prints six digits of a fraction, and JavaScript has one type of number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64(), other.as_f64());
            one.zip(other)
                .is_some_and(|(one, other)| (one - other).abs() < 1e-5)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_same = |(name, value)| other.get(name).is_some_and(|json| same(value, json));
            one.len() == other.len() && one.iter().all(is_same)
        }
        _ => one == other,
    }
}

/// A value without nulls, empty lists and empty maps; null where nothing is left.
fn full(value: &Value) -> Value {
    let is_there = |value: &Value| !value.is_null();
    match value {
        Value::Array(items) => {
            let items: Vec<Value> = items.iter().map(full).filter(is_there).collect();
            if items.is_empty() {
                Value::Null
            } else {
                items.into()
            }
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| (name.clone(), full(value)));
            let fields: Map<String, Value> = fields.filter(|(_, value)| is_there(value)).collect();
            if fields.is_empty() {
                Value::Null
            } else {
                fields.into()
            }
        }
        other => other.clone(),
    }
}

/// The subject of a record.
fn subject(record: &Value) -> IpNet {
    let text = |name: &str| record[name].as_str();
    match (text("ip"), text("network")) {
        (Some(address), _) => address.parse::<IpAddr>().expect("an address").into(),
        (None, network) => network.expect("a subject").parse().expect("a network"),
    }
}

/// The record of a feed's own database.
fn whole(record: &Value) -> Value {
    let mut record = record.clone();
    let fields = record.as_object_mut().expect("a record");
    fields.retain(|name, _| name != "ip" && name != "network");
    full(&record)
}

/// The record of an export (contract, part 2.11).
fn flattened(feed: &str, record: &Value) -> Value {
    if feed == "dch" {
        return whole(record);
    }
    let tunnels = record["tunnels"].as_array().map_or(&[][..], Vec::as_slice);
    let operator = tunnels
        .iter()
        .find_map(|tunnel| tunnel["operator"].as_str());
    let proxy = &record["client"]["proxies"][0];
    let row = json!({
        "tag": operator,
        "callbackProxy": if feed.contains("residential") { proxy } else { &Value::Null },
        "infrastructure": record["infrastructure"],
        "services": record["services"],
        "clientCount": record["client"]["count"],
        "locationCity": record["location"]["city"],
        "locationState": record["location"]["state"],
        "locationCountry": record["location"]["country"],
    });
    full(&row)
}

/// The record under the names of geolocation databases.
fn named(feed: &str, record: &Value) -> Value {
    if feed == "dch" {
        return full(&json!({
            "organization": record["organization"],
            "autonomous_system_number": record["asn"],
            "is_hosting_provider": true,
        }));
    }
    let tunnels = record["tunnels"].as_array().map_or(&[][..], Vec::as_slice);
    let operator = tunnels
        .iter()
        .find_map(|tunnel| tunnel["operator"].as_str());
    let has = |kind: Option<&str>| {
        let own = |tunnel: &&Value| kind.is_none_or(|kind| tunnel["type"] == kind);
        let mut own = tunnels
            .iter()
            .filter(own)
            .map(|tunnel| tunnel["anonymous"] == true)
            .peekable();
        own.peek().is_some().then(|| own.any(|anonymous| anonymous))
    };
    // Where nothing anonymizes, what else hints at it leaves the flag open.
    let hints = |list: &Value, names: &[&str]| {
        let items = list.as_array().map_or(&[][..], Vec::as_slice);
        items
            .iter()
            .any(|item| names.is_empty() || names.iter().any(|name| item == name))
    };
    let is_open =
        hints(&record["client"]["proxies"], &[]) || hints(&record["risks"], &["CALLBACK_PROXY"]);
    let hosting = match record["infrastructure"].as_str() {
        Some("DATACENTER") => Some(true),
        Some("MOBILE" | "SATELLITE") => Some(false),
        _ => None,
    };
    let place = record["location"]["country"].as_str().map(country);
    let place = place.unwrap_or_default();
    full(&json!({
        "operator": operator,
        "organization": record["organization"],
        "autonomous_system_number": record["as"]["number"],
        "autonomous_system_organization": record["as"]["organization"],
        "is_anonymous": has(None).filter(|is| *is || !is_open),
        "is_anonymous_vpn": has(Some("VPN")),
        "is_hosting_provider": hosting,
        "is_public_proxy": has(Some("PROXY")),
        "is_tor_exit_node": has(Some("TOR")),
        "is_residential_proxy": hints(&record["client"]["proxies"], &[]).then_some(true),
        "continent": place["continent"],
        "country": {"iso_code": record["location"]["country"], "names": {"en": place["name"]}},
        "city": {"names": {"en": record["location"]["city"]}},
        "subdivisions": [{"names": {"en": record["location"]["state"]}}],
    }))
}

/// What the table of countries says of a code.
fn country(code: &str) -> Value {
    let table = include_str!("../../assets/countries.tsv");
    let line = table
        .lines()
        .find_map(|line| line.strip_prefix(code)?.strip_prefix('\t'));
    let (continent, name) = line.and_then(|line| line.split_once('\t')).expect(code);
    let of_continent = match continent {
        "AF" => "Africa",
        "AS" => "Asia",
        "EU" => "Europe",
        "NA" => "North America",
        "OC" => "Oceania",
        "SA" => "South America",
        _ => "Antarctica",
    };
    json!({"name": name, "continent": {"code": continent, "names": {"en": of_continent}}})
}

/// A file with the records that it must have.
struct File {
    path: String,
    /// The record of each address; null where there is none.
    expected: BTreeMap<String, Value>,
}

/// The files of a feed: exported by the service and here, in both layouts, and downloaded.
fn files(home: &Home, feed: &str, always: &str) -> Vec<File> {
    home.run(&format!("feeds pull {feed}")).ends(0);
    let search = home.run(&format!("search {feed} --top 100000 --format json"));
    let records = search.ends(0).lines();
    let most_specific = |address: &str| {
        let address: IpAddr = address.parse().expect("an address");
        let around = records
            .iter()
            .filter(|record| subject(record).contains(&address));
        around.max_by_key(|record| subject(record).prefix_len())
    };
    let mut addresses: Vec<String> = records
        .iter()
        .step_by((records.len() / SAMPLE).max(1))
        .map(|record| subject(record).addr().to_string())
        .collect();
    addresses.push(always.to_owned());
    assert!(most_specific(always).is_some(), "{always} is in {feed}");
    for (address, is_in) in addresses
        .iter()
        .map(|text| (text.as_str(), true))
        .chain(OUT.map(|text| (text, false)))
    {
        // `lookup` knows the same addresses.
        let looked_up = home.run(&format!(
            "lookup {address} --source local --feed {feed} --format json"
        ));
        let record = &looked_up.ends(0).lines()[0]["record"];
        let found = most_specific(address);
        assert_eq!(found.is_some(), is_in, "{address} in {feed}");
        assert_eq!(record, found.unwrap_or(&Value::Null), "{address} in {feed}");
    }
    let expected = |of: &dyn Fn(&Value) -> Value| -> BTreeMap<String, Value> {
        let all = addresses.iter().cloned().chain(OUT.map(str::to_owned));
        let mut expected: BTreeMap<String, Value> = all
            .map(|address| {
                let record = most_specific(&address);
                (address, record.map_or(Value::Null, of))
            })
            .collect();
        if let Ok(IpAddr::V4(v4)) = always.parse() {
            // The same address, mapped and by 6to4.
            let [a, b, c, d] = v4.octets();
            for spelt in [
                format!("::ffff:{v4}"),
                format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1"),
            ] {
                expected.insert(spelt, expected[always].clone());
            }
        }
        expected
    };
    let flat = expected(&|record| flattened(feed, record));
    let mut files = Vec::new();
    for (name, options, expected) in [
        ("served", "", flat.clone()),
        ("local", "--local", flat),
        (
            "listed",
            "--local --fields ip",
            expected(&|_| json!({"listed": true})),
        ),
        (
            "geoip",
            "--local --mmdb-layout geoip",
            expected(&|record| named(feed, record)),
        ),
    ] {
        let options = if feed == "dch" {
            options.replace("--fields ip", "--fields network")
        } else {
            options.to_owned()
        };
        let file = format!("{name}-{feed}.mmdb");
        home.run(&format!("export {feed} {options} -o {file}"))
            .ends(0);
        let path = home.path(&file).display().to_string();
        files.push(File { path, expected });
    }
    let pulled = home.run(&format!("feeds pull {feed} --mmdb --format json"));
    let pulled = pulled.ends(0).line();
    let day = pulled["day"].as_str().expect("a day");
    let is_of_the_day = records_day(home, feed) == day;
    // The largest feed's database is of the day before.
    if is_of_the_day {
        files.push(File {
            path: pulled["file"].as_str().expect("a file").to_owned(),
            expected: expected(&whole),
        });
    }
    files
}

/// The day of the newest local release that has records.
fn records_day(home: &Home, feed: &str) -> String {
    let info = home.run(&format!("feeds info {feed} --format json"));
    let info = info.ends(0).line();
    let local = info["local"].as_array().expect("releases").iter();
    let mut days = local.filter(|release| release["form"] == "json");
    let day = days.next().expect("a release")["day"].as_str();
    day.expect("a day").to_owned()
}

#[test]
#[ignore = "needs the readers of .ci/readers"]
fn every_reader_finds_in_every_file_what_search_shows() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let files: Vec<File> = FEEDS
        .iter()
        .flat_map(|(feed, always)| files(&home, feed, always))
        .collect();
    assert!(files.len() >= 19, "{} files", files.len());
    let questions: Vec<Question> = files
        .iter()
        .flat_map(|file| {
            file.expected
                .keys()
                .map(|address| (file.path.clone(), address.clone()))
        })
        .collect();
    let expected: Vec<&Value> = files
        .iter()
        .flat_map(|file| file.expected.values())
        .collect();
    let sent = json!(questions);
    let python = asked(&variable("IPSPECT_PYTHON"), "read.py", &sent);
    let node = asked("node", "read.js", &sent);
    let lookup: Value = questions.iter().map(looked_up).collect();
    for (reader, answers) in [
        ("python", &python),
        ("mmdb-lib", &node),
        ("mmdblookup", &lookup),
    ] {
        let answers = answers.as_array().expect("answers");
        assert_eq!(answers.len(), questions.len(), "{reader}");
        for ((question, answer), expected) in questions.iter().zip(answers).zip(&expected) {
            assert!(
                same(answer, expected),
                "{reader} finds {answer} for {question:?}, and not {expected}"
            );
        }
    }
}

/// Typed readers ask the file for its type, and take the fields that they know.
#[test]
#[ignore = "needs the readers of .ci/readers"]
fn typed_readers_take_the_layout_of_geolocation_databases() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    home.run("export anonymous --local --mmdb-layout geoip -o typed.mmdb")
        .ends(0);
    let file = home.path("typed.mmdb").display().to_string();
    let found = asked(
        &variable("IPSPECT_PYTHON"),
        "typed.py",
        &json!([file, "198.51.100.77"]),
    );
    assert_eq!(
        found,
        json!({
            "country": "NL", "named": "Netherlands", "continent": "EU", "city": "Amsterdam", "subdivision": "North Holland", "number": 64500,
            "organization": "Example Hosting BV", "anonymous": true, "vpn": true, "hosting": true, "residential": true,
        })
    );
}
