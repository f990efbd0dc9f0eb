// Combinations of rows of residues: out[j][s] = sum over i of m[j][i] x[i][s], for OUTPUTS rows of the result at a time.

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef OUTPUTS
#define OUTPUTS 4 // rows of the result that an item makes
#endif

// `rows` rows of the result from `inputs` rows of `words` words; a row of groups for each OUTPUTS of them.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void codes_combine(__global const ELEMENT *restrict m, __global const ELEMENT *restrict x, __global ELEMENT *restrict out,
                   const uint rows, const uint inputs, const ulong words, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong groups = (words + GROUP - 1u) / GROUP;
    const uint first = (uint)(get_group_id(0) / groups) * OUTPUTS;
    const ulong s = get_group_id(0) % groups * GROUP + get_local_id(0);
    if (s >= words)
        return;
    sum sums[OUTPUTS];
#pragma unroll
    for (uint j = 0u; j < OUTPUTS; j++)
        sums[j] = sum_zero();
    for (uint i = 0u; i < inputs; i++) {
        const residue word = mod_in(x[i * words + s]);
#pragma unroll
        for (uint j = 0u; j < OUTPUTS; j++) {
            // Past the last row a factor is read again and its sum dropped.
            const uint row = min(first + j, rows - 1u);
            if (i % SUM_TERMS == 0u)
                sums[j] = sum_fold(sums[j], mod);
            sums[j] = sum_add(sums[j], mod_in(m[row * inputs + i]), word, mod);
        }
    }
#pragma unroll
    for (uint j = 0u; j < OUTPUTS; j++) {
        if (first + j < rows)
            out[(first + j) * words + s] = mod_out(sum_residue(sum_fold(sums[j], mod), mod), mod);
    }
}
