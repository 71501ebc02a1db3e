// Moves of elements that change where they lie and not what they are: transpositions of any rank,
// parts of tensors, tensors put together. The host says which matrices there are (layout_plan.h):
//
//   layout::Move<DTYPE_X>(tiling, x, y);
//
// Elements of 1, 2 and 4 bytes, those of 8 as two halves. Between GM and UB every row is one part
// of a copy; a matrix that is turned passes through TransDataTo5HD.
#ifndef OPS_SHARED_LAYOUT_H_
#define OPS_SHARED_LAYOUT_H_

#include "kernel_operator.h"
#include "layout_tiling.h"

namespace layout {

using namespace AscendC;

constexpr int32_t kBuffers = 2;  // loads of one tile overlap with stores of another
constexpr uint32_t kBlockBytes = 32;

// An integer type of the same size, or of half of it: bits move.
template <uint32_t kBytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using Type = uint8_t;
};
template <>
struct BitsOf<2> {
  using Type = uint16_t;
};
template <>
struct BitsOf<4> {
  using Type = uint32_t;
};
template <>
struct BitsOf<8> {
  using Type = uint32_t;  // the host counts halves
};

// A part of a matrix, and where it begins in GM.
struct Tile {
  uint64_t x, y;
  uint32_t rows, columns;
};

__aicore__ inline uint32_t UpTo(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }
__aicore__ inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// Calls `call(tile)` for every tile of this core.
template <typename Call>
__aicore__ inline void EveryTile(const LayoutTiling& t, const Call& call) {
  if (t.matrices == 0) return;
  const uint64_t down = (t.rows + t.tile_rows - 1) / t.tile_rows;
  const uint64_t across = (t.columns + t.tile_columns - 1) / t.tile_columns;
  const uint64_t first = GetBlockIdx() * t.core_tiles;
  const uint64_t end = Least(t.matrices * down * across, first + t.core_tiles);
  for (uint64_t at = first; at < end; ++at) {
    const uint64_t row = at / across % down * t.tile_rows;
    const uint64_t column = at % across * t.tile_columns;
    Tile tile{t.x_first + row * t.x_stride + column,
              t.y_first + (t.turned != 0 ? column * t.y_stride + row : row * t.y_stride + column),
              static_cast<uint32_t>(Least(t.tile_rows, t.rows - row)),
              static_cast<uint32_t>(Least(t.tile_columns, t.columns - column))};
    uint64_t matrix = at / across / down;
    for (uint32_t dim = t.outer_dims; dim-- > 0;) {
      const uint64_t index = matrix % t.outer_size[dim];
      tile.x += index * t.outer_x[dim];
      tile.y += index * t.outer_y[dim];
      matrix /= t.outer_size[dim];
    }
    call(tile);
  }
}

// Rows between GM, where `stride` elements lie from one to the next, and UB, where every row begins
// `pitch` elements behind the one before it. Gaps of a copy are 32-bit: page "DataCopyPad".
template <typename T>
class Rows {
 public:
  __aicore__ inline Rows(uint32_t rows, uint32_t columns, uint64_t stride, uint32_t pitch)
      : rows_(rows), columns_(columns), stride_(stride), pitch_(pitch) {}

  __aicore__ inline void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from) const {
    Load(to, from, DataCopyPadExtParams<T>{false, 0, 0, 0});
  }
  // Behind the columns of every row, up to a whole block, comes `filling`.
  __aicore__ inline void LoadFilled(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                                    T filling) const {
    const auto missing = static_cast<uint8_t>(UpTo(columns_, LayoutBlock(sizeof(T))) - columns_);
    Load(to, from, DataCopyPadExtParams<T>{true, 0, missing, filling});
  }

  __aicore__ inline void Store(const GlobalTensor<T>& to, const LocalTensor<T>& from) const {
    if (FarApart()) {
      for (uint32_t row = 0; row < rows_; ++row)
        DataCopyPad(to[row * stride_], from[row * pitch_], DataCopyExtParams{1, Bytes(), 0, 0, 0});
      return;
    }
    DataCopyPad(to, from,
                DataCopyExtParams{static_cast<uint16_t>(rows_), Bytes(), Blocks(), Gap(), 0});
  }

 private:
  __aicore__ inline void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                              const DataCopyPadExtParams<T>& padding) const {
    if (FarApart()) {
      for (uint32_t row = 0; row < rows_; ++row)
        DataCopyPad(to[row * pitch_], from[row * stride_], DataCopyExtParams{1, Bytes(), 0, 0, 0},
                    padding);
      return;
    }
    DataCopyPad(to, from,
                DataCopyExtParams{static_cast<uint16_t>(rows_), Bytes(), Gap(), Blocks(), 0},
                padding);
  }

  __aicore__ inline uint32_t Bytes() const { return columns_ * static_cast<uint32_t>(sizeof(T)); }
  __aicore__ inline bool FarApart() const {
    return rows_ > 1 && (stride_ - columns_) * sizeof(T) > UINT32_MAX;
  }
  __aicore__ inline uint32_t Gap() const {
    return rows_ > 1 ? static_cast<uint32_t>((stride_ - columns_) * sizeof(T)) : 0;
  }
  // Between the end of a row in UB and the next one.
  __aicore__ inline uint32_t Blocks() const {
    return (pitch_ * static_cast<uint32_t>(sizeof(T)) - UpTo(Bytes(), kBlockBytes)) / kBlockBytes;
  }

  uint32_t rows_, columns_;
  uint64_t stride_;
  uint32_t pitch_;
};

// Matrices that keep their rows.
template <typename T>
class RowMover {
 public:
  // Returns the elements of a tile, rows in whole blocks.
  __aicore__ inline static uint32_t Room(const LayoutTiling& t) {
    return t.tile_rows * UpTo(t.tile_columns, kBlock);
  }
  // room: of the largest tile that Run is to move.
  __aicore__ inline void Init(uint32_t room) {
    pipe_.InitBuffer(queue_, kBuffers, room * sizeof(T));
  }
  __aicore__ inline void Run(const LayoutTiling& t, const GlobalTensor<T>& x,
                             const GlobalTensor<T>& y) {
    EveryTile(t, [&](const Tile& tile) {
      const uint32_t pitch = UpTo(tile.columns, kBlock);
      LocalTensor<T> in = queue_.template AllocTensor<T>();
      Rows<T>(tile.rows, tile.columns, t.x_stride, pitch).Load(in, x[tile.x]);
      queue_.EnQue(in);
      LocalTensor<T> out = queue_.template DeQue<T>();
      Rows<T>(tile.rows, tile.columns, t.y_stride, pitch).Store(y[tile.y], out);
      queue_.FreeTensor(out);
    });
  }

 private:
  static constexpr uint32_t kBlock = LayoutBlock(sizeof(T));

  TPipe pipe_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, kBuffers> queue_;
};

// The rows of a matrix in UB become columns of `out`. Rows begin blocks in both: columns are
// counted up to whole blocks, the columns of `out` (`lanes`) up to the rows that the vector unit
// turns at once. The last row stands for those behind it.
template <typename T>
__aicore__ inline void Turn(const LocalTensor<T>& out, const LocalTensor<T>& in, uint32_t rows,
                            uint32_t columns, uint32_t lanes) {
  constexpr uint32_t kLines = 16;  // counts the lines of a call: page "TransDataTo5HD"
  constexpr uint32_t kAcross = LayoutBlock(sizeof(T)), kDown = LayoutTurnedRows(sizeof(T));
  const uint32_t x_pitch = UpTo(columns, kAcross), y_pitch = UpTo(lanes, kDown);
  TransDataTo5HDParams params;
  params.repeatTimes = static_cast<uint8_t>(x_pitch / kAcross);
  params.srcRepStride = params.repeatTimes > 1 ? 1 : 0;
  // Steps over kAcross rows of y, which are y_pitch / kAcross blocks each.
  params.dstRepStride = params.repeatTimes > 1 ? static_cast<uint16_t>(y_pitch) : 0;
  const auto row_at = [rows](uint32_t row) { return row < rows ? row : rows - 1; };
  LocalTensor<T> to[kLines], from[kLines];
  for (uint32_t row = 0; row < lanes; row += kDown) {
    if constexpr (sizeof(T) == 1) {
      for (uint32_t half = 0; half < 4; ++half) {
        params.dstHighHalf = half % 2 != 0;
        params.srcHighHalf = half / 2 != 0;
        for (uint32_t i = 0; i < kLines; ++i) {
          from[i] = in[row_at(row + half % 2 * kLines + i) * x_pitch];
          to[i] = out[(half / 2 * kLines + i) * y_pitch + row];
        }
        TransDataTo5HD<T>(to, from, params);
      }
    } else {
      constexpr uint32_t kParts = kLines / kAcross;  // blocks of 16 elements
      for (uint32_t i = 0; i < kLines; ++i) {
        from[i] = in[row_at(row + i) * x_pitch];
        to[i] = out[i / kParts * y_pitch + row + i % kParts * kAcross];
      }
      TransDataTo5HD<T>(to, from, params);
    }
  }
}

template <typename T>
__aicore__ inline void Turn(const LocalTensor<T>& out, const LocalTensor<T>& in, uint32_t rows,
                            uint32_t columns) {
  Turn(out, in, rows, columns, rows);
}

// Matrices whose rows become columns.
template <typename T>
class Turner {
 public:
  __aicore__ inline void Run(const LayoutTiling& t, const GlobalTensor<T>& x,
                             const GlobalTensor<T>& y) {
    const uint32_t across = UpTo(t.tile_columns, kAcross);
    pipe_.InitBuffer(in_, kBuffers, t.tile_rows * across * sizeof(T));
    pipe_.InitBuffer(out_, kBuffers, UpTo(t.tile_rows, kDown) * across * sizeof(T));
    EveryTile(t, [&](const Tile& tile) {
      const uint32_t rows = t.x_stride != 0 ? tile.rows : 1;  // one stands for all
      LocalTensor<T> in = in_.template AllocTensor<T>();
      Rows<T>(rows, tile.columns, t.x_stride, UpTo(tile.columns, kAcross)).Load(in, x[tile.x]);
      in_.EnQue(in);
      in = in_.template DeQue<T>();
      LocalTensor<T> out = out_.template AllocTensor<T>();
      Turn(out, in, rows, tile.columns, tile.rows);
      in_.FreeTensor(in);
      out_.EnQue(out);
      out = out_.template DeQue<T>();
      Rows<T>(tile.columns, tile.rows, t.y_stride, UpTo(tile.rows, kDown)).Store(y[tile.y], out);
      out_.FreeTensor(out);
    });
  }

 private:
  static constexpr uint32_t kAcross = LayoutBlock(sizeof(T));
  static constexpr uint32_t kDown = LayoutTurnedRows(sizeof(T));

  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
};

template <typename Element>
__aicore__ inline void Move(const LayoutTiling& tiling, GM_ADDR x, GM_ADDR y) {
  using T = typename BitsOf<sizeof(Element)>::Type;
  GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T*)x);
  to.SetGlobalBuffer((__gm__ T*)y);
  if (tiling.turned != 0) {
    Turner<T> turner;
    turner.Run(tiling, from, to);
  } else {
    RowMover<T> mover;
    mover.Init(RowMover<T>::Room(tiling));
    mover.Run(tiling, from, to);
  }
}

}  // namespace layout

#endif  // OPS_SHARED_LAYOUT_H_
