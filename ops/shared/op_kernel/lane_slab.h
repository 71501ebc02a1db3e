// What rows of windows see of 16 planes of an image, in UB with the padding around it, as pixels of
// 16 lanes: the rows that lie a stride apart are neighbours, so that an element of the windows of
// many rows is one instruction.
#ifndef OPS_SHARED_LANE_SLAB_H_
#define OPS_SHARED_LANE_SLAB_H_

#include "plane_lanes.h"
#include "window_tiling.h"

namespace window {

constexpr int32_t kLaneBuffers = 2;  // loads of one tile overlap with the arithmetic of another

__aicore__ inline uint32_t Lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Rows of y of some planes, all columns.
struct LaneTile {
  uint64_t plane;    // the first one
  uint32_t channel;  // numbers the first plane in its image
  uint32_t given, row, rows;
};

// Calls call(tile) for this core's; planes are counted fastest. channels: planes of an image.
template <typename Call>
__aicore__ inline void EveryLaneTile(const WindowTiling& t, uint32_t channels, const Call& call) {
  const uint32_t groups = (channels + kLanes - 1) / kLanes;
  const uint64_t deep = t.planes / channels * groups;
  const uint64_t first = GetBlockIdx() * t.core_tiles;
  for (uint64_t at = first; at < first + t.core_tiles && at < t.tiles; ++at) {
    LaneTile tile;
    tile.channel = static_cast<uint32_t>(at % deep % groups) * kLanes;
    tile.plane = at % deep / groups * channels + tile.channel;
    tile.given = Lesser(kLanes, channels - tile.channel);
    tile.row = static_cast<uint32_t>(at / deep) * t.tile_rows;
    tile.rows = Lesser(t.tile_rows, t.out_height - tile.row);
    call(tile);
  }
}

template <typename T>
class LaneSlab {
 public:
  // fill: what stands in the padding.
  __aicore__ inline void Init(TPipe& pipe, const WindowTiling& t, GM_ADDR x, T fill) {
    t_ = &t;
    fill_ = fill;
    x_.SetGlobalBuffer((__gm__ T*)x);
    pipe.InitBuffer(in_, kLaneBuffers, t.slab * sizeof(T));
    pipe.InitBuffer(pixels_, (t.slab + t.pitch * kLanes) * sizeof(T));
    FillGaps();
  }

  // Returns the pixels that a tile sees.
  __aicore__ inline LocalTensor<T> Bring(const LaneTile& tile) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    for (uint32_t phase = 0; phase < t_->stride_height; ++phase) {
      const Span rows = SpanOf(tile, phase);
      if (rows.from >= rows.until) continue;
      for (uint32_t i = 0; i < tile.given; ++i)
        Load(in[i * Count() + At(phase, rows.from)], (tile.plane + i) * t_->height + rows.first,
             rows.until - rows.from);
    }
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    for (uint32_t phase = 0; phase < t_->stride_height; ++phase)
      TurnPhase(in, tile.given, phase, SpanOf(tile, phase));
    in_.FreeTensor(in);
    return Pixels();
  }
  __aicore__ inline LocalTensor<T> Pixels() { return pixels_.template Get<T>(); }

  // Returns the pixel where the windows' element (down, across) of the tile's first window lies.
  __aicore__ inline uint32_t Place(uint32_t down, uint32_t across) const {
    const uint32_t row = down * t_->dilation_height;
    return (row % t_->stride_height * PhaseRows() + row / t_->stride_height) * t_->pitch +
           across * t_->dilation_width;
  }

  // Counts the pixels of a tile, and the elements of each of its planes in UB.
  __aicore__ inline uint32_t Count() const { return t_->slab / kLanes; }

 private:
  // Rows `from` to `until` of a phase lie in the image, where the first of them is row `first`.
  struct Span {
    uint32_t from, until, first;
  };

  __aicore__ inline uint32_t PhaseRows() const { return Count() / t_->pitch / t_->stride_height; }
  __aicore__ inline uint32_t At(uint32_t phase, uint32_t row) const {
    return (phase * PhaseRows() + row) * t_->pitch;
  }

  // Behind the rows of x in UB nothing is loaded: what stands there is padding.
  __aicore__ inline void FillGaps() {
    LocalTensor<T> buffers[kLaneBuffers];
    for (auto& buffer : buffers) {
      buffer = in_.template AllocTensor<T>();
      Duplicate(buffer, fill_, t_->slab);
    }
    for (auto& buffer : buffers) in_.FreeTensor(buffer);
  }

  __aicore__ inline Span SpanOf(const LaneTile& tile, uint32_t phase) const {
    const uint32_t stride = t_->stride_height, begin = tile.row * stride + phase;
    const uint32_t end = t_->pad_top + t_->height;  // counts padded rows
    const uint32_t from = begin < t_->pad_top ? Parts(t_->pad_top - begin, stride) : 0;
    const uint32_t until = begin < end ? Lesser(Parts(end - begin, stride), PhaseRows()) : 0;
    return {from, until, begin + from * stride - t_->pad_top};
  }

  // Each row ends with the padding to the right of it and to the left of the next one.
  __aicore__ inline void TurnPhase(const LocalTensor<T>& in, uint32_t given, uint32_t phase,
                                   const Span& rows) {
    const uint32_t left = t_->pad_left, first = At(phase, 0), end = At(phase + 1, 0) + left;
    if (rows.from >= rows.until) return Fill(first, end);
    const uint32_t from = At(phase, rows.from), until = At(phase, rows.until);
    if (phase == 0 || rows.from > 0) Fill(first, from + left);
    PlaneLanes<T>::ToPixels(Pixels()[(from + left) * kLanes], in[from], given, Count(),
                            until - from);
    Fill(until + left, end);
  }
  __aicore__ static inline uint32_t Parts(uint32_t count, uint32_t step) {
    return (count + step - 1) / step;
  }

  __aicore__ inline void Fill(uint32_t from, uint32_t to) {
    if (to > from) Duplicate(Pixels()[from * kLanes], fill_, (to - from) * kLanes);
  }

  // Rows of a plane that lie a stride apart.
  __aicore__ inline void Load(const LocalTensor<T>& to, uint64_t row, uint32_t rows) {
    constexpr uint32_t kBlock = 32 / sizeof(T);
    const uint32_t width = t_->width, padded = Parts(width, kBlock) * kBlock;
    DataCopyPad(
        to, x_[row * width],
        DataCopyExtParams{static_cast<uint16_t>(rows), static_cast<uint32_t>(width * sizeof(T)),
                          static_cast<uint32_t>((t_->stride_height - 1) * width * sizeof(T)),
                          (t_->pitch - padded) / kBlock, 0},
        DataCopyPadExtParams<T>{true, 0, static_cast<uint8_t>(padded - width), fill_});
  }

  const WindowTiling* t_ = nullptr;
  T fill_;
  GlobalTensor<T> x_;
  TQue<QuePosition::VECIN, kLaneBuffers> in_;
  TBuf<TPosition::VECCALC> pixels_;
};

}  // namespace window

#endif  // OPS_SHARED_LANE_SLAB_H_
