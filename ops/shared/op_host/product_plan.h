// The cut of a product for the cube cores: shares of y that leave the slowest core the least to do,
// by the rates of copies into L1 and of the cube unit.
//
//   const product::Cut cut = product::Cutter(sizes, memories).Best();   // m = 0: no block fits
#ifndef OPS_SHARED_PRODUCT_PLAN_H_
#define OPS_SHARED_PRODUCT_PLAN_H_

#include <algorithm>
#include <cstdint>

namespace product {

// What is cut: `batches` products of m x k times k x n.
struct Sizes {
  int64_t m = 1, n = 1, k = 1, batches = 1;
  int64_t bytes = 2;                   // measures an element of a and b
  int64_t most_m = 256, most_n = 256;  // sides of a base block
  int64_t least_n = 16;                // columns of a base block, while y has them
  bool a_turned = false;               // a lies as k x m
  bool b_in_rows = true;               // b lies as k x n, a row behind the other
  bool finishes = false;               // vector cores finish the sums
};

// Bytes of one cube core's memories.
struct Memories {
  int64_t cores = 1;
  int64_t l1 = 0, l0a = 0, l0b = 0, l0c = 0;
};

// A share of y, its base blocks, and how much of k lies in L1 at once.
struct Cut {
  int64_t m = 0, n = 0;
  int64_t base_m = 0, base_n = 0, base_k = 0;
  int64_t step_a = 1, step_b = 1;    // base blocks that a copy brings
  int64_t depth_a = 1, depth_b = 1;  // base blocks that L1 has room for
};

inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t UpTo(int64_t a, int64_t unit) { return CeilDiv(a, unit) * unit; }

// Counts the shares of one matrix.
inline int64_t SharesOf(int64_t m, int64_t n, const Cut& cut) {
  return CeilDiv(m, cut.m) * CeilDiv(n, cut.n);
}

class Cutter {
 public:
  Cutter(const Sizes& sizes, const Memories& memories)
      : s_(sizes),
        on_(memories),
        unit_k_(std::max<int64_t>(kSide, 32 / sizes.bytes)),
        unit_n_(sizes.bytes == 1 ? 2 * kSide : kSide) {}

  // Tries grids of up to two shares for every core.
  Cut Best() {
    const int64_t most = std::max<int64_t>(1, CeilDiv(2 * on_.cores, s_.batches));
    const int64_t high = CeilDiv(s_.m, kSide), wide = CeilDiv(s_.n, unit_n_);
    for (int64_t down = 1; down <= std::min(most, high); ++down)
      for (int64_t across = 1; down * across <= most && across <= wide; ++across)
        TryShares(UpTo(CeilDiv(s_.m, down), kSide), UpTo(CeilDiv(s_.n, across), unit_n_));
    return best_;
  }

  // Takes the whole of y for one base block.
  Cut Whole() {
    Cut cut;
    cut.m = s_.m;
    cut.n = s_.n;
    cut.base_m = UpTo(s_.m, kSide);
    cut.base_n = UpTo(s_.n, unit_n_);
    if (cut.base_m * cut.base_n * kSum <= on_.l0c) Try(cut);
    return best_;
  }

 private:
  static constexpr int64_t kSide = 16;
  static constexpr int64_t kSum = 4;          // bytes of a sum
  static constexpr int64_t kCopied = 84;      // bytes a cycle into L1, rows to fractals
  static constexpr int64_t kRowEighths = 30;  // counts eighths of a cycle that a row takes at least
  static constexpr int64_t kBlockHead = 400;  // cycles from one block of sums to the next
  static constexpr int64_t kStepHead = 12;    // cycles from one step of k to the next
  static constexpr int64_t kFinished = 4;     // sums that a block's vector cores finish in a cycle
  static constexpr int64_t kTries = 3;        // numbers of base blocks in a share, each way

  void TryShares(int64_t rows, int64_t columns) {
    Cut cut;
    cut.m = std::min(rows, s_.m);
    cut.n = std::min(columns, s_.n);
    const int64_t high = CeilDiv(rows, s_.most_m);
    for (int64_t down = high; down < high + kTries; ++down) {
      cut.base_m = UpTo(CeilDiv(rows, down), kSide);
      const int64_t room = on_.l0c / kSum / cut.base_m / unit_n_ * unit_n_;
      if (room == 0) continue;
      const int64_t wide = CeilDiv(columns, std::min(room, s_.most_n));
      for (int64_t across = wide; across < wide + kTries; ++across) {
        cut.base_n = std::min(UpTo(CeilDiv(columns, across), unit_n_), UpTo(cut.n, kSide));
        Try(cut);
      }
    }
  }

  void Try(Cut cut) {
    if (cut.base_n < std::min(s_.least_n, UpTo(s_.n, kSide)) || cut.base_n > s_.most_n) return;
    const int64_t room = std::min(on_.l0a / (2 * cut.base_m), on_.l0b / (2 * cut.base_n));
    cut.base_k = std::min(room / s_.bytes / unit_k_ * unit_k_, UpTo(s_.k, unit_k_));
    if (cut.base_k <= 0) return;
    SetSteps(cut);
    const int64_t cost = Cost(cut);
    if (best_.m != 0 && cost >= least_) return;
    best_ = cut;
    least_ = cost;
  }

  // Rows of a stay in L1 for all blocks beside each other where half of L1 has room for them; else
  // a and b come through two buffers each. Copies of the one begin where copies of the other do.
  void SetSteps(Cut& c) const {
    const int64_t blocks = CeilDiv(s_.k, c.base_k), quarter = on_.l1 / 4;
    const int64_t a = c.base_m * c.base_k * s_.bytes, b = c.base_n * c.base_k * s_.bytes;
    const int64_t soon = std::max<int64_t>(1, blocks / 4);  // copies and products overlap
    const auto most = [&](int64_t bytes) {
      return std::max<int64_t>(1, std::min(quarter / bytes, soon));
    };
    c.step_a = most(a);
    c.step_b = most(b);
    int64_t& longer = c.step_a > c.step_b ? c.step_a : c.step_b;
    const int64_t shorter = std::min(c.step_a, c.step_b);
    longer = longer / shorter * shorter;
    const int64_t whole = UpTo(blocks, c.step_a);
    c.depth_a = whole * a <= 2 * quarter ? whole : 2 * c.step_a;
    c.depth_b = 2 * c.step_b;
  }

  // Eighths of a cycle of a copy of `rows` rows into L1.
  static int64_t CopyOf(int64_t rows, int64_t bytes) {
    return rows * std::max(bytes * 8 / kCopied, kRowEighths);
  }
  // Cycles in which a core copies for a share.
  int64_t Copying(const Cut& c) const {
    const int64_t high = CeilDiv(c.m, c.base_m), wide = CeilDiv(c.n, c.base_n);
    const bool holds_a = c.depth_a * c.base_k >= s_.k;
    const int64_t a_deep = std::min(s_.k, c.base_k * c.step_a),
                  b_deep = std::min(s_.k, c.base_k * c.step_b);
    const int64_t a = s_.a_turned ? CopyOf(s_.k, c.base_m * s_.bytes)
                                  : CopyOf(c.base_m, a_deep * s_.bytes) * CeilDiv(s_.k, a_deep);
    const int64_t b = s_.b_in_rows ? CopyOf(s_.k, c.base_n * s_.bytes)
                                   : CopyOf(c.base_n, b_deep * s_.bytes) * CeilDiv(s_.k, b_deep);
    return high * (a * (holds_a ? 1 : wide) + b * wide) / 8;
  }
  // Products of the cube unit in a cycle, by the bytes of an operand.
  int64_t Rate() const { return kSide * kSide * (s_.bytes == 4 ? 4 : 32 / s_.bytes); }

  // Cycles of the core with the most shares.
  int64_t Cost(const Cut& c) const {
    const int64_t shares = SharesOf(s_.m, s_.n, c) * s_.batches;
    const int64_t blocks = CeilDiv(c.m, c.base_m) * CeilDiv(c.n, c.base_n);
    const int64_t rows = CeilDiv(c.m, c.base_m) * c.base_m,
                  columns = CeilDiv(c.n, c.base_n) * c.base_n;
    const int64_t multiplied = rows * columns * UpTo(s_.k, unit_k_) / Rate() +
                               blocks * CeilDiv(s_.k, c.base_k) * kStepHead;
    const int64_t first =
        s_.bytes * c.base_k * (c.base_m * c.step_a + c.base_n * c.step_b) / kCopied;
    const int64_t last = s_.finishes ? c.base_m * c.base_n / kFinished : 0;
    return CeilDiv(shares, on_.cores) * (std::max(multiplied, Copying(c)) + blocks * kBlockHead) +
           first + last;
  }

  const Sizes s_;
  const Memories on_;
  const int64_t unit_k_, unit_n_;
  Cut best_;
  int64_t least_ = 0;
};

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_PLAN_H_
