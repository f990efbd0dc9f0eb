//! Text of the kernel of a generalized product: tiles of both factors in local memory, sums in registers (Volkov and Demmel,
//! "Benchmarking GPUs to tune dense linear algebra", 2008), the operations those of a semiring.
//!
//! ```text
//!            right: depth x columns of the tile       a group makes rows x columns of the tile, an item
//!                  |                                  of it registers.0 x registers.1: chunks of up to 16
//!   left  ---->  sums                                 bytes, so that neighbours read neighbouring chunks
//! ```
//!
//! Places outside of a factor are read as its last ones, and what comes of them is not written; the inner index ends where the
//! factors do. So no entry stands in for those that there are not, and results are right for all values of a type. Sums run in
//! the order of the inner index.

use std::fmt::Write as _;

use manycore_device::{Param, Passing, WordType};
use manycore_expressions::ScalarType;
use manycore_expressions::generated::Arguments;

use super::assembly::{Balanced, Chosen, Halves};
use super::extrema::Extrema;
use super::form::ProductForm;
use super::plan::ProductTile;
use crate::algebra::Algebra;
use crate::operand::Form;

/// What a kernel's text depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct KernelKey {
    pub(crate) form: ProductForm,
    pub(crate) tile: ProductTile,
    /// Entries of rows of the left and the right factor that are read at once: whether the lengths of rows are multiples of them.
    pub(crate) widths: (usize, usize),
    /// Entries of a row of the product that are written at once.
    pub(crate) store_width: usize,
    /// Whether the device takes NVIDIA's assembly.
    pub(crate) assembly: bool,
}

impl KernelKey {
    /// The key for products of an inner length and so many columns, on a device that takes NVIDIA's assembly or does not.
    pub(crate) fn new(form: ProductForm, tile: ProductTile, (inner, columns): (u64, u64), assembly: bool) -> Self {
        let halves = tile.halves && form.has_halves(columns);
        let tile = ProductTile { halves, ..tile };
        // Words of a row.
        let columns = if halves { columns / 2 } else { columns };
        let algebra = &form.algebra;
        let most = |form: &Form, kinds: &[ScalarType]| match form {
            Form::Stored => 16 / tile.bytes(kinds).0 as u64,
            // The others have one entry at a time, or kernels of their own.
            _ => 1,
        };
        // The largest power of two up to 16 bytes that all lengths are multiples of.
        let width = |most: u64, lengths: [u64; 2]| {
            let trailing = lengths.into_iter().map(u64::trailing_zeros).min().unwrap_or(0).min(4);
            most.min(1 << trailing) as usize
        };
        let widths = (
            width(most(&form.left, algebra.left()), [inner, tile.depth.into()]),
            width(most(&form.right, algebra.right()), [columns, tile.words() as u64]),
        );
        let chunk = ProductTile::width(tile.registers.1, tile.bytes(algebra.right()).0) as u64;
        let store_width = width(chunk.min(16 / tile.bytes(algebra.sums()).0 as u64), [columns, chunk]);
        Self { form, tile, widths, store_width, assembly }
    }
}

/// What a word of two columns is.
static WORD: [ScalarType; 1] = [ScalarType::Word(WordType::U32)];

/// The vector type of so many words.
fn vector(kind: ScalarType, width: usize) -> String {
    vector_of(kind.memory().opencl_name(), width)
}

fn vector_of(name: &str, width: usize) -> String {
    if width == 1 { name.to_owned() } else { format!("{name}{width}") }
}

/// A component of a vector of so many words.
fn component(vector: &str, width: usize, at: usize) -> String {
    if width == 1 { vector.to_owned() } else { format!("{vector}.s{at:x}") }
}

/// The text of a kernel, and its arguments.
pub(crate) fn kernel(key: &KernelKey) -> (String, Vec<Param>) {
    Text { key, lines: String::new(), arguments: Arguments::default() }.write()
}

/// One of both factors.
struct Side<'a> {
    /// `a` or `b`.
    name: &'static str,
    form: &'a Form,
    kinds: &'a [ScalarType],
    /// Entries that are read at once.
    width: usize,
    /// Such reads of a part of the tile that is as deep as the tile.
    reads: usize,
}

struct Text<'a> {
    key: &'a KernelKey,
    lines: String,
    arguments: Arguments,
}

impl<'a> Text<'a> {
    /// The scalars of first factors, second factors and sums, as items have them.
    fn kinds(&self) -> [&'a [ScalarType]; 3] {
        let key: &'a KernelKey = self.key;
        let algebra = &key.form.algebra;
        if key.tile.halves { [&WORD; 3] } else { [algebra.left(), algebra.right(), algebra.sums()] }
    }

    /// Sums that are chosen by NVIDIA's assembly.
    fn chosen(&self) -> Option<Chosen> {
        let is_one_step = self.key.assembly && self.key.tile.steps == 1;
        Chosen::of(&self.key.form.algebra).filter(|_| is_one_step)
    }

    /// Sums of two steps at once that NVIDIA's assembly shares among units.
    fn balanced(&self) -> Option<Balanced> {
        let is_two_steps = self.key.assembly && self.key.tile.steps == 2;
        Balanced::of(&self.key.form.algebra).filter(|_| is_two_steps)
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push_str(line.as_ref());
        self.lines.push('\n');
    }

    fn sides(&self) -> (Side<'_>, Side<'_>) {
        let (key, tile) = (self.key, self.key.tile);
        let depth = tile.depth as usize;
        let reads = |lines: usize, width: usize| lines * depth / width;
        let (left, right) = key.widths;
        let [a, b, _] = self.kinds();
        (
            Side { name: "a", form: &key.form.left, kinds: a, width: left, reads: reads(tile.rows(), left) },
            Side { name: "b", form: &key.form.right, kinds: b, width: right, reads: reads(tile.words(), right) },
        )
    }

    fn write(mut self) -> (String, Vec<Param>) {
        let key = self.key;
        let algebra = &key.form.algebra;
        let tile = key.tile;
        let head = key.form.head();
        self.lines.push_str(&head);
        self.lines.push_str(&algebra.step.opencl("step"));
        if tile.steps == 2 {
            self.lines.push_str(&algebra.pair.opencl("pair"));
        }
        if let Some(halves) = Halves::of(algebra).filter(|_| tile.halves) {
            self.lines.push_str(&halves.function(key.assembly));
        }
        if let Some(balanced) = self.balanced() {
            self.lines.push_str(&balanced.function());
        }
        if let Some(chosen) = self.chosen() {
            self.lines.push_str(&algebra.product.opencl("product"));
            self.lines.push_str(&chosen.function());
        }
        for (form, name) in [(&key.form.left, "a_entry"), (&key.form.right, "b_entry")] {
            if let Form::Computed(program) = form {
                self.lines.push_str(&program.opencl(name));
            }
        }
        self.signature();
        self.locals();
        self.body();
        (self.lines, self.arguments.into_params())
    }

    fn signature(&mut self) {
        let key = self.key;
        for size in ["rows", "inner", if key.tile.halves { "all_columns" } else { "columns" }] {
            self.arguments.add(size, Passing::Value, WordType::U64);
        }
        for (name, form, kinds) in
            [("a", &key.form.left, key.form.algebra.left()), ("b", &key.form.right, key.form.algebra.right())]
        {
            let words = match form {
                Form::Stored | Form::Lists => kinds,
                _ => form.tables(),
            };
            for (i, kind) in words.iter().enumerate() {
                self.arguments.add(format!("{name}{i}"), Passing::Input, kind.memory());
                if let Form::Computed(_) = form {
                    self.arguments.add(format!("{name}{i}_len"), Passing::Value, WordType::U64);
                }
            }
        }
        self.arguments.add_each("c", Passing::Buffer, key.form.algebra.sums().iter().map(|kind| kind.memory()));
        let group = key.tile.group();
        self.line(format!("__kernel __attribute__((reqd_work_group_size({group}, 1, 1)))"));
        self.line(format!("void semiring_product({})\n{{", self.arguments.declared()));
    }

    /// Local memory, the places of the item and of the tile, and sums of nothing.
    fn locals(&mut self) {
        let (key, tile) = (self.key, self.key.tile);
        let algebra = &key.form.algebra;
        let (stages, depth) = (tile.stages(), tile.depth);
        let [left, right, kinds_of_sums] = self.kinds();
        for (name, kinds, width) in [("la", left, tile.padded_rows(algebra)), ("lb", right, tile.words())] {
            for (i, kind) in kinds.iter().enumerate() {
                let name_of = vector(*kind, 1);
                self.line(format!(
                    "    __local {name_of} {name}{i}[{stages}][{depth}][{width}] __attribute__((aligned(16)));"
                ));
            }
        }
        if tile.extrema {
            self.line(format!("    __local uint odd[{stages}];\n    uint is_odd = 0u;"));
        }
        if tile.halves {
            self.line("    const ulong columns = all_columns / 2ul;");
        }
        if self.chosen().is_some() || self.balanced().is_some() {
            self.line("    const uint one = (uint)min(rows, 1ul);");
        }
        self.line("    const uint item = (uint)get_local_id(0);");
        self.line(format!("    const uint ty = item / {}u, tx = item % {}u;", tile.items.1, tile.items.1));
        self.line(format!("    const ulong across = (columns + {}ul) / {}ul;", tile.words() - 1, tile.words()));
        self.line(format!("    const ulong row = (get_group_id(0) / across) * {}ul;", tile.rows()));
        self.line(format!("    const ulong column = (get_group_id(0) % across) * {}ul;", tile.words()));
        for r in 0..tile.registers.0 {
            for c in 0..tile.registers.1 {
                for (i, (kind, &bits)) in kinds_of_sums.iter().zip(&algebra.zero).enumerate() {
                    let bits = if tile.halves { bits << 16 | bits } else { bits };
                    let zero = kind.opencl_constant(bits);
                    self.line(format!("    {} s{i}_{r}_{c} = {zero};", vector(*kind, 1)));
                }
            }
        }
        let (a, b) = self.sides();
        let mut text = String::new();
        for side in [a, b] {
            for (i, kind) in side.kinds.iter().enumerate() {
                for read in 0..side.reads.div_ceil(tile.group()) {
                    let _ = writeln!(text, "    {} g{}{i}_{read};", vector(*kind, side.width), side.name);
                }
            }
        }
        self.lines.push_str(&text);
    }

    fn body(&mut self) {
        let depth = self.key.tile.depth;
        if self.key.tile.extrema {
            let stages = self.key.tile.stages();
            self.line(format!("    for (uint i = item; i < {stages}u; i += {}u)", self.key.tile.group()));
            self.line("        odd[i] = 0u;\n    barrier(CLK_LOCAL_MEM_FENCE);");
        }
        let (read, keep) = (self.read("first"), self.keep("stage"));
        if self.key.tile.double_buffer {
            self.line("    uint stage = 0u;\n    ulong first = 0ul;\n    if (inner > 0ul) {");
            self.lines.push_str(&read);
            self.lines.push_str(&keep);
            self.line("    }\n    barrier(CLK_LOCAL_MEM_FENCE);");
            self.line("    while (first < inner) {");
            self.line("        const ulong rest = inner - first;");
            self.line(format!("        first += {depth}ul;\n        if (first < inner) {{"));
            self.lines.push_str(&read);
            self.line("        }");
            self.products();
            self.line("        stage ^= 1u;\n        if (first < inner) {");
            self.lines.push_str(&keep);
            self.line("        }\n        barrier(CLK_LOCAL_MEM_FENCE);\n    }");
        } else {
            self.line("    const uint stage = 0u;");
            self.line(format!("    for (ulong first = 0ul; first < inner; first += {depth}ul) {{"));
            self.line("        const ulong rest = inner - first;");
            self.lines.push_str(&read);
            self.lines.push_str(&keep);
            self.line("        barrier(CLK_LOCAL_MEM_FENCE);");
            self.products();
            self.line("        barrier(CLK_LOCAL_MEM_FENCE);\n    }");
        }
        self.store();
        self.line("}");
    }

    /// Reads of both factors, from the inner index `first` on, into registers.
    fn read(&self, first: &str) -> String {
        let (tile, depth) = (self.key.tile, self.key.tile.depth as usize);
        let (a, b) = self.sides();
        let mut text = String::new();
        for side in [&a, &b] {
            let (width, group) = (side.width, tile.group());
            // Left: neighbouring items read along the inner index; right: along columns.
            let (of_line, is_left) = if side.name == "a" { (depth, true) } else { (tile.words(), false) };
            for read in 0..side.reads.div_ceil(group) {
                let guard = (read + 1) * group > side.reads;
                let _ = write!(text, "        ");
                if guard {
                    let _ = write!(text, "if (item + {}u < {}u) ", read * group, side.reads);
                }
                let _ = writeln!(text, "{{");
                let _ = writeln!(text, "            const uint e = item + {}u;", read * group);
                let across = of_line / width;
                let _ = writeln!(text, "            const ulong p = e / {across}u, q = (e % {across}u) * {width}u;");
                let (x, y) = if is_left {
                    (format!("min({first} + q, inner - {width}ul)"), "min(row + p, rows - 1ul)".to_owned())
                } else {
                    (format!("min(column + q, columns - {width}ul)"), format!("min({first} + p, inner - 1ul)"))
                };
                let _ = writeln!(text, "            const ulong x = {x}, y = {y};");
                let line = if is_left { "inner" } else { "columns" };
                match side.form {
                    // Lists have kernels of their own.
                    Form::Stored | Form::Lists | Form::AtResult(..) | Form::Made(_) => {
                        for (i, kind) in side.kinds.iter().enumerate() {
                            let name = side.name;
                            let to = format!("g{name}{i}_{read}");
                            let place = format!("(y * {line} + x)");
                            let value = match (tile.halves, is_left) {
                                (false, _) => {
                                    let vector = vector(*kind, width);
                                    format!("*(__global const {vector} *)({name}{i} + {place})")
                                }
                                // A first factor in both halves; two columns as they lie.
                                (true, true) => {
                                    let of = |name: &str| vector_of(name, width);
                                    let short = format!("*(__global const {} *)({name}{i} + {place})", of("ushort"));
                                    format!("convert_{}({short}) * 65537u", of("uint"))
                                }
                                (true, false) => {
                                    let vector = vector(*kind, width);
                                    format!("*(__global const {vector} *)((__global const uint *){name}{i} + {place})")
                                }
                            };
                            let _ = writeln!(text, "            {to} = {value};");
                        }
                    }
                    Form::Computed(_) => {
                        let mut given = vec!["x".to_owned(), "y".to_owned()];
                        for i in 0..side.form.tables().len() {
                            given.push(format!("{}{i}, {}{i}_len", side.name, side.name));
                        }
                        given.extend((0..side.kinds.len()).map(|i| format!("&g{}{i}_{read}", side.name)));
                        let _ = writeln!(text, "            {}_entry({});", side.name, given.join(", "));
                    }
                }
                let _ = writeln!(text, "        }}");
            }
        }
        text
    }

    /// The registers that were read, into a part of local memory; of the left factor rows become columns.
    fn keep(&self, stage: &str) -> String {
        let (tile, depth) = (self.key.tile, self.key.tile.depth as usize);
        let (a, b) = self.sides();
        let mut text = String::new();
        for side in [&a, &b] {
            let (width, group) = (side.width, tile.group());
            let is_left = side.name == "a";
            let across = if is_left { depth } else { tile.words() } / width;
            for read in 0..side.reads.div_ceil(group) {
                let _ = write!(text, "        ");
                if (read + 1) * group > side.reads {
                    let _ = write!(text, "if (item + {}u < {}u) ", read * group, side.reads);
                }
                let _ = writeln!(text, "{{\n            const uint e = item + {}u;", read * group);
                let _ = writeln!(text, "            const uint p = e / {across}u, q = (e % {across}u) * {width}u;");
                if let Some(extrema) = Extrema::of(&self.key.form.algebra).filter(|_| tile.extrema) {
                    let factor = |at| component(&format!("g{}0_{read}", side.name), width, at);
                    let found: Vec<String> = (0..width).map(|at| extrema.is_odd(&factor(at), is_left)).collect();
                    let _ = writeln!(
                        text,
                        "            if ({})\n                atomic_or(&odd[{stage}], 1u);",
                        found.join(" | ")
                    );
                }
                for (i, kind) in side.kinds.iter().enumerate() {
                    let from = format!("g{}{i}_{read}", side.name);
                    if is_left {
                        for at in 0..width {
                            let value = component(&from, width, at);
                            let _ = writeln!(text, "            la{i}[{stage}][q + {at}u][p] = {value};");
                        }
                    } else {
                        let vector = vector(*kind, width);
                        let _ = writeln!(text, "            *(__local {vector} *)&lb{i}[{stage}][p][q] = {from};");
                    }
                }
                let _ = writeln!(text, "        }}");
            }
        }
        text
    }

    /// Products of what is in local memory, `rest` of the inner index or as deep as the tile.
    fn products(&mut self) {
        let tile = self.key.tile;
        let (depth, steps) = (tile.depth, tile.steps);
        // Of this part and of those before: what is found for the next one is written to the other place.
        let usual = if tile.extrema { " && is_odd == 0u" } else { "" };
        if tile.extrema {
            self.line("        is_odd |= odd[stage];");
        }
        self.line(format!("        if (rest >= {depth}ul{usual}) {{"));
        self.line("            #pragma unroll");
        self.line(format!("            for (uint k = 0u; k < {depth}u; k += {steps}u) {{"));
        self.steps(steps, if tile.extrema { Extrema::of(&self.key.form.algebra) } else { None });
        self.line("            }\n        } else {");
        self.line(format!("            const uint end = (uint)min(rest, {depth}ul);"));
        self.line("            #pragma unroll 1\n            for (uint k = 0u; k < end; k++) {");
        self.steps(1, None);
        self.line("            }\n        }");
    }

    /// One or two products for each sum of the item, from `k` on.
    fn steps(&mut self, steps: u32, extrema: Option<Extrema>) {
        let tile = self.key.tile;
        let [left, right, kinds_of_sums] = self.kinds();
        let (chosen, balanced) = (self.chosen(), self.balanced().is_some());
        let mut text = String::new();
        for step in 0..steps {
            for (name, thread, items, kinds, registers) in
                [("a", "ty", tile.items.0, left, tile.registers.0), ("b", "tx", tile.items.1, right, tile.registers.1)]
            {
                let width = ProductTile::width(registers, Algebra::bytes(kinds).0);
                for (i, kind) in kinds.iter().enumerate() {
                    for chunk in 0..registers as usize / width {
                        let place = format!("({}u + {thread}) * {width}u", chunk * items as usize);
                        let vector = vector(*kind, width);
                        let _ = writeln!(
                            text,
                            "                const {vector} v{name}{i}_{step}_{chunk} = \
                             *(__local const {vector} *)&l{name}{i}[stage][k + {step}u][{place}];"
                        );
                    }
                }
            }
        }
        let value = |name: &str, i: usize, step: u32, at: u32, registers: u32, kinds: &[ScalarType]| {
            let width = ProductTile::width(registers, Algebra::bytes(kinds).0);
            component(&format!("v{name}{i}_{step}_{}", at as usize / width), width, at as usize % width)
        };
        let function = if steps == 2 { "pair" } else { "step" };
        for r in 0..tile.registers.0 {
            for c in 0..tile.registers.1 {
                if let Some(extrema) = extrema {
                    let a = value("a", 0, 0, r, tile.registers.0, left);
                    let b = value("b", 0, 0, c, tile.registers.1, right);
                    let sum = format!("s0_{r}_{c}");
                    let _ = writeln!(text, "                {sum} = {};", extrema.step(&sum, &a, &b));
                    continue;
                }
                if tile.halves {
                    let a = value("a", 0, 0, r, tile.registers.0, left);
                    let b = value("b", 0, 0, c, tile.registers.1, right);
                    let sum = format!("s0_{r}_{c}");
                    let _ = writeln!(text, "                {sum} = halves({sum}, {a}, {b});");
                    continue;
                }
                if steps == 2 && balanced {
                    let sum = format!("s0_{r}_{c}");
                    let factors = |step| {
                        let (a, b) = (
                            value("a", 0, step, r, tile.registers.0, left),
                            value("b", 0, step, c, tile.registers.1, right),
                        );
                        format!("{a}, {b}")
                    };
                    let (first, second) = (factors(0), factors(1));
                    let _ = if (r + c) % 2 == 0 {
                        writeln!(text, "                {sum} = balanced({sum}, {first}, {second}, one);")
                    } else {
                        writeln!(
                            text,
                            "                step({sum}, {first}, &{sum});\n                step({sum}, {second}, &{sum});"
                        )
                    };
                    continue;
                }
                if chosen.is_some() {
                    let mut given: Vec<String> =
                        (0..left.len()).map(|i| value("a", i, 0, r, tile.registers.0, left)).collect();
                    given.extend((0..right.len()).map(|i| value("b", i, 0, c, tile.registers.1, right)));
                    let _ = writeln!(
                        text,
                        "                {{ {} t; product({}, &t); choose(&s0_{r}_{c}, t, one); }}",
                        vector(kinds_of_sums[0], 1),
                        given.join(", ")
                    );
                    continue;
                }
                let sums = (0..kinds_of_sums.len()).map(|i| format!("s{i}_{r}_{c}"));
                let mut given: Vec<String> = sums.clone().collect();
                for step in 0..steps {
                    given.extend((0..left.len()).map(|i| value("a", i, step, r, tile.registers.0, left)));
                    given.extend((0..right.len()).map(|i| value("b", i, step, c, tile.registers.1, right)));
                }
                given.extend(sums.map(|sum| format!("&{sum}")));
                let _ = writeln!(text, "                {function}({});", given.join(", "));
            }
        }
        self.lines.push_str(&text);
    }

    /// The item's sums that lie within the product.
    fn store(&mut self) {
        let (key, tile) = (self.key, self.key.tile);
        let [left, right, kinds_of_sums] = self.kinds();
        let row_width = ProductTile::width(tile.registers.0, Algebra::bytes(left).0);
        let column_width = ProductTile::width(tile.registers.1, Algebra::bytes(right).0);
        let place = |at: u32, width: usize, items: u32, thread: &str| {
            let (chunk, rest) = (at as usize / width, at as usize % width);
            format!("({}u + {thread}) * {width}u + {rest}u", chunk * items as usize)
        };
        for r in 0..tile.registers.0 {
            self.line("    {");
            self.line(format!("        const ulong y = row + ({});", place(r, row_width, tile.items.0, "ty")));
            for c in (0..tile.registers.1).step_by(key.store_width) {
                let x = place(c, column_width, tile.items.1, "tx");
                self.line("        {");
                self.line(format!("            const ulong x = column + ({x});"));
                self.line("            if (y < rows && x < columns) {");
                for (i, kind) in kinds_of_sums.iter().enumerate() {
                    let sums: Vec<String> = (c..c + key.store_width as u32).map(|c| format!("s{i}_{r}_{c}")).collect();
                    let vector = vector(*kind, key.store_width);
                    let value =
                        if sums.len() == 1 { sums[0].clone() } else { format!("({vector})({})", sums.join(", ")) };
                    let to = if tile.halves { format!("(__global uint *)c{i}") } else { format!("c{i}") };
                    self.line(format!("                *(__global {vector} *)({to} + (y * columns + x)) = {value};"));
                }
                self.line("            }\n        }");
            }
            self.line("    }");
        }
    }
}
