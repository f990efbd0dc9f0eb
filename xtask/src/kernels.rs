//! `cargo xtask kernels`: builds every unit on every device, lints it, and runs the kernel tests under oclgrind.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use manycore_kernels::{UNITS, spliced};

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
    match &tools.clang {
        Some(clang) => {
            if let Err(error) = lint(clang) {
                eprintln!("kernels: {error:#}");
                failed.push("lint");
            }
        }
        None => eprintln!("kernels: no clang here: sources are not linted"),
    }
    if !arguments.lint {
        let programs = metadata::tests(&["--test", "kernels*", "--test", "units"])?;
        if let Err(error) = build_units(&programs, &tools) {
            eprintln!("kernels: {error:#}");
            failed.push("building the units");
        }
        match &tools.oclgrind {
            Some(runtime) => {
                if let Err(error) = under_oclgrind(&programs, runtime) {
                    eprintln!("kernels: {error:#}");
                    failed.push("kernel tests under oclgrind");
                }
            }
            None => eprintln!("kernels: no oclgrind here: memory accesses are not checked"),
        }
    }
    if !failed.is_empty() {
        bail!("kernels failed: {}", failed.join(", "));
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
    let mut count = 0;
    let mut faults = 0;
    for unit in UNITS {
        let source = spliced(unit);
        for set in unit.parameter_sets {
            let defines: Vec<String> = set.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
            let complaints = lint_one(clang, &source, &defines)?;
            if !complaints.is_empty() {
                eprintln!("kernels: {} {}\n{complaints}", unit.path, defines.join(" "));
                faults += 1;
            }
            count += 1;
        }
    }
    if faults > 0 {
        bail!("clang found faults in {faults} of {count} variants");
    }
    eprintln!("kernels: clang accepts {} units in {count} variants", UNITS.len());
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

/// Runs the kernel tests with oclgrind as the only OpenCL driver, and fails on each of its diagnostics.
fn under_oclgrind(programs: &[Program], runtime: &Path) -> Result<()> {
    let folder = metadata::workspace()?.target_directory.join("oclgrind");
    let vendors = folder.join("vendors");
    std::fs::create_dir_all(&vendors).with_context(|| format!("cannot make {}", vendors.display()))?;
    std::fs::write(vendors.join("oclgrind.icd"), format!("{}\n", runtime.display()))?;
    let cache = metadata::cache_folder(metadata::TEST_CACHE)?;

    let mut failed = Vec::new();
    let tests = programs.iter().filter(|program| program.kind == "test" && program.target.starts_with("kernels"));
    for program in tests {
        let name = format!("{} {}", program.package, program.target);
        let log = folder.join(format!("{}-{}.log", program.package, program.target));
        if let Err(error) = check_one(program, &vendors, &cache, &log) {
            eprintln!("kernels: {name}: {error:#}");
            failed.push(name);
        }
    }
    if !failed.is_empty() {
        bail!("oclgrind: {}", failed.join(", "));
    }
    Ok(())
}

/// Runs one test program under oclgrind, keeps its error stream in `log`, and fails on each diagnostic in it.
///
/// Every test gets a process of its own: the simulator keeps memory of the thread that used it first, and fails when
/// another one comes after that has ended.
fn check_one(program: &Program, vendors: &Path, cache: &Path, log: &Path) -> Result<()> {
    let started = Instant::now();
    let mut said = String::new();
    let mut failed = Vec::new();
    for test in tests_of(program)? {
        let mut command = program.command();
        command
            .args(["--exact", &test, "--nocapture"])
            .env("OCL_ICD_VENDORS", vendors)
            .env(metadata::CACHE_VARIABLE, cache)
            .env("MANYCORE_REQUIRE_OPENCL", "1")
            // Tests may keep their inputs small under an interpreter.
            .env("MANYCORE_OCLGRIND", "1")
            .env("OCLGRIND_DATA_RACES", "1")
            // Not its search for uninitialised values: it takes vectors put together element by element for such.
            // Its log file would be emptied by each new context; its error stream keeps what every context said.
            .env_remove("OCLGRIND_LOG")
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let line = shell::line(&command);
        eprintln!("$ {line}");
        let mut child = command.spawn().with_context(|| format!("cannot start: {line}"))?;
        if let Some(stream) = child.stderr.take() {
            for line in BufReader::new(stream).split(b'\n') {
                let line = line.context("cannot read the error stream")?;
                let line = String::from_utf8_lossy(&line);
                eprintln!("{line}");
                said.push_str(&line);
                said.push('\n');
            }
        }
        let status = child.wait().with_context(|| format!("{line} did not end"))?;
        if !status.success() {
            failed.push(format!("{test}: {status}"));
        }
    }
    std::fs::write(log, &said).with_context(|| format!("cannot write {}", log.display()))?;
    eprintln!("kernels: oclgrind took {:.1} s", started.elapsed().as_secs_f64());
    let found = diagnostics(&said);
    if found > 0 {
        bail!("oclgrind found {found} faults, kept in {}", log.display());
    }
    if !failed.is_empty() {
        bail!("{}", failed.join("; "));
    }
    Ok(())
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
    use super::diagnostics;

    #[test]
    fn diagnostics_are_counted_and_other_lines_are_not() {
        let invalid = "\nInvalid write of size 4 at global memory address 0x1000000000040\n\tKernel: fill\n\tEntity: Global(16,0,0)\n";
        let race = "\nRead-write data race at local memory address 0x10\n\tKernel: walsh_tile\n\n\tFirst entity:  Global(1,0,0)\n";
        assert_eq!(diagnostics(invalid), 1);
        assert_eq!(diagnostics(&format!("{invalid}{race}")), 2);
        assert_eq!(diagnostics("OCLGRIND FATAL ERROR (Memory.cpp:10)\n"), 1);
        assert_eq!(diagnostics("warning: a test said something\n"), 0);
    }
}
