// Rows of which every step-th element is wanted: they are loaded as they lie, and a Gather picks.
#ifndef LAYOUT_PICKER_H_
#define LAYOUT_PICKER_H_

#include "layout.h"
#include "slice_tiling.h"

namespace layout {

// T: an integer type of the elements' size.
template <typename T>
class Picker {
 public:
  __aicore__ inline explicit Picker(const SliceTiling& t) : t_(t) {
    const uint32_t rows = t.move.tile_rows;
    pipe_.InitBuffer(in_, kBuffers, rows * t.pitch * sizeof(T));
    pipe_.InitBuffer(out_, kBuffers, rows * t.line * sizeof(T));
    pipe_.InitBuffer(places_, rows * t.line * sizeof(int32_t));
  }

  __aicore__ inline void Run(const GlobalTensor<T>& x, const GlobalTensor<T>& y) {
    Aim();
    const LayoutTiling& move = t_.move;
    EveryTile(move, [&](const Tile& tile) {
      LocalTensor<T> in = in_.template AllocTensor<T>();
      Rows<T>(tile.rows, t_.seen, move.x_stride, t_.pitch).Load(in, x[tile.x]);
      in_.EnQue(in);
      in = in_.template DeQue<T>();
      LocalTensor<T> out = out_.template AllocTensor<T>();
      Gather(out, in, places_.Get<int32_t>().template ReinterpretCast<uint32_t>(), 0,
             tile.rows * t_.line);
      in_.FreeTensor(in);
      out_.EnQue(out);
      out = out_.template DeQue<T>();
      Rows<T>(tile.rows, tile.columns, move.y_stride, t_.line).Store(y[tile.y], out);
      out_.FreeTensor(out);
    });
  }

 private:
  // Where in UB each element of a tile lies, bytes. Those behind a row repeat its last one.
  __aicore__ inline void Aim() {
    constexpr auto kBytes = static_cast<int32_t>(sizeof(T));
    const LocalTensor<int32_t> places = places_.Get<int32_t>();
    const uint32_t rows = t_.move.tile_rows;
    CreateVecIndex(places, 0, t_.line);
    Muls(places, places, static_cast<int32_t>(t_.step) * kBytes, t_.line);
    Mins(places, places, static_cast<int32_t>(t_.seen - 1) * kBytes, t_.line);
    for (uint32_t done = 1; done < rows; done *= 2) {
      const uint32_t more = done < rows - done ? done : rows - done;
      Adds(places[done * t_.line], places, static_cast<int32_t>(done * t_.pitch) * kBytes,
           more * t_.line);
    }
  }

  const SliceTiling& t_;
  TPipe pipe_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> places_;
};

}  // namespace layout

#endif  // LAYOUT_PICKER_H_
