//! Text of the kernel of a generalized product: tiles of both factors in local memory, sums in registers (Volkov and Demmel,
//! "Benchmarking GPUs to tune dense linear algebra", 2008), the operations those of a semiring.
//!
//! ```text
//!            right: depth x columns of the tile       a group makes rows x columns of the tile, an item
//!                  |                                  of it registers.0 x registers.1: chunks of up to 16
//!   left  ---->  sums                                 bytes, so that neighbours read neighbouring chunks
//! ```
//!
//! Reads outside of a factor are clamped to its last place, and their sums are not written; the inner index ends with the factors. So no
//! padding value is needed, and results are right for all values of a type. Sums run in the order of the inner index.
//!
//! | file | what |
//! |---|---|
//! | `key` | the key of the text |
//! | `writer` | the text as it grows, and what is asked of the product |
//! | `fill` | parts of the factors into local memory |
//! | `sums` | the sums of an item, and their writes |

mod fill;
mod key;
mod sums;
mod writer;

use std::fmt::Write as _;

use manycore_device::{Param, Passing, WordType};
use manycore_expressions::generated::Arguments;

use super::assembly::Halves;
use crate::operand::Form;
pub(crate) use key::KernelKey;
use writer::{Text, vector};

/// The text of a kernel, and its arguments.
pub(crate) fn kernel(key: &KernelKey) -> (String, Vec<Param>) {
    Text { key, lines: String::new(), arguments: Arguments::default() }.write()
}

impl Text<'_> {
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
}
