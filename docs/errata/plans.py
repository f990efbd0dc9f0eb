"""Plans of generalized products and stars of max-plus matrices: papers 003 and 004, as printed and as corrected."""
import struct
from math import inf, isnan, nan


def second_extreme():
    """(6): weights of -1 under a maximum give the negative of the minimum."""
    row = [3, 5]
    return min(row), max(-d for d in row), "row (3, 5), value of c_2 and what the product computes"


def padded_maximum():
    """Example (2): a stored zero is no identity of the maximum over the reals."""
    row = [-3, -5]
    return max(row + [0 * 1]), max(row + [-inf]), "maximum of (-3, -5) with one padded entry"


def table_3():
    """Table III beside formulas (7) to (17), n = 512, plan (a)."""
    n = 512
    return 4 * n**3 + 2 * n**2, 4 * n**3 + 3 * n**2, "n = 512, plan (a): table and formula, which should be one"


def table_2():
    """Table II: the plain plan that stores everything, n = 1024."""
    n = 1024
    return 2152726528, 2 * n**3 + 3 * n**2, "n = 1024: table and the plan that stores A, B and R"


def breadth_first():
    """The order of figure 4 from node 8 alone, by levels and by depth."""
    inputs = {3: [1, 2], 5: [3, 4], 7: [1, 5], 8: [7], 1: [], 2: [], 4: []}
    order = []

    def visit(node):
        for child in inputs[node]:
            visit(child)
        if node not in order:
            order.append(node)

    visit(8)
    queue, levels, seen = [8], [], {8}
    while queue:
        levels.insert(0, queue)
        following = []
        for child in (child for node in queue for child in inputs[node]):
            if child not in seen:
                seen.add(child)
                following.append(child)
        queue = following
    by_levels = [node for nodes in levels for node in nodes]
    assert by_levels.index(3) < by_levels.index(1), "node 3 runs before its input 1"
    assert all(order.index(child) < order.index(node) for node in order for child in inputs[node])
    return by_levels, order, "nodes needed by node 8, in the order of running"


def released_inputs():
    """Time-outs of figure 4: the node after which node 2 is read no more, node 3 stored and computed on the fly."""
    inputs, order = {3: [1, 2], 5: [3, 4], 6: [5], 7: [1, 5], 8: [7], 1: [], 2: [], 4: []}, [3, 5, 6, 7, 8]

    def last_reader(lazy):
        reads = lambda node: {x for c in inputs[node] for x in (reads(c) if c in lazy else {c})}
        return max((node for node in order if node not in lazy and 2 in reads(node)), key=order.index)

    return last_reader(set()), last_reader({3}), "node after which node 2 may be freed, node 3 computed on the fly"


def bitonic(values, tie):
    """One swapping matrix of two positions; True for a rule of ties by place."""
    key = lambda value: value if isinstance(value, (int, float)) else int(value[0])
    result = []
    for x in (0, 1):
        other = x ^ 1
        less = key(values[x]) < key(values[other]) or (tie and key(values[x]) == key(values[other]) and x < other)
        result.append(values[x] if less ^ (x == 0) ^ True else values[other])
    return result


def ties():
    """Algorithm 1 on two equal keys with a payload."""
    return bitonic(["1a", "1b"], False), bitonic(["1a", "1b"], True), "one swap of (1a, 1b)"


def not_a_number():
    """Algorithm 1 with NaN: a key is lost."""
    values = bitonic([3, nan], False)
    return sum(isnan(v) for v in values), 1, "NaNs after one swap of (3, NaN)"


def lowest_as_epsilon():
    """The lowest finite number of half precision in place of minus infinity: a weight that changes it."""
    half = lambda value: struct.unpack("e", struct.pack("e", value))[0]
    return half(-65504 + 16), half(-65504 + 15), "half precision, -65504 + 16 and + 15: the first is no longer epsilon"


def cyclic():
    """The update in a fixed order on a graph with a circuit, and its star."""
    weight = [[-inf, -5], [2, -inf]]
    printed, right = [[0, -inf], [-inf, 0]], [[0, -inf], [-inf, 0]]
    for j in (0, 1):
        printed[1][j] = max(printed[1][j], weight[1][0] + printed[0][j])
    for i in (0, 1):
        for j in (0, 1):
            right[i][j] = max(right[i][j], weight[i][j])
    return printed, right, "star of [[-inf, -5], [2, -inf]], whose circuit has weight -3"


CHECKS = {
    "E003-1": second_extreme,
    "E003-2": padded_maximum,
    "E003-4": table_3,
    "E003-5": table_2,
    "E003-6": breadth_first,
    "E003-7": released_inputs,
    "E003-8 (ties)": ties,
    "E003-8 (NaN)": not_a_number,
    "E004-2": lowest_as_epsilon,
    "E004-3": cyclic,
}
