// Gauss-Jordan elimination of a small matrix of residues within local memory: one group, one launch (Golub and Van Loan, Matrix
// Computations, section 3.2). Arguments and results are those of eliminate.cl; state[0] becomes the number of pivots.
//
// parts: linalg/inverse.clh
// set: GROUP=256u CAPACITY=4096u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64u // items of the group
#endif
#ifndef CAPACITY
#define CAPACITY 1024u // entries of the matrix, at most
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void echelon_local(__global ELEMENT *restrict a, const uint rows, const uint width, const uint search, const uint below,
                   __global uint *restrict state, __global uint *restrict columns, __global uint *restrict swaps,
                   __global ELEMENT *restrict values, const ELEMENT p, const ulong reciprocal)
{
    __local residue cells[CAPACITY];
    __local uint first;
    __local residue unit;
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    for (uint e = item; e < rows * width; e += GROUP)
        cells[e] = mod_in(a[e]);
    uint target = 0u;
    for (uint column = 0u; column < search && target < rows; column++) {
        if (item == 0u)
            first = rows;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint row = target + item; row < rows; row += GROUP) {
            if (cells[row * width + column] != (residue)0) {
                atomic_min(&first, row);
                break;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint source = first;
        if (source < rows) {
            if (item == 0u) {
                const residue value = cells[source * width + column];
                columns[target] = column;
                swaps[target] = source;
                values[target] = mod_out(value, mod);
                unit = residue_inverse(value, (ulong)p, mod);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint j = column + item; j < width; j += GROUP) {
                const residue lower = cells[source * width + j];
                if (source != target)
                    cells[source * width + j] = cells[target * width + j];
                cells[target * width + j] = mod_canonical(mod_mul(lower, unit, mod), mod);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            // The column itself is read by all, and changed behind them.
            const uint top = below != 0u ? target + 1u : 0u;
            const uint right = width - column - 1u;
            for (uint e = item; e < (rows - top) * right; e += GROUP) {
                const uint i = top + e / right;
                const uint j = column + 1u + e % right;
                if (i != target) {
                    const residue product = mod_mul(cells[i * width + column], cells[target * width + j], mod);
                    const residue less = mod_sub(cells[i * width + j], mod_canonical(product, mod), mod);
                    cells[i * width + j] = mod_canonical(less, mod);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = top + item; i < rows; i += GROUP) {
                if (i != target)
                    cells[i * width + column] = (residue)0;
            }
            target++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0u)
        state[0] = target;
    for (uint e = item; e < rows * width; e += GROUP)
        a[e] = mod_out(cells[e], mod);
}
