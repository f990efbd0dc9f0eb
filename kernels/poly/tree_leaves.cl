// The lowest levels of subproduct trees (paper 002, chapter 10): a group takes the LEAF points of one node.
//
// A node of 2^i points stands for the product of x - u over them, monic, of which the 2^i coefficients below the leading one
// are kept. With the children's a and b of N coefficients, x^(2 N) + m = (x^N + a) (x^N + b) is m = a b + x^N (a + b).
//
// Points past the last are 0. Nodes with an even index go to `left`, the others to `right`; the root alone to `left`.
//
// parts: poly/accumulate.clh
// set: LOG_LEAF=7 SUM_TERMS=4
// set: ulong ARITHMETIC=1 LOG_LEAF=4
// set: ulong ARITHMETIC=1 MOD_LAZY=1 SUM_TERMS=4
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef LOG_LEAF
#define LOG_LEAF 5 // the base-2 logarithm of the points of a node
#endif

#define LEAF (1u << LOG_LEAF)

inline residue leaf_point(__global const ELEMENT *restrict points, const ulong i, const ulong count)
{
    return i < count ? mod_in(points[i]) : (residue)0;
}

// Where word `item` of node `node` lies among those of its parity.
inline ulong leaf_place(const ulong node, const uint item)
{
    return (node >> 1 << LOG_LEAF) + item;
}

// The nodes of LEAF points.
__kernel __attribute__((reqd_work_group_size(LEAF, 1, 1)))
void tree_leaves(__global const ELEMENT *restrict points, const ulong count, __global ELEMENT *restrict left,
                 __global ELEMENT *restrict right, const ELEMENT p, const ulong reciprocal)
{
    __local residue nodes[2u * LEAF];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong node = get_group_id(0);
    nodes[item] = mod_canonical(mod_sub((residue)0, leaf_point(points, (node << LOG_LEAF) + item, count), mod), mod);
    uint now = 0u;
    for (uint log_half = 0u; log_half < LOG_LEAF; log_half++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint half_words = 1u << log_half;
        const uint k = item & (2u * half_words - 1u);
        __local const residue *const a = nodes + now + (item - k);
        __local const residue *const b = a + half_words;
        const uint first = k < half_words ? 0u : k + 1u - half_words;
        const uint last = min(k, half_words - 1u);
        sum total = sum_zero();
        uint terms = 0u;
        for (uint i = first; i <= last; i++) {
            total = sum_add(total, a[i], b[k - i], mod);
            if (++terms % SUM_TERMS == 0u)
                total = sum_fold(total, mod);
        }
        residue word = sum_residue(total, mod);
        if (k >= half_words)
            word = mod_add(word, mod_add(a[k - half_words], b[k - half_words], mod), mod);
        now = LEAF - now;
        nodes[now + item] = mod_canonical(word, mod);
    }
    const ELEMENT word = mod_out(nodes[now + item], mod);
    if ((node & 1u) == 0u)
        left[leaf_place(node, item)] = word;
    else
        right[leaf_place(node, item)] = word;
}

// Values at the points of each node, from t[r] = sum over j of w[j] f[r + j], r < LEAF, with the power series w inverse to the
// node's reversed polynomial: sum over i of q[LEAF - 1 - i] t[i], where q is the node's polynomial over x - u, made by
// synthetic division from its leading coefficient down.
__kernel __attribute__((reqd_work_group_size(LEAF, 1, 1)))
void tree_values(__global const ELEMENT *restrict points, const ulong count, __global const ELEMENT *restrict left,
                 __global const ELEMENT *restrict right, __global const ELEMENT *restrict t, __global ELEMENT *restrict values,
                 const ELEMENT p, const ulong reciprocal)
{
    __local residue node_words[LEAF];
    __local residue t_words[LEAF];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong node = get_group_id(0);
    const ulong i = (node << LOG_LEAF) + item;
    const ulong place = leaf_place(node, item);
    node_words[item] = mod_in((node & 1u) == 0u ? left[place] : right[place]);
    t_words[item] = mod_in(t[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= count)
        return;
    const residue u = mod_in(points[i]);
    residue q = mod_in((ELEMENT)1);
    sum total = sum_add(sum_zero(), q, t_words[0], mod);
    for (uint k = 1u; k < LEAF; k++) {
        if (k % SUM_TERMS == 0u)
            total = sum_fold(total, mod);
        q = mod_canonical(mod_add(node_words[LEAF - k], mod_canonical(mod_mul(u, q, mod), mod), mod), mod);
        total = sum_add(total, q, t_words[k], mod);
    }
    values[i] = mod_out(sum_residue(total, mod), mod);
}

// The sums over the points of each node of weight times the node's polynomial over x - u: LEAF coefficients. With the
// children's polynomials a, b and sums c, d it is a d + b c, of which x^N (c + d) comes from the leading coefficients.
__kernel __attribute__((reqd_work_group_size(LEAF, 1, 1)))
void tree_leaf_sums(__global const ELEMENT *restrict points, const ulong count, __global const ELEMENT *restrict weights,
                    __global ELEMENT *restrict left, __global ELEMENT *restrict right, const ELEMENT p, const ulong reciprocal)
{
    __local residue nodes[2u * LEAF];
    __local residue sums[2u * LEAF];
    const modulus mod = mod_of(p, reciprocal);
    const uint item = (uint)get_local_id(0);
    const ulong node = get_group_id(0);
    const ulong own = (node << LOG_LEAF) + item;
    nodes[item] = mod_canonical(mod_sub((residue)0, leaf_point(points, own, count), mod), mod);
    sums[item] = leaf_point(weights, own, count);
    uint now = 0u;
    for (uint log_half = 0u; log_half < LOG_LEAF; log_half++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint half_words = 1u << log_half;
        const uint k = item & (2u * half_words - 1u);
        const uint start = now + (item - k);
        __local const residue *const a = nodes + start;
        __local const residue *const b = a + half_words;
        __local const residue *const c = sums + start;
        __local const residue *const d = c + half_words;
        const uint first = k < half_words ? 0u : k + 1u - half_words;
        const uint last = min(k, half_words - 1u);
        sum product = sum_zero();
        sum total = sum_zero();
        uint terms = 0u;
        for (uint i = first; i <= last; i++) {
            product = sum_add(product, a[i], b[k - i], mod);
            total = sum_add(total, a[i], d[k - i], mod);
            total = sum_add(total, c[i], b[k - i], mod);
            terms += 2u;
            if (terms % SUM_TERMS == 0u) {
                product = sum_fold(product, mod);
                total = sum_fold(total, mod);
            }
        }
        residue node_word = sum_residue(product, mod);
        residue sum_word = sum_residue(total, mod);
        if (k >= half_words) {
            node_word = mod_add(node_word, mod_add(a[k - half_words], b[k - half_words], mod), mod);
            sum_word = mod_add(sum_word, mod_add(c[k - half_words], d[k - half_words], mod), mod);
        }
        now = LEAF - now;
        nodes[now + item] = mod_canonical(node_word, mod);
        sums[now + item] = mod_canonical(sum_word, mod);
    }
    const ELEMENT word = mod_out(sums[now + item], mod);
    if ((node & 1u) == 0u)
        left[leaf_place(node, item)] = word;
    else
        right[leaf_place(node, item)] = word;
}
