// Sizes of a Matmul object and the order of its blocks, as a TCubeTiling says.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_SHAPE_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_SHAPE_H_

#include "opkit/include/ascendc/matmul_batch.h"

namespace AscendC {

namespace detail {

constexpr uint32_t positive(int64_t value) { return value > 0 ? static_cast<uint32_t>(value) : 0; }
inline uint32_t round16(uint32_t n) { return (n + 15) / 16 * 16; }
inline uint32_t parts(uint32_t size, uint32_t base) { return (size + base - 1) / base; }

// Elements. org: the whole matrices (c: columns of C where they are not n), single: what one core
// computes, tiled: what the tiling says of that, whatever SetTail changes, base: a block.
struct MatmulShape {
  uint32_t org_m = 0, org_n = 0, org_ka = 0, org_kb = 0, org_c = 0;
  uint32_t single_m = 0, single_n = 0, single_k = 0;
  uint32_t tiled_m = 0, tiled_n = 0;
  uint32_t base_m = 0, base_n = 0;
  bool n_first = false;  // blocks run along n first

  void set_org(int m, int n, int ka, int kb, int c) {
    org_m = positive(m);
    org_n = positive(n);
    org_ka = positive(ka);
    org_kb = positive(kb);
    org_c = positive(c);
  }
  template <typename Tiling>
  void take(const Tiling& t, bool order_n) {
    set_org(t.M, t.N, t.Ka, t.Kb, 0);
    single_m = positive(t.singleCoreM);
    single_n = positive(t.singleCoreN);
    single_k = positive(t.singleCoreK);
    tiled_m = single_m;
    tiled_n = single_n;
    base_m = positive(t.baseM);
    base_n = positive(t.baseN);
    n_first = t.iterateOrder == 1 || order_n;
  }
  bool is_complete() const { return base_m && base_n && single_m && single_n && single_k; }

  uint32_t blocks() const { return parts(single_m, base_m) * parts(single_n, base_n); }
  uint32_t row_of(uint32_t block) const {
    return (n_first ? block / parts(single_n, base_n) : block % parts(single_m, base_m)) * base_m;
  }
  uint32_t column_of(uint32_t block) const {
    return (n_first ? block % parts(single_n, base_n) : block / parts(single_m, base_m)) * base_n;
  }
  // Returns the matrix that a local C is laid out for: "without changing the tiling" (page
  // "SetTail").
  uint32_t local_m() const { return single_m > tiled_m ? single_m : tiled_m; }
  uint32_t local_n() const { return single_n > tiled_n ? single_n : tiled_n; }
  uint64_t block_elements() const { return uint64_t{base_m} * base_n; }
};

// What keeps the pipes busy with a block.
template <typename Tiling>
opk_matmul_steps steps_of(const Tiling& t, bool big_packets) {
  const auto narrow = [](int value) {
    return static_cast<uint16_t>(value < 1 ? 1 : value > 65535 ? 65535 : value);
  };
  opk_matmul_steps s{};
  s.base_m = positive(t.baseM);
  s.base_n = positive(t.baseN);
  s.base_k = positive(t.baseK);
  s.step_m = big_packets ? narrow(t.stepM) : 1;
  s.step_n = big_packets ? narrow(t.stepN) : 1;
  s.step_ka = big_packets ? narrow(t.stepKa) : 1;
  s.step_kb = big_packets ? narrow(t.stepKb) : 1;
  s.buffers_a1 = narrow(t.depthA1 / (s.step_m * s.step_ka));
  s.buffers_b1 = narrow(t.depthB1 / (s.step_n * s.step_kb));
  s.db_l0a = static_cast<uint8_t>(positive(t.dbL0A));
  s.db_l0b = static_cast<uint8_t>(positive(t.dbL0B));
  s.db_l0c = static_cast<uint8_t>(positive(t.dbL0C));
  return s;
}

}  // namespace detail

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_SHAPE_H_
