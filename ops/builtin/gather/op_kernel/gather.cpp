// y[a, i, d] = data[a, indices[i], d]: the scalar unit reads the indices, slices pass through UB.
#include "axis_index.h"
#include "gather_tiling.h"
#include "layout.h"

using namespace AscendC;

// The type whose bits move; 64-bit elements are copied as they are.
template <uint32_t kBytes>
struct MovedAs {
  using Type = typename layout::BitsOf<kBytes>::Type;
};
template <>
struct MovedAs<8> {
  using Type = uint64_t;
};

template <typename T, typename Index>
class Gatherer {
 public:
  __aicore__ inline void Run(const GatherTilingData& t, GM_ADDR data, GM_ADDR indices, GM_ADDR y) {
    if (t.columns == 0) return;
    data_.SetGlobalBuffer((__gm__ T*)data);
    indices_.SetGlobalBuffer((__gm__ Index*)indices);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(queue_, layout::kBuffers,
                     t.tile_rows * layout::UpTo(t.tile_columns, kBlock) * sizeof(T));
    const uint64_t first = GetBlockIdx() * t.core_rows;
    const uint64_t end = layout::Least(t.rows, first + t.core_rows);
    for (uint64_t row = first; row < end; row += t.tile_rows) {
      const auto rows = static_cast<uint32_t>(layout::Least(t.tile_rows, end - row));
      for (uint64_t column = 0; column < t.columns; column += t.tile_columns)
        OneTile(t, row, rows, column);
    }
  }

 private:
  static constexpr uint32_t kBlock = LayoutBlock(sizeof(T));

  __aicore__ inline void OneTile(const GatherTilingData& t, uint64_t row, uint32_t rows,
                                 uint64_t column) {
    const auto width = static_cast<uint32_t>(layout::Least(t.tile_columns, t.columns - column));
    const uint32_t pitch = layout::UpTo(width, kBlock);
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    for (uint32_t i = 0; i < rows; ++i)
      layout::Rows<T>(1, width, t.columns, pitch)
          .Load(in[i * pitch], data_[Slice(t, row + i) * t.columns + column]);
    queue_.EnQue(in);
    LocalTensor<T> out = queue_.template DeQue<T>();
    layout::Rows<T>(rows, width, t.columns, pitch).Store(y_[row * t.columns + column], out);
    queue_.FreeTensor(out);
  }

  // Returns the slice of data that becomes this row of y.
  __aicore__ inline uint64_t Slice(const GatherTilingData& t, uint64_t row) {
    const uint64_t at = row % t.indices;
    const auto index = static_cast<int64_t>(indices_.GetValue(at));
    return row / t.indices * t.slices + PlaceOnAxis(index, t.slices, at);
  }

  TPipe pipe_;
  GlobalTensor<T> data_, y_;
  GlobalTensor<Index> indices_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, layout::kBuffers> queue_;
};

extern "C" __global__ __aicore__ void gather(GM_ADDR data, GM_ADDR indices, GM_ADDR y,
                                             GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(GatherTilingData);
  GET_TILING_DATA(tiling_data, tiling);
  Gatherer<MovedAs<sizeof(DTYPE_DATA)>::Type, DTYPE_INDICES> op;
  op.Run(tiling_data, data, indices, y);
}
