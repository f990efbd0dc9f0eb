//! Notes the commit that the benches are built from, so that a figure tells which code it measured.

use std::process::Command;

fn main() {
    // Sources too: a change of them changes whether the tree is that of the commit.
    for path in ["../.git/HEAD", "../.git/logs/HEAD", "../crates", "../kernels", "src", "Cargo.toml", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let commit = git(&["rev-parse", "--short", "HEAD"]).map_or_else(String::new, |commit| {
        let clean = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| changes.is_empty());
        if clean { commit } else { format!("{commit} with changes") }
    });
    println!("cargo::rustc-env=MANYCORE_COMMIT={commit}");
}

/// What git prints, where there is git and a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
