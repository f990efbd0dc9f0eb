// Weights of interpolation: inverses of many residues at once, by the products of those before (Montgomery 1987), and products
// with them.
//
// parts: field/residues.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

inline residue inverse_of(const residue x, const ELEMENT p, const modulus mod)
{
    // x^(p - 2), from the highest bit down.
    const ulong exponent = (ulong)p - 2ul;
    residue power = mod_in((ELEMENT)1);
    for (int bit = 63 - (int)clz(exponent | 1ul); bit >= 0; bit--) {
        power = mod_canonical(mod_mul(power, power, mod), mod);
        if (exponent >> bit & 1ul)
            power = mod_canonical(mod_mul(power, x, mod), mod);
    }
    return power;
}

// Each item inverts `run` of the `count` residues with one power. A zero is told by its index, the lowest of all in zero[0],
// and taken as 1.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_invert(__global const ELEMENT *restrict values, __global ELEMENT *restrict inverses, const ulong count, const uint run,
                 __global uint *restrict zero, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    // The residues of an item are a stride apart, so that neighbours read neighbours.
    const ulong stride = (count + run - 1u) / run;
    const ulong first = get_global_id(0);
    if (first >= stride)
        return;
    residue product = mod_in((ELEMENT)1);
    for (ulong i = first; i < count; i += stride) {
        inverses[i] = mod_out(product, mod);
        const ELEMENT value = values[i];
        if (value == (ELEMENT)0)
            atomic_min(zero, (uint)i);
        else
            product = mod_canonical(mod_mul(product, mod_in(value), mod), mod);
    }
    residue inverse = inverse_of(product, p, mod);
    const ulong last = first + (count - 1u - first) / stride * stride;
    for (ulong i = last + stride; i > first;) {
        i -= stride;
        const ELEMENT value = values[i];
        inverses[i] = mod_out(mod_mul(inverse, mod_in(inverses[i]), mod), mod);
        if (value != (ELEMENT)0)
            inverse = mod_canonical(mod_mul(inverse, mod_in(value), mod), mod);
    }
}

// out[i] = x[i] y[i] for i < count.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_scale(__global const ELEMENT *restrict x, __global const ELEMENT *restrict y, __global ELEMENT *restrict out,
                const ulong count, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i < count)
        out[i] = mod_out(mod_mul(mod_in(x[i]), mod_in(y[i]), mod), mod);
}
