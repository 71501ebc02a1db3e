// Every element of y is one of x: one Gather of a tile.
#ifndef RESIZE_NEAREST_H_
#define RESIZE_NEAREST_H_

#include "planes.h"

// T: an integer type of the elements' size.
template <typename T>
class Nearest {
 public:
  __aicore__ inline explicit Nearest(const ResizeTiling& t) : t_(t), planes_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    planes_.Init(pipe_, x, y);
    pipe_.InitBuffer(line_, t_.line * sizeof(int32_t));
    pipe_.InitBuffer(places_, planes_.Pixels() * sizeof(int32_t));
    planes_.EveryTile([&](const Tile& tile) {
      AscendC::LocalTensor<T> in = planes_.Load(tile);
      Aim(tile);
      AscendC::LocalTensor<T> out = planes_.Out();
      AscendC::Gather(out, in, places_.Get<int32_t>().template ReinterpretCast<uint32_t>(), 0,
                      tile.planes * t_.tile_rows * t_.line);
      planes_.Free(in);
      planes_.Store(out, tile);
    });
  }

 private:
  // Where in UB each element comes from, bytes. Rows that y does not have repeat the last one.
  __aicore__ inline void Aim(const Tile& tile) {
    if (aimed_ && tile.row == row_ && tile.column == column_) return;
    if (!aimed_ || tile.column != column_) AimLine(tile);
    aimed_ = true;
    row_ = tile.row;
    column_ = tile.column;
    const AscendC::LocalTensor<int32_t> line = line_.Get<int32_t>(),
                                        places = places_.Get<int32_t>();
    for (uint32_t i = 0; i < t_.tile_rows; ++i) {
      const uint32_t row = i < tile.rows ? i : tile.rows - 1;
      const uint32_t slot = planes_.Slot(tile, row, 0, planes_.down.First(tile.row + row));
      AscendC::Adds(places[i * t_.line], line, static_cast<int32_t>(slot * t_.pitch * sizeof(T)),
                    t_.line);
    }
    // Further planes are made of those before them, twice as many with every call.
    const uint32_t of_plane = t_.tile_rows * t_.line;
    for (uint32_t done = 1; done < t_.tile_planes; done *= 2)
      AscendC::Adds(places[done * of_plane], places,
                    static_cast<int32_t>(done * t_.lines * t_.pitch * sizeof(T)),
                    static_cast<uint32_t>(layout::Least(done, t_.tile_planes - done)) * of_plane);
  }

  // Tiles of other rows have the same columns.
  __aicore__ inline void AimLine(const Tile& tile) {
    const AscendC::LocalTensor<int32_t> line = line_.Get<int32_t>();
    WriteLine([&] {
      const uint32_t first = planes_.FirstColumn(tile);
      for (uint32_t i = 0; i < t_.line; ++i) {
        const uint32_t column = tile.column + (i < tile.columns ? i : tile.columns - 1);
        line.SetValue(i, static_cast<int32_t>((planes_.across.First(column) - first) * sizeof(T)));
      }
    });
  }

  const ResizeTiling& t_;
  AscendC::TPipe pipe_;
  Planes<T, 1> planes_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> line_, places_;
  bool aimed_ = false;
  uint32_t row_ = 0, column_ = 0;
};

#endif  // RESIZE_NEAREST_H_
