// Salem-Said condensation of the determinant of a matrix of residues, one order lower in two launches, between two buffers
// (Salem and Said, 2010; paper 002, section 7.1, with the rule for any pivot).
//
//   a        order n, row after row       out   order n - 1
//   columns  of each step the column of the pivot, n where the first row is 0: all later steps are empty
//   values   of each step the pivot
//
// With l the column of the pivot a[0][l], entry (i, j) is
//
//   a[0][l] a[i+1][j+1] - a[0][j+1] a[i+1][l]   for j >= l
//   a[0][j] a[i+1][l] - a[0][l] a[i+1][j]       for j < l
//
// parts: poly/accumulate.clh linalg/inverse.clh
// set: GROUP=64u BAND=8u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256u // items of a group
#endif
#ifndef BAND
#define BAND 4u // rows that an item makes
#endif

// One group: the first entry of the first row that is not 0. Before step 0 all of `columns` is 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void condense_pivot(__global const ELEMENT *restrict a, const uint order, const uint step, __global uint *restrict columns,
                    __global ELEMENT *restrict values)
{
    __local uint first;
    const uint item = (uint)get_local_id(0);
    if (item == 0u)
        first = order;
    barrier(CLK_LOCAL_MEM_FENCE);
    // The order before was one more.
    const bool is_over = step > 0u && columns[step - 1u] > order;
    for (uint base = 0u; base < order && !is_over; base += GROUP) {
        const uint j = base + item;
        if (j < order && a[j] != (ELEMENT)0)
            atomic_min(&first, j);
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool is_found = first < order;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_found)
            break;
    }
    if (item == 0u) {
        columns[step] = first;
        values[step] = first < order ? a[first] : (ELEMENT)0;
    }
}

// A group has GROUP columns of BAND rows of the result.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void condense_step(__global const ELEMENT *restrict a, __global ELEMENT *restrict out, const uint order, const uint step,
                   __global const uint *restrict columns, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const uint l = columns[step];
    const uint less = order - 1u;
    const uint groups = (less + GROUP - 1u) / GROUP;
    const uint first = (uint)(get_group_id(0) / groups) * BAND;
    const uint j = (uint)(get_group_id(0) % groups) * GROUP + (uint)get_local_id(0);
    if (j >= less || l >= order)
        return;
    const bool is_behind = j >= l;
    const uint column = is_behind ? j + 1u : j;
    const residue pivot = mod_in(a[l]);
    const residue head = mod_in(a[column]);
    const residue by_own = is_behind ? pivot : residue_negative(pivot, mod);
    const residue by_pivots = is_behind ? residue_negative(head, mod) : head;
    for (uint i = first; i < min(first + BAND, less); i++) {
        const ulong row = (ulong)(i + 1u) * order;
        const sum own = sum_add(sum_zero(), by_own, mod_in(a[row + column]), mod);
        const sum both = sum_add(own, by_pivots, mod_in(a[row + l]), mod);
        out[(ulong)i * less + j] = mod_out(sum_residue(sum_fold(both, mod), mod), mod);
    }
}
