//! Rational univariate representation of the points of chains (Rouillier 1999): a linear form that separates all points, its minimal
//! polynomial, and the coordinates as fractions in the form's value.
//!
//! Let `z = x + c y`. Above a root `z0` of the resultant of `T(x)` and `c^d H(x, (z - x) / c)` with respect to `x` the common divisor
//! of both has as many different roots `x` as the chain has points with the value `z0`, since `T` is squarefree, also where `H` has
//! multiple roots. So the form separates the points if the decomposition of each of these systems, with `x` eliminated, has chains of
//! degree 1 in `x` alone, and if those of different chains have coprime polynomials in `z`.

use manycore_field::ResidueWord as _;

use super::{Chain, Decomposition};
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};
use crate::univariate::Words;

/// The most forms that are tried: all of a field of at most this many elements, else this number of random ones.
const MOST_FORMS: u64 = 1 << 12;

/// Seed of the forms.
const SEED: u64 = 0x0072_7572;

/// Finitely many points over the algebraic closure, one for each root `z` of the squarefree monic `T`: `x = X(z) / T'(z)` and
/// `y = Y(z) / T'(z)`, with `z = x + c y`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Representation<E> {
    /// The form's coefficient `c` of `y`; 0 where the first coordinates of the points are different.
    pub form: E,
    /// The coefficients of `T`, the constant term first; 1 where there is no point.
    pub t: Vec<E>,
    /// The coefficients of `X`, reduced modulo `T`.
    pub x: Vec<E>,
    /// The coefficients of `Y`, reduced modulo `T`.
    pub y: Vec<E>,
}

/// Points whose form has the roots of `t` as its values, and their first coordinate modulo `t`.
struct Part<F: BivariateField> {
    t: Words<F>,
    x: Words<F>,
}

impl<F: BivariateField> BivariateRing<F> {
    /// The points of the chains of a decomposition by a separating form.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "x^2 - 1")?;
    /// let g = Bivariate::parse(&field, "y^2 - 4")?;
    /// let ring = BivariateRing::new(&Device::from_env()?, field)?;
    /// let found = ring.represent(&ring.decompose(&f, &g)?)?;
    /// assert_eq!(found.t.len(), 5); // four points
    /// let mut points = ring.representation_points(&found)?;
    /// points.sort_unstable();
    /// assert_eq!(points, [[1, 2], [1, 8999], [9000, 2], [9000, 8999]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::NoForm`] where the field has too few elements for one; as [`BivariateRing::resultant`].
    #[inline(never)]
    pub fn represent(&self, found: &Decomposition<F>) -> Result<Representation<F::Element>, BivariateError> {
        let (field, u) = (self.field(), self.univariate());
        let points = found.chains.iter().map(|chain| (chain.t.len() - 1) * chain.h.degree_y().unwrap_or(0)).sum();
        if found.chains.iter().all(|chain| chain.h.degree_y() == Some(1)) {
            // The form is the first coordinate.
            let mut t = u.one();
            let mut y = Vec::new();
            for chain in &found.chains {
                let constant = chain.h.rows().first().cloned().unwrap_or_default();
                y = self.combined([&t, &y], [&chain.t, &u.scale(&constant, field.neg(field.one()))])?;
                t = u.mul(&t, &chain.t)?;
            }
            let x = u.rem(&[field.zero(), field.one()], &t)?;
            return self.represented(field.zero(), t, [&x, &y]);
        }
        let p = field.order();
        for index in 1..p.min(MOST_FORMS) {
            let form = if p <= MOST_FORMS { F::Element::from_u64(index) } else { u.unit(SEED + index) };
            if let Some(parts) = self.separated(found, form)? {
                let mut t = u.one();
                let mut x = Vec::new();
                for part in parts {
                    x = self.combined([&t, &x], [&part.t, &part.x])?;
                    t = u.mul(&t, &part.t)?;
                }
                // y = (z - x) / c
                let inverse = field.inverse(form).unwrap_or(field.one());
                let y = u.rem(&u.scale(&u.sub(&[field.zero(), field.one()], &x), inverse), &t)?;
                return self.represented(form, t, [&x, &y]);
            }
        }
        Err(BivariateError::NoForm { points, modulus: p })
    }

    /// The representation of coordinates modulo `t`.
    fn represented(
        &self,
        form: F::Element,
        t: Words<F>,
        [x, y]: [&[F::Element]; 2],
    ) -> Result<Representation<F::Element>, BivariateError> {
        let u = self.univariate();
        let derivative = u.derivative(&t);
        let [x, y] = [u.mul_mod(x, &derivative, &t)?, u.mul_mod(y, &derivative, &t)?];
        Ok(Representation { form, t, x, y })
    }

    /// The polynomial that is `a` modulo `s` and `b` modulo `t`, coprime with `s`.
    fn combined(&self, [s, a]: [&[F::Element]; 2], [t, b]: [&[F::Element]; 2]) -> Result<Words<F>, BivariateError> {
        let u = self.univariate();
        if s.len() <= 1 {
            return u.rem(b, t);
        }
        let inverse = u.inverse_mod(&u.rem(s, t)?, t)?;
        let difference = u.mul_mod(&u.sub(b, a), &inverse, t)?;
        let negative = u.scale(&u.mul(s, &difference)?, self.field().neg(self.field().one()));
        Ok(u.sub(a, &negative))
    }

    /// The points by the values of `x + form y`; `None` where two have one value.
    fn separated(&self, found: &Decomposition<F>, form: F::Element) -> Result<Option<Vec<Part<F>>>, BivariateError> {
        let u = self.univariate();
        let mut parts: Vec<Part<F>> = Vec::new();
        let mut product = u.one();
        for chain in &found.chains {
            let t = Bivariate::trimmed(self.field(), chain.t.iter().map(|&c| u.stripped(vec![c])).collect());
            for sheared in self.decompose(&t, &self.sheared(chain, form)?)?.chains {
                if sheared.h.degree_y() != Some(1) || u.gcd(&product, &sheared.t)?.len() > 1 {
                    return Ok(None);
                }
                product = u.mul(&product, &sheared.t)?;
                let constant = sheared.h.rows().first().cloned().unwrap_or_default();
                parts.push(Part { x: u.scale(&constant, self.field().neg(self.field().one())), t: sheared.t });
            }
        }
        Ok(Some(parts))
    }

    /// `c^d H(x, (z - x) / c)` modulo `T`, with `z` as its `x` and `x` as its `y`.
    fn sheared(&self, chain: &Chain<F>, form: F::Element) -> Result<Bivariate<F>, BivariateError> {
        let (field, u) = (self.field(), self.univariate());
        // By powers of `z`, polynomials in `x`; Horner's rule in `y`.
        let mut rows: Vec<Words<F>> = Vec::new();
        let mut power = field.one();
        for coefficient in chain.h.rows().iter().rev() {
            let mut next: Vec<Words<F>> = vec![Vec::new(); rows.len() + 1];
            for (k, row) in rows.iter().enumerate() {
                let shifted: Words<F> = [&[field.zero()], &row[..]].concat();
                next[k] = u.rem(&u.sub(&next[k], &shifted), &chain.t)?;
                next[k + 1].clone_from(row);
            }
            let negative = u.scale(coefficient, field.neg(power));
            next[0] = u.sub(&next[0], &negative);
            power = field.mul(power, form);
            rows = next;
        }
        Ok(Bivariate::trimmed(field, rows).exchanged())
    }

    /// The points with coordinates in the field, in the order of the form's values.
    ///
    /// # Errors
    /// [`BivariateError::OutOfRange`] for a word that is no residue; as [`PolyRing::roots`](manycore_poly::PolyRing::roots).
    #[inline(never)]
    pub fn representation_points(
        &self,
        representation: &Representation<F::Element>,
    ) -> Result<Vec<[F::Element; 2]>, BivariateError> {
        let (field, u) = (self.field(), self.univariate());
        let Representation { t, x, y, .. } = representation;
        [t, x, y].into_iter().try_for_each(|words| field.check(words))?;
        if t.len() <= 1 {
            return Ok(Vec::new());
        }
        let derivative = u.derivative(t);
        let point = |z| {
            // `T` has no multiple root.
            let inverse = field.inverse(u.evaluate(&derivative, z)).unwrap_or(field.zero());
            [x, y].map(|numerator| field.mul(u.evaluate(numerator, z), inverse))
        };
        Ok(u.roots(t)?.into_iter().map(point).collect())
    }

    /// Whether `T` is monic and squarefree, `X + c Y = z T'` modulo `T`, and both polynomials are zero at the points, by substitution
    /// modulo `T`.
    ///
    /// # Errors
    /// [`BivariateError::MixedFields`]; [`BivariateError::OutOfRange`] for a word that is no residue.
    #[inline(never)]
    pub fn verify_representation(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        representation: &Representation<F::Element>,
    ) -> Result<bool, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        let (field, u) = (self.field(), self.univariate());
        let Representation { form, t, x, y } = representation;
        [t, x, y].into_iter().try_for_each(|words| field.check(words))?;
        field.check(&[*form])?;
        if t.last() != Some(&field.one()) || u.squarefree_part(t)? != *t {
            return Ok(false);
        }
        if t.len() == 1 {
            return Ok(x.is_empty() && y.is_empty());
        }
        let derivative = u.derivative(t);
        let z = u.mul_mod(&[field.zero(), field.one()], &derivative, t)?;
        if u.sub(&u.sub(&z, x), &u.scale(y, *form)).iter().any(|&c| c != field.zero()) {
            return Ok(false);
        }
        let inverse = u.inverse_mod(&derivative, t)?;
        let [x, y] = [u.mul_mod(x, &inverse, t)?, u.mul_mod(y, &inverse, t)?];
        let minus = field.neg(field.one());
        for f in [f, g] {
            let mut value: Words<F> = Vec::new();
            for row in f.rows().iter().rev() {
                let mut coefficient: Words<F> = Vec::new();
                for &c in row.iter().rev() {
                    let product = u.mul_mod(&coefficient, &x, t)?;
                    coefficient = u.sub(&product, &u.stripped(vec![field.neg(c)]));
                }
                value = u.sub(&u.mul_mod(&value, &y, t)?, &u.scale(&coefficient, minus));
            }
            if !value.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
