// Coefficients of bivariate polynomials before the transforms that evaluate them on a coset c w^i: row r, place t of a block becomes
// the sum over i = t mod block of coefficients[r][i] c^i.
//
//   coefficients  rows of `width` words       powers  c^0, ..., c^(width - 1)       images  rows of `block` words
//
// An item reads every block-th word of a row and writes one word; neighbours read and write neighbours.
//
// parts: field/residues.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bivariate_images(__global const ELEMENT *restrict coefficients, __global const ELEMENT *restrict powers,
                      __global ELEMENT *restrict images, const ulong rows, const ulong width, const ulong block, const ELEMENT p,
                      const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong id = get_global_id(0);
    const ulong row = id / block;
    if (row >= rows)
        return;
    residue sum = mod_in((ELEMENT)0);
    for (ulong i = id % block; i < width; i += block) {
        const residue term = mod_mul(mod_in(coefficients[row * width + i]), mod_in(powers[i]), mod);
        sum = mod_canonical(mod_add(sum, mod_canonical(term, mod), mod), mod);
    }
    images[id] = mod_out(sum, mod);
}
