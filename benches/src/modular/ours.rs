//! The library's transforms and products on the host, in the form in which they are timed.

use anyhow::Result;
use manycore_device::{Buffer, Device};
use manycore_field::{PrimeField, ResidueWord};
use manycore_ntt::{Kind, Ntt, NttField};
use manycore_poly::{Operation, Poly, PolyField, PolyRing};

use crate::peers::{Product, Transform};

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

/// A product, and the way that the model takes for it.
pub(super) type Planned = (Box<dyn Product>, String);

/// The product of `a` and `b` modulo `p`, as the library computes it.
pub(super) fn product(device: &Device, p: u64, a: &[u64], b: &[u64]) -> Result<Planned> {
    match u32::try_from(p) {
        Ok(p) if p >> 31 == 0 => product_in(device, PrimeField::<u32>::new(p)?, a, b),
        _ => product_in(device, PrimeField::<u64>::new(p)?, a, b),
    }
}

fn product_in<W: ResidueWord>(device: &Device, field: PrimeField<W>, a: &[u64], b: &[u64]) -> Result<Planned>
where
    PrimeField<W>: PolyField<Element = W>,
{
    let ring = PolyRing::new(device, field)?;
    let (f, g) = (ring.poly(&words::<W>(a))?, ring.poly(&words::<W>(b))?);
    let operation = Operation::Multiply { n: f.len(), m: g.len() };
    let plan = ring.explain(operation)?.best().parameters.to_string();
    let product = ring.mul(&f, &g)?;
    Ok((Box::new(Operands { ring, f, g, product }), plan))
}

struct Operands<W: ResidueWord>
where
    PrimeField<W>: PolyField<Element = W>,
{
    ring: PolyRing<PrimeField<W>>,
    f: Poly<PrimeField<W>>,
    g: Poly<PrimeField<W>>,
    product: Poly<PrimeField<W>>,
}

impl<W: ResidueWord> Product for Operands<W>
where
    PrimeField<W>: PolyField<Element = W>,
{
    fn run(&mut self) -> Result<()> {
        self.product = self.ring.mul(&self.f, &self.g)?;
        Ok(())
    }

    fn result(&self) -> Vec<u64> {
        self.product.as_host().unwrap_or_default().iter().map(|&word| word.as_u64()).collect()
    }
}
