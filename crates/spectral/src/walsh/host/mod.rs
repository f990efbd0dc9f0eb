//! The fast Walsh-Hadamard transform on the host, over the threads of a team and the widest vectors of the processor.
//!
//! | file | what |
//! |---|---|
//! | `vector` | what a SIMD vector must do |
//! | `level` | the vectors of each type; detection of AVX2 and AVX-512 at run time |
//! | `portable`, `avx2`, `avx512` | the vectors |
//! | `kind` | the butterflies of other transforms on the same vectors |
//! | `butterfly` | radix 2 to 16 in registers: rows far apart, and tiles of eight neighbouring vectors |
//! | `blocks` | all stages of a block that fits the last-level cache, depth first |
//! | `panels` | stages of rows further apart, a few at a time |
//! | `in_place` | the in-place transform from blocks and panels |
//! | `geometry` | passes of the constant-geometry transform |
//! | `out_of_place` | that transform, and reordering, from passes |
//! | `once` | both for each type, compiled in this crate |

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod blocks;
mod butterfly;
mod geometry;
mod in_place;
pub(crate) mod kind;
#[cfg(test)]
mod kind_tests;
pub(crate) mod level;
pub(crate) mod once;
mod out_of_place;
mod panels;
mod portable;
#[cfg(test)]
mod tests;
pub(crate) mod vector;

use manycore_device::Team;

pub(crate) use self::blocks::{LOG_FAR_RADIX, LOG_FIRST_LEVEL_BYTES, next_radix};
pub(crate) use self::in_place::{BLOCK_BYTES, CACHE_BYTES, LOG_PANEL_ROWS, row_bytes};
use self::once::HostTransforms;
use self::out_of_place::Job;
pub(crate) use self::out_of_place::LOG_GROUP;
use super::butterfly::Butterfly;
use manycore_arrays::orders::Order;

/// Arrays of at most this many bytes are transformed in place by the calling thread.
pub(crate) const SERIAL_BYTES: usize = 64 << 10;

/// Transforms every run of `2^log_len` values of `x`, in place and in natural order; divided by `2^scale` if given.
///
/// The length of `x` must be a multiple of `2^log_len`. Takes `log_len * len` additions and, over the memory, one pass
/// for a run of up to 16 MiB and one more for each further factor of 256, from blocks of 8 MiB on (1 MiB with more than
/// two threads); within a block, of 16 KiB at first, one pass over a larger cache for each factor of 8. Up to 256 KiB in a
/// single run are done by the calling thread alone.
pub(crate) fn cooley_tukey<T: HostTransforms>(
    butterfly: Butterfly,
    x: &mut [T],
    log_len: u32,
    scale: Option<u32>,
    log_block_bytes: Option<u32>,
    team: Team<'_>,
) {
    assert!(x.len().is_multiple_of(1 << log_len), "whole runs");
    T::cooley_tukey(butterfly, x, log_len, scale, log_block_bytes, team);
}

/// The constant-geometry transform of every run of `2^log_len` values of `x` into `order`; divided by `2^scale` if
/// given.
///
/// `scratch` is the second buffer, as long as `x`, a multiple of `2^log_len`; its contents are lost and the result is in
/// `x`. Up to 11 stages are done in each pass, so that a run of up to `2^26` values takes two passes, a longer one four.
/// Dyadic and sequency order cost the same; Hadamard order takes a reordering afterwards. Runs shorter than four vector
/// widths of index bits (`2^12` values of 4 bytes with AVX2) are transformed in place and reordered, in cache.
pub(crate) fn constant_geometry<T: HostTransforms>(
    butterfly: Butterfly,
    x: &mut [T],
    scratch: &mut [T],
    log_len: u32,
    order: Order,
    scale: Option<u32>,
    team: Team<'_>,
) {
    assert!(x.len().is_multiple_of(1 << log_len) && x.len() == scratch.len(), "two buffers of whole runs");
    T::out_of_place(butterfly, Job { log_len, order, butterflies: true, scale, team }, x, scratch);
}

/// Permutes every run of `2^log_len` values of `x` from natural order to `order`; buffers and two passes as in
/// [`constant_geometry`].
pub(crate) fn reorder<T: HostTransforms>(x: &mut [T], scratch: &mut [T], log_len: u32, order: Order, team: Team<'_>) {
    assert!(x.len().is_multiple_of(1 << log_len) && x.len() == scratch.len(), "two buffers of whole runs");
    T::out_of_place(Butterfly::Walsh, Job { log_len, order, butterflies: false, scale: None, team }, x, scratch);
}
