// A tour of the library from C: each result is checked; the program ends with 0 where all are right.

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "manycore.h"

#define TRY(call)                                                              \
    do {                                                                       \
        if ((call) != MANYCORE_STATUS_OK) {                                    \
            fprintf(stderr, "%s: %s\n", #call, manycore_last_error());         \
            return 1;                                                          \
        }                                                                      \
    } while (0)

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "line %d: not %s\n", __LINE__, #condition);        \
            return 1;                                                          \
        }                                                                      \
    } while (0)

int main(int count, char **words) {
    ManycoreDevice *device = NULL;
    TRY(manycore_device_open(count > 1 ? words[1] : NULL, &device));
    printf("Manycore %s on %s\n", manycore_version(), manycore_device_name(device));

    // The Walsh spectrum of x0 x1.
    int32_t spectrum[4] = {1, 1, 1, -1};
    TRY(manycore_walsh_i32(device, spectrum, 4, 1));
    EXPECT(spectrum[0] == 2 && spectrum[1] == 2 && spectrum[2] == 2 && spectrum[3] == -2);

    // (1 + 2 x) (3 + 4 x) = 3 + 10 x + 8 x^2 modulo 97.
    const uint32_t a[2] = {1, 2}, b[2] = {3, 4};
    uint32_t product[3];
    size_t len = 0;
    TRY(manycore_poly_mul_u32(device, 97, a, 2, b, 2, product, 3, &len));
    EXPECT(len == 3 && product[0] == 3 && product[1] == 10 && product[2] == 8);

    // And back: the product divided by the first factor.
    uint32_t quotient[2], remainder[1];
    size_t quotient_len = 0, remainder_len = 0;
    TRY(manycore_poly_divrem_u32(device, 97, product, 3, a, 2, quotient, 2, &quotient_len, remainder, 1,
                                 &remainder_len));
    EXPECT(quotient_len == 2 && quotient[0] == 3 && quotient[1] == 4 && remainder_len == 0);

    // A determinant of integers past 64 bits.
    const int64_t matrix[4] = {INT64_MAX, 1, 2, INT64_MIN};
    char digits[64];
    TRY(manycore_det_i64(device, matrix, 2, digits, sizeof digits, &len));
    EXPECT(strcmp(digits, "-85070591730234615856620279821087277058") == 0 && len == strlen(digits) + 1);

    // The S-box x^3 over the field of eight elements: nonlinearity 2, uniformity 2.
    const uint16_t cube[8] = {0, 1, 3, 4, 5, 6, 7, 2};
    uint64_t nonlinearity = 0, uniformity = 0;
    TRY(manycore_sbox_nonlinearity(device, cube, 8, 3, &nonlinearity));
    TRY(manycore_sbox_uniformity(device, cube, 8, 3, &uniformity));
    EXPECT(nonlinearity == 2 && uniformity == 2);

    // A sort, and what is wrong told in words.
    double keys[3] = {2.5, -1.0, 0.5};
    TRY(manycore_sort_f64(device, keys, 3, false));
    EXPECT(keys[0] == -1.0 && keys[1] == 0.5 && keys[2] == 2.5);
    EXPECT(manycore_walsh_i32(device, spectrum, 3, 1) == MANYCORE_STATUS_INVALID);
    printf("three values: %s\n", manycore_last_error());

    manycore_device_free(device);
    puts("all results are right");
    return 0;
}
