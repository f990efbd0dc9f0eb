//! The readers of the commands' files, without the commands: the fuzz targets of `crates/soak` read by these, print what was read, and read
//! that again.

use std::path::Path;

use manycore::files::{NotFinite, NumberText};
use manycore::maxplus::Extremum;
use manycore::maxplus::operations::{FileWeight, Zero, of_source};
use manycore::semiring;
use manycore::semiring::language::ProgramText;
use manycore::semiring::operations::{Entry, Infinities};

use crate::error::Error;
use crate::input::{self, Numbers};
use crate::shard;
use manycore::operation::vector::{NumberType, Vector};

/// A graph: its nodes, and its arcs from a node to another one with their weights.
pub type Arcs = (usize, Vec<(u32, u32, String)>);

/// Runs a generic function of this module with a type of numbers.
macro_rules! by_type {
    ($number_type:expr, $function:ident($($argument:expr),*)) => {
        match $number_type {
            NumberType::I32 => $function::<i32>($($argument),*),
            NumberType::I64 => $function::<i64>($($argument),*),
            NumberType::F32 => $function::<f32>($($argument),*),
            NumberType::F64 => $function::<f64>($($argument),*),
        }
    };
}

/// The graph of a file as `maxplus star` reads it, for longest paths or for shortest ones.
///
/// # Errors
/// Those of the command's input.
pub fn graph(path: &Path, number_type: NumberType, extremum: Extremum) -> Result<Arcs, Error> {
    by_type!(number_type, arcs(path, extremum))
}

fn arcs<T: FileWeight>(path: &Path, extremum: Extremum) -> Result<Arcs, Error> {
    let graph = of_source::<T>(input::open_matrix(path)?, extremum, Zero::Arc);
    let graph = graph.map_err(|error| Error::of_operation(error, &[path]))?;
    Ok((graph.nodes(), graph.arcs().map(|(from, to, weight)| (from, to, weight.text())).collect()))
}

/// Entries whose texts are made, at most: a matrix of coordinates is longer than its file.
const MOST_TEXTS: usize = 1 << 14;

/// The first rows of a matrix as `semiring product` reads it, with infinities or without: as many as have 2^14 entries at most.
///
/// # Errors
/// Those of the command's input.
pub fn semiring_matrix(path: &Path, number_type: NumberType, has_infinities: bool) -> Result<Vec<Vec<String>>, Error> {
    by_type!(number_type, rows(path, if has_infinities { Infinities::Kept } else { Infinities::None }))
}

fn rows<T: Entry>(path: &Path, infinities: Infinities) -> Result<Vec<Vec<String>>, Error> {
    let matrix = semiring::operations::of_source(input::open_matrix(path)?, infinities, Some(T::ZERO));
    let matrix = matrix.map_err(|error| Error::of_operation(error, &[path]))?;
    let columns = matrix.shape().columns.max(1) as usize;
    let rows = (matrix.shape().rows as usize).min(MOST_TEXTS / columns) as u64;
    let part = matrix.part(0..rows).map_err(|error| Error::of_operation(error.into(), &[path]))?;
    let entries = part.entries();
    let text: Vec<String> = entries.into_iter().map(|entry| infinities.text(entry)).collect();
    Ok(text.chunks(columns).map(<[String]>::to_vec).collect())
}

/// The statements of a program as `semiring plan` reads it; `file` names it in errors.
///
/// # Errors
/// Those of the command's input.
pub fn program(text: &str, file: &str) -> Result<String, Error> {
    let program = ProgramText::parse(text, file).map_err(|error| Error::of_operation(error.into(), &[]))?;
    Ok(program.to_string())
}

/// Numbers as `sort numbers` reads them: whether they are fractions, and their texts.
///
/// # Errors
/// Those of the command's input.
pub fn keys(path: &Path) -> Result<(bool, Vec<String>), Error> {
    fn texts<T: NumberText + Copy>(numbers: &[T]) -> Vec<String> {
        numbers.iter().map(|number| number.typed_text()).collect()
    }
    Ok(match input::own_numbers(path, NotFinite::Taken)? {
        Numbers::Unsigned(x) => (false, texts(&x)),
        Numbers::Vector(Vector::I32(x)) => (false, texts(&x)),
        Numbers::Vector(Vector::I64(x)) => (false, texts(&x)),
        Numbers::Vector(Vector::F32(x)) => (true, texts(&x)),
        Numbers::Vector(Vector::F64(x)) => (true, texts(&x)),
    })
}

/// Words as `sort sparse` reads them: where the positions of each begin, and the positions.
///
/// # Errors
/// Those of the command's input.
pub fn positions(path: &Path) -> Result<(Vec<usize>, Vec<u32>), Error> {
    let words = manycore::sort::operations::words(&input::lines_of_text(path)?, &input::name(path))?;
    Ok((words.offsets, words.positions))
}

/// The orders of rows and columns in the form that `sparse multiply` reads, of a matrix of `shape` rows and columns.
///
/// # Errors
/// Those of the command's input.
pub fn orders(path: &Path, shape: (usize, usize)) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let orders = manycore::sparse::operations::orders(&input::lines_of_text(path)?, &input::name(path), shape)
        .map_err(|error| Error::of_operation(error, &[path]))?;
    let of = |order: &[_]| order.to_vec();
    Ok((of(orders.rows.new_to_old()), of(orders.columns.new_to_old())))
}

/// A line of a shard as `merge` reads it: its fields behind the version of the program, without the checksum; `place` is its file and line.
///
/// # Errors
/// Those of the command's input.
pub fn shard_line(fields: &str, place: &str) -> Result<(), Error> {
    Ok(shard::looked_at(fields, place)?)
}
