#!/usr/bin/env bash
# zlib-rs 0.6.8 behind flate2 1.1.10, from crates.io, on x86-64.
#
# Behaviour: flate2 without its default features and with `zlib-rs` inflates with portable code, whatever the processor can do. Only where
# something in the same build turns on the feature `std` of zlib-rs are its AVX2 routines compiled in, and chosen at run time.
#
# Seen (whether the routine is in the program, and the time to inflate 16 MB twenty times, beside other work):
#     zlib-rs with features = []: inflate_fast_help_avx2 is not there, 723 ms
#     zlib-rs with features = ["std"]: inflate_fast_help_avx2 is there, 543 ms
#
# Why a good engineer guesses wrong: leaving flate2's default features off is how one of its backends is chosen alone, and among them is
# `runtime_detection`, which gives zlib-rs its `std`. Both builds have the same crates, give the same bytes and no warning. The speed that
# zlib-rs is known for was measured with its own default features.
set -euo pipefail
[ "$(uname -m)" = x86_64 ] || { echo "not run: this is about x86-64"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/src"
cat >"$dir/src/main.rs" <<'RUST'
use std::io::{Read, Write};

fn main() {
    let line = |number: u32| format!("{{\"ip\":\"198.18.{}.{}\",\"count\":{}}}\n", number >> 8 & 255, number & 255, number * 7919 % 1013);
    let text: String = (0..400_000).map(line).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    let start = std::time::Instant::now();
    let mut back = Vec::new();
    for _ in 0..20 {
        back.clear();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut back).unwrap();
    }
    assert!(back == text.as_bytes());
    println!("{:.0} ms", start.elapsed().as_secs_f64() * 1e3);
}
RUST
build() {
    cat >"$dir/Cargo.toml" <<TOML
[package]
name = "inflating"
version = "0.0.0"
edition = "2021"
[dependencies]
flate2 = { version = "=1.1.10", default-features = false, features = ["zlib-rs"] }
zlib-rs = { version = "=0.6.8", default-features = false, features = [$1] }
TOML
    rm -f "$dir/Cargo.lock"
    cargo build --quiet --release --manifest-path "$dir/Cargo.toml"
    took=$("$dir/target/release/inflating")
    # Written into a file: a reader that stops early would end nm.
    nm -C "$dir/target/release/inflating" >"$dir/names"
    grep -q 'inflate_fast_help_avx2' "$dir/names" && is=there || is="not there"
    echo "zlib-rs with features = [$1]: inflate_fast_help_avx2 is $is, $took"
}
build ''
[ "$is" = "not there" ]
build '"std"'
[ "$is" = there ]
