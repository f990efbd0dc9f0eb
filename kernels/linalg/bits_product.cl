// Products of matrices of bits, added modulo 2 to what the result holds: rows are words of 64 bits, the lowest bit first.
//
//   group     a tile of SIDE rows by SIDE words of the result
//   item      a word of the tile
//   a round   a word of each row of a, and its 64 rows of b, which go to local memory: one barrier before and one after
//
// Word (i, q) of a stands at a_start + i a_stride + q, and so for b and out: blocks of larger matrices. Bits of a past the rows of
// b count for nothing.
//
// set: SIDE=16u

#ifndef SIDE
#define SIDE 8u // rows and words of a tile
#endif

#define GROUP (SIDE * SIDE)
#define BITS 64u

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_product(__global const ulong *restrict a, const ulong a_start, const ulong a_stride, __global const ulong *restrict b,
                  const ulong b_start, const ulong b_stride, __global ulong *restrict out, const ulong out_start,
                  const ulong out_stride, const uint rows, const uint inner, const uint words)
{
    __local ulong lines[BITS * SIDE];
    const uint tiles = (words + SIDE - 1u) / SIDE;
    const uint first_row = (uint)(get_group_id(0) / tiles) * SIDE;
    const uint first_word = (uint)(get_group_id(0) % tiles) * SIDE;
    const uint item = (uint)get_local_id(0);
    const uint row = first_row + item / SIDE;
    const uint x = item % SIDE;
    ulong sum = 0ul;
    for (uint k = 0u; k < inner; k += BITS) {
        for (uint e = item; e < BITS * SIDE; e += GROUP) {
            const uint line = k + e / SIDE;
            const uint word = first_word + e % SIDE;
            const bool inside = line < inner && word < words;
            lines[e] = inside ? b[b_start + (ulong)line * b_stride + word] : 0ul;
        }
        const ulong factor = row < rows ? a[a_start + (ulong)row * a_stride + k / BITS] : 0ul;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint t = 0u; t < BITS; t++)
            sum ^= lines[t * SIDE + x] & (0ul - ((factor >> t) & 1ul));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < rows && first_word + x < words)
        out[out_start + (ulong)row * out_stride + first_word + x] ^= sum;
}
