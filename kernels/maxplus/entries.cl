// Entries of a star before and after it is computed. Rows of `w` are nodes in the order of the computation, columns are chosen ones.
//
//   places     [width] the row at which each column has its 0
//   targets, weights            [arcs] arcs between places, those from place s from offsets[s] to before offsets[s + 1]
//   rows, columns               of each row and column of the result, where `w` has it
//
// Offsets, places, targets, rows and columns are taken for at most the last one: spoiled ones read and write no memory of others.
//
// parts: maxplus/weight.clh
// set: int
// set: long
// set: double

// w[i][j] = 0 where column j is that of row i, else epsilon.
__kernel void maxplus_begin(__global ELEMENT *restrict w, __global const uint *restrict places, const ulong count,
                            const ulong width)
{
    const ulong at = get_global_id(0);
    if (at < count)
        w[at] = places[at % width] == at / width ? (ELEMENT)0 : ABSENT;
}

// x[target][source] = weight, of arcs that differ: a group for each source. Entries of the diagonal stay.
__kernel void maxplus_scatter(__global ELEMENT *restrict x, __global const ulong *restrict offsets,
                              __global const uint *restrict targets, __global const ELEMENT *restrict weights,
                              const ulong arcs, const ulong nodes)
{
    const ulong source = get_group_id(0);
    const ulong end = min(offsets[source + 1ul], arcs);
    for (ulong arc = offsets[source] + get_local_id(0); arc < end; arc += get_local_size(0)) {
        const ulong target = min((ulong)targets[arc], nodes - 1ul);
        if (target != source)
            x[target * nodes + source] = weights[arc];
    }
}

// out[i][j] = w[rows[i]][columns[j]], or `epsilon` where that is none.
__kernel void maxplus_arrange(__global ELEMENT *restrict out, __global const ELEMENT *restrict w,
                              __global const uint *restrict rows, __global const uint *restrict columns, const ulong count,
                              const ulong width, const ulong nodes, const ELEMENT epsilon)
{
    const ulong at = get_global_id(0);
    if (at < count) {
        const ulong row = min((ulong)rows[at / width], nodes - 1ul);
        const ulong column = min((ulong)columns[at % width], width - 1ul);
        const ELEMENT value = w[row * width + column];
        out[at] = value < ABSENT / (ELEMENT)2 || value == ABSENT ? epsilon : value;
    }
}
