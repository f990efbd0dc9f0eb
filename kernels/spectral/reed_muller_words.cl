// Reed-Muller transforms so short that each stands within one word: values of 2^unit bits, of which a word holds several.
//
// set: uint
// set: ushort

#ifndef ELEMENT
#define ELEMENT ulong // ulong, uint or ushort
#endif
#ifndef GROUP
#define GROUP 256
#endif

// data: `count` words. Butterflies of the index bits unit to end - 1 of the bits of a word; a run of 2^(end - unit) values
// fills 2^end bits.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reed_muller_words(__global ELEMENT *data, const ulong count, const uint unit, const uint end)
{
    const ulong t = get_global_id(0);
    if (t >= count)
        return;
    const ulong low[6] = {0x5555555555555555ul, 0x3333333333333333ul, 0x0F0F0F0F0F0F0F0Ful,
                          0x00FF00FF00FF00FFul, 0x0000FFFF0000FFFFul, 0x00000000FFFFFFFFul};
    ulong w = data[t];
#pragma unroll
    for (uint k = 0; k < 6u; k++) {
        if (k >= unit && k < end)
            w ^= (w & low[k]) << (1u << k);
    }
    data[t] = (ELEMENT)w;
}
