#!/usr/bin/env bash
# Everything a fresh machine needs. Each step looks for the thing itself and only acts
# when it is missing, so a second run is instant.
#
#   tools/setup.sh          to build and run
#   tools/setup.sh test     also what the browser tests need
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/lib.sh
source tools/lib.sh
# shellcheck source=tools/wasm-target.sh
source tools/wasm-target.sh

main() {
    rust_toolchain
    c_compiler
    node_packages "web assets and wasm-opt" .
    wasm_target
    if [[ ${1:-build} == test ]]; then
        node_packages "browser tests" end2end
        chromium
        postgresql
    fi
    printf 'Set-up is complete (%s s).\n' "$SECONDS" >&2
}

rust_toolchain() {
    step "Rust: compiles the server"
    has cargo || die "cargo is missing. Install Rust 1.95 or newer with rustup, then run this again."
    local have want
    want=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    have=$(rustc --version | cut -d' ' -f2)
    if [[ $(printf '%s\n%s\n' "$want" "$have" | sort -V | head -n1) != "$want" ]]; then
        die "Rust $have is too old, $want is needed. Run: rustup update stable"
    fi
    ok "rustc $have"
}

c_compiler() {
    step "C compiler: SQLite and zstd are built from their source"
    if ! has cc; then
        apt_install "Building SQLite" gcc libc6-dev
    fi
    ok "$(cc --version | head -n1)"
}

node_packages() {
    local what=$1 folder=$2
    step "npm packages: $what"
    if ! has node || ! has npm; then
        die "node and npm are missing. Install Node.js 20 or newer (on Debian: apt-get install nodejs npm), then run this again."
    fi
    # npm writes the lock file that it installed from into node_modules; newer than ours: up to date.
    if [[ $folder/node_modules/.package-lock.json -nt $folder/package-lock.json &&
        $folder/node_modules/.package-lock.json -nt $folder/package.json ]]; then
        ok "up to date"
        return
    fi
    quietly "npm ci" npm ci --prefix "$folder" --no-fund --no-audit ||
        die "npm can't install what $folder/package-lock.json lists. Is there a network? Try: npm ci --prefix $folder"
    touch "$folder/node_modules/.package-lock.json"
    ok "installed"
}

chromium() {
    step "Chromium: the browser that the tests drive"
    local browser=${PARETOSCOPE_CHROMIUM:-/usr/bin/chromium}
    if [[ ! -x $browser ]]; then
        [[ -z ${PARETOSCOPE_CHROMIUM:-} ]] ||
            die "PARETOSCOPE_CHROMIUM is $browser, which can't be run: unset it, or name a Chromium."
        apt_install "Testing in a browser" chromium fonts-liberation
    fi
    ok "$browser"
}

# The store's tests start a cluster of their own; only the programs have to be there.
postgresql() {
    step "PostgreSQL: the tests run against both databases"
    if ! has initdb && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; then
        # postgresql-common would start a cluster at once; the tests want only the programs.
        apt_install "Testing against PostgreSQL" postgresql
    fi
    ok "found"
}

main "$@"
