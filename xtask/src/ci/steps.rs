//! The steps of continuous integration in their order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::run::{Run, TESTS};
use crate::metadata;
use crate::setup::Tools;
use crate::shell;
use crate::{bench, docs, failures, faults, kernels, layers, package, pages, python, soak, test, tidy};

/// One step.
pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) when: When,
    pub(super) run: fn(&Run) -> Result<()>,
}

/// When a step runs in a run that is not of everything.
pub(super) enum When {
    /// For each change.
    Always,
    /// Where one of these packages differs, and for other changes as often as it is drawn.
    Drawn(&'static [&'static str]),
}

const fn always(name: &'static str, run: fn(&Run) -> Result<()>) -> Step {
    Step { name, when: When::Always, run }
}

const fn drawn(name: &'static str, packages: &'static [&'static str], run: fn(&Run) -> Result<()>) -> Step {
    Step { name, when: When::Drawn(packages), run }
}

/// The steps in their order: what the README promises first, then from quick to slow.
pub(super) const STEPS: &[Step] = &[
    always(TESTS, test::programs),
    always("documentation", test::documentation),
    always("format", |_| format()),
    always("layers", |_| layers::run()),
    always("tidy", |_| tidy::run(&tidy::Arguments::check())),
    always("clippy", |_| clippy()),
    always("links", |_| docs::interface()),
    always("kernels", |run| kernels::check(run, &Tools::detect())),
    always("faults", faults::step),
    drawn("python", &["manycore-python"], |_| python::run(&python::Arguments::all())),
    drawn("hidden-library", &["manycore-opencl-loader", "manycore-device"], |_| hidden_library()),
    drawn("book", &["manycore-docs"], |_| docs::book()),
    drawn("errata", &["manycore-docs"], |_| errata()),
    drawn("example", &["manycore-spectral"], |_| example()),
    drawn("pages", &["manycore-pages", "manycore-cli"], |_| {
        pages::run_with(&tested("manycore-cli")?, &pages::Arguments::required())
    }),
    drawn("host-only", &["manycore-device", "manycore-files", HOST_ONLY], |_| host_only()),
    drawn("soak", &["manycore-soak"], |_| soak::run_for(tested("manycore-soak")?, Duration::from_secs(60))),
    drawn("bench", &["manycore-benches"], |_| bench::run(&bench::Arguments::quick(benches()?))),
    drawn("package", &[], |run| package::run(run.compiles_packages)),
];

fn format() -> Result<()> {
    shell::run(shell::cargo().args(["fmt", "--all", "--check"]))
}

fn clippy() -> Result<()> {
    shell::run(shell::cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The packages that reach OpenCL.
const REACHING: &[&str] = &[
    "manycore-opencl-loader",
    "manycore-device",
    "manycore-tuning",
    "manycore-spectral",
    "manycore-ntt",
    "manycore",
    "manycore-cli",
];

/// The packages that reach OpenCL, tested as on a machine without it, and the program's own dependencies.
///
/// Documentation examples see the same devices as the tests and are left out.
fn hidden_library() -> Result<()> {
    let programs = metadata::tests(&["--lib", "--bins", "--tests"])?;
    let cache = metadata::cache_folder(metadata::TEST_CACHE)?;
    let mut failed = Vec::new();
    for program in programs.iter().filter(|program| program.test && REACHING.contains(&program.package.as_str())) {
        let mut command = program.command();
        command.env(metadata::CACHE_VARIABLE, &cache);
        // CI=true means to some tests that a device must be there, which is not so in this step.
        if let Err(error) = failures::run(hidden(&mut command).env_remove("CI")) {
            eprintln!("hidden-library: {error:#}");
            failed.push(format!("{} {}: {error:#}", program.package, program.target));
        }
    }
    let mut started = 0;
    for program in programs.iter().filter(|program| program.kind == "bin" && !program.test) {
        if program.package == "manycore-cli" {
            needs_no_opencl(&program.path)?;
            shell::run(hidden(shell::command(&program.path).arg("devices")))?;
            started += 1;
        }
    }
    if started == 0 {
        bail!("cargo built no program of manycore-cli");
    }
    if !failed.is_empty() {
        bail!("without OpenCL: {}", failed.join(", "));
    }
    Ok(())
}

/// The command as on a machine without OpenCL.
fn hidden(command: &mut Command) -> &mut Command {
    command.env("MANYCORE_OPENCL_LIBRARY", "none").env_remove("MANYCORE_REQUIRE_OPENCL")
}

/// Fails where the loader would look for an OpenCL library before the program starts.
fn needs_no_opencl(program: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let libraries = shell::output(shell::command("ldd").arg(program)).context("cannot list the program's libraries")?;
    if let Some(line) = libraries.lines().find(|line| line.contains("OpenCL")) {
        bail!("{} is linked with OpenCL: {}", program.display(), line.trim());
    }
    eprintln!("hidden-library: {} links no OpenCL library", program.display());
    Ok(())
}

/// The errata of the papers, each computed as printed and as corrected.
fn errata() -> Result<()> {
    shell::run(shell::command(python::system()?).arg("docs/errata"))
}

/// The README's first command.
fn example() -> Result<()> {
    let mut command = shell::cargo();
    command.args(["run", "--release", "-p", "manycore-spectral", "--example", "sbox_spectrum"]);
    if Tools::detect().device_expected() {
        command.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    shell::run(&mut command)
}

/// The program of the benches, as released.
fn benches() -> Result<PathBuf> {
    let programs = metadata::build(&["build", "--release", "-p", "manycore-benches", "--bin", "manycore-bench"])?;
    let program = programs.into_iter().find(|program| program.target == "manycore-bench");
    Ok(program.context("cargo did not build manycore-bench")?.path)
}

/// A program that integration tests of its package start: the step `test` has built it.
fn tested(package: &str) -> Result<PathBuf> {
    let programs = metadata::tests(&["--lib", "--bins", "--tests"])?;
    let is_it = |program: &metadata::Program| program.package == package && program.kind == "bin" && !program.test;
    Ok(programs.into_iter().find(is_it).with_context(|| format!("cargo did not build {package}"))?.path)
}

/// A crate without the default features, as programs of the host alone have it: it compiles, and its tests pass.
///
/// In a target folder of its own: with the other features everything would be compiled anew in the usual one.
fn host_only() -> Result<()> {
    let workspace = metadata::workspace()?;
    let mut tree = shell::cargo();
    tree.args(["tree", "--package", HOST_ONLY, "--no-default-features", "--edges", "normal", "--prefix", "none"]);
    let tree = shell::output(&mut tree)?;
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let packages: BTreeSet<String> = tree.lines().map(name).filter(|name| !name.is_empty()).collect();
    let unwanted = ["ocl", "ocl-core", "cl-sys", "manycore-opencl-loader", "libloading", "npyz", "num-bigint"];
    if let Some(found) = unwanted.iter().find(|name| packages.contains(**name)) {
        bail!("{HOST_ONLY} without its features depends on {found}");
    }
    eprintln!("host-only: {HOST_ONLY} is compiled from {} packages", packages.len());
    let mut cargo = shell::cargo();
    cargo.args(["test", "--package", "manycore-device", "--package", "manycore-files", "--package", HOST_ONLY]);
    cargo.args(["--no-default-features", "--lib", "--test", "poly"]);
    cargo.arg("--target-dir").arg(workspace.target_directory.join("host-only"));
    cargo.env(metadata::CACHE_VARIABLE, metadata::cache_folder(metadata::TEST_CACHE)?);
    shell::run(cargo.env_remove("MANYCORE_REQUIRE_OPENCL").env_remove("CI"))
}

/// The crate that is compiled without its features: it stands over most others.
const HOST_ONLY: &str = "manycore-poly";

#[cfg(test)]
mod tests {
    use super::STEPS;

    #[test]
    fn steps_have_names_of_their_own() {
        let mut names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), STEPS.len());
    }
}
