// Operations on the coefficients of polynomials one by one.
//
// parts: field/residues.clh
// set: OPERATION=1
// set: OPERATION=2
// set: OPERATION=3
// set: OPERATION=4
// set: OPERATION=5
// set: ulong ARITHMETIC=1 OPERATION=4
// set: ulong ARITHMETIC=1 MOD_LAZY=1 OPERATION=3
// set: ulong ARITHMETIC=2 OPERATION=2

#ifndef OPERATION
#define OPERATION 0 // of coefficients: 0 a + b, 1 a - b, 2 -a, 3 a c, 4 the derivative, 5 reversed
#endif
#ifndef GROUP
#define GROUP 256 // items of a group
#endif

// out[i] for i < count from the polynomials a and b of n and m coefficients; what lies outside of them is 0. For the
// derivative out[i] = (i + 1) a[i + 1]; reversed, out[i] = a[count - 1 - i].
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void coefficients_combine(__global const ELEMENT *restrict a, const ulong n, __global const ELEMENT *restrict b, const ulong m,
                          __global ELEMENT *restrict out, const ulong count, const ELEMENT c, const ELEMENT c_quotient,
                          const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const residue x = i < n ? mod_in(a[i]) : (residue)0;
#if OPERATION == 0
    out[i] = mod_out(mod_add(x, i < m ? mod_in(b[i]) : (residue)0, mod), mod);
#elif OPERATION == 1
    out[i] = mod_out(mod_sub(x, i < m ? mod_in(b[i]) : (residue)0, mod), mod);
#elif OPERATION == 2
    out[i] = mod_out(mod_sub((residue)0, x, mod), mod);
#elif OPERATION == 3
    out[i] = mod_out(mod_times(x, mod_factor(c, c_quotient), mod), mod);
#elif OPERATION == 4
    const residue next = i + 1u < n ? mod_in(a[i + 1u]) : (residue)0;
    const ulong degree = i + 1u < p ? i + 1u : (i + 1u) % p;
    out[i] = mod_out(mod_mul(next, mod_in((ELEMENT)degree), mod), mod);
    (void)x;
#else
    const ulong j = count - 1u - i;
    out[i] = j < n ? a[j] : (ELEMENT)0;
    (void)x, (void)mod;
#endif
    (void)b, (void)m, (void)c, (void)c_quotient;
}

// Sets found[0], 0 before, to one more than the highest i < count with data[start + i] other than 0.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void coefficients_highest(__global const ELEMENT *restrict data, const ulong start, const uint count, __global uint *restrict found)
{
    __local uint highest;
    const uint i = (uint)get_global_id(0);
    if (get_local_id(0) == 0)
        highest = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < count && data[start + i] != (ELEMENT)0)
        atomic_max(&highest, i + 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && highest > 0u)
        atomic_max(found, highest);
}

// Sets found[0] to 1 where a and b differ within `count` words.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void coefficients_differ(__global const ELEMENT *restrict a, __global const ELEMENT *restrict b, const ulong count, __global uint *restrict found)
{
    const ulong i = get_global_id(0);
    if (i < count && a[i] != b[i])
        atomic_or(found, 1u);
}

// The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
inline ulong mixed(const ulong x)
{
    const ulong y = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul;
    const ulong z = (y ^ (y >> 27)) * 0x94d049bb133111ebul;
    return z ^ (z >> 31);
}

// Uniform residues: word i is the first number below p among the low bits, as many as `mask` has, of a sequence that only
// `seed` and i determine.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void coefficients_random(__global ELEMENT *restrict out, const ulong count, const ELEMENT p, const ulong mask, const ulong seed)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    ulong state = mixed(seed + 0x9e3779b97f4a7c15ul * (i + 1u));
    ulong word = state & mask;
    while (word >= p) {
        state = mixed(state + 0x9e3779b97f4a7c15ul);
        word = state & mask;
    }
    out[i] = (ELEMENT)word;
}
