// Every element of y is a blend of four of x, computed in float: rows are blended as they lie, then
// the neighbours of a whole tile by two Gathers.
#ifndef RESIZE_LINEAR_H_
#define RESIZE_LINEAR_H_

#include "planes.h"
#include "widened.h"

template <typename T>
class Linear {
 public:
  __aicore__ inline explicit Linear(const ResizeTiling& t) : t_(t), planes_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    planes_.Init(pipe_, x, y);
    wide_.Init(pipe_, t_.tile_planes * t_.lines * t_.pitch);
    const uint32_t rows = t_.tile_planes * t_.tile_rows;
    pipe_.InitBuffer(rows_, rows * t_.pitch * sizeof(float));
    for (auto& line : line_) pipe_.InitBuffer(line, t_.line * sizeof(float));
    for (auto& side : sides_) {
      pipe_.InitBuffer(side.places, planes_.Pixels() * sizeof(int32_t));
      pipe_.InitBuffer(side.weights, planes_.Pixels() * sizeof(float));
      pipe_.InitBuffer(side.values, planes_.Pixels() * sizeof(float));
    }
    planes_.EveryTile([&](const Tile& tile) {
      AscendC::LocalTensor<T> in = planes_.Load(tile);
      const AscendC::LocalTensor<float> values = wide_(in, tile.planes * t_.lines * t_.pitch);
      BlendRows(values, tile);
      planes_.Free(in);
      Aim(tile);
      AscendC::LocalTensor<T> out = planes_.Out();
      BlendColumns(out, tile.planes * t_.tile_rows * t_.line);
      planes_.Store(out, tile);
    });
  }

 private:
  // What one of the two neighbours of each element is.
  struct Side {
    AscendC::TBuf<AscendC::TPosition::VECCALC> places, weights, values;  // places: bytes
  };

  __aicore__ inline void BlendRows(const AscendC::LocalTensor<float>& in, const Tile& tile) {
    const AscendC::LocalTensor<float> rows = rows_.Get<float>();
    const uint32_t columns = planes_.Columns(tile);
    for (uint32_t row = 0; row < tile.rows; ++row) {
      const Source source = planes_.down.Both(tile.row + row);
      const uint32_t first = planes_.Slot(tile, row, 0, source.first),
                     second = planes_.Slot(tile, row, 1, source.second);
      for (uint32_t plane = 0; plane < tile.planes; ++plane) {
        const AscendC::LocalTensor<float> to = rows[(plane * t_.tile_rows + row) * t_.pitch];
        const AscendC::LocalTensor<float> from = in[plane * t_.lines * t_.pitch];
        if (!planes_.down.Blends()) {
          AscendC::Muls(to, from[first * t_.pitch], 1.0f, columns);
          continue;
        }
        AscendC::Muls(to, from[first * t_.pitch], source.of_first, columns);
        AscendC::Axpy(to, from[second * t_.pitch], source.of_second, columns);
      }
    }
  }

  __aicore__ inline void BlendColumns(const AscendC::LocalTensor<T>& out, uint32_t count) {
    const AscendC::LocalTensor<float> result = Weighted(sides_[0], count);
    if (planes_.across.Blends()) AscendC::Add(result, result, Weighted(sides_[1], count), count);
    if constexpr (Widened<T>::kCasts) {
      AscendC::Cast(out, result, AscendC::RoundMode::CAST_RINT, count);
    } else {
      AscendC::Muls(out, result, 1.0f, count);
    }
  }

  __aicore__ inline AscendC::LocalTensor<float> Weighted(Side& side, uint32_t count) {
    const AscendC::LocalTensor<float> values = side.values.template Get<float>();
    AscendC::Gather(values, rows_.Get<float>(),
                    side.places.template Get<int32_t>().template ReinterpretCast<uint32_t>(), 0,
                    count);
    if (planes_.across.Blends())
      AscendC::Mul(values, values, side.weights.template Get<float>(), count);
    return values;
  }

  // Where in UB the neighbours lie and what they weigh. All rows of tiles have the same columns.
  __aicore__ inline void Aim(const Tile& tile) {
    if (aimed_ && tile.column == column_) return;
    aimed_ = true;
    column_ = tile.column;
    WriteLine([&] {
      const uint32_t first = planes_.FirstColumn(tile);
      for (uint32_t i = 0; i < t_.line; ++i) {
        const uint32_t at = tile.column + (i < tile.columns ? i : tile.columns - 1);
        const Source source = planes_.across.Both(at);
        Set<int32_t>(0, i, static_cast<int32_t>((source.first - first) * sizeof(float)));
        Set<int32_t>(1, i, static_cast<int32_t>((source.second - first) * sizeof(float)));
        Set<float>(2, i, source.of_first);
        Set<float>(3, i, source.of_second);
      }
    });
    for (uint32_t side = 0; side < 2; ++side) RepeatLine(sides_[side], side);
  }
  template <typename Number>
  __aicore__ inline void Set(uint32_t line, uint32_t i, Number value) {
    line_[line].template Get<Number>().SetValue(i, value);
  }

  __aicore__ inline void RepeatLine(Side& side, uint32_t place) {
    for (uint32_t row = 0; row < t_.tile_planes * t_.tile_rows; ++row) {
      const uint32_t at = row * t_.line;
      AscendC::Adds(side.places.template Get<int32_t>()[at], line_[place].template Get<int32_t>(),
                    static_cast<int32_t>(row * t_.pitch * sizeof(float)), t_.line);
      AscendC::Muls(side.weights.template Get<float>()[at], line_[place + 2].template Get<float>(),
                    1.0f, t_.line);
    }
  }

  const ResizeTiling& t_;
  AscendC::TPipe pipe_;
  Planes<T, 2> planes_;
  Widened<T> wide_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> rows_, line_[4];
  Side sides_[2];
  bool aimed_ = false;
  uint32_t column_ = 0;
};

#endif  // RESIZE_LINEAR_H_
