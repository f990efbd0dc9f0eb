// FFLAS-FFPACK's products and determinants of matrices modulo a prime below 2^31, with an interface in C for ffpack.rs.

#include <fflas-ffpack/config.h>
#include <fflas-ffpack/fflas/fflas.h>
#include <fflas-ffpack/ffpack/ffpack.h>
#include <givaro/modular-balanced.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using Field = Givaro::ModularBalanced<std::int64_t>;

struct Work {
    explicit Work(std::int64_t p, std::size_t n) : field(p), order(n) {}
    Field field;
    std::size_t order;
    std::vector<Field::Element> a, b, c;
    Field::Element value{};
};

std::vector<Field::Element> entries(const Field &field, const std::uint64_t *words, std::size_t count) {
    std::vector<Field::Element> out(count);
    for (std::size_t i = 0; i < count; ++i)
        field.init(out[i], static_cast<std::int64_t>(words[i]));
    return out;
}

}  // namespace

extern "C" {

const char *manycore_ffpack_version() {
#ifdef __FFLASFFPACK_VERSION
    return __FFLASFFPACK_VERSION;
#else
    return "";
#endif
}

// One or two square matrices of residues; null where there is no memory.
Work *manycore_ffpack_new(std::uint64_t p, std::size_t order, const std::uint64_t *a, const std::uint64_t *b) {
    try {
        std::unique_ptr<Work> work(new Work(static_cast<std::int64_t>(p), order));
        work->a = entries(work->field, a, order * order);
        if (b)
            work->b = entries(work->field, b, order * order);
        work->c.resize(order * order);
        return work.release();
    } catch (...) {
        return nullptr;
    }
}

int manycore_ffpack_multiply(Work *work) {
    try {
        const std::size_t n = work->order;
        FFLAS::fgemm(work->field, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, n, n, n, work->field.one, work->a.data(), n,
                     work->b.data(), n, work->field.zero, work->c.data(), n);
        return 0;
    } catch (...) {
        return 1;
    }
}

int manycore_ffpack_determinant(Work *work) {
    try {
        // The elimination overwrites its matrix.
        work->c = work->a;
        FFPACK::Det(work->field, work->value, work->order, work->c.data(), work->order);
        return 0;
    } catch (...) {
        return 1;
    }
}

// The entries of the last product, or the last determinant, as residues from 0 on.
void manycore_ffpack_result(const Work *work, std::uint64_t *words, std::size_t count) {
    const std::int64_t p = static_cast<std::int64_t>(work->field.characteristic());
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t x = static_cast<std::int64_t>(count == 1 ? work->value : work->c[i]);
        words[i] = static_cast<std::uint64_t>(x < 0 ? x + p : x);
    }
}

void manycore_ffpack_free(Work *work) { delete work; }

}
