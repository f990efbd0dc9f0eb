//! The bench's launches by the C functions alone, as a program without a library writes them: `clSetKernelArg` for each
//! argument, then `clEnqueueNDRangeKernel`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use anyhow::{Result, ensure};
use manycore_device::Device;
use manycore_device::ocl::{Buffer, Program, Queue, core, ffi};

use super::scale::{Arguments, GROUP, LEN, SCALE_UNIT};

/// A kernel object and two arrays of ones.
pub(super) struct Bare {
    queue: Queue,
    kernel: core::Kernel,
    buffers: [Buffer<f32>; 2],
}

impl Bare {
    /// The kernel and its arrays in the device's context, launched on its queue.
    pub(super) fn new(device: &Device) -> Result<Self> {
        let (queue, context) = (device.ocl_queue()?.clone(), device.ocl_context()?);
        let program = Program::builder().devices(queue.device()).src(SCALE_UNIT.source).build(context)?;
        let kernel = core::create_kernel(&program, "scale")?;
        let ones = || Buffer::builder().queue(queue.clone()).len(LEN).copy_host_slice(&[1.0_f32; LEN]).build();
        let buffers = [ones()?, ones()?];
        Ok(Self { queue, kernel, buffers })
    }

    /// One launch with these numbers; the arrays change places where they are swapped.
    pub(super) fn launch(&self, arguments: Arguments) -> Result<()> {
        let Arguments { swapped, a, b, shift } = arguments;
        let [x, y] = [usize::from(swapped), usize::from(!swapped)].map(|i| self.buffers[i].as_core().as_ptr());
        let (n, mask, global, group) = (LEN as u64, LEN as u32 - 1, LEN, GROUP);
        let mut codes = 0;
        let mut set = |index: u32, bytes: usize, value: *const c_void| {
            // SAFETY: the value has `bytes` bytes, which the call copies; nobody else has the kernel object.
            codes |= unsafe { ffi::clSetKernelArg(self.kernel.as_ptr(), index, bytes, value) };
        };
        set(0, size_of_val(&x), (&raw const x).cast());
        set(1, size_of_val(&y), (&raw const y).cast());
        set(2, size_of_val(&n), (&raw const n).cast());
        set(3, size_of_val(&a), (&raw const a).cast());
        set(4, size_of_val(&b), (&raw const b).cast());
        set(5, size_of_val(&shift), (&raw const shift).cast());
        set(6, size_of_val(&mask), (&raw const mask).cast());
        // SAFETY: every argument is set, the arrays have `LEN` values and live on.
        codes |= unsafe {
            ffi::clEnqueueNDRangeKernel(
                self.queue.as_ptr(),
                self.kernel.as_ptr(),
                1,
                null(),
                &raw const global,
                &raw const group,
                0,
                null(),
                null_mut(),
            )
        };
        ensure!(codes == 0, "a bare call of OpenCL failed");
        Ok(())
    }

    /// Whether both arrays hold ones.
    pub(super) fn is_right(&self) -> Result<bool> {
        let mut values = [[0.0_f32; LEN]; 2];
        for (buffer, values) in self.buffers.iter().zip(&mut values) {
            buffer.read(&mut values[..]).enq()?;
        }
        Ok(values == [[1.0; LEN]; 2])
    }
}
