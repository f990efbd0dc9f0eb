//! Elementary circuits of the critical graph (Johnson, "Finding all the elementary circuits of a directed graph", 1975), up to a limit.

/// Elementary circuits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuits {
    /// Their nodes in the direction of the arcs, the smallest first.
    pub circuits: Vec<Vec<u32>>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// The circuits of arcs, ascending, among these components; `O((n + m) (c + 1))` for `c` circuits.
pub(super) fn circuits(arcs: &[(u32, u32)], components: &[Vec<u32>], limit: usize) -> Circuits {
    let mut search = Search { arcs, limit, found: Circuits { circuits: Vec::new(), is_complete: true } };
    for component in components {
        for &start in component {
            // Circuits whose smallest node is this one.
            search.from(start, component);
            if !search.found.is_complete {
                return search.found;
            }
        }
    }
    search.found
}

struct Search<'a> {
    arcs: &'a [(u32, u32)],
    limit: usize,
    found: Circuits,
}

impl Search<'_> {
    fn first_arc(&self, node: u32) -> usize {
        self.arcs.partition_point(|arc| arc.0 < node)
    }

    fn from(&mut self, start: u32, component: &[u32]) {
        let place = |node: u32| component.binary_search(&node).ok();
        let mut is_blocked = vec![false; component.len()];
        // Nodes to open when a node is.
        let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); component.len()];
        let mut path = vec![(start, self.first_arc(start), false)];
        let Some(first) = place(start) else { return };
        is_blocked[first] = true;
        while let Some(&(node, arc, has_circuit)) = path.last() {
            let depth = path.len() - 1;
            if let Some(&(_, to)) = self.arcs.get(arc).filter(|next| next.0 == node) {
                path[depth].1 += 1;
                let Some(at) = place(to).filter(|_| to >= start) else { continue };
                if to == start {
                    if self.found.circuits.len() == self.limit {
                        self.found.is_complete = false;
                        return;
                    }
                    self.found.circuits.push(path.iter().map(|step| step.0).collect());
                    path[depth].2 = true;
                } else if !is_blocked[at] {
                    is_blocked[at] = true;
                    path.push((to, self.first_arc(to), false));
                }
                continue;
            }
            path.pop();
            let Some(own) = place(node) else { continue };
            if has_circuit {
                let mut open = vec![own];
                while let Some(at) = open.pop() {
                    if is_blocked[at] {
                        is_blocked[at] = false;
                        open.extend(waiting[at].drain(..).filter_map(place));
                    }
                }
                if let Some(parent) = path.last_mut() {
                    parent.2 = true;
                }
            } else {
                for &(_, to) in self.arcs[self.first_arc(node)..].iter().take_while(|next| next.0 == node) {
                    if let Some(at) = place(to).filter(|_| to >= start)
                        && !waiting[at].contains(&node)
                    {
                        waiting[at].push(node);
                    }
                }
            }
        }
    }
}
