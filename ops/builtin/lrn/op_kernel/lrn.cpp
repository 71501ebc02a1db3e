// y = x / (bias + alpha * sum of squares of the channels around)^beta. A tile has rows of pixels,
// one for each channel, and those of the channels that its windows see beyond it.
#include "kernel_operator.h"
#include "lrn_tiling.h"

using namespace AscendC;

template <typename T>
class Lrn {
 public:
  __aicore__ inline Lrn(const LrnTilingData& tiling, GM_ADDR x, GM_ADDR y) : t_(tiling) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t tile = t_.tile_channels * t_.tile_pixels, seen = tile + Around();
    pipe_.InitBuffer(in_, kBuffers, seen * sizeof(T));
    pipe_.InitBuffer(out_, kBuffers, tile * sizeof(T));
    pipe_.InitBuffer(wide_, seen * sizeof(float));
    pipe_.InitBuffer(squares_, seen * sizeof(float));
    pipe_.InitBuffer(sums_, tile * sizeof(float));
  }

  __aicore__ inline void Run() {
    const uint64_t first = GetBlockIdx() * t_.core_tiles;
    for (uint64_t at = first; at < t_.tiles && at < first + t_.core_tiles; ++at) OneTile(At(at));
  }

 private:
  static constexpr int32_t kBuffers = 2;
  static constexpr uint32_t kBlock = 32 / sizeof(T);

  struct Tile {
    uint64_t image;
    uint32_t channel, channels, pixel, pixels;
  };

  __aicore__ inline uint32_t Around() const { return (t_.size - 1) * t_.tile_pixels; }
  __aicore__ static inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

  __aicore__ inline Tile At(uint64_t index) const {
    const uint32_t across = (t_.pixels + t_.tile_pixels - 1) / t_.tile_pixels;
    const uint32_t down = (t_.channels + t_.tile_channels - 1) / t_.tile_channels;
    Tile tile;
    tile.pixel = static_cast<uint32_t>(index % across) * t_.tile_pixels;
    index /= across;
    tile.channel = static_cast<uint32_t>(index % down) * t_.tile_channels;
    tile.image = index / down;
    tile.pixels = Least(t_.tile_pixels, t_.pixels - tile.pixel);
    tile.channels = Least(t_.tile_channels, t_.channels - tile.channel);
    return tile;
  }

  __aicore__ inline GlobalTensor<T> Of(GlobalTensor<T>& memory, const Tile& tile,
                                       uint32_t channel) const {
    return memory[(tile.image * t_.channels + channel) * t_.pixels + tile.pixel];
  }

  // Channels from t_.before in front of the tile on; those beside the image are zero.
  __aicore__ inline void Load(const Tile& tile) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const uint32_t seen = tile.channels + t_.size - 1;
    const uint32_t above = tile.channel < t_.before ? t_.before - tile.channel : 0;
    const uint32_t first = tile.channel + above - t_.before;
    const uint32_t rows = Least(seen - above, t_.channels - first);
    const uint32_t rounded = (tile.pixels + kBlock - 1) / kBlock * kBlock;
    if (rows < seen || rounded < t_.tile_pixels) {
      Duplicate(in, static_cast<T>(0), seen * t_.tile_pixels);
      const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE2));
      SetFlag<HardEvent::V_MTE2>(event);
      WaitFlag<HardEvent::V_MTE2>(event);
    }
    DataCopyPad(in[above * t_.tile_pixels], Of(x_, tile, first),
                DataCopyExtParams{static_cast<uint16_t>(rows),
                                  static_cast<uint32_t>(tile.pixels * sizeof(T)),
                                  static_cast<uint32_t>((t_.pixels - tile.pixels) * sizeof(T)),
                                  (t_.tile_pixels - rounded) / kBlock, 0},
                DataCopyPadExtParams<T>{true, 0, static_cast<uint8_t>(rounded - tile.pixels),
                                        static_cast<T>(0)});
    in_.EnQue(in);
  }

  __aicore__ inline void OneTile(const Tile& tile) {
    Load(tile);
    const uint32_t count = tile.channels * t_.tile_pixels, seen = count + Around();
    const LocalTensor<float> squares = squares_.Get<float>(), sums = sums_.Get<float>();
    LocalTensor<T> in = in_.template DeQue<T>();
    LocalTensor<float> x;
    if constexpr (IsSameType<T, float>::value) {
      x = in;
    } else {
      x = wide_.Get<float>();
      Cast(x, in, RoundMode::CAST_NONE, seen);
    }
    Mul(squares, x, x, seen);
    Adds(sums, squares, 0.0f, count);
    for (uint32_t i = 1; i < t_.size; ++i) Add(sums, sums, squares[i * t_.tile_pixels], count);
    Divide(sums, x[t_.before * t_.tile_pixels], count);
    in_.FreeTensor(in);
    Leave(tile, sums, count);
  }

  // sums = x / (bias + alpha * sums)^beta.
  __aicore__ inline void Divide(const LocalTensor<float>& sums, const LocalTensor<float>& x,
                                uint32_t count) const {
    Muls(sums, sums, t_.alpha, count);
    Adds(sums, sums, t_.bias, count);
    Ln(sums, sums, count);
    Muls(sums, sums, -t_.beta, count);
    Exp(sums, sums, count);
    Mul(sums, sums, x, count);
  }

  __aicore__ inline void Leave(const Tile& tile, const LocalTensor<float>& sums, uint32_t count) {
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, sums, 0.0f, count);
    } else {
      Cast(out, sums, RoundMode::CAST_RINT, count);
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    const uint32_t rounded = (tile.pixels + kBlock - 1) / kBlock * kBlock;
    DataCopyPad(Of(y_, tile, tile.channel), out,
                DataCopyExtParams{static_cast<uint16_t>(tile.channels),
                                  static_cast<uint32_t>(tile.pixels * sizeof(T)),
                                  (t_.tile_pixels - rounded) / kBlock,
                                  static_cast<uint32_t>((t_.pixels - tile.pixels) * sizeof(T)), 0});
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  const LrnTilingData& t_;
  GlobalTensor<T> x_, y_;
  TQue<QuePosition::VECIN, kBuffers> in_;
  TQue<QuePosition::VECOUT, kBuffers> out_;
  TBuf<TPosition::VECCALC> wide_, squares_, sums_;
};

extern "C" __global__ __aicore__ void lrn(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(LrnTilingData);
  GET_TILING_DATA(data, tiling);
  Lrn<DTYPE_X> op(data, x, y);
  op.Run();
}
