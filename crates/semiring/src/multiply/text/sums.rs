//! Text of the sums of an item: products of what is in local memory, one or two steps at a time, and the writes of results.

use std::fmt::Write as _;

use manycore_expressions::ScalarType;

use super::super::extrema::Extrema;
use super::super::plan::ProductTile;
use super::writer::{Text, component, vector};
use crate::algebra::Algebra;

impl Text<'_> {
    /// Products of what is in local memory, `rest` of the inner index or as deep as the tile.
    pub(super) fn products(&mut self) {
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
    pub(super) fn steps(&mut self, steps: u32, extrema: Option<Extrema>) {
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
    pub(super) fn store(&mut self) {
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
