//! Stars of dense graphs: with circuits, in all memory and in a quarter of it, and without, whose columns are shared.

use manycore::device::DeviceSet;
use manycore::maxplus::{Graph, MaxPlus, StarOptions};
use manycore::verify::SplitMix;

use crate::measure::{Bench, Bytes, Fallible, alone};

fn star(graph: &Graph<i32>, options: StarOptions) -> impl Fn(&DeviceSet, ()) -> Fallible<Vec<i32>> {
    move |set, ()| Ok(MaxPlus::star_on(set, graph, &options)?.into_entries())
}

pub(crate) fn rows(bench: &Bench) -> Fallible<()> {
    let nodes = 1usize << (bench.log_size / 2);
    let absent = i32::MIN;
    let graph = |is_arc: fn(usize, usize) -> bool| {
        let mut random = SplitMix::new(7);
        let entry =
            |at: usize| if is_arc(at % nodes, at / nodes) { -(random.next_word() as i32 >> 20).abs() } else { absent };
        Graph::from_dense(nodes, &(0..nodes * nodes).map(entry).collect::<Vec<_>>(), absent)
    };
    let bytes = 8 * (nodes * nodes) as u64;
    // Rows and columns of pivots.
    let grid = Bytes { bus: bytes, exchange: Some(("grid", bytes)) };
    // A matrix takes 4 bytes a pair of nodes.
    let quarter = StarOptions::new().memory_bytes(bytes / 8);
    let whole = format!("star of {nodes} nodes");
    let names = ["", " in a quarter of its memory", " without circuits"].map(|of| format!("{whole}{of}"));
    // A graph takes its time, and memory, where no row is wanted.
    if names[..2].iter().any(|name| bench.wants(name)) {
        let dense = graph(|_, _| true)?;
        bench.row(&names[0], grid, || (), star(&dense, StarOptions::new()))?;
        bench.row(&names[1], grid, || (), star(&dense, quarter))?;
    }
    if bench.wants(&names[2]) {
        let acyclic = graph(|from, to| from < to)?;
        bench.row(&names[2], alone(bytes), || (), star(&acyclic, StarOptions::new()))?;
    }
    Ok(())
}
