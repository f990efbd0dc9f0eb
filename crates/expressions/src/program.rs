//! A function without its types: operations in order, each with the register that its result is kept in.

use manycore_device::WordType;

use crate::error::ExpressionError;
use crate::graph::{Binary, Id, Node, Op, Unary};
use crate::record::{Record, Untyped, push, record, replay};
use crate::scalar::ScalarType;

/// Where an operation's result is kept on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// In the argument's own memory.
    Input(u16),
    /// In a register of a block of values.
    Register(u16),
    /// In the memory of a result that is this operation's alone, and that no other operation takes.
    Output(u16),
}

/// Operations by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// On integers of 32 bits and less; sums and their like of 64 bits are two.
    pub int32: u64,
    /// Products and quotients of integers of 64 bits.
    pub int64: u64,
    /// In single precision.
    pub f32: u64,
    /// In double precision.
    pub f64: u64,
}

/// A function without its types. Programs are equal where they do the same operations in the same order.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Program {
    inputs: Vec<ScalarType>,
    outputs: Vec<Id>,
    tables: Vec<ScalarType>,
    nodes: Vec<Node>,
    places: Vec<Place>,
    registers: usize,
}

impl Program {
    pub(crate) fn new(inputs: Vec<ScalarType>, record: &Record, outputs: &[Id]) -> Self {
        let (nodes, outputs) = record.graph.reached(outputs);
        // A table that is not read may hold anything: bytes.
        let tables = record.tables.iter().map(|kind| kind.unwrap_or(ScalarType::Word(WordType::U8))).collect();
        let (places, registers) = registers(&nodes, &outputs);
        Self { inputs, outputs, tables, nodes, places, registers }
    }

    /// The types of its arguments.
    pub fn inputs(&self) -> &[ScalarType] {
        &self.inputs
    }

    /// The types of its results.
    pub fn outputs(&self) -> impl ExactSizeIterator<Item = ScalarType> + '_ {
        self.outputs.iter().map(|&output| self.nodes[output as usize].kind)
    }

    /// The types of the tables that it reads.
    pub fn tables(&self) -> &[ScalarType] {
        &self.tables
    }

    /// Whether it reads the table of this number; one that it does not read may hold anything.
    pub fn reads_table(&self, number: u16) -> bool {
        self.nodes.iter().any(|node| matches!(node.op, Op::Read(table, _) if table == number))
    }

    /// The program whose tables have other numbers: number `i` becomes `numbers[i]`, and two of one type may become one. Past the
    /// end of `numbers` a table keeps its number. The last table of the new program is read.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type V = Value<u64>;
    /// let sum = Function::<u64, i32>::new(|i: V| i.read::<i32>(1) + i.read::<i32>(4))?;
    /// assert_eq!(sum.program().with_tables(&[0, 0, 0, 0, 1])?.tables().len(), 2);
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    ///
    /// # Errors
    /// [`ExpressionError::Table`] where tables of different types become one.
    pub fn with_tables(&self, numbers: &[u16]) -> Result<Self, ExpressionError> {
        let mut outputs = Vec::new();
        let record = record(&mut || {
            let arguments: Vec<Untyped> =
                (0u16..).zip(&self.inputs).map(|(number, &kind)| push(Op::Input(number), kind, &[])).collect();
            let number = |table: u16| numbers.get(usize::from(table)).copied().unwrap_or(table);
            outputs = replay(&self.nodes, &arguments, &self.outputs, &number);
        });
        checked(self.inputs.clone(), &record, &outputs)
    }

    /// Bytes of the words of tables that a call reads.
    pub fn read_bytes(&self) -> u64 {
        let reads = self.nodes.iter().filter(|node| matches!(node.op, Op::Read(..)));
        reads.map(|node| node.kind.memory().bytes() as u64).sum()
    }

    /// The number of operations a call takes: all but arguments and constants.
    pub fn operations(&self) -> usize {
        self.nodes.iter().filter(|node| !matches!(node.op, Op::Input(_) | Op::Constant(_))).count()
    }

    /// The operations of a call by kind, counted as they occur in the text.
    pub fn counts(&self) -> Counts {
        self.counts_without(&vec![false; self.nodes.len()])
    }

    /// The operations of a call by kind on devices that do two of 32-bit integers as one where nothing else takes the first: a
    /// product and a sum, a sum and an extremum, an extremum of three, two bitwise operations. NVIDIA's GPUs of compute capability
    /// 9.0 do.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type V = Value<i32>;
    /// let step = Function::<(i32, i32, i32), i32>::new(|(s, a, b): (V, V, V)| s.max(a + b))?;
    /// assert_eq!((step.program().counts().int32, step.program().counts_in_pairs().int32), (2, 1));
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    pub fn counts_in_pairs(&self) -> Counts {
        let mut uses = vec![0usize; self.nodes.len()];
        let outputs = self.outputs.iter().copied();
        for id in self.nodes.iter().flat_map(|node| node.op.operands()).chain(outputs) {
            uses[id as usize] += 1;
        }
        let mut is_part = vec![false; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let (Op::Binary(second, ..), false) = (node.op, is_part[at]) else { continue };
            let first = node.op.operands().find(|&id| {
                let Node { op: Op::Binary(first, ..), kind } = self.nodes[id as usize] else { return false };
                let is_word = matches!(kind, ScalarType::Word(WordType::I32 | WordType::U32));
                is_word && uses[id as usize] == 1 && is_pair(first, second)
            });
            if let Some(first) = first {
                is_part[first as usize] = true;
            }
        }
        self.counts_without(&is_part)
    }

    fn counts_without(&self, left_out: &[bool]) -> Counts {
        let mut counts = Counts::default();
        for (node, _) in self.nodes.iter().zip(left_out).filter(|(_, left_out)| !**left_out) {
            // The operands have the type that a comparison or conversion works on.
            let kind = node.op.operands().last().map_or(node.kind, |operand| self.nodes[operand as usize].kind);
            match (node.op, kind) {
                (Op::Input(_) | Op::Constant(_), _) => {}
                (_, ScalarType::Word(WordType::F32)) => counts.f32 += 1,
                (_, ScalarType::Word(WordType::F64)) => counts.f64 += 1,
                (
                    Op::Binary(Binary::Multiply | Binary::Divide | Binary::Remainder | Binary::MultiplyHigh, ..),
                    ScalarType::Word(WordType::U64 | WordType::I64),
                ) => counts.int64 += 1,
                (_, ScalarType::Word(WordType::U64 | WordType::I64)) => counts.int32 += 2,
                _ => counts.int32 += 1,
            }
        }
        counts
    }

    /// Whether it is, scalar by scalar, a sum of two elements that is associative and commutative without rounding: of integers
    /// a sum or product modulo 2^bits, a minimum or a maximum, of bits and truth values a bitwise operation. By its form, not by
    /// trials: other programs may have the laws, too.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type V = Value<i32>;
    /// let exact = |sum: fn((V, V)) -> V| Function::<(i32, i32), i32>::new(sum).map(|sum| sum.program().is_exact_sum());
    /// assert!(exact(|(a, b)| a.max(b))?);
    /// assert!(!exact(|(a, b)| a - b)?);
    /// assert!(!exact(|(a, b)| a.equals(0).select(b, a))?);
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    pub fn is_exact_sum(&self) -> bool {
        let half = self.outputs.len();
        self.inputs.len() == 2 * half
            && self.outputs.iter().enumerate().all(|(at, &output)| {
                let Node { op: Op::Binary(binary, a, b), kind } = self.nodes[output as usize] else { return false };
                let exact = match kind {
                    ScalarType::Bool => matches!(binary, Binary::And | Binary::Or | Binary::Xor),
                    _ if kind.is_floating() => false,
                    ScalarType::Word(_) => matches!(
                        binary,
                        Binary::Add
                            | Binary::Multiply
                            | Binary::Minimum
                            | Binary::Maximum
                            | Binary::And
                            | Binary::Or
                            | Binary::Xor
                    ),
                };
                let input = |id: Id| match self.nodes[id as usize].op {
                    Op::Input(number) => Some(usize::from(number)),
                    _ => None,
                };
                let operands = (input(a), input(b));
                exact && (operands == (Some(at), Some(at + half)) || operands == (Some(at + half), Some(at)))
            })
    }

    /// Whether an integer of it may be right only modulo 2^bits: sums, differences, products, negatives, absolute values and shifts to the
    /// left of integers, and conversions to integers of another type. By its form, not by ranges.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// type V = Value<i32>;
    /// assert!(Function::<(i32, i32), i32>::new(|(a, b): (V, V)| a + b)?.program().may_wrap());
    /// assert!(!Function::<(i32, i32), i32>::new(|(a, b): (V, V)| a.max(b))?.program().may_wrap());
    /// assert!(!Function::<(i32, i32), i32>::new(|(a, b): (V, V)| a.saturating_add(b))?.program().may_wrap());
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    pub fn may_wrap(&self) -> bool {
        let is_integer = |kind: ScalarType| !kind.is_floating() && kind != ScalarType::Bool;
        let converts = |from: Id, to: ScalarType| {
            let from = self.nodes[from as usize].kind;
            is_integer(from) && from != to
        };
        self.nodes.iter().filter(|node| is_integer(node.kind)).any(|node| match node.op {
            Op::Binary(binary, ..) => {
                matches!(binary, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::ShiftLeft)
            }
            Op::Unary(Unary::Negate | Unary::Absolute, _) | Op::Fused(..) => true,
            Op::Unary(Unary::Convert, from) => converts(from, node.kind),
            _ => false,
        })
    }

    /// Whether it is the maximum (`true`) or the minimum of its two arguments, the first where they are the same, and their type.
    ///
    /// ```
    /// use manycore_expressions::{Function, Value};
    /// let most = Function::<(i64, i64), i64>::new(|(a, b): (Value<i64>, Value<i64>)| a.max(b))?;
    /// assert_eq!(most.program().extremum().map(|(is_maximum, _)| is_maximum), Some(true));
    /// # Ok::<(), manycore_expressions::ExpressionError>(())
    /// ```
    pub fn extremum(&self) -> Option<(bool, ScalarType)> {
        let [output] = self.outputs[..] else { return None };
        let Node { op: Op::Binary(binary @ (Binary::Maximum | Binary::Minimum), a, b), kind } =
            self.nodes[output as usize]
        else {
            return None;
        };
        let number = |id: Id| match self.nodes[id as usize].op {
            Op::Input(number) => Some(number),
            _ => None,
        };
        let is_of_both = self.inputs.len() == 2 && (number(a), number(b)) == (Some(0), Some(1));
        is_of_both.then_some((binary == Binary::Maximum, kind))
    }

    /// Whether a device needs double precision for it: for `f64`, and for quotients and square roots of `f32`, which are
    /// rounded once.
    pub fn needs_fp64(&self) -> bool {
        let single = ScalarType::Word(WordType::F32);
        self.nodes.iter().any(|node| {
            let is_rounded_twice = matches!(node.op, Op::Binary(Binary::Divide, ..) | Op::Unary(Unary::SquareRoot, _));
            node.kind == ScalarType::Word(WordType::F64) || (is_rounded_twice && node.kind == single)
        })
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(crate) fn output_ids(&self) -> &[Id] {
        &self.outputs
    }

    pub(crate) fn place(&self, id: Id) -> Place {
        self.places[id as usize]
    }

    pub(crate) fn registers(&self) -> usize {
        self.registers
    }
}

/// The program of a record, whose results are these values.
pub(crate) fn checked(
    inputs: Vec<ScalarType>,
    record: &Record,
    outputs: &[Untyped],
) -> Result<Program, ExpressionError> {
    if record.is_mixed || !outputs.iter().all(|output| output.is_of(record)) {
        return Err(ExpressionError::Foreign);
    }
    if let Some((number, second)) = record.mixed_table {
        let first = record.tables[number].map_or("nothing", |kind| kind.name());
        return Err(ExpressionError::Table { number, first, second: second.name() });
    }
    if let Some(text) = record.wrong_text {
        return Err(ExpressionError::Snippet { text });
    }
    let outputs: Vec<_> = outputs.iter().map(|output| output.id).collect();
    Ok(Program::new(inputs, record, &outputs))
}

/// Whether a device does both as one.
fn is_pair(first: Binary, second: Binary) -> bool {
    let is_bitwise = |binary| matches!(binary, Binary::And | Binary::Or | Binary::Xor);
    let is_extremum = |binary| matches!(binary, Binary::Minimum | Binary::Maximum);
    match first {
        Binary::Multiply => matches!(second, Binary::Add | Binary::Subtract),
        Binary::Add => is_extremum(second),
        Binary::Minimum | Binary::Maximum => first == second,
        _ => is_bitwise(first) && is_bitwise(second),
    }
}

/// A register for each result but arguments, free again after its last use; outputs keep theirs, and constants, which are
/// written once for all blocks, have theirs alone.
fn registers(nodes: &[Node], outputs: &[Id]) -> (Vec<Place>, usize) {
    let mut last = vec![0; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        node.op.operands().for_each(|operand| last[operand as usize] = at);
    }
    for &output in outputs {
        last[output as usize] = usize::MAX;
    }
    let mut is_taken = vec![false; nodes.len()];
    for operand in nodes.iter().flat_map(|node| node.op.operands()) {
        is_taken[operand as usize] = true;
    }
    // The number of the result that an operation alone makes and no other takes.
    let result = |at: usize| {
        let mut of = (0u16..).zip(outputs).filter(|(_, output)| **output as usize == at);
        let (first, second) = (of.next(), of.next());
        if is_taken[at] || second.is_some() { None } else { first.map(|(number, _)| number) }
    };
    let (mut places, mut free, mut count) = (Vec::with_capacity(nodes.len()), Vec::new(), 0u16);
    let mut new = || {
        count += 1;
        count - 1
    };
    for (at, node) in nodes.iter().enumerate() {
        places.push(match (node.op, node.kind) {
            // Truth values from memory are brought to 0 or 1 in a register.
            (Op::Input(number), ScalarType::Word(_)) => Place::Input(number),
            (Op::Constant(_), _) => Place::Register(new()),
            _ if result(at).is_some() => Place::Output(result(at).unwrap_or_default()),
            // Before the operands' registers are free: no operation writes over what it reads.
            _ => Place::Register(free.pop().unwrap_or_else(&mut new)),
        });
        let mut operands: Vec<Id> = node.op.operands().collect();
        operands.sort_unstable();
        operands.dedup();
        for operand in operands.into_iter().map(|operand| operand as usize) {
            let is_kept = matches!(nodes[operand].op, Op::Constant(_)) || last[operand] != at;
            if let (Place::Register(register), false) = (places[operand], is_kept) {
                free.push(register);
            }
        }
    }
    (places, count.into())
}

#[cfg(test)]
mod tests {
    use crate::{Function, Value};

    type V = Value<i32>;

    fn counts(step: impl FnOnce((V, V, V)) -> V) -> (u64, u64) {
        let step = Function::<(i32, i32, i32), i32>::new(step).unwrap();
        (step.program().counts().int32, step.program().counts_in_pairs().int32)
    }

    #[test]
    fn two_operations_are_one_where_nothing_else_takes_the_first() {
        assert_eq!(counts(|(s, a, b)| s.max(a + b)), (2, 1));
        assert_eq!(counts(|(s, a, b)| s + a * b), (2, 1));
        assert_eq!(counts(|(s, a, b)| s | (a & b)), (2, 1));
        assert_eq!(counts(|(s, a, b)| s.min(a.max(b))), (2, 2));
        assert_eq!(counts(|(s, a, b)| s.max(a.max(b))), (2, 1));
        // The sum is taken twice.
        assert_eq!(counts(|(s, a, b)| s.max(a + b) ^ (a + b)), (3, 3));
        // An operation is part of one other, and has one part.
        assert_eq!(counts(|(s, a, b)| s.max((a + s).max(b + s))), (4, 3));
    }
}
