//! The language of programs over semirings: products, functions of entries, transposes and sums of lines, a statement a line.
//!
//! Text is parsed into statements ([`ProgramText`]), which with their matrices become a computation ([`Compiled`]). Integers are exact:
//! where by the ranges of entries nothing overflows, words are computed with, elsewhere integers with a mark of overflow.
//!
//! ```
//! use manycore_device::Device;
//! use manycore_semiring::language::ProgramText;
//! use manycore_semiring::{Matrix, Products};
//!
//! let text = "A = matrix arcs\nB = product min-plus A A\nC = map A B: a - b\noutput C\n";
//! let program = ProgramText::parse(text, "plan.txt")?;
//! assert_eq!(program.matrices().collect::<Vec<_>>(), ["arcs"]);
//! let arcs = Matrix::stored(2, 2, &[0i64, 7, 3, 0])?;
//! let compiled = program.compile(vec![arcs], false)?;
//! let products = Products::new(&Device::host());
//! let plan = compiled.computation().fastest(&products)?;
//! let found = compiled.outputs(&compiled.computation().run(&products, &plan)?)?;
//! assert_eq!(found[0].entries, [Some(0), Some(0), Some(0), Some(0)]);
//! assert!(compiled.check(&found).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `text` | statements |
//! | `expression` | functions of entries |
//! | `numbers` | types of entries |
//! | `building` | programs as computations |
//! | `forms` | what entries are while a program runs |
//! | `words`, `flags` | entries as words, or with whether they passed their type |
//! | `ranges` | where entries lie: whether words are exact |
//! | `second` | programs by plain loops |

mod building;
mod error;
mod expression;
mod flags;
mod forms;
mod numbers;
mod ranges;
mod second;
mod text;
mod words;

use std::fmt;

use manycore_operation::verify::Outcome;

use crate::computation::{Computation, Results};
use crate::error::SemiringError;
use crate::matrix::Matrix;
use crate::operations::entries::Infinities;
use crate::operations::exact::Domain;
use crate::operations::kind::Kind;
use building::Made;
use numbers::At;
use text::{Statement, What};

pub use building::{Number, OutputEntries};
pub use error::ProgramTextError;

/// A program as its text says it.
#[derive(Debug, Clone)]
pub struct ProgramText {
    file: String,
    statements: Vec<Statement>,
}

/// Its statements as they were read, a line each.
impl fmt::Display for ProgramText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.statements.iter().map(|statement| format!("{statement:?}")).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl ProgramText {
    /// Reads a text; `file` is what errors call it.
    ///
    /// # Errors
    /// [`ProgramTextError::Statement`] with the line of the first one that is none; [`ProgramTextError::NoOutput`].
    pub fn parse(text: &str, file: &str) -> Result<Self, ProgramTextError> {
        Ok(Self { file: file.to_owned(), statements: text::parse(text, file)? })
    }

    /// What errors call it.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The names of its matrices' files, in the order of its lines.
    pub fn matrices(&self) -> impl Iterator<Item = &str> {
        self.statements.iter().filter_map(|statement| match &statement.what {
            What::Matrix(name) => Some(&**name),
            _ => None,
        })
    }

    /// Which infinities entries of a type have: floating-point numbers their own, integers those that a statement asks for, modulo
    /// `2^bits` none.
    pub fn infinities<T: Number>(&self, wraps: bool) -> Infinities {
        if !T::IS_INTEGER || self.has_infinite_integers(wraps) { Infinities::Kept } else { Infinities::None }
    }

    fn has_infinite_integers(&self, wraps: bool) -> bool {
        !wraps && self.statements.iter().any(Statement::has_infinities)
    }

    /// The integers of a type, as its statements have them.
    fn domain<T: Number>(&self, wraps: bool) -> Domain {
        T::domain(T::IS_INTEGER && self.has_infinite_integers(wraps), wraps)
    }

    /// Refuses what a type has not.
    ///
    /// # Errors
    /// [`ProgramTextError::Bits`], [`ProgramTextError::Number`], [`ProgramTextError::Division`].
    pub fn fits<T: Number>(&self, wraps: bool) -> Result<(), ProgramTextError> {
        let domain = self.domain::<T>(wraps);
        for statement in &self.statements {
            let (file, line) = (|| self.file.clone(), statement.line);
            if let What::Product(Kind::OrAnd, ..) = statement.what
                && !T::IS_INTEGER
            {
                return Err(ProgramTextError::Bits { file: file(), line });
            }
            let (What::Function(_, expression) | What::Map(_, expression)) = &statement.what else { continue };
            if let Some(number) = expression.foreign(&At::<T>::origin(&domain)) {
                let (number, type_name) = (number.to_owned(), T::NAME);
                return Err(ProgramTextError::Number { file: file(), line, number, type_name });
            }
            if expression.divides() && T::IS_INTEGER {
                return Err(ProgramTextError::Division { file: file(), line });
            }
        }
        Ok(())
    }

    /// The computation of the program of these matrices, which are those of [`ProgramText::matrices`]; integers are exact, or modulo `2^bits`
    /// where it `wraps`.
    ///
    /// # Errors
    /// [`ProgramText::fits`]; [`ProgramTextError::Program`] for shapes that do not fit; [`ProgramTextError::Semiring`] for a matrix that is
    /// missing.
    pub fn compile<T: Number>(self, matrices: Vec<Matrix<T>>, wraps: bool) -> Result<Compiled<T>, ProgramTextError> {
        self.fits::<T>(wraps)?;
        let domain = self.domain::<T>(wraps);
        let made = T::computation(&self.statements, &matrices, &domain).map_err(|error| match error {
            SemiringError::Program(error) => ProgramTextError::Program { file: self.file.clone(), error },
            error => error.into(),
        })?;
        Ok(Compiled { program: self, matrices, domain, made })
    }
}

/// A program with its matrices, as a computation.
pub struct Compiled<T> {
    program: ProgramText,
    matrices: Vec<Matrix<T>>,
    domain: Domain,
    made: Made<T>,
}

impl<T> fmt::Debug for Compiled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("program", &self.program).finish_non_exhaustive()
    }
}

impl<T: Number> Compiled<T> {
    /// The program.
    pub fn program(&self) -> &ProgramText {
        &self.program
    }

    /// The computation: a plan of it is chosen and run.
    pub fn computation(&self) -> &Computation {
        &self.made.computation
    }

    /// The entries of the outputs, in the order of the program's lines.
    ///
    /// # Errors
    /// Those of [`Results::matrix`].
    pub fn outputs(&self, results: &Results) -> Result<Vec<OutputEntries<T>>, SemiringError> {
        self.made.found(results)
    }

    /// Compares every entry of the outputs with what plain loops give, of integers with 128 bits.
    ///
    /// # Errors
    /// The first entry that differs.
    pub fn check(&self, found: &[OutputEntries<T>]) -> Outcome {
        second::check(&self.program.statements, &self.matrices, &self.domain, found)
    }
}
