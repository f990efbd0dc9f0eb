//! A function applied to each element of columns, on any device: on the host in blocks by all threads, on an OpenCL device by a
//! kernel that is made of the function's text.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_device::{
    Buffer, Cache, Defines, Device, DeviceError, Executor, HostPool, Kernel, KernelSpec, Launch, OpenCl, Passing, View,
    ViewMut, WordType,
};

use crate::elements::Elements;
use crate::error::ExpressionError;
use crate::function::Function;
use crate::generated::{self, Arguments};
use crate::host::{Column, ColumnMut, Input, with_word};
use crate::opencl::memory_name;
use crate::program::Program;
use crate::scalar::{Scalar, ScalarType};

/// Work-items of a group.
const GROUP: usize = 256;
/// Elements of a share of the host's threads at least.
const SHARE: usize = 1 << 14;

macro_rules! views {
    ($($name:ident $word:ty,)*) => {
        /// Words of a device to read, of any type: made `from` a buffer or a view.
        #[derive(Debug, Clone, Copy)]
        #[allow(missing_docs)] // the names say it
        pub enum Words<'a> {
            $($name(View<'a, $word>),)*
        }

        /// Words of a device to write, of any type: made `from` a buffer or a view.
        #[derive(Debug)]
        #[allow(missing_docs)] // the names say it
        pub enum WordsMut<'a> {
            $($name(ViewMut<'a, $word>),)*
        }

        impl<'a> Words<'a> {
            /// The type of its words.
            pub fn word(&self) -> WordType {
                match self {
                    $(Self::$name(_) => WordType::$name,)*
                }
            }

            /// The number of its words.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(view) => view.len(),)*
                }
            }

            /// Whether it has no words.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Gives them to a launch as its next argument, which it reads.
            pub fn pass(self, launch: Launch<'a>) -> Launch<'a> {
                match self {
                    $(Self::$name(view) => launch.input(view),)*
                }
            }

            /// The words on the host.
            ///
            /// # Errors
            /// [`DeviceError`] where they are on an OpenCL device.
            pub fn host(self) -> Result<Column<'a>, DeviceError> {
                match self {
                    $(Self::$name(view) => Ok(view.host()?.into()),)*
                }
            }
        }

        impl<'a> WordsMut<'a> {
            /// The type of its words.
            pub fn word(&self) -> WordType {
                match self {
                    $(Self::$name(_) => WordType::$name,)*
                }
            }

            /// The number of its words.
            pub fn len(&self) -> usize {
                match self {
                    $(Self::$name(view) => view.len(),)*
                }
            }

            /// Whether it has no words.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Gives them to a launch as its next argument, which it writes.
            pub fn pass(self, launch: Launch<'a>) -> Launch<'a> {
                match self {
                    $(Self::$name(view) => launch.buffer(view),)*
                }
            }

            /// The words on the host, to change.
            ///
            /// # Errors
            /// [`DeviceError`] where they are on an OpenCL device.
            pub fn into_host(self) -> Result<ColumnMut<'a>, DeviceError> {
                match self {
                    $(Self::$name(view) => Ok(view.into_host()?.into()),)*
                }
            }

            fn host(&mut self) -> Result<ColumnMut<'_>, DeviceError> {
                match self {
                    $(Self::$name(view) => Ok(view.reborrow().into_host()?.into()),)*
                }
            }
        }

        $(
            impl<'a> From<View<'a, $word>> for Words<'a> {
                fn from(view: View<'a, $word>) -> Self {
                    Self::$name(view)
                }
            }

            impl<'a> From<&'a Buffer<$word>> for Words<'a> {
                fn from(buffer: &'a Buffer<$word>) -> Self {
                    Self::$name(buffer.into())
                }
            }

            impl<'a> From<ViewMut<'a, $word>> for WordsMut<'a> {
                fn from(view: ViewMut<'a, $word>) -> Self {
                    Self::$name(view)
                }
            }

            impl<'a> From<&'a mut Buffer<$word>> for WordsMut<'a> {
                fn from(buffer: &'a mut Buffer<$word>) -> Self {
                    Self::$name(buffer.into())
                }
            }
        )*

        impl<'a> WordsMut<'a> {
            /// The words, borrowed for a shorter time.
            pub fn reborrow(&mut self) -> WordsMut<'_> {
                match self {
                    $(Self::$name(view) => WordsMut::$name(view.reborrow()),)*
                }
            }
        }
    };
}

views! { U8 u8, I8 i8, U16 u16, I16 i16, U32 u32, I32 i32, U64 u64, I64 i64, F32 f32, F64 f64, }

/// An argument of a map.
#[derive(Debug, Clone, Copy)]
pub enum MapInput<'a> {
    /// A value for each element.
    Words(Words<'a>),
    /// One value for all elements, by its bits.
    Same(u64),
}

impl<'a, T: Into<Words<'a>>> From<T> for MapInput<'a> {
    fn from(words: T) -> Self {
        Self::Words(words.into())
    }
}

impl MapInput<'_> {
    /// One value for all elements.
    pub fn same(value: impl Scalar) -> Self {
        Self::Same(value.to_bits())
    }
}

/// A function that is applied to each element of columns on a device.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Map, Value};
///
/// let line = Function::<(f32, f32), f32>::new(|(x, a): (Value<f32>, Value<f32>)| x * a + 1.0)?;
/// let device = Device::from_env()?;
/// let map = Map::new(&device, &line);
/// let x = device.upload(&[1.0f32, 2.0, 3.0])?;
/// let mut y = device.zeros::<f32>(3)?;
/// map.run(&[(&x).into(), manycore_expressions::MapInput::same(2.0f32)], &[], &mut [(&mut y).into()])?;
/// assert_eq!(y.download()?, [3.0, 5.0, 7.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Map {
    device: Device,
    program: Arc<Program>,
    /// By which arguments are the same for all elements.
    kernels: Cache<Vec<bool>, Kernel>,
}

impl Map {
    /// A function on a device.
    pub fn new<I: Elements, O: Elements>(device: &Device, function: &Function<I, O>) -> Self {
        Self { device: device.clone(), program: function.shared(), kernels: Cache::default() }
    }

    /// Applies the function to all elements: as many as the first output has.
    ///
    /// O(operations times elements) in one launch; no memory but that of the columns.
    ///
    /// # Errors
    /// [`ExpressionError::Count`], [`ExpressionError::Type`], [`ExpressionError::Length`] of what does not fit;
    /// [`ExpressionError::Device`] for memory of other devices, and where the device has no double precision and the function
    /// needs it.
    pub fn run(
        &self,
        inputs: &[MapInput<'_>],
        tables: &[Words<'_>],
        outputs: &mut [WordsMut<'_>],
    ) -> Result<(), ExpressionError> {
        let len = self.check(inputs, tables, outputs)?;
        match self.device.executor() {
            Executor::Host(host) => self.on_host(host, inputs, tables, outputs, len),
            Executor::OpenCl(cl) => self.on_device(cl, inputs, tables, outputs, len),
        }
    }

    fn on_host(
        &self,
        host: &HostPool,
        inputs: &[MapInput<'_>],
        tables: &[Words<'_>],
        outputs: &mut [WordsMut<'_>],
        len: usize,
    ) -> Result<(), ExpressionError> {
        let inputs: Vec<Input<'_>> = inputs
            .iter()
            .map(|input| match *input {
                MapInput::Words(words) => Ok(Input::Column(words.host()?)),
                MapInput::Same(bits) => Ok(Input::Same(bits)),
            })
            .collect::<Result<_, DeviceError>>()?;
        let tables: Vec<Column<'_>> = tables.iter().map(|table| table.host()).collect::<Result<_, _>>()?;
        let outputs: Vec<ColumnMut<'_>> = outputs.iter_mut().map(WordsMut::host).collect::<Result<_, _>>()?;
        let each = len.div_ceil(host.threads().max(1)).max(SHARE);
        let shares = shares(inputs, outputs, each, len);
        let failed = Mutex::new(None);
        let (bytes, operations) = (self.bytes(len), (self.program.operations() * len) as u64);
        host.step("map", bytes, operations, || {
            host.team().each(shares, |(inputs, mut outputs)| {
                if let Err(error) = self.program.evaluate(&inputs, &tables, &mut outputs) {
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            });
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn on_device(
        &self,
        cl: &OpenCl,
        inputs: &[MapInput<'_>],
        tables: &[Words<'_>],
        outputs: &mut [WordsMut<'_>],
        len: usize,
    ) -> Result<(), ExpressionError> {
        if self.program.needs_fp64() && !cl.info().fp64 {
            let feature = "double precision".to_owned();
            return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
        }
        let same: Vec<bool> = inputs.iter().map(|input| matches!(input, MapInput::Same(_))).collect();
        let kernel = self.kernels.get(same, |same| cl.kernel(spec(&self.program, same), &Defines::new()))?;
        let mut launch = cl.launch(&kernel).value(len as u64);
        for (input, &kind) in inputs.iter().zip(self.program.inputs()) {
            launch = match *input {
                MapInput::Words(words) => words.pass(launch),
                MapInput::Same(bits) => with_word!(kind.memory(), T => launch.value(<T as Scalar>::from_bits(bits))),
            };
        }
        for table in tables {
            launch = table.pass(launch).value(table.len() as u64);
        }
        for output in outputs {
            launch = output.reborrow().pass(launch);
        }
        let group = GROUP.min(kernel.group_limit());
        launch.items(len, group).bytes(self.bytes(len)).operations((self.program.operations() * len) as u64).run()?;
        Ok(())
    }

    fn bytes(&self, len: usize) -> u64 {
        let bytes = |kind: ScalarType| kind.memory().bytes() as u64;
        let each: u64 = self.program.inputs().iter().copied().chain(self.program.outputs()).map(bytes).sum();
        each * len as u64
    }

    /// The number of elements.
    fn check(
        &self,
        inputs: &[MapInput<'_>],
        tables: &[Words<'_>],
        outputs: &[WordsMut<'_>],
    ) -> Result<usize, ExpressionError> {
        let inputs = inputs.iter().map(|input| match input {
            MapInput::Words(words) => Some((words.word(), words.len())),
            MapInput::Same(_) => None,
        });
        let outputs = outputs.iter().map(|output| (output.word(), output.len()));
        self.program.check(inputs, tables.iter().map(Words::word), outputs)
    }
}

type Share<'a> = (Vec<Input<'a>>, Vec<ColumnMut<'a>>);

/// Cuts columns into shares of `each` elements.
fn shares<'a>(mut inputs: Vec<Input<'a>>, mut outputs: Vec<ColumnMut<'a>>, each: usize, len: usize) -> Vec<Share<'a>> {
    let mut shares = Vec::new();
    let mut left = len;
    while left > each {
        let (first, rest): (Vec<_>, Vec<_>) = inputs.into_iter().map(|input| input.split_at(each)).unzip();
        let (first_out, rest_out): (Vec<_>, Vec<_>) = outputs.into_iter().map(|output| output.split_at(each)).unzip();
        shares.push((first, first_out));
        (inputs, outputs, left) = (rest, rest_out, left - each);
    }
    shares.push((inputs, outputs));
    shares
}

/// The kernel of a function, for arguments of which some are the same for all elements.
fn spec(program: &Program, same: &[bool]) -> &'static KernelSpec {
    let mut arguments = Arguments::default();
    arguments.add("count", Passing::Value, WordType::U64);
    let mut given = Vec::new();
    for (i, (&kind, &same)) in program.inputs().iter().zip(same).enumerate() {
        arguments.add(format!("x{i}"), if same { Passing::Value } else { Passing::Input }, kind.memory());
        given.push(if same { format!("x{i}") } else { format!("x{i}[i]") });
    }
    for (i, &kind) in program.tables().iter().enumerate() {
        arguments.add(format!("t{i}"), Passing::Input, kind.memory());
        arguments.add(format!("t{i}_len"), Passing::Value, WordType::U64);
        given.push(format!("t{i}, t{i}_len"));
    }
    let (mut before, mut after) = (String::new(), String::new());
    for (i, kind) in program.outputs().enumerate() {
        arguments.add(format!("y{i}"), Passing::Buffer, kind.memory());
        let _ = writeln!(before, "    {} r{i};", memory_name(kind));
        let _ = writeln!(after, "    y{i}[i] = r{i};");
        given.push(format!("&r{i}"));
    }
    let source = format!(
        "{}{}__kernel void map({})\n{{\n    const ulong i = get_global_id(0);\n    if (i >= count)\n        return;\n{before}    \
         function({});\n{after}}}\n",
        program.opencl_head(),
        program.opencl("function"),
        arguments.declared(),
        given.join(", "),
    );
    // SAFETY: `Map::on_device` alone launches it, with columns of `count` words and tables of the lengths in its arguments; the kernel
    // guards items past the count, and the function bounds the places in tables that it reads.
    unsafe { generated::spec("map", source, arguments.into_params()) }
}
