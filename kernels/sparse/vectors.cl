// Vectors of iterative solvers: dot products in two levels, and y = a x + b y.
//
//   sparse_dot       item g of all G takes the values g, g + G, g + 2 G, ...; sums[group] is what a group's items have together
//   sparse_combine   an item a value
//
// parts: sparse/value.clh
// set: GROUP=64
// set: double

#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_dot(__global const ELEMENT *restrict x, __global const ELEMENT *restrict y, __global ELEMENT *restrict sums,
                const ulong values)
{
    __local ELEMENT parts[GROUP];
    const uint item = (uint)get_local_id(0);
    ELEMENT part = (ELEMENT)0;
    for (ulong i = get_global_id(0); i < values; i += get_global_size(0))
        part += x[i] * y[i];
    parts[item] = part;
    for (uint half_group = GROUP / 2u; half_group > 0u; half_group /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_group)
            parts[item] += parts[item + half_group];
    }
    if (item == 0u)
        sums[get_group_id(0)] = parts[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_combine(__global const ELEMENT *restrict x, __global ELEMENT *restrict y, const ulong values, const ELEMENT a,
                    const ELEMENT b)
{
    const ulong i = (ulong)get_group_id(0) * GROUP + get_local_id(0);
    if (i < values)
        y[i] = a * x[i] + b * y[i];
}
