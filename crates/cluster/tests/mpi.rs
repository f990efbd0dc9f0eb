//! The operations over ranks of MPI on this machine: this program starts itself by `mpirun`, and is a rank then.

mod common;

use std::process::{Command, ExitCode};

use manycore_cluster::{ClusterError, Ranks, all_gather, mpi};
use manycore_device::Device;

/// What a rank does.
const TASK: &str = "MANYCORE_CLUSTER_TASK";

fn main() -> ExitCode {
    let outcome = match std::env::var(TASK).as_deref() {
        Ok("check") => mpi::run(|ranks| common::check(ranks, &Device::host())),
        // One rank fails, and the others wait for it.
        Ok("fail") => mpi::run(|ranks| {
            if ranks.rank() == 1 {
                return Err(ClusterError::Mpi("on purpose".to_owned()));
            }
            all_gather(ranks, &[1u64]).map(drop)
        }),
        // One rank is gone without a word.
        Ok("die") => mpi::run(|ranks| {
            if ranks.rank() == 1 {
                std::process::abort();
            }
            all_gather(ranks, &[1u64]).map(drop)
        }),
        _ => return all(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Starts so many ranks.
fn start(ranks: usize, task: &str) -> (bool, String) {
    let program = std::env::current_exe().expect("this program has a path");
    let run = Command::new("mpirun")
        .args(["-n", &ranks.to_string()])
        .arg(program)
        // As many as there are, by any user, whatever the processors: Open MPI asks for both to be said.
        .envs([("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")])
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env(TASK, task)
        .output()
        .expect("mpirun is there");
    let told = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    (run.status.success(), told)
}

fn all() -> ExitCode {
    for ranks in [1, 2, 3, 4, 7] {
        let (success, told) = start(ranks, "check");
        assert!(success, "{ranks} ranks: {told}");
        println!("every operation on {ranks} ranks of MPI: ok");
    }
    let (success, told) = start(3, "fail");
    assert!(!success && told.contains("rank 1 of 3 on ") && told.contains("on purpose"), "{told}");
    println!("a rank that fails ends the run with its name: ok");
    let (success, told) = start(3, "die");
    assert!(!success && told.contains("rank 1 "), "{told}");
    println!("a rank that dies ends the run with its name: ok");
    ExitCode::SUCCESS
}
