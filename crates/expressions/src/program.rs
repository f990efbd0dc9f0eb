//! A function without its types: operations in order, each with the register that its result is kept in.

use manycore_device::WordType;

use crate::graph::{Binary, Id, Node, Op, Unary};
use crate::scalar::ScalarType;
use crate::value::{Record, TRUTH};

/// Where an operation's result is kept on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the argument's own memory.
    Input(u16),
    /// In a register of a block of values.
    Register(u16),
}

/// A function without its types.
#[derive(Debug)]
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
        let tables = record.tables.iter().map(|kind| kind.unwrap_or(ScalarType::Word(TRUTH))).collect();
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

    /// The number of operations a call takes: all but arguments and constants.
    pub fn operations(&self) -> usize {
        self.nodes.iter().filter(|node| !matches!(node.op, Op::Input(_) | Op::Constant(_))).count()
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
