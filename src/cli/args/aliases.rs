//! Names from other tools, each with the equivalent in ipspect.

/// Options of other tools and commands, each with the equivalent.
pub(super) const INSTEAD: [(&str, &str); 26] = [
    ("--json", "--format json"),
    ("--jsonl", "--format json"),
    ("--ndjson", "--format json"),
    ("--csv", "--format csv"),
    ("--markdown", "--format md"),
    ("--md", "--format md"),
    ("--text", "--format text"),
    ("--no-color", "--color never"),
    ("--no-colour", "--color never"),
    ("--colour", "--color"),
    ("--silent", "--quiet"),
    ("--debug", "-vv"),
    ("--trace", "-vv"),
    ("--retry", "--retries"),
    ("--timeout", "header_timeout_s in [network] of config.toml"),
    ("--url", "base_url in config.toml, or IPSPECT_BASE_URL"),
    ("--base-url", "base_url in config.toml, or IPSPECT_BASE_URL"),
    (
        "--feeds-url",
        "feeds_url in config.toml, or IPSPECT_FEEDS_URL",
    ),
    (
        "--exports-url",
        "exports_url in config.toml, or IPSPECT_EXPORTS_URL",
    ),
    ("--overwrite", "--force"),
    ("--country", "--ccs, or cc:NL in a filter"),
    ("--tag", "--tags, or tag:ACME_VPN in a filter"),
    ("--out", "-o"),
    ("--file", "-o"),
    ("--max", "--limit"),
    ("--sort", "--top, which sorts by clients"),
];

/// Other names for commands.
pub(super) const COMMANDS: [(&str, &str); 15] = [
    ("ip", "lookup"),
    ("get", "lookup"),
    ("query", "lookup"),
    ("whois", "lookup"),
    ("history", "lookup ADDRESS --date DAY"),
    ("check", "doctor"),
    ("config", "doctor"),
    ("download", "feeds pull"),
    ("update", "feeds pull"),
    ("list", "feeds"),
    ("ls", "feeds"),
    ("grep", "search"),
    ("find", "search"),
    ("auth", "login"),
    ("version", "--version"),
];
