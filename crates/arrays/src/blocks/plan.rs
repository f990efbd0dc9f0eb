//! Sizes of blocks: as large as transfers want them, as small as the devices' memory makes them.

use std::fmt;

use manycore_device::{Device, DeviceError, DeviceSet, Executor};

/// Bytes of a block that transfers and launches are not bound by latency for: those of one part of a transfer through pinned memory.
const BLOCK_BYTES: usize = 64 << 20;
/// Bytes of a block at least, where there is room and that many words.
const SMALL_BYTES: usize = 1 << 20;
/// Blocks for each lane, so that lanes end together.
const BLOCKS_EACH: usize = 4;

/// How an array of runs goes through devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blocks {
    /// Blocks of so many whole runs: each word crosses the bus once each way.
    Runs {
        /// Runs of a block; the last block may have fewer.
        runs: usize,
    },
    /// Each run as a matrix of `2^log_rows` rows of `2^log_columns` words, in blocks of `2^log_width` columns and blocks of a row,
    /// which have as many words: each word crosses the bus twice each way.
    TwoPasses {
        /// The base-2 logarithm of the rows.
        log_rows: u32,
        /// The base-2 logarithm of the columns.
        log_columns: u32,
        /// The base-2 logarithm of a block's columns.
        log_width: u32,
    },
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runs { runs } => write!(f, "in blocks of {runs} runs: each word crosses the bus once each way"),
            Self::TwoPasses { log_rows, log_columns, log_width } => write!(
                f,
                "in blocks of 2^{log_width} columns of 2^{log_rows} words and of rows of 2^{log_columns}: each word crosses the bus \
                 twice each way"
            ),
        }
    }
}

/// What is transformed: `count` runs of `2^log_len` words.
#[derive(Clone, Copy)]
pub struct Sizes<'a> {
    /// Runs.
    pub count: usize,
    /// The base-2 logarithm of a run's words.
    pub log_len: u32,
    /// Bytes of a word.
    pub word_bytes: usize,
    /// Bytes that a block of so many words takes in the memory of a lane, tables and scratch among them.
    pub lane_bytes: &'a dyn Fn(usize) -> u64,
}

impl fmt::Debug for Sizes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, log_len, word_bytes, .. } = self;
        f.debug_struct("Sizes").field("count", count).field("log_len", log_len).field("word_bytes", word_bytes).finish()
    }
}

/// Whether a buffer of so many bytes fits an OpenCL device, as it is now; the host's memory has what lies there.
pub fn fits(device: &Device, bytes: u64) -> bool {
    matches!(device.executor(), Executor::Host(_))
        || bytes <= device.room_bytes().min(device.info().largest_allocation_bytes)
}

impl Sizes<'_> {
    /// The base-2 logarithm of the smallest block's words: a row or a column of a square matrix.
    const fn least_log(&self) -> u32 {
        self.log_len.div_ceil(2)
    }

    /// The bytes that a device needs at least.
    #[must_use]
    pub fn least_bytes(&self) -> u64 {
        (self.lane_bytes)(1 << self.least_log())
    }

    /// Lanes of the devices of `set` and the blocks that they take: as many lanes of a device as there is room for. Devices
    /// without room for the smallest block will fail, and others do their work.
    ///
    /// # Errors
    /// [`DeviceError::OutOfMemory`] where no device has room for the smallest block, with the bytes that one needs at least.
    pub fn planned(&self, set: &DeviceSet) -> Result<(DeviceSet, Blocks), DeviceError> {
        let least = self.least_bytes();
        let room = set.room(least, None).map_err(|error| {
            error.or(|limit| DeviceError::OutOfMemory {
                device: set.devices()[0].info().name.clone(),
                wanted_bytes: least,
                free_or_limit_bytes: limit,
                reason: "the smallest blocks of a transform past the device's memory",
            })
        })?;
        let lanes = set.lanes(room.lanes)?;
        let enough = lanes.devices().iter().zip(lanes.rooms(None)).filter(|(_, bytes)| *bytes >= least);
        let largest = enough.map(|(device, _)| device.info().largest_allocation_bytes).min().unwrap_or(u64::MAX);
        let fits = |words: usize| {
            let bytes = (self.word_bytes as u64).saturating_mul(words as u64);
            (self.lane_bytes)(words) <= room.lane_bytes && bytes <= largest
        };
        let blocks = self.blocks(lanes.devices().len(), fits);
        Ok((lanes, blocks))
    }

    /// The blocks for so many lanes, in each of which so many words fit.
    fn blocks(&self, lanes: usize, fits: impl Fn(usize) -> bool) -> Blocks {
        let most_log = (self.least_log()..=self.log_len).rev().find(|&log| fits(1 << log)).unwrap_or(self.least_log());
        let run = 1usize << self.log_len;
        let words = |bytes: usize| (bytes / self.word_bytes).max(1);
        let is_short = run <= words(BLOCK_BYTES);
        if most_log == self.log_len && (is_short || self.count >= lanes) {
            let most = (words(BLOCK_BYTES) / run).max(1);
            let fair = self.count.div_ceil(BLOCKS_EACH * lanes).max(words(SMALL_BYTES) / run).clamp(1, most);
            let runs = std::iter::successors(Some(fair), |runs| Some(runs / 2)).find(|runs| fits(runs * run));
            return Blocks::Runs { runs: runs.unwrap_or(1).max(1) };
        }
        let fair = self.log_len.saturating_sub((BLOCKS_EACH * lanes).next_power_of_two().ilog2());
        let log_block = fair.max(words(SMALL_BYTES).ilog2()).min(words(BLOCK_BYTES).ilog2()).min(most_log);
        let log_columns = log_block.clamp(self.least_log(), self.log_len);
        let log_rows = self.log_len - log_columns;
        Blocks::TwoPasses { log_rows, log_columns, log_width: log_columns - log_rows }
    }
}
