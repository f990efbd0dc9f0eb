//! `cargo xtask cluster`: the operations over ranks of MPI, several on this machine.

use anyhow::{Result, bail};

use crate::setup;
use crate::shell;

/// The Debian packages of Open MPI.
const PACKAGES: [&str; 2] = ["libopenmpi-dev", "openmpi-bin"];
/// Programs of any MPI: the compiler's wrapper and the one that starts ranks.
const PROGRAMS: [&str; 2] = ["mpicc", "mpirun"];

/// `cargo xtask cluster`.
pub(crate) fn run() -> Result<()> {
    let missing = || PROGRAMS.iter().find(|program| shell::find_program(program).is_none());
    if missing().is_some() {
        setup::install(&PACKAGES);
    }
    if let Some(program) = missing() {
        bail!("there is no {program}: install an MPI, such as {} of Debian", PACKAGES.join(" and "));
    }
    let cargo = ["test", "--workspace", "--features", "manycore-cluster/mpi", "--test", "mpi"];
    shell::run(shell::cargo().args(cargo))
}
