#!/usr/bin/env bash
# Every test: Rust (with both databases), then the browser's against the real binary.
# Later parts run even when an earlier one failed; the exit status tells of any failure.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/lib.sh
source tools/lib.sh

main() {
    local failed=()
    rust_tests || failed+=("Rust")
    browser_tests || failed+=("browser")
    ((${#failed[@]} == 0)) || die "tests failed: ${failed[*]}."
}

rust_tests() {
    step "Rust tests: the whole workspace"
    if has cargo-nextest; then
        cargo nextest run --workspace --no-fail-fast && cargo test --workspace --doc --quiet
    else
        cargo test --workspace --no-fail-fast
    fi
}

browser_tests() {
    step "Browser tests: target/debug/paretoscope in Chromium"
    # The whole workspace, as for the Rust tests: another selection would unify the
    # dependencies' features in another way and compile them again.
    cargo build --workspace --bins &&
        PARETOSCOPE_BIN=${PARETOSCOPE_BIN:-${CARGO_TARGET_DIR:-target}/debug/paretoscope} npm test --prefix end2end
}

main "$@"
