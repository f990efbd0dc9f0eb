// Sparse matrix times vector by merging (Merrill and Garland, 2016): rows' ends and non-zeros are one path, of which every item
// takes ITEMS steps, so that long rows and empty ones cost no item more than another.
//
//   path       at row r and non-zero i: i < offsets[r + 1] takes the non-zero, else the end of row r; step number r + i
//   starts     [groups + 1] the row at which the path is where each group begins, and `rows`
//   width      values of a row of x and y: each column of them has groups of its own, neighbours for one part of the path
//   carries    [groups * width] what a group has of the row that is open at its end; sparse_merge_carries adds it to that row
//   offsets, columns, values, x, y, last_column, first: as in kernels/sparse/rows.cl
//
// Starts, offsets and columns are taken for at most `rows`, `non_zeros` and `last_column`: spoiled ones read and write no memory of
// others.
//
// unit: -
// parts: sparse/value.clh
// set: GROUP=32 ITEMS=2
// set: COMPUTATION=1
// set: double
// set: double COMPUTATION=1
// unit: RESIDUES
// parts: poly/accumulate.clh sparse/value.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2

#ifndef GROUP
#define GROUP 128 // items of a group
#endif
#ifndef ITEMS
#define ITEMS 8 // steps of an item
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_multiply_merge(__global const uint *restrict offsets, __global const uint *restrict columns,
                           __global const ELEMENT *restrict values, __global const ELEMENT *restrict x,
                           __global ELEMENT *restrict y, __global const uint *restrict starts,
                           __global ELEMENT *restrict carries, const uint rows, const uint non_zeros,
                           const uint last_column, const ulong width, const ulong first, const ELEMENT p, const ulong reciprocal)
{
    __local uint open[GROUP];  // the row that is open where each item ends
    __local REG tails[GROUP];  // what the item has of it
    const modulus mod = mod_of(p, reciprocal);
    __global const VALUE *a = (__global const VALUE *)values;
    const uint item = (uint)get_local_id(0);
    const ulong group = get_group_id(0) / width;
    const ulong column = get_group_id(0) % width;
    __global const VALUE *b = (__global const VALUE *)x + column;
    __global VALUE *out = (__global VALUE *)y + first * width + column;
    const ulong length = (ulong)rows + non_zeros;
    const ulong begin = min((group * GROUP + item) * ITEMS, length);
    const ulong end = min(begin + ITEMS, length);

    // The first row whose end is not among the steps before.
    uint row = min(starts[group], rows);
    uint high = min(starts[group + 1u], rows);
    while (row < high) {
        const uint middle = row + (high - row) / 2u;
        if ((ulong)offsets[middle + 1u] + middle < begin)
            row = middle + 1u;
        else
            high = middle;
    }
    const uint begun = row;
    bool closed = false;
    REG head = total_value(total_zero(), mod);
    uint i = (uint)(begin - row);
    uint row_end = row < rows ? min(offsets[row + 1u], non_zeros) : 0u;
    total t = total_zero();
    for (ulong step = begin; step < end; step++) {
        if (i < row_end) {
            t = total_add(t, a[i], b[min(columns[i], last_column) * width], mod);
            i++;
        } else {
            if (closed && row < rows)
                out[row * width] = value_out(total_value(t, mod), mod);
            else
                head = total_value(t, mod);
            closed = true;
            t = total_zero();
            row++;
            row_end = row < rows ? min(offsets[row + 1u], non_zeros) : 0u;
        }
    }
    open[item] = row;
    tails[item] = total_value(t, mod);
    barrier(CLK_LOCAL_MEM_FENCE);

    // Items before this one may have parts of the row that was open where it began.
    if (closed) {
        for (uint before = item; before > 0u && open[before - 1u] == begun; before--)
            head = value_add(head, tails[before - 1u], mod);
        if (begun < rows)
            out[begun * width] = value_out(head, mod);
    }
    if (item == GROUP - 1u) {
        REG carry = tails[item];
        for (uint before = item; before > 0u && open[before - 1u] == row; before--)
            carry = value_add(carry, tails[before - 1u], mod);
        ((__global VALUE *)carries)[get_group_id(0)] = value_out(carry, mod);
    }
}

// Adds to each row what groups before the one that closed it have of it: the item of the first such group takes all.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_merge_carries(__global const uint *restrict starts, __global const ELEMENT *restrict carries,
                          __global ELEMENT *restrict y, const uint groups, const uint rows, const ulong width,
                          const ulong first, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong at = (ulong)get_group_id(0) * GROUP + get_local_id(0);
    const ulong group = at / width;
    const ulong column = at % width;
    if (group < groups) {
        const uint row = starts[group + 1u];
        if (row < rows && (group == 0u || starts[group] != row)) {
            __global VALUE *out = (__global VALUE *)y + (first + row) * width + column;
            REG all = value_in(*out);
            for (ulong next = group; next < groups && starts[next + 1u] == row; next++)
                all = value_add(all, value_in(((__global const VALUE *)carries)[next * width + column]), mod);
            *out = value_out(all, mod);
        }
    }
}
