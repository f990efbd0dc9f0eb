//! Pictures of graphs, read from their SVG.

use super::Graph;

/// A box: left, top, right, bottom.
type Rectangle = [f64; 4];
/// An edge as many points.
type Edge = Vec<(f64, f64)>;

/// Points of a curve or line that are looked at.
const POINTS: u32 = 200;

/// The boxes and edges of a picture.
fn read(text: &str) -> (Vec<Rectangle>, Vec<Edge>) {
    let number = |tag: &str, name: &str| -> f64 {
        let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect(name);
        rest.split_once('"').expect(name).0.parse().expect(name)
    };
    let boxes = text.split("<rect").skip(1).map(|tag| {
        let [x, y, width, height] = ["x", "y", "width", "height"].map(|name| number(tag, name));
        [x, y, x + width, y + height]
    });
    let edges = text.split("<path d=\"").skip(1).map(|rest| rest.split_once('"').expect("a path ends").0);
    (boxes.collect(), edges.filter(|path| path.contains('C')).map(flat).collect())
}

/// A path of curves and lines as points.
fn flat(path: &str) -> Edge {
    let mut points: Edge = Vec::new();
    for part in path.split('M').skip(1) {
        let mut rest = part;
        while !rest.is_empty() {
            let end = rest[1..].find(['C', 'L']).map_or(rest.len(), |at| at + 1);
            let (step, after) = rest.split_at(end);
            rest = after;
            let numbers: Vec<f64> = step
                .trim_start_matches(['C', 'L'])
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            match (points.last().copied(), &numbers[..]) {
                (None, &[x, y]) => points.push((x, y)),
                (Some((x, y)), &[u, v]) => points.extend((1..=POINTS).map(|at| {
                    let t = f64::from(at) / f64::from(POINTS);
                    (x + t * (u - x), y + t * (v - y))
                })),
                (Some((x, y)), &[a, b, c, d, u, v]) => points.extend((1..=POINTS).map(|at| {
                    let t = f64::from(at) / f64::from(POINTS);
                    let s = 1.0 - t;
                    let of = |p: f64, q: f64, r: f64, w: f64| {
                        s * s * s * p + 3.0 * s * s * t * q + 3.0 * s * t * t * r + t * t * t * w
                    };
                    (of(x, a, c, u), of(y, b, d, v))
                })),
                other => panic!("{path}: {other:?}"),
            }
        }
    }
    points
}

/// Every edge leaves its box and arrives above its other one, and meets no box between; boxes do not overlap; all is within the drawing.
fn assert_clear(graph: &Graph) {
    let text = graph.markup().0;
    let (boxes, edges) = read(&text);
    assert_eq!((boxes.len(), edges.len()), (graph.nodes.len(), graph.edges.len()));
    for (at, one) in boxes.iter().enumerate() {
        for other in &boxes[at + 1..] {
            let apart = one[2] <= other[0] || other[2] <= one[0] || one[3] <= other[1] || other[3] <= one[1];
            assert!(apart, "{one:?} over {other:?}");
        }
    }
    for (edge, &(from, to)) in edges.iter().zip(&graph.edges) {
        let (first, last) = (edge[0], edge[edge.len() - 1]);
        let over = |of: Rectangle, x: f64| of[0] < x && x < of[2];
        assert!(over(boxes[from], first.0) && (first.1 - boxes[from][3]).abs() < 0.2, "leaves at {first:?}");
        assert!(over(boxes[to], last.0) && (boxes[to][1] - last.1 - 9.0).abs() < 0.2, "arrives at {last:?}");
        for &(x, y) in edge {
            let met = boxes.iter().position(|of| of[0] < x && x < of[2] && of[1] < y && y < of[3] - 0.1);
            assert_eq!(met, None, "the edge from {from} to {to} at {x}, {y}");
        }
    }
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn layers_follow_the_longest_paths() {
    let graph = Graph::new("t").node("a", "", false, []).node("b", "", false, [0]).node("c", "1", true, [0, 1, 1, 9]);
    assert_eq!(graph.layers(), [[0], [1], [2]]);
    let text = graph.markup().0;
    assert_eq!((text.matches("<rect").count(), text.matches("marker-end").count()), (3, 3));
    assert_eq!(Graph::new("t").markup().0, "");
}

#[test]
fn barycentres_undo_crossings() {
    let graph = Graph::new("t").node("a", "", false, []).node("b", "", false, []);
    let graph = graph.node("of b", "", false, [1]).node("of a", "", false, [0]);
    let layers = graph.layers();
    assert_eq!(layers[0][0] == 0, layers[1][0] == 3, "{layers:?}");
}

#[test]
fn an_edge_past_a_layer_goes_around_its_box() {
    // The straight line from the first to the last goes through the box between.
    let graph = Graph::new("t").node("a", "", false, []).node("between, of a long name", "", false, [0]);
    assert_clear(&graph.node("c", "", false, [0, 1]));
}

#[test]
fn no_edge_of_random_graphs_meets_a_box_that_is_not_its_end() {
    // A linear congruential generator (Knuth's MMIX).
    let mut state = 1u64;
    let mut below = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..150 {
        let mut graph = Graph::new("t");
        for at in 0..=below(30) {
            let after: Vec<usize> = if at == 0 { Vec::new() } else { (0..below(4)).map(|_| below(at)).collect() };
            graph = graph.node("n".repeat(1 + below(24)), "1 ms", below(2) == 0, after);
        }
        assert_clear(&graph);
    }
}
