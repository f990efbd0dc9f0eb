// Boolean functions between packed values, signs and integers. Bit i of word w is the value at 64 w + i.
//
// set: GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif

// One item makes four signs.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_signs(__global const ulong *restrict words, __global int *restrict out, const ulong len)
{
    const ulong i = (ulong)get_global_id(0) * 4ul;
    if (i >= len)
        return;
    const uint bits = (uint)(words[i >> 6] >> (i & 63ul)) & 15u;
    const int4 signs = 1 - 2 * convert_int4((uint4)(bits & 1u, bits >> 1 & 1u, bits >> 2 & 1u, bits >> 3));
    if (i + 4ul <= len) {
        vstore4(signs, i >> 2, out);
    } else {
        out[0] = signs.s0;
        if (len > 1ul)
            out[1] = signs.s1;
    }
}

// One item makes a word: a value is 1 where the integer is negative.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_negative(__global const int *restrict values, __global ulong *restrict out, const ulong len)
{
    const ulong word = (ulong)get_global_id(0);
    const ulong start = word << 6;
    if (start >= len)
        return;
    const uint count = (uint)min(len - start, 64ul);
    ulong bits = 0ul;
    for (uint i = 0u; i < count; i++)
        bits |= (ulong)(values[start + i] < 0 ? 1u : 0u) << i;
    out[word] = bits;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_squares(__global const int *restrict values, __global long *restrict out, const ulong len)
{
    const ulong i = (ulong)get_global_id(0);
    if (i < len) {
        const long v = values[i];
        out[i] = v * v;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_shifted(__global const long *restrict values, __global int *restrict out, const ulong len, const uint shift)
{
    const ulong i = (ulong)get_global_id(0);
    if (i < len)
        out[i] = (int)(values[i] >> shift);
}

// The most ones among the indices of a word's ones.
inline uint degree_within(const ulong word)
{
    uint degree = 0u;
    degree = (word & 0x0000000100010116ul) != 0ul ? 1u : degree;
    degree = (word & 0x0001011601161668ul) != 0ul ? 2u : degree;
    degree = (word & 0x0116166816686880ul) != 0ul ? 3u : degree;
    degree = (word & 0x1668688068808000ul) != 0ul ? 4u : degree;
    degree = (word & 0x6880800080000000ul) != 0ul ? 5u : degree;
    return (word >> 63) != 0ul ? 6u : degree;
}

// out: for each group the number of ones in its words, and the most ones of an index whose value is 1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void boolean_weigh(__global const ulong *restrict words, const ulong count, __global ulong *restrict out)
{
    __local ulong weights[GROUP];
    __local uint degrees[GROUP];
    const uint item = (uint)get_local_id(0);
    ulong weight = 0ul;
    uint degree = 0u;
    for (ulong w = (ulong)get_global_id(0); w < count; w += (ulong)get_global_size(0)) {
        const ulong word = words[w];
        weight += popcount(word);
        if (word != 0ul)
            degree = max(degree, (uint)popcount(w) + degree_within(word));
    }
    weights[item] = weight;
    degrees[item] = degree;
    for (uint span = GROUP / 2u; span > 0u; span /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < span) {
            weights[item] += weights[item + span];
            degrees[item] = max(degrees[item], degrees[item + span]);
        }
    }
    if (item == 0u) {
        out[2u * get_group_id(0)] = weights[0];
        out[2u * get_group_id(0) + 1u] = degrees[0];
    }
}
