//! Text that brings parts of both factors into local memory, by way of registers.

use std::fmt::Write as _;

use super::super::extrema::Extrema;
use super::writer::{Text, component, vector, vector_of};
use crate::operand::Form;

impl Text<'_> {
    /// Reads of both factors, from the inner index `first` on, into registers.
    pub(super) fn read(&self, first: &str) -> String {
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
    pub(super) fn keep(&self, stage: &str) -> String {
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
}
