//! Shared work on parts of the host's memory: each device writes the part of a slice of its range, or changes parts in place.

use std::error::Error;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::DeviceSet;
use crate::device::Device;
use crate::error::DeviceError;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parts of a slice that nobody writes, each with the index of its first element.
struct Pieces<'a, T>(Mutex<Vec<(usize, &'a mut [T])>>);

impl<'a, T> Pieces<'a, T> {
    fn new(all: &'a mut [T]) -> Self {
        Self(Mutex::new(vec![(0, all)]))
    }

    fn free(&self) -> MutexGuard<'_, Vec<(usize, &'a mut [T])>> {
        locked(&self.0)
    }

    /// Takes a range out of the free piece that has it; `None` where there is none.
    fn take(&self, range: &Range<usize>) -> Option<&'a mut [T]> {
        let mut free = self.free();
        let holds = |(start, piece): &(usize, &mut [T])| *start <= range.start && range.end <= start + piece.len();
        let at = free.iter().position(holds)?;
        let (start, piece) = free.swap_remove(at);
        let (before, rest) = piece.split_at_mut(range.start - start);
        let (taken, after) = rest.split_at_mut(range.len());
        free.extend([(start, before), (range.end, after)].into_iter().filter(|(_, piece)| !piece.is_empty()));
        Some(taken)
    }

    /// Gives a piece back that another device will write.
    fn give(&self, start: usize, piece: &'a mut [T]) {
        self.free().push((start, piece));
    }
}

impl DeviceSet {
    /// [`DeviceSet::share`] of work whose results lie in `out`, `each` elements for each item: `work` gets a device, the items, and
    /// their part of `out`, of which a device that fails may leave anything.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError, DeviceSet};
    /// let set = DeviceSet::equal(Device::all())?;
    /// let mut squares = vec![0u32; 1000];
    /// set.share_into(&mut squares, 1, 1, |device, range, part| {
    ///     let x: Vec<u32> = range.map(|i| (i * i) as u32).collect(); // in place of a kernel
    ///     device.upload(&x)?.read_into(part)
    /// })?;
    /// assert_eq!(squares[30], 900);
    /// # Ok::<(), DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSet::share`]; [`DeviceError::Length`] where `out` is no whole number of items.
    ///
    /// # Panics
    /// As [`DeviceSet::share`].
    pub fn share_into<T: Send, E: Error + Send + From<DeviceError>>(
        &self,
        out: &mut [T],
        each: usize,
        granularity: usize,
        work: impl Fn(&Device, Range<usize>, &mut [T]) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        if each == 0 || !out.len().is_multiple_of(each) {
            let expected = out.len().next_multiple_of(each.max(1));
            return Err(DeviceError::Length { what: "elements of whole items", expected, given: out.len() }.into());
        }
        let (items, pieces) = (out.len() / each, Pieces::new(out));
        self.share(items, granularity, |device, range| {
            let start = range.start * each;
            let Some(part) = pieces.take(&(start..range.end * each)) else {
                return Err(DeviceError::elsewhere().into());
            };
            let outcome = work(device, range, part);
            if outcome.is_err() {
                pieces.give(start, part);
            }
            outcome
        })?;
        Ok(())
    }
    /// Does `work` once for each of some parts, with its number, on whichever device is free. Before it changes a part that nobody could
    /// begin anew then, it sets its flag: an error after that ends the whole work. A part whose device fails before is done by another
    /// one.
    ///
    /// ```
    /// use manycore_device::{Device, DeviceError, DeviceSet};
    /// let set = DeviceSet::equal(Device::all())?;
    /// let mut words = vec![1u32; 100];
    /// set.each_in_place(words.chunks_mut(10).collect(), |device, at, part, is_amid| {
    ///     let x = device.upload(part)?; // and a kernel
    ///     *is_amid = true;
    ///     x.read_into(part)?;
    ///     Ok::<_, DeviceError>(part.iter_mut().for_each(|word| *word += at as u32))
    /// })?;
    /// assert_eq!(words[99], 10);
    /// # Ok::<(), DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSet::share`]; at once, an error amid a part.
    ///
    /// # Panics
    /// As [`DeviceSet::share`].
    pub fn each_in_place<P: Send, E: Error + Send + From<DeviceError>>(
        &self,
        parts: Vec<P>,
        work: impl Fn(&Device, usize, &mut P, &mut bool) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let parts: Vec<_> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
        let spoiled = Mutex::new(None);
        let outcome = self.share(parts.len(), 1, |device, mut range| {
            range.try_for_each(|at| {
                if locked(&spoiled).is_some() {
                    return Err(DeviceError::elsewhere().into());
                }
                let mut slot = locked(&parts[at]);
                // A device that failed later had done it.
                let Some(part) = slot.as_mut() else { return Ok(()) };
                let mut is_amid = false;
                match work(device, at, part, &mut is_amid) {
                    Err(error) if is_amid => {
                        *locked(&spoiled) = Some(error);
                        Err(DeviceError::elsewhere().into())
                    }
                    outcome => outcome.map(|()| *slot = None),
                }
            })
        });
        match spoiled.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => outcome.map(drop),
        }
    }
}
