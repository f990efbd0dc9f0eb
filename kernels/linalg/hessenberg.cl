// Reduction of a matrix of residues to Hessenberg form by similarity, one column in five launches (Cohen, A Course in
// Computational Algebraic Number Theory, algorithm 2.2.9).
//
//   a            order n, row after row; the column at hand is k, its pivot's row k + 1
//   state        [whether the column has an entry other than 0 below the diagonal, the row that it was found in], which is
//                checked before it is an index
//   inverse      one word: the inverse of that entry
//   multipliers  the entries of the column below row k + 1, divided by it; 0 elsewhere
//
// parts: poly/accumulate.clh linalg/inverse.clh
// set: GROUP=64u BAND=8u SUM_TERMS=4
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256u // items of a group, a power of two
#endif
#ifndef BAND
#define BAND 4u // rows that an item changes
#endif

// One group: the first row below the diagonal whose entry in column k is not 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hessenberg_pivot(__global const ELEMENT *restrict a, const uint order, const uint k, __global uint *restrict state,
                      __global ELEMENT *restrict inverse, const ELEMENT p, const ulong reciprocal)
{
    __local uint first;
    const uint item = (uint)get_local_id(0);
    if (item == 0u)
        first = order;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint base = k + 1u; base < order; base += GROUP) {
        const uint row = base + item;
        if (row < order && a[(ulong)row * order + k] != (ELEMENT)0)
            atomic_min(&first, row);
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool is_found = first < order;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_found)
            break;
    }
    if (item == 0u) {
        state[0] = first < order ? 1u : 0u;
        state[1] = first;
        if (first < order) {
            const modulus mod = mod_of(p, reciprocal);
            const residue value = mod_in(a[(ulong)first * order + k]);
            inverse[0] = mod_out(residue_inverse(value, (ulong)p, mod), mod);
        }
    }
}

// Item i exchanges the entries of column i in the rows k + 1 and state[1], and makes multiplier i; the item of column k, which
// exchanges their entries, makes the multipliers of both rows.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hessenberg_exchange(__global ELEMENT *restrict a, const uint order, const uint k, __global const uint *restrict state,
                         __global const ELEMENT *restrict inverse, __global ELEMENT *restrict multipliers, const ELEMENT p,
                         const ulong reciprocal)
{
    const uint i = (uint)get_global_id(0);
    if (i >= order || state[0] == 0u || state[1] >= order)
        return;
    const modulus mod = mod_of(p, reciprocal);
    const residue unit = mod_in(inverse[0]);
    const uint target = k + 1u;
    const uint source = state[1];
    if (i != target && i != source)
        multipliers[i] = i > target ? mod_out(mod_mul(mod_in(a[(ulong)i * order + k]), unit, mod), mod) : (ELEMENT)0;
    const ELEMENT upper = a[(ulong)target * order + i];
    if (source != target) {
        a[(ulong)target * order + i] = a[(ulong)source * order + i];
        a[(ulong)source * order + i] = upper;
    }
    if (i == k) {
        if (source != target)
            multipliers[source] = mod_out(mod_mul(mod_in(upper), unit, mod), mod);
        multipliers[target] = (ELEMENT)0;
    }
}

// Item i exchanges the entries of row i in the columns k + 1 and state[1].
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hessenberg_columns(__global ELEMENT *restrict a, const uint order, const uint k, __global const uint *restrict state)
{
    const uint i = (uint)get_global_id(0);
    if (i >= order || state[0] == 0u || state[1] == k + 1u || state[1] >= order)
        return;
    const ulong x = (ulong)i * order + k + 1u;
    const ulong y = (ulong)i * order + state[1];
    const ELEMENT word = a[x];
    a[x] = a[y];
    a[y] = word;
}

// Takes row k + 1 from those below it, as often as their multipliers say, from column k on.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hessenberg_rows(__global ELEMENT *restrict a, const uint order, const uint k, __global const uint *restrict state,
                     __global const ELEMENT *restrict multipliers, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const uint groups = (order - k + GROUP - 1u) / GROUP;
    const uint first = k + 2u + (uint)(get_group_id(0) / groups) * BAND;
    const uint j = k + (uint)(get_group_id(0) % groups) * GROUP + (uint)get_local_id(0);
    if (j >= order || state[0] == 0u)
        return;
    const residue pivot = mod_in(a[(ulong)(k + 1u) * order + j]);
    for (uint i = first; i < min(first + BAND, order); i++) {
        const residue product = mod_canonical(mod_mul(mod_in(multipliers[i]), pivot, mod), mod);
        const ulong place = (ulong)i * order + j;
        a[place] = mod_out(mod_sub(mod_in(a[place]), product, mod), mod);
    }
}

// Adds to column k + 1 the columns behind it, as often as their multipliers say: a group for each row.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hessenberg_combine(__global ELEMENT *restrict a, const uint order, const uint k, __global const uint *restrict state,
                        __global const ELEMENT *restrict multipliers, const ELEMENT p, const ulong reciprocal)
{
    __local residue sums[GROUP];
    if (state[0] == 0u)
        return;
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong row = get_group_id(0) * order;
    sum own = sum_zero();
    uint terms = 0u;
    for (uint j = k + 2u + item; j < order; j += GROUP) {
        if (terms % SUM_TERMS == 0u)
            own = sum_fold(own, mod);
        own = sum_add(own, mod_in(a[row + j]), mod_in(multipliers[j]), mod);
        terms++;
    }
    sums[item] = sum_residue(sum_fold(own, mod), mod);
    for (uint half_size = GROUP / 2u; half_size > 0u; half_size /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size)
            sums[item] = mod_canonical(mod_add(sums[item], sums[item + half_size], mod), mod);
    }
    if (item == 0u)
        a[row + k + 1u] = mod_out(mod_add(mod_in(a[row + k + 1u]), sums[0], mod), mod);
}
