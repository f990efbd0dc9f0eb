//! `cargo xtask release`: the checklist before packages are published, each point looked at by its own tool.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::metadata::{self, Package, Workspace};
use crate::{package, shell};

/// Goes through the checklist of a release and tells in which order packages are published; publishes nothing.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compile what each package packs, too, which takes as long as a build of everything
    #[arg(long)]
    verify_packages: bool,
    /// Fail, too, where a tool is missing that a point needs
    #[arg(long)]
    require: bool,
}

/// The verdict on a point of the checklist.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Right(String),
    Wrong(String),
    /// Not looked at, and how it could be.
    Open(String),
}

type Point = (&'static str, fn(&Workspace, &Arguments) -> Result<Verdict>);

const POINTS: &[Point] = &[
    ("nothing uncommitted", |_, _| uncommitted()),
    ("one version", |workspace, _| Ok(one_version(&workspace.packages))),
    ("changelog", |workspace, _| {
        let text = fs::read_to_string(shell::root().join("CHANGELOG.md")).context("cannot read CHANGELOG.md")?;
        Ok(changelog(&text, version(&workspace.packages)))
    }),
    ("oldest compiler", |workspace, _| oldest_compiler(&workspace.packages)),
    ("licences and sources", |_, _| tool("cargo-deny", &["deny", "check", "licenses", "bans", "sources"])),
    ("advisories", |_, _| tool("cargo-audit", &["audit"])),
    ("interface", |_, _| interface()),
    ("packages", |_, arguments| {
        package::run(arguments.verify_packages)?;
        Ok(Verdict::Right("each one is complete".to_owned()))
    }),
];

/// `cargo xtask release`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let workspace = metadata::workspace()?;
    let mut told = Vec::new();
    for (name, point) in POINTS {
        eprintln!("\n==== {name} ====");
        let verdict = point(&workspace, arguments).unwrap_or_else(|error| Verdict::Wrong(format!("{error:#}")));
        told.push((*name, verdict));
    }
    eprintln!();
    let (mut wrong, mut open) = (0, 0);
    for (name, verdict) in &told {
        let (mark, text) = match verdict {
            Verdict::Right(text) => ("right", text),
            Verdict::Wrong(text) => {
                wrong += 1;
                ("WRONG", text)
            }
            Verdict::Open(text) => {
                open += 1;
                ("open", text)
            }
        };
        println!("{mark:>5}  {name}: {text}");
    }
    println!("\nAfter `cargo xtask ci`, in this order (`cargo publish --package NAME`):");
    for name in order(&workspace.packages)? {
        println!("  {name}");
    }
    if wrong > 0 || (arguments.require && open > 0) {
        bail!("{wrong} points wrong, {open} open");
    }
    Ok(())
}

fn uncommitted() -> Result<Verdict> {
    let changes = shell::output(shell::command("git").args(["status", "--porcelain"]))?;
    Ok(match changes.lines().count() {
        0 => Verdict::Right("the checkout is the commit".to_owned()),
        count => Verdict::Wrong(format!("{count} files are changed or new")),
    })
}

fn public(packages: &[Package]) -> impl Iterator<Item = &Package> {
    packages.iter().filter(|package| package.is_public())
}

fn version(packages: &[Package]) -> &str {
    public(packages).next().map_or("", |package| &package.version)
}

fn one_version(packages: &[Package]) -> Verdict {
    let expected = version(packages);
    let others: Vec<String> = public(packages)
        .filter(|package| package.version != expected)
        .map(|package| format!("{} {}", package.name, package.version))
        .collect();
    if others.is_empty() {
        Verdict::Right(format!("{} packages of version {expected}", public(packages).count()))
    } else {
        Verdict::Wrong(format!("beside {expected} there are {}", others.join(", ")))
    }
}

/// Whether the changelog has a section of this version, and nothing that is not released.
fn changelog(text: &str, version: &str) -> Verdict {
    let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## [")).collect();
    let has = |name: &str| sections.iter().any(|section| section.starts_with(&format!("{name}]")));
    let unreleased = text.split("## [Unreleased]").nth(1).map_or("", |rest| rest.split("\n## [").next().unwrap_or(""));
    if !has(version) {
        Verdict::Wrong(format!("no section [{version}]"))
    } else if unreleased.trim().is_empty() {
        Verdict::Right(format!("section [{version}], nothing unreleased"))
    } else {
        Verdict::Wrong(format!("[Unreleased] has entries that belong to [{version}]"))
    }
}

/// Whether the oldest compiler that the manifests name compiles the packages.
fn oldest_compiler(packages: &[Package]) -> Result<Verdict> {
    let versions: BTreeSet<&str> = public(packages).filter_map(|package| package.rust_version.as_deref()).collect();
    let (Some(oldest), 1) = (versions.first(), versions.len()) else {
        return Ok(Verdict::Wrong(format!("the manifests name {} versions", versions.len())));
    };
    let toolchains = shell::output(shell::command("rustup").args(["toolchain", "list"])).unwrap_or_default();
    // Manifests leave out a patch of 0.
    let short = oldest.strip_suffix(".0").unwrap_or(oldest);
    let is_it = |name: &str| {
        let named = name.split('-').next().unwrap_or(name);
        named == *oldest || named.strip_suffix(".0").unwrap_or(named) == short
    };
    let Some(toolchain) = toolchains.lines().filter_map(|line| line.split(' ').next()).find(|name| is_it(name)) else {
        return Ok(Verdict::Open(format!("rustup toolchain install {short}")));
    };
    let mut check = Command::new("rustup");
    check.current_dir(shell::root()).args(["run", toolchain, "cargo", "check", "--workspace", "--all-features"]);
    for package in packages.iter().filter(|package| !package.is_public()) {
        check.args(["--exclude", &package.name]);
    }
    check.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    check.arg("--target-dir").arg(metadata::workspace()?.target_directory.join("oldest-compiler"));
    shell::run(&mut check)?;
    Ok(Verdict::Right(format!("Rust {short} compiles every package with every feature")))
}

/// A subcommand of cargo that is a program of its own.
fn tool(program: &str, arguments: &[&str]) -> Result<Verdict> {
    if shell::find_program(program).is_none() {
        return Ok(Verdict::Open(format!("cargo install --locked {program}")));
    }
    shell::run(shell::cargo().args(arguments))?;
    Ok(Verdict::Right(format!("cargo {}", arguments.join(" "))))
}

/// The interface beside that of the last release.
fn interface() -> Result<Verdict> {
    let tags = shell::output(shell::command("git").args(["tag", "--list", "v*", "--sort=-version:refname"]))?;
    match tags.lines().next() {
        None => Ok(Verdict::Right("no release before: nothing to compare with".to_owned())),
        Some(tag) => tool("cargo-semver-checks", &["semver-checks", "--workspace", "--baseline-rev", tag]),
    }
}

/// The packages that are published, each behind all that it depends on but for tests.
fn order(packages: &[Package]) -> Result<Vec<&str>> {
    let mut left: Vec<&Package> = public(packages).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let waits = |package: &Package| {
            let needs = package.dependencies.iter().filter(|need| need.kind.as_deref() != Some("dev"));
            needs.into_iter().any(|need| left.iter().any(|other| other.name == need.name))
        };
        let (later, now): (Vec<&Package>, Vec<&Package>) = left.iter().partition(|package| waits(package));
        if now.is_empty() {
            let names: Vec<&str> = later.iter().map(|package| package.name.as_str()).collect();
            bail!("packages depend on each other: {}", names.join(", "));
        }
        order.extend(now.iter().map(|package| package.name.as_str()));
        left = later;
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Verdict, changelog, one_version, order};
    use crate::metadata::{Dependency, Package};

    fn package(name: &str, needs: &[(&str, Option<&str>)]) -> Package {
        let need = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package {
            name: name.to_owned(),
            version: "0.2.0".to_owned(),
            rust_version: None,
            dependencies: needs.iter().map(need).collect(),
            publish: None,
            manifest_path: PathBuf::new(),
            readme: None,
            description: None,
        }
    }

    #[test]
    fn packages_stand_behind_what_they_need() {
        let mut packages = [
            package("c", &[("b", None), ("serde", None)]),
            package("a", &[("c", Some("dev"))]),
            package("b", &[("a", Some("build")), ("private", Some("dev"))]),
            package("private", &[("c", None)]),
        ];
        packages[3].publish = Some(Vec::new());
        assert_eq!(order(&packages).unwrap(), ["a", "b", "c"]);
        packages[1].dependencies.push(Dependency { name: "c".to_owned(), kind: None });
        assert!(order(&packages).unwrap_err().to_string().contains("c, a, b"));
    }

    #[test]
    fn versions_are_one() {
        let mut packages = [package("a", &[]), package("b", &[])];
        assert_eq!(one_version(&packages), Verdict::Right("2 packages of version 0.2.0".to_owned()));
        packages[1].version = "0.1.0".to_owned();
        assert_eq!(one_version(&packages), Verdict::Wrong("beside 0.2.0 there are b 0.1.0".to_owned()));
    }

    #[test]
    fn changelogs_name_the_version() {
        let is_right = |text: &str| matches!(changelog(text, "0.2.0"), Verdict::Right(_));
        assert!(is_right("# C\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-01\n- New.\n"));
        assert!(is_right("## [0.2.0]\n- New.\n"));
        assert!(!is_right("## [Unreleased]\n- More.\n\n## [0.2.0]\n- New.\n"));
        assert!(!is_right("## [Unreleased]\n- New.\n\n## [0.2.01]\n"));
    }
}
