"""Products, divisions, common divisors and trees: paper 002, chapters 8 to 10, as printed and as corrected."""

P = 469762049


def times(a, b, p=P):
    """The product of two lists of coefficients, the constant term first."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] = (product[i + j] + x * y) % p
    return product


def plain_product(a, b, x, stride_is_length, whole_last_row):
    """Algorithms 11 to 13: rows of x coefficients of b, added in pairs, with the printed slips or without."""
    n, m = len(a), len(b)
    c, r = n + x - 1, m // x
    cells = [0] * (r * c)
    for row in range(r):
        for i in range(c):
            terms = (a[i - k] * b[row * x + k] for k in range(x) if 0 <= i - k < n)
            cells[row * c + i] = sum(terms) % P
    d, call, stride = [0] * (n + m - 1), 0, c if stride_is_length else r
    while 2**call - 1 < r:
        step, first = 2 ** (call + 1), 2**call - 1
        threads = -(-(r - first) // step) * c
        if not whole_last_row and first + step > r:
            threads //= 2
        for thread in range(threads):
            row, k = first + step * (thread // c), thread % c
            value, partner = cells[(stride * row + k) % len(cells)], row + 2**call
            if k < 2**call * x or partner >= r:
                if row * x + k < len(d):
                    d[row * x + k] = (d[row * x + k] + value) % P
            else:
                place = (stride * partner + k - 2**call * x) % len(cells)
                cells[place] = (cells[place] + value) % P
        call += 1
    return d


A, B = list(range(1, 16)), list(range(5, 13))


def row_stride():
    """Algorithm 13: rows are c apart, not r. Coefficients of the product that come out right, of 22."""
    agree = lambda stride: sum(x == y for x, y in zip(plain_product(A, B, 2, stride, True), times(A, B)))
    return agree(False), agree(True), "15 by 8 coefficients, x = 2: right coefficients of 22"


def half_of_the_last_row():
    """Algorithm 11, line 7: the last call has threads for half of the row that is left."""
    agree = lambda whole: sum(x == y for x, y in zip(plain_product(A, B, 2, True, whole), times(A, B)))
    return agree(False), agree(True), "15 by 8 coefficients, x = 2: right coefficients of 22"


def product_work():
    """(8.2): the work counted operation by operation, n = 16, m = 8, x = 2."""
    n, m, x = 16, 8, 2
    delta = n + x - 1
    products = (m // x) * delta * (2 * x - 1)
    additions = (m // x) * delta
    return (2 * m - 0.5) * delta, products + additions, "n = 16, m = 8, x = 2: operations"


def divide(a, b, p, lead):
    """Algorithm 14 with its indices as lengths: it divides by b[lead] and shifts."""
    a, quotient = list(a), []
    inverse = pow(b[lead], -1, p)
    for top in range(len(a) - 1, len(b) - 2, -1):
        w = a[top] * inverse % p
        quotient.insert(0, w)
        for j, coefficient in enumerate(b):
            a[top - len(b) + 1 + j] = (a[top - len(b) + 1 + j] - w * coefficient) % p
    return quotient


def leading_coefficient():
    """Algorithm 14 inverts the coefficient below the leading one."""
    a, b = [1, 2, 3, 4, 5, 6, 7, 8], [3, 1, 4, 1]
    right = divide(a, b, 9001, 3)
    assert right == [1525, 8615, 98, 8976, 8]
    return divide(a, b, 9001, 2), right, "quotient of 1 + 2x + ... + 8x^7 by 3 + x + 4x^2 + x^3 mod 9001"


def remainder(a, b, p):
    """Of a by b, without leading zeros."""
    a, inverse = list(a), pow(b[-1], -1, p)
    while len(a) >= len(b):
        w = a[-1] * inverse % p
        for j in range(1, len(b) + 1):
            a[-j] = (a[-j] - w * b[-j]) % p
        while a and a[-1] == 0:
            a.pop()
    return a


def constant_divisor():
    """Algorithms 20 and 22: a remainder that is zero or constant ends with the divisor before it."""

    def common(f, g, constants_end):
        while g and not (constants_end and len(g) == 1):
            f, g = g, remainder(f, g, 7)
        inverse = pow(f[-1], -1, 7)
        return [c * inverse % 7 for c in f]

    f, g = [1, 0, 1], [3, 1]
    return common(f, g, True), common(f, g, False), "greatest common divisor of x^2 + 1 and x + 3 mod 7"


def two_steps_a_pass():
    """Algorithm 23: two ifs in turn make up to two steps in each of s passes, and need 2 s leading coefficients."""
    s, n, m, used = 4, 40, 40, 0
    for _ in range(s):
        if n >= m:
            n, used = n - 1, used + 1
        if m >= n:
            m, used = m - 1, used + 1
    return used, s, "s = 4, degrees 40 and 40: leading coefficients used, those loaded"


def work_of_heads():
    """(9.10): s + 2 (s - 1) + ... + 2 (s/2), and the closed form beside it."""
    s = 8
    return 27 * s * s // 4 + 13 * s // 2, s + 2 * sum(range(s // 2, s)), "s = 8: closed form, sum"


def series_length():
    """Algorithm 25: Newton's steps give a power of two of terms, more than were asked for."""
    p, f, length = 9001, [1, 2, 3], 3
    g, n = [1], 1
    while n < length:
        n *= 2
        product = times(times(g, g, p), f, p)[:n]
        g = [(2 * x - y) % p for x, y in zip(g + [0] * n, product + [0] * n)][:n]
    return g, g[:length], "inverse of 1 + 2x + 3x^2 mod x^3, mod 9001"


def constant_remainder():
    """Algorithm 26: the descent ends at a constant remainder, and writes one value for all points below."""
    f, points = [9, P - 3, 1], [1, 2, 3, 4]  # (x - 1)(x - 2) + 7

    def descend(values, first, count, rest, constants_end):
        if count == 1 or (constants_end and len(rest) <= 1):
            values[first] = rest[0] if rest else 0
            return values
        for half in (0, count // 2):
            node = [1]
            for point in points[first + half : first + half + count // 2]:
                node = times(node, [P - point, 1])
            descend(values, first + half, count // 2, remainder(rest, node, P), constants_end)
        return values

    values = lambda constants_end: descend([None] * 4, 0, 4, f, constants_end)
    return values(True), values(False), "values of (x - 1)(x - 2) + 7 at 1, 2, 3, 4"


def reversal():
    """Algorithm 28, line 4, points 1 to 4: both arguments are reversed by the degree 2^i - 1."""
    p, m, g = 9001, [24, 8951, 35, 8991], [1, 10, 65, 350]

    def step(reverse):
        a = reverse(g)
        b = [(x - (i == 3)) % p for i, x in enumerate(a)]
        wrapped = times(a, m, p) + [0] * 8
        cyclic = [sum(wrapped[i::4]) % p for i in range(4)]
        e = [-x % p for x in reverse([(x + y) % p for x, y in zip(cyclic, b)])]
        return g + times(e, g, p)[:4]

    by_degree_4 = lambda words: ([0] + words[::-1])[:4]
    right = step(lambda words: words[::-1])
    assert times(right, [1, 8991, 35, 8951, 24], p)[:8] == [1] + [0] * 7
    return step(by_degree_4), right, "inverse of the reversed (x - 1)(x - 2)(x - 3)(x - 4) mod x^8, mod 9001"


def not_reversed():
    """Algorithm 30, line 3: a node has a constant term that is not 1, its reversed polynomial has 1."""
    node = [1]
    for point in (1, 2, 3, 4):
        node = times(node, [-point, 1])
    return node[0], node[-1], "points 1 to 4: constant term of the node, of the node reversed"


CHECKS = {
    "E-8.2": row_stride,
    "E-8.3": half_of_the_last_row,
    "E-8.9": product_work,
    "E-9.1": leading_coefficient,
    "E-9.10": constant_divisor,
    "E-9.12": two_steps_a_pass,
    "E-9.18": work_of_heads,
    "E-10.1": series_length,
    "E-10.2": constant_remainder,
    "E-10.4": reversal,
    "E-10.6": not_reversed,
}
