//! The migrations are embedded: a changed one is a changed crate.

#[expect(clippy::print_stdout, reason = "that is how a build script speaks to cargo")]
fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
