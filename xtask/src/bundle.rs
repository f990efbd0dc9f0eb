//! `cargo xtask bundle`: release test and bench programs in one folder, for a machine with a device and no toolchain.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::metadata::{self, Program};
use crate::shell;

/// Gathers test and bench programs into one folder.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder, made new
    #[arg(long, default_value = "bundle", value_name = "FOLDER")]
    out: PathBuf,
    /// Leave the tests out
    #[arg(long)]
    no_tests: bool,
}

/// Packages whose tests read the source tree or run cargo.
const NEED_SOURCES: &[&str] = &["manycore-xtask", "manycore-docs"];

const RUN: &str = include_str!("run.sh");

/// `cargo xtask bundle`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = shell::root();
    let out = root.join(&arguments.out);
    if out.join("run.sh").is_file() {
        std::fs::remove_dir_all(&out).with_context(|| format!("cannot remove {}", out.display()))?;
    }
    for folder in ["bin", "tests"] {
        let path = out.join(folder);
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
    }
    let mut files = Vec::new();
    for program in programs()? {
        files.push(copy(&program.path, &out.join("bin").join(&program.target))?);
    }
    if !arguments.no_tests {
        let tests = tests()?;
        for program in &tests {
            files.push(copy(&program.path, &out.join("tests").join(test_name(program)))?);
        }
        // Cargo builds the library that the tests inject faults with beside them.
        let injector = format!("{DLL_PREFIX}manycore_opencl_faults{DLL_SUFFIX}");
        let test = tests.first().context("cargo built no tests")?;
        files.push(copy(&test.path.with_file_name(&injector), &out.join("bin").join(&injector))?);
    }
    strip(&files);
    let script = out.join("run.sh");
    std::fs::write(&script, RUN).with_context(|| format!("cannot write {}", script.display()))?;
    executable(&script)?;
    describe(&out, &root, &files)
}

/// The programs of the library, the benches, the soak and the examples.
fn programs() -> Result<Vec<Program>> {
    let packages = ["-p", "manycore-benches", "-p", "manycore-cli", "-p", "manycore-soak"];
    let mut built = metadata::build(&[&["build", "--release", "--bins"][..], &packages].concat())?;
    built.extend(metadata::build(&["build", "--release", "-p", "manycore", "--examples"])?);
    built.retain(|program| matches!(program.kind.as_str(), "bin" | "example"));
    Ok(built)
}

fn tests() -> Result<Vec<Program>> {
    let mut arguments = vec!["test", "--release", "--workspace", "--no-run"];
    for package in NEED_SOURCES {
        arguments.extend(["--exclude", package]);
    }
    let mut built = metadata::build(&arguments)?;
    built.retain(|program| program.test);
    Ok(built)
}

/// `manycore-device-kernels` for an integration test, `manycore-device-unit` for the tests inside a library.
fn test_name(program: &Program) -> String {
    match program.kind.as_str() {
        "test" | "bench" | "example" => format!("{}-{}", program.package, program.target),
        "bin" => format!("{}-bin-{}", program.package, program.target),
        _ => format!("{}-unit", program.package),
    }
}

fn copy(from: &Path, to: &Path) -> Result<PathBuf> {
    std::fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(to.to_path_buf())
}

/// Removes symbols from the copies; without a program for that they stay as they are.
fn strip(files: &[PathBuf]) {
    let Some(strip) = ["strip", "llvm-strip"].iter().find_map(|name| shell::find_program(name)) else {
        eprintln!("bundle: no strip program here: the files keep their symbols");
        return;
    };
    for file in files {
        if !shell::succeeds(shell::command(&strip).arg(file)) {
            eprintln!("bundle: {} keeps its symbols: strip failed", file.display());
        }
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "the Unix form can fail")]
fn executable(_path: &Path) -> Result<()> {
    Ok(())
}

/// Says what the folder holds, what it needs on the other machine, and which programs name the source tree.
fn describe(out: &Path, root: &Path, files: &[PathBuf]) -> Result<()> {
    let mut bytes = 0;
    let mut glibc = (0, 0);
    for file in files {
        let contents = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        bytes += contents.len() as u64;
        glibc = glibc.max(newest_glibc(&contents));
        if holds(&contents, root.as_os_str().as_encoded_bytes()) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            eprintln!("bundle: {name} names this source tree: what it reads from there will be missing elsewhere");
        }
    }
    println!("{}: {} programs, {:.1} MiB", out.display(), files.len(), bytes as f64 / 1_048_576.0);
    if glibc > (0, 0) {
        println!("needs glibc {}.{} or newer; documentation examples are not in it", glibc.0, glibc.1);
    }
    println!("there: ./run.sh OUT [--tests] [--bench ARGUMENTS...]; here: cargo xtask bench --from OUT/bench.jsonl");
    println!("there: bin/manycore-soak --minutes 10 > soak.jsonl, random operations by two routes");
    Ok(())
}

fn holds(contents: &[u8], part: &[u8]) -> bool {
    !part.is_empty() && contents.windows(part.len()).any(|window| window == part)
}

/// The newest symbol version `GLIBC_2.x` that a program asks for; (0, 0) where it asks for none.
fn newest_glibc(contents: &[u8]) -> (u32, u32) {
    const MARK: &[u8] = b"GLIBC_";
    let starts = contents.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK);
    let version = |at: usize| {
        let rest = &contents[at + MARK.len()..];
        let end = rest.iter().position(|&byte| !(byte.is_ascii_digit() || byte == b'.'))?;
        let text = std::str::from_utf8(&rest[..end]).ok()?;
        let mut numbers = text.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    starts.filter_map(|(at, _)| version(at)).max().unwrap_or((0, 0))
}

#[cfg(test)]
mod tests {
    use super::{holds, newest_glibc, test_name};
    use crate::metadata::Program;

    #[test]
    fn the_newest_version_counts() {
        assert_eq!(newest_glibc(b"x\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.4\0GLIBC_PRIVATE\0"), (2, 34));
        assert_eq!(newest_glibc(b"nothing"), (0, 0));
    }

    #[test]
    fn paths_are_found_anywhere() {
        assert!(holds(b"abc/some/tree/x", b"/some/tree"));
        assert!(!holds(b"abc", b"/some/tree") && !holds(b"abc", b""));
    }

    #[test]
    fn names_tell_the_package() {
        let program = |kind: &str| Program {
            package: "manycore-device".into(),
            target: "kernels".into(),
            kind: kind.into(),
            test: true,
            path: "x".into(),
            folder: "/".into(),
        };
        assert_eq!(test_name(&program("test")), "manycore-device-kernels");
        assert_eq!(test_name(&program("lib")), "manycore-device-unit");
        assert_eq!(test_name(&program("bin")), "manycore-device-bin-kernels");
    }
}
