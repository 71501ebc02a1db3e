// Calls of the vendor's documentation that opkit does not have. Using one is an error whose
// sentence names the call and what to write instead. The list is checked by tests/coverage.
#ifndef OPKIT_INCLUDE_ASCENDC_ABSENT_H_
#define OPKIT_INCLUDE_ASCENDC_ABSENT_H_

#include "opkit/include/ascendc/base.h"

namespace AscendC {
namespace detail {

template <typename...>
constexpr bool kAbsent = false;

}  // namespace detail

// The ellipsis is the worst match there is: a function of the same name that a kernel brings along
// is always preferred.
#define OPKIT_ABSENT(Name, sentence)                                           \
  template <typename Type = void, typename... Types>                           \
  void Name(...) {                                                             \
    static_assert(detail::kAbsent<Type>, #Name " is not emulated: " sentence); \
  }

// Only other chips have them. Names that kernels use for themselves (IsFinite, LogicalAnd, Where
// ...) are left out: a class of that name would be ambiguous.
OPKIT_ABSENT(Truncate, "arch 2201 does not have it; use Trunc, or Cast with CAST_TRUNC")
OPKIT_ABSENT(Scatter, "arch 2201 does not have it; use SetValue, or sort the indices and Gather")
OPKIT_ABSENT(BroadCastVecToMM, "arch 2201 does not have it; use Brcb or Broadcast")
OPKIT_ABSENT(AllocMutexID, "arch 2201 does not have it; use SetFlag and WaitFlag")
OPKIT_ABSENT(ReleaseMutexID, "arch 2201 does not have it; use SetFlag and WaitFlag")
OPKIT_ABSENT(Fma, "arch 2201 does not have it; use MulAddDst or FusedMulAdd")
OPKIT_ABSENT(RpSort16, "arch 2201 does not have it; use Sort32")
OPKIT_ABSENT(MrgSort4, "arch 2201 does not have it; use MrgSort")
OPKIT_ABSENT(ProposalConcat, "arch 2201 does not have it; use Concat and Sort")
OPKIT_ABSENT(ProposalExtract, "arch 2201 does not have it; use Extract")
OPKIT_ABSENT(Interleave, "arch 2201 does not have it; use Gather")
OPKIT_ABSENT(DeInterleave, "arch 2201 does not have it; use GatherMask with patterns 1 and 2")
template <uint16_t Rounds = 7, typename Tensor, typename Count>
void PhiloxRandom(const Tensor&, const uint32_t (&)[2], const uint32_t (&)[4], Count&&) {
  static_assert(
      detail::kAbsent<Tensor>,
      "PhiloxRandom is not emulated: arch 2201 does not have it; compute the numbers with "
      "vector calls");
}

// Emulation of images, compressed weights and whole layers.
OPKIT_ABSENT(LoadImageToLocal, "write the conversion of the image with vector calls")
OPKIT_ABSENT(SetAippFunctions, "write the conversion of the image with vector calls")
OPKIT_ABSENT(LoadUnzipIndex, "keep the weights uncompressed and use LoadData")
OPKIT_ABSENT(LoadDataUnzip, "keep the weights uncompressed and use LoadData")
OPKIT_ABSENT(SetFixPipeClipRelu,
             "arch 2201 does not have it; use reluEn of FixpipeParamsV220, or Mins on the vector "
             "core")
OPKIT_ABSENT(SetFixPipeAddr, "arch 2201 does not have it; use Add on the vector core")
OPKIT_ABSENT(Conv2D, "use LoadData with im2col, Mmad and Fixpipe")
OPKIT_ABSENT(Gemm, "use the Matmul object, or LoadData, Mmad and Fixpipe")

// A probe of the real chip.
OPKIT_ABSENT(CheckLocalMemoryIA, "run the kernel in Checked mode")

#undef OPKIT_ABSENT

// Types: the sentence appears where one is made.
#define OPKIT_ABSENT_TYPE(Name, sentence)                              \
  namespace detail {                                                   \
  template <typename Type>                                             \
  struct Absent##Name {                                                \
    static_assert(kAbsent<Type>, #Name " is not emulated: " sentence); \
  };                                                                   \
  }                                                                    \
  using Name = detail::Absent##Name<void>;

OPKIT_ABSENT_TYPE(LoadData2DParamsV2, "arch 2201 does not have it; use LoadData2DParams")
OPKIT_ABSENT_TYPE(Conv3D, "use LoadData with im2col, Mmad and Fixpipe, or the Matmul object")
OPKIT_ABSENT_TYPE(Conv3DBackpropInput, "use the Matmul object")
OPKIT_ABSENT_TYPE(Conv3DBackpropFilter, "use the Matmul object")
#undef OPKIT_ABSENT_TYPE

// A part of FixpipeParams, which refuses: a helper that nobody calls may name it.
struct Nz2NdParams {
  bool nz2ndEn = false;
  uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0, originalNSize = 0;
};

template <typename T>
struct LoadData3DParamsV1 {
  static_assert(detail::kAbsent<T>,
                "LoadData3DParamsV1 is not emulated: arch 2201 does not have it; use "
                "LoadData3DParamsV2");
};
template <typename T>
struct FixpipeParams {
  static_assert(detail::kAbsent<T>,
                "FixpipeParams is not emulated: the page \"Fixpipe\" gives arch 2201 "
                "FixpipeParamsV220, with nSize, mSize, srcStride, dstStride and, for rows, ndNum, "
                "srcNdStride and dstNdStride");
};
template <typename Message>
class CubeResGroupHandle {
  static_assert(detail::kAbsent<Message>,
                "CubeResGroupHandle is not emulated: use CrossCoreSetFlag and CrossCoreWaitFlag");
};

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ABSENT_H_
