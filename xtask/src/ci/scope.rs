//! The scope of a change: packages whose files differ from those of the last commit that passed everything, and packages that depend on
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::Path;

use anyhow::{Context, Result};

use crate::metadata::{self, Package};
use crate::shell;

/// The file that names the last commit that passed everything.
pub(super) const MARKER: &str = ".ci/passed";

/// How near a package stands to a change; the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Nearness {
    /// Files of its own differ.
    Changed,
    /// A package differs that it depends on.
    Dependent,
    /// Nothing that it is built from differs.
    Rest,
}

impl Nearness {
    pub(super) const ALL: [Self; 3] = [Self::Changed, Self::Dependent, Self::Rest];
}

/// What a change touches, and the number by which a sample of the rest is drawn.
pub(crate) struct Scope {
    /// Why everything counts as changed; `None` where the difference is known.
    unknown: Option<String>,
    near: BTreeMap<String, Nearness>,
    seed: u64,
}

impl Scope {
    /// The scope of a whole run, which leaves nothing out.
    pub(crate) fn everything() -> Self {
        Self { unknown: Some("everything is wanted".into()), near: BTreeMap::new(), seed: 0 }
    }

    /// What differs between the files here and those of the commit that [`MARKER`] names.
    pub(super) fn since_passed() -> Result<Self> {
        let workspace = metadata::workspace()?;
        let head = git(&["rev-parse", "HEAD"]).unwrap_or_default();
        let seed = hash(&head);
        let paths = match changed_paths() {
            Ok(paths) => paths,
            Err(error) => {
                return Ok(Self { unknown: Some(format!("{error:#}")), near: BTreeMap::new(), seed });
            }
        };
        let launching = launching(&workspace.packages)?;
        let root = shell::root();
        let folder = |package: &Package| {
            let folder = package.manifest_path.parent().unwrap_or(Path::new(""));
            folder.strip_prefix(&root).unwrap_or(folder).to_string_lossy().replace('\\', "/")
        };
        let folders: Vec<(String, &Package)> =
            workspace.packages.iter().map(|package| (folder(package), package)).collect();
        let mut changes = Changes::default();
        for path in &paths {
            changes.add(path, &folders, &launching);
        }
        let near = nearness(&workspace.packages, &changes);
        Ok(Self { unknown: changes.of_all, near, seed })
    }

    /// How near a package stands to the change.
    pub(crate) fn of(&self, package: &str) -> Nearness {
        if self.unknown.is_some() {
            return Nearness::Changed;
        }
        self.near.get(package).copied().unwrap_or(Nearness::Rest)
    }

    /// The nearest of several packages.
    pub(super) fn nearest(&self, packages: &[&str]) -> Nearness {
        packages.iter().map(|package| self.of(package)).min().unwrap_or(Nearness::Rest)
    }

    /// A number by which items of equal nearness are put in another order by each commit.
    pub(crate) fn draw(&self, name: &str) -> u64 {
        hash(&(self.seed, name))
    }

    /// What it found, in a line.
    pub(super) fn describe(&self) -> String {
        if let Some(reason) = &self.unknown {
            return format!("every package counts as changed: {reason}");
        }
        let of = |wanted: Nearness| -> Vec<&str> {
            self.near.iter().filter(|(_, near)| **near == wanted).map(|(name, _)| short(name)).collect()
        };
        let (changed, dependent) = (of(Nearness::Changed), of(Nearness::Dependent));
        let list = |names: &[&str]| if names.is_empty() { "none".into() } else { names.join(" ") };
        format!(
            "changed since the last commit that passed everything: {}; over them: {}",
            list(&changed),
            list(&dependent)
        )
    }
}

/// A package's name without what all have in common.
pub(super) fn short(package: &str) -> &str {
    package.strip_prefix("manycore-").unwrap_or(package)
}

pub(super) fn hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn git(arguments: &[&str]) -> Result<String> {
    Ok(shell::output(shell::command("git").args(arguments))?.trim().to_owned())
}

/// The paths that differ, from the root, also those that no commit has yet.
fn changed_paths() -> Result<Vec<String>> {
    let path = shell::root().join(MARKER);
    let marker = std::fs::read_to_string(&path).with_context(|| format!("no file {MARKER}"))?;
    let commit = marker.split_whitespace().next().with_context(|| format!("{MARKER} names no commit"))?;
    // Without renames a file that moved from one package to another counts in both.
    let mut paths = git(&["diff", "--name-only", "--no-renames", commit]).context("git knows no difference")?;
    paths.push('\n');
    paths.push_str(&git(&["ls-files", "--others", "--exclude-standard"])?);
    Ok(paths.lines().filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

/// The packages that launch the kernels of each folder.
fn launching(packages: &[Package]) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut launching: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages {
        let sources = package.manifest_path.with_file_name("src");
        for file in files_below(&sources)? {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            for (at, name) in text.match_indices("kernels::") {
                let rest = &text[at + name.len()..];
                let folder: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
                if rest[folder.len()..].starts_with("::") {
                    launching.entry(folder).or_default().insert(package.name.clone());
                }
            }
        }
    }
    Ok(launching)
}

fn files_below(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(files) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// The packages that differ.
#[derive(Default)]
struct Changes {
    /// Packages whose library or program differs: their dependents may differ, too.
    built: BTreeSet<String>,
    /// Packages in which tests, benches or texts alone differ.
    beside: BTreeSet<String>,
    /// The file that every package depends on, where one differs.
    of_all: Option<String>,
}

impl Changes {
    fn add(&mut self, path: &str, folders: &[(String, &Package)], launching: &BTreeMap<String, BTreeSet<String>>) {
        if matches!(path, "Cargo.toml" | "Cargo.lock" | ".cargo/config.toml" | ".ci/run" | "clippy.toml") {
            self.of_all = Some(format!("{path} differs"));
            return;
        }
        if let Some((folder, _)) = path.strip_prefix("kernels/").and_then(|rest| rest.split_once('/'))
            && let Some(packages) = launching.get(folder)
        {
            self.built.extend(packages.iter().cloned());
            return;
        }
        let within = |folder: &str| path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
        let found = folders.iter().filter_map(|(folder, package)| Some((folder.len(), within(folder)?, package)));
        let Some((_, rest, package)) = found.max_by_key(|(length, ..)| *length) else { return };
        let is_beside = ["tests/", "benches/", "examples/"].iter().any(|part| rest.starts_with(part))
            || Path::new(rest).extension().is_some_and(|extension| extension == "md");
        let set = if is_beside { &mut self.beside } else { &mut self.built };
        set.insert(package.name.clone());
    }
}

/// How near each package stands.
fn nearness(packages: &[Package], changes: &Changes) -> BTreeMap<String, Nearness> {
    let mut reached = changes.built.clone();
    loop {
        let reaches = |package: &&Package| {
            !reached.contains(&package.name)
                && package.dependencies.iter().any(|dependency| reached.contains(&dependency.name))
        };
        let more: Vec<String> = packages.iter().filter(reaches).map(|package| package.name.clone()).collect();
        if more.is_empty() {
            break;
        }
        reached.extend(more);
    }
    let of = |name: &String| {
        if changes.built.contains(name) || changes.beside.contains(name) {
            Nearness::Changed
        } else if reached.contains(name) {
            Nearness::Dependent
        } else {
            Nearness::Rest
        }
    };
    packages.iter().map(|package| (package.name.clone(), of(&package.name))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::PathBuf;

    use super::{Changes, Nearness, Scope, nearness};
    use crate::metadata::{Dependency, Package};

    fn package(name: &str, dependencies: &[&str]) -> Package {
        let dependency = |name: &&str| Dependency { name: (*name).into(), kind: None };
        Package {
            name: name.into(),
            version: "0.1.0".into(),
            rust_version: None,
            dependencies: dependencies.iter().map(dependency).collect(),
            publish: None,
            manifest_path: PathBuf::from("Cargo.toml"),
            readme: None,
            description: None,
        }
    }

    #[test]
    fn what_depends_on_a_change_is_near_it() {
        use Nearness::{Changed, Dependent, Rest};
        let packages = [package("a", &[]), package("b", &["a"]), package("c", &["b"]), package("d", &[])];
        let folders: Vec<_> = packages.iter().map(|package| (format!("crates/{}", package.name), package)).collect();
        let launching = BTreeMap::from([("x".to_owned(), BTreeSet::from(["b".to_owned()]))]);
        let near = |paths: &[&str]| {
            let mut changes = Changes::default();
            for path in paths {
                changes.add(path, &folders, &launching);
            }
            (nearness(&packages, &changes).into_values().collect::<Vec<_>>(), changes.of_all)
        };
        assert_eq!(near(&["crates/b/src/lib.rs"]), (vec![Rest, Changed, Dependent, Rest], None));
        assert_eq!(near(&["kernels/x/fold.cl"]), (vec![Rest, Changed, Dependent, Rest], None));
        assert_eq!(near(&["crates/a/tests/it.rs", "README.md"]), (vec![Changed, Rest, Rest, Rest], None));
        assert_eq!(near(&["crates/a/Cargo.toml"]).0, [Changed, Dependent, Dependent, Rest]);
        assert!(near(&["Cargo.lock"]).1.is_some());
    }

    #[test]
    fn nothing_is_left_out_of_everything() {
        assert_eq!(Scope::everything().of("manycore-poly"), Nearness::Changed);
        assert_ne!(Scope::everything().draw("a"), Scope::everything().draw("b"));
    }
}
