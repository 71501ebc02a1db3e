// y = x, its max-pool, the max-pool of that and the max-pool of that one, joined along the
// channels. A plane stays in UB; a pool is the largest of neighbouring rows, and, of the turned
// plane, of neighbouring columns.
#include "layout.h"
#include "sppf_tiling.h"

using namespace AscendC;

template <typename T>
class Sppf {
 public:
  __aicore__ inline explicit Sppf(const SppfTilingData& t)
      : t_(t), high_(layout::UpTo(t.height, kSppfStep)), wide_(layout::UpTo(t.width, kSppfStep)) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, Plane() * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, Plane() * sizeof(T));
    for (auto& plane : planes_) pipe_.InitBuffer(plane, Plane() * sizeof(T));
    const uint64_t first = GetBlockIdx() * t_.core_planes;
    const uint64_t end = layout::Least(t_.planes, first + t_.core_planes);
    for (uint64_t plane = first; plane < end; ++plane) OnePlane(plane);
  }

 private:
  static constexpr uint64_t kParts = 4;
  const T kOne = static_cast<T>(1);  // copies are products

  __aicore__ inline uint32_t Plane() const { return high_ * wide_; }

  __aicore__ inline void OnePlane(uint64_t plane) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    Rows().Load(in, x_[plane * Pixels()]);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    LocalTensor<T> last = planes_[0].template Get<T>();
    Muls(last, in, kOne, t_.height * wide_);
    in_.FreeTensor(in);
    const uint64_t image = plane / t_.channels * kParts * t_.channels,
                   channel = plane % t_.channels;
    for (uint64_t part = 0; part < kParts; ++part) {
      if (part > 0) Pool(last);
      LocalTensor<T> out = out_.template AllocTensor<T>();
      Muls(out, last, kOne, t_.height * wide_);
      out_.EnQue(out);
      out = out_.template DeQue<T>();
      Rows().Store(y_[(image + part * t_.channels + channel) * Pixels()], out);
      out_.FreeTensor(out);
    }
  }

  // In place.
  __aicore__ inline void Pool(const LocalTensor<T>& plane) {
    const LocalTensor<T> other = planes_[1].template Get<T>(),
                         turned = planes_[2].template Get<T>();
    LargestOfLines(other, plane, t_.height, wide_, t_.reach_down);
    layout::Turn(turned, other, t_.height, wide_);
    LargestOfLines(other, turned, t_.width, high_, t_.reach_across);
    layout::Turn(plane, other, t_.width, high_);
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
    return layout::Rows<T>(t_.height, t_.width, t_.width, wide_);
  }

  const SppfTilingData& t_;
  const uint32_t high_, wide_;  // measure a plane in UB
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
