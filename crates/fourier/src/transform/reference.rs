//! The definition, entry by entry: specification and oracle.

use manycore_characters::AbelianGroup;

use super::direction::Direction;
use crate::error::FourierError;
use crate::numbers::Numbers;

/// The Fourier transform of one function on `group` by its definition: `F[w] = sum_z f(z) conj(chi_w(z))`, or for
/// [`Direction::Inverse`] `f(z) = (1 / N) sum_w F[w] chi_w(z)`. Each exponent is exact, `N^2` products.
///
/// ```
/// use manycore_characters::{AbelianGroup, Complexes};
/// use manycore_fourier::{Direction, transform::reference};
/// let group = AbelianGroup::new(&[2, 2])?;
/// let f = [1.0, 2.0, 3.0, 4.0].map(num_complex::Complex::from);
/// let spectrum = reference::transform(&group, &Complexes::<f64>::new(), Direction::Forward, &f)?;
/// assert_eq!(spectrum, [10.0, -2.0, -4.0, 0.0].map(num_complex::Complex::from));
/// # Ok::<(), manycore_fourier::FourierError>(())
/// ```
///
/// # Errors
/// [`FourierError::Length`], [`FourierError::NoRoot`], [`FourierError::Exponent`].
pub fn transform<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    direction: Direction,
    function: &[N::Value],
) -> Result<Vec<N::Value>, FourierError> {
    let places: Vec<u64> = (0..group.order()).collect();
    entries(group, numbers, direction, function, &places)
}

/// Some coefficients of the same, those of the characters `places`: `N` products for each.
///
/// # Errors
/// As [`transform`]; [`FourierError::Group`] for a place that is no element.
pub fn coefficients<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    function: &[N::Value],
    places: &[u64],
) -> Result<Vec<N::Value>, FourierError> {
    entries(group, numbers, Direction::Forward, function, places)
}

fn entries<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    direction: Direction,
    function: &[N::Value],
    places: &[u64],
) -> Result<Vec<N::Value>, FourierError> {
    let order = group.order();
    if function.len() as u64 != order {
        let words = order.saturating_mul(N::WORDS as u64);
        return Err(FourierError::Length { order, words, given: function.len() * N::WORDS });
    }
    let exponent = group.exponent();
    let mut roots = numbers.powers(exponent, direction, &mut (0..exponent))?;
    if N::CONJUGATES && direction == Direction::Inverse {
        for root in &mut roots {
            *root = numbers.conjugated(*root);
        }
    }
    let scale = numbers.reciprocal(order);
    // E(w, z) = sum_j w_j z_j (L / n_j) mod L.
    let terms = |&w: &u64| -> Result<Vec<u64>, FourierError> {
        Ok(group.digits(w)?.iter().zip(group.factors()).map(|(w, n)| w * (exponent / n)).collect())
    };
    let terms = places.iter().map(terms).collect::<Result<Vec<_>, _>>()?;
    let mut sums = vec![numbers.zero(); places.len()];
    for (z, &value) in (0..order).zip(function) {
        let z = group.digits(z)?;
        for (sum, terms) in sums.iter_mut().zip(&terms) {
            let e = terms.iter().zip(&z).fold(0, |e, (term, z)| e + u128::from(*term) * u128::from(*z));
            let root = roots[(e % u128::from(exponent)) as usize];
            *sum = numbers.plus(*sum, numbers.times(value, root));
        }
    }
    let scaled = |sum| if direction == Direction::Inverse { numbers.times(sum, scale) } else { sum };
    Ok(sums.into_iter().map(scaled).collect())
}

/// The convolution `(f * g)(z) = sum_y f(y) g(z - y)` by its definition.
///
/// # Errors
/// [`FourierError::Length`], [`FourierError::Group`].
pub fn convolution<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    f: &[N::Value],
    g: &[N::Value],
) -> Result<Vec<N::Value>, FourierError> {
    sums(group, numbers, (f, g), 0..group.order(), |z, y| group.add(z, group.negate(y)?))
}

/// One value of the convolution, at `z`.
///
/// # Errors
/// As [`convolution`].
pub fn convolved<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    f: &[N::Value],
    g: &[N::Value],
    z: u64,
) -> Result<N::Value, FourierError> {
    let value = sums(group, numbers, (f, g), std::iter::once(z), |z, y| group.add(z, group.negate(y)?))?;
    Ok(value[0])
}

/// The correlation `sum_y conj(f(y)) g(y + z)` by its definition; residues are their own conjugates.
///
/// # Errors
/// [`FourierError::Length`], [`FourierError::Group`].
pub fn correlation<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    f: &[N::Value],
    g: &[N::Value],
) -> Result<Vec<N::Value>, FourierError> {
    let f: Vec<N::Value> = f.iter().map(|&value| numbers.conjugated(value)).collect();
    sums(group, numbers, (&f, g), 0..group.order(), |z, y| group.add(z, y))
}

fn sums<N: Numbers>(
    group: &AbelianGroup,
    numbers: &N,
    (f, g): (&[N::Value], &[N::Value]),
    places: impl Iterator<Item = u64>,
    other: impl Fn(u64, u64) -> Result<u64, manycore_characters::GroupError>,
) -> Result<Vec<N::Value>, FourierError> {
    let order = group.order();
    if let Some(wrong) = [f, g].into_iter().find(|function| function.len() as u64 != order) {
        let words = order.saturating_mul(N::WORDS as u64);
        return Err(FourierError::Length { order, words, given: wrong.len() * N::WORDS });
    }
    let sum = |z| {
        (0..order).zip(f).try_fold(numbers.zero(), |sum, (y, &value)| {
            Ok(numbers.plus(sum, numbers.times(value, g[other(z, y)? as usize])))
        })
    };
    places.map(sum).collect()
}
