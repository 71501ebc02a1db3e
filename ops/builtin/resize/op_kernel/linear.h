// Every element of y is a blend of four of x, computed in float: rows are blended as they lie, then
// the neighbours of a whole tile by two Gathers.
#ifndef RESIZE_LINEAR_H_
#define RESIZE_LINEAR_H_

#include "neighbours.h"
#include "planes.h"
#include "widened.h"

template <typename T>
class Linear {
 public:
  __aicore__ inline explicit Linear(const ResizeTiling& t) : t_(t), planes_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    planes_.Init(pipe_, x, y);
    wide_.Init(pipe_, t_.tile_planes * t_.lines * t_.pitch);
    pipe_.InitBuffer(rows_, Rows() * t_.pitch * sizeof(float));
    neighbours_.Init(pipe_, t_);
    for (auto& values : values_) pipe_.InitBuffer(values, planes_.Pixels() * sizeof(float));
    planes_.EveryTile([&](const Tile& tile) {
      AscendC::LocalTensor<T> in = planes_.Load(tile);
      const AscendC::LocalTensor<float> values = wide_(in, tile.planes * t_.lines * t_.pitch);
      BlendRows(values, tile);
      planes_.Free(in);
      Aim(tile);
      AscendC::LocalTensor<T> out = planes_.Out();
      BlendColumns(out, tile.planes * t_.tile_rows);
      planes_.Store(out, tile);
    });
  }

 private:
  static constexpr uint32_t kRepeat = 64, kBlock = 8;  // floats
  static constexpr uint32_t kMostStride = 255;         // blocks, and repeats, of an instruction

  // Counts the rows of a whole tile.
  __aicore__ inline uint32_t Rows() const { return t_.tile_planes * t_.tile_rows; }

  __aicore__ inline void BlendRows(const AscendC::LocalTensor<float>& in, const Tile& tile) {
    const AscendC::LocalTensor<float> rows = rows_.Get<float>();
    for (uint32_t row = 0; row < tile.rows; ++row) {
      const Source source = planes_.down.Both(tile.row + row);
      const uint32_t first = planes_.Slot(tile, row, 0, source.first),
                     second = planes_.Slot(tile, row, 1, source.second);
      const AscendC::LocalTensor<float> to = rows[row * t_.pitch];
      if (planes_.down.Blends()) {
        Times<false>(to, in[first * t_.pitch], source.of_first, tile);
        Times<true>(to, in[second * t_.pitch], source.of_second, tile);
      } else {
        Times<false>(to, in[first * t_.pitch], 1.0f, tile);
      }
    }
  }

  // A row of every plane times a weight, as it is or added.
  template <bool kAdds>
  __aicore__ inline void Times(const AscendC::LocalTensor<float>& to,
                               const AscendC::LocalTensor<float>& from, float weight,
                               const Tile& tile) {
    using namespace AscendC;
    const uint32_t columns = planes_.Columns(tile);
    const uint32_t apart_to = t_.tile_rows * t_.pitch, apart_from = t_.lines * t_.pitch;
    const uint32_t most = kMostStride * kBlock;
    if (tile.planes == 1 || apart_to > most || apart_from > most) {
      for (uint32_t plane = 0; plane < tile.planes; ++plane) {
        if constexpr (kAdds) {
          Axpy(to[plane * apart_to], from[plane * apart_from], weight, columns);
        } else {
          Muls(to[plane * apart_to], from[plane * apart_from], weight, columns);
        }
      }
      return;
    }
    const UnaryRepeatParams strides(1, 1, static_cast<uint8_t>(apart_to / kBlock),
                                    static_cast<uint8_t>(apart_from / kBlock));
    for (uint32_t column = 0; column < columns; column += kRepeat) {
      const uint64_t lanes = layout::Least(kRepeat, columns - column);
      const auto repeats = static_cast<uint8_t>(tile.planes);
      if constexpr (kAdds) {
        Axpy(to[column], from[column], weight, lanes, repeats, strides);
      } else {
        Muls(to[column], from[column], weight, lanes, repeats, strides);
      }
    }
  }

  __aicore__ inline void BlendColumns(const AscendC::LocalTensor<T>& out, uint32_t rows) {
    const uint32_t count = rows * t_.line;
    const AscendC::LocalTensor<float> result = Weighted(0, rows);
    if (planes_.across.Blends()) AscendC::Add(result, result, Weighted(1, rows), count);
    if constexpr (Widened<T>::kCasts) {
      AscendC::Cast(out, result, AscendC::RoundMode::CAST_RINT, count);
    } else {
      AscendC::Muls(out, result, 1.0f, count);
    }
  }

  // Returns one of the two neighbours of each element, times what it weighs.
  __aicore__ inline AscendC::LocalTensor<float> Weighted(uint32_t side, uint32_t rows) {
    const AscendC::LocalTensor<float> values = values_[side].template Get<float>();
    AscendC::Gather(values, rows_.Get<float>(),
                    neighbours_.Places(side).template ReinterpretCast<uint32_t>(), 0,
                    rows * t_.line);
    if (planes_.across.Blends()) WithLine(values, neighbours_.Weights(side), rows);
    return values;
  }

  // Every row times the same numbers.
  __aicore__ inline void WithLine(const AscendC::LocalTensor<float>& values,
                                  const AscendC::LocalTensor<float>& line, uint32_t rows) {
    using namespace AscendC;
    const bool is_far = t_.line > kMostStride * kBlock;  // too far for a repeat
    const auto stride = static_cast<uint8_t>(is_far ? 0 : t_.line / kBlock);
    const uint32_t step = is_far ? 1 : kMostStride;
    for (uint32_t row = 0; row < rows; row += step) {
      for (uint32_t column = 0; column < t_.line; column += kRepeat) {
        const LocalTensor<float> part = values[row * t_.line + column];
        Mul(part, part, line[column],
            static_cast<uint64_t>(layout::Least(kRepeat, t_.line - column)),
            static_cast<uint8_t>(layout::Least(step, rows - row)),
            BinaryRepeatParams(1, 1, 1, stride, stride, 0));
      }
    }
  }

  // All rows of tiles have the same columns.
  __aicore__ inline void Aim(const Tile& tile) {
    if (aimed_ && tile.column == column_) return;
    aimed_ = true;
    column_ = tile.column;
    neighbours_.Aim(planes_.across, tile.column, tile.columns, planes_.FirstColumn(tile), Rows());
  }

  const ResizeTiling& t_;
  AscendC::TPipe pipe_;
  Planes<T, 2> planes_;
  Widened<T> wide_;
  Neighbours neighbours_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> rows_, values_[2];
  bool aimed_ = false;
  uint32_t column_ = 0;
};

#endif  // RESIZE_LINEAR_H_
