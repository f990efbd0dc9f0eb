//! Packages as they would be published: each is packed, and what it packs is complete.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::metadata::{self, Package};
use crate::shell;

/// Packs every package that may be published, and looks whether the files are there that its sources include and its manifest
/// names; with `compiles` cargo compiles what each package packs, which takes as long as a build of everything.
pub(crate) fn run(compiles: bool) -> Result<()> {
    let workspace = metadata::workspace()?;
    let mut cargo = shell::cargo();
    cargo.args(["package", "--workspace", "--allow-dirty", "--quiet"]);
    if !compiles {
        cargo.arg("--no-verify");
    }
    for package in workspace.packages.iter().filter(|package| !package.is_public()) {
        cargo.args(["--exclude", &package.name]);
    }
    // Cargo serves the packages to each other from a registry within the target folder, and keeps what it unpacks by that
    // folder's path and the version: at the same path it would find the packages of an earlier run.
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let target = workspace.target_directory.join(format!("packaging-{}-{now}", std::process::id()));
    cargo.arg("--target-dir").arg(&target);
    let packed = shell::run(&mut cargo);
    if target.exists() {
        std::fs::remove_dir_all(&target).with_context(|| format!("cannot remove {}", target.display()))?;
    }
    packed?;

    let mut faults = Vec::new();
    for package in workspace.packages.iter().filter(|package| package.is_public()) {
        faults.extend(check(package)?.into_iter().map(|fault| format!("{}: {fault}", package.name)));
    }
    for fault in &faults {
        eprintln!("package: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} faults in what is packed", faults.len());
    }
    Ok(())
}

/// What is missing in the package's files.
fn check(package: &Package) -> Result<Vec<String>> {
    let mut cargo = shell::cargo();
    cargo.args(["package", "--list", "--allow-dirty", "--package", &package.name]);
    let packed: BTreeSet<PathBuf> = shell::output(&mut cargo)?.lines().map(PathBuf::from).collect();
    let folder = package.manifest_path.parent().context("a manifest in no folder")?;
    let mut faults = Vec::new();
    if let Some(readme) = &package.readme
        && !packed.contains(readme)
    {
        faults.push(format!("{} is not packed", readme.display()));
    }
    for file in packed.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        for included in included(&text) {
            let place = within(file.parent().unwrap_or(Path::new("")), Path::new(included));
            if !place.is_some_and(|place| packed.contains(&place)) {
                faults.push(format!("{} includes {included}, which is not packed", file.display()));
            }
        }
    }
    Ok(faults)
}

/// The files that a source includes by a name that stands in it.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let calls = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let after = calls.flat_map(|line| {
        ["include_str!(\"", "include_bytes!(\"", "include!(\""].into_iter().flat_map(|call| line.split(call).skip(1))
    });
    after.filter_map(|rest| rest.split_once('"').map(|(name, _)| name))
}

/// The path of `name` as seen from `folder`; `None` where it leaves the package.
fn within(folder: &Path, name: &Path) -> Option<PathBuf> {
    let mut place = folder.to_path_buf();
    for component in name.components() {
        match component {
            Component::Normal(part) => place.push(part),
            Component::ParentDir => {
                if !place.pop() {
                    return None;
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(place)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{included, within};

    #[test]
    fn includes_are_found() {
        let text = concat!(
            "#![doc = include",
            "_str!(\"../README.md\")]\n// include",
            "_str!(\"no.md\")\nlet x = include",
            "_bytes!(\"a/b.bin\");\ninclude",
            "_str!(concat!(\"a\", \"b\"));\n"
        );
        assert_eq!(included(text).collect::<Vec<_>>(), ["../README.md", "a/b.bin"]);
    }

    #[test]
    fn paths_stay_within_the_package() {
        assert_eq!(within(Path::new("src"), Path::new("../README.md")), Some(PathBuf::from("README.md")));
        assert_eq!(within(Path::new("src/a"), Path::new("./b.rs")), Some(PathBuf::from("src/a/b.rs")));
        assert_eq!(within(Path::new("src"), Path::new("../../README.md")), None);
        assert_eq!(within(Path::new("src"), Path::new("/etc/hosts")), None);
    }
}
