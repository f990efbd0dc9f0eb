//! maturin, zig and cargo-zigbuild, installed by pip into an environment of their own within the target folder.
//!
//! Zig links with the symbols of an older C library than this system's, so that the program runs on systems of the last ten years.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::python;
use crate::shell;

/// The C library that programs ask for when they are linked by zig: that of the tag manylinux2014, the oldest that Rust supports.
pub(super) const GLIBC: &str = "2.17";

/// What pip installs.
const PACKAGES: &[&str] = &["maturin>=1.9,<2", "ziglang", "cargo-zigbuild"];

/// The programs that make packages.
pub(super) struct Tools {
    /// The environment's folder of programs.
    folder: PathBuf,
    /// Whether zig links.
    pub(super) zig: bool,
}

impl Tools {
    /// The environment, made where it is not there; zig links on Linux, unless the user wants this system's linker.
    pub(super) fn set_up(target: &Path, native: bool) -> Result<Self> {
        let environment = target.join("dist-tools");
        let folder = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let tools = Self { folder, zig: cfg!(target_os = "linux") && !native };
        let has_all = |tools: &Self| {
            [["maturin", "--version"], ["cargo-zigbuild", "--version"]]
                .iter()
                .all(|[program, argument]| shell::succeeds(tools.command(program).arg(argument)))
                && shell::succeeds(tools.command("python").args(["-m", "ziglang", "version"]))
        };
        if !has_all(&tools) {
            shell::run(shell::command(python::system()?).args(["-m", "venv"]).arg(&environment))
                .context("Python's module venv (Debian: apt-get install python3-venv)")?;
            shell::run(tools.command("python").args(["-m", "pip", "install", "--quiet"]).args(PACKAGES))?;
        }
        if !has_all(&tools) {
            bail!("pip installed {}, and they do not start", PACKAGES.join(", "));
        }
        Ok(tools)
    }

    /// A program of the environment, which finds the others of it.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = shell::command(self.folder.join(format!("{program}{}", std::env::consts::EXE_SUFFIX)));
        let mut folders = vec![self.folder.clone()];
        // The cargo that runs this program comes before another one.
        folders.extend(std::env::var_os("CARGO").and_then(|cargo| Some(Path::new(&cargo).parent()?.to_path_buf())));
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        if let Ok(path) = std::env::join_paths(folders) {
            command.env("PATH", path);
        }
        for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH"] {
            command.env_remove(name);
        }
        command
    }
}

/// The system that the compiler runs on, as a target triple.
pub(super) fn host() -> Result<String> {
    let told = shell::output(shell::command("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}
