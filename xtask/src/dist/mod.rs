//! `cargo xtask dist`: what users install without Rust: the program as an archive and a Debian package, the Python wheel, sources,
//! checksums; tried in a bare system, and type-checked for other ones.
//!
//! | file | what |
//! |---|---|
//! | `distribution` | what is made, and where |
//! | `tools` | maturin and zig, in an environment of their own |
//! | `program` | the program, its manual pages and completions: archive and Debian package |
//! | `python` | the wheel and the source distribution |
//! | `bare` | the installation, tried where there is neither Rust nor OpenCL |
//! | `others` | type checks for systems that this machine is none of |

mod bare;
mod distribution;
mod others;
mod program;
mod python;
mod tools;

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use distribution::{Distribution, emptied, files, name, written};

/// Makes what users install without Rust: the program, the Python wheel, sources, checksums.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is done, in this order
    #[arg(value_enum, default_value = "make")]
    parts: Vec<Part>,
    /// Link with this system's own libraries, which the installed program then needs as new
    #[arg(long)]
    native: bool,
}

/// What there is to do.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Make all of it
    Make,
    /// Install what was made in a bare Debian system that debootstrap makes, and use it there (as root)
    Try,
    /// Type-check program, Python package and C library for other systems
    Others,
}

/// The file of checksums.
const SUMS: &str = "SHA256SUMS";

/// `cargo xtask dist`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let distribution = Distribution::new(arguments.native)?;
    for part in &arguments.parts {
        match part {
            Part::Make => make(&distribution)?,
            Part::Try => bare::try_out(&distribution)?,
            Part::Others => others::check(&distribution)?,
        }
    }
    Ok(())
}

fn make(distribution: &Distribution) -> Result<()> {
    let out = &distribution.out;
    emptied(out)?;
    let begin = Instant::now();
    program::make(distribution)?;
    let of_program = begin.elapsed().as_secs_f64();
    python::make(distribution)?;
    let of_python = begin.elapsed().as_secs_f64() - of_program;
    eprintln!("dist: the program took {of_program:.0} s, the wheel and the sources {of_python:.0} s");
    let files = files(out)?;
    let mut sums = String::new();
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        sums.push_str(&line(&bytes, name(file)));
        println!("{:>12} bytes  {}", bytes.len(), name(file));
    }
    written(&out.join(SUMS), sums.as_bytes())?;
    println!("{}", out.display());
    Ok(())
}

/// A line as `sha256sum` writes and checks it.
fn line(bytes: &[u8], name: &str) -> String {
    let mut line = String::new();
    for byte in Sha256::digest(bytes) {
        let _ = write!(line, "{byte:02x}");
    }
    let _ = writeln!(line, "  {name}");
    line
}

#[cfg(test)]
mod tests {
    #[test]
    fn sums_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.whl\n";
        assert_eq!(super::line(b"", "a.whl"), empty);
    }
}
