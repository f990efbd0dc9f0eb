//! Functions as OpenCL C: the same bits as on the host, whatever the compiler may do with plain operators.

use std::fmt::Write;

use manycore_device::WordType;

use crate::graph::{Binary, Id, Node, Op, Unary};
use crate::program::Program;
use crate::scalar::ScalarType;

impl Program {
    /// The directives that stand before the functions of a text: products and sums are rounded one by one.
    pub fn opencl_head(&self) -> String {
        let fp64 = if self.needs_fp64() { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" };
        format!("{fp64}#pragma OPENCL FP_CONTRACT OFF\n")
    }

    /// Itself as an inline function of OpenCL C: arguments by value, then each table with its length, then the places of the
    /// results. Truth values are bytes there.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// let sum = Function::<(u32, u32), u32>::new(|(a, b): (Value<u32>, Value<u32>)| a + b)?;
    /// let text = "inline void sum(const uint a0, const uint a1, uint *r0)\n{\n    const uint v2 = a0 + a1;\n    *r0 = v2;\n}\n";
    /// assert_eq!(sum.program().opencl("sum"), text);
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    pub fn opencl(&self, name: &str) -> String {
        let inputs = (0..).zip(self.inputs()).map(|(i, &kind): (usize, _)| format!("const {} a{i}", memory_name(kind)));
        let tables = (0..).zip(self.tables()).map(|(i, &kind): (usize, _)| {
            format!("__global const {} *restrict t{i}, const ulong t{i}_len", memory_name(kind))
        });
        let outputs = (0..).zip(self.outputs()).map(|(i, kind): (usize, _)| format!("{} *r{i}", memory_name(kind)));
        let arguments: Vec<String> = inputs.chain(tables).chain(outputs).collect();
        let mut text = format!("inline void {name}({})\n{{\n", arguments.join(", "));
        let mut names: Vec<String> = Vec::with_capacity(self.nodes().len());
        for (id, node) in self.nodes().iter().enumerate() {
            let value = expression(node, self.nodes(), &names);
            // What is no operation needs no name.
            if let Op::Input(_) | Op::Constant(_) = node.op {
                names.push(value);
                continue;
            }
            let _ = writeln!(text, "    const {} v{id} = {value};", node.kind.opencl_name());
            names.push(format!("v{id}"));
        }
        for (i, (&id, kind)) in self.output_ids().iter().zip(self.outputs()).enumerate() {
            let value = &names[id as usize];
            let value = if kind == ScalarType::Bool { format!("{value} ? 1 : 0") } else { value.clone() };
            let _ = writeln!(text, "    *r{i} = {value};");
        }
        text + "}\n"
    }
}

impl ScalarType {
    /// A value of exactly these bits ([`Scalar::to_bits`](crate::Scalar::to_bits)) as OpenCL C, of the type that it has in memory.
    ///
    /// ```
    /// use manycore_expressions::Scalar as _;
    /// assert_eq!(u32::SCALAR.opencl_constant(7), "7u");
    /// assert_eq!(bool::SCALAR.opencl_constant(1), "as_uchar((uchar)1u)");
    /// ```
    pub fn opencl_constant(self, bits: u64) -> String {
        constant(Self::Word(self.memory()), bits)
    }
}

/// The type in memory.
pub(crate) fn memory_name(kind: ScalarType) -> &'static str {
    kind.memory().opencl_name()
}

/// The unsigned type of `bits` bits.
fn unsigned(bits: u32) -> &'static str {
    match bits {
        8 => "uchar",
        16 => "ushort",
        32 => "uint",
        _ => "ulong",
    }
}

fn expression(node: &Node, nodes: &[Node], names: &[String]) -> String {
    let (kind, of) = (node.kind, |id: Id| names[id as usize].as_str());
    match node.op {
        Op::Input(number) if kind == ScalarType::Bool => format!("(a{number} != 0)"),
        Op::Input(number) => format!("a{number}"),
        Op::Constant(bits) => constant(kind, bits),
        Op::Unary(unary, a) => one(unary, nodes[a as usize].kind, kind, of(a)),
        Op::Binary(binary, a, b) => two(binary, nodes[a as usize].kind, of(a), of(b)),
        Op::Select(condition, a, b) => format!("{} ? {} : {}", of(condition), of(a), of(b)),
        Op::Fused(a, b, c) => format!("fma({}, {}, {})", of(a), of(b), of(c)),
        Op::Snippet(text, _, arguments, count) => snippet(text, &arguments.map(of)[..usize::from(count)]),
        Op::Read(table, a) => {
            let zero = format!("({})0", memory_name(kind));
            format!("t{table}_len == 0ul ? {zero} : t{table}[min({}, t{table}_len - 1ul)]", of(a))
        }
    }
}

/// The expression of these arguments.
fn snippet(text: &str, arguments: &[&str]) -> String {
    let mut all = text.to_owned();
    for (number, argument) in arguments.iter().enumerate() {
        all = all.replace(&format!("{{{number}}}"), argument);
    }
    all
}

/// A number of exactly these bits.
fn constant(kind: ScalarType, bits: u64) -> String {
    match kind {
        ScalarType::Bool => if bits == 0 { "false" } else { "true" }.to_owned(),
        ScalarType::Word(WordType::F32) => format!("as_float({bits:#x}u)"),
        ScalarType::Word(WordType::F64) => format!("as_double({bits:#x}ul)"),
        ScalarType::Word(WordType::U32) => format!("{bits}u"),
        ScalarType::Word(WordType::U64) => format!("{bits}ul"),
        ScalarType::Word(word) => {
            let suffix = if kind.bits() == 64 { "ul" } else { "u" };
            format!("as_{}(({}){bits}{suffix})", word.opencl_name(), unsigned(kind.bits()))
        }
    }
}

fn one(unary: Unary, from: ScalarType, result: ScalarType, x: &str) -> String {
    let (name, bits) = (from.opencl_name(), from.bits());
    match unary {
        Unary::Negate if from.is_floating() => format!("-{x}"),
        Unary::Negate => modular(from, "-", &constant(from, 0), x),
        Unary::Not if from == ScalarType::Bool => format!("!{x}"),
        Unary::Not => format!("({name})~{x}"),
        Unary::Absolute if from.is_floating() => format!("fabs({x})"),
        Unary::Absolute if from.is_signed() => {
            format!("{x} < 0 ? {} : {x}", modular(from, "-", &constant(from, 0), x))
        }
        Unary::Absolute => x.to_owned(),
        Unary::Floor => format!("floor({x})"),
        Unary::Ceiling => format!("ceil({x})"),
        Unary::Truncate => format!("trunc({x})"),
        Unary::Round => format!("rint({x})"),
        // A double's root rounded again is the single's: 53 bits are more than 2 * 24 + 1.
        Unary::SquareRoot if bits == 32 => format!("(float)sqrt((double){x})"),
        Unary::SquareRoot => format!("sqrt({x})"),
        Unary::Ones => format!("popcount({x})"),
        Unary::LeadingZeros => format!("clz({x})"),
        Unary::TrailingZeros => {
            let plain = unsigned(bits);
            let low = format!("({plain})(~as_{plain}({x}) & ({plain})(as_{plain}({x}) - 1))");
            format!("as_{name}(popcount({low}))")
        }
        Unary::Convert => converted(from, result, x),
        Unary::Reinterpret => format!("as_{}({x})", result.opencl_name()),
    }
}

fn converted(from: ScalarType, result: ScalarType, x: &str) -> String {
    let name = result.opencl_name();
    if from == ScalarType::Bool {
        return format!("{x} ? {} : {}", constant(result, one_of(result)), constant(result, 0));
    }
    match (from.is_floating(), result.is_floating()) {
        _ if from == result => x.to_owned(),
        // What is no number becomes 0.
        (true, false) => format!("{x} != {x} ? ({name})0 : convert_{name}_sat_rtz({x})"),
        (_, true) => format!("convert_{name}_rte({x})"),
        (false, false) => format!("convert_{name}({x})"),
    }
}

/// The bits of 1.
fn one_of(kind: ScalarType) -> u64 {
    match kind {
        ScalarType::Word(WordType::F32) => 1f32.to_bits().into(),
        ScalarType::Word(WordType::F64) => 1f64.to_bits(),
        _ => 1,
    }
}

fn two(binary: Binary, kind: ScalarType, a: &str, b: &str) -> String {
    let (name, bits, floating) = (kind.opencl_name(), kind.bits(), kind.is_floating());
    let plain = |operator: &str| format!("{a} {operator} {b}");
    match binary {
        Binary::Add if floating => plain("+"),
        Binary::Subtract if floating => plain("-"),
        Binary::Multiply if floating => plain("*"),
        Binary::Add => modular(kind, "+", a, b),
        Binary::Subtract => modular(kind, "-", a, b),
        Binary::Multiply => modular(kind, "*", a, b),
        // A double's quotient rounded again is the single's.
        Binary::Divide if floating && bits == 32 => format!("(float)((double){a} / (double){b})"),
        Binary::Divide if floating => plain("/"),
        Binary::Remainder if floating => format!("fmod({a}, {b})"),
        Binary::Divide if kind.is_signed() => {
            let negated = modular(kind, "-", &constant(kind, 0), a);
            format!("{b} == 0 ? ({name})0 : ({b} == -1 ? {negated} : ({name})({a} / {b}))")
        }
        Binary::Divide => format!("{b} == 0 ? ({name})0 : ({name})({a} / {b})"),
        Binary::Remainder if kind.is_signed() => {
            format!("{b} == 0 ? {a} : ({b} == -1 ? ({name})0 : ({name})({a} % {b}))")
        }
        Binary::Remainder => format!("{b} == 0 ? {a} : ({name})({a} % {b})"),
        Binary::Minimum => format!("{b} < {a} ? {b} : {a}"),
        Binary::Maximum => format!("{b} > {a} ? {b} : {a}"),
        Binary::AddSaturating => format!("add_sat({a}, {b})"),
        Binary::SubtractSaturating => format!("sub_sat({a}, {b})"),
        Binary::MultiplyHigh => format!("mul_hi({a}, {b})"),
        Binary::And => bitwise(kind, "&", a, b),
        Binary::Or => bitwise(kind, "|", a, b),
        Binary::Xor => bitwise(kind, "^", a, b),
        Binary::ShiftLeft => {
            let (wide, short) = (unsigned(bits.max(32)), unsigned(bits));
            let amount = if bits == 64 { format!("({b} & 63)") } else { format!("({b} & {})", bits - 1) };
            format!("as_{name}(({short})(({wide})as_{short}({a}) << {amount}))")
        }
        Binary::ShiftRight => format!("({name})({a} >> ({b} & {}))", bits - 1),
        Binary::Equal => plain("=="),
        Binary::Less => plain("<"),
        Binary::LessOrEqual => plain("<="),
    }
}

/// A sum, difference or product of integers modulo 2^bits: in unsigned words of 32 bits at least, since signed ones may not
/// overflow and shorter ones are made signed.
fn modular(kind: ScalarType, operator: &str, a: &str, b: &str) -> String {
    let (name, short, wide) = (kind.opencl_name(), unsigned(kind.bits()), unsigned(kind.bits().max(32)));
    if name == wide {
        return format!("{a} {operator} {b}");
    }
    format!("as_{name}(({short})(({wide})as_{short}({a}) {operator} ({wide})as_{short}({b})))")
}

fn bitwise(kind: ScalarType, operator: &str, a: &str, b: &str) -> String {
    match (kind, operator) {
        (ScalarType::Bool, "&") => format!("{a} && {b}"),
        (ScalarType::Bool, "|") => format!("{a} || {b}"),
        (ScalarType::Bool, _) => format!("{a} != {b}"),
        _ => format!("({})({a} {operator} {b})", kind.opencl_name()),
    }
}
