//! The distribution of an operation over the threads of the host.

use manycore_device::{Device, Executor, Team};

/// The parts of a work for each thread, so that the threads end together.
const PARTS_PER_THREAD: usize = 4;

/// The parts at least that all threads are busy with.
pub(crate) fn least_parts(team: Team<'_>) -> usize {
    if team.is_alone() { 1 } else { PARTS_PER_THREAD * team.threads() }
}

/// The teams for a loop of `items` and for the work on each of them: few items are done in turn, each by all threads.
pub(crate) fn outer_and_inner(team: Team<'_>, items: usize) -> (Team<'_>, Team<'_>) {
    if items >= least_parts(team) { (team, Team::ALONE) } else { (Team::ALONE, team) }
}

/// Does a work that is given no device: a long one with the threads of [`Device::host`], which a short one does not even
/// start.
pub(crate) fn of_default_host<R>(long: bool, work: impl FnOnce(Team<'_>) -> R) -> R {
    if !long {
        return work(Team::ALONE);
    }
    match Device::host().executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}

/// Runs `work` with a team of `threads` threads.
#[cfg(test)]
pub(crate) fn of_host_with<R>(threads: usize, work: impl FnOnce(Team<'_>) -> R) -> R {
    let device = Device::host_with(threads).unwrap();
    let Executor::Host(pool) = device.executor() else { unreachable!("the host") };
    assert_eq!(pool.team().threads(), threads);
    work(pool.team())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_two_loops_is_shared() {
        let shared = |team: Team<'_>, items| {
            let (outer, inner) = outer_and_inner(team, items);
            (outer.threads(), inner.threads())
        };
        of_host_with(3, |team| {
            assert_eq!([shared(team, 1), shared(team, 11), shared(team, 12)], [(1, 3), (1, 3), (3, 1)]);
        });
        assert_eq!(shared(Team::ALONE, 1), (1, 1));
    }

    #[test]
    fn short_works_are_the_callers() {
        assert!(of_default_host(false, |team| team.is_alone()));
        let threads = |device: &Device| device.info().compute_units as usize;
        assert_eq!(of_default_host(true, |team| team.threads()), threads(&Device::host()));
    }
}
