// y is x with elements around it: every dim is pieces, and a box of one piece of each dim is moved
// from x or filled. Boxes share no element.
#include "layout.h"
#include "pieces.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void FillBlock(const LocalTensor<T>& to, float value, uint32_t count) {
  Duplicate(to, static_cast<T>(value), count);
}
template <>
__aicore__ inline void FillBlock(const LocalTensor<bfloat16_t>& to, float value, uint32_t count) {
  Duplicate(to, ToBfloat16(value), count);
}

template <typename T>
class Padder {
 public:
  __aicore__ inline explicit Padder(const PadPieces& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    if (t_.dims == 0) return;
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(queue_, layout::kBuffers, t_.capacity * sizeof(T));
    if (t_.mode == kPadConstant) {
      pipe_.InitBuffer(fill_, 1, t_.capacity * sizeof(T));
      LocalTensor<T> values = fill_.template AllocTensor<T>();
      FillBlock(values, t_.value, t_.capacity);
      fill_.EnQue(values);
      values_ = fill_.template DeQue<T>();
      EverySlab();
      fill_.FreeTensor(values_);
    } else {
      EveryBox();
    }
  }

 private:
  static constexpr uint32_t kBlock = LayoutBlock(sizeof(T));

  // The box of x, and for each dim the two filled slabs beside it: within x in the dims before it.
  __aicore__ inline void EverySlab() {
    for (uint32_t d = 0; d < t_.dims; ++d) box_[d] = Pieces(t_, d).At(1);
    Box(false);
    for (uint32_t d = t_.dims; d-- > 0;) {
      for (int64_t side = 0; side <= 2; side += 2) {
        box_[d] = Pieces(t_, d).At(side);
        Box(true);
      }
      box_[d] = Pieces(t_, d).Whole();
    }
  }

  // Every choice of a piece for each dim.
  __aicore__ inline void EveryBox() {
    int64_t boxes = 1;
    for (uint32_t d = 0; d < t_.dims; ++d) boxes *= Pieces(t_, d).Count();
    for (int64_t box = 0; box < boxes; ++box) {
      int64_t rest = box;
      for (uint32_t d = t_.dims; d-- > 0;) {
        const Pieces pieces(t_, d);
        box_[d] = pieces.At(rest % pieces.Count());
        rest /= pieces.Count();
      }
      Box(false);
    }
  }

  // Columns are the last dim, where its places lie side by side in x, else there is one; rows are
  // the dim before it, or the last one where that is larger.
  __aicore__ inline void Box(bool filled) {
    LayoutTiling move{};
    move.matrices = move.rows = move.columns = 1;
    uint32_t last = t_.dims;
    for (uint32_t d = 0; d < t_.dims; ++d) {
      if (box_[d].size <= 0) return;
      move.x_first += static_cast<uint64_t>(box_[d].x) * t_.x_stride[d];
      move.y_first += static_cast<uint64_t>(box_[d].y) * t_.y_stride[d];
    }
    if (filled || box_[last - 1].step == 1) move.columns = box_[--last].size;
    move.x_stride = move.y_stride = move.columns;
    uint32_t outer = last - 1;  // the dim of rows
    if (last == t_.dims && last > 1 && box_[last - 2].size >= box_[last - 1].size) --outer;
    if (last > 0) {
      move.rows = box_[outer].size;
      move.x_stride = StepOf(outer);
      move.y_stride = t_.y_stride[outer];
    }
    for (uint32_t d = 0; d < last; ++d) {
      if (d == outer) continue;
      move.outer_size[move.outer_dims] = box_[d].size;
      move.outer_x[move.outer_dims] = StepOf(d);
      move.outer_y[move.outer_dims++] = t_.y_stride[d];
      move.matrices *= box_[d].size;
    }
    SetTiles(move);
    filled ? Fill(move) : Move(move);
  }

  // Modulo 2^64: steps may be negative.
  __aicore__ inline uint64_t StepOf(uint32_t d) const {
    return static_cast<uint64_t>(box_[d].step) * t_.x_stride[d];
  }

  __aicore__ inline void SetTiles(LayoutTiling& move) const {
    constexpr uint64_t kMostRows = 4095;  // parts of a copy: page "DataCopyPad"
    move.tile_columns = static_cast<uint32_t>(layout::Least(move.columns, t_.capacity));
    const uint64_t fit = t_.capacity / layout::UpTo(move.tile_columns, kBlock);
    move.tile_rows = static_cast<uint32_t>(layout::Least(layout::Least(move.rows, kMostRows), fit));
    const uint64_t tiles = move.matrices * ((move.rows + move.tile_rows - 1) / move.tile_rows) *
                           ((move.columns + move.tile_columns - 1) / move.tile_columns);
    move.core_tiles = (tiles + GetBlockNum() - 1) / GetBlockNum();
  }

  __aicore__ inline void Move(const LayoutTiling& move) {
    layout::EveryTile(move, [&](const layout::Tile& tile) {
      const uint32_t pitch = layout::UpTo(tile.columns, kBlock);
      LocalTensor<T> in = queue_.template AllocTensor<T>();
      layout::Rows<T>(tile.rows, tile.columns, move.x_stride, pitch).Load(in, x_[tile.x]);
      queue_.EnQue(in);
      LocalTensor<T> out = queue_.template DeQue<T>();
      layout::Rows<T>(tile.rows, tile.columns, move.y_stride, pitch).Store(y_[tile.y], out);
      queue_.FreeTensor(out);
    });
  }

  __aicore__ inline void Fill(const LayoutTiling& move) {
    layout::EveryTile(move, [&](const layout::Tile& tile) {
      const uint32_t pitch = layout::UpTo(tile.columns, kBlock);
      layout::Rows<T>(tile.rows, tile.columns, move.y_stride, pitch).Store(y_[tile.y], values_);
    });
  }

  const PadPieces& t_;
  Piece box_[kPadDims];
  TPipe pipe_;
  GlobalTensor<T> x_, y_;
  LocalTensor<T> values_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, layout::kBuffers> queue_;
  TQue<QuePosition::VECOUT, 1> fill_;
};

extern "C" __global__ __aicore__ void pad(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(PadPieces);
  GET_TILING_DATA(data, tiling);
  Padder<DTYPE_X> op(data);
  op.Run(x, y);
}
