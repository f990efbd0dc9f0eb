//! Processes of the program, each timed from its start to its end.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use manycore_device::CACHE_VARIABLE;

/// Folders in which the library and drivers keep what they built and measured: NVIDIA's and PoCL's.
const DRIVER_CACHES: [&str; 2] = ["CUDA_CACHE_PATH", "POCL_CACHE_DIR"];

/// The program in a folder of its own.
pub(crate) struct Workplace {
    program: PathBuf,
    folder: PathBuf,
}

impl Workplace {
    /// A folder for the files of a case.
    pub(crate) fn new(program: &Path, folder: PathBuf) -> Result<Self> {
        let program = fs::canonicalize(program).with_context(|| format!("no program {}", program.display()))?;
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        Ok(Self { program, folder })
    }

    /// The folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Forgets everything that was kept, of the library and of the drivers.
    pub(crate) fn forget(&self) -> Result<()> {
        let caches = self.folder.join("caches");
        if caches.exists() {
            fs::remove_dir_all(&caches).with_context(|| format!("cannot empty {}", caches.display()))?;
        }
        fs::create_dir_all(&caches).with_context(|| format!("cannot make {}", caches.display()))
    }

    /// The seconds of a process, and with `is_told` its output.
    pub(crate) fn run(&self, line: &[&str], is_told: bool) -> Result<(f64, String)> {
        self.run_with(line, is_told, &[])
    }

    /// [`Workplace::run`] with more variables.
    pub(crate) fn run_with(&self, line: &[&str], is_told: bool, variables: &[(&str, &OsStr)]) -> Result<(f64, String)> {
        let caches = self.folder.join("caches");
        let mut command = Command::new(&self.program);
        command.args(line).current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        command.env(CACHE_VARIABLE, caches.join("manycore"));
        for (number, variable) in DRIVER_CACHES.iter().enumerate() {
            command.env(variable, caches.join(number.to_string()));
        }
        command.envs(variables.iter().copied());
        if is_told {
            command.arg("--verbose");
        }
        command.stderr(Stdio::piped());
        let begun = Instant::now();
        let output = command.output().context("the program does not start")?;
        let seconds = begun.elapsed().as_secs_f64();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            bail!("{}: {told}", line.join(" "));
        }
        Ok((seconds, told))
    }
}
