// Star of a graph without circuits, its nodes in topological order (paper 004, section 3): by sources, each of which pushes its row
// into those of its successors, or by levels, whose rows pull from those of their predecessors.
//
//   w          [nodes][width] row `i` has the longest paths to node `i`; columns by the places of the nodes that they begin at, so
//              that row `i` has none past the first `active`
//   targets, weights   arcs of a source, or of the rows of a level from sources
//
// A group of maxplus_push takes ROWS successors times COLUMNS columns (the paper's block of B by C threads).
//
// Offsets and nodes are taken for at most the last one: spoiled ones read and write no memory of others.
//
// parts: maxplus/weight.clh
// set: int ROWS=1 COLUMNS=256
// set: int ROWS=16 COLUMNS=16
// set: long
// set: double

#ifndef ROWS
#define ROWS 4 // successors of a group
#endif
#ifndef COLUMNS
#define COLUMNS 64 // columns of a group
#endif

// Row `source` is final: w[target][j] = max(w[target][j], weight + w[source][j]) for `count` arcs from `begin` on, targets differ.
__kernel __attribute__((reqd_work_group_size(ROWS * COLUMNS, 1, 1)))
void maxplus_push(__global ELEMENT *restrict w, __global const uint *restrict targets, __global const ELEMENT *restrict weights,
                  const ulong begin, const ulong count, const ulong source, const ulong nodes, const ulong width,
                  const ulong active)
{
    const ulong blocks = (active + COLUMNS - 1ul) / COLUMNS;
    const ulong slot = (ulong)get_group_id(0) / blocks * ROWS + get_local_id(0) / COLUMNS;
    const ulong column = (ulong)get_group_id(0) % blocks * COLUMNS + get_local_id(0) % COLUMNS;
    if (slot < count && column < active) {
        const ulong target = min((ulong)targets[begin + slot], nodes - 1ul);
        const ELEMENT path = weights[begin + slot] + w[source * width + column];
        const ulong at = target * width + column;
        if (target != source && path > w[at])
            w[at] = path;
    }
}

// Rows first to before first + rows, a level, from rows before them; `most` is the last row before the level.
__kernel void maxplus_pull(__global ELEMENT *restrict w, __global const ulong *restrict offsets,
                           __global const uint *restrict sources, __global const ELEMENT *restrict weights,
                           const ulong first, const ulong rows, const ulong most, const ulong arcs, const ulong width,
                           const ulong active)
{
    const ulong item = get_global_id(0);
    const ulong row = first + item / active;
    const ulong column = item % active;
    if (item < rows * active) {
        ELEMENT best = w[row * width + column];
        const ulong end = min(offsets[row + 1ul], arcs);
        for (ulong arc = offsets[row]; arc < end; arc++)
            best = longer(best, weights[arc] + w[min((ulong)sources[arc], most) * width + column]);
        w[row * width + column] = best;
    }
}
