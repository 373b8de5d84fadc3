# The compiler for the browser's half, by one of two routes. Sourced by setup.sh.
# shellcheck shell=bash
#
# 1. rustup's target, one small download: the toolchain that builds the server builds the browser's half.
# 2. Where rustup can't download: Debian's rustc-web, with the standard library built once
#    for wasm from Debian's rust-web-src and kept in the user's cache folder. It links with
#    rustup's rust-lld or with Debian's wasm-ld.
#
# The route taken is written to target/wasm-route.env, which web.sh exports to cargo.
# PARETOSCOPE_WASM_ROUTE=rustup|debian takes that one route and no other.

readonly WASM=wasm32-unknown-unknown
readonly WASM_ROUTE_FILE=target/wasm-route.env
# The Debian route's compiler; not rustup's shim, which comes first in PATH.
readonly DEBIAN_RUSTC=/usr/bin/rustc DEBIAN_CARGO=/usr/bin/cargo

wasm_target() {
    step "WebAssembly target: compiles the interactive parts of the pages"
    local route
    for route in ${PARETOSCOPE_WASM_ROUTE:-rustup debian}; do
        if "wasm_by_$route"; then
            return
        fi
    done
    die "no compiler for $WASM. Run: rustup target add $WASM"
}

wasm_by_rustup() {
    if ! has_std rustc; then
        has rustup || return 1
        # Offline it fails at once; the limit is for a network that never answers.
        if ! RUST_BACKTRACE=0 RUSTUP_MAX_RETRIES=1 quietly "rustup target add $WASM" \
            timeout 180 rustup target add "$WASM"; then
            printf '    rustup could not download the target; trying the Debian packages\n' >&2
            return 1
        fi
        has_std rustc || return 1
    fi
    record_route <<EOF
WASM_ROUTE=rustup
EOF
    ok "rustup's $WASM"
}

wasm_by_debian() {
    if ! [[ -x $DEBIAN_RUSTC && -x $DEBIAN_CARGO && -d /usr/lib/rustlib/src/rust/library ]]; then
        apt_install "Compiling for the browser" rustc-web cargo-web rust-web-src
    fi
    local version sysroot linker
    version=$("$DEBIAN_RUSTC" --version | cut -d' ' -f2)
    sysroot=${XDG_CACHE_HOME:-$HOME/.cache}/paretoscope/wasm-std-$version
    linker=$(wasm_linker)
    if ! has_std "$DEBIAN_RUSTC" --sysroot "$sysroot"; then
        build_std "$sysroot"
    fi
    record_route <<EOF
WASM_ROUTE=debian
RUSTC=$DEBIAN_RUSTC
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=--sysroot=$sysroot
EOF
    ok "Debian's rustc-web $version"
}

# Whether this compiler (and flags) has a standard library for the target.
has_std() {
    local libs
    libs=$("$@" --print target-libdir --target "$WASM" 2>/dev/null) || return 1
    compgen -G "$libs/libstd-*.rlib" >/dev/null
}

wasm_linker() {
    local host lld
    host=$(rustc --version --verbose | sed -n 's/^host: //p')
    lld=$(rustc --print sysroot)/lib/rustlib/$host/bin/rust-lld
    if [[ -x $lld ]]; then
        echo "$lld"
    elif has wasm-ld; then
        command -v wasm-ld
    else
        die "linking for the browser needs rustup's rust-lld or LLVM's wasm-ld. Run: apt-get install -y lld"
    fi
}

# Builds an empty crate together with the standard library and keeps the latter's rlibs.
build_std() {
    local sysroot=$1 work libs rlib
    work=$(mktemp -d)
    mkdir "$work/src"
    : >"$work/src/lib.rs"
    printf '[package]\nname = "empty-crate"\nedition = "2021"\n[workspace]\n' >"$work/Cargo.toml"
    if ! RUSTC=$DEBIAN_RUSTC RUSTC_BOOTSTRAP=1 quietly "building the standard library for $WASM, once (about a minute)" \
        "$DEBIAN_CARGO" build --release --target "$WASM" --manifest-path "$work/Cargo.toml" \
        --target-dir "$work/target" -Zbuild-std=std,panic_abort,panic_unwind; then
        rm -rf "$work"
        die "Debian's rustc-web can't build the standard library for $WASM (its output is above)."
    fi
    # Moved into place whole: an interrupted set-up leaves nothing half-made behind.
    libs=$work/sysroot/lib/rustlib/$WASM/lib
    mkdir -p "$libs"
    for rlib in "$work/target/$WASM/release/deps"/lib*.rlib; do
        [[ $rlib == */libempty_crate-* ]] || cp "$rlib" "$libs"
    done
    mkdir -p "$(dirname "$sysroot")"
    rm -rf "$sysroot"
    mv "$work/sysroot" "$sysroot"
    rm -rf "$work"
}

record_route() {
    local route
    route=$(cat)
    mkdir -p "$(dirname "$WASM_ROUTE_FILE")"
    if [[ ! -f $WASM_ROUTE_FILE || $(<"$WASM_ROUTE_FILE") != "$route" ]]; then
        printf '%s\n' "$route" >"$WASM_ROUTE_FILE"
    fi
}
