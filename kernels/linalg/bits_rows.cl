// Operations on matrices of bits, whose rows are words of 64 bits, the lowest bit first: an item for each word of the result, or
// for each column of words.
//
// set: GROUP=64u

#ifndef GROUP
#define GROUP 256u // items of a group
#endif

// Word (i, w) of a block of `rows` rows of `words` words, at start + i stride + w, from one matrix to another.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_copy(__global const ulong *restrict a, const ulong a_start, const ulong a_stride, __global ulong *restrict out,
               const ulong out_start, const ulong out_stride, const uint rows, const uint words)
{
    const ulong e = get_global_id(0);
    if (e < (ulong)rows * words) {
        const ulong i = e / words;
        const ulong w = e % words;
        out[out_start + i * out_stride + w] = a[a_start + i * a_stride + w];
    }
}

// out[i] = a[i] + b[i] modulo 2 for i < count.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_add(__global const ulong *restrict a, __global const ulong *restrict b, __global ulong *restrict out, const ulong count)
{
    const ulong i = get_global_id(0);
    if (i < count)
        out[i] = a[i] ^ b[i];
}

// Exchanges the rows first + k and first + swaps[k], swaps[k] < rows, one after the other, in a column of words.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_swap(__global ulong *restrict a, const uint words, const uint first, const uint rows, __global const uint *restrict swaps,
               const uint count)
{
    const uint w = (uint)get_global_id(0);
    if (w < words) {
        for (uint k = 0u; k < count; k++) {
            const ulong upper = (ulong)(first + k) * words + w;
            const ulong lower = (ulong)(first + min(swaps[k], rows - 1u)) * words + w;
            const ulong word = a[upper];
            a[upper] = a[lower];
            a[lower] = word;
        }
    }
}

// Word w of row j of the result has bit j of 64 rows of a.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bits_transpose(__global const ulong *restrict a, __global ulong *restrict out, const uint rows, const uint columns)
{
    const ulong words = (rows + 63u) / 64u;
    const ulong stride = (columns + 63u) / 64u;
    const ulong e = get_global_id(0);
    if (e < words * columns) {
        const ulong j = e / words;
        const ulong first = e % words * 64u;
        const ulong last = min(first + 64u, (ulong)rows);
        ulong word = 0ul;
        for (ulong i = first; i < last; i++)
            word |= ((a[i * stride + j / 64u] >> (j % 64u)) & 1ul) << (i - first);
        out[e] = word;
    }
}
