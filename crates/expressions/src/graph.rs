//! The graph of a function: each operation once, after those that it takes.

use std::collections::HashMap;

use crate::scalar::ScalarType;

/// The place of an operation in its graph.
pub(crate) type Id = u32;

/// An operation on one value; the result has the value's type unless a variant names another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Unary {
    /// 0 - x, modulo 2^bits of integers.
    Negate,
    /// Of bits, or of a truth value.
    Not,
    Absolute,
    Floor,
    Ceiling,
    Truncate,
    /// To the nearest integer, halves to the even one.
    Round,
    SquareRoot,
    /// The number of ones.
    Ones,
    LeadingZeros,
    TrailingZeros,
    /// To the type of the result: integers modulo 2^bits, numbers to integers towards 0 and to the nearest that there is.
    Convert,
    /// The bits as another type of equal size.
    Reinterpret,
}

/// An operation of two values of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    /// By 0: 0 for integers.
    Divide,
    /// By 0: the dividend for integers.
    Remainder,
    /// The second where it is less, else the first.
    Minimum,
    /// The second where it is greater, else the first.
    Maximum,
    AddSaturating,
    SubtractSaturating,
    /// The upper half of the product.
    MultiplyHigh,
    And,
    Or,
    Xor,
    /// By the second modulo the bits.
    ShiftLeft,
    /// By the second modulo the bits; signed integers keep their sign.
    ShiftRight,
    Equal,
    Less,
    LessOrEqual,
}

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    /// An argument, by its number.
    Input(u16),
    /// A number, by its bits.
    Constant(u64),
    Unary(Unary, Id),
    Binary(Binary, Id, Id),
    /// The second where the first is true, else the third.
    Select(Id, Id, Id),
    /// The first times the second plus the third, rounded once.
    Fused(Id, Id, Id),
    /// The word of a table, by its number, at an index; the last word for those past the end, 0 for none.
    Read(u16, Id),
    /// The first node, which devices compute by a text of OpenCL C whose arguments are the given number of the other nodes.
    Snippet(&'static str, Id, [Id; 3], u8),
}

impl Op {
    /// The operations that it takes.
    pub(crate) fn operands(&self) -> impl Iterator<Item = Id> + use<> {
        let (all, count) = match *self {
            Self::Input(_) | Self::Constant(_) => ([0; 4], 0),
            Self::Unary(_, a) | Self::Read(_, a) => ([a, 0, 0, 0], 1),
            Self::Binary(_, a, b) => ([a, b, 0, 0], 2),
            Self::Select(a, b, c) | Self::Fused(a, b, c) => ([a, b, c, 0], 3),
            Self::Snippet(_, twin, [a, b, c], _) => ([twin, a, b, c], 4),
        };
        all.into_iter().take(count)
    }
}

/// An operation and the type of its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Node {
    pub(crate) op: Op,
    pub(crate) kind: ScalarType,
}

/// A node, or one that is there.
enum Simpler {
    Node(Node),
    Known(Id),
}

/// A graph that grows; what was asked for before is not made again.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    known: HashMap<Node, Id>,
}

impl Graph {
    pub(crate) fn push(&mut self, op: Op, kind: ScalarType) -> Id {
        let node = match self.simpler(op, kind) {
            Simpler::Known(id) => return id,
            Simpler::Node(node) => node,
        };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as Id - 1
        })
    }

    /// What comparisons of an integer with itself, choices without one, and truth values with constants are.
    fn simpler(&self, op: Op, kind: ScalarType) -> Simpler {
        let node = |id: Id| self.nodes.get(id as usize);
        let truth = |id: Id| match node(id) {
            Some(&Node { op: Op::Constant(bits), kind: ScalarType::Bool }) => Some(bits != 0),
            _ => None,
        };
        let constant = |truth: bool| Simpler::Node(Node { op: Op::Constant(truth.into()), kind: ScalarType::Bool });
        match op {
            // A NaN is unequal to every value, so equal nodes decide nothing for floating-point types.
            Op::Binary(comparison @ (Binary::Equal | Binary::Less | Binary::LessOrEqual), a, b)
                if a == b && node(a).is_some_and(|of| !of.kind.is_floating()) =>
            {
                constant(comparison != Binary::Less)
            }
            Op::Select(_, yes, no) if yes == no => Simpler::Known(yes),
            Op::Select(condition, yes, no) => match truth(condition) {
                Some(holds) => Simpler::Known(if holds { yes } else { no }),
                None => Simpler::Node(Node { op, kind }),
            },
            Op::Binary(Binary::And, a, b) if kind == ScalarType::Bool => match (truth(a), truth(b)) {
                (Some(false), _) | (_, Some(false)) => constant(false),
                (Some(true), _) => Simpler::Known(b),
                (_, Some(true)) => Simpler::Known(a),
                _ => Simpler::Node(Node { op, kind }),
            },
            Op::Binary(Binary::Or, a, b) if kind == ScalarType::Bool => match (truth(a), truth(b)) {
                (Some(true), _) | (_, Some(true)) => constant(true),
                (Some(false), _) => Simpler::Known(b),
                (_, Some(false)) => Simpler::Known(a),
                _ => Simpler::Node(Node { op, kind }),
            },
            _ => Simpler::Node(Node { op, kind }),
        }
    }

    /// The nodes that these outputs need, in order, and the outputs' new places.
    pub(crate) fn reached(&self, outputs: &[Id]) -> (Vec<Node>, Vec<Id>) {
        let mut needed = vec![false; self.nodes.len()];
        for &output in outputs {
            needed[output as usize] = true;
        }
        // Operations stand after those that they take.
        for (at, node) in self.nodes.iter().enumerate().rev() {
            if needed[at] {
                node.op.operands().for_each(|operand| needed[operand as usize] = true);
            }
        }
        let mut places = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|&(at, _)| needed[at]) {
            let place = |id: Id| places[id as usize];
            let op = match node.op {
                Op::Unary(unary, a) => Op::Unary(unary, place(a)),
                Op::Binary(binary, a, b) => Op::Binary(binary, place(a), place(b)),
                Op::Select(a, b, c) => Op::Select(place(a), place(b), place(c)),
                Op::Fused(a, b, c) => Op::Fused(place(a), place(b), place(c)),
                Op::Read(table, a) => Op::Read(table, place(a)),
                Op::Snippet(text, twin, of, count) => Op::Snippet(text, place(twin), of.map(place), count),
                op @ (Op::Input(_) | Op::Constant(_)) => op,
            };
            places[at] = nodes.len() as Id;
            nodes.push(Node { op, kind: node.kind });
        }
        (nodes, outputs.iter().map(|&output| places[output as usize]).collect())
    }
}
