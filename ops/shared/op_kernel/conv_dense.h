// y = finish(convolution(x, w)) for dense images: N x C x H x W, with groups. The cube unit
// multiplies the filters by the windows of a part of the pixels; the vector unit, which gathers the
// windows, finishes each block of sums, a channel to a row.
//
//   struct BiasFinish {                             // what becomes of a block of sums
//     static constexpr uint32_t kVectors = 1;       // tensors with a number for every channel
//     static constexpr uint32_t kNumbers = 1;       // counts what the unit keeps of a row
//     void Prepare(Unit& unit);                     // Number(i) holds tensor i: finish the numbers
//     void Apply(Unit& unit, sums, count);
//   };
//
// A finish that says `static constexpr bool kPlaced = true` is told the block and its first element
// of y in place of the count: Apply(unit, sums, block, at).
//
//   conv_dense::Kernel<BiasFinish, DTYPE_X> op;
//   REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
//   op.Run(finish, data, pipe, x, w, y, workspace, bias);
#ifndef OPS_SHARED_CONV_DENSE_H_
#define OPS_SHARED_CONV_DENSE_H_

#include "channel_numbers.h"
#include "conv_dense_tiling.h"
#include "epilogue.h"
#include "lib/matmul_intf.h"
#include "product_store.h"
#include "window.h"

namespace conv_dense {

using namespace AscendC;
using product::Block;
using product::IsPlaced;

// Which part of y a core works on.
struct Part {
  uint64_t image, group;
  uint32_t channel, channels;  // count within the group
  uint64_t pixel;              // counts within the image
  uint32_t pixels;
  window::Tile tile;
};

// Which row of the matrix of windows an element is: that of its number in a filter.
struct InOrder {
  __aicore__ static inline uint64_t RowOf(const ConvDenseTiling& t, uint32_t channel, uint32_t down,
                                          uint32_t across) {
    return (uint64_t{channel} * t.window.window_height + down) * t.window.window_width + across;
  }
};

template <typename Finish, typename T, typename Order = InOrder>
class Kernel {
 public:
  template <typename... Vectors>
  __aicore__ inline void Run(const Finish& finish, const ConvDenseTiling& t, TPipe& pipe, GM_ADDR x,
                             GM_ADDR w, GM_ADDR y, GM_ADDR workspace, Vectors... vectors) {
    static_assert(sizeof...(Vectors) == Finish::kVectors, "Run needs an address for every vector");
    t_ = &t;
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    y_.SetGlobalBuffer((__gm__ T*)y);
    windows_.SetGlobalBuffer((__gm__ T*)GetUserWorkspace(workspace));
    const uint32_t block = static_cast<uint32_t>(t.cube.baseM) * t.cube.baseN;
    pipe.InitBuffer(sums_, 1, block * sizeof(float));
    store_.Init(pipe, block);
    numbers_.Init(pipe, static_cast<uint32_t>(t.cube.baseM), vectors...);
    if (Gathers()) {
      slab_.Init(pipe, t.window, x);
      pipe.InitBuffer(taps_, window::kBuffers, t.window.pixels * sizeof(T));
    }
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation()),
               core = static_cast<uint64_t>(GetBlockIdx());
    if (t.shared_windows != 0) GatherAll(core, cores);
    for (uint64_t part = core; part < t.parts; part += cores) OnePart(finish, part);
    mm.End();
  }

  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T>, MatmulType<TPosition::GM, CubeFormat::ND, T>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>>
      mm;

 private:
  __aicore__ inline bool Gathers() const { return t_->window.tiles > 0; }
  // Parts with the same pixels.
  __aicore__ inline uint64_t Deep() const {
    return (t_->out_channels + t_->part_channels - 1) / t_->part_channels;
  }
  // Counts the elements of a matrix of windows.
  __aicore__ inline uint64_t Elements() const { return uint64_t{t_->k} * t_->part_pixels; }

  // Channels are counted fastest.
  __aicore__ inline Part PartAt(uint64_t index) const {
    const uint64_t deep = Deep();
    Part part{};
    part.channel = static_cast<uint32_t>(index % deep) * t_->part_channels;
    part.channels = window::Least(t_->part_channels, t_->out_channels - part.channel);
    index /= deep;
    if (Gathers()) {
      part.tile = window::TileAt(t_->window, index % t_->window.tiles);
      index /= t_->window.tiles;
      part.pixel = uint64_t{part.tile.row} * t_->window.out_width + part.tile.column;
      part.pixels = part.tile.pixels();
    } else {
      const uint64_t across = (t_->image_pixels + t_->part_pixels - 1) / t_->part_pixels;
      part.pixel = index % across * t_->part_pixels;
      index /= across;
      part.pixels = static_cast<uint32_t>(
          window::Least<uint64_t>(t_->part_pixels, t_->image_pixels - part.pixel));
    }
    part.group = index % t_->groups;
    part.image = index / t_->groups;
    return part;
  }

  // Returns the first plane of x that the part sees.
  __aicore__ inline uint64_t PlaneOf(const Part& part) const {
    return (part.image * t_->groups + part.group) * t_->in_channels;
  }

  __aicore__ inline void OnePart(const Finish& finish, uint64_t index) {
    const Part part = PartAt(index);
    const uint64_t plane = PlaneOf(part), filter = part.group * t_->out_channels + part.channel;
    const bool shares = t_->shared_windows != 0;
    const uint64_t matrix =
        (shares ? index / Deep() : static_cast<uint64_t>(GetBlockIdx())) * Elements();
    if (Gathers() && !shares) GatherWindows(part, plane, matrix);
    mm.SetTail(static_cast<int32_t>(part.channels), static_cast<int32_t>(part.pixels),
               static_cast<int32_t>(t_->k));
    mm.SetTensorA(w_[filter * t_->k]);
    mm.SetTensorB(Gathers() ? windows_[matrix] : x_[plane * t_->image_pixels + part.pixel]);
    const uint64_t of_image = part.image * t_->groups * t_->out_channels;
    const auto base_m = static_cast<uint32_t>(t_->cube.baseM),
               base_n = static_cast<uint32_t>(t_->cube.baseN);
    const uint32_t high = (part.channels + base_m - 1) / base_m;
    for (uint32_t block = 0; mm.template Iterate<true>(); ++block) {
      const uint32_t down = block % high * base_m, right = block / high * base_n;
      OneBlock(
          finish, (of_image + filter + down) * t_->image_pixels + part.pixel + right,
          {static_cast<uint32_t>(filter) + down, right, window::Least(base_m, part.channels - down),
           window::Least(base_n, part.pixels - right), base_n});
    }
  }

  // The windows of all parts, a channel after the other on all cores.
  __aicore__ inline void GatherAll(uint64_t core, uint64_t cores) {
    const uint64_t channels = t_->parts / Deep() * t_->in_channels;
    for (uint64_t i = core; i < channels; i += cores) {
      const uint64_t matrix = i / t_->in_channels;
      const Part part = PartAt(matrix * Deep());
      GatherChannel(part, PlaneOf(part), static_cast<uint32_t>(i % t_->in_channels),
                    matrix * Elements());
    }
    PipeBarrier<PIPE_ALL>();
    if (cores > 1) SyncAll();  // every core reads windows of the others
  }

  __aicore__ inline void GatherWindows(const Part& part, uint64_t plane, uint64_t matrix) {
    PipeBarrier<PIPE_ALL>();  // the part before has been read
    for (uint32_t channel = 0; channel < t_->in_channels; ++channel)
      GatherChannel(part, plane, channel, matrix);
    PipeBarrier<PIPE_ALL>();  // the windows are there
  }

  // A row of the matrix: an element of the window of every pixel.
  __aicore__ inline void GatherChannel(const Part& part, uint64_t plane, uint32_t channel,
                                       uint64_t matrix) {
    slab_.Load(part.tile, plane + channel, static_cast<T>(0));
    slab_.Take();
    slab_.EveryTap([&](uint32_t down, uint32_t across) {
      LocalTensor<T> taps = taps_.template AllocTensor<T>();
      slab_.Tap(taps, down, across, part.pixels);
      taps_.EnQue(taps);
      taps = taps_.template DeQue<T>();
      DataCopyPad(windows_[matrix + Order::RowOf(*t_, channel, down, across) * t_->part_pixels],
                  taps,
                  DataCopyExtParams{1, static_cast<uint32_t>(part.pixels * sizeof(T)), 0, 0, 0});
      taps_.FreeTensor(taps);
    });
    slab_.Release();
  }

  __aicore__ inline void OneBlock(const Finish& finish, uint64_t at, const Block& block) {
    LocalTensor<float> sums = sums_.template AllocTensor<float>();
    mm.template GetTensorC<true>(sums, 0, true);
    sums_.EnQue(sums);
    sums = sums_.template DeQue<float>();
    numbers_.Bring(finish, block);
    if constexpr (IsPlaced<Finish>::value) {
      finish.Apply(numbers_.unit(), sums, block, at);
    } else {
      finish.Apply(numbers_.unit(), sums, block.elements());
    }
    store_.Out(y_[at], t_->image_pixels, sums, block);
    sums_.FreeTensor(sums);
  }

  const ConvDenseTiling* t_ = nullptr;
  GlobalTensor<T> x_, w_, y_, windows_;
  window::Slab<T> slab_;
  ChannelNumbers<Finish, T> numbers_;
  product::Store<T> store_;
  TQue<QuePosition::VECIN, 1> sums_;
  TQue<QuePosition::VECOUT, window::kBuffers> taps_;
};

}  // namespace conv_dense

#endif  // OPS_SHARED_CONV_DENSE_H_
