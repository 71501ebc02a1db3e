// The largest number of every window, 32 channels at a time. Numbers are compared in half, which
// holds those of int8.
#include "kernel_operator.h"
#include "max_pool_images_tiling.h"

using namespace AscendC;

namespace {

constexpr uint32_t kLanes = 32;  // channels of a pixel
constexpr uint32_t kBlocks = 2;  // counts the blocks of UB that a pixel of half has
constexpr int32_t kBuffers = 2;

template <typename T>
__aicore__ inline T Least(T a, T b) {
  return a < b ? a : b;
}

class MaxPoolImages {
 public:
  __aicore__ inline MaxPoolImages(const MaxPoolImagesTilingData& t, GM_ADDR x, GM_ADDR y) : t_(t) {
    x_.SetGlobalBuffer((__gm__ int8_t*)x);
    y_.SetGlobalBuffer((__gm__ int8_t*)y);
    const uint32_t seen = t.window_height * t.seen_columns * kLanes;
    pipe_.InitBuffer(in_, kBuffers, seen);
    pipe_.InitBuffer(wide_, seen * sizeof(half));
    pipe_.InitBuffer(out_, kBuffers, t.tile_columns * kLanes);
    pipe_.InitBuffer(largest_, t.tile_columns * kLanes * sizeof(half));
  }

  __aicore__ inline void Run() {
    const uint64_t across = (t_.out_width + t_.tile_columns - 1) / t_.tile_columns;
    for (uint64_t tile = GetBlockIdx(); tile < t_.tiles; tile += GetBlockNum()) {
      const auto column = static_cast<uint32_t>(tile % across) * t_.tile_columns;
      const auto row = static_cast<uint32_t>(tile / across % t_.out_height);
      OneTile(tile / across / t_.out_height, row, column);
    }
  }

 private:
  // Rows and columns that the windows of a tile see: from `first`, counted from the first one of
  // the padding, the part `begin` to `end` of which lies in the image.
  struct Seen {
    uint32_t first, count, begin, end;
  };
  __aicore__ inline static Seen SeenFrom(uint32_t first, uint32_t count, uint32_t step,
                                         uint32_t pad, uint32_t size) {
    Seen seen{first, count, 0, count};
    while (seen.begin < count && first + seen.begin * step < pad) ++seen.begin;
    while (seen.end > seen.begin && first + (seen.end - 1) * step >= pad + size) --seen.end;
    return seen;
  }

  __aicore__ inline void OneTile(uint64_t plane, uint32_t row, uint32_t column) {
    const uint32_t columns = Least(t_.tile_columns, t_.out_width - column);
    const uint32_t width =
        (columns - 1) * t_.stride_width + (t_.window_width - 1) * t_.dilation_width + 1;
    const Seen down = SeenFrom(row * t_.stride_height, t_.window_height, t_.dilation_height,
                               t_.pad_top, t_.height);
    const Seen across = SeenFrom(column * t_.stride_width, width, 1, t_.pad_left, t_.width);
    Load(plane, down, across);
    Widen(down, across);
    const LocalTensor<half> largest = largest_.Get<half>(), wide = wide_.Get<half>();
    for (uint32_t i = 0; i < t_.window_height; ++i) {
      for (uint32_t j = 0; j < t_.window_width; ++j) {
        const LocalTensor<half> tap = wide[(i * width + j * t_.dilation_width) * kLanes];
        Take(largest, tap, columns, i == 0 && j == 0);
      }
    }
    Store(plane, row, column, columns, largest);
  }

  __aicore__ inline void Load(uint64_t plane, const Seen& down, const Seen& across) {
    LocalTensor<int8_t> in = in_.AllocTensor<int8_t>();
    const uint32_t width = across.end - across.begin;
    for (uint32_t i = down.begin; i < down.end; ++i) {
      const uint64_t row = plane * t_.height + down.first + i * t_.dilation_height - t_.pad_top;
      const uint64_t at = row * t_.width + across.first + across.begin - t_.pad_left;
      DataCopy(in[(i - down.begin) * width * kLanes], x_[at * kLanes], width * kLanes);
    }
    in_.EnQue(in);
  }

  // What lies beside the image is the least number there is.
  __aicore__ inline void Widen(const Seen& down, const Seen& across) {
    LocalTensor<int8_t> in = in_.DeQue<int8_t>();
    const LocalTensor<half> wide = wide_.Get<half>();
    const uint32_t width = across.end - across.begin, rows = down.end - down.begin;
    if (width == across.count && rows == down.count) {
      Cast(wide, in, RoundMode::CAST_NONE, rows * width * kLanes);
    } else {
      constexpr float kLowest = -128;
      Duplicate(wide, static_cast<half>(kLowest), down.count * across.count * kLanes);
      for (uint32_t i = 0; i < rows; ++i)
        Cast(wide[((down.begin + i) * across.count + across.begin) * kLanes],
             in[i * width * kLanes], RoundMode::CAST_NONE, width * kLanes);
    }
    in_.FreeTensor(in);
  }

  // Every window's element `tap`: pixels lie apart where windows do.
  __aicore__ inline void Take(const LocalTensor<half>& largest, const LocalTensor<half>& tap,
                              uint32_t columns, bool first) {
    const LocalTensor<half> other = first ? tap : largest;
    const auto apart = static_cast<uint8_t>(kBlocks * t_.stride_width);
    const auto of_other = first ? apart : static_cast<uint8_t>(kBlocks);
    if (t_.stride_width == 1) {
      Max(largest, other, tap, columns * kLanes);
    } else {
      Max(largest, other, tap, static_cast<uint64_t>(kLanes), static_cast<uint8_t>(columns),
          BinaryRepeatParams(1, 1, 1, kBlocks, of_other, apart));
    }
  }

  __aicore__ inline void Store(uint64_t plane, uint32_t row, uint32_t column, uint32_t columns,
                               const LocalTensor<half>& largest) {
    LocalTensor<int8_t> out = out_.AllocTensor<int8_t>();
    Cast(out, largest, RoundMode::CAST_RINT, columns * kLanes);
    out_.EnQue(out);
    out = out_.DeQue<int8_t>();
    const uint64_t at = (plane * t_.out_height + row) * t_.out_width + column;
    DataCopy(y_[at * kLanes], out, columns * kLanes);
    out_.FreeTensor(out);
  }

  const MaxPoolImagesTilingData& t_;
  TPipe pipe_;
  GlobalTensor<int8_t> x_, y_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_, largest_;
};

}  // namespace

extern "C" __global__ __aicore__ void max_pool_images(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(MaxPoolImagesTilingData);
  GET_TILING_DATA(data, tiling);
  MaxPoolImages op(data, x, y);
  op.Run();
}
