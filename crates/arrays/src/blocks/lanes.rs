//! Blocks handed out to lanes: there, done, and back to where they came from.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Buffer, Device, DeviceError, DeviceKind, DeviceSet, InPlace, Lanes, Window, Word, checkpoint};

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
    words: Mutex<Vec<T>>,
}

/// Lanes at work on blocks, each with a context `C` that it keeps from pass to pass.
pub struct BlockLanes<T, C>(Lanes<Lane<T, C>>);

impl<T: Word, C: Sync> BlockLanes<T, C> {
    /// The devices of `set`, one lane each, with the contexts that `make` gives: kernels, tables and choices.
    ///
    /// # Errors
    /// As [`Lanes::new`].
    pub fn new(set: &DeviceSet, make: impl Fn(&Device) -> C) -> Result<Self, DeviceError> {
        let lane = |device: &Device| Lane { device: device.clone(), context: make(device), words: Mutex::default() };
        Lanes::new(set, 1, |device| Ok(lane(device))).map(Self)
    }

    /// Does `run` once for each of `blocks`, on whichever lane is free, with the lane's context, the block's number and its words: in
    /// the memory of the lane's device, or of the host where a run lies there already. What `run` leaves becomes the block.
    ///
    /// A device that fails before it gives a block back leaves it as it was, and others do it.
    ///
    /// # Errors
    /// As [`DeviceSet::each_in_place`]: at once, the error of a transfer back to the block or of the host's own work, which may have
    /// left a part. The data is unspecified then.
    pub fn each<E: Error + Send + From<DeviceError>>(
        &self,
        blocks: Vec<Block<'_, T>>,
        run: impl Fn(&C, usize, InPlace<'_, T>) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.0.each_in_place(blocks, |lane, at, block, is_amid| {
            checkpoint()?;
            if let (DeviceKind::Host, Block::Run(words)) = (lane.device.info().kind, &mut *block) {
                *is_amid = true;
                return run(&lane.context, at, InPlace::Slice(words));
            }
            let mut x = there(&lane.device, block)?;
            run(&lane.context, at, InPlace::Buffer(&mut x))?;
            Ok(lane.back(block, &x, is_amid)?)
        })
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

impl<T: Word, C> Lane<T, C> {
    /// Copies a block back from the memory of the device, through memory of the host where the device has no rows of its own.
    fn back(&self, block: &mut Block<'_, T>, x: &Buffer<T>, is_amid: &mut bool) -> Result<(), DeviceError> {
        match block {
            // A transfer back from a GPU goes straight to the block: what fails before is known then.
            Block::Run(words) => {
                self.device.finish()?;
                *is_amid = true;
                x.read_into(words)
            }
            Block::Columns(window) if matches!(self.device.info().kind, DeviceKind::Gpu | DeviceKind::Host) => {
                self.device.finish()?;
                *is_amid = true;
                window.download(x.into())
            }
            Block::Columns(window) => {
                let mut room = self.words.lock().unwrap_or_else(PoisonError::into_inner);
                room.resize(x.len(), T::zeroed());
                x.read_into(&mut room)?;
                let columns = window.columns();
                let rows = room.chunks(columns).enumerate();
                rows.for_each(|(row, words)| window.row_mut(row).copy_from_slice(words));
                Ok(())
            }
        }
    }
}
