"""Writes random lists in each form, has their readers load them, and compares what these hold with the list."""

import ipaddress, json, os, pathlib, random, re, subprocess, sys

try:
    import pymisp, stix2, stix2validator
except ImportError:
    pymisp = stix2 = stix2validator = None

home, program, rounds = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
debian = home / "debian"
libraries = ":".join({str(path.parent) for path in debian.rglob("*.so*")})
work = home / "work"
work.mkdir(exist_ok=True)
environment = os.environ | {"LD_LIBRARY_PATH": libraries}
own = os.environ | {f"IPSPECT_{name}_DIR": str(work / name.lower()) for name in ("CONFIG", "CACHE", "STATE")}
missing = {}


def find(name):
    if name in ("stix2", "pymisp"):
        return stix2 and name
    found = [path for path in (*debian.glob(f"usr/*bin/{name}"), *debian.glob(f"usr/lib/postgresql/*/bin/{name}")) if os.access(path, os.X_OK)]
    return str(found[0]) if found else None


def run(words, **more):
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60, **more)


def collapsed(networks):
    networks = list(networks)
    return [
        network
        for version in (4, 6)
        for network in ipaddress.collapse_addresses(n for n in networks if n.version == version)
    ]


def random_networks(rng):
    """Networks and addresses of the ranges for documentation and benchmarks, near each other so that they touch."""
    networks = []
    for _ in range(rng.randrange(1, 60)):
        if rng.random() < 0.6:
            length = rng.choice([32, 32, 32, 31, 30, 28, 25])
            base = int(ipaddress.ip_address(rng.choice(["198.51.100.0", "203.0.113.0"]))) + rng.randrange(256)
            networks.append(ipaddress.ip_network((base, length), strict=False))
        else:
            length = rng.choice([128, 128, 127, 64, 48, 33])
            base = int(ipaddress.ip_address("2001:db8::")) + (rng.randrange(16) << rng.choice([0, 64, 80]))
            networks.append(ipaddress.ip_network((base, length), strict=False))
    return networks


def written(networks, form, *more):
    if form in ("nft", "ipset", "rpz"):
        more += ("--name", "vpn")
    text = "".join(f"{network}\n" for network in networks)
    ran = subprocess.run(
        [program, "blocklist", "-", "--as", form, "-o", "-", *more],
        input=text, capture_output=True, text=True, env=own, timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def namespaced(script, text):
    """Standard output of a script with a list in a namespace of its own, where root is nobody outside."""
    file = work / "list"
    file.write_text(text)
    ran = run(["unshare", "-Urn", "sh", "-ec", script, "sh", str(file)])
    if ran.returncode != 0:
        raise RuntimeError(ran.stderr.strip() or ran.stdout.strip())
    return ran.stdout


def nft(networks):
    held = []
    once = '"$NFT" -c -f "$1" && "$NFT" -f "$1" && "$NFT" -f "$1" && "$NFT" -j list ruleset'
    out = namespaced(once.replace('"$NFT"', find("nft")), written(networks, "nft", "--expires", "3d"))
    for item in json.loads(out)["nftables"]:
        for element in item.get("set", {}).get("elem", []):
            value = element["elem"]["val"]
            if isinstance(value, str):
                held.append(ipaddress.ip_network(value))
            elif "prefix" in value:
                held.append(ipaddress.ip_network(f"{value['prefix']['addr']}/{value['prefix']['len']}"))
            else:
                first, last = map(ipaddress.ip_address, value["range"])
                held.extend(ipaddress.summarize_address_range(first, last))
    return held


def ipset(networks):
    twice = f'{find("ipset")} -exist restore -f "$1"; {find("ipset")} -exist restore -f "$1"; {find("ipset")} save'
    lines = namespaced(twice, written(networks, "ipset", "--expires", "3d")).splitlines()
    return [ipaddress.ip_network(line.split()[2]) for line in lines if line.startswith("add ")]


def probes_of(networks):
    """The addresses beside, at the ends of and within the networks, with those of them that are in one."""
    probes = set()
    for network in networks:
        kind = type(network[0])
        probes.update(kind(int(network[0]) + more) for more in (-1, 0))
        probes.update(kind(int(network[-1]) + more) for more in (0, 1))
    held = {probe for probe in probes if any(probe in network for network in networks if network.version == probe.version)}
    return probes, held


def asked(form, words):
    """A program that is asked about every address beside, at the ends of and within the networks; it prints what it finds."""
    def ask(networks):
        file = work / f"asked.{form}"
        file.write_text(written(networks, form))
        ours = collapsed(networks)
        probes, held = probes_of(ours)
        words_of = [word.format(file=file, work=work, program=find(words[0])) for word in words]
        ran = run([find(words[0]), *words_of[1:]], input="".join(f"{probe}\n" for probe in sorted(map(str, probes))))
        found = {ipaddress.ip_address(line.split()[0]) for line in ran.stdout.splitlines()}
        assert found == held and "warning" not in ran.stderr, (found ^ held, ran.stderr)
        return ours
    return ask


def checked(name, form, words, bad):
    """Whether a checker of configurations takes the list, without a warning."""
    def check(networks):
        file = work / f"list.{form}"
        file.write_text(written(networks, form))
        ran = run([word.format(file=file, work=work, program=find(name)) for word in words])
        said = ran.stdout + ran.stderr
        if "error while loading shared libraries" in said:
            raise FileNotFoundError(said.strip())
        assert ran.returncode == 0 and not any(word in said for word in bad), (ran.returncode, said)
        return networks
    return check


def squid(networks):
    (work / "list.squid").write_text(written(networks, "plain"))
    (work / "squid.conf").write_text(f'acl listed src "{work}/list.squid"\nhttp_access deny listed\nhttp_port 3128\npid_filename none\n')
    ran = run([find("squid"), "-k", "parse", "-f", str(work / "squid.conf")])
    said = ran.stdout + ran.stderr
    if "error while loading shared libraries" in said:
        raise FileNotFoundError(said.strip())
    # Unpacked beside the rest, it misses files of its own, and says so last.
    said = "".join(line for line in said.splitlines() if not line.endswith("No such file or directory"))
    assert ran.returncode == 0 and not any(word in said for word in ("WARNING", "ERROR", "FATAL")), (ran.returncode, said)
    return networks


def postgres(networks):
    """The networks in a column of type cidr, which refuses bits behind a length. Nobody serves: it runs for one standard input."""
    programs = next(debian.glob("usr/lib/postgresql/*/bin"))
    somebody = ["unshare", "-U", "--map-user=1000", "--map-group=1000"]
    data = work / "postgres"
    if not data.exists():
        share = next(debian.glob("usr/share/postgresql/*"))
        made = run([*somebody, str(programs / "initdb"), "-N", "-L", str(share), "-D", str(data), "-U", "them", "-E", "UTF8", "--locale=C"])
        if made.returncode != 0:
            raise RuntimeError((made.stderr or made.stdout).strip())
    file = work / "list.csv"
    file.write_text(written(networks, "csv"))
    statements = f"""DROP TABLE IF EXISTS listed;
CREATE TABLE listed (network cidr PRIMARY KEY, feed text, release date, until timestamptz);
COPY listed FROM '{file}' (FORMAT csv, HEADER);
SELECT network FROM listed;
"""
    ran = run([*somebody, str(programs / "postgres"), "--single", "-F", "-D", str(data), "postgres"], input=statements)
    assert "ERROR" not in ran.stderr, ran.stderr
    return [ipaddress.ip_network(line.split('"')[1]) for line in ran.stdout.splitlines() if "network = " in line]


def bind(networks):
    """A name server with the list as its policy, asked for a name of each address: those that are in the list have no answer."""
    ours = collapsed(networks)
    probes, held = probes_of(ours)
    names = {f"p{number}": probe for number, probe in enumerate(sorted(probes, key=str))}
    kind = {4: "A", 6: "AAAA"}
    (work / "vpn.rpz").write_text(written(networks, "rpz"))
    lines = [f"{name} {kind[probe.version]} {probe}" for name, probe in names.items()]
    (work / "t.zone").write_text("\n".join(["$TTL 60", "@ SOA ns x 1 60 60 60 60", "@ NS ns", "ns A 127.0.0.1", *lines, ""]))
    (work / "questions").write_text("".join(f"{name}.t.example {kind[probe.version]}\n" for name, probe in names.items()))
    (work / "named.conf").write_text(
        f'options {{ directory "{work}"; listen-on port 5300 {{ 127.0.0.1; }}; listen-on-v6 {{ none; }}; pid-file none; session-keyfile none;'
        " recursion yes; dnssec-validation no; response-policy { zone vpn.rpz; }; };\ncontrols { };\n"
        'zone vpn.rpz { type primary; file "vpn.rpz"; };\nzone t.example { type primary; file "t.zone"; };\n'
    )
    log = work / "named.log"
    script = f"""ip link set lo up
{find("named")} -g -c {work}/named.conf >{log} 2>&1 & server=$!
for i in $(seq 50); do grep -q 'rpz: vpn.rpz: reload done' {log} && break; sleep 0.1; done
{find("dig")} @127.0.0.1 -p 5300 -f {work}/questions +noall +answer +timeout=2 || true
kill $server"""
    out = namespaced(script, "")
    said = log.read_text()
    if "reload done: success" not in said:
        raise RuntimeError(said.strip().splitlines()[-1] if said.strip() else "named says nothing")
    answered = {ipaddress.ip_address(line.split()[-1]) for line in out.splitlines() if line.startswith("p")}
    assert answered == probes - held and "rpz" not in "".join(line for line in said.splitlines() if "error" in line), answered ^ (probes - held)
    return ours


def stix(networks):
    """What a reader of STIX makes of the patterns; it takes 999.1.1.1 for an address, so these are read again."""
    bundle = stix2.parse(written(networks, "stix", "--expires", "3d"))
    held = []
    for indicator in bundle["objects"]:
        kind, path, word, value, *rest = re.split(r"[ :\[\]]+", indicator["pattern"].strip("[]"), maxsplit=3)
        value = ipaddress.ip_network(value.strip("'"))
        assert path == "value" and word == ("=" if value.num_addresses == 1 else "ISSUBSET"), indicator
        assert kind == f"ipv{value.version}-addr" and indicator["valid_until"] > indicator["valid_from"], indicator
        held.append(value)
    results = stix2validator.validate_string(bundle.serialize())
    assert results.is_valid and not results.errors, results.errors
    return held


def misp(networks):
    event = pymisp.MISPEvent()
    event.load(written(networks, "misp"))
    assert event.to_feed(with_meta=True)["Event"]["uuid"] == str(event.uuid)
    assert all(attribute.to_ids and attribute.type == "ip-dst" for attribute in event.attributes)
    assert len({attribute.uuid for attribute in event.attributes}) == len(event.attributes)
    return [ipaddress.ip_network(attribute.value) for attribute in event.attributes]


def prepare():
    (work / "haproxy.cfg").write_text(
        "defaults\n mode http\n timeout client 1s\n timeout server 1s\n timeout connect 1s\n"
        f"frontend f\n bind 127.0.0.1:8000\n http-request deny if {{ src -f {work}/list.plain }}\n"
        f" http-request set-header x %[src,map_ip({work}/list.haproxy-map)]\n"
    )
    (work / "list.plain").write_text("198.51.100.7\n")
    (work / "nginx.conf").write_text(
        f"error_log stderr; pid {work}/pid; events {{}}\nhttp {{ access_log off; geo $listed {{ default 0; include {work}/list.nginx; }} }}\n"
    )
    (work / "main.cf").write_text("compatibility_level = 3.6\nmail_owner = daemon\nsetgid_group = mail\n")


prepare()
readers = {
    "nft": ("nft", nft),
    "ipset": ("ipset", ipset),
    "plain": ("grepcidr", asked("plain", ["grepcidr", "-f", "{file}"])),
    "haproxy-map": ("haproxy", checked("haproxy", "haproxy-map", ["{program}", "-c", "-f", "{work}/haproxy.cfg"], ["[WARNING]", "[ALERT]"])),
    "nginx": ("nginx", checked("nginx", "nginx", ["{program}", "-t", "-p", "{work}", "-c", "{work}/nginx.conf"], ["[warn]", "[emerg]"])),
    "postfix": ("postmap", asked("postfix", ["postmap", "-c", "{work}", "-q", "-", "cidr:{file}"])),
    "plain, again": ("squid", squid),
    "csv": ("postgres", postgres),
    "stix": ("stix2", stix),
    "misp": ("pymisp", misp),
    "rpz": ("named", bind),
}
failed = 0
for form, (name, load) in readers.items():
    if not find(name):
        print(f"not run: {form}: there is no {name}")
        continue
    for seed in range(rounds):
        networks = random_networks(random.Random(seed))
        try:
            held = load(networks)
        except (RuntimeError, FileNotFoundError, PermissionError) as error:
            if seed == 0:
                print(f"not run: {form}: {str(error).splitlines()[0]}")
                break
            raise
        if collapsed(held) != collapsed(networks):
            failed += 1
            print(f"{form}: list {seed}: {name} holds another set")
    else:
        print(f"{form}: {rounds} lists in {name}")
sys.exit(failed > 0)
