//! Ranks as threads of one process: for tests, and for machines without MPI.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use manycore_device::{Control, DeviceError, shared};

use crate::error::ClusterError;
use crate::ranks::Ranks;

/// Bytes of a message between threads: small, so that long ones are cut here as well.
const MOST_BYTES: usize = 1 << 16;

struct Member {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Ranks for Member {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn most_bytes(&self) -> usize {
        MOST_BYTES
    }

    fn shift(&self, out: &[u8], to: usize, into: &mut [u8], from: usize) -> Result<(), ClusterError> {
        let lost = |rank, reason: &str| ClusterError::Lost { rank, reason: reason.to_owned() };
        if !out.is_empty() {
            self.to[to].send(out.to_vec()).map_err(|_| lost(to, "it has ended"))?;
        }
        if into.is_empty() {
            return Ok(());
        }
        let receiver = self.from[from].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let message = receiver.recv().map_err(|_| lost(from, "it has ended"))?;
        if message.len() != into.len() {
            let reason = format!("it sent {} bytes where {} were agreed", message.len(), into.len());
            return Err(ClusterError::Lost { rank: from, reason });
        }
        into.copy_from_slice(&message);
        Ok(())
    }
}

/// Runs `work` as each of `size` ranks, on a thread each under the caller's [`Control`]; the results in the order of the ranks.
///
/// # Errors
/// [`ClusterError::Ranks`] for no rank; the error of a rank that failed by itself, of the first one of these;
/// [`ClusterError::Lost`] of a rank that ended while others waited for it.
/// [`ClusterError::Device`] where the system gives no thread.
///
/// # Panics
/// When `work` panicked, with its panic.
pub fn threads<R: Send>(
    size: usize,
    work: impl Fn(&dyn Ranks) -> Result<R, ClusterError> + Sync,
) -> Result<Vec<R>, ClusterError> {
    if size == 0 {
        return Err(ClusterError::Ranks { ranks: 0, what: "threads", parts: 0 });
    }
    let mut to: Vec<Vec<Sender<Vec<u8>>>> = (0..size).map(|_| Vec::new()).collect();
    let mut from: Vec<Vec<Mutex<Receiver<Vec<u8>>>>> = (0..size).map(|_| Vec::new()).collect();
    // In the order of senders, each has a channel to every receiver.
    for senders in &mut to {
        for receivers in &mut from {
            let (sender, receiver) = channel();
            senders.push(sender);
            receivers.push(Mutex::new(receiver));
        }
    }
    let control = &Control::current();
    let work = &work;
    let outcomes: Vec<Result<R, ClusterError>> = std::thread::scope(|scope| {
        let members = to.into_iter().zip(from).enumerate();
        let running: Vec<_> = members
            .map(|(rank, (to, from))| {
                let member = Member { rank, to, from };
                // The member ends with its thread, so that nobody waits for it any more.
                let run = move || shared(control.clone(), || work(&member));
                std::thread::Builder::new().stack_size(8 << 20).spawn_scoped(scope, run)
            })
            .collect();
        running
            .into_iter()
            .map(|thread| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(error) => Err(DeviceError::Threads { reason: error.to_string() }.into()),
            })
            .collect()
    });
    let is_own = |outcome: &Result<R, ClusterError>| {
        outcome.as_ref().is_err_and(|error| !matches!(error, ClusterError::Lost { .. }))
    };
    // A rank that lost another one ends as well, and is lost by others in turn: the first loss is that of a rank that lost none.
    let is_first_loss = |outcome: &Result<R, ClusterError>| match outcome {
        Err(ClusterError::Lost { rank, .. }) => outcomes.get(*rank).is_some_and(Result::is_ok),
        _ => false,
    };
    let first = outcomes.iter().position(is_own);
    let first = first.or_else(|| outcomes.iter().position(is_first_loss));
    let first = first.or_else(|| outcomes.iter().position(Result::is_err));
    match first {
        None => outcomes.into_iter().collect(),
        Some(first) => outcomes.into_iter().skip(first).take(1).collect(),
    }
}
