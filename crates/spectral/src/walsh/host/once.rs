//! The transforms of each type, compiled once, in this crate.
//!
//! Generic code is compiled again in every crate that calls it; this code, for three levels of SIMD, takes a minute.

use manycore_device::Team;

use super::in_place;
use super::kind::{ArithmeticKind, Kind, ReedMullerKind, WalshKind};
use super::level::HostVectors;
use super::level::Level;
use super::out_of_place::Job;
use crate::walsh::butterfly::Butterfly;

/// The transforms of a type on the host.
pub trait HostTransforms: HostVectors {
    /// See [`cooley_tukey`](super::cooley_tukey).
    fn cooley_tukey(
        butterfly: Butterfly,
        x: &mut [Self],
        log_len: u32,
        scale: Option<u32>,
        log_block_bytes: Option<u32>,
        team: Team<'_>,
    );

    /// Does `job` with the widest vectors; see [`Job::run`].
    fn out_of_place(butterfly: Butterfly, job: Job<'_>, x: &mut [Self], scratch: &mut [Self]);
}

/// In blocks of the given size, or of one that suits.
fn in_place<T: HostVectors, B: Kind<T>>(
    x: &mut [T],
    log_len: u32,
    scale: Option<u32>,
    log_block_bytes: Option<u32>,
    team: Team<'_>,
) {
    match log_block_bytes {
        Some(log) => in_place::in_blocks::<T, B>(Level::widest(), x, log_len, scale, log, team),
        None => in_place::transform::<T, B>(Level::widest(), x, log_len, scale, team),
    }
}

/// Reed-Muller on words of 64 bits.
#[inline(never)]
fn reed_muller(words: &mut [i64], log_unit_bits: u32, log_len: u32, log_block_bytes: Option<u32>, team: Team<'_>) {
    match log_unit_bits {
        0 => in_place::<i64, ReedMullerKind<0>>(words, log_len, None, log_block_bytes, team),
        3 => in_place::<i64, ReedMullerKind<3>>(words, log_len, None, log_block_bytes, team),
        5 => in_place::<i64, ReedMullerKind<5>>(words, log_len, None, log_block_bytes, team),
        _ => in_place::<i64, ReedMullerKind<6>>(words, log_len, None, log_block_bytes, team),
    }
}

macro_rules! host_transforms {
    ($($scalar:ty)*) => {$(
        impl HostTransforms for $scalar {
            #[inline(never)]
            fn cooley_tukey(
                butterfly: Butterfly,
                x: &mut [Self],
                log_len: u32,
                scale: Option<u32>,
                log_block_bytes: Option<u32>,
                team: Team<'_>,
            ) {
                match butterfly {
                    Butterfly::Walsh => in_place::<Self, WalshKind>(x, log_len, scale, log_block_bytes, team),
                    Butterfly::Arithmetic => {
                        in_place::<Self, ArithmeticKind<false>>(x, log_len, None, log_block_bytes, team);
                    }
                    Butterfly::ArithmeticInverse => {
                        in_place::<Self, ArithmeticKind<true>>(x, log_len, None, log_block_bytes, team);
                    }
                    // The host's words have 64 bits, whatever values they hold.
                    Butterfly::ReedMuller { log_unit_bits } => {
                        reed_muller(bytemuck::cast_slice_mut(x), log_unit_bits, log_len, log_block_bytes, team);
                    }
                }
            }

            #[inline(never)]
            fn out_of_place(butterfly: Butterfly, job: Job<'_>, x: &mut [Self], scratch: &mut [Self]) {
                match butterfly {
                    Butterfly::Arithmetic => job.run::<Self, ArithmeticKind<false>>(Level::widest(), x, scratch),
                    Butterfly::ArithmeticInverse => job.run::<Self, ArithmeticKind<true>>(Level::widest(), x, scratch),
                    // Words of several values are only moved this way.
                    Butterfly::Walsh | Butterfly::ReedMuller { .. } => {
                        job.run::<Self, WalshKind>(Level::widest(), x, scratch);
                    }
                }
            }
        }
    )*};
}

host_transforms!(i32 f32 i64 f64);
