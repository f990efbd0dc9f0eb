//! `cargo xtask kernels`: builds every unit on every device, lints it, and runs the kernel tests under oclgrind.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use manycore_kernels::{UNITS, Unit, spliced};

use crate::metadata::{self, Program};
use crate::setup::Tools;
use crate::shell;

/// Builds, lints and tests the OpenCL kernels.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only lint with clang
    #[arg(long)]
    lint: bool,
    /// Install nothing; use what is there
    #[arg(long)]
    no_setup: bool,
}

impl Arguments {
    /// The whole check with the tools that are there.
    pub(crate) fn all() -> Self {
        Self { lint: false, no_setup: true }
    }
}

/// `cargo xtask kernels`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tools = if arguments.no_setup { Tools::detect() } else { Tools::set_up() };
    let mut failed = Vec::new();
    let mut note = |what: &str, result: Result<()>| {
        if let Err(error) = result {
            eprintln!("kernels: {error:#}");
            failed.push(format!("{what}: {error:#}"));
        }
    };
    match &tools.clang {
        Some(clang) => note("lint", lint(clang)),
        None => eprintln!("kernels: no clang here: sources are not linted"),
    }
    if !arguments.lint {
        let programs = metadata::tests(&["--test", "kernels*", "--test", "units"])?;
        note("building the units", build_units(&programs, &tools));
        match &tools.oclgrind {
            Some(runtime) => note("kernel tests under oclgrind", under_oclgrind(&programs, runtime)),
            None => eprintln!("kernels: no oclgrind here: memory accesses are not checked"),
        }
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("\n"));
    }
    Ok(())
}

/// Runs the device crate's test that builds every unit under every parameter set on every device.
fn build_units(programs: &[Program], tools: &Tools) -> Result<()> {
    let units = programs.iter().find(|program| program.package == "manycore-device" && program.target == "units");
    let mut command = units.context("the device crate has no test called units")?.command();
    command.env(metadata::CACHE_VARIABLE, metadata::cache_folder(metadata::TEST_CACHE)?);
    if tools.device_expected() {
        command.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    shell::run(&mut command)
}

/// Gives each unit to clang under each parameter set, warnings being errors.
fn lint(clang: &Path) -> Result<()> {
    let variants: Vec<(&Unit, &[(&str, &str)])> =
        UNITS.iter().flat_map(|&unit| unit.parameter_sets.iter().map(move |&set| (unit, set))).collect();
    let outcomes = shell::side_by_side(&variants, |(unit, set)| {
        let defines: Vec<String> = set.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        let complaints = lint_one(clang, &spliced(unit), &defines)?;
        let what = format!("{} {}", unit.path, defines.join(" "));
        anyhow::Ok((what, complaints))
    });
    let mut faults = 0;
    for outcome in outcomes {
        let (what, complaints) = outcome?;
        if !complaints.is_empty() {
            eprintln!("kernels: {what}\n{complaints}");
            faults += 1;
        }
    }
    if faults > 0 {
        bail!("clang found faults in {faults} of {} variants", variants.len());
    }
    eprintln!("kernels: clang accepts {} units in {} variants", UNITS.len(), variants.len());
    Ok(())
}

/// What clang says about one text; empty where it is content.
fn lint_one(clang: &Path, source: &str, defines: &[String]) -> Result<String> {
    let mut child = shell::command(clang)
        .args(["-x", "cl", "-cl-std=CL1.2", "-target", "spir64-unknown-unknown"])
        .args(["-Xclang", "-finclude-default-header", "-Wall", "-Wextra", "-Wsign-compare", "-Werror", "-fsyntax-only"])
        .args(defines)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", clang.display()))?;
    if let Some(mut input) = child.stdin.take() {
        // A compiler that stops early closes the pipe; what it said tells why.
        let _ = input.write_all(source.as_bytes());
    }
    let output = child.wait_with_output().context("clang did not end")?;
    let complaints = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if output.status.success() && complaints.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{complaints}\n{}", output.status))
}

/// Tests that are named with the time that they took.
const SLOWEST: usize = 10;

/// Runs the kernel tests with oclgrind as the only OpenCL driver, and fails on each of its diagnostics.
fn under_oclgrind(programs: &[Program], runtime: &Path) -> Result<()> {
    let folder = metadata::workspace()?.target_directory.join("oclgrind");
    let vendors = folder.join("vendors");
    std::fs::create_dir_all(&vendors).with_context(|| format!("cannot make {}", vendors.display()))?;
    std::fs::write(vendors.join("oclgrind.icd"), format!("{}\n", runtime.display()))?;
    let cache = metadata::cache_folder(metadata::TEST_CACHE)?;

    let is_test = |program: &&Program| program.kind == "test" && program.target.starts_with("kernels");
    let mut tests = Vec::new();
    for program in programs.iter().filter(is_test) {
        tests.extend(tests_of(program)?.into_iter().map(|test| (program, test)));
    }
    let started = Instant::now();
    let outcomes = shell::side_by_side(&tests, |(program, test)| {
        let started = Instant::now();
        let outcome = check_one(program, test, &vendors, &cache);
        (outcome, started.elapsed().as_secs_f64())
    });
    eprintln!("kernels: oclgrind took {:.1} s, {SLOWEST} tests the most:", started.elapsed().as_secs_f64());
    let mut times: Vec<_> =
        tests.iter().zip(&outcomes).map(|((program, test), (_, took))| (*took, program, test)).collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (took, program, test) in times.iter().take(SLOWEST) {
        eprintln!("{took:>8.1} s  {} {} {test}", program.package, program.target);
    }
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut failed = Vec::new();
    for ((program, test), (outcome, _)) in tests.iter().zip(outcomes) {
        let name = format!("{} {}", program.package, program.target);
        let (status, text) = outcome?;
        let found = diagnostics(&text);
        if found > 0 || !status.success() {
            eprintln!("{text}\nkernels: {name}: {test}: {status}, oclgrind found {found} faults");
            failed.push(format!("{name}: {test}: {status}, {found} faults\n{}", ending(&text)));
        }
        said.entry(format!("{}-{}", program.package, program.target)).or_default().push_str(&text);
    }
    for (name, text) in &said {
        let log = folder.join(format!("{name}.log"));
        std::fs::write(&log, text).with_context(|| format!("cannot write {}", log.display()))?;
    }
    if !failed.is_empty() {
        bail!("what oclgrind said is kept in {}\n{}", folder.display(), failed.join("\n"));
    }
    Ok(())
}

/// Lines of a failed test that its error repeats.
const REPEATED: usize = 12;

/// The last lines of what a test said, indented.
fn ending(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(REPEATED)..];
    last.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// Runs one test under oclgrind; how it ended, and its error stream.
///
/// Every test gets a process of its own: the simulator keeps memory of the thread that used it first, and fails when
/// another one comes after that has ended.
fn check_one(program: &Program, test: &str, vendors: &Path, cache: &Path) -> Result<(ExitStatus, String)> {
    let mut command = program.command();
    command
        .args(["--exact", test, "--nocapture"])
        .env("OCL_ICD_VENDORS", vendors)
        .env(metadata::CACHE_VARIABLE, cache)
        .env("MANYCORE_REQUIRE_OPENCL", "1")
        // Tests may keep their inputs small under an interpreter.
        .env("MANYCORE_OCLGRIND", "1")
        .env("OCLGRIND_DATA_RACES", "1")
        // Not its search for uninitialised values: it takes vectors put together element by element for such.
        // Its log file would be emptied by each new context; its error stream keeps what every context said.
        .env_remove("OCLGRIND_LOG")
        .stdin(Stdio::null())
        .stdout(Stdio::null());
    let line = shell::line(&command);
    eprintln!("$ {line}");
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("cannot start: {line}"))?;
    Ok((output.status, String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// The names of a test program's tests.
fn tests_of(program: &Program) -> Result<Vec<String>> {
    let text = shell::output(program.command().args(["--list", "--format", "terse"]))?;
    Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
}

/// Diagnostics of oclgrind in an error stream: each names its kernel on a line of its own; those that are about no
/// kernel name oclgrind.
fn diagnostics(text: &str) -> usize {
    let about_kernel = |line: &&str| line.starts_with("\tKernel: ");
    text.lines().filter(|line| about_kernel(line) || line.to_lowercase().contains("oclgrind")).count()
}

#[cfg(test)]
mod tests {
    use super::{REPEATED, diagnostics, ending};

    #[test]
    fn diagnostics_are_counted_and_other_lines_are_not() {
        let invalid = "\nInvalid write of size 4 at global memory address 0x1000000000040\n\tKernel: fill\n\tEntity: Global(16,0,0)\n";
        let race = "\nRead-write data race at local memory address 0x10\n\tKernel: walsh_tile\n\n\tFirst entity:  Global(1,0,0)\n";
        assert_eq!(diagnostics(invalid), 1);
        assert_eq!(diagnostics(&format!("{invalid}{race}")), 2);
        assert_eq!(diagnostics("OCLGRIND FATAL ERROR (Memory.cpp:10)\n"), 1);
        assert_eq!(diagnostics("warning: a test said something\n"), 0);
    }

    #[test]
    fn an_error_repeats_the_last_lines() {
        let lines: Vec<String> = (0..REPEATED + 3).map(|line| format!("line {line}\n")).collect();
        let repeated = ending(&lines.join("\n"));
        assert_eq!(repeated.lines().count(), REPEATED);
        assert!(repeated.starts_with("    line 3") && !repeated.contains("line 2\n"), "{repeated}");
        assert_eq!(ending(" \n"), "");
    }
}
