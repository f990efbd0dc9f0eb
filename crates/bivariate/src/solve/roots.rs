//! All zeros in the field: the roots of `T`, and above each those of `H`.

use manycore_field::ResidueWord as _;

use super::{Chain, Solutions};
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};

impl<F: BivariateField> BivariateRing<F> {
    /// All common zeros of `f` and `g` with both coordinates in the field, beside those of curves that they share.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "(y^2 - 1)*(y - 3) + x")?;
    /// let g = Bivariate::parse(&field, "(y^2 - 1)*(y + 5) + x*y")?;
    /// let found = BivariateRing::new(&Device::from_env()?, field)?.solve(&f, &g)?;
    /// assert_eq!(found.points, [[0, 1], [0, 9000], [8953, 5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`BivariateRing::decompose`].
    #[inline(never)]
    pub fn solve(&self, f: &Bivariate<F>, g: &Bivariate<F>) -> Result<Solutions<F>, BivariateError> {
        let decomposition = self.decompose(f, g)?;
        let mut points = Vec::new();
        for chain in &decomposition.chains {
            points.extend(self.chain_points(chain)?);
        }
        points.sort_unstable_by_key(|point: &[F::Element; 2]| point.map(manycore_field::ResidueWord::as_u64));
        Ok(Solutions { points, decomposition })
    }

    /// The points of a chain in the field, each once.
    ///
    /// # Errors
    /// As [`PolyRing::roots`](manycore_poly::PolyRing::roots).
    #[inline(never)]
    pub fn chain_points(&self, chain: &Chain<F>) -> Result<Vec<[F::Element; 2]>, BivariateError> {
        let u = self.univariate();
        let mut points = Vec::new();
        for x in u.roots(&chain.t)? {
            let image: Vec<F::Element> = chain.h.rows().iter().map(|row| u.evaluate(row, x)).collect();
            points.extend(u.roots(&image)?.into_iter().map(|y| [x, y]));
        }
        Ok(points)
    }

    /// The roots in the field of a polynomial other than zero, such as a resultant, with their multiplicities, ascending.
    ///
    /// ```
    /// use manycore_bivariate::{Bivariate, BivariateRing, Variable};
    /// use manycore_device::Device;
    /// use manycore_field::PrimeField;
    /// let field = PrimeField::<u32>::new(9001)?;
    /// let f = Bivariate::parse(&field, "y - x^2")?; // touches y = 0 at x = 0
    /// let g = Bivariate::parse(&field, "y")?;
    /// let ring = BivariateRing::new(&Device::from_env()?, field)?;
    /// assert_eq!(ring.root_multiplicities(&ring.resultant(&f, &g, Variable::Y)?)?, [(0, 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BivariateError::OutOfRange`]; as [`PolyRing::roots`](manycore_poly::PolyRing::roots), also for the zero polynomial.
    #[inline(never)]
    pub fn root_multiplicities(&self, polynomial: &[F::Element]) -> Result<Vec<(F::Element, usize)>, BivariateError> {
        let u = self.univariate();
        self.field().check(polynomial)?;
        let f = u.stripped(polynomial.to_vec());
        Ok(u.roots(&f)?.into_iter().map(|root| (root, u.multiplicity(&f, root))).collect())
    }

    /// The common zeros by trying all pairs of elements: `p^2` values, for small fields; specification and oracle.
    #[inline(never)]
    pub fn exhaustive_search(&self, f: &Bivariate<F>, g: &Bivariate<F>) -> Vec<[F::Element; 2]> {
        let (p, zero) = (self.field().order(), self.field().zero());
        let pairs = (0..p).flat_map(|x| (0..p).map(move |y| [x, y].map(F::Element::from_u64)));
        pairs.filter(|&[x, y]| f.evaluate(x, y) == zero && g.evaluate(x, y) == zero).collect()
    }
}
