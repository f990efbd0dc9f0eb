//! Triangular decomposition of a matrix of the host's memory by several devices, and past their memory: panels of columns, each on one
//! device, and tiles of the columns behind it on all, which come and go (right-looking blocks with one panel ahead: Dongarra, Duff,
//! Sorensen and van der Vorst, Numerical Linear Algebra for High-Performance Computers, SIAM 1998, chapter 5).
//!
//! The first tile behind a panel holds the columns of the next panel: its device decomposes them while the others update the other tiles.
//!
//! | file | what |
//! |---|---|
//! | `cut` | where a matrix is decomposed, and how it is cut |
//! | `steps` | panels and tiles, one panel after the other |

mod cut;
mod steps;

use std::fmt;

use manycore_device::{DeviceError, DeviceSet};

use self::cut::{Cut, IN_PLACE, WHOLE, Way, way};
use self::steps::{Run, lanes};
use super::packed::PackedLu;
use crate::error::{LinalgError, Shape};
use crate::field::MatrixField;
use crate::modular::algebra::{LinearAlgebra, check_residues};
use crate::shape::complete;

impl<F: MatrixField> LinearAlgebra<F> {
    /// The decomposition `P A = L U` of a matrix of `m` by `n` entries of the host's memory, row after row, by several devices: it need
    /// not fit any of them. The factors of [`LinearAlgebra::lu`], in the place of the matrix.
    ///
    /// `n / w` panels of `w` columns: each is decomposed by one device, and the columns behind it, shared out among all, cross the bus
    /// twice: `m n^2 / w` words cross it at most, beside `m n^2` products and sums of residues. A device that holds the matrix decomposes
    /// it alone: it takes less time than the copies do.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceSet};
    /// use manycore_field::PrimeField;
    /// use manycore_linalg::LinearAlgebra;
    /// let set = DeviceSet::equal(vec![Device::from_env()?, Device::host_with(1)?])?;
    /// let field = PrimeField::<u32>::new(7)?;
    /// let lu = LinearAlgebra::lu_on(&set, &field, (2, 2), vec![0, 2, 1, 3])?;
    /// assert_eq!((lu.rank(), lu.permutation().images()), (2, &[1, 0][..]));
    /// assert_eq!(lu.upper(), [1, 3, 0, 2]);
    /// assert_eq!(lu.determinant()?, 5); // -2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`LinalgError::Entries`] for another number of entries; [`LinalgError::OutOfRange`] for one that is no residue;
    /// [`LinalgError::TooLarge`]; [`LinalgError::Memory`] where no device holds a column of a panel and one of a tile;
    /// [`LinalgError::Device`].
    #[inline(never)]
    pub fn lu_on(
        set: &DeviceSet,
        field: &F,
        shape: Shape,
        mut words: Vec<F::Element>,
    ) -> Result<PackedLu<F>, LinalgError> {
        checked(field, shape, &words)?;
        let cut = match way(set, shape, size_of::<F::Element>(), WHOLE)? {
            Way::Blocks(cut) => cut,
            Way::Whole(set) => {
                let of = |space: &Self| PackedLu::of(&space.lu(&space.matrix(shape.0, shape.1, &words)?)?);
                return on_one(&set, field, of);
            }
        };
        let lanes = lanes(set, field, cut.lanes)?;
        let run = Run { lanes: &lanes, shape, cut };
        let (swaps, columns, values) = run.decompose(&mut words)?;
        Ok(PackedLu { field: field.clone(), shape, words, swaps, columns, values })
    }

    /// The determinant of a matrix of `n` by `n` entries of the host's memory, by several devices and past their memory, as
    /// [`LinearAlgebra::lu_on`] does; 1 for order 0. That of one device which holds the matrix is [`LinearAlgebra::determinant`].
    ///
    /// # Errors
    /// As [`LinearAlgebra::lu_on`].
    #[inline(never)]
    pub fn determinant_on(
        set: &DeviceSet,
        field: &F,
        order: usize,
        words: &[F::Element],
    ) -> Result<F::Element, LinalgError> {
        let shape = (order, order);
        checked(field, shape, words)?;
        if let Way::Whole(set) = way(set, shape, size_of::<F::Element>(), IN_PLACE)? {
            return on_one(&set, field, |space| space.determinant(&space.matrix(order, order, words)?));
        }
        Self::lu_on(set, field, shape, words.to_vec())?.determinant()
    }

    /// The panels in which a set decomposes a matrix of `m` by `n` entries which lies on the host, as memory is now and under the caller's
    /// [`Control`](manycore_device::Control), for its determinant or rank; `None` where a device holds it.
    ///
    /// # Errors
    /// [`LinalgError::Memory`] where no device holds a column of a panel and one of a tile.
    #[inline(never)]
    pub fn panels(set: &DeviceSet, shape: Shape) -> Result<Option<Panels>, LinalgError> {
        Ok(match way(set, shape, size_of::<F::Element>(), IN_PLACE)? {
            Way::Whole(_) => None,
            Way::Blocks(Cut { width, lanes, .. }) => Some(Panels { shape, columns: width, lanes }),
        })
    }

    /// The rank of a matrix of `m` by `n` entries of the host's memory, by several devices and past their memory, as
    /// [`LinearAlgebra::lu_on`] does. That of one device which holds the matrix is [`LinearAlgebra::rank`].
    ///
    /// # Errors
    /// As [`LinearAlgebra::lu_on`].
    #[inline(never)]
    pub fn rank_on(set: &DeviceSet, field: &F, shape: Shape, words: &[F::Element]) -> Result<usize, LinalgError> {
        checked(field, shape, words)?;
        if let Way::Whole(set) = way(set, shape, size_of::<F::Element>(), IN_PLACE)? {
            return on_one(&set, field, |space| space.rank(&space.matrix(shape.0, shape.1, words)?));
        }
        Ok(Self::lu_on(set, field, shape, words.to_vec())?.rank())
    }
}

/// The panels of a decomposition past the memory of all devices ([`LinearAlgebra::panels`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Panels {
    /// Rows and columns of the matrix.
    pub shape: Shape,
    /// Columns of a panel, of which the last one may have fewer.
    pub columns: usize,
    /// Lanes of each OpenCL device; the host is one.
    pub lanes: usize,
}

impl fmt::Display for Panels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shape, columns, lanes } = self;
        let panels = shape.1.div_ceil((*columns).max(1));
        write!(
            f,
            "in {panels} panels of {columns} columns on {lanes} lanes of each device: after each the entries behind it go there and come \
             back"
        )
    }
}

fn checked<F: MatrixField>(field: &F, shape: Shape, words: &[F::Element]) -> Result<(), LinalgError> {
    complete(shape, words.len())?;
    check_residues(field, words, shape.1)
}

/// A computation on a device that does not fail, of a set of those that hold it.
fn on_one<F: MatrixField, R: Send>(
    set: &DeviceSet,
    field: &F,
    work: impl Fn(&LinearAlgebra<F>) -> Result<R, LinalgError> + Sync,
) -> Result<R, LinalgError> {
    let made = set.share(1, 1, |device, _| work(&LinearAlgebra::new(device, field.clone())?))?;
    made.into_iter().next().map(|(_, made)| made).ok_or_else(|| DeviceError::elsewhere().into())
}
