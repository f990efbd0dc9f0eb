// Determinants of many small matrices of residues, a group for each, within local memory: elimination without division, as in
// condensation (paper 002, section 7.1), and one inverse at the end.
//
// With the pivot a of step s each of the m = n - 1 - s rows below becomes a times itself less a multiple of the pivot's row, so
// that the determinant is multiplied by a^m: at the end the product of the pivots is divided by all these powers.
//
// Group g takes the matrix at g order^2. All have one prime in `determinants`; in `determinants_modulo` it is prime f =
// first_modulus + g, which stands at 2 f of the moduli, its reciprocal (see mod_of) at 2 f + 1.
//
// parts: poly/accumulate.clh linalg/inverse.clh
// set: GROUP=64u CAPACITY=4096u
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 32u // items of a group
#endif
#ifndef CAPACITY
#define CAPACITY 256u // entries of a matrix, at most
#endif

// The determinant of matrix g, which becomes known to item 0.
inline residue group_determinant(__global const ELEMENT *restrict a, const uint order, const modulus mod,
                                 __local residue *cells, __local uint *first)
{
    const uint item = (uint)get_local_id(0);
    const ulong start = get_group_id(0) * order * order;
    for (uint e = item; e < order * order; e += GROUP)
        cells[e] = mod_in(a[start + e]);
    residue product = mod_in((ELEMENT)1);
    residue heads = product; // of the pivots so far, as they stand
    residue scale = product;
    bool is_zero = false;
    for (uint s = 0u; s < order; s++) {
        if (item == 0u)
            *first = order;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint row = s + item; row < order; row += GROUP) {
            if (cells[row * order + s] != (residue)0) {
                atomic_min(first, row);
                break;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint source = *first;
        is_zero = source == order;
        if (is_zero)
            break;
        if (source != s) {
            for (uint j = s + item; j < order; j += GROUP) {
                const residue word = cells[s * order + j];
                cells[s * order + j] = cells[source * order + j];
                cells[source * order + j] = word;
            }
            product = residue_negative(product, mod);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const residue pivot = cells[s * order + s];
        product = mod_canonical(mod_mul(product, pivot, mod), mod);
        if (s + 1u < order) {
            heads = mod_canonical(mod_mul(heads, pivot, mod), mod);
            scale = mod_canonical(mod_mul(scale, heads, mod), mod);
        }
        const uint below = order - s - 1u;
        for (uint e = item; e < below * below; e += GROUP) {
            const uint i = s + 1u + e / below;
            const uint j = s + 1u + e % below;
            const residue factor = residue_negative(cells[i * order + s], mod);
            const sum own = sum_add(sum_zero(), pivot, cells[i * order + j], mod);
            const sum both = sum_add(own, factor, cells[s * order + j], mod);
            cells[i * order + j] = sum_residue(sum_fold(both, mod), mod);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    residue determinant = 0;
    if (item == 0u && !is_zero)
        determinant = mod_mul(product, residue_inverse(scale, (ulong)mod.p, mod), mod);
    return determinant;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void determinants(__global const ELEMENT *restrict a, const uint order, __global ELEMENT *restrict out, const ELEMENT p,
                  const ulong reciprocal)
{
    __local residue cells[CAPACITY];
    __local uint first;
    const modulus mod = mod_of(p, reciprocal);
    const residue determinant = group_determinant(a, order, mod, cells, &first);
    if (get_local_id(0) == 0u)
        out[get_group_id(0)] = mod_out(determinant, mod);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void determinants_modulo(__global const ELEMENT *restrict a, const uint order, __global const ulong *restrict moduli,
                         const uint first_modulus, __global ELEMENT *restrict out)
{
    __local residue cells[CAPACITY];
    __local uint first;
    const ulong at = 2ul * (first_modulus + get_group_id(0));
    const modulus mod = mod_of((ELEMENT)moduli[at], moduli[at + 1ul]);
    const residue determinant = group_determinant(a, order, mod, cells, &first);
    if (get_local_id(0) == 0u)
        out[get_group_id(0)] = mod_out(determinant, mod);
}
