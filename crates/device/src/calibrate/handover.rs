//! How long a word takes from one thread of the host to the next.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use crate::host::HostPool;

/// Hops of the word that count, at least, and rounds that it goes, at least.
const HOPS: usize = 400;
const LEAST_ROUNDS: usize = 10;
/// Rounds before: those in which threads wake.
const WARM_UP: usize = 4;
/// Looks between two of the clock.
const LOOKS: u32 = 1 << 10;
/// A word that took so long altogether waits for a thread that does not run.
const PATIENCE: Duration = Duration::from_millis(5);

/// Seconds of a hop of a word that goes round all threads of `pool`; the mean of many.
pub(super) fn measure(pool: &HostPool) -> Option<f64> {
    let threads = pool.threads();
    if threads < 2 {
        return None;
    }
    let rounds = WARM_UP + (HOPS / threads).max(LEAST_ROUNDS);
    // How many hops the word has made; the thread that makes the next one is the remainder by the threads.
    let word = CachePadded::new(AtomicUsize::new(0));
    let given_up = CachePadded::new(AtomicBool::new(false));
    let found = Mutex::new(None);
    let start = Instant::now();
    let comes = |mine: usize| {
        for look in 0u32.. {
            if word.load(Ordering::Acquire) == mine {
                return true;
            }
            if look % LOOKS == LOOKS - 1 {
                if given_up.load(Ordering::Relaxed) || start.elapsed() > PATIENCE {
                    given_up.store(true, Ordering::Relaxed);
                    return false;
                }
                spin_loop();
            }
        }
        false
    };
    pool.team().each(0..threads, |thread| {
        let mut warm = start;
        for round in 0..rounds {
            if !comes(round * threads + thread) {
                return;
            }
            if round == WARM_UP {
                warm = Instant::now();
            }
            word.store(round * threads + thread + 1, Ordering::Release);
        }
        if thread == 0 && comes(rounds * threads) {
            let seconds = warm.elapsed().as_secs_f64() / ((rounds - WARM_UP) * threads) as f64;
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(seconds);
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_goes_round_or_is_given_up() {
        for threads in [1, 2, 3, 8] {
            let found = measure(&HostPool::new(threads).unwrap());
            // Threads that are more than the cores may not run at the same time.
            assert!(found.is_none_or(|seconds| threads > 1 && seconds > 0.0 && seconds < 1.0), "{threads}: {found:?}");
        }
        // Where there are two cores, two threads run at the same time sooner or later, whatever else runs.
        if std::thread::available_parallelism().is_ok_and(|cores| cores.get() >= 2) {
            let pool = HostPool::new(2).unwrap();
            assert!((0..2000).any(|_| measure(&pool).is_some()));
        }
        // A step within a step is one thread's: nobody passes the word on.
        let pool = HostPool::new(2).unwrap();
        pool.team().each(0..2, |_| assert_eq!(measure(&pool), None));
    }
}
