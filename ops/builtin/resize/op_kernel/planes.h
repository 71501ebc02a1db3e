// Tiles of y and the rows of x that they come from, between GM and UB.
#ifndef RESIZE_PLANES_H_
#define RESIZE_PLANES_H_

#include "axis.h"
#include "layout.h"

// Rows and columns of y, of some planes.
struct Tile {
  uint64_t plane;
  uint32_t planes, row, rows, column, columns;
};

// kTaps: rows of x that a row of y reads.
template <typename T, uint32_t kTaps>
class Planes {
 public:
  __aicore__ inline explicit Planes(const ResizeTiling& t)
      : t_(t), down(t.down), across(t.across) {}

  __aicore__ inline void Init(AscendC::TPipe& pipe, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe.InitBuffer(in_, layout::kBuffers, t_.tile_planes * t_.lines * t_.pitch * sizeof(T));
    pipe.InitBuffer(out_, layout::kBuffers, Pixels() * sizeof(T));
  }

  // Elements of a whole tile in UB.
  __aicore__ inline uint32_t Pixels() const { return t_.tile_planes * t_.tile_rows * t_.line; }

  // Planes follow one another, then rows: neighbouring tiles have columns in common.
  template <typename Call>
  __aicore__ inline void EveryTile(const Call& call) const {
    const uint64_t deep = (t_.planes + t_.tile_planes - 1) / t_.tile_planes;
    const uint64_t high = (t_.down.out + t_.tile_rows - 1) / t_.tile_rows;
    const uint64_t first = AscendC::GetBlockIdx() * t_.core_tiles;
    const uint64_t end = layout::Least(t_.tiles, first + t_.core_tiles);
    for (uint64_t at = first; at < end; ++at) {
      Tile tile;
      tile.plane = at % deep * t_.tile_planes;
      tile.row = static_cast<uint32_t>(at / deep % high) * t_.tile_rows;
      tile.column = static_cast<uint32_t>(at / deep / high) * t_.tile_columns;
      tile.planes = static_cast<uint32_t>(layout::Least(t_.tile_planes, t_.planes - tile.plane));
      tile.rows = static_cast<uint32_t>(layout::Least(t_.tile_rows, t_.down.out - tile.row));
      tile.columns =
          static_cast<uint32_t>(layout::Least(t_.tile_columns, t_.across.out - tile.column));
      call(tile);
    }
  }

  __aicore__ inline AscendC::LocalTensor<T> Load(const Tile& tile) {
    AscendC::LocalTensor<T> in = in_.template AllocTensor<T>();
    for (uint32_t plane = 0; plane < tile.planes; ++plane)
      LoadPlane(in[plane * t_.lines * t_.pitch], tile.plane + plane, tile);
    in_.EnQue(in);
    return in_.template DeQue<T>();
  }
  __aicore__ inline void Free(AscendC::LocalTensor<T>& in) { in_.FreeTensor(in); }

  __aicore__ inline AscendC::LocalTensor<T> Out() { return out_.template AllocTensor<T>(); }
  __aicore__ inline void Store(AscendC::LocalTensor<T> out, const Tile& tile) {
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const auto width = static_cast<uint64_t>(t_.across.out);
    for (uint32_t plane = 0; plane < tile.planes; ++plane) {
      const uint64_t row = (tile.plane + plane) * t_.down.out + tile.row;
      layout::Rows<T>(tile.rows, tile.columns, width, t_.line)
          .Store(y_[row * width + tile.column], out[plane * t_.tile_rows * t_.line]);
    }
    out_.FreeTensor(out);
  }

  // Where in UB the row of x lies that row `row` of the tile reads.
  __aicore__ inline uint32_t Slot(const Tile& tile, uint32_t row, uint32_t tap,
                                  uint32_t line) const {
    return t_.dense != 0 ? line - down.First(tile.row) : row * kTaps + tap;
  }
  __aicore__ inline uint32_t FirstColumn(const Tile& tile) const {
    return across.First(tile.column);
  }
  __aicore__ inline uint32_t Columns(const Tile& tile) const {
    return Last(across, tile.column + tile.columns - 1) - FirstColumn(tile) + 1;
  }

 private:
  __aicore__ static inline uint32_t Last(const Axis& axis, uint32_t at) {
    return kTaps == 1 ? axis.First(at) : axis.Second(at);
  }

  __aicore__ inline void LoadPlane(const AscendC::LocalTensor<T>& to, uint64_t plane,
                                   const Tile& tile) {
    const uint32_t columns = Columns(tile);
    const uint64_t width = static_cast<uint64_t>(t_.across.in);
    const uint64_t begin = plane * t_.down.in * width + FirstColumn(tile);
    if (t_.dense != 0) {
      const uint32_t first = down.First(tile.row);
      const uint32_t lines = Last(down, tile.row + tile.rows - 1) - first + 1;
      layout::Rows<T>(lines, columns, width, t_.pitch).Load(to, x_[begin + first * width]);
      return;
    }
    const layout::Rows<T> one(1, columns, width, t_.pitch);
    for (uint32_t row = 0; row < tile.rows; ++row) {
      one.Load(to[row * kTaps * t_.pitch], x_[begin + down.First(tile.row + row) * width]);
      if constexpr (kTaps == 2)
        one.Load(to[(row * kTaps + 1) * t_.pitch], x_[begin + down.Second(tile.row + row) * width]);
    }
  }

  const ResizeTiling& t_;
  AscendC::GlobalTensor<T> x_, y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;

 public:
  const Axis down, across;
};

// Numbers of a line that the scalar unit writes and the vector unit reads.
template <typename Call>
__aicore__ inline void WriteLine(const Call& call) {
  using AscendC::HardEvent;
  const auto before = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
  AscendC::SetFlag<HardEvent::V_S>(before);
  AscendC::WaitFlag<HardEvent::V_S>(before);
  call();
  const auto after = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::S_V));
  AscendC::SetFlag<HardEvent::S_V>(after);
  AscendC::WaitFlag<HardEvent::S_V>(after);
}

#endif  // RESIZE_PLANES_H_
