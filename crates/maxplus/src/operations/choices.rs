//! The star of a graph as a choice among candidates.

use manycore_device::{Device, DeviceSet};
use manycore_operation::choice::{at_least_one, bytes_of, room_to_measure};
use manycore_operation::vector::NumberType;
use manycore_operation::verify::SplitMix;
use manycore_operation::{
    Arguments, ChoiceDeclaration, DeclaredOption, Explain, Explained, OperationError, OptionKind, with_number_type,
};
use manycore_semiring::Bounded;

use crate::graph::Graph;
use crate::star::{MaxPlus, StarAlgorithm, StarOptions};
use crate::weight::Weight;

/// Every choice of an operation over maximum and plus.
pub static CHOICES: [&dyn Explain; 1] = [&StarChoice];

const DECLARATION: ChoiceDeclaration = ChoiceDeclaration {
    name: "maxplus-star",
    title: "The star of a matrix: longest paths between all pairs of nodes",
    options: &[
        DeclaredOption::size("n", "N", "Nodes, also as 2^K"),
        DeclaredOption::size_or(
            "acyclic",
            "K",
            None,
            "Random acyclic graph with K arcs into each node; without it, a graph with circuits",
        ),
        DeclaredOption {
            value: OptionKind::Word {
                value_name: "TYPE",
                words: manycore_semiring::operations::TYPES,
                default: Some("i64"),
            },
            ..DeclaredOption::flag("type", "The type of the weights")
        },
    ],
};

/// The arcs of a graph that is generated, at most.
const MOST_ARCS: usize = 1 << 28;

struct StarChoice;

/// Nodes, arcs into each of a graph without circuits, and the type of the weights.
fn asked(arguments: &Arguments) -> (usize, Option<usize>, NumberType) {
    let number_type = arguments.word("type").and_then(NumberType::of_name).unwrap_or(NumberType::I64);
    (arguments.size("n").unwrap_or(0), arguments.size("acyclic"), number_type)
}

/// The candidates of a graph without circuits, whose weights are measured on a device.
fn of_acyclic<T: Weight + Bounded>(n: usize, arcs: usize, device: &Device) -> Result<Explained, OperationError> {
    room_to_measure::<T>(device, n as u128 * n as u128)?;
    let graph = random::<T>(n, arcs)?;
    Ok(Explained::new(&MaxPlus::<T>::new(device).explain(&graph, .., &StarOptions::new())?))
}

/// A graph in whose order of nodes so many arcs come to each from random ones before it, of weight 0.
fn random<T: Weight + Bounded>(nodes: usize, arcs: usize) -> Result<Graph<T>, OperationError> {
    let nodes_of_arcs =
        u32::try_from(nodes).ok().filter(|_| nodes.checked_mul(arcs).is_some_and(|all| all <= MOST_ARCS));
    let Some(last) = nodes_of_arcs else {
        return Err(OperationError::usage(format!("--n {nodes} --acyclic {arcs}: more than {MOST_ARCS} arcs")));
    };
    let mut random = SplitMix::new(1);
    let mut all = Vec::with_capacity(nodes * arcs);
    for to in 1..last {
        let mut from: Vec<u32> = (0..arcs).map(|_| (random.next_word() % u64::from(to)) as u32).collect();
        from.sort_unstable();
        from.dedup();
        all.extend(from.into_iter().map(|from| (from, to, <T as Bounded>::ZERO)));
    }
    Ok(Graph::from_arcs(nodes, &all)?)
}

impl Explain for StarChoice {
    fn declaration(&self) -> &'static ChoiceDeclaration {
        &DECLARATION
    }

    fn bytes(&self, arguments: &Arguments) -> u64 {
        let (n, arcs, number_type) = asked(arguments);
        let star = bytes_of(&[n.saturating_mul(n)], number_type.bytes());
        // A matrix, or arcs: the weight of each, and the node it begins at.
        let of_arcs = |arcs| bytes_of(&[n.saturating_mul(arcs)], number_type.bytes() + 4);
        star.saturating_add(arcs.map_or(star, of_arcs))
    }

    fn explain(&self, arguments: &Arguments, device: &Device) -> Result<Explained, OperationError> {
        let (n, arcs, number_type) = asked(arguments);
        at_least_one(&[("--n", n)])?;
        let explained = match arcs {
            None => Explained::only(StarAlgorithm::Closure),
            Some(arcs) => with_number_type!(number_type, T => of_acyclic::<T>(n, arcs, device))?,
        };
        Ok(explained.with("n", n).with("acyclic", arcs).with("type", number_type.name()))
    }

    fn blocks(&self, arguments: &Arguments, devices: &DeviceSet) -> Result<Option<String>, OperationError> {
        let (n, arcs, number_type) = asked(arguments);
        let options = StarOptions::new();
        let blocks = with_number_type!(number_type, T => MaxPlus::<T>::blocks(devices, n, arcs.is_none(), &options))?;
        Ok(blocks.map(|blocks| blocks.to_string()))
    }

    fn is_shared(&self, _: &Arguments) -> bool {
        true
    }
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
