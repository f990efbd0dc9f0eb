//! On the host: coefficients to residues modulo a transform's prime, by vectors.

use manycore_field::{ResidueWord, Slices};
use manycore_transform::NttField;

use super::component::Component;
use super::crt::BLOCK;

/// Words of one kind to residues of another.
pub(super) struct Convert<'a, G: NttField> {
    by: &'a Component<G>,
    reduce: bool,
    /// What 32-bit residues are multiplied by: 1, or `R` for Montgomery's form.
    factor: u32,
    /// `2^32` times that.
    high: u32,
}

impl<'a, G: NttField> Convert<'a, G> {
    pub(super) fn new(by: &'a Component<G>, reduce: bool) -> Self {
        Self { by, reduce, factor: 1, high: Self::high(by, 1) }
    }

    /// Right operands of 32-bit words are multiplied by `R`, which costs nothing where they are reduced anyway and halves
    /// the time of the products of spectra.
    pub(super) fn in_montgomery_form(self) -> Self {
        Self {
            reduce: self.reduce || self.by.slices.is_some(),
            factor: self.by.radix,
            high: Self::high(self.by, self.by.radix),
            ..self
        }
    }

    fn high(by: &Component<G>, factor: u32) -> u32 {
        by.field.mul(by.field.natural(1 << 32), by.field.natural(factor.into())).as_u64() as u32
    }

    /// The coefficients of `row` from `start` on, and zeros past its end.
    pub(super) fn part<W: ResidueWord>(&self, row: &[W], start: usize, to: &mut [G::Element]) {
        let present = row.len().saturating_sub(start).min(to.len());
        let (words, zeros) = to.split_at_mut(present);
        if present > 0 {
            self.run(&row[start..start + present], words);
        }
        zeros.fill(self.by.field.zero());
    }

    fn run<W: ResidueWord>(&self, from: &[W], to: &mut [G::Element]) {
        if W::BITS == G::Element::BITS
            && let Ok(from) = bytemuck::try_cast_slice::<W, G::Element>(from)
        {
            match (&self.by.slices, &self.by.long) {
                _ if !self.reduce => to.copy_from_slice(from),
                (Some(slices), _) => {
                    for (from, to) in from.chunks(BLOCK).zip(to.chunks_mut(BLOCK)) {
                        to.copy_from_slice(from);
                        slices.scale(bytemuck::cast_slice_mut(to), self.factor);
                    }
                }
                (None, Some(long)) => {
                    let reduced = from.iter().map(|x| G::Element::from_u64(long.reduce(x.as_u64())));
                    to.iter_mut().zip(reduced).for_each(|(to, x)| *to = x);
                }
                (None, None) => to.iter_mut().zip(from).for_each(|(to, x)| *to = self.by.field.natural(x.as_u64())),
            }
            return;
        }
        if let (Some(slices), Ok(to)) = (&self.by.slices, bytemuck::try_cast_slice_mut::<G::Element, u32>(&mut *to)) {
            return self.halves(slices, from, to);
        }
        // Words of 32 bits are below every prime of more.
        to.iter_mut().zip(from).for_each(|(to, x)| *to = G::Element::from_u64(x.as_u64()));
    }

    /// 64-bit words to residues of 32 bits: the halves reduced by vectors.
    fn halves<W: ResidueWord>(&self, slices: &Slices<u32>, from: &[W], to: &mut [u32]) {
        let mut high = [0u32; BLOCK];
        for (from, to) in from.chunks(BLOCK).zip(to.chunks_mut(BLOCK)) {
            let high = &mut high[..from.len()];
            for ((x, low), high) in from.iter().zip(&mut *to).zip(&mut *high) {
                (*low, *high) = (x.as_u64() as u32, (x.as_u64() >> 32) as u32);
            }
            if self.reduce {
                slices.scale(to, self.factor);
                // The lengths are equal.
                let _ = slices.add_scaled(to, self.high, high);
            }
        }
    }
}
