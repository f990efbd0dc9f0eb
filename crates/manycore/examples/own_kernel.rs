//! A kernel of a user's own, saxpy (`y = a x + y`, level 1 of the BLAS), on buffers that the library transforms before and after.
//!
//! ```console
//! $ cargo run --release -p manycore --example own_kernel -- opencl:0
//! ```

use manycore::device::Signature;
use manycore::{Device, Spectral, Walsh};

const SAXPY: &str = r"
__kernel void saxpy(const float a, __global const float *x, __global float *y)
{
    const size_t i = get_global_id(0);
    y[i] += a * x[i];
}";
const LEN: usize = 8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = Device::select(&std::env::args().nth(1).unwrap_or_else(|| "opencl:0".to_owned()))?;
    let spectral = Spectral::new(&device);
    let mut x = device.upload(&[1.0f32, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0])?;
    spectral.walsh(&mut x, &Walsh::new())?;

    // The kernel runs between two transforms, on the same memory; nobody waits.
    let mut y = device.upload(&[1.0f32; LEN])?;
    let signature = Signature::new().value::<f32>().input::<f32>().buffer::<f32>();
    let saxpy = device.compile(SAXPY)?.kernel("saxpy", signature)?;
    // SAFETY: there is an item for each of the values of `x` and `y`, which both have LEN.
    unsafe { saxpy.launch().value(2.0f32).input(&x).buffer(&mut y).run(LEN)? };

    spectral.walsh(&mut y, &Walsh::new())?;
    let y = y.download()?;
    println!("{y:?}");
    // The transform of the transform is LEN times the vector; that of ones is LEN at 0.
    assert_eq!(y, [24.0, 0.0, 16.0, 0.0, 0.0, 16.0, 16.0, 0.0]);
    Ok(())
}
