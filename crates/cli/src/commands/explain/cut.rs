//! `manycore explain` of operations whose work is cut into blocks or tiles by several devices, or past the memory of one, and that `tune`
//! does not measure: sorts, generalized products, stars.

use clap::Args;
use manycore::maxplus::{Graph, MaxPlus, StarAlgorithm, StarOptions};
use manycore::semiring::plan::Shape;
use manycore::semiring::{Bounded, Products, Semiring};
use manycore::sort::{Key, Sorter};
use manycore::verify::SplitMix;
use serde_json::json;

use crate::arguments::Global;
use crate::commands::choice::{Explained, size};
use crate::commands::maxplus::FileWeight;
use crate::commands::semiring::entries::Entry;
use crate::commands::semiring::product::{Kind, NumberType as EntryType, numbers, wrapping};
use crate::commands::several::Devices;
use crate::error::Error;
use crate::vector::NumberType;

/// A sort of numbers.
#[derive(Debug, Clone, Args)]
pub struct SortArguments {
    /// Numbers, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// The type of the numbers
    #[arg(long = "type", value_enum, value_name = "TYPE", default_value = "i64")]
    pub number_type: NumberType,

    /// Places beside the numbers
    #[arg(long)]
    pub places: bool,
}

/// The sizes of a product of matrices over a semiring.
#[derive(Debug, Clone, Args)]
pub struct ProductArguments {
    /// Rows of the first matrix, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Columns of the first matrix, and rows of the second; without it, as many as rows
    #[arg(long, value_name = "K", value_parser = size)]
    pub inner: Option<usize>,

    /// Columns of the second matrix; without it, as many as rows of the first
    #[arg(long, value_name = "M", value_parser = size)]
    pub columns: Option<usize>,

    /// The semiring, by its sum and its product
    #[arg(long, value_name = "NAME", default_value = "max-plus")]
    pub semiring: Kind,

    /// The type of the entries
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: EntryType,
}

/// The sizes of a star.
#[derive(Debug, Clone, Args)]
pub struct StarArguments {
    /// Nodes, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Random acyclic graph with K arcs into each node; without it, a graph with circuits
    #[arg(long, value_name = "K", value_parser = size)]
    pub acyclic: Option<usize>,

    /// The type of the weights
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: EntryType,
}

/// The arcs of a graph that is generated, at most.
const MOST_ARCS: usize = 1 << 28;

/// The sort.
///
/// # Errors
/// [`Error::Usage`] for no numbers; [`Error::Sort`]; [`Error::Output`].
pub(super) fn sort(arguments: &SortArguments, global: &Global) -> Result<(), Error> {
    match arguments.number_type {
        NumberType::I32 => sort_of::<i32>(arguments, global),
        NumberType::I64 => sort_of::<i64>(arguments, global),
        NumberType::F32 => sort_of::<f32>(arguments, global),
        NumberType::F64 => sort_of::<f64>(arguments, global),
    }
}

fn sort_of<K: Key>(arguments: &SortArguments, global: &Global) -> Result<(), Error> {
    let &SortArguments { n, number_type, places } = arguments;
    at_least_one(&[("--n", n)])?;
    let devices = Devices::best(global)?;
    let choice = Sorter::new(&devices.set().devices()[0]).explain::<K, u32>(n, places)?;
    let blocks = Sorter::over(devices.set())?.blocks::<K, u32>(n, places)?;
    let shape = json!({ "operation": "sort-numbers", "n": n, "type": number_type.to_string(), "places": places });
    Explained::new(&choice, &shape).on(&devices, blocks).write("explain", &devices, global)
}

/// The generalized product.
///
/// # Errors
/// [`Error::Usage`] for no rows or columns; [`Error::Semiring`]; [`Error::Output`].
pub(super) fn product(arguments: &ProductArguments, global: &Global) -> Result<(), Error> {
    let kind = arguments.semiring;
    match arguments.number {
        EntryType::I32 => product_of(arguments, global, "i32", &wrapping::<i32>(kind)?),
        EntryType::I64 => product_of(arguments, global, "i64", &wrapping::<i64>(kind)?),
        EntryType::F32 | EntryType::F64 if kind == Kind::OrAnd => {
            Err(Error::Usage("--semiring or-and is of integers: --type i32 or i64".to_owned()))
        }
        EntryType::F32 => product_of(arguments, global, "f32", &numbers::<f32>(kind)?),
        EntryType::F64 => product_of(arguments, global, "f64", &numbers::<f64>(kind)?),
    }
}

fn product_of<T: Entry>(
    arguments: &ProductArguments,
    global: &Global,
    type_name: &str,
    semiring: &Semiring<T, T, T>,
) -> Result<(), Error> {
    let n = arguments.n;
    let (inner, columns) = (arguments.inner.unwrap_or(n), arguments.columns.unwrap_or(n));
    at_least_one(&[("--n", n), ("--inner", inner), ("--columns", columns)])?;
    let devices = Devices::best(global)?;
    let (left, right) = (shape(n, inner), shape(inner, columns));
    let choice = Products::new(&devices.set().devices()[0]).explain_shapes(semiring, left, right)?;
    let tiles = semiring.tiles(devices.set(), left, right)?;
    let told =
        json!({ "operation": "semiring-product", "n": n, "inner": inner, "columns": columns, "type": type_name });
    Explained::new(&choice, &told).on(&devices, tiles).write("explain", &devices, global)
}

fn shape(rows: usize, columns: usize) -> Shape {
    Shape { rows: rows as u64, columns: columns as u64 }
}

/// The star.
///
/// # Errors
/// [`Error::Usage`] for no nodes, or too many arcs; [`Error::MaxPlus`]; [`Error::Output`].
pub(super) fn star(arguments: &StarArguments, global: &Global) -> Result<(), Error> {
    match arguments.number {
        EntryType::I32 => star_of::<i32>(arguments, global),
        EntryType::I64 => star_of::<i64>(arguments, global),
        EntryType::F32 => star_of::<f32>(arguments, global),
        EntryType::F64 => star_of::<f64>(arguments, global),
    }
}

fn star_of<T: FileWeight>(arguments: &StarArguments, global: &Global) -> Result<(), Error> {
    let &StarArguments { n, acyclic, .. } = arguments;
    at_least_one(&[("--n", n)])?;
    let (devices, options) = (Devices::best(global)?, StarOptions::new());
    let told = json!({ "operation": "maxplus-star", "n": n, "acyclic": acyclic, "type": T::NAME });
    let explained = match acyclic {
        None => Explained::only(StarAlgorithm::Closure, &told),
        Some(arcs) => {
            let graph = random::<T>(n, arcs)?;
            let first = MaxPlus::<T>::new(&devices.set().devices()[0]);
            Explained::new(&first.explain(&graph, .., &options)?, &told)
        }
    };
    let blocks = MaxPlus::<T>::blocks(devices.set(), n, acyclic.is_none(), &options)?;
    explained.on(&devices, blocks).write("explain", &devices, global)
}

/// A graph in whose order of nodes so many arcs come to each from random ones before it, of weight 0.
fn random<T: FileWeight>(nodes: usize, arcs: usize) -> Result<Graph<T>, Error> {
    if nodes.checked_mul(arcs).is_none_or(|all| all > MOST_ARCS) || u32::try_from(nodes).is_err() {
        return Err(Error::Usage(format!("--n {nodes} --acyclic {arcs}: more than {MOST_ARCS} arcs")));
    }
    let mut random = SplitMix::new(1);
    let mut all = Vec::with_capacity(nodes * arcs);
    for to in 1..nodes as u32 {
        let mut from: Vec<u32> = (0..arcs).map(|_| (random.next_word() % u64::from(to)) as u32).collect();
        from.sort_unstable();
        from.dedup();
        all.extend(from.into_iter().map(|from| (from, to, <T as Bounded>::ZERO)));
    }
    Ok(Graph::from_arcs(nodes, &all)?)
}

fn at_least_one(sizes: &[(&str, usize)]) -> Result<(), Error> {
    match sizes.iter().find(|(_, size)| *size == 0) {
        Some((name, _)) => Err(Error::Usage(format!("{name} must be at least 1"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_graphs_have_no_circuits() {
        let graph = random::<i64>(50, 4).unwrap();
        assert!(graph.topological_order().is_ok() && graph.arc_count() > 100 && graph.arc_count() <= 4 * 49);
        assert_eq!(random::<i64>(1, 4).unwrap().arc_count(), 0);
        assert!(random::<f32>(1 << 20, 1 << 20).unwrap_err().to_string().contains("arcs"));
        assert_eq!(at_least_one(&[("--n", 2), ("--inner", 0)]).unwrap_err().to_string(), "--inner must be at least 1");
    }
}
