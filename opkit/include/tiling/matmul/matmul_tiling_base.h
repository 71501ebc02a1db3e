// What all tilings of Matmul objects are told and give. (Vendor's pages "MatmulApiTiling",
// "TCubeTiling结构体", "SetSparse".)
#ifndef OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_BASE_H_
#define OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_BASE_H_

#include <cstdint>

#include "graph/types.h"
#include "opkit_host/advanced_tiling.h"
#include "opkit_host/log.h"
#include "opkit_host/matmul_plan.h"
#include "tiling/matmul/cube_format.h"
#include "tiling/platform/platform_ascendc.h"

namespace matmul_tiling {

enum class TPosition : int32_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  MAX,
};
enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_BF16 = 27,
  DT_BFLOAT16 = 27,
  DT_INT4 = 29,
};
enum class MatrixTraverse { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType { NORMAL = 0, HF32 = 1 };
enum class DequantType { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };

// What the kernel's MatmulConfig says, for SetMatmulConfigParams.
struct MatmulConfigParams {
  MatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false,
                     ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse traverseIn = MatrixTraverse::NOSET, bool enVecND2NZIn = false)
      : mmConfigType(mmConfigTypeIn),
        enableL1CacheUB(enableL1CacheUBIn),
        scheduleType(scheduleTypeIn),
        traverse(traverseIn),
        enVecND2NZ(enVecND2NZIn) {}

  int32_t mmConfigType;  // 0: Norm, 1: MDL
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;
};

// Describes one core; sizes in bytes. (Page "Matmul Tiling类构造函数")
struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0, l0CSize = 0, ubSize = 0, l0ASize = 0, l0BSize = 0;
};

struct SysTilingTempBufSize {
  int32_t ubSize = 0, l1Size = 0, l0cSize = 0;  // bytes
};

// One operand as the author described it.
struct MatmulOperand {
  TPosition position = TPosition::GM;
  CubeFormat format = CubeFormat::ND;
  DataType type = DataType::DT_FLOAT16;
  bool transposed = false;

  int bits() const { return ge::GetBitsOfDataType(static_cast<ge::DataType>(type)); }
};

// Settings are kept and used by GetTiling. Every setter returns 0, or -1 (reported) for a value
// that cannot be. Without a platform the chip of PlatformAscendCManager is taken.
class MatmulApiTilingBase {
 public:
  MatmulApiTilingBase() { take(*platform_ascendc::PlatformAscendCManager::GetInstance()); }
  explicit MatmulApiTilingBase(const platform_ascendc::PlatformAscendC& platform) {
    take(platform);
  }
  // The table of biases, of which a PlatformInfo says nothing, is that of the chip at hand.
  explicit MatmulApiTilingBase(const PlatformInfo& platform) : MatmulApiTilingBase() {
    limits_.l0a = static_cast<int64_t>(platform.l0ASize);
    limits_.l0b = static_cast<int64_t>(platform.l0BSize);
    limits_.l0c = static_cast<int64_t>(platform.l0CSize);
    limits_.l1 = static_cast<int64_t>(platform.l1Size);
    ub_ = static_cast<int64_t>(platform.ubSize);
  }
  virtual ~MatmulApiTilingBase() = default;

  int32_t SetAType(TPosition position, CubeFormat format, DataType type, bool transposed = false) {
    return a_ = {position, format, type, transposed}, 0;
  }
  int32_t SetBType(TPosition position, CubeFormat format, DataType type, bool transposed = false) {
    return b_ = {position, format, type, transposed}, 0;
  }
  int32_t SetCType(TPosition position, CubeFormat format, DataType type) {
    return c_ = {position, format, type, false}, 0;
  }
  int32_t SetBiasType(TPosition position, CubeFormat format, DataType type) {
    return bias_type_ = {position, format, type, false}, 0;
  }
  int32_t SetDequantType(DequantType) { return 0; }
  int32_t SetMadType(MatrixMadType) { return 0; }
  int32_t SetBias(bool on = false) { return bias_ = on, 0; }
  int32_t EnableBias(bool on = false) { return SetBias(on); }

  // -1: as SetOrgShape says.
  virtual int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    const auto known = [](int32_t size) { return size == -1 ? 1 : size; };
    Block sizes;
    if (positive(known(m), known(n), known(k), sizes) != 0) return -1;
    return asked_ = {m, n, k}, 0;
  }
  // This core's share; -1: free.
  int32_t SetSingleShape(int32_t m = -1, int32_t n = -1, int32_t k = -1) {
    return single_ = {m, n, k}, 0;
  }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t k) { return SetOrgShape(m, n, k, k); }
  int32_t SetOrgShape(int32_t m, int32_t n, int32_t ka, int32_t kb) {
    org_kb_ = kb;
    return positive(m, n, ka, org_);
  }
  // -1: free.
  int32_t SetFixSplit(int32_t m = -1, int32_t n = -1, int32_t k = -1) {
    return fixed_ = {m, n, k}, 0;
  }
  // Bytes that the tiling may use; -1: all.
  int32_t SetBufferSpace(int32_t l1 = -1, int32_t l0c = -1, int32_t ub = -1, int32_t bt = -1) {
    if (l1 > 0) limits_.l1 = std::min<int64_t>(limits_.l1, l1);
    if (l0c > 0) limits_.l0c = std::min<int64_t>(limits_.l0c, l0c);
    if (ub > 0) ub_ = std::min<int64_t>(ub_, ub);
    if (bt > 0) limits_.bias_table = std::min<int64_t>(limits_.bias_table, bt);
    return 0;
  }
  // Makes base blocks whole for the half of K that a 4:2 sparse B keeps, too.
  int32_t SetSparse(bool isSparseIn = false) { return limits_.sparse = isSparseIn, 0; }
  int32_t SetTraverse(MatrixTraverse traverse) { return traverse_ = traverse, 0; }
  // Largest base block; -1: free. The smallest is not looked at.
  int32_t SetSplitRange(int32_t max_m = -1, int32_t max_n = -1, int32_t max_k = -1, int32_t = -1,
                        int32_t = -1, int32_t = -1) {
    return max_base_ = {max_m, max_n, max_k}, 0;
  }
  // Uses only the order of blocks of what the configuration says: the tilings go with any.
  void SetMatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false,
                             ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse traverseIn = MatrixTraverse::NOSET,
                             bool enVecND2NZIn = false) {
    SetMatmulConfigParams(MatmulConfigParams(mmConfigTypeIn, enableL1CacheUBIn, scheduleTypeIn,
                                             traverseIn, enVecND2NZIn));
  }
  void SetMatmulConfigParams(const MatmulConfigParams& configParams) {
    if (configParams.traverse != MatrixTraverse::NOSET) traverse_ = configParams.traverse;
  }
  int32_t SetDoubleBuffer(bool a, bool b, bool c, bool = false, bool = true, bool = true) {
    limits_.db_a = a ? 2 : 1;
    limits_.db_b = b ? 2 : 1;
    limits_.db_c = c ? 2 : 1;
    return 0;
  }

  // Batches: of the layout NORMAL, and the axes of the other layouts.
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

  int32_t GetBaseM() const { return plan_.baseM; }
  int32_t GetBaseN() const { return plan_.baseN; }
  int32_t GetBaseK() const { return plan_.baseK; }

  // 0, or -1 (reported) when the settings have no legal tiling.
  virtual int64_t GetTiling(optiling::TCubeTiling& tiling) { return give(tiling); }
  virtual int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) { return give(tiling); }

 protected:
  using Block = opkit_host::MatmulBlock;

  // Sets the shares of cores in plan_ (usedCoreNum, singleCore*). False when reported.
  virtual bool split() = 0;
  // One core takes all, or what SetSingleShape says.
  bool take_all() {
    const auto share = [](int64_t fixed, int64_t size) {
      return to_int(fixed > 0 ? std::min(fixed, size) : size);
    };
    plan_.usedCoreNum = 1;
    plan_.singleCoreM = share(single_.m, shape_.m);
    plan_.singleCoreN = share(single_.n, shape_.n);
    plan_.singleCoreK = share(single_.k, shape_.k);
    return true;
  }

  bool refuse(const char* why) const {
    opkit_host::report(
        opkit_host::kError, "OPK-HOST-008",
        opkit_host::format("matmul tiling of M=%lld N=%lld K=%lld: %s",
                           static_cast<long long>(shape_.m), static_cast<long long>(shape_.n),
                           static_cast<long long>(shape_.k), why));
    return false;
  }

  int32_t positive(int64_t m, int64_t n, int64_t k, Block& out) {
    if (m <= 0 || n <= 0 || k <= 0) return refuse("a size is not positive") ? 0 : -1;
    return out = {m, n, k}, 0;
  }

  AscendC::tiling::TCubeTiling plan_;
  opkit_host::MatmulLimits limits_;
  MatmulOperand a_, b_, c_, bias_type_;
  Block shape_, asked_, org_, fixed_{-1, -1, -1}, max_base_{-1, -1, -1}, single_{-1, -1, -1};
  int64_t org_kb_ = 0, ub_ = 0;
  MatrixTraverse traverse_ = MatrixTraverse::NOSET;
  bool bias_ = false;

 private:
  void take(const platform_ascendc::PlatformAscendC& platform) {
    using platform_ascendc::CoreMemType;
    const auto size = [&](CoreMemType type) {
      uint64_t bytes = 0;
      platform.GetCoreMemSize(type, bytes);
      return static_cast<int64_t>(bytes);
    };
    limits_.l0a = size(CoreMemType::L0_A);
    limits_.l0b = size(CoreMemType::L0_B);
    limits_.l0c = size(CoreMemType::L0_C);
    limits_.l1 = size(CoreMemType::L1);
    limits_.bias_table = size(CoreMemType::BT);
    ub_ = size(CoreMemType::UB);
  }

  template <typename Tiling>
  int64_t give(Tiling& tiling) {
    if (!plan()) return -1;
    opkit_host::assign(plan_, tiling);
    return 0;
  }

  bool plan() {
    if (asked_.m == 0) return refuse("SetShape was not called");
    const auto size = [](int64_t asked, int64_t org) { return asked == -1 ? org : asked; };
    shape_ = {size(asked_.m, org_.m), size(asked_.n, org_.n), size(asked_.k, org_.k)};
    if (shape_.m == 0 || shape_.n == 0 || shape_.k == 0)
      return refuse("a size is -1, and SetOrgShape was not called");
    if (org_.m == 0) {
      org_ = shape_;
      org_kb_ = shape_.k;
    }
    if (!fits_fixed()) return false;
    limits_.a_bits = a_.bits();
    limits_.b_bits = b_.bits();
    limits_.bias = bias_;
    if (limits_.a_bits == 0 || limits_.b_bits == 0) return refuse("an operand has no size");
    plan_ = {};
    if (!split()) return false;
    const Block single{plan_.singleCoreM, plan_.singleCoreN, plan_.singleCoreK};
    const Block base = opkit_host::choose_base(limits_, single, max_base_, fixed_);
    if (base.m == 0) return refuse("no base block fits L0A, L0B and L0C");
    store_base(base, single.k);
    return true;
  }

  // A fixed block is at most the share of a core, rounded up to whole fractals.
  bool fits_fixed() const {
    const int64_t m = single_.m > 0 ? single_.m : shape_.m;
    const int64_t n = single_.n > 0 ? single_.n : shape_.n;
    if (fixed_.m <= opkit_host::round_up(m, 16) &&
        fixed_.n <= opkit_host::round_up(n, std::max(limits_.n_unit(), int64_t{16})))
      return true;
    return refuse("the block of SetFixSplit is larger than the share of a core");
  }

  void store_base(const Block& base, int64_t k) {
    const int64_t step = opkit_host::choose_step_k(limits_, base, k);
    const int64_t depth = step * base.k < k ? 2 * step : step;  // two buffers when there is more
    plan_.M = to_int(org_.m);
    plan_.N = to_int(org_.n);
    plan_.Ka = to_int(org_.k);
    plan_.Kb = to_int(org_kb_);
    plan_.baseM = to_int(base.m);
    plan_.baseN = to_int(base.n);
    plan_.baseK = to_int(base.k);
    plan_.stepM = plan_.stepN = 1;
    plan_.stepKa = plan_.stepKb = to_int(step);
    plan_.depthA1 = plan_.depthB1 = to_int(depth);
    plan_.isBias = bias_ ? 1 : 0;
    plan_.iterateOrder = traverse_ == MatrixTraverse::FIRSTN ? 1 : 0;
    plan_.dbL0A = to_int(limits_.db_a);
    plan_.dbL0B = to_int(limits_.db_b);
    plan_.dbL0C = to_int(limits_.db_c);
    plan_.shareL0CSize = to_int(base.m * base.n * 4 * limits_.db_c);
    plan_.shareL1Size =
        to_int(depth * base.k * (base.m * limits_.a_bits + base.n * limits_.b_bits) / 8);
    plan_.singleBatchM = plan_.singleBatchN = 1;
    store_batches();
  }

  void store_batches() {
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

  struct Layout {
    int32_t b = 0, s = 0, n = 0, g = 0, d = 0;
  };
  int32_t batch_a_ = 1, batch_b_ = 1, batch_ = 0;
  Layout layout_a_, layout_b_, layout_c_;

 protected:
  static int32_t to_int(int64_t value) { return static_cast<int32_t>(value); }
};

}  // namespace matmul_tiling

#endif  // OPKIT_INCLUDE_TILING_MATMUL_MATMUL_TILING_BASE_H_
