//! Programs of a user's own OpenCL C: built at run time, their kernels compared with typed signatures and launched on buffers.

mod launch;
mod signature;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub use self::launch::{Extent, SourceLaunch};
pub use self::signature::Signature;

use super::defines::{Defines, options};
use super::executor::OpenCl;
use super::kernel::Kernel;
use super::objects::{Kernel as RawKernel, Program};
use super::spec::{Pass, Shape};
use crate::control;
use crate::device::Device;
use crate::error::DeviceError;
use crate::waits::{self, Waiting};

/// OpenCL's `CL_INVALID_KERNEL_NAME`.
const INVALID_KERNEL_NAME: i32 = -46;
/// OpenCL's `CL_INVALID_ARG_SIZE`.
const INVALID_ARG_SIZE: i32 = -51;

/// A program of OpenCL C that [`Device::compile`] built for one device. A cheap handle; cloning it shares the program.
#[derive(Debug, Clone)]
pub struct SourceProgram {
    device: Device,
    program: Arc<Program>,
}

/// A kernel of a user's own program, with the signature that its launches are checked against. Any thread may launch it.
#[derive(Debug)]
pub struct SourceKernel {
    device: Device,
    kernel: Kernel,
    /// The only group that its source lets it be launched with.
    required_group: Option<[usize; 3]>,
}

impl Device {
    /// Builds a program of OpenCL C 1.2 for this device.
    ///
    /// ```
    /// use manycore_device::{Device, Signature};
    ///
    /// const SAXPY: &str = "__kernel void saxpy(const float a, __global const float *x, __global float *y) {
    ///     const size_t i = get_global_id(0);
    ///     y[i] += a * x[i];
    /// }";
    ///
    /// for device in Device::opencl().unwrap_or_default() {
    ///     let (x, mut y) = (device.upload(&[1.0f32, 2.0, 3.0])?, device.upload(&[1.0f32; 3])?);
    ///     let signature = Signature::new().value::<f32>().input::<f32>().buffer::<f32>();
    ///     let saxpy = device.compile(SAXPY)?.kernel("saxpy", signature)?;
    ///     // SAFETY: each of the three items reads a value of `x`, and changes a value of `y`, both of length 3.
    ///     unsafe { saxpy.launch().value(2.0f32).input(&x).buffer(&mut y).run(3)? };
    ///     assert_eq!(y.download()?, [3.0, 5.0, 7.0]);
    /// }
    /// # Ok::<(), manycore_device::DeviceError>(())
    /// ```
    ///
    /// # Errors
    /// [`DeviceError::Build`] with the compiler's log; [`DeviceError::Unsupported`] for the host, which has no compiler;
    /// [`DeviceError::OutOfMemory`] where the compiler would not have enough; [`DeviceError::Api`] when the runtime refuses.
    pub fn compile(&self, source: &str) -> Result<SourceProgram, DeviceError> {
        self.compile_with(source, &Defines::new())
    }

    /// [`Device::compile`] with values of preprocessor names.
    ///
    /// # Errors
    /// As [`Device::compile`]; [`DeviceError::Build`] for white space in a value, [`DeviceError::Unsupported`] for
    /// [`Defines::element`] of `f64` where the device has none.
    pub fn compile_with(&self, source: &str, defines: &Defines) -> Result<SourceProgram, DeviceError> {
        let cl = self.shared("compiler of OpenCL C")?;
        control::checkpoint()?;
        if let Some(feature) = cl.missing(defines) {
            return Err(DeviceError::Unsupported { device: cl.name().to_owned(), feature: feature.into() });
        }
        let failed = |line, log| DeviceError::Build {
            unit: "source".to_owned(),
            line,
            defines: defines.to_string(),
            device: cl.name().to_owned(),
            log,
        };
        if let Some(at) = source.find('\0') {
            let line = source[..at].lines().count().max(1);
            return Err(failed(u32::try_from(line).ok(), "a NUL stands in the source".to_owned()));
        }
        let Some(options) = options(defines, cl.info().exact_quotients) else {
            return Err(failed(None, "white space or a NUL stands in a define".to_owned()));
        };
        let name = || format!("a source of {} bytes {defines}", source.len());
        match waits::note(Waiting::Building, name, || cl.compiled(source, &options))? {
            Ok(program) => Ok(SourceProgram { device: self.clone(), program: Arc::new(program) }),
            Err(log) => Err(failed(None, log)),
        }
    }
}

impl SourceProgram {
    /// The names of the program's kernels, in the order of the runtime; empty where it does not report them.
    pub fn kernels(&self) -> Vec<String> {
        self.program.kernels().unwrap_or_default()
    }

    /// The kernel `name`, whose arguments are compared with `signature`: their number and, where the runtime keeps a record of
    /// them, their types and address spaces. Names of types that the program defines are not resolved: for those, only pointer or value is
    /// compared, and the size of a value where the runtime compares it.
    ///
    /// # Errors
    /// [`DeviceError::NoKernel`] with the names that there are; [`DeviceError::Argument`] with the first argument that differs;
    /// [`DeviceError::Api`] when the runtime refuses.
    pub fn kernel(&self, name: &str, signature: Signature) -> Result<SourceKernel, DeviceError> {
        let cl = self.device.shared("kernel of OpenCL")?;
        let present = self.program.kernels();
        let absent = |present| DeviceError::NoKernel { wanted: name.to_owned(), present };
        if let Some(present) = &present
            && !present.iter().any(|kernel| kernel == name)
        {
            return Err(absent(present.clone()));
        }
        let mut object = match RawKernel::of(&self.program, name, cl.name()) {
            Err(DeviceError::Api { code: INVALID_KERNEL_NAME, .. }) => return Err(absent(present.unwrap_or_default())),
            object => object?,
        };
        let shapes = signature.into_shapes();
        compare(cl, name, &mut object, &shapes)?;
        let required_group = object.required_group(cl.raw_id(), cl.name())?;
        let kernel = cl.ready(kept(name), shapes, Arc::clone(&self.program), object, None)?;
        Ok(SourceKernel { device: self.device.clone(), kernel, required_group })
    }
}

impl SourceKernel {
    /// Its name.
    pub fn name(&self) -> &str {
        self.kernel.entry
    }

    /// Items of the largest group that it can be launched with.
    pub fn group_limit(&self) -> usize {
        // Some drivers report fewer than the source requires.
        let required = self.required_group.map_or(0, |[x, y, z]| x * y * z);
        self.kernel.group_limit.max(required)
    }
}

/// Compares the arguments of a kernel with declared ones.
fn compare(cl: &OpenCl, name: &str, object: &mut RawKernel, shapes: &[Shape]) -> Result<(), DeviceError> {
    let wrong = |index, expected, given| DeviceError::Argument { kernel: name.to_owned(), index, expected, given };
    let count = object.arguments(cl.name())?;
    if count != shapes.len() {
        let given = format!("a signature of {}", shapes.len());
        return Err(wrong(count.min(shapes.len()), format!("{count} arguments, as its source has"), given));
    }
    for (index, shape) in shapes.iter().enumerate() {
        let (space, found) = (object.argument_space(index), object.argument_type(index));
        if let Some(difference) = signature::difference(space, found.as_deref(), *shape) {
            return Err(wrong(index, difference, shape.to_string()));
        }
        let bytes = shape.words.bytes() * shape.count.max(1);
        let outcome = match shape.passing {
            Pass::Input | Pass::Buffer => Ok(()),
            Pass::Local => object.set_local(index, bytes),
            Pass::Value | Pass::Words => object.set(index, &vec![0; bytes]),
        };
        if outcome == Err(INVALID_ARG_SIZE) {
            return Err(wrong(index, format!("another size than {bytes} bytes"), shape.to_string()));
        }
    }
    Ok(())
}

/// A kernel's name for the time of the process, as profiles have it; each one is kept once.
fn kept(name: &str) -> &'static str {
    static NAMES: OnceLock<Mutex<HashSet<&'static str>>> = OnceLock::new();
    let mut names = NAMES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = names.get(name) {
        return kept;
    }
    let kept: &'static str = Box::leak(name.into());
    names.insert(kept);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_once() {
        assert_eq!(kept("saxpy").as_ptr(), kept(&String::from("saxpy")).as_ptr());
        assert_ne!(kept("a").as_ptr(), kept("b").as_ptr());
    }
}
