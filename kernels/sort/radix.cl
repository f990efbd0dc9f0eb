// Radix sort by digits of 8 bits from the lowest, stable: each pass counts the digits of every tile, sums the counts up, and writes
// the tiles' keys, sorted within the tile by two rounds of 4 bits, to their places. Keys are in `a` at first; each pass that moves
// them moves them to the other array. A pass in whose digit all keys agree does nothing, by what the survey left on the device.
// A tile has GROUP * PER keys; item i of its group has keys i * PER to i * PER + PER - 1.
//
// parts: sort/radix.clh
// set: KEY=uint
// set: KEY=uchar GROUP=64
// set: KEY=ushort VALUE=uint PAIRS=1
// set: KEY=ulong VALUE=ulong PAIRS=1 PER=4
// set: KEY=ulong COUNT=ulong PER=4

#ifndef VALUE
#define VALUE uint // what goes with a key
#endif
#ifndef PAIRS
#define PAIRS 0 // whether something goes with a key
#endif
#ifndef COUNT
#define COUNT uint // a number of keys
#endif
#ifndef GROUP
#define GROUP 256 // items of a group, a power of two
#endif
#ifndef PER
#define PER 8 // keys of an item
#endif

#define TILE (GROUP * PER)
#define HALVES 16u // values of four bits

// differing: bits in which the images of the `n` keys differ, and whether they are out of order; zeros at first. Items of the grid
// take every so many keys.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_survey(__global const KEY *keys, const ulong n, const KEY other, const KEY difference, __global uint *differing)
{
    __local uint found[3];
    const uint me = (uint)get_local_id(0);
    if (me < 3u)
        found[me] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    const KEY first = image_of(keys[0], other, difference);
    ulong bits = 0ul;
    uint is_out_of_order = 0u;
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {
        const KEY image = image_of(keys[i], other, difference);
        bits |= (ulong)(KEY)(image ^ first);
        if (i > 0ul && image_of(keys[i - 1ul], other, difference) > image)
            is_out_of_order = 1u;
    }
    atomic_or(&found[0], (uint)bits);
    atomic_or(&found[1], (uint)(bits >> 32));
    atomic_or(&found[2], is_out_of_order);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 3u && found[me] != 0u)
        atomic_or(&differing[me], found[me]);
}

// counts: of each digit at `shift` the number of keys in each tile; one group a tile.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_counts(__global const KEY *a, __global const KEY *b, const ulong n, const uint shift, const KEY other,
                  const KEY difference, __global const uint *differing, __global COUNT *counts)
{
    if (!is_sorted_by(differing, shift))
        return;
    __local uint found[DIGITS];
    const uint me = (uint)get_local_id(0);
    for (uint digit = me; digit < DIGITS; digit += GROUP)
        found[digit] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    __global const KEY *keys = is_exchanged(differing, shift) ? b : a;
    const ulong begin = get_group_id(0) * TILE;
    const uint count = (uint)min((ulong)TILE, n - begin);
    for (uint i = me; i < count; i += GROUP)
        atomic_inc(&found[digit_of(keys[begin + i], other, difference, shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint digit = me; digit < DIGITS; digit += GROUP)
        counts[(ulong)digit * get_num_groups(0) + get_group_id(0)] = (COUNT)found[digit];
}

// counts: sums of the counts before, of each digit by itself; totals: of each digit. One group a digit.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_sums(const ulong tiles, const uint shift, __global const uint *differing, __global COUNT *counts,
                __global COUNT *totals)
{
    if (!is_sorted_by(differing, shift))
        return;
    __local COUNT sums[GROUP];
    const uint me = (uint)get_local_id(0);
    __global COUNT *own = counts + get_group_id(0) * tiles;
    COUNT before = (COUNT)0;
    for (ulong begin = 0ul; begin < tiles; begin += GROUP) {
        const ulong i = begin + me;
        const COUNT count = i < tiles ? own[i] : (COUNT)0;
        sums[me] = count;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 1u; step < GROUP; step <<= 1) {
            const COUNT added = me >= step ? sums[me - step] : (COUNT)0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[me] += added;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (i < tiles)
            own[i] = before + sums[me] - count;
        before += sums[GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0u)
        totals[get_group_id(0)] = before;
}

// The keys of each tile, and what goes with them, to their places by the digit at `shift`; one group a tile.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void radix_place(__global KEY *a, __global KEY *b, __global VALUE *values_of_a, __global VALUE *values_of_b, const ulong n,
                 const uint shift, const KEY other, const KEY difference, __global const uint *differing,
                 __global const COUNT *counts, __global const COUNT *totals)
{
    if (!is_sorted_by(differing, shift))
        return;
    __local KEY keys[TILE];
#if PAIRS
    __local VALUE values[TILE];
#else
    (void)values_of_a;
    (void)values_of_b;
#endif
    __local ushort places[HALVES * GROUP];
    __local uint sums[GROUP];
    __local COUNT bases[2][DIGITS];
    __local uint begins[DIGITS];
    const uint me = (uint)get_local_id(0);
    const bool is_from_b = is_exchanged(differing, shift);
    __global const KEY *from = is_from_b ? b : a;
    __global KEY *to = is_from_b ? a : b;
    const ulong begin = get_group_id(0) * TILE;
    const uint count = (uint)min((ulong)TILE, n - begin);

    // Where the keys of each digit begin: all keys of smaller digits, and those of the same digit in tiles before.
    for (uint digit = me; digit < DIGITS; digit += GROUP)
        bases[0][digit] = totals[digit];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint now = 0u;
    for (uint step = 1u; step < DIGITS; step <<= 1) {
        for (uint digit = me; digit < DIGITS; digit += GROUP)
            bases[1u - now][digit] = bases[now][digit] + (digit >= step ? bases[now][digit - step] : (COUNT)0);
        now = 1u - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // Eight steps: the sums are in the first array again.
    for (uint digit = me; digit < DIGITS; digit += GROUP)
        bases[1][digit] = (digit > 0u ? bases[0][digit - 1u] : (COUNT)0)
            + counts[(ulong)digit * get_num_groups(0) + get_group_id(0)];

    // Past the end stand keys that come last.
    KEY last = (KEY)((KEY)~(KEY)0 ^ other);
    if (image_of(last, other, difference) != (KEY)~(KEY)0)
        last = (KEY)(last ^ difference);
    for (uint i = me; i < TILE; i += GROUP) {
        keys[i] = i < count ? from[begin + i] : last;
#if PAIRS
        values[i] = i < count ? (is_from_b ? values_of_b : values_of_a)[begin + i] : (VALUE)0;
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint round = 0u; round < 2u; round++) {
        const uint at = shift + 4u * round;
        KEY own[PER];
#if PAIRS
        VALUE own_values[PER];
#endif
        ushort ranks[PER];
#pragma unroll
        for (uint half_digit = 0u; half_digit < HALVES; half_digit++)
            places[half_digit * GROUP + me] = (ushort)0;
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            own[j] = keys[me * PER + j];
#if PAIRS
            own_values[j] = values[me * PER + j];
#endif
            ranks[j] = places[(digit_of(own[j], other, difference, at) & (HALVES - 1u)) * GROUP + me]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        // Sums of the counts before, in the order of digits and of items within a digit.
        uint sum = 0u;
#pragma unroll
        for (uint i = 0u; i < HALVES; i++)
            sum += places[me * HALVES + i];
        sums[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint step = 1u; step < GROUP; step <<= 1) {
            const uint added = me >= step ? sums[me - step] : 0u;
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[me] += added;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        sum = sums[me] - sum;
#pragma unroll
        for (uint i = 0u; i < HALVES; i++) {
            const uint found = places[me * HALVES + i];
            places[me * HALVES + i] = (ushort)sum;
            sum += found;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint j = 0u; j < PER; j++) {
            const uint place =
                places[(digit_of(own[j], other, difference, at) & (HALVES - 1u)) * GROUP + me] + (uint)ranks[j];
            keys[place] = own[j];
#if PAIRS
            values[place] = own_values[j];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = me; i < count; i += GROUP) {
        const uint digit = digit_of(keys[i], other, difference, shift);
        if (i == 0u || digit_of(keys[i - 1u], other, difference, shift) != digit)
            begins[digit] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < count; i += GROUP) {
        const uint digit = digit_of(keys[i], other, difference, shift);
        const ulong place = min((ulong)bases[1][digit] + (i - begins[digit]), n - 1ul);
        to[place] = keys[i];
#if PAIRS
        (is_from_b ? values_of_a : values_of_b)[place] = values[i];
#endif
    }
}

// Brings the `n` keys back to `a`, where they are in `b`.
__kernel void radix_return(__global KEY *a, __global const KEY *b, __global VALUE *values_of_a,
                           __global const VALUE *values_of_b, const ulong n, __global const uint *differing)
{
    const ulong i = get_global_id(0);
    if (i >= n || !is_exchanged(differing, KEY_BITS))
        return;
    a[i] = b[i];
#if PAIRS
    values_of_a[i] = values_of_b[i];
#else
    (void)values_of_a;
    (void)values_of_b;
#endif
}
