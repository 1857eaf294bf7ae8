#!/usr/bin/env bash
# Tool: cargo-deb 3.8.0 of the public registry, installed with cargo install (minutes), on Debian with dpkg-dev.
# Behaviour: `depends = "$auto"` leaves out libgcc-s1, although each Rust program for glibc loads libgcc_s.so.1 and dpkg-shlibdeps, which
#   cargo-deb asks, names it: it is called with -xlibgcc, and what begins with libgcc- is dropped from its answer.
# Output seen: `libc6 (>= 2.34)` by cargo-deb; `libc6 (>= 2.34), libgcc-s1 (>= 4.2)` by dpkg-shlibdeps of the same program.
# Why one guesses wrong: the manual says that $auto is the dependencies found by dpkg-shlibdeps. A check of Depends against ldd fails, and
#   so does one that says that each library's package is named. `depends = "$auto, libgcc-s1"` mends it.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cargo install --quiet --locked --root "$dir/tools" cargo-deb@3.8.0 2> /dev/null
export PATH="$dir/tools/bin:$PATH"
case $(cargo deb --version) in *3.8.0) ;; *) echo "another cargo-deb"; exit 1 ;; esac
mkdir -p "$dir/small/src" && cd "$dir/small"
echo 'fn main() { println!("{}", 1); }' > src/main.rs
cat > Cargo.toml << 'END'
[package]
name = "small"
version = "1.0.0"
edition = "2021"
description = "small"
license = "MIT"
[package.metadata.deb]
maintainer = "Somebody <somebody@host.example>"
depends = "$auto"
END
export CARGO_TARGET_DIR=$dir/small/target
cargo build --quiet --release
cargo deb --quiet --no-build -o "$dir/small.deb" > /dev/null
depends=$(dpkg-deb -f "$dir/small.deb" Depends)
mkdir -p "$dir/other/debian" && touch "$dir/other/debian/control"
shlibs=$(cd "$dir/other" && dpkg-shlibdeps -O "$dir/small/target/release/small" 2> /dev/null | sed -n 's/^shlibs:Depends=//p')
echo "cargo-deb: $depends"; echo "dpkg-shlibdeps: $shlibs"
ldd "$dir/small/target/release/small" > "$dir/loads"
grep -q 'libgcc_s\.so\.1' "$dir/loads"
case $depends in *libgcc*) exit 1 ;; libc6*) ;; *) exit 1 ;; esac
case $shlibs in *libgcc-s1*) ;; *) exit 1 ;; esac
echo "seen: a library that the program loads and Depends does not name"
