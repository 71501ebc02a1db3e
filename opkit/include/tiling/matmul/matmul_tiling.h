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
  bool split() override { return take_all(); }
};

// M x N (and K when asked for) is split over at most `dim` cores.
class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t SetDim(int32_t dim) {
    if (dim <= 0) return refuse("SetDim needs at least one core") ? 0 : -1;
    return dim_ = dim, 0;
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
  void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }

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

  Block max_single_{-1, -1, -1}, min_single_{-1, -1, -1}, align_{-1, -1, -1};
  bool split_k_ = false;
};

// Batches of products on one core.
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t GetCoreNum(int32_t& dim, int32_t& m_dim, int32_t& n_dim) const {
    return dim = m_dim = n_dim = 1, 0;
  }

 protected:
  bool split() override { return take_all(); }
};

// Returns the bytes that a tiling uses in the memories that calls share: of the host's struct, and
// V2 of the kernel's; for each class of tilings under a name of its own.
inline int32_t MatmulGetTmpBufSizeV2(const AscendC::tiling::TCubeTiling& tiling,
                                     SysTilingTempBufSize& size) {
  size = {tiling.shareUbSize, tiling.shareL1Size, tiling.shareL0CSize};
  return 0;
}
inline int32_t MatmulGetTmpBufSize(const AscendC::tiling::TCubeTiling& tiling,
                                   SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSizeV2(tiling, size);
}
inline int32_t MatmulGetTmpBufSize(const optiling::TCubeTiling& tiling,
                                   SysTilingTempBufSize& size) {
  size = {tiling.get_shareUbSize(), tiling.get_shareL1Size(), tiling.get_shareL0CSize()};
  return 0;
}
inline int32_t MultiCoreMatmulGetTmpBufSize(const optiling::TCubeTiling& tiling,
                                            SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}
inline int32_t MultiCoreMatmulGetTmpBufSizeV2(const AscendC::tiling::TCubeTiling& tiling,
                                              SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSizeV2(tiling, size);
}
inline int32_t BatchMatmulGetTmpBufSize(const optiling::TCubeTiling& tiling,
                                        SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSize(tiling, size);
}
inline int32_t BatchMatmulGetTmpBufSizeV2(const AscendC::tiling::TCubeTiling& tiling,
                                          SysTilingTempBufSize& size) {
  return MatmulGetTmpBufSizeV2(tiling, size);
}

}  // namespace matmul_tiling

#endif  // OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_H_
