// Known-answer tests of a device's double precision: sums, products, fused multiply-adds, quotients and square roots are the
// nearest doubles. The host knows every result.
//
// set: SELF_TEST_BREAK=3u

#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#ifndef SELF_TEST_BREAK
#define SELF_TEST_BREAK 0xffffffffu // the row of results that is made wrong, to test the comparison; none by default
#endif

#define ROW(k, value) results[(ulong)(k) * count + i] = (value) ^ ((k) == SELF_TEST_BREAK ? 1ul : 0ul)

// operands: for each of `count` items the bits of the doubles x, y, z, and a word of integers.
// results: rows of `count` words, row k at k * count; item i writes column i.
__kernel void self_test_double(__global const ulong *restrict operands, __global ulong *restrict results, const uint count)
{
    const uint i = (uint)get_global_id(0);
    if (i >= count)
        return;
    const double x = as_double(operands[4u * i]);
    const double y = as_double(operands[4u * i + 1u]);
    const double z = as_double(operands[4u * i + 2u]);
    const ulong n = operands[4u * i + 3u];
    ROW(0u, as_ulong(x + y));
    ROW(1u, as_ulong(x - y));
    ROW(2u, as_ulong(x * y));
    ROW(3u, as_ulong(fma(x, y, z)));
    ROW(4u, as_ulong(fma(x, y, -(x * y))));
    ROW(5u, as_ulong(x / y));
    ROW(6u, as_ulong(sqrt(fabs(x))));
    ROW(7u, as_ulong(floor(z)));
    ROW(8u, as_ulong(rint(z)));
    ROW(9u, as_ulong((double)n));
    ROW(10u, as_ulong((double)(int)(uint)n));
    ROW(11u, (x < y ? 1ul : 0ul) | (x == y ? 2ul : 0ul) | (x < 0.0 ? 4ul : 0ul));
}
