// Subresultants of two univariate polynomials at many points, a point an item: Euclid's algorithm without divisions, for the
// degrees m >= n > n - 1 > ... > 0 of inputs in general position (Collins 1967; Brown 1978).
//
// Point t has the coefficients f[j] = images[j block + t], j <= m, and g[j] = images[(m + 1 + j) block + t], j <= n; neighbours
// read and write neighbours. Its rows are worked on in place. With the dividend a of degree d + 1 and the divisor b of degree d,
//
//   r[i] = b[d]^2 a[i] - b[d] a[d+1] b[i-1] - (b[d] a[d] - a[d+1] b[d-1]) b[i],  i < d
//
// is b[d]^2 times the remainder, and units that rows have beside the remainders of Euclid's algorithm are products u. With l_d
// the leading coefficient of the remainder of degree d and c = g[n],
//
//   S_k = (-1)^((n-k)(m-k)) c^(m-n+1) l_(n-1)^2 ... l_(k+1)^2 r_k
//
// goes to out[w stride + first + step t], the words of S_low, ..., S_(high-1) one after the other, k + 1 of each. Where a leading
// coefficient vanishes flags[first + step t] becomes 1, and words may be missing.
//
// parts: poly/accumulate.clh field/combine.clh
// set: ulong ARITHMETIC=1
// set: ulong ARITHMETIC=1 MOD_LAZY=1
// set: ulong ARITHMETIC=2
// set: ulong ARITHMETIC=3

#ifndef GROUP
#define GROUP 64 // items of a group
#endif

inline residue chain_product(const residue a, const residue b, const modulus mod)
{
    return mod_canonical(mod_mul(a, b, mod), mod);
}

// x^e of a canonical residue, canonical.
inline residue chain_power(residue x, ulong e, const modulus mod)
{
    residue power = mod_in((ELEMENT)1);
    while (e > 0ul) {
        if (e & 1ul)
            power = chain_product(power, x, mod);
        x = chain_product(x, x, mod);
        e >>= 1;
    }
    return power;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bivariate_chain(__global ELEMENT *images, const uint m, const uint n, const ulong block, __global ELEMENT *restrict out,
                     const ulong stride, const ulong first, const ulong step, __global uint *restrict flags, const uint low,
                     const uint high, const ELEMENT p, const ulong reciprocal)
{
    const modulus mod = mod_of(p, reciprocal);
    const ulong t = get_global_id(0);
    if (t >= block)
        return;
    __global ELEMENT *a = images + t;
    __global ELEMENT *b = images + (ulong)(m + 1u) * block + t;
    const ulong place = first + step * t;
    const residue zero = mod_in((ELEMENT)0);
    const residue one = mod_in((ELEMENT)1);
    const residue c = mod_in(b[(ulong)n * block]);
    uint vanished = a[(ulong)m * block] == (ELEMENT)0 || b[(ulong)n * block] == (ELEMENT)0 ? 1u : 0u;

    // f becomes c^(m-n+1) times its remainder by g.
    for (uint top = m + 1u; vanished == 0u && top > n; top--) {
        const uint shift = top - 1u - n;
        const residue q = mod_negative(mod_in(a[(ulong)(top - 1u) * block]), mod);
        for (uint i = 0u; i + 1u < top; i++) {
            const residue y = i < shift ? zero : mod_in(b[(ulong)(i - shift) * block]);
            a[(ulong)i * block] = mod_out(mod_combine(c, mod_in(a[(ulong)i * block]), q, y, mod, 0ul), mod);
        }
    }
    const residue whole = chain_power(c, (ulong)(m - n + 1u), mod);
    residue unit_a = whole; // of the row a
    residue unit_b = one;
    residue squares = one; // l_(n-1)^2 ... l_(k+1)^2, over the next
    residue units = one;
    for (uint d = n; vanished == 0u && d > low; d--) {
        // a has the remainder of degree d - 1 now, b that of degree d.
        const uint k = d - 1u;
        if (k < high) {
            residue factor = chain_power(chain_product(units, unit_a, mod), (ulong)p - 2ul, mod);
            factor = chain_product(chain_product(factor, squares, mod), whole, mod);
            if ((((n - k) & (m - k)) & 1u) != 0u)
                factor = mod_negative(factor, mod);
            const ulong before = ((ulong)k * (k + 1u) - (ulong)low * (low + 1u)) / 2ul;
            for (uint j = 0u; j <= k; j++)
                out[(before + j) * stride + place] = mod_out(mod_mul(factor, mod_in(a[(ulong)j * block]), mod), mod);
        }
        if (k <= low)
            break;
        __global ELEMENT *const divisor = a;
        a = b;
        b = divisor;
        const residue unit = unit_a;
        unit_a = unit_b;
        unit_b = unit;
        // Now a has degree k + 1, b degree k.
        const residue leading = mod_in(b[(ulong)k * block]);
        if (b[(ulong)k * block] == (ELEMENT)0) {
            vanished = 1u;
            break;
        }
        const residue a1 = mod_in(a[(ulong)(k + 1u) * block]);
        const residue a0 = mod_in(a[(ulong)k * block]);
        const residue b0 = mod_in(b[(ulong)(k - 1u) * block]);
        const residue c0 = chain_product(leading, leading, mod);
        const residue c1 = mod_negative(chain_product(leading, a1, mod), mod);
        const residue c2 = mod_combine(a1, b0, mod_negative(leading, mod), a0, mod, 0ul);
        squares = chain_product(squares, c0, mod);
        units = chain_product(units, chain_product(unit_b, unit_b, mod), mod);
        unit_a = chain_product(unit_a, c0, mod);
        residue below = zero;
        for (uint i = 0u; i < k; i++) {
            const residue y = mod_in(b[(ulong)i * block]);
            const residue of_divisor = mod_combine(c1, below, c2, y, mod, 0ul);
            const residue of_dividend = chain_product(c0, mod_in(a[(ulong)i * block]), mod);
            a[(ulong)i * block] = mod_out(mod_canonical(mod_add(of_dividend, of_divisor, mod), mod), mod);
            below = y;
        }
    }
    flags[place] = vanished;
}
