// y = values[1] where a place along a new dim is the index, else values[0]: a tile is filled, and
// the scalar unit writes the places that the indices mean.
#include "layout.h"
#include "one_hot_tiling.h"
#include "wait_for.h"

using namespace AscendC;

template <typename T, typename Index>
class OneHotLines {
 public:
  __aicore__ inline explicit OneHotLines(const OneHotTilingData& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR indices, GM_ADDR values, GM_ADDR y) {
    indices_.SetGlobalBuffer((__gm__ Index*)indices);
    y_.SetGlobalBuffer((__gm__ T*)y);
    GlobalTensor<T> both;
    both.SetGlobalBuffer((__gm__ T*)values);
    off_ = both.GetValue(0);
    on_ = both.GetValue(1);
    pipe_.InitBuffer(queue_, layout::kBuffers, t_.tile * sizeof(T));
    const uint64_t down = (t_.rows + t_.tile_rows - 1) / t_.tile_rows;
    const uint64_t across = (t_.columns + t_.tile_columns - 1) / t_.tile_columns;
    const uint64_t first = GetBlockIdx() * t_.core_tiles;
    const uint64_t end = layout::Least(t_.matrices * down * across, first + t_.core_tiles);
    for (uint64_t at = first; at < end; ++at)
      OneTile(at / across / down, at / across % down * t_.tile_rows, at % across * t_.tile_columns);
  }

 private:
  __aicore__ inline void OneTile(uint64_t matrix, uint64_t row, uint64_t column) {
    const auto rows = static_cast<uint32_t>(layout::Least(t_.tile_rows, t_.rows - row));
    const auto columns = static_cast<uint32_t>(layout::Least(t_.tile_columns, t_.columns - column));
    const uint32_t pitch = layout::UpTo(columns, LayoutBlock(sizeof(T)));
    LocalTensor<T> out = queue_.template AllocTensor<T>();
    Duplicate(out, off_, rows * pitch);
    WaitFor<HardEvent::V_S>();
    if (t_.across != 0) {
      for (uint32_t i = 0; i < rows; ++i) {
        const uint64_t place = Place(row + i) - column;  // modulo 2^64: others are far away
        if (place < columns) out.SetValue(i * pitch + static_cast<uint32_t>(place), on_);
      }
    } else {
      for (uint32_t i = 0; i < columns; ++i) {
        const uint64_t place = Place(matrix * t_.columns + column + i) - row;
        if (place < rows) out.SetValue(static_cast<uint32_t>(place) * pitch + i, on_);
      }
    }
    WaitFor<HardEvent::S_MTE3>();
    queue_.EnQue(out);
    out = queue_.template DeQue<T>();
    layout::Rows<T>(rows, columns, t_.columns, pitch)
        .Store(y_[(matrix * t_.rows + row) * t_.columns + column], out);
    queue_.FreeTensor(out);
  }

  // Along the depth. What lies outside is not within any tile.
  __aicore__ inline uint64_t Place(uint64_t index) {
    const auto place = static_cast<int64_t>(indices_.GetValue(index));
    const auto depth = static_cast<int64_t>(t_.depth);
    if (place < -depth || place >= depth) return static_cast<uint64_t>(INT64_MAX);
    return static_cast<uint64_t>(place < 0 ? place + depth : place);
  }

  const OneHotTilingData& t_;
  TPipe pipe_;
  GlobalTensor<Index> indices_;
  GlobalTensor<T> y_;
  T off_, on_;
  TQue<QuePosition::VECOUT, layout::kBuffers> queue_;
};

extern "C" __global__ __aicore__ void one_hot(GM_ADDR indices, GM_ADDR values, GM_ADDR y,
                                              GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(OneHotTilingData);
  GET_TILING_DATA(data, tiling);
  if (data.matrices == 0) return;
  OneHotLines<layout::BitsOf<sizeof(DTYPE_Y)>::Type, DTYPE_INDICES> op(data);
  op.Run(indices, values, y);
}
