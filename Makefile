# What people do here. Every target first sees to what it needs; a second run is quick.
#
# PARETOSCOPE_* settings (docs/, `paretoscope serve --help`) pass through to the server.

.DEFAULT_GOAL := help
# Where cargo builds.
TARGET := $(or $(CARGO_TARGET_DIR),target)
# The steps of a target run in their order, also under `make -j`.
.NOTPARALLEL:

.PHONY: help run test build bench fmt check setup setup-test web web-release

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

run: setup web ## set up, build the quick profile, serve it with sample data on 127.0.0.1:3000
	cargo build --workspace --bins
	@exec "$(TARGET)/debug/paretoscope" serve --sample-if-empty

test: setup-test web ## set up, then every test: Rust, both databases, browser
	tools/test.sh

build: setup web-release ## the release binary, one file: target/release/paretoscope
	@# The variable makes cargo embed anew when the assets changed (server/src/assets.rs).
	PARETOSCOPE_SITE="$$(cksum < target/site/manifest.json)" \
		cargo build --release -p paretoscope --bin paretoscope

bench: setup web-release ## the benchmarks, with a table of figures
	tools/bench.sh

fmt: ## format the Rust code
	cargo fmt --all

check: ## formatting and lints, as strict as a review
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings

setup: ## what building and running need
	@tools/setup.sh

setup-test: ## the same, and what the browser tests need
	@tools/setup.sh test

web: ## only the web assets, quick profile
	@tools/web.sh dev

web-release: ## only the web assets, as they ship
	@tools/web.sh release
