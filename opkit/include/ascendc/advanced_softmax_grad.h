// SoftmaxGrad, SoftmaxGradFront. (Pages of those names.)
#ifndef OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_GRAD_H_
#define OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_GRAD_H_

#include "opkit/include/ascendc/advanced_softmax_rows.h"

namespace AscendC {
namespace detail {

// Row i as floats: those of ND floats where they are, others in `room`; halves of NZ data pass
// through `spare`.
template <bool isNz, typename T>
OPKIT_INLINE LocalTensor<float> row_as_floats(const LocalTensor<T>& data, uint32_t i,
                                              const LocalTensor<float>& room,
                                              const LocalTensor<float>& spare,
                                              const SoftmaxRows& r) {
  (void)spare;
  if constexpr (!isNz) {
    return as_floats(data[i * r.pitch], room, r.pitch);
  } else if constexpr (std::is_same<T, float>::value) {
    gather_row(room, data, i, r);
    return room;
  } else {
    const LocalTensor<T> line = spare.template ReinterpretCast<T>();
    gather_row(line, data, i, r);
    return as_floats(line, room, r.pitch);
  }
}

// front: the row sum of grad * src, one block per row. Otherwise (grad - that) * src.
template <bool isNz, typename T>
OPKIT_INLINE void softmax_grad(const LocalTensor<T>& dst, const LocalTensor<T>& grad,
                               const LocalTensor<T>& src, const LocalTensor<uint8_t>& tmp,
                               bool front, const SoftmaxRows& r) {
  if (r.rows == 0) return;
  const uint32_t size = r.height * r.pitch;
  const uint32_t results = front ? r.rows * block_lanes<T>() : size;
  if (excludes_shared("SoftmaxGrad", tmp, extent(dst, results), extent(grad, size),
                      extent(src, size)))
    return;
  Scratch scratch("SoftmaxGrad", tmp);
  const LocalTensor<float> block = scratch.take<float>(8);
  const LocalTensor<float> g_room = scratch.take<float>(r.pitch);
  const LocalTensor<float> x_room = scratch.take<float>(r.pitch);
  const LocalTensor<float> product = scratch.take<float>(r.pitch);
  const LocalTensor<float> work = scratch.take<float>(fold_room<float>(r.length));
  const auto n = static_cast<int32_t>(r.pitch);
  for (uint32_t i = 0; i < r.rows; ++i) {
    const LocalTensor<float> g = row_as_floats<isNz>(grad, i, g_room, product, r);
    const LocalTensor<float> x = row_as_floats<isNz>(src, i, x_room, product, r);
    Mul(product, g, x, n);
    reduce_to_block<ReduceType::SUM>(block, product, work, r.length);
    if (front) {
      store_block(dst[i * block_lanes<T>()], block, product);
      continue;
    }
    // A row of NZ data is made where the gradient was.
    const LocalTensor<T> out = isNz ? g_room.template ReinterpretCast<T>() : dst[i * r.pitch];
    const LocalTensor<float> y = result_of(out, product);
    with_block(OPK_V_SUB, product, g, block, r.pitch);
    Mul(y, product, x, n);
    finish_result(out, y, r.pitch);
    if constexpr (isNz) scatter_row(dst, out, i, r);
  }
}

}  // namespace detail

#define OPKIT_SHARED_BUFFER const LocalTensor<uint8_t>&sharedTmpBuffer,
#define OPKIT_GRAD_ROWS(name) \
  (detail::softmax_rows<isDataFormatNZ, T>(name, tiling, softmaxShapeInfo))
#define OPKIT_SOFTMAX_GRAD(buffer, memory)                                                         \
  template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>                   \
  OPKIT_INLINE void SoftmaxGrad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor, \
                                const LocalTensor<T>& srcTensor,                                   \
                                buffer const SoftMaxTiling& tiling, bool isFront = false,          \
                                const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                   \
    const detail::LibraryCall in_library("SoftmaxGrad");                                           \
    detail::check_softmax_type<T>();                                                               \
    detail::softmax_grad<isDataFormatNZ, T>(dstTensor, gradTensor, srcTensor, memory, isFront,     \
                                            OPKIT_GRAD_ROWS("SoftmaxGrad"));                       \
  }                                                                                                \
  template <typename T, bool isBasicBlock = false, bool isDataFormatNZ = false>                    \
  OPKIT_INLINE void SoftmaxGradFront(                                                              \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,                           \
      const LocalTensor<T>& srcTensor, buffer const SoftMaxTiling& tiling,                         \
      const SoftMaxShapeInfo& softmaxShapeInfo = {}) {                                             \
    const detail::LibraryCall in_library("SoftmaxGradFront");                                      \
    detail::check_softmax_type<T>();                                                               \
    detail::softmax_grad<isDataFormatNZ, T>(dstTensor, gradTensor, srcTensor, memory, true,        \
                                            OPKIT_GRAD_ROWS("SoftmaxGradFront"));                  \
  }
OPKIT_SOFTMAX_GRAD(OPKIT_SHARED_BUFFER, sharedTmpBuffer)
OPKIT_SOFTMAX_GRAD(, detail::rest_of_ub())
#undef OPKIT_SOFTMAX_GRAD
#undef OPKIT_GRAD_ROWS
#undef OPKIT_SHARED_BUFFER

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_ADVANCED_SOFTMAX_GRAD_H_
