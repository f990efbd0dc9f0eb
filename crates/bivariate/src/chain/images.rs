//! Subresultants from their images: values of all coefficients at blocks of points, chains at the points of a block side by side,
//! and interpolation.
//!
//! The points of a coset are `c w^i`; those with `i = r mod K` are `c w^r` times the powers of a root of order `N / K`, so that a
//! block of them is one short transform for each coefficient, and the memory is that of a block and of the result.

use manycore_device::{Executor, HostPool};

use super::bound;
use super::device;
use super::formal::single;
use super::lanes::{LaneChain, Wanted};
use super::points::Points;
use crate::error::BivariateError;
use crate::polynomial::Bivariate;
use crate::ring::{BivariateField, BivariateRing};

/// Points whose chains are computed side by side: rows of as many words as a few vectors, some ten of which stay in the nearest cache.
const LANES: usize = 128;

/// Points of a block, at least.
const LEAST_BLOCK: u32 = 8;

/// Words of wanted subresultants at all points, one row for each.
type Rows<E> = Vec<Vec<E>>;

/// The subresultants of these indices, ascending, of `deg_y f >= deg_y g >= 1`.
pub(super) fn subresultants<F: BivariateField>(
    ring: &BivariateRing<F>,
    f: &Bivariate<F>,
    g: &Bivariate<F>,
    points: &Points<F>,
    indices: &[usize],
) -> Result<Vec<(usize, Bivariate<F>)>, BivariateError> {
    let wanted = Wanted { indices };
    let too_large = || BivariateError::Bound { bound: bound::degree(f, g, 0) };
    let words = wanted.words();
    let bytes = points.len().checked_mul(words).and_then(|all| all.checked_mul(size_of::<F::Element>()));
    bytes.filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(too_large)?;
    let mut found = Vec::new();
    let mut take = |rows: &mut dyn Iterator<Item = Result<Vec<F::Element>, BivariateError>>| {
        for &k in indices {
            let own = (&mut *rows).take(k + 1).map(|row| within(row?, bound::degree(f, g, k)));
            found.push((k, Bivariate::trimmed(ring.field(), own.collect::<Result<_, _>>()?)));
        }
        Ok::<_, BivariateError>(())
    };
    if let (&Points::Coset { log_len, shift }, Executor::OpenCl(cl)) = (points, ring.device().executor()) {
        let (coefficients, heights) = coefficients([f, g]);
        let mut values = device::values(ring, cl, &coefficients, heights, (log_len, shift), &wanted)?;
        ring.transform(log_len)?.inverse(&mut values)?;
        let count = points.len();
        let row = |word: usize| -> Result<Vec<F::Element>, BivariateError> {
            let row = values.view(word * count..(word + 1) * count)?.download()?;
            ring.field().check(&row)?;
            Ok(unshifted(ring, row, shift))
        };
        take(&mut (0..words).map(row))?;
        return Ok(found);
    }
    let mut rows: Rows<F::Element> = Vec::new();
    for _ in 0..words {
        rows.push(manycore_device::zeroed_words(points.len())?);
    }
    values(ring, [f, g], points, &wanted, &mut rows)?;
    take(&mut rows.into_iter().map(|row| interpolated(ring, points, row)))?;
    Ok(found)
}

/// The coefficients of `f` and then of `g`, by powers of `y`, and how many each has.
fn coefficients<F: BivariateField>(polynomials: [&Bivariate<F>; 2]) -> (Vec<&[F::Element]>, [usize; 2]) {
    let rows = polynomials.iter().flat_map(|f| f.rows().iter().map(Vec::as_slice)).collect();
    (rows, polynomials.map(|f| f.rows().len()))
}

/// The wanted words at all points, block by block.
fn values<F: BivariateField>(
    ring: &BivariateRing<F>,
    polynomials: [&Bivariate<F>; 2],
    points: &Points<F>,
    wanted: &Wanted<'_>,
    rows: &mut Rows<F::Element>,
) -> Result<(), BivariateError> {
    let (field, u) = (ring.field(), ring.univariate());
    let (coefficients, heights) = coefficients(polynomials);
    let width = coefficients.iter().map(|row| row.len()).max().unwrap_or(0);
    let log_least = width.next_power_of_two().ilog2().max(LEAST_BLOCK);
    let Executor::Host(pool) = u.ring().device().executor() else {
        return Err(manycore_device::DeviceError::elsewhere().into());
    };
    match points {
        Points::Coset { log_len, shift } => {
            let log_block = log_least.min(*log_len);
            let (blocks, block) = (1usize << (log_len - log_block), 1usize << log_block);
            // Orders divide p - 1.
            let root = field.root_of_unity(1 << log_len).unwrap_or(field.one());
            let ntt = ring.transform(log_block)?;
            let mut start = *shift;
            let mut images = manycore_device::zeroed_words(coefficients.len() * block)?;
            for r in 0..blocks {
                images.fill(field.zero());
                for (image, row) in images.chunks_exact_mut(block).zip(&coefficients) {
                    let mut power = field.one();
                    for (i, &c) in row.iter().enumerate() {
                        // Folding: where a block is shorter than a row, powers of the root repeat.
                        let to = &mut image[i % block];
                        *to = field.add(*to, field.mul(c, power));
                        power = field.mul(power, start);
                    }
                }
                ntt.forward(&mut images)?;
                let found = chains(field, pool, &images, heights, wanted);
                scatter(&found, wanted.words(), block, |word, t, value| rows[word][r + blocks * t] = value);
                start = field.mul(start, root);
            }
        }
        Points::Progression { start, ratio, tree } => {
            let (count, block) = (tree.len(), 1usize << log_least);
            for from in (0..count).step_by(block) {
                let len = block.min(count - from);
                let first = field.mul(*start, field.power(*ratio, from as u64));
                let mut images = Vec::with_capacity(coefficients.len() * len);
                for row in &coefficients {
                    let values = u.ring().evaluate_progression(&u.ring().poly(row)?, first, *ratio, len)?;
                    images.extend(values.download()?);
                }
                let found = chains(field, pool, &images, heights, wanted);
                scatter(&found, wanted.words(), len, |word, t, value| rows[word][from + t] = value);
            }
        }
        Points::None => {}
    }
    Ok(())
}

/// Gives the words of every point of a block: they lie by runs of [`LANES`] points, a row of lanes for each word.
fn scatter<E: Copy>(found: &[E], words: usize, block: usize, mut give: impl FnMut(usize, usize, E)) {
    for (run, found) in found.chunks(words * LANES).enumerate() {
        let lanes = LANES.min(block - run * LANES);
        for (word, row) in found.chunks_exact(lanes).enumerate() {
            for (lane, &value) in row.iter().enumerate() {
                give(word, run * LANES + lane, value);
            }
        }
    }
}

/// The wanted words at the points of a block, of which `images` has a row for each coefficient of `f` and then of `g`.
fn chains<F: BivariateField>(
    field: &F,
    pool: &HostPool,
    images: &[F::Element],
    [height_f, height_g]: [usize; 2],
    wanted: &Wanted<'_>,
) -> Vec<F::Element> {
    let block = images.len() / (height_f + height_g);
    let words = wanted.words();
    let mut out = vec![field.zero(); words * block];
    let bytes = size_of_val(images) as u64;
    let operations = (block * height_f * height_g) as u64;
    let row = |index: usize, from: usize, lanes: usize| &images[index * block + from..][..lanes];
    pool.step("subresultant_chains", bytes, operations, || {
        pool.team().each_with(
            out.chunks_mut(words * LANES).enumerate(),
            || LaneChain::new(field),
            |chain, (run, out)| {
                let (from, lanes) = (run * LANES, out.len() / words);
                let rows = |range: std::ops::Range<usize>| range.map(move |index| row(index, from, lanes));
                chain.run(rows(0..height_f), rows(height_f..height_f + height_g), wanted, out);
                for lane in (0..lanes).filter(|&lane| !chain.generic[lane]) {
                    let column = |range: std::ops::Range<usize>| -> Vec<F::Element> {
                        range.map(|index| row(index, from, lanes)[lane]).collect()
                    };
                    let (f, g) = (column(0..height_f), column(height_f..height_f + height_g));
                    single(field, &f, &g, wanted, |word, value| out[word * lanes + lane] = value);
                }
            },
        );
    });
    out
}

/// The polynomial with these values at the points.
fn interpolated<F: BivariateField>(
    ring: &BivariateRing<F>,
    points: &Points<F>,
    mut row: Vec<F::Element>,
) -> Result<Vec<F::Element>, BivariateError> {
    let u = ring.univariate();
    Ok(match points {
        Points::Coset { log_len, shift } => {
            ring.transform(*log_len)?.inverse(&mut row)?;
            unshifted(ring, row, *shift)
        }
        Points::Progression { tree, .. } => {
            let values = u.ring().device().upload(&row)?;
            u.ring().coefficients(&u.ring().interpolate(tree, &values)?)?
        }
        Points::None => Vec::new(),
    })
}

/// The coefficients of `f(x)` from those of `f(shift x)`.
fn unshifted<F: BivariateField>(
    ring: &BivariateRing<F>,
    mut row: Vec<F::Element>,
    shift: F::Element,
) -> Vec<F::Element> {
    let field = ring.field();
    // The shift is not zero.
    let inverse = field.inverse(shift).unwrap_or(field.one());
    let mut power = field.one();
    for c in &mut row {
        *c = field.mul(*c, power);
        power = field.mul(power, inverse);
    }
    ring.univariate().stripped(row)
}

/// The words of a polynomial of at most this degree.
fn within<E>(words: Vec<E>, most: usize) -> Result<Vec<E>, BivariateError> {
    if words.len() > most + 1 {
        return Err(BivariateError::Inconsistent { what: "the interpolation of a subresultant" });
    }
    Ok(words)
}
