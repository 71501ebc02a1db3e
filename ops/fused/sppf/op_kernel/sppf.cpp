// y = x, its max-pool, the max-pool of that and the max-pool of that one, joined along the
// channels. Planes stay in UB, side by side; a pool is the largest of neighbouring rows, and, of
// the turned planes, of neighbouring columns.
#include "layout.h"
#include "sppf_tiling.h"

using namespace AscendC;

template <typename T>
class Sppf {
 public:
  __aicore__ inline explicit Sppf(const SppfTilingData& t) : t_(t), line_(t.tile_planes * t.wide) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, Room() * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, Room() * sizeof(T));
    for (auto& planes : planes_) pipe_.InitBuffer(planes, Room() * sizeof(T));
    FillGaps();
    const uint64_t first = GetBlockIdx() * t_.core_planes;
    const uint64_t end = layout::Least(t_.planes, first + t_.core_planes);
    for (uint64_t plane = first; plane < end; plane += t_.tile_planes)
      OneTile(plane, static_cast<uint32_t>(layout::Least(t_.tile_planes, end - plane)));
  }

 private:
  static constexpr uint64_t kParts = kSppfPools + 1;
  static constexpr float kLargest = 3.402823466e38f;
  const T kOne = static_cast<T>(1);                       // copies are products
  const T kLeast = static_cast<T>(-kLargest - kLargest);  // minus infinity

  __aicore__ inline uint32_t Room() const { return t_.high * line_; }

  // Loads leave the gaps between planes as they are.
  __aicore__ inline void FillGaps() {
    LocalTensor<T> buffers[layout::kBuffers];
    for (auto& buffer : buffers) {
      buffer = in_.template AllocTensor<T>();
      Duplicate(buffer, kLeast, Room());
    }
    for (auto& buffer : buffers) in_.FreeTensor(buffer);
  }

  __aicore__ inline void OneTile(uint64_t plane, uint32_t planes) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    for (uint32_t i = 0; i < planes; ++i)
      Rows().LoadFilled(in[i * t_.wide], x_[(plane + i) * Pixels()], kLeast);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    LocalTensor<T> last = planes_[0].template Get<T>();
    Muls(last, in, kOne, t_.height * line_);
    in_.FreeTensor(in);
    for (uint64_t part = 0; part < kParts; ++part) {
      if (part > 0) Pool(last);
      LocalTensor<T> out = out_.template AllocTensor<T>();
      Muls(out, last, kOne, t_.height * line_);
      out_.EnQue(out);
      out = out_.template DeQue<T>();
      for (uint32_t i = 0; i < planes; ++i)
        Rows().Store(y_[PlaneOfY(plane + i, part) * Pixels()], out[i * t_.wide]);
      out_.FreeTensor(out);
    }
  }
  __aicore__ inline uint64_t PlaneOfY(uint64_t plane, uint64_t part) const {
    return plane / t_.channels * kParts * t_.channels + part * t_.channels + plane % t_.channels;
  }

  // In place. What a pool leaves in a gap is below the largest of the nearest window in a plane,
  // and so of no effect on the pools behind it.
  __aicore__ inline void Pool(const LocalTensor<T>& planes) {
    const LocalTensor<T> other = planes_[1].template Get<T>(),
                         turned = planes_[2].template Get<T>();
    LargestOfLines(other, planes, t_.height, line_, t_.reach_down);
    layout::Turn(turned, other, t_.height, line_);
    LargestOfLines(other, turned, t_.tile_planes > 1 ? line_ : t_.width, t_.high, t_.reach_across);
    layout::Turn(planes, other, line_, t_.high);
  }

  // Every line becomes the largest of those up to `reach` lines away.
  __aicore__ inline void LargestOfLines(const LocalTensor<T>& to, const LocalTensor<T>& from,
                                        uint32_t lines, uint32_t pitch, uint32_t reach) {
    Muls(to, from, kOne, lines * pitch);
    for (uint32_t step = 1; step <= reach && step < lines; ++step) {
      const uint32_t count = (lines - step) * pitch;
      const LocalTensor<T> behind = to[step * pitch];
      Max(to, to, from[step * pitch], count);
      Max(behind, behind, from, count);
    }
  }

  __aicore__ inline uint64_t Pixels() const { return uint64_t{t_.height} * t_.width; }
  __aicore__ inline layout::Rows<T> Rows() const {
    return layout::Rows<T>(t_.height, t_.width, t_.width, line_);
  }

  const SppfTilingData& t_;
  const uint32_t line_;  // elements from row to row in UB
  TPipe pipe_;
  GlobalTensor<T> x_, y_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECOUT, layout::kBuffers> out_;
  TBuf<TPosition::VECCALC> planes_[3];
};

extern "C" __global__ __aicore__ void sppf(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                           GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(SppfTilingData);
  GET_TILING_DATA(data, tiling);
  Sppf<DTYPE_X> op(data);
  op.Run(x, y);
}
