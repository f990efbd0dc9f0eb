// Sparse matrix times vector and times dense matrix in compressed rows (Bell and Garland, 2009): LANES items to a row, which
// read neighbouring non-zeros; an item alone for LANES = 1. Paper 002, chapter 6.
//
//   offsets   [rows + 1] begin of each row among the non-zeros of this block of rows
//   columns   [non-zeros] the column of each; values beside them
//   x         all of x: read at the columns
//   y         written from value `first` on
//
// Offsets and columns are taken for at most `non_zeros` and `last_column`: spoiled ones read no memory of others.
//
// unit: -
// parts: sparse/value.clh
// set: LANES=4 GROUP=64
// set: COMPUTATION=1 LANES=32
// set: double
// set: double LANES=2
// set: double COMPUTATION=1 LANES=8
// unit: RESIDUES
// parts: poly/accumulate.clh sparse/value.clh
// set: LANES=16
// set: ulong ARITHMETIC=1 LANES=2
// set: ulong ARITHMETIC=1 MOD_LAZY=1 LANES=4
// set: ulong ARITHMETIC=2 LANES=8

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef LANES
#define LANES 1 // items of a row, a power of two up to GROUP
#endif

// y = A x.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_multiply_rows(__global const uint *restrict offsets, __global const uint *restrict columns,
                          __global const ELEMENT *restrict values, __global const ELEMENT *restrict x,
                          __global ELEMENT *restrict y, const uint rows, const uint non_zeros, const uint last_column,
                          const ulong first, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    __global const VALUE *a = (__global const VALUE *)values;
    __global const VALUE *b = (__global const VALUE *)x;
    const uint item = (uint)get_local_id(0);
    const uint lane = item % LANES;
    const ulong row = (ulong)get_group_id(0) * (GROUP / LANES) + item / LANES;
    total t = total_zero();
    if (row < rows) {
        const uint end = min(offsets[row + 1u], non_zeros);
        for (uint i = offsets[row] + lane; i < end; i += LANES)
            t = total_add(t, a[i], b[min(columns[i], last_column)], mod);
    }
#if LANES == 1
    if (row < rows)
        ((__global VALUE *)y)[first + row] = value_out(total_value(t, mod), mod);
#else
    __local REG parts[GROUP];
    parts[item] = total_value(t, mod);
    for (uint half_lanes = LANES / 2u; half_lanes > 0u; half_lanes /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_lanes)
            parts[item] = value_add(parts[item], parts[item + half_lanes], mod);
    }
    if (lane == 0u && row < rows)
        ((__global VALUE *)y)[first + row] = value_out(parts[item], mod);
#endif
}

// Y = A X, where X and Y have rows of `width` values: LANES items for each value of Y, neighbours in one row.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_multiply_dense(__global const uint *restrict offsets, __global const uint *restrict columns,
                           __global const ELEMENT *restrict values, __global const ELEMENT *restrict x,
                           __global ELEMENT *restrict y, const uint rows, const uint non_zeros, const uint last_column,
                           const ulong width, const ulong first, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    __global const VALUE *a = (__global const VALUE *)values;
    __global const VALUE *b = (__global const VALUE *)x;
    const uint item = (uint)get_local_id(0);
    const uint lane = item % LANES;
    const ulong at = (ulong)get_group_id(0) * (GROUP / LANES) + item / LANES;
    const ulong row = at / width;
    total t = total_zero();
    if (row < rows) {
        const ulong column = at % width;
        const uint end = min(offsets[row + 1u], non_zeros);
        for (uint i = offsets[row] + lane; i < end; i += LANES)
            t = total_add(t, a[i], b[min(columns[i], last_column) * width + column], mod);
    }
#if LANES == 1
    if (row < rows)
        ((__global VALUE *)y)[first * width + at] = value_out(total_value(t, mod), mod);
#else
    __local REG parts[GROUP];
    parts[item] = total_value(t, mod);
    for (uint half_lanes = LANES / 2u; half_lanes > 0u; half_lanes /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_lanes)
            parts[item] = value_add(parts[item], parts[item + half_lanes], mod);
    }
    if (lane == 0u && row < rows)
        ((__global VALUE *)y)[first * width + at] = value_out(parts[item], mod);
#endif
}
