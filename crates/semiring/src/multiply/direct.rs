//! Generalized products entry by entry on an OpenCL device, of factors that depend on the entry (paper 003, formula 5) or whose
//! lists functions make: an item for each entry of the result, over the inner index, the entries of a list, or those that two
//! lists have in common, by merging them.
//!
//! Sums run in the order of the inner index, for indices ascend. Indices are bounded by the inner length, and so is the number of
//! entries of a list.

use std::fmt::Write as _;

use manycore_device::{Cache, Defines, DeviceError, Kernel, OpenCl, Param, Passing, WordType};
use manycore_expressions::generated::{self, Arguments};
use manycore_expressions::{Program, ScalarType, WordsMut};

use super::form::{ProductForm, ProductShape};
use crate::error::SemiringError;
use crate::operand::{Form, Operand};

/// Items of a group, at most.
const GROUP: usize = 128;

/// A product that has entries.
pub(crate) fn product(
    cl: &OpenCl,
    kernels: &Cache<ProductForm, Kernel>,
    (form, shape): (&ProductForm, ProductShape),
    (a, b): (&Operand<'_>, &Operand<'_>),
    out: &mut [WordsMut<'_>],
) -> Result<(), SemiringError> {
    if !cl.info().fp64 && form.needs_fp64() {
        let feature = "double precision".to_owned();
        return Err(DeviceError::Unsupported { device: cl.info().label(), feature }.into());
    }
    let kernel = kernels.get(form.clone(), |form| {
        let (source, params) = Text::of(form);
        // SAFETY: this function alone launches it, with operands and results of the rows, inner length and columns in its arguments, which
        // `Products` compared; the kernel bounds the indices of lists and functions by these, and functions bound the places in tables.
        let spec = unsafe { generated::spec("semiring_direct", source, params) };
        cl.kernel(spec, &Defines::new())
    })?;
    let sizes = [shape.rows, shape.inner, shape.columns];
    let mut launch = sizes.into_iter().fold(cl.launch(&kernel), |launch, size| launch.value(size as u64));
    for (operand, is_left) in [(a, true), (b, false)] {
        match operand {
            Operand::Stored(words) => launch = words.iter().fold(launch, |launch, words| words.pass(launch)),
            Operand::Lists { rows, columns } => {
                let lists = if is_left { rows } else { columns };
                launch = lists.offsets.pass(launch);
                launch = lists.indices.pass(launch).value(lists.indices.len() as u64);
                launch = lists.entries.iter().fold(launch, |launch, words| words.pass(launch));
            }
            Operand::Computed(..) | Operand::AtResult(..) | Operand::Made(..) => {
                let tables = operand.tables().iter();
                launch = tables.fold(launch, |launch, table| table.pass(launch).value(table.len() as u64));
            }
        }
        if let Operand::AtResult(_, _, first) | Operand::Made(_, _, first) = operand {
            launch = launch.value(*first);
        }
    }
    for words in out {
        launch = words.reborrow().pass(launch);
    }
    let group = GROUP.min(kernel.group_limit());
    let groups = shape.rows.checked_mul(shape.columns.div_ceil(group));
    launch.groups(groups.unwrap_or(usize::MAX), group).run()?;
    Ok(())
}

struct Text<'a> {
    form: &'a ProductForm,
    lines: String,
    arguments: Arguments,
}

/// One of both factors.
#[derive(Clone, Copy)]
struct Side<'a> {
    /// `a` or `b`.
    name: &'static str,
    form: &'a Form,
    kinds: &'a [ScalarType],
    is_left: bool,
}

impl Side<'_> {
    fn is_list(&self) -> bool {
        matches!(self.form, Form::Lists | Form::Made(_))
    }

    /// The line of its lists.
    fn line(&self) -> String {
        match (self.form, self.is_left) {
            (Form::Made(_), true) => format!("({}_first + row)", self.name),
            (_, true) => "row".to_owned(),
            (_, false) => "column".to_owned(),
        }
    }

    /// The names of its values.
    fn values(&self) -> impl Iterator<Item = String> + '_ {
        (0..self.kinds.len()).map(|i| format!("v{}{i}", self.name))
    }

    /// A call of one of its functions; tables that the function does not read are bytes to it.
    fn call(&self, function: &str, program: &Program, given: &[&str], results: &[String]) -> String {
        let mut all: Vec<String> = given.iter().map(|given| (*given).to_owned()).collect();
        for (number, kind) in program.tables().iter().enumerate() {
            let kind = kind.memory().opencl_name();
            all.push(format!("(__global const {kind} *){0}{number}, {0}{number}_len", self.name));
        }
        all.extend(results.iter().map(|result| format!("&{result}")));
        format!("{}_{function}({});", self.name, all.join(", "))
    }
}

impl<'a> Text<'a> {
    fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push_str(line.as_ref());
        self.lines.push('\n');
    }

    fn sides(&self) -> [Side<'a>; 2] {
        let (form, algebra) = (self.form, &self.form.algebra);
        [
            Side { name: "a", form: &form.left, kinds: algebra.left(), is_left: true },
            Side { name: "b", form: &form.right, kinds: algebra.right(), is_left: false },
        ]
    }

    /// The text of a kernel, and its arguments.
    fn of(form: &'a ProductForm) -> (String, Vec<Param>) {
        let mut text = Self { form, lines: String::new(), arguments: Arguments::default() };
        let algebra = &form.algebra;
        for size in ["rows", "inner", "columns"] {
            text.arguments.add(size, Passing::Value, WordType::U64);
        }
        let sides = text.sides();
        let mut head = form.head();
        head.push_str(&algebra.step.opencl("step"));
        for side in sides {
            text.declare(side);
            for (program, function) in side.form.programs().zip(match side.form {
                Form::Made(_) => ["size", "entry"],
                _ => ["entry", ""],
            }) {
                head.push_str(&program.opencl(&format!("{}_{function}", side.name)));
            }
        }
        text.arguments.add_each("c", Passing::Buffer, algebra.sums().iter().map(|kind| kind.memory()));
        let _ = writeln!(head, "__kernel void semiring_direct({})\n{{", text.arguments.declared());
        text.body(sides);
        (head + &text.lines + "}\n", text.arguments.into_params())
    }

    fn declare(&mut self, side: Side<'_>) {
        let name = side.name;
        if *side.form == Form::Lists {
            self.arguments.add(format!("{name}_offsets"), Passing::Input, WordType::U64);
            self.arguments.add(format!("{name}_indices"), Passing::Input, WordType::U64);
            self.arguments.add(format!("{name}_count"), Passing::Value, WordType::U64);
        }
        if let Form::Stored | Form::Lists = side.form {
            self.arguments.add_each(name, Passing::Input, side.kinds.iter().map(|kind| kind.memory()));
        } else {
            for (i, kind) in side.form.tables().iter().enumerate() {
                self.arguments.add(format!("{name}{i}"), Passing::Input, kind.memory());
                self.arguments.add(format!("{name}{i}_len"), Passing::Value, WordType::U64);
            }
        }
        if let Form::AtResult(..) | Form::Made(_) = side.form {
            self.arguments.add(format!("{name}_first"), Passing::Value, WordType::U64);
        }
    }

    fn body(&mut self, [a, b]: [Side<'_>; 2]) {
        let algebra = &self.form.algebra;
        self.lines.push_str(
            "    const ulong size = get_local_size(0), across = (columns + size - 1ul) / size;\n    \
             const ulong row = get_group_id(0) / across;\n    \
             const ulong column = (get_group_id(0) % across) * size + get_local_id(0);\n    \
             if (row >= rows || column >= columns)\n        return;\n",
        );
        for (i, (kind, &bits)) in algebra.sums().iter().zip(&algebra.zero).enumerate() {
            self.line(format!("    {} s{i} = {};", kind.memory().opencl_name(), kind.opencl_constant(bits)));
        }
        for side in [a, b] {
            for (value, kind) in side.values().zip(side.kinds) {
                self.line(format!("    {} {value};", kind.memory().opencl_name()));
            }
        }
        match (a.is_list(), b.is_list()) {
            (false, false) => {
                self.line("    for (ulong i = 0ul; i < inner; i++) {");
                self.value(a);
                self.value(b);
                self.step([a, b]);
            }
            (true, true) => {
                for side in [a, b] {
                    self.range(side);
                    self.line(format!("    ulong {}_i = 0ul;", side.name));
                }
                self.line("    while (a_at < a_end && b_at < b_end) {");
                self.entry(a, "a_i");
                self.entry(b, "b_i");
                self.line("        if (a_i < b_i) {\n            a_at++;\n            continue;\n        }");
                self.line("        if (b_i < a_i) {\n            b_at++;\n            continue;\n        }");
                self.step([a, b]);
                self.line("        a_at++;\n        b_at++;");
            }
            (is_left, _) => {
                let (list, other) = if is_left { (a, b) } else { (b, a) };
                self.range(list);
                let name = list.name;
                self.line(format!("    for (; {name}_at < {name}_end; {name}_at++) {{\n        ulong i = 0ul;"));
                self.entry(list, "i");
                self.value(other);
                self.step([a, b]);
            }
        }
        self.line("    }");
        for i in 0..algebra.sums().len() {
            self.line(format!("    c{i}[row * columns + column] = s{i};"));
        }
    }

    /// The places of the entries of a list.
    fn range(&mut self, side: Side<'_>) {
        let (name, line) = (side.name, side.line());
        match side.form {
            Form::Made(lists) => {
                self.line(format!("    ulong {name}_at = 0ul, {name}_end = 0ul;"));
                let call = side.call("size", &lists.size, &[&line], &[format!("{name}_end")]);
                self.line(format!("    {call}\n    {name}_end = min({name}_end, inner);"));
            }
            _ => self.line(format!(
                "    ulong {name}_at = {name}_offsets[{line}];\n    \
                 const ulong {name}_end = inner == 0ul ? 0ul : min({name}_offsets[{line} + 1ul], {name}_count);"
            )),
        }
    }

    /// Index and values of an entry of a list.
    fn entry(&mut self, side: Side<'_>, index: &str) {
        let name = side.name;
        if let Form::Made(lists) = side.form {
            let results: Vec<String> = [index.to_owned()].into_iter().chain(side.values()).collect();
            let call = side.call("entry", &lists.entry, &[&side.line(), &format!("{name}_at")], &results);
            self.line(format!("        {call}"));
        } else {
            self.line(format!("        {index} = {name}_indices[{name}_at];"));
            for (i, value) in side.values().enumerate() {
                self.line(format!("        {value} = {name}{i}[{name}_at];"));
            }
        }
        self.line(format!("        {index} = min({index}, inner - 1ul);"));
    }

    /// Values at the inner index `i`.
    fn value(&mut self, side: Side<'_>) {
        let name = side.name;
        let (x, y) = if side.is_left { ("i", "row") } else { ("column", "i") };
        let results: Vec<String> = side.values().collect();
        match side.form {
            Form::Computed(program) => {
                let call = side.call("entry", program, &[x, y], &results);
                self.line(format!("        {call}"));
            }
            Form::AtResult(program, _) => {
                let u = format!("({name}_first + row)");
                let y = if side.is_left { u.as_str() } else { y };
                let call = side.call("entry", program, &[x, y, &u, "column"], &results);
                self.line(format!("        {call}"));
            }
            _ => {
                let width = if side.is_left { "inner" } else { "columns" };
                for (i, value) in results.iter().enumerate() {
                    self.line(format!("        {value} = {name}{i}[{y} * {width} + {x}];"));
                }
            }
        }
    }

    /// The sums with the next product.
    fn step(&mut self, sides: [Side<'_>; 2]) {
        let sums = (0..self.form.algebra.sums().len()).map(|i| format!("s{i}"));
        let places = sums.clone().map(|sum| format!("&{sum}"));
        let values = sides.iter().flat_map(|side| side.values().collect::<Vec<_>>());
        let given: Vec<String> = sums.chain(values).chain(places).collect();
        self.line(format!("        step({});", given.join(", ")));
    }
}
