//! The checks of triangular decompositions and of bases in reduced echelon form on the host: their shapes, and products by random vectors.

use manycore_verify::{CheckError, Outcome, SplitMix, matrix};

use crate::error::Shape;
use crate::field::MatrixField;

/// Whether permutation and factors are those that [`LinearAlgebra::lu`](crate::LinearAlgebra::lu) has of a matrix of `rows` by `columns`
/// entries, row after row: `L` and `U` have their shapes, each pivot stood in the first row that had an entry other than 0 for it, and
/// `L U` is the matrix with its rows in order, by Freivalds' check. Others pass with a chance below `2^-64`.
///
/// ```
/// use manycore_field::PrimeField;
/// use manycore_linalg::decompose::check_lu;
/// use manycore_verify::SplitMix;
/// let field = PrimeField::<u32>::new(7)?;
/// let mut check = |rows: &[usize], upper: &[u32]| {
///     check_lu(&field, (2, 2), &[0, 2, 1, 3], rows, &[1, 0, 0, 1], upper, &mut SplitMix::new(1)).is_ok()
/// };
/// assert!(check(&[1, 0], &[1, 3, 0, 2]) && !check(&[1, 0], &[1, 3, 0, 3]) && !check(&[0, 1], &[0, 2, 1, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CheckError::Relation`], [`CheckError::Length`] and [`CheckError::OutOfRange`] for wrong ones; [`CheckError::Input`] for a matrix with
/// other entries than residues; [`CheckError::Shape`] for another number of entries.
#[inline(never)]
pub fn check_lu<F: MatrixField>(
    field: &F,
    (rows, columns): Shape,
    a: &[F::Element],
    order: &[usize],
    lower: &[F::Element],
    upper: &[F::Element],
    random: &mut SplitMix,
) -> Outcome {
    let (zero, p) = (field.zero(), field.order());
    if rows.checked_mul(columns) != Some(a.len()) {
        return Err(CheckError::Shape { what: format!("{rows} rows of {columns} for {} entries", a.len()) });
    }
    is_permutation(order, rows)?;
    if rows == 0 || columns == 0 {
        let holds = lower.is_empty() && upper.is_empty() && order.iter().enumerate().all(|(k, &row)| k == row);
        return if holds {
            matrix::product(p, (0, 0, 0), lower, upper, &[], random)
        } else {
            relation("that rank is 0")
        };
    }
    let rank = upper.len() / columns;
    if upper.len() != rank * columns || lower.len() != rank * rows || rank > rows {
        return Err(CheckError::Length { found: lower.len(), expected: rank * rows });
    }
    let multiplier = |i: usize, k: usize| lower[i * rank + k];
    for i in 0..rank {
        if multiplier(i, i) != field.one() || (i + 1..rank).any(|k| multiplier(i, k) != zero) {
            return relation(&format!("that row {i} of L has 1 on the diagonal and 0 behind it"));
        }
    }
    let pivots = upper.chunks(columns).map(|row| row.iter().position(|&x| x != zero));
    if !pivots.collect::<Option<Vec<usize>>>().is_some_and(|pivots| pivots.is_sorted_by(|a, b| a < b)) {
        return relation("that U is in echelon form");
    }
    // The exchanges that the order is made of, and for each row of the matrix its place in the end.
    let mut places = vec![0; rows];
    order.iter().enumerate().for_each(|(place, &row)| places[row] = place);
    let mut present: Vec<usize> = (0..rows).collect();
    for k in 0..rank {
        let Some(source) = (k..rows).find(|&i| present[i] == order[k]) else {
            return relation(&format!("that row {} is left for pivot {k}", order[k]));
        };
        if present[k..source].iter().any(|&row| multiplier(places[row], k) != zero) {
            return relation(&format!("that pivot {k} is the first entry of its column that is not 0"));
        }
        present.swap(k, source);
    }
    if present != order {
        return relation("that rows without pivot are exchanged for those with one alone");
    }
    let ordered: Vec<F::Element> =
        order.iter().flat_map(|&row| a[row * columns..][..columns].iter().copied()).collect();
    matrix::product(p, (rows, rank, columns), lower, upper, &ordered, random)
}

/// Checks a decomposition of [`LinearAlgebra::pluq`](crate::LinearAlgebra::pluq), with the order of the columns.
///
/// # Errors
/// As [`check_lu`].
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "the matrix, both orders and both factors")]
pub fn check_pluq<F: MatrixField>(
    field: &F,
    (rows, columns): Shape,
    a: &[F::Element],
    row_order: &[usize],
    column_order: &[usize],
    lower: &[F::Element],
    upper: &[F::Element],
    random: &mut SplitMix,
) -> Outcome {
    is_permutation(column_order, columns)?;
    let rank = upper.len() / columns.max(1);
    let is_profile = rank <= columns
        && column_order[..rank].is_sorted_by(|a, b| a < b)
        && column_order[rank..].is_sorted_by(|a, b| a < b)
        && (0..rank.min(upper.len())).all(|i| upper[i * columns + i] != field.zero());
    if !is_profile {
        return relation("that columns with pivots come first, and both kinds are ascending");
    }
    let mut echelon = vec![field.zero(); upper.len()];
    for (row, line) in echelon.chunks_mut(columns.max(1)).zip(upper.chunks(columns.max(1))) {
        column_order.iter().zip(line).for_each(|(&column, &word)| row[column] = word);
    }
    // The first entry of each row of the echelon form is that of its pivot's column.
    let is_first = |(i, row): (usize, &[F::Element])| row[..column_order[i]].iter().all(|&x| x == field.zero());
    if !echelon.chunks(columns.max(1)).enumerate().all(is_first) {
        return relation(
            "that the columns with pivots are the first of which none is a combination of those before it",
        );
    }
    check_lu(field, (rows, columns), a, row_order, lower, &echelon, random)
}

/// Whether `found`, rows of `columns` entries, is the basis of the row space of a matrix of `rows` by `columns` entries in reduced echelon
/// form: its form, the rank by a second elimination, and the matrix as a product with it (Freivalds). Others pass with a chance below
/// `2^-64`.
///
/// # Errors
/// As [`check_lu`].
#[inline(never)]
pub fn check_row_space<F: MatrixField>(
    field: &F,
    (rows, columns): Shape,
    a: &[F::Element],
    found: &[F::Element],
    random: &mut SplitMix,
) -> Outcome {
    let (zero, p) = (field.zero(), field.order());
    if rows.checked_mul(columns) != Some(a.len()) {
        return Err(CheckError::Shape { what: format!("{rows} rows of {columns} for {} entries", a.len()) });
    }
    let rank = found.len() / columns.max(1);
    if found.len() != rank * columns {
        return Err(CheckError::Length { found: found.len(), expected: rank * columns });
    }
    let pivots: Vec<Option<usize>> =
        found.chunks(columns.max(1)).map(|row| row.iter().position(|&x| x != zero)).collect();
    let Some(pivots) = pivots.into_iter().collect::<Option<Vec<usize>>>() else {
        return relation("that no row of the basis is 0");
    };
    let is_unit = |(i, &pivot): (usize, &usize)| {
        (0..rank).all(|k| found[k * columns + pivot] == if i == k { field.one() } else { zero })
    };
    if !pivots.is_sorted_by(|a, b| a < b) || !pivots.iter().enumerate().all(is_unit) {
        return relation("that the basis is in reduced echelon form");
    }
    matrix::rank(p, (rows, columns), a, rank, random)?;
    let picked: Vec<F::Element> =
        (0..rows).flat_map(|i| pivots.iter().map(move |&pivot| a[i * columns + pivot])).collect();
    matrix::product(p, (rows, rank, columns), &picked, found, a, random)
}

fn is_permutation(order: &[usize], len: usize) -> Result<(), CheckError> {
    let mut is_seen = vec![false; len];
    let is_new = |&place: &usize| is_seen.get_mut(place).is_some_and(|seen| !std::mem::replace(seen, true));
    if order.len() == len && order.iter().all(is_new) {
        return Ok(());
    }
    Err(CheckError::Relation { relation: format!("that each number below {len} stands in the order once") })
}

fn relation(relation: &str) -> Outcome {
    Err(CheckError::Relation { relation: relation.to_owned() })
}
