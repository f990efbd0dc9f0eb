// Greatest common divisors of many pairs of polynomials, or of one, within local memory: steps as in gcd_steps.cl by RULE 0,
// of all coefficients, until one polynomial is 0 or a constant; then the monic result.
//
// A group has 2^LOG_PACK pairs, each 2^(LOG_GROUP - LOG_PACK) items. Where it has several, all of them go round as often as
// the longest pair may need. Row j of `out` is the result of pair j, the constant term first, then zeros; lens[j] is the
// number of its coefficients, 0 where both polynomials are 0.
//
// parts: poly/accumulate.clh field/combine.clh
// set: LOG_GROUP=6 LOG_PACK=3 MONTGOMERY=1
// set: LOG_GROUP=8 CAPACITY=1024 MONTGOMERY=1
// set: ulong ARITHMETIC=1 MONTGOMERY=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 LOG_PACK=1
// set: ulong ARITHMETIC=2 LOG_PACK=1
// set: ulong ARITHMETIC=3

#ifndef LOG_GROUP
#define LOG_GROUP 5 // items of a group
#endif
#ifndef LOG_PACK
#define LOG_PACK 0 // pairs of a group
#endif
#ifndef CAPACITY
#define CAPACITY 64u // coefficients of a polynomial, at most
#endif

#define GROUP (1u << LOG_GROUP)
#define PACK (1u << LOG_PACK)
#define LANES (1u << (LOG_GROUP - LOG_PACK))

// x^e of a canonical residue, canonical.
inline residue gcd_power(residue x, ulong e, const modulus mod)
{
    residue power = mod_in((ELEMENT)1);
    while (e > 0ul) {
        if (e & 1ul)
            power = mod_canonical(mod_mul(power, x, mod), mod);
        x = mod_canonical(mod_mul(x, x, mod), mod);
        e >>= 1;
    }
    return power;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gcd_batch(__global const ELEMENT *restrict a, const uint n, __global const ELEMENT *restrict b, const uint m,
               __global ELEMENT *restrict out, const uint length, __global uint *restrict lens, const uint count, const ELEMENT p,
               const ulong reciprocal, const ulong inverse)
{
    __local residue cells[(2u * CAPACITY) << LOG_PACK];
    __local uint leading[PACK];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const uint slot = item / LANES;
    const uint lane = item % LANES;
    const ulong pair = (ulong)get_group_id(0) * PACK + slot;
    const bool exists = pair < count;
    __local residue *own_p = cells + 2u * CAPACITY * slot;
    __local residue *own_q = own_p + CAPACITY;
    uint la = exists ? n : 0u;
    uint lb = exists ? m : 0u;
    for (uint i = lane; i < la; i += LANES)
        own_p[i] = mod_in(a[pair * n + la - 1u - i]);
    for (uint i = lane; i < lb; i += LANES)
        own_q[i] = mod_in(b[pair * m + lb - 1u - i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint op = 0u;
    uint oq = 0u;
    for (uint step = 0u; step < n + m; step++) {
        bool ended = la == 0u || lb == 0u;
        const residue x = ended ? (residue)0 : own_p[op];
        const residue y = ended ? (residue)0 : own_q[oq];
        ended = ended || (la == 1u && x != (residue)0) || (lb == 1u && y != (residue)0);
#if LOG_PACK == 0
        if (ended)
            break;
#endif
        const bool on_p = x == (residue)0 || (y != (residue)0 && la >= lb);
        const bool skip = x == (residue)0 || y == (residue)0;
        if (!ended && !skip) {
            __local residue *target = on_p ? own_p + op : own_q + oq;
            __local const residue *other = on_p ? own_q + oq : own_p + op;
            const uint target_length = on_p ? la : lb;
            const uint other_length = on_p ? lb : la;
            const residue c = on_p ? y : x;
            const residue d = mod_negative(on_p ? x : y, mod);
            for (uint k = 1u + lane; k < target_length; k += LANES)
                target[k] = mod_combine(c, target[k], d, k < other_length ? other[k] : (residue)0, mod, inverse);
        }
#if LOG_PACK == 0
        if (!skip)
#endif
            barrier(CLK_LOCAL_MEM_FENCE);
        if (!ended) {
            la -= on_p ? 1u : 0u;
            lb -= on_p ? 0u : 1u;
            op += on_p ? 1u : 0u;
            oq += on_p ? 0u : 1u;
        }
    }
    const bool is_one = la > 0u && lb > 0u;
    __local const residue *result = la == 0u ? own_q + oq : own_p + op;
    const uint result_length = is_one ? 1u : la == 0u ? lb : la;
    if (lane == 0u)
        leading[slot] = result_length;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lane; k < result_length; k += LANES) {
        if (is_one || result[k] != (residue)0) {
            atomic_min(&leading[slot], k);
            break;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!exists)
        return;
    const uint skipped = leading[slot];
    const uint own_length = result_length - skipped;
    const residue unit = own_length == 0u || is_one ? (residue)0 : gcd_power(result[skipped], (ulong)p - 2ul, mod);
    for (uint j = lane; j < length; j += LANES) {
        ELEMENT word = is_one && j == 0u ? (ELEMENT)1 : (ELEMENT)0;
        if (!is_one && j < own_length)
            word = mod_out(mod_mul(result[result_length - 1u - j], unit, mod), mod);
        out[pair * length + j] = word;
    }
    if (lane == 0u)
        lens[pair] = own_length;
}
