"""Character tables and spectral transforms: papers 000 and 001, as printed and as corrected."""


def digits(number, base, count):
    """The digits of a number, the most significant first."""
    return [number // base ** (count - 1 - s) % base for s in range(count)]


def character_digits():
    """(1): the exponents of character 1 of C_2 x C_2 pair digits from opposite ends."""
    row = lambda pair: [sum(w * z for w, z in pair(digits(1, 2, 2), digits(z, 2, 2))) % 2 for z in range(4)]
    return row(lambda w, z: zip(w[::-1], z)), row(zip), "C_2 x C_2, exponents of character 1"


def block_addresses():
    """(9): addresses that the blocks of step k write, p = 3, k = 1."""
    start = [27 * x + 3 * y for x in range(3) for y in range(3)]
    last = lambda step: max(s + 9 * i + step * j for s in start for i in range(3) for j in range(3))
    return last(3), last(1), "p = 3, largest address of a table of 81"


def haar_matrix(top, below, n):
    """H(n) of (2) as rows, from what stands for the row of sums and for the row of differences."""
    rows = [[1]]
    for step in range(n):
        size = 2**step
        kronecker = lambda left, right: [[a * b for a in l for b in r] for l in left for r in right]
        rows = kronecker(rows, top) + kronecker([[int(i == j) for j in range(size)] for i in range(size)], below)
    return rows


def haar_shape():
    """(2): the shape of H(1)."""
    shape = lambda rows: (len(rows), len(rows[0]))
    printed = shape(haar_matrix([[1, 1], [1, -1]], [[1, -1], [1, -1]], 1))
    return printed, shape(haar_matrix([[1, 1]], [[1, -1]], 1)), "shape of H(1)"


def last_buffer():
    """Algorithm 2, line 4: the buffer with the result, n = 3."""
    buffer = 1
    for step in range(2, -1, -1):
        buffer = 2 if step % 2 == 0 else 1
    return (1 if (3 - 1) % 2 == 0 else 2), buffer, "n = 3, buffer that the last pass writes"


X = [3, 1, 4, 1, 5, 9, 2, 6]


def places(item, step):
    """(3) and (4): the two places that a work-item serves."""
    first = item % step + 2 * step * (item // step)
    return first, first + step


def haar_in_place():
    """Algorithm 3: steps from the highest to the lowest on values in natural order."""
    printed = list(X)
    items = 4
    for step in (4, 2, 1):
        for item in range(items):
            a, b = places(item, step)
            printed[a], printed[b] = printed[a] + printed[b], printed[a] - printed[b]
        items //= 2
    right = [sum(h * x for h, x in zip(row, X)) for row in haar_matrix([[1, 1]], [[1, -1]], 3)]
    return printed, right, f"Haar transform of {X}"


def work_item_places():
    """(3): the first pass of N = 8 with the loop's counter in place of its power of two."""
    pairs = lambda step: [places(item, step) for item in range(4)]
    return pairs(2), pairs(4), "N = 8, pairs of the first pass"


def constant_geometry_order():
    """Algorithm 2 without its rule for odd work-items: the order of a Walsh spectrum."""
    source = list(X)
    for step in (4, 2, 1):
        target = [0] * 8
        for item in range(4):
            a, b = places(item, step)
            u, v = source[2 * item], source[2 * item + 1]
            target[a], target[b] = u + v, u - v
        source = target
    natural = [sum(x * (-1) ** bin(w & i).count("1") for i, x in enumerate(X)) for w in range(8)]
    assert source == [natural[int(f"{i:03b}"[::-1], 2)] for i in range(8)], "dyadic order"
    return natural, source, "the natural order that is expected, and the dyadic one that comes out"


CHECKS = {
    "E000-1": character_digits,
    "E000-2": block_addresses,
    "E001-1": haar_shape,
    "E001-2": last_buffer,
    "E001-3": haar_in_place,
    "E001-4": work_item_places,
    "E001-6": constant_geometry_order,
}
