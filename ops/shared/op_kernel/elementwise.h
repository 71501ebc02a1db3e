// Element-wise kernels of any number of inputs, with broadcast: an op brings its formula, and gets
// loops, tails, overlapping copies, wider types and repeated rows and columns.
//
//   struct AddRelu {
//     template <typename C>
//     __aicore__ inline void operator()(const LocalTensor<C>& z, const LocalTensor<C>& x, const
//     LocalTensor<C>& y,
//                                       uint32_t count) const { Add(z, x, y, count); Relu(z, z,
//                                       count); }
//   };
//   elementwise::Kernel<AddRelu, Out<DTYPE_Z>, In<DTYPE_X>, In<DTYPE_Y>>(tiling).Run(AddRelu{}, z,
//   x, y);
//
// The formula writes `count` elements of its first tensor. A formula that needs memory of its own
// says how many bytes for each element, `static constexpr uint32_t kScratch`, takes a
// LocalTensor<uint8_t> behind the inputs, and tells the host the same number (elementwise_plan.h).
#ifndef OPS_SHARED_ELEMENTWISE_H_
#define OPS_SHARED_ELEMENTWISE_H_

#include "elementwise_input.h"

namespace elementwise {

// Names the output: what lies in GM, how results are rounded to it, and what the formula computes.
template <typename T, RoundMode kRound = RoundMode::CAST_RINT,
          typename C = typename ArithmeticOf<T>::Type>
struct Out {
  using Stored = typename StorageOf<T>::Type;
  using Computed = C;
  static constexpr RoundMode kRounding = kRound;
};

template <typename Formula, typename = void>
struct ScratchOf {
  static constexpr uint32_t kBytes = 0;
};
template <typename Formula>
struct ScratchOf<Formula, decltype(static_cast<void>(Formula::kScratch))> {
  static constexpr uint32_t kBytes = Formula::kScratch;
};

// The inputs one behind the other; Compute hands the formula the values of all.
template <typename... Ports>
class InputChain {
 public:
  __aicore__ inline void Init(TPipe&, const ElementwiseTiling&, uint32_t) {}
  __aicore__ inline void CopyIn(const Tile&) {}
  template <typename Call, typename... Done>
  __aicore__ inline void Compute(const Call& call, const Tile&, const Done&... done) {
    call(done...);
  }
};

template <typename First, typename... Rest>
class InputChain<First, Rest...> {
 public:
  template <typename... Addresses>
  __aicore__ inline void Init(TPipe& pipe, const ElementwiseTiling& tiling, uint32_t index,
                              GM_ADDR address, Addresses... rest) {
    first_.Init(pipe, address, tiling, index);
    rest_.Init(pipe, tiling, index + 1, rest...);
  }
  __aicore__ inline void CopyIn(const Tile& tile) {
    first_.CopyIn(tile);
    rest_.CopyIn(tile);
  }
  template <typename Call, typename... Done>
  __aicore__ inline void Compute(const Call& call, const Tile& tile, const Done&... done) {
    const LocalTensor<typename First::Computed> values = first_.Values(tile);
    rest_.Compute(call, tile, done..., values);
    first_.Release();
  }

 private:
  InputPort<First> first_;
  InputChain<Rest...> rest_;
};

template <typename Formula, typename Output, typename... Inputs>
class Kernel {
 public:
  __aicore__ inline explicit Kernel(const ElementwiseTiling& tiling) : tiling_(tiling) {}

  // Addresses: of the inputs, in their order.
  template <typename... Addresses>
  __aicore__ inline void Run(const Formula& formula, GM_ADDR output, Addresses... inputs) {
    static_assert(sizeof...(Addresses) == sizeof...(Inputs),
                  "Run needs an address for every input");
    output_.SetGlobalBuffer((__gm__ T*)output);
    inputs_.Init(pipe_, tiling_, 0, inputs...);
    pipe_.InitBuffer(queue_, kBuffers, tiling_.tile * sizeof(T));
    if constexpr (kNarrows) pipe_.InitBuffer(result_, tiling_.tile * sizeof(C));
    if constexpr (kScratch > 0) pipe_.InitBuffer(scratch_, tiling_.tile * kScratch);
    EveryTile(formula);
  }

 private:
  using T = typename Output::Stored;
  using C = typename Output::Computed;
  static constexpr bool kNarrows = !IsSameType<T, C>::value;
  static constexpr uint32_t kScratch = ScratchOf<Formula>::kBytes;
  static constexpr uint32_t kPitch = PitchOf<Output, Inputs...>::kElements;

  template <typename I>
  __aicore__ static inline I Least(I a, I b) {
    return a < b ? a : b;
  }

  // The rectangle of rows and columns that this core has, tile by tile.
  __aicore__ inline void EveryTile(const Formula& formula) {
    if (tiling_.columns == 0) return;
    const uint64_t across = (tiling_.columns + tiling_.core_columns - 1) / tiling_.core_columns;
    const uint64_t first_row = GetBlockIdx() / across * tiling_.core_rows;
    const uint64_t first_column = GetBlockIdx() % across * tiling_.core_columns;
    const uint64_t rows = Least(tiling_.rows, first_row + tiling_.core_rows);
    const uint64_t columns = Least(tiling_.columns, first_column + tiling_.core_columns);
    for (uint64_t row = first_row; row < rows;) {
      const uint32_t height = Height(row, rows);
      for (uint64_t column = first_column; column < columns; column += tiling_.tile_columns) {
        const auto width =
            static_cast<uint32_t>(Least<uint64_t>(tiling_.tile_columns, columns - column));
        const uint32_t pitch = height > 1 ? (width + kPitch - 1) / kPitch * kPitch : width;
        OneTile(formula, Tile{row, column, height, width, pitch});
      }
      row += height;
    }
  }

  // Rows of the next tiles: they have neighbouring indices in the innermost dim outside the
  // columns.
  __aicore__ inline uint32_t Height(uint64_t row, uint64_t end) const {
    uint64_t height = Least<uint64_t>(tiling_.tile_rows, end - row);
    if (tiling_.outer_dims > 0) {
      const uint64_t size = tiling_.outer_size[tiling_.outer_dims - 1];
      height = Least(height, size - row % size);
    }
    return static_cast<uint32_t>(height);
  }

  __aicore__ inline void OneTile(const Formula& formula, const Tile& tile) {
    inputs_.CopyIn(tile);
    LocalTensor<T> out = queue_.template AllocTensor<T>();
    LocalTensor<C> result;
    if constexpr (kNarrows) {
      result = result_.template Get<C>();
    } else {
      result = out;
    }
    inputs_.Compute(
        [&](const auto&... values) {
          if constexpr (kScratch > 0) {
            formula(result, values..., scratch_.template Get<uint8_t>(), tile.elements());
          } else {
            formula(result, values..., tile.elements());
          }
        },
        tile);
    if constexpr (kNarrows) Cast(out, result, Output::kRounding, tile.elements());
    queue_.EnQue(out);
    CopyOut(tile);
  }

  __aicore__ inline void CopyOut(const Tile& tile) {
    LocalTensor<T> out = queue_.template DeQue<T>();
    const auto bytes = static_cast<uint32_t>(tile.columns * sizeof(T));
    DataCopyExtParams copy{static_cast<uint16_t>(tile.rows), bytes, 0, 0, 0};
    if (tile.rows > 1) {
      copy.srcStride =
          (tile.pitch * sizeof(T) - (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes) /
          kBlockBytes;
      copy.dstStride = static_cast<uint32_t>((tiling_.y_stride - tile.columns) * sizeof(T));
    }
    DataCopyPad(output_[tile.row * tiling_.y_stride + tile.column], out, copy);
    queue_.FreeTensor(out);
  }

  TPipe pipe_;
  const ElementwiseTiling& tiling_;
  InputChain<Inputs...> inputs_;
  GlobalTensor<T> output_;
  TQue<QuePosition::VECOUT, kBuffers> queue_;
  TBuf<TPosition::VECCALC> result_, scratch_;
};

}  // namespace elementwise

#endif  // OPS_SHARED_ELEMENTWISE_H_
