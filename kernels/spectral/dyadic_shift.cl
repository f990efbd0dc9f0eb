// The dyadic shift x[i] -> x[i ^ by], in place: pairs of words change places, and bits within a word likewise.
//
// set: WITHIN_WORDS=1
// set: uchar

#ifndef ELEMENT
#define ELEMENT ulong
#endif
#ifndef GROUP
#define GROUP 256
#endif
#ifndef WITHIN_WORDS
#define WITHIN_WORDS 0 // 1 where the words of 64 bits hold 64 values each, and the shift moves bits within them
#endif

#if WITHIN_WORDS
// The bits of a word with positions i and i ^ by exchanged.
inline ulong shifted_bits(ulong w, const uint by)
{
    const ulong low[5] = {0x5555555555555555ul, 0x3333333333333333ul, 0x0F0F0F0F0F0F0F0Ful, 0x00FF00FF00FF00FFul,
                          0x0000FFFF0000FFFFul};
#pragma unroll
    for (uint k = 0; k < 5u; k++) {
        if ((by >> k) & 1u)
            w = ((w & low[k]) << (1u << k)) | ((w >> (1u << k)) & low[k]);
    }
    // The halves by name: compilers turn shifts into a rotation, which not every OpenCL runtime knows.
    return (by & 32u) != 0u ? as_ulong(as_uint2(w).s10) : w;
}
#define SHIFTED(w) shifted_bits(w, bits_by)
#else
#define SHIFTED(w) (w)
#endif

// data: whole runs of words. Item t of `items` exchanges the words i and i ^ by, where i is t with a 0 inserted at bit `top`,
// the highest of `by`; with by = 0, item t has word t alone. bits_by: the shift within words, below 64.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dyadic_shift(__global ELEMENT *data, const ulong items, const ulong by, const uint top, const uint bits_by)
{
    const ulong t = get_global_id(0);
    if (t >= items)
        return;
#if !WITHIN_WORDS
    (void)bits_by;
#endif
    if (by == 0ul) {
        data[t] = SHIFTED(data[t]);
        return;
    }
    const ulong i = ((t >> top) << (top + 1u)) | (t & ((1ul << top) - 1ul));
    const ELEMENT u = data[i];
    const ELEMENT v = data[i ^ by];
    data[i] = SHIFTED(v);
    data[i ^ by] = SHIFTED(u);
}
