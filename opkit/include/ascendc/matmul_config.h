// Types and variants of the Matmul object. (Vendor's pages "Matmul使用说明", "MatmulConfig".)
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_

#include "opkit/include/ascendc/base.h"

namespace AscendC {

enum class CubeFormat : uint8_t { ND = 0, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };
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

// Variants of speed on the chip; all give the same result.
enum class MatmulConfigMode : uint8_t {
  CONFIG_NORM = 0,
  CONFIG_MDL,
  CONFIG_SPECIALMDL,
  CONFIG_IBSHARE
};
struct MatmulConfig {
  MatmulConfigMode mode = MatmulConfigMode::CONFIG_NORM;
  // Whether one copy brings stepM x stepKa (stepN x stepKb) base blocks to L1 instead of one.
  constexpr bool big_packets() const {
    return mode == MatmulConfigMode::CONFIG_MDL || mode == MatmulConfigMode::CONFIG_SPECIALMDL;
  }
};
constexpr MatmulConfig CFG_NORM = {MatmulConfigMode::CONFIG_NORM};
constexpr MatmulConfig CFG_MDL = {MatmulConfigMode::CONFIG_MDL};
constexpr MatmulConfig CFG_IBSHARE_NORM = {MatmulConfigMode::CONFIG_IBSHARE};
constexpr MatmulConfig MM_CFG_NORM = CFG_NORM;

constexpr MatmulConfig GetNormalConfig() { return CFG_NORM; }
constexpr MatmulConfig GetMDLConfig() { return CFG_MDL; }
constexpr MatmulConfig GetIBShareNormConfig() { return CFG_IBSHARE_NORM; }
// Sizes known at compile time, quantisation and ways of copying: hints for the chip's compiler.
// Sizes come from the tiling here.
struct MatmulShapeParams {
  uint32_t singleCoreM = 0, singleCoreN = 0, singleCoreK = 0;
  uint32_t basicM = 0, basicN = 0, basicK = 0;
};
struct MatmulQuantParams {
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
};
struct MatmulFuncParams {
  bool intrinsicsCheck = false;
  bool enVecND2NZ = false;
  bool enableDoubleCache = false;
};

namespace detail {
template <typename T>
constexpr bool is_matmul_hint() {
  return std::is_same<T, MatmulShapeParams>::value || std::is_same<T, MatmulQuantParams>::value ||
         std::is_same<T, MatmulFuncParams>::value;
}
}  // namespace detail

template <MatmulConfigMode mode, typename... Params>
constexpr MatmulConfig GetMMConfig(const Params&...) {
  static_assert(
      (detail::is_matmul_hint<Params>() && ...),
      "GetMMConfig: pass MatmulShapeParams, MatmulQuantParams or MatmulFuncParams; batches "
      "are not emulated");
  return {mode};
}

// Functions of the author's that replace the object's own copies.
template <void (*DataCopyOut)(...) = nullptr, void (*CopyA1)(...) = nullptr,
          void (*CopyB1)(...) = nullptr>
struct MatmulCallBackFunc {};

}  // namespace AscendC

namespace matmul {
using namespace AscendC;
}

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_CONFIG_H_
