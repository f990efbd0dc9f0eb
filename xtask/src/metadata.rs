//! Cargo's metadata of the workspace and of its builds.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Message, MetadataCommand};

use crate::shell;

/// The workspace in the output of `cargo metadata --no-deps`.
pub(crate) struct Workspace {
    /// The packages of the workspace.
    pub(crate) packages: Vec<Package>,
    /// The folder cargo builds into.
    pub(crate) target_directory: PathBuf,
}

/// One package of the workspace.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    /// Its name, such as `manycore-device`.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// The oldest compiler that its manifest names.
    pub(crate) rust_version: Option<String>,
    /// What its manifest depends on.
    pub(crate) dependencies: Vec<Dependency>,
    /// Where it may be published; an empty list for nowhere.
    pub(crate) publish: Option<Vec<String>>,
    /// Its manifest.
    pub(crate) manifest_path: PathBuf,
    /// What its manifest says that it is.
    pub(crate) description: Option<String>,
    /// Its readme, as seen from the manifest.
    pub(crate) readme: Option<PathBuf>,
}

impl Package {
    /// Whether it may be published.
    pub(crate) fn is_public(&self) -> bool {
        !self.publish.as_ref().is_some_and(Vec::is_empty)
    }
}

/// One entry of a manifest's dependency tables.
#[derive(Debug, Clone)]
pub(crate) struct Dependency {
    /// The name of the package depended on.
    pub(crate) name: String,
    /// `None` for a normal dependency, otherwise `dev` or `build`.
    pub(crate) kind: Option<String>,
}

/// Reads the workspace's packages and their direct dependencies.
pub(crate) fn workspace() -> Result<Workspace> {
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata = MetadataCommand::parse(text).context("cannot read the output of cargo metadata")?;
    let package = |package: cargo_metadata::Package| Package {
        name: package.name.to_string(),
        version: package.version.to_string(),
        rust_version: package.rust_version.map(|version| version.to_string()),
        dependencies: package.dependencies.into_iter().map(dependency).collect(),
        publish: package.publish,
        description: package.description,
        manifest_path: package.manifest_path.into(),
        readme: package.readme.map(Into::into),
    };
    Ok(Workspace {
        packages: metadata.packages.into_iter().map(package).collect(),
        target_directory: metadata.target_directory.into(),
    })
}

fn dependency(dependency: cargo_metadata::Dependency) -> Dependency {
    let kind = (dependency.kind != DependencyKind::Normal).then(|| dependency.kind.to_string());
    Dependency { name: dependency.name, kind }
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

    /// The names of a test program's tests.
    pub(crate) fn tests(&self) -> Result<Vec<String>> {
        let text = shell::output(self.command().args(["--list", "--format", "terse"]))?;
        Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
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
    build_with(cargo)
}

/// [`build`] with a command of `cargo` that sets more than arguments.
pub(crate) fn build_with(mut cargo: Command) -> Result<Vec<Program>> {
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
    programs(&output.stdout)
}

fn programs(lines: &[u8]) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for message in Message::parse_stream(lines) {
        let Message::CompilerArtifact(artifact) = message.context("cannot read cargo's message")? else { continue };
        let Some(path) = artifact.executable else { continue };
        let folder = artifact.manifest_path.parent().unwrap_or(&artifact.manifest_path);
        programs.push(Program {
            folder: folder.to_path_buf().into(),
            package: package_name(&artifact.package_id.repr),
            kind: artifact.target.kind.first().map(ToString::to_string).unwrap_or_default(),
            target: artifact.target.name,
            test: artifact.profile.test,
            path: path.into(),
        });
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
        let artifact = |executable: &str, kind: &str, test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"path+file:///x#a@1.0.0","manifest_path":"/x/Cargo.toml","target":{{"name":"a","kind":["{kind}"],"crate_types":["{kind}"],"src_path":"/x/src/lib.rs","edition":"2024","doctest":true,"test":true,"doc":true}},"profile":{{"opt_level":"0","debuginfo":0,"debug_assertions":true,"overflow_checks":true,"test":{test}}},"features":[],"filenames":[],"executable":{executable},"fresh":false}}"#
            )
        };
        let lines = [
            artifact(r#""/t/a-1""#, "lib", true),
            artifact("null", "lib", false),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let lines = lines.join("\n");
        let found = programs(lines.as_bytes()).unwrap();
        assert_eq!(found.len(), 1);
        assert!(found[0].test && found[0].kind == "lib" && found[0].package == "a");
        assert_eq!(found[0].folder, std::path::Path::new("/x"));
    }
}
