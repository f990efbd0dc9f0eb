//! Operations that choose among candidates: their arguments, and what `explain` and `tune` tell of a choice.
//!
//! | file | what |
//! |---|---|
//! | `explained` | what is told of a choice |
//! | `spectral` | Walsh, Reed-Muller, arithmetic and Haar transforms |
//! | `modular` | number-theoretic transforms, products of polynomials |
//! | `quotients` | divisions, greatest common divisors and values of polynomials |
//! | `matrices` | products and determinants of matrices |
//! | `groups` | character tables, Fourier transforms, Kronecker products |
//! | `sboxes` | tables of S-boxes |
//! | `sparse` | products of sparse matrices |
//! | `sorts` | sorts of numbers |
//! | `semirings` | products of matrices over semirings |
//! | `stars` | stars of matrices over maximum and plus |

mod explained;
pub mod groups;
pub mod matrices;
pub mod modular;
pub mod quotients;
pub mod sboxes;
pub mod semirings;
pub mod sorts;
pub mod sparse;
pub mod spectral;
pub mod stars;

use clap::{FromArgMatches as _, Subcommand};
use manycore::device::{DeviceError, DeviceSet, TuningMode};
use manycore::files::memory;
use manycore::operation::Task;
use manycore::{Device, DeviceKind};

use super::label;
use crate::error::Error;

pub(crate) use explained::{Explained, Row};

/// Makes the operations: of each the help, the arguments, the name on the command line, and what makes the choice.
macro_rules! operations {
    ($($(#[$help:meta])* $variant:ident($arguments:ty): $name:literal => $choice:path,)*) => {
        /// The operations.
        #[derive(Debug, Clone, Subcommand)]
        pub enum Operation {
            $($(#[$help])* #[command(name = $name)] $variant($arguments),)*
        }

        impl Operation {
            /// The names of all operations on the command line.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// The name on the command line.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// The work of a task, where it is one of these operations.
            pub(crate) fn of_task(task: &Task) -> Option<Self> {
                let sizes = task.sizes.iter().flat_map(|(name, size)| [format!("--{name}"), size.to_string()]);
                let of_words = task.words.iter().map(|(name, word)| match (*name, word.as_str()) {
                    ("", word) => word.to_owned(),
                    (name, "") => format!("--{name}"),
                    (name, word) => format!("--{name}={word}"),
                });
                let words = [task.choice.to_owned()].into_iter().chain(sizes).chain(of_words);
                let command = Self::augment_subcommands(clap::Command::new("task").no_binary_name(true));
                Self::from_arg_matches(&command.try_get_matches_from(words).ok()?).ok()
            }

            fn choice(&self, device: &Device) -> Result<Explained, Error> {
                match self {
                    $(Self::$variant(arguments) => $choice(arguments, device),)*
                }
            }
        }
    };
}

operations! {
    /// The Walsh-Hadamard transform
    Walsh(spectral::WalshArguments): "walsh" => spectral::walsh,
    /// The Reed-Muller transform
    ReedMuller(spectral::ReedMullerArguments): "reed-muller" => spectral::reed_muller,
    /// The arithmetic transform
    Arithmetic(spectral::ArithmeticArguments): "arithmetic" => spectral::arithmetic,
    /// The Haar transform
    Haar(spectral::HaarArguments): "haar" => spectral::haar,
    /// The number-theoretic transform
    Ntt(modular::NttArguments): "ntt" => modular::ntt,
    /// The product of two polynomials over a prime field
    PolyMul(modular::PolyMulArguments): "poly-mul" => modular::poly_mul,
    /// The division of polynomials over a prime field, with remainder
    PolyDiv(quotients::PolyDivArguments): "poly-div" => quotients::poly_div,
    /// The greatest common divisor of two polynomials over a prime field
    PolyGcd(quotients::PolyGcdArguments): "poly-gcd" => quotients::poly_gcd,
    /// The values of a polynomial over a prime field at points
    PolyEval(quotients::PolyEvalArguments): "poly-eval" => quotients::poly_eval,
    /// The product of two matrices over a prime field
    MatrixMul(matrices::MatrixMulArguments): "matrix-mul" => matrices::matrix_mul,
    /// The determinant of a matrix over a prime field
    MatrixDet(matrices::MatrixOrderArguments): "matrix-det" => matrices::matrix_det,
    /// The inverse of a matrix over a prime field
    MatrixInverse(matrices::MatrixOrderArguments): "matrix-inverse" => matrices::matrix_inverse,
    /// The character table of a finite Abelian group
    Characters(groups::CharactersArguments): "characters" => groups::characters,
    /// The Fourier transform on a finite Abelian group
    Fourier(groups::FourierArguments): "fourier" => groups::fourier,
    /// The Kronecker product of small matrices, times vectors
    Kronecker(groups::KroneckerArguments): "kronecker" => groups::kronecker,
    /// The linear approximation table of an S-box
    SboxLinear(sboxes::Arguments): "sbox-linear" => sboxes::linear,
    /// The difference distribution table of an S-box
    SboxDifferences(sboxes::Arguments): "sbox-differences" => sboxes::differences,
    /// The product of a sparse matrix with a vector or a dense matrix
    SparseMultiply(sparse::Arguments): "sparse-multiply" => sparse::multiply,
    /// A sort of numbers
    SortNumbers(sorts::Arguments): "sort-numbers" => sorts::sort,
    /// The product of two matrices over a semiring
    SemiringProduct(semirings::Arguments): "semiring-product" => semirings::product,
    /// The star of a matrix: longest paths between all pairs of nodes
    MaxplusStar(stars::Arguments): "maxplus-star" => stars::star,
}

impl Operation {
    /// The blocks in which several devices share the work, or in which it goes through one that it does not fit, where they are known
    /// without the data.
    pub(crate) fn shared_blocks(&self, set: &DeviceSet) -> Result<Option<String>, Error> {
        match self {
            Self::SortNumbers(of) => sorts::blocks(of, set),
            Self::SemiringProduct(of) => semirings::tiles(of, set),
            Self::MaxplusStar(of) => stars::blocks(of, set),
            _ => matrices::shared(self, set),
        }
    }

    /// Bytes of the input and the result together, 0 where they are made on the device or not counted.
    pub(crate) fn bytes(&self) -> u64 {
        let residue = |modulus: u64| if modulus < 1 << 31 { 4 } else { 8 };
        let words = |counts: &[usize], bytes: u64| {
            counts.iter().fold(0_u64, |all, &count| all.saturating_add((count as u64).saturating_mul(bytes)))
        };
        let spectral = |sizes: &spectral::Sizes, bytes: u64| words(&[sizes.n.saturating_mul(sizes.batch); 2], bytes);
        match self {
            Self::Walsh(of) => spectral(&of.sizes, of.number_type.bytes()),
            Self::ReedMuller(of) if of.packed => spectral(&of.sizes, 1) / 8,
            Self::ReedMuller(of) => spectral(&of.sizes, 1),
            Self::Arithmetic(of) => spectral(&of.sizes, of.number_type.bytes()),
            Self::Haar(of) => spectral(&of.sizes, of.number_type.bytes()),
            Self::Ntt(of) => words(&[of.n.saturating_mul(of.batch); 2], residue(of.modulus)),
            Self::PolyMul(of) => {
                let m = of.m.unwrap_or(of.n);
                words(&[of.n, m, of.n, m], residue(of.modulus)).saturating_mul(of.batch as u64)
            }
            Self::PolyDiv(of) => words(&[of.n, of.n, of.m.unwrap_or(of.n / 2)], residue(of.modulus)),
            Self::PolyGcd(of) => {
                let m = of.m.unwrap_or(of.n);
                words(&[of.n, m, of.n.min(m)], residue(of.modulus)).saturating_mul(of.batch as u64)
            }
            Self::PolyEval(of) => words(&[of.n, of.points, of.points], residue(of.modulus)),
            Self::MatrixMul(of) => {
                let (n, inner, columns) = of.sizes();
                let entries = [(n, inner), (inner, columns), (n, columns)].map(|(a, b)| a.saturating_mul(b));
                if of.modulus == 2 { words(&entries, 1) / 8 } else { words(&entries, residue(of.modulus)) }
            }
            Self::MatrixDet(of) => words(&[of.n.saturating_mul(of.n)], residue(of.modulus)),
            Self::MatrixInverse(of) => words(&[of.n.saturating_mul(of.n); 2], residue(of.modulus)),
            Self::Fourier(of) => {
                let order = (of.group.order() as usize).saturating_mul(of.batch);
                words(&[order; 2], of.modulus.map_or(2 * of.number_type.bytes(), residue))
            }
            Self::Characters(of) => {
                let order = of.group.order() as usize;
                let bytes = if of.exponents { 4 } else { 2 * of.number_type.bytes() };
                words(&[order.saturating_mul(order)], bytes)
            }
            Self::Kronecker(of) => {
                let parts = if of.complex { 2 } else { 1 };
                let values = of.order().saturating_mul(of.batch);
                words(&[values; 2], of.modulus.map_or(parts * of.number_type.bytes(), residue))
            }
            Self::SparseMultiply(of) => {
                let value = of.modulus.map_or(8, residue);
                let vectors = of.rows.saturating_mul(of.width);
                // A value and its column, and where each row begins.
                let matrix =
                    words(&[of.rows.saturating_mul(of.non_zeros)], value + 4).saturating_add(words(&[of.rows], 8));
                matrix.saturating_add(words(&[vectors; 2], value))
            }
            Self::SortNumbers(of) => {
                // A place of 32 bits beside each number of the result.
                let places = if of.places { words(&[of.n], 4) } else { 0 };
                words(&[of.n; 2], of.number_type.bytes()).saturating_add(places)
            }
            Self::SemiringProduct(of) => {
                let (inner, columns) = (of.inner.unwrap_or(of.n), of.columns.unwrap_or(of.n));
                let entries = [(of.n, inner), (inner, columns), (of.n, columns)].map(|(a, b)| a.saturating_mul(b));
                words(&entries, of.number.bytes())
            }
            Self::MaxplusStar(of) => {
                let star = words(&[of.n.saturating_mul(of.n)], of.number.bytes());
                // A matrix, or arcs: the weight of each, and the node it begins at.
                let graph = of.acyclic.map_or(star, |arcs| words(&[of.n.saturating_mul(arcs)], of.number.bytes() + 4));
                star.saturating_add(graph)
            }
            // Tables of S-boxes stay on the device.
            Self::SboxLinear(_) | Self::SboxDifferences(_) => 0,
        }
    }

    /// The choice of this operation on a device, which the device's tuning mode may let measure.
    ///
    /// # Errors
    /// [`Error::Usage`] for a size that the operation does not have; errors of the operation.
    pub(crate) fn explain(&self, device: &Device) -> Result<Explained, Error> {
        let mut explained = self.choice(device)?;
        explained.parameters.insert("operation".to_owned(), self.name().into());
        Ok(explained)
    }
}

/// A count: decimal, or `2^K`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let count = match text.split_once('^') {
        Some((base, exponent)) => {
            let base: usize = base.trim().parse().map_err(|_| format!("{text}: no number"))?;
            let exponent: u32 = exponent.trim().parse().map_err(|_| format!("{text}: no number"))?;
            base.checked_pow(exponent)
        }
        None => Some(text.trim().parse().map_err(|_| format!("{text}: no number"))?),
    };
    count.ok_or_else(|| format!("{text}: too large"))
}

/// Refuses a shape whose input of so many words the device cannot have, where its candidates are to be measured: else each of
/// them fails, and so do all those of the operations within it.
fn room_to_measure<W>(device: &Device, words: u128) -> Result<(), Error> {
    if device.tuning() != TuningMode::Measure {
        return Ok(());
    }
    let info = device.info();
    let free = if info.kind == DeviceKind::Host { memory::free_bytes() } else { info.memory_bytes };
    let wanted = u64::try_from(words.saturating_mul(size_of::<W>() as u128)).unwrap_or(u64::MAX);
    if wanted <= free {
        return Ok(());
    }
    Err(Error::Device(DeviceError::OutOfMemory {
        device: label(device),
        wanted_bytes: wanted,
        free_or_limit_bytes: free,
        reason: "memory for what is to be measured",
    }))
}

/// The values of `batch` arrays of `n`: at least one.
fn total(n: usize, batch: usize) -> Result<usize, Error> {
    let total = n.checked_mul(batch).filter(|&total| total > 0);
    total.ok_or_else(|| Error::Usage(format!("--n {n} --batch {batch}: too large, or zero")))
}

/// Refuses a shape with a size of 0, which is named by its option.
fn at_least_one(sizes: &[(&str, usize)]) -> Result<(), Error> {
    match sizes.iter().find(|(_, size)| *size == 0) {
        Some((name, _)) => Err(Error::Usage(format!("{name} must be at least 1"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{CommandFactory as _, FromArgMatches as _, Subcommand as _};

    use super::*;
    use crate::arguments::Cli;

    #[test]
    fn sizes_are_numbers_or_powers() {
        assert_eq!(size("1024"), Ok(1024));
        assert_eq!(size("2^20"), Ok(1 << 20));
        assert_eq!(size(" 3 ^ 4"), Ok(81));
        for wrong in ["", "2^", "x", "2^64", "-1", "2^^3"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tasks_are_operations() {
        let of = |task: Task| Operation::of_task(&task).map(|operation| (operation.name(), operation.bytes()));
        let sizes = || vec![("n", 8), ("batch", 2)];
        assert_eq!(of(Task::of("walsh", sizes()).with("type", "i64").with("order", "dyadic")), Some(("walsh", 256)));
        let fast = Task::of("arithmetic", sizes()).with("type", "f32").with("algorithm", "constant-geometry");
        assert_eq!(of(fast), Some(("arithmetic", 128)));
        assert_eq!(of(Task::of("reed-muller", vec![("n", 64)]).with("packed", "")), Some(("reed-muller", 16)));
        let fourier = Task::of("fourier", vec![("batch", 2)]).with("", "2,3").with("type", "f64");
        assert_eq!(of(fourier), Some(("fourier", 384)));
        let product = Task::of("kronecker", vec![("batch", 2)]).with("product", "h2 x walsh").with("complex", "");
        assert_eq!(of(product), Some(("kronecker", 128)));
        assert_eq!(of(Task::of("none", Vec::new())), None);
    }

    #[test]
    fn sizes_of_zero_are_named() {
        assert_eq!(at_least_one(&[("--n", 2), ("--inner", 0)]).unwrap_err().to_string(), "--inner must be at least 1");
        assert!(at_least_one(&[("--n", 1)]).is_ok());
    }

    #[test]
    fn names_are_those_of_the_command_line() {
        let command = Operation::augment_subcommands(clap::Command::new("explain"));
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        assert_eq!(names, Operation::NAMES);
        // The list of operations has the same.
        let listed: BTreeSet<&str> = manycore_operations::choices().collect();
        assert_eq!(listed, names.iter().copied().collect());
        assert!(Cli::command().find_subcommand("explain").is_some());
        for (name, arguments) in [
            ("walsh", "--n 8"),
            ("reed-muller", "--n 8"),
            ("arithmetic", "--n 8"),
            ("haar", "--n 8"),
            ("ntt", "--n 8"),
            ("poly-mul", "--n 8"),
            ("poly-div", "--n 8"),
            ("poly-gcd", "--n 8"),
            ("poly-eval", "--n 8"),
            ("matrix-mul", "--n 8"),
            ("matrix-det", "--n 8"),
            ("matrix-inverse", "--n 8"),
            ("characters", "3"),
            ("fourier", "3"),
            ("kronecker", "--product walsh"),
            ("sbox-linear", "--bits 4"),
            ("sbox-differences", "--bits 4"),
            ("sparse-multiply", "--rows 8"),
            ("sort-numbers", "--n 8"),
            ("semiring-product", "--n 8"),
            ("maxplus-star", "--n 8"),
        ] {
            let words = ["explain", name].into_iter().chain(arguments.split(' '));
            let operation = Operation::from_arg_matches(&command.clone().get_matches_from(words)).unwrap();
            assert_eq!(operation.name(), name);
        }
    }
}
