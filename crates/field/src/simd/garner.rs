//! Garner's algorithm on slices: all digits of a number stay in registers.

use super::level::{Level, Task};
#[cfg(target_arch = "x86_64")]
use super::modulus::{Factor, Modulus};
#[cfg(target_arch = "x86_64")]
use super::vectors::Pairs;
use crate::crt::{Garner, GarnerModulo};
use crate::error::LengthMismatch;

impl<const N: usize> Garner<u32, N> {
    /// [`digits`](Self::digits) of as many numbers as the slices have words, with the widest vectors of the processor: at
    /// `[i][k]` is the residue of number `k` mod modulus `i`, and then its digit `i`.
    ///
    /// # Errors
    /// [`LengthMismatch`] for slices of unequal length.
    pub fn digit_slices(&self, residues: [&mut [u32]; N]) -> Result<(), LengthMismatch> {
        let len = same_length(residues.iter().map(|x| x.len()))?;
        Level::widest().run(Digits { garner: self, residues: residues.map(<[u32]>::as_mut_ptr), len, modulo: None });
        Ok(())
    }
}

impl<const N: usize> GarnerModulo<u32, N> {
    /// [`residue`](Self::residue) of as many numbers as the slices have words, with the widest vectors of the processor.
    /// The residues are left to be overwritten.
    ///
    /// # Errors
    /// [`LengthMismatch`] for slices of unequal length.
    pub fn residue_slices(&self, residues: [&mut [u32]; N], out: &mut [u32]) -> Result<(), LengthMismatch> {
        let len = same_length(residues.iter().map(|x| x.len()).chain([out.len()]))?;
        let modulo = Some((self, out.as_mut_ptr()));
        let residues = residues.map(<[u32]>::as_mut_ptr);
        Level::widest().run(Digits { garner: self.garner(), residues, len, modulo });
        Ok(())
    }
}

fn same_length(mut lengths: impl Iterator<Item = usize>) -> Result<usize, LengthMismatch> {
    let left = lengths.next().unwrap_or(0);
    match lengths.find(|&right| right != left) {
        Some(right) => Err(LengthMismatch { left, right }),
        None => Ok(left),
    }
}

/// `len` numbers. The pointers are to as many words each, which belong to the task and do not overlap.
struct Digits<'a, const N: usize> {
    garner: &'a Garner<u32, N>,
    residues: [*mut u32; N],
    len: usize,
    /// What the digits are put together by, and where to; else they replace the residues.
    modulo: Option<(&'a GarnerModulo<u32, N>, *mut u32)>,
}

impl<const N: usize> Digits<'_, N> {
    #[inline(always)]
    fn scalar(&self, first: usize) {
        for k in first..self.len {
            // SAFETY: the slices have `len` words.
            unsafe {
                let residues = self.residues.map(|x| x.add(k).read());
                if let Some((modulo, out)) = self.modulo {
                    out.add(k).write(modulo.residue(&residues));
                } else {
                    let digits = self.garner.digits(&residues);
                    self.residues.iter().zip(digits).for_each(|(x, digit)| x.add(k).write(digit));
                }
            }
        }
    }
}

impl<const N: usize> Task for Digits<'_, N> {
    type Output = ();

    #[inline(always)]
    fn portable(self) {
        self.scalar(0);
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn vector<V: Pairs>(self) {
        if N == 0 {
            // Of no residues there is one number, 0.
            return self.scalar(0);
        }
        let whole = self.len - self.len % V::LANES;
        let moduli = self.garner.moduli();
        // Digits of smaller moduli are residues of larger ones.
        let ascending = moduli.is_sorted();
        // SAFETY: the caller has the instruction set; the accesses are to LANES words of each slice before `whole`.
        unsafe {
            // No closures: they would be compiled for any processor.
            let mut by = [Modulus::<V>::of(0); N];
            let mut units = [Factor::<V>::new(self.garner.units()[0]); N];
            let mut inverses = [units; N];
            let mut weights = units;
            for i in 0..N {
                by[i] = Modulus::of(moduli[i]);
                units[i] = Factor::new(self.garner.units()[i]);
                for (inverse, &factor) in inverses[i].iter_mut().zip(&self.garner.inverses()[i][..i]) {
                    *inverse = Factor::new(factor);
                }
            }
            let (mut to, mut out) = (by[0], std::ptr::null_mut());
            if let Some((modulo, place)) = self.modulo {
                (to, out) = (Modulus::of(modulo.field().modulus()), place);
                for (weight, &factor) in weights.iter_mut().zip(modulo.weights()) {
                    *weight = Factor::new(factor);
                }
            }
            let mut k = 0;
            while k < whole {
                let mut digits = [V::load(self.residues[0].add(k)); N];
                for i in 1..N {
                    let mut digit = V::load(self.residues[i].add(k));
                    for j in 0..i {
                        let known = if ascending { digits[j] } else { by[i].scaled(digits[j], units[i]) };
                        digit = by[i].scaled(by[i].minus(digit, known), inverses[i][j]);
                    }
                    digits[i] = digit;
                }
                if out.is_null() {
                    for (digit, x) in digits.iter().zip(&self.residues) {
                        digit.store(x.add(k));
                    }
                } else {
                    let mut sum = to.scaled(digits[0], weights[0]);
                    for i in 1..N {
                        sum = to.plus(sum, to.scaled(digits[i], weights[i]));
                    }
                    sum.store(out.add(k));
                }
                k += V::LANES;
            }
        }
        self.scalar(whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prime_field::PrimeField;

    fn check<const N: usize>(moduli: [u32; N], p: u32) {
        let garner = match Garner::new(moduli) {
            Ok(garner) => garner,
            Err(error) => panic!("{error}"),
        };
        let Ok(field) = PrimeField::new(p) else { panic!("{p}") };
        let modulo = garner.modulo(&field);
        let mut state = u64::from(p);
        for len in (0..40).chain([515]) {
            let residues = moduli.map(|m| {
                let residue = |k: usize| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let any = ((state >> 33) % u64::from(m)) as u32;
                    [0, m - 1, any, any, any][k % 5]
                };
                (0..len).map(residue).collect::<Vec<u32>>()
            });
            let at = |k: usize| std::array::from_fn::<u32, N, _>(|i| residues[i][k]);
            for level in Level::all() {
                let mut digits = residues.clone();
                let pointers = digits.each_mut().map(Vec::as_mut_ptr);
                level.run(Digits { garner: &garner, residues: pointers, len, modulo: None });
                for k in 0..len {
                    let digits = std::array::from_fn::<u32, N, _>(|i| digits[i][k]);
                    assert_eq!(digits, garner.digits(&at(k)), "{moduli:?}, {k} of {len}, {level:?}");
                }
                let (mut x, mut out) = (residues.clone(), vec![0; len]);
                let pointers = x.each_mut().map(Vec::as_mut_ptr);
                let modulo = Some((&modulo, out.as_mut_ptr()));
                level.run(Digits { garner: &garner, residues: pointers, len, modulo });
                let expected: Vec<u32> = (0..len).map(|k| garner.modulo(&field).residue(&at(k))).collect();
                assert_eq!(out, expected, "{moduli:?} to {p}, {len}, {level:?}");
            }
            let (mut x, mut out) = (residues.clone(), vec![0; len]);
            assert_eq!(modulo.residue_slices(x.each_mut().map(|x| &mut x[..]), &mut out), Ok(()));
            assert_eq!(garner.digit_slices(residues.clone().each_mut().map(|x| &mut x[..])), Ok(()));
        }
    }

    #[test]
    fn every_level_gives_the_same_digits() {
        check([], 7);
        check([2_013_265_921], 7);
        check([469_762_049, 2_013_265_921], 2_147_483_647);
        check([469_762_049, 998_244_353, 2_013_265_921], 1_000_000_007);
        check([2_013_265_921, 469_762_049, 998_244_353], 2);
        check([1_811_939_329, 2_013_265_921, 2_113_929_217, 2_147_483_647], 469_762_049);
        check([2, 3, 25, 2_147_483_629, 2_147_483_647], 2_147_483_629);
    }

    #[test]
    fn lengths_must_agree() {
        let Ok(garner) = Garner::new([7u32, 11]) else { panic!("coprime") };
        let Ok(field) = PrimeField::new(5u32) else { panic!("prime") };
        assert_eq!(garner.digit_slices([&mut [1, 2], &mut [1]]), Err(LengthMismatch { left: 2, right: 1 }));
        let result = garner.modulo(&field).residue_slices([&mut [1, 2], &mut [1, 3]], &mut [0]);
        assert_eq!(result, Err(LengthMismatch { left: 2, right: 1 }));
    }
}
