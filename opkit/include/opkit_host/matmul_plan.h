// How one core's share of a matrix product is cut: the base block for L0, the depth in L1, and the
// split over cores. Pure arithmetic over sizes; the classes of namespace matmul_tiling fill it.
#ifndef OPKIT_HOST_MATMUL_PLAN_H_
#define OPKIT_HOST_MATMUL_PLAN_H_

#include <algorithm>
#include <cstdint>

namespace opkit_host {

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t round_up(int64_t a, int64_t unit) { return ceil_div(a, unit) * unit; }

struct MatmulBlock {
  int64_t m = 0, n = 0, k = 0;  // elements
};

// What limits the cut. Sizes in bytes, element widths in bits.
struct MatmulLimits {
  int64_t l0a = 0, l0b = 0, l0c = 0, l1 = 0, bias_table = 0;
  int a_bits = 16, b_bits = 16;
  bool bias = false, sparse = false;
  int64_t db_a = 2, db_b = 2, db_c = 1;  // buffers in L0A, L0B, L0C

  // Elements of K in one fractal, at least 16 so that float works under either transposition. A
  // fractal of a sparse B covers twice as many.
  int64_t k_unit() const {
    return std::max<int64_t>(16, 256 / std::min(a_bits, b_bits)) * (sparse ? 2 : 1);
  }
  int64_t n_unit() const { return b_bits < 16 ? 256 / b_bits : 16; }

  bool fits(const MatmulBlock& b) const {
    return b.m > 0 && b.n > 0 && b.k > 0 && b.m * b.k * a_bits / 8 * db_a <= l0a &&
           b.n * b.k * b_bits / 8 * db_b <= l0b && b.m * b.n * 4 * db_c <= l0c &&
           (!bias || bias_table == 0 || b.n * 4 <= bias_table);
  }
};

// Returns the largest K of a base block with these rows and columns, 0 when none fits.
inline int64_t base_k(const MatmulLimits& limits, int64_t m, int64_t n, int64_t k) {
  const int64_t unit = limits.k_unit();
  const int64_t in_a = limits.l0a * 8 / (limits.db_a * m * limits.a_bits);
  const int64_t in_b = limits.l0b * 8 / (limits.db_b * n * limits.b_bits);
  return std::min({in_a / unit * unit, in_b / unit * unit, round_up(k, unit)});
}

// Multiply-adds per loaded element, less what is wasted on the edges of `single`.
inline double block_score(const MatmulBlock& block, const MatmulBlock& single) {
  const double covered = static_cast<double>(round_up(single.m, block.m)) *
                         static_cast<double>(round_up(single.n, block.n));
  const double used = static_cast<double>(single.m) * static_cast<double>(single.n) / covered;
  return used * static_cast<double>(block.m * block.n) / static_cast<double>(block.m + block.n);
}

// The sizes of a base block that are worth a look along one axis: powers of two, and what cuts
// `single` into few equal parts.
struct BaseSizes {
  static constexpr int kMost = 16;
  int64_t size[kMost] = {};
  int count = 0;

  void add(int64_t value) {
    if (count < kMost && (count == 0 || size[count - 1] != value)) size[count++] = value;
  }
  const int64_t* begin() const { return size; }
  const int64_t* end() const { return size + count; }
};

// `most` is positive, or -1: free.
inline BaseSizes base_sizes(int64_t single, int64_t most, int64_t fixed, int64_t unit) {
  constexpr int64_t kLargest = 1024;
  constexpr int kParts = 4;
  BaseSizes sizes;
  if (fixed > 0) return sizes.add(fixed), sizes;
  const int64_t limit = most > 0 ? std::min(kLargest, most) : kLargest;
  const int64_t largest = std::min(std::max(limit / unit * unit, unit), round_up(single, unit));
  for (int64_t step = unit; step < 2 * kLargest; step *= 2) sizes.add(std::min(step, largest));
  const int64_t parts = ceil_div(single, largest);
  for (int i = 0; i < kParts; ++i) sizes.add(round_up(ceil_div(single, parts + i), unit));
  return sizes;
}

// Returns the base block with the best score, not larger than `most`; parts of `fixed` that are
// positive are kept. m = 0 when no block fits.
inline MatmulBlock choose_base(const MatmulLimits& limits, const MatmulBlock& single,
                               const MatmulBlock& most, const MatmulBlock& fixed) {
  const BaseSizes columns = base_sizes(single.n, most.n, fixed.n, limits.n_unit());
  const int64_t depth = most.k > 0 ? std::min(single.k, most.k) : single.k;
  MatmulBlock best;
  double best_score = -1;
  for (const int64_t m : base_sizes(single.m, most.m, fixed.m, 16)) {
    for (const int64_t n : columns) {
      MatmulBlock block{m, n, 0};
      block.k = fixed.k > 0 ? fixed.k : base_k(limits, m, n, depth);
      if (!limits.fits(block)) continue;
      const double score = block_score(block, single);
      // Prefers the wider one among equal shapes: B's rows are longer then.
      if (score > best_score || (score == best_score && block.n > best.n)) {
        best = block;
        best_score = score;
      }
    }
  }
  return best;
}

// Returns how many base blocks along K stay in L1, for A and B alike: a power of two, at most what
// K has.
inline int64_t choose_step_k(const MatmulLimits& limits, const MatmulBlock& base, int64_t k) {
  const int64_t blocks = ceil_div(k, base.k);
  const int64_t block_bytes = base.k * (base.m * limits.a_bits + base.n * limits.b_bits) / 8;
  int64_t step = 1;
  while (step * 2 <= blocks && 2 * step * 2 * block_bytes <= limits.l1) step *= 2;
  return step;
}

struct MatmulSplit {
  int64_t m = 1, n = 1, k = 1;  // parts
};

// The parts of M x N that leave the least work to the busiest of `cores`, and of those the least
// traffic.
inline MatmulSplit choose_split(int64_t cores, const MatmulBlock& shape, const MatmulBlock& unit) {
  MatmulSplit best;
  int64_t best_work = -1, best_traffic = -1;
  for (int64_t m = 1; m <= cores; ++m) {
    for (int64_t n = 1; n * m <= cores; ++n) {
      const int64_t rows = round_up(ceil_div(shape.m, m), unit.m);
      const int64_t columns = round_up(ceil_div(shape.n, n), unit.n);
      const int64_t work = std::min(rows, shape.m) * std::min(columns, shape.n);
      const int64_t traffic = std::min(rows, shape.m) + std::min(columns, shape.n);
      if (best_work < 0 || work < best_work || (work == best_work && traffic < best_traffic)) {
        best = {m, n, 1};
        best_work = work;
        best_traffic = traffic;
      }
    }
  }
  return best;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_MATMUL_PLAN_H_
