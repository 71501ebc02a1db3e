// y is x with zeros above or below a diagonal: tiles on one side of it are moved, those on the
// other side filled; of the rest every row is moved in part.
#include "layout.h"
#include "trilu_tiling.h"

using namespace AscendC;

template <typename T>
class Triangle {
 public:
  __aicore__ inline explicit Triangle(const TriluTilingData& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(queue_, layout::kBuffers, t_.tile * sizeof(T));
    pipe_.InitBuffer(fill_, 1, t_.tile * sizeof(T));
    LocalTensor<T> zeros = fill_.template AllocTensor<T>();
    Duplicate(zeros.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0),
              t_.tile * sizeof(T) / sizeof(uint16_t));
    fill_.EnQue(zeros);
    zeros_ = fill_.template DeQue<T>();
    const uint64_t down = (t_.rows + t_.tile_rows - 1) / t_.tile_rows;
    const uint64_t across = (t_.columns + t_.tile_columns - 1) / t_.tile_columns;
    const uint64_t first = GetBlockIdx() * t_.core_tiles;
    const uint64_t end = layout::Least(t_.matrices * down * across, first + t_.core_tiles);
    for (uint64_t at = first; at < end; ++at)
      OneTile(at / across / down, static_cast<int64_t>(at / across % down) * t_.tile_rows,
              static_cast<int64_t>(at % across) * t_.tile_columns);
    fill_.FreeTensor(zeros_);
  }

 private:
  static constexpr uint32_t kBlock = LayoutBlock(sizeof(T));

  // Columns of a row that lie before the border, of `width` from `column` on.
  __aicore__ inline uint32_t Before(int64_t row, int64_t column, uint32_t width) const {
    const int64_t border = row + t_.k + (t_.upper != 0 ? 0 : 1) - column;
    return static_cast<uint32_t>(border < 0 ? 0 : border < width ? border : width);
  }

  __aicore__ inline void OneTile(uint64_t matrix, int64_t row, int64_t column) {
    const auto rows = static_cast<uint32_t>(layout::Least(t_.tile_rows, t_.rows - row));
    const auto width = static_cast<uint32_t>(layout::Least(t_.tile_columns, t_.columns - column));
    const uint64_t at = (matrix * t_.rows + row) * t_.columns + column;
    const uint32_t least = Before(row, column, width), most = Before(row + rows - 1, column, width);
    if (least == most && (least == 0 || least == width)) {
      const bool keeps = (least == 0) == (t_.upper != 0);
      keeps ? Move(at, rows, width) : Fill(at, rows, width);
      return;
    }
    for (uint32_t i = 0; i < rows; ++i)
      OneRow(at + i * t_.columns, Before(row + i, column, width), width);
  }

  __aicore__ inline void OneRow(uint64_t at, uint32_t before, uint32_t width) {
    const uint64_t kept = t_.upper != 0 ? before : 0, filled = t_.upper != 0 ? 0 : before;
    const uint32_t keeps = t_.upper != 0 ? width - before : before;
    if (keeps > 0) Move(at + kept, 1, keeps);
    if (keeps < width) Fill(at + filled, 1, width - keeps);
  }

  __aicore__ inline void Move(uint64_t at, uint32_t rows, uint32_t columns) {
    const layout::Rows<T> moved(rows, columns, t_.columns, layout::UpTo(columns, kBlock));
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    moved.Load(in, x_[at]);
    queue_.EnQue(in);
    LocalTensor<T> out = queue_.template DeQue<T>();
    moved.Store(y_[at], out);
    queue_.FreeTensor(out);
  }

  __aicore__ inline void Fill(uint64_t at, uint32_t rows, uint32_t columns) {
    layout::Rows<T>(rows, columns, t_.columns, layout::UpTo(columns, kBlock)).Store(y_[at], zeros_);
  }

  const TriluTilingData& t_;
  TPipe pipe_;
  GlobalTensor<T> x_, y_;
  LocalTensor<T> zeros_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, layout::kBuffers> queue_;
  TQue<QuePosition::VECOUT, 1> fill_;
};

extern "C" __global__ __aicore__ void trilu(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                            GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(TriluTilingData);
  GET_TILING_DATA(data, tiling);
  if (data.matrices == 0) return;
  Triangle<layout::BitsOf<sizeof(DTYPE_X)>::Type> op(data);
  op.Run(x, y);
}
