#!/usr/bin/env bash
# Tool: cargo-generate-rpm 0.21.1 of the public registry, installed with cargo install (minutes), read by rpm 4.x of the system.
# Behaviour: a package holds files alone. A directory that only its files need, such as /usr/share/doc/NAME, belongs to nobody: rpm makes it at
#   the installation and leaves it, empty, at the removal. An asset with `dir = true`, which the source reads and the manual does not name,
#   ends with an error.
# Output seen: the list of the package is /usr/share/doc/small/README alone; after `rpm -e` the folder is still there; "No such file or
#   directory (os error 2)" for `dir = true`.
# Why one guesses wrong: cargo-deb makes entries for all parents from the same kind of table, and rpmbuild takes a documentation folder as
#   the package's own, so that removing a package is expected to remove what installing it made.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cargo install --quiet --locked --root "$dir/tools" cargo-generate-rpm@0.21.1 2> /dev/null
export PATH="$dir/tools/bin:$PATH"
[ "$(cargo generate-rpm --version)" = "cargo-generate-rpm 0.21.1" ]
mkdir -p "$dir/small/src" && cd "$dir/small"
echo 'fn main() {}' > src/main.rs
echo small > README
cat > Cargo.toml << 'END'
[package]
name = "small"
version = "1.0.0"
edition = "2021"
description = "small"
license = "MIT"
[package.metadata.generate-rpm]
require-sh = false
assets = [{ source = "README", dest = "/usr/share/doc/small/README", mode = "644", doc = true }]
END
cargo generate-rpm --auto-req no -o "$dir/small.rpm"
rpm -qlp "$dir/small.rpm" 2> /dev/null | tee "$dir/list"
[ "$(cat "$dir/list")" = /usr/share/doc/small/README ]
# An empty root, into which the package goes and out of which it is taken.
mkdir -p "$dir/root/usr/share/doc"
own() { rpm --root "$dir/root" --dbpath /var/lib/rpm "$@" 2> /dev/null; }
own --initdb && own -i --nodeps "$dir/small.rpm" && own -e --nodeps small
[ -d "$dir/root/usr/share/doc/small" ] && [ -z "$(ls -A "$dir/root/usr/share/doc/small")" ]
sed -i 's,^assets = \[,&{ dir = true\, dest = "/usr/share/doc/small"\, mode = "755" }\, ,' Cargo.toml
if cargo generate-rpm --auto-req no -o "$dir/other.rpm" > "$dir/said" 2>&1; then echo "dir = true makes a package now"; exit 1; fi
cat "$dir/said"
grep -q 'No such file or directory' "$dir/said"
echo "seen: an empty folder that the removal left, and no way to have it in the package"
