//! Generalized products of lists of entries on an OpenCL device, by kernels that are made of the semiring's text (Gustavson, "Two
//! fast algorithms for sparse matrices", 1978, for two lists).
//!
//! | left | right | an item |
//! |---|---|---|
//! | rows | dense | an entry of the result, over the entries of its row |
//! | dense | columns | an entry of the result, over the entries of its column |
//! | rows | rows | of a group for a row, whose sums are in the result: every entry of a row of the right operand in turn |
//!
//! Sums run in the order of the inner index, for indices ascend. Offsets and indices are bounded where they are read.

use std::fmt::Write as _;

use manycore_device::{Cache, Defines, DeviceError, Kernel, OpenCl, Param, Passing, WordType};
use manycore_expressions::{ScalarType, WordsMut, generated};

use super::{ProductForm, ProductShape};
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::{Form, Operand};

/// Items of a group, at most.
const GROUP: usize = 128;

/// A product that has entries, of which one operand at least is lists.
pub(crate) fn product(
    cl: &OpenCl,
    kernels: &Cache<ProductForm, Kernel>,
    (algebra, shape): (&Algebra, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    let form = ProductForm { algebra: algebra.clone(), left: a.form(), right: b.form() };
    if !cl.info().fp64 && form.needs_fp64() {
        let feature = "double precision".to_owned();
        return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
    }
    let kernel = kernels.get(form, |form| {
        let (source, params) = Text::of(form);
        // SAFETY: this function alone launches it, with operands and results of rows, inner length and columns as it is told,
        // which `Products` compared; the kernel bounds offsets and indices by those and by the number of entries.
        let spec = unsafe { generated::spec("semiring_lists", source, params) };
        cl.kernel(spec, &Defines::new())
    })?;
    let sizes = [shape.rows, shape.inner, shape.columns];
    let mut launch = sizes.into_iter().fold(cl.launch(&kernel), |launch, size| launch.value(size as u64));
    let is_both = matches!((a, b), (Operand::Lists { .. }, Operand::Lists { .. }));
    for (operand, is_left) in [(a, true), (b, false)] {
        match operand {
            Operand::Stored(words) => launch = words.iter().fold(launch, |launch, words| words.pass(launch)),
            Operand::Computed(_, tables) => {
                launch = tables.iter().fold(launch, |launch, table| table.pass(launch).value(table.len() as u64));
            }
            Operand::Lists { rows, columns } => {
                let lists = if is_left || is_both { rows } else { columns };
                launch = lists.offsets.pass(launch);
                launch = lists.indices.pass(launch).value(lists.indices.len() as u64);
                launch = lists.entries.iter().fold(launch, |launch, words| words.pass(launch));
            }
            // Those have kernels of their own.
            Operand::AtResult(..) | Operand::Made(..) => {}
        }
    }
    for words in out {
        launch = words.reborrow().pass(launch);
    }
    let group = GROUP.min(kernel.group_limit());
    let groups = if is_both { Some(shape.rows) } else { shape.rows.checked_mul(shape.columns.div_ceil(group)) };
    launch.groups(groups.unwrap_or(usize::MAX), group).run()?;
    Ok(())
}

struct Text {
    lines: String,
    declared: Vec<String>,
    params: Vec<Param>,
}

impl Text {
    fn argument(&mut self, name: String, passing: Passing, word: WordType) {
        let kind = word.opencl_name();
        self.declared.push(match passing {
            Passing::Input => format!("__global const {kind} *restrict {name}"),
            Passing::Buffer => format!("__global {kind} *restrict {name}"),
            _ => format!("const {kind} {name}"),
        });
        self.params.push(generated::param(name, passing, word));
    }

    /// The text of a kernel, and its arguments.
    fn of(form: &ProductForm) -> (String, Vec<Param>) {
        let algebra = &form.algebra;
        let mut text = Self { lines: String::new(), declared: Vec::new(), params: Vec::new() };
        for size in ["rows", "inner", "columns"] {
            text.argument(size.to_owned(), Passing::Value, WordType::U64);
        }
        for (name, of, kinds) in [("a", &form.left, algebra.left()), ("b", &form.right, algebra.right())] {
            if *of == Form::Lists {
                text.argument(format!("{name}_offsets"), Passing::Input, WordType::U64);
                text.argument(format!("{name}_indices"), Passing::Input, WordType::U64);
                text.argument(format!("{name}_count"), Passing::Value, WordType::U64);
            }
            if let Form::Computed(_) = of {
                for (i, kind) in of.tables().iter().enumerate() {
                    text.argument(format!("{name}{i}"), Passing::Input, kind.memory());
                    text.argument(format!("{name}{i}_len"), Passing::Value, WordType::U64);
                }
            } else {
                for (i, kind) in kinds.iter().enumerate() {
                    text.argument(format!("{name}{i}"), Passing::Input, kind.memory());
                }
            }
        }
        for (i, kind) in algebra.sums().iter().enumerate() {
            text.argument(format!("c{i}"), Passing::Buffer, kind.memory());
        }
        let mut head = form.head();
        head.push_str(&algebra.step.opencl("step"));
        for (of, name) in [(&form.left, "a_entry"), (&form.right, "b_entry")] {
            if let Form::Computed(program) = of {
                head.push_str(&program.opencl(name));
            }
        }
        let _ = writeln!(head, "__kernel void semiring_lists({})\n{{", text.declared.join(", "));
        if form.left == Form::Lists && form.right == Form::Lists {
            text.both(algebra);
        } else {
            text.one(form);
        }
        (head + &text.lines + "}\n", text.params)
    }

    /// A call of the step on the sums `s0`, ... with these values.
    fn step(&mut self, algebra: &Algebra, left: &[String], right: &[String]) {
        let sums = (0..algebra.sums().len()).map(|i| format!("s{i}"));
        let places = (0..algebra.sums().len()).map(|i| format!("&s{i}"));
        let given: Vec<String> = sums.chain(left.iter().chain(right).cloned()).chain(places).collect();
        let _ = writeln!(self.lines, "        step({});", given.join(", "));
    }

    /// One operand is lists.
    fn one(&mut self, form: &ProductForm) {
        let algebra = &form.algebra;
        let (list, dense) = if form.left == Form::Lists { ("a", "b") } else { ("b", "a") };
        let (line, (x, y), width) =
            if list == "a" { ("row", ("column", "i"), "columns") } else { ("column", ("i", "row"), "inner") };
        self.lines.push_str(
            "    const ulong size = get_local_size(0), across = (columns + size - 1ul) / size;\n    \
             const ulong row = get_group_id(0) / across;\n    \
             const ulong column = (get_group_id(0) % across) * size + get_local_id(0);\n    \
             if (row >= rows || column >= columns)\n        return;\n",
        );
        self.sums(algebra);
        let _ = writeln!(self.lines, "    const ulong end = min({list}_offsets[{line} + 1ul], {list}_count);");
        let _ = writeln!(self.lines, "    for (ulong p = {list}_offsets[{line}]; p < end; p++) {{");
        let _ = writeln!(self.lines, "        const ulong i = min({list}_indices[p], inner - 1ul);");
        let (listed, read) =
            if list == "a" { (algebra.left(), algebra.right()) } else { (algebra.right(), algebra.left()) };
        let entries: Vec<String> = (0..listed.len()).map(|k| format!("{list}{k}[p]")).collect();
        let of = if list == "a" { &form.right } else { &form.left };
        let values: Vec<String> = if let Form::Computed(_) = of {
            let mut given = vec![x.to_owned(), y.to_owned()];
            given.extend((0..of.tables().len()).map(|k| format!("{dense}{k}, {dense}{k}_len")));
            for (k, kind) in read.iter().enumerate() {
                let _ = writeln!(self.lines, "        {} v{k};", kind.memory().opencl_name());
                given.push(format!("&v{k}"));
            }
            let _ = writeln!(self.lines, "        {dense}_entry({});", given.join(", "));
            (0..read.len()).map(|k| format!("v{k}")).collect()
        } else {
            (0..read.len()).map(|k| format!("{dense}{k}[{y} * {width} + {x}]")).collect()
        };
        if list == "a" {
            self.step(algebra, &entries, &values);
        } else {
            self.step(algebra, &values, &entries);
        }
        self.lines.push_str("    }\n");
        for i in 0..algebra.sums().len() {
            let _ = writeln!(self.lines, "    c{i}[row * columns + column] = s{i};");
        }
    }

    /// Sums of nothing.
    fn sums(&mut self, algebra: &Algebra) {
        for (i, (kind, &bits)) in algebra.sums().iter().zip(&algebra.zero).enumerate() {
            let _ = writeln!(self.lines, "    {} s{i} = {};", kind.memory().opencl_name(), kind.opencl_constant(bits));
        }
    }

    /// Both operands are lists.
    fn both(&mut self, algebra: &Algebra) {
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
