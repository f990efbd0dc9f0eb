//! Sums and prefix sums of elements by an associative operation of a user's own, on any device.
//!
//! | file | what |
//! |---|---|
//! | `host` | threads; sums of one exact operation run through the words, others go lane by lane in vector instructions |
//! | `device`, `text` | tiles are summed up, their sums scanned, and the tiles scanned from there (Blelloch, Prefix sums and their applications, 1990) |
//! | `pass`, `pass_text` | one pass with look-back: tiles read the sums that earlier tiles published |

mod device;
mod host;
mod pass;
mod pass_text;
mod text;

use manycore_device::{Cache, Device, DeviceError, Executor, Kernel};
use manycore_expressions::{Buffers, Columns, Elements, Function, Laws};

use crate::error::SortError;

/// Which elements a prefix sum has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scan {
    /// All up to its own place.
    Inclusive,
    /// All before its own place; the identity at the first.
    Exclusive,
}

/// How an OpenCL device computes prefix sums: an algorithm with its parameters. Both give the same result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScanPlan {
    /// Sums of tiles, their prefix sums in the same way, and the tiles from there: elements are read twice. On any device.
    Tiles,
    /// One pass by decoupled look-back: elements are read once. Of elements of up to four words of 32 bits, on devices with atomic
    /// operations on 64 bits; the choice where groups that run are known to get on with each other.
    LookBack {
        /// Items of a group, a power of two.
        group: u32,
        /// Elements of an item.
        per: u32,
    },
}

/// An element, and whether a segment begins with it.
type Flagged<T> = (bool, T);
/// Two of them in a function that is being written.
type Written<T> = (<Flagged<T> as Elements>::Values, <Flagged<T> as Elements>::Values);

/// Sums and prefix sums of elements by an operation that is associative and has an identity; it need not be commutative.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_sort::{Fold, Scan};
///
/// type V = Value<i64>;
/// let sum = Function::<(i64, i64), i64>::new(|(a, b): (V, V)| a + b)?;
/// let fold = Fold::wrapping(&Device::from_env()?, &sum, 0)?;
/// assert_eq!(fold.reduce(&[3, 1, 4, 1, 5])?, 14);
/// assert_eq!(fold.scan(&[3, 1, 4, 1, 5], Scan::Inclusive)?, [3, 4, 8, 9, 14]);
/// assert_eq!(fold.scan_segments(&[3, 1, 4, 1, 5], &[0, 2, 5], Scan::Exclusive)?, [0, 3, 0, 4, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Elements are numbers, truth values, or tuples of up to eight. O(elements) operations, each element in two of them. Sums of floating
/// numbers that round are not associative, and refused: results are the same bits on every device. A function adds and multiplies
/// integers modulo `2^bits` of their type ([`Value`](manycore_expressions::Value)), which [`Fold::wrapping`] takes and [`Fold::new`] does
/// not: a sum that shall be exact has a type that holds it.
#[derive(Debug)]
pub struct Fold<T> {
    device: Device,
    sum: Function<(T, T), T>,
    identity: T,
    kernels: Cache<text::Step, Kernel>,
    passes: Cache<pass_text::Pass, Kernel>,
    /// The plan of prefix sums that was asked for.
    asked: Option<ScanPlan>,
}

impl<T: Elements> Fold<T> {
    /// Sums by this operation, whose laws are tried near the corners of the type. Its integers are exact: maxima and minima, operations of
    /// bits, choices, sums that saturate.
    ///
    /// # Errors
    /// [`SortError::Law`] where it is not associative or `identity` is none, with elements that show it; [`SortError::Wrapping`] where it adds
    /// or multiplies integers, or converts them, modulo `2^bits` of their type.
    pub fn new(device: &Device, sum: &Function<(T, T), T>, identity: T) -> Result<Self, SortError> {
        if sum.program().may_wrap() {
            return Err(SortError::Wrapping);
        }
        Self::wrapping(device, sum, identity)
    }

    /// Sums by an operation that may add and multiply integers modulo `2^bits` of their type: exact where the type holds every sum and what
    /// it is made of.
    ///
    /// ```
    /// use manycore_device::Device;
    /// use manycore_expressions::{Function, Value};
    /// use manycore_sort::{Fold, SortError};
    /// let sum = Function::<(u8, u8), u8>::new(|(a, b): (Value<u8>, Value<u8>)| a + b)?;
    /// assert_eq!(Fold::wrapping(&Device::host(), &sum, 0)?.reduce(&[200, 100])?, 44);
    /// assert!(matches!(Fold::new(&Device::host(), &sum, 0), Err(SortError::Wrapping)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Law`] as [`Fold::new`].
    pub fn wrapping(device: &Device, sum: &Function<(T, T), T>, identity: T) -> Result<Self, SortError> {
        let laws = Laws::new(&[identity]);
        laws.associative(sum).and_then(|()| laws.identity(sum, identity)).map_err(SortError::from)?;
        Ok(Self::lawful(device, sum.clone(), identity))
    }

    /// Of a sum with known laws.
    fn lawful(device: &Device, sum: Function<(T, T), T>, identity: T) -> Self {
        let (kernels, passes) = (Cache::default(), Cache::default());
        Self { device: device.clone(), sum, identity, kernels, passes, asked: None }
    }

    /// Prefix sums by this plan on an OpenCL device, whatever would be chosen.
    ///
    /// # Errors
    /// Prefix sums fail with [`DeviceError::Unsupported`] where the plan does not suit the device or the elements.
    #[must_use]
    pub fn by(self, plan: ScanPlan) -> Self {
        Self { asked: Some(plan), ..self }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The sum of all elements, in their order; of none the identity.
    ///
    /// # Errors
    /// [`SortError::Device`] where memory is short or the device failed.
    pub fn reduce(&self, elements: &[T]) -> Result<T, SortError> {
        self.reduce_on(&self.upload(elements)?)
    }

    /// As [`Fold::reduce`], of elements on the device.
    ///
    /// # Errors
    /// As [`Fold::reduce`]; for memory of another device.
    pub fn reduce_on(&self, elements: &Buffers<T>) -> Result<T, SortError> {
        self.accepts(elements)?;
        if elements.is_empty() {
            return Ok(self.identity);
        }
        let sum = match self.device.executor() {
            Executor::Host(pool) => return self.reduce_host(pool, elements),
            Executor::OpenCl(cl) => self.sums_of_tiles(cl, elements)?,
        };
        Ok(sum.download()?.get(0).unwrap_or(self.identity))
    }

    /// The sum of the elements up to each place.
    ///
    /// # Errors
    /// As [`Fold::reduce`].
    pub fn scan(&self, elements: &[T], scan: Scan) -> Result<Vec<T>, SortError> {
        Ok(self.scan_on(&self.upload(elements)?, scan)?.download()?.elements())
    }

    /// As [`Fold::scan`], of elements on the device.
    ///
    /// # Errors
    /// As [`Fold::reduce_on`].
    pub fn scan_on(&self, elements: &Buffers<T>, scan: Scan) -> Result<Buffers<T>, SortError> {
        self.accepts(elements)?;
        if elements.is_empty() {
            return Ok(Buffers::scratch(&self.device, 0)?);
        }
        match self.device.executor() {
            Executor::Host(pool) => self.scan_host(pool, elements, scan),
            Executor::OpenCl(cl) => match self.pass(cl)? {
                Some(pass) => self.scan_in_one_pass(cl, elements, scan, pass),
                None => self.scan_device(cl, elements, scan),
            },
        }
    }

    /// Prefix sums within each segment `offsets[i]..offsets[i + 1]`: the segments of a scan by pairs of a flag and an element, whose
    /// sum begins anew at a flag.
    ///
    /// ```
    /// # use manycore_device::Device;
    /// # use manycore_expressions::{Function, Value};
    /// # use manycore_sort::{Fold, Scan};
    /// # type V = Value<u32>;
    /// let most = Function::<(u32, u32), u32>::new(|(a, b): (V, V)| a.max(b))?;
    /// let fold = Fold::new(&Device::host(), &most, 0)?;
    /// assert_eq!(fold.scan_segments(&[5, 7, 6, 2, 9], &[0, 3, 3, 5], Scan::Inclusive)?, [5, 7, 7, 2, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SortError::Segments`] for offsets that do not ascend from 0 to the number of elements; as [`Fold::reduce`].
    pub fn scan_segments(&self, elements: &[T], offsets: &[usize], scan: Scan) -> Result<Vec<T>, SortError> {
        crate::radix::lengths::segments(offsets, elements.len())?;
        let sum = self.sum.clone();
        let flagged = Function::<(Flagged<T>, Flagged<T>), Flagged<T>>::new(|(left, right): Written<T>| {
            let ((begins, a), (begins_too, b)) = (left, right);
            (begins | begins_too, begins_too.select_elements::<T>(b, sum.of((a, b))))
        })
        .map_err(SortError::from)?;
        let mut flags = vec![false; elements.len()];
        for &offset in &offsets[..offsets.len() - 1] {
            if let Some(flag) = flags.get_mut(offset) {
                *flag = true;
            }
        }
        let pairs: Vec<(bool, T)> = flags.iter().copied().zip(elements.iter().copied()).collect();
        // The laws of the pairs follow from those of the elements.
        let mut by_pairs = Fold::lawful(&self.device, flagged, (false, self.identity));
        by_pairs.asked = self.asked;
        let sums = by_pairs.scan(&pairs, Scan::Inclusive)?;
        Ok(match scan {
            Scan::Inclusive => sums.into_iter().map(|(_, sum)| sum).collect(),
            Scan::Exclusive => {
                let before = |at: usize| if flags[at] { self.identity } else { sums[at - 1].1 };
                (0..sums.len()).map(before).collect()
            }
        })
    }

    fn upload(&self, elements: &[T]) -> Result<Buffers<T>, DeviceError> {
        Buffers::upload(&self.device, &Columns::from_elements(elements))
    }

    fn accepts(&self, elements: &Buffers<T>) -> Result<(), DeviceError> {
        elements.memory().iter().try_for_each(|memory| self.device.same_as(memory.device()))
    }
}
