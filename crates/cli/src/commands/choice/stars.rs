//! Stars of matrices over maximum and plus.

use clap::Args;
use manycore::Device;
use manycore::device::DeviceSet;
use manycore::maxplus::operations::FileWeight;
use manycore::maxplus::{Graph, MaxPlus, StarAlgorithm, StarOptions};
use manycore::semiring::Bounded;
use manycore::verify::SplitMix;
use serde_json::json;

use super::{Explained, at_least_one, room_to_measure, size};
use crate::commands::semiring::product::NumberType;
use crate::error::Error;

/// The sizes of a star.
#[derive(Debug, Clone, Args)]
pub struct Arguments {
    /// Nodes, also as 2^K
    #[arg(long, value_name = "N", value_parser = size)]
    pub n: usize,

    /// Random acyclic graph with K arcs into each node; without it, a graph with circuits
    #[arg(long, value_name = "K", value_parser = size)]
    pub acyclic: Option<usize>,

    /// The type of the weights
    #[arg(long = "type", value_name = "TYPE", default_value = "i64")]
    pub number: NumberType,
}

/// The arcs of a graph that is generated, at most.
const MOST_ARCS: usize = 1 << 28;

macro_rules! with_type {
    ($function:ident($arguments:expr, $device:expr)) => {
        match $arguments.number {
            NumberType::I32 => $function::<i32>($arguments, $device),
            NumberType::I64 => $function::<i64>($arguments, $device),
            NumberType::F32 => $function::<f32>($arguments, $device),
            NumberType::F64 => $function::<f64>($arguments, $device),
        }
    };
}

/// The star.
pub(super) fn star(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    with_type!(star_of(arguments, device))
}

fn star_of<T: FileWeight>(arguments: &Arguments, device: &Device) -> Result<Explained, Error> {
    let &Arguments { n, acyclic, .. } = arguments;
    at_least_one(&[("--n", n)])?;
    let told = json!({ "n": n, "acyclic": acyclic, "type": T::NAME });
    let Some(arcs) = acyclic else { return Ok(Explained::only(StarAlgorithm::Closure, &told)) };
    room_to_measure::<T>(device, n as u128 * n as u128)?;
    let graph = random::<T>(n, arcs)?;
    let choice = MaxPlus::<T>::new(device).explain(&graph, .., &StarOptions::new())?;
    Ok(Explained::new(&choice, &told))
}

/// The blocks in which several devices share a star, or in which the weights go through one that they do not fit.
pub(super) fn blocks(arguments: &Arguments, set: &DeviceSet) -> Result<Option<String>, Error> {
    with_type!(blocks_of(arguments, set))
}

fn blocks_of<T: FileWeight>(arguments: &Arguments, set: &DeviceSet) -> Result<Option<String>, Error> {
    let has_circuits = arguments.acyclic.is_none();
    let blocks = MaxPlus::<T>::blocks(set, arguments.n, has_circuits, &StarOptions::new())?;
    Ok(blocks.map(|blocks| blocks.to_string()))
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

#[cfg(test)]
mod tests {
    use super::random;

    #[test]
    fn random_graphs_have_no_circuits() {
        let graph = random::<i64>(50, 4).unwrap();
        assert!(graph.topological_order().is_ok() && graph.arc_count() > 100 && graph.arc_count() <= 4 * 49);
        assert_eq!(random::<i64>(1, 4).unwrap().arc_count(), 0);
        assert!(random::<f32>(1 << 20, 1 << 20).unwrap_err().to_string().contains("arcs"));
    }
}
