// Sums of lines of float or int32, up to each line: with it or without it.
#ifndef CUM_SUM_RUNNING_H_
#define CUM_SUM_RUNNING_H_

#include "cum_sum_tiling.h"
#include "kernel_operator.h"

template <typename T>
class Running {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, const CumSumTiling& t, uint32_t width) {
    exclusive_ = t.exclusive != 0;
    reverse_ = t.reverse != 0;
    for (auto& sums : sums_) pipe.InitBuffer(sums, width * sizeof(T));
  }

  __aicore__ inline void Begin(uint32_t width) {
    AscendC::Duplicate(sums_[now_].template Get<T>(), T(0), width);
  }

  // Takes `lines` lines of `width` numbers, `pitch` numbers apart, and leaves the sums in them.
  __aicore__ inline void Take(const AscendC::LocalTensor<T>& x, uint32_t lines, uint32_t width,
                              uint32_t pitch) {
    for (uint32_t i = 0; i < lines; ++i) {
      const AscendC::LocalTensor<T> line = x[(reverse_ ? lines - 1 - i : i) * pitch];
      const AscendC::LocalTensor<T> before = Sums(), after = sums_[1 - now_].template Get<T>();
      AscendC::Add(after, before, line, width);
      AscendC::Muls(line, exclusive_ ? before : after, T(1), width);
      now_ = 1 - now_;
    }
  }

  // Returns the sums of all lines since Begin.
  __aicore__ inline AscendC::LocalTensor<T> Sums() { return sums_[now_].template Get<T>(); }

 private:
  AscendC::TBuf<AscendC::TPosition::VECCALC> sums_[2];
  uint32_t now_ = 0;
  bool exclusive_ = false, reverse_ = false;
};

#endif  // CUM_SUM_RUNNING_H_
