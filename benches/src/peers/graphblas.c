// SuiteSparse:GraphBLAS's product of a sparse matrix and a dense vector of doubles, for graphblas.rs.

#include <GraphBLAS.h>

#include <stdint.h>
#include <stdlib.h>

struct product {
    GrB_Matrix a;
    GrB_Vector x, y;
};

static int started = 0;

// 0 where the library is ready.
int manycore_graphblas_start(void) {
    if (!started)
        started = GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS;
    return started ? 0 : 1;
}

const char *manycore_graphblas_version(void) {
#define TEXT(x) #x
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
    return DOTTED(GxB_IMPLEMENTATION_MAJOR, GxB_IMPLEMENTATION_MINOR, GxB_IMPLEMENTATION_SUB);
}

void manycore_graphblas_free(struct product *product) {
    if (!product)
        return;
    GrB_free(&product->a);
    GrB_free(&product->x);
    GrB_free(&product->y);
    free(product);
}

// A matrix of entries at (rows[k], columns[k]), and a vector that is full; null where there is no memory.
struct product *manycore_graphblas_new(uint64_t rows, uint64_t columns, uint64_t count, const uint64_t *row,
                                       const uint64_t *column, const double *value, const uint64_t *index,
                                       const double *x) {
    struct product *product = calloc(1, sizeof *product);
    if (!product)
        return NULL;
    int good = GrB_Matrix_new(&product->a, GrB_FP64, rows, columns) == GrB_SUCCESS &&
               GrB_Vector_new(&product->x, GrB_FP64, columns) == GrB_SUCCESS &&
               GrB_Vector_new(&product->y, GrB_FP64, rows) == GrB_SUCCESS &&
               GrB_Matrix_build_FP64(product->a, row, column, value, count, GrB_PLUS_FP64) == GrB_SUCCESS &&
               GrB_Vector_build_FP64(product->x, index, x, columns, GrB_PLUS_FP64) == GrB_SUCCESS &&
               GrB_Matrix_wait(product->a, GrB_MATERIALIZE) == GrB_SUCCESS;
    if (!good) {
        manycore_graphblas_free(product);
        return NULL;
    }
    return product;
}

// y = A x over numbers; 0 where it was computed.
int manycore_graphblas_multiply(struct product *product) {
    return GrB_mxv(product->y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, product->a, product->x, NULL) != GrB_SUCCESS ||
           GrB_Vector_wait(product->y, GrB_MATERIALIZE) != GrB_SUCCESS;
}

// The entries of y; absent ones are 0.
void manycore_graphblas_result(const struct product *product, double *out, uint64_t rows) {
    for (uint64_t i = 0; i < rows; ++i) {
        out[i] = 0;
        GrB_Vector_extractElement_FP64(&out[i], product->y, i);
    }
}
