//! Resultants and subresultants of bivariate polynomials, by evaluation at many points and interpolation.
//!
//! For `f` and `g` of the degrees `m >= n >= 1` in `y`, the subresultant `S_k`, `k < n`, is the sum over `j <= k` of `y^j` times the
//! determinant of the columns of `y^(m+n-k-1), ..., y^(k+1)` and `y^j` of the rows `y^(n-k-1) f, ..., f, y^(m-k-1) g, ..., g`; `S_0`
//! is the resultant (Collins 1967; von zur Gathen and Lücking, Subresultants revisited, 2003). Determinants of formal degrees commute
//! with the evaluation of `x`, so that every point serves: [`formal`] has the rules where leading coefficients vanish.
//!
//! | file | what |
//! |---|---|
//! | [`mod@reference`] | the determinants over `F_p[x]`: specification and oracle |
//! | `bound` | degrees in `x` of subresultants |
//! | `points` | the points: a coset of roots of unity, a geometric progression, or none |
//! | `images` | values of all coefficients at blocks of points, and the subresultants back |
//! | `lanes` | chains at many points side by side, for the generic degrees |
//! | `formal` | the chain at one point, for any degrees |
//! | `device` | images and chains on OpenCL devices |
//! | `exact` | the chain over `F_p[x]` by exact divisions, where the field has too few points |
//! | `verify` | the check of a resultant |

mod bound;
mod device;
mod exact;
pub mod formal;
mod images;
pub(crate) mod lanes;
mod points;
pub mod reference;
mod verify;

use crate::error::BivariateError;
use crate::polynomial::{Bivariate, Variable};
use crate::ring::{BivariateField, BivariateRing};
use crate::univariate::Words;
use points::Points;

/// The subresultants of two polynomials in `y`, computed on demand; `S_0` and `S_1` together.
pub(crate) struct Subresultants<'a, F: BivariateField> {
    ring: &'a BivariateRing<F>,
    /// Of the degrees `m >= n >= 1` in `y`.
    f: &'a Bivariate<F>,
    g: &'a Bivariate<F>,
    points: Points<F>,
    /// By index.
    found: Vec<Option<Bivariate<F>>>,
}

impl<'a, F: BivariateField> Subresultants<'a, F> {
    /// For `deg_y f >= deg_y g >= 1`.
    pub(crate) fn new(
        ring: &'a BivariateRing<F>,
        f: &'a Bivariate<F>,
        g: &'a Bivariate<F>,
    ) -> Result<Self, BivariateError> {
        let count = g.degree_y().unwrap_or(0);
        // The resultant's bound is the largest in general; that of one which is zero for its weights may be smaller.
        let most = (0..count).map(|k| bound::degree(f, g, k)).max().unwrap_or(0);
        Ok(Self { ring, f, g, points: Points::new(ring, most)?, found: vec![None; count] })
    }

    /// For the same polynomials as those of which some subresultants were found.
    pub(crate) fn resumed(
        ring: &'a BivariateRing<F>,
        f: &'a Bivariate<F>,
        g: &'a Bivariate<F>,
        found: Vec<Option<Bivariate<F>>>,
    ) -> Result<Self, BivariateError> {
        let new = Self::new(ring, f, g)?;
        Ok(if found.len() == new.len() { Self { found, ..new } } else { new })
    }

    /// The subresultants found so far, by index.
    pub(crate) fn into_found(self) -> Vec<Option<Bivariate<F>>> {
        self.found
    }

    /// The number of subresultants.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// `S_k`, `k < len`. Those asked for one after the other are computed in growing runs.
    pub(crate) fn get(&mut self, k: usize) -> Result<&Bivariate<F>, BivariateError> {
        if self.found.get(k).is_some_and(Option::is_none) {
            let wanted: Vec<usize> = (k..(2 * k).max(2).min(self.len())).collect();
            let computed = match &self.points {
                Points::None => exact::subresultants(self.ring, self.f, self.g)?.into_iter().enumerate().collect(),
                points => images::subresultants(self.ring, self.f, self.g, points, &wanted)?,
            };
            for (k, s) in computed {
                self.found[k] = Some(s);
            }
        }
        let (m, n) = (self.f.degree_y().unwrap_or(0), self.len());
        self.found.get(k).and_then(Option::as_ref).ok_or(BivariateError::Index { index: k, m, n })
    }

    /// The resultant's coefficients.
    pub(crate) fn resultant(&mut self) -> Result<Words<F>, BivariateError> {
        Ok(self.get(0)?.rows().first().cloned().unwrap_or_default())
    }
}

impl<F: BivariateField> BivariateRing<F> {
    /// The resultant of `f` and `g` with respect to `eliminated`, a polynomial in the other variable: its coefficients, the constant
    /// term first, none for zero. Its roots are the other coordinates of the common zeros, and where both leading coefficients vanish.
    ///
    /// Zero where a polynomial is zero, and where they have a common factor that contains the variable. With degrees `m` and `n`
    /// in the variable, `d` and `e` in the other one, at most `n d + m e + 1` points of `O(m n)` products each, and transforms.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing, Variable};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "x*y^2 + y + 1")?;
    /// let g = Bivariate::parse(&field, "2*y^3 + 1")?;
    /// let ring = BivariateRing::new(&Device::from_env()?, field)?;
    /// assert_eq!(ring.resultant(&f, &g, Variable::Y)?, [2, 6, 0, 1]); // x^3 + 6 x + 2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::MixedFields`]; [`BivariateError::Bound`] and [`BivariateError::Device`] for lack of memory.
    #[inline(never)]
    pub fn resultant(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        eliminated: Variable,
    ) -> Result<Vec<F::Element>, BivariateError> {
        let s = self.subresultant(f, g, eliminated, 0);
        match s {
            Ok(s) => Ok(s.rows().first().cloned().unwrap_or_default()),
            // One of them has not the variable.
            Err(BivariateError::Index { .. }) => self.resultant_of_constant(f, g, eliminated),
            Err(error) => Err(error),
        }
    }

    /// The subresultant `S_index` of `f` and `g` with respect to `eliminated`, of a degree of at most `index` in it; the result has it
    /// as its `y` and the other variable as its `x`.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing, Variable};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "x*y^2 + y - 1")?;
    /// let g = Bivariate::parse(&field, "y^2 - x")?;
    /// let ring = BivariateRing::new(&Device::from_env()?, field)?;
    /// let s = ring.subresultant(&f, &g, Variable::Y, 1)?;
    /// assert_eq!(s, Bivariate::parse(&field, "1 - x^2 - y")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::Index`] for an index that is not below both degrees; as [`BivariateRing::resultant`].
    #[inline(never)]
    pub fn subresultant(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        eliminated: Variable,
        index: usize,
    ) -> Result<Bivariate<F>, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        let exchanged;
        let (f, g) = match eliminated {
            Variable::Y => (f, g),
            Variable::X => {
                exchanged = (f.exchanged(), g.exchanged());
                (&exchanged.0, &exchanged.1)
            }
        };
        let (m, n) = (f.degree_y().unwrap_or(0), g.degree_y().unwrap_or(0));
        if index >= m.min(n) {
            return Err(BivariateError::Index { index, m, n });
        }
        let swapped = m < n;
        let (a, b) = if swapped { (g, f) } else { (f, g) };
        let s = Subresultants::new(self, a, b)?.get(index)?.clone();
        // Rows of one polynomial past those of the other.
        let negative = swapped && (m - index) * (n - index) % 2 == 1;
        Ok(if negative { self.negated(&s) } else { s })
    }

    /// The resultant by a second algorithm, on the host: pseudo-remainders and exact divisions over `F_p[x]`, with no points and no
    /// images; the same result, for checks and for fields of few elements, in a time that grows with the fourth power of the degree.
    ///
    /// # Errors
    /// As [`BivariateRing::resultant`].
    #[inline(never)]
    pub fn resultant_by_divisions(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        eliminated: Variable,
    ) -> Result<Vec<F::Element>, BivariateError> {
        self.own(f)?;
        self.own(g)?;
        let (m, n) = (f.degree(eliminated).unwrap_or(0), g.degree(eliminated).unwrap_or(0));
        if m == 0 || n == 0 {
            return self.resultant_of_constant(f, g, eliminated);
        }
        let exchanged;
        let (f, g) = match eliminated {
            Variable::Y => (f, g),
            Variable::X => {
                exchanged = (f.exchanged(), g.exchanged());
                (&exchanged.0, &exchanged.1)
            }
        };
        let (a, b) = if m < n { (g, f) } else { (f, g) };
        let chain = exact::subresultants(self, a, b)?;
        let resultant = chain.first().and_then(|s| s.rows().first()).cloned().unwrap_or_default();
        let negative = m < n && m * n % 2 == 1;
        Ok(if negative { resultant.into_iter().map(|c| self.field().neg(c)).collect() } else { resultant })
    }

    fn negated(&self, f: &Bivariate<F>) -> Bivariate<F> {
        let rows = f.rows().iter().map(|row| row.iter().map(|&c| self.field().neg(c)).collect()).collect();
        Bivariate::trimmed(self.field(), rows)
    }

    /// The resultant where one polynomial has not the eliminated variable: its power, and zero with zero.
    fn resultant_of_constant(
        &self,
        f: &Bivariate<F>,
        g: &Bivariate<F>,
        eliminated: Variable,
    ) -> Result<Words<F>, BivariateError> {
        let (Some(m), Some(n)) = (f.degree(eliminated), g.degree(eliminated)) else { return Ok(Vec::new()) };
        let (constant, exponent) = if n == 0 { (g, m) } else { (f, n) };
        let coefficients = match eliminated {
            Variable::Y => constant.rows().first().cloned().unwrap_or_default(),
            Variable::X => constant.exchanged().rows().first().cloned().unwrap_or_default(),
        };
        self.univariate().power(&coefficients, exponent)
    }
}
