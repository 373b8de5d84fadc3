//! The migrations are embedded: a changed one is a changed crate.

fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
}
