//! Traffic on the bus: blocks go to the devices and come back, on one to four lanes of each.

use manycore::device::{DeviceError, DeviceSet};

use crate::measure::{Bench, Fallible, alone};

/// Words of a block: 64 MiB.
const BLOCK: usize = 1 << 24;

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let len = 1usize << bench.log_size;
    let input: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let mut output = vec![0u32; len];
    for lanes in 1..=4 {
        let output = std::cell::RefCell::new(&mut output);
        bench.row(
            &format!("there and back, lanes {lanes}"),
            alone(8 * len as u64),
            || (),
            |set, ()| {
                let mut output = output.borrow_mut();
                round(&set.lanes(lanes)?, &input, &mut output)?;
                Ok((output[0], output[len / 2], output[len - 1]))
            },
        )?;
    }
    if output == input { Ok(()) } else { Err("what came back is not what went".into()) }
}

fn round(set: &DeviceSet, input: &[u32], output: &mut [u32]) -> Result<(), DeviceError> {
    let block = BLOCK.min(input.len());
    set.share_into(output, 1, block, |device, range, part| {
        let mut buffer = device.scratch::<u32>(block.min(range.len()))?;
        let (start, end) = (range.start, range.end);
        for (at, part) in (start..end).step_by(block).zip(part.chunks_mut(block)) {
            if part.len() != buffer.len() {
                buffer = device.scratch(part.len())?;
            }
            buffer.write(&input[at..at + part.len()])?;
            buffer.read_into(part)?;
        }
        Ok(())
    })
}
