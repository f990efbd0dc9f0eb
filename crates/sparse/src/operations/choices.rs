//! The product of a sparse matrix with vectors as a choice among candidates.

use manycore_device::Device;
use manycore_field::{KernelField, Reals, ResidueWord as _, with_field};
use manycore_operation::choice::{bytes_of, residue_bytes};
use manycore_operation::json::integer;
use manycore_operation::verify::SplitMix;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, Range,
};
use sprs::CsMat;

use crate::multiply::{ProductOptions, SparseProduct};
use crate::ring::SparseRing;

/// Every choice of an operation on sparse matrices.
pub static CHOICES: [&dyn Explain; 1] = [&MultiplyChoice];

/// A count, this one where none is given.
const fn count(
    name: &'static str,
    value_name: &'static str,
    default: Option<u64>,
    help: &'static str,
) -> DeclaredOption {
    let value = OptionKind::Count { value_name, range: Range::Long, is_required: false, default };
    DeclaredOption { value, ..DeclaredOption::flag(name, help) }
}

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "sparse-multiply",
    title: "The product of a sparse matrix with a vector or a dense matrix",
    options: &[
        DeclaredOption::size("rows", "N", "Rows, and columns of the matrix, also as 2^K"),
        count("non-zeros", "K", Some(8), "Non-zeros of a row, at uniformly random columns"),
        count("longest", "K", None, "Non-zeros of the first row: one that is much longer than the others"),
        count("width", "N", Some(1), "Columns of the dense matrix; 1 for a vector"),
        DeclaredOption {
            value: OptionKind::Modulus { is_required: false },
            ..DeclaredOption::flag(
                "modulus",
                "Compute modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1; without it, in double precision",
            )
        },
    ],
};

/// The non-zeros of a matrix that are generated, at most.
const MOST: usize = 1 << 30;

struct MultiplyChoice;

/// The sizes of a call.
struct Sizes {
    rows: usize,
    non_zeros: usize,
    /// Non-zeros of the first row.
    longest: usize,
    width: usize,
}

impl Sizes {
    fn of(arguments: &Arguments) -> Self {
        let non_zeros = arguments.size("non-zeros").unwrap_or(8);
        Self {
            rows: arguments.size("rows").unwrap_or(0),
            non_zeros,
            longest: arguments.size("longest").unwrap_or(non_zeros),
            width: arguments.size("width").unwrap_or(1),
        }
    }

    /// Refuses sizes of which there is no product.
    fn check(&self) -> Result<(), OperationError> {
        let &Self { rows, non_zeros, longest, width } = self;
        let all = rows.checked_mul(non_zeros).and_then(|all| all.checked_add(longest));
        if rows == 0 || width == 0 || all.is_none_or(|all| all > MOST) || rows.checked_mul(width).is_none() {
            let sizes = format!("--rows {rows} --non-zeros {non_zeros} --width {width}");
            return Err(OperationError::usage(format!("{sizes}: too large, or zero")));
        }
        Ok(())
    }

    /// The choice for a random matrix with values that are made of random words.
    fn explain<R: SparseRing>(
        &self,
        ring: R,
        value: impl Fn(u64) -> R::Value,
        device: &Device,
    ) -> Result<Explained, OperationError> {
        let lengths = |row: usize| if row == 0 { self.longest } else { self.non_zeros };
        let matrix = random(self.rows, lengths, value);
        let product = SparseProduct::new(device, ring, matrix.view(), ProductOptions::default())?;
        let explained = Explained::new(&product.explain(self.width)?).with("non_zeros", matrix.nnz());
        let blocks =
            product.blocks().map(|blocks| format!("in {blocks} blocks of rows, which are copied at every product"));
        Ok(explained.in_blocks(blocks))
    }
}

/// The choice over a field.
fn of_field<F>(sizes: &Sizes, field: F, device: &Device) -> Result<Explained, OperationError>
where
    F: KernelField + SparseRing<Value = <F as manycore_field::Semiring>::Element>,
{
    let p = field.order();
    sizes.explain(field, |word| F::Element::from_u64(word % p), device)
}

/// A square matrix whose rows have so many columns, drawn uniformly; those that are drawn twice count once.
fn random<V: Copy>(rows: usize, lengths: impl Fn(usize) -> usize, value: impl Fn(u64) -> V) -> CsMat<V> {
    let mut random = SplitMix::new(1);
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    let mut row_indices = Vec::new();
    for row in 0..rows {
        row_indices.clear();
        row_indices.extend((0..lengths(row)).map(|_| (random.next_word() % rows as u64) as usize));
        row_indices.sort_unstable();
        row_indices.dedup();
        indices.extend_from_slice(&row_indices);
        offsets.push(indices.len());
    }
    let values = (0..indices.len()).map(|_| value(random.next_word())).collect();
    CsMat::new((rows, rows), offsets, indices, values)
}

impl Explain for MultiplyChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let Sizes { rows, non_zeros, width, .. } = Sizes::of(arguments);
        let value = arguments.number("modulus").map_or(8, residue_bytes);
        // A value and its column, and where each row begins.
        let matrix = bytes_of(&[rows.saturating_mul(non_zeros)], value + 4).saturating_add(bytes_of(&[rows], 8));
        matrix.saturating_add(bytes_of(&[rows.saturating_mul(width); 2], value))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (sizes, modulus) = (Sizes::of(arguments), arguments.number("modulus"));
        sizes.check()?;
        let explained = match modulus {
            None => sizes.explain(Reals::<f64>::new(), |_| 1.0, device)?,
            Some(p) => with_field!(p, field => of_field(&sizes, field, device))??,
        };
        let explained = explained.with("rows", sizes.rows).with("longest", sizes.longest).with("width", sizes.width);
        Ok(explained.with("modulus", modulus.map(integer)))
    }
}

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn matrices_have_rows_of_the_lengths() {
        let matrix = random(100, |row| if row == 0 { 60 } else { 3 }, |word| word);
        assert_eq!(matrix.shape(), (100, 100));
        let lengths: Vec<usize> = matrix.outer_iterator().map(|row| row.nnz()).collect();
        assert!(lengths[0] > 30 && lengths[1..].iter().all(|length| (1..=3).contains(length)));
    }
}
