// Condensation in floating point, one order lower in four launches, with a pivot anywhere (paper 002, section 7.4, corrected).
//
//   a         order n, row after row      out   order n - 1
//   scores    for each row that is searched its best candidate's score; places: that candidate's column, n for none
//   rows, columns, values   of each step the pivot's row, its column and the pivot; row n where there is none, and for all later steps
//   heads     of each step the pivot's row, and tails the other rows' multipliers, each `stride` words
//
// With the pivot in row k and column l, entry (i, j) of the result is a[i'][j'] - a[k][j'] (a[i'][l] / pivot), where i' and j' pass
// k and l; negative where either i < k or j < l, so that the determinant is the product of the pivots. All operations are rounded
// one by one, as the host rounds them. Before the first step real_range looks at all entries.
//
// set: RULE=1
// set: double RULE=2 GROUP=64u
// set: double
// set: double RULE=1

#ifndef ELEMENT
#define ELEMENT float // the type of entries
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4
#endif
#ifndef ELEMENT_FLOATING
#define ELEMENT_FLOATING 1
#endif
#if ELEMENT_FLOATING && ELEMENT_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#ifndef GROUP
#define GROUP 256u // items of a group, a power of two
#endif
#ifndef RULE
#define RULE 0 // best is 0 the first, 1 the closest to 1.0, 2 the largest in size
#endif

// An item for each entry: found[0], 0 before, becomes 1 if one of them is not 0 and its size not from `least` to `most`, as that of
// what is no number is not.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_range(__global const ELEMENT *restrict a, const ulong count, const ELEMENT least, const ELEMENT most,
                __global uint *restrict found)
{
    const ulong e = get_global_id(0);
    if (e < count && a[e] != (ELEMENT)0 && !(fabs(a[e]) >= least && fabs(a[e]) <= most))
        atomic_or(found, 1u);
}

// The lower the better; numbers that are none come last.
inline ELEMENT real_score(const ELEMENT x)
{
#if RULE == 0
    (void)x;
    return (ELEMENT)0;
#elif RULE == 1
    return isnan(x) ? (ELEMENT)INFINITY : fabs(x - (ELEMENT)1);
#else
    return isnan(x) ? (ELEMENT)0 : -fabs(x);
#endif
}

// The best of a group's candidates, the first among equal ones, at index 0.
inline void real_best(__local ELEMENT *best, __local uint *place, const uint item)
{
    for (uint half_size = GROUP / 2u; half_size > 0u; half_size /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_size) {
            const ELEMENT other = best[item + half_size];
            const uint other_place = place[item + half_size];
            if (other < best[item] || (other == best[item] && other_place < place[item])) {
                best[item] = other;
                place[item] = other_place;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// A group for each row that is searched: its best candidate that is not 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_candidates(__global const ELEMENT *restrict a, const uint order, __global ELEMENT *restrict scores, __global uint *restrict places)
{
    __local ELEMENT best[GROUP];
    __local uint place[GROUP];
    const uint item = (uint)get_local_id(0);
    const ulong row = get_group_id(0);
    ELEMENT own = (ELEMENT)INFINITY;
    uint own_place = order;
    for (uint j = item; j < order; j += GROUP) {
        const ELEMENT x = a[row * order + j];
        const ELEMENT score = real_score(x);
        if (x != (ELEMENT)0 && (own_place == order || score < own)) {
            own = score;
            own_place = j;
        }
    }
    best[item] = own;
    place[item] = own_place;
    real_best(best, place, item);
    if (item == 0u) {
        scores[row] = best[0];
        places[row] = place[0];
    }
}

// One group: the best of the rows' candidates. `searched` rows were.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_choose(__global const ELEMENT *restrict a, const uint order, const uint searched, const uint step,
                 __global const ELEMENT *restrict scores, __global const uint *restrict places, __global uint *restrict rows,
                 __global uint *restrict columns, __global ELEMENT *restrict values)
{
    __local ELEMENT best[GROUP];
    __local uint place[GROUP];
    const uint item = (uint)get_local_id(0);
    // The order before was one more.
    const bool is_over = step > 0u && rows[step - 1u] > order;
    ELEMENT own = (ELEMENT)INFINITY;
    uint own_row = order;
    for (uint i = item; i < searched && !is_over; i += GROUP) {
        if (places[i] < order && (own_row == order || scores[i] < own)) {
            own = scores[i];
            own_row = i;
        }
    }
    best[item] = own;
    place[item] = own_row;
    real_best(best, place, item);
    if (item == 0u) {
        const uint row = place[0];
        rows[step] = row;
        columns[step] = row < order ? places[row] : order;
        values[step] = row < order ? a[(ulong)row * order + places[row]] : (ELEMENT)0;
    }
}

// Item i keeps entry i of the pivot's row, and makes the multiplier of row i, 1 for the pivot's own.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_factors(__global const ELEMENT *restrict a, const uint order, const uint step, const ulong stride,
                  __global const uint *restrict rows, __global const uint *restrict columns, __global const ELEMENT *restrict values,
                  __global ELEMENT *restrict heads, __global ELEMENT *restrict tails)
{
    const uint i = (uint)get_global_id(0);
    const uint k = rows[step];
    const uint l = columns[step];
    if (i >= order || k >= order || l >= order)
        return;
    heads[step * stride + i] = a[(ulong)k * order + i];
    tails[step * stride + i] = i == k ? (ELEMENT)1 : a[(ulong)i * order + l] / values[step];
}

// An item for each entry of the result.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void real_step(__global const ELEMENT *restrict a, __global ELEMENT *restrict out, const uint order, const uint step, const ulong stride,
               __global const uint *restrict rows, __global const uint *restrict columns, __global const ELEMENT *restrict heads,
               __global const ELEMENT *restrict tails)
{
    const uint less = order - 1u;
    const ulong e = get_global_id(0);
    const uint k = rows[step];
    if (e >= (ulong)less * less || k >= order)
        return;
    const uint below = (uint)(e / less);
    const uint behind = (uint)(e % less);
    const uint i = below < k ? below : below + 1u;
    const uint j = behind < columns[step] ? behind : behind + 1u;
    const ELEMENT product = heads[step * stride + j] * tails[step * stride + i];
    const ELEMENT difference = a[(ulong)i * order + j] - product;
    out[e] = (below < k) != (behind < columns[step]) ? -difference : difference;
}
