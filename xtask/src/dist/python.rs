//! The Python wheel, for all versions of Python from 3.10 on, and the source distribution.

use anyhow::Result;

use super::distribution::{Distribution, PROFILE};
use super::tools;
use crate::shell;

/// The package's manifest, within the root.
const MANIFEST: &str = "crates/python/Cargo.toml";

/// Makes both by maturin, which looks which libraries and symbols the wheel needs before it gives it its tag.
pub(super) fn make(distribution: &Distribution) -> Result<()> {
    let Distribution { tools, out, triple, .. } = distribution;
    let mut wheel = tools.command("maturin");
    wheel.args(["build", "--locked", "--profile", PROFILE, "--manifest-path", MANIFEST, "--target", triple]);
    if tools.zig {
        let tag = format!("manylinux_{}", tools::GLIBC.replace('.', "_"));
        wheel.args(["--zig", "--compatibility", &tag]);
    }
    shell::run(wheel.arg("--out").arg(out))?;
    shell::run(tools.command("maturin").args(["sdist", "--manifest-path", MANIFEST, "--out"]).arg(out))
}
