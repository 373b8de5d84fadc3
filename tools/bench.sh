#!/usr/bin/env bash
# The benchmark suite: server and store (server/benches/suite), then the pages in Chromium (end2end/bench).
#
#   PARETOSCOPE_BENCH_POINTS=100000 tools/bench.sh    stops at that many generated points
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=tools/lib.sh
source tools/lib.sh

# The variable makes cargo embed the assets anew when they changed (server/src/assets.rs).
PARETOSCOPE_SITE=$(cksum <target/site/manifest.json)
export PARETOSCOPE_SITE

step "Benchmarks: maths, ingest, pages, API, memory (release binary)"
cargo bench -p paretoscope --bench suite "$@"

if [[ -x ${PARETOSCOPE_CHROMIUM:-/usr/bin/chromium} && -d end2end/node_modules ]]; then
    step "Benchmarks: a run's page in Chromium"
    PARETOSCOPE_BIN="${CARGO_TARGET_DIR:-target}/release/paretoscope" npm run --silent bench --prefix end2end
else
    printf '\nChromium or its driver is not here: the pages were not measured. Run: make setup-test\n' >&2
fi
