//! The closed set of words that are sorted, each with nothing and with each word that may go with it: instances of the host's sort.

use manycore_device::{Device, HostPool, Team, Word};

use super::host::{Part, sort};
use super::lines::Payload;
use crate::digits::{Digits, Flip};
use crate::error::SortError;

/// An unsigned word that the host sorts.
#[doc(hidden)]
pub trait Radix: Digits {
    /// By all threads.
    fn on_host(device: &Device, pool: &HostPool, keys: &mut [Self], flip: Flip<Self>) -> Result<(), SortError>;

    /// By the calling thread.
    fn by_one(keys: &mut [Self], scratch: &mut [Self], flip: Flip<Self>);

    /// By all threads, with words of 32 bits.
    fn with_words(
        device: &Device,
        pool: &HostPool,
        keys: &mut [Self],
        values: &mut [u32],
        flip: Flip<Self>,
    ) -> Result<(), SortError>;

    /// By all threads, with words of 64 bits.
    fn with_longs(
        device: &Device,
        pool: &HostPool,
        keys: &mut [Self],
        values: &mut [u64],
        flip: Flip<Self>,
    ) -> Result<(), SortError>;
}

/// A word that goes with a key: of 32 or 64 bits.
pub trait Value: Word {
    /// The unsigned word with as many bits.
    #[doc(hidden)]
    type Bits: Value;

    #[doc(hidden)]
    fn on_host<W: Radix>(
        device: &Device,
        pool: &HostPool,
        keys: &mut [W],
        values: &mut [Self],
        flip: Flip<W>,
    ) -> Result<(), SortError>;
}

macro_rules! values {
    ($($by:ident, $bits:ty: $($value:ty),*;)*) => {$($(
        impl Value for $value {
            type Bits = $bits;

            fn on_host<W: Radix>(
                device: &Device,
                pool: &HostPool,
                keys: &mut [W],
                values: &mut [Self],
                flip: Flip<W>,
            ) -> Result<(), SortError> {
                W::$by(device, pool, keys, bytemuck::cast_slice_mut(values), flip)
            }
        }
    )*)*};
}

values! {
    with_words, u32: u32, i32, f32;
    with_longs, u64: u64, i64, f64;
}

/// Sorts keys, with values beside them where there are any, by all threads.
pub(super) fn by_threads<W: Radix, V: Value>(
    device: &Device,
    pool: &HostPool,
    (keys, values): (&mut [W], Option<&mut [V]>),
    flip: Flip<W>,
) -> Result<(), SortError> {
    match values {
        None => W::on_host(device, pool, keys, flip),
        Some(values) => V::on_host(device, pool, keys, values, flip),
    }
}

/// Sorts keys with their values, by all threads.
fn pairs<W: Digits, V: Payload + Word>(
    device: &Device,
    pool: &HostPool,
    keys: &mut [W],
    values: &mut [V],
    flip: Flip<W>,
) -> Result<(), SortError> {
    let mut scratch = (device.scratch::<W>(keys.len())?, device.scratch::<V>(keys.len())?);
    let (bytes, len) = (2 * (size_of_val(keys) + size_of_val(values)), keys.len());
    let scratch = Part { keys: scratch.0.host_mut()?, values: scratch.1.host_mut()? };
    let data = Part { keys, values };
    pool.step("radix_sort", bytes as u64, len as u64, || sort(pool.team(), data, scratch, flip));
    Ok(())
}

macro_rules! radix {
    ($($word:ty)*) => {$(
        impl Radix for $word {
            fn on_host(device: &Device, pool: &HostPool, keys: &mut [Self], flip: Flip<Self>) -> Result<(), SortError> {
                let mut scratch = device.scratch::<Self>(keys.len())?;
                let (bytes, len) = (2 * size_of_val(keys), keys.len());
                let scratch = Part { keys: scratch.host_mut()?, values: &mut vec![(); len] };
                let data = Part { keys, values: &mut vec![(); len] };
                pool.step("radix_sort", bytes as u64, len as u64, || sort(pool.team(), data, scratch, flip));
                Ok(())
            }

            fn by_one(keys: &mut [Self], scratch: &mut [Self], flip: Flip<Self>) {
                let (len, other) = (keys.len(), scratch.len());
                let data = Part { keys, values: &mut vec![(); len] };
                sort(Team::ALONE, data, Part { keys: scratch, values: &mut vec![(); other] }, flip);
            }

            fn with_words(
                device: &Device,
                pool: &HostPool,
                keys: &mut [Self],
                values: &mut [u32],
                flip: Flip<Self>,
            ) -> Result<(), SortError> {
                pairs(device, pool, keys, values, flip)
            }

            fn with_longs(
                device: &Device,
                pool: &HostPool,
                keys: &mut [Self],
                values: &mut [u64],
                flip: Flip<Self>,
            ) -> Result<(), SortError> {
                pairs(device, pool, keys, values, flip)
            }
        }
    )*};
}

radix! { u8 u16 u32 u64 }
