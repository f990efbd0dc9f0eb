// Operations on the entries of matrices of residues one by one, and copies of blocks: an item for each entry of the result.
//
// parts: field/residues.clh
// set: OPERATION=1
// set: OPERATION=2 GROUP=64
// set: ulong ARITHMETIC=1 OPERATION=2
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2 OPERATION=1
// set: ulong ARITHMETIC=3 OPERATION=2

#ifndef OPERATION
#define OPERATION 0 // of entries: 0 a + b, 1 a - b, 2 a c
#endif
#ifndef GROUP
#define GROUP 256 // items of a group
#endif

// out[i] for i < count.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_combine(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, __global ELEMENT *restrict out,
                     const ulong count, const ELEMENT c, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
#if OPERATION == 0
    out[i] = mod_out(mod_add(mod_in(a[i]), mod_in(b[i]), mod), mod);
#elif OPERATION == 1
    out[i] = mod_out(mod_sub(mod_in(a[i]), mod_in(b[i]), mod), mod);
#else
    out[i] = mod_out(mod_mul(mod_in(a[i]), mod_in(c), mod), mod);
#endif
    (void)b, (void)c;
}

// out[j][i] = a[i][j] for `rows` rows i of `columns` columns j.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_transpose(__global const ELEMENT *restrict a, __global ELEMENT *restrict out, const uint rows, const uint columns)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * columns)
        out[e] = a[e % rows * columns + e / rows];
}

// Entry (i, j) of a block of `rows` by `columns` entries, at start + i stride + j, from one matrix to another.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_copy(__global const ELEMENT *restrict a, const ulong a_start, const ulong a_stride, __global ELEMENT *restrict out,
                  const ulong out_start, const ulong out_stride, const uint rows, const uint columns)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * columns) {
        const ulong i = e / columns;
        const ulong j = e % columns;
        out[out_start + i * out_stride + j] = a[a_start + i * a_stride + j];
    }
}

// Entry (i, j) of a block becomes 1 where i = row + j, else 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_unit(__global ELEMENT *restrict out, const ulong start, const ulong stride, const uint rows, const uint columns,
                  const uint row)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * columns) {
        const ulong i = e / columns;
        const ulong j = e % columns;
        out[start + i * stride + j] = i == row + j ? (ELEMENT)1 : (ELEMENT)0;
    }
}

// Moves a block to another matrix, less 1 in the entries (row + j, j), and leaves 1 in these and 0 in the others.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_take(__global ELEMENT *restrict a, const ulong start, const ulong stride, __global ELEMENT *restrict out,
                  const uint rows, const uint columns, const uint row, const ELEMENT p)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * columns) {
        const ulong i = e / columns;
        const ulong j = e % columns;
        const ulong place = start + i * stride + j;
        const bool is_unit = i == row + j;
        const ELEMENT entry = a[place];
        const ELEMENT less = entry == (ELEMENT)0 ? p - (ELEMENT)1 : entry - (ELEMENT)1;
        out[e] = is_unit ? less : entry;
        a[place] = is_unit ? (ELEMENT)1 : (ELEMENT)0;
    }
}

// Sets found[0] to 1 where a and b differ within `count` words.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_differ(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, const ulong count, __global uint *restrict found)
{
    const ulong i = get_global_id(0);
    if (i < count && a[i] != b[i])
        atomic_or(found, 1u);
}

// out[i][k] = a[i][picked[k]], picked[k] < columns, for `rows` rows of `count` picked columns.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void entries_pick(__global const ELEMENT *restrict a, const ulong a_start, const ulong a_stride, const uint columns,
                  __global const uint *restrict picked, const uint count, __global ELEMENT *restrict out, const uint rows)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * count)
        out[e] = a[a_start + e / count * a_stride + min(picked[e % count], columns - 1u)];
}
