// Gauss-Jordan elimination of a matrix of residues, one column in three launches, without a word to the host before the end
// (Golub and Van Loan, Matrix Computations, section 3.2; any pivot other than 0 serves in a field).
//
//   a            `rows` rows, `stride` words apart
//   state        [pivots before this column, whether this column has one, the row that it was found in]
//   columns      the column of each pivot
//   swaps        the row that each pivot was found in: rows k and swaps[k] were exchanged
//   values       each pivot, and at `limit`, behind the last, the inverse of the one of this column
//   multipliers  the entries of the column, 0 in the pivot's row
//
// Rows that `state` and `swaps` name are checked before they are indices: spoiled ones change no memory of others.
//
// parts: linalg/inverse.clh
// set: GROUP=64u BAND=8u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256u // items of a group
#endif
#ifndef BAND
#define BAND 4u // rows that an item changes
#endif

// One group: the first row from the number of pivots on whose entry in the column is not 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eliminate_pivot(__global const ELEMENT *restrict a, const ulong stride, const uint rows, const uint column, const uint limit,
                     __global uint *restrict state, __global uint *restrict columns, __global uint *restrict swaps,
                     __global ELEMENT *restrict values, const ELEMENT p, const ulong reciprocal)
{
    __local uint first;
    const uint item = (uint)get_local_id(0);
    const uint before = min(state[0] + state[1], limit); // read by all before item 0 writes it
    if (item == 0u)
        first = rows;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint base = before; before < limit && base < rows; base += GROUP) {
        const uint row = base + item;
        if (row < rows && a[row * stride + column] != (ELEMENT)0)
            atomic_min(&first, row);
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool is_found = first < rows;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_found)
            break;
    }
    if (item == 0u) {
        const modulus mod = mod_of(p, reciprocal);
        const bool is_found = first < rows;
        state[0] = before;
        state[1] = is_found ? 1u : 0u;
        state[2] = first;
        if (is_found) {
            const ELEMENT value = a[first * stride + column];
            columns[before] = column;
            swaps[before] = first;
            values[before] = value;
            values[limit] = mod_out(residue_inverse(mod_in(value), (ulong)p, mod), mod);
        }
    }
}

// Item j exchanges the entries of column j, from `column` to before `width`, in both rows, and divides the pivot's by it; item i
// keeps entry i of the column. Of both rows the item of the column keeps them, which also overwrites them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eliminate_exchange(__global ELEMENT *restrict a, const ulong stride, const uint rows, const uint width, const uint column,
                        const uint limit, __global const uint *restrict state, __global const ELEMENT *restrict values,
                        __global ELEMENT *restrict multipliers, const ELEMENT p, const ulong reciprocal)
{
    const uint target = state[0];
    const uint source = state[2];
    if (state[1] == 0u || target >= rows || source >= rows)
        return;
    const modulus mod = mod_of(p, reciprocal);
    const uint i = (uint)get_global_id(0);
    if (i < rows && i != target && i != source)
        multipliers[i] = a[i * stride + column];
    const uint j = column + i;
    if (j >= width)
        return;
    const ELEMENT upper = a[target * stride + j];
    const ELEMENT lower = a[source * stride + j];
    if (source != target)
        a[source * stride + j] = upper;
    a[target * stride + j] = mod_out(mod_mul(mod_in(lower), mod_in(values[limit]), mod), mod);
    if (j == column) {
        if (source != target)
            multipliers[source] = upper;
        multipliers[target] = (ELEMENT)0;
    }
}

// Takes the pivot's row from the rows from `first` on, if `first` is 0, or below the pivot's, if it is 1, as often as makes their
// entry in the column 0. A group has GROUP columns of BAND rows.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eliminate_update(__global ELEMENT *restrict a, const ulong stride, const uint rows, const uint width, const uint column,
                      const uint below, __global const uint *restrict state, __global const ELEMENT *restrict multipliers,
                      const ELEMENT p, const ulong reciprocal)
{
    const uint target = state[0];
    if (state[1] == 0u || target >= rows)
        return;
    const modulus mod = mod_of(p, reciprocal);
    const uint groups = (width - column + GROUP - 1u) / GROUP;
    const uint first = (uint)(get_group_id(0) / groups) * BAND;
    const uint j = column + (uint)(get_group_id(0) % groups) * GROUP + (uint)get_local_id(0);
    if (j >= width || (below != 0u && first + BAND <= target))
        return;
    const residue pivot = mod_in(a[target * stride + j]);
    for (uint i = first; i < min(first + BAND, rows); i++) {
        if (i != target && (below == 0u || i > target)) {
            const residue product = mod_canonical(mod_mul(mod_in(multipliers[i]), pivot, mod), mod);
            a[i * stride + j] = mod_out(mod_sub(mod_in(a[i * stride + j]), product, mod), mod);
        }
    }
}

// Exchanges the rows k and swaps[k] < rows for k < count, one after the other, counted from row `first` on: an item for each
// column.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void eliminate_permute(__global ELEMENT *restrict a, const ulong stride, const uint width, const uint first, const uint rows,
                       __global const uint *restrict swaps, const uint count)
{
    const uint j = (uint)get_global_id(0);
    if (j >= width)
        return;
    for (uint k = 0u; k < count; k++) {
        const ulong x = (first + k) * stride + j;
        const ulong y = (first + min(swaps[k], rows - 1u)) * stride + j;
        const ELEMENT word = a[x];
        a[x] = a[y];
        a[y] = word;
    }
}
