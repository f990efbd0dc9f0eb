//! `manycore matrix`: dense matrices over a prime field, the integers and in double precision.
//!
//! | file | what |
//! |---|---|
//! | `det` | determinants: modulo a prime, exact, real |
//! | `shards` | exact determinants by primes in shards |
//! | `elimination` | `rank`, `inverse`, `nullspace`, `charpoly`, `minpoly` |
//! | `decomposition` | `lu`, `pluq`, `rref`, `image` |
//! | `forms` | `hermite`, `smith` |
//! | `product` | `mul`, `solve` |
//! | `exact`, `rational` | the same over the rationals |
//! | `job` | what operations over a field have in common |
//! | `value` | results as text, Matrix Market or JSON |

pub mod decomposition;
pub mod det;
pub mod elimination;
mod exact;
pub mod forms;
mod job;
pub mod product;
mod rational;
mod shards;
mod value;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::arguments::{Global, modulus};
use crate::error::Error;
use crate::shard::Split;

/// The operations.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// The determinant
    #[command(long_about = det::LONG_ABOUT, after_long_help = det::AFTER_HELP)]
    Det(det::Arguments),
    /// The rank
    #[command(long_about = elimination::RANK_ABOUT, after_long_help = elimination::RANK_HELP)]
    Rank(Single),
    /// The inverse
    #[command(long_about = elimination::INVERSE_ABOUT, after_long_help = elimination::INVERSE_HELP)]
    Inverse(Single),
    /// A basis of the nullspace
    #[command(visible_alias = "kernel", long_about = elimination::NULLSPACE_ABOUT, after_long_help = elimination::NULLSPACE_HELP)]
    Nullspace(Single),
    /// The characteristic polynomial
    #[command(long_about = elimination::CHARPOLY_ABOUT, after_long_help = elimination::CHARPOLY_HELP)]
    Charpoly(Single),
    /// The minimal polynomial
    #[command(long_about = elimination::MINPOLY_ABOUT, after_long_help = elimination::MINPOLY_HELP)]
    Minpoly(Single),
    /// The decomposition P M = L U
    #[command(long_about = decomposition::LU_ABOUT, after_long_help = decomposition::LU_HELP)]
    Lu(decomposition::Modular),
    /// The decomposition M = P L U Q
    #[command(long_about = decomposition::PLUQ_ABOUT, after_long_help = decomposition::PLUQ_HELP)]
    Pluq(decomposition::Modular),
    /// The reduced row echelon form
    #[command(long_about = decomposition::RREF_ABOUT, after_long_help = decomposition::RREF_HELP)]
    Rref(decomposition::Modular),
    /// A basis of the image
    #[command(long_about = decomposition::IMAGE_ABOUT, after_long_help = decomposition::IMAGE_HELP)]
    Image(decomposition::Modular),
    /// The Hermite form of a matrix of integers
    #[command(long_about = forms::HERMITE_ABOUT, after_long_help = forms::HERMITE_HELP)]
    Hermite(forms::Integral),
    /// The invariant factors of a matrix of integers
    #[command(long_about = forms::SMITH_ABOUT, after_long_help = forms::SMITH_HELP)]
    Smith(forms::Integral),
    /// The solutions of a linear system
    #[command(long_about = product::SOLVE_ABOUT, after_long_help = product::SOLVE_HELP)]
    Solve(product::SolveArguments),
    /// The product of two matrices
    #[command(long_about = product::MUL_ABOUT, after_long_help = product::MUL_HELP)]
    Mul(Pair),
}

/// One matrix, and what it is over.
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("kind").required(true).args(["modulus", "exact"])))]
pub struct Single {
    /// The matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input
    pub m: PathBuf,

    /// Modulo a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: Option<u64>,

    /// Over the rationals: the entries are integers, decimal numbers or fractions such as 2/3
    #[arg(long)]
    pub exact: bool,
}

/// Two matrices and their modulus.
#[derive(Debug, Args)]
pub struct Pair {
    /// One matrix: text (a row a line, # begins a comment), Matrix Market, SMS, Harwell-Boeing or .npy; - is standard input
    pub a: PathBuf,

    /// The other matrix
    pub b: PathBuf,

    /// The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1
    #[arg(long, value_name = "P", value_parser = modulus)]
    pub modulus: u64,
}

impl Pair {
    fn files(&self) -> [&Path; 2] {
        [&self.a, &self.b]
    }
}

/// Does what was asked for.
///
/// # Errors
/// Whatever the operation fails with.
pub fn run(operation: &Operation, global: &Global) -> Result<(), Error> {
    match operation {
        Operation::Det(arguments) => det::run(arguments, global),
        Operation::Rank(arguments) => elimination::run(&elimination::Rank, &exact::RANK, arguments, global),
        Operation::Inverse(arguments) => elimination::run(&elimination::Inverse, &exact::INVERSE, arguments, global),
        Operation::Nullspace(arguments) => {
            elimination::run(&elimination::Nullspace, &exact::NULLSPACE, arguments, global)
        }
        Operation::Charpoly(arguments) => elimination::run(&elimination::Charpoly, &exact::CHARPOLY, arguments, global),
        Operation::Minpoly(arguments) => elimination::run(&elimination::Minpoly, &exact::MINPOLY, arguments, global),
        Operation::Lu(arguments) => decomposition::run(&decomposition::Lu, arguments, global),
        Operation::Pluq(arguments) => decomposition::run(&decomposition::Pluq, arguments, global),
        Operation::Rref(arguments) => decomposition::run(&decomposition::Rref, arguments, global),
        Operation::Image(arguments) => decomposition::run(&decomposition::Image, arguments, global),
        Operation::Hermite(arguments) => forms::run::<forms::Hermite>(arguments, global),
        Operation::Smith(arguments) => forms::run::<forms::Smith>(arguments, global),
        Operation::Solve(arguments) => product::solve(arguments, global),
        Operation::Mul(arguments) => product::mul(arguments, global),
    }
}

/// How the work of an operation splits into shards.
pub(crate) fn split(operation: &Operation) -> Option<&dyn Split> {
    match operation {
        Operation::Det(arguments) => Some(arguments),
        Operation::Mul(arguments) => Some(arguments),
        Operation::Rank(_)
        | Operation::Inverse(_)
        | Operation::Nullspace(_)
        | Operation::Charpoly(_)
        | Operation::Minpoly(_)
        | Operation::Lu(_)
        | Operation::Pluq(_)
        | Operation::Rref(_)
        | Operation::Image(_)
        | Operation::Hermite(_)
        | Operation::Smith(_)
        | Operation::Solve(_) => None,
    }
}

/// What an operation writes if no array holds it.
pub(crate) fn text_alone(operation: &Operation) -> Option<&'static str> {
    match operation {
        Operation::Det(_) => Some("a determinant"),
        Operation::Rank(_) => Some("a rank"),
        Operation::Lu(_) | Operation::Pluq(_) => Some("a decomposition"),
        Operation::Hermite(_) => Some("a Hermite form"),
        Operation::Smith(_) => Some("a Smith form"),
        Operation::Inverse(_)
        | Operation::Nullspace(_)
        | Operation::Minpoly(_)
        | Operation::Rref(_)
        | Operation::Image(_)
        | Operation::Solve(_)
        | Operation::Mul(_)
        | Operation::Charpoly(_) => None,
    }
}
