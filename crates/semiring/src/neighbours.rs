//! Distances of points, and the nearest ones: the least of a row with their places, four in a pass over the distances (a merge of
//! sorted fours by the first half of a bitonic merger: Batcher, "Sorting networks and their applications", 1968).

use manycore_expressions::{Function, Laws, Value};

use crate::error::SemiringError;
use crate::factor::FunctionMatrix;
use crate::matrix::Matrix;
use crate::multiply::products::Products;
use crate::reduce::Reduction;
use crate::resident::DeviceMatrix;
use crate::semiring::Semiring;

/// A distance with the number of the point that is so far.
type Far = (f64, u32);
type FarValues = (Value<f64>, Value<u32>);

/// Four of them by ascending distance, equal ones by number.
type Four = (Far, Far, Far, Far);
type FourValues = (FarValues, FarValues, FarValues, FarValues);

/// The distance and the place of no neighbour.
const NONE: Far = (f64::INFINITY, u32::MAX);

/// The two in order.
fn ordered((x, i): FarValues, (y, j): FarValues) -> (FarValues, FarValues) {
    let is_swapped = y.lt(x) | (y.equals(x) & j.lt(i));
    let lesser = (is_swapped.select(y, x), is_swapped.select(j, i));
    (lesser, (is_swapped.select(x, y), is_swapped.select(i, j)))
}

/// The least four of two sorted fours.
fn merged(a: FourValues, b: FourValues) -> FourValues {
    let least = |x, y| ordered(x, y).0;
    let (p, q, r, s) = (least(a.0, b.3), least(a.1, b.2), least(a.2, b.1), least(a.3, b.0));
    let ((p, r), (q, s)) = (ordered(p, r), ordered(q, s));
    let ((p, q), (r, s)) = (ordered(p, q), ordered(r, s));
    (p, q, r, s)
}

/// The least four of a row of distances with their numbers.
fn least_four() -> Result<Semiring<Far, (), Four>, SemiringError> {
    let none = || (Value::from(NONE.0), Value::from(NONE.1));
    let product = Function::<(Far, ()), Four>::new(|(a, ()): (FarValues, ())| (a, none(), none(), none()))?;
    let sum = Function::<(Four, Four), Four>::new(|(a, b): (FourValues, FourValues)| merged(a, b))?;
    // Sorted fours of few different distances.
    let far = |i: u32| if i.is_multiple_of(5) { NONE } else { (f64::from(i % 4), i % 7) };
    let four = |i: u32| {
        let mut all = [far(i), far(i * 3 + 1), far(i * 5 + 2), far(i * 7 + 3)];
        all.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        (all[0], all[1], all[2], all[3])
    };
    let zero = (NONE, NONE, NONE, NONE);
    let samples = (0..20).map(four).chain([zero]).collect();
    Semiring::of_elements(product, sum, zero, &Laws::of(samples))
}

impl Products {
    /// Squares of the distances of points, rows of coordinates each: of every one of the first to every one of the second.
    ///
    /// # Errors
    /// [`SemiringError::Shapes`] for points of other dimensions; those of [`Products::multiply`].
    pub fn squared_distances(&self, points: &Matrix<f64>, others: &Matrix<f64>) -> Result<Matrix<f64>, SemiringError> {
        self.distances(points, others)?.download()
    }

    fn distances(&self, points: &Matrix<f64>, others: &Matrix<f64>) -> Result<DeviceMatrix<f64>, SemiringError> {
        type V = Value<f64>;
        let product = Function::<(f64, f64), f64>::new(|(a, b): (V, V)| (a - b) * (a - b))?;
        let semiring = Semiring::new(product, Function::new(|(a, b): (V, V)| a + b)?, 0.0)?;
        let turned = self.transpose(&self.upload(others)?)?;
        self.multiply(&semiring, &self.upload(points)?, &turned)
    }

    /// The nearest of the second points to each of the first, with the square of the distance; the first of those that are as near,
    /// `None` where there are no others. A distance that is no number counts as infinite.
    ///
    /// # Errors
    /// As [`Products::squared_distances`].
    pub fn nearest(
        &self,
        points: &Matrix<f64>,
        others: &Matrix<f64>,
    ) -> Result<Vec<Option<(u64, f64)>>, SemiringError> {
        Ok(self.neighbours(points, others, 1)?.into_iter().map(|found| found.first().copied()).collect())
    }

    /// The `count` nearest of the second points to each of the first, by ascending distance, equal ones by their numbers, with the
    /// squares of the distances; as many as there are, where those are fewer. A distance that is no number counts as infinite.
    ///
    /// One product for the distances, and `ceil(count / 4)` passes over them.
    ///
    /// # Errors
    /// As [`Products::squared_distances`]; [`SemiringError::Device`] for more than `2^32 - 1` others.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_semiring::{Matrix, Products};
    /// let points = Matrix::stored(1, 2, &[0.0, 0.0])?;
    /// let others = Matrix::stored(3, 2, &[3.0, 0.0, 0.0, 1.0, 2.0, 0.0])?;
    /// let found = Products::new(&Device::from_env()?).neighbours(&points, &others, 2)?;
    /// assert_eq!(found, [vec![(1, 1.0), (2, 4.0)]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn neighbours(
        &self,
        points: &Matrix<f64>,
        others: &Matrix<f64>,
        count: usize,
    ) -> Result<Vec<Vec<(u64, f64)>>, SemiringError> {
        type At = (Value<u64>, Value<u64>);
        let distances = self.distances(points, others)?;
        let shape = distances.shape();
        if shape.columns > u64::from(u32::MAX) {
            let (what, limit) = ("points to be nearest".to_owned(), u64::from(u32::MAX));
            let device = self.device().info().label();
            return Err(manycore_device::DeviceError::TooLarge { what, size: shape.columns, limit, device }.into());
        }
        let count = count.min(shape.columns as usize);
        let mut found = vec![Vec::with_capacity(count); shape.rows as usize];
        let columns = self.upload(&Matrix::stored(1, 1, &[shape.columns])?)?;
        // The last one that was found for each point: those up to it are left out.
        let before = vec![(f64::NEG_INFINITY, 0u32); shape.rows as usize];
        let mut last = self.upload(&Matrix::stored(shape.rows, 1, &before)?)?;
        let entry = Function::<((u64, u64), (u64, u64)), Far>::new(|((x, y), _): (At, At)| {
            let width = Value::from(0u64).read::<u64>(0);
            let given = (y * width + x).read::<f64>(1);
            let distance = given.equals(given).select(given, f64::INFINITY);
            let (last, number) = (y.read::<f64>(2), y.read::<u32>(3));
            let place = x.to::<u32>();
            let is_left = distance.gt(last) | (distance.equals(last) & place.gt(number));
            (is_left.select(distance, NONE.0), is_left.select(place, NONE.1))
        })?;
        let (semiring, fourth) = (least_four()?, Function::<Four, Far>::new(|four: FourValues| four.3)?);
        let nothing = self.upload(&Reduction::<f64>::nothing(shape.columns, 1)?)?;
        for start in (0..count).step_by(4) {
            let left = FunctionMatrix::new(shape.rows, shape.columns, entry.clone());
            let left = left.reading(&columns)?.reading(&distances)?.reading(&last)?;
            let four = self.multiply(&semiring, &left, &nothing)?;
            for (found, (a, b, c, d)) in found.iter_mut().zip(four.download()?.entries()) {
                let take = [a, b, c, d].into_iter().take(count - start).filter(|far| far.1 != NONE.1);
                found.extend(take.map(|(distance, place)| (u64::from(place), distance)));
            }
            if start + 4 < count {
                last = self.map(&fourth, &four)?;
            }
        }
        Ok(found)
    }
}
