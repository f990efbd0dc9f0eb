//! Stars of dense graphs: with circuits, in all memory and in a quarter of it, and without, whose columns are shared.

use manycore::maxplus::{Graph, MaxPlus, StarOptions};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Bytes, Fallible, alone};

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let nodes = 1usize << (bench.log_size / 2);
    let mut random = SplitMix::new(7);
    let absent = i32::MIN;
    let mut graph = |is_arc: fn(usize, usize) -> bool| {
        let entry =
            |at: usize| if is_arc(at % nodes, at / nodes) { -(random.next_word() as i32 >> 20).abs() } else { absent };
        Graph::from_dense(nodes, &(0..nodes * nodes).map(entry).collect::<Vec<_>>(), absent)
    };
    let (dense, acyclic) = (graph(|_, _| true)?, graph(|from, to| from < to)?);
    let bytes = 8 * (nodes * nodes) as u64;
    // Rows and columns of pivots.
    let grid = Bytes { bus: bytes, exchange: Some(("grid", bytes)) };
    let star =
        |graph, options: StarOptions| move |set: &_, ()| Ok(MaxPlus::star_on(set, graph, &options)?.into_entries());
    bench.row(&format!("star of {nodes} nodes"), grid, || (), star(&dense, StarOptions::new()))?;
    // A matrix takes 4 bytes a pair of nodes.
    let quarter = StarOptions::new().memory_bytes(bytes / 8);
    let name = format!("star of {nodes} nodes in a quarter of its memory");
    bench.row(&name, grid, || (), star(&dense, quarter))?;
    bench.row(
        &format!("star of {nodes} nodes without circuits"),
        alone(bytes),
        || (),
        star(&acyclic, StarOptions::new()),
    )
}
