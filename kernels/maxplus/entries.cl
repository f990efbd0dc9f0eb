// Entries of a star before and after it is computed. Rows of `w` are nodes in the order of the computation, columns are chosen ones.
//
//   places     [width] the row at which each column has its 0
//   sources, targets, weights   [arcs] arcs between places
//   rows, columns               of each row and column of the result, where `w` has it
//
// Places, sources, targets, rows and columns are taken for at most the last one: spoiled ones read and write no memory of others.
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

// x[target][source] = weight, of arcs that differ.
__kernel void maxplus_scatter(__global ELEMENT *restrict x, __global const uint *restrict sources,
                              __global const uint *restrict targets, __global const ELEMENT *restrict weights,
                              const ulong arcs, const ulong nodes)
{
    const ulong arc = get_global_id(0);
    if (arc < arcs)
        x[min((ulong)targets[arc], nodes - 1ul) * nodes + min((ulong)sources[arc], nodes - 1ul)] = weights[arc];
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
