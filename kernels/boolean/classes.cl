// Sums and maxima over 2^n integers by the number of ones of the index: what a spectrum tells of its function.
//
// A group takes blocks of 64 * GROUP values. Item i reads the values of the indices
//
//   block | k: 6 bits | i: log2 GROUP bits        k = 0..63
//
// one after the other. The three parts' ones add up, and those of k are known when this is compiled, so that an item keeps
// seven maxima and counts in registers and adds them to the group's by one atomic operation each.
//
// set: GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif

#define CLASSES 33u

inline uint ones_of(const uint k)
{
    return (uint)popcount(k);
}

// whole: 2^n, the |v| that is looked for. most, nonzero: by the index's ones, maxima of |v| and counts of v other than 0,
// added to what stands there. full: by the index's leading bit, the lowest index with |v| = whole. squares: for each group the
// sum of the low 32 bits of the squares and that of the high ones.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_classes(__global const int *restrict values, const ulong len, const uint whole, __global uint *restrict most,
                     __global uint *restrict nonzero, __global uint *restrict full, __global ulong *restrict squares)
{
    __local uint group_most[CLASSES];
    __local uint group_nonzero[CLASSES];
    __local uint group_full[CLASSES];
    __local ulong sums[2u * GROUP];
    const uint item = (uint)get_local_id(0);
    for (uint c = item; c < CLASSES; c += GROUP) {
        group_most[c] = 0u;
        group_nonzero[c] = 0u;
        group_full[c] = 0xffffffffu;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    ulong low = 0ul;
    ulong high = 0ul;
    const uint blocks = (uint)((len + (64u * GROUP - 1u)) / (64u * GROUP));
    for (uint block = (uint)get_group_id(0); block < blocks; block += (uint)get_num_groups(0)) {
        uint item_most[7];
        uint item_nonzero[7];
#pragma unroll
        for (uint c = 0u; c < 7u; c++) {
            item_most[c] = 0u;
            item_nonzero[c] = 0u;
        }
        const ulong start = (ulong)block * (64u * GROUP) + item;
#pragma unroll
        for (uint k = 0u; k < 64u; k++) {
            const ulong i = start + k * GROUP;
            const uint size = i < len ? abs(values[i]) : 0u;
            const uint c = ones_of(k);
            item_most[c] = max(item_most[c], size);
            item_nonzero[c] += size != 0u ? 1u : 0u;
            const ulong square = (ulong)size * size;
            low += square & 0xfffffffful;
            high += square >> 32;
            // Index 0 has no leading bit.
            if (size == whole && i != 0ul && i < len) {
                const uint index = (uint)i;
                atomic_min(&group_full[31u - clz(index)], index);
            }
        }
        const uint ones = (uint)popcount(block) + (uint)popcount(item);
#pragma unroll
        for (uint c = 0u; c < 7u; c++) {
            if (item_nonzero[c] != 0u) {
                atomic_max(&group_most[ones + c], item_most[c]);
                atomic_add(&group_nonzero[ones + c], item_nonzero[c]);
            }
        }
    }

    sums[item] = low;
    sums[GROUP + item] = high;
    for (uint span = GROUP / 2u; span > 0u; span /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < span) {
            sums[item] += sums[item + span];
            sums[GROUP + item] += sums[GROUP + item + span];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0u) {
        squares[2u * get_group_id(0)] = sums[0];
        squares[2u * get_group_id(0) + 1u] = sums[GROUP];
    }
    for (uint c = item; c < CLASSES; c += GROUP) {
        if (group_nonzero[c] != 0u) {
            atomic_max(&most[c], group_most[c]);
            atomic_add(&nonzero[c], group_nonzero[c]);
        }
        if (group_full[c] != 0xffffffffu)
            atomic_min(&full[c], group_full[c]);
    }
}
