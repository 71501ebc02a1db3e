// Dense images and filters become NC1HWC0 and FRACTAL_Z in the workspace, on the vector cores.
#ifndef OPS_SHARED_CONV_TURN_H_
#define OPS_SHARED_CONV_TURN_H_

#include "conv_tile.h"
#include "conv_turned_tiling.h"

namespace conv {

// Buffers of UB that images and filters pass through.
template <typename T>
class TurnMemory {
 public:
  static constexpr uint32_t kC0 = 32 / sizeof(T);
  static constexpr uint32_t kLines = 16;  // counts the lines of a call: page "TransDataTo5HD"

  __aicore__ inline TurnMemory(const ConvTurnedTiling& t, TPipe& pipe) {
    pipe.InitBuffer(in, kBuffers, t.room * sizeof(T));
    pipe.InitBuffer(out, kBuffers, t.room * sizeof(T));
    pipe.InitBuffer(between_, t.room * sizeof(T));
    pipe.InitBuffer(zeros_, t.row * sizeof(T));
    Duplicate(Zeros(), static_cast<T>(0), t.row);
  }

  // Holds as many zeros as the longest row has elements.
  __aicore__ inline LocalTensor<T> Zeros() { return zeros_.template Get<T>(); }
  __aicore__ inline LocalTensor<T> Between() { return between_.template Get<T>(); }

  // Makes pixels of C0 channels from rows of `length` pixels, a multiple of 16: row(channel).
  template <typename Row>
  __aicore__ inline static void RowsToPixels(const LocalTensor<T>& pixels, uint32_t length,
                                             const Row& row) {
    TransDataTo5HDParams params;
    params.repeatTimes = static_cast<uint8_t>(length / kLines);
    params.srcRepStride = params.repeatTimes > 1 ? kParts : 0;
    params.dstRepStride = params.repeatTimes > 1 ? kLines : 0;
    LocalTensor<T> to[kLines], from[kLines];
    for (uint32_t i = 0; i < kLines; ++i) {
      from[i] = row(i % kC0)[i / kC0 * kC0];
      to[i] = pixels[(i / kParts + i % kParts * kC0) * kC0];
    }
    TransDataTo5HD<T>(to, from, params);
  }

  // Makes `length` rows of 16 elements, a multiple of C0, from 16 rows of `length`: row(number).
  template <typename Row>
  __aicore__ inline static void RowsToColumns(const LocalTensor<T>& columns, uint32_t length,
                                              const Row& row) {
    TransDataTo5HDParams params;
    params.repeatTimes = static_cast<uint8_t>(length / kC0);
    params.srcRepStride = params.repeatTimes > 1 ? 1 : 0;
    params.dstRepStride = params.repeatTimes > 1 ? kLines : 0;
    LocalTensor<T> to[kLines], from[kLines];
    for (uint32_t i = 0; i < kLines; ++i) {
      from[i] = row(i);
      to[i] = columns[i / kParts * kLines + i % kParts * kC0];
    }
    TransDataTo5HD<T>(to, from, params);
  }

  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kParts = kLines / kC0;  // blocks of 16 elements

  TBuf<TPosition::VECCALC> between_, zeros_;
};

// Turns N x C x H x W: a unit of work is some pixels of a plane.
template <typename T>
class ImageTurner {
 public:
  __aicore__ inline ImageTurner(const ConvTurnedTiling& t, GM_ADDR x, GM_ADDR turned)
      : t_(t), whole_(uint64_t{t.conv.height} * t.conv.width) {
    planes_ = Parts(t.conv.channels, kC0);
    parts_ = (whole_ + t.pixels - 1) / t.pixels;
    from_.SetGlobalBuffer((__gm__ T*)x);
    to_.SetGlobalBuffer((__gm__ T*)turned);
  }

  __aicore__ inline uint64_t Units() const { return parts_ * planes_ * t_.conv.images; }

  __aicore__ inline void Turn(TurnMemory<T>& memory, uint64_t unit) {
    const uint64_t pixel = unit % parts_ * t_.pixels, plane = unit / parts_;
    const uint32_t channel = static_cast<uint32_t>(plane % planes_) * kC0;
    const uint32_t given = Least(kC0, t_.conv.channels - channel);
    const auto pixels =
        static_cast<uint32_t>(whole_ - pixel < t_.pixels ? whole_ - pixel : t_.pixels);
    const uint64_t row = plane / planes_ * t_.conv.channels + channel;
    LocalTensor<T> in = memory.in.template AllocTensor<T>();
    const DataCopyExtParams copy{static_cast<uint16_t>(given),
                                 static_cast<uint32_t>(pixels * sizeof(T)),
                                 static_cast<uint32_t>((whole_ - pixels) * sizeof(T)),
                                 (t_.pixels - UpTo(pixels, kC0)) / kC0, 0};
    DataCopyPad(in, from_[row * whole_ + pixel], copy, DataCopyPadExtParams<T>{false, 0, 0, T(0)});
    memory.in.EnQue(in);
    in = memory.in.template DeQue<T>();
    LocalTensor<T> out = memory.out.template AllocTensor<T>();
    TurnMemory<T>::RowsToPixels(out, UpTo(pixels, kLines), [&](uint32_t i) {
      return i < given ? in[i * t_.pixels] : memory.Zeros();
    });
    memory.in.FreeTensor(in);
    memory.out.EnQue(out);
    out = memory.out.template DeQue<T>();
    DataCopy(to_[(plane * whole_ + pixel) * kC0], out, pixels * kC0);
    memory.out.FreeTensor(out);
  }

 private:
  static constexpr uint32_t kC0 = TurnMemory<T>::kC0, kLines = TurnMemory<T>::kLines;

  const ConvTurnedTiling& t_;
  uint64_t whole_;  // pixels of a plane
  uint64_t parts_;  // counts the parts of a plane
  uint32_t planes_;
  GlobalTensor<T> from_, to_;
};

// Turns O x C x KH x KW, or the filters of a round: a unit of work is some planes of 16 filters.
template <typename T>
class FilterTurner {
 public:
  __aicore__ inline FilterTurner(const ConvTurnedTiling& t, GM_ADDR w, GM_ADDR turned)
      : t_(t), taps_(t.conv.filter_height * t.conv.filter_width) {
    first_ = FirstPanel(t.conv);
    panels_ = Panels(t.conv);
    parts_ = Parts(Parts(t.conv.channels, kC0), t.planes);
    from_.SetGlobalBuffer((__gm__ T*)w);
    to_.SetGlobalBuffer((__gm__ T*)turned);
  }

  __aicore__ inline uint64_t Units() const { return uint64_t{panels_} * parts_; }

  __aicore__ inline void Turn(TurnMemory<T>& memory, uint64_t unit) {
    const uint32_t panel = static_cast<uint32_t>(unit % panels_),
                   plane = static_cast<uint32_t>(unit / panels_) * t_.planes;
    const uint32_t channels = Least(t_.planes * kC0, t_.conv.channels - plane * kC0);
    LocalTensor<T> in = memory.in.template AllocTensor<T>();
    const uint32_t filters = Load(in, panel, plane, channels);
    memory.in.EnQue(in);
    in = memory.in.template DeQue<T>();
    // Rows of a filter's elements, then rows of 16 filters for each element.
    const uint32_t pitch = UpTo(channels * taps_, kC0);
    const LocalTensor<T> between = memory.Between();
    TurnMemory<T>::RowsToColumns(
        between, pitch, [&](uint32_t i) { return i < filters ? in[i * pitch] : memory.Zeros(); });
    memory.in.FreeTensor(in);
    LocalTensor<T> out = memory.out.template AllocTensor<T>();
    const uint32_t planes = Parts(channels, kC0), length = taps_ * kLines;
    for (uint32_t p = 0; p < planes; ++p) {
      TurnMemory<T>::RowsToPixels(out[p * length * kC0], length, [&](uint32_t i) {
        const uint32_t channel = p * kC0 + i;
        return channel < channels ? between[channel * length] : memory.Zeros();
      });
    }
    memory.out.EnQue(out);
    out = memory.out.template DeQue<T>();
    Store(out, panel, plane, planes);
    memory.out.FreeTensor(out);
  }

 private:
  static constexpr uint32_t kC0 = TurnMemory<T>::kC0, kLines = TurnMemory<T>::kLines;

  // Brings the filters of a panel, some channels of each; tells how many filters there are.
  __aicore__ inline uint32_t Load(const LocalTensor<T>& in, uint32_t panel, uint32_t plane,
                                  uint32_t channels) const {
    const uint32_t filter = (first_ + panel) * kLines;
    const uint32_t filters = Least(kLines, t_.conv.out_channels - filter);
    const uint64_t whole = uint64_t{t_.conv.channels} * taps_;
    const DataCopyExtParams copy{
        static_cast<uint16_t>(filters), static_cast<uint32_t>(channels * taps_ * sizeof(T)),
        static_cast<uint32_t>((whole - channels * taps_) * sizeof(T)), 0, 0};
    DataCopyPad(in, from_[filter * whole + uint64_t{plane} * kC0 * taps_], copy,
                DataCopyPadExtParams<T>{false, 0, 0, T(0)});
    return filters;
  }

  __aicore__ inline void Store(const LocalTensor<T>& out, uint32_t panel, uint32_t plane,
                               uint32_t planes) const {
    const uint64_t row = uint64_t{plane} * taps_;
    DataCopy(to_[(row * panels_ + panel) * kLines * kC0], out,
             DataCopyParams(static_cast<uint16_t>(planes * taps_), kLines, 0,
                            static_cast<uint16_t>((panels_ - 1) * kLines)));
  }

  const ConvTurnedTiling& t_;
  uint32_t taps_;            // counts the taps of a filter's plane
  uint32_t first_, panels_;  // the first panel of 16 filters, and how many there are
  uint32_t parts_;           // counts the parts of a filter
  GlobalTensor<T> from_, to_;
};

}  // namespace conv

#endif  // OPS_SHARED_CONV_TURN_H_
