// Combinations of rows of words of the field of 2^16 elements: out[j][s] = sum over i of m[j][i] x[i][s], for OUTPUTS rows of the
// result at a time. An element of `x` and `out` holds two words of 16 bits. Item s reads column s of x and writes it of out:
// neighbouring items, neighbouring elements; the factors of m are the same for all items of a group.
//
// set: OUTPUTS=1
// set: OUTPUTS=2 GROUP=64

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef OUTPUTS
#define OUTPUTS 4 // rows of the result that an item makes
#endif

// `rows` rows of the result from `inputs` rows of `pairs` elements; a row of groups for each OUTPUTS of them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void codes_combine(__global const ushort *restrict m, __global const uint *restrict x, __global uint *restrict out,
                   const uint rows, const uint inputs, const ulong pairs)
{
    const ulong groups = (pairs + GROUP - 1u) / GROUP;
    const uint first = (uint)(get_group_id(0) / groups) * OUTPUTS;
    const ulong s = get_group_id(0) % groups * GROUP + get_local_id(0);
    if (s >= pairs)
        return;
    uint sums[OUTPUTS];
#pragma unroll
    for (uint j = 0u; j < OUTPUTS; j++)
        sums[j] = 0u;
    for (uint i = 0u; i < inputs; i++) {
        uint multiple = x[i * pairs + s];
        uint factors[OUTPUTS];
#pragma unroll
        for (uint j = 0u; j < OUTPUTS; j++) // past the last row a factor is read again and its sum dropped
            factors[j] = m[(ulong)min(first + j, rows - 1u) * inputs + i];
#pragma unroll
        for (uint bit = 0u; bit < 16u; bit++) {
#pragma unroll
            for (uint j = 0u; j < OUTPUTS; j++)
                sums[j] ^= multiple & (0u - (factors[j] >> bit & 1u));
            // Times x in both words: x^16 is x^12 + x^3 + x + 1.
            multiple = (multiple << 1 & 0xfffefffeu) ^ (multiple >> 15 & 0x00010001u) * 0x100bu;
        }
    }
#pragma unroll
    for (uint j = 0u; j < OUTPUTS; j++) {
        if (first + j < rows)
            out[(first + j) * pairs + s] = sums[j];
    }
}
