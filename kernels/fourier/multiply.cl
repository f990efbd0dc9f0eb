// Products along an axis with a chirp or with the spectrum of one, and products of spectra.
//
// unit: -
// parts: fourier/number.clh
// set: double
// unit: RESIDUES
// parts: field/residues.clh fourier/number.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

#define CONJUGATE_FIRST 1u
#define CONJUGATE_LAST 2u

inline VALUE multiplied(__global const VALUE *from, __global const CONSTANT *weights, const ulong source, const ulong k,
                        const ulong known, const uint multiplies, const uint flags, const MODULUS m)
{
    if (k >= known)
        return number_out(ZERO, false, m);
    NUMBER x = number_in(from[source], (flags & CONJUGATE_FIRST) != 0u);
    if (multiplies != 0u)
        x = times(x, weights[k], m);
    return number_out(x, (flags & CONJUGATE_LAST) != 0u, m);
}

// to[o][k][t] for k < after from place k, or place -k modulo `before` where reversed, of from[o][..][t], times weights[k];
// 0 from place `known` on.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_multiply_along(__global const ELEMENT *restrict from, __global ELEMENT *restrict to,
                            __global const ELEMENT *restrict weights, const ulong count, const ulong before, const ulong after,
                            const ulong inner, const ulong known, const uint reversed, const uint multiplies, const uint flags,
                            const ELEMENT p, const ulong reciprocal)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const ulong k = i / inner % after;
    const ulong place = reversed != 0u && k > 0u ? before - k : k;
    const ulong source = (i / inner / after * before + place) * inner + i % inner;
    ((__global VALUE *)to)[i] = multiplied((__global const VALUE *)from, (__global const CONSTANT *)weights, source, k, known,
                                           multiplies, flags, MODULUS_OF(p, reciprocal));
    (void)p, (void)reciprocal;
}

// The same in place, of equal lengths.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_multiply_along_in_place(__global ELEMENT *data, __global const ELEMENT *restrict weights, const ulong count,
                                     const ulong length, const ulong inner, const ulong known, const uint multiplies,
                                     const uint flags, const ELEMENT p, const ulong reciprocal)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    __global VALUE *values = (__global VALUE *)data;
    values[i] = multiplied(values, (__global const CONSTANT *)weights, i, i / inner % length, known, multiplies, flags,
                           MODULUS_OF(p, reciprocal));
    (void)p, (void)reciprocal;
}

// x[i] y[i mod period] in place of x[i], or with the conjugate of x[i].
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fourier_multiply(__global ELEMENT *x, __global const ELEMENT *restrict y, const ulong count, const ulong period,
                      const uint conjugate, const ELEMENT p, const ulong reciprocal)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const MODULUS m = MODULUS_OF(p, reciprocal);
    __global VALUE *values = (__global VALUE *)x;
    const NUMBER other = number_in(((__global const VALUE *)y)[i % period], false);
    values[i] = number_out(product(number_in(values[i], conjugate != 0u), other, m), false, m);
    (void)p, (void)reciprocal;
}
