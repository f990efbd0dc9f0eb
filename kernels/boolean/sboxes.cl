// Linearity and differential uniformity of many S-boxes: a group takes one S-box at a time in local memory.
//
// Linearity. Half the signs' sums and differences of inputs 2x and 2x + 1 are -1, 0 or 1, and after k stages of a Walsh transform
// at most 2^(k-1) in size, so that LANES output masks share a word, as the digits of one number of base 2^(32 / LANES): sums and
// differences of words are those of their digits. The last stage is never stored: the larger of |u + v| and |u - v| is |u| + |v|.
//
//   tile    x: log_inputs bits | c: columns of LANES masks each
//
// Uniformity. Rows of the difference distribution table, as many as local memory has room for, are counted at once: x and x ^ a
// have the same difference and are one pair, and a counter of at most 2^(log_inputs - 1) pairs takes 32 / LANES bits.
//
//   counters    row: differences a from the first one on | S(x) ^ S(x ^ a)
//
// set: GROUP=64
// set: GROUP=64 OUTPUT=uchar LANES=4
// set: OUTPUT=uchar LANES=2

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef OUTPUT
#define OUTPUT ushort // type of an output
#endif
#ifndef LANES
#define LANES 4 // masks or counters in a word: 4, or 2 for more than 8 input bits
#endif
#ifndef LOG_WORDS
#define LOG_WORDS 12 // log2 of the words of a tile, at least log_inputs
#endif

#define WORDS (1u << LOG_WORDS)
#define LOG_LANES (LANES / 2)
#define DIGIT_BITS (32 / LANES)
#define DIGIT_MASK ((1u << DIGIT_BITS) - 1u)
#if LANES == 4
#define ONES 0x01010101u
#define DIGIT char
#else
#define ONES 0x00010001u
#define DIGIT short
#endif

// Whether mask . y is odd, for LANES masks from `mask` on, a multiple of LANES: a digit each.
inline uint odd_digits(const uint y, const uint mask)
{
    const uint odd = ((uint)popcount(y & mask) & 1u) * ONES;
#if LANES == 4
    return odd ^ ((y & 1u) * 0x01000100u) ^ ((y >> 1 & 1u) * 0x01010000u);
#else
    return odd ^ ((y & 1u) * 0x00010000u);
#endif
}

// The place of pair t in pairs of words that differ in this bit.
inline uint lower_of(const uint t, const uint bit)
{
    const uint low = t & ((1u << bit) - 1u);
    return ((t ^ low) << 1) | low;
}

// The halved Walsh transforms of the components with the masks of a tile from `mask` on, but for their last stage.
inline void transform(__global const OUTPUT *restrict sbox, const uint log_inputs, const uint log_outputs, const uint log_columns,
                      const uint mask, __local uint *tile)
{
    const uint item = (uint)get_local_id(0);
    const uint pairs = 1u << (log_inputs - 1u + log_columns);
    const uint most = (1u << log_outputs) - 1u;
    for (uint t = item; t < pairs; t += GROUP) {
        const uint c = t & ((1u << log_columns) - 1u);
        const uint x = (t >> log_columns) << 1;
        // Bits past log_outputs are spoiled ones.
        const uint f = odd_digits((uint)sbox[x] & most, mask + (c << LOG_LANES));
        const uint g = odd_digits((uint)sbox[x + 1u] & most, mask + (c << LOG_LANES));
        tile[(x << log_columns) + c] = ONES - f - g;
        tile[((x + 1u) << log_columns) + c] = g - f;
    }
    for (uint stage = 1u; stage + 1u < log_inputs; stage++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint t = item; t < pairs; t += GROUP) {
            const uint i = lower_of(t, stage + log_columns);
            const uint j = i + (1u << (stage + log_columns));
            const uint u = tile[i];
            const uint v = tile[j];
            tile[i] = u + v;
            tile[j] = u - v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// The lowest digit, which may be negative, and the word without it.
inline int lowest(uint *word)
{
    const int digit = (DIGIT)(*word & DIGIT_MASK);
    *word = (*word - (uint)digit) >> DIGIT_BITS;
    return digit;
}

// sboxes: each of 2^log_inputs outputs, of which those from `from` up to `end` are taken. log_columns: of words with LANES masks
// each, as many as a tile has room for or there are. out: of each the largest |W(a, b)| with b other than 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_linearities(__global const OUTPUT *restrict sboxes, const ulong from, const ulong end, const uint log_inputs,
                         const uint log_outputs, const uint log_columns, __global uint *restrict out)
{
    __local uint tile[WORDS];
    __local uint group_most;
    const uint item = (uint)get_local_id(0);
    const uint pairs = 1u << (log_inputs - 1u + log_columns);
    const uint last_bit = log_inputs - 1u + log_columns;
    for (ulong s = from + get_group_id(0); s < end; s += get_num_groups(0)) {
        if (item == 0u)
            group_most = 0u;
        uint most = 0u;
        for (uint mask = 0u; mask < 1u << log_outputs; mask += (uint)LANES << log_columns) {
            transform(sboxes + (s << log_inputs), log_inputs, log_outputs, log_columns, mask, tile);
            for (uint t = item; t < pairs; t += GROUP) {
                const uint i = lower_of(t, last_bit);
                uint u = tile[i];
                uint v = tile[i + (1u << last_bit)];
                const uint first = mask + ((t & ((1u << log_columns) - 1u)) << LOG_LANES);
#pragma unroll
                for (uint lane = 0u; lane < LANES; lane++) {
                    const uint size = abs(lowest(&u)) + abs(lowest(&v));
                    if (first + lane != 0u && first + lane < 1u << log_outputs)
                        most = max(most, size);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        atomic_max(&group_most, most);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0u)
            out[s] = 2u * group_most;
    }
}

// Group g takes tile g of one S-box. out: 2^log_outputs words, zero before: of each output mask b the largest |W(a, b)|.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_component_linearities(__global const OUTPUT *restrict sbox, const uint log_inputs, const uint log_outputs,
                                   const uint log_columns, __global uint *restrict out)
{
    __local uint tile[WORDS];
    const uint item = (uint)get_local_id(0);
    const uint pairs = 1u << (log_inputs - 1u + log_columns);
    const uint last_bit = log_inputs - 1u + log_columns;
    const uint mask = (uint)get_group_id(0) * LANES << log_columns;
    transform(sbox, log_inputs, log_outputs, log_columns, mask, tile);
    for (uint t = item; t < pairs; t += GROUP) {
        const uint i = lower_of(t, last_bit);
        uint u = tile[i];
        uint v = tile[i + (1u << last_bit)];
        const uint first = mask + ((t & ((1u << log_columns) - 1u)) << LOG_LANES);
#pragma unroll
        for (uint lane = 0u; lane < LANES; lane++) {
            const uint size = abs(lowest(&u)) + abs(lowest(&v));
            if (first + lane < 1u << log_outputs)
                atomic_max(&out[first + lane], 2u * size);
        }
    }
}

// sboxes: as above. out: of each the largest entry of the difference distribution table with an input difference other than 0.
// log_outputs is at most LOG_WORDS + log2 LANES.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_uniformities(__global const OUTPUT *restrict sboxes, const ulong from, const ulong end, const uint log_inputs,
                          const uint log_outputs, __global uint *restrict out)
{
    __local uint counters[WORDS];
    __local uint group_most;
    const uint item = (uint)get_local_id(0);
    const uint log_row = max(log_outputs, (uint)LOG_LANES);
    const uint log_rows = min(log_inputs, (uint)LOG_WORDS + LOG_LANES - log_row);
    const uint words = 1u << (log_rows + log_row - LOG_LANES);
    const uint pairs = 1u << (log_rows + log_inputs - 1u);
    const uint most_output = (1u << log_outputs) - 1u;
    for (ulong s = from + get_group_id(0); s < end; s += get_num_groups(0)) {
        __global const OUTPUT *const sbox = sboxes + (s << log_inputs);
        if (item == 0u)
            group_most = 0u;
        uint most = 0u;
        for (uint first = 0u; first < 1u << log_inputs; first += 1u << log_rows) {
            for (uint w = item; w < words; w += GROUP)
                counters[w] = 0u;
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint t = item; t < pairs; t += GROUP) {
                const uint row = t >> (log_inputs - 1u);
                const uint a = first + row;
                if (a != 0u) {
                    const uint lead = 31u - clz(a);
                    const uint x = lower_of(t & ((1u << (log_inputs - 1u)) - 1u), lead);
                    // Bits past log_outputs are spoiled ones.
                    const uint d = ((uint)sbox[x] ^ (uint)sbox[x ^ a]) & most_output;
                    const uint at = (row << log_row) + d;
                    atomic_add(&counters[at >> LOG_LANES], 1u << ((at & (LANES - 1u)) * DIGIT_BITS));
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint w = item; w < words; w += GROUP) {
                const uint word = counters[w];
#pragma unroll
                for (uint lane = 0u; lane < LANES; lane++)
                    most = max(most, word >> (lane * DIGIT_BITS) & DIGIT_MASK);
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        atomic_max(&group_most, most);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item == 0u)
            out[s] = 2u * group_most;
    }
}
