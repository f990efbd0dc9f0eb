//! Shares a queue and a buffer with a program that uses the crate `ocl`: nothing is copied, and nobody waits between the
//! program's kernel and the library's work.
//!
//! ```text
//! cargo run --release -p manycore-device --example ocl -- opencl:0
//! ```

use manycore_device::ocl::{Buffer, Context, Kernel, Program, Queue};
use manycore_device::{Device, DeviceError};

const SQUARE: &str = "__kernel void square(__global uint *x) { const uint i = get_global_id(0); x[i] = i * i; }";
const LEN: usize = 16;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listed = match std::env::args().nth(1) {
        Some(spec) => Device::select(&spec)?,
        None => match Device::opencl()?.into_iter().next() {
            Some(device) => device,
            None => return Err(DeviceError::NoDevice { wanted: "opencl:0".into(), seen: Vec::new() }.into()),
        },
    };
    // What such a program has: a context, a queue, a buffer and a kernel of its own.
    let theirs = listed.ocl_queue()?.device();
    let context = Context::builder().devices(theirs).build()?;
    let queue = Queue::new(&context, theirs, None)?;
    let x = Buffer::<u32>::builder().queue(queue.clone()).len(LEN).build()?;
    let program = Program::builder().devices(theirs).src(SQUARE).build(&context)?;
    let mut square = Kernel::builder();
    let square = square.program(&program).name("square").queue(queue.clone()).arg(&x).global_work_size(LEN).build()?;
    // SAFETY: one item for each value.
    unsafe { square.enq()? };

    // The library computes on the same queue and in the same memory.
    let device = Device::from_ocl(&queue)?;
    let mut ours = manycore_device::Buffer::from_ocl(&device, x.clone())?;
    ours.view_mut(..4)?.fill(7)?;

    let mut values = vec![0; LEN];
    x.read(&mut values).enq()?;
    println!("{values:?}");
    assert_eq!(values[..6], [7, 7, 7, 7, 16, 25]);
    Ok(())
}
