//! The field of `p^2` elements, for counts of zeros beyond the prime field.

use manycore_bivariate::Bivariate;
use manycore_field::{ModularField as _, Ring as _, Semiring as _};

use crate::Prime;

/// `F_p[t] / (t^2 - trace t + norm)`, irreducible.
pub(crate) struct Squares {
    field: Prime,
    trace: u32,
    norm: u32,
}

/// `c + d t`.
pub(crate) type Square = [u32; 2];

impl Squares {
    pub(crate) fn new(field: Prime) -> Self {
        let p = field.modulus();
        let pairs = (0..p).flat_map(|trace| (0..p).map(move |norm| (trace, norm)));
        let irreducible =
            |&(trace, norm): &(u32, u32)| (0..p).all(|x| field.add(field.mul(x, field.sub(x, trace)), norm) != 0);
        let (trace, norm) = pairs.into_iter().find(irreducible).unwrap();
        Self { field, trace, norm }
    }

    pub(crate) fn elements(&self) -> Vec<Square> {
        let p = self.field.order() as u32;
        (0..p).flat_map(|c| (0..p).map(move |d| [c, d])).collect()
    }

    fn mul(&self, [a, b]: Square, [c, d]: Square) -> Square {
        let f = &self.field;
        let top = f.mul(b, d);
        let middle = f.add(f.mul(a, d), f.mul(b, c));
        [f.sub(f.mul(a, c), f.mul(top, self.norm)), f.add(middle, f.mul(top, self.trace))]
    }

    pub(crate) fn univariate(&self, f: &[u32], x: Square) -> Square {
        f.iter().rev().fold([0, 0], |value, &c| {
            let [low, high] = self.mul(value, x);
            [self.field.add(low, c), high]
        })
    }

    pub(crate) fn evaluate(&self, f: &Bivariate<Prime>, x: Square, y: Square) -> Square {
        f.rows().iter().rev().fold([0, 0], |value, row| {
            let ([a, b], [c, d]) = (self.mul(value, y), self.univariate(row, x));
            [self.field.add(a, c), self.field.add(b, d)]
        })
    }
}
