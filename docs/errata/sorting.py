"""The machine model and the sorts of paper 002, chapters 2 to 5, as printed and as corrected."""
from itertools import groupby


def antichains():
    """Section 3: the overhead of a diamond of four kernels."""
    cost = {"a": 10, "b": 20, "c": 30, "d": 40}
    return sum(cost.values()) + cost["b"] + cost["c"], sum(cost.values()), "diamond of overheads 10, 20, 30, 40"


def one_block():
    """Theorem 1 with a chain counted in edges: one block of time 1 on two processors."""
    bound = lambda chain: (1 / 2 + chain) * 1
    assert bound(1) >= 1 > bound(0)
    return bound(0), bound(1), "one block of time 1 on two processors: bound, which must reach 1"


def serial_transfers():
    """Transfers that exclude each other: three blocks of one word, three processors, U = 1."""
    return (3 / 3 + 1) * 1, 3, "three blocks that move one word: bound, time"


def partition(values, m, width, jump):
    """Algorithm 3; `jump` is True where x jumps to the end of the group after its loop."""
    n, y, d = len(values), (max(values) + width) // width, width // m
    target, x = [None] * n, 0
    for group in range(y):
        counts = [0] * m
        end = x
        while end < n and values[end] < width * (group + 1):
            counts[(values[end] - width * group) // d] += 1
            end += 1
        total = 0
        for k in range(m):
            counts[k], total = total, total + counts[k]
        for place in range(x, end):
            k = (values[place] - width * group) // d
            if x + counts[k] >= n:
                return "a write past the end"
            target[x + counts[k]] = values[place]
            counts[k] += 1
            if not jump:
                x += 1
        if jump:
            x = end
    return target


def partition_further():
    """Algorithm 3: x moves inside the loop that writes."""
    values = [3, 0, 2, 1]
    return partition(values, 2, 4, False), partition(values, 2, 4, True), f"{values} parted in two buckets"


def rounded_width():
    """Algorithm 2 where r is no power of m: the bucket of the value 9, r = 10, m = 3."""
    width = 3
    while width < 10:
        width *= 3
    return 9 // (10 // 3), 9 // (width // 3), "r = 10, m = 3: bucket of 9, of buckets 0 to 2"


def ones(value, bits):
    """Places of the ones, place 0 being the most significant bit."""
    return [place for place in range(bits) if value >> (bits - 1 - place) & 1]


def sort_sparse(values, bits, keep_last):
    """Algorithm 5 for one round: the runs of equal keys; `keep_last` inserts the last one."""
    lists = [ones(value, bits) for value in values]
    key = lambda index: lists[index][0] if lists[index] else bits
    order = sorted(range(len(values)), key=lambda index: -key(index))
    runs = [list(run) for _, run in groupby(order, key)]
    return runs if keep_last else runs[:-1]


def last_run():
    """Algorithm 5: the loop ends before the last run is inserted."""
    values = [5, 3, 6, 5]
    return sort_sparse(values, 3, False), sort_sparse(values, 3, True), f"{values} of 3 bits, classes after one round"


def mean_disagreement():
    """Lemma 1, all pairs of different words of 4 bits: mean place of the first bit that differs."""
    places = [4 - (a ^ b).bit_length() for a in range(16) for b in range(16) if a != b]
    return 2.0, round(sum(places) / len(places), 4), "p = 2, 4 bits: mean place of the first difference (from 0)"


def calls():
    """Algorithm 5's end: calls until every key is the sentinel, for equal words of one 1, and that number of ones."""
    words = [ones(1, 2), ones(1, 2)]
    count, finished = 0, False
    while not finished:
        finished = all(len(word) <= count for word in words)
        count += 1
    return max(map(len, words)), count, "values (1, 1): largest number of ones, calls until each key is the sentinel"


CHECKS = {
    "E-3.1": antichains,
    "E-3.2": one_block,
    "E-3.3": serial_transfers,
    "E-4.1": partition_further,
    "E-4.8": rounded_width,
    "E-5.1": last_run,
    "E-5.2": calls,
    "E-5.3": mean_disagreement,
}
