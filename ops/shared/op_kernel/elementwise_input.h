// One input of an element-wise kernel: brings a tile into UB, widens it, and repeats what the input
// has once for several rows or columns.
#ifndef OPS_SHARED_ELEMENTWISE_INPUT_H_
#define OPS_SHARED_ELEMENTWISE_INPUT_H_

#include "elementwise_tiling.h"
#include "kernel_operator.h"

namespace elementwise {

using namespace AscendC;

constexpr int32_t kBuffers = 2;  // the copies of one tile overlap with the arithmetic of another
constexpr uint32_t kBlockBytes = 32;  // of UB

// The type that the vector unit computes in: bfloat16_t and 8-bit integers have no arithmetic of
// their own.
template <typename T>
struct ArithmeticOf {
  using Type = T;
};
template <>
struct ArithmeticOf<bfloat16_t> {
  using Type = float;
};
template <>
struct ArithmeticOf<int8_t> {
  using Type = half;
};
template <>
struct ArithmeticOf<uint8_t> {
  using Type = half;
};
template <>
struct ArithmeticOf<bool> {
  using Type = half;
};

// The same for a formula that says itself what float16 is computed in: half or float.
template <typename T, typename Half>
using ComputedIn = typename Std::conditional<IsSameType<T, half>::value, Half,
                                             typename ArithmeticOf<T>::Type>::type;

// bool lies in GM as bytes that are 0 or 1.
template <typename T>
struct StorageOf {
  using Type = T;
};
template <>
struct StorageOf<bool> {
  using Type = uint8_t;
};

// Elements of whole repeats, 256 bytes: what Compare asks for. Tiles have room for them.
template <typename T>
__aicore__ inline uint32_t WholeRepeats(uint32_t count) {
  constexpr uint32_t kRepeat = 256 / sizeof(T);
  return (count + kRepeat - 1) / kRepeat * kRepeat;
}

// A part of the output that passes through UB at once.
struct Tile {
  uint64_t row, column;
  uint32_t rows, columns;
  // Elements from row to row in UB. Of several rows a multiple of 32, so that rows of every type
  // begin a block.
  uint32_t pitch;

  __aicore__ inline uint32_t elements() const { return rows * pitch; }
};

// Names an input: what lies in GM, and what the formula computes in.
template <typename T, typename C = typename ArithmeticOf<T>::Type>
struct In {
  using Stored = typename StorageOf<T>::Type;
  using Computed = C;
};

// Elements of a block of the narrowest type that the ports have in GM.
template <typename... Ports>
struct PitchOf {
  static constexpr uint32_t kElements = 1;
};
template <typename First, typename... Rest>
struct PitchOf<First, Rest...> {
  static constexpr uint32_t kOwn = kBlockBytes / sizeof(typename First::Stored);
  static constexpr uint32_t kElements =
      kOwn > PitchOf<Rest...>::kElements ? kOwn : PitchOf<Rest...>::kElements;
};

template <typename Port>
class InputPort {
 public:
  using T = typename Port::Stored;
  using C = typename Port::Computed;

  __aicore__ inline void Init(TPipe& pipe, GM_ADDR address, const ElementwiseTiling& tiling,
                              uint32_t index) {
    tiling_ = &tiling;
    index_ = index;
    one_column_ = tiling.column_stride[index] == 0;
    one_row_ = tiling.outer_dims > 0 && tiling.outer_stride[index][tiling.outer_dims - 1] == 0;
    memory_.SetGlobalBuffer((__gm__ T*)address);
    if (!one_column_) pipe.InitBuffer(queue_, kBuffers, tiling.tile * sizeof(T));
    if (kWidens || one_column_) pipe.InitBuffer(values_, tiling.tile * sizeof(C));
  }

  __aicore__ inline void CopyIn(const Tile& tile) {
    if (one_column_) return;
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    DataCopyExtParams copy{1, static_cast<uint32_t>(tile.columns * sizeof(T)), 0, 0, 0};
    if (!one_row_ && tile.rows > 1) {
      copy.blockCount = static_cast<uint16_t>(tile.rows);
      copy.srcStride = static_cast<uint32_t>((RowStride() - tile.columns) * sizeof(T));
      copy.dstStride = (tile.pitch * sizeof(T) - UpToBlock(copy.blockLen)) / kBlockBytes;
    }
    DataCopyPad(in, memory_[Offset(tile)], copy, DataCopyPadExtParams<T>{false, 0, 0, 0});
    queue_.EnQue(in);
  }

  // The tile as the formula reads it. Valid until Release.
  __aicore__ inline LocalTensor<C> Values(const Tile& tile) {
    if (one_column_) return SpreadColumn(tile);
    held_ = queue_.template DeQue<T>();
    LocalTensor<C> values = Widen(tile);
    if (one_row_) RepeatRow(values, tile);
    return values;
  }

  __aicore__ inline void Release() {
    if (!one_column_) queue_.FreeTensor(held_);
  }

 private:
  static constexpr bool kWidens = !IsSameType<T, C>::value;

  __aicore__ static inline uint32_t UpToBlock(uint32_t bytes) {
    return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
  }

  // Elements from one row of several to the next.
  __aicore__ inline uint64_t RowStride() const {
    return tiling_->outer_stride[index_][tiling_->outer_dims - 1];
  }

  // Of the tile's first element.
  __aicore__ inline uint64_t Offset(const Tile& tile) const {
    uint64_t at = tile.column * tiling_->column_stride[index_];
    uint64_t row = tile.row;
    for (uint32_t dim = tiling_->outer_dims; dim-- > 0;) {
      at += row % tiling_->outer_size[dim] * tiling_->outer_stride[index_][dim];
      row /= tiling_->outer_size[dim];
    }
    return at;
  }

  __aicore__ inline LocalTensor<C> Widen(const Tile& tile) {
    if constexpr (kWidens) {
      LocalTensor<C> values = values_.template Get<C>();
      Cast(values, held_, RoundMode::CAST_NONE, one_row_ ? tile.pitch : tile.elements());
      return values;
    } else {
      return held_;
    }
  }

  // Row 0 into the rows behind it, twice as many with every copy.
  __aicore__ inline void RepeatRow(const LocalTensor<C>& values, const Tile& tile) {
    for (uint32_t done = 1; done < tile.rows; done *= 2) {
      const uint32_t more = done < tile.rows - done ? done : tile.rows - done;
      Muls(values[done * tile.pitch], values, static_cast<C>(1), more * tile.pitch);
    }
  }

  // Every row full of its element. The scalar unit reads it: not every chip can spread elements in
  // vectors.
  __aicore__ inline LocalTensor<C> SpreadColumn(const Tile& tile) {
    LocalTensor<C> values = values_.template Get<C>();
    const uint64_t at = Offset(tile);
    if (one_row_ || tile.rows == 1) {
      Duplicate(values, Scalar(at), tile.elements());
    } else {
      for (uint32_t row = 0; row < tile.rows; ++row)
        Duplicate(values[row * tile.pitch], Scalar(at + row), tile.pitch);
    }
    return values;
  }

  __aicore__ inline C Scalar(uint64_t at) {
    const T value = memory_.GetValue(at);
    if constexpr (IsSameType<T, bfloat16_t>::value) {
      return ToFloat(value);
    } else if constexpr (kWidens) {
      return static_cast<C>(static_cast<float>(value));
    } else {
      return value;
    }
  }

  const ElementwiseTiling* tiling_ = nullptr;
  uint32_t index_ = 0;
  bool one_row_ = false, one_column_ = false;
  GlobalTensor<T> memory_;
  TQue<QuePosition::VECIN, kBuffers> queue_;
  TBuf<TPosition::VECCALC> values_;
  LocalTensor<T> held_;
};

}  // namespace elementwise

#endif  // OPS_SHARED_ELEMENTWISE_INPUT_H_
