// NTL's products of polynomials modulo word-size primes, with an interface in C for ntl.rs.

#include <NTL/lzz_pX.h>
#include <NTL/version.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace {

struct Product {
    NTL::zz_pContext context;
    NTL::zz_pX a, b, c;
};

void assign(NTL::zz_pX &x, const std::uint64_t *words, std::size_t len) {
    x.SetLength(static_cast<long>(len));
    for (std::size_t i = 0; i < len; ++i)
        x[static_cast<long>(i)].LoopHole() = static_cast<long>(words[i]);
    x.normalize();
}

}  // namespace

extern "C" {

const char *manycore_ntl_version() { return NTL_VERSION; }

// The least modulus that zz_p does not take.
std::uint64_t manycore_ntl_bound() { return NTL_SP_BOUND; }

// Two polynomials of residues below the prime p, itself below the bound; null where there is no memory.
Product *manycore_ntl_new(std::uint64_t p, const std::uint64_t *a, std::size_t a_len, const std::uint64_t *b,
                          std::size_t b_len) {
    try {
        // The modulus belongs to the thread: every function sets it for itself.
        NTL::zz_pPush push(static_cast<long>(p));
        std::unique_ptr<Product> product(new Product);
        product->context.save();
        assign(product->a, a, a_len);
        assign(product->b, b, b_len);
        return product.release();
    } catch (...) {
        return nullptr;
    }
}

// 0 where it was computed.
int manycore_ntl_multiply(Product *product) {
    try {
        NTL::zz_pPush push(product->context);
        NTL::mul(product->c, product->a, product->b);
        return 0;
    } catch (...) {
        return 1;
    }
}

// The first len coefficients of the last product, zeros past its degree.
void manycore_ntl_result(const Product *product, std::uint64_t *words, std::size_t len) {
    for (std::size_t i = 0; i < len; ++i) {
        const long index = static_cast<long>(i);
        words[i] = index <= NTL::deg(product->c) ? static_cast<std::uint64_t>(NTL::rep(product->c[index])) : 0;
    }
}

void manycore_ntl_free(Product *product) { delete product; }

}
