//! What cargo says about the workspace and about what it built, read from its JSON.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::shell;

/// The workspace as `cargo metadata --no-deps` tells it.
#[derive(Deserialize)]
pub(crate) struct Workspace {
    /// The packages of the workspace.
    pub(crate) packages: Vec<Package>,
    /// The folder cargo builds into.
    pub(crate) target_directory: PathBuf,
}

/// One package of the workspace.
#[derive(Deserialize)]
pub(crate) struct Package {
    /// Its name, such as `manycore-device`.
    pub(crate) name: String,
    /// What its manifest depends on.
    pub(crate) dependencies: Vec<Dependency>,
    /// Where it may be published; an empty list for nowhere.
    pub(crate) publish: Option<Vec<String>>,
    /// Its manifest.
    #[serde(default)]
    pub(crate) manifest_path: PathBuf,
    /// Its readme, as seen from the manifest.
    pub(crate) readme: Option<PathBuf>,
}

/// One entry of a manifest's dependency tables.
#[derive(Deserialize)]
pub(crate) struct Dependency {
    /// The name of the package depended on.
    pub(crate) name: String,
    /// `None` for a normal dependency, otherwise `dev` or `build`.
    pub(crate) kind: Option<String>,
}

/// Reads the workspace's packages and their direct dependencies.
pub(crate) fn workspace() -> Result<Workspace> {
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    serde_json::from_str(&text).context("cannot read the output of cargo metadata")
}

/// The variable that names the folder of calibrations, kept choices and self-tests.
pub(crate) const CACHE_VARIABLE: &str = "MANYCORE_CACHE";

/// The folder of [`cache_folder`] for tests.
pub(crate) const TEST_CACHE: &str = "test-cache";

/// Where programs started here keep what they measure: not among the user's calibrations and choices, but in this folder of the
/// target folder; where the user names a folder, that one.
pub(crate) fn cache_folder(name: &str) -> Result<PathBuf> {
    match std::env::var_os(CACHE_VARIABLE) {
        Some(folder) if !folder.is_empty() => Ok(folder.into()),
        _ => Ok(workspace()?.target_directory.join(name)),
    }
}

/// A program that cargo built.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    /// The package it belongs to.
    pub(crate) package: String,
    /// The target's name.
    pub(crate) target: String,
    /// The target's kind: `bin`, `test`, `lib`, `example`, `bench`.
    pub(crate) kind: String,
    /// Whether it is a test harness.
    pub(crate) test: bool,
    /// The file.
    pub(crate) path: PathBuf,
    /// The folder of its package.
    pub(crate) folder: PathBuf,
}

impl Program {
    /// The program as `cargo test` starts it: in its package's folder.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO_MANIFEST_PATH", self.folder.join("Cargo.toml"));
        command
    }
}

/// Builds test programs of the whole workspace, those that `targets` names, and the programs that they start.
///
/// Always the whole workspace: packages chosen one by one would turn on other features of what they depend on, so that
/// everything would be compiled once for each choice.
pub(crate) fn tests(targets: &[&str]) -> Result<Vec<Program>> {
    build(&[&["test", "--workspace", "--no-run"], targets].concat())
}

/// Runs `cargo ARGUMENTS --message-format json-render-diagnostics` and gives the programs it built, fresh ones too.
pub(crate) fn build(arguments: &[&str]) -> Result<Vec<Program>> {
    let mut cargo = shell::cargo();
    cargo.args(arguments);
    build_by(cargo)
}

/// [`build`] with a command of `cargo` that sets more than arguments.
pub(crate) fn build_by(mut cargo: Command) -> Result<Vec<Program>> {
    let line = shell::line(&cargo);
    eprintln!("$ {line}");
    let output = cargo
        .args(["--message-format", "json-render-diagnostics"])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start: {line}"))?;
    if !output.status.success() {
        bail!("{line}: {}", output.status);
    }
    programs(&String::from_utf8_lossy(&output.stdout))
}

#[derive(Deserialize)]
struct Message {
    reason: String,
    package_id: Option<String>,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    profile: Option<Profile>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

fn programs(lines: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for line in lines.lines().filter(|line| line.starts_with('{')) {
        let message: Message =
            serde_json::from_str(line).with_context(|| format!("cannot read cargo's message: {line}"))?;
        if message.reason != "compiler-artifact" {
            continue;
        }
        if let (Some(path), Some(target), Some(id)) = (message.executable, message.target, message.package_id) {
            let manifest = message.manifest_path.unwrap_or_default();
            programs.push(Program {
                folder: manifest.parent().unwrap_or(&manifest).to_path_buf(),
                package: package_name(&id),
                kind: target.kind.first().cloned().unwrap_or_default(),
                target: target.name,
                test: message.profile.is_some_and(|profile| profile.test),
                path,
            });
        }
    }
    Ok(programs)
}

/// The name in a package id: `path+file:///a/b/name#0.1.0` or `path+file:///a/b#name@0.1.0`.
fn package_name(id: &str) -> String {
    let (location, version) = id.rsplit_once('#').unwrap_or((id, ""));
    match version.split_once('@') {
        Some((name, _)) => name.to_owned(),
        None => location.rsplit('/').next().unwrap_or(location).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{package_name, programs};

    #[test]
    fn package_ids_of_both_forms() {
        assert_eq!(package_name("path+file:///somewhere/manycore#0.1.0"), "manycore");
        assert_eq!(package_name("path+file:///somewhere/crates/device#manycore-device@0.1.0"), "manycore-device");
    }

    #[test]
    fn only_artifacts_with_a_program_count() {
        let lines = concat!(
            r#"{"reason":"compiler-artifact","package_id":"path+file:///x#a@1.0.0","manifest_path":"/x/Cargo.toml","target":{"name":"a","kind":["lib"]},"profile":{"test":true},"executable":"/t/a-1"}"#,
            "\n",
            r#"{"reason":"compiler-artifact","package_id":"path+file:///x#a@1.0.0","target":{"name":"a","kind":["lib"]},"profile":{"test":false},"executable":null}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        let found = programs(lines).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].test && found[0].kind == "lib" && found[0].package == "a");
        assert_eq!(found[0].folder, std::path::Path::new("/x"));
    }
}
