// Rows of difference distribution tables: of an input difference a, how often each S(x) ^ S(x ^ a) occurs.
//
// x and x ^ a have the same difference, so only the x whose bit at the leading one of a is 0 are taken, and counted twice. A
// group counts a row in local memory, in counters of 16 bits, two a word; where not all of a row's counters fit, it goes over
// the inputs once for each piece of them:
//
//   piece 0: differences 0 ... 2^LOG_COUNTERS - 1      piece 1: 2^LOG_COUNTERS ...      ...
//
// set: STORE=1
// set: GROUP=64 LOG_COUNTERS=1
// set: GROUP=64 LOG_COUNTERS=8 STORE=1

#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif
#ifndef LOG_COUNTERS
#define LOG_COUNTERS 13 // log2 of the counters in local memory, at least 1
#endif
#ifndef STORE
#define STORE 0 // 1: rows are stored; 0: entries are counted by value
#endif

#define COUNTER_WORDS (1u << (LOG_COUNTERS - 1))
#define LOCAL_BINS 64u
#define ITEM_BINS 4u

// rows: from input difference first_row on. out: with STORE the rows, of 2^log_outputs entries; else 2^(log_inputs - 1) + 1
// counts of the entries' halves, added to. best: without STORE for each group the largest half of an entry of a row other than 0,
// its row and column, and the least number of ones in row and column together of an entry other than 0; combined with what stands
// there, from rows before these.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_differences(__global const ushort *restrict sbox, const uint first_row, const uint rows, const uint log_inputs,
                         const uint log_outputs, __global uint *restrict out, __global uint *restrict best)
{
    __local uint counters[COUNTER_WORDS];
    const uint item = (uint)get_local_id(0);
    const uint pieces = log_outputs > LOG_COUNTERS ? 1u << (log_outputs - LOG_COUNTERS) : 1u;
    const uint words = min(COUNTER_WORDS, 1u << (log_outputs - 1u));
    const uint pairs = 1u << (log_inputs - 1u);
#if !STORE
    __local uint bins[LOCAL_BINS];
    __local uint mosts[GROUP];
    __local uint places[GROUP];
    __local uint branches[GROUP];
    for (uint b = item; b < LOCAL_BINS; b += GROUP)
        bins[b] = 0u;
    uint item_bins[ITEM_BINS];
#pragma unroll
    for (uint b = 0u; b < ITEM_BINS; b++)
        item_bins[b] = 0u;
    uint most = 0u;
    uint place = 0xffffffffu;
    uint branch = 0xffffffffu;
#else
    (void)best;
#endif

    for (uint row = (uint)get_group_id(0); row < rows; row += (uint)get_num_groups(0)) {
        const uint a = first_row + row;
        // Difference 0 has no leading one: its pairs are any halves, all with the difference 0.
        const uint lead = a == 0u ? 1u : 1u << (31u - clz(a));
        for (uint piece = 0u; piece < pieces; piece++) {
            for (uint w = item; w < words; w += GROUP)
                counters[w] = 0u;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint t = item; t < pairs; t += GROUP) {
                const uint low = t & (lead - 1u);
                const uint x = ((t ^ low) << 1) | low;
                const uint d = (uint)sbox[x] ^ (uint)sbox[x ^ a];
#if !STORE
                if (a != 0u)
                    branch = min(branch, (uint)popcount(a) + (uint)popcount(d));
#endif
                if (d >> LOG_COUNTERS == piece) {
                    const uint counter = d & ((1u << LOG_COUNTERS) - 1u);
                    atomic_add(&counters[counter >> 1], (counter & 1u) != 0u ? 0x10000u : 1u);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint w = item; w < words; w += GROUP) {
                const uint pair = counters[w];
                const uint halves[2] = { pair & 0xffffu, pair >> 16 };
#if STORE
                const ulong at = ((ulong)row << log_outputs) + (piece << LOG_COUNTERS) + 2u * w;
                out[at] = 2u * halves[0];
                out[at + 1u] = 2u * halves[1];
#else
#pragma unroll
                for (uint k = 0u; k < 2u; k++) {
                    const uint half_count = halves[k];
#pragma unroll
                    for (uint b = 0u; b < ITEM_BINS; b++)
                        item_bins[b] += half_count == b ? 1u : 0u;
                    if (half_count >= LOCAL_BINS)
                        atomic_inc(&out[half_count]);
                    else if (half_count >= ITEM_BINS)
                        atomic_inc(&bins[half_count]);
                    if (a != 0u && half_count > most) {
                        most = half_count;
                        place = a << 16 | (piece << LOG_COUNTERS) | (2u * w + k);
                    }
                }
#endif
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }

#if !STORE
#pragma unroll
    for (uint b = 0u; b < ITEM_BINS; b++)
        if (item_bins[b] != 0u)
            atomic_add(&bins[b], item_bins[b]);
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
        if (mosts[0] > own[0]) {
            own[0] = mosts[0];
            own[1] = places[0] >> 16;
            own[2] = places[0] & 0xffffu;
        }
        own[3] = min(own[3], branches[0]);
    }
    for (uint b = item; b < LOCAL_BINS; b += GROUP)
        if (bins[b] != 0u)
            atomic_add(&out[b], bins[b]);
#endif
}
