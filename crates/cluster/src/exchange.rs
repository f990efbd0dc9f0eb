//! Exchanges of all ranks: pairwise, one partner after the other, so that each rank sends and receives one message at a time
//! (Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005).

use bytemuck::Pod;

use crate::error::ClusterError;
use crate::ranks::Ranks;

/// [`Ranks::shift`] of messages of any length, cut where they are too long.
pub(crate) fn shift<T: Pod>(
    ranks: &dyn Ranks,
    out: &[T],
    to: usize,
    into: &mut [T],
    from: usize,
) -> Result<(), ClusterError> {
    let most = ranks.most_bytes().max(1);
    let (out, into): (&[u8], &mut [u8]) = (bytemuck::cast_slice(out), bytemuck::cast_slice_mut(into));
    let cut = |len: usize, at: usize| (at * most).min(len)..((at + 1) * most).min(len);
    let (out_len, into_len) = (out.len(), into.len());
    // In each step every rank sends before it waits.
    for at in 0..out_len.max(into_len).div_ceil(most) {
        ranks.shift(&out[cut(out_len, at)], to, &mut into[cut(into_len, at)], from)?;
    }
    Ok(())
}

/// Zeros for elements that come.
pub(crate) fn room<T: Pod>(len: usize) -> Result<Vec<T>, ClusterError> {
    manycore_device::host_room((len as u64).saturating_mul(size_of::<T>() as u64))?;
    Ok(bytemuck::zeroed_vec(len))
}

/// Sends `out[r]` to each rank `r`, and gives what each rank sent to this one, in their order.
///
/// # Errors
/// [`ClusterError::Ranks`] for another number of messages than ranks; [`ClusterError::Lost`]; [`ClusterError::Device`] without memory
/// for what comes.
pub fn all_to_all<T: Pod>(ranks: &dyn Ranks, out: &[Vec<T>]) -> Result<Vec<Vec<T>>, ClusterError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    if out.len() != size {
        return Err(ClusterError::Ranks { ranks: size, what: "messages", parts: out.len() });
    }
    let mut found: Vec<Vec<T>> = (0..size).map(|_| Vec::new()).collect();
    for step in 0..size {
        let (to, from) = ((rank + step) % size, (rank + size - step) % size);
        if step == 0 {
            found[rank].clone_from(&out[rank]);
            continue;
        }
        let mut len = [0u64];
        shift(ranks, &[out[to].len() as u64], to, &mut len, from)?;
        found[from] = room(usize::try_from(len[0]).unwrap_or(usize::MAX))?;
        shift(ranks, &out[to], to, &mut found[from], from)?;
    }
    Ok(found)
}

/// What each rank has, on every rank, in their order.
///
/// # Errors
/// As [`all_to_all`].
pub fn all_gather<T: Pod>(ranks: &dyn Ranks, own: &[T]) -> Result<Vec<Vec<T>>, ClusterError> {
    all_to_all(ranks, &vec![own.to_vec(); ranks.size()])
}

/// What rank `root` has, on every one of `members`, which are ranks in any order with `root` among them: through a binomial tree.
/// Other ranks do not call it.
///
/// # Errors
/// As [`all_to_all`].
pub fn broadcast<T: Pod>(
    ranks: &dyn Ranks,
    members: &[usize],
    root: usize,
    data: &mut Vec<T>,
) -> Result<(), ClusterError> {
    let place = |rank: usize| members.iter().position(|&member| member == rank);
    let (Some(own), Some(first)) = (place(ranks.rank()), place(root)) else {
        return Err(ClusterError::Lost { rank: root, reason: "it is not among those that share".to_owned() });
    };
    let size = members.len();
    // Places counted from the root's.
    let own = (own + size - first) % size;
    let member = |place: usize| members[(place + first) % size];
    let mut step = 1;
    while step < size {
        if own < step && own + step < size {
            let to = member(own + step);
            shift(ranks, &[data.len() as u64], to, &mut [], to)?;
            shift(ranks, data, to, &mut [], to)?;
        } else if (step..2 * step).contains(&own) {
            let from = member(own - step);
            let mut len = [0u64];
            shift(ranks, &[], from, &mut len, from)?;
            *data = room(usize::try_from(len[0]).unwrap_or(usize::MAX))?;
            shift(ranks, &[], from, data, from)?;
        }
        step *= 2;
    }
    Ok(())
}
