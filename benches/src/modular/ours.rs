//! The library's transforms and products on the host, in the form in which they are timed.

use anyhow::{Context as _, Result};
use manycore_device::{Buffer, Device, Executor};
use manycore_field::{PrimeField, ResidueWord, Slices};
use manycore_transform::{Kind, Ntt, NttField};
use rayon::prelude::*;

use crate::peers::{Product, Transform, product_len};

/// A transform, and the root of unity of its definition.
pub(super) type Rooted = (Box<dyn Transform>, u64);

/// The cyclic transform of `x` modulo `p`.
pub(super) fn transform(device: &Device, p: u64, x: &[u64]) -> Result<Rooted> {
    match u32::try_from(p) {
        Ok(p) if p >> 31 == 0 => transform_in(device, PrimeField::<u32>::new(p)?, x),
        _ => transform_in(device, PrimeField::<u64>::new(p)?, x),
    }
}

fn transform_in<W: ResidueWord>(device: &Device, field: PrimeField<W>, x: &[u64]) -> Result<Rooted>
where
    PrimeField<W>: NttField<Element = W>,
{
    let ntt = Ntt::new(device, &field, x.len(), Kind::Cyclic)?;
    let root = ntt.root().as_u64();
    let x = device.upload(&words::<W>(x))?;
    Ok((Box::new(Values { ntt, x }), root))
}

fn words<W: ResidueWord>(x: &[u64]) -> Vec<W> {
    x.iter().map(|&value| W::from_u64(value)).collect()
}

struct Values<W: ResidueWord>
where
    PrimeField<W>: NttField<Element = W>,
{
    ntt: Ntt<PrimeField<W>>,
    x: Buffer<W>,
}

impl<W: ResidueWord> Transform for Values<W>
where
    PrimeField<W>: NttField<Element = W>,
{
    fn forward(&mut self) -> Result<()> {
        Ok(self.ntt.forward(&mut self.x)?)
    }

    fn inverse(&mut self) -> Result<()> {
        Ok(self.ntt.inverse(&mut self.x)?)
    }

    fn values(&self) -> Vec<u64> {
        self.x.as_host().unwrap_or_default().iter().map(|&word| word.as_u64()).collect()
    }
}

/// The product of `a` and `b` modulo `p` by three transforms that hold all of it.
pub(super) fn product(device: &Device, p: u64, a: &[u64], b: &[u64]) -> Result<Box<dyn Product>> {
    match u32::try_from(p) {
        Ok(p) if p >> 31 == 0 => product_in(device, PrimeField::<u32>::new(p)?, a, b),
        _ => product_in(device, PrimeField::<u64>::new(p)?, a, b),
    }
}

fn product_in<W: ResidueWord>(device: &Device, field: PrimeField<W>, a: &[u64], b: &[u64]) -> Result<Box<dyn Product>>
where
    PrimeField<W>: NttField<Element = W>,
{
    let len = product_len(a.len(), b.len());
    let ntt = Ntt::new(device, &field, len.next_power_of_two(), Kind::Cyclic)?;
    let (x, y) = (device.zeros(ntt.len())?, device.zeros(ntt.len())?);
    Ok(Box::new(Operands { slices: field.slices(), ntt, a: words(a), b: words(b), x, y, len }))
}

/// The operands stay: they are copied and padded in every run, as other codes' products leave theirs too.
struct Operands<W: ResidueWord>
where
    PrimeField<W>: NttField<Element = W>,
{
    slices: Slices<W>,
    ntt: Ntt<PrimeField<W>>,
    a: Vec<W>,
    b: Vec<W>,
    x: Buffer<W>,
    y: Buffer<W>,
    len: usize,
}

/// Residues that one thread multiplies at once.
const BLOCK: usize = 1 << 14;

impl<W: ResidueWord> Product for Operands<W>
where
    PrimeField<W>: NttField<Element = W>,
{
    fn run(&mut self) -> Result<()> {
        let Self { slices, ntt, a, b, x, y, .. } = self;
        for (to, from) in [(&mut *x, a), (&mut *y, b)] {
            let to = to.as_host_mut().context("the host's memory")?;
            to[..from.len()].copy_from_slice(from);
            to[from.len()..].fill(W::default());
        }
        ntt.forward(x)?;
        ntt.forward(y)?;
        let (left, right) = x.as_host_mut().zip(y.as_host()).context("the host's memory")?;
        let device = ntt.device();
        match device.executor() {
            Executor::Host(pool) if pool.threads() > 1 && left.len() > BLOCK => pool.install(|| {
                let pairs = left.par_chunks_mut(BLOCK).zip(right.par_chunks(BLOCK));
                pairs.try_for_each(|(left, right)| slices.mul(left, right))
            })?,
            _ => slices.mul(left, right)?,
        }
        Ok(ntt.inverse(x)?)
    }

    fn result(&self) -> Vec<u64> {
        let x = self.x.as_host().unwrap_or_default();
        x.iter().take(self.len).map(|&word| word.as_u64()).collect()
    }
}
