//! Type checks for systems that this machine is none of: program, Python package and C library are compiled as far as code is made.

use std::time::Instant;

use anyhow::{Result, bail};

use super::distribution::{Distribution, PACKAGE};
use crate::shell;

/// The systems.
const TRIPLES: &[&str] =
    &["aarch64-unknown-linux-gnu", "x86_64-apple-darwin", "aarch64-apple-darwin", "x86_64-pc-windows-gnu"];

/// What is installed.
const PACKAGES: &[&str] = &[PACKAGE, "manycore-python", "manycore-c"];

/// Checks each; zig compiles what is written in C.
pub(super) fn check(distribution: &Distribution) -> Result<()> {
    let mut told = Vec::new();
    for triple in TRIPLES.iter().copied().filter(|triple| *triple != distribution.triple) {
        let begin = Instant::now();
        let has = shell::succeeds(shell::command("rustup").args(["target", "add", triple]));
        let mut command = distribution.tools.command("cargo-zigbuild");
        command.args(["check", "--locked", "--target", triple]).env("RUSTFLAGS", "-D warnings");
        for package in PACKAGES {
            command.args(["--package", package]);
        }
        let checked = shell::run(&mut command);
        let seconds = begin.elapsed().as_secs_f64();
        told.push(match checked {
            Ok(()) => (true, format!("{triple}: right, {seconds:.0} s")),
            Err(error) if has => (false, format!("{triple}: {error:#}")),
            Err(_) => (false, format!("{triple}: Rust's library for it cannot be had (rustup target add {triple})")),
        });
    }
    for (_, text) in &told {
        println!("{text}");
    }
    let wrong = told.iter().filter(|(right, _)| !right).count();
    if wrong > 0 {
        bail!("{wrong} of {} systems do not check", told.len());
    }
    Ok(())
}
