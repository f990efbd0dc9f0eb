//! The nodes of a computation: their operations, and the functions that make entries and lists of those of operands.

use std::marker::PhantomData;
use std::sync::Arc;

use manycore_expressions::{Elements, Function, Program as Expression, ScalarType, Words};

use super::given::Give;
use crate::algebra::Algebra;
use crate::error::SemiringError;
use crate::operand::{MadeLists, Operand};
use crate::plan::{Node, Program};

/// A result of a computation, with the type of its elements.
#[derive(Debug)]
pub struct Term<T> {
    pub(super) node: Node,
    elements: PhantomData<fn() -> T>,
}

impl<T> Clone for Term<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Term<T> {}

impl<T> Term<T> {
    pub(super) fn of(node: Node) -> Self {
        Self { node, elements: PhantomData }
    }

    /// Its node in [`Computation::program`].
    pub fn node(self) -> Node {
        self.node
    }
}

/// A function of column and row that is made of those of operands.
pub(super) type Compose = Arc<dyn Fn(&[Arc<Expression>]) -> Result<Arc<Expression>, SemiringError> + Send + Sync>;

/// How an entry is made of those of operands.
#[derive(Clone)]
pub(super) struct Composed {
    pub(super) compose: Compose,
    /// Entries of each operand.
    pub(super) terms: u64,
    /// Operations on the entries of each term.
    pub(super) operations: u64,
}

impl Composed {
    pub(super) fn new(
        terms: u64,
        function: Option<&Expression>,
        compose: impl Fn(&[Arc<Expression>]) -> Result<Arc<Expression>, SemiringError> + Send + Sync + 'static,
    ) -> Self {
        let operations = function.map_or(0, |function| function.operations() as u64);
        Self { compose: Arc::new(compose), terms, operations }
    }
}

/// Whether products with missing entries of the left and the right operand, by their bits, are zero.
pub(super) type LeavesOut = Arc<dyn Fn(Option<&[u64]>, Option<&[u64]>) -> Result<(), SemiringError> + Send + Sync>;

/// What a node does.
#[derive(Clone)]
pub(super) enum Bound {
    /// A matrix; `None` before it is bound.
    Given(Option<Arc<dyn Give>>),
    /// With the test whether missing entries of both operands may be left out.
    Product(Arc<Algebra>, LeavesOut),
    /// Also of rearrangements.
    Elements,
    /// What products alone read, with what its missing entries are.
    Factor(Arc<Made>, Option<Vec<u64>>),
    Output,
}

/// What is known of a node beside its place in the program.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) bound: Bound,
    /// The types of its elements' scalars.
    pub(super) kinds: Vec<ScalarType>,
    /// Its entry where it is stored: of tables, the first of which holds columns and the first row.
    pub(super) stored: Arc<Expression>,
    /// Its entry where it is computed; `None` for what is given or an output, and for products of long rows.
    pub(super) compose: Option<Composed>,
    /// Its lists, where it has any.
    pub(super) lists: Option<ComposeLists>,
    /// An entry of its type in a block of rows.
    pub(super) shift: Compose,
    /// Whether rows of it are made of other rows of its operand.
    pub(super) is_turned: bool,
}

/// A table that an entry reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    /// Columns and the first row of a node that is stored.
    Place(Node),
    /// A scalar of a node that is stored.
    Words(Node, usize),
    /// Offsets of the rows, else of the columns, of a node that is given as lists.
    Offsets(Node, bool),
    /// Indices of their entries.
    Indices(Node, bool),
    /// A scalar of their entries.
    Entry(Node, bool, usize),
}

/// A result as lists of entries, without its types.
#[derive(Clone)]
pub(super) struct Listed {
    pub(super) is_by_rows: bool,
    /// The number of entries of a line.
    pub(super) size: Arc<Expression>,
    /// Index and scalars of an entry by its line and its number in it.
    pub(super) entry: Arc<Expression>,
    pub(super) tables: Vec<Table>,
    /// What missing entries are, by their bits.
    pub(super) absent: Vec<u64>,
}

impl Listed {
    pub(super) fn lists(&self, tables: Vec<manycore_expressions::ScalarType>) -> MadeLists {
        MadeLists { is_by_rows: self.is_by_rows, size: Arc::clone(&self.size), entry: Arc::clone(&self.entry), tables }
    }
}

/// An operand of a function of entries.
pub(super) struct Part {
    /// As lists, where it is.
    pub(super) listed: Option<Listed>,
    /// Its entry as a function of column and row, with its tables.
    pub(super) entry: Arc<Expression>,
    pub(super) tables: Vec<Table>,
}

/// Lists of a result by its operands, by rows or by columns.
pub(super) type ComposeLists = Arc<dyn Fn(&[Part], bool) -> Result<Option<Listed>, SemiringError> + Send + Sync>;

/// What a matrix that products alone read is, without its types.
pub(super) enum Made {
    AtResult(Arc<Expression>),
    Lists(Arc<MadeLists>),
}

impl Made {
    pub(super) fn operand<'a>(&self, tables: Vec<Words<'a>>, first: u64) -> Operand<'a> {
        match self {
            Self::AtResult(entry) => Operand::AtResult(Arc::clone(entry), tables, first),
            // Columns of a block of rows are all columns.
            Self::Lists(lists) => Operand::Made(Arc::clone(lists), tables, if lists.is_by_rows { first } else { 0 }),
        }
    }
}

/// A program of generalized matrix operations that are bound to what they compute.
///
/// ```
/// use manycore_device::Device;
/// use manycore_expressions::{Function, Value};
/// use manycore_semiring::{Computation, Matrix, Products, Semiring};
///
/// // |A x A| with the shortest paths of at most two arcs, and the arcs that are no shorter.
/// let mut computation = Computation::new();
/// let arcs = computation.matrix("arcs", Matrix::stored(2, 2, &[0.0, 1.0, 5.0, 0.0])?);
/// let two = computation.product("two", &Semiring::<f32, f32, f32>::min_plus()?, arcs, arcs)?;
/// type V = Value<f32>;
/// let saved = Function::<(f32, f32), f32>::new(|(a, b): (V, V)| a - b)?;
/// let saved = computation.zip("saved", &saved, arcs, two)?;
/// let out = computation.output("out", saved)?;
/// let products = Products::new(&Device::from_env()?);
/// let results = computation.run(&products, &computation.cheapest()?)?;
/// assert_eq!(results.matrix(out)?.entries(), [0.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Computation {
    pub(super) program: Program,
    pub(super) nodes: Vec<Known>,
}

impl std::fmt::Debug for Computation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.program.fmt(f)
    }
}

/// Operations of an entry that is computed where it is read, at most: longer ones take compilers long, and are stored.
pub(super) const MOST_OPERATIONS: u64 = 1 << 11;

/// The entry of an operand, with its types.
pub(super) fn operand<T: Elements>(
    operands: &[Arc<Expression>],
    at: usize,
) -> Result<Function<(u64, u64), T>, SemiringError> {
    let typed = operands.get(at).and_then(|program| Function::typed(Arc::clone(program)));
    // Terms have the types of their nodes.
    typed.ok_or(SemiringError::Expression(manycore_expressions::ExpressionError::Foreign))
}
