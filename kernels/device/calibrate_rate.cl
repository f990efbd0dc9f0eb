// How fast a device multiplies and adds: 8 independent chains an item for the rate, one for the latency.
//
// set: float
// set: ulong
// set: double

#ifndef ELEMENT
#define ELEMENT uint // type of the operands
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 // its size
#endif

#if ELEMENT_BYTES == 8 && defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define STEP_OF_ALL                                                                                                    \
    a = a * factor + term;                                                                                             \
    b = b * factor + term;                                                                                             \
    c = c * factor + term;                                                                                             \
    d = d * factor + term;                                                                                             \
    e = e * factor + term;                                                                                             \
    f = f * factor + term;                                                                                             \
    g = g * factor + term;                                                                                             \
    h = h * factor + term;

// out: one value an item. Each item does 128 multiply-adds a round.
__kernel void calibrate_rate(__global ELEMENT *out, const uint rounds, const ELEMENT factor, const ELEMENT term)
{
    ELEMENT a = (ELEMENT)get_global_id(0);
    ELEMENT b = a + term, c = b + term, d = c + term, e = d + term, f = e + term, g = f + term, h = g + term;
    for (uint round = 0; round < rounds; ++round) {
        STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL
        STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL
        STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL
        STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL STEP_OF_ALL
    }
    out[get_global_id(0)] = a + b + c + d + e + f + g + h;
}

// out: one value an item. Each item does 16 multiply-adds a round, each waiting for the one before.
__kernel void calibrate_latency(__global ELEMENT *out, const uint rounds, const ELEMENT factor, const ELEMENT term)
{
    ELEMENT a = (ELEMENT)get_global_id(0);
    for (uint round = 0; round < rounds; ++round) {
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
        a = a * factor + term;
    }
    out[get_global_id(0)] = a;
}
