"""Walsh spectra of the 255 component functions of the AES S-box, one function a column, transformed along the rows at once."""

import manycore as mc
import numpy as np

# The S-box: inverses in the field of 256 elements, powers of the generator 3, and an affine map.
power, powers = 1, []
for _ in range(255):
    powers.append(power)
    power ^= (power << 1) ^ (0x11B if power & 0x80 else 0)
inverse = {0: 0} | {a: powers[-place % 255] for place, a in enumerate(powers)}
turned = [[(b << k | b >> 8 - k) & 0xFF for k in range(5)] for b in (inverse[x] for x in range(256))]
sbox = np.bitwise_xor.reduce(turned, axis=1) ^ 0x63

bits, masks = (np.unpackbits(one.astype(np.uint8)[:, np.newaxis], axis=1) for one in (sbox, np.arange(1, 256)))
functions = bits @ masks.T & 1  # function b . S(x) in column b - 1
spectra = mc.fwht(1 - 2 * functions.astype(np.int32), axis=0)
values, counts = np.unique(np.abs(spectra), return_counts=True)
print("sizes of coefficients:", dict(zip(values.tolist(), counts.tolist())))
print("nonlinearity:", int((256 - np.abs(spectra).max()) // 2))
