//! Generalized products of two factors that are lists of entries by rows on an OpenCL device, by kernels that are made of the
//! semiring's text (Gustavson, "Two fast algorithms for sparse matrices", 1978): a group for a row, whose sums are in the result,
//! and whose items take the entries of a row of the right factor side by side.
//!
//! Sums run in the order of the inner index, for indices ascend. Offsets and indices are bounded where they are read.

use std::fmt::Write as _;

use manycore_device::{Cache, Defines, DeviceError, Kernel, OpenCl, Param, Passing, WordType};
use manycore_expressions::generated::{self, Arguments};
use manycore_expressions::{ScalarType, WordsMut};

use super::form::ProductShape;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::ListWords;

/// Items of a group, at most.
const GROUP: usize = 128;

/// A product that has entries.
pub(crate) fn product(
    cl: &OpenCl,
    kernels: &Cache<Algebra, Kernel>,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&ListWords<'_>, &ListWords<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    if !cl.info().fp64 && algebra.step.needs_fp64() {
        let feature = "double precision".to_owned();
        return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
    }
    let kernel = kernels.get(algebra.clone(), |algebra| {
        let (source, params) = Text::of(algebra);
        // SAFETY: this function alone launches it, with operands and results of the rows, inner length and columns in its arguments, which
        // `Products` compared; the kernel bounds offsets and indices by those and by the number of entries.
        let spec = unsafe { generated::spec("semiring_lists", source, params) };
        cl.kernel(spec, &Defines::new())
    })?;
    let sizes = [shape.rows, shape.inner, shape.columns];
    let mut launch = sizes.into_iter().fold(cl.launch(&kernel), |launch, size| launch.value(size as u64));
    for lists in [a, b] {
        launch = lists.offsets.pass(launch);
        launch = lists.indices.pass(launch).value(lists.indices.len() as u64);
        launch = lists.entries.iter().fold(launch, |launch, words| words.pass(launch));
    }
    for words in out {
        launch = words.reborrow().pass(launch);
    }
    launch.groups(shape.rows, GROUP.min(kernel.group_limit())).run()?;
    Ok(())
}

struct Text {
    lines: String,
    arguments: Arguments,
}

impl Text {
    /// The text of a kernel, and its arguments.
    fn of(algebra: &Algebra) -> (String, Vec<Param>) {
        let mut text = Self { lines: String::new(), arguments: Arguments::default() };
        for size in ["rows", "inner", "columns"] {
            text.arguments.add(size, Passing::Value, WordType::U64);
        }
        for (name, kinds) in [("a", algebra.left()), ("b", algebra.right())] {
            text.arguments.add(format!("{name}_offsets"), Passing::Input, WordType::U64);
            text.arguments.add(format!("{name}_indices"), Passing::Input, WordType::U64);
            text.arguments.add(format!("{name}_count"), Passing::Value, WordType::U64);
            text.arguments.add_each(name, Passing::Input, kinds.iter().map(|kind| kind.memory()));
        }
        text.arguments.add_each("c", Passing::Buffer, algebra.sums().iter().map(|kind| kind.memory()));
        let mut head = algebra.step.opencl_head();
        head.push_str(&algebra.step.opencl("step"));
        let _ = writeln!(head, "__kernel void semiring_lists({})\n{{", text.arguments.declared());
        text.body(algebra);
        (head + &text.lines + "}\n", text.arguments.into_params())
    }

    /// A call of the step on the sums `s0`, ... with these values.
    fn step(&mut self, algebra: &Algebra, left: &[String], right: &[String]) {
        let sums = (0..algebra.sums().len()).map(|i| format!("s{i}"));
        let places = (0..algebra.sums().len()).map(|i| format!("&s{i}"));
        let given: Vec<String> = sums.chain(left.iter().chain(right).cloned()).chain(places).collect();
        let _ = writeln!(self.lines, "        step({});", given.join(", "));
    }

    fn body(&mut self, algebra: &Algebra) {
        self.lines.push_str(
            "    const ulong row = get_group_id(0), item = get_local_id(0), size = get_local_size(0);\n    \
             const ulong from = row * columns;\n    for (ulong x = item; x < columns; x += size) {\n",
        );
        for (i, (kind, &bits)) in algebra.sums().iter().zip(&algebra.zero).enumerate() {
            let _ = writeln!(self.lines, "        c{i}[from + x] = {};", kind.opencl_constant(bits));
        }
        self.lines.push_str(
            "    }\n    barrier(CLK_GLOBAL_MEM_FENCE);\n    \
             const ulong end = min(a_offsets[row + 1ul], a_count);\n    \
             for (ulong p = a_offsets[row]; p < end; p++) {\n        \
             const ulong i = min(a_indices[p], inner - 1ul), last = min(b_offsets[i + 1ul], b_count);\n        \
             for (ulong q = b_offsets[i] + item; q < last; q += size) {\n        \
             const ulong x = from + min(b_indices[q], columns - 1ul);\n",
        );
        let word = |kind: &ScalarType| kind.memory().opencl_name();
        for (i, kind) in algebra.sums().iter().enumerate() {
            let _ = writeln!(self.lines, "        {} s{i} = c{i}[x];", word(kind));
        }
        let values = |name: &str, kinds: &[ScalarType], at: &str| -> Vec<String> {
            (0..kinds.len()).map(|k| format!("{name}{k}[{at}]")).collect()
        };
        self.step(algebra, &values("a", algebra.left(), "p"), &values("b", algebra.right(), "q"));
        for i in 0..algebra.sums().len() {
            let _ = writeln!(self.lines, "        c{i}[x] = s{i};");
        }
        self.lines.push_str("        }\n        barrier(CLK_GLOBAL_MEM_FENCE);\n    }\n");
    }
}
