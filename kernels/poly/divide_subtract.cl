// What a part of a quotient leaves of the dividend, and corrections of an inverse.
//
// data[at + j] for j < count, in place: less c[j], and with what lies above modulo x^fold - 1,
//
//   data[at + j] + data[at + j + fold] + ... - c[j]        of the `total` words from `at` on, fold >= count
//
// With total = 0 the words are -c[j].
//
// parts: field/residues.clh
// set: GROUP=64
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256 // items of a group
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void divide_subtract(__global ELEMENT *restrict data, const ulong at, const ulong count, const ulong total, const ulong fold,
                     __global const ELEMENT *restrict c, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong j = get_global_id(0);
    if (j >= count)
        return;
    residue left = (residue)0;
    for (ulong i = j; i < total; i += fold)
        left = mod_add(left, mod_in(data[at + i]), mod);
    data[at + j] = mod_out(mod_sub(left, mod_in(c[j]), mod), mod);
}
