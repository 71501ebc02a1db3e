// Windows of images: every pixel of y sees window_height x window_width elements of a plane of x,
// taps. A slab of x lies in UB with its padding, and a tap of all pixels of a tile is one Gather.
//
//   window::Slab<T> slab;                       // begins with Init; then for every tile
//   slab.Load(tile, fill); slab.Take();         // x in UB
//   slab.Tap(out, down, across, count);         // one element of each window
//   slab.Release();
#ifndef OPS_SHARED_WINDOW_H_
#define OPS_SHARED_WINDOW_H_

#include "kernel_operator.h"
#include "window_tiling.h"

namespace window {

using namespace AscendC;

constexpr int32_t kBuffers = 2;  // loads of one tile overlap with the arithmetic of another
constexpr uint32_t kBlockBytes = 32;

__aicore__ inline uint32_t UpTo(uint32_t n, uint32_t step) { return (n + step - 1) / step * step; }
template <typename I>
__aicore__ inline I Least(I a, I b) {
  return a < b ? a : b;
}

// Pixels of y: planes x rows x columns.
struct Tile {
  uint64_t plane;
  uint32_t planes, row, rows, column, columns;

  __aicore__ inline uint32_t pixels() const { return planes * rows * columns; }
};

// Planes are counted fastest, so that neighbouring tiles see their planes alike.
__aicore__ inline Tile TileAt(const WindowTiling& t, uint64_t index) {
  const uint64_t deep = (t.planes + t.tile_planes - 1) / t.tile_planes;
  const uint32_t across = (t.out_width + t.tile_columns - 1) / t.tile_columns;
  Tile tile;
  tile.plane = index % deep * t.tile_planes;
  index /= deep;
  tile.column = static_cast<uint32_t>(index % across) * t.tile_columns;
  tile.row = static_cast<uint32_t>(index / across) * t.tile_rows;
  tile.planes = static_cast<uint32_t>(Least<uint64_t>(t.tile_planes, t.planes - tile.plane));
  tile.rows = Least(t.tile_rows, t.out_height - tile.row);
  tile.columns = Least(t.tile_columns, t.out_width - tile.column);
  return tile;
}

template <typename Call>
__aicore__ inline void EveryTile(const WindowTiling& t, const Call& call) {
  const uint64_t first = GetBlockIdx() * t.core_tiles;
  const uint64_t end = Least(t.tiles, first + t.core_tiles);
  for (uint64_t at = first; at < end; ++at) call(TileAt(t, at));
}

// What the windows of a tile see of a plane: rows x columns, of which the part from (top, left) on
// lies in the image, `height` x `width` elements from (first_row, first_column) of x.
struct View {
  uint32_t rows, columns;
  uint32_t top, left, height, width;
  uint32_t first_row, first_column;
  uint32_t pitch;  // elements from row to row in UB
  uint32_t shift;  // elements in front of a row, so that the image begins a block

  __aicore__ inline bool IsPadded() const { return height < rows || width < columns; }
  __aicore__ inline bool IsAllPadding() const { return height == 0 || width == 0; }
  __aicore__ inline uint32_t plane() const { return rows * pitch; }
  __aicore__ inline bool operator==(const View& other) const {
    return rows == other.rows && pitch == other.pitch && shift == other.shift;
  }
};

// Describes one dim: what the windows see, and which part of that the image has.
struct Extent {
  uint32_t all, before, inside, first;
};
__aicore__ inline Extent ExtentOf(uint32_t at, uint32_t count, uint32_t window, uint32_t stride,
                                  uint32_t dilation, uint32_t pad, uint32_t size) {
  const uint32_t begin = at * stride;  // counted from the first element of the padding
  const uint32_t all = WindowSees(count, window, stride, dilation);
  const uint32_t first = Least(begin > pad ? begin : pad, pad + size);
  const uint32_t last = Least(begin + all, pad + size);
  return {all, first > begin ? Least(first - begin, all) : 0, last > first ? last - first : 0,
          first - pad};
}

__aicore__ inline View ViewOf(const WindowTiling& t, const Tile& tile, uint32_t block) {
  const Extent down = ExtentOf(tile.row, tile.rows, t.window_height, t.stride_height,
                               t.dilation_height, t.pad_top, t.height);
  const Extent across = ExtentOf(tile.column, tile.columns, t.window_width, t.stride_width,
                                 t.dilation_width, t.pad_left, t.width);
  const uint32_t pitch = WindowPitch(across.all, block);
  return {down.all,    across.all,
          down.before, across.before,
          down.inside, across.inside,
          down.first,  across.first,
          pitch,       UpTo(across.before, block) - across.before};
}

template <typename T>
class Slab {
 public:
  // kConstant: a slab of the op's own in place of x (Constant).
  __aicore__ inline void Init(TPipe& pipe, const WindowTiling& tiling, GM_ADDR x) {
    tiling_ = &tiling;
    x_.SetGlobalBuffer((__gm__ T*)x);
    pipe.InitBuffer(queue_, kBuffers, tiling.slab * sizeof(T));
    pipe.InitBuffer(offsets_, tiling.pixels * sizeof(int32_t));
    pipe.InitBuffer(work_, 2 * tiling.pixels * sizeof(float));
  }

  // Planes of x from `plane` on, as many as the tile has, with `fill` around them.
  __aicore__ inline void Load(const Tile& tile, uint64_t plane, T fill) {
    Aim(tile);
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    if (view_.IsPadded()) {
      Duplicate(in, fill, tile.planes * view_.plane());
      const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
      SetFlag<HardEvent::V_MTE2>(event);
      WaitFlag<HardEvent::V_MTE2>(event);
    }
    if (!view_.IsAllPadding()) {
      for (uint32_t i = 0; i < tile.planes; ++i) LoadPlane(in[i * view_.plane()], plane + i, fill);
    }
    queue_.EnQue(in);
  }
  __aicore__ inline void Take() { held_ = queue_.template DeQue<T>(); }
  __aicore__ inline void Release() { queue_.FreeTensor(held_); }

  // Element (down, across) of every window of the tile.
  __aicore__ inline void Tap(const LocalTensor<T>& to, uint32_t down, uint32_t across,
                             uint32_t count) {
    Tap(to, held_, down, across, count);
  }
  __aicore__ inline void Tap(const LocalTensor<T>& to, const LocalTensor<T>& slab, uint32_t down,
                             uint32_t across, uint32_t count) {
    const uint32_t base =
        down * tiling_->dilation_height * view_.pitch + across * tiling_->dilation_width;
    Gather(to, slab, offsets_.Get<int32_t>().template ReinterpretCast<uint32_t>(),
           static_cast<uint32_t>(base * sizeof(T)), count);
  }
  template <typename Call>
  __aicore__ inline void EveryTap(const Call& call) const {
    for (uint32_t down = 0; down < tiling_->window_height; ++down)
      for (uint32_t across = 0; across < tiling_->window_width; ++across) call(down, across);
  }

  // The tile that Tap speaks of.
  __aicore__ inline void Aim(const Tile& tile) {
    view_ = ViewOf(*tiling_, tile, kBlock);
    if (aimed_ && view_ == of_offsets_ && tile.rows == rows_ && tile.columns == columns_) return;
    of_offsets_ = view_;
    rows_ = tile.rows;
    columns_ = tile.columns;
    aimed_ = true;
    SetOffsets();
  }
  __aicore__ inline const View& view() const { return view_; }

 private:
  static constexpr uint32_t kBlock = kBlockBytes / sizeof(T);

  __aicore__ inline void LoadPlane(const LocalTensor<T>& to, uint64_t plane, T fill) {
    const uint64_t at =
        (plane * tiling_->height + view_.first_row) * tiling_->width + view_.first_column;
    const uint32_t padded = UpTo(view_.width, kBlock);
    DataCopyExtParams copy{static_cast<uint16_t>(view_.height),
                           static_cast<uint32_t>(view_.width * sizeof(T)),
                           static_cast<uint32_t>((tiling_->width - view_.width) * sizeof(T)),
                           (view_.pitch - padded) / kBlock, 0};
    DataCopyPad(to[view_.top * view_.pitch + view_.shift + view_.left], x_[at], copy,
                DataCopyPadExtParams<T>{true, 0, static_cast<uint8_t>(padded - view_.width), fill});
  }

  // Where the first tap of every pixel lies, bytes. Numbers of UB's elements are exact in float.
  __aicore__ inline void SetOffsets() {
    const uint32_t count = tiling_->tile_planes * rows_ * columns_;
    const LocalTensor<float> pixel = work_.Get<float>(), part = pixel[tiling_->pixels];
    const LocalTensor<int32_t> offsets = offsets_.Get<int32_t>();
    CreateVecIndex(offsets, 0, count);
    Cast(pixel, offsets, RoundMode::CAST_NONE, count);
    // pixel = (plane * rows + row) * columns + column, whose dims lie apart as the strides say.
    const uint32_t dims[3] = {rows_ * columns_, columns_, 1};
    const uint32_t strides[3] = {view_.plane(), tiling_->stride_height * view_.pitch,
                                 tiling_->stride_width};
    const LocalTensor<float> index = part.template ReinterpretCast<float>();
    const LocalTensor<int32_t> whole = index.template ReinterpretCast<int32_t>();
    Duplicate(offsets, static_cast<int32_t>(view_.shift * sizeof(T)), count);
    for (uint32_t dim = 0; dim < 3; ++dim) {
      // The dim's index is the quotient; half a pixel keeps it off the whole numbers.
      Adds(index, pixel, 0.5f, count);
      Muls(index, index, 1.0f / static_cast<float>(dims[dim]), count);
      Cast(whole, index, RoundMode::CAST_FLOOR, count);
      AddTimes(offsets, whole, static_cast<int32_t>(strides[dim] * sizeof(T)), pixel,
               static_cast<float>(dims[dim]), count);
    }
  }

  // offsets += whole * stride; pixel -= whole * size. Uses up `whole`.
  __aicore__ inline void AddTimes(const LocalTensor<int32_t>& offsets,
                                  const LocalTensor<int32_t>& whole, int32_t stride,
                                  const LocalTensor<float>& pixel, float size, uint32_t count) {
    const LocalTensor<float> index = whole.template ReinterpretCast<float>();
    Cast(index, whole, RoundMode::CAST_NONE, count);
    Axpy(pixel, index, -size, count);
    Cast(whole, index, RoundMode::CAST_RINT, count);
    Muls(whole, whole, stride, count);
    Add(offsets, offsets, whole, count);
  }

  const WindowTiling* tiling_ = nullptr;
  GlobalTensor<T> x_;
  TQue<QuePosition::VECIN, kBuffers> queue_;
  TBuf<TPosition::VECCALC> offsets_, work_;
  LocalTensor<T> held_;
  View view_{}, of_offsets_{};
  uint32_t rows_ = 0, columns_ = 0;
  bool aimed_ = false;
};

// y's pixels from their windows:
//
//   struct MaxFormula {
//     static constexpr bool kCounts = false;         // whether Finish wants the taps of each
//                                                    // window that lie in the image
//     using Computed = T;                            // T or float
//     void Begin(uint64_t plane);                    // begins a plane of y
//     void First(to, tap, count), Next(to, tap, count);  // the taps, row by row; `tap` is free
//     void Finish(to, counts, count);
//   };
template <typename Formula, typename T>
class Kernel {
 public:
  __aicore__ inline explicit Kernel(const WindowTiling& tiling) : tiling_(tiling) {}

  // planes_of_x: of y that see one plane of x.
  __aicore__ inline void Run(Formula& formula, TPipe& pipe, GM_ADDR x, GM_ADDR y, T fill,
                             uint32_t planes_of_x = 1) {
    y_.SetGlobalBuffer((__gm__ T*)y);
    slab_.Init(pipe, tiling_, x);
    pipe.InitBuffer(out_, kBuffers, tiling_.pixels * sizeof(T));
    pipe.InitBuffer(tap_, tiling_.pixels * sizeof(T));
    if constexpr (kWidens) pipe.InitBuffer(wide_, 2 * tiling_.pixels * sizeof(C));
    if constexpr (Formula::kCounts) {
      pipe.InitBuffer(ones_, tiling_.slab * sizeof(T));
      pipe.InitBuffer(counts_, tiling_.pixels * sizeof(float));
    }
    EveryTile(tiling_, [&](const Tile& tile) {
      slab_.Load(tile, tile.plane / planes_of_x, fill);
      if constexpr (Formula::kCounts) CountTaps(tile);
      formula.Begin(tile.plane);
      slab_.Take();
      OneTile(formula, tile);
      slab_.Release();
    });
  }

 private:
  using C = typename Formula::Computed;
  static constexpr bool kWidens = !IsSameType<T, C>::value;

  __aicore__ inline void OneTile(Formula& formula, const Tile& tile) {
    const uint32_t count = tile.pixels();
    LocalTensor<T> out = out_.template AllocTensor<T>();
    LocalTensor<C> sums;
    if constexpr (kWidens) {
      sums = wide_.template Get<C>()[tiling_.pixels];
    } else {
      sums = out;
    }
    slab_.EveryTap([&](uint32_t down, uint32_t across) {
      const LocalTensor<C> tap = TapOf(down, across, count);
      if (down == 0 && across == 0) {
        formula.First(sums, tap, count);
      } else {
        formula.Next(sums, tap, count);
      }
    });
    formula.Finish(sums, counts_, count);
    if constexpr (kWidens) Cast(out, sums, RoundMode::CAST_RINT, count);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const uint64_t row = tile.plane * tiling_.out_height + tile.row;
    DataCopyPad(y_[row * tiling_.out_width + tile.column], out,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  __aicore__ inline LocalTensor<C> TapOf(uint32_t down, uint32_t across, uint32_t count) {
    const LocalTensor<T> tap = tap_.Get<T>();
    slab_.Tap(tap, down, across, count);
    if constexpr (kWidens) {
      const LocalTensor<C> wide = wide_.template Get<C>();
      Cast(wide, tap, RoundMode::CAST_NONE, count);
      return wide;
    } else {
      return tap;
    }
  }

  // Taps that lie in the image, for every pixel: the windows of an image of ones.
  __aicore__ inline void CountTaps(const Tile& tile) {
    const View& view = slab_.view();
    const bool same = counted_ && tile.row == row_ && tile.column == column_;
    if (same) return;
    counted_ = true;
    row_ = tile.row;
    column_ = tile.column;
    const LocalTensor<T> ones = ones_.Get<T>();
    Duplicate(ones, static_cast<T>(0), tiling_.tile_planes * view.plane());
    for (uint32_t i = 0; i < tiling_.tile_planes * view.height; ++i) {
      const uint32_t row = i / view.height * view.rows + view.top + i % view.height;
      Duplicate(ones[row * view.pitch + view.shift + view.left], static_cast<T>(1), view.width);
    }
    const LocalTensor<float> counts = counts_.Get<float>();
    const uint32_t count = tiling_.tile_planes * tile.rows * tile.columns;
    Duplicate(counts, 0.0f, count);
    slab_.EveryTap([&](uint32_t down, uint32_t across) {
      const LocalTensor<T> tap = tap_.Get<T>();
      slab_.Tap(tap, ones, down, across, count);
      if constexpr (kWidens) {
        const LocalTensor<float> wide = wide_.template Get<float>();
        Cast(wide, tap, RoundMode::CAST_NONE, count);
        Add(counts, counts, wide, count);
      } else {
        Add(counts, counts, tap, count);
      }
    });
  }

  const WindowTiling& tiling_;
  Slab<T> slab_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> tap_, wide_, ones_, counts_;
  bool counted_ = false;
  uint32_t row_ = 0, column_ = 0;
};

}  // namespace window

#endif  // OPS_SHARED_WINDOW_H_
