// Where the matrices of a batch lie. (Vendor's pages "IterateBatch", "TCubeTiling结构体".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_BATCH_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_BATCH_H_

#include "opkit/include/ascendc/matmul_config.h"

namespace AscendC {
namespace detail {

// The axes of a tensor of matrices: [B, S, N, G, D] in memory as its LayoutMode says. S x D is one
// matrix; batches count G first, then N, then B.
struct BatchAxes {
  uint64_t b = 0, s = 0, n = 0, g = 0, d = 0;

  // Elements from row to row of a matrix; 0: the matrix lies on its own.
  uint64_t pitch(LayoutMode mode) const {
    if (mode == LayoutMode::BSNGD) return n * g * d;
    if (mode == LayoutMode::SBNGD) return b * n * g * d;
    return 0;
  }
  // Elements from the first matrix to matrix i. alone: elements of a matrix on its own.
  uint64_t offset(LayoutMode mode, uint64_t i, uint64_t alone) const {
    if (mode == LayoutMode::BSNGD && n * g != 0)
      return i / (n * g) * s * n * g * d + i % (n * g) * d;
    if (mode == LayoutMode::SBNGD) return i * d;
    return i * alone;
  }
};

template <typename Tiling, typename = void>
struct HasBatchAxes : std::false_type {};
template <typename Tiling>
struct HasBatchAxes<Tiling, std::void_t<decltype(Tiling::ALayoutInfoB)>> : std::true_type {};

constexpr uint64_t axis(int32_t value) { return value > 0 ? static_cast<uint64_t>(value) : 0; }

template <typename Tiling>
BatchAxes axes_of_a(const Tiling& t) {
  return {axis(t.ALayoutInfoB), axis(t.ALayoutInfoS), axis(t.ALayoutInfoN), axis(t.ALayoutInfoG),
          axis(t.ALayoutInfoD)};
}
template <typename Tiling>
BatchAxes axes_of_b(const Tiling& t) {
  return {axis(t.BLayoutInfoB), axis(t.BLayoutInfoS), axis(t.BLayoutInfoN), axis(t.BLayoutInfoG),
          axis(t.BLayoutInfoD)};
}
template <typename Tiling>
BatchAxes axes_of_c(const Tiling& t) {
  return {axis(t.CLayoutInfoB), axis(t.CLayoutInfoS1), axis(t.CLayoutInfoN), axis(t.CLayoutInfoG),
          axis(t.CLayoutInfoS2)};
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_BATCH_H_
