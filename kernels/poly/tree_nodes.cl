// What products leave to do at the nodes of subproduct trees: the terms of leading coefficients, which are 1 and not kept.
//
// Nodes have 2^log_words words; those with an even index lie in `left`, the others in `right`, the root alone in `left`.
//
// parts: field/residues.clh
// set: PRODUCTS=2
// set: ulong ARITHMETIC=1 PRODUCTS=2
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 256 // items of a group
#endif
#ifndef PRODUCTS
#define PRODUCTS 1 // products that are added for a node: 1 or 2
#endif

// A node of 2 N words: the sum of the products at it and x^N (a + b) with N words of each child.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_join(__global const ELEMENT *restrict product, __global const ELEMENT *restrict other, __global const ELEMENT *restrict a,
               __global const ELEMENT *restrict b, __global ELEMENT *restrict left, __global ELEMENT *restrict right,
               const uint log_words, const ulong count, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const ulong node = i >> log_words;
    const ulong k = i & ((1ul << log_words) - 1ul);
    const ulong half_words = 1ul << (log_words - 1u);
    residue word = mod_in(product[i]);
#if PRODUCTS == 2
    word = mod_add(word, mod_in(other[i]), mod);
#else
    (void)other;
#endif
    if (k >= half_words) {
        const ulong child = (node << (log_words - 1u)) + (k - half_words);
        word = mod_add(word, mod_add(mod_in(a[child]), mod_in(b[child]), mod), mod);
    }
    const ulong place = (node >> 1 << log_words) + k;
    if ((node & 1u) == 0u)
        left[place] = mod_out(word, mod);
    else
        right[place] = mod_out(word, mod);
}

// The words of both children from those of each node: a child's N words are its products plus the node's lowest N words.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_descend(__global const ELEMENT *restrict t, __global const ELEMENT *restrict for_left,
                  __global const ELEMENT *restrict for_right, __global ELEMENT *restrict out, const uint log_words,
                  const ulong count, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const ulong node = i >> log_words;
    const ulong k = i & ((1ul << log_words) - 1ul);
    const ulong half_words = 1ul << (log_words - 1u);
    const ulong r = k & (half_words - 1ul);
    const ulong child = (node << (log_words - 1u)) + r;
    const ELEMENT product = k < half_words ? for_left[child] : for_right[child];
    out[i] = mod_out(mod_add(mod_in(product), mod_in(t[(node << log_words) + r]), mod), mod);
}
