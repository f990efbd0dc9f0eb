//! Kernel objects: their arguments, and what the compiler says of them.

use ocl::core::{
    self, ArgVal, KernelArgAddressQualifier, KernelArgInfo, KernelArgInfoResult, KernelInfo, KernelInfoResult,
    KernelWorkGroupInfo, KernelWorkGroupInfoResult,
};

use super::queue::version;
use super::{DeviceId, Kernel, Memory, Program};
use crate::error::DeviceError;
use crate::opencl::calls::{call, code, failure};

impl Kernel {
    pub(crate) fn of(program: &Program, entry: &str, device: &str) -> Result<Self, DeviceError> {
        call("clCreateKernel", device, || core::create_kernel(program, entry)).map(Self::new)
    }

    /// The number of its arguments.
    pub(crate) fn arguments(&self, device: &str) -> Result<usize, DeviceError> {
        match call("clGetKernelInfo", device, || core::get_kernel_info(self, KernelInfo::NumArgs))? {
            KernelInfoResult::NumArgs(count) => Ok(count as usize),
            _ => Ok(0),
        }
    }

    /// The type of argument `index` as the source says it; `None` where the runtime keeps no such record.
    pub(crate) fn argument_type(&self, index: usize) -> Option<String> {
        let versions = [version()];
        let read = || core::get_kernel_arg_info(self, index as u32, KernelArgInfo::TypeName, Some(&versions));
        match code(read) {
            Ok(KernelArgInfoResult::TypeName(name)) => Some(name),
            _ => None,
        }
    }

    /// The memory that argument `index`, a pointer, points to, by its word in OpenCL C, or `private` for what is no pointer; `None`
    /// where the runtime keeps no such record.
    pub(crate) fn argument_space(&self, index: usize) -> Option<&'static str> {
        let versions = [version()];
        let read = || core::get_kernel_arg_info(self, index as u32, KernelArgInfo::AddressQualifier, Some(&versions));
        match code(read) {
            Ok(KernelArgInfoResult::AddressQualifier(space)) => Some(match space {
                KernelArgAddressQualifier::Global => "global",
                KernelArgAddressQualifier::Local => "local",
                KernelArgAddressQualifier::Constant => "constant",
                KernelArgAddressQualifier::Private => "private",
            }),
            _ => None,
        }
    }

    /// The largest group that it can be launched with.
    pub(crate) fn group_limit(&self, id: DeviceId, device: &str) -> Result<usize, DeviceError> {
        match self.group_info(id, KernelWorkGroupInfo::WorkGroupSize).map_err(|code| unknown(code, device))? {
            KernelWorkGroupInfoResult::WorkGroupSize(limit) => Ok(limit),
            _ => Ok(0),
        }
    }

    /// The only group that it can be launched with, where its source says so.
    pub(crate) fn required_group(&self, id: DeviceId, device: &str) -> Result<Option<[usize; 3]>, DeviceError> {
        match self.group_info(id, KernelWorkGroupInfo::CompileWorkGroupSize).map_err(|code| unknown(code, device))? {
            KernelWorkGroupInfoResult::CompileWorkGroupSize(size) if size[0] > 0 => Ok(Some(size)),
            _ => Ok(None),
        }
    }

    /// Bytes of memory of a work-item for values that do not fit its registers; 0 where the driver does not report them.
    pub(crate) fn private_bytes(&self, id: DeviceId) -> u64 {
        match self.group_info(id, KernelWorkGroupInfo::PrivateMemSize) {
            Ok(KernelWorkGroupInfoResult::PrivateMemSize(bytes)) => bytes,
            _ => 0,
        }
    }

    /// Bytes of local memory of a group; 0 where the driver does not report them.
    pub(crate) fn local_bytes(&self, id: DeviceId) -> u64 {
        match self.group_info(id, KernelWorkGroupInfo::LocalMemSize) {
            Ok(KernelWorkGroupInfoResult::LocalMemSize(bytes)) => bytes,
            _ => 0,
        }
    }

    fn group_info(&self, id: DeviceId, which: KernelWorkGroupInfo) -> Result<KernelWorkGroupInfoResult, i32> {
        code(|| core::get_kernel_work_group_info(self, id, which))
    }

    /// Sets an argument's bytes: with exclusive access, because this call alone is not thread-safe.
    pub(crate) fn set(&mut self, index: usize, bytes: &[u8]) -> Result<(), i32> {
        // SAFETY: the pointer and the length are those of a slice, which the call copies.
        let value = unsafe { ArgVal::from_raw(bytes.len(), bytes.as_ptr().cast(), false) };
        code(|| core::set_kernel_arg(self, index as u32, value))
    }

    /// Sets the bytes of local memory that an argument points to.
    pub(crate) fn set_local(&mut self, index: usize, bytes: usize) -> Result<(), i32> {
        // SAFETY: no value is read: the argument is a size alone.
        let value = unsafe { ArgVal::from_raw(bytes, std::ptr::null(), false) };
        code(|| core::set_kernel_arg(self, index as u32, value))
    }

    /// Sets a buffer argument. Whoever enqueues the kernel sees to it that the memory exists until then.
    pub(crate) fn set_memory(&mut self, index: usize, memory: &Memory) -> Result<(), i32> {
        code(|| core::set_kernel_arg(self, index as u32, ArgVal::mem(memory)))
    }
}

/// The error of a runtime that does not report the groups that a kernel takes.
fn unknown(code: i32, device: &str) -> DeviceError {
    failure(code, "clGetKernelWorkGroupInfo", device)
}
