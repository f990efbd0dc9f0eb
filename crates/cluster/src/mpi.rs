//! Ranks of MPI, through the crate `mpi`.

use std::sync::Mutex;

use mpi::environment::Universe;
use mpi::point_to_point::{Destination, Source};
use mpi::topology::{Communicator, SimpleCommunicator};

use crate::error::ClusterError;
use crate::ranks::Ranks;

/// The ranks that `mpirun` or a scheduler started. MPI is started with the value, once in a process, and ends with it.
pub struct Mpi {
    world: SimpleCommunicator,
    _universe: Universe,
    /// One thread at a time speaks to MPI.
    turn: Mutex<()>,
}

impl Mpi {
    /// Starts MPI.
    ///
    /// # Errors
    /// [`ClusterError::Mpi`] where it was started before.
    pub fn new() -> Result<Self, ClusterError> {
        let universe = mpi::initialize().ok_or_else(|| ClusterError::Mpi("it was started before".to_owned()))?;
        Ok(Self { world: universe.world(), _universe: universe, turn: Mutex::new(()) })
    }
}

fn number(rank: i32) -> usize {
    usize::try_from(rank).unwrap_or(0)
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        number(self.world.rank())
    }

    fn size(&self) -> usize {
        number(self.world.size())
    }

    fn shift(&self, out: &[u8], to: usize, into: &mut [u8], from: usize) -> Result<(), ClusterError> {
        let _turn = self.turn.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // A rank that is gone ends the run, by MPI's own handler of errors.
        let rank = |rank: usize| self.world.process_at_rank(i32::try_from(rank).unwrap_or(i32::MAX));
        let expected = into.len();
        let mut given = expected;
        mpi::request::scope(|scope| {
            let sent = (!out.is_empty()).then(|| rank(to).immediate_send(scope, out));
            if !into.is_empty() {
                let status = rank(from).receive_into(into);
                given = number(status.count(<u8 as mpi::datatype::Equivalence>::equivalent_datatype()));
            }
            if let Some(sent) = sent {
                sent.wait();
            }
        });
        if given == expected {
            return Ok(());
        }
        let reason = format!("it sent {given} bytes where {expected} were agreed");
        Err(ClusterError::Lost { rank: from, reason })
    }
}

/// Does the work of this rank. A rank that fails prints its number, its machine and its error on standard error, and ends the run of all
/// ranks, with exit status 1.
///
/// # Errors
/// [`ClusterError::Mpi`] where MPI could not be started; others end the process.
pub fn run<R, E: std::fmt::Display + From<ClusterError>>(work: impl FnOnce(&Mpi) -> Result<R, E>) -> Result<R, E> {
    let mpi = Mpi::new()?;
    match work(&mpi) {
        Ok(result) => Ok(result),
        Err(error) => {
            let machine = mpi::environment::processor_name().unwrap_or_default();
            eprintln!("rank {} of {} on {machine}: {error}", mpi.rank(), mpi.size());
            mpi.world.abort(1)
        }
    }
}
