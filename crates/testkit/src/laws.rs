//! Laws of algebra, checked over all tuples of a list of samples.
//!
//! The laws know no trait: an [`Algebra`] is a table of closures, and the macros [`semiring_laws!`](crate::semiring_laws),
//! [`ring_laws!`](crate::ring_laws) and [`field_laws!`](crate::field_laws) fill it from any value with methods of the
//! usual names, so that a type is tested in one line.

use std::fmt::Debug;

type Binary<'a, T> = Box<dyn Fn(T, T) -> T + 'a>;

/// A set of words with addition and multiplication.
pub struct Algebra<'a, T> {
    /// The neutral element of addition.
    pub zero: T,
    /// The neutral element of multiplication.
    pub one: T,
    /// Addition.
    pub add: Binary<'a, T>,
    /// Multiplication.
    pub mul: Binary<'a, T>,
}

#[track_caller]
fn law<T: Debug, U: PartialEq + Debug>(name: &str, of: &[T], left: &U, right: &U) {
    assert!(left == right, "{name} fails for {of:?}: {left:?} is not {right:?}");
}

fn triples<T: Copy>(samples: &[T], check: impl Fn(T, T, T)) {
    for &a in samples {
        for &b in samples {
            for &c in samples {
                check(a, b, c);
            }
        }
    }
}

impl<T: Copy + PartialEq + Debug> Algebra<'_, T> {
    /// The laws of a semiring: a commutative monoid under addition, a monoid under multiplication, distribution from both
    /// sides, zero annihilates.
    ///
    /// # Panics
    /// With the name of a law and the elements it fails for.
    pub fn semiring(&self, samples: &[T]) {
        let (add, mul, zero, one) = (&self.add, &self.mul, self.zero, self.one);
        for &a in samples {
            law("a + 0 = a", &[a], &add(a, zero), &a);
            law("0 + a = a", &[a], &add(zero, a), &a);
            law("a 1 = a", &[a], &mul(a, one), &a);
            law("1 a = a", &[a], &mul(one, a), &a);
            law("a 0 = 0", &[a], &mul(a, zero), &zero);
            law("0 a = 0", &[a], &mul(zero, a), &zero);
        }
        for &a in samples {
            for &b in samples {
                law("a + b = b + a", &[a, b], &add(a, b), &add(b, a));
            }
        }
        triples(samples, |a, b, c| {
            law("(a + b) + c = a + (b + c)", &[a, b, c], &add(add(a, b), c), &add(a, add(b, c)));
        });
        triples(samples, |a, b, c| law("(a b) c = a (b c)", &[a, b, c], &mul(mul(a, b), c), &mul(a, mul(b, c))));
        triples(samples, |a, b, c| {
            law("a (b + c) = a b + a c", &[a, b, c], &mul(a, add(b, c)), &add(mul(a, b), mul(a, c)));
            law("(a + b) c = a c + b c", &[a, b, c], &mul(add(a, b), c), &add(mul(a, c), mul(b, c)));
        });
    }

    /// `a b = b a`.
    ///
    /// # Panics
    /// With the elements it fails for.
    pub fn commutative(&self, samples: &[T]) {
        for &a in samples {
            for &b in samples {
                law("a b = b a", &[a, b], &(self.mul)(a, b), &(self.mul)(b, a));
            }
        }
    }

    /// `a + a = a`.
    ///
    /// # Panics
    /// With the element it fails for.
    pub fn idempotent(&self, samples: &[T]) {
        for &a in samples {
            law("a + a = a", &[a], &(self.add)(a, a), &a);
        }
    }

    /// The laws of negation and subtraction.
    ///
    /// # Panics
    /// With the name of a law and the elements it fails for.
    pub fn negation(&self, neg: impl Fn(T) -> T, sub: impl Fn(T, T) -> T, samples: &[T]) {
        for &a in samples {
            law("a + (-a) = 0", &[a], &(self.add)(a, neg(a)), &self.zero);
            law("-(-a) = a", &[a], &neg(neg(a)), &a);
            for &b in samples {
                law("a - b = a + (-b)", &[a, b], &sub(a, b), &(self.add)(a, neg(b)));
                law("(a - b) + b = a", &[a, b], &(self.add)(sub(a, b), b), &a);
            }
        }
    }

    /// The laws of inverses and division.
    ///
    /// # Panics
    /// With the name of a law and the elements it fails for.
    pub fn inversion(&self, inverse: impl Fn(T) -> Option<T>, div: impl Fn(T, T) -> Option<T>, samples: &[T]) {
        assert!(self.zero != self.one, "0 = 1");
        assert!(inverse(self.zero).is_none(), "zero has an inverse");
        for &a in samples {
            assert!(div(a, self.zero).is_none(), "{a:?} over zero is an element");
            for &b in samples.iter().filter(|&&b| b != self.zero) {
                let Some(i) = inverse(b) else { panic!("{b:?} has no inverse") };
                law("b b^-1 = 1", &[b], &(self.mul)(b, i), &self.one);
                law("a / b = a b^-1", &[a, b], &div(a, b), &Some((self.mul)(a, i)));
            }
        }
    }
}

/// The [`Algebra`] of a value with the methods `zero`, `one`, `add` and `mul`.
#[macro_export]
macro_rules! algebra {
    ($ring:expr) => {{
        let ring = &$ring;
        $crate::laws::Algebra {
            zero: ring.zero(),
            one: ring.one(),
            add: ::std::boxed::Box::new(move |a, b| ring.add(a, b)),
            mul: ::std::boxed::Box::new(move |a, b| ring.mul(a, b)),
        }
    }};
}

/// Checks the laws of a semiring over all triples of samples.
#[macro_export]
macro_rules! semiring_laws {
    ($ring:expr, $samples:expr) => {{
        let ring = &$ring;
        $crate::algebra!(*ring).semiring($samples);
    }};
}

/// Checks the laws of a ring: those of a semiring, and of `neg` and `sub`.
#[macro_export]
macro_rules! ring_laws {
    ($ring:expr, $samples:expr) => {{
        let (ring, samples) = (&$ring, $samples);
        let algebra = $crate::algebra!(*ring);
        algebra.semiring(samples);
        algebra.negation(|a| ring.neg(a), |a, b| ring.sub(a, b), samples);
    }};
}

/// Checks the laws of a field: those of a commutative ring, and of `inverse` and `div`.
#[macro_export]
macro_rules! field_laws {
    ($ring:expr, $samples:expr) => {{
        let (ring, samples) = (&$ring, $samples);
        $crate::ring_laws!(*ring, samples);
        let algebra = $crate::algebra!(*ring);
        algebra.commutative(samples);
        algebra.inversion(|a| ring.inverse(a), |a, b| ring.div(a, b), samples);
    }};
}

#[cfg(test)]
mod tests {
    use super::Algebra;

    /// The integers mod 6, and what is wrong with them as a field or with another sum.
    fn residues<'a>() -> Algebra<'a, u32> {
        Algebra { zero: 0, one: 1, add: Box::new(|a, b| (a + b) % 6), mul: Box::new(|a, b| a * b % 6) }
    }

    const ALL: &[u32] = &[0, 1, 2, 3, 4, 5];

    #[test]
    fn a_ring_passes() {
        residues().semiring(ALL);
        residues().commutative(ALL);
        residues().negation(|a| (6 - a) % 6, |a, b| (6 + a - b) % 6, ALL);
    }

    #[test]
    #[should_panic(expected = "(a b) c = a (b c) fails")]
    fn a_product_that_does_not_associate_is_found() {
        let odd = |a: u32, b: u32| if a == 2 && b == 3 { 1 } else { a * b % 6 };
        Algebra { mul: Box::new(odd), ..residues() }.semiring(ALL);
    }

    #[test]
    #[should_panic(expected = "a + 0 = a fails for [3]")]
    fn a_wrong_zero_is_found() {
        Algebra { add: Box::new(|a, b| if (a, b) == (3, 0) { 0 } else { (a + b) % 6 }), ..residues() }.semiring(ALL);
    }

    #[test]
    #[should_panic(expected = "-(-a) = a fails")]
    fn a_wrong_negation_is_found() {
        residues().negation(|a| if a == 4 { 8 } else { (12 - a) % 6 }, |a, b| (6 + a - b) % 6, ALL);
    }

    #[test]
    #[should_panic(expected = "2 has no inverse")]
    fn a_ring_that_is_no_field_is_found() {
        let inverse = |a: u32| (0..6).find(|b| a * b % 6 == 1);
        residues().inversion(inverse, |a, b| inverse(b).map(|b| a * b % 6), ALL);
    }

    #[test]
    #[should_panic(expected = "a + a = a fails for [1]")]
    fn a_sum_that_is_not_idempotent_is_found() {
        residues().idempotent(ALL);
    }
}
