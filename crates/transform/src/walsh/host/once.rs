//! The transforms of each type, compiled once, in this crate.
//!
//! Generic code is compiled again in every crate that calls it; this code, for three levels of SIMD, takes a minute.

use super::in_place;
use super::out_of_place::Job;
use super::vector::Level;

/// The transforms of a type on the host.
pub trait HostTransforms: Sized {
    /// See [`cooley_tukey`](super::cooley_tukey).
    fn cooley_tukey(x: &mut [Self], log_len: u32, scale: Option<u32>, log_block_bytes: Option<u32>);

    /// Does `job` with the widest vectors; see [`Job::run`].
    fn out_of_place(job: Job, x: &mut [Self], scratch: &mut [Self]);
}

macro_rules! host_transforms {
    ($($scalar:ty)*) => {$(
        impl HostTransforms for $scalar {
            #[inline(never)]
            fn cooley_tukey(x: &mut [Self], log_len: u32, scale: Option<u32>, log_block_bytes: Option<u32>) {
                match log_block_bytes {
                    Some(log) => in_place::in_blocks(Level::widest(), x, log_len, scale, log),
                    None => in_place::transform(Level::widest(), x, log_len, scale),
                }
            }

            #[inline(never)]
            fn out_of_place(job: Job, x: &mut [Self], scratch: &mut [Self]) {
                job.run(Level::widest(), x, scratch);
            }
        }
    )*};
}

host_transforms!(i32 f32 i64 f64);
