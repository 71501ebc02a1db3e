// The first half: every plane of C0 channels of a tile is convolved by itself, normalised and
// brought to its place in a slot. A tap of a row of pixels is one instruction: a pixel's channels
// are whole blocks, and the filter's numbers are the same block for all of them.
#ifndef DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_H_
#define DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_H_

#include "depthwise_separable_tiling.h"
#include "lane_batch_norm.h"
#include "narrowed.h"
#include "widened.h"
#include "window.h"

namespace separable {

// C0 channels of a tile of pixels.
struct Plane {
  uint64_t image;
  uint32_t channel;  // the first one
  window::Tile tile;
};

template <typename T>
class Depthwise {
 public:
  __aicore__ inline void Init(const DepthwiseSeparableTiling& t, TPipe& pipe, GM_ADDR x, GM_ADDR w,
                              const Vectors& vectors) {
    t_ = &t;
    taps_ = t.window.window_height * t.window.window_width;
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    for (uint32_t i = 0; i < kVectors; ++i) vectors_[i].SetGlobalBuffer((__gm__ T*)vectors.at[i]);
    pipe.InitBuffer(slab_, window::kBuffers, t.window.slab * kC0 * sizeof(T));
    pipe.InitBuffer(numbers_, window::kBuffers, Numbers() * sizeof(T));
    pipe.InitBuffer(sums_, t.window.pixels * kC0 * sizeof(float));
    pipe.InitBuffer(filter_, 2 * taps_ * kC0 * sizeof(float));
    pipe.InitBuffer(out_, window::kBuffers, t.window.pixels * kC0 * sizeof(T));
    wide_slab_.Init(pipe, t.window.slab * kC0);
    pipe.InitBuffer(wide_numbers_, Numbers() * sizeof(float));
    SetOffsets();
  }

  // Called one plane ahead of Run.
  __aicore__ inline void Load(const Plane& plane) {
    LoadSlab(plane);
    LoadNumbers(plane.channel);
  }

  // Leaves the plane that was loaded first at `to`.
  __aicore__ inline void Run(const Plane& plane, const GlobalTensor<T>& to) {
    const LocalTensor<float> sums = sums_.Get<float>();
    const LaneBatchNorm norm = TakeNumbers();
    LocalTensor<T> slab = slab_.template DeQue<T>();
    const window::View view = window::ViewOf(t_->window, plane.tile, 1);
    // Keeps the gaps between rows where they cost less than a call for each row.
    const window::Tile& tile = plane.tile;
    const uint32_t pitch = KeepsGaps(tile) ? view.pitch : tile.columns;
    EveryTap(sums, wide_slab_(slab, view.plane() * kC0), view.pitch, tile);
    slab_.FreeTensor(slab);
    const uint32_t pixels = (tile.rows - 1) * pitch + tile.columns;
    norm.Apply(sums, 0, kBlocks, pixels);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    Narrow(out, sums, pixels * kC0);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    DataCopy(to, out,
             DataCopyParams(static_cast<uint16_t>(tile.rows), static_cast<uint16_t>(tile.columns),
                            static_cast<uint16_t>(pitch - tile.columns), 0));
    out_.FreeTensor(out);
  }

 private:
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kC0Bits = sizeof(T) == 2 ? 4 : 3;
  static constexpr uint32_t kBlocks = kC0 / kLane;  // counts the blocks of a pixel in float
  static constexpr uint32_t kMostRepeats = 255, kMostStride = 255;

  // Returns the filters of C0 channels, and their vectors.
  __aicore__ inline uint32_t Numbers() const { return (taps_ + kVectors) * kC0; }
  __aicore__ inline uint32_t Channels(uint32_t first) const {
    return window::Least(kC0, t_->channels - first);
  }

  template <typename Tensor>
  __aicore__ inline void ZeroBeforeLoad(const Tensor& tensor, uint32_t count) {
    Duplicate(tensor, static_cast<T>(0), count);
    const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
    SetFlag<HardEvent::V_MTE2>(event);
    WaitFlag<HardEvent::V_MTE2>(event);
  }

  __aicore__ inline void LoadSlab(const Plane& plane) {
    const WindowTiling& w = t_->window;
    const window::View view = window::ViewOf(w, plane.tile, 1);
    LocalTensor<T> slab = slab_.template AllocTensor<T>();
    if (view.IsPadded()) ZeroBeforeLoad(slab, view.plane() * kC0);
    if (!view.IsAllPadding()) {
      const uint64_t planes = (t_->channels + kC0 - 1) / kC0;
      const uint64_t row = (plane.image * planes + plane.channel / kC0) * w.height + view.first_row;
      constexpr uint32_t kBlock = kC0 * sizeof(T);
      const DataCopyExtParams copy{static_cast<uint16_t>(view.height), view.width * kBlock,
                                   (w.width - view.width) * kBlock, view.pitch - view.width, 0};
      DataCopyPad(slab[(view.top * view.pitch + view.left) * kC0],
                  x_[(row * w.width + view.first_column) * kC0], copy,
                  DataCopyPadExtParams<T>{false, 0, 0, static_cast<T>(0)});
    }
    slab_.EnQue(slab);
  }

  __aicore__ inline void LoadNumbers(uint32_t channel) {
    const uint32_t count = Channels(channel);
    LocalTensor<T> numbers = numbers_.template AllocTensor<T>();
    if (count < kC0) ZeroBeforeLoad(numbers, Numbers());
    LoadPadded(numbers, w_[uint64_t{channel} * taps_], count * taps_);
    for (uint32_t i = 0; i < kVectors; ++i)
      LoadPadded(numbers[(taps_ + i) * kC0], vectors_[i][channel], count);
    numbers_.EnQue(numbers);
  }

  // Filters in GM lie channel by channel; Offsets() say where each tap's C0 numbers are.
  __aicore__ inline LaneBatchNorm TakeNumbers() {
    LocalTensor<T> stored = numbers_.template DeQue<T>();
    const LocalTensor<float> wide = wide_numbers_.Get<float>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(wide, stored, 0.0f, Numbers());
    } else {
      Cast(wide, stored, RoundMode::CAST_NONE, Numbers());
    }
    numbers_.FreeTensor(stored);
    Gather(Filter(), wide, Offsets().template ReinterpretCast<uint32_t>(), 0, taps_ * kC0);
    const LaneBatchNorm norm(wide[taps_ * kC0], kC0);
    norm.Prepare(t_->depth_epsilon);
    return norm;
  }
  __aicore__ inline LocalTensor<float> Filter() { return filter_.Get<float>(); }
  __aicore__ inline LocalTensor<int32_t> Offsets() { return filter_.Get<int32_t>()[taps_ * kC0]; }
  // Sets offset number tap * C0 + channel: (channel * taps + tap) * 4.
  __aicore__ inline void SetOffsets() {
    const uint32_t count = taps_ * kC0;
    const LocalTensor<int32_t> offsets = Offsets(), tap = filter_.Get<int32_t>();
    const auto bytes = static_cast<int32_t>(sizeof(float));
    CreateVecIndex(offsets, 0, count);
    ShiftRight(tap, offsets, static_cast<int32_t>(kC0Bits), static_cast<int32_t>(count));
    Muls(offsets, offsets, static_cast<int32_t>(taps_) * bytes, count);
    Muls(tap, tap, (1 - static_cast<int32_t>(count)) * bytes, count);
    Add(offsets, offsets, tap, count);
  }

  __aicore__ inline void EveryTap(const LocalTensor<float>& sums, const LocalTensor<float>& slab,
                                  uint32_t pitch, const window::Tile& tile) {
    const WindowTiling& w = t_->window;
    for (uint32_t tap = 0; tap < taps_; ++tap) {
      const uint32_t pixel = tap / w.window_width * pitch + tap % w.window_width;
      for (uint32_t block = 0; block < kBlocks; ++block) {
        const uint32_t lane = block * kLane;
        OneTap(sums[lane], slab[pixel * kC0 + lane], Filter()[tap * kC0 + lane], pitch, tile,
               tap == 0);
      }
    }
  }

  // Where windows stand side by side, pixels of all rows are a run, with what lies between rows.
  __aicore__ inline bool KeepsGaps(const window::Tile& tile) const {
    const WindowTiling& w = t_->window;
    return w.stride_height == 1 && w.stride_width == 1 && tile.columns > kLane;
  }

  // All pixels as one run, rows of them one after the other, or, where these are short, eight
  // columns of all rows.
  __aicore__ inline void OneTap(const LocalTensor<float>& sums, const LocalTensor<float>& slab,
                                const LocalTensor<float>& number, uint32_t pitch,
                                const window::Tile& tile, bool first) {
    const WindowTiling& w = t_->window;
    const uint32_t step = w.stride_width * kBlocks, down = w.stride_height * pitch * kBlocks;
    const uint32_t row = tile.columns * kBlocks, groups = (tile.columns + kLane - 1) / kLane;
    const auto blocks = static_cast<uint8_t>(kBlocks), apart = static_cast<uint8_t>(step);
    if (KeepsGaps(tile))
      return OneRun(sums, slab, number, (tile.rows - 1) * pitch + tile.columns, first);
    if (groups < tile.rows && tile.rows <= kMostRepeats && down <= kMostStride &&
        row <= kMostStride) {
      const BinaryRepeatParams strides(blocks, apart, 0, static_cast<uint8_t>(row),
                                       static_cast<uint8_t>(down), 0);
      for (uint32_t column = 0; column < tile.columns; column += kLane)
        Multiply(sums[column * kC0], slab[column * step * kLane], number,
                 window::Least(kLane, tile.columns - column) * kLane, tile.rows, strides, first);
      return;
    }
    const BinaryRepeatParams strides(blocks, apart, 0, static_cast<uint8_t>(kC0),
                                     static_cast<uint8_t>(kLane * step), 0);
    const uint32_t whole = tile.columns / kLane, rest = tile.columns % kLane;
    for (uint32_t i = 0; i < tile.rows; ++i) {
      const uint32_t to = i * row * kLane, from = i * down * kLane;
      if (whole > 0) Multiply(sums[to], slab[from], number, kRepeat, whole, strides, first);
      if (rest > 0)
        Multiply(sums[to + whole * kLane * kC0], slab[from + whole * kLane * step * kLane], number,
                 rest * kLane, 1, strides, first);
    }
  }
  // So many pixels, side by side in the slab and in the sums.
  __aicore__ inline void OneRun(const LocalTensor<float>& sums, const LocalTensor<float>& slab,
                                const LocalTensor<float>& number, uint32_t pixels, bool first) {
    constexpr auto kStep = static_cast<uint8_t>(kBlocks), kFar = static_cast<uint8_t>(kC0);
    const BinaryRepeatParams strides(kStep, kStep, 0, kFar, kFar, 0);
    const uint32_t whole = pixels / kLane, rest = pixels % kLane, behind = whole * kLane * kC0;
    if (whole > 0) Multiply(sums, slab, number, kRepeat, whole, strides, first);
    if (rest > 0) Multiply(sums[behind], slab[behind], number, rest * kLane, 1, strides, first);
  }
  __aicore__ inline void Multiply(const LocalTensor<float>& sums, const LocalTensor<float>& x,
                                  const LocalTensor<float>& number, uint64_t mask, uint32_t repeats,
                                  const BinaryRepeatParams& strides, bool first) {
    if (first) {
      Mul(sums, x, number, mask, static_cast<uint8_t>(repeats), strides);
    } else {
      MulAddDst(sums, x, number, mask, static_cast<uint8_t>(repeats), strides);
    }
  }

  const DepthwiseSeparableTiling* t_ = nullptr;
  uint32_t taps_ = 0;
  GlobalTensor<T> x_, w_, vectors_[kVectors];
  TQue<QuePosition::VECIN, window::kBuffers> slab_, numbers_;
  TQue<QuePosition::VECOUT, window::kBuffers> out_;
  TBuf<TPosition::VECCALC> sums_, filter_, wide_numbers_;
  Widened<T> wide_slab_;
};

}  // namespace separable

#endif  // DEPTHWISE_SEPARABLE_CONV_DEPTHWISE_H_
