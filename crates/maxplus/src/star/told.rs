//! The cut of a star among devices or because of memory, known before the star is computed.

use std::fmt;

use manycore_device::DeviceSet;

use super::blocks;
use super::context::{MaxPlus, SHARES};
use super::options::StarOptions;
use crate::error::MaxPlusError;
use crate::weight::Weight;

/// How a star is cut ([`MaxPlus::blocks`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StarBlocks {
    /// Columns of a graph without circuits, which are independent.
    Columns {
        /// Columns of a block, of which the last one may have fewer; several devices take more of them, the faster they are.
        columns: usize,
        /// Blocks.
        blocks: usize,
    },
    /// Blocks of nodes of any graph: of rows and of columns.
    Nodes {
        /// Nodes of a block, of which the last one may have fewer.
        nodes: usize,
        /// Blocks of rows, and of columns: as many passes, in each of which all tiles come and go.
        blocks: usize,
        /// Lanes of each OpenCL device; the host is one.
        lanes: usize,
    },
}

impl fmt::Display for StarBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Columns { columns, blocks } => {
                write!(f, "in {blocks} blocks of {columns} columns: each word of the star crosses the bus once")
            }
            Self::Nodes { nodes, blocks, lanes } => write!(
                f,
                "in {blocks} passes over {blocks} by {blocks} tiles of {nodes} nodes on {lanes} lanes of each device: each word crosses the \
                 bus once each way in each pass"
            ),
        }
    }
}

impl<T: Weight> MaxPlus<T> {
    /// The cut of the star of a graph of `nodes` nodes on a set, by the memory that is free now and under the caller's
    /// [`Control`](manycore_device::Control); `None` where one device computes it at once.
    ///
    /// ```
    /// use manycore_device::{Control, Device};
    /// use manycore_maxplus::{MaxPlus, StarOptions};
    /// let set = Device::from_env()?.into();
    /// let cut = || MaxPlus::<i32>::blocks(&set, 3000, true, &StarOptions::new());
    /// match Control::new().with_limit_bytes(4 << 20).run(cut)? {
    ///     Some(blocks) => println!("{blocks}"), // in ... passes over ... by ... tiles of ... nodes on ... lanes of each device: ...
    ///     None => println!("at once"),
    /// }
    /// # Ok::<(), manycore_maxplus::MaxPlusError>(())
    /// ```
    ///
    /// # Errors
    /// [`MaxPlusError::Memory`] and [`MaxPlusError::Blocks`] where no device holds a column or a block.
    #[inline(never)]
    pub fn blocks(
        set: &DeviceSet,
        nodes: usize,
        has_circuits: bool,
        options: &StarOptions,
    ) -> Result<Option<StarBlocks>, MaxPlusError> {
        let first = Self::new(&set.devices()[0]);
        let is_one = set.devices().len() == 1;
        let fitting = first.columns_that_fit(nodes, options);
        if nodes == 0 || (is_one && fitting >= nodes) {
            return Ok(None);
        }
        if has_circuits {
            if Self::alone(set, nodes, options).is_some() {
                return Ok(None);
            }
            let (width, lanes) = blocks::cut::<T>(set, nodes, options.memory_bytes)?;
            return Ok(Some(StarBlocks::Nodes { nodes: width, blocks: nodes.div_ceil(width), lanes }));
        }
        if fitting == 0 {
            return Err(first.no_room(nodes, options));
        }
        let shared = if is_one { nodes } else { nodes.div_ceil(SHARES * set.devices().len()) };
        let columns = shared.min(fitting);
        Ok(Some(StarBlocks::Columns { columns, blocks: nodes.div_ceil(columns) }))
    }
}

#[cfg(test)]
mod tests {
    use manycore_device::{Control, Device};

    use super::*;

    #[test]
    fn cuts_are_told_where_there_are_any() {
        let options = StarOptions::new();
        let one = DeviceSet::from(Device::host());
        let two = DeviceSet::equal(vec![Device::host_with(1).unwrap(), Device::host_with(1).unwrap()]).unwrap();
        for has_circuits in [false, true] {
            let of = |set: &DeviceSet, nodes| MaxPlus::<i64>::blocks(set, nodes, has_circuits, &options);
            assert_eq!(of(&one, 0).unwrap(), None);
            assert_eq!(of(&one, 1000).unwrap(), None);
            assert!(of(&two, 1000).unwrap().is_some());
            let small = Control::new().with_limit_bytes(1 << 20).run(|| of(&one, 1000)).unwrap().unwrap();
            match small {
                StarBlocks::Columns { columns, blocks } => {
                    assert!(!has_circuits && blocks == 1000usize.div_ceil(columns) && blocks > 1, "{small}");
                }
                StarBlocks::Nodes { nodes, blocks, .. } => {
                    assert!(has_circuits && blocks == 1000usize.div_ceil(nodes) && blocks > 1, "{small}");
                }
            }
            assert!(Control::new().with_limit_bytes(100).run(|| of(&one, 1000)).is_err());
        }
    }
}
