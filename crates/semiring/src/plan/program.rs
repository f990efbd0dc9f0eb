//! Programs: graphs of matrices that are given, products, operations on elements and outputs.

use super::error::PlanError;
use super::shape::{Representation, Shape};

/// A node of a program, by its place in the order of making.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub(super) usize);

impl Node {
    /// Its place in the order of making, from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// The entries that a product reads of one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sparsity {
    /// All.
    Dense,
    /// This number of entries in each row of the first operand, or in each column of the second one; a diagonal matrix has one.
    Entries(u64),
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// A matrix that is given: accesses for an entry, 0 for a constant that reads no memory, and elements that are moved to the
    /// device before.
    Given {
        /// Accesses to memory for an entry.
        access: u64,
        /// Elements that are moved.
        moved: u64,
    },
    /// A generalized product of the first operand with the second.
    Product(Sparsity),
    /// A function of entries at one place, or at places that it computes.
    Elements,
    /// A result that the user gets.
    Output,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) name: String,
    pub(super) operation: Operation,
    pub(super) operands: Vec<usize>,
    pub(super) shape: Shape,
    /// What products alone read, and it is never stored.
    pub(super) factor: Option<Representation>,
}

/// A program of generalized matrix operations. Operands are made before what reads them, so that there is no cycle.
///
/// ```
/// use manycore_semiring::plan::{Program, Shape, Sparsity};
/// let square = Shape { rows: 512, columns: 512 };
/// let mut program = Program::new();
/// let (a, b) = (program.given("A", square), program.given("B", square));
/// let product = program.product("R", a, b, Sparsity::Dense)?;
/// program.output("out", product)?;
/// assert_eq!(program.cheapest(true)?.cost(true)?.total, 2 * 512u128.pow(3) + 3 * 512 * 512);
/// # Ok::<(), manycore_semiring::PlanError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    pub(super) nodes: Vec<Made>,
}

impl Program {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, name: &str, operation: Operation, operands: &[Node], shape: Shape) -> Node {
        let operands = operands.iter().map(|operand| operand.0).collect();
        self.nodes.push(Made { name: name.to_owned(), operation, operands, shape, factor: None });
        Node(self.nodes.len() - 1)
    }

    fn operand(&self, name: &str, node: Node) -> Result<Shape, PlanError> {
        let made = self.nodes.get(node.0).ok_or_else(|| PlanError::Foreign { node: name.to_owned() })?;
        if made.operation == Operation::Output {
            return Err(PlanError::Output { node: name.to_owned() });
        }
        if made.factor.is_some() {
            return Err(PlanError::Factor { node: name.to_owned(), operand: made.name.clone() });
        }
        Ok(made.shape)
    }

    /// The operand of a product; lists are by rows in the first one and by columns in the second.
    fn factor(&self, name: &str, node: Node, lists: Representation) -> Result<Shape, PlanError> {
        match self.nodes.get(node.0) {
            Some(Made { factor: Some(factor), shape, .. }) if [Representation::Function, lists].contains(factor) => {
                Ok(*shape)
            }
            _ => self.operand(name, node),
        }
    }

    /// A matrix that products alone read, and that is never stored: a function of its places and of the product's, or lists of
    /// entries that functions make; made of the entries of others.
    ///
    /// # Errors
    /// [`PlanError::NotStored`] for a representation that is stored; [`PlanError::Foreign`], [`PlanError::Output`],
    /// [`PlanError::Factor`].
    pub fn made(
        &mut self,
        name: &str,
        representation: Representation,
        shape: Shape,
        reads: &[Node],
    ) -> Result<Node, PlanError> {
        if representation == Representation::Stored {
            return Err(PlanError::NotStored { node: name.to_owned() });
        }
        for &operand in reads {
            self.operand(name, operand)?;
        }
        let node = self.push(name, Operation::Elements, reads, shape);
        self.nodes[node.0].factor = Some(representation);
        Ok(node)
    }

    /// A dense matrix in memory, every entry of which is moved to the device.
    pub fn given(&mut self, name: &str, shape: Shape) -> Node {
        let moved = shape.rows.saturating_mul(shape.columns);
        self.given_at(name, shape, 1, moved)
    }

    /// A matrix with `access` accesses for an entry, of which `moved` elements are moved to the device: `n` of a diagonal, none of a
    /// constant.
    pub fn given_at(&mut self, name: &str, shape: Shape, access: u64, moved: u64) -> Node {
        self.push(name, Operation::Given { access, moved }, &[], shape)
    }

    /// The product of two matrices; `sparsity` gives the entries that it reads of the sparser one.
    ///
    /// # Errors
    /// [`PlanError::Shapes`] where the first has not as many columns as the second rows; [`PlanError::Foreign`],
    /// [`PlanError::Output`].
    pub fn product(&mut self, name: &str, a: Node, b: Node, sparsity: Sparsity) -> Result<Node, PlanError> {
        let left = self.factor(name, a, Representation::Rows)?;
        let right = self.factor(name, b, Representation::Columns)?;
        if left.columns != right.rows {
            return Err(PlanError::Shapes { node: name.to_owned(), left, right });
        }
        let shape = Shape { rows: left.rows, columns: right.columns };
        Ok(self.push(name, Operation::Product(sparsity), &[a, b], shape))
    }

    /// A function of the entries of matrices of one shape.
    ///
    /// # Errors
    /// [`PlanError::NoOperand`], [`PlanError::Shapes`], [`PlanError::Foreign`], [`PlanError::Output`].
    pub fn elements(&mut self, name: &str, operands: &[Node]) -> Result<Node, PlanError> {
        let first = *operands.first().ok_or_else(|| PlanError::NoOperand { node: name.to_owned() })?;
        let left = self.operand(name, first)?;
        for &operand in operands {
            let right = self.operand(name, operand)?;
            if left != right {
                return Err(PlanError::Shapes { node: name.to_owned(), left, right });
            }
        }
        Ok(self.push(name, Operation::Elements, operands, left))
    }

    /// The transpose of a matrix: a rearrangement, which counts as an operation on elements.
    ///
    /// # Errors
    /// [`PlanError::Foreign`], [`PlanError::Output`].
    pub fn transpose(&mut self, name: &str, of: Node) -> Result<Node, PlanError> {
        let Shape { rows, columns } = self.operand(name, of)?;
        Ok(self.push(name, Operation::Elements, &[of], Shape { rows: columns, columns: rows }))
    }

    /// Rows and columns of a node.
    ///
    /// # Errors
    /// [`PlanError::Foreign`] for a node of another program.
    pub fn shape(&self, node: Node) -> Result<Shape, PlanError> {
        let name = || format!("node {}", node.0);
        self.nodes.get(node.0).map(|made| made.shape).ok_or_else(|| PlanError::Foreign { node: name() })
    }

    /// A result that the user gets.
    ///
    /// # Errors
    /// [`PlanError::Foreign`], [`PlanError::Output`].
    pub fn output(&mut self, name: &str, of: Node) -> Result<Node, PlanError> {
        let shape = self.operand(name, of)?;
        Ok(self.push(name, Operation::Output, &[of], shape))
    }

    /// The nodes in the order of making.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + use<> {
        (0..self.nodes.len()).map(Node)
    }

    /// A node's name.
    pub fn name(&self, node: Node) -> &str {
        &self.nodes[node.0].name
    }

    /// What a node is.
    pub fn operation(&self, node: Node) -> &Operation {
        &self.nodes[node.0].operation
    }

    /// The nodes that it reads.
    pub fn operands(&self, node: Node) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.nodes[node.0].operands.iter().map(|&operand| Node(operand))
    }

    /// What each node's result may be kept as.
    pub(crate) fn allowed(&self) -> Vec<&'static [Representation]> {
        use Representation::{Columns, Function, Rows, Stored};
        // Of each node whether a function reads it, which is of what is in memory, and whether an output does.
        let (mut is_table, mut is_read_out) = (vec![false; self.nodes.len()], vec![false; self.nodes.len()]);
        for node in &self.nodes {
            for &operand in &node.operands {
                is_table[operand] |= node.factor.is_some();
                is_read_out[operand] |= node.operation == Operation::Output;
            }
        }
        let of = |(at, node): (usize, &Made)| -> &'static [Representation] {
            match (node.factor, &node.operation) {
                (Some(Function), _) => &[Function],
                (Some(Rows), _) => &[Rows],
                (Some(Columns), _) => &[Columns],
                _ if is_table[at] => &[Stored],
                (_, Operation::Given { .. } | Operation::Output) => &[Stored],
                (_, Operation::Product(_)) if is_read_out[at] => &[Stored],
                (_, Operation::Product(_)) => &[Stored, Function],
                (_, Operation::Elements) => &[Stored, Function, Rows, Columns],
            }
        };
        self.nodes.iter().enumerate().map(of).collect()
    }

    /// What a matrix that products alone read is, which no plan chooses.
    pub(crate) fn fixed(&self, at: usize) -> Option<Representation> {
        self.nodes[at].factor
    }
}
