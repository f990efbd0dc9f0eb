// Known-answer tests of a device's arithmetic modulo p, by the functions that kernels compute with. The host knows every result
// by division of integers of 128 bits.
//
// parts: field/goldilocks_wide.clh field/goldilocks_words.clh field/montgomery.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=2 MOD_WIDE=0
// set: ulong ARITHMETIC=3 SELF_TEST_BREAK=3u

#ifndef SELF_TEST_BREAK
#define SELF_TEST_BREAK 0xffffffffu // the row of results that is made wrong, to test the comparison; none by default
#endif

#define OPERANDS 8u
#define ROW(k, value) results[(ulong)(k) * count + i] = (ulong)(value) ^ ((k) == SELF_TEST_BREAK ? 1ul : 0ul)

// operands: for each of `count` items p and its reciprocal, the residues a and b, the two words of a constant w, p^-1 modulo the
// word, and a word x. results: rows of `count` words, row k at k * count; item i writes column i.
__kernel void self_test_residues(__global const ulong *restrict operands, __global ulong *restrict results,
                                 const uint count)
{
    const uint i = (uint)get_global_id(0);
    if (i >= count)
        return;
    __global const ulong *mine = operands + OPERANDS * i;
    const modulus m = mod_of((ELEMENT)mine[0], mine[1]);
    const ELEMENT a = (ELEMENT)mine[2];
    const ELEMENT b = (ELEMENT)mine[3];
    const factor w = mod_factor((ELEMENT)mine[4], (ELEMENT)mine[5]);
    ROW(0u, mod_out(mod_add(mod_in(a), mod_in(b), m), m));
    ROW(1u, mod_out(mod_sub(mod_in(a), mod_in(b), m), m));
    ROW(2u, mod_out(mod_canonical(mod_mul(mod_in(a), mod_in(b), m), m), m));
    ROW(3u, mod_out(mod_times(mod_in((ELEMENT)mine[7]), w, m), m));
    ROW(4u, mod_out(mod_times(mod_in(a), mod_factor_product(w, w, m), m), m));
    residue u = mod_in(a);
    residue v = mod_in(b);
    mod_butterfly(&u, &v, w, m, false);
    ROW(5u, mod_out(u, m));
    ROW(6u, mod_out(v, m));
#if ARITHMETIC == GOLDILOCKS
    // A butterfly of each block, and its inverse at the last level but one.
#pragma unroll
    for (uint block = 1u; block < 16u; block++) {
        running first = mod_open(a, true);
        running second = mod_open(b, false);
        MOD_BUTTERFLY(&first, &second, mine, block, m, false);
        ROW(4u * block + 3u, mod_canonical(mod_close(first), m));
        ROW(4u * block + 4u, mod_canonical(mod_close(second), m));
        first = mod_open(a, false);
        second = mod_open(b, false);
        MOD_BACK_BUTTERFLY(&first, &second, mine, block, m, false);
        MOD_BACK_BUTTERFLY_LAST(&first, &second, m);
        ROW(4u * block + 5u, mod_canonical(mod_close(first), m));
        ROW(4u * block + 6u, mod_canonical(mod_close(second), m));
    }
#else
    u = mod_in(a);
    v = mod_in(b);
    mod_back_butterfly(&u, &v, w, m, true);
    ROW(7u, mod_out(u, m));
    ROW(8u, mod_out(v, m));
#if ARITHMETIC == WORD32
    ROW(9u, montgomery32(a, b, m.p, (uint)mine[6]));
#elif ARITHMETIC == WORD64
    ROW(9u, montgomery64(a, b, m.p, mine[6]));
#endif
#endif
}
