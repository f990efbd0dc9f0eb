//! Polynomials by the definitions, for the tests of checks.

use super::Oracle;
use super::stripped;
use crate::CheckError;
use crate::modulus::Modulus;

/// The product.
pub(super) fn multiply(modulus: Modulus, f: &[u64], g: &[u64]) -> Vec<u64> {
    if f.is_empty() || g.is_empty() {
        return Vec::new();
    }
    let mut product = vec![0; f.len() + g.len() - 1];
    for (i, &a) in f.iter().enumerate() {
        for (j, &b) in g.iter().enumerate() {
            product[i + j] = modulus.add(product[i + j], modulus.mul(a, b));
        }
    }
    stripped(&product).to_vec()
}

pub(super) fn subtract(modulus: Modulus, f: &[u64], g: &[u64]) -> Vec<u64> {
    let at = |f: &[u64], i: usize| f.get(i).copied().unwrap_or(0);
    let difference: Vec<u64> = (0..f.len().max(g.len())).map(|i| modulus.sub(at(f, i), at(g, i))).collect();
    stripped(&difference).to_vec()
}

/// Quotient and remainder.
pub(super) fn divide(modulus: Modulus, f: &[u64], g: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let (mut rest, inverse) = (f.to_vec(), modulus.inverse(*g.last().unwrap()));
    let mut quotient = vec![0; (f.len() + 1).saturating_sub(g.len())];
    for at in (0..quotient.len()).rev() {
        let c = modulus.mul(rest[at + g.len() - 1], inverse);
        quotient[at] = c;
        for (i, &b) in g.iter().enumerate() {
            rest[at + i] = modulus.sub(rest[at + i], modulus.mul(c, b));
        }
    }
    (stripped(&quotient).to_vec(), stripped(&rest).to_vec())
}

/// `s` and `t` with `s a + t b` the monic greatest common divisor, and that.
pub(super) fn cofactors(modulus: Modulus, a: &[u64], b: &[u64]) -> [Vec<u64>; 3] {
    let mut rows = [[vec![1], Vec::new(), a.to_vec()], [Vec::new(), vec![1], b.to_vec()]];
    while !rows[1][2].is_empty() {
        let (q, _) = divide(modulus, &rows[0][2], &rows[1][2]);
        let next = [0, 1, 2].map(|i| subtract(modulus, &rows[0][i], &multiply(modulus, &q, &rows[1][i])));
        let [_, last] = rows;
        rows = [last, next];
    }
    let [row, _] = rows;
    let inverse = row[2].last().map_or(1, |&c| modulus.inverse(c));
    row.map(|f| multiply(modulus, &f, &[inverse]))
}

/// The value by Horner's rule.
pub(super) fn value(modulus: Modulus, f: &[u64], x: u64) -> u64 {
    f.iter().rev().fold(0, |value, &c| modulus.add(modulus.mul(value, x), c))
}

/// An oracle that answers right, but for the answer of this number, where a coefficient is one more.
pub(super) struct Plain {
    pub(super) modulus: Modulus,
    pub(super) m: Vec<u64>,
    pub(super) answers: usize,
    pub(super) wrong: Option<usize>,
}

impl Plain {
    pub(super) fn new(modulus: Modulus, wrong: Option<usize>) -> Self {
        Self { modulus, m: Vec::new(), answers: 0, wrong }
    }

    fn told(&mut self, mut f: Vec<u64>) -> Vec<u64> {
        if self.wrong == Some(self.answers) {
            let place = self.answers % f.len().max(1);
            f.resize(f.len().max(1), 0);
            f[place] = self.modulus.add(f[place], 1);
        }
        self.answers += 1;
        f
    }
}

impl Oracle<u64> for Plain {
    type Error = CheckError;

    fn product(&mut self, a: &[u64], b: &[u64]) -> Result<Vec<u64>, CheckError> {
        let product = multiply(self.modulus, a, b);
        Ok(self.told(product))
    }

    fn modulus(&mut self, m: &[u64]) -> Result<(), CheckError> {
        self.m = m.to_vec();
        Ok(())
    }

    fn product_modulo(&mut self, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Vec<u64>), CheckError> {
        let (quotient, remainder) = divide(self.modulus, &multiply(self.modulus, a, b), &self.m);
        Ok((self.told(quotient), self.told(remainder)))
    }

    fn cofactors(&mut self, a: &[u64]) -> Result<(Vec<u64>, Vec<u64>), CheckError> {
        let [s, t, _] = cofactors(self.modulus, a, &self.m);
        Ok((self.told(s), self.told(t)))
    }
}
