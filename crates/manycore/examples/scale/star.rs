//! Stars of dense graphs: with circuits, in all memory and in a quarter of it, and without, whose columns are shared.

use manycore::maxplus::{Graph, MaxPlus, StarOptions};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Fallible};

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let nodes = 1usize << (bench.log_size / 2);
    let mut random = SplitMix::new(7);
    let mut arcs = |is_arc: fn(usize, usize) -> bool| {
        let pairs = (0..nodes * nodes).map(|at| (at / nodes, at % nodes)).filter(|&(from, to)| is_arc(from, to));
        let arcs = pairs.map(|(from, to)| (from as u32, to as u32, -(random.next_word() as i32 >> 12).abs()));
        Graph::from_arcs(nodes, &arcs.collect::<Vec<_>>())
    };
    let (dense, acyclic) = (arcs(|_, _| true)?, arcs(|from, to| from < to)?);
    let bytes = 8 * (nodes * nodes) as u64;
    let star =
        |graph, options: StarOptions| move |set: &_, ()| Ok(MaxPlus::star_on(set, graph, &options)?.into_entries());
    bench.row(&format!("star of {nodes} nodes"), bytes, || (), star(&dense, StarOptions::new()))?;
    // A matrix takes 4 bytes a pair of nodes.
    let quarter = StarOptions::new().memory_bytes(bytes / 8);
    let name = format!("star of {nodes} nodes in a quarter of its memory");
    bench.row(&name, bytes, || (), star(&dense, quarter))?;
    bench.row(&format!("star of {nodes} nodes without circuits"), bytes, || (), star(&acyclic, StarOptions::new()))
}
