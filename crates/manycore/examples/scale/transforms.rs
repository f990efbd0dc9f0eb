//! Transforms: a large one, in two passes where several devices share it or memory is limited, and batches; products.

use manycore::device::{Control, DeviceSet};
use manycore::field::Goldilocks;
use manycore::ntt::{Kind, NttError, NttField};
use manycore::spectral::walsh::walsh_over;
use manycore::verify::SplitMix;
use manycore::{Device, Ntt, PrimeField, Walsh};

use crate::measure::{Bench, Bytes, Fallible};

/// The base-2 logarithm of the transforms of a batch.
const LOG_BATCH: u32 = 16;

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    walsh(bench)?;
    ntt(bench, "31 bits", &PrimeField::<u32>::new(469_762_049)?)?;
    ntt(bench, "Goldilocks", &Goldilocks)
}

/// Runs work with a quarter of the data's bytes on each device, or with all memory.
fn limited<R>(bytes: Option<u64>, work: impl FnOnce() -> R) -> R {
    match bytes {
        Some(bytes) => Control::new().with_limit_bytes(bytes / 4).run(work),
        None => work(),
    }
}

/// Rows without a limit and with one. Bytes of two passes cross a bus four times; of one, twice.
fn both<T: Copy + PartialEq>(
    bench: &Bench,
    name: &str,
    (data, crossings): (&[T], u64),
    job: impl Fn(&DeviceSet, &mut [T]) -> Fallible<()>,
) -> Fallible<()> {
    let bytes = size_of_val(data) as u64;
    for limit in [None, Some(bytes)] {
        let told = if limit.is_some() { " in a quarter of its memory" } else { "" };
        bench.row(
            &format!("{name}{told}"),
            Bytes { bus: crossings * bytes, exchange: (crossings == 4).then_some(("slabs", 2 * bytes)) },
            || data.to_vec(),
            |set, mut x| {
                limited(limit, || job(set, &mut x))?;
                Ok(x)
            },
        )?;
    }
    Ok(())
}

fn walsh(bench: &Bench) -> Fallible<()> {
    let log_size = bench.log_size;
    let mut random = SplitMix::new(1);
    let x: Vec<i32> = (0..1usize << log_size).map(|_| random.next_word() as i32 >> 24).collect();
    let (whole, batch) = (Walsh::new().wrapping(), Walsh::new().wrapping().batch(1 << LOG_BATCH.min(log_size)));
    both(bench, &format!("walsh of 2^{log_size} i32"), (&x, 4), |set, x| Ok(walsh_over(set, x, &whole)?))?;
    both(bench, &format!("walsh of 2^{LOG_BATCH} i32, 2^{log_size} words"), (&x, 2), |set, x| {
        Ok(walsh_over(set, x, &batch)?)
    })
}

fn ntt<F: NttField>(bench: &Bench, name: &str, field: &F) -> Fallible<()> {
    let mut random = SplitMix::new(2);
    let log_size = bench.log_size.min(field.two_adicity());
    let x: Vec<F::Element> = (0..1usize << log_size).map(|_| field.natural(random.next_word() >> 1)).collect();
    let of =
        |log_len: u32| -> Result<Ntt<F>, NttError> { Ntt::new(&Device::host(), field, 1 << log_len, Kind::Cyclic) };
    let (whole, batch) = (of(log_size)?, of(LOG_BATCH.min(log_size))?);
    both(bench, &format!("ntt of 2^{log_size}, {name}"), (&x, 4), |set, x| Ok(whole.forward_over(set, x)?))?;
    let words = format!("of 2^{LOG_BATCH}, {name}, 2^{log_size} words");
    both(bench, &format!("ntt {words}"), (&x, 2), |set, x| Ok(batch.forward_over(set, x)?))?;
    let y = x.clone();
    both(bench, &format!("products {words}"), (&x, 3), |set, x| Ok(batch.convolve_over(set, x, &y)?))
}
