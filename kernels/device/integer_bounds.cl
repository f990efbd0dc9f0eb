// What integers can add up to: the bits of all their absolute values, and the sum of some of them.
//
// set: int
// set: long

#ifndef ELEMENT
#define ELEMENT long // type of the values: int or long
#endif
#ifndef GROUP
#define GROUP 256
#endif

// data: `count` values. out: two words for each group: the bits of its values, of negative ones those of -1 - x; and the sum
// modulo 2^64 of its values at multiples of 2^log_stride, which is below 2^63.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void integer_bounds(__global const ELEMENT *data, __global ulong *out, const ulong count, const uint log_stride)
{
    __local ulong bits[GROUP];
    __local ulong sums[GROUP];
    const uint item = (uint)get_local_id(0);
    const ulong within = (1ul << (log_stride & 63u)) - 1ul;
    ulong any = 0ul;
    ulong sum = 0ul;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        const long x = (long)data[i];
        any |= (ulong)(x ^ (x >> 63));
        if ((i & within) == 0ul)
            sum += (ulong)x;
    }
    bits[item] = any;
    sums[item] = sum;
    for (uint width = GROUP / 2u; width > 0u; width /= 2u) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < width) {
            bits[item] |= bits[item + width];
            sums[item] += sums[item + width];
        }
    }
    if (item == 0u) {
        out[2ul * get_group_id(0)] = bits[0];
        out[2ul * get_group_id(0) + 1ul] = sums[0];
    }
}
