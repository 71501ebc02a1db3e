// The way out of a block of sums that the cube unit made and the vector unit finished.
#ifndef OPS_SHARED_PRODUCT_STORE_H_
#define OPS_SHARED_PRODUCT_STORE_H_

#include "kernel_operator.h"

namespace product {

using namespace AscendC;

// Rows and columns of y that a block holds; in UB rows are `pitch` elements apart.
struct Block {
  uint32_t row, column, rows, columns, pitch;

  __aicore__ inline uint32_t elements() const { return rows * pitch; }
};

// Narrows sums to T and stores them.
template <typename T>
class Store {
 public:
  __aicore__ inline void Init(TPipe& pipe, uint32_t elements) {
    pipe.InitBuffer(out_, 1, elements * sizeof(T));
  }

  // `to`: the block's first element; rows of y are `stride` elements apart.
  __aicore__ inline void Out(const GlobalTensor<T>& to, uint64_t stride,
                             const LocalTensor<float>& sums, const Block& block) {
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, sums, 0.0f, block.elements());
    } else {
      Cast(out, sums, RoundMode::CAST_RINT, block.elements());
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const auto bytes = static_cast<uint32_t>(block.columns * sizeof(T));
    const auto pitch = static_cast<uint32_t>(block.pitch * sizeof(T));
    DataCopyExtParams copy{static_cast<uint16_t>(block.rows), bytes,
                           (pitch - (bytes + 31) / 32 * 32) / 32,
                           static_cast<uint32_t>((stride - block.columns) * sizeof(T)), 0};
    const bool far_apart = block.rows > 1 && (stride - block.columns) * sizeof(T) > UINT32_MAX;
    if (far_apart) {
      copy.blockCount = 1;
      for (uint32_t row = 0; row < block.rows; ++row)
        DataCopyPad(to[row * stride], out[row * block.pitch], copy);
    } else {
      DataCopyPad(to, out, copy);
    }
    out_.FreeTensor(out);
  }

 private:
  TQue<QuePosition::VECOUT, 1> out_;
};

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_STORE_H_
