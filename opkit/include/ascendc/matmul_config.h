// Types and variants of the Matmul object. (Vendor's pages "Matmul使用说明", "MatmulConfig",
// "GetMMConfig", "GetMatmulApiTiling", "MatmulCallBackFunc".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_

#include "opkit/include/ascendc/scalar.h"
#include "opkit/include/ascendc/tensor.h"
#include "opkit/include/tiling/matmul/cube_format.h"

namespace AscendC {

using matmul_tiling::CubeFormat;
enum class LayoutMode : uint8_t { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };

template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false,
          TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  static constexpr TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
  static constexpr TPosition srcPos = SRCPOS;
};

enum class MatmulConfigMode : uint8_t {
  CONFIG_NORM = 0,
  CONFIG_MDL,
  CONFIG_SPECIALMDL,
  CONFIG_IBSHARE
};
enum class BatchMode : uint8_t {
  NONE = 0,
  BATCH_LESS_THAN_L1,
  BATCH_LARGE_THAN_L1,
  SINGLE_LARGE_THAN_L1
};
enum class BatchOutMode : uint8_t { SINGLE_BATCH = 0, MULTI_BATCH };
enum class IterateOrder : uint8_t { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType : uint8_t { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum class IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 0b00000001,
  ITERATE_MODE_ALL = 0b00000010,
  ITERATE_MODE_BATCH = 0b00000100,
  ITERATE_MODE_N_BATCH = 0b00001000,
  ITERATE_MODE_DEFAULT = 0b11111111
};

// Nearly all of it chooses how the chip moves data and gives the same result; what changes the
// result is isBiasBatch here and refused otherwise (MatmulImpl). Sizes that are not 0 are used when
// there is no tiling.
struct MatmulConfig {
  bool doNorm = true;
  bool doBasicBlock = false;
  bool doMultiDataLoad = false;
  uint32_t basicM = 0, basicN = 0, basicK = 0;
  bool intrinsicsCheck = false;
  bool isNBatch = false;
  bool enVecND2NZ = false;
  bool doSpecialBasicBlock = false;
  uint32_t doMTE2Preload = 0;
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
  uint32_t stepM = 0, stepN = 0;
  uint32_t baseMN = 0, singleCoreMN = 0;
  bool enUnitFlag = true;
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
  bool doIBShareNorm = false;
  bool doSpecialMDL = false;
  bool enableInit = true;
  BatchMode batchMode = BatchMode::NONE;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  IterateMode iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool enableL1CacheUB = false;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableDoubleCache = false;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;

  // Tells whether one copy brings stepM x stepKa (stepN x stepKb) base blocks to L1 instead of one.
  constexpr bool big_packets() const { return doMultiDataLoad || doSpecialMDL; }
};

namespace detail {
constexpr MatmulConfig matmul_config(MatmulConfigMode mode) {
  MatmulConfig c;
  c.doNorm = mode == MatmulConfigMode::CONFIG_NORM;
  c.doMultiDataLoad = mode == MatmulConfigMode::CONFIG_MDL;
  c.doSpecialMDL = mode == MatmulConfigMode::CONFIG_SPECIALMDL;
  c.doIBShareNorm = mode == MatmulConfigMode::CONFIG_IBSHARE;
  return c;
}
}  // namespace detail

constexpr MatmulConfig CFG_NORM = detail::matmul_config(MatmulConfigMode::CONFIG_NORM);
constexpr MatmulConfig CFG_MDL = detail::matmul_config(MatmulConfigMode::CONFIG_MDL);
constexpr MatmulConfig CFG_IBSHARE_NORM = detail::matmul_config(MatmulConfigMode::CONFIG_IBSHARE);
constexpr MatmulConfig MM_CFG_NORM = CFG_NORM;
constexpr MatmulConfig MM_CFG_BB = CFG_NORM;

constexpr MatmulConfig GetNormalConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false, const bool isVecND2NZ = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1, const bool isMsgReuse = true,
    const IterateOrder iterateOrder = IterateOrder::UNDEF,
    const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT, const bool enUnitFlag = true,
    const bool enableMixDualMaster = false, const BatchOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig c = CFG_NORM;
  c.intrinsicsCheck = intrinsicsLimit;
  c.isNBatch = batchLoop;
  c.enVecND2NZ = isVecND2NZ;
  c.batchMode = bmmMode;
  c.enableReuse = isMsgReuse;
  c.iterateOrder = iterateOrder;
  c.scheduleType = scheduleType;
  c.enUnitFlag = enUnitFlag;
  c.enableMixDualMaster = enableMixDualMaster;
  return c;
}
constexpr MatmulConfig GetMDLConfig(const bool intrinsicsLimit = false,
                                    const bool batchLoop = false, const uint32_t doMTE2Preload = 0,
                                    const bool isVecND2NZ = false, bool isPerTensor = false,
                                    bool hasAntiQuantOffset = false, const bool enUnitFlag = false,
                                    const bool isMsgReuse = true, const bool enableUBReuse = true,
                                    const bool enableL1CacheUB = false,
                                    const bool enableMixDualMaster = false,
                                    const bool enableKdimReorderLoad = false) {
  MatmulConfig c = CFG_MDL;
  c.intrinsicsCheck = intrinsicsLimit;
  c.isNBatch = batchLoop;
  c.doMTE2Preload = doMTE2Preload;
  c.enVecND2NZ = isVecND2NZ;
  c.isPerTensor = isPerTensor;
  c.hasAntiQuantOffset = hasAntiQuantOffset;
  c.enUnitFlag = enUnitFlag;
  c.enableReuse = isMsgReuse;
  c.enableUBReuse = enableUBReuse;
  c.enableL1CacheUB = enableL1CacheUB;
  c.enableMixDualMaster = enableMixDualMaster;
  c.enableKdimReorderLoad = enableKdimReorderLoad;
  return c;
}
constexpr MatmulConfig GetSpecialMDLConfig(const bool intrinsicsLimit = false,
                                           const bool batchLoop = false,
                                           const uint32_t doMTE2Preload = 0,
                                           const bool isVecND2NZ = false, bool isPerTensor = false,
                                           bool hasAntiQuantOffset = false) {
  MatmulConfig c = GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ, isPerTensor,
                                hasAntiQuantOffset);
  c.doMultiDataLoad = false;
  c.doSpecialMDL = true;
  return c;
}
constexpr MatmulConfig GetIBShareNormConfig(const bool intrinsicsLimit = false,
                                            const bool batchLoop = false,
                                            const bool isVecND2NZ = false,
                                            const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            const bool isDoubleCache = false,
                                            const bool enUnitFlag = true) {
  MatmulConfig c = GetNormalConfig(intrinsicsLimit, batchLoop, isVecND2NZ, bmmMode);
  c.doNorm = false;
  c.doIBShareNorm = true;
  c.enableDoubleCache = isDoubleCache;
  c.enUnitFlag = enUnitFlag;
  return c;
}
constexpr MatmulConfig GetBasicConfig(const uint32_t basicM, const uint32_t basicN,
                                      const uint32_t basicK, const bool intrinsicsLimit = false,
                                      const bool batchLoop = false,
                                      const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig c = GetNormalConfig(intrinsicsLimit, batchLoop, false, bmmMode);
  c.doNorm = false;
  c.doBasicBlock = true;
  c.basicM = basicM;
  c.basicN = basicN;
  c.basicK = basicK;
  return c;
}

// Parts of a MatmulConfig, for GetMMConfig.
struct MatmulShapeParams {
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
  uint32_t basicM = 0, basicN = 0, basicK = 0;
};
struct MatmulQuantParams {
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
};
struct MatmulBatchParams {
  bool isNBatch = false;
  BatchMode batchMode = BatchMode::BATCH_LESS_THAN_L1;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
  bool intrinsicsLimit = false;
  bool enVecND2NZ = false;
  bool enableDoubleCache = false;
  bool enableL1CacheUB = false;
  uint32_t doMTE2Preload = 0;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
};

namespace detail {

constexpr void apply(MatmulConfig& c, const MatmulShapeParams& p) {
  c.singleCoreM = p.singleCoreM;
  c.singleCoreN = p.singleCoreN;
  c.singleCoreK = p.singleCoreK;
  c.basicM = p.basicM;
  c.basicN = p.basicN;
  c.basicK = p.basicK;
}
constexpr void apply(MatmulConfig& c, const MatmulQuantParams& p) {
  c.isPerTensor = p.isPerTensor;
  c.hasAntiQuantOffset = p.hasAntiQuantOffset;
}
constexpr void apply(MatmulConfig& c, const MatmulBatchParams& p) {
  c.isNBatch = p.isNBatch;
  c.batchMode = p.batchMode;
  c.isBiasBatch = p.isBiasBatch;
}
constexpr void apply(MatmulConfig& c, const MatmulFuncParams& p) {
  c.intrinsicsCheck = p.intrinsicsLimit;
  c.enVecND2NZ = p.enVecND2NZ;
  c.enableDoubleCache = p.enableDoubleCache;
  c.enableL1CacheUB = p.enableL1CacheUB;
  c.doMTE2Preload = p.doMTE2Preload;
  c.iterateOrder = p.iterateOrder;
  c.scheduleType = p.scheduleType;
  c.enableReuse = p.enableReuse;
  c.enableUBReuse = p.enableUBReuse;
  c.isPartialOutput = p.isPartialOutput;
  c.isA2B2Shared = p.isA2B2Shared;
  c.isEnableChannelSplit = p.isEnableChannelSplit;
  c.enableKdimReorderLoad = p.enableKdimReorderLoad;
}

}  // namespace detail

template <MatmulConfigMode configMode, typename... Params>
constexpr MatmulConfig GetMMConfig(Params&&... params) {
  MatmulConfig c = detail::matmul_config(configMode);
  (detail::apply(c, params), ...);
  return c;
}

// Sizes known to the compiler: the MatmulConfig and the tiling that follows from it.
struct MatmulApiStaticTiling {
  int32_t usedCoreNum = -1;
  int32_t M = -1, N = -1, Ka = -1, Kb = -1;
  int32_t singleCoreM = -1, singleCoreN = -1, singleCoreK = -1;
  int32_t baseM = -1, baseN = -1, baseK = -1;
  int32_t depthA1 = 1, depthB1 = 1;
  int32_t stepM = 1, stepN = 1, stepKa = 1, stepKb = 1;
  int32_t dbL0A = 1, dbL0B = 1, dbL0C = 1;
  int32_t isBias = -1;
  int32_t iterateOrder = -1;
  int32_t transLength = 0, shareMode = 0;
  int32_t shareL1Size = 0, shareL0CSize = 0, shareUbSize = 0;
  int32_t batchM = 1, batchN = 1, singleBatchM = 1, singleBatchN = 1;
  int32_t mxTypePara = 0;
  MatmulConfig cfg = CFG_NORM;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
constexpr MatmulApiStaticTiling GetMatmulApiTiling(const MatmulConfig& mmCFG,
                                                   int32_t = 512 * 1024) {
  const auto known = [](uint32_t n) { return n ? static_cast<int32_t>(n) : -1; };
  MatmulApiStaticTiling t;
  t.cfg = mmCFG;
  t.usedCoreNum = 1;
  t.M = t.singleCoreM = known(mmCFG.singleCoreM);
  t.N = t.singleCoreN = known(mmCFG.singleCoreN);
  t.Ka = t.Kb = t.singleCoreK = known(mmCFG.singleCoreK);
  t.baseM = known(mmCFG.basicM);
  t.baseN = known(mmCFG.basicN);
  t.baseK = known(mmCFG.basicK);
  t.isBias = mmCFG.enableSetBias;
  t.iterateOrder = mmCFG.iterateOrder == IterateOrder::ORDER_N;
  return t;
}

namespace detail {

constexpr const MatmulConfig& config_of(const MatmulConfig& c) { return c; }
constexpr const MatmulConfig& config_of(const MatmulApiStaticTiling& t) { return t.cfg; }
// Tells whether everything that a product needs is known.
constexpr bool is_whole(const MatmulConfig&) { return false; }
constexpr bool is_whole(const MatmulApiStaticTiling& t) {
  return t.singleCoreM > 0 && t.singleCoreN > 0 && t.singleCoreK > 0 && t.baseM > 0 && t.baseN > 0;
}

}  // namespace detail

// Functions of the author's that replace the object's own copies.
template <
    void (*DataCopyOut)(const __gm__ void* gm, const LocalTensor<int8_t>& co1Local,
                        const void* dataCopyOutParams, const uint64_t tilingPtr,
                        const uint64_t dataPtr) = nullptr,
    void (*CopyA1)(const LocalTensor<int8_t>& aMatrix, const __gm__ void* gm, int row, int col,
                   int useM, int useK, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
    void (*CopyB1)(const LocalTensor<int8_t>& bMatrix, const __gm__ void* gm, int row, int col,
                   int useK, int useN, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
  // Bits: 1 A, 2 B, 4 C.
  static constexpr uint8_t kOwn = (CopyA1 ? 1 : 0) | (CopyB1 ? 2 : 0) | (DataCopyOut ? 4 : 0);
  static constexpr auto copy_out = DataCopyOut;
  static constexpr auto copy_a = CopyA1;
  static constexpr auto copy_b = CopyB1;
};

}  // namespace AscendC

// Pages name these without the namespace beside AscendC::MatmulType and AscendC::Matmul.
using AscendC::CFG_IBSHARE_NORM;
using AscendC::CFG_MDL;
using AscendC::CFG_NORM;
using AscendC::CubeFormat;
using AscendC::LayoutMode;
using AscendC::MM_CFG_BB;
using AscendC::MM_CFG_NORM;

namespace matmul {
using namespace AscendC;
// a / b rounded up; b is not 0. An author's own CeilDiv is preferred.
template <typename A, typename... B, typename = detail::WholeNumbers<A, B...>>
constexpr auto CeilDiv(A a, B... b) -> decltype((a + ... + b)) {
  return detail::ceil_div(a, b...);
}
}  // namespace matmul

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_
