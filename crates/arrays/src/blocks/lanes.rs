//! Blocks handed out to lanes: there, done, and back to where they came from.

use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, DeviceKind, DeviceSet, InPlace, Window, Word, checkpoint};

/// A block of an array in the host's memory.
#[derive(Debug)]
pub enum Block<'a, T: Word> {
    /// Words that follow each other.
    Run(&'a mut [T]),
    /// Columns of a matrix, which a device gets row after row.
    Columns(Window<'a, T>),
}

impl<'a, T: Word> Block<'a, T> {
    /// The blocks of so many words of `data`.
    pub fn runs(data: &'a mut [T], words: usize) -> Vec<Self> {
        data.chunks_mut(words.max(1)).map(Self::Run).collect()
    }

    /// The blocks of `width` columns of `data`, seen as rows of `columns` words.
    ///
    /// # Errors
    /// [`DeviceError::Length`] where the words are no whole rows.
    pub fn columns(data: &'a mut [T], columns: usize, width: usize) -> Result<Vec<Self>, DeviceError> {
        Ok(Window::new(data, columns)?.into_columns(width).into_iter().map(Self::Columns).collect())
    }

    fn len(&self) -> usize {
        match self {
            Self::Run(words) => words.len(),
            Self::Columns(window) => window.len(),
        }
    }
}

/// What a lane keeps between its blocks.
struct Lane<T, C> {
    device: Device,
    context: C,
    /// Room of the host for a block.
    words: Vec<T>,
}

/// Makes the context of a device: kernels, tables and choices.
type Maker<'m, C, E> = dyn Fn(&Device) -> Result<C, E> + Sync + 'm;

/// Devices at work on blocks, each with a context `C` that it keeps from pass to pass.
pub struct BlockLanes<'m, T, C, E> {
    set: DeviceSet,
    make: &'m Maker<'m, C, E>,
    idle: Mutex<Vec<Lane<T, C>>>,
}

fn locked<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'m, T, C, E> BlockLanes<'m, T, C, E>
where
    T: Word,
    C: Send,
    E: Error + Send + From<DeviceError>,
{
    /// The devices of `set`, whose contexts `make` gives at their first block.
    pub fn new(set: DeviceSet, make: &'m Maker<'m, C, E>) -> Self {
        Self { set, make, idle: Mutex::default() }
    }

    /// Does `run` once for each of `blocks`, on whichever lane is free, with the lane's context, the block's number and its words: in
    /// the memory of the lane's device, or of the host where a run lies there already. What `run` leaves becomes the block.
    ///
    /// A device that fails before it gives a block back leaves it as it was, and others do it ([`DeviceSet::share`]).
    ///
    /// # Errors
    /// As [`DeviceSet::share`]; at once, that of a transfer back to the block or of the host's own work, which may have left a part.
    /// The data is unspecified then.
    pub fn each(
        &self,
        blocks: Vec<Block<'_, T>>,
        run: impl Fn(&C, usize, InPlace<'_, T>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let blocks: Vec<_> = blocks.into_iter().map(|block| Mutex::new(Some(block))).collect();
        let spoiled = Mutex::new(None);
        let outcome = self.set.share(blocks.len(), 1, |device, range| {
            let mut lane = self.lane(device)?;
            for i in range {
                if locked(&spoiled).is_some() {
                    return Err(DeviceError::elsewhere().into());
                }
                let mut slot = locked(&blocks[i]);
                // A device that failed later had done it.
                let Some(block) = slot.as_mut() else { continue };
                match lane.done(block, |context, words| run(context, i, words)) {
                    Ok(()) => *slot = None,
                    Err(Failed::Before(error)) => return Err(error),
                    Err(Failed::Amid(error)) => {
                        *locked(&spoiled) = Some(error);
                        return Err(DeviceError::elsewhere().into());
                    }
                }
            }
            locked(&self.idle).push(lane);
            Ok(())
        });
        match spoiled.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => outcome.map(drop),
        }
    }

    /// The context and the room that this device had before, or new ones.
    fn lane(&self, device: &Device) -> Result<Lane<T, C>, E> {
        let mut idle = locked(&self.idle);
        if let Some(at) = idle.iter().position(|lane| lane.device == *device) {
            return Ok(idle.swap_remove(at));
        }
        drop(idle);
        Ok(Lane { device: device.clone(), context: (self.make)(device)?, words: Vec::new() })
    }
}

/// When a block failed: before any of its words changed, or amid.
enum Failed<E> {
    Before(E),
    Amid(E),
}

impl<E> From<E> for Failed<E> {
    fn from(error: E) -> Self {
        Self::Before(error)
    }
}

impl<E> Failed<E> {
    fn of(error: Failed<DeviceError>) -> Self
    where
        E: From<DeviceError>,
    {
        match error {
            Failed::Before(error) => Self::Before(error.into()),
            Failed::Amid(error) => Self::Amid(error.into()),
        }
    }
}

impl<T: Word, C> Lane<T, C> {
    fn done<E: From<DeviceError>>(
        &mut self,
        block: &mut Block<'_, T>,
        run: impl FnOnce(&C, InPlace<'_, T>) -> Result<(), E>,
    ) -> Result<(), Failed<E>> {
        checkpoint().map_err(E::from)?;
        if let (DeviceKind::Host, Block::Run(words)) = (self.device.info().kind, &mut *block) {
            return run(&self.context, InPlace::Slice(words)).map_err(Failed::Amid);
        }
        let mut x = there(&self.device, block).map_err(E::from)?;
        run(&self.context, InPlace::Buffer(&mut x))?;
        back(&self.device, &mut self.words, block, &x).map_err(Failed::of)
    }
}

/// A block in the memory of a device.
fn there<T: Word>(device: &Device, block: &mut Block<'_, T>) -> Result<Buffer<T>, DeviceError> {
    let mut x = device.scratch(block.len())?;
    match block {
        Block::Run(words) => x.write(words),
        Block::Columns(window) => window.upload((&mut x).into()),
    }?;
    Ok(x)
}

/// Copies a block back from the memory of a device, through `room` where the device has no rows of its own.
fn back<T: Word>(
    device: &Device,
    room: &mut Vec<T>,
    block: &mut Block<'_, T>,
    x: &Buffer<T>,
) -> Result<(), Failed<DeviceError>> {
    match block {
        // A transfer back from a GPU goes straight to the block: what fails before is known then.
        Block::Run(words) => {
            device.finish()?;
            x.read_into(words).map_err(Failed::Amid)
        }
        Block::Columns(window) if matches!(device.info().kind, DeviceKind::Gpu | DeviceKind::Host) => {
            device.finish()?;
            window.download(x.into()).map_err(Failed::Amid)
        }
        Block::Columns(window) => {
            room.resize(x.len(), T::zeroed());
            x.read_into(room)?;
            let columns = window.columns();
            let rows = room.chunks(columns).enumerate();
            rows.for_each(|(row, words)| window.row_mut(row).copy_from_slice(words));
            Ok(())
        }
    }
}
