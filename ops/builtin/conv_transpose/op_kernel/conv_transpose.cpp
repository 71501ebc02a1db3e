// y = transposed convolution(x, w) + bias. Each vector core owns parts of y: its cube core leaves
// the stamps of a part in the workspace, x times the filters as they lie, and it lays them over
// each other (overlay.h).
#include "lib/matmul_intf.h"
#include "overlay.h"

using namespace AscendC;

template <typename T>
class ConvTranspose {
 public:
  __aicore__ inline explicit ConvTranspose(const ConvTransposeTiling& t) : t_(t) {}

  __aicore__ inline void Run(TPipe& pipe, bool apart, GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                             GM_ADDR workspace) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    bias_.SetGlobalBuffer((__gm__ T*)bias);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const auto core = static_cast<uint64_t>(GetBlockIdx());
    stamps_.SetGlobalBuffer((__gm__ float*)GetUserWorkspace(workspace) + core * t_.core_stamps);
    overlay_.Init(pipe, t_, apart);
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
    for (uint64_t part = core; part < t_.parts; part += cores) OnePart(part);
    mm.End();
  }

  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, T, true>,
         MatmulType<TPosition::GM, CubeFormat::ND, T>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;

 private:
  __aicore__ static inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }
  __aicore__ inline uint32_t Elements() const { return t_.down.filter * t_.across.filter; }

  // Rows of y are counted fastest, then channels of a group.
  __aicore__ inline void OnePart(uint64_t index) {
    const uint64_t high = (t_.down.out_size + t_.part_rows - 1) / t_.part_rows;
    const uint64_t deep = (t_.out_channels + t_.part_channels - 1) / t_.part_channels;
    const auto row = static_cast<uint32_t>(index % high) * t_.part_rows;
    const auto channel = static_cast<uint32_t>(index / high % deep) * t_.part_channels;
    const auto rows = static_cast<uint32_t>(Least(t_.part_rows, t_.down.out_size - row));
    const auto channels = static_cast<uint32_t>(Least(t_.part_channels, t_.out_channels - channel));
    const uint64_t group = index / high / deep;  // counts through all images
    const Stamps seen = Make(group, channel, channels, row, rows);
    for (uint32_t i = 0; i < channels; ++i)
      OneChannel(seen, i, group * t_.out_channels + channel + i, row, rows);
  }

  // Returns the stamps of rows of x that rows of y see.
  __aicore__ inline Stamps Make(uint64_t group, uint32_t channel, uint32_t channels, uint32_t row,
                                uint32_t rows) {
    const StampTiling& down = t_.down;
    const uint32_t reach = (down.filter - 1) * down.dilation, begin = row + down.pad;
    const uint32_t first = begin > reach ? (begin - reach + down.stride - 1) / down.stride : 0;
    const auto end = static_cast<uint32_t>(Least(down.size, (begin + rows - 1) / down.stride + 1));
    if (first >= end) return {stamps_, 0, 0};
    const uint32_t pixels = (end - first) * t_.across.size;
    PipeBarrier<PIPE_ALL>();  // the stamps of the part before have been read
    const auto m = static_cast<int32_t>(t_.out_channels * Elements()),
               n = static_cast<int32_t>(down.size * t_.across.size),
               k = static_cast<int32_t>(t_.in_channels);
    mm.SetOrgShape(m, n, k, k, static_cast<int32_t>(pixels));
    mm.SetTail(static_cast<int32_t>(channels * Elements()), static_cast<int32_t>(pixels), k);
    const uint64_t of_group = group % t_.groups * t_.in_channels * t_.out_channels + channel;
    mm.SetTensorA(w_[of_group * Elements()], true);
    mm.SetTensorB(
        x_[group * t_.in_channels * down.size * t_.across.size + uint64_t{first} * t_.across.size]);
    mm.IterateAll(stamps_);
    PipeBarrier<PIPE_ALL>();  // the stamps are there
    return {stamps_, first, end - first};
  }

  // channel: of all images.
  __aicore__ inline void OneChannel(const Stamps& seen, uint32_t place, uint64_t channel,
                                    uint32_t row, uint32_t rows) {
    const uint64_t plane = uint64_t{place} * Elements() * seen.rows * t_.across.size;
    const Stamps own{seen.planes[plane], seen.first, seen.rows};
    const GlobalTensor<T> to = y_[channel * t_.down.out_size * t_.across.out_size];
    const uint64_t channels = uint64_t{t_.groups} * t_.out_channels;
    const float bias =
        t_.has_bias != 0 ? static_cast<float>(bias_.GetValue(channel % channels)) : 0.0f;
    for (uint32_t down = 0; down < rows; down += t_.down.tile)
      for (uint32_t column = 0; column < t_.across.out_size; column += t_.across.tile)
        overlay_.OneTile(own, bias, to, row + down,
                         static_cast<uint32_t>(Least(t_.down.tile, rows - down)), column,
                         static_cast<uint32_t>(Least(t_.across.tile, t_.across.out_size - column)));
  }

  const ConvTransposeTiling& t_;
  GlobalTensor<T> x_, w_, bias_, y_;
  GlobalTensor<float> stamps_;
  Overlay<T> overlay_;
};

extern "C" __global__ __aicore__ void conv_transpose(GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR y,
                                                     GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(ConvTransposeTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  ConvTranspose<DTYPE_X> op(data);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.mm, &data.cube);
  if (TILING_KEY_IS(1)) {  // kStampsSideBySide
    op.Run(pipe, false, x, w, bias, y, workspace);
  } else if (TILING_KEY_IS(2)) {  // kStampsApart
    op.Run(pipe, true, x, w, bias, y, workspace);
  }
}
