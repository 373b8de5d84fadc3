#!/usr/bin/env bash
# The benchmark suite.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo bench -p paretoscope "$@"
