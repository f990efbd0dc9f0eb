//! Products of truth values, 32 of the inner index to a word: unions of intersections, and sums modulo 2 of them (Arlazarov, Dinic,
//! Kronrod and Faradzhev, "On economical construction of the transitive closure of a directed graph", 1970, for words of bits).
//!
//! ```text
//! left:  rows x inner bytes     ->  rows x words of 32 bits        each bit of a word the next place of the row
//! right: inner x columns bytes  ->  words x columns of 32 bits     each bit of a word the next row
//! result: sums of the words' intersections; true where a bit is, or where the number of bits is odd
//! ```
//!
//! Bits past the inner length are 0 in both, and add nothing.

use std::sync::OnceLock;

use manycore_device::{
    Cache, Defines, Device, DeviceError, Executor, HostPool, Kernel, KernelSpec, OpenCl, Passing, WordType,
};
use manycore_expressions::generated::{self, Arguments};
use manycore_expressions::{Column, ColumnMut, Memory, WordsMut};

use super::form::{ProductForm, ProductShape};
use super::plan::ProductPlan;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::{Form, Operand};
use crate::semiring::Semiring;

/// Bits of a word.
pub(crate) const WORD: usize = u32::BITS as usize;
/// Items of a group.
const GROUP: usize = 256;
/// Values that a thread of the host takes at a time.
const SHARE: usize = 1 << 14;

/// Kernels that bring truth values to words and back.
pub(crate) type BitKernels = Cache<Step, Kernel>;

/// What a kernel does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    Left,
    Right,
    /// A truth value from the bits: whether their number is odd if `is_odd`, else whether there are any.
    Truth {
        is_odd: bool,
    },
}

/// Words in place of truth values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bits {
    /// The operations on words.
    pub(crate) algebra: &'static Algebra,
    is_odd: bool,
}

impl Bits {
    /// Of a semiring of truth values that is known, with stored operands.
    pub(crate) fn of(form: &ProductForm) -> Option<Self> {
        type Known = (Algebra, Algebra, bool);
        static KNOWN: OnceLock<Vec<Known>> = OnceLock::new();
        let known = KNOWN.get_or_init(|| {
            type Truth = Semiring<bool, bool, bool>;
            type Words = Semiring<u32, u32, u32>;
            let of =
                |truth: Result<Truth, SemiringError>, words: Result<Words, SemiringError>, is_odd| -> Option<Known> {
                    // A semiring that cannot be made is known to nobody.
                    Some((truth.ok()?.algebra().clone(), words.ok()?.algebra().clone(), is_odd))
                };
            let both = [of(Truth::or_and(), Words::or_and(), false), of(Truth::xor_and(), Words::xor_and(), true)];
            both.into_iter().flatten().collect()
        });
        if [&form.left, &form.right].into_iter().any(|form| *form != Form::Stored) {
            return None;
        }
        let (_, algebra, is_odd) = known.iter().find(|(truth, ..)| *truth == form.algebra)?;
        Some(Self { algebra, is_odd: *is_odd })
    }

    /// The form of the product of words.
    pub(crate) fn form(self) -> ProductForm {
        ProductForm { algebra: self.algebra.clone(), left: Form::Stored, right: Form::Stored }
    }
}

/// The sizes of the product of words.
pub(crate) fn words(shape: ProductShape) -> ProductShape {
    ProductShape { inner: shape.inner.div_ceil(WORD), ..shape }
}

/// A product that has entries, of truth values; `of_words` makes that of words, of these sizes.
pub(crate) fn product(
    (device, kernels): (&Device, &BitKernels),
    (bits, shape): (Bits, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
    of_words: impl FnOnce(ProductShape, (&Operand<'_>, &Operand<'_>), &mut [WordsMut<'_>]) -> Result<(), SemiringError>,
) -> Result<(), SemiringError> {
    let inner = words(shape).inner;
    let (Operand::Stored(a), Operand::Stored(b), [out]) = (a, b, out) else {
        return Err(SemiringError::Plan { plan: ProductPlan::Bits, device: device.info().label() });
    };
    let scratch = |len: usize| Memory::scratch(device, WordType::U32, len);
    let mut sums = scratch(shape.rows * shape.columns)?;
    let (mut left, mut right) = (scratch(shape.rows * inner)?, scratch(inner * shape.columns)?);
    match device.executor() {
        Executor::Host(pool) => {
            gather_left(pool, shape, (a[0].host()?, left.words_mut().into_host()?));
            gather_right(pool, shape, (b[0].host()?, right.words_mut().into_host()?));
        }
        Executor::OpenCl(cl) => {
            for (step, from, to) in [(Step::Left, &a[0], &mut left), (Step::Right, &b[0], &mut right)] {
                let kernel = kernels.get(step, |step| cl.kernel(spec(*step), &Defines::new()))?;
                let items = to.len();
                let launch = [shape.rows, shape.inner, inner, shape.columns]
                    .into_iter()
                    .fold(cl.launch(&kernel), |launch, size| launch.value(size as u64));
                if items > 0 {
                    to.words_mut().pass(from.pass(launch)).items(items, GROUP.min(kernel.group_limit())).run()?;
                }
            }
        }
    }
    let (a, b) = (Operand::Stored(vec![left.words()]), Operand::Stored(vec![right.words()]));
    of_words(words(shape), (&a, &b), &mut [sums.words_mut()])?;
    match device.executor() {
        Executor::Host(pool) => tell(pool, bits.is_odd, (sums.words().host()?, out.reborrow().into_host()?)),
        Executor::OpenCl(cl) => truth(cl, kernels, bits.is_odd, &sums, out)?,
    }
    Ok(())
}

/// Whether sums of words are true, on a device.
fn truth(
    cl: &OpenCl,
    kernels: &BitKernels,
    is_odd: bool,
    sums: &Memory,
    out: &mut WordsMut<'_>,
) -> Result<(), DeviceError> {
    let step = Step::Truth { is_odd };
    let kernel = kernels.get(step, |step| cl.kernel(spec(*step), &Defines::new()))?;
    let launch = sums.words().pass(cl.launch(&kernel).value(sums.len() as u64));
    out.reborrow().pass(launch).items(sums.len(), GROUP.min(kernel.group_limit())).run()
}

/// The specification of a kernel: an item for each word or truth value.
fn spec(step: Step) -> &'static KernelSpec {
    let of = |sizes: &[&str], from, to, name, body: &str| {
        let mut arguments = Arguments::default();
        for &size in sizes {
            arguments.add(size, Passing::Value, WordType::U64);
        }
        arguments.add("from", Passing::Input, from);
        arguments.add("to", Passing::Buffer, to);
        let declared = arguments.declared();
        let source = format!("__kernel void {name}({declared})\n{{\n    const ulong i = get_global_id(0);\n{body}}}\n");
        (name, source, arguments.into_params())
    };
    let of_values = |name, body| of(&["rows", "inner", "words", "columns"], WordType::U8, WordType::U32, name, body);
    let (name, source, params) = match step {
        Step::Left => of_values(
            "semiring_bits_left",
            "    if (i >= rows * words)\n        return;\n    \
             const ulong row = i / words, first = (i % words) * 32ul;\n    \
             const uint count = (uint)min(inner - first, 32ul);\n    uint bits = 0u;\n    \
             for (uint k = 0u; k < count; k++)\n        \
             bits |= (from[row * inner + first + k] != 0 ? 1u : 0u) << k;\n    to[i] = bits;\n",
        ),
        Step::Right => of_values(
            "semiring_bits_right",
            "    if (i >= words * columns)\n        return;\n    \
             const ulong column = i % columns, first = (i / columns) * 32ul;\n    \
             const uint count = (uint)min(inner - first, 32ul);\n    uint bits = 0u;\n    \
             for (uint k = 0u; k < count; k++)\n        \
             bits |= (from[(first + k) * columns + column] != 0 ? 1u : 0u) << k;\n    to[i] = bits;\n",
        ),
        Step::Truth { is_odd } => {
            let value = if is_odd { "(uchar)(popcount(from[i]) & 1u)" } else { "from[i] != 0u ? 1 : 0" };
            let body = format!("    if (i < count)\n        to[i] = {value};\n");
            of(&["count"], WordType::U32, WordType::U8, "semiring_bits_truth", &body)
        }
    };
    // SAFETY: this module alone launches them, with memory of the sizes in their arguments; they guard items past them, and read within the
    // inner length.
    unsafe { generated::spec(name, source, params) }
}

/// Rows of truth values as words, on the host.
fn gather_left(pool: &HostPool, shape: ProductShape, of: (Column<'_>, ColumnMut<'_>)) {
    let (Column::U8(from), ColumnMut::U32(to)) = of else { return };
    let inner = words(shape).inner;
    if inner == 0 {
        return;
    }
    let team = pool.team().only_if(from.len() > 1 << 16);
    team.each(to.chunks_mut(inner).zip(from.chunks(shape.inner)), |(to, from)| {
        for (to, from) in to.iter_mut().zip(from.chunks(WORD)) {
            *to = from.iter().enumerate().fold(0, |bits, (k, &value)| bits | u32::from(value != 0) << k);
        }
    });
}

/// Columns of truth values as words, on the host.
fn gather_right(pool: &HostPool, shape: ProductShape, of: (Column<'_>, ColumnMut<'_>)) {
    let (Column::U8(from), ColumnMut::U32(to)) = of else { return };
    if shape.columns == 0 {
        return;
    }
    let team = pool.team().only_if(from.len() > 1 << 16);
    team.each(to.chunks_mut(shape.columns).zip(from.chunks(WORD * shape.columns)), |(to, from)| {
        to.fill(0);
        for (k, from) in from.chunks(shape.columns).enumerate() {
            for (to, &value) in to.iter_mut().zip(from) {
                *to |= u32::from(value != 0) << k;
            }
        }
    });
}

/// Whether sums of words are true, on the host.
fn tell(pool: &HostPool, is_odd: bool, of: (Column<'_>, ColumnMut<'_>)) {
    let (Column::U32(from), ColumnMut::U8(to)) = of else { return };
    let team = pool.team().only_if(from.len() > 1 << 16);
    team.each(to.chunks_mut(SHARE).zip(from.chunks(SHARE)), |(to, from)| {
        for (to, &bits) in to.iter_mut().zip(from) {
            *to = if is_odd { (bits.count_ones() & 1) as u8 } else { u8::from(bits != 0) };
        }
    });
}
