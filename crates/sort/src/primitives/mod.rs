//! Data-parallel primitives on any device: histograms, gathering, scattering, selection, runs of equal elements, transposition.
//!
//! | file | what |
//! |---|---|
//! | `host` | loops of one thread |
//! | `device` | kernels with an item for each element |

mod device;
mod host;

use manycore_device::{Buffer, Device, Executor, View, Word};
use manycore_expressions::{Buffers, Function, Memory, Value};
use manycore_tuning::Planner;

use crate::error::SortError;
use crate::{Fold, Scan};

/// Data-parallel primitives on a device. All take O(elements) time, and move the bits of elements of any type as they are.
///
/// ```
/// use manycore_device::Device;
/// use manycore_sort::Primitives;
///
/// let device = Device::from_env()?;
/// let primitives = Primitives::new(&device)?;
/// let keys = device.upload(&[2u32, 0, 2, 2])?;
/// assert_eq!(primitives.histogram(&keys, 4)?.download()?, [1, 0, 3, 0]);
/// let (elements, lengths) = primitives.runs(&keys)?;
/// assert_eq!((elements.download()?, lengths.download()?), (vec![2, 0, 2], vec![1, 1, 2]));
/// # Ok::<(), manycore_sort::SortError>(())
/// ```
#[derive(Debug)]
pub struct Primitives {
    planner: Planner,
    sum: Fold<u32>,
}

impl Primitives {
    /// Primitives on this device.
    ///
    /// # Errors
    /// [`SortError::Expression`] where the sum of numbers cannot be written.
    pub fn new(device: &Device) -> Result<Self, SortError> {
        let sum =
            Function::<(u32, u32), u32>::new(|(a, b): (Value<u32>, Value<u32>)| a + b).map_err(SortError::from)?;
        Ok(Self { planner: Planner::new(device), sum: Fold::wrapping(device, &sum, 0)? })
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.planner.device()
    }

    /// The number of keys of each value below `range`.
    ///
    /// # Errors
    /// [`SortError::Range`] for the first key that is not below; [`SortError::Places`] for `2^32` keys and more; [`SortError::Device`].
    pub fn histogram<'a>(&self, keys: impl Into<View<'a, u32>>, range: u32) -> Result<Buffer<u32>, SortError> {
        let keys = keys.into();
        countable(keys.len())?;
        self.device().same_as(keys.buffer().device())?;
        let mut counts = self.device().zeros(range as usize)?;
        let wrong = match self.device().executor() {
            Executor::Host(pool) => host::histogram(pool, keys.host()?, counts.host_mut()?),
            Executor::OpenCl(cl) => self.histogram_on(cl, keys, range, &mut counts)?,
        };
        match wrong {
            None => Ok(counts),
            Some(index) => {
                let key = keys.download()?.get(index).copied().unwrap_or(range);
                Err(SortError::Range { index, key: key.into(), range: range.into() })
            }
        }
    }

    /// The elements at these places: `result[i] = from[places[i]]`.
    ///
    /// # Errors
    /// [`SortError::Place`] for the first place that is not there; [`SortError::Places`] for `2^32` places and more;
    /// [`SortError::Device`].
    pub fn gather<'a, 'b, T: Word>(
        &self,
        from: impl Into<View<'a, T>>,
        places: impl Into<View<'b, u32>>,
    ) -> Result<Buffer<T>, SortError> {
        let (from, places) = (from.into(), places.into());
        countable(places.len())?;
        self.device().same_as(from.buffer().device())?;
        self.device().same_as(places.buffer().device())?;
        let mut to = self.device().scratch(places.len())?;
        let wrong = match self.device().executor() {
            Executor::Host(pool) => host::gather(pool, from.host()?, places.host()?, to.host_mut()?),
            Executor::OpenCl(cl) => self.gather_on(cl, from, places, &mut to)?,
        };
        places_are_right(places, from.len(), wrong, None)?;
        Ok(to)
    }

    /// Elements to places that are all different: `result[places[i]] = from[i]`, and zeros elsewhere in `len` elements.
    ///
    /// # Errors
    /// [`SortError::Values`] for another number of places than elements; [`SortError::Place`] for the first place that is not there;
    /// [`SortError::Repeated`] for the lowest that is there twice; [`SortError::Places`] for `2^32` places and more;
    /// [`SortError::Device`].
    pub fn scatter<'a, 'b, T: Word>(
        &self,
        from: impl Into<View<'a, T>>,
        places: impl Into<View<'b, u32>>,
        len: usize,
    ) -> Result<Buffer<T>, SortError> {
        let (from, places) = (from.into(), places.into());
        if from.len() != places.len() {
            return Err(SortError::Values { keys: places.len(), values: from.len() });
        }
        countable(places.len())?;
        self.device().same_as(from.buffer().device())?;
        self.device().same_as(places.buffer().device())?;
        let mut to = self.device().zeros(len)?;
        let (wrong, repeated) = match self.device().executor() {
            Executor::Host(pool) => host::scatter(pool, from.host()?, places.host()?, to.host_mut()?),
            Executor::OpenCl(cl) => self.scatter_on(cl, from, places, &mut to)?,
        };
        places_are_right(places, len, wrong, repeated)?;
        Ok(to)
    }

    /// The elements whose flag is not 0, in their order.
    ///
    /// # Errors
    /// [`SortError::Values`] for another number of flags than elements; [`SortError::Places`] for `2^32` elements and more;
    /// [`SortError::Device`].
    pub fn select<'a, 'b, T: Word>(
        &self,
        from: impl Into<View<'a, T>>,
        flags: impl Into<View<'b, u32>>,
    ) -> Result<Buffer<T>, SortError> {
        let (from, flags) = (from.into(), flags.into());
        if from.len() != flags.len() {
            return Err(SortError::Values { keys: flags.len(), values: from.len() });
        }
        countable(from.len())?;
        self.device().same_as(from.buffer().device())?;
        self.device().same_as(flags.buffer().device())?;
        match self.device().executor() {
            Executor::Host(pool) => Ok(self.device().upload(&host::select(pool, from.host()?, flags.host()?))?),
            Executor::OpenCl(cl) => {
                let marks = self.marks_on(cl, flags)?;
                Ok(self.selected(cl, from, marks)?.0)
            }
        }
    }

    /// Each run of elements with the same bits, as its element and its length: of sorted elements the different ones, and how many
    /// there are of each.
    ///
    /// # Errors
    /// [`SortError::Places`] for `2^32` elements and more; [`SortError::Device`].
    pub fn runs<'a, T: Word>(&self, from: impl Into<View<'a, T>>) -> Result<(Buffer<T>, Buffer<u32>), SortError> {
        let from = from.into();
        countable(from.len())?;
        self.device().same_as(from.buffer().device())?;
        match self.device().executor() {
            Executor::Host(pool) => {
                let (elements, lengths) = host::runs(pool, from.host()?);
                Ok((self.device().upload(&elements)?, self.device().upload(&lengths)?))
            }
            Executor::OpenCl(cl) => {
                let marks = self.heads_on(cl, from)?;
                let (elements, places) = self.selected(cl, from, marks)?;
                let lengths = self.lengths_on(cl, &places, from.len())?;
                Ok((elements, lengths))
            }
        }
    }

    /// The transpose of a matrix of `rows` rows, given row by row: `result[j rows + i] = from[i columns + j]`.
    ///
    /// # Errors
    /// [`SortError::Rows`] where the rows are not of one length; [`SortError::Device`].
    pub fn transpose<'a, T: Word>(&self, from: impl Into<View<'a, T>>, rows: usize) -> Result<Buffer<T>, SortError> {
        let from = from.into();
        let columns = from.len().checked_div(rows).unwrap_or_default();
        if rows.checked_mul(columns) != Some(from.len()) {
            return Err(SortError::Rows { elements: from.len(), rows });
        }
        self.device().same_as(from.buffer().device())?;
        let mut to = self.device().scratch(from.len())?;
        match self.device().executor() {
            Executor::Host(pool) => host::transpose(pool, from.host()?, columns, to.host_mut()?),
            Executor::OpenCl(cl) => self.transpose_on(cl, from, [rows, columns], &mut to)?,
        }
        Ok(to)
    }

    /// The number of marks before each place, and of all.
    pub(crate) fn counted(&self, marks: Buffer<u32>) -> Result<(Buffers<u32>, Buffers<u32>, usize), SortError> {
        let len = marks.len();
        let last = |buffers: &Buffers<u32>| -> Result<usize, SortError> {
            let word = words(buffers)?.view(len.saturating_sub(1)..)?.download()?;
            Ok(word.first().copied().unwrap_or_default() as usize)
        };
        let marks = Buffers::of(vec![Memory::U32(marks)], len).ok_or_else(manycore_device::DeviceError::elsewhere)?;
        let before = self.sum.scan_on(&marks, Scan::Exclusive)?;
        // A number from a device is at most that of the marks.
        let total = last(&before)?.saturating_add(last(&marks)?).min(len);
        Ok((marks, before, total))
    }
}

/// Checks that places of 32 bits count `len` elements.
fn countable(len: usize) -> Result<(), SortError> {
    u32::try_from(len).map(drop).map_err(|_| SortError::Places { keys: len })
}

fn places_are_right(
    places: View<'_, u32>,
    limit: usize,
    wrong: Option<usize>,
    repeated: Option<usize>,
) -> Result<(), SortError> {
    if let Some(index) = wrong {
        let place = places.download()?.get(index).copied().unwrap_or_default();
        return Err(SortError::Place { index, place: place as usize, limit });
    }
    repeated.map_or(Ok(()), |place| Err(SortError::Repeated { place }))
}

/// The words of numbers on a device.
pub(crate) fn words(buffers: &Buffers<u32>) -> Result<&Buffer<u32>, SortError> {
    match buffers.memory() {
        [Memory::U32(words)] => Ok(words),
        _ => Err(manycore_device::DeviceError::elsewhere().into()),
    }
}
