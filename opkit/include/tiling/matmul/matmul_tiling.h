// matmul_tiling: how a Matmul object's work is cut. (Vendor's pages "MatmulApiTiling",
// "MultiCoreMatmulTiling", "BatchMatmulTiling", "TCubeTiling结构体".) The tilings are legal and
// consistent, not the vendor's own choices.
#ifndef OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_H_
#define OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_H_

#include "tiling/matmul/matmul_tiling_base.h"

namespace matmul_tiling {

// One core computes all of M x N x K.
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

 protected:
  bool split() override {
    plan_.usedCoreNum = 1;
    plan_.singleCoreM = to_int(shape_.m);
    plan_.singleCoreN = to_int(shape_.n);
    plan_.singleCoreK = to_int(shape_.k);
    return true;
  }
};

// M x N (and K when asked for) is split over at most `dim` cores.
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t SetDim(int32_t dim) {
    if (dim <= 0) return refuse("SetDim needs at least one core") ? 0 : -1;
    return dim_ = dim, 0;
  }
  // This core's share; -1: free.
  int32_t SetSingleShape(int32_t m = -1, int32_t n = -1, int32_t k = -1) {
    return single_ = {m, n, k}, 0;
  }
  // Largest and smallest share; -1: free.
  int32_t SetSingleRange(int32_t max_m = -1, int32_t max_n = -1, int32_t max_k = -1,
                         int32_t min_m = -1, int32_t min_n = -1, int32_t min_k = -1) {
    max_single_ = {max_m, max_n, max_k};
    min_single_ = {min_m, min_n, min_k};
    return 0;
  }
  // What a share is a multiple of; -1: the fractal.
  int32_t SetAlignSplit(int32_t m, int32_t n, int32_t k) { return align_ = {m, n, k}, 0; }
  int32_t EnableMultiCoreSplitK(bool on) { return split_k_ = on, 0; }

  int32_t GetSingleShape(int32_t& m, int32_t& n, int32_t& k) const {
    m = plan_.singleCoreM;
    n = plan_.singleCoreN;
    k = plan_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& m_dim, int32_t& n_dim) const {
    m_dim = plan_.singleCoreM > 0 ? to_int(opkit_host::ceil_div(shape_.m, plan_.singleCoreM)) : 0;
    n_dim = plan_.singleCoreN > 0 ? to_int(opkit_host::ceil_div(shape_.n, plan_.singleCoreN)) : 0;
    dim = plan_.usedCoreNum;
    return 0;
  }

 protected:
  bool split() override {
    const Block unit = units();
    const opkit_host::MatmulSplit parts = opkit_host::choose_split(dim_, shape_, unit);
    Block single{share(shape_.m, parts.m, unit.m, single_.m, max_single_.m, min_single_.m),
                 share(shape_.n, parts.n, unit.n, single_.n, max_single_.n, min_single_.n),
                 shape_.k};
    const int64_t areas =
        opkit_host::ceil_div(shape_.m, single.m) * opkit_host::ceil_div(shape_.n, single.n);
    if (single_.k > 0 || split_k_) single.k = share_of_k(areas, unit.k);
    const int64_t cores = areas * opkit_host::ceil_div(shape_.k, single.k);
    if (cores > dim_) return refuse("the shares need more cores than SetDim allows");
    plan_.usedCoreNum = to_int(cores);
    plan_.singleCoreM = to_int(single.m);
    plan_.singleCoreN = to_int(single.n);
    plan_.singleCoreK = to_int(single.k);
    return true;
  }

  int64_t dim_ = 1;

 private:
  Block units() const {
    return {align_.m > 0 ? align_.m : 16, align_.n > 0 ? align_.n : limits_.n_unit(),
            align_.k > 0 ? align_.k : limits_.k_unit()};
  }

  static int64_t share(int64_t size, int64_t parts, int64_t unit, int64_t fixed, int64_t max,
                       int64_t min) {
    if (fixed > 0) return std::min(fixed, size);
    int64_t value = opkit_host::round_up(opkit_host::ceil_div(size, parts), unit);
    if (min > 0) value = std::max(value, opkit_host::round_up(min, unit));
    if (max > 0) value = std::min(value, std::max(max / unit * unit, unit));
    return std::min(value, size);
  }

  // The cores that M x N leaves idle take parts of K.
  int64_t share_of_k(int64_t areas, int64_t unit) const {
    if (single_.k > 0) return std::min(single_.k, shape_.k);
    const int64_t parts = std::max<int64_t>(1, dim_ / areas);
    return share(shape_.k, parts, unit, -1, max_single_.k, min_single_.k);
  }

  Block single_{-1, -1, -1}, max_single_{-1, -1, -1}, min_single_{-1, -1, -1}, align_{-1, -1, -1};
  bool split_k_ = false;
};

// Batches of products on one core.
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t SetBatchInfoForNormal(int32_t batch_a, int32_t batch_b, int32_t m, int32_t n, int32_t k) {
    if (batch_a <= 0 || batch_b <= 0) return refuse("a batch is not positive") ? 0 : -1;
    batch_a_ = batch_a;
    batch_b_ = batch_b;
    return SetShape(m, n, k);
  }
  int32_t SetBatchNum(int32_t batch) { return batch_ = batch, 0; }
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return layout_a_ = {b, s, n, g, d}, 0;
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return layout_b_ = {b, s, n, g, d}, 0;
  }
  int32_t SetCLayout(int32_t b, int32_t s1, int32_t n, int32_t g, int32_t s2) {
    return layout_c_ = {b, s1, n, g, s2}, 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& m_dim, int32_t& n_dim) const {
    return dim = m_dim = n_dim = 1, 0;
  }

 protected:
  bool split() override {
    plan_.usedCoreNum = 1;
    plan_.singleCoreM = to_int(shape_.m);
    plan_.singleCoreN = to_int(shape_.n);
    plan_.singleCoreK = to_int(shape_.k);
    return true;
  }

 private:
  struct Layout {
    int32_t b = 0, s = 0, n = 0, g = 0, d = 0;
  };

  void store_more() override {
    plan_.batchM = batch_a_;
    plan_.batchN = batch_b_;
    plan_.BatchNum = batch_ > 0 ? batch_ : std::max(batch_a_, batch_b_);
    plan_.ALayoutInfoB = layout_a_.b;
    plan_.ALayoutInfoS = layout_a_.s;
    plan_.ALayoutInfoN = layout_a_.n;
    plan_.ALayoutInfoG = layout_a_.g;
    plan_.ALayoutInfoD = layout_a_.d;
    plan_.BLayoutInfoB = layout_b_.b;
    plan_.BLayoutInfoS = layout_b_.s;
    plan_.BLayoutInfoN = layout_b_.n;
    plan_.BLayoutInfoG = layout_b_.g;
    plan_.BLayoutInfoD = layout_b_.d;
    plan_.CLayoutInfoB = layout_c_.b;
    plan_.CLayoutInfoS1 = layout_c_.s;
    plan_.CLayoutInfoN = layout_c_.n;
    plan_.CLayoutInfoG = layout_c_.g;
    plan_.CLayoutInfoS2 = layout_c_.d;
  }

  int32_t batch_a_ = 1, batch_b_ = 1, batch_ = 0;
  Layout layout_a_, layout_b_, layout_c_;
};

// Bytes that a tiling uses in the memories that calls share.
template <typename Tiling>
inline int32_t MatmulGetTmpBufSize(const Tiling& tiling, SysTilingTempBufSize& size);
template <>
inline int32_t MatmulGetTmpBufSize(const AscendC::tiling::TCubeTiling& tiling,
                                   SysTilingTempBufSize& size) {
  size = {tiling.shareUbSize, tiling.shareL1Size, tiling.shareL0CSize};
  return 0;
}
template <>
inline int32_t MatmulGetTmpBufSize(const optiling::TCubeTiling& tiling,
                                   SysTilingTempBufSize& size) {
  size = {tiling.get_shareUbSize(), tiling.get_shareL1Size(), tiling.get_shareL0CSize()};
  return 0;
}

}  // namespace matmul_tiling

#endif  // OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_H_
