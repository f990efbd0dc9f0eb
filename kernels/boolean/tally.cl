// Counts even integers by value, and finds the largest |v| with its place: rows of a linear approximation table as they are
// made, or a spectrum.
//
//   value   -2 offset ... -LOCAL_BINS | -LOCAL_BINS ... LOCAL_BINS - 2 | LOCAL_BINS ... 2 offset      beyond
//   counted       one by one in bins  |  in local memory, then bins    |  one by one in bins      listed in `outside`
//
// set: GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif
#ifndef LOCAL_BINS
#define LOCAL_BINS 4096 // values counted in local memory, a power of two
#endif

// Counts the value at an index, and keeps it where it is the largest so far.
#define TAKE(value, at)                                                                              \
    do {                                                                                             \
        const int v_ = (value);                                                                      \
        const uint index_ = (at);                                                                    \
        const int half_v = v_ >> 1;                                                                  \
        const uint near_bin = (uint)(half_v + LOCAL_BINS / 2);                                       \
        const uint far_bin = (uint)(half_v + (int)offset);                                           \
        if (near_bin < LOCAL_BINS) {                                                                 \
            atomic_inc(&counts[near_bin]);                                                           \
        } else if (far_bin <= 2u * offset) {                                                         \
            atomic_inc(&bins[far_bin]);                                                              \
        } else {                                                                                     \
            const uint slot = (uint)atomic_inc(outside);                                             \
            if (slot < outside_len)                                                                  \
                outside[1u + slot] = v_;                                                             \
        }                                                                                            \
        const uint row = first_row + (index_ >> log_columns);                                        \
        if (v_ != 0 && row != 0u) {                                                                  \
            const uint size = abs(v_);                                                               \
            if (size > most) {                                                                       \
                most = size;                                                                         \
                place = index_;                                                                      \
            }                                                                                        \
            branch = min(branch, (uint)popcount(row) + (uint)popcount(index_ & (columns - 1u)));     \
        }                                                                                            \
    } while (0)

// values: rows of 2^log_columns, the first of them row first_row; len below 2^32. bins: 2 offset + 1 counts, added to; they hold every value
// that LOCAL_BINS holds and that occurs. outside:
// a count, added to, and the first outside_len values that are past the bins. best: for each group the largest |v| of a row
// other than 0, its row and column, and the least number of ones in row and column together of a v other than 0; combined with
// what stands there, from rows before these.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_tally(__global const int *restrict values, const ulong len, const uint log_columns, const uint first_row,
                   const uint offset, __global uint *restrict bins, const uint outside_len, __global int *restrict outside,
                   __global uint *restrict best)
{
    __local uint counts[LOCAL_BINS];
    __local uint mosts[GROUP];
    __local uint places[GROUP];
    __local uint branches[GROUP];
    const uint item = (uint)get_local_id(0);
    const uint columns = 1u << log_columns;
    for (uint b = item; b < LOCAL_BINS; b += GROUP)
        counts[b] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint most = 0u;
    uint place = 0xffffffffu;
    uint branch = 0xffffffffu;
    const ulong vectors = len >> 2;
    for (ulong q = (ulong)get_global_id(0); q < vectors; q += (ulong)get_global_size(0)) {
        const int4 v = vload4(q, values);
        const uint index = (uint)q << 2;
        TAKE(v.s0, index);
        TAKE(v.s1, index + 1u);
        TAKE(v.s2, index + 2u);
        TAKE(v.s3, index + 3u);
    }
    // Fewer than four are left.
    const ulong left = (vectors << 2) + get_global_id(0);
    if (left < len)
        TAKE(values[left], (uint)left);

    mosts[item] = most;
    places[item] = place;
    branches[item] = branch;
    for (uint span = GROUP / 2u; span > 0u; span /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < span) {
            const uint other = mosts[item + span];
            const uint other_place = places[item + span];
            if (other > mosts[item] || (other == mosts[item] && other_place < places[item])) {
                mosts[item] = other;
                places[item] = other_place;
            }
            branches[item] = min(branches[item], branches[item + span]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0u) {
        __global uint *const own = best + 4u * get_group_id(0);
        // Rows of earlier launches are lower, and stay where the sizes are equal.
        if (mosts[0] > own[0]) {
            own[0] = mosts[0];
            own[1] = first_row + (places[0] >> log_columns);
            own[2] = places[0] & (columns - 1u);
        }
        own[3] = min(own[3], branches[0]);
    }
    for (uint b = item; b < LOCAL_BINS; b += GROUP) {
        const uint far = b + offset - LOCAL_BINS / 2u;
        if (counts[b] != 0u && far <= 2u * offset)
            atomic_add(&bins[far], counts[b]);
    }
}
