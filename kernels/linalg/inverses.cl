// Inverses and determinants of many small matrices of residues, a group for each, in registers: Gauss-Jordan elimination in
// place (Golub and Van Loan, Matrix Computations, section 3.2), without division but two at the end.
//
//   a     matrix g, of order <= TILE, has entry (i, j) at start + g step + i stride + j
//   out   the inverses, one behind the other; of a matrix that has none nothing is written
//   found for each matrix its determinant, and the number of its first columns that have pivots
//
// All rows have one denominator d, 1 at first. With pivot P in row and column k, row i and column j become
//
//   entry (i, j)   P a[i][j] - a[i][k] a[k][j]     entry (k, j)   d a[k][j]
//   entry (i, k)   -d a[i][k]                      entry (k, k)   d d          and the denominator d P
//
// so that with d[k] the denominator before step k the determinant is d[n] / (d[1] ... d[n - 1]). Item (y, x) has the entries
// (y + SIDE r, x + SIDE c) for r, c < REGS; row k + 1 and column k + 1 go to local memory, by turns in two places, behind step k.

#ifndef SIDE
#define SIDE 8u // items along each side
#endif
#ifndef REGS
#define REGS 2u // entries of an item along each side
#endif

#define GROUP (SIDE * SIDE)
#define TILE (SIDE * REGS)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void inverses(__global const ELEMENT *restrict a, const ulong start, const ulong stride, const ulong step, const uint order,
              __global ELEMENT *restrict out, __global ELEMENT *restrict found, const ELEMENT p, const ulong reciprocal)
{
    __local residue rows[2][TILE];
    __local residue columns[2][TILE];
    __local residue exchanged[TILE];
    __local residue units[2];
    __local uint places[TILE]; // the row of the matrix that each row was
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const uint y = item / SIDE;
    const uint x = item % SIDE;
    const ulong first = start + get_group_id(0) * step;
    residue own[REGS][REGS];
#pragma unroll
    for (uint r = 0u; r < REGS; r++) {
#pragma unroll
        for (uint c = 0u; c < REGS; c++) {
            const uint i = y + SIDE * r;
            const uint j = x + SIDE * c;
            own[r][c] = i < order && j < order ? mod_in(a[first + i * stride + j]) : (residue)0;
            if (i == 0u)
                rows[0][j] = own[r][c];
            if (j == 0u)
                columns[0][i] = own[r][c];
        }
    }
    for (uint e = item; e < TILE; e += GROUP)
        places[e] = e;
    residue denominator = mod_in((ELEMENT)1);
    residue before = denominator; // the product of the denominators but the last
    bool is_odd = false;
    uint pivots = 0u;
    for (uint k = 0u; k < order; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint now = k & 1u;
        uint source = k;
        while (source < order && columns[now][source] == (residue)0)
            source++;
        if (source > k) {
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
#pragma unroll
                for (uint c = 0u; c < REGS; c++) {
                    if (y + SIDE * r == source) {
                        exchanged[x + SIDE * c] = own[r][c];
                        own[r][c] = rows[now][x + SIDE * c];
                    }
                }
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // Behind a column without pivot nothing is of use.
        if (source < order && pivots == k) {
            if (source > k) {
                if (item == 0u) {
                    const uint place = places[k];
                    places[k] = places[source];
                    places[source] = place;
                }
                is_odd = !is_odd;
            }
            pivots = k + 1u;
            const residue pivot = columns[now][source];
            residue left[REGS];
            residue right[REGS];
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
                const uint i = y + SIDE * r;
                // The entry that row `source` got from row k is 0.
                const residue entry = i == source && source > k ? (residue)0 : columns[now][i];
                left[r] = i == k ? denominator : residue_negative(entry, mod);
                const uint j = x + SIDE * r;
                right[r] = j == k ? denominator : source > k ? exchanged[j] : rows[now][j];
            }
#pragma unroll
            for (uint r = 0u; r < REGS; r++) {
#pragma unroll
                for (uint c = 0u; c < REGS; c++) {
                    const uint i = y + SIDE * r;
                    const uint j = x + SIDE * c;
                    const residue kept = i == k || j == k ? (residue)0 : own[r][c];
                    const sum both = sum_add(sum_add(sum_zero(), pivot, kept, mod), left[r], right[c], mod);
                    own[r][c] = sum_residue(sum_fold(both, mod), mod);
                    if (i == k + 1u)
                        rows[1u - now][j] = own[r][c];
                    if (j == k + 1u)
                        columns[1u - now][i] = own[r][c];
                }
            }
            if (k > 0u)
                before = mod_canonical(mod_mul(before, denominator, mod), mod);
            denominator = mod_canonical(mod_mul(denominator, pivot, mod), mod);
        }
    }
    if (item < 2u)
        units[item] = residue_inverse(item == 0u ? denominator : before, (ulong)p, mod);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (pivots == order) {
        const ulong to = get_group_id(0) * order * order;
#pragma unroll
        for (uint r = 0u; r < REGS; r++) {
#pragma unroll
            for (uint c = 0u; c < REGS; c++) {
                const uint i = y + SIDE * r;
                const uint j = x + SIDE * c;
                if (i < order && j < order)
                    out[to + i * order + places[j]] = mod_out(mod_mul(own[r][c], units[0], mod), mod);
            }
        }
    }
    if (item == 0u) {
        residue determinant = 0;
        if (pivots == order) {
            determinant = mod_canonical(mod_mul(denominator, units[1], mod), mod);
            if (is_odd)
                determinant = residue_negative(determinant, mod);
        }
        found[2ul * get_group_id(0)] = mod_out(determinant, mod);
        found[2ul * get_group_id(0) + 1ul] = (ELEMENT)pivots;
    }
}
