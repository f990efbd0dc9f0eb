// Products of matrices of bits by the Method of the Four Russians, added modulo 2 to what the result holds (Albrecht, Bard and
// Hart, ACM Transactions on Mathematical Software 37, 2010, section 3): rows are words of 64 bits, the lowest bit first.
//
//   group     LINES REGS rows of the result, and a strip of 2 LANES words
//   item      two words of REGS rows, LINES rows apart, as sums in registers
//   a round   a word of each row of a, and its 64 rows of b: of every BITS rows a table in local memory gets all 2^BITS sums,
//             and every BITS bits of a word choose one; one barrier before tables are read and one after
//
// A line of a table has 2 LANES words: 128 bytes, which are read without a conflict of banks. Word (i, q) of a stands at
// a_start + i a_stride + q, and so for b and out: blocks of larger matrices. Bits of a past the rows of b count for nothing.
//
// set: REGS=16u LINES=8u
// set: REGS=2u BITS=5u

#ifndef BITS
#define BITS 4u // rows of a table, at least 4
#endif
#ifndef LINES
#define LINES 32u // rows that a group takes at a time
#endif
#ifndef REGS
#define REGS 4u // rows of an item
#endif

#define LANES 8u
#define GROUP (LINES * LANES)
#define WORD 64u
#define TABLES ((WORD + BITS - 1u) / BITS)
#define PART 16u // lines of a table that an item makes at a time
#define PARTS ((1u << BITS) / PART)

// Two words of a row of b; 0 for words and rows that it has not.
inline ulong2 line_of(__global const ulong *restrict b, const ulong start, const ulong stride, const uint line, const uint inner,
                      const uint word, const uint words)
{
    ulong2 both = (ulong2)(0ul, 0ul);
    if (line < inner && word < words) {
        const ulong place = start + (ulong)line * stride + word;
        both.x = b[place];
        if (word + 1u < words)
            both.y = b[place + 1ul];
    }
    return both;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_product_tables(__global const ulong *restrict a, const ulong a_start, const ulong a_stride,
                         __global const ulong *restrict b, const ulong b_start, const ulong b_stride,
                         __global ulong *restrict out, const ulong out_start, const ulong out_stride, const uint rows,
                         const uint inner, const uint words)
{
    __local ulong2 tables[TABLES << BITS][LANES];
    const uint strips = (words + 2u * LANES - 1u) / (2u * LANES);
    const uint item = (uint)get_local_id(0);
    const uint x = item % LANES;
    const uint first_row = (uint)(get_group_id(0) / strips) * (LINES * REGS) + item / LANES;
    const uint word = (uint)(get_group_id(0) % strips) * (2u * LANES) + 2u * x;
    ulong2 sums[REGS];
#pragma unroll
    for (uint r = 0u; r < REGS; r++)
        sums[r] = (ulong2)(0ul, 0ul);
    for (uint k = 0u; k < inner; k += WORD) {
        ulong factors[REGS];
#pragma unroll
        for (uint r = 0u; r < REGS; r++) {
            const uint row = first_row + r * LINES;
            factors[r] = row < rows ? a[a_start + (ulong)row * a_stride + k / WORD] : 0ul;
        }
        // Lines high PART to high PART + PART - 1 of table t: the lowest four rows by a Gray code, so that each line is one sum.
        for (uint e = item / LANES; e < TABLES * PARTS; e += LINES) {
            const uint t = e / PARTS;
            const uint high = e % PARTS;
            // Rows of the last table end with the word's.
            const uint end = min(k + WORD, inner);
            const uint line = k + t * BITS;
            const ulong2 first = line_of(b, b_start, b_stride, line, end, word, words);
            const ulong2 second = line_of(b, b_start, b_stride, line + 1u, end, word, words);
            const ulong2 third = line_of(b, b_start, b_stride, line + 2u, end, word, words);
            const ulong2 fourth = line_of(b, b_start, b_stride, line + 3u, end, word, words);
            ulong2 sum = (ulong2)(0ul, 0ul);
#pragma unroll
            for (uint i = 4u; i < BITS; i++) {
                if ((high >> (i - 4u)) & 1u)
                    sum ^= line_of(b, b_start, b_stride, line + i, end, word, words);
            }
            const uint place = (t << BITS) + high * PART;
            tables[place][x] = sum;
#pragma unroll
            for (uint i = 1u; i < PART; i++) {
                sum ^= i % 2u ? first : i % 4u ? second : i % 8u ? third : fourth;
                tables[place + (i ^ (i >> 1))][x] = sum;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint r = 0u; r < REGS; r++) {
#pragma unroll
            for (uint t = 0u; t < TABLES; t++)
                sums[r] ^= tables[(t << BITS) + ((uint)(factors[r] >> (t * BITS)) & ((1u << BITS) - 1u))][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (uint r = 0u; r < REGS; r++) {
        const uint row = first_row + r * LINES;
        const ulong place = out_start + (ulong)row * out_stride + word;
        if (row < rows && word < words)
            out[place] ^= sums[r].x;
        if (row < rows && word + 1u < words)
            out[place + 1ul] ^= sums[r].y;
    }
}
