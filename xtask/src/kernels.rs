//! `cargo xtask kernels`: builds every unit on every device, lints it, and runs the kernel tests under oclgrind.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use manycore_kernels::{UNITS, Unit, spliced};

use crate::ci::run::Run;
use crate::metadata::{self, Program};
use crate::setup::Tools;
use crate::{shell, test_programs};

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

/// `cargo xtask kernels`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tools = if arguments.no_setup { Tools::detect() } else { Tools::set_up() };
    if arguments.lint {
        return tools.clang.as_deref().context("no clang here").and_then(lint);
    }
    check(&Run::everything(), &tools)
}

/// The whole check with the tools that are there.
pub(crate) fn check(run: &Run, tools: &Tools) -> Result<()> {
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
    let programs = test_programs::built(run)?;
    note("building the units", build_units(&programs, tools));
    match &tools.oclgrind {
        Some(runtime) => note("kernel tests under oclgrind", under_oclgrind(run, tools, &programs, runtime)),
        None => eprintln!("kernels: no oclgrind here: memory accesses are not checked"),
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
        // A compiler that stops early closes the pipe; its output says why.
        let _ = input.write_all(source.as_bytes());
    }
    let output = child.wait_with_output().context("clang did not end")?;
    let complaints = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    if output.status.success() && complaints.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("{complaints}\n{}", output.status))
}

/// Seconds in which kernel tests begin, in a run that is not of everything.
const SECONDS: u64 = 180;

/// Runs the kernel tests with oclgrind as the only OpenCL driver, and fails on each of its diagnostics.
fn under_oclgrind(run: &Run, tools: &Tools, programs: &[Program], runtime: &Path) -> Result<()> {
    let vendors = metadata::workspace()?.target_directory.join("oclgrind").join("vendors");
    std::fs::create_dir_all(&vendors).with_context(|| format!("cannot make {}", vendors.display()))?;
    std::fs::write(vendors.join("oclgrind.icd"), format!("{}\n", runtime.display()))?;
    let mut items = Vec::new();
    for program in programs.iter().filter(|program| program.test && program.kind == "test") {
        for test in kernel_tests(program)? {
            let name = format!("kernels {} {} {test}", program.package, program.target);
            let mut item = test_programs::item(tools, program, name, &["--exact", &test, "--nocapture"])?;
            under(&mut item.command, &vendors);
            item.judge = judge;
            items.push(item);
        }
    }
    run.items("kernels", items, SECONDS)
}

/// The tests that launch kernels by name: all of a program that is called so, and the modules of others that are.
fn kernel_tests(program: &Program) -> Result<Vec<String>> {
    let mut tests = program.tests()?;
    if !program.target.starts_with("kernels") {
        tests.retain(|test| test.starts_with("kernels"));
    }
    Ok(tests)
}

/// Lets a test run under oclgrind.
///
/// Every test gets a process of its own: the simulator keeps memory of the thread that used it first, and fails when
/// another one comes after that has ended.
fn under(command: &mut Command, vendors: &Path) {
    command
        .env("OCL_ICD_VENDORS", vendors)
        .env("MANYCORE_REQUIRE_OPENCL", "1")
        // Tests may keep their inputs small under an interpreter.
        .env("MANYCORE_OCLGRIND", "1")
        .env("OCLGRIND_DATA_RACES", "1")
        // Not its search for uninitialised values: it takes vectors put together element by element for such.
        // Its log file would be emptied by each new context; its error stream keeps what every context said.
        .env_remove("OCLGRIND_LOG");
}

/// Fails where oclgrind said something, and repeats its first lines.
fn judge(text: &str) -> Result<()> {
    let found = diagnostics(text);
    if found > 0 {
        bail!("oclgrind found {found} faults\n{}", beginning(text));
    }
    Ok(())
}

/// Lines of oclgrind that an error repeats.
const REPEATED: usize = 12;

/// The first lines from a diagnostic on, indented.
fn beginning(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.iter().position(|line| diagnostics(line) > 0).unwrap_or(0).saturating_sub(1);
    lines[first..].iter().take(REPEATED).map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// Diagnostics of oclgrind in an error stream: each names its kernel on a line of its own; those that are about no
/// kernel name oclgrind.
fn diagnostics(text: &str) -> usize {
    let about_kernel = |line: &&str| line.starts_with("\tKernel: ");
    text.lines().filter(|line| about_kernel(line) || line.to_lowercase().contains("oclgrind")).count()
}

#[cfg(test)]
mod tests {
    use super::{REPEATED, beginning, diagnostics, judge};

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
    fn an_error_repeats_the_first_diagnostic() {
        let lines: Vec<String> = (0..2 * REPEATED).map(|line| format!("line {line}\n")).collect();
        let text = format!("running 1 test\nInvalid write\n\tKernel: fill\n{}", lines.concat());
        let repeated = beginning(&text);
        assert_eq!(repeated.lines().count(), REPEATED);
        assert!(
            repeated.starts_with("    Invalid write\n    \tKernel: fill") && !repeated.contains("running"),
            "{repeated}"
        );
        assert!(judge(&text).is_err() && judge("running 1 test\n").is_ok());
    }
}
