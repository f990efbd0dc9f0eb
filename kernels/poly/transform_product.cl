// Spectra times spectra, value by value.
//
// parts: field/residues.clh
// set: SQUARE=1
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SQUARE=1
// set: ulong ARITHMETIC=2

#ifndef SQUARE
#define SQUARE 0 // 1 where every row is multiplied by itself
#endif
#ifndef EACH
#define EACH 4u // values of a work-item
#endif

// spectra: rows of 2^log_len values: first those of a, `blocks` for each product, then, from value `count` on, one for each
// product. product: `count` values, a multiple of 2^log_len; each row of a is multiplied by its product's row of b.
__kernel void transform_product(__global const ELEMENT *restrict spectra, __global ELEMENT *restrict product,
                                const ulong count, const uint log_len, const ulong blocks, const ELEMENT p,
                                const ulong reciprocal)
{
    const ulong group = get_local_size(0);
    const ulong first = get_group_id(0) * group * EACH + get_local_id(0);
    const modulus m = mod_of(p, reciprocal);
    for (uint k = 0; k < EACH; k++) {
        const ulong t = first + k * group;
        if (t < count) {
            const residue x = mod_in(spectra[t]);
#if SQUARE
            (void)log_len, (void)blocks;
            product[t] = mod_out(mod_mul(x, x, m), m);
#else
            const ulong row = blocks == 1ul ? t >> log_len : (t >> log_len) / blocks;
            const residue y = mod_in(spectra[count + (row << log_len) + (t & ((1ul << log_len) - 1ul))]);
            product[t] = mod_out(mod_mul(x, y, m), m);
#endif
        }
    }
}
