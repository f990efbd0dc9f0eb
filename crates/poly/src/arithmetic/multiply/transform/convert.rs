//! On the host: coefficients to residues modulo a transform's prime, by vectors.

use manycore_field::ResidueWord;
use manycore_ntt::NttField;

use super::component::Component;

/// Words of one kind to residues of another.
pub(super) struct Convert<'a, G: NttField> {
    by: &'a Component<G>,
    way: Way,
}

/// What is done with each word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A copy: the words are residues already.
    Copy,
    /// Words of 31 bits modulo a prime of at least 29.
    Short,
    /// Words of 63 bits modulo a prime of 29 to 31, which are divided by `2^32`, too.
    Montgomery,
    /// Any words.
    Reduce,
}

impl<'a, G: NttField> Convert<'a, G> {
    /// From words `W`, which are no residues of the prime where it says to reduce them.
    pub(super) fn new<W: ResidueWord>(by: &'a Component<G>, reduce: bool) -> Self {
        let p = by.field.order();
        let way = match (&by.slices, W::BITS) {
            // Words of 32 bits are below every prime of more.
            (None, 32) => Way::Copy,
            _ if !reduce => Way::Copy,
            // Residues modulo primes below 2^31, and below 2^63.
            (Some(_), 32) if p > 1 << 28 => Way::Short,
            (Some(_), 64) if p > 1 << 28 => Way::Montgomery,
            _ => Way::Reduce,
        };
        Self { by, way }
    }

    /// What words are divided by on the way: 2 to this power.
    pub(super) fn shift(&self) -> u32 {
        if self.way == Way::Montgomery { 32 } else { 0 }
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
        // The lengths are equal in all of these.
        match (self.way, &self.by.slices) {
            (Way::Copy, _) => {
                if let Ok(from) = bytemuck::try_cast_slice::<W, G::Element>(from)
                    && W::BITS == G::Element::BITS
                {
                    return to.copy_from_slice(from);
                }
            }
            (Way::Short, Some(slices)) => {
                if let (Ok(to), Ok(from)) = (bytemuck::try_cast_slice_mut(&mut *to), bytemuck::try_cast_slice(from)) {
                    let _ = slices.reduce_short(to, from);
                    return;
                }
            }
            (Way::Montgomery, Some(slices)) => {
                if let (Ok(to), Ok(from)) = (bytemuck::try_cast_slice_mut(&mut *to), bytemuck::try_cast_slice(from)) {
                    let _ = slices.reduce_montgomery(to, from);
                    return;
                }
            }
            _ => {}
        }
        match &self.by.long {
            Some(long) if self.way == Way::Reduce => {
                to.iter_mut().zip(from).for_each(|(to, x)| *to = G::Element::from_u64(long.reduce(x.as_u64())));
            }
            _ if self.way == Way::Reduce => {
                to.iter_mut().zip(from).for_each(|(to, x)| *to = self.by.field.natural(x.as_u64()));
            }
            _ => to.iter_mut().zip(from).for_each(|(to, x)| *to = G::Element::from_u64(x.as_u64())),
        }
    }
}
