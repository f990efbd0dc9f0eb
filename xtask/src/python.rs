//! `cargo xtask python`: the Python package, tested beside `NumPy`, scipy, sympy, galois and python-flint.
//!
//! The extension is the library that the workspace's own tests build, so that it costs no second build of everything.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::metadata;
use crate::setup::Tools;
use crate::shell;

/// Builds the Python package and runs its tests.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Install it as users do, by pip, which builds everything with all optimizations
    #[arg(long)]
    pip: bool,
    /// Time operations beside those of other packages instead
    #[arg(long)]
    beside: bool,
    /// Arguments for pytest
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pytest: Vec<String>,
}

impl Arguments {
    /// The tests, all of them.
    pub(crate) fn all() -> Self {
        Self { pip: false, beside: false, pytest: Vec::new() }
    }
}

/// What tests and notebooks need.
const PACKAGES: &[&str] =
    &["numpy", "scipy", "sympy", "galois", "python-flint", "pytest", "mypy", "nbclient", "nbformat", "ipykernel"];

/// Engines that spread work over processes, each with the module that shows that it is installed: tests need none of them.
const ENGINES: &[(&str, &str)] = &[("distributed", "distributed"), ("mpi4py", "mpi4py"), ("ray", "ray")];

/// The package's folder, within the root.
const PACKAGE: &str = "crates/python";

/// `cargo xtask python`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let tools = Tools::set_up();
    let target = metadata::workspace()?.target_directory;
    let python = environment(&target)?;
    let mut package_path = None;
    if arguments.pip {
        shell::run(
            shell::command(&python)
                .args(["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"])
                .arg(format!("./{PACKAGE}")),
        )?;
    } else {
        package_path = Some(assemble(&target, &python)?);
    }
    let mut command = shell::command(&python);
    command.current_dir(shell::root().join(PACKAGE));
    if arguments.beside {
        command.arg("benches/beside.py");
    } else {
        command.args(["-m", "pytest"]);
    }
    command.args(&arguments.pytest);
    if let Some(path) = package_path {
        command.env("PYTHONPATH", path);
    }
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    if ci || tools.device_expected() {
        command.env("MANYCORE_REQUIRE_OPENCL", "1");
    }
    command.env(metadata::CACHE_VARIABLE, metadata::cache_folder(metadata::TEST_CACHE)?);
    shell::run(&mut command)
}

/// The interpreter of an environment of its own within the target folder, with what the tests need.
fn environment(target: &Path) -> Result<PathBuf> {
    let folder = target.join("python");
    let python = if cfg!(windows) { folder.join("Scripts/python.exe") } else { folder.join("bin/python") };
    let has_all = |python: &Path| {
        let modules = "import numpy, scipy, sympy, galois, flint, pytest, mypy, nbclient, nbformat, ipykernel";
        shell::succeeds(shell::command(python).args(["-c", modules]))
    };
    if has_all(&python) {
        engines(&python);
        return Ok(python);
    }
    shell::run(shell::command(system()?).args(["-m", "venv"]).arg(&folder))
        .context("Python's module venv (Debian: apt-get install python3-venv)")?;
    shell::run(shell::command(&python).args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
    engines(&python);
    Ok(python)
}

/// The machine's own interpreter.
pub(crate) fn system() -> Result<PathBuf> {
    let found = ["python3", "python"].into_iter().find_map(shell::find_program);
    found.context("no Python 3.10 or newer: install it, with its module venv (Debian: apt-get install python3-venv)")
}

/// Installs the engines that are missing; where one cannot be had, its test is skipped.
fn engines(python: &Path) {
    let is_missing = |module: &str| {
        let found = format!("import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)");
        !shell::succeeds(shell::command(python).args(["-c", &found]))
    };
    for (package, module) in ENGINES {
        let options =
            ["-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--retries", "1", "--timeout", "10"];
        if is_missing(module)
            && let Err(error) = shell::run(shell::command(python).args(options).arg(package))
        {
            eprintln!("{package} is not installed, and its test is skipped: {error:#}");
        }
    }
}

/// A folder with the package in its installed form: the modules in Python beside the compiled one.
fn assemble(target: &Path, python: &Path) -> Result<PathBuf> {
    // With the features of the whole workspace, as its tests are built.
    shell::run(shell::cargo().args(["test", "--workspace", "--no-run", "--test", "stub"]))?;
    let (prefix, extension) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    // Tests leave the libraries that they need beside their own programs.
    let library = target.join("debug/deps").join(format!("{prefix}manycore_python{extension}"));
    let folder = target.join("python-package");
    let package = folder.join("manycore");
    if package.exists() {
        fs::remove_dir_all(&package).with_context(|| format!("cannot empty {}", package.display()))?;
    }
    fs::create_dir_all(&package).with_context(|| format!("cannot make {}", package.display()))?;
    let sources = shell::root().join(PACKAGE).join("python/manycore");
    for entry in fs::read_dir(&sources).with_context(|| format!("cannot read {}", sources.display()))? {
        let from = entry?.path();
        if let (true, Some(name)) = (from.is_file(), from.file_name()) {
            fs::copy(&from, package.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    let suffix = if cfg!(windows) { "_native.pyd" } else { "_native.abi3.so" };
    fs::copy(&library, package.join(suffix)).with_context(|| format!("cannot copy {}", library.display()))?;
    shell::run(shell::command(python).args(["-c", "import manycore"]).env("PYTHONPATH", &folder))?;
    Ok(folder)
}
