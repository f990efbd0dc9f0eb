//! Longest paths between all pairs of nodes of a graph.

use manycore::maxplus::{Graph, MaxPlus, Weight};

use crate::arrays;
use crate::device::{ManycoreDevice, device as opened};
use crate::status::{Failure, ManycoreStatus, guarded};

unsafe fn star<T: Weight>(
    device: *const ManycoreDevice,
    nodes: usize,
    (from, to, weights, arcs): (*const u32, *const u32, *const T, usize),
    out: *mut T,
    absent: *mut T,
) -> Result<(), Failure> {
    let square = nodes.checked_mul(nodes).ok_or_else(|| Failure::invalid(format!("{nodes} nodes")))?;
    // SAFETY: the caller answers for the handle and the arrays.
    let (device, from, to, weights, out, absent) = unsafe {
        let (from, to) = (arrays::read("from", from, arcs)?, arrays::read("to", to, arcs)?);
        let weights = arrays::read("weights", weights, arcs)?;
        (opened(device)?, from, to, weights, arrays::write("out", out, square)?, arrays::out("absent", absent)?)
    };
    let arcs: Vec<(u32, u32, T)> =
        from.iter().zip(to).zip(weights).map(|((&from, &to), &weight)| (from, to, weight)).collect();
    let star = MaxPlus::<T>::new(device).star(&Graph::from_arcs(nodes, &arcs)?)?;
    *absent = star.epsilon();
    arrays::give("out", star.entries(), out)
}

/// The weights of the longest paths of a graph without circuits of positive weight: entry `to * nodes + from` of `out`, which has `nodes^2`
/// entries; `absent` receives the entry that stands for no path.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_maxplus_star_i32(
    device: *const ManycoreDevice,
    nodes: usize,
    from: *const u32,
    to: *const u32,
    weights: *const i32,
    arcs: usize,
    out: *mut i32,
    absent: *mut i32,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { star(device, nodes, (from, to, weights, arcs), out, absent) }
    })
}

/// The weights of the longest paths of a graph without circuits of positive weight: entry `to * nodes + from` of `out`, which has `nodes^2`
/// entries; `absent` receives the entry that stands for no path.
///
/// # Safety
/// As the crate's section on safety asks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn manycore_maxplus_star_i64(
    device: *const ManycoreDevice,
    nodes: usize,
    from: *const u32,
    to: *const u32,
    weights: *const i64,
    arcs: usize,
    out: *mut i64,
    absent: *mut i64,
) -> ManycoreStatus {
    guarded(|| {
        // SAFETY: by this function's contract.
        unsafe { star(device, nodes, (from, to, weights, arcs), out, absent) }
    })
}
