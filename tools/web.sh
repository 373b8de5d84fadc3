#!/usr/bin/env bash
# Compiles the browser's half and builds the web assets into target/site.
#
#   tools/web.sh dev|release
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/lib.sh
source tools/lib.sh

main() {
    local profile=$1 folder
    [[ -f target/wasm-route.env ]] ||
        die "the WebAssembly target isn't set up. Run: make setup"
    step "Web assets ($profile): the browser's half, style sheets, plotly.js"
    case $profile in
    dev)
        compile_app dev
        folder=debug
        ;;
    release)
        compile_app wasm-release
        folder=wasm-release
        ;;
    *) die "usage: tools/web.sh dev|release" ;;
    esac
    cargo build -p paretoscope-web-build
    local release_flag=()
    [[ $profile == dev ]] || release_flag=(--release)
    "${CARGO_TARGET_DIR:-target}/debug/paretoscope-web-build" \
        "${CARGO_TARGET_DIR:-target}/wasm32-unknown-unknown/$folder/paretoscope_app.wasm" \
        target/site "${release_flag[@]}"
    ok "target/site"
}

# In a subshell: the route's compiler is for this one command. Debug information is of no
# use in a browser and makes the module several times as large.
compile_app() (
    set -a
    # shellcheck source=/dev/null
    source target/wasm-route.env
    set +a
    export CARGO_PROFILE_DEV_DEBUG=false
    cargo build -p paretoscope-app --lib --no-default-features --features hydrate \
        --target wasm32-unknown-unknown --profile "$1"
)

main "$@"
