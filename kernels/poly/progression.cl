// Factors of polynomials at geometric progressions (Bluestein 1970, without square roots): out[i] = x[i] a^i q^(i (i - 1) / 2).
//
// parts: field/residues.clh
// set: ONES=1
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 ONES=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef ONES
#define ONES 0 // 1 where all x[i] are 1 and none is read
#endif

inline residue power_of(residue base, ulong exponent, const modulus mod)
{
    residue power = mod_in((ELEMENT)1);
    while (exponent != 0ul) {
        if ((exponent & 1ul) != 0ul)
            power = mod_canonical(mod_mul(power, base, mod), mod);
        base = mod_canonical(mod_mul(base, base, mod), mod);
        exponent >>= 1;
    }
    return power;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void progression_factors(__global const ELEMENT *restrict x, __global ELEMENT *restrict out, const ulong count, const ELEMENT a,
                         const ELEMENT q, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    // One of i and i - 1 is even.
    const ulong pairs = (i & 1ul) == 0ul ? (i >> 1) * (i - 1ul) : i * (i >> 1);
    residue factor = mod_mul(power_of(mod_in(a), i, mod), power_of(mod_in(q), i == 0ul ? 0ul : pairs, mod), mod);
#if ONES == 0
    factor = mod_mul(mod_canonical(factor, mod), mod_in(x[i]), mod);
#else
    (void)x;
#endif
    out[i] = mod_out(factor, mod);
}
