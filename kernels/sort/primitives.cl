// Histograms, gathering, scattering, selection, runs of equal elements, transposition: an item for each element, read once and written
// once where it goes. Elements are moved and compared by their bits.
//
// set: uchar
// set: ushort
// set: ulong
// set: double
// set: float COUNTERS=1

#ifndef ELEMENT
#define ELEMENT uint // the type of elements
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef ELEMENT_FLOATING
#define ELEMENT_FLOATING 0
#endif
#if ELEMENT_FLOATING && ELEMENT_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifndef GROUP
#define GROUP 64 // items of a group, a multiple of 16
#endif
#ifndef COUNTERS
#define COUNTERS 512u // of a histogram in local memory; larger ones count in global memory
#endif

#define SIDE 16u // of a tile of a transposition

#if ELEMENT_FLOATING && ELEMENT_BYTES == 8
#define BITS(x) as_ulong(x)
#elif ELEMENT_FLOATING
#define BITS(x) as_uint(x)
#else
#define BITS(x) (x)
#endif

// counts: of each key below `range`; wrong: the first key that is not, if any is. Both are set before. Items of the grid take every
// so many keys.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_histogram(__global const uint *restrict keys, const ulong n, const uint range, __global uint *restrict counts,
                         __global uint *restrict wrong)
{
    __local uint own[COUNTERS];
    const uint me = (uint)get_local_id(0);
    const bool is_local = range <= COUNTERS;
    for (uint i = me; i < COUNTERS; i += GROUP)
        own[i] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const uint key = keys[i];
        if (key >= range)
            atomic_min(wrong, (uint)i);
        else if (is_local)
            atomic_inc(&own[key]);
        else
            atomic_inc(&counts[key]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < min(range, (uint)COUNTERS); i += GROUP) {
        if (is_local && own[i] != 0u)
            atomic_add(&counts[i], own[i]);
    }
}

// to[i] = from[places[i]] for i < count; wrong: the first place that is not below `limit`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_gather(__global const ELEMENT *restrict from, __global const uint *restrict places, const ulong count,
                      const ulong limit, __global ELEMENT *restrict to, __global uint *restrict wrong)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const uint place = places[i];
    if (place < limit)
        to[i] = from[place];
    else
        atomic_min(wrong, (uint)i);
}

// to[places[i]] = from[i] for i < count; wrong: the first place that is not below `limit`, and the lowest that is there twice. met: 0
// for each place before.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_scatter(__global const ELEMENT *restrict from, __global const uint *restrict places, const ulong count,
                       const ulong limit, __global ELEMENT *restrict to, __global uint *restrict met, __global uint *restrict wrong)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const uint place = places[i];
    if (place >= limit)
        atomic_min(&wrong[0], (uint)i);
    else if (atomic_xchg(&met[place], 1u) != 0u)
        atomic_min(&wrong[1], place);
    else
        to[place] = from[i];
}

// marks[i]: 1 where element i is the first or another than the one before it, else 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_heads(__global const ELEMENT *restrict from, const ulong count, __global uint *restrict marks)
{
    const ulong i = get_global_id(0);
    if (i < count)
        marks[i] = i == 0ul || BITS(from[i]) != BITS(from[i - 1ul]) ? 1u : 0u;
}

// marks[i]: 1 where flags[i] is not 0, else 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_marks(__global const uint *restrict flags, const ulong count, __global uint *restrict marks)
{
    const ulong i = get_global_id(0);
    if (i < count)
        marks[i] = flags[i] != 0u ? 1u : 0u;
}

// Elements that are marked, and where they stood, each after as many as are marked before it, of `total`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_select(__global const ELEMENT *restrict from, __global const uint *restrict marks, __global const uint *restrict before,
                      const ulong count, const ulong total, __global ELEMENT *restrict to, __global uint *restrict places)
{
    const ulong i = get_global_id(0);
    if (i >= count || marks[i] == 0u)
        return;
    const uint place = before[i];
    if (place < total) {
        to[place] = from[i];
        places[place] = (uint)i;
    }
}

// lengths[i]: from places[i] to the next, the last one to `count`.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_lengths(__global const uint *restrict places, const ulong total, const ulong count, __global uint *restrict lengths)
{
    const ulong i = get_global_id(0);
    if (i < total)
        lengths[i] = (i + 1ul < total ? places[i + 1ul] : (uint)count) - places[i];
}

// to[j][i] = from[i][j] for `rows` rows i of `columns` columns j; a group a tile of SIDE by SIDE, row of tiles after row of tiles.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void primitive_transpose(__global const ELEMENT *restrict from, const ulong rows, const ulong columns, __global ELEMENT *restrict to)
{
    __local ELEMENT tile[SIDE * (SIDE + 1u)];
    const uint x = (uint)get_local_id(0) % SIDE;
    const uint y = (uint)get_local_id(0) / SIDE;
    const ulong across = (columns + SIDE - 1ul) / SIDE;
    const ulong row = get_group_id(0) / across * SIDE;
    const ulong column = get_group_id(0) % across * SIDE;
    for (uint i = y; i < SIDE; i += GROUP / SIDE) {
        if (row + i < rows && column + x < columns)
            tile[i * (SIDE + 1u) + x] = from[(row + i) * columns + column + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = y; i < SIDE; i += GROUP / SIDE) {
        if (column + i < columns && row + x < rows)
            to[(column + i) * rows + row + x] = tile[x * (SIDE + 1u) + i];
    }
}
