"""The binary cyclic codes of length 127, by the factors of x^127 - 1; and its roots in a field that has all of them."""

from collections import Counter

import manycore as mc

x = mc.PolyRing(2).gen()
leading, factors = (x**127 - 1).factor()
print("factors by degree:", dict(Counter(factor.degree() for factor, _ in factors)))
print("codes:", 2 ** len(factors))
generator = factors[1][0] * factors[2][0]
print(f"one of dimension {127 - generator.degree()}: {generator}")

y = mc.PolyRing(509).gen()  # 127 divides 509 - 1
roots = (y**127 - 1).roots()
print("roots modulo 509:", len(roots), "of which the least are", roots[:4].tolist())
