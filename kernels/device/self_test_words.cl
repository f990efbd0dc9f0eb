// Known-answer tests of a device's integers, single precision, work-item numbers, local memory and atomics. The host knows
// every result: a driver that gives another one is not used.
//
// set: SELF_TEST_BREAK=3u

#ifndef SELF_TEST_BREAK
#define SELF_TEST_BREAK 0xffffffffu // the row of results that is made wrong, to test the comparison; none by default
#endif

#define ROW(k, value) results[(ulong)(k) * count + i] = (value) ^ ((k) == SELF_TEST_BREAK ? 1u : 0u)
#define TWO(low, high) ((ulong)(low) | (ulong)(high) << 32)

// operands: for each of `count` items the words a, b and c; of c, the halves are the bits of two normal floats.
// results: rows of `count` words, row k at k * count; item i writes column i.
__kernel void self_test_words(__global const ulong *restrict operands, __global ulong *restrict results, const uint count)
{
    const uint i = (uint)get_global_id(0);
    if (i >= count)
        return;
    const ulong a = operands[3u * i];
    const ulong b = operands[3u * i + 1u];
    const ulong c = operands[3u * i + 2u];
    const uint u = (uint)a;
    const uint v = (uint)b;
    const uint s = v & 63u;
    const uint t = v & 31u;
    ROW(0u, a * b);
    ROW(1u, mul_hi(a, b));
    ROW(2u, (ulong)(u * v));
    ROW(3u, (ulong)mul_hi(u, v));
    ROW(4u, (ulong)u * v);
    ROW(5u, a + b);
    ROW(6u, a - b);
    ROW(7u, (a + b < b ? 1ul : 0ul) | (a < b ? 2ul : 0ul) | (u < v ? 4ul : 0ul) | ((long)a < (long)b ? 8ul : 0ul) |
                ((int)u < (int)v ? 16ul : 0ul));
    ROW(8u, a << s);
    ROW(9u, a >> s);
    ROW(10u, (ulong)((long)a >> s));
    ROW(11u, TWO(u << t, u >> t));
    ROW(12u, (ulong)(uint)((int)u >> t));
    const ulong d = b == 0ul ? 1ul : b;
    ROW(13u, a / d);
    ROW(14u, a % d);
    const uint e = v == 0u ? 1u : v;
    ROW(15u, TWO(u / e, u % e));
    const long f = b + 1ul < 2ul ? 3l : (long)b;
    ROW(16u, (ulong)((long)a / f));
    ROW(17u, min(a, a - b));
    ROW(18u, TWO(min(u, u - v), (uint)max((int)u, (int)v)));
    ROW(19u, TWO(popcount(u), popcount(a)));
    ROW(20u, TWO(clz(u), clz(a)));
    ROW(21u, (ulong)abs((int)u));
    const float x = as_float((uint)c);
    const float y = as_float((uint)(c >> 32));
    ROW(22u, (ulong)as_uint(x + y));
    ROW(23u, (ulong)as_uint(x - y));
    ROW(24u, (ulong)as_uint(x * y));
    ROW(25u, (ulong)as_uint(fma(x, y, -x)));
    ROW(26u, TWO(as_uint(floor(x)), as_uint((float)(int)u)));
}

#define GROUP_ROW 32u // rows of this kernel, as SELF_TEST_BREAK counts them, begin here
#define GROUP_MOST 64u // items of the largest group
#define COUNTERS 6u
#define MARK(k) (GROUP_ROW + (k) == SELF_TEST_BREAK ? 1u : 0u)
#define PLACE(k) results[(k) * count + i]

// One group-wide permutation after another: a word is kept at an item's place and taken from another's.
#define EXCHANGE(words, value, from)                                                                                   \
    words[item] = value;                                                                                               \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    value = words[from] * 5u + 1u;                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE)

// results: 7 rows of `count` words, all items of the grid, then COUNTERS words for each group, then COUNTERS + 1 words for
// all: the host sets the last ones before. Item i writes column i, and the groups' counters together. Groups have a power of
// two of items, at most GROUP_MOST.
__kernel void self_test_group(__global uint *results, const uint count)
{
    __local uint words[GROUP_MOST];
    __local ulong wide[GROUP_MOST];
    __local uint counters[COUNTERS];
    const uint i = (uint)get_global_id(0);
    const uint item = (uint)get_local_id(0);
    const uint size = (uint)get_local_size(0);
    const uint group = (uint)get_group_id(0);
    PLACE(0u) = i ^ MARK(0u);
    PLACE(1u) = (group << 16 | item) ^ MARK(0u);
    PLACE(2u) = ((uint)get_num_groups(0) << 16 | size) ^ MARK(0u);

    uint value = i * 2654435761u;
    ulong value_wide = value * 0x9e3779b97f4a7c15ul;
    for (uint bit = 1u; bit < size; bit <<= 1) {
        EXCHANGE(words, value, item ^ bit);
        EXCHANGE(wide, value_wide, (item + bit) & (size - 1u));
    }
    EXCHANGE(words, value, size - 1u - item);
    PLACE(3u) = value ^ MARK(1u);
    PLACE(4u) = (uint)value_wide ^ MARK(2u);
    PLACE(5u) = (uint)(value_wide >> 32) ^ MARK(2u);

    for (uint k = item; k < COUNTERS; k += size)
        counters[k] = k == 3u ? 0xffffffffu : 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint word = i * 2654435761u;
    __global uint *all = results + 7u * count + COUNTERS * (uint)get_num_groups(0);
    atomic_add(&counters[0], word);
    atomic_inc(&counters[1]);
    atomic_max(&counters[2], word);
    atomic_min(&counters[3], word);
    atomic_or(&counters[4], 1u << (item & 31u));
    atomic_add((__local int *)&counters[5], 1 - 2 * (int)(item & 1u) * (int)item);
    atomic_add(&all[0], word);
    PLACE(6u) = (uint)atomic_inc(&all[1]) + MARK(5u);
    atomic_max(&all[2], word);
    atomic_min(&all[3], word);
    atomic_or(&all[4], 1u << (i & 31u));
    atomic_add((__global int *)&all[5], 1 - 2 * (int)(i & 1u) * (int)i);
    if (i == 0u)
        all[6] = MARK(4u);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < COUNTERS; k += size)
        results[7u * count + COUNTERS * group + k] = counters[k] ^ MARK(3u);
}
