//! Stand-ins for the parts of `ocl` that this crate uses, for programs without the feature `opencl`.
//!
//! The types have no values, so neither has [`OpenCl`](super::executor::OpenCl): none of these functions is ever called. They are here
//! so that what is built on them, up to the operations of the other crates, is the same with the feature and without.

pub(crate) mod calls {
    use crate::error::{DeviceError, code_name};

    /// The error of a call that failed with a code.
    pub(crate) fn failure(code: i32, call: &'static str, device: &str) -> DeviceError {
        DeviceError::Api { call, code, name: code_name(code), device: device.to_owned() }
    }
}

pub(crate) mod objects {
    use std::ffi::CStr;

    use crate::error::DeviceError;
    use crate::host::pages::Pages;

    type Outcome<T> = Result<T, DeviceError>;
    type Code = Result<(), i32>;

    /// No device.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum DeviceId {}

    /// Types without values, and functions of them whose first argument is a reference to one.
    macro_rules! nothing {
        ($($name:ident { $(
            $function:ident$([$modifier:ident])?($first:ident: $type:ty $(, $argument:ty)*) -> $result:ty;
        )* })*) => {$(
            #[derive(Debug)]
            pub(crate) struct $name(DeviceId);

            impl $name {$(
                pub(crate) $($modifier)? fn $function($first: $type $(, _: $argument)*) -> $result {
                    match $first.0 {}
                }
            )*}
        )*};
    }

    nothing! {
        Context {}
        Mapping {
            as_slice[unsafe](self: &Self, usize) -> &'static [u8];
            as_slice_mut[unsafe](self: &mut Self, usize) -> &'static mut [u8];
        }
        Memory {
            allocate(context: &Context, usize, bool) -> Result<Self, i32>;
            in_pages(context: &Context, Pages) -> Result<Self, i32>;
            part(self: &Self, usize, usize, &str) -> Outcome<Self>;
            address(self: &Self) -> usize;
        }
        Event {
            wait(self: &Self, &str) -> Outcome<()>;
            status(self: &Self) -> Option<i32>;
            span(self: &Self, &str) -> Outcome<(u64, u64)>;
        }
        Program {
            from_source(context: &Context, &str, &str) -> Outcome<Self>;
            from_binary(context: &Context, DeviceId, &[u8]) -> Option<Self>;
            binary(self: &Self) -> Option<Vec<u8>>;
            build(self: &Self, DeviceId, &CStr) -> Result<(), (i32, String)>;
        }
        Kernel {
            of(program: &Program, &str, &str) -> Outcome<Self>;
            arguments(self: &Self, &str) -> Outcome<usize>;
            argument_type(self: &Self, usize) -> Option<String>;
            group_limit(self: &Self, DeviceId, &str) -> Outcome<usize>;
            required_group(self: &Self, DeviceId, &str) -> Outcome<Option<[usize; 3]>>;
            private_bytes(self: &Self, DeviceId) -> u64;
            local_bytes(self: &Self, DeviceId) -> u64;
            set(self: &mut Self, usize, &[u8]) -> Code;
            set_local(self: &mut Self, usize, usize) -> Code;
            set_memory(self: &mut Self, usize, &Memory) -> Code;
        }
        Queue {
            of(context: &Context, DeviceId, &str) -> Outcome<Self>;
            event(self: &Self) -> Event;
            enqueue[unsafe](self: &Self, &Kernel, (u32, [usize; 3]), Option<[usize; 3]>, Option<&mut Event>) -> Code;
            write[unsafe](self: &Self, &Memory, usize, &[u8], bool, Option<&Event>, Option<&mut Event>) -> Code;
            read[unsafe](self: &Self, &Memory, usize, &mut [u8], bool, Option<&Event>, Option<&mut Event>) -> Code;
            copy(self: &Self, (&Memory, usize), (&Memory, usize), usize, Option<&mut Event>) -> Code;
            fill(self: &Self, &Memory, &[u8], usize, usize, Option<&mut Event>) -> Code;
            map(self: &Self, &Memory, usize) -> Result<Mapping, i32>;
            unmap(self: &Self, &Memory, &Mapping) -> Code;
            finish(self: &Self, &str) -> Outcome<()>;
            flush(self: &Self, &str) -> Outcome<()>;
            marker(self: &Self, &str) -> Outcome<Event>;
            wait_for(self: &Self, &Event, &str) -> Outcome<()>;
        }
    }

    impl Context {
        pub(crate) fn of(id: DeviceId, _: &str) -> Outcome<Self> {
            match id {}
        }
    }
}
